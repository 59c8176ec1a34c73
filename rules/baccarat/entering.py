"""How one box's settlement is entered in the docket: a conform, a breach, or what could not be determined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.baccarat.closing import whose
from rules.baccarat.settlement import Settled
from rules.docket import Docket, Moment
from rules.findings import Verdict
from rules.money import readable


def enter_settled(case: Settled, docket: Docket, subject: str = "") -> None:
    """Enter a settled box's verdict. ``subject``: the stack concerned, where the spot does not tell."""
    if case.verdict is Verdict.CONFORM:
        docket.conform(case.rule)
    elif case.verdict is Verdict.BREACH:
        docket.breach(
            case.rule,
            case.code,
            case.when,
            expected=case.expected,
            seen=case.seen,
            spot=case.box.spot,
            subject=subject,
            due=case.right,
            amount=case.amount,
        )
    else:
        docket.undetermined(
            case.rule,
            case.code or "UNDERPAID",
            case.when,
            case.reason or "it is not known",
            expected=case.expected or None,
            seen=case.seen or "not known",
            spot=case.box.spot,
            subject=subject,
            due=case.right,
            amount=case.amount,
        )


def whatever_won(
    cases: Sequence[Settled], rule: str, reason: str | None, *, late_all_the_same: bool
) -> Settled:
    """What holds of a box for every result that there may have been. ``reason``: why the result is not known;
    ``late_all_the_same``: chips put down late are so whatever the result was."""
    first = cases[0]
    if len({(case.verdict, case.rule, case.code) for case in cases}) == 1:
        return first
    return replace(
        first,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule=rule,
        code="NOT_PAID",
        action=first.action if len({case.action for case in cases}) == 1 else "unclear",
        amount=None,
        expected="the bet settled by the result",
        seen="not known whether it won",
        reason=f"the result is not known: {reason}",
        posted=first.posted if late_all_the_same else None,
    )


def enter_posted(case: Settled, docket: Docket, rule: str, when: str) -> None:
    """Enter chips that a player put down once bets were closed, if he did; ``when``: *after the result*."""
    move = case.posted
    if move is None:
        return
    what = "chips" if move.gain is None else f"chips worth {readable(move.gain)}"
    docket.breach(
        rule,
        "LATE_BET",
        Moment.at(move.t, move.seq, *case.box.seqs),
        expected="no change of bets once they are closed",
        seen=f"{what} put down {when} by {whose(move)}",
        spot=case.box.spot,
        subject=move.added[0].stack,
        amount=move.gain,
    )
