"""What is bet, where, by whom and with which chips (art. 1 to 3, 23, 27, 28, 40, 43, 57 to 59, 92)."""

from __future__ import annotations

from fractions import Fraction

from rules.docket import Moment
from rules.events import Event, Hand, Owner
from rules.games.punto_banco.uruguay_pass import Pass, cue_at, worth
from rules.money import readable
from rules.spots import TABLE, Area, Spot
from rules.written import number_in

_RECENT = 3


def judge_bets(play: Pass) -> None:
    """Everything about the bets at the close."""
    if not play.coup.began_unseen:
        _judge_least(play)
        _judge_most(play)
        _judge_persons(play)
        _judge_chip_types(play)
        _judge_standing(play)
        _judge_outside(play)
        _judge_switched(play)
        _judge_players(play)
    _judge_idle(play)


def _judge_least(play: Pass) -> None:
    least = play.profile.limits.minimum
    for spot, bets in play.coup.bets.items():
        due = (play.own.shoe_minimum or least) if spot.bet == "sabot" else least
        value = worth(bets)
        if due is None or value is None:
            continue
        if value >= due:
            play.docket.conform("PB-URU-LIM-01")
            continue
        play.docket.breach(
            "PB-URU-LIM-01",
            "BET_BELOW_MIN",
            play.at_close(spot),
            expected=f"at least {readable(due)}",
            seen=f"a bet of {readable(value)}",
            spot=spot,
            amount=value,
        )


def _judge_most(play: Pass) -> None:
    """One maximum in a box; whoever holds the shoe one on it and one in his box."""
    most = play.profile.limits.maximum
    suite = play.start.given is not None  # its own row speaks of a suite that is raised
    for spot, bets in play.coup.bets.items():
        value = worth(bets)
        if most is None or value is None or (spot.bet == "sabot" and suite):
            continue
        rule = "PB-URU-LIM-03" if spot.seat is not None and spot.seat == play.seat else "PB-URU-LIM-01"
        if value <= most:
            play.docket.conform(rule)
            continue
        _above(play, rule, most, value, spot)


def _judge_persons(play: Pass) -> None:
    """One maximum for a person: a seat, or boxes that a cue joins. Whose a standing bet is nobody sees: a
    letter's two sides may be two persons'."""
    most = play.profile.limits.maximum
    if most is None:
        return
    joined = {
        Spot.parse(cue.spot): number
        for cue in play.told_before("same_person")
        if cue.spot is not None and (number := number_in(cue.value)) is not None
    }
    persons: dict[object, list[Spot]] = {}
    for spot in play.coup.bets:
        if spot.bet != "sabot":
            person: object = joined.get(spot, str(spot) if play.is_standing(spot) else spot.seat)
            persons.setdefault(person, []).append(spot)
    for person, spots in persons.items():
        values = [worth(play.coup.bets[spot]) for spot in spots]
        known = [value for value in values if value is not None]
        together = sum(known, Fraction(0))
        if len(known) < len(values) or len(values) < 2 or any(value > most for value in known):
            continue
        rule = "PB-URU-LIM-03" if person == play.seat else "PB-URU-LIM-02"
        if together <= most:
            play.docket.conform(rule)
        else:
            _above(play, rule, most, together, min(spots))


def _above(play: Pass, rule: str, most: Fraction, value: Fraction, spot: Spot) -> None:
    together = "" if worth(play.coup.bets[spot]) == value else " in all boxes of one person"
    play.docket.breach(
        rule,
        "BET_ABOVE_MAX",
        play.at_close(spot),
        expected=f"at most {readable(most)}",
        seen=f"{readable(value)}{together}",
        spot=spot,
        amount=value,
    )


def _judge_chip_types(play: Pass) -> None:
    """Sale chips: none on banca, and none stays on punto after it won."""
    for spot, bets in play.coup.bets.items():
        for bet in bets:
            stack = bet.standing.stack
            if "sale" not in stack.types:
                continue
            kept = (spot, stack.stack) in play.start.sale
            if spot.bet == "punto" and not kept:
                play.docket.conform("PB-URU-BET-02")
                continue
            play.docket.breach(
                "PB-URU-BET-02",
                "WRONG_CHIP_TYPE",
                play.at_close(spot),
                expected="sale chips exchanged at once when they win"
                if kept
                else "sale chips exchanged before they are bet on banca",
                seen="sale chips that won lie there for the next pass" if kept else "sale chips on banca",
                spot=spot,
                subject=bet.name,
            )


def _judge_standing(play: Pass) -> None:
    """Five standing bets to a cloth, in boxes with letters."""
    taken: dict[tuple[int, str], list[Spot]] = {}
    for spot in play.coup.bets:
        if spot.box is None:
            continue
        cloth = play.own.cloth_of(None, spot.box)
        if cloth is not None:
            side = spot.bet or "" if play.own.standing_each_side else ""
            taken.setdefault((play.own.cloths.index(cloth) + 1, side), []).append(spot)
    for (number, side), spots in taken.items():
        if len(spots) <= play.own.standing_per_cloth:
            play.docket.conform("PB-URU-BET-06")
            continue
        play.docket.breach(
            "PB-URU-BET-06",
            "TOO_MANY_STANDING_BETS",
            play.at_close(*spots),
            expected=f"at most {play.own.standing_per_cloth} standing bets to a cloth",
            seen=f"{len(spots)} on cloth {number}",
            subject=f"cloth-{number}{side}",
        )


def _judge_outside(play: Pass) -> None:
    """Chips outside all boxes: only of a player who had to give up his seat."""
    cue = "ceded_seat_bet"
    outside = play.coup.at_close.get(TABLE, {})
    if not outside or cue not in play.profile.cues:
        return
    if play.told_before(cue):
        play.docket.conform("PB-URU-BET-07")
        return
    play.docket.breach(
        "PB-URU-BET-07",
        "BET_MISPLACED",
        Moment.at(play.coup.t_close, *(standing.seq for standing in outside.values()), before_s=4.0),
        expected="bets in numbered or lettered boxes",
        seen=f"chips outside all boxes, and nobody had to give up a seat (cue {cue})",
        spot=TABLE,
    )


def _judge_switched(play: Pass) -> None:
    """A standing player changes sides only where a letter is free."""
    for cue in play.told_before("side_switched"):
        if cue.spot is None:
            continue
        spot = Spot.parse(cue.spot)
        bets = play.coup.bets.get(spot, [])
        if len(bets) <= 1:
            play.docket.conform("PB-URU-BET-08")
            continue
        play.docket.breach(
            "PB-URU-BET-08",
            "TOO_MANY_STANDING_BETS",
            cue_at(cue),
            expected="a free lettered box of the side that he wants",
            seen=f"{len(bets)} stacks in {spot}",
            spot=spot,
        )


def _judge_players(play: Pass) -> None:
    """Enough seated players: those with bets in the last three passes, or as a cue counts them."""
    due = play.own.players
    if due is None:
        return
    rule = "PB-URU-MIN-02" if due == play.own.players_small else "PB-URU-MIN-01"
    told = play.told_before("seated")
    betting = frozenset(s.seat for s in play.coup.bets if s.seat is not None and not play.is_standing(s))
    playing = len(frozenset().union(*play.start.recent[-2:], betting))
    if told and (number := number_in(told[-1].value)) is not None:
        count = number
    elif playing >= due or len(play.start.recent) >= _RECENT:
        count = playing
    else:
        return  # some may sit out a pass or two
    if count >= due:
        play.docket.conform(rule)
        return
    play.docket.breach(
        rule,
        "TOO_FEW_PLAYERS",
        Moment.at(play.coup.t_close, play.coup.cards[0].seq),
        expected=f"at least {due} seated players",
        seen=f"{count}",
    )


def _judge_idle(play: Pass) -> None:
    """Three passes without a bet of a player who sits there: his hand was seen, so the seat is not empty."""
    due = play.own.idle_passes
    betting = {spot.seat for spot in play.coup.bets}
    sitting = [seat for seat, count in play.start.idle.items() if count == due - 1 and seat not in betting]
    if not sitting:
        return
    seen = _hands_seen(play)
    for seat in sitting:
        if seat not in seen or seat == play.seat:
            continue
        play.docket.breach(
            "PB-URU-SEAT-01",
            "SEAT_IDLE_LIMIT",
            Moment.at(play.coup.t_close, seen[seat], before_s=4.0),
            expected=f"a bet in one of {due} passes in a row",
            seen=f"the player at seat {seat} sat out the last {due}",
            subject=f"seat-{seat}",
        )


def _hands_seen(play: Pass) -> dict[int, int]:
    """Seats whose player's hand was seen up to the result, with the number of the event."""
    found: dict[int, int] = {}
    for event in play.coup.events:
        if event.t > play.coup.t_result:
            break  # whoever bets again for the next pass
        hand = _hand(event)
        if hand is not None and hand.owner is Owner.PLAYER and hand.seat is not None:
            found.setdefault(hand.seat, event.seq)
    return found


def _hand(event: Event) -> Hand | None:
    hand = getattr(event, "hand", None)
    return hand if isinstance(hand, Hand) else None


def judge_annulled(play: Pass) -> frozenset[Spot]:
    """Bets that were said to be annulled are neither taken nor paid. Returns their boxes."""
    codes = {"late": "LATE_BET", "above": "BET_ABOVE_MAX", "below": "BET_BELOW_MIN"}
    spots: set[Spot] = set()
    for cue in play.told("bet_annulled"):
        if cue.spot is None:
            continue
        spot = Spot.parse(cue.spot)
        spots.add(spot)
        moves = [move for move in play.dealers_moves if move.spot == spot and move.t > cue.t]
        if not moves:
            play.docket.conform("PB-URU-LIM-04")
            continue
        play.docket.breach(
            "PB-URU-LIM-04",
            codes.get(cue.value or "late", "LATE_BET"),
            Moment.span(cue.t, moves[0].t, cue.seq, moves[0].seq),
            expected="the annulled bet neither taken nor paid",
            seen="it was settled",
            spot=spot,
            subject="annulled",
        )
    return frozenset(spots)


def judge_claimed(play: Pass) -> frozenset[Spot]:
    """A bet that is claimed to have won stays out of play until that is decided. Returns such boxes."""
    freed = {Spot.parse(cue.spot) for cue in play.told_before("claim_decided") if cue.spot is not None}
    frozen = frozenset(spot for spot in play.start.claims - freed if spot.area is Area.BET)
    for spot in sorted(frozen):
        decided = [c.t for c in play.told("claim_decided") if c.spot == str(spot) and c.t > play.coup.t_close]
        until = min(decided, default=float("inf"))
        moves = [move for move in play.dealers_moves if move.spot == spot and move.t < until]
        if not moves:
            play.docket.conform("PB-URU-CLAIM-01")
            continue
        play.docket.breach(
            "PB-URU-CLAIM-01",
            "DISPUTED_BET_PLAYED",
            Moment.at(moves[0].t, moves[0].seq),
            expected="the claimed bet out of play until the claim is decided",
            seen="it was settled with this pass",
            spot=spot,
        )
    return frozen
