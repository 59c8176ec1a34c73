"""The two rows: what they count, when they are full, and which bets win by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

from rules.baccarat.coup import Coup
from rules.cards import Card, Rank
from rules.games.trente_et_quarante.words import COULEUR, INVERSE, NOIR, ROUGE, ROWS, Kind, Result
from rules.seen_cards import SeenCard

MOST_UNREAD = 3
"""More unread cards than this are not played through."""
_VALUES = tuple(range(1, 11))

Count = Callable[[Card], int]
"""What one card counts."""


def card_points(card: Card) -> int:
    """An ace counts one, a ten and court cards ten, the others what they show.

    >>> card_points(Card.parse("Kh")), card_points(Card.parse("As")), card_points(Card.parse("7d"))
    (10, 1, 7)
    """
    match card.rank:
        case Rank.ACE:
            return 1
        case Rank.TEN | Rank.JACK | Rank.QUEEN | Rank.KING:
            return 10
        case rank:
            return int(rank)


def result_of(noir: int, rouge: int, first_red: bool, full_from: int = 31) -> Result:
    """The result by the rows' totals; ``first_red``: the black row's first card is a red one."""
    if noir == rouge:
        return Result(Kind.REFAIT if noir == full_from else Kind.NULL)
    row = NOIR if noir < rouge else ROUGE
    return Result(Kind.DECIDED, row, COULEUR if first_red == (row == ROUGE) else INVERSE)


def is_full_row(values: Sequence[int], full_from: int = 31) -> bool:
    """Whether a row was dealt to its end and not beyond it."""
    return bool(values) and sum(values) >= full_from > sum(values[:-1])


@dataclass(slots=True)
class Rows:
    """The rows of a coup. ``totals``: None where not known; ``results``: all there may have been by the cards
    that were read; ``reason``: why the result is not sure, None if it is. ``faulty``: a row was surely not
    dealt as it should be. ``unsure``: rows that may or may not have been."""

    cards: dict[str, list[SeenCard]]
    totals: dict[str, int | None]
    results: frozenset[Result]
    reason: str | None
    faulty: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)

    @property
    def sure(self) -> Result | None:
        """The result if it is known."""
        return next(iter(self.results)) if len(self.results) == 1 and self.reason is None else None

    @property
    def text(self) -> str:
        """The rows in words."""
        return "; ".join(
            f"{row} {' '.join(card.name for card in cards)}" for row, cards in self.cards.items()
        )


def read_rows(coup: Coup, full_from: int) -> Rows:
    """The rows as the cards make them."""
    cards = {row: coup.hand(row) for row in ROWS}
    totals = {row: _total(cards[row]) for row in ROWS}
    unread = [card for row in ROWS for card in cards[row] if card.card is None]
    empty = next((row for row in ROWS if not cards[row]), None)
    if empty is not None:
        return Rows(cards, totals, frozenset(), f"no card was seen in the row {empty}")
    if len(unread) > MOST_UNREAD:
        return Rows(cards, totals, frozenset(), f"{len(unread)} cards were not read")
    ways = {row: _ways(cards[row]) for row in ROWS}
    full = {row: [way for way in ways[row] if is_full_row(way, full_from)] for row in ROWS}
    faulty = [row for row in ROWS if not full[row]]
    unsure = [row for row in ROWS if full[row] and len(full[row]) < len(ways[row])]
    if faulty:
        why = f"the row {faulty[0]} was not dealt to its end and no further"
        return Rows(cards, totals, frozenset(), why, faulty, unsure)
    first = cards[NOIR][0].card
    reds = (True, False) if first is None else (first.is_red,)
    sums = {row: sorted({sum(way) for way in full[row]}) for row in ROWS}
    results = frozenset(
        result_of(noir, rouge, red, full_from) for noir, rouge, red in product(sums[NOIR], sums[ROUGE], reds)
    )
    for row in ROWS:
        if len(sums[row]) == 1:
            totals[row] = sums[row][0]
    reason = None if len(results) == 1 else _unread_text(unread)
    return Rows(cards, totals, results, reason, faulty, unsure)


def _total(cards: Sequence[SeenCard]) -> int | None:
    known = [card_points(card.card) for card in cards if card.card is not None]
    return sum(known) if cards and len(known) == len(cards) else None


def _ways(cards: Sequence[SeenCard]) -> list[tuple[int, ...]]:
    return list(product(*(_VALUES if c.card is None else (card_points(c.card),) for c in cards)))


def _unread_text(unread: Sequence[SeenCard]) -> str:
    card = unread[0]
    return f"a card of {card.hand} was not read: {card.unread or 'its face was not seen'}"


def counted_otherwise(rows: Rows, result: Result) -> bool:
    """Whether the rows would have this result if aces counted eleven, or court cards 11, 12 and 13."""

    def ace_high(card: Card) -> int:
        return 11 if card.rank is Rank.ACE else card_points(card)

    def courts_high(card: Card) -> int:
        return {Rank.JACK: 11, Rank.QUEEN: 12, Rank.KING: 13}.get(card.rank, card_points(card))

    first = rows.cards[NOIR][0].card
    if first is None:
        return False
    for count in (ace_high, courts_high):
        noir, rouge = (sum(count(c.card) for c in rows.cards[row] if c.card is not None) for row in ROWS)
        other = result_of(noir, rouge, first.is_red)
        if other.kind is Kind.DECIDED and other == result:
            return True
    return False
