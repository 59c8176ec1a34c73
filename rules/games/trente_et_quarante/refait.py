"""31 to 31: half of a bet or prison, what becomes of a bet in prison, and of one that is insured."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.baccarat.boxes import Box, pushed_course
from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due
from rules.baccarat.settlement import Setting, Settled, settle, untouched
from rules.clock import clock
from rules.docket import Moment
from rules.events import Cue, MarkerSeen
from rules.findings import Verdict
from rules.games.trente_et_quarante.profile import Refait, TrenteProfile
from rules.games.trente_et_quarante.reading import Prisoner, left_of
from rules.games.trente_et_quarante.words import Kind, Result
from rules.money import amount_text, readable

_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a bet is besides a stake. ``insured``: None if that is not known."""

    prisoner: Prisoner | None = None
    insured: bool | None = False


def chosen(coup: Coup, box: Box, profile: TrenteProfile) -> Refait:
    """What is to become of a bet at 31 to 31: as the table or its player says."""
    if profile.refait is not Refait.CHOICE:
        return profile.refait
    for event in reversed(coup.events):
        told = isinstance(event, Cue) and event.cue == "refait_choice" and event.spot == str(box.spot)
        if told and isinstance(event, Cue) and event.value in (Refait.HALF, Refait.PRISON):
            return Refait(event.value)
    return Refait.CHOICE


def settle_refait(box: Box, standing: Standing, setting: Setting, profile: TrenteProfile) -> Settled:
    """Judge a bet at 31 to 31 that is not in prison."""
    value = box.bets[0].standing.value
    halves = None if value is None else profile.rounding.takeable(value / 2)
    choice = chosen(setting.coup, box, profile)
    if standing.insured:
        return _kept(box, setting, "TQ-INS-03", "INSURANCE_MISPAID", frozenset({_NOTHING}), None, free=True)
    ways: set[Fraction] = set()
    if choice is not Refait.PRISON and halves is not None:
        ways |= halves
    if choice is not Refait.HALF or standing.insured is None:
        ways.add(_NOTHING)
    due = None if value is None else value / 2
    open_half = halves is None and choice is not Refait.PRISON
    return _kept(
        box,
        setting,
        "TQ-TIE-02",
        "REFAIT_MISPAID",
        frozenset(ways),
        due,
        free=standing.insured is None,
        unknown=open_half,
    )


def settle_prisoner(
    box: Box, result: Result, prisoner: Prisoner, setting: Setting, profile: TrenteProfile
) -> Settled:
    """Judge a bet in prison."""
    value, counts, due = box.bets[0].standing.value, prisoner.counts, result.due(box.bet)
    rule, code = "TQ-TIE-03", "REFAIT_MISPAID"
    if counts is None or value is None:
        unsure = settle(box, due, setting)
        if unsure.verdict is Verdict.CONFORM and due is not Due.PAY:
            return unsure
        return _open(
            unsure, rule, code, "whether the bet is in prison, or what it counts there, is not known"
        )
    if due is Due.COLLECT:
        case = settle(box, Due.COLLECT, setting)
        return case if case.verdict is Verdict.CONFORM else _as(case, rule, code)
    if due is Due.PAY:
        ways = frozenset({counts - value})
        return _kept(box, setting, rule, code, frozenset(-way for way in ways), _NOTHING, free=True)
    if result.kind is Kind.NULL:
        return _kept(box, setting, rule, code, frozenset({_NOTHING}), _NOTHING)
    half = counts / 2
    ways = frozenset({_NOTHING, value - half, *profile.rounding.takeable(value - half / 2)})
    return _kept(box, setting, rule, code, ways, half)


def _as(case: Settled, rule: str, code: str) -> Settled:
    return Settled(
        box=case.box,
        due=case.due,
        right=case.right,
        verdict=case.verdict,
        rule=rule,
        code=code,
        action=case.action,
        amount=case.amount,
        when=case.when,
        expected=case.expected,
        seen=case.seen,
        reason=case.reason,
        t_paid=case.t_paid,
        t_taken=case.t_taken,
    )


def _open(case: Settled, rule: str, code: str, reason: str) -> Settled:
    own = _as(case, rule, code)
    return Settled(
        box=own.box,
        due=own.due,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule=rule,
        code=code,
        action=own.action,
        amount=own.amount,
        when=own.when,
        expected=own.expected or "the bet settled as one in prison",
        seen=own.seen or "not known",
        reason=reason,
    )


def _kept(
    box: Box,
    setting: Setting,
    rule: str,
    code: str,
    ways: frozenset[Fraction],
    due: Fraction | None,
    *,
    free: bool = False,
    unknown: bool = False,
) -> Settled:
    """Judge a bet of which the bank may take one of these amounts. ``free``: what is left is its player's at
    once; ``unknown``: there are amounts besides that are not known."""
    coup = setting.coup
    course = pushed_course(box, setting.swept)
    taken = None if course.net is None else -course.net
    moves = [*course.taken, *course.paid]
    t = max((move.t for move in moves), default=coup.t_result)
    verdict, reason = Verdict.CONFORM, None
    names = box.names | {box.bets[0].name}
    whole = names <= course.gone | {box.bets[0].name} and bool(course.gone) and not course.paid
    seen = "the bet left as it was" if not moves else f"{readable(taken, 'chips')} taken"
    if taken is not None and taken < 0:
        seen = f"{readable(-taken)} put down by the bank"
    action = "collected" if moves and (taken is None or taken > 0) else "paid" if moves else "stood"
    if taken is None or unknown:
        if whole or (taken is not None and taken < 0):
            verdict = Verdict.BREACH
        elif moves or _NOTHING not in ways:
            verdict, reason = Verdict.UNDETERMINED, f"the bet's value is not known ({box.unread})"
    elif taken not in ways:
        verdict = Verdict.BREACH
    marked = _imprisoned(coup, box)
    if verdict is Verdict.CONFORM and not moves and free and rule == "TQ-INS-03" and marked is not None:
        verdict, seen = Verdict.BREACH, "the bet put in prison"
    if verdict is Verdict.CONFORM and not moves and not free and _gone(coup, box):
        verdict, seen, t = Verdict.BREACH, "all of it taken back by its player", coup.t_end
        if box.stakes is None and not untouched(box, coup):
            verdict, seen = Verdict.UNDETERMINED, "what was left of it taken back by its player"
            reason = f"whether the bank took its part before cannot be seen ({box.unread})"
    if verdict is Verdict.BREACH:
        verdict, reason = _finished(coup, box, course.unclear, bool(moves))
    return Settled(
        box=box,
        due=Due.PUSH if taken in (None, _NOTHING) else Due.COLLECT,
        right=due,
        verdict=verdict,
        rule=rule,
        code=code,
        action=action if verdict is not Verdict.UNDETERMINED else "unclear",
        amount=taken if action == "collected" else None if taken is None else -taken,
        when=Moment.span(coup.t_result, t, *box.seqs, *(move.seq for move in moves)),
        expected=_ways_text(ways, due, free),
        seen=seen,
        reason=reason,
        t_taken=min((move.t for move in course.taken), default=None),
    )


def _ways_text(ways: frozenset[Fraction], due: Fraction | None, free: bool) -> str:
    amounts = " or ".join(readable(way) for way in sorted(ways) if way)
    rest = "nothing taken" if free else "the bet left in prison"
    if _NOTHING not in ways:
        return f"{amounts or amount_text(due) or 'half of it'} taken"
    return f"{amounts} taken, or {rest}" if amounts else rest


def _imprisoned(coup: Coup, box: Box) -> MarkerSeen | None:
    return next(
        (
            event
            for event in coup.events
            if isinstance(event, MarkerSeen)
            and event.marker == "prison"
            and event.spot == str(box.spot)
            and event.t >= coup.t_result
        ),
        None,
    )


def _gone(coup: Coup, box: Box) -> bool:
    bet = box.bets[0]
    if bet.name in {part.stack for part in (box.tampered.removed if box.tampered else ()) if part.whole}:
        return False
    return left_of(coup, box.spot, bet.standing.stack.stack, bet.at_mm) is None


def _finished(coup: Coup, box: Box, unclear: bool, acted: bool) -> tuple[Verdict, str | None]:
    gap = coup.gaps.at(box.spot, coup.t_end)
    if not coup.over or (coup.cut_off and not acted):
        return Verdict.UNDETERMINED, "the recording ended before the cards were gathered"
    if gap is not None:
        why = f"{box.spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        return Verdict.UNDETERMINED, why
    if unclear:
        return Verdict.UNDETERMINED, "chips that could not be counted were moved as well"
    return Verdict.BREACH, None
