"""The order of poker hands: worked examples, every kind counted, and laws that hold for any cards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand

from rules.cards import PACK, Card, Rank, Suit
from rules.poker import Category, category, rank
from rules.poker.ranking import high_cards

_SUITS = list(Suit)


def _hand(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


ASCENDING = [
    ("Ac Qd Jh Ts 9d", Category.HIGH_CARD),
    ("Ac Kd 4h 3s 2d", Category.HIGH_CARD),
    ("Ac Kd Jh 9s 5d", Category.HIGH_CARD),
    ("2c 2d 5h 8s 9d", Category.PAIR),
    ("Tc Td 8h 5s 3d", Category.PAIR),
    ("Jc Jd 6h 6s Ad", Category.TWO_PAIR),
    ("Qc Qd 2h 2s 3d", Category.TWO_PAIR),
    ("Qc Qd Qh 8s 3d", Category.THREE_OF_A_KIND),
    ("5d 4c 3h 2s Ad", Category.STRAIGHT),
    ("6d 5c 4h 3s 2d", Category.STRAIGHT),
    ("Ad Kc Qh Js Td", Category.STRAIGHT),
    ("Ah Jh 9h 6h 3h", Category.FLUSH),
    ("Kc Kd Kh 4s 4d", Category.FULL_HOUSE),
    ("7c 7d 7h 7s 2d", Category.FOUR_OF_A_KIND),
    ("7c 7d 7h 7s 3d", Category.FOUR_OF_A_KIND),
    ("5h 4h 3h 2h Ah", Category.STRAIGHT_FLUSH),
    ("9h 8h 7h 6h 5h", Category.STRAIGHT_FLUSH),
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH),
]


@pytest.mark.parametrize(("text", "kind"), ASCENDING, ids=lambda value: str(value))
def test_kinds_of_hand(text: str, kind: Category) -> None:
    assert category(rank(_hand(text))) is kind


def test_each_hand_stands_above_the_one_before() -> None:
    ranks = [rank(_hand(text)) for text, _ in ASCENDING]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ah Kh Qh Jh Th 9h 8h", Category.ROYAL_FLUSH),
        ("Ah 5h 4h 3h 2h 9c 9d", Category.STRAIGHT_FLUSH),
        ("Ah 6c 5h 4h 3h 2h 9c", Category.STRAIGHT_FLUSH),
        ("Kc Kd Kh 4s 4d 4c 2h", Category.FULL_HOUSE),
        ("Kc Kd 4s 4d 3c 3h Ah", Category.TWO_PAIR),
        ("7c 7d 7h 7s Kd Kc", Category.FOUR_OF_A_KIND),
        ("9c 8d 7h 6s 5d 5c 5h", Category.STRAIGHT),
        ("Qs Ks As 2s 3d 4h 9s", Category.FLUSH),
    ],
)
def test_the_best_five_of_more(text: str, kind: Category) -> None:
    hand = _hand(text)
    assert category(rank(hand)) is kind
    assert rank(hand) == max(rank(five) for five in combinations(hand, 5))


def test_a_low_ace_is_a_matter_of_the_house() -> None:
    assert category(rank(_hand("5d 4c 3h 2s Ad"), low_ace=False)) is Category.HIGH_CARD
    assert category(rank(_hand("5d 4d 3d 2d Ad"), low_ace=False)) is Category.FLUSH


def test_a_low_ace_stands_below_the_lowest_card_of_a_short_pack() -> None:
    low = _hand("Ad 6c 7h 8s 9d")
    assert category(rank(low)) is Category.HIGH_CARD
    assert category(rank(low, lowest=Rank.SIX)) is Category.STRAIGHT
    assert rank(low, lowest=Rank.SIX) < rank(_hand("6d 7c 8h 9s Td"), lowest=Rank.SIX)
    assert category(rank(_hand("Ad 6d 7d 8d 9d Kc Ac"), lowest=Rank.SIX)) is Category.STRAIGHT_FLUSH


@pytest.mark.parametrize("text", ["", "Ac Kc Qc Jc", "Ac Kc Qc Jc Tc 9c 8c 7c"])
def test_too_few_or_too_many_cards_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="5 to 7 cards"):
        rank(_hand(text))


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        rank(_hand("Ac Ac Qc Jc Tc"))


def _every_class() -> list[tuple[int, int]]:
    """Each way five ranks can fall, with the number of hands that it stands for."""
    classes = []
    for ranks in combinations(Rank, 5):
        suited = rank([Card(held, Suit.CLUBS) for held in ranks])
        mixed = rank([Card(held, _SUITS[place % 2]) for place, held in enumerate(ranks)])
        classes += [(suited, 4), (mixed, 4**5 - 4)]
    for ranks in combinations_with_replacement(Rank, 5):
        often = Counter(ranks)
        if 1 < max(often.values()) < 5:
            hand = [Card(held, _SUITS[number]) for held in often for number in range(often[held])]
            classes.append((rank(hand), prod(comb(4, count) for count in often.values())))
    return classes


def test_the_2598960_hands_by_kind() -> None:
    counted: Counter[str] = Counter()
    for height, hands in _every_class():
        counted[category(height).name.lower()] += hands
    assert counted.total() == 2_598_960
    assert counted == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pair": 123_552,
        "pair": 1_098_240,
        "high_card": 1_302_540,
    }


def test_there_are_7462_ranks() -> None:
    assert len({height for height, _ in _every_class()}) == 7_462


def test_ace_king_or_better_in_1463700_hands() -> None:
    floor = high_cards(Rank.ACE, Rank.KING)
    assert sum(hands for height, hands in _every_class() if height >= floor) == 1_463_700


@given(st.permutations(PACK), st.integers(5, 7), st.permutations(_SUITS))
def test_neither_order_nor_suits_decide(pack: list[Card], count: int, suits: list[Suit]) -> None:
    hand = pack[:count]
    other = [Card(card.rank, suits[_SUITS.index(card.suit)]) for card in reversed(hand)]
    assert rank(hand) == rank(other) == max(rank(five) for five in combinations(hand, 5))


def _dealt(seed: int, hands: int) -> list[list[Card]]:
    rng = random.Random(seed)
    return [rng.sample(PACK, 5 + number % 3) for number in range(hands)]


def test_phevaluator_orders_hands_alike() -> None:
    """Its numbers fall from 7462 to 1 as hands rise: each stands for one of ours."""
    pairs = {(evaluate_cards(*map(str, hand)), rank(hand)) for hand in _dealt(1, 6_000)}
    theirs, ours = zip(*sorted(pairs, reverse=True), strict=True)
    assert len(set(theirs)) == len(set(ours)) == len(pairs)
    assert list(ours) == sorted(ours)


def test_pokerkit_orders_hands_alike() -> None:
    pairs = {}
    for hand in _dealt(2, 600):
        text = "".join(map(str, hand))
        best = StandardHighHand.from_game(text[: 2 * 2], text[2 * 2 :])
        pairs[rank(hand)] = best
    ours = sorted(pairs)
    assert all(pairs[low] < pairs[high] for low, high in pairwise(ours))
