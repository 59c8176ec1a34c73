"""A staged coup as a film: the drawn felt as cloth, a house's chips, a pack of cards, a camera, light."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import resvg_py

from datasets.decks import drawn_deck
from datasets.staged.acting import Staged
from datasets.synth.chips import STYLES, random_design
from datasets.synth.clip import Felt, Frames, Production, Shoot
from datasets.synth.ground import Ground
from datasets.synth.movie import write_video
from datasets.synth.optics import Optics
from datasets.synth.raster import font_names
from datasets.synth.scene import CardItem, ChipDesign, FloatItem, Light, ShoeItem
from rules.spots import FLOAT, Area
from vision.camera import Camera, Floats
from vision.layout import Layout

SIZE_PX = (1280, 720)
HOUSE = (1, 5, 10, 50, 100, 500, 1000)
"""The denominations of a house, in colours that casinos commonly give them."""
_PX_PER_MM = 1.6


def cloth_of(layout: Layout, rng: np.random.Generator) -> Ground:
    """A drawing as printed cloth."""
    x0, y0, x1, _ = layout.frame_mm
    data = resvg_py.svg_to_bytes(
        svg_string=layout.svg, width=round((x1 - x0) * _PX_PER_MM), dpi=96.0, serif_family="Liberation Serif"
    )
    cloth = cv2.imdecode(np.frombuffer(bytes(data), np.uint8), cv2.IMREAD_COLOR)
    assert cloth is not None
    noise = rng.normal(0, 3, cloth.shape[:2]).astype(np.int16)[..., None]
    woven = np.clip(cloth.astype(np.int16) + noise, 0, 255).astype(np.uint8)
    return Ground(woven, (x0, y0), _PX_PER_MM, (30, 25, 25))


def played_on(staged: Staged) -> Floats:
    """(n, 2): corners of the places at which something happens, mm: what the camera has to show."""
    spots = {str(action.spot) for action in staged.session.actions if hasattr(action, "spot")}
    corners = [
        zone.corners_mm
        for zone in staged.layout.zones
        if str(zone.spot) in spots or zone.spot.area in (Area.BANK, Area.COMMUNITY)
    ]
    return np.concatenate([*corners, np.array([staged.session.geometry.shoe_mm])])


def framed(
    points_mm: Floats,
    *,
    tilt_deg: float,
    azimuth_deg: float = 0.0,
    size_px: tuple[int, int] = SIZE_PX,
    distance_mm: float = 2600.0,
    k1: float = -0.05,
) -> Camera:
    """The camera that shows these points of the felt (n, 2) as large as can be, from ``azimuth_deg`` (0: from
    the players' side), tilted so far from straight down."""
    low, high = points_mm.min(axis=0), points_mm.max(axis=0)
    at = (low + high) / 2
    focal = 1500.0
    half = np.array(size_px) / 2
    for _ in range(12):
        camera = Camera.looking_at(
            (float(at[0]), float(at[1])), distance_mm=distance_mm, tilt_deg=tilt_deg,
            azimuth_deg=azimuth_deg, focal_px=focal, size_px=size_px, k1=k1,
        )  # fmt: skip
        px = camera.project(points_mm)
        middle = camera.felt_point(((px.min(axis=0) + px.max(axis=0)) / 2)[None])[0]
        at = at + 0.7 * (middle - at)
        focal *= float(np.clip(0.93 / (np.abs(px - half) / half).max(), 0.7, 1.4))
    return camera


def designs_of(seed: int, values: Sequence[int] = HOUSE) -> dict[int, ChipDesign]:
    """A house's chips: one family of looks, each value in a colour of its own."""
    rng = np.random.default_rng([seed, 41])
    font, style = str(rng.choice(font_names())), str(rng.choice(STYLES))
    return {value: random_design(rng, value, style, True, font) for value in values}


def production_of(staged: Staged, camera: Camera, seed: int, *, fps: int = 8) -> Production:
    """Everything that decides how the film looks; cloth's weave, deck, chips and light by the seed."""
    rng = np.random.default_rng([seed, 43])
    designs = designs_of(seed)
    gain = float(np.exp(rng.normal(0.0, 0.1)))
    light = Light(
        azimuth_deg=float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(55, 85)),
        softness=float(rng.uniform(0.2, 0.7)),
        shadow=float(rng.uniform(0.2, 0.5)),
        gradient=float(rng.uniform(0, 0.2)),
        vignette=float(rng.uniform(0, 0.25)),
    )
    back = int(rng.integers(60))
    return Production(
        staged.session,
        camera,
        drawn_deck(int(rng.integers(1000)), indices=True),
        designs,
        {},
        light=light,
        optics=Optics(
            defocus_px=float(rng.uniform(0.3, 0.7)),
            gain=(gain, gain, gain),
            noise=float(rng.uniform(0.8, 2.5)),
            jpeg=0,
        ),
        back=back,
        felt=_felt(staged, rng, sorted(designs, reverse=True), back, seed),
        fps=fps,
        seed=seed,
    )


def film(production: Production, video: Path, crf: int = 24) -> int:
    """Write the film as H.264; the frames written. The file is whole or not there."""
    video.parent.mkdir(parents=True, exist_ok=True)
    return write_video(Frames(Shoot(production)), video, production.fps, crf)


def _felt(staged: Staged, rng: np.random.Generator, values: Sequence[int], back: int, seed: int) -> Felt:
    layout, geometry = staged.layout, staged.session.geometry
    x, y = geometry.float_mm
    tubes = [value for value in values for _ in range(2)][:9]
    rows = tuple((value, int(rng.integers(12, 20))) for value in tubes)
    drawn = layout.zone(FLOAT) is not None
    tray = FloatItem(x, y, 41.5, 62.0, rows, (26, 24, 24), seed) if drawn else None
    cloth = cloth_of(layout, rng)
    if staged.shoe_spot is None:
        px, py = geometry.shoe_mm
        pack = tuple(
            CardItem(None, px, py, 2.0, 0.3 + 0.35 * n, 180.0, back=back, name=f"pack {n}") for n in range(6)
        )
        return Felt(cloth, None, tray, pack)
    return Felt(cloth, _shoe(staged, back), tray)


def _shoe(staged: Staged, back: int) -> ShoeItem:
    """The shoe: its mouth towards the middle of the table, its body away from it."""
    x, y = staged.session.geometry.shoe_mm
    if staged.shoe_spot is not None and staged.shoe_spot.area is Area.SHOE:
        turn = -90.0
    else:
        middle = staged.layout.felt.centroid
        turn = math.degrees(math.atan2(y - middle.y, x - middle.x))
    a = math.radians(turn)
    return ShoeItem(
        x + 8 * math.cos(a), y + 8 * math.sin(a), turn, 190.0, 86.0, 95.0, 16.0, (34, 32, 30), back
    )
