"""Dealing: one by one, face down, the opponent first; and what section VIII says when it goes wrong."""

from __future__ import annotations

from itertools import pairwise

from rules.baccarat.coup import Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Hand, HandContact, Owner
from rules.games.chemin_de_fer.deal import Deal, Exposed, total_of
from rules.games.chemin_de_fer.hearing import at_all, during
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import BANCA, PUNTO, SIDES
from rules.seen_cards import SeenCard
from rules.spots import SHOE, Area, Spot, hand_spot

_ORDER = (PUNTO, BANCA, PUNTO, BANCA)
_INITIAL = len(_ORDER)
_TOGETHER_S = 0.05


def judge_dealing(
    coup: Coup, deal: Deal, banker: int | None, profile: CheminDeFerProfile, docket: Docket
) -> None:
    """All that is prescribed for dealing and handling the cards."""
    _judge_stuck(deal, docket)
    _judge_order(coup, deal, docket)
    _judge_exposed(coup, deal, docket)
    _judge_third_faces(deal, docket)
    _judge_counts(coup, deal, docket)
    _judge_basket(coup, deal, docket)
    _judge_floor(coup, docket)
    _judge_hands(coup, banker, docket)
    _judge_holding(coup, profile, docket)


def _judge_stuck(deal: Deal, docket: Docket) -> None:
    if deal.stuck is None:
        docket.conform("CF-ERR-02")
        return
    t, seq = deal.stuck
    docket.breach(
        "CF-ERR-02",
        "STUCK_CARDS",
        Moment.at(t, seq),
        expected="one card at a time out of the shoe",
        seen=f"two cards left the shoe as one at {clock(t)}",
        spot=SHOE,
    )


def _judge_order(coup: Coup, deal: Deal, docket: Docket) -> None:
    rule, code = "CF-DEAL-01", "WRONG_DEAL_ORDER"
    if deal.stuck is not None or deal.basket is not None or deal.excess:
        return  # section VIII says what follows
    initial = coup.cards[:_INITIAL]
    expected = ", ".join(_ORDER)
    when = Moment.span(coup.t_close, initial[-1].t, *(card.seq for card in initial))
    if len(initial) < _INITIAL:
        if coup.over:
            why = "the recording ended" if coup.cut_off else "no more cards were seen"
            docket.undetermined(rule, code, when, f"{why} after {len(initial)}", expected=expected)
        return
    if coup.began_unseen:
        why = "the cards lay there when the recording began"
        docket.undetermined(rule, code, when, why, expected=expected)
        return
    order = [card.hand or "" for card in initial]
    if order == list(_ORDER):
        docket.conform(rule)
        _judge_third_order(coup, docket)
        return
    wrong = next(card for card, side in zip(initial, _ORDER, strict=True) if card.hand != side)
    if reason := _unsure(coup, initial):
        docket.undetermined(
            rule, code, when, reason, expected=expected, seen=", ".join(order), spot=wrong.dealt_to
        )
        return
    docket.breach(rule, code, when, expected=expected, seen=", ".join(order), spot=wrong.dealt_to)
    _ask_ruling(coup, "the cards dealt in another order than prescribed", when, docket)


def _unsure(coup: Coup, initial: list[SeenCard]) -> str | None:
    """Why the order in which the cards came is not sure."""
    for side in SIDES:
        if gap := coup.gaps.within(hand_spot(side), coup.t_close, initial[-1].t):
            return f"hand {side} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    if sum(card.hand == PUNTO for card in initial) != 2 and any(c.t_exit is None for c in coup.cards):
        return "a card may have been dealt unseen"
    if any(two.t - one.t < _TOGETHER_S for one, two in pairwise(initial)):
        return "two cards came to rest at the same time"
    return None


def _judge_third_order(coup: Coup, docket: Docket) -> None:
    """The banker acts after punto, so punto's third card comes first."""
    thirds = coup.cards[_INITIAL:][:2]
    if [card.hand for card in thirds] == [BANCA, PUNTO] and thirds[1].t - thirds[0].t > _TOGETHER_S:
        docket.breach(
            "CF-DEAL-01",
            "WRONG_DEAL_ORDER",
            Moment.span(thirds[0].t - 1.0, thirds[1].t, thirds[0].seq, thirds[1].seq),
            expected="punto's third card before banca's",
            seen="banca's third card before punto's",
            spot=thirds[0].dealt_to,
            subject="third",
        )


def _ask_ruling(coup: Coup, fault: str, when: Moment, docket: Docket) -> None:
    """Whether a fault voids the coup is the inspector's to say."""
    rulings = [cue for cue in at_all(coup, "ruling") if cue.t >= when.t_from]
    if coup.void or any(cue.value == "rectified" for cue in rulings):
        docket.conform("CF-ERR-05")
        return
    why = "whether it could be put right was not told (cue ruling: rectified, or cue coup_void)"
    docket.undetermined("CF-ERR-05", "VOID_NOT_APPLIED", when, why, seen=fault)


# exposed cards --------------------------------------------------------------------------------------------


_EXPOSED_ROWS = {
    "shoe": "CF-ERR-01",
    "dealer": "CF-ERR-04",
    "banker": "CF-ERR-11",
    "unknown": "CF-DEAL-01",
}
_EXPOSED_DUE = {
    "shoe": "a card that comes out face up removed",
    "dealer": "the first four cards face down; exposed by the dealer, the coup goes by the drawing rules",
    "banker": "the banker's own card of the same round shown as well",
    "unknown": "the first four cards face down until all of them lie there",
}


def _judge_exposed(coup: Coup, deal: Deal, docket: Docket) -> None:
    if coup.began_unseen:
        return
    for case in deal.exposed:
        name = case.card.name if case.card.card is not None else "a card"
        seen = f"{name} face up at {clock(case.t)}{_what_then(coup, deal, case)}"
        when = Moment.at(case.t, *case.card.seqs)
        spot = case.card.dealt_to
        gap = coup.gaps.within(spot, case.card.t - 1.0, case.t) if case.by == "unknown" else None
        rule, due = _EXPOSED_ROWS[case.by], _EXPOSED_DUE[case.by]
        if gap is None:
            docket.breach(
                rule, "EXPOSED_CARD", when, expected=due, seen=seen, spot=spot, subject=case.card.card_id
            )
        else:
            why = f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
            docket.undetermined(
                rule, "EXPOSED_CARD", when, why, expected=due, seen=seen, spot=spot, subject=case.card.card_id
            )
    if not deal.exposed and len(coup.cards) >= _INITIAL:
        docket.conform("CF-DEAL-01")


def _what_then(coup: Coup, deal: Deal, case: Exposed) -> str:
    """What became of an exposed card, in words."""
    match case.by:
        case "shoe":
            return ", and played" if case.card in coup.cards else ", and removed"
        case "dealer":
            return ", turned by the dealer"
        case "banker" if case.card in deal.first[PUNTO]:
            index = deal.first[PUNTO].index(case.card)
            own = deal.first[BANCA][index] if len(deal.first[BANCA]) > index else None
            shown = own is not None and own.t_up is not None and own.t_up <= _next_act(coup, deal)
            word = "shown" if shown else "not shown"
            return f", turned by the banker; his own was {word} before punto's turn was over"
        case "banker":
            return ", turned by the banker"
    return ""


def _next_act(coup: Coup, deal: Deal) -> float:
    """When the play went on after the first four cards: a third card, or the bets settled."""
    thirds = [card.t for side in SIDES for card in deal.thirds[side]]
    return min([*thirds, *(move.t for move in coup.moves if move.owner is Owner.DEALER)], default=coup.t_end)


def _judge_third_faces(deal: Deal, docket: Docket) -> None:
    """A third card is dealt face up."""
    for side in SIDES:
        for card in deal.thirds[side]:
            if card.placed_up:
                docket.conform("CF-DRAW-04")
                continue
            docket.breach(
                "CF-DRAW-04",
                "CARD_FACE_WRONG",
                Moment.at(card.t, *card.seqs),
                expected="the third card face up",
                seen=f"it was laid face down at {clock(card.t)}",
                spot=hand_spot(side),
            )


# too many cards -------------------------------------------------------------------------------------------


def _judge_counts(coup: Coup, deal: Deal, docket: Docket) -> None:
    """Too many cards: which count, and which rule says so."""
    if deal.excess:
        _count_breach(
            "CF-ERR-08",
            deal.excess[0],
            "two cards for the banker in the first deal",
            f"{2 + len(deal.excess)} cards; banca counts 0",
            BANCA,
            docket,
        )
    elif len(deal.first[BANCA]) == 2:
        docket.conform("CF-ERR-08")
    for side in SIDES:
        cards = deal.thirds[side]
        if len(cards) == 2:
            first, second = (card.name for card in cards)
            better = "better" if side == PUNTO else "worse"
            seen = f"two: {first} and {second}; the {better} one counts{_kept(deal, side)}"
            _count_breach("CF-ERR-09", cards[1], f"one third card for {side}", seen, side, docket)
        elif len(cards) > 2:
            _count_breach(
                "CF-ERR-05", cards[2], f"one third card for {side}", f"{len(cards)} of them", side, docket
            )
            when = Moment.at(cards[2].t, *cards[2].seqs)
            _ask_ruling(coup, f"{len(cards)} third cards for {side}", when, docket)
        elif cards:
            docket.conform("CF-ERR-09")


def _kept(deal: Deal, side: str) -> str:
    """Which of two third cards was left, where one was taken away and another counts."""
    base = total_of(deal.first[side])
    left = [card for card in deal.thirds[side] if card not in deal.rejected]
    values = [total_of([card]) for card in deal.thirds[side]]
    if len(left) != 1 or base is None or None in values:
        return ""
    worth = {card.card_id: (base + (total_of([card]) or 0)) % 10 for card in deal.thirds[side]}
    due = (max if side == PUNTO else min)(worth.values())
    return "" if worth[left[0].card_id] == due else f", but {left[0].name} was left"


def _count_breach(rule: str, card: SeenCard, expected: str, seen: str, side: str, docket: Docket) -> None:
    docket.breach(
        rule,
        "WRONG_CARD_COUNT",
        Moment.at(card.t, *card.seqs),
        expected=expected,
        seen=seen,
        spot=hand_spot(side),
    )


# the basket, the floor, and whose hands -------------------------------------------------------------------


def _judge_basket(coup: Coup, deal: Deal, docket: Docket) -> None:
    """Cards that went into the basket unseen."""
    if deal.basket is not None:
        which = "third card" if deal.basket_third else "card"
        docket.breach(
            "CF-ERR-10",
            "CARD_IN_DISCARD_EARLY",
            Moment.at(deal.basket.t, *deal.basket.seqs),
            expected=f"punto's {which} brought to him",
            seen="it went from the shoe into the basket; punto has 9",
            spot=hand_spot(PUNTO),
        )
    for side, rule in ((BANCA, "CF-ERR-14"), (PUNTO, "CF-ERR-21")):
        card = deal.thrown.get(side)
        if card is not None:
            docket.breach(
                rule,
                "CARD_IN_DISCARD_EARLY",
                Moment.at(card.t_cleared or card.t, *card.seqs),
                expected="the cards shown before they go into the basket",
                seen=f"a card of {side} went into the basket unseen; {side} loses",
                spot=hand_spot(side),
            )
        elif coup.t_swept is not None:
            docket.conform(rule)


def _judge_floor(coup: Coup, docket: Docket) -> None:
    """A card on the floor: who picked it up."""
    rule, code = "CF-ERR-03", "CARD_OFF_TABLE"
    fallen = [card for card in (*coup.cards, *coup.aside) if _left_table(card)]
    picked = during(coup, "card_picked_up")
    for index, card in enumerate(fallen):
        when = Moment.at(card.t, *card.seqs)
        expected = "a card on the floor picked up by the dealer or another employee"
        if index >= len(picked):
            why = "who picked it up was not told (cue card_picked_up)"
            docket.undetermined(rule, code, when, why, expected=expected, subject=card.card_id)
        elif picked[index].value == "player":
            docket.breach(
                rule, code, when, expected=expected, seen="a player picked it up", subject=card.card_id
            )
        else:
            docket.conform(rule)


def _left_table(card: SeenCard) -> bool:
    rests = any(rest.spot.area is Area.OFF_TABLE for rest in card.rests)
    return rests or (card.cleared_to is not None and card.cleared_to.area is Area.OFF_TABLE)


def _judge_hands(coup: Coup, banker: int | None, docket: Docket) -> None:
    """Only the dealer, the banker and the one opponent have their hands on the cards."""
    rule, told = "CF-DEALER-01", False
    holder: int | None = None
    contacts = [(contact, card) for card in coup.cards for contact in card.contacts]
    for contact, card in sorted(contacts, key=lambda pair: pair[0].t):
        hand, side = contact.hand, card.hand
        told |= hand.owner is not Owner.UNKNOWN
        if hand.owner is not Owner.PLAYER or hand.seat is None or hand.seat == banker or banker is None:
            continue
        allowed = side == PUNTO and (holder is None or holder == hand.seat or _handed_on(coup))
        if allowed:
            holder = hand.seat
            continue
        docket.breach(
            rule,
            "UNAUTHORISED_CARD_CONTACT",
            Moment.at(contact.t, contact.seq),
            expected="the hands of the dealer, the banker and one opponent only",
            seen=f"the player at seat {hand.seat} had a hand on a card of {side}",
            spot=card.spot,
            subject=card.card_id,
        )
        return
    if told:
        docket.conform(rule)


def _handed_on(coup: Coup) -> bool:
    """Whether something was told by which the cards may go from one player to another."""
    return bool(at_all(coup, "followed_banco", "cards_claimed", "cards_reclaimed"))


def _judge_holding(coup: Coup, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Nobody keeps the cards in his hand for long."""
    rule, held = "CF-ERR-16", False
    mine = {card.card_id for card in coup.cards}
    for event in coup.events:
        if not isinstance(event, HandContact) or event.hand.owner is not Owner.PLAYER or event.t_to is None:
            continue
        spot = Spot.parse(event.spot)
        if event.t < coup.t_first or not (spot.area is Area.HAND or event.target in mine):
            continue
        held = True
        if event.t_to - event.t <= profile.held_s:
            continue
        docket.breach(
            rule,
            "SLOW_ROLL",
            Moment.span(event.t, event.t_to, event.seq),
            expected=f"the cards looked at and put down within {profile.held_s:.0f} s",
            seen=f"{_whose(event.hand)} kept them for {event.t_to - event.t:.0f} s",
            spot=spot,
        )
        return
    if held:
        docket.conform(rule)


def _whose(hand: Hand) -> str:
    return "a player" if hand.seat is None else f"the player at seat {hand.seat}"
