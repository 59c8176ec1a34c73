"""The settlement of a coup: every box by the result, losers first, the cards in view until the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rules.baccarat.boxes import Box, boxes_of
from rules.baccarat.closing import Tampering, is_settlement
from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due, due_of
from rules.baccarat.entering import enter_posted, enter_settled
from rules.baccarat.points import HANDS, Result
from rules.baccarat.procedure import SWEEP_S, judge_losers_first, judge_stay
from rules.baccarat.settlement import Setting, Settled, half_unseen, settle
from rules.baccarat.terms import Terms
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import BetRecord, Finding, Verdict
from rules.games.punto_banco.articles import Articles
from rules.games.punto_banco.drawing import Outcome
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.money import amount_text
from rules.spots import Spot


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the bets of a coup ended; ``settled``: box by box, empty where the result is not known."""

    records: list[BetRecord]
    settled: list[Settled] = field(default_factory=list)


def _as_it_is(case: Settled) -> Settled:
    return case


def terms_of(profile: PuntoBancoProfile) -> Terms:
    """What bets are settled by at this table."""
    articles = profile.articles
    return Terms(
        odds=profile.payouts,
        rounding=profile.rounding,
        half_lines=profile.half_lines,
        pays=articles.pays,
        pays_at_all=articles.pays_at_all,
        takes=articles.takes,
        stands=articles.stands,
        line=articles.line,
        closed=articles.closed,
        commission=articles.commission,
        free_after_push=articles.free_after_push,
    )


def judge_settlement(
    coup: Coup,
    outcome: Outcome,
    tampered: dict[Spot, Tampering],
    profile: PuntoBancoProfile,
    docket: Docket,
    own: Terms | None = None,
    cited: Callable[[Settled], Settled] = _as_it_is,
) -> Settlement:
    """Settle all boxes. ``own``: the terms of this coup, where they are not the table's. ``cited``: gives the
    row for a verdict, where the table's is not the one."""
    result, articles = outcome.result, profile.articles
    boxes = boxes_of(
        coup, tampered, profile.half_lines, frozenset() if result is None else frozenset({result.value})
    )
    boxes.sort(key=lambda box: box.spot)
    if not coup.over or coup.void or coup.began_unseen:
        if coup.began_unseen and coup.over:
            _all_unseen(coup, boxes, articles, docket)
        elif coup.void and coup.over:
            _judge_void(coup, boxes, own or terms_of(profile), articles, docket)
        return Settlement([record for box in boxes for record in _records(box, None, None)])
    terms = own or terms_of(profile)
    setting = Setting(coup, terms, _settling_after(coup, boxes, outcome, terms))
    cases = {
        result: [cited(settle(box, due_of(box.bet, result), setting)) for box in boxes]
        for result in sorted(outcome.results)
    }
    if result is not None:
        settled = cases[result]
        if other := _other_result(settled, result):
            _wrong_winner(coup, settled, result, other, articles, docket)
        else:
            for rule in {articles.winner, articles.values}:
                docket.conform(rule)
            for case in settled:
                _enter(case, articles, docket)
            judge_losers_first(settled, articles.losers_first, docket)
        judge_stay(coup, settled, articles.stay, docket)
        return Settlement([r for case in settled for r in _records(case.box, case, result)], settled)
    records: list[BetRecord] = []
    for index, box in enumerate(boxes):
        common = _common([cases[result][index] for result in cases], outcome, articles)
        _enter(common, articles, docket)
        records += _records(box, common, None)
    if boxes:
        reason = f"the result is not known: {outcome.reason}"
        _whatever_won(
            list(cases.values()),
            lambda settled, own: judge_losers_first(settled, articles.losers_first, own),
            reason,
            docket,
        )
        _whatever_won(
            list(cases.values()),
            lambda settled, own: judge_stay(coup, settled, articles.stay, own),
            reason,
            docket,
        )
    return Settlement(records)


def _whatever_won(
    cases: Sequence[list[Settled]],
    judge: Callable[[list[Settled], Docket], None],
    reason: str,
    docket: Docket,
) -> None:
    """How the settlement was gone about, where it is the same for every result there may have been."""
    tried: list[list[Finding]] = []
    for settled in cases:
        own = Docket(docket.number, docket.gaps, docket.since, docket.joint)
        judge(settled, own)
        tried.append(own.findings)
    broken = [found[0] for found in tried if found]
    if len(broken) in (0, len(tried)):
        judge(cases[0], docket)
        return
    first = broken[0]
    docket.undetermined(
        first.rule,
        first.code,
        Moment(t=first.t, t_from=first.t_from, t_to=first.t_to, seq=first.evidence_seq),
        reason,
        expected=first.expected,
        seen=first.seen,
        spot=first.spot,
    )


def _judge_void(coup: Coup, boxes: list[Box], terms: Terms, articles: Articles, docket: Docket) -> None:
    """A coup that was ruled void is not settled: every bet stays its player's."""
    setting = Setting(coup, terms, False)
    rule = articles.void or articles.irregular
    for box in boxes:
        case = settle(box, Due.PUSH, setting)
        if case.verdict is Verdict.CONFORM:
            docket.conform(rule)
        elif case.verdict is Verdict.BREACH:
            docket.breach(
                rule,
                "VOID_NOT_APPLIED",
                case.when,
                expected="the coup void: the bet neither taken nor paid",
                seen=case.seen,
                spot=box.spot,
                until=coup.t_end,
            )


def _common(cases: list[Settled], outcome: Outcome, articles: Articles) -> Settled:
    """What holds of a box for every result that there may have been."""
    first = cases[0]
    if len({(case.verdict, case.rule, case.code) for case in cases}) == 1:
        return first
    rule = articles.pays[first.box.bet]
    return Settled(
        box=first.box,
        due=first.due,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule=articles.settles(first.box.bet),
        code="NOT_PAID",
        action=first.action if len({case.action for case in cases}) == 1 else "unclear",
        amount=None,
        when=first.when,
        expected=f"the bet settled by the result ({rule})",
        seen="not known whether it won",
        reason=f"the result is not known: {outcome.reason}",
    )


def _enter(case: Settled, articles: Articles, docket: Docket) -> None:
    """Enter one box's verdict, and what its player did after the result."""
    subject = case.box.bets[0].name if len(case.box.bets) > 1 else ""
    enter_posted(case, docket, articles.closed, "after the result")
    enter_settled(case, docket, subject)
    if case.verdict is Verdict.CONFORM and case.rule != articles.takes and case.due is not Due.PUSH:
        docket.conform(articles.takes)


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
    due = due_of(case.box.bet, other)
    if due is Due.COLLECT and case.action == "stood" and half_unseen(case.box):
        return True
    return case.action == _DOES[due]


def _wrong_winner(
    coup: Coup, settled: list[Settled], result: Result, other: Result, articles: Articles, docket: Docket
) -> None:
    docket.breach(
        articles.winner,
        "WRONG_WINNER",
        Moment.span(
            coup.t_result,
            max(case.when.t for case in settled),
            *(seq for case in settled for seq in case.when.seq),
        ),
        expected=f"the bets settled for {winner_text(result)}",
        seen=f"they were settled as for {winner_text(other)}: {_hands(coup)}",
    )


def _settling_after(coup: Coup, boxes: list[Box], outcome: Outcome, terms: Terms) -> bool:
    """Whether the bank went on settling after the cards were gathered."""
    if coup.t_swept is None:
        return False
    late = coup.t_swept + SWEEP_S
    if any(move.owner is Owner.DEALER and move.t > late and is_settlement(coup, move) for move in coup.moves):
        return True
    if outcome.result is None:
        return False
    setting = Setting(coup, terms, False)
    for box in boxes:
        put_down_late = any(move.added and move.t > late for move in box.moves)
        if put_down_late and due_of(box.bet, outcome.result) is Due.PAY:
            case = settle(box, Due.PAY, setting)
            if case.t_paid is not None and case.t_paid > late:
                return True
    return False


def _all_unseen(coup: Coup, boxes: list[Box], articles: Articles, docket: Docket) -> None:
    for box in boxes:
        docket.undetermined(
            articles.settles(box.bet),
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


def winner_text(result: Result) -> str:
    """A result in words."""
    return "tie" if result is Result.TIE else result.value


def _hands(coup: Coup) -> str:
    return "; ".join(f"{hand} {' '.join(card.name for card in coup.hand(hand))}" for hand in HANDS)
