"""Two cameras over one table against one: the same scripted play rendered for both, then reviewed by each
alone and by both together. ``python -m tests.bench.several FOLDER`` renders what is missing there and prints
the table of the README.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from datasets.decks import drawn_deck
from datasets.layouts import path_of, shipped
from datasets.simulator import Options, simulate
from datasets.simulator_table import arc_geometry
from datasets.simulator_types import ErrorKind
from datasets.synth.clip import Production, render_clip
from datasets.synth.demo import chip_designs, chip_names
from datasets.synth.house import Print
from datasets.synth.scene import PropItem, PropKind
from rules.cards import Face
from tests.bench.placing import (
    CLEAR_MM,
    RADIUS_MM,
    Result,
    bets_about_lines,
    bets_in_boxes,
    calibrated,
    line_past,
    plays_of,
    row,
    seen_at,
    spots_of,
    summed,
    view_of,
)
from veedor.config import load_table, read_table_file
from veedor.feeds import Feed
from veedor.importing import import_recording
from veedor.score.recordings import score_recording
from veedor.score.tally import Tally
from veedor.score.truth import read_truth
from veedor.several import run_several
from veedor.table_file import CameraPart, TableFile, dump
from veedor.watching import judge_journal
from vision.camera import Camera, Floats
from vision.layout import Layout, takes_bets
from vision.onlookers import zones_of
from vision.placing import Placer, Placing, place_stack
from vision.position import fused_place
from vision.several import SeveralWatcher

ABOVE, OBLIQUE = "above", "oblique"
SIZE_PX = (1280, 720)


@dataclass(frozen=True, slots=True)
class Play:
    """One scripted session. ``error``: what goes wrong in its last coup; ``deck``: the drawn deck's seed."""

    seed: int
    error: ErrorKind
    deck: int
    coups: int = 1
    bets: tuple[int, int] = (3, 4)
    line_share: float = 0.4
    fps: int = 8


PLAYS = (
    Play(41, ErrorKind.UNDERPAID, 29, coups=2, bets=(2, 4), line_share=0.3, fps=12),
    Play(51, ErrorKind.UNDERPAID, 31),
    Play(55, ErrorKind.LINE_BET_PAID_FULL, 17),
    Play(61, ErrorKind.LINE_BET_PAID_FULL, 23),
    Play(67, ErrorKind.UNDERPAID, 19),
)


def cameras() -> dict[str, Camera]:
    """One straight above, which sees cards and bases but no chip's side; one oblique, which sees sides."""
    return {
        ABOVE: Camera.looking_at(
            (850, 300), distance_mm=2300, tilt_deg=4, azimuth_deg=20, focal_px=1850, size_px=SIZE_PX, k1=-0.05
        ),
        OBLIQUE: Camera.looking_at(
            (850, 285), distance_mm=2450, tilt_deg=54, azimuth_deg=9, focal_px=2500, size_px=SIZE_PX, k1=-0.06
        ),
    }


def produce(play: Play, folder: Path) -> Path:
    """Render a session for both cameras, with a table file that has both; returns the table file."""
    session = simulate(
        play.seed,
        coups=play.coups,
        errors={play.coups: play.error},
        geometry=arc_geometry(seats=4),
        options=Options(initial_face=Face.UP, bets=play.bets, line_share=play.line_share, tie_share=0.1),
    )
    body = PropItem(
        PropKind.BODY, 800, -300, 90, 400, 200, 380, (38, 34, 32), (120, 150, 200), seed=play.seed
    )
    for name, camera in cameras().items():
        production = Production(
            session, camera, drawn_deck(play.deck, indices=True), chip_designs(), chip_names(),
            Print(cloth=(66, 92, 20)), bodies=(body,), fps=play.fps, seed=play.seed,
        )  # fmt: skip
        if not (folder / f"{name}.mp4").exists():
            render_clip(production, folder, name)
    return table_of(folder)


def table_of(folder: Path) -> Path:
    """The table file of a folder's recordings: what a technician would write."""
    parts: list[CameraPart] = []
    for name in (OBLIQUE, ABOVE):
        path = import_recording(folder / f"{name}.json", folder)
        file = read_table_file(path)
        parts.insert(0, file.cameras[0].model_copy(update={"id": name}))
    both: TableFile = file.model_copy(update={"cameras": tuple(parts), "name": "two cameras"})
    dump(both, path)
    (folder / "table.yaml.old").unlink(missing_ok=True)
    return path


# where bets lie, by the geometry alone ----------------------------------------------------------------------

ANGLES = {ABOVE: (3.0, 0.0), OBLIQUE: (50.0, -15.0)}
"""Tilt and azimuth, degrees."""
BOTH = "both"


def places(bets: int = 60, width_px: int = 1280) -> dict[str, Result]:
    """Bets on every shipped felt as each camera alone places them, and both together: calibrated by hand,
    with the errors of real work (:mod:`tests.bench.placing`)."""
    found = {name: Result() for name in (ABOVE, OBLIQUE, BOTH)}
    for number, name in enumerate(shipped()):
        layout = Layout.read(path_of(name))
        rng = np.random.default_rng((7, number))
        views = {view: view_of(layout, *angles, width_px) for view, angles in ANGLES.items()}
        placers = {view: calibrated(camera, layout, rng) for view, camera in views.items()}
        for at in bets_in_boxes(layout, rng, bets):
            truth = layout.place((float(at[0]), float(at[1])), RADIUS_MM)
            for who, (where, placing) in _placed(layout, views, placers, at, rng).items():
                found[who].spots.off_mm.append(float(np.hypot(*(at - where))))
                found[who].spots.count(summed(placing, partial(spots_of, layout)), spots_of(layout, truth))
        if not layout.lines:
            continue
        for _, at, past in bets_about_lines(layout, rng, bets):
            truth = layout.place((float(at[0]), float(at[1])), RADIUS_MM)
            if not takes_bets(truth.spot):
                continue
            edge = min(abs(line_past(layout, truth.line, at)), abs(past))
            for who, (_, placing) in _placed(layout, views, placers, at, rng).items():
                tally = found[who].clear if edge >= CLEAR_MM else found[who].close
                tally.count(summed(placing, partial(plays_of, layout)), plays_of(layout, truth))
    return found


def _placed(
    layout: Layout,
    views: Mapping[str, Camera],
    placers: Mapping[str, Placer],
    at: Floats,
    rng: np.random.Generator,
) -> dict[str, tuple[tuple[float, float], Placing]]:
    """Where a bet is found, and how sure, by each camera and by both."""
    seen = {name: seen_at(views[name], placers[name], at, rng) for name in views}
    found = {
        name: (where, placers[name].place(where, spread_mm=spread)) for name, (where, spread) in seen.items()
    }
    where, error = fused_place(
        [(where, placers[name].covariance(where, spread)) for name, (where, spread) in seen.items()]
    )
    return found | {BOTH: (where, place_stack(layout, where, error, RADIUS_MM))}


# what is seen of the play -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Seen:
    """What some cameras see of recordings: cards, bets and alerts right; bets whose chips are all read; how
    much of the time a spot is hidden to all of them."""

    cards: Tally = field(default_factory=Tally)
    bets: Tally = field(default_factory=Tally)
    findings: Tally = field(default_factory=Tally)
    read: int = 0
    stacks: int = 0
    blind_s: float = 0.0
    watched_s: float = 0.0


def watch_play(folder: Path, names: Sequence[str], seen: Seen) -> None:
    """Review a rendered session by the cameras of these names, and count what they saw."""
    table = load_table(folder / "table.yaml")
    feeds = [Feed(name, folder / f"{name}.mp4") for name in names]
    last: dict[str, float] = {}

    def look_on(watcher: SeveralWatcher) -> None:
        step = watcher.now - last.get("t", watcher.now)
        last["t"] = watcher.now
        seen.blind_s += step * len(watcher.unseen)
        seen.watched_s += step * len(zones_of(table.layout))

    journal = run_several(table, feeds, lambda _what, _t, _of: None, look_on=look_on).journal
    judgement = judge_journal(journal, table)
    tallies, _ = score_recording(folder.name, read_truth(folder / f"{OBLIQUE}.json"), judgement)
    seen.cards += tallies["cards"]
    seen.bets += tallies["bets"]
    seen.findings += tallies["findings"]
    bets = [bet for coup in judgement.coups for bet in coup.bets]
    seen.stacks += len(bets)
    seen.read += sum(bet.value is not None for bet in bets)


def main(arguments: list[str]) -> None:
    """The geometry; with a folder also the rendered play, rendering there what is missing."""
    console = Console(highlight=False)
    heads = ("spot right", "wrong", "line, clear: right", "wrong", "line, close: right", "wrong")
    table = Table("cameras", *heads, "mm: median", "95 %")
    for name, result in places().items():
        table.add_row(name, *row(result))
    console.print(table)
    if not arguments:
        return
    table = Table(
        "cameras",
        "cards right",
        "bets right (spot, line, value)",
        "undetermined",
        "chips read",
        "alerts",
        "blind",
    )
    for name, cameras_ in {ABOVE: (ABOVE,), OBLIQUE: (OBLIQUE,), BOTH: (ABOVE, OBLIQUE)}.items():
        seen = Seen()
        for play in PLAYS:
            produce(play, Path(arguments[0]) / f"p{play.seed}")
            watch_play(Path(arguments[0]) / f"p{play.seed}", cameras_, seen)
        table.add_row(
            name,
            f"{seen.cards.right} of {seen.cards.truths}",
            f"{seen.bets.right} of {seen.bets.truths}",
            f"{seen.bets.undetermined}",
            f"{seen.read} of {seen.stacks}",
            f"{seen.findings.right} of {seen.findings.truths}, {seen.findings.extra} false",
            f"{100 * seen.blind_s / seen.watched_s:.1f} %",
        )
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
