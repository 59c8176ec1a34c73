"""The stakes: when they may change, what they may be, where they lie, and the bank that they play against."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from rules.baccarat.boxes import PAYMENT_BESIDE_MM
from rules.baccarat.closing import Tampering, is_settlement, judge_move
from rules.baccarat.coup import Coup
from rules.chips import Move
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import HandContact, Owner
from rules.games.chemin_de_fer.bank_story import bank_at_close, playing, staked
from rules.games.chemin_de_fer.deal import Deal
from rules.games.chemin_de_fer.drawing import removal_allowed
from rules.games.chemin_de_fer.hearing import amount_of, at_all, before, during, seat_of
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.reading import BankCarry
from rules.games.chemin_de_fer.words import ABONAMENT, BANK, PUNTO
from rules.money import readable
from rules.spots import TABLE, Area, Spot

_MOST_ABONAMENTS = 3


def judge_closing(
    coup: Coup, deal: Deal, profile: CheminDeFerProfile, docket: Docket
) -> dict[Spot, Tampering]:
    """No stake changes after the close. Returns what was changed, by spot."""
    tampered: dict[Spot, Tampering] = {}
    if coup.began_unseen:
        return tampered
    out = [case.t for case in deal.exposed if case.by == "shoe"]
    for move in coup.moves:
        if is_settlement(coup, move) or move.spot.area is not Area.BET:
            continue
        mine = tampered.setdefault(move.spot, Tampering())
        allowed = removal_allowed(deal, move, profile) if move.removed and not move.added else False
        if allowed:
            mine.removed += move.removed
        elif allowed is None:
            mine.removed += move.removed
            _removed_perhaps(move, docket)
        else:
            exposed = bool(move.removed) and any(t <= move.t for t in out)
            judge_move(coup, move, mine, "CF-ERR-01" if exposed else "CF-BET-02", docket)
    for spot in coup.bets:
        if spot not in tampered and (coup.over or len(coup.cards) >= 4):
            docket.conform("CF-BET-02")
    return tampered


def _removed_perhaps(move: Move, docket: Docket) -> None:
    """A bet was withdrawn after the banker's natural, and whether punto had spoken was not told."""
    docket.undetermined(
        "CF-BET-02",
        "BET_REMOVED_LATE",
        Moment.at(move.t, move.seq),
        "whether the banker showed his natural before punto had spoken was not told (cue punto_says)",
        seen=f"a bet withdrawn at {clock(move.t)}, after the banker's natural",
        spot=move.spot,
        amount=move.loss,
    )


def without_removed(
    coup: Coup, tampered: dict[Spot, Tampering], docket: Docket
) -> tuple[Coup, dict[Spot, Tampering]]:
    """The coup without late bets that the dealer removed at the banker's request, which is judged here."""
    moves, left = list(coup.moves), dict(tampered)
    for cue in during(coup, "removal_asked"):
        late = {spot: t for spot, t in left.items() if t.added and cue.spot in (None, str(spot))}
        for spot, tampering in late.items():
            back = next(
                (
                    move
                    for move in moves
                    if move.spot == spot and move.t > cue.t and move.removed and move.loss == tampering.gain
                ),
                None,
            )
            if back is not None and back.t <= coup.t_result:
                docket.conform("CF-BET-03")
                moves = [move for move in moves if move is not back]
                del left[spot]
                continue
            docket.breach(
                "CF-BET-03",
                "LATE_BET",
                Moment.at(cue.t, cue.seq),
                expected="the late bet removed: the banker asked for it",
                seen="it stayed until the result",
                spot=spot,
            )
    return (coup if len(moves) == len(coup.moves) else replace(coup, moves=moves)), left


def judge_stakes(coup: Coup, start: BankCarry, profile: CheminDeFerProfile, docket: Docket) -> None:
    """What the stakes and the bank may be, and where they lie."""
    bank = bank_at_close(coup)
    _judge_bank_lies(coup, BANK in start.board.spots, docket)
    _judge_within_bank(coup, bank, profile, docket)
    _judge_minimum(coup, profile, docket)
    _judge_hidden(coup, start.covering, docket)
    _judge_announced(coup, profile, docket)
    _judge_with_the_table(coup, bank, profile, docket)
    _judge_abonaments(coup, profile, docket)
    _judge_players(coup, docket)
    _judge_bank_touched(coup, docket)
    _judge_misplaced(coup, docket)


def _judge_bank_lies(coup: Coup, bank_seen: bool, docket: Docket) -> None:
    """The bank lies in its place before the bets."""
    if BANK in coup.at_close:
        docket.conform("CF-BET-01")
    elif bank_seen and coup.bets:
        docket.breach(
            "CF-BET-01",
            "CHIPS_MISPLACED",
            Moment.at(coup.t_close),
            expected="the bank at the dealer's left when the bets are closed",
            seen="its place was bare",
            spot=BANK,
        )


def _judge_within_bank(
    coup: Coup, bank: Fraction | None, profile: CheminDeFerProfile, docket: Docket
) -> None:
    """No stake is above the bank, nor all together (with what was put up for the bank on top of it)."""
    rule, code = "CF-LIM-02", "BET_ABOVE_BANK"
    boxes = {spot: bets for spot, bets in coup.bets.items() if spot.bet == PUNTO and bets}
    if BANK not in coup.at_close or not boxes:
        return
    seqs = [bet.standing.seq for bets in boxes.values() for bet in bets]
    when = Moment.at(coup.t_close, *seqs, before_s=4.0)
    extra = staked(coup, profile.half_lines, ABONAMENT)
    if bank is None or extra is None:
        docket.undetermined(rule, code, when, "the bank's chips were not read", spot=BANK)
        return
    limit = bank + extra
    above = False
    for spot, bets in boxes.items():
        stake = playing(bets, profile.half_lines)
        if stake is not None and stake > limit:
            above = True
            _above(spot, stake, limit, when, docket)
    total = staked(coup, profile.half_lines)
    if not above and total is not None and profile.limits.sum_within_bank and total > limit:
        _above(None, total, limit, when, docket)
    elif not above and total is not None:
        docket.conform(rule)


def _above(spot: Spot | None, stake: Fraction, limit: Fraction, when: Moment, docket: Docket) -> None:
    docket.breach(
        "CF-LIM-02",
        "BET_ABOVE_BANK",
        when,
        expected=f"at most {readable(limit)}, the bank of the coup",
        seen=f"{readable(stake)}{'' if spot else ' in all'}",
        spot=spot,
        amount=stake,
    )


def _judge_minimum(coup: Coup, profile: CheminDeFerProfile, docket: Docket) -> None:
    least = profile.limits.minimum
    if least is None:
        return
    for spot, bets in coup.bets.items():
        for bet in bets:
            value = bet.standing.value
            if value is None or spot.bet != PUNTO:
                continue
            if value >= least:
                docket.conform("CF-LIM-01")
                continue
            docket.breach(
                "CF-LIM-01",
                "BET_BELOW_MIN",
                Moment.at(coup.t_close, bet.standing.seq, before_s=4.0),
                expected=f"at least {readable(least)}",
                seen=f"a bet of {readable(value)}",
                spot=spot,
                subject=bet.name,
                amount=value,
            )


def _judge_hidden(coup: Coup, covering: tuple[HandContact, ...], docket: Docket) -> None:
    """Stakes lie open when the bets are closed."""
    hidden = [event for event in covering if Spot.parse(event.spot) in coup.bets]
    for event in hidden:
        docket.breach(
            "CF-BET-04",
            "BET_HIDDEN",
            Moment.span(event.t, event.t_to or event.t, event.seq),
            expected="the stakes open on the table when the bets are closed",
            seen=f"a player's hand on it until {clock(event.t_to or event.t)}",
            spot=Spot.parse(event.spot),
        )
    if not hidden and coup.bets:
        docket.conform("CF-BET-04")


def _judge_announced(coup: Coup, profile: CheminDeFerProfile, docket: Docket) -> None:
    """An amount that a player says is what plays: the dealer makes the change."""
    for cue in before(coup, "stake_announced"):
        due = amount_of(cue)
        spot = None if cue.spot is None else Spot.parse(cue.spot)
        bets = [] if spot is None else coup.bets.get(spot, [])
        plays = playing(bets, profile.half_lines)
        if due is None or spot is None or plays is None:
            continue
        if plays == due:
            docket.conform("CF-LINE-02")
            continue
        docket.breach(
            "CF-LINE-02",
            "BET_WRONG_AMOUNT",
            Moment.at(coup.t_close, cue.seq, *(bet.standing.seq for bet in bets), before_s=4.0),
            expected=f"{readable(due)} to play, as the player said",
            seen=f"{readable(plays)} plays",
            spot=spot,
            amount=plays,
        )


def _judge_with_the_table(
    coup: Coup, bank: Fraction | None, profile: CheminDeFerProfile, docket: Docket
) -> None:
    """Whoever plays with the table stakes half of the bank."""
    for cue in before(coup, "with_the_table")[-1:]:
        seat = seat_of(cue)
        boxes = [bets for spot, bets in coup.bets.items() if spot.bet == PUNTO and spot.seat == seat]
        plays = playing([bet for bets in boxes for bet in bets], profile.half_lines)
        if bank is None or plays is None or seat is None:
            continue
        if plays in profile.rounding.takeable(bank / 2):
            docket.conform("CF-PRIO-03")
            continue
        docket.breach(
            "CF-PRIO-03",
            "BET_WRONG_AMOUNT",
            Moment.at(coup.t_close, cue.seq, before_s=4.0),
            expected=f"{readable(bank / 2)}, half of the bank, from who plays with the table",
            seen=f"a stake of {readable(plays)}",
            spot=Spot(Area.BET, seat=seat, bet=PUNTO),
            amount=plays,
        )


def _judge_abonaments(coup: Coup, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Stakes for the bank: after the call, three at most, nobody's shared."""
    boxes = {spot: bets for spot, bets in coup.bets.items() if spot.bet == ABONAMENT and bets}
    for cue in at_all(coup, "abonament_shared"):
        docket.breach(
            "CF-ABON-02",
            "BET_POOLED",
            Moment.at(cue.t, cue.seq),
            expected="a stake for the bank from one player alone",
            seen="one was shared",
            spot=None if cue.spot is None else Spot.parse(cue.spot),
        )
    if not boxes:
        return
    seqs = [bet.standing.seq for bets in boxes.values() for bet in bets]
    when = Moment.at(coup.t_close, *seqs, before_s=4.0)
    count = sum(len(bets) for bets in boxes.values())
    if count <= _MOST_ABONAMENTS:
        docket.conform("CF-ABON-03")
    else:
        docket.breach(
            "CF-ABON-03",
            "TOO_MANY_ABONAMENTS",
            when,
            expected=f"at most {_MOST_ABONAMENTS} stakes for the bank",
            seen=f"{count} of them",
        )
    if at_all(coup, "difference_called"):
        docket.conform("CF-ABON-01")
    elif "difference_called" in profile.cues:
        docket.breach(
            "CF-ABON-01",
            "LATE_BET",
            when,
            expected="stakes for the bank only when the dealer calls for the difference",
            seen="there are some, and he did not call",
            spot=next(iter(boxes)),
        )


def _judge_players(coup: Coup, docket: Docket) -> None:
    """Four players at least, where their number is told."""
    for cue in before(coup, "players")[-1:]:
        number = amount_of(cue)
        if number is None:
            continue
        if number >= 4:
            docket.conform("CF-MIN-01")
            continue
        docket.breach(
            "CF-MIN-01",
            "TOO_FEW_PLAYERS",
            Moment.at(cue.t, cue.seq),
            expected="at least four players at the table",
            seen=f"{readable(number)} of them",
        )
    for cue in before(coup, "bet_shared"):
        docket.breach(
            "CF-PRIO-06",
            "BET_POOLED",
            Moment.at(cue.t, cue.seq),
            expected="a seated player's stake kept apart from others'",
            seen="it was joined with another's",
            spot=None if cue.spot is None else Spot.parse(cue.spot),
        )


def _judge_bank_touched(coup: Coup, docket: Docket) -> None:
    """Only the dealer's hands are on the bank."""
    hands = [(move.t, move.seq, move.hand) for move in coup.moves if move.spot == BANK]
    hands += [
        (event.t, event.seq, event.hand)
        for event in coup.events
        if isinstance(event, HandContact) and event.spot == "bank"
    ]
    others = [(t, seq, hand) for t, seq, hand in hands if hand is not None and hand.owner is Owner.PLAYER]
    if others:
        t, seq, hand = min(others, key=lambda case: case[0])
        who = "a player" if hand is None or hand.seat is None else f"the player at seat {hand.seat}"
        docket.breach(
            "CF-DEALER-02",
            "BANK_TOUCHED",
            Moment.at(t, seq),
            expected="only the dealer's hands on the bank",
            seen=f"{who} had a hand on it at {clock(t)}",
            spot=BANK,
        )
    elif hands:
        docket.conform("CF-DEALER-02")


def _judge_misplaced(coup: Coup, docket: Docket) -> None:
    """The dealer lays the bank's money, the garage and the deduction in their places, nowhere else."""
    bets = [bet.at_mm for several in coup.bets.values() for bet in several]
    for move in coup.moves:
        if move.spot != TABLE or move.owner is not Owner.DEALER:
            continue
        astray = [
            part
            for part in move.added
            if not any(math.dist(part.at_mm, at) <= PAYMENT_BESIDE_MM for at in bets)
        ]
        if astray:
            docket.breach(
                "CF-TABLE-01",
                "CHIPS_MISPLACED",
                Moment.at(move.t, move.seq),
                expected="the bank, the garage and the deduction each in its place",
                seen=f"the dealer laid chips elsewhere on the table at {clock(move.t)}",
                spot=TABLE,
                subject=astray[0].stack,
            )
            return
    if coup.moves:
        docket.conform("CF-TABLE-01")
