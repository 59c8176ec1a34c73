"""A session: hand after hand by the book, with faults where they are asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from datasets.games.base import Fault, FaultKind, PlayedRound, PlayedSession, check_faults
from datasets.games.trijoker.cards import BETS, LEFT, RIGHT, Hand, kind_of, multiple_of, pack
from datasets.games.trijoker.table import Table
from rules.games.trijoker.profile import TrijokerProfile
from rules.profile_document import Profile

Wanted = Callable[[Hand], bool]
Change = Callable[[Hand], str | None]
"""Puts a fault into a hand; returns the spot of its finding."""
_TRIES = 4000


def _any(_hand: Hand) -> bool:
    return True


@dataclass(frozen=True)
class Recipe:
    """How a kind of fault is made. ``wanted``: the hand it takes; ``change``: what it changes; ``ahead``:
    what it changes of a hand before, ``by`` so many; ``first``: it is a setting, and shows in the first."""

    kind: FaultKind
    change: Change
    wanted: Wanted = _any
    ahead: Change | None = None
    by: int = 1
    first: bool = False


@dataclass
class Dealer:
    """Deals and plays by the book, at a table with this profile."""

    rng: random.Random
    profile: TrijokerProfile

    def __post_init__(self) -> None:
        self.pays = {kind.name.lower(): int(pays) for kind, pays in self.profile.pays.items()}
        self.least = self.profile.least_pair.value

    def plan(self, number: int, wanted: Wanted) -> Hand:
        """A hand such as is wanted."""
        for _ in range(_TRIES):
            hand = self._deal(number)
            if wanted(hand):
                return hand
        raise ValueError("no such hand came up")

    def _deal(self, number: int) -> Hand:
        rng = self.rng
        places = rng.sample(range(1, self.profile.places + 1), rng.randint(3, self.profile.places))
        seats = sorted(places, reverse=not self.profile.from_left)
        players = [f"seat_{seat}" for seat in seats]
        deal = [*players, LEFT, *players, RIGHT, *players]
        order = list(zip(deal, pack(rng), strict=False))
        cards: dict[str, list[str]] = {}
        for where, card in order:
            cards.setdefault(where, []).append(card)
        stakes: dict[str, int] = {}
        for seat in seats:
            amount = 10 * rng.randint(1, 9)
            stakes |= {f"seat {seat} {bet}": amount for bet in BETS}
        hand = Hand(number, seats, stakes, cards, order, [], {})
        self.judge(hand)
        hand.pulls = [box for seat in seats for box in self._withdraws(hand, seat)]
        return hand

    def judge(self, hand: Hand) -> None:
        """What each hand pays."""
        for seat in hand.seats:
            hand.multiples[seat] = multiple_of(hand.five(seat), self.pays, self.least)

    def _withdraws(self, hand: Hand, seat: int) -> list[str]:
        """A player leaves his bets mostly when his cards pair; now and then for no reason."""
        own = [card[0] for card in hand.cards[f"seat_{seat}"]]
        four = [*own, hand.cards[LEFT][0][0]]
        stays = [len(set(own)) < 3, len(set(four)) < 4]
        return [
            f"seat {seat} {bet}"
            for bet, good in zip(BETS, stays, strict=False)
            if self.rng.random() > (0.9 if good else 0.4)
        ]


def play(
    recipes: Mapping[str, Recipe], profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]
) -> PlayedSession:
    """So many hands; ``faults``: kinds by hand. Raises ValueError for one that cannot be made there."""
    if not isinstance(profile, TrijokerProfile):
        raise ValueError(f"{profile.game} is another game than trijoker.")
    check_faults("trijoker", recipes, faults, rounds)
    dealer, table = Dealer(random.Random(seed), profile), Table()
    played, made = [], []
    for number in range(1, rounds + 1):
        recipe = recipes[faults[number]] if number in faults else None
        hand = dealer.plan(number, recipe.wanted if recipe is not None else _any)
        spot = None if recipe is None else recipe.change(hand)
        if recipe is not None:
            made.append(Fault(kind=recipe.kind, coup=1 if recipe.first else number, spot=spot))
        for later, name in faults.items():
            ahead = recipes[name]
            if ahead.ahead is not None and later - ahead.by == number:
                ahead.ahead(hand)
        table.play(hand)
        played.append(_record(hand))
    return PlayedSession(
        game="trijoker",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(played),
        faults=tuple(made),
    )


def _record(hand: Hand) -> PlayedRound:
    cards: dict[str, list[str]] = {}
    for where, card in hand.order:
        cards.setdefault(where, []).append(card)
    names = [*(f"seat_{seat}" for seat in hand.seats), LEFT, RIGHT]
    kinds = {} if hand.stops else {f"seat_{seat}": kind_of(hand.five(seat)) for seat in hand.seats}
    return PlayedRound(
        coup=hand.number, cards={name: tuple(cards.get(name, ())) for name in names}, result=kinds
    )
