"""What a player's three cards and the common two make, as far as they were seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rules.cards import PACK, Card, Rank
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.round import Round
from rules.games.trijoker.words import OWN_CARDS
from rules.poker import Category, category, rank
from rules.seen_cards import SeenCard

_CARDS = OWN_CARDS + 2
_MOST_UNREAD = 2
"""More unread cards than this may make any hand."""
_ORDER = "23456789TJQKA"

Multiple = Fraction | None
"""What a bet gains for one staked; None: the hand loses."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a hand comes to: the multiples that it may have (one, where it is sure), and its kind if that is
    sure. ``unread``: why it is not."""

    multiples: tuple[Multiple, ...]
    kind: Category | None
    unread: str | None = None

    @property
    def sure(self) -> bool:
        """Whether what is due to it is known."""
        return len(self.multiples) == 1


def made_of(seat: int, play: Round, profile: TrijokerProfile) -> Made:
    """What a seat's hand comes to."""
    own, common = play.of(seat), play.common
    cards = [*own, *common]
    known = [card.card for card in cards if card.card is not None]
    missing = max(0, OWN_CARDS - len(own)) + max(0, 2 - len(common))
    unread = len(cards) - len(known) + missing
    if len(cards) > _CARDS or len(set(known)) < len(known):
        return Made(_every(profile), None, "its cards are not five different ones")
    if unread == 0:
        kind, multiple = pays(known, profile)
        return Made((multiple,), kind)
    if unread > _MOST_UNREAD:
        return Made(_every(profile), None, _why(cards, missing))
    found = {pays([*known, *rest], profile)[1] for rest in _others(known, unread)}
    return Made(tuple(sorted(found, key=lambda m: m or Fraction(0))), None, _why(cards, missing))


def pays(cards: Sequence[Card], profile: TrijokerProfile) -> tuple[Category, Multiple]:
    """The kind of five cards, and what a bet on them gains for one staked; None: they lose."""
    kind = category(rank(cards, low_ace=profile.low_ace))
    if kind is Category.HIGH_CARD or (kind is Category.PAIR and not _high_pair(cards, profile.least_pair)):
        return kind, None
    return kind, profile.pays[kind]


def _high_pair(cards: Sequence[Card], least: Rank) -> bool:
    ranks = [card.rank for card in cards]
    return any(_ORDER.index(rank) >= _ORDER.index(least) for rank in ranks if ranks.count(rank) > 1)


def _others(known: Sequence[Card], number: int) -> Iterator[tuple[Card, ...]]:
    return combinations([card for card in PACK if card not in known], number)


def _every(profile: TrijokerProfile) -> tuple[Multiple, ...]:
    return (None, *sorted(set(profile.pays.values())))


def _why(cards: Sequence[SeenCard], missing: int) -> str:
    if missing:
        return (
            f"{missing} of the five cards were not seen"
            if missing > 1
            else "one of the five cards was not seen"
        )
    return next(f"{card.spot}: {card.unread}" for card in cards if card.card is None)


def kind_text(kind: Category | None) -> str:
    """A kind of hand in words."""
    return "not known" if kind is None else kind.name.lower().replace("_", " ")
