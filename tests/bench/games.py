"""The other games through pixels: each game's simulated coups acted on its felt, filmed, reviewed, compared.

``python -m tests.bench.games FOLDER [SEEDS] [CASE...]`` films what is missing in FOLDER, one coup a clip, and
prints a row for each case. The seed decides the coup, the deck, the chips, the light and the camera.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table as Printed

from datasets.games import SIMULATORS
from datasets.games.base import FaultKind, PlayedSession
from datasets.layouts import path_of
from datasets.staged.acting import Staged, stage
from datasets.staged.film import HOUSE, designs_of, film, framed, played_on, production_of
from rules.events import CardPlaced, CardRead, CardTurned, ChipState, Event
from rules.findings import Finding, Judgement, Verdict
from rules.journal import Header, Journal, dumps
from rules.judge import judge
from rules.profiles import load_profile
from rules.spots import Area, Spot
from tests.bench.errors import shown
from veedor.config import Table, load_table
from veedor.pipeline import run
from veedor.score.tally import Tally
from veedor.table_file import CameraPart, ChipPart, ChipsPart, PointPair, ProfilePart, TableFile, dump
from veedor.told import with_cues
from vision.camera import Camera
from vision.layout import Layout, takes_bets

CLEAN = "clean"
LONGEST_S = 100.0
_SEEDS = 16
_DEALT = (Area.HAND, Area.COMMUNITY)


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of coup. ``tilt_deg``: the camera's, from straight down; ``size_px``: of its picture;
    ``board``: so many cards come to be shared by the players, at least."""

    game: str
    profile: str
    kind: str = CLEAN
    variant: str | None = None
    tilt_deg: float = 50.0
    size_px: tuple[int, int] = (1280, 720)
    layout: str = ""
    board: int = 0

    @property
    def name(self) -> str:
        """As it is asked for on the command line."""
        felt = f".{self.layout}" if self.layout else ""
        return f"{self.game}{felt}.{self.kind}{f'.board of {self.board}' if self.board else ''}"


_LARGE = (1920, 1080)
CASES = (
    Case("trente_et_quarante", "spain_1979", size_px=_LARGE),
    Case("trente_et_quarante", "spain_1979", "red row too short", size_px=_LARGE),
    Case("trente_et_quarante", "spain_1979", "not paid", size_px=_LARGE),
    Case("banque_deux_tableaux", "andorra_2016", size_px=_LARGE),
    Case("banque_deux_tableaux", "andorra_2016", "second tableau first", size_px=_LARGE),
    Case("chemin_de_fer", "andorra_2016", size_px=_LARGE),
    Case("chemin_de_fer", "andorra_2016", "punto_extra", size_px=_LARGE),
    Case("no_discard_poker", "andorra_2016"),
    Case("no_discard_poker", "andorra_2016", "bank_exposed"),
    Case("trijoker", "andorra_2016"),
    Case("trijoker", "andorra_2016", "fourth_card"),
    Case("circle_poker", "andorra_2016", variant="common_rules", size_px=_LARGE),
    Case("circle_poker", "andorra_2016", "dealt_backwards", variant="common_rules", size_px=_LARGE),
    Case("circle_poker", "andorra_2016", variant="common_rules", size_px=_LARGE, board=5),
    Case("punto_banco", "andorra_2016", variant="midi", size_px=_LARGE, layout="punto_banco_midi"),
    Case("punto_banco", "andorra_2016", "punto_extra", "midi", size_px=_LARGE, layout="punto_banco_midi"),
    Case("punto_banco", "andorra_2016", variant="full", size_px=_LARGE, layout="punto_banco_full"),
)


def played(case: Case, seed: int) -> PlayedSession:
    """One coup of the game's simulator, with the case's fault."""
    simulator = SIMULATORS[case.game]
    kind = simulator.kinds.get(case.kind)
    profile = load_profile(case.profile, case.variant, dict(kind.house if kind else {}), case.game)
    return simulator.play(profile, seed, 1, {} if kind is None else {1: case.kind})


def staged(case: Case, seed: int) -> Staged:
    """The coup on the game's felt."""
    layout = Layout.read(path_of(case.layout or case.game))
    return stage(played(case, seed).events, case.game, layout, HOUSE, seed)


def camera_of(case: Case, acted: Staged, seed: int) -> Camera:
    """From the players' side, over the places that are played on."""
    rng = np.random.default_rng([seed, 47])
    tilt = case.tilt_deg + float(rng.normal(0, 4))
    return framed(played_on(acted), tilt_deg=tilt, azimuth_deg=float(rng.normal(0, 8)), size_px=case.size_px)


def write_table(case: Case, acted: Staged, camera: Camera, seed: int, place: Path) -> Path:
    """The table file that a technician would write for this felt, camera and house."""
    (place / "layout.svg").write_text(acted.layout.svg, encoding="utf-8")
    points = []
    for zone in acted.layout.zones:
        for number, mm in enumerate(zone.corners_mm[:4]):
            px = camera.project(np.array([mm]))[0]
            if 5 < px[0] < camera.width_px - 5 and 5 < px[1] < camera.height_px - 5:
                points.append((f"{zone.spot}:{number}", mm, px))
    chosen = points[:: max(1, len(points) // 24)]
    kind = SIMULATORS[case.game].kinds.get(case.kind)
    file = TableFile(
        format="veedor.table/1",
        name=case.name,
        game=case.game,
        profile=ProfilePart(
            name=case.profile, variant=case.variant, house=dict(kind.house) if kind else None
        ),
        layout="layout.svg",
        cameras=(
            CameraPart(
                id="camera 1",
                image_size=(camera.width_px, camera.height_px),
                points=tuple(
                    PointPair(
                        name=name,
                        mm=(round(float(mm[0]), 2), round(float(mm[1]), 2)),
                        px=(round(float(px[0]), 2), round(float(px[1]), 2)),
                    )
                    for name, mm, px in chosen
                ),
            ),
        ),
        chips=ChipsPart(
            set=tuple(
                ChipPart(value=value, rgb="#{:02x}{:02x}{:02x}".format(*design.base[::-1]))
                for value, design in designs_of(seed).items()
            )
        ),
    )
    dump(file, place / "table.yaml")
    return place / "table.yaml"


def _house(kind: FaultKind | None) -> dict[str, Any] | None:
    return dict(kind.house) if kind is not None and kind.house else None


def seeds_of(case: Case, count: int) -> list[int]:
    """Of the first seeds those with the shortest coups which, as they are acted, a perfect observer's journal
    shows to be clean, or to have the case's fault and no other."""
    kind = SIMULATORS[case.game].kinds.get(case.kind)
    profile = load_profile(case.profile, case.variant, _house(kind), case.game)
    wanted = {(kind.rule, kind.code)} if kind is not None else set()
    good: list[tuple[float, int]] = []
    for seed in range(1, _SEEDS + 1):
        try:
            acted = staged(case, seed)
        except ValueError:
            continue  # this coup cannot be acted on this felt
        breaches = {(f.rule, f.code) for f in judge(acted.events, profile).findings if _is_breach(f)}
        shared = len(hands_of(acted.events).get(str(Spot(Area.COMMUNITY)), ()))
        if shared >= case.board and breaches == wanted and acted.session.duration_s <= LONGEST_S:
            good.append((acted.session.duration_s, seed))
    return [seed for _, seed in sorted(good)[:count]]


def _is_breach(finding: Finding) -> bool:
    return finding.verdict is Verdict.BREACH


def filmed(case: Case, seed: int, folder: Path) -> tuple[Path, Staged]:
    """The folder of one clip, with its table file; filmed if it is not there yet."""
    place = folder / f"{case.name}-{seed}"
    place.mkdir(parents=True, exist_ok=True)
    acted = staged(case, seed)
    camera = camera_of(case, acted, seed)
    write_table(case, acted, camera, seed, place)
    script = hashlib.sha256(repr((acted.session, camera)).encode()).hexdigest()
    done = place / "script.txt"
    if not (place / "clip.mp4").exists() or not done.exists() or done.read_text() != script:
        film(production_of(acted, camera, seed), place / "clip.mp4")
        done.write_text(script)
    return place, acted


# comparing --------------------------------------------------------------------------------------------------


def hands_of(events: Sequence[Event]) -> dict[str, list[str | None]]:
    """The cards that lay at each place, in the order laid; None: not named (or never shown)."""
    lying: dict[str, tuple[str, str | None]] = {}
    for event in sorted(events, key=lambda event: (event.t, event.seq)):
        match event:
            case CardPlaced():
                lying[event.card_id] = (event.spot, event.card)
            case CardTurned() | CardRead() if event.card_id in lying:
                spot, before = lying[event.card_id]
                lying[event.card_id] = (spot, event.card or before)
    hands: dict[str, list[str | None]] = {}
    for spot, card in lying.values():
        hands.setdefault(spot, []).append(card)
    return hands


def bets_of(events: Sequence[Event]) -> dict[str, int | None]:
    """What lay at each betting place when the first card did (not a burned one); None: not known."""
    dealt = [e.t for e in events if isinstance(e, CardPlaced) and Spot.parse(e.spot).area in _DEALT]
    first = min(dealt, default=1e9)
    bets: dict[str, int | None] = {}
    for event in sorted(events, key=lambda event: (event.t, event.seq)):
        if isinstance(event, ChipState) and event.t < first and takes_bets(Spot.parse(event.spot)):
            values = [stack.value for stack in event.stacks]
            known = [value for value in values if value is not None]
            bets[event.spot] = sum(known) if len(known) == len(values) else None
    return {spot: value for spot, value in bets.items() if value != 0}


def compared(truth: Mapping[str, Sequence[str | None]], seen: Mapping[str, Sequence[str | None]]) -> Tally:
    """Cards place by place, in any order: right, wrong, missed, extra, not named. One that nobody could name,
    for its face was never shown, is right if a card lay there."""
    tally = Tally()
    for spot in {**truth, **seen}:
        wanted, had = Counter(truth.get(spot, ())), Counter(seen.get(spot, ()))
        right = wanted & had
        wanted, had = wanted - right, had - right
        open_, unnamed = wanted.total(), had.pop(None, 0)
        named = had.total()
        wrong = min(open_, named)
        undetermined = min(open_ - wrong, unnamed)
        tally += Tally(
            right=right.total(),
            wrong=wrong,
            undetermined=undetermined,
            missed=open_ - wrong - undetermined,
            extra=named - wrong + unnamed - undetermined,
        )
    return tally


def compared_bets(truth: Mapping[str, int | None], seen: Mapping[str, int | None]) -> Tally:
    """Bets by place and value."""
    tally = Tally()
    for spot, value in truth.items():
        if spot not in seen:
            tally += Tally(missed=1)
        elif seen[spot] is None:
            tally += Tally(undetermined=1)
        else:
            tally += Tally(right=int(seen[spot] == value), wrong=int(seen[spot] != value))
    return tally + Tally(extra=sum(spot not in truth for spot in seen))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a review of one clip came to. ``error``: found, UNDETERMINED or missed; ``false``: alerts that
    should not be."""

    cards: Tally
    bets: Tally
    error: str
    false: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())


def reviewed(case: Case, seed: int, folder: Path) -> Outcome:
    """Film and review one clip, leave journal and findings beside it, and compare them with the truth."""
    place, acted = filmed(case, seed, folder)
    table = load_table(place / "table.yaml")
    header = Header(table=table.name, game=table.game)
    (place / "truth.jsonl").write_text(dumps(Journal(header, acted.events)), encoding="utf-8")
    journal = with_cues(run(table, place / "clip.mp4"), acted.cues)
    (place / "journal.jsonl").write_text(dumps(journal), encoding="utf-8")
    return outcome(case, acted, table, journal, place)


def outcome(case: Case, acted: Staged, table: Table, journal: Journal, place: Path) -> Outcome:
    """Judge a review's journal, and the perfect observer's for comparison."""
    judgement = judge(journal.events, table.profile)
    (place / "findings.json").write_text(judgement.dumps(), encoding="utf-8")
    perfect = judge(acted.events, table.profile)
    kind = SIMULATORS[case.game].kinds.get(case.kind)
    notes = [
        f"{spot}: {cards} -> {seen}"
        for spot, cards in hands_of(acted.events).items()
        if (seen := hands_of(journal.events).get(spot, [])) != cards
    ]
    bets, had = bets_of(acted.events), bets_of(journal.events)
    notes += [f"{spot}: {bets.get(spot)} -> {had.get(spot)}" for spot in {**bets, **had}
              if bets.get(spot) != had.get(spot) or (spot in bets) != (spot in had)]  # fmt: skip
    return Outcome(
        compared(hands_of(acted.events), hands_of(journal.events)),
        compared_bets(bets, had),
        _error(kind, judgement),
        _false(judgement, perfect),
        tuple(notes),
    )


def _error(kind: FaultKind | None, judgement: Judgement) -> str:
    if kind is None:
        return "-"
    statuses = {f.verdict for f in judgement.findings if f.rule == kind.rule and f.code == kind.code}
    if Verdict.BREACH in statuses:
        return "found"
    return "UNDETERMINED" if any(f.rule == kind.rule for f in judgement.findings) else "missed"


def _false(judgement: Judgement, perfect: Judgement) -> tuple[str, ...]:
    """Alerts that the perfect observer's journal does not give."""
    right = {(f.rule, f.code) for f in perfect.findings if f.verdict is Verdict.BREACH}
    return tuple(
        f"{f.rule} {f.code} {f.spot}: {f.seen}"
        for f in judgement.findings
        if f.verdict is Verdict.BREACH and (f.rule, f.code) not in right
    )


def main(arguments: list[str]) -> None:
    """Film, review and print."""
    folder = Path(arguments[0])
    seeds = int(arguments[1]) if len(arguments) > 1 else 1
    cv2.setNumThreads(1)
    console = Console(highlight=False, width=160)
    printed = Printed("case", "cards", "bets", "error", "false alerts")
    total: dict[str, Tally] = {"cards": Tally(), "bets": Tally()}
    wanted = arguments[2:]
    for case in CASES:
        if wanted and not any(case.name.startswith(name) for name in wanted):
            continue
        for seed in seeds_of(case, seeds):
            came = reviewed(case, seed, folder)
            row = (shown(came.cards), shown(came.bets), came.error, str(len(came.false)))
            printed.add_row(f"{case.name} {seed}", *row)
            console.print(case.name, seed, *row, sep="  ")
            for note in (*came.notes, *came.false):
                console.print(f"   {note}", markup=False)
            total["cards"] += came.cards
            total["bets"] += came.bets
    printed.add_row("all", shown(total["cards"]), shown(total["bets"]))
    console.print(printed)


if __name__ == "__main__":
    main(sys.argv[1:])
