"""What stacks that were not read to the last chip decide: simulated coups, their stacks rendered and read.

``python -m tests.bench.amounts COUPS [KIND...]``: as many coups a kind of error (and clean ones), each with
a camera, light, cloth and chips of its own, seen obliquely. Every stack is read from stills of the moment at
which it was told of, as in play; all else is as a perfect observer tells it. Judged are the same journals
without and with what such stacks may be.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from datasets.simulator_types import ErrorKind
from datasets.synth.clip import Production, Shoot
from datasets.synth.labels import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from datasets.synth.movie import Filmer
from datasets.synth.truth import recording
from rules.events import ChipState, Event, Stack
from rules.findings import Finding, Verdict
from rules.judge import judge
from tests.bench.errors import CLEAN, production_of
from tests.support.laws import breaches, without_doubt
from veedor.config import Table as TableFile
from veedor.config import load_table
from veedor.importing import import_recording
from veedor.score.recordings import CODES
from vision.chip_amounts import may_be
from vision.chip_events import LOOKS
from vision.chip_geometry import stack_frame
from vision.chip_set import ChipSet
from vision.chip_stacks import COUNTABLE_PX
from vision.chips import ChipReader
from vision.stack_evidence import StackEvidence
from vision.telling import rounded

_OF_MONEY = (
    ErrorKind.UNDERPAID,
    ErrorKind.OVERPAID,
    ErrorKind.LINE_BET_PAID_FULL,
)
KINDS = (CLEAN, *(kind.value for kind in _OF_MONEY))
_FOUND_MM = 3.0
"""How far off a stack is found, about."""
_AFTER_S = 0.05


def productions(kind: str, count: int) -> Iterator[tuple[Production, TableFile]]:
    """Coups with an error of a kind, seen by a camera that can count chips, and their table."""
    seed = 1000
    while count:
        seed += 1
        production = production_of(kind, seed)
        size = 2 * CHIP_RADIUS_MM, CHIP_HEIGHT_MM
        frame = stack_frame(production.camera, production.session.geometry.float_mm, *size)
        if frame is None or frame.thickness_px < COUNTABLE_PX:
            continue
        count -= 1
        truth = recording(
            production.session,
            production.camera,
            production.deck,
            production.chip_names,
            "clip",
            production.fps,
        )
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            drawing = production.drawing
            (folder / "layout.svg").write_text(drawing.to_svg(), encoding="utf-8")
            (folder / "clip.json").write_text(json.dumps(truth), encoding="utf-8")
            yield production, load_table(import_recording(folder / "clip.json", folder))


class Looker:
    """Reads the stacks of one production where they are told of. ``read``: how, stack by stack."""

    def __init__(self, production: Production, chips: ChipSet) -> None:
        self._shoot = Shoot(production)
        self._filmer = Filmer(self._shoot.assets, production.camera, production.optics, production.seed)
        self._camera = production.camera
        self._reader = ChipReader(chips)
        self._rng = np.random.default_rng([production.seed, 77])
        self._told: dict[tuple[str, tuple[int | None, ...] | None], Stack] = {}
        self.read: Counter[str] = Counter()

    def journal(self, events: Sequence[Event]) -> list[Event]:
        """The events with the stacks as they are read."""
        return [self._seen(event) if isinstance(event, ChipState) else event for event in events]

    def _seen(self, event: ChipState) -> ChipState:
        new = [stack for stack in event.stacks if (stack.stack, stack.denominations) not in self._told]
        if new:
            scene = replace(self._shoot.scene(event.t + _AFTER_S), arms=())
            frames = [self._filmer.frame(scene) for _ in range(LOOKS)]
            for stack in new:
                self._told[stack.stack, stack.denominations] = self._look(stack, frames)
        return replace(
            event, stacks=tuple(self._told[stack.stack, stack.denominations] for stack in event.stacks)
        )

    def _look(self, stack: Stack, frames: Sequence[NDArray[np.uint8]]) -> Stack:
        evidence = StackEvidence(self._reader.chips)
        for frame in frames:
            x, y = stack.at_mm + self._rng.normal(0, _FOUND_MM, 2)
            evidence.add(self._reader.read(frame, self._camera, (float(x), float(y))))
        best = evidence.best()
        others = may_be(self._reader.chips, best)
        seen = replace(
            stack,
            denominations=best.denominations,
            count=best.count,
            unread=best.unread,
            p=rounded(best.p),
            may_be=others,
        )
        truth = sorted(chip for chip in stack.denominations or () if chip is not None)
        if seen.value is not None:
            right = sorted(chip or 0 for chip in seen.denominations or ()) == truth
            self.read["read, right" if right else "read, wrong"] += 1
        elif others:
            right = any(sorted(chips.denominations) == truth for chips in others)
            self.read["one of a few, right" if right else "one of a few, wrong"] += 1
        else:
            self.read["left open"] += 1
        return seen


def about_money(findings: Sequence[Finding], verdict: Verdict) -> list[Finding]:
    """The findings of this verdict on how much was bet, paid or taken."""
    return [f for f in findings if f.verdict is verdict and f.spot is not None and f.spot.seat is not None]


def main(arguments: list[str]) -> None:
    """Render, read, judge and print."""
    coups = int(arguments[0]) if arguments else 5
    cv2.setNumThreads(1)
    console = Console(highlight=False, width=140)
    table = Table("coups", "stacks", "money left open, without / with", "errors found", "false alerts")
    for kind in arguments[1:] or KINDS:
        read: Counter[str] = Counter()
        open_bare = open_told = found_bare = found_told = false = 0
        for production, house in productions(kind, coups):
            looker = Looker(production, house.chips)
            told = looker.journal(production.session.events)
            read += looker.read
            exact = {(f.code, str(f.spot)) for f in breaches(judge(production.session.events, house.profile))}
            bare = judge(without_doubt(told), house.profile).findings
            whole = judge(told, house.profile).findings
            open_bare += len(about_money(bare, Verdict.UNDETERMINED))
            open_told += len(about_money(whole, Verdict.UNDETERMINED))
            exact |= {(code, spot) for _, spot in exact for code in CODES.get(kind, ())}
            wrong = [f for f in whole if f.verdict is Verdict.BREACH and (f.code, str(f.spot)) not in exact]
            right = [f for f in whole if f.verdict is Verdict.BREACH and f not in wrong]
            found_told += bool(right)
            found_bare += any(f.verdict is Verdict.BREACH and (f.code, str(f.spot)) in exact for f in bare)
            false += len(wrong)
            for finding in wrong:
                console.print("false:", kind, production.seed, finding.code, finding.seen, finding.expected)
        stacks = ", ".join(f"{name} {number}" for name, number in sorted(read.items()))
        row = (
            f"{coups} {kind}",
            stacks,
            f"{open_bare} / {open_told}",
            f"{found_bare} / {found_told}",
            f"{false}",
        )
        console.print(*row, sep="  ")
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
