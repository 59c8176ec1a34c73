"""Every coup that a full shoe can deal by a drawing table, counted exactly.

A coup is six cards of the shoe in order; where fewer are drawn, the others count in every order there is. So
the counts are out of N (N-1) ... (N-5) orders for a shoe of N cards, as they are published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from datasets.odds.base import Figure, Progress
from rules.baccarat.drawing_table import DrawingTable
from rules.baccarat.points import Result, card_value, points, result_of
from rules.cards import PACK


class Draws(NamedTuple):
    """Who takes a third card: punto by its total; banca by its total and the value of punto's third card."""

    punto: Callable[[int], bool]
    banca: Callable[[int, int | None], bool]


def choices(table: DrawingTable) -> list[tuple[str, Draws]]:
    """Every way in which the hands may use their free choices, in words, and who draws then; one, in no
    words, where nobody may choose."""
    free_p, free_b = sorted(table.punto_free), sorted(table.banca_free, key=str)
    found: list[tuple[str, Draws]] = []
    for chosen in product((False, True), repeat=len(free_p) + len(free_b)):
        punto = dict(zip(free_p, chosen, strict=False))
        banca = dict(zip(free_b, chosen[len(free_p) :], strict=True))
        words = [f"punto {_does(draws)} on {total}" for total, draws in punto.items()]
        words += [
            f"banca {_does(draws)} on {total} " + ("when punto stood" if third is None else f"giving {third}")
            for (total, third), draws in banca.items()
        ]
        found.append((", ".join(words), _drawing(table, punto, banca)))
    return found


def _does(draws: bool) -> str:
    return "draws" if draws else "stands"


def _drawing(table: DrawingTable, punto: dict[int, bool], banca: dict[tuple[int, int | None], bool]) -> Draws:
    return Draws(
        lambda total: punto.get(total, table.punto_draws(total)),
        lambda total, third: banca.get((total, third), table.banca_draws(total, third)),
    )


class Outcome(NamedTuple):
    """One way a coup can come out: totals of two cards, totals in the end, cards of both hands."""

    punto_two: int
    banca_two: int
    punto: int
    banca: int
    cards: int


def orders(packs: int) -> int:
    """In how many orders six cards can leave a full shoe."""
    cards, product = packs * len(PACK), 1
    for gone in range(6):
        product *= cards - gone
    return product


def all_coups(
    table: DrawingTable, packs: int, progress: Progress = lambda _: None, draws: Draws | None = None
) -> Counter[Outcome]:
    """How many orders of six cards lead to each outcome. ``draws``: who draws, where not by the table."""
    if packs < 1:
        raise ValueError(f"a shoe has at least one pack, not {packs}")
    draw = draws or Draws(table.punto_draws, table.banca_draws)
    left = [0] * 10
    for card in PACK:
        left[card_value(card)] += packs
    counts: Counter[Outcome] = Counter()
    hands = list(combinations_with_replacement(range(10), 2))
    for done, punto in enumerate(hands, start=1):
        for ways_p in _taken(left, *punto):
            for banca in hands:
                for ways_b in _taken(left, *banca):
                    _third_cards(counts, punto, banca, ways_p * ways_b, left, table, draw)
        progress(done / len(hands))
    return counts


def _taken(left: list[int], one: int, other: int) -> Iterator[int]:
    """Take cards of two values out of the shoe; gives in how many orders that can be, and puts them back."""
    ways = left[one] * (left[other] - (one == other)) * (1 if one == other else 2)
    left[one] -= 1
    left[other] -= 1
    if ways:
        yield ways
    left[one] += 1
    left[other] += 1


def _third_cards(
    counts: Counter[Outcome],
    punto: tuple[int, int],
    banca: tuple[int, int],
    ways: int,
    left: list[int],
    table: DrawingTable,
    draw: Draws,
) -> None:
    """Enter what two hands come to."""
    p, b, rest = points(punto), points(banca), sum(left)
    if table.is_natural(p, b):
        counts[Outcome(p, b, p, b, 4)] += ways * rest * (rest - 1)
    elif not draw.punto(p):
        if not draw.banca(b, None):
            counts[Outcome(p, b, p, b, 4)] += ways * rest * (rest - 1)
            return
        for value, copies in enumerate(left):
            counts[Outcome(p, b, p, points((b, value)), 5)] += ways * copies * (rest - 1)
    else:
        for third, copies in enumerate(left):
            total = points((p, third))
            if not draw.banca(b, third):
                counts[Outcome(p, b, total, b, 5)] += ways * copies * (rest - 1)
                continue
            for value, others in enumerate(left):
                others -= value == third
                counts[Outcome(p, b, total, points((b, value)), 6)] += ways * copies * others


def by_result(counts: Counter[Outcome]) -> Counter[Result]:
    """Orders of cards by the result that they lead to."""
    results: Counter[Result] = Counter()
    for outcome, ways in counts.items():
        results[result_of(outcome.punto, outcome.banca)] += ways
    return results


_NAMES = {Result.PUNTO: "punto wins", Result.BANCA: "banca wins", Result.TIE: "empate"}


def chances(counts: Counter[Outcome], table: DrawingTable) -> tuple[Figure, ...]:
    """The chance of each result, of each number of cards, and of a natural."""
    total, results = counts.total(), by_result(counts)
    found = [Figure.of(_NAMES[result], Fraction(results[result], total)) for result in Result]
    for cards in (4, 5, 6):
        ways = sum(n for outcome, n in counts.items() if outcome.cards == cards)
        found.append(Figure.of(f"{cards} cards", Fraction(ways, total)))
    natural = sum(n for o, n in counts.items() if table.is_natural(o.punto_two, o.banca_two))
    return (*found, Figure.of("a natural", Fraction(natural, total)))


def played_through(
    table: DrawingTable, packs: int, progress: Progress
) -> Iterator[tuple[str, Counter[Outcome]]]:
    """Every coup there can be, for every way to use the free choices."""
    ways = choices(table)
    for done, (words, draws) in enumerate(ways):
        yield words, all_coups(table, packs, _part(progress, done, len(ways)), draws)


def _part(progress: Progress, done: int, of: int) -> Progress:
    return lambda share: progress((done + share) / of)
