"""Rule cases of poker hands: their kind, which of several is the highest, and their place among all hands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

from datasets.rule_cases.base import Both, Case, GameCases
from rules.cards import Card, Rank, Suit
from rules.poker import Category, category, rank


def cards_of(names: Sequence[str]) -> list[Card]:
    """Cards by their names."""
    return [Card.parse(name) for name in names]


def kind_of(hand: Sequence[Card]) -> str:
    """The kind of a hand, as case files write it."""
    return category(rank(hand)).name.lower()


def _best(hands: list[list[Card]]) -> dict[str, object]:
    ranks = [rank(hand) for hand in hands]
    return {
        "winners": [place for place, height in enumerate(ranks) if height == max(ranks)],
        "categories": [category(height).name.lower() for height in ranks],
    }


def _compare(case: Case) -> Both:
    return _best([cards_of(hand) for hand in case["hands"]]), case["expect"]


def _showdown(case: Case) -> Both:
    return _best([cards_of([*case["board"], *hand]) for hand in case["hands"]]), case["expect"]


def _category(case: Case) -> Both:
    return {"category": kind_of(cards_of(case["cards"]))}, case["expect"]


def _category_list(case: Case) -> Both:
    return kind_of(cards_of(case["cards"])), case["category"]


def _contains(case: Case) -> Both:
    cards = cards_of(case["cards"])
    wanted = Category[case["combination"].upper()]
    found = any(category(rank(five)) == wanted for five in combinations(cards, 5))
    return {"found": found, "best_category": kind_of(cards)}, case["expect"]


def _rank_number(case: Case) -> Both:
    hand = cards_of(case["cards"])
    return {"rank_1_best_of_7462": _places()[rank(hand)], "category": kind_of(hand)}, case["expect"]


@cache
def _places() -> dict[int, int]:
    """The place of each of the 7,462 ranks of five cards, the royal flush first."""
    ranks = {rank([Card(held, Suit.CLUBS) for held in five]) for five in combinations(Rank, 5)}
    for five in combinations_with_replacement(Rank, 5):
        if max(map(five.count, five)) <= 4:
            suits = [Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES]
            # Equal ranks stand together: each takes the next suit, so no card comes twice and none is suited.
            ranks.add(rank([Card(held, suits[place % 4]) for place, held in enumerate(five)]))
    return {height: place for place, height in enumerate(sorted(ranks, reverse=True), start=1)}


CASES = GameCases(
    game="poker",
    kinds={
        "compare": _compare,
        "showdown": _showdown,
        "category": _category,
        "category_list": _category_list,
        "contains": _contains,
        "rank_number": _rank_number,
    },
    without_kind="category_list",
)
