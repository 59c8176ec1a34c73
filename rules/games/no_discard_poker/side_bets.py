"""Annulled rounds, the insurance and the progressive."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

from rules.baccarat.boxes import Box
from rules.baccarat.dues import Due
from rules.baccarat.settlement import Settled, settle
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import Verdict
from rules.games.no_discard_poker.hands import Hands
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import Round
from rules.games.no_discard_poker.settling import LAG_S, make_box, setting_of, terms
from rules.games.no_discard_poker.words import INSURANCE, PROGRESSIVE, box
from rules.money import readable
from rules.poker import Category, category
from rules.spots import Area


def judge_void(coup: Round, t: float, docket: Docket) -> None:
    """Of an annulled round no bet is taken or paid (NP-VOID-01)."""
    rule, code = "NP-VOID-01", "VOID_NOT_APPLIED"
    expected = "the whole round annulled, and all bets given back"
    swept = inf if coup.t_swept is None else coup.t_swept
    for move in coup.moves:
        if move.spot.area is not Area.BET or move.t <= t or move.spot.bet == PROGRESSIVE:
            continue
        if move.owner is Owner.PLAYER or (move.owner is Owner.UNKNOWN and move.t > swept):
            continue
        did = "paid" if move.added else "taken"
        seen = f"chips {did} at {move.spot} at {clock(move.t)}"
        when = Moment.span(t, move.t, move.seq)
        if move.owner is Owner.UNKNOWN:
            why = "whose hand moved the chips was not seen"
            docket.undetermined(rule, code, when, why, expected=expected, seen=seen)
        else:
            docket.breach(rule, code, when, expected=expected, seen=seen)
        return
    if coup.over:
        docket.conform(rule)


def settle_insurance(
    coup: Round, hands: Hands, seat: int, profile: PokerProfile
) -> tuple[Box, Settled] | None:
    """A seat's insurance bet (NP-INS-02), None if there is none or its round goes on."""
    spot = box(seat, INSURANCE)
    bets = coup.bets.get(spot)
    if not bets or (coup.t_reveal is None and not coup.over):
        return None
    folded = seat in hands.folded
    kinds = {category(number) for number in hands.own[seat]}
    ways: set[Fraction | None] = {profile.insured.get(kind) for kind in kinds}
    if folded and not profile.folded_insured:
        ways = {None}
    since = coup.t_close if ways == {None} else (coup.t_reveal or coup.t_dealt) - LAG_S
    one = make_box(coup, spot, bets, since)
    rule = "NP-INS-02"
    each = []
    for odds in ways or {None}:
        own = terms(INSURANCE, rule, Fraction(0) if odds is None else odds, profile.rounding)
        settled = settle(one, Due.COLLECT if odds is None else Due.PAY, setting_of(coup, own))
        code = "INSURANCE_MISPAID" if settled.rule == rule else settled.code
        each.append(replace(settled, code=code))
    if len(ways) == 1:
        return one, each[0]
    why = hands.unread(coup, seat, alone=True)
    return one, replace(each[0], verdict=Verdict.UNDETERMINED, reason=why, action="unclear", right=None)


def judge_progressive(
    coup: Round, hands: Hands, seat: int, jackpot: Fraction | None, profile: PokerProfile, docket: Docket
) -> None:
    """The prize of a progressive bet, by the first five cards (NP-PROG-02)."""
    spot, rule, code = box(seat, PROGRESSIVE), "NP-PROG-02", "PROGRESSIVE_MISPAID"
    bets = coup.bets.get(spot)
    first = hands.first[seat]
    if not bets or not profile.prizes or not first or not coup.over or coup.cut_off:
        return
    kinds: set[Category] = {category(number) for number in first}
    prizes = {profile.prizes.get(kind) for kind in kinds}
    if len(prizes) > 1:
        why = hands.unread(coup, seat, alone=True)
        docket.undetermined(rule, code, Moment.at(coup.t_end), why, spot=spot)
        return
    prize = prizes.pop()
    since = coup.t_dealt if coup.t_reveal is None else coup.t_reveal
    swept = inf if coup.t_swept is None else coup.t_swept
    puts = [
        move
        for move in coup.moves
        if move.spot == spot and move.added and move.t > since and move.owner is not Owner.PLAYER
        if move.owner is Owner.DEALER or move.t < swept
    ]
    gains = [move.gain for move in puts]
    paid = None if None in gains else sum((gain for gain in gains if gain is not None), Fraction(0))
    due: Fraction | None = Fraction(0)
    if prize is not None:
        share = prize.of_jackpot
        due = prize.amount if share is None else None if jackpot is None else share * jackpot
    when = Moment.span(since, coup.t_end if not puts else puts[-1].t, *(move.seq for move in puts))
    names = " or ".join(kind.name.lower().replace("_", " ") for kind in sorted(kinds))
    expected = f"a prize of {readable(due)} for {names}" if due else f"no prize for {names}"
    if due is None or paid is None:
        if due is None and paid == 0:
            docket.breach(rule, code, when, expected="a part of the jackpot", seen="no prize", spot=spot)
            return
        why = "what the jackpot held was not told (cue jackpot)" if due is None else "the prize was not read"
        docket.undetermined(rule, code, when, why, spot=spot)
    elif paid in profile.rounding.payable(due):
        docket.conform(rule)
    elif gap := coup.gaps.within(spot, since, coup.t_end):
        why = f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        docket.undetermined(rule, code, when, why, spot=spot)
    else:
        seen = f"{readable(paid)} paid"
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=spot, due=due, amount=paid)
