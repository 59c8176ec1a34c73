"""Every kind of a recording's error, and clean play, through pixels: rendered, reviewed, scored.

``python -m tests.bench.errors FOLDER [SEEDS] [KIND...]`` renders what is missing in FOLDER, one coup a clip,
SEEDS clips a kind (1), and prints a row for each. The seed decides camera, cloth, deck, chips, light, noise,
people and how the cards are dealt.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from datasets.decks import drawn_deck
from datasets.simulator import Options, simulate
from datasets.simulator_table import TableGeometry, arc_geometry
from datasets.simulator_types import ErrorKind
from datasets.synth.chips import STYLES, random_design
from datasets.synth.clip import Production, render_clip
from datasets.synth.demo import chip_names
from datasets.synth.house import Print
from datasets.synth.optics import Optics
from datasets.synth.people import random_body
from datasets.synth.raster import font_names, hsv
from datasets.synth.scene import Light, PropItem
from rules.cards import Face
from rules.journal import dumps
from veedor.config import load_table
from veedor.importing import import_recording
from veedor.pipeline import run
from veedor.score.recordings import CODES, score_recording
from veedor.score.tally import Disagreement, Tally
from veedor.score.truth import read_truth
from veedor.watching import judge_journal
from vision.camera import Camera, Floats

CLEAN = "clean"
KINDS = (CLEAN, *(kind.value for kind in ErrorKind if kind.value in CODES))
SIZE_PX = (1280, 720)
_NAME = "clip"


def camera_of(rng: np.random.Generator, geometry: TableGeometry) -> Camera:
    """Straight above or oblique, mostly with the dealer at the top of the picture; the whole table in it."""
    above = rng.random() < 0.4
    azimuth = float(
        rng.choice([rng.normal(0, 14), rng.normal(180, 20), rng.uniform(0, 360)], p=[0.7, 0.15, 0.15])
    )
    points = _extent(geometry)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2 + rng.normal(0, 20, 2)
    tilt = float(abs(rng.normal(0, 4)) if above else rng.uniform(30, 57))
    distance, k1 = float(rng.uniform(1900, 3200)), float(rng.uniform(-0.12, 0.02))
    focal = 1500.0
    for _ in range(8):
        camera = Camera.looking_at(
            (float(middle[0]), float(middle[1])), distance_mm=distance, tilt_deg=tilt, azimuth_deg=azimuth,
            roll_deg=0.0, focal_px=focal, size_px=SIZE_PX, k1=k1,
        )  # fmt: skip
        away = np.abs(camera.project(points) - np.array(SIZE_PX) / 2) / (np.array(SIZE_PX) / 2)
        focal *= float(np.clip(0.96 / away.max(), 0.6, 1.6))
    return camera


def _extent(geometry: TableGeometry) -> Floats:
    """(n, 2): what of the table must be in the picture, mm."""
    zones = [*geometry.bets.values(), *geometry.hands.values()]
    corners = [corner for zone in zones for corner in zone.corners()]
    return np.array([*corners, geometry.shoe_mm, geometry.discard_mm])


def _hides(body: PropItem, camera: Camera, places: Floats) -> bool:
    """Whether a person stands between the camera and any of the places (n, 2) mm: no house hangs it so."""
    half = body.width_mm / 2
    points = [
        (body.x_mm + dx, body.y_mm + dy, z)
        for dx in (-half, half)
        for dy in (-half, half)
        for z in (0.0, body.height_mm)
    ]
    outline = cv2.convexHull(camera.project(np.array(points)).astype(np.float32))
    seen = camera.project(np.column_stack([places, np.zeros(len(places))]))
    return any(cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in seen)


def production_of(kind: str, seed: int) -> Production:
    """One coup with an error of a kind (or none), and everything that decides how it looks."""
    rng = np.random.default_rng([seed, KINDS.index(kind), 4])
    down = kind == ErrorKind.EXPOSED_CARD or rng.random() < 0.6
    geometry = arc_geometry(seats=int(rng.integers(4, 8)))
    session = simulate(
        int(rng.integers(1 << 30)),
        errors={} if kind == CLEAN else {1: ErrorKind(kind)},
        geometry=geometry,
        options=Options(initial_face=Face.DOWN if down else Face.UP, bets=(2, 4), line_share=0.3, tail_s=1.2),
    )
    font, style = str(rng.choice(font_names())), str(rng.choice(STYLES))
    designs = {value: random_design(rng, value, style, True, font) for value in (1, 5, 25, 100, 500, 1000)}
    cloth = hsv(
        float(rng.choice([0.37, 0.4, 0.6, 0.97, 0.08])),
        float(rng.uniform(0.55, 0.9)),
        float(rng.uniform(0.22, 0.5)),
    )
    gain = float(np.exp(rng.normal(0, 0.12)))
    camera = camera_of(rng, geometry)
    people = [random_body(rng, (1600.0, 760.0), dealer) for dealer in (True, False, False)]
    bodies = tuple(body for body in people if not _hides(body, camera, _extent(geometry)))
    return Production(
        session,
        camera,
        drawn_deck(int(rng.integers(1000)), indices=bool(rng.random() < 0.8)),
        designs,
        chip_names(),
        Print(cloth=cloth, font=font, line_mm=float(rng.uniform(2.5, 5))),
        Light(
            azimuth_deg=float(rng.uniform(0, 360)),
            elevation_deg=float(rng.uniform(50, 85)),
            softness=float(rng.uniform(0.1, 0.7)),
            shadow=float(rng.uniform(0.2, 0.55)),
            gradient=float(rng.uniform(0, 0.25)),
            vignette=float(rng.uniform(0, 0.3)),
        ),
        Optics(
            defocus_px=float(rng.uniform(0.3, 0.8)),
            gain=(gain * float(rng.uniform(0.95, 1.05)), gain, gain * float(rng.uniform(0.95, 1.05))),
            noise=float(rng.uniform(0.8, 3.5)),
            jpeg=0,
        ),
        back=int(rng.integers(60)),
        bodies=bodies,
        fps=int(rng.choice([8, 10])),
        seed=seed,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a review of one clip came to. ``error``: found, UNDETERMINED or missed."""

    cards: Tally
    bets: Tally
    findings: Tally
    differences: Sequence[Disagreement]

    @property
    def error(self) -> str:
        """How the clip's error came out."""
        if self.findings.right:
            return "found"
        if self.findings.undetermined:
            return "UNDETERMINED"
        return "missed" if self.findings.missed else "-"


def clip_of(kind: str, seed: int, folder: Path) -> Path:
    """The folder of one clip, rendered if it is not there yet."""
    place = folder / f"{kind}-{seed}"
    if not (place / f"{_NAME}.mp4").exists():
        render_clip(production_of(kind, seed), place, _NAME, crf=26)
    return place


def watched(place: Path) -> Outcome:
    """Review a clip, leave journal and findings beside it, and score it."""
    table = load_table(import_recording(place / f"{_NAME}.json", place))
    journal = run(table, place / f"{_NAME}.mp4")
    (place / "journal.jsonl").write_text(dumps(journal), encoding="utf-8")
    judgement = judge_journal(journal, table)
    (place / "findings.json").write_text(judgement.dumps(), encoding="utf-8")
    tallies, differences = score_recording(place.name, read_truth(place / f"{_NAME}.json"), judgement)
    return Outcome(tallies["cards"], tallies["bets"], tallies["findings"], differences)


def shown(tally: Tally) -> str:
    """right / wrong / missed / extra / undetermined."""
    return f"{tally.right} / {tally.wrong} / {tally.missed} / {tally.extra} / {tally.undetermined}"


def main(arguments: list[str]) -> None:
    """Render, review and print."""
    folder = Path(arguments[0])
    seeds = int(arguments[1]) if len(arguments) > 1 else 1
    cv2.setNumThreads(1)
    console = Console(highlight=False, width=160)
    table = Table("clip", "cards", "bets", "error", "false alerts")
    total = {"cards": Tally(), "bets": Tally(), "findings": Tally()}
    for kind in arguments[2:] or KINDS:
        for seed in range(1, seeds + 1):
            outcome = watched(clip_of(kind, seed, folder))
            row = (shown(outcome.cards), shown(outcome.bets), outcome.error, str(outcome.findings.extra))
            table.add_row(f"{kind} {seed}", *row)
            console.print(kind, seed, *row, sep="  ")
            for differs in outcome.differences:
                console.print(f"   {differs.item}: {differs.expected} -> {differs.seen}")
            total["cards"] += outcome.cards
            total["bets"] += outcome.bets
            total["findings"] += outcome.findings
    table.add_row(
        "all", *(shown(total[name]) for name in ("cards", "bets", "findings")), str(total["findings"].extra)
    )
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
