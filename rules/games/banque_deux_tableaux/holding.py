"""Who holds the cards of each tableau: one player, from its numbered departments, in turn."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.banque_deux_tableaux.dealing import spoken
from rules.games.banque_deux_tableaux.hands import Hands
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.reading import BanqueCarry, holder_seats
from rules.games.banque_deux_tableaux.words import TABLEAUX
from rules.spots import hand_spot


def judge_holders(
    start: BanqueCarry, coup: Coup, hands: Hands, profile: BanqueProfile, banco: bool | None, docket: Docket
) -> None:
    """Each tableau's holder. Where banco may have been made unseen, who held the cards is not held against
    anyone."""
    for tableau, name in enumerate(TABLEAUX):
        seats = holder_seats(hands.of(name))
        if not seats:
            continue
        when = _when(hands, name, seats)
        _judge_one(coup, hands, name, seats, profile, docket)
        if profile.departments is None or banco:
            continue
        astray = [seat for seat in seats if profile.tableau_of(seat) != tableau]
        before = start.holders[tableau]
        if astray:
            code = "UNAUTHORISED_CARD_CONTACT"
            expected, seen = f"a player of {name} with its cards", f"seat {astray[0]} had a hand on them"
        elif before.seat is not None and before.kept is not None and before.kept != (before.seat in seats):
            code = "PUNTO_HAND_WRONG_PLAYER"
            expected = (
                f"seat {before.seat} keeps the cards"
                if before.kept
                else f"seat {before.seat} passes the cards on, having lost to the bank"
            )
            seen = f"seat {seats[0]} held them"
        else:
            docket.conform("BT-HAND-01")
            continue
        again = code == "PUNTO_HAND_WRONG_PLAYER" and before.stray is not None and before.stray == seats[0]
        rule = "BT-ERR-04" if again else "BT-HAND-01"
        if banco is None:
            why = "whether banco was made was not told (the cue banco); its player may hold the cards"
            docket.undetermined(rule, code, when, why, expected=expected, seen=seen, spot=hand_spot(name))
        else:
            docket.breach(rule, code, when, expected=expected, seen=seen, spot=hand_spot(name))


def _judge_one(
    coup: Coup, hands: Hands, name: str, seats: list[int], profile: BanqueProfile, docket: Docket
) -> None:
    """One player holds a tableau's cards (BT-RULE-02); what another did stands if the holder had spoken
    (BT-ERR-04)."""
    if len(seats) == 1:
        docket.conform("BT-RULE-02")
        return
    docket.breach(
        "BT-RULE-02",
        "PUNTO_HAND_WRONG_PLAYER",
        _when(hands, name, seats),
        expected=f"one player with the cards of {name}",
        seen=f"the hands of seats {', '.join(map(str, seats))} on them",
        spot=hand_spot(name),
    )
    other = min(
        contact.t
        for card in hands.of(name)
        for contact in card.contacts
        if contact.hand.owner is Owner.PLAYER and contact.hand.seat == seats[1] and contact.t > card.t
    )
    if any(cue.t <= other for cue in spoken(coup, name)):
        docket.conform("BT-ERR-04")
    elif "says" in profile.cues and coup.over and not hands.void:
        docket.breach(
            "BT-ERR-04",
            "PUNTO_HAND_WRONG_PLAYER",
            _when(hands, name, seats),
            expected="the coup played on only if the holder had spoken before another took the cards",
            seen=f"seat {seats[1]} had a hand on them, and {name} had not spoken",
            spot=hand_spot(name),
        )


def _when(hands: Hands, name: str, seats: list[int]) -> Moment:
    contacts = [
        contact
        for card in hands.of(name)
        for contact in card.contacts
        if contact.hand.owner is Owner.PLAYER and contact.hand.seat in seats
    ]
    return Moment.at(max(c.t for c in contacts), *(c.seq for c in contacts))
