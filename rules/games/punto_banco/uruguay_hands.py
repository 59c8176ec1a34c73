"""Who sees punto's cards and how, and punto's option on five (art. 20 to 26 and 38)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rules.baccarat.drawing_table import DrawingTable
from rules.baccarat.points import card_value, points
from rules.clock import clock
from rules.docket import Moment
from rules.events import Owner
from rules.games.punto_banco.articles import Articles
from rules.games.punto_banco.uruguay_pass import Pass, cue_at, seat_of, worths
from rules.seen_cards import SeenCard
from rules.spots import hand_spot
from rules.written import number_in

CARDS, STANDS = "cartas", "planto"
"""What the punto player says (the values of the cue ``punto_wish``)."""
_BEFORE_S = 0.3
_FIVE = 5
_PUNTO, _CODE = hand_spot("punto"), "PUNTO_HAND_WRONG_PLAYER"


def option_of(play: Pass) -> tuple[DrawingTable, Articles]:
    """The drawing table for this pass, and the rows: on 5 punto does as it likes, unless nobody bet on it."""
    table, articles = play.profile.drawing, play.profile.articles
    nobody = not any(spot.bet == "punto" for spot in play.coup.bets) and not play.coup.began_unseen
    drew = len(play.coup.hand("punto")) > 2
    chosen = table.punto | table.punto_free if drew and not nobody else table.punto
    row = "PB-URU-DRAW-10" if nobody else "PB-URU-DRAW-09"
    rows = replace(articles, punto_draw={**articles.punto_draw, _FIVE: row})
    return replace(table, punto=chosen, punto_free=frozenset()), rows


def judge_punto_player(play: Pass) -> None:
    """All about the player with punto's cards."""
    if play.coup.began_unseen or len(play.coup.cards) < 4:
        return
    taken = _taken_by(play)
    _judge_recipient(play, taken)
    _judge_option(play)
    _judge_claims(play)
    _judge_turning(play)
    _judge_order(play)
    for cue, rule, code, seen in (
        ("pooled_bet", "PB-URU-HAND-04", "BET_POOLED", "bets joined to take the cards"),
        ("advice", "PB-URU-HAND-08", "ADVICE_GIVEN", "another player spoke of the option"),
    ):
        for event in play.told(cue):
            # bets are joined before the cards come: what is told of it after them is the next pass's
            last = play.coup.cards[-1].t
            if event.t <= last if cue == "pooled_bet" else event.t >= play.coup.t_close:
                play.docket.breach(
                    rule,
                    code,
                    cue_at(event),
                    expected="nothing of the kind",
                    seen=f"{seen} at {clock(event.t)}",
                    subject=str(event.seq),
                )


def _first(play: Pass) -> list[SeenCard]:
    return [card for card in play.coup.cards[:4] if card.hand == "punto"]


def _taken_by(play: Pass) -> dict[int, Moment]:
    """Seats of the players whose hands were on punto's first cards after they were dealt, in order."""
    dealt = play.coup.cards[3].t
    found: dict[int, Moment] = {}
    contacts = sorted(
        (contact for card in _first(play) for contact in card.contacts), key=lambda contact: contact.t
    )
    for contact in contacts:
        seat = contact.hand.seat
        if contact.hand.owner is Owner.PLAYER and seat is not None and contact.t > dealt:
            found.setdefault(seat, Moment.at(contact.t, contact.seq))
    for card in _first(play):
        for rest in card.rests:
            name = rest.spot.hand or ""
            if name.startswith("seat_") and (number := number_in(name[5:])) is not None:
                found.setdefault(number, Moment.at(rest.t, rest.seq))
    return found


def rightful(play: Pass) -> list[int] | None:
    """Seats in the order in which they are entitled to punto's cards: the highest punto bet first, of equal
    ones the first from the shoe's right; without those who have bets on both chances. None if a bet was not
    read."""
    bets: dict[int, Fraction] = {}
    for spot in play.coup.bets:
        if spot.bet != "punto" or spot.seat is None or play.is_standing(spot):
            continue
        value = worths(play.coup.bets, spot.seat, "punto")
        if value is None:
            return None
        if not _both(play, spot.seat):
            bets[spot.seat] = value
    return sorted(bets, key=lambda seat: (-bets[seat], _from_right(play, seat)))


def _from_right(play: Pass, seat: int) -> int:
    """How many places to the right of the shoe a seat is."""
    shoe = play.seat or 0
    return seat - shoe if seat > shoe else seat - shoe + 100


def _both(play: Pass, seat: int) -> bool:
    names = {spot.bet for spot in play.coup.bets if spot.seat == seat and not play.is_standing(spot)}
    return "punto" in names and bool(names & {"banca", "sabot"})


def _judge_recipient(play: Pass, taken: dict[int, Moment]) -> None:
    """The cards go to the highest punto bet, and nobody else has a hand on them."""
    if not taken:
        return
    docket, coup = play.docket, play.coup
    seat, when = next(iter(taken.items()))
    entitled = rightful(play)
    if _both(play, seat):
        docket.breach(
            "PB-URU-HAND-05",
            _CODE,
            when,
            expected="punto's cards to a player who has no bet on banca",
            seen=f"the player at seat {seat}, who has bets on both chances, took them",
            spot=_PUNTO,
            joint=True,
        )
    elif entitled is None:
        why = "a punto bet was not read"
        docket.undetermined("PB-URU-HAND-01", _CODE, when, why, seen=f"seat {seat} took them", spot=_PUNTO)
    elif entitled:
        ceded = {seat_of(cue) for cue in play.told("hand_ceded")}
        first = next((other for other in entitled if other not in ceded), None)
        tied = play.seat is None and first is not None and _same_bet(play, seat, first)
        if seat == first or tied or (seat == play.seat and not any(s.bet == "punto" for s in coup.bets)):
            docket.conform("PB-URU-HAND-01")
        elif first is not None:
            docket.breach(
                "PB-URU-HAND-01",
                _CODE,
                when,
                expected=f"punto's cards to the largest punto bet from the shoe's right, at seat {first}",
                seen=f"the player at seat {seat} took them",
                spot=_PUNTO,
                joint=True,
            )
    others = [other for other in taken if other not in (seat, play.seat)]
    if others and not _claimed(play, others[0]):
        docket.breach(
            "PB-URU-HAND-07",
            "UNAUTHORISED_CARD_CONTACT",
            taken[others[0]],
            expected=f"punto's cards seen and turned by seat {seat} alone",
            seen=f"the player at seat {others[0]} had a hand on them",
            spot=_PUNTO,
        )
    elif not others:
        docket.conform("PB-URU-HAND-07")


def _same_bet(play: Pass, one: int, other: int) -> bool:
    return worths(play.coup.bets, one, "punto") == worths(play.coup.bets, other, "punto")


def _claimed(play: Pass, seat: int) -> bool:
    return any(seat_of(cue) == seat for cue in play.told("hand_claimed"))


def _punto_total(play: Pass) -> int | None:
    values = [card_value(card.card) for card in play.coup.hand("punto")[:2] if card.card is not None]
    return points(values) if len(values) == 2 else None


def _judge_option(play: Pass) -> None:
    """With 5 it is the rightful player's wish that holds, and the first that he says."""
    if _punto_total(play) != _FIVE or not _free(play):
        return
    docket, coup = play.docket, play.coup
    drew = len(coup.hand("punto")) > 2
    during = [cue for cue in play.told("punto_wish", "option_on_five") if cue.t >= coup.t_close]
    wishes = [cue for cue in during if cue.cue == "punto_wish" and cue.value in (CARDS, STANDS)]
    if wishes:
        if (wishes[0].value == CARDS) == drew:
            docket.conform("PB-URU-HAND-03")
        else:
            docket.breach(
                "PB-URU-HAND-03",
                "DRAW_AGAINST_DECLARATION",
                cue_at(wishes[0]),
                expected=f"the first wish followed: {wishes[0].value}",
                seen="a third card given" if drew else "no third card given",
                spot=_PUNTO,
            )
    entitled = rightful(play)
    for cue in during:
        if cue.cue != "option_on_five" or not entitled or seat_of(cue) is None:
            continue
        ceded = {seat_of(other) for other in play.told("hand_ceded")}
        first = next((seat for seat in entitled if seat not in ceded), entitled[0])
        if seat_of(cue) == first:
            docket.conform("PB-URU-DRAW-09")
            continue
        rule = "PB-URU-HAND-02" if _claimed(play, first) else "PB-URU-DRAW-09"
        docket.breach(
            rule,
            _CODE,
            cue_at(cue),
            expected=f"the choice on 5 left to seat {first}",
            seen=f"seat {seat_of(cue)} chose",
            spot=_PUNTO,
            subject="option",
        )


def _free(play: Pass) -> bool:
    """Whether the pass was not decided by a natural of banca."""
    banca = [card_value(card.card) for card in play.coup.hand("banca")[:2] if card.card is not None]
    return len(banca) < 2 or points(banca) not in play.profile.drawing.naturals


def _judge_claims(play: Pass) -> None:
    """A claim to punto's cards counts while the pass is open; once it is decided it stands."""
    for cue in play.told("hand_claimed"):
        if cue.t < play.coup.t_close:
            continue
        if cue.t <= play.coup.t_result or not play.coup.void:
            play.docket.conform("PB-URU-HAND-02")
            continue
        play.docket.breach(
            "PB-URU-HAND-02",
            _CODE,
            cue_at(cue),
            expected="the pass stands: it was decided before the claim",
            seen="the claim was heard and the pass annulled",
            spot=_PUNTO,
        )


def _judge_turning(play: Pass) -> None:
    """The punto player turns both cards at once."""
    dealt = play.coup.cards[3].t
    own = [
        [
            (turn.t, turn.seq)
            for turn in card.turns
            if turn.up and turn.hand is not None and turn.hand.owner is Owner.PLAYER and turn.t > dealt
        ]
        for card in _first(play)
    ]
    turns = [min(mine) for mine in own if mine]
    if len(turns) < 2:
        return
    apart = abs(turns[1][0] - turns[0][0])
    if apart <= play.own.turned_together_s:
        play.docket.conform("PB-URU-HAND-06")
        return
    play.docket.breach(
        "PB-URU-HAND-06",
        "SLOW_ROLL",
        Moment.span(min(turns)[0], max(turns)[0], *(seq for _, seq in turns)),
        expected="both of punto's cards turned at once",
        seen=f"one was turned {apart:.1f} s after the other",
        spot=_PUNTO,
    )


def _judge_order(play: Pass) -> None:
    """Banca's cards turned before punto's: a mistake that leaves punto its option."""
    banca = [card for card in play.coup.cards[:4] if card.hand == "banca"]
    up = [card.t_up for card in (*_first(play), *banca)]
    if len(banca) != 2 or len(up) < 4 or any(t is None for t in up):
        return
    if any(card.placed_up for card in play.coup.cards[:4]):
        return
    first_punto = min(card.t_up or 0.0 for card in _first(play))
    last_banca = max(card.t_up or 0.0 for card in banca)
    if last_banca >= first_punto - _BEFORE_S:
        play.docket.conform("PB-URU-ERR-02")
        return
    play.docket.breach(
        "PB-URU-ERR-02",
        "REVEAL_ORDER",
        Moment.span(last_banca, first_punto, *(seq for card in banca for seq in card.seqs)),
        expected="punto's cards turned before banca's",
        seen=f"banca's lay face up at {clock(last_banca)}, punto's only at {clock(first_punto)}",
        spot=hand_spot("banca"),
    )
