"""Settlement: losing bets first, then the winning ones chance by chance, the farthest first."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

from rules.baccarat.apart import apart
from rules.baccarat.boxes import Box, boxes_of
from rules.baccarat.closing import Tampering, is_settlement
from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due
from rules.baccarat.entering import enter_settled, whatever_won
from rules.baccarat.procedure import ORDER_S, SWEEP_S, judge_losers_first, judge_stay
from rules.baccarat.settlement import Setting, Settled, settle
from rules.baccarat.terms import Terms
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import BetRecord, Verdict
from rules.games.trente_et_quarante.insuring import Insured, key_of
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.reading import TrenteCarry, prisoner_of
from rules.games.trente_et_quarante.refait import Standing, settle_prisoner, settle_refait
from rules.games.trente_et_quarante.rows import Rows, counted_otherwise
from rules.games.trente_et_quarante.words import BETS, CHANCES, COULEUR, INVERSE, NOIR, ROUGE, Kind, Result
from rules.money import amount_text, readable
from rules.profile_document import Rounding
from rules.spots import Spot

_AGAINST = ("WINNER_COLLECTED", "LOSER_PAID", "NOT_PAID", "LOSER_NOT_COLLECTED")
_ACTS = ("WINNER_COLLECTED", "LOSER_PAID")
_FARTHER_MM = 60.0
"""A bet is farther than another if it lies farther from the croupier by more than this."""


@cache
def _terms(payout: Fraction, rounding: Rounding) -> Terms:
    return Terms(
        odds=dict.fromkeys(BETS, payout),
        rounding=rounding,
        half_lines=frozenset(),
        pays=dict.fromkeys(BETS, "TQ-PAY-01"),
        pays_at_all=dict.fromkeys(BETS, "TQ-PAY-01"),
        takes="TQ-PAY-02",
        stands="TQ-TIE-01",
        line="TQ-PAY-01",
        closed="TQ-BET-01",
        free_after_push=True,
    )


def judge_settlement(
    start: TrenteCarry,
    coup: Coup,
    rows: Rows,
    stopped: str | None,
    insured: Insured,
    tampered: dict[Spot, Tampering],
    profile: TrenteProfile,
    docket: Docket,
) -> list[BetRecord]:
    """Judge every bet. ``stopped``: the row by which the coup was annulled, empty if it was ruled void."""
    result = rows.sure if stopped is None else None
    winning = frozenset({result.row, result.colour} - {""}) if result is not None else frozenset[str]()
    boxes = [
        own
        for box in boxes_of(coup, tampered, frozenset(), winning)
        if box.bet in BETS
        for own in apart(box, profile.payout if box.bet in winning else None)
    ]
    boxes.sort(key=lambda box: (box.spot, box.bets[0].name))
    setting = Setting(coup, _terms(profile.payout, profile.rounding), _settling_after(coup))
    if not coup.over or coup.began_unseen:
        if coup.over and boxes:
            why = "the close of the bets came before the recording"
            docket.undetermined("TQ-PAY-01", "NOT_PAID", Moment.at(coup.t_result), why)
        return [_record(box, None) for box in boxes]
    if stopped is not None:
        if stopped:
            _judge_void(coup, boxes, setting, stopped, docket)
        return [_record(box, None) for box in boxes]
    if not rows.results:
        if boxes:
            when = Moment.at(coup.t_result, *(card.seq for card in coup.cards))
            docket.undetermined("TQ-WIN-01", "WRONG_WINNER", when, f"the result is not known: {rows.reason}")
        return [_record(box, None) for box in boxes]
    standings = [_standing(start, box, insured) for box in boxes]
    every = {
        one: [_settle(box, s, one, setting, profile) for box, s in zip(boxes, standings, strict=True)]
        for one in sorted(rows.results)
    }
    if result is None:
        cases = [
            whatever_won(each, "TQ-PAY-01", rows.reason, late_all_the_same=True)
            for each in zip(*every.values(), strict=True)
        ]
        for case in cases:
            _enter(case, docket)
        return [_record(case.box, None if case.verdict is Verdict.UNDETERMINED else case) for case in cases]
    cases = every[result]
    free = [c for c, s in zip(cases, standings, strict=True) if s.prisoner is None]
    told = _wrong_winners(coup, free, rows, result, docket)
    for case in cases:
        if not any(case is other for other in told):
            _enter(case, docket)
    if not told:
        judge_losers_first(cases, "TQ-SETTLE-01", docket)
        _judge_pay_order(coup, cases, profile, docket)
    judge_stay(coup, cases, "TQ-STAY-01", docket)
    return [_record(case.box, case) for case in cases]


def _standing(start: TrenteCarry, box: Box, insured: Insured) -> Standing:
    bet = box.bets[0]
    key = key_of(bet)
    sure: bool | None = True if key in insured.sure else None if key in insured.doubtful else False
    return Standing(prisoner_of(bet, start.prison), sure)


def _settle(
    box: Box, standing: Standing, result: Result, setting: Setting, profile: TrenteProfile
) -> Settled:
    own = replace(box, moves=list(box.moves))
    if standing.prisoner is not None:
        return settle_prisoner(own, result, standing.prisoner, setting, profile)
    if result.kind is Kind.REFAIT:
        return settle_refait(own, standing, setting, profile)
    case = settle(own, result.due(box.bet), setting)
    return _doubted(case) if case.verdict is Verdict.BREACH and _may_be_a_mark(box) else case


def _may_be_a_mark(box: Box) -> bool:
    """Whether what lies there may be no bet but the mark of an insured one: a single piece that was not read
    as any of the house's chips."""
    stack = box.bets[0].standing.stack
    return stack.count == 1 and stack.value is None


def _doubted(case: Settled) -> Settled:
    why = "what lies there was not read as a chip, and may be the mark of an insured bet"
    return replace(case, verdict=Verdict.UNDETERMINED, reason=why)


def _settling_after(coup: Coup) -> bool:
    """Whether the bank went on settling after the cards were gathered."""
    if coup.t_swept is None:
        return False
    late = coup.t_swept + SWEEP_S
    return any(m.owner is Owner.DEALER and m.t > late and is_settlement(coup, m) for m in coup.moves)


def _judge_void(coup: Coup, boxes: list[Box], setting: Setting, rule: str, docket: Docket) -> None:
    """A coup that the red card annulled is not settled."""
    wrong: list[Settled] = []
    for box in boxes:
        case = settle(box, Due.PUSH, setting)
        if case.verdict is Verdict.BREACH:
            wrong.append(case)
        else:
            docket.conform(rule)
    if not wrong:
        return
    docket.breach(
        rule,
        "VOID_NOT_APPLIED",
        Moment.span(
            coup.t_close, max(case.when.t for case in wrong), *(seq for c in wrong for seq in c.when.seq)
        ),
        expected="the coup annulled by the red card: every bet neither taken nor paid",
        seen=f"bets were settled: {', '.join(dict.fromkeys(str(c.box.spot) for c in wrong))}",
        spot=wrong[0].box.spot,
    )


# the other chance -----------------------------------------------------------------------------------------


def _wrong_winners(
    coup: Coup, cases: list[Settled], rows: Rows, result: Result, docket: Docket
) -> list[Settled]:
    """If every bet on a chance, two at least, was settled as if the other one had won, that is one finding.
    Returns the cases that are told by it."""
    told: list[Settled] = []
    if result.kind is not Kind.DECIDED:
        return told
    for rule, bets in CHANCES.items():
        mine = [case for case in cases if case.box.bet in bets]
        wrong = [c for c in mine if c.verdict is Verdict.BREACH and c.code in _AGAINST]
        if len(wrong) < 2 or not any(case.code in _ACTS for case in wrong):
            if mine:
                docket.conform(rule)
            continue
        other = _other(result, rule)
        if not all(_goes_by(case, other) for case in mine):
            continue
        cited = "TQ-VAL-01" if rule == "TQ-WIN-01" and _by_values(rows, result) else rule
        docket.breach(
            cited,
            "WRONG_WINNER",
            Moment.span(
                coup.t_result,
                max(case.when.t for case in wrong),
                *(seq for case in wrong for seq in case.when.seq),
            ),
            expected=f"{' and '.join(bets)} settled for {result.text}",
            seen=f"they were settled as for {other.text}: {rows.text}",
        )
        told += mine
    return told


def _other(result: Result, rule: str) -> Result:
    """The result with the other bet of one chance as the winner."""
    if rule == "TQ-WIN-01":
        return replace(result, row=ROUGE if result.row == NOIR else NOIR)
    return replace(result, colour=INVERSE if result.colour == COULEUR else COULEUR)


def _by_values(rows: Rows, result: Result) -> bool:
    """Whether the other row would have won if cards counted otherwise than they do."""
    row = ROUGE if result.row == NOIR else NOIR
    return any(counted_otherwise(rows, Result(Kind.DECIDED, row, colour)) for colour in (COULEUR, INVERSE))


def _goes_by(case: Settled, other: Result) -> bool:
    if case.action in ("unclear", "taken_back"):
        return True
    return case.action == ("paid" if other.due(case.box.bet) is Due.PAY else "collected")


# the order ------------------------------------------------------------------------------------------------


def _judge_pay_order(coup: Coup, cases: list[Settled], profile: TrenteProfile, docket: Docket) -> None:
    """Colour or inverse before black and red; of one chance's bets the farthest first."""
    paid = [
        case for case in cases if case.due is Due.PAY and case.action == "paid" and case.t_paid is not None
    ]
    paid = [case for case in paid if coup.gaps.at(case.box.spot, case.t_paid or 0.0) is None]
    if not paid:
        return
    late = [case for case in paid if case.box.bet in (COULEUR, INVERSE)]
    rest = [case for case in paid if case.box.bet in (NOIR, ROUGE)]
    if late and rest:
        last, first = max(late, key=_t_paid), min(rest, key=_t_paid)
        if _t_paid(last) > _t_paid(first) + ORDER_S:
            _out_of_order("TQ-SETTLE-02", first, last, "colour or inverse paid before black and red", docket)
        else:
            docket.conform("TQ-SETTLE-02")
    for chance in (late, rest):
        if len(chance) > 1:
            _judge_farthest(sorted(chance, key=_t_paid), profile, docket)


def _judge_farthest(paid: list[Settled], profile: TrenteProfile, docket: Docket) -> None:
    for index, case in enumerate(paid):
        for after in paid[index + 1 :]:
            farther = _distance(after, profile) - _distance(case, profile) > _FARTHER_MM
            if farther and _t_paid(after) - _t_paid(case) > ORDER_S:
                expected = "the bets farthest from the croupier paid first"
                _out_of_order("TQ-SETTLE-03", case, after, expected, docket)
                return
    docket.conform("TQ-SETTLE-03")


def _out_of_order(rule: str, first: Settled, last: Settled, expected: str, docket: Docket) -> None:
    docket.breach(
        rule,
        "PAY_ORDER_WRONG",
        Moment.span(_t_paid(first), _t_paid(last), *first.when.seq, *last.when.seq),
        expected=expected,
        seen=f"a bet at {first.box.spot} was paid at {clock(_t_paid(first))},"
        f" one at {last.box.spot} at {clock(_t_paid(last))}",
        spot=first.box.spot,
    )


def _t_paid(case: Settled) -> float:
    return case.t_paid if case.t_paid is not None else case.when.t


def _distance(case: Settled, profile: TrenteProfile) -> float:
    return math.dist(case.box.bets[0].at_mm, profile.croupier_mm)


# entering -------------------------------------------------------------------------------------------------


def _enter(case: Settled, docket: Docket) -> None:
    spot, subject = case.box.spot, case.box.bets[0].name
    if case.posted is not None:
        docket.breach(
            "TQ-BET-01",
            "LATE_BET",
            Moment.at(case.posted.t, case.posted.seq, *case.box.seqs),
            expected="no change of bets from the first card on",
            seen=f"chips worth {readable(case.posted.gain)} put down after the result",
            spot=spot,
            subject=case.posted.added[0].stack,
            amount=case.posted.gain,
        )
    enter_settled(case, docket, subject)


def _record(box: Box, case: Settled | None) -> BetRecord:
    bet = box.bets[0]
    stack = bet.standing.stack
    known = case is not None and case.due is not Due.PUSH
    done = case is not None and case.action in ("paid", "collected")
    return BetRecord(
        stack=bet.name,
        spot=box.spot,
        denominations=stack.denominations,
        count=stack.count if stack.denominations is None else len(stack.denominations),
        value=amount_text(bet.standing.value),
        line=bet.line,
        due=None if case is None else case.due.value,
        due_amount=amount_text(case.right) if case is not None and known else None,
        outcome=None if case is None else case.action,
        outcome_amount=amount_text(case.amount) if case is not None and done else None,
        unread=stack.unread,
    )
