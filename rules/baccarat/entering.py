"""How one box's settlement is entered in the docket: a conform, a breach, or what could not be determined."""

from __future__ import annotations

from rules.baccarat.settlement import Settled
from rules.docket import Docket
from rules.findings import Verdict


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
