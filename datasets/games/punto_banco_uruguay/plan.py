"""What is to happen in one pass: by the book as it stands here, and otherwise where a fault changes it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from datasets.games.punto_banco_uruguay.felt import SEATS

if TYPE_CHECKING:
    from datasets.games.punto_banco_uruguay.table import Table

Act = Callable[["Table"], None]


@dataclass(frozen=True)
class Bet:
    """``line``: it lies on the line. ``sale``: of sale chips."""

    spot: str
    value: int
    line: bool = False
    sale: bool = False

    @property
    def side(self) -> str:
        """``punto`` or ``banca``."""
        return self.spot.split()[-1]

    @property
    def seat(self) -> int | None:
        """The seat, None for a lettered box."""
        return int(self.spot.split()[1]) if self.spot.startswith("seat") else None


@dataclass
class Plan:
    """One pass.

    ``cards``: the cards that come first, as dealt. ``bets``: None: at random. ``acts``: what happens besides,
    by moment: ``start``, ``packs``, ``shuffled``, ``before``, ``staked``, ``closed``, ``card-1`` to
    ``card-4``, ``dealt``, ``shown``, ``asked``, ``punto-third``, ``drawn``, ``result``, ``collected``,
    ``paying``, ``paid seat 3 banca``, ``paid``, ``swept``. ``viewer``: who takes punto's cards, None: by the
    book. ``drop``: cues that are not told. ``pays``: payments other than due, by spot. ``takes``: what is
    taken of a loser, by spot (None: nothing). ``holder``: where the shoe goes, where not by the book.
    """

    cards: tuple[str, ...] = ()
    bets: list[Bet] | None = None
    acts: dict[str, Act] = field(default_factory=dict)
    viewer: int | None = None
    turn_apart_s: float = 0.4
    banca_first: bool = False
    third: bool | None = None
    """Whether punto takes a third card, where that is not by the book."""
    banca_third: bool | None = None
    drop: frozenset[str] = frozenset()
    pays: dict[str, int] = field(default_factory=dict)
    takes: dict[str, int | None] = field(default_factory=dict)
    sabot_part: tuple[int, int] | None = None
    """The part of the bank's win that the house keeps, where that is not by the book."""
    pay_backwards: bool = False
    front_first: bool = False
    winners_first: bool = False
    paddle: bool = True
    sweep_first: bool = False
    winner: str | None = None
    """The side that the bets are settled for, where it is not the one that won."""
    push: str | None = None
    void: bool = False
    remate: bool = True
    stake: int | None = None
    """The shoe's stake at the beginning of a bank."""
    holder: int | None = None
    order: tuple[str, ...] = ("punto", "banca", "punto", "banca")
    withdraw: int | None = None
    float_first: bool = False
    pay_from: str = "float"
    overlap: bool = False
    picos: bool = False
    pico_stays_s: float | None = 0.5
    """How long a commission that was handed over lies there after the payment; None: for good."""
    landing: bool = True
    """Payments land in the boxes."""
    angle_deg: float = 5.0
    skip_new_shoe: bool = False


def random_bets(rng: random.Random, holder: int | None) -> list[Bet]:
    """What is bet by chance: by every seat but the shoe's, and by some who stand."""
    bets = []
    for seat in SEATS:
        if seat == holder:
            continue
        side = rng.choice(("punto", "banca"))
        on_line = side == "punto" and rng.random() < 0.2
        amount = rng.choice((20, 40, 60, 100, 140))
        bets.append(Bet(f"seat {seat} {side}", amount, on_line))
    for letter in "abno":
        if rng.random() < 0.3:
            side = rng.choice(("punto", "banca"))
            bets.append(Bet(f"box {letter} {side}", rng.choice((10, 20, 50)), rng.random() < 0.3))
    return bets
