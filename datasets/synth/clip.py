"""A simulated session to a video with its truth: ``NAME.mp4``, ``NAME.json`` and ``layout.svg``.

The truth has the form of the recordings that the product is measured with (``datasets.synth.truth``); every
recording has ``rounds``, one of a single coup ``round`` too.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from datasets.decks import Deck
from datasets.simulator_types import Session
from datasets.synth.card_textures import CardTextures
from datasets.synth.drawing import Drawing
from datasets.synth.ground import Ground, table_ground
from datasets.synth.house import Print, house_drawing
from datasets.synth.motion import Motion
from datasets.synth.movie import Filmer, write_video
from datasets.synth.optics import Optics
from datasets.synth.raster import Array, Colour
from datasets.synth.scene import CardItem, ChipDesign, FloatItem, Light, PropItem, Scene, ShoeItem
from datasets.synth.stages import Assets
from datasets.synth.truth import recording
from vision.camera import Camera

_LIGHT = Light(elevation_deg=68, softness=0.35, shadow=0.4, gradient=0.1, vignette=0.15)
_OPTICS = Optics(defocus_px=0.45, noise=1.6, jpeg=0)


@dataclass(frozen=True, slots=True, eq=False)
class Felt:
    """A table that is not drawn from the session's places: its cloth, shoe and tray, and a pack at rest."""

    ground: Ground
    shoe: ShoeItem | None
    tray: FloatItem | None
    pack: tuple[CardItem, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Production:
    """Everything that decides a clip's look. ``chip_names``: what people call the colour of each value;
    ``felt``: the table, None: a house's drawing of the session's places."""

    session: Session
    camera: Camera
    deck: Deck
    designs: Mapping[int, ChipDesign]
    chip_names: Mapping[int, str]
    look: Print = field(default_factory=Print)
    light: Light = _LIGHT
    optics: Optics = _OPTICS
    back: int = 3
    shoe_colour: Colour = (34, 32, 30)
    bodies: tuple[PropItem, ...] = ()
    felt: Felt | None = None
    fps: int = 15
    seed: int = 0

    @property
    def drawing(self) -> Drawing:
        """The house's drawing of the session's places."""
        return house_drawing(self.session.geometry, self.look)[0]


class Shoot:
    """A production's scenes: what the table looks like at each moment."""

    def __init__(self, production: Production) -> None:
        self.production = production
        self.felt = production.felt or self._house_felt()
        self.assets = Assets(self.felt.ground, CardTextures(production.deck), production.designs)
        self.motion = Motion(production.session, production.back)

    def _house_felt(self) -> Felt:
        rng = np.random.default_rng([self.production.seed, 21])
        drawing, edge = house_drawing(self.production.session.geometry, self.production.look)
        ground = table_ground(rng, drawing, edge, px_per_mm=1.6, margin_mm=380.0)
        return Felt(ground, self._make_shoe(), self._make_float(rng))

    def _make_shoe(self) -> ShoeItem:
        x, y = self.production.session.geometry.shoe_mm
        return ShoeItem(
            x + 42, y, 8.0, 250.0, 92.0, 100.0, 18.0, self.production.shoe_colour, self.production.back
        )

    def _make_float(self, rng: np.random.Generator) -> FloatItem:
        x, y = self.production.session.geometry.float_mm
        values = sorted(self.production.designs, reverse=True)
        tubes = [value for value in values for _ in range(2)][:11]
        rows = tuple((value, int(rng.integers(12, 22))) for value in tubes)
        return FloatItem(x, y + 8, 41.5, 76.0, rows, (26, 24, 24), self.production.seed)

    def scene(self, t: float) -> Scene:
        """The table ``t`` seconds after the start."""
        return Scene(
            self.felt.pack + self.motion.cards(t), self.motion.chips(t), self.motion.arms(t),
            self.motion.props(t) + self.production.bodies, self.felt.shoe, self.felt.tray,
            self.production.light,
        )  # fmt: skip


class Frames(Collection[Array]):
    """The frames of a clip, as a sized iterable."""

    def __init__(self, shoot: Shoot) -> None:
        self._shoot = shoot
        production = shoot.production
        self._count = round(production.session.duration_s * production.fps)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, image: object) -> bool:
        return any(image is frame for frame in self)

    def __iter__(self) -> Iterator[Array]:
        production = self._shoot.production
        filmer = Filmer(self._shoot.assets, production.camera, production.optics, production.seed)
        for number in range(self._count):
            yield filmer.frame(self._shoot.scene(number / production.fps))


def render_clip(
    production: Production, folder: Path, name: str, crf: int = 25, most_bytes: int = 5_000_000
) -> Path:
    """Write ``name.mp4``, ``name.json`` and ``layout.svg`` into a folder; the video's path.

    Every file is written whole or not at all; the video comes last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shoot = Shoot(production)
    (folder / "layout.svg").write_text(production.drawing.to_svg(), encoding="utf-8")
    truth = recording(
        production.session, production.camera, production.deck, production.chip_names, name, production.fps
    )
    (folder / f"{name}.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    video = folder / f"{name}.mp4"
    write_video(Frames(shoot), video, production.fps, crf, most_bytes)
    return video
