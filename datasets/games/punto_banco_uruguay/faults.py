"""Every fault that can be put into a pass: one for each row that cameras, cues and settings can judge.

A fault's passes before its own are played by ``lead`` where the fault needs them to go a certain way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.punto_banco_uruguay.plan import Act, Bet, Plan
from datasets.games.punto_banco_uruguay.table import Table
from datasets.games.scribe import player

TOLD = [
    "no_more_bets",
    "winner_announced",
    "remate",
    "suite",
    "lluvia",
    "ensalada",
    "baraje",
    "calado",
    "cards_cut",
    "free_seat",
    "partner_called",
    "cambio",
    "ceded_seat_bet",
    "cards_mixed",
]
"""Cues that are told at these tables."""
HOUSE: dict[str, Any] = {
    "cues": TOLD,
    "limits": {"minimum": 5, "maximum": 1000},
    "uruguay": {"seats": 16, "shoe_minimum": 100},
}
IN_TURN: dict[str, Any] = {**HOUSE, "cues": [cue for cue in TOLD if cue != "remate"]}
"""A table where auctions are not told: the first bank counts as one in turn."""

BANCA = ("2c", "9h", "4d", "Kc")
PUNTO = ("9c", "2h", "Kd", "3c")
TIE = ("9c", "9h", "Kd", "Kc")
FIVE = ("2c", "Kh", "3d", "7s")
"""Cards as dealt: banca's natural, punto's, both, and punto's five against seven."""


def bets(*without: int, line: int | None = None) -> list[Bet]:
    """Everybody's bets, seat 1 having the highest on punto; without whoever holds the shoe."""
    every = [(1, "punto", 100), (2, "punto", 40), (6, "punto", 20), (3, "banca", 100), (5, "banca", 50)]
    every += [(9, "banca", 20), (10, "banca", 60), (12, "banca", 40)]
    return [
        Bet(f"seat {seat} {side}", amount, line=seat == line)
        for seat, side, amount in every
        if seat not in without
    ]


BETS = bets(9)
"""With seat 9, which buys the first bank."""

Make = Callable[[Table], Plan]
Lead = Callable[[Table, int], Plan]


def by_the_book(_table: Table, _number: int) -> Plan:
    """A pass like any other."""
    return Plan()


@dataclass(frozen=True)
class Fault:
    """``make``: the plan of the pass with the fault; ``lead``: of the passes before it. ``spot``: of the
    finding."""

    kind: FaultKind
    make: Make
    spot: str | None = None
    lead: Lead = by_the_book


def led(cards: tuple[str, ...], **acts: Act) -> Lead:
    return lambda _table, _number: Plan(cards=cards, bets=list(BETS), acts=dict(acts))


@dataclass
class Book:
    """Collects the faults."""

    faults: list[Fault] = field(default_factory=list)

    def add(
        self,
        rule: str,
        code: str,
        make: Make | Plan,
        spot: str | None = None,
        *,
        name: str | None = None,
        rounds: int = 1,
        lead: Lead = by_the_book,
        lawful: tuple[str, ...] = (),
        house: Mapping[str, Any] = HOUSE,
    ) -> None:
        """Add one; a plan stands for itself."""
        kind = FaultKind(
            name=f"uruguay_{name or rule.lower().replace('-', '_')}",
            rule=f"PB-URU-{rule}",
            code=code,
            profile="uruguay_1977",
            lawful=frozenset(lawful),
            house=house,
            rounds=rounds,
        )
        self.faults.append(Fault(kind, _fresh(make), spot, lead))


def _fresh(make: Make | Plan) -> Make:
    if not isinstance(make, Plan):
        return make
    plan = make
    return lambda _table: Plan(**{**vars(plan), "bets": None if plan.bets is None else list(plan.bets)})


def say(cue: str, content: str | None = None, spot: str | None = None) -> Act:
    """Something is told at that moment."""
    return lambda table: table.scribe.cue(cue, content, spot)


def both(*acts: Act) -> Act:
    """One after the other."""

    def act(table: Table) -> None:
        for each in acts:
            each(table)

    return act


def plan(cards: tuple[str, ...] = BANCA, **how: Any) -> Plan:
    """A pass with these cards, the usual bets, and what differs; ``acts`` by moment."""
    return Plan(cards=cards, bets=how.pop("bets", list(BETS)), **how)


def suite_given() -> Lead:
    """Passes that banca wins, after which its holder gives up the bank."""
    return led(BANCA, paid=say("suite"))


def taken_by(seat: int, stake: int | None = 760, acts: Mapping[str, Act] | None = None) -> Make:
    """The pass after: another seat has taken the bank of seat 9."""

    def make(_table: Table) -> Plan:
        def begin(table: Table) -> None:
            table.felt.clear("seat 9 sabot", player(9))

        more = {"start": begin, **(acts or {})}
        return Plan(cards=PUNTO, bets=bets(seat), holder=seat, stake=stake, acts=more)

    return make


def bids(*told: tuple[int | None, int]) -> Act:
    """An auction: seat (None: somebody standing) and amount."""

    def act(table: Table) -> None:
        table.scribe.cue("remate")
        for seat, amount in told:
            table.scribe.cue("bid", str(amount), None if seat is None else f"seat {seat} shoe")

    return act
