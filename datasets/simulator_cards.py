"""Dealing by the book, and against it: which cards fall to which hand.

The drawing rules stand here once more, as the usual prose has them and not as a table, so that the judge and
the simulator check each other.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from datasets.simulator_types import ErrorKind
from rules.cards import PACK, Card, Rank

_VALUES = {rank: number if number < 10 else 0 for number, rank in enumerate(Rank, start=1)}


def total(cards: tuple[Card, ...] | list[Card]) -> int:
    """The points of a hand."""
    return sum(_VALUES[card.rank] for card in cards) % 10


def burn_value(card: Card) -> int:
    """How many cards the first card of a shoe burns."""
    return _VALUES[card.rank] or 10


def banca_takes(banca: int, third: Card | None) -> bool:
    """Whether banca takes a third card; ``third``: punto's, None if it stood."""
    if third is None:
        return banca <= 5
    value = _VALUES[third.rank]
    if banca <= 2:
        return True
    if banca == 3:
        return value != 8
    if banca == 4:
        return 2 <= value <= 7
    if banca == 5:
        return 4 <= value <= 7
    return banca == 6 and value in (6, 7)


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards in the order dealt, and the result by the cards as they lie."""

    cards: tuple[tuple[str, Card], ...]

    def hand(self, name: str) -> list[Card]:
        """One hand's cards, in order."""
        return [card for hand, card in self.cards if hand == name]

    @property
    def totals(self) -> tuple[int, int]:
        """Points of punto and banca (of three cards at most)."""
        return total(self.hand("punto")[:3]), total(self.hand("banca")[:3])

    @property
    def winner(self) -> str:
        """``punto``, ``banca`` or ``tie``."""
        punto, banca = self.totals
        return "tie" if punto == banca else "punto" if punto > banca else "banca"


def new_shoe(rng: random.Random, packs: int) -> list[Card]:
    """Freshly shuffled packs; the next card is the last of the list."""
    shoe = list(PACK) * packs
    rng.shuffle(shoe)
    return shoe


def deal(shoe: list[Card], kind: ErrorKind | None, rng: random.Random) -> Deal | None:
    """Deal a coup from the shoe, with this error of drawing or order if it is one.

    None where the cards do not give the occasion for it; the shoe is then left as it was.
    """
    cards = iter(reversed(shoe[-8:]))
    order = ["punto", "banca", "punto", "banca"]
    if kind is ErrorKind.DEAL_ORDER_WRONG:
        order = rng.choice((["punto", "punto", "banca", "banca"], ["banca", "punto", "banca", "punto"]))
    dealt = [(hand, next(cards)) for hand in order]
    punto, banca = (total([card for name, card in dealt if name == hand]) for hand in ("punto", "banca"))
    natural = punto >= 8 or banca >= 8
    punto_due = not natural and punto <= 5
    if not _occasion(kind, natural, punto_due):
        return None
    third: Card | None = None
    if punto_due if kind not in _PUNTO_REVERSED else not punto_due:
        third = next(cards)
        dealt.append(("punto", third))
    banca_due = not natural and banca_takes(banca, third)
    if kind is ErrorKind.SIXTH_CARD and (third is None or banca_due):
        return None
    if kind is ErrorKind.MISSED_DRAW_BANCA and not banca_due:
        return None
    if banca_due if kind not in _BANCA_REVERSED else not banca_due:
        dealt.append(("banca", next(cards)))
    if kind is ErrorKind.DRAW_ON_NATURAL:
        dealt.append((rng.choice(("punto", "banca")), next(cards)))
    if kind is ErrorKind.FOURTH_CARD and not _add_fourth(dealt, next(cards), rng):
        return None
    del shoe[-len(dealt) :]
    return Deal(tuple(dealt))


_PUNTO_REVERSED = (ErrorKind.WRONG_DRAW_PUNTO, ErrorKind.MISSED_DRAW_PUNTO)
_BANCA_REVERSED = (ErrorKind.SIXTH_CARD, ErrorKind.MISSED_DRAW_BANCA)


def _occasion(kind: ErrorKind | None, natural: bool, punto_due: bool) -> bool:
    match kind:
        case ErrorKind.DRAW_ON_NATURAL:
            return natural
        case ErrorKind.WRONG_DRAW_PUNTO:
            return not natural and not punto_due
        case ErrorKind.MISSED_DRAW_PUNTO:
            return punto_due
        case ErrorKind.SIXTH_CARD | ErrorKind.MISSED_DRAW_BANCA:
            return not natural
    return True


def _add_fourth(dealt: list[tuple[str, Card]], card: Card, rng: random.Random) -> bool:
    """Give a hand of three a fourth card, if that leaves the result the same: which of the cards count is
    otherwise for the table head to say."""
    long = [hand for hand in ("punto", "banca") if sum(name == hand for name, _ in dealt) == 3]
    if not long:
        return False
    before = Deal(tuple(dealt)).winner
    dealt.append((rng.choice(long), card))
    punto, banca = (total(Deal(tuple(dealt)).hand(hand)) for hand in ("punto", "banca"))
    return before == ("tie" if punto == banca else "punto" if punto > banca else "banca")
