"""What is said aloud: the opening of a game, the close of bets, the draws, the winner.

Cameras do not hear. Each is judged where the profile lists its cue among those told at the table: then what
was not told was not said.
"""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.points import HANDS, card_value, points
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Cue, Event
from rules.games.punto_banco.drawing import Outcome
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.seen_cards import SeenCard
from rules.spots import hand_spot

_LAG_S = 0.5
"""A cue may be told this much after the thing it calls for, or before the one it tells of."""
CARD = "carta"
"""What is announced for a hand that draws; one that stands is announced with its total."""


def judge_spoken(coup: Coup, outcome: Outcome, profile: PuntoBancoProfile, docket: Docket) -> None:
    """All announcements of one coup."""
    if coup.began_unseen or coup.void:
        return
    _judge_close(coup, profile, docket)
    _judge_start(coup, profile, docket)
    if coup.over and not coup.cut_off:
        _judge_draws(coup, outcome, profile, docket)
        _judge_winner(coup, outcome, profile, docket)
    _judge_totals(coup, profile, docket)


def _told(events: tuple[Event, ...] | list[Event], cue: str) -> list[Cue]:
    return [event for event in events if isinstance(event, Cue) and event.cue == cue]


def _out_at(coup: Coup) -> float:
    """When the first card left the shoe."""
    first = coup.cards[0]
    return first.t if first.t_exit is None else first.t_exit


def _judge_close(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """Bets are closed aloud, then cards called for, before any card is dealt."""
    rule = profile.articles.close_called
    if rule is None:
        return
    out = _out_at(coup)
    for cue, words in (("no_more_bets", "the bets closed aloud"), ("cards_called", "cards called for")):
        before = _told([*coup.before, *coup.events], cue)
        late = [event for event in before if event.t > out + _LAG_S and event.t < coup.t_result]
        if any(event.t <= out + _LAG_S for event in before):
            docket.conform(rule)
        elif late or cue in profile.cues:
            seen = f"that came at {clock(late[0].t)}" if late else "that was not said"
            docket.breach(
                rule,
                "DEALT_BEFORE_CLOSE",
                Moment.at(out, coup.cards[0].seq, *(event.seq for event in late[:1])),
                expected=f"{words} before the first card",
                seen=f"the first card left the shoe at {clock(out)}; {seen}",
                subject=cue,
            )


def _judge_start(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    rule, cue = profile.articles.start_called, "game_announced"
    if rule is None or cue not in profile.cues:
        return
    out = _out_at(coup)
    if any(event.t <= out + _LAG_S for event in _told([*coup.before, *coup.events], cue)):
        docket.conform(rule)
    else:
        _missing(rule, Moment.at(out, coup.cards[0].seq), "the start of the game announced", cue, docket)


def _judge_draws(coup: Coup, outcome: Outcome, profile: PuntoBancoProfile, docket: Docket) -> None:
    """For each hand, unless a natural ended the coup: that it draws, or on what it stands."""
    rule = profile.articles.draws_called
    if rule is None or outcome.natural is not False:
        return
    for hand in HANDS:
        cue = f"{hand}_announced"
        if cue not in profile.cues:
            continue
        cards = coup.hand(hand)
        drew = len(cards) > 2
        said = _told(list(coup.events), cue)
        if any((event.value == CARD) == drew for event in said):
            docket.conform(rule)
            continue
        due = f"a card announced for {hand}" if drew else f"announced on what {hand} stands"
        seen = f"{said[0].value} announced" if said else None
        _missing(rule, Moment.at(coup.t_result, *_seqs(cards)), due, cue, docket, seen)


def _judge_winner(coup: Coup, outcome: Outcome, profile: PuntoBancoProfile, docket: Docket) -> None:
    rule, cue = profile.articles.winner_called, "winner_announced"
    if rule is None or cue not in profile.cues or outcome.result is None:
        return
    said = [event for event in _told(list(coup.events), cue) if event.t >= coup.t_result - _LAG_S]
    if any(event.value == outcome.result.value for event in said):
        docket.conform(rule)
        return
    seen = f"{said[0].value} announced" if said else None
    due = f"{outcome.result.value} announced"
    _missing(rule, Moment.at(coup.t_result, *_seqs(coup.cards)), due, cue, docket, seen)


def _judge_totals(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """A total that is announced is the units digit of the cards' sum."""
    for hand in HANDS:
        cards = coup.hand(hand)[:2]
        total = _total(cards)
        said = [
            event
            for event in _told(list(coup.events), f"{hand}_announced")
            if event.value not in (None, CARD)
        ]
        if total is None or not said:
            continue
        wrong = [event for event in said if event.value != str(total)]
        if not wrong:
            docket.conform(profile.articles.values)
            continue
        docket.breach(
            profile.articles.values,
            "WRONG_WINNER",
            Moment.at(wrong[0].t, wrong[0].seq, *_seqs(cards)),
            expected=f"{total} announced for {hand}",
            seen=f"{wrong[0].value} announced with {' '.join(card.name for card in cards)}",
            spot=hand_spot(hand),
            subject="announced",
        )


def _total(cards: list[SeenCard]) -> int | None:
    values = [card_value(card.card) for card in cards if card.card is not None]
    return points(values) if len(values) == 2 else None


def _missing(
    rule: str, when: Moment, expected: str, cue: str, docket: Docket, seen: str | None = None
) -> None:
    docket.breach(
        rule,
        "ANNOUNCEMENT_MISSING",
        when,
        expected=expected,
        seen=seen or f"no such announcement (cue {cue})",
        subject=cue,
    )


def _seqs(cards: list[SeenCard]) -> tuple[int, ...]:
    return tuple(seq for card in cards for seq in card.seqs)
