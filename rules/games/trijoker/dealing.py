"""The deal: one pack, to whom each card goes and how many, which cards show their faces too early."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf

from rules.baccarat.coup import Coup
from rules.cards import Card
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CardCleared, CardMoved, CardPlaced, Owner
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.round import Round, dealt_for, face_up
from rules.games.trijoker.words import COMMUNITY, OWN_CARDS, RIGHT, seat_of
from rules.seen_cards import SeenCard, Turn
from rules.sight import Sight
from rules.spots import OFF_TABLE, Area, Spot, hand_spot

_ASIDE = (Area.DECK, Area.TABLE, Area.BURN, Area.DISCARD)
"""Where a card of the pack may come to lie face up without being dealt."""


@dataclass(frozen=True, slots=True)
class Error:
    """What may annul a hand. ``rule``: that says what follows; ``voids``: whether it does, None if that is
    not known (``reason``); ``what``: in words."""

    rule: str
    voids: bool | None
    t: float
    seq: int
    what: str
    reason: str = ""


def judge_dealing(
    coup: Coup, play: Round, profile: TrijokerProfile, sight: Sight, docket: Docket
) -> list[Error]:
    """The deal's rules for one hand; returns the errors, the earliest first."""
    _judge_pack(coup, profile, sight, docket)
    _judge_left(coup, docket)
    _judge_off_table(coup, docket)
    errors = [] if coup.began_unseen else _judge_places(coup, play, profile, docket)
    errors += _judge_faces(coup, play, profile, docket)
    return sorted(errors, key=lambda error: error.t)


def _judge_pack(coup: Coup, profile: TrijokerProfile, sight: Sight, docket: Docket) -> None:
    """No card is there more often than there are packs (TJ-DECK-01)."""
    own: dict[Card, list[SeenCard]] = {}
    for card in coup.cards:
        if card.card is not None:
            own.setdefault(card.card, []).append(card)
    clean = True
    for face, copies in own.items():
        if len(copies) <= profile.packs:
            continue
        clean = False
        last, least = copies[-1], min(card.p for card in copies)
        when = Moment.at(last.t, *(card.seq for card in copies))
        spot = None if last.hand is None else hand_spot(last.hand)
        times = "once" if profile.packs == 1 else f"{profile.packs} times at most"
        expected, seen = f"{face} {times} in a hand", f"{face} {len(copies)} times"
        rule, code = "TJ-DECK-01", "CARD_COMPOSITION"
        if least >= sight.composition_p:
            docket.breach(rule, code, when, expected=expected, seen=seen, spot=spot, subject=str(face))
        else:
            why = f"one of them was read with a probability of {least:.2f} only"
            docket.undetermined(
                rule, code, when, why, expected=expected, seen=seen, spot=spot, subject=str(face)
            )
    if clean:
        docket.conform("TJ-DECK-01")


def _judge_left(coup: Coup, docket: Docket) -> None:
    """The cards of the hand before are gathered when the next is dealt (TJ-END-01)."""
    lying = [card for card in coup.left if card.t_cleared is None or card.t_cleared > coup.t_first]
    if not lying:
        docket.conform("TJ-END-01")
        return
    docket.breach(
        "TJ-END-01",
        "CARDS_LEFT_ON_TABLE",
        Moment.at(coup.t_first, coup.cards[0].seq, *(card.seq for card in lying)),
        expected="all cards of the hand before gathered",
        seen=f"{len(lying)} of them lay there when the next card was dealt",
        spot=lying[0].spot,
    )


def _judge_off_table(coup: Coup, docket: Docket) -> None:
    """The cards stay on the table (TJ-TOUCH-01)."""
    gone: dict[str, CardMoved | CardCleared | CardPlaced] = {}
    for event in coup.events:
        match event:
            case CardMoved() | CardCleared() if event.to_spot == str(OFF_TABLE):
                gone.setdefault(event.card_id, event)
            case CardPlaced() if event.spot == str(OFF_TABLE):
                gone.setdefault(event.card_id, event)
    for card in coup.cards:
        left = gone.get(card.card_id)
        if left is None:
            docket.conform("TJ-TOUCH-01")
            continue
        docket.breach(
            "TJ-TOUCH-01",
            "CARD_OFF_TABLE",
            Moment.at(left.t, left.seq, card.seq),
            expected="the cards on the table at all times",
            seen=f"a card left it at {clock(left.t)}",
            spot=card.dealt_to,
            subject=card.card_id,
        )


# to whom, and how many ------------------------------------------------------------------------------------


def _judge_places(coup: Coup, play: Round, profile: TrijokerProfile, docket: Docket) -> list[Error]:
    """To whom the cards went: how many to each hand, and in which order."""
    order = play.deal(profile.order)
    mine = [card for card in play.dealt if dealt_for(card) in set(order)]
    errors = [] if not play.bets_seen else _strangers(coup, play, order, docket)
    went = [dealt_for(card) for card in mine]
    if min(play.t_left, play.t_right, play.t_settled_from) == inf:
        # It may not be finished: what was dealt so far must be as the order begins.
        astray = next(
            (i for i, (one, other) in enumerate(zip(went, order, strict=False)) if one != other), None
        )
        if astray is None and len(went) > len(order):
            astray = len(order)
        if astray is None:
            return errors
        name = went[astray] or ""
        if went[: astray + 1].count(name) > order.count(name):
            return [*errors, _miscounted(coup, play, name, docket)]
        return [*errors, _astray(mine[astray], order[astray], docket)]
    counts, due = Counter(went), Counter(order)
    wrong = [name for name in due if counts[name] != due[name]]
    if wrong:
        found = [_miscounted(coup, play, name, docket) for name in wrong]
        return errors + [error for error in found if error.voids is not None]
    docket.conform("TJ-DEAL-02", len(due))
    astray = next((i for i, (one, other) in enumerate(zip(went, order, strict=True)) if one != other), None)
    if astray is not None:
        return [*errors, _astray(mine[astray], order[astray], docket)]
    docket.conform("TJ-DEAL-01")
    return errors


def _strangers(coup: Coup, play: Round, order: list[str], docket: Docket) -> list[Error]:
    """Cards dealt where no bet lies."""
    errors = []
    for name, cards in play.by_hand.items():
        seat = seat_of(name)
        if seat is None or name in order:
            continue
        when, spot = Moment.at(cards[0].t, cards[0].seq), hand_spot(name)
        expected, seen = "cards for those who bet", f"cards at seat {seat}, where no bet lay"
        if any(gap.t_from <= coup.t_close <= gap.t_to + 0.5 for gap in coup.gaps.all):
            why = "not all boxes could be seen when the bets were closed"
            docket.undetermined(
                "TJ-DEAL-01", "WRONG_DEAL_ORDER", when, why, expected=expected, seen=seen, spot=spot
            )
            continue
        sure = docket.breach("TJ-DEAL-01", "WRONG_DEAL_ORDER", when, expected=expected, seen=seen, spot=spot)
        errors.append(_annuls(sure, cards[0], seen))
    return errors


def _miscounted(coup: Coup, play: Round, name: str, docket: Docket) -> Error:
    cards = play.by_hand.get(name, [])
    due = 1 if name in COMMUNITY else OWN_CARDS
    last = cards[-1] if cards else play.dealt[-1]
    when, spot = Moment.at(last.t, *(card.seq for card in cards)), hand_spot(name)
    expected, seen = f"{due} at {spot}", f"{len(cards)} dealt there"
    gap = coup.gaps.within(spot, coup.t_close, play.dealt[-1].t)
    if len(cards) < due and gap is not None:
        why = f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        docket.undetermined(
            "TJ-DEAL-02", "WRONG_CARD_COUNT", when, why, expected=expected, seen=seen, spot=spot
        )
        return Error("TJ-VOID-01", None, last.t, last.seq, seen, why)
    sure = docket.breach("TJ-DEAL-02", "WRONG_CARD_COUNT", when, expected=expected, seen=seen, spot=spot)
    return _annuls(sure, last, f"{seen}, at {spot}")


def _annuls(sure: bool, card: SeenCard | CardPlaced, what: str) -> Error:
    """An error that annuls the hand, if it was one."""
    return Error(
        "TJ-VOID-01", sure or None, card.t, card.seq, what, "" if sure else f"{what}, as far as seen"
    )


def _astray(card: SeenCard, due: str, docket: Docket) -> Error:
    name = dealt_for(card) or ""
    seen = f"it went to {hand_spot(name)}"
    sure = docket.breach(
        "TJ-DEAL-01",
        "WRONG_DEAL_ORDER",
        Moment.at(card.t, card.seq),
        expected=f"the next card for {hand_spot(due)}",
        seen=seen,
        spot=hand_spot(name),
        subject=card.card_id,
    )
    return _annuls(sure, card, f"a card went to {hand_spot(name)} out of order")


# faces ----------------------------------------------------------------------------------------------------


def _judge_faces(coup: Coup, play: Round, profile: TrijokerProfile, docket: Docket) -> list[Error]:
    """Cards that show their faces before their time."""
    errors: list[Error] = []
    for name, cards in play.by_hand.items():
        for card in cards:
            if name in COMMUNITY:
                errors += _judge_common(card, name, play, profile, docket)
            else:
                errors += _judge_own(coup, card, play, docket)
    return errors + _judge_aside(coup, play, docket)


def _judge_own(coup: Coup, card: SeenCard, play: Round, docket: Docket) -> list[Error]:
    """A player's card: shown by mistake (TJ-ERR-01), or by its player (TJ-INFO-01)."""
    early = next((turn for turn in face_up(card) if _early(turn, coup, play)), None)
    if early is None:
        docket.conform("TJ-INFO-01" if play.t_settled_from < inf else "TJ-ERR-01")
        return []
    owner = Owner.UNKNOWN if early.hand is None else early.hand.owner
    in_deal = early.t <= play.t_dealt
    if owner is Owner.PLAYER or (owner is Owner.UNKNOWN and not in_deal):
        _show(
            card,
            early,
            "TJ-INFO-01",
            "PLAYER_CARD_EXPOSED",
            "the player's cards kept from the others",
            docket,
        )
        return []
    _show(card, early, "TJ-ERR-01", "EXPOSED_CARD", "the player's cards face down", docket)
    return [Error("TJ-ERR-01", False, early.t, early.seq, "a player's card was shown")]


def _early(turn: Turn, coup: Coup, play: Round) -> bool:
    if turn.t <= play.t_dealt:
        return True
    if turn.t >= play.t_settled_from:
        return False
    gathering = coup.t_swept is not None and turn.t >= coup.t_swept
    by_player = turn.hand is not None and turn.hand.owner is Owner.PLAYER
    return (by_player and not gathering and not coup.void) or play.t_settled_from < inf


def _judge_common(
    card: SeenCard, name: str, play: Round, profile: TrijokerProfile, docket: Docket
) -> list[Error]:
    """A common card: shown in the deal (TJ-ERR-02), or the right one before the left (TJ-REV-02)."""
    early = next((turn for turn in face_up(card) if turn.t <= play.t_dealt), None)
    if early is not None:
        _show(card, early, "TJ-ERR-02", "EXPOSED_CARD", "the common cards face down", docket)
    elif name == RIGHT and play.t_right < play.t_left and play.t_left < inf:
        early = next((turn for turn in face_up(card) if turn.t == play.t_right), None)
        if early is not None:
            expected = "the card at the dealer's left turned first"
            _show(card, early, "TJ-REV-02", "REVEAL_ORDER", expected, docket)
    if early is None:
        docket.conform("TJ-ERR-02")
        return []
    what = f"the common card {card.name} was shown"
    if card.card is None:
        return [Error("TJ-ERR-02", None, early.t, early.seq, what, f"{what}, and {card.unread}")]
    return [Error("TJ-ERR-02", card.card.rank in profile.voids, early.t, early.seq, what)]


def _show(card: SeenCard, turn: Turn, rule: str, code: str, expected: str, docket: Docket) -> None:
    docket.breach(
        rule,
        code,
        Moment.at(turn.t, turn.seq, card.seq),
        expected=expected,
        seen=f"{card.name} lay face up at {clock(turn.t)}",
        spot=card.dealt_to,
        subject=card.card_id,
    )


def _judge_aside(coup: Coup, play: Round, docket: Docket) -> list[Error]:
    """A card of the pack that shows without being dealt: none of those after which the hand goes on."""
    known = {card.card_id for card in (*coup.cards, *coup.left)}
    errors = []
    for event in coup.events:
        if not isinstance(event, CardPlaced) or event.face != "up" or event.card_id in known:
            continue
        spot = Spot.parse(event.spot)
        if spot.area not in _ASIDE or not coup.t_close < event.t <= play.t_dealt:
            continue
        what = f"{event.card or 'a card'} lay face up at {spot}"
        sure = docket.breach(
            "TJ-DEAL-02",
            "EXPOSED_CARD",
            Moment.at(event.t, event.seq),
            expected="cards dealt face down",
            seen=what,
            spot=spot,
            subject=event.card_id,
        )
        errors.append(_annuls(sure, event, what))
    return errors
