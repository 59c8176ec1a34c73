"""What the recipes of faults are made of: a table that tells everything, deals and bets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from datasets.games.banque_deux_tableaux.cards import HANDS, Bet, Cards, count
from datasets.games.banque_deux_tableaux.session import Wanted
from datasets.games.base import FaultKind

HOUSE: Mapping[str, Any] = {
    "departments": 5,
    "bank": {"mode": "limited", "minimum": 1000, "maximum": 50000},
    "limits": {"minimum": 10, "maximum": 5000},
    "cues": ["banco", "says", "rules_asked", "error_by", "lots_drawn", "cards_checked"],
}
"""A table where everything is set and told."""

HIGH = {8, 9}
STANDS = {6, 7}
DRAWS = {0, 1, 2, 3, 4}
LOW = set(range(8))


def kind(
    name: str,
    rule: str,
    code: str,
    lawful: Iterable[str] = (),
    rounds: int = 1,
    house: Mapping[str, Any] | None = None,
) -> FaultKind:
    """A kind of fault at such a table; ``house``: what is set otherwise there."""
    return FaultKind(
        name=name,
        rule=rule,
        code=code,
        profile="andorra_2016",
        lawful=frozenset(lawful),
        house={**HOUSE, **(house or {})},
        rounds=rounds,
    )


def totals(first: set[int], second: set[int], bank: set[int]) -> Wanted:
    """A deal in which the three hands count so much."""

    def wanted(cards: Cards) -> bool:
        return all(
            count(cards[hand]) in counts for hand, counts in zip(HANDS, (first, second, bank), strict=True)
        )

    return wanted


def plain_bets() -> list[Bet]:
    """Two players on each tableau."""
    return [Bet(f"seat {seat} tableau_{1 if seat < 6 else 2}", 100) for seat in (1, 2, 6, 7)]


def with_bet(bet: Bet) -> list[Bet]:
    """The same, and one bet more, first."""
    return [bet, *(other for other in plain_bets() if other.spot != bet.spot)]
