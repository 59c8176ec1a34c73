"""Dealing: black first and to its end, then red; every card open and in its row; who deals, and where used
cards go."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.procedure import judge_discards
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CardMoved, CardPlaced, ChipState, Owner, ShoeExit
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.rows import Rows, card_points
from rules.games.trente_et_quarante.words import NOIR, ROUGE, ROWS
from rules.seen_cards import SeenCard
from rules.spots import SHOE, Area, hand_spot

_TOGETHER_S = 0.05
_TURNED_S = 1.5
_MOST = 10
_NEXT_S = 5.0
"""A coup that seems to begin so shortly before a view is lost may be the one before, going on."""


def judge_dealing(coup: Coup, rows: Rows, stopped: bool, profile: TrenteProfile, docket: Docket) -> None:
    """All that is prescribed for dealing. ``stopped``: the coup was annulled before its end."""
    first = _judge_first(coup, rows, docket)
    _judge_faces(coup, docket)
    _judge_places(coup, docket)
    _judge_ends(coup, rows, first, stopped, profile, docket)
    _judge_sides(coup, docket)
    judge_discards(coup, "TQ-TABLE-02", "the used cards in their slot", docket)


def _laid_for(card: SeenCard) -> str | None:
    """The row that a card was first laid in."""
    for rest in card.rests:
        if rest.spot.area is Area.HAND:
            return rest.spot.hand
    return card.hand


def _judge_first(coup: Coup, rows: Rows, docket: Docket) -> bool:
    """The first card goes to the black row (TQ-ROW-02). Returns whether it was."""
    laid = [card for card in coup.cards if _laid_for(card) in ROWS]
    if not laid:
        return True
    first, rule, code = laid[0], "TQ-ROW-02", "WRONG_DEAL_ORDER"
    if _laid_for(first) == NOIR:
        if not coup.began_unseen:
            docket.conform(rule)
        return True
    when = Moment.span(coup.t_close, first.t, *(card.seq for card in laid[:2]))
    expected, seen = "the black row begun first", "the first card was laid in the red row"
    spot = hand_spot(ROUGE)
    gap = coup.gaps.within(hand_spot(NOIR), coup.t_close, first.t)
    reason = None
    if coup.began_unseen:
        reason = "the cards lay there when the recording began"
    elif gap is not None:
        reason = f"{hand_spot(NOIR)} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    elif len(laid) > 1 and laid[1].t - first.t < _TOGETHER_S:
        reason = "two cards came to rest at the same time"
    elif _unseen(coup, first.t) and not rows.cards[NOIR]:
        reason = "a card may have been dealt unseen"
    if reason is not None:
        docket.undetermined(rule, code, when, reason, expected=expected, seen=seen, spot=spot)
    else:
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=spot)
    return False


def _judge_faces(coup: Coup, docket: Docket) -> None:
    if coup.began_unseen:
        return
    for card in coup.cards:
        if not card.placed_up and (card.t_up is None or card.t_up > card.t + _TURNED_S):
            docket.breach(
                "TQ-ROW-02",
                "CARD_FACE_WRONG",
                Moment.at(card.t, *card.seqs),
                expected="every card laid face up",
                seen=f"a card laid face down on {card.dealt_to}",
                spot=card.dealt_to,
                subject=card.card_id,
            )
            return
    docket.conform("TQ-ROW-02")


def _judge_places(coup: Coup, docket: Docket) -> None:
    """Every card lies in one of the rows, and stays in it (TQ-ROW-01)."""
    cards = {card.card_id: card for card in coup.cards}
    for card in coup.cards:
        if card.hand not in ROWS or card.dealt_to.hand not in ROWS:
            docket.breach(
                "TQ-ROW-01",
                "HAND_POSITION_WRONG",
                Moment.at(card.t, *card.seqs),
                expected="every card in the black row or the red one",
                seen=f"{card.name} was laid on {card.dealt_to}",
                spot=card.dealt_to,
                subject=card.card_id,
            )
            return
    for event in coup.events:
        if not isinstance(event, CardMoved) or event.card_id not in cards:
            continue
        rows = {f"hand {row}" for row in ROWS}
        if event.from_spot != event.to_spot and {event.from_spot, event.to_spot} <= rows:
            docket.breach(
                "TQ-ROW-01",
                "HAND_POSITION_WRONG",
                Moment.at(event.t, event.seq),
                expected="every card left in its row",
                seen=f"{cards[event.card_id].name} moved from {event.from_spot} to {event.to_spot}",
                spot=hand_spot(ROWS[event.to_spot == f"hand {ROUGE}"]),
                subject=event.card_id,
            )
            return
    docket.conform("TQ-ROW-01")


# where a row ends -----------------------------------------------------------------------------------------


def _low(cards: list[SeenCard]) -> int:
    return sum(1 if card.card is None else card_points(card.card) for card in cards)


def _high(cards: list[SeenCard]) -> int:
    return sum(_MOST if card.card is None else card_points(card.card) for card in cards)


def _judge_ends(
    coup: Coup, rows: Rows, first: bool, stopped: bool, profile: TrenteProfile, docket: Docket
) -> None:
    """A row goes on to 31 and no further; black comes to its end before red is begun (TQ-ROW-03)."""
    if not coup.cards or coup.began_unseen:
        return
    for row in ROWS:
        cards = rows.cards[row]
        if any(_low(cards[:i]) >= profile.full_from for i in range(1, len(cards))):
            _extra(row, cards, profile, docket)
            continue
        by = cards
        if row == NOIR and first and rows.cards[ROUGE]:
            by = [card for card in cards if card.t <= rows.cards[ROUGE][0].t]
        short = _high(by) < profile.full_from
        if short and row == NOIR and first and rows.cards[ROUGE]:
            seen = f"the red row begun when black counted {_count_text(by)}"
            _missing(coup, row, by, rows.cards[ROUGE][0].t, seen, docket)
        elif short:
            if coup.over and not stopped:
                t = coup.t_swept if coup.t_swept is not None else coup.t_result
                _missing(coup, row, cards, t, f"the {_name(row)} row ended at {_count_text(cards)}", docket)
        elif row in rows.unsure:
            docket.undetermined(
                "TQ-ROW-03",
                "WRONG_DRAW",
                Moment.span(coup.t_close, coup.t_result, *(card.seq for card in cards)),
                f"not all cards of the {_name(row)} row were read",
                spot=hand_spot(row),
            )
        else:
            docket.conform("TQ-ROW-03")


def _extra(row: str, cards: list[SeenCard], profile: TrenteProfile, docket: Docket) -> None:
    at = next(i for i in range(1, len(cards)) if _low(cards[:i]) >= profile.full_from)
    docket.breach(
        "TQ-ROW-03",
        "WRONG_DRAW",
        Moment.at(cards[at].t, *(card.seq for card in cards)),
        expected=f"no card for the {_name(row)} row once it counts {profile.full_from}",
        seen=f"{cards[at].name} laid when it counted {_count_text(cards[:at])}",
        spot=hand_spot(row),
        subject="extra",
    )


def _missing(coup: Coup, row: str, cards: list[SeenCard], t: float, seen: str, docket: Docket) -> None:
    when = Moment.span(cards[0].t if cards else coup.t_close, t, *(card.seq for card in cards))
    expected, spot = f"cards for the {_name(row)} row until it counts 31", hand_spot(row)
    gap = coup.gaps.within(spot, coup.t_close, t)
    reason = None
    if coup.cut_off and row == ROUGE:
        reason = "the recording ended before the cards were gathered"
    elif gap is not None:
        reason = f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    elif _unseen(coup, t):
        reason = "a card may have been dealt unseen"
    elif not cards:
        reason = "no card was seen in the row"
    if reason is None:
        docket.breach(
            "TQ-ROW-03",
            "WRONG_DRAW",
            when,
            expected=expected,
            seen=seen,
            spot=spot,
            subject="missing",
            until=coup.t_end + _NEXT_S,
        )
    else:
        docket.undetermined(
            "TQ-ROW-03",
            "WRONG_DRAW",
            when,
            reason,
            expected=expected,
            seen=seen,
            spot=spot,
            subject="missing",
        )


def _unseen(coup: Coup, t: float) -> bool:
    """Whether a card left the shoe that was not seen to come to rest."""
    placed = {event.card_id for event in coup.events if isinstance(event, CardPlaced)}
    exits = [event for event in coup.events if isinstance(event, ShoeExit) and event.t <= t]
    nameless = sum(event.card_id is None for event in exits)
    own = sum(card.t_exit is None for card in coup.cards)
    return nameless > own or any(e.card_id is not None and e.card_id not in placed for e in exits)


def _name(row: str) -> str:
    return "black" if row == NOIR else "red"


def _count_text(cards: list[SeenCard]) -> str:
    low, high = _low(cards), _high(cards)
    return str(low) if low == high else f"{low} to {high}"


# who does what --------------------------------------------------------------------------------------------


def _judge_sides(coup: Coup, docket: Docket) -> None:
    """One croupier deals and the other one settles (TQ-STAFF-02)."""
    deals = {
        contact.hand.side: contact.seq
        for card in coup.cards
        for contact in card.contacts
        if contact.hand.owner is Owner.DEALER and contact.hand.side is not None and contact.t <= coup.t_result
    }
    settles = {
        event.hand.side: event
        for event in coup.events
        if isinstance(event, ChipState)
        and event.t > coup.t_result
        and event.hand is not None
        and event.hand.owner is Owner.DEALER
        and event.hand.side is not None
    }
    if not deals or not settles:
        return
    both = [side for side in deals if side in settles]
    if not both:
        docket.conform("TQ-STAFF-02")
        return
    event = settles[both[0]]
    docket.breach(
        "TQ-STAFF-02",
        "WRONG_DEALER_SIDE",
        Moment.at(event.t, event.seq, deals[both[0]]),
        expected="the bets settled by the other croupier than the one who deals",
        seen=f"the croupier at the {both[0]} dealt the cards and moved bets",
        spot=SHOE,
    )
