"""How a fault is entered: the row that it breaks, and what its coup's script (and the one before) says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.chemin_de_fer.script import Hands, Script, Want, value
from datasets.games.chemin_de_fer.table import Table, box

PROFILE = "andorra_2016"
Change = Callable[[Script, Table], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a fault is made: what the coup before needs (``prepare``), and the coup itself (``make``)."""

    kind: FaultKind
    make: Change
    prepare: Change | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """Faults as they are entered, by name."""

    plans: dict[str, Plan] = field(default_factory=dict)

    def fault(
        self,
        name: str,
        rule: str,
        code: str,
        *,
        cues: tuple[str, ...] = (),
        house: Mapping[str, Any] | None = None,
        lawful: tuple[str, ...] = (),
        before: Change | None = None,
        rounds: int | None = None,
    ) -> Callable[[Change], Change]:
        """Enter what is made as a fault. ``rule``: without its ``CF-``; ``cues``: that the table tells;
        ``before``: what the coup before needs."""
        entries = dict(house or {}) | ({"cues": list(cues)} if cues else {})

        def enter(make: Change) -> Change:
            kind = FaultKind(
                name=name,
                rule=f"CF-{rule}",
                code=code,
                profile=PROFILE,
                lawful=frozenset(lawful),
                house=entries,
                rounds=rounds or (1 if before is None else 2),
            )
            self.plans[name] = Plan(kind, make, before)
            return make

        return enter


# what scripts need ----------------------------------------------------------------------------------------


def twos(punto: int, banca: int, more: int | None = None) -> Want:
    """Two-card totals, and the value of the next card."""
    return lambda h: h.twos == (punto, banca) and (more is None or value(h.more[0]) == more)


def seat_on_right(table: Table, place: int = 0) -> int:
    """A seat on the banker's right: the first, the second ..."""
    return table.others()[place]


def shoe_at(seat: int) -> str:
    """Where the shoe stands that a seat holds."""
    return f"seat {seat} shoe"


def wins(side: str) -> Want:
    """Cards by which a side wins without a third card."""
    return twos(7, 6) if side == "punto" else twos(6, 7)


def lost(script: Script, table: Table) -> None:
    """The bank lost the coup before."""
    del table
    script.want = wins("punto")


def won(script: Script, table: Table) -> None:
    """The bank won it, and all of it stayed in play."""
    del table
    script.want, script.aside = wins("banca"), False


@dataclass
class _Steady:
    """A change that only sets entries of the script."""

    entries: dict[str, Any] = field(default_factory=dict)

    def __call__(self, script: Script, table: Table) -> None:
        del table
        for name, entry in self.entries.items():
            setattr(script, name, entry)


def setting(**entries: Any) -> Change:
    """A change that sets these entries of the script."""
    return _Steady(entries)


def staked(table: Table, *amounts: int) -> dict[int, int]:
    """Stakes from the banker's right on; the rest stake 20."""
    seats = table.others()
    return dict(zip(seats, [*amounts, *[20] * (len(seats) - len(amounts))], strict=True))


NO_THIRD = twos(6, 7)
"""Cards of which neither side draws."""


def raw(hands: Hands) -> tuple[int, int]:
    """Both hands' sums with their tens."""
    return sum(value(c) for c in hands.punto), sum(value(c) for c in hands.banca)


def banco_won(script: Script, table: Table) -> None:
    """The bank won against one who had called banco."""
    won(script, table)
    script.opponent = seat_on_right(table, 1)
    script.opened = [("banco", None, box(script.opponent))]
