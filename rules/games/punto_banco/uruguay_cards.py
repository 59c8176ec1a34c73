"""Cards that went astray, and what the text prescribes then (art. 37, 39, 65 to 68, 78)."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.clock import clock
from rules.docket import Moment
from rules.events import CardCleared, CardMoved, Owner
from rules.games.punto_banco.reading import lost_view
from rules.games.punto_banco.uruguay_carry import UruguayCarry, is_told
from rules.games.punto_banco.uruguay_draws import finished
from rules.games.punto_banco.uruguay_pass import Pass, cue_at
from rules.seen_cards import SeenCard
from rules.spots import SHOE, Area, Spot, hand_spot

_ERROR_TOLD_S = 0.5
PICKED_UP = {"staff": True, "public": False}
"""Who picked up a card from the floor (the values of the cue ``picked_up``), and whether it counts then."""


def judge_stray_cards(play: Pass) -> None:
    """All cards that did not come as they should."""
    coup, docket = play.coup, play.docket
    exposed = [card for card in (*coup.aside, *coup.cards[:4]) if card.exit_up]
    for card in exposed:
        _judge_came_face_up(play, card)
    for card in (*coup.aside, *coup.cards[:4]):
        if not card.exit_up:
            _judge_turned_by_holder(play, card)
    for card in coup.aside:
        if not card.exit_up and _kept_aside(card):
            _judge_extra(play, card)
    for card in coup.cards:
        if any(rest.spot.area is Area.TABLE for rest in card.rests[:1]):
            _judge_extra(play, card)
    undue = [card for card in coup.aside if any(rest.spot == hand_spot("punto") for rest in card.rests)]
    for card in undue:
        if not card.exit_up and not _holders_turn(play, card):
            _judge_undue(play, card)
    if not exposed:
        docket.conform("PB-URU-ERR-01")
    if not undue:
        docket.conform("PB-URU-ERR-03")
    _judge_fallen(play)
    _judge_unclear(play)


def _kept_aside(card: SeenCard) -> bool:
    return card.dealt_to.area is Area.TABLE


def _judge_came_face_up(play: Pass, card: SeenCard) -> None:
    """A card that lay face up in the shoe is void, and the next one takes its place."""
    kept = card in play.coup.cards
    t = card.t_exit if card.t_exit is not None else card.t
    play.docket.breach(
        "PB-URU-ERR-01",
        "EXPOSED_CARD",
        Moment.at(t, *card.seqs),
        expected="every card face down in the shoe; one that is not is annulled",
        seen=f"{card.name} came out face up at {clock(t)}, and was "
        + ("played all the same" if kept else "annulled"),
        spot=SHOE,
        subject=card.card_id,
    )


def _holders_turn(play: Pass, card: SeenCard) -> tuple[float, int] | None:
    """When whoever holds the shoe turned a card before the hands were dealt, or None."""
    if play.seat is None:
        return None
    dealt = play.coup.cards[3].t if len(play.coup.cards) > 3 else float("inf")
    for turn in card.turns:
        own = turn.hand is not None and turn.hand.owner is Owner.PLAYER and turn.hand.seat == play.seat
        if turn.up and own and turn.t < dealt:
            return turn.t, turn.seq
    return None


def _judge_turned_by_holder(play: Pass, card: SeenCard) -> None:
    """Turned by mistake: void before the bets were closed, valid after."""
    turned = _holders_turn(play, card)
    if turned is None:
        return
    t, seq = turned
    when = Moment.at(t, seq, *card.seqs)
    seen = f"{card.name} turned by the holder of the shoe at {clock(t)}"
    kept = card in play.coup.cards
    closed = [cue.t for cue in play.told("no_more_bets") if cue.t <= play.coup.cards[-1].t]
    if not closed:
        play.docket.undetermined(
            "PB-URU-ERR-04",
            "EXPOSED_CARD",
            when,
            "whether the bets had been closed was not told (cue no_more_bets)",
            seen=seen,
            subject=card.card_id,
        )
        return
    before = t < max(closed)
    fate = "counts for the pass" if kept else "was annulled"
    play.docket.breach(
        "PB-URU-ERR-04" if before else "PB-URU-ERR-05",
        "EXPOSED_CARD",
        when,
        expected="no card turned by the holder of the shoe; "
        + ("before the close it is annulled" if before else "after the close it counts"),
        seen=f"{seen}, {'before' if before else 'after'} the close, and it {fate}",
        spot=SHOE,
        subject=card.card_id,
    )


def _judge_extra(play: Pass, card: SeenCard) -> None:
    """A card too many is kept aside: used if one more is due, annulled otherwise."""
    used = card in play.coup.cards
    play.docket.breach(
        "PB-URU-ERR-06",
        "WRONG_CARD_COUNT",
        Moment.at(card.rests[0].t, *card.seqs),
        expected="no card out of the shoe but those that are due",
        seen=f"{card.name} lay aside from {clock(card.rests[0].t)} on, and was "
        + (f"used for {card.hand}" if used else "not used"),
        subject=card.card_id,
    )


def _judge_undue(play: Pass, card: SeenCard) -> None:
    """Punto took a card without being entitled to it, and banca was not to draw: the card is annulled."""
    alone = card.t_cleared is not None and (play.coup.t_swept is None or card.t_cleared < play.coup.t_swept)
    play.docket.breach(
        "PB-URU-ERR-03",
        "WRONG_DRAW",
        Moment.at(card.t, *card.seqs),
        expected="punto stands; a card that it took is annulled, and the pass goes on without it",
        seen=f"punto was given {card.name}" + ("; it was taken away" if alone else "; it was left there"),
        spot=hand_spot("punto"),
        subject="extra",
    )


def _judge_fallen(play: Pass) -> None:
    """A card from the floor counts if staff picked it up; picked up by the public it is burned."""
    for card in (*play.coup.cards, *play.coup.aside):
        fell = _fell(play.coup, card)
        if fell is None:
            continue
        t, seq = fell
        when = Moment.at(t, seq, *card.seqs)
        told = [
            cue for cue in play.told("picked_up") if cue.t >= t - _ERROR_TOLD_S and cue.value in PICKED_UP
        ]
        back = card in play.coup.cards
        if not told:
            play.docket.undetermined(
                "PB-URU-FLOOR-01",
                "CARD_OFF_TABLE",
                when,
                "who picked the card up was not told (cue picked_up: staff or public)",
                seen=f"{card.name} fell from the table at {clock(t)}",
                subject=card.card_id,
            )
            continue
        counts = PICKED_UP[told[0].value or ""]
        play.docket.breach(
            "PB-URU-FLOOR-01",
            "CARD_OFF_TABLE",
            when,
            expected="no card off the table; "
            + ("picked up by staff it counts" if counts else "picked up by the public it is burned"),
            seen=f"{card.name} fell at {clock(t)}, was picked up by the {told[0].value}, and "
            + ("was played" if back else "was not played"),
            subject=card.card_id,
        )


def _fell(coup: Coup, card: SeenCard) -> tuple[float, int] | None:
    """When a card that was brought back, or laid away, lay off the table."""
    if card.rests and card.rests[0].spot.area is Area.OFF_TABLE:
        return card.rests[0].t, card.rests[0].seq
    for event in coup.events:
        if isinstance(event, CardMoved | CardCleared) and event.card_id == card.card_id:
            to = event.to_spot
            if to is not None and Spot.parse(to).area is Area.OFF_TABLE and card.cleared_to != Spot.parse(to):
                return event.t, event.seq
    return None


def _judge_unclear(play: Pass) -> None:
    """Where a ruling says that the case cannot be told clearly, the pass is annulled."""
    for cue in play.told("ruling"):
        if cue.value != "unclear" or cue.t < play.coup.t_close:
            continue
        if play.coup.void:
            play.docket.conform("PB-URU-VOID-02")
        elif play.judged:
            settled = play.dealers_moves
            seqs = [move.seq for move in settled[:3]]
            play.docket.breach(
                "PB-URU-VOID-02",
                "VOID_NOT_APPLIED",
                Moment.span(cue.t, settled[-1].t if settled else cue.t, cue.seq, *seqs),
                expected="the pass annulled: cards came out that were not due, and the case is not clear",
                seen="it was settled" if settled else "it was not annulled",
            )


def runs_out(start: UruguayCarry, coup: Coup, packs: int) -> bool:
    """Whether the shoe was empty while a hand still needed a card."""
    told = bool(is_told(coup.cues, "shoe_empty"))
    counted = start.shoe.coups is not None and not lost_view(coup, start.lost)
    out = start.shoe.cards + len(coup.cards) + len(coup.aside)
    if not (told or (counted and out >= packs * 52)):
        return False
    return start.table is not None and not finished(coup, start.table)


def judge_runout(play: Pass) -> bool:
    """The cards did not reach for this pass: it is annulled. Returns whether it is so."""
    coup = play.coup
    if not coup.over or not runs_out(play.start, coup, play.profile.packs):
        return False
    told = is_told(coup.cues, "shoe_empty")
    when = cue_at(told[0]) if told else Moment.at(coup.cards[-1].t, *coup.cards[-1].seqs)
    play.docket.breach(
        "PB-URU-CUT-03",
        "SHOE_RUNOUT",
        when,
        expected="cards enough for the last pass; where they are not, it is annulled",
        seen=f"the shoe was empty after {len(coup.cards)} cards of the pass",
        spot=SHOE,
    )
    return True
