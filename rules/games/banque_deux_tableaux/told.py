"""Rows that turn on what people say: they are judged by the cues that tell it."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.points import card_value, points
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Cue, Owner
from rules.games.banque_deux_tableaux.hands import DEAL, Hands, dealt_for, told, told_before
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.reading import BanqueCarry
from rules.games.banque_deux_tableaux.words import BANCA, PLAYS_ON, TABLEAUX
from rules.spots import Area, Spot, hand_spot
from rules.written import number_in


def banco_of(start: BanqueCarry, coup: Coup, profile: BanqueProfile) -> bool | None:
    """Whether this coup is banco's. None: it may be, and was not told: as a game begins, and again after a
    null coup."""
    if told_before(coup, "banco"):
        return True
    if start.nulls is None or start.nulls > 2 or "banco" in profile.cues:
        return False
    return None


def judge_told(start: BanqueCarry, coup: Coup, hands: Hands, profile: BanqueProfile, docket: Docket) -> None:
    """All of them for one coup."""
    _judge_banco(start, coup, hands, docket)
    _judge_lots(coup, profile, docket)
    _judge_preferred(coup, profile, docket)
    for cue in told_before(coup, "partnership"):
        _told(
            docket, "BT-ASSOC-01", "BET_POOLED", cue, "each player's bet his own", "players joined their bets"
        )
    for cue in told(coup, "advice"):
        if cue.value == "dealer":
            docket.conform("BT-ERR-18")
        else:
            who = cue.value or "someone else"
            _told(
                docket, "BT-ERR-18", "ADVICE_GIVEN", cue, "advice from the dealer only", f"advice from {who}"
            )
    _judge_points_said(coup, hands, docket)
    _judge_claims(coup, docket)
    _judge_check(start, coup, profile, docket)
    _judge_players(coup, docket)


def _told(docket: Docket, rule: str, code: str, cue: Cue, expected: str, seen: str) -> None:
    spot = None if cue.spot is None else Spot.parse(cue.spot)
    docket.breach(rule, code, Moment.at(cue.t, cue.seq), expected=expected, seen=seen, spot=spot)


def _judge_banco(start: BanqueCarry, coup: Coup, hands: Hands, docket: Docket) -> None:
    """Banco opens a game, is repeated twice at most while null, and plays the first tableau before its player
    sees the second (BT-BANCO-01)."""
    called = told_before(coup, "banco")
    if not called:
        return
    rule, code = "BT-BANCO-01", "REVEAL_ORDER"
    if start.nulls is None or start.nulls > 2:
        seen = (
            "banco in the course of the game" if start.nulls is None else "a null coup repeated a third time"
        )
        _told(docket, rule, code, called[0], "banco as the game begins, repeated twice at most", seen)
        return
    first, second = hands.of(TABLEAUX[0]), hands.of(TABLEAUX[1])
    looks = [
        contact.t for card in second for contact in card.contacts if contact.hand.owner is Owner.PLAYER
    ] + [card.t_up for card in second if card.t_up is not None and card.t_up > card.t]
    played = [card.t for card in hands.dealt[DEAL:] if dealt_for(card) == TABLEAUX[0]]
    played += [cue.t for cue in told(coup, "says", TABLEAUX[0])]
    played += [card.t_up for card in first[:2] if card.t_up is not None]
    if not looks or not played or min(looks) >= min(played):
        docket.conform(rule)
        return
    docket.breach(
        rule,
        code,
        Moment.at(min(looks), called[0].seq, *(card.seq for card in second)),
        expected="the second tableau's cards left alone until the first has been played",
        seen=f"they were looked at at {clock(min(looks))}",
        spot=hand_spot(TABLEAUX[1]),
    )


def _judge_lots(coup: Coup, profile: BanqueProfile, docket: Docket) -> None:
    """Lots decide between equal bids (BT-BANK-01) and between tableaux that both call banco (BT-PRIO-02)."""
    lots = bool(told_before(coup, "lots_drawn"))
    bids = told_before(coup, "equal_bids")
    called = told_before(coup, "banco")
    both = called if len({cue.spot for cue in called if cue.spot is not None}) > 1 else []
    for cues, rule, code in (
        (bids, "BT-BANK-01", "AUCTION_IRREGULAR"),
        (both, "BT-PRIO-02", "PRIORITY_IGNORED"),
    ):
        if not cues:
            continue
        if lots:
            docket.conform(rule)
        elif "lots_drawn" in profile.cues:
            _told(docket, rule, code, cues[0], "lots drawn", "none were drawn")
        else:
            when = Moment.at(cues[0].t, cues[0].seq)
            docket.undetermined(rule, code, when, "whether lots were drawn was not told (the cue lots_drawn)")


def _judge_preferred(coup: Coup, profile: BanqueProfile, docket: Docket) -> None:
    """A bet taken before another's (``spot``: the bet; ``value``: the seat it was preferred to, or
    ``standing``): on one tableau the department nearer to the banker comes first, and who stands comes last
    (BT-PRIO-01)."""
    for cue in told_before(coup, "bet_preferred"):
        if cue.spot is None or cue.value is None:
            continue
        seat, first = Spot.parse(cue.spot).seat, number_in(cue.value)
        if seat is not None and first is not None:
            tableaux = profile.tableau_of(seat), profile.tableau_of(first)
            if tableaux[0] != tableaux[1]:
                continue  # between the tableaux nothing is said but lots for banco
        if first is not None and (seat is None or first < seat):
            who = "a player who stands" if seat is None else f"seat {seat}"
            expected, seen = f"seat {first} before {who}", f"{who} bet first"
            _told(docket, "BT-PRIO-01", "PRIORITY_IGNORED", cue, expected, seen)
        else:
            docket.conform("BT-PRIO-01")


def _judge_points_said(coup: Coup, hands: Hands, docket: Docket) -> None:
    """The banker says the points that he has (BT-ERR-20)."""
    cards = hands.of(BANCA)
    for cue in told(coup, "points_said", BANCA):
        then = [card for card in cards if card.t <= cue.t]
        values = [card_value(card.card) for card in then if card.card is not None]
        said = number_in(cue.value)
        if len(values) < len(then) or said is None:
            continue
        if points(values) == said:
            docket.conform("BT-ERR-20")
        else:
            seen = f"the banker said {cue.value}"
            _told(docket, "BT-ERR-20", "ANNOUNCEMENT_WRONG", cue, f"his points, {points(values)}", seen)


def _judge_claims(coup: Coup, docket: Docket) -> None:
    """No claim once all is settled (BT-ERR-21)."""
    settled = [move.t for move in coup.moves if move.spot.area is Area.BET and move.t >= coup.t_result]
    for cue in told(coup, "claim"):
        if settled and cue.t > max(settled):
            seen = f"a claim at {clock(cue.t)}, after the last bet was settled at {clock(max(settled))}"
            _told(docket, "BT-ERR-21", "CLAIM_TOO_LATE", cue, "claims before the bets are settled", seen)
        else:
            docket.conform("BT-ERR-21")


def _judge_check(start: BanqueCarry, coup: Coup, profile: BanqueProfile, docket: Docket) -> None:
    """Cards that a player wants checked are checked before the next shoe (BT-END-01)."""
    cues = [*coup.before, *(event for event in coup.events if event.t <= coup.cards[-1].t)]
    asked = start.check_asked or any(isinstance(cue, Cue) and cue.cue == "check_asked" for cue in coup.before)
    fresh = [cue for cue in cues if isinstance(cue, Cue) and cue.cue == "new_shoe"]
    if not asked or not fresh:
        return
    if any(isinstance(cue, Cue) and cue.cue == "cards_checked" for cue in cues):
        docket.conform("BT-END-01")
    elif "cards_checked" in profile.cues:
        _told(
            docket,
            "BT-END-01",
            "CARD_COMPOSITION",
            fresh[0],
            "the cards checked, as asked",
            "a new shoe first",
        )
    else:
        when = Moment.at(fresh[0].t, fresh[0].seq)
        why = "whether the cards were checked was not told (the cue cards_checked)"
        docket.undetermined("BT-END-01", "CARD_COMPOSITION", when, why)


def _judge_players(coup: Coup, docket: Docket) -> None:
    """Two players at each tableau (BT-MIN-01): by their bets, else by what is told."""
    for tableau, name in enumerate(TABLEAUX):
        seats = {spot.seat for spot in coup.bets if spot.bet and PLAYS_ON.get(spot.bet) == tableau}
        counts = [cue for cue in told_before(coup, "players") if cue.spot == f"hand {name}"]
        number = number_in(counts[-1].value) if counts else None
        if len(seats) >= 2:
            docket.conform("BT-MIN-01")
        elif number is not None:
            if number >= 2:
                docket.conform("BT-MIN-01")
            else:
                _told(
                    docket, "BT-MIN-01", "TOO_FEW_PLAYERS", counts[-1], "two players", f"{number} at {name}"
                )
