"""A coup's verdicts put together: the settlement of all boxes, its order, and the coup's summary."""

from __future__ import annotations

from rules.baccarat.boxes import Box, boxes_of
from rules.baccarat.closing import Tampering, is_settlement, judge_closing, whose
from rules.baccarat.coup import CLOSE_TOLERANCE_S, Carry, Coup
from rules.baccarat.dues import Due, due_of
from rules.baccarat.points import HANDS, Result
from rules.baccarat.settlement import Setting, Settled, settle
from rules.baccarat.terms import Terms
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import BetRecord, CoupSummary, Finding, Verdict
from rules.games.punto_banco.bets import judge_limits
from rules.games.punto_banco.dealing import judge_dealing
from rules.games.punto_banco.drawing import Outcome, judge_drawing
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.shoe import judge_shoe
from rules.money import amount_text
from rules.sight import Sight
from rules.spots import Spot

_ORDER_S = 0.3
"""Two moves nearer than this may have been the other way round."""
_SWEEP_S = 0.5
"""A move seen so soon after the cards began to go may have come before."""


_PAY_RULES = {"punto": "PB-AND-PAY-02", "banca": "PB-AND-PAY-01", "empate": "PB-AND-PAY-03"}


def terms_of(profile: PuntoBancoProfile) -> Terms:
    """What bets are settled by at this table."""
    bank = "PB-AND-BANK-01"
    return Terms(
        odds=profile.payouts,
        rounding=profile.rounding,
        half_lines=profile.half_lines,
        pays=_PAY_RULES,
        pays_at_all={"punto": bank, "banca": bank, "empate": "PB-AND-TIE-01"},
        takes=bank,
        stands="PB-AND-TIE-01",
        line="HOUSE-LINE-01",
        closed="PB-AND-BET-01",
    )


def judge_coup(
    start: Carry, coup: Coup, profile: PuntoBancoProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one coup; ``start``: what it began from."""
    docket = Docket(coup.number)
    judge_shoe(start.shoe, coup.cards, profile, sight, docket)
    judge_dealing(coup, profile, docket)
    outcome = judge_drawing(coup, profile, docket)
    tampered = judge_closing(coup, "PB-AND-BET-01", docket)
    if not coup.began_unseen:
        judge_limits(coup, profile, docket)
    records = _judge_settlement(coup, outcome, tampered, profile, docket)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(coup, outcome, records, docket)


def _judge_settlement(
    coup: Coup, outcome: Outcome, tampered: dict[Spot, Tampering], profile: PuntoBancoProfile, docket: Docket
) -> list[BetRecord]:
    result = outcome.result
    boxes = boxes_of(coup, tampered, profile.half_lines, None if result is None else result.value)
    boxes.sort(key=lambda box: box.spot)
    if not coup.over or coup.void or coup.began_unseen:
        if coup.began_unseen and coup.over:
            _all_unseen(coup, boxes, docket)
        return [record for box in boxes for record in _records(box, None, None)]
    terms = terms_of(profile)
    setting = Setting(coup, terms, _settling_after(coup, boxes, outcome, terms))
    cases = {
        result: [settle(box, due_of(box.bet, result), setting) for box in boxes]
        for result in sorted(outcome.results)
    }
    if result is not None:
        settled = cases[result]
        if other := _other_result(settled, result):
            _wrong_winner(coup, settled, result, other, docket)
        else:
            docket.conform("PB-AND-WIN-01")
            docket.conform("PB-AND-VAL-01")
            for case in settled:
                _enter(case, docket)
            _judge_order(settled, docket)
        _judge_stay(coup, settled, docket)
        return [record for case in settled for record in _records(case.box, case, result)]
    records: list[BetRecord] = []
    for index, box in enumerate(boxes):
        common = _common([cases[result][index] for result in cases], outcome)
        _enter(common, docket)
        records += _records(box, common, None)
    return records


def _common(cases: list[Settled], outcome: Outcome) -> Settled:
    """What holds of a box for every result that there may have been."""
    first = cases[0]
    if len({(case.verdict, case.rule, case.code) for case in cases}) == 1:
        return first
    rule = _PAY_RULES[first.box.bet]
    return Settled(
        box=first.box,
        due=first.due,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule="PB-AND-BANK-01",
        code="NOT_PAID",
        action=first.action if len({case.action for case in cases}) == 1 else "unclear",
        amount=None,
        when=first.when,
        expected=f"the bet settled by the result ({rule})",
        seen="not known whether it won",
        reason=f"the result is not known: {outcome.reason}",
    )


def _enter(case: Settled, docket: Docket) -> None:
    """Enter one box's verdict, and what its player did after the result."""
    spot = case.box.spot
    subject = case.box.bets[0].name if len(case.box.bets) > 1 else ""
    if case.posted is not None:
        docket.breach(
            "PB-AND-BET-01",
            "LATE_BET",
            Moment.at(case.posted.t, case.posted.seq, *case.box.seqs),
            expected="no change of bets once they are closed",
            seen=f"chips worth {amount_text(case.posted.gain)} put down after the result"
            f" by {whose(case.posted)}",
            spot=spot,
            subject=case.posted.added[0].stack,
            amount=case.posted.gain,
        )
    if case.verdict is Verdict.CONFORM:
        docket.conform(case.rule)
        if case.rule != "PB-AND-BANK-01" and case.due is not Due.PUSH:
            docket.conform("PB-AND-BANK-01")
    elif case.verdict is Verdict.BREACH:
        docket.breach(
            case.rule,
            case.code,
            case.when,
            expected=case.expected,
            seen=case.seen,
            spot=spot,
            subject=subject,
            due=case.right,
            amount=case.amount,
        )
    else:
        docket.undetermined(
            case.rule,
            case.code,
            case.when,
            case.reason or "",
            expected=case.expected,
            seen=case.seen,
            spot=spot,
            subject=subject,
            due=case.right,
            amount=case.amount,
        )


def _other_result(settled: list[Settled], result: Result) -> Result | None:
    """Another result by which every bet was settled, against the cards on two bets at least; None if there is
    none: then single bets were settled wrongly."""
    wrong = [case for case in settled if case.verdict is Verdict.BREACH and case.code in _AGAINST]
    if len(wrong) < 2 or not any(case.code in _ACTS for case in wrong):
        return None
    for other in Result:
        if other is not result and all(_goes_by(case, other) for case in settled):
            return other
    return None


_AGAINST = (
    "WINNER_COLLECTED",
    "LOSER_PAID",
    "PUSH_TAKEN",
    "PUSH_PAID",
    "NOT_PAID",
    "LOSER_NOT_COLLECTED",
    "LINE_BET_MISPAID",
)
_ACTS = ("WINNER_COLLECTED", "LOSER_PAID", "PUSH_TAKEN", "PUSH_PAID")
_DOES = {Due.PAY: "paid", Due.COLLECT: "collected", Due.PUSH: "stood"}


def _goes_by(case: Settled, other: Result) -> bool:
    if case.action == "unclear" or case.action == "taken_back":
        return True
    return case.action == _DOES[due_of(case.box.bet, other)]


def _wrong_winner(coup: Coup, settled: list[Settled], result: Result, other: Result, docket: Docket) -> None:
    docket.breach(
        "PB-AND-WIN-01",
        "WRONG_WINNER",
        Moment.span(
            coup.t_result,
            max(case.when.t for case in settled),
            *(seq for case in settled for seq in case.when.seq),
        ),
        expected=f"the bets settled for {_winner(result)}",
        seen=f"they were settled as for {_winner(other)}: {_hands(coup)}",
    )


def _judge_order(settled: list[Settled], docket: Docket) -> None:
    """Losers are taken before winners are paid (PB-AND-SETTLE-01)."""
    paid = [case for case in settled if case.due is Due.PAY and case.t_paid is not None]
    taken = [
        case
        for case in settled
        if case.due is Due.COLLECT and case.t_taken is not None and case.action == "collected"
    ]
    if not paid or not taken:
        return
    first = min(paid, key=lambda case: case.t_paid or 0.0)
    t_paid = first.t_paid or 0.0
    lying = [case for case in taken if _earliest(case) > t_paid + _ORDER_S]
    if not lying:
        docket.conform("PB-AND-SETTLE-01")
        return
    names = ", ".join(str(case.box.spot) for case in lying)
    docket.breach(
        "PB-AND-SETTLE-01",
        "PAID_BEFORE_COLLECT",
        Moment.span(
            t_paid - 2.0, t_paid, *(seq for case in (first, *lying) for seq in case.when.seq), after_s=2.0
        ),
        expected="all losing bets taken before the first payment",
        seen=f"{first.box.spot} was paid at {t_paid:.1f} s while losing bets still lay there: {names}",
        spot=first.box.spot,
    )


def _earliest(case: Settled) -> float:
    """The earliest a losing bet may have been taken."""
    moves = [move for move in case.box.moves if move.removed and move.t == case.t_taken]
    return min((move.t_from for move in moves), default=case.t_taken or 0.0)


def _judge_stay(coup: Coup, settled: list[Settled], docket: Docket) -> None:
    """The cards stay until every bet is settled (PB-AND-STAY-01)."""
    if coup.t_swept is None:
        return
    late: list[tuple[float, Settled]] = []
    done = False
    for case in settled:
        for t in (case.t_paid, case.t_taken):
            done |= t is not None
        last = [
            m
            for m in case.box.moves
            if (case.t_paid is not None and m.t == case.t_paid)
            or (case.t_taken is not None and m.t == case.t_taken)
        ]
        late += [(move.t, case) for move in last if move.t_from > coup.t_swept + _SWEEP_S]
    if not late:
        if done:
            docket.conform("PB-AND-STAY-01")
        return
    t, case = min(late, key=lambda pair: pair[0])
    what = "paid" if case.t_paid == t else "taken"
    docket.breach(
        "PB-AND-STAY-01",
        "CARDS_CLEARED_EARLY",
        Moment.span(
            coup.t_swept - 1.0, t, *case.when.seq, *(seq for card in coup.cards for seq in card.seqs[-1:])
        ),
        expected="the cards in their place until every bet is settled",
        seen=f"the cards were gathered from {coup.t_swept:.1f} s on; {case.box.spot} was {what} at {t:.1f} s",
        spot=None,
    )


def _settling_after(coup: Coup, boxes: list[Box], outcome: Outcome, terms: Terms) -> bool:
    """Whether the bank went on settling after the cards were gathered."""
    if coup.t_swept is None:
        return False
    late = coup.t_swept + _SWEEP_S
    if any(move.owner is Owner.DEALER and move.t > late and is_settlement(coup, move) for move in coup.moves):
        return True
    if outcome.result is None:
        return False
    setting = Setting(coup, terms, False)
    for box in boxes:
        if due_of(box.bet, outcome.result) is Due.PAY:
            case = settle(box, Due.PAY, setting)
            if case.t_paid is not None and case.t_paid > late:
                return True
    return False


def _all_unseen(coup: Coup, boxes: list[Box], docket: Docket) -> None:
    for box in boxes:
        docket.undetermined(
            "PB-AND-BANK-01",
            "NOT_PAID",
            Moment.at(coup.t_result, *box.seqs),
            "the close of the bets came before the recording",
            spot=box.spot,
        )


def _records(box: Box, case: Settled | None, result: Result | None) -> list[BetRecord]:
    due = None if result is None else due_of(box.bet, result)
    single = len(box.bets) == 1
    records = []
    for bet in box.bets:
        stack = bet.standing.stack
        amount = None if case is None else case.amount
        action = None if case is None else case.action
        exact = None if case is None or due is None else case.right
        if due is Due.PUSH:
            exact = None
        records.append(
            BetRecord(
                stack=bet.name,
                spot=box.spot,
                denominations=stack.denominations,
                count=stack.count if stack.denominations is None else len(stack.denominations),
                value=amount_text(bet.standing.value),
                line=bet.line,
                due=None if due is None else due.value,
                due_amount=amount_text(exact) if single else None,
                outcome=action,
                outcome_amount=amount_text(amount) if single and action in ("paid", "collected") else None,
                unread=stack.unread,
            )
        )
    return records


def _winner(result: Result) -> str:
    return "tie" if result is Result.TIE else result.value


def _hands(coup: Coup) -> str:
    return "; ".join(f"{hand} {' '.join(card.name for card in coup.hand(hand))}" for hand in HANDS)


def _summary(coup: Coup, outcome: Outcome, records: list[BetRecord], docket: Docket) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={hand: tuple(card.name for card in coup.hand(hand)) for hand in HANDS},
        bets=tuple(records),
        result={
            "winner": None if outcome.result is None else _winner(outcome.result),
            "punto_total": outcome.punto_total,
            "banca_total": outcome.banca_total,
            "natural": outcome.natural,
            "void": coup.void,
            "reason": outcome.reason,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )
