"""Settlement: losers taken, winners paid exactly, the others left alone.

Where the result is not known a game judges each box for every result that the coup may have had, and says
only what is the same for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.baccarat.boxes import (
    Box,
    Course,
    losing_course,
    pushed_course,
    winning_course,
)
from rules.baccarat.closing import whose
from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due, Stake, payable, profit, takeable
from rules.baccarat.terms import Terms
from rules.baccarat.unsure import settle_every_way
from rules.chips import Move
from rules.clock import clock
from rules.docket import Moment
from rules.events import HandContact, Owner
from rules.findings import Verdict
from rules.looks import chips_in
from rules.money import readable, sum_of
from rules.spots import Area, Spot


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
    terms: Terms
    settling_after: bool

    @property
    def swept(self) -> float:
        """When the cards began to be gathered; later than anything if they were not."""
        return float("inf") if self.coup.t_swept is None else self.coup.t_swept


def settle(box: Box, due: Due, setting: Setting) -> Settled:
    """Judge one box for what is due to it, in every way in which its bets may lie."""
    terms = setting.terms
    return settle_every_way(box, terms.half_lines, terms.line, lambda own: _settle(own, due, setting))


def _settle(box: Box, due: Due, setting: Setting) -> Settled:
    match due:
        case Due.PAY:
            return _settle_winner(box, setting)
        case Due.COLLECT:
            return _settle_loser(box, setting)
        case Due.PUSH:
            return _settle_push(box, setting)


# winners --------------------------------------------------------------------------------------------------


def _settle_winner(box: Box, setting: Setting) -> Settled:
    terms = setting.terms
    odds = terms.odds[box.bet]
    right = _right_payments(box, terms, [])
    course = winning_course(box, right, setting.swept)
    posted = _value_of(course.posted)
    if course.posted and posted is not None:
        right = _right_payments(box, terms, [Stake(posted, False)])
        course = winning_course(box, right, setting.swept)
    elif guessed := _posted_by_unknown(box, course, right, terms):
        course.posted, course.paid = guessed[:1], guessed[1:]
        course.net = _value_of(course.paid)
        first = _value_of(course.posted) or Fraction(0)
        right = _right_payments(box, terms, [Stake(first, False)])
    due = None if box.stakes is None else sum_of([profit(stake, odds) for stake in box.stakes])
    say = _Say(box, Due.PAY, due, setting, course)
    rule = terms.pays_at_all[box.bet]
    if course.took_back is not None and not course.paid:
        return say.taken_back(course.took_back)
    if not course.paid and not course.taken:
        if box.emptied:
            return say.nothing_left()
        return say.omitted(rule, "NOT_PAID", _pays_text(box, due, odds), "no payment")
    if (course.net is not None and course.net < 0) or (course.net is None and not course.paid):
        return say.breach(
            rule,
            "WINNER_COLLECTED",
            "collected",
            _pays_text(box, due, odds),
            "the bet was taken",
        )
    if course.net == 0:
        return say.omitted(rule, "NOT_PAID", _pays_text(box, due, odds), "no payment")
    return _judge_payment(box, say, course, right, due)


def _judge_payment(
    box: Box, say: _Say, course: Course, right: frozenset[Fraction] | None, due: Fraction | None
) -> Settled:
    terms = say.setting.terms
    rule, odds = terms.pays[box.bet], terms.odds[box.bet]
    expected = _pays_text(box, due, odds)
    if course.net is not None and right is not None:
        if course.net in right:
            return say.conform(terms.line if box.on_line else rule, "paid")
        seen = f"{readable(course.net)} paid"
        full = {2 * amount for amount in right} if box.on_line else set()
        whole = payable([Stake(s.value, False) for s in box.stakes or ()], odds, terms.rounding)
        if box.on_line and (course.net in full or course.net in whole):
            return say.sure(
                terms.line, "LINE_BET_MISPAID", "paid", expected, f"{seen}, as if it played in full"
            )
        if _commission_wrong(box, course, terms):
            return say.sure(rule, "COMMISSION_WRONG", "paid", expected, f"{seen} after commission")
        code = "UNDERPAID" if course.net < min(right) else "OVERPAID"
        return say.sure(rule, code, "paid", expected, seen)
    if right is not None and course.at_least > max(right):
        return say.sure(rule, "OVERPAID", "paid", expected, f"at least {readable(course.at_least)} paid")
    what = (
        f"the bet's value is not known ({box.unread})" if box.stakes is None else "the payment was not read"
    )
    code = "UNDERPAID"
    if box.on_line:
        rule, code = terms.line, "LINE_BET_MISPAID"
    return say.unknown(rule, code, "paid", expected, what)


def _commission_wrong(box: Box, course: Course, terms: Terms) -> bool:
    """Whether par was paid, and the commission not taken back, or not as much as is due."""
    if box.bet not in terms.commission:
        return False
    first = _value_of(course.paid[:1])
    return any(first == sum((stake.playing for stake in stakes), Fraction(0)) for stakes in box.variants)


def _right_payments(box: Box, terms: Terms, posted: list[Stake]) -> frozenset[Fraction] | None:
    if not box.variants:
        return None
    odds = terms.odds[box.bet]
    sets = [
        payable([*stakes, *more], odds, terms.rounding) for stakes in box.variants for more in ([], posted)
    ]
    return frozenset().union(*sets)


def _posted_by_unknown(
    box: Box, course: Course, right: frozenset[Fraction] | None, terms: Terms
) -> list[Move]:
    """Moves of which the first is the player's, after the result: the rest pays exactly for it too."""
    if right is None or course.net in right or len(course.paid) < 2 or course.taken:
        return []
    if any(move.owner is Owner.DEALER for move in course.paid[:1]):
        return []
    first, rest = _value_of(course.paid[:1]), _value_of(course.paid[1:])
    if first is None or rest is None:
        return []
    odds = terms.odds[box.bet]
    together = [payable([*stakes, Stake(first, False)], odds, terms.rounding) for stakes in box.variants]
    return list(course.paid) if rest in frozenset().union(*together) else []


def _value_of(moves: list[Move]) -> Fraction | None:
    return sum_of([move.gain for move in moves])


def _pays_text(box: Box, due: Fraction | None, odds: Fraction) -> str:
    half = " on half" if box.stakes and any(stake.half for stake in box.stakes) else ""
    amount = "a payment" if due is None else f"a payment of {readable(due)}"
    return f"{amount} ({odds.numerator} to {odds.denominator}{half})"


# losers ---------------------------------------------------------------------------------------------------


def _settle_loser(box: Box, setting: Setting) -> Settled:
    terms = setting.terms
    sets = [takeable(stakes, terms.rounding) for stakes in box.variants]
    right = frozenset().union(*sets) if sets else None
    course = losing_course(box, right, setting.swept, setting.settling_after)
    due = None if box.stakes is None else sum_of([stake.playing for stake in box.stakes])
    say = _Say(box, Due.COLLECT, due, setting, course)
    half = "half of the bet" if due is None else f"half of the bet, {readable(due)},"
    expected = f"{half} taken" if box.on_line else "the bet taken"
    if box.emptied:
        return say.nothing_left()
    if course.took_back is not None:
        return say.taken_back(course.took_back)
    if not course.taken:
        if course.paid:
            seen = "the bet stayed and was paid" + _amount_text(_value_of(course.paid))
            return say.sure(terms.takes, "LOSER_PAID", "paid", expected, seen)
        if half_unseen(box) and not untouched(box, setting.coup):
            why = f"whether half of it was taken cannot be seen ({box.unread})"
            counted = all(chips_in(bet.standing.stack) is not None for bet in box.bets)
            rule, code = (terms.line, "LINE_BET_MISPAID") if counted else (terms.takes, "LOSER_NOT_COLLECTED")
            return say.unknown(rule, code, "unclear", expected, why)
        return say.omitted(terms.takes, "LOSER_NOT_COLLECTED", expected, "the bet stayed")
    return _judge_taking(box, say, course, right, expected)


def half_unseen(box: Box) -> bool:
    """Whether part of a bet on a line may have been taken unseen: its chips cannot be counted, or were not
    all read, so that as many of less value may lie there now."""
    return box.on_line and any(bet.line is not None and bet.standing.value is None for bet in box.bets)


def untouched(box: Box, coup: Coup) -> bool:
    """Whether no hand but the player's was at a bet, nor at another one of its seat, since the result: where
    the journal tells of the hands that settle, that is as good as counting its chips."""
    if coup.gaps.within(box.spot, coup.t_result, coup.t_end) is not None:
        return False
    at = {
        Spot.parse(event.spot)
        for event in coup.events
        if isinstance(event, HandContact)
        and event.hand.owner is not Owner.PLAYER
        and (event.t if event.t_to is None else event.t_to) >= coup.t_result
    }
    at = {spot for spot in at if spot.area is Area.BET}
    return bool(at) and all(spot.seat != box.spot.seat for spot in at)


def _judge_taking(
    box: Box, say: _Say, course: Course, right: frozenset[Fraction] | None, expected: str
) -> Settled:
    terms = say.setting.terms
    names = box.names
    taken = None if course.net is None else -course.net
    if taken == 0 and any(move.added and move.removed for move in course.taken):
        return say.omitted(terms.takes, "LOSER_NOT_COLLECTED", expected, "the bet stayed, in other chips")
    if taken is not None and right is not None:
        if taken in right:
            return say.conform(terms.line if box.on_line else terms.takes, "collected")
        seen = f"{readable(taken)} taken"
        if box.on_line:
            return say.sure(terms.line, "LINE_BET_MISPAID", "collected", expected, seen)
        if names <= course.gone:
            return say.conform(terms.takes, "collected")
        if taken <= 0:
            return say.sure(terms.takes, "LOSER_PAID", "paid", expected, f"{readable(-taken)} given")
        return say.sure(terms.takes, "LOSER_NOT_COLLECTED", "collected", expected, f"only {seen}")
    if not _may_play_half(box, terms.half_lines) and names <= course.gone:
        return say.conform(terms.takes, "collected")
    if _all_on_line(box, terms.half_lines) and names <= course.gone and not course.paid:
        return say.sure(terms.line, "LINE_BET_MISPAID", "collected", expected, "the whole bet taken")
    rule, code = (terms.line, "LINE_BET_MISPAID") if box.on_line else (terms.takes, "LOSER_NOT_COLLECTED")
    return say.unknown(rule, code, "collected", expected, f"how much was taken is not known ({box.unread})")


def _may_play_half(box: Box, half_lines: frozenset[str]) -> bool:
    return any(bet.line is not None for bet in box.bets) and box.bet in half_lines


def _all_on_line(box: Box, half_lines: frozenset[str]) -> bool:
    return all(bet.line is not None for bet in box.bets) and box.bet in half_lines


def _amount_text(amount: Fraction | None) -> str:
    return "" if amount is None else f" {readable(amount)}"


# pushes ---------------------------------------------------------------------------------------------------


def _settle_push(box: Box, setting: Setting) -> Settled:
    terms = setting.terms
    course = pushed_course(box, setting.swept)
    say = _Say(box, Due.PUSH, Fraction(0), setting, course)
    expected = "on a tie the bet neither taken nor paid"
    dealer = any(move.owner is Owner.DEALER for move in (*course.taken, *course.paid))
    if course.net == 0 or not (course.taken or course.paid):
        return say.conform(terms.stands, "stood")
    taken = course.net < 0 if course.net is not None else bool(course.taken)
    if taken:
        if dealer:
            return say.sure(terms.stands, "PUSH_TAKEN", "collected", expected, "the bank took the bet")
        return say.unknown(
            terms.stands, "PUSH_TAKEN", "unclear", expected, "whose hand took the bet was not seen"
        )
    odds = terms.odds[box.bet]
    wins = frozenset().union(*(payable(stakes, odds, terms.rounding) for stakes in box.variants))
    if dealer or (course.net in wins and not terms.free_after_push):
        return say.sure(
            terms.stands, "PUSH_PAID", "paid", expected, "the bank paid" + _amount_text(course.net)
        )
    return say.unknown(
        terms.stands, "PUSH_PAID", "unclear", expected, "whose hand put chips there was not seen"
    )


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
            reason = f"{self.box.spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
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
        return self._settled(Verdict.CONFORM, self.setting.terms.closed, "", "taken_back", "", "")

    def taken_back(self, move: Move) -> Settled:
        """The player took his bet back after the result, before the bank came to it."""
        seen = f"the bet taken back at {clock(move.t)} by {whose(move)}"
        expected = "the bet left where it lies until it is settled"
        return self._settled(
            Verdict.BREACH,
            self.setting.terms.closed,
            "BET_REMOVED_LATE",
            "taken_back",
            expected,
            seen,
            None,
            move.t,
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
