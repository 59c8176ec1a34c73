"""Settlement: losers taken, winners paid exactly, pushes left alone (PB-AND-BANK, PB-AND-PAY, PB-AND-TIE,
HOUSE-LINE).

Each box is judged for every result that the coup may have had; what follows is said only if it is the same
for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.chips import Move
from rules.docket import Moment
from rules.events import Owner
from rules.findings import Verdict
from rules.games.punto_banco.bets import whose
from rules.games.punto_banco.boxes import (
    Box,
    Course,
    losing_course,
    plays_half,
    pushed_course,
    winning_course,
)
from rules.games.punto_banco.coup import Coup
from rules.games.punto_banco.dues import Due, Stake, due_of, payable, profit, takeable
from rules.games.punto_banco.points import Result
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.money import amount_text

PAY_RULES = {"punto": "PB-AND-PAY-02", "banca": "PB-AND-PAY-01", "empate": "PB-AND-PAY-03"}
_BANK, _TIE, _LINE, _BETS = "PB-AND-BANK-01", "PB-AND-TIE-01", "HOUSE-LINE-01", "PB-AND-BET-01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """How one box was settled, judged for one result.

    ``action``: what the bank did: ``paid``, ``collected``, ``stood``, ``taken_back`` (by the player), or
    ``unclear``. ``amount``: how much, None if not known. ``right``: the exact due amount.
    """

    box: Box
    due: Due
    right: Fraction | None
    verdict: Verdict
    rule: str
    code: str
    action: str
    amount: Fraction | None
    when: Moment
    expected: str
    seen: str
    reason: str | None = None
    t_paid: float | None = None
    t_taken: float | None = None
    posted: Move | None = None
    """Chips that the player put down after the result, before the bank came."""
    took_back: Move | None = None
    """Chips that the player took back before he was settled."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What settling one coup goes by."""

    coup: Coup
    profile: PuntoBancoProfile
    settling_after: bool

    @property
    def swept(self) -> float:
        """When the cards began to be gathered; later than anything if they were not."""
        return float("inf") if self.coup.t_swept is None else self.coup.t_swept


def settle(box: Box, result: Result, setting: Setting) -> Settled:
    """Judge one box for one result."""
    match due_of(box.bet, result):
        case Due.PAY:
            return _settle_winner(box, result, setting)
        case Due.COLLECT:
            return _settle_loser(box, setting)
        case Due.PUSH:
            return _settle_push(box, setting)


# winners --------------------------------------------------------------------------------------------------


def _settle_winner(box: Box, result: Result, setting: Setting) -> Settled:
    profile = setting.profile
    right = _right_payments(box, profile, [])
    course = winning_course(box, right, setting.swept)
    posted = _value_of(course.posted)
    if course.posted and posted is not None:
        right = _right_payments(box, profile, [Stake(posted, False)])
        course = winning_course(box, right, setting.swept)
    elif guessed := _posted_by_unknown(box, course, right, profile):
        course.posted, course.paid = guessed[:1], guessed[1:]
        course.net = _value_of(course.paid)
        first = _value_of(course.posted) or Fraction(0)
        right = _right_payments(box, profile, [Stake(first, False)])
    due = None if box.stakes is None else sum((profit(s, box.bet, profile) for s in box.stakes), Fraction(0))
    say = _Say(box, Due.PAY, due, setting, course)
    rule = _TIE if result is Result.TIE else _BANK
    if course.took_back is not None and not course.paid:
        return say.taken_back(course.took_back)
    if not course.paid and not course.taken:
        if box.emptied:
            return say.nothing_left()
        return say.omitted(rule, "NOT_PAID", _pays_text(box, due), "no payment")
    if (course.net is not None and course.net < 0) or (course.net is None and not course.paid):
        return say.breach(
            rule if result is Result.TIE else _BANK,
            "WINNER_COLLECTED",
            "collected",
            _pays_text(box, due),
            "the bet was taken",
        )
    if course.net == 0:
        return say.omitted(rule, "NOT_PAID", _pays_text(box, due), "no payment")
    return _judge_payment(box, say, course, right, due)


def _judge_payment(
    box: Box, say: _Say, course: Course, right: frozenset[Fraction] | None, due: Fraction | None
) -> Settled:
    rule = PAY_RULES[box.bet]
    expected = _pays_text(box, due)
    if course.net is not None and right is not None:
        if course.net in right:
            return say.conform(_LINE if box.on_line else rule, "paid")
        seen = f"{amount_text(course.net)} paid"
        full = {2 * amount for amount in right} if box.on_line else set()
        whole = payable([Stake(s.value, False) for s in box.stakes or ()], box.bet, say.setting.profile)
        if box.on_line and (course.net in full or course.net in whole):
            return say.sure(_LINE, "LINE_BET_MISPAID", "paid", expected, f"{seen}, as if it played in full")
        code = "UNDERPAID" if course.net < min(right) else "OVERPAID"
        return say.sure(rule, code, "paid", expected, seen)
    if right is not None and course.at_least > max(right):
        return say.sure(rule, "OVERPAID", "paid", expected, f"at least {amount_text(course.at_least)} paid")
    what = (
        f"the bet's value is not known ({box.unread})" if box.stakes is None else "the payment was not read"
    )
    return say.unknown(rule, "UNDERPAID", "paid", expected, what)


def _right_payments(box: Box, profile: PuntoBancoProfile, posted: list[Stake]) -> frozenset[Fraction] | None:
    if not box.variants:
        return None
    sets = [payable([*stakes, *more], box.bet, profile) for stakes in box.variants for more in ([], posted)]
    return frozenset().union(*sets)


def _posted_by_unknown(
    box: Box, course: Course, right: frozenset[Fraction] | None, profile: PuntoBancoProfile
) -> list[Move]:
    """Moves of which the first is the player's, after the result: the rest pays exactly for it too."""
    if right is None or course.net in right or len(course.paid) < 2 or course.taken:
        return []
    if any(move.owner is Owner.DEALER for move in course.paid[:1]):
        return []
    first, rest = _value_of(course.paid[:1]), _value_of(course.paid[1:])
    if first is None or rest is None:
        return []
    together = [payable([*stakes, Stake(first, False)], box.bet, profile) for stakes in box.variants]
    return list(course.paid) if rest in frozenset().union(*together) else []


def _value_of(moves: list[Move]) -> Fraction | None:
    values = [move.gain for move in moves]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(values) else None


def _pays_text(box: Box, due: Fraction | None) -> str:
    odds = {"punto": "1 to 1", "banca": "19 to 20", "empate": "8 to 1"}[box.bet]
    half = " on half" if box.stakes and any(stake.half for stake in box.stakes) else ""
    amount = "a payment" if due is None else f"a payment of {amount_text(due)}"
    return f"{amount} ({odds}{half})"


# losers ---------------------------------------------------------------------------------------------------


def _settle_loser(box: Box, setting: Setting) -> Settled:
    profile = setting.profile
    sets = [takeable(stakes, profile) for stakes in box.variants]
    right = frozenset().union(*sets) if sets else None
    course = losing_course(box, right, setting.swept, setting.settling_after)
    due = (
        None
        if box.stakes is None
        else sum((s.playing if s.half else s.value for s in box.stakes), Fraction(0))
    )
    say = _Say(box, Due.COLLECT, due, setting, course)
    half = "half of the bet" if due is None else f"half of the bet, {amount_text(due)},"
    expected = f"{half} taken" if box.on_line else "the bet taken"
    if box.emptied:
        return say.nothing_left()
    if course.took_back is not None:
        return say.taken_back(course.took_back)
    if not course.taken:
        if course.paid:
            seen = "the bet stayed and was paid" + _amount_text(_value_of(course.paid))
            return say.sure(_BANK, "LOSER_PAID", "paid", expected, seen)
        if _half_unseen(box, profile):
            why = f"whether half of it was taken cannot be seen ({box.unread})"
            return say.unknown(_LINE, "LINE_BET_MISPAID", "unclear", expected, why)
        return say.omitted(_BANK, "LOSER_NOT_COLLECTED", expected, "the bet stayed")
    return _judge_taking(box, say, course, right, expected)


def _half_unseen(box: Box, profile: PuntoBancoProfile) -> bool:
    """Whether half of a bet on a line may have been taken unseen: its chips cannot be counted."""
    return any(
        plays_half(bet, profile)
        and bet.standing.stack.denominations is None
        and bet.standing.stack.count is None
        for bet in box.bets
    )


def _judge_taking(
    box: Box, say: _Say, course: Course, right: frozenset[Fraction] | None, expected: str
) -> Settled:
    names = box.names
    taken = None if course.net is None else -course.net
    if taken is not None and right is not None:
        if taken in right:
            return say.conform(_LINE if box.on_line else _BANK, "collected")
        seen = f"{amount_text(taken)} taken"
        if box.on_line:
            return say.sure(_LINE, "LINE_BET_MISPAID", "collected", expected, seen)
        if names <= course.gone:
            return say.conform(_BANK, "collected")
        if taken <= 0:
            return say.sure(_BANK, "LOSER_PAID", "paid", expected, f"{amount_text(-taken)} given")
        return say.sure(_BANK, "LOSER_NOT_COLLECTED", "collected", expected, f"only {seen}")
    if not _may_play_half(box, say.setting.profile) and names <= course.gone:
        return say.conform(_BANK, "collected")
    if _all_on_line(box, say.setting.profile) and names <= course.gone and not course.paid:
        return say.sure(_LINE, "LINE_BET_MISPAID", "collected", expected, "the whole bet taken")
    rule, code = (_LINE, "LINE_BET_MISPAID") if box.on_line else (_BANK, "LOSER_NOT_COLLECTED")
    return say.unknown(rule, code, "collected", expected, f"how much was taken is not known ({box.unread})")


def _may_play_half(box: Box, profile: PuntoBancoProfile) -> bool:
    return any(bet.line is not None for bet in box.bets) and box.bet in profile.half_lines


def _all_on_line(box: Box, profile: PuntoBancoProfile) -> bool:
    return all(bet.line is not None for bet in box.bets) and box.bet in profile.half_lines


def _amount_text(amount: Fraction | None) -> str:
    return "" if amount is None else f" {amount_text(amount)}"


# pushes ---------------------------------------------------------------------------------------------------


def _settle_push(box: Box, setting: Setting) -> Settled:
    course = pushed_course(box, setting.swept)
    say = _Say(box, Due.PUSH, Fraction(0), setting, course)
    expected = "on a tie the bet neither taken nor paid"
    dealer = any(move.owner is Owner.DEALER for move in (*course.taken, *course.paid))
    if course.net == 0 or not (course.taken or course.paid):
        return say.conform(_TIE, "stood")
    taken = course.net < 0 if course.net is not None else bool(course.taken)
    if taken:
        if dealer:
            return say.sure(_TIE, "PUSH_TAKEN", "collected", expected, "the bank took the bet")
        return say.unknown(_TIE, "PUSH_TAKEN", "unclear", expected, "whose hand took the bet was not seen")
    wins = frozenset().union(*(payable(stakes, box.bet, setting.profile) for stakes in box.variants))
    if dealer or course.net in wins:
        return say.sure(_TIE, "PUSH_PAID", "paid", expected, "the bank paid" + _amount_text(course.net))
    return say.unknown(_TIE, "PUSH_PAID", "unclear", expected, "whose hand put chips there was not seen")


# wording --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Say:
    """Puts a box's verdict together."""

    box: Box
    due: Due
    right: Fraction | None
    setting: Setting
    course: Course

    def _settled(
        self,
        verdict: Verdict,
        rule: str,
        code: str,
        action: str,
        expected: str,
        seen: str,
        reason: str | None = None,
        t: float | None = None,
    ) -> Settled:
        course, coup = self.course, self.setting.coup
        moves = [*course.paid, *course.taken]
        moment = max((move.t for move in moves), default=coup.t_result) if t is None else t
        seqs = (*self.box.seqs, *course.seqs, *(card.seq for card in coup.cards))
        net = course.net
        return Settled(
            box=self.box,
            due=self.due,
            right=self.right,
            verdict=verdict,
            rule=rule,
            code=code,
            action=action,
            amount=net if net is None or action != "collected" else -net,
            when=Moment.span(min(coup.t_result, moment), moment, *seqs),
            expected=expected,
            seen=seen,
            reason=reason,
            t_paid=min((move.t for move in course.paid), default=None),
            t_taken=min((move.t for move in course.taken), default=None),
            posted=course.posted[0] if course.posted and course.paid and self.due is Due.PAY else None,
            took_back=course.took_back,
        )

    def conform(self, rule: str, action: str) -> Settled:
        """As it should be."""
        return self._settled(Verdict.CONFORM, rule, "", action, "", "")

    def breach(self, rule: str, code: str, action: str, expected: str, seen: str) -> Settled:
        """Not as it should be, whatever follows."""
        return self._settled(Verdict.BREACH, rule, code, action, expected, seen)

    def sure(self, rule: str, code: str, action: str, expected: str, seen: str) -> Settled:
        """Not as it should be, if the bank has finished with this box."""
        if reason := self._unfinished():
            return self._settled(Verdict.UNDETERMINED, rule, code, action, expected, seen, reason)
        if self.course.unclear:
            why = "chips that could not be counted were moved as well"
            return self._settled(Verdict.UNDETERMINED, rule, code, action, expected, seen, why)
        return self._settled(Verdict.BREACH, rule, code, action, expected, seen)

    def omitted(self, rule: str, code: str, expected: str, seen: str) -> Settled:
        """Nothing was done: a breach once the coup is over and the box was in view until then."""
        coup = self.setting.coup
        t = coup.t_swept if coup.t_swept is not None else coup.t_end
        reason = None
        gap = coup.gaps.at(self.box.spot, coup.t_end)
        if not coup.over or coup.cut_off:
            reason = "the recording ended before the cards were gathered"
        elif gap is not None:
            reason = f"{self.box.spot} could not be seen from {gap.t_from:.1f} s on ({gap.reason})"
        elif self.course.unclear:
            reason = "a stack that could not be counted was handled after the result"
        verdict = Verdict.BREACH if reason is None else Verdict.UNDETERMINED
        action = "stood" if verdict is Verdict.BREACH else "unclear"
        return self._settled(verdict, rule, code, action, expected, seen, reason, t)

    def unknown(self, rule: str, code: str, action: str, expected: str, reason: str) -> Settled:
        """Something was done, but not enough of it is known."""
        seen = f"{action}, amount not known" if action != "unclear" else "not known"
        return self._settled(Verdict.UNDETERMINED, rule, code, action, expected, seen, reason)

    def nothing_left(self) -> Settled:
        """The player had taken everything back before: that is another rule's matter."""
        return self._settled(Verdict.CONFORM, _BETS, "", "taken_back", "", "")

    def taken_back(self, move: Move) -> Settled:
        """The player took his bet back after the result, before the bank came to it."""
        seen = f"the bet taken back at {move.t:.1f} s by {whose(move)}"
        expected = "the bet left where it lies until it is settled"
        return self._settled(
            Verdict.BREACH, _BETS, "BET_REMOVED_LATE", "taken_back", expected, seen, None, move.t
        )

    def _unfinished(self) -> str | None:
        """Why the bank may not have finished with this box: the recording ended right then."""
        coup = self.setting.coup
        if coup.t_swept is not None or not coup.cut_off:
            return None if coup.over else "the coup goes on"
        last = max((move.t for move in (*self.course.paid, *self.course.taken)), default=coup.t_result)
        went_on = any(
            move.t > last and move.spot != self.box.spot and move.owner is not Owner.PLAYER
            for move in coup.moves
        )
        return None if went_on else "the recording ended before the bank had gone on"
