"""Make the demonstration recording: ``python -m datasets.synth.demo --out datasets/demo``.

Mini punto banco seen obliquely, several coups, one bet on a line, and one error of the dealer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import cv2
import typer

from datasets.decks import drawn_deck
from datasets.simulator import Options, simulate
from datasets.simulator_table import arc_geometry
from datasets.simulator_types import ErrorKind, Session
from datasets.synth.clip import Production, render_clip
from datasets.synth.house import Print
from datasets.synth.raster import Colour
from datasets.synth.scene import ChipDesign, PropItem, PropKind
from rules.cards import Face
from vision.camera import Camera

COUPS = 3
NAME = "demo"
_DECK = 29
_INLAY: Colour = (232, 238, 240)
_CHIPS: dict[int, tuple[str, Colour, Colour, Colour]] = {
    1: ("white", (225, 228, 230), (190, 90, 40), (150, 60, 20)),
    5: ("red", (40, 34, 190), (235, 238, 240), (60, 40, 40)),
    25: ("green", (62, 128, 30), (235, 238, 240), (40, 60, 30)),
    100: ("black", (34, 32, 30), (225, 228, 230), (30, 30, 30)),
    500: ("purple", (140, 46, 110), (120, 220, 245), (90, 30, 60)),
    1000: ("yellow", (50, 190, 235), (60, 50, 40), (60, 50, 40)),
}


def chip_designs() -> dict[int, ChipDesign]:
    """The demonstration house's chips."""
    return {
        value: ChipDesign(base, spot, base, _INLAY, ink, str(value), "spots", 6, 0.42, 0.55, 1, 0.1, "sans")
        for value, (_, base, spot, ink) in _CHIPS.items()
    }


def chip_names() -> dict[int, str]:
    """What people call the colours of the chips."""
    return {value: name for value, (name, _, _, _) in _CHIPS.items()}


def demo_session(seed: int) -> Session:
    """Coups of which the last has an error: banca is given a third card that it is not due."""
    options = Options(initial_face=Face.UP, bets=(2, 3), line_share=0.18, tie_share=0.08)
    return simulate(
        seed,
        coups=COUPS,
        errors={COUPS: ErrorKind.SIXTH_CARD},
        geometry=arc_geometry(seats=4),
        options=options,
    )


def demo_camera() -> Camera:
    """A camera over the players' side, 54 degrees from straight down, so that piles show their chips; with
    some barrel distortion."""
    return Camera.looking_at(
        (850, 285), distance_mm=2450, tilt_deg=54, azimuth_deg=9, focal_px=2500, size_px=(1280, 720), k1=-0.06
    )


def demo_production(seed: int) -> Production:
    """The demonstration: session, camera, deck, chips and print."""
    body = PropItem(PropKind.BODY, 800, -300, 90, 400, 200, 380, (38, 34, 32), (120, 150, 200), seed=7)
    return Production(
        demo_session(seed), demo_camera(), drawn_deck(_DECK, indices=True), chip_designs(), chip_names(),
        Print(cloth=(66, 92, 20)), bodies=(body,), seed=seed,
    )  # fmt: skip


def main(
    out: Annotated[Path, typer.Option(help="Folder to write to")],
    seed: Annotated[int, typer.Option(help="Seed of the session")] = 586,
) -> None:
    """Write the demonstration video, its truth and its layout."""
    cv2.setNumThreads(2)
    render_clip(demo_production(seed), out, NAME)


if __name__ == "__main__":
    typer.run(main)
