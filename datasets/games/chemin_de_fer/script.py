"""How one coup is to go: by the book, unless something in its script says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Told = tuple[str, str | None, str | None]
"""A cue with its value and its spot."""

SEATS = 5
MINIMUM = 20
"""Stakes are multiples of it, so that a twentieth of them is whole."""


def value(card: str) -> int:
    """What a card counts."""
    return "0A23456789".index(card[0]) if card[0] in "A23456789" else 0


def total(cards: list[str]) -> int:
    """What a hand counts."""
    return sum(value(card) for card in cards) % 10


def punto_draws(two: int, chooses: bool) -> bool:
    """Whether punto takes a card."""
    return two < 5 or (two == 5 and chooses)


def banca_draws(two: int, third: int | None, chooses: bool) -> bool:
    """Whether the banker takes a card."""
    if third is None:
        return two <= 5
    if (two, third) in ((3, 9), (5, 4)):
        return chooses
    last = {0: range(10), 1: range(10), 2: range(10), 3: (0, 1, 2, 3, 4, 5, 6, 7), 4: range(2, 8)}
    last |= {5: range(5, 8), 6: (6, 7)}
    return third in last.get(two, ())


@dataclass(slots=True)
class Hands:
    """Two hands as they are dealt, and what then comes out of the shoe."""

    punto: list[str]
    banca: list[str]
    more: list[str]

    @property
    def twos(self) -> tuple[int, int]:
        """Both totals on two cards."""
        return total(self.punto[:2]), total(self.banca[:2])


Want = Callable[[Hands], bool]


@dataclass(slots=True)
class Script:
    """One coup's script. What is None or empty goes by the book.

    ``want``: which cards it needs. ``banker``: who deals; ``bank``: what lies in the bank; ``stakes``: by
    seat; ``opponent``: who takes punto's cards. ``before``, ``opened``, ``dealt``, ``said``, ``shown``,
    ``after``: cues told before the stakes, before their close, after the first four cards, when punto spoke,
    before the cards are turned, and after the settlement. ``backs``: of the first cards, where they are seen.
    """

    want: Want | None = None
    banker: int | None = None
    bank: int | None = None
    bank_shown: bool = True
    stakes: Mapping[int, int] | None = None
    lines: frozenset[int] = frozenset()
    backs: tuple[str, ...] = ()
    abonaments: int = 0
    opponent: int | None = None
    new_shoe: bool = False
    untold: frozenset[str] = frozenset()
    before: list[Told] = field(default_factory=list)
    opened: list[Told] = field(default_factory=list)
    opened_late: list[Told] = field(default_factory=list)
    dealt: list[Told] = field(default_factory=list)
    said: list[Told] = field(default_factory=list)
    shown: list[Told] = field(default_factory=list)
    after: list[Told] = field(default_factory=list)
    # the deal
    order: tuple[str, ...] = ("punto", "banca", "punto", "banca")
    exposed: dict[int, str] = field(default_factory=dict)
    exposed_played: bool = False
    stuck: bool = False
    excess: bool = False
    basket: int | None = None
    floor: bool = False
    face_down_third: str | None = None
    draws: dict[str, bool] = field(default_factory=dict)
    twice: str | None = None
    fifth_early: bool = False
    word: str | None = None
    third_to: str | None = None
    cut_card: str | None = None
    same_card: bool = False
    # hands
    touches: list[tuple[str, int, float]] = field(default_factory=list)
    dealer_gives: bool = True
    also_holds: list[int] = field(default_factory=list)
    thrown: str | None = None
    banker_first: bool = False
    hidden: int | None = None
    # the stakes after the close
    late: int | None = None
    late_asked: bool = False
    late_removed: bool = False
    withdrawn: int | None = None
    # the settlement
    result: str | None = None
    settle_as: str | None = None
    settles: bool = True
    early: bool = False
    extra_pay: dict[int, int] = field(default_factory=dict)
    full_line: int | None = None
    deduction: int | None = None
    misplaced: bool = False
    to_garage: bool = False
    first_settled: int | None = None
    last_settled: int | None = None
    skip: int | None = None
    keeps: int | None = None
    """What is left in the bank after this coup, the rest going to the garage."""
    short: int = 0
    """What is put aside of the bank after this coup."""
    aside: bool = True
    """The banker may put half of the bank aside."""
    passes_on: bool = True
