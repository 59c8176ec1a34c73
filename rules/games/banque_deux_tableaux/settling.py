"""Settlement: each tableau by itself against the bank; a bet on a line by the parts that play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from rules.baccarat.boxes import Box, boxes_of, relined
from rules.baccarat.closing import Tampering, is_settlement
from rules.baccarat.coup import Bet, Coup
from rules.baccarat.dues import Due, Stake
from rules.baccarat.entering import enter_posted, enter_settled
from rules.baccarat.settlement import Setting, Settled, settle
from rules.baccarat.terms import Terms
from rules.baccarat.unsure import either, readings
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import BetRecord, Verdict
from rules.games.banque_deux_tableaux.drawing import Outcome, hands_text
from rules.games.banque_deux_tableaux.hands import Hands
from rules.games.banque_deux_tableaux.lines import Side, Sides, net_of, sign_of, total_sign
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.words import LINE_ROWS, PLAYS_ON, TABLEAUX, Line
from rules.money import amount_text
from rules.profile_document import Rounding
from rules.spots import Spot, hand_spot

_SETTLE = "BT-SETTLE-01"
_SWEEP_S = 0.5
_UNIT_OPEN = "the unit of bets is not configured (limits.unit), or does not divide the bet"
_AMOUNTS = (
    "UNDERPAID",
    "OVERPAID",
    "LINE_BET_MISPAID",
    "LOSER_PAID",
    "WINNER_COLLECTED",
    "PUSH_PAID",
    "PUSH_TAKEN",
)
"""What is wrong with a bet on a line that was settled for another part of it, or on the wrong tableau."""
_AGAINST = ("WINNER_COLLECTED", "LOSER_PAID", "PUSH_TAKEN", "PUSH_PAID", "NOT_PAID", "LOSER_NOT_COLLECTED")
_ACTS = ("WINNER_COLLECTED", "LOSER_PAID", "PUSH_TAKEN", "PUSH_PAID")
_DOES = {1: "paid", -1: "collected", 0: "stood"}


@dataclass(slots=True)
class Case:
    """One box judged for one pair of results. ``due``: what its player gains, None if that is not known."""

    box: Box
    line: Line | None
    due: Fraction | None
    settled: Settled

    @property
    def moved(self) -> Fraction | None:
        """What its player was given (negative: what was taken), None if not known."""
        case = self.settled
        if case.action in ("stood", "taken_back"):
            return Fraction(0)
        if case.action == "unclear" or case.amount is None:
            return None
        return case.amount if case.action == "paid" else -case.amount


@cache
def _terms(bet: str, line: Line | None, rounding: Rounding) -> Terms:
    rule = _SETTLE if line is None else LINE_ROWS[line]
    return Terms(
        odds={bet: Fraction(1)},
        rounding=rounding,
        half_lines=frozenset({bet}) if line is Line.HALF else frozenset(),
        pays={bet: rule},
        pays_at_all={bet: _SETTLE},
        takes=_SETTLE,
        stands=_SETTLE,
        line=rule,
        closed="BT-BET-02",
    )


def line_of(bet: Bet, profile: BanqueProfile) -> Line | None:
    """What the line means that a bet lies on, None if on none."""
    return None if bet.line is None else profile.line_of(bet.line)


def boxes_in_play(coup: Coup, tampered: dict[Spot, Tampering], sides: Sides | None) -> list[Box]:
    """Every box with bets that play, nearest to the banker first."""
    winning = frozenset(
        bet for bet, tableau in PLAYS_ON.items() if sides is not None and sides[tableau] is Side.TABLEAU
    )
    boxes = [box for box in boxes_of(coup, tampered, frozenset(), winning) if box.bet in PLAYS_ON]
    return sorted(boxes, key=lambda box: (box.spot.seat or 0, box.bet))


def settle_box(box: Box, sides: Sides, setting: Setting, profile: BanqueProfile) -> Case:
    """Judge one box for one pair of results, in every way in which its bets may lie."""
    ways = readings(box)
    if len(ways) == 1:
        return _settle(box, sides, setting, profile)
    cases = [_settle(_lying(box, way.lines), sides, setting, profile) for way in ways]
    line = next((case.line for case in cases if case.line is not None), None)
    each = [(way, case.settled) for way, case in zip(ways, cases, strict=True)]
    settled = either(box, each, _SETTLE if line is None else LINE_ROWS[line])
    dues = {case.due for case in cases}
    return Case(box, cases[0].line, dues.pop() if len(dues) == 1 else None, settled)


def _lying(box: Box, lines: tuple[str | None, ...]) -> Box:
    """The box as if its bets surely lay on these lines."""
    sure = relined(box, lines, frozenset())
    sure.bets = [
        replace(bet, standing=replace(bet.standing, stack=replace(bet.standing.stack, elsewhere=())))
        for bet in sure.bets
    ]
    return sure


def _settle(box: Box, sides: Sides, setting: Setting, profile: BanqueProfile) -> Case:
    lines = [line_of(bet, profile) for bet in box.bets]
    line = next((line for line in lines if line is not None), None)
    strange = next((bet for bet in box.bets if bet.line is not None and line_of(bet, profile) is None), None)
    mine = replace(setting, terms=_terms(box.bet, line, profile.rounding))
    due = _net(box, box.stakes, lines, sides, profile)
    if strange is not None:
        return Case(
            box, None, None, _open(box, mine, f"the line {strange.line!r} is not in the profile (lines)")
        )
    sign = (
        total_sign([sign_of(box.bet, one, sides) for one in lines]) if due is None else (due > 0) - (due < 0)
    )
    if sign is None:
        reason = _UNIT_OPEN if box.stakes is not None else f"the bet's value is not known ({box.unread})"
        return Case(box, line, None, _open(box, mine, reason))
    altered = _net(box, box.altered, lines, sides, profile)
    part = line is not None
    derived = replace(
        box, stakes=_derived(due, part), altered=_derived(altered, part), on_line=part, moves=list(box.moves)
    )
    settled = settle(derived, {1: Due.PAY, -1: Due.COLLECT, 0: Due.PUSH}[sign], mine)
    settled = replace(settled, box=box)
    if due is None and box.stakes is not None and settled.verdict is Verdict.UNDETERMINED:
        settled = replace(settled, reason=_UNIT_OPEN)
    if line is not None and settled.verdict is not Verdict.CONFORM and settled.code in _AMOUNTS:
        settled = replace(settled, rule=LINE_ROWS[line], code="LINE_BET_MISPAID")
    return Case(box, line, due, settled)


def _net(
    box: Box, stakes: list[Stake] | None, lines: list[Line | None], sides: Sides, profile: BanqueProfile
) -> Fraction | None:
    """What the box's player gains; stakes beyond the bets at the close play in full."""
    if stakes is None:
        return None
    unit = profile.limits.unit
    each = [
        net_of(stake.value, box.bet, lines[i] if i < len(lines) else None, unit, sides)
        for i, stake in enumerate(stakes)
    ]
    known = [net for net in each if net is not None]
    return sum(known, Fraction(0)) if len(known) == len(each) else None


def _derived(net: Fraction | None, part: bool) -> list[Stake] | None:
    """A stake that gains or loses just this. Only a part of a bet on a line moves, whatever lies there."""
    if net is None:
        return None
    return [Stake(2 * abs(net), True)] if part else [Stake(abs(net), False)]


def _open(box: Box, setting: Setting, reason: str) -> Settled:
    terms, coup = setting.terms, setting.coup
    seqs = (*box.seqs, *(move.seq for move in box.moves))
    return Settled(
        box=box,
        due=Due.PUSH,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule=terms.line,
        code="LINE_BET_MISPAID",
        action="unclear",
        amount=None,
        when=Moment.at(coup.t_result, *seqs),
        expected="the bet settled by the parts of it that play",
        seen="not known which",
        reason=reason,
    )


def settle_all(
    coup: Coup,
    outcome: Outcome,
    tampered: dict[Spot, Tampering],
    profile: BanqueProfile,
    docket: Docket,
) -> tuple[list[Case], list[BetRecord]]:
    """Judge every box; the verdicts are not yet entered where the result is sure (``enter``), for a bank that
    is short may owe less."""
    sure = outcome.sure
    boxes = boxes_in_play(coup, tampered, sure)
    if not coup.over or coup.began_unseen:
        if coup.over:
            for box in boxes:
                docket.undetermined(
                    _SETTLE,
                    "NOT_PAID",
                    Moment.at(coup.t_result, *box.seqs),
                    "the close of the bets came before the recording",
                    spot=box.spot,
                )
        return [], [record for box in boxes for record in _records(box, None)]
    setting = Setting(coup, _terms("tableau_1", None, profile.rounding), _settling_after(coup))
    if sure is not None:
        cases = [settle_box(box, sure, setting, profile) for box in boxes]
        return cases, [record for case in cases for record in _records(case.box, case)]
    records: list[BetRecord] = []
    for box in boxes:
        every = [settle_box(box, sides, setting, profile) for sides in sorted(outcome.sides)]
        common = _common(every, outcome)
        _enter(common, docket)
        records += _records(box, common)
    return [], records


def _settling_after(coup: Coup) -> bool:
    """Whether the bank went on settling after the cards were gathered."""
    if coup.t_swept is None:
        return False
    late = coup.t_swept + _SWEEP_S
    return any(
        move.owner is Owner.DEALER and move.t > late and is_settlement(coup, move) for move in coup.moves
    )


def _common(cases: list[Case], outcome: Outcome) -> Case:
    """What holds of a box for every result that there may have been."""
    first = cases[0]
    if len({(c.settled.verdict, c.settled.rule, c.settled.code) for c in cases}) == 1:
        return first
    actions = {case.settled.action for case in cases}
    settled = replace(
        first.settled,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule=_SETTLE,
        code="NOT_PAID",
        action=first.settled.action if len(actions) == 1 else "unclear",
        amount=None,
        expected="the bet settled by the result",
        seen="not known whether it won",
        reason=f"the result is not known: {outcome.reason}",
    )
    return Case(first.box, first.line, None, settled)


def enter(
    cases: list[Case],
    coup: Coup,
    outcome: Outcome,
    hands: Hands,
    sides: Sides,
    profile: BanqueProfile,
    docket: Docket,
) -> None:
    """Enter the verdicts on all boxes of a coup whose result is known."""
    rest = list(cases)
    for tableau in range(2):
        if sides[tableau] is not Side.VOID:
            rest = _wrong_winner(rest, coup, outcome, hands, sides, tableau, docket)
    for case in rest:
        settled = case.settled
        void = [hands.void[t] for t in _tableaux(case) if t in hands.void]
        across = profile.across(case.box.spot)
        if (
            void
            and settled.verdict is Verdict.BREACH
            and settled.code in ("PUSH_PAID", "PUSH_TAKEN", "LINE_BET_MISPAID")
        ):
            case.settled = replace(
                settled, rule=void[0], code="VOID_NOT_APPLIED", expected="the coup void there"
            )
        elif across is not None and settled.verdict is Verdict.BREACH and settled.code in _AGAINST:
            if case.line is None and settled.action == _DOES[sides[across].sign]:
                case.settled = replace(
                    settled,
                    rule="BT-BET-01",
                    code="LOSER_PAID" if settled.code == "LOSER_PAID" else "WRONG_WINNER",
                    expected=f"the bet settled by {TABLEAUX[1 - across]}",
                    seen=f"it was settled by {TABLEAUX[across]}: {hands_text(hands)}",
                )
        elif across is not None and settled.verdict is Verdict.CONFORM:
            docket.conform("BT-BET-01")
        _enter(case, docket)


def _tableaux(case: Case) -> tuple[int, ...]:
    return (0, 1) if case.line in (Line.EQUAL_PARTS, Line.FIRST_LARGER) else (PLAYS_ON[case.box.bet],)


def _wrong_winner(
    cases: list[Case],
    coup: Coup,
    outcome: Outcome,
    hands: Hands,
    sides: Sides,
    tableau: int,
    docket: Docket,
) -> list[Case]:
    """If every plain bet on a tableau, two at least, was settled by another result, that is one finding.
    Returns the boxes that are still to be entered."""
    mine = [case for case in cases if case.line is None and PLAYS_ON[case.box.bet] == tableau]
    wrong = [
        case.settled
        for case in mine
        if case.settled.verdict is Verdict.BREACH and case.settled.code in _AGAINST
    ]
    if len(wrong) < 2 or not any(case.code in _ACTS for case in wrong):
        _conform_winner(mine, outcome, tableau, docket)
        return cases
    for other in (Side.TABLEAU, Side.BANCA, Side.TIE):
        goes = all(c.settled.action in (_DOES[other.sign], "unclear", "taken_back") for c in mine)
        if other is sides[tableau] or not goes:
            continue
        docket.breach(
            "BT-WIN-01" if tableau in outcome.eight else _SETTLE,
            "WRONG_WINNER",
            Moment.span(
                coup.t_result,
                max(case.when.t for case in wrong),
                *(seq for case in wrong for seq in case.when.seq),
            ),
            expected=f"{TABLEAUX[tableau]} settled as {_side_text(sides[tableau])}",
            seen=f"settled as {_side_text(other)}: {hands_text(hands)}",
            spot=hand_spot(TABLEAUX[tableau]),
        )
        return [case for case in cases if case not in mine]
    return cases


def _conform_winner(mine: list[Case], outcome: Outcome, tableau: int, docket: Docket) -> None:
    if mine and all(case.settled.verdict is Verdict.CONFORM for case in mine):
        docket.conform("BT-WIN-01" if tableau in outcome.eight else "BT-RULE-01")


def _side_text(side: Side) -> str:
    return {Side.TABLEAU: "won by the tableau", Side.BANCA: "won by the bank"}.get(side, "a tie")


def _enter(case: Case, docket: Docket) -> None:
    """Enter one box's verdict, and what its player did after the result."""
    settled, box = case.settled, case.box
    subject = box.bets[0].name if len(box.bets) > 1 else ""
    enter_posted(settled, docket, "BT-BET-02", "after the result")
    enter_settled(settled, docket, subject)


def _records(box: Box, case: Case | None) -> list[BetRecord]:
    single = len(box.bets) == 1
    settled = None if case is None else case.settled
    due = None if settled is None or settled.verdict is Verdict.UNDETERMINED else settled.due
    records = []
    for bet in box.bets:
        stack = bet.standing.stack
        exact = None if settled is None or due in (None, Due.PUSH) else settled.right
        paid = settled is not None and settled.action in ("paid", "collected")
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
                outcome=None if settled is None else settled.action,
                outcome_amount=amount_text(settled.amount) if settled and single and paid else None,
                unread=stack.unread,
            )
        )
    return records
