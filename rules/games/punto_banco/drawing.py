"""Naturals, third cards, totals and the winner.

A card that was not read may be any, or one of the few that the journal says: everything is judged for each
value that it may have, and a verdict is given only if it is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product

from rules.baccarat.coup import Coup
from rules.baccarat.drawing_table import DrawingTable
from rules.baccarat.points import Result, points, result_of, values_of
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.punto_banco.articles import Articles
from rules.games.punto_banco.dealing import cards_missed
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.seen_cards import SeenCard
from rules.spots import hand_spot

_MOST_UNREAD = 3
"""More unread cards than this are not played through: hardly anything could be concluded."""


class Draw(Enum):
    """How a hand's third card stands to the rules."""

    CONFORM = auto()
    EXTRA = auto()
    MISSING = auto()
    OPEN = auto()
    """The rules do not say, because punto went wrong before."""
    IDLE = auto()
    """The rule did not apply: a natural had ended the coup."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What the drawing rules say of a finished deal, for certain values of all cards.

    ``natural``: hands that were given a third card although a natural had ended the coup, None if there
    was no natural. ``results``: by the cards as they lie (more than one where a hand has four and it
    matters).
    """

    natural: frozenset[str] | None
    punto: Draw
    banca: Draw
    results: frozenset[Result]


def judge_values(punto: Sequence[int], banca: Sequence[int], table: DrawingTable) -> Drawing:
    """The drawing rules applied to the values of two hands of at least two cards, as dealt."""
    first_p, first_b = points(punto[:2]), points(banca[:2])
    results = frozenset(
        result_of(points(p), points(b))
        for p, b in {(tuple(punto[:3]), tuple(banca[:3])), (tuple(punto), tuple(banca))}
    )
    if table.is_natural(first_p, first_b):
        given = frozenset(name for name, hand in (("punto", punto), ("banca", banca)) if len(hand) > 2)
        return Drawing(given, Draw.IDLE, Draw.IDLE, results)
    third = punto[2] if len(punto) > 2 else None
    punto_draw = _compare(table.punto_draws(first_p), third is not None)
    drew = len(banca) > 2
    banca_draw = _compare(table.banca_draws(first_b, third), drew)
    if banca_draw is not Draw.CONFORM and punto_draw is Draw.EXTRA:
        # Punto should have stood, and banca may have gone by that.
        banca_draw = Draw.CONFORM if table.banca_draws(first_b, None) == drew else banca_draw
    elif banca_draw is not Draw.CONFORM and punto_draw is Draw.MISSING:
        banca_draw = Draw.OPEN
    return Drawing(None, punto_draw, banca_draw, results)


def _compare(due: bool, drawn: bool) -> Draw:
    if due == drawn:
        return Draw.CONFORM
    return Draw.EXTRA if drawn else Draw.MISSING


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a coup came out: every result it may have, the totals where known, and why it is not known."""

    results: frozenset[Result]
    punto_total: int | None
    banca_total: int | None
    natural: bool | None
    reason: str | None = None

    @property
    def result(self) -> Result | None:
        """The result, None if more than one is possible."""
        return next(iter(self.results)) if len(self.results) == 1 else None


def judge_drawing(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> Outcome:
    """The drawing rules for a coup, and its outcome by the cards as dealt."""
    punto, banca = coup.hand("punto"), coup.hand("banca")
    reason = _unknowable(coup, punto, banca)
    if reason is not None:
        if coup.over:
            _all_undetermined(coup, reason, profile.articles, docket)
        return Outcome(frozenset(Result), None, None, None, reason)
    readings = [
        judge_values(values[: len(punto)], values[len(punto) :], profile.drawing)
        for values in _possible_values([*punto, *banca])
    ]
    settled = _dealt_out(coup)
    articles = profile.articles
    _judge_natural(coup, readings, articles, docket, settled)
    for hand in ("punto", "banca"):
        _judge_third(coup, hand, readings, articles, docket, settled)
    _judge_count(coup, articles.most_cards, docket, settled)
    results = frozenset(result for reading in readings for result in reading.results)
    naturals = {reading.natural is not None for reading in readings}
    outcome = Outcome(
        results,
        _total(punto),
        _total(banca),
        naturals.pop() if len(naturals) == 1 else None,
        None if len(results) == 1 else _unread([*punto, *banca]) or "a hand has more than three cards",
    )
    if outcome.result is None and coup.over and not coup.cut_off:
        when = Moment.at(coup.t_result, *_seqs([*punto, *banca]))
        docket.undetermined(
            articles.winner, "WRONG_WINNER", when, outcome.reason or "", seen=_hands_text(coup)
        )
    return outcome


def _possible_values(cards: Sequence[SeenCard]) -> Iterator[tuple[int, ...]]:
    return product(*(values_of(card) for card in cards))


def _total(cards: Sequence[SeenCard]) -> int | None:
    values = [values_of(card) for card in cards]
    return points([value for (value,) in values]) if all(len(each) == 1 for each in values) else None


def _unread(cards: Sequence[SeenCard]) -> str | None:
    for card in cards:
        if len(values_of(card)) > 1:
            return f"a card on {card.spot} is not known: {card.unread}"
    return None


def _unknowable(coup: Coup, punto: list[SeenCard], banca: list[SeenCard]) -> str | None:
    """Why nothing can be said of the draws, or None."""
    if len(punto) < 2 or len(banca) < 2:
        if coup.cut_off or not coup.over:
            return "the recording ended before the hands were dealt"
        return cards_missed(coup) or "the hands were not seen"
    if reason := cards_missed(coup):
        return reason
    unread = [card for card in (*punto, *banca) if len(values_of(card)) > 1]
    return _unread(unread) if len(unread) > _MOST_UNREAD else None


def _all_undetermined(coup: Coup, reason: str, articles: Articles, docket: Docket) -> None:
    when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
    docket.undetermined(articles.punto_draw[None], "WRONG_DRAW", when, reason, spot=hand_spot("punto"))
    docket.undetermined(articles.banca_draw[None], "WRONG_DRAW", when, reason, spot=hand_spot("banca"))
    docket.undetermined(articles.winner, "WRONG_WINNER", when, reason, seen=_hands_text(coup))


def _dealt_out(coup: Coup) -> bool:
    """Whether no more cards will come: the cards are being gathered, or the dealer settles the bets."""
    if coup.t_swept is not None or (coup.over and not coup.cut_off):
        return True
    return any(move.owner is Owner.DEALER and move.t > coup.t_result for move in coup.moves)


def _judge_natural(
    coup: Coup, readings: list[Drawing], articles: Articles, docket: Docket, settled: bool
) -> None:
    """No third card after a natural. Where one is only possible, each hand's own rule says what it can."""
    punto = _total(coup.hand("punto")[:2])
    rule = articles.natural["punto" if punto is not None and punto >= 8 else "banca"]
    cases = {reading.natural for reading in readings}
    if None in cases or len(cases) > 1:
        return
    for hand in sorted(readings[0].natural or ()):
        third = coup.hand(hand)[2]
        docket.breach(
            rule,
            "WRONG_DRAW",
            Moment.span(coup.t_close, third.t, *_seqs(coup.cards)),
            expected="no third card after a natural",
            seen=f"a third card for {hand}: {_hands_text(coup)}",
            spot=hand_spot(hand),
            subject="extra",
        )
    if settled and not readings[0].natural:
        docket.conform(rule)


def _case(reading: Drawing, hand: str) -> Draw:
    """How one hand's third card stands to the rules, a natural included."""
    if reading.natural is not None:
        return Draw.EXTRA if hand in reading.natural else Draw.IDLE
    return reading.punto if hand == "punto" else reading.banca


def _draw_rule(coup: Coup, hand: str, articles: Articles) -> str:
    """The row that says whether a hand draws, by its total and what punto did."""
    total = _total(coup.hand(hand)[:2])
    if hand == "punto":
        return articles.punto_draw.get(total, articles.punto_draw[None])
    if len(coup.hand("punto")) < 3 and total in articles.banca_after_stand:
        return articles.banca_after_stand[total]
    return articles.banca_draw.get(total, articles.banca_draw[None])


def _judge_third(
    coup: Coup, hand: str, readings: list[Drawing], articles: Articles, docket: Docket, settled: bool
) -> None:
    """One hand's third card by its own rule."""
    if all(reading.natural is not None for reading in readings):
        return
    rule = _draw_rule(coup, hand, articles)
    cases = {_case(reading, hand) for reading in readings}
    if Draw.CONFORM in cases:
        cases.discard(Draw.IDLE)  # it stands, and that is right whether or not there was a natural
    cards = coup.hand(hand)
    spot = hand_spot(hand)
    when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
    sure = next(iter(cases)) if len(cases) == 1 else None
    if sure is Draw.CONFORM:
        if settled or len(cards) > 2:
            docket.conform(rule)
    elif sure is Draw.EXTRA:
        docket.breach(
            rule,
            "WRONG_DRAW",
            Moment.span(coup.t_close, cards[2].t, *_seqs(coup.cards)),
            expected=f"{hand} stands {_on(coup, hand)}",
            seen=f"{hand} was given a third card, {cards[2].name}",
            spot=spot,
            subject="extra",
        )
    elif sure is Draw.MISSING and settled:
        _missing(coup, hand, rule, when, docket)
    elif coup.over or settled:
        if coup.cut_off and not settled and sure is Draw.MISSING:
            reason = "the recording ended before the cards were gathered"
        elif sure is Draw.OPEN:
            reason = "punto was not given the third card that this depends on"
        else:
            reason = _unread(coup.cards) or "a card was not read"
        docket.undetermined(rule, "WRONG_DRAW", when, reason, seen=_hands_text(coup), spot=spot)


def _missing(coup: Coup, hand: str, rule: str, when: Moment, docket: Docket) -> None:
    """A third card that was due did not come: certain only if its place was in view until the end."""
    spot = hand_spot(hand)
    t_end = coup.t_swept if coup.t_swept is not None else coup.t_end
    gap = coup.gaps.at(spot, t_end)
    expected = f"{hand} draws {_on(coup, hand)}"
    seen = f"{hand} was given no third card"
    if gap is not None and gap.t_from > coup.cards[min(3, len(coup.cards) - 1)].t - 1.0:
        reason = f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        docket.undetermined(rule, "WRONG_DRAW", when, reason, expected=expected, seen=seen, spot=spot)
        return
    later = [move.t for move in coup.moves if move.t > coup.t_result]
    t = min([*later, t_end])
    docket.breach(
        rule,
        "WRONG_DRAW",
        Moment(t=t, t_from=max(0.0, coup.t_close), t_to=t + 1.0, seq=when.seq),
        expected=expected,
        seen=seen,
        spot=spot,
        subject="missing",
    )


def _judge_count(coup: Coup, rule: str, docket: Docket, settled: bool) -> None:
    """No hand has more than three cards."""
    long = [hand for hand in ("punto", "banca") if len(coup.hand(hand)) > 3]
    for hand in long:
        cards = coup.hand(hand)
        docket.breach(
            rule,
            "WRONG_CARD_COUNT",
            Moment.span(coup.t_close, cards[3].t, *_seqs(cards)),
            expected="at most three cards in a hand",
            seen=f"{len(cards)} cards: {' '.join(card.name for card in cards)}",
            spot=hand_spot(hand),
        )
    if not long and settled:
        docket.conform(rule)


def _on(coup: Coup, hand: str) -> str:
    """On what a hand stands or draws: its total, and for banca punto's third card."""
    own = _total(coup.hand(hand)[:2])
    text = "on this total" if own is None else f"on {own}"
    if hand == "punto":
        return text
    punto = coup.hand("punto")
    if len(punto) < 3:
        return f"{text} when punto has stood"
    return f"{text} against punto's third card {punto[2].name}"


def _hands_text(coup: Coup) -> str:
    return "; ".join(
        f"{hand} {' '.join(card.name for card in coup.hand(hand)) or '-'}" for hand in ("punto", "banca")
    )


def _seqs(cards: Sequence[SeenCard]) -> tuple[int, ...]:
    return tuple(seq for card in cards for seq in card.seqs)
