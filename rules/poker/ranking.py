"""The order of poker hands, from high card to royal flush. Suits never decide.

Regulations name the combinations and leave the rest to custom: the cards that make the combination count
first, then the others from the highest down. The ace is the highest card and, before a two, the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, unique
from functools import cache

from rules.cards import PACK, Card, Rank


@unique
class Category(IntEnum):
    """The kinds of hand, weakest first. The royal flush is a kind of its own: pay tables name it."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


_ASCENDING = "23456789TJQKA"
_ACE, _FIVE = 12, 3
_WHEEL = 1 << _ACE | 0b1111
"""Ranks of the straight in which the ace is the lowest card."""
_SUITS = "cdhs"
_SUIT_SHIFT, _FLUSH_SHIFT, _RANK_BITS = 52, 68, 0x1FFF
_NIBBLES, _COUNTS = (1 << _SUIT_SHIFT) - 1, (1 << _FLUSH_SHIFT) - 1
_THREE_EACH, _EIGHTS = 0x3333, 0x8888
_KIND_SHIFT = 20


def _packed(card: Card) -> int:
    """A card as a number to be added up: one of its rank, one of its suit, and its place in the suit."""
    height, suit = _ASCENDING.index(card.rank), _SUITS.index(card.suit)
    ranks, suits = 1 << 4 * height, 1 << (_SUIT_SHIFT + 4 * suit)
    return ranks | suits | 1 << (_FLUSH_SHIFT + 13 * suit + height)


_PACKED = {card: _packed(card) for card in PACK}


def rank(cards: Sequence[Card], *, low_ace: bool = True, lowest: Rank = Rank.TWO) -> int:
    """How high the best five of five to seven cards stand: the higher hand has the larger number, equals tie.

    ``low_ace``: whether the ace may stand below the ``lowest`` rank of the pack in a straight. Raises
    ValueError for another number of cards or one twice.

    >>> wheel, six_high = "5d 4c 3h 2s Ad".split(), "6d 5c 4h 3s 2d".split()
    >>> rank([Card.parse(card) for card in wheel]) < rank([Card.parse(card) for card in six_high])
    True
    """
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a poker hand is ranked by 5 to 7 cards, not {len(cards)}")
    # A card twice would carry into its neighbour's bit: adding and joining then differ.
    total = joined = 0
    for card in cards:
        total += (packed := _PACKED[card])
        joined |= packed >> _FLUSH_SHIFT
    if total >> _FLUSH_SHIFT != joined:
        raise ValueError(f"one card is twice among {' '.join(map(str, cards))}")
    wheel = 0
    if low_ace:
        wheel = _WHEEL if lowest is Rank.TWO else 1 << _ACE | 0b1111 << _ASCENDING.index(lowest)
    five_or_more = ((total >> _SUIT_SHIFT & 0xFFFF) + _THREE_EACH) & _EIGHTS
    if five_or_more:
        suit = five_or_more.bit_length() // 4 - 1
        # Five of a suit among seven leave no room for four of a kind or a full house.
        return _suited(joined >> 13 * suit & _RANK_BITS, wheel)
    return _unsuited(total & _NIBBLES, wheel)


def category(rank: int) -> Category:
    """Of what kind the hand of this rank is."""
    return Category(rank >> _KIND_SHIFT)


def high_cards(*ranks: Rank) -> int:
    """The rank under all hands without a pair that hold these ranks, highest first, as their highest cards.

    >>> high_cards(Rank.ACE, Rank.KING) <= rank([Card.parse(c) for c in "Ac Kd 4h 3s 2d".split()])
    True
    """
    return _ranked(Category.HIGH_CARD, [_ASCENDING.index(rank) for rank in ranks])


def _ranked(kind: Category, heights: Sequence[int]) -> int:
    number = int(kind)
    for place in range(5):
        number = number << 4 | (heights[place] + 2 if place < len(heights) else 0)
    return number


def _straight_top(mask: int, wheel: int) -> int | None:
    """How high the highest straight's top card is; ``wheel``: the ranks of that with a low ace, 0 if none."""
    for top in range(_ACE, _FIVE, -1):
        if mask >> (top - 4) & 0b11111 == 0b11111:
            return top
    return (wheel ^ 1 << _ACE).bit_length() - 1 if wheel and mask & wheel == wheel else None


@cache
def _suited(mask: int, wheel: int) -> int:
    top = _straight_top(mask, wheel)
    if top is not None:
        return _ranked(Category.ROYAL_FLUSH if top == _ACE else Category.STRAIGHT_FLUSH, [top])
    return _ranked(Category.FLUSH, [height for height in range(_ACE, -1, -1) if mask >> height & 1][:5])


@cache
def _unsuited(nibbles: int, wheel: int) -> int:
    """By how often each rank is there. At most some 50,000 answers are ever kept."""
    held = [(nibbles >> 4 * height & 0xF, height) for height in range(_ACE, -1, -1)]
    groups = sorted((group for group in held if group[0]), reverse=True)
    often = [count for count, _ in groups]
    heights = [height for _, height in groups]
    if often[0] == 4:
        return _ranked(Category.FOUR_OF_A_KIND, [heights[0], max(heights[1:])])
    if often[0] == 3 and len(often) > 1 and often[1] >= 2:
        return _ranked(Category.FULL_HOUSE, [heights[0], max(h for n, h in groups[1:] if n >= 2)])
    top = _straight_top(sum(1 << height for height in heights), wheel)
    if top is not None:
        return _ranked(Category.STRAIGHT, [top])
    if often[0] == 3:
        return _ranked(Category.THREE_OF_A_KIND, heights[:3])
    if often[0] == 2 and often[1] == 2:
        return _ranked(Category.TWO_PAIR, [*heights[:2], max(heights[2:])])
    return _ranked(
        Category.PAIR if often[0] == 2 else Category.HIGH_CARD, heights[: 4 if often[0] == 2 else 5]
    )
