"""The docket of one coup: every verdict is entered here, and becomes a count or a finding."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction

from rules.catalogue import alert_codes, rule_rows
from rules.clock import clock
from rules.findings import Finding, Severity, Verdict
from rules.money import amount_text
from rules.sight import Gap, Gaps
from rules.spots import Area, Spot
from rules.written import number_in

_OF_ALL_BETS = (Area.BANK, Area.GARAGE, Area.CAGNOTTE, Area.POT)
_SETTLES_S = 0.5
"""What is told so soon after a view is back may have happened before."""


def out_of_view(gap: Gap) -> str:
    """What could not be seen, and when, in words."""
    what = "the table" if gap.spot is None else str(gap.spot)
    until = "on" if math.isinf(gap.t_to) else f"to {clock(gap.t_to)}"
    return f"{what} could not be seen from {clock(gap.t_from)} {until} ({gap.reason})"


def _bears(gap: Gap, spot: Spot | None) -> bool:
    """Whether what could not be seen bears on a verdict on this spot: all the table does, and every hand; on
    what the bank holds or the house takes, every bet."""
    if gap.spot is None or spot is None or gap.spot.area is Area.HAND or spot.area in _OF_ALL_BETS:
        return True
    return gap.spot == spot or (gap.spot.seat is not None and gap.spot.seat == _seat(spot))


def _seat(spot: Spot) -> int | None:
    number = number_in((spot.hand or "").removeprefix("seat_"))
    return spot.seat if number is None else number


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When something happened and what shows it: the moment, the span around it, the journal's events."""

    t: float
    t_from: float
    t_to: float
    seq: tuple[int, ...] = ()

    @classmethod
    def at(cls, t: float, *seq: int, before_s: float = 2.0, after_s: float = 1.5) -> Moment:
        """A moment with a little time around it."""
        return cls(t=t, t_from=max(0.0, t - before_s), t_to=t + after_s, seq=seq)

    @classmethod
    def span(cls, t_from: float, t: float, *seq: int, after_s: float = 1.0) -> Moment:
        """Something that took from ``t_from`` to ``t``."""
        return cls(t=t, t_from=max(0.0, min(t_from, t)), t_to=t + after_s, seq=seq)


@dataclass(slots=True)
class Docket:
    """Verdicts of coup ``number``. ``conform`` counts them; the others become findings.

    ``gaps``: when the table could not be seen. That a rule was broken rests on what was seen from ``since``
    on, when the coup began, until then; if part of that was lost, it is not known. ``joint``: what happens at
    one spot decides what is right at all others.
    """

    number: int
    gaps: Gaps = field(default_factory=Gaps)
    since: float = -math.inf
    joint: bool = False
    counts: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(Verdict, 0))
    findings: list[Finding] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)

    def conform(self, rule: str, times: int = 1) -> None:
        """The rule was kept (``times`` times over)."""
        assert rule in rule_rows(), rule
        self.counts[Verdict.CONFORM] += times

    def breach(
        self,
        rule: str,
        code: str,
        when: Moment,
        *,
        expected: str,
        seen: str,
        spot: Spot | None = None,
        subject: str = "",
        due: Fraction | None = None,
        amount: Fraction | None = None,
        since: float | None = None,
        until: float | None = None,
        joint: bool = False,
    ) -> bool:
        """The rule was broken. ``subject``: the card or stack concerned, where the spot does not tell.

        ``since``, ``until``: what happened from and to then decides, where that is not the coup's beginning
        and the moment itself; ``joint``: at all spots. Returns whether it is sure."""
        t_from, t_to = self.since if since is None else since, max(when.t_to, until or when.t_to)
        gap = self._lost(None if joint or self.joint else spot, t_from, max(t_to, self.since))
        verdict, reason = Verdict.BREACH, None
        if gap is not None:
            verdict, reason = Verdict.UNDETERMINED, out_of_view(gap)
        self._enter(verdict, rule, code, when, spot, subject, expected, seen, reason, due, amount)
        return gap is None

    def _lost(self, spot: Spot | None, t_from: float, t_to: float) -> Gap | None:
        """A gap in that time of what a verdict on this spot rests on."""
        for gap in self.gaps.all:
            # One spot that is seen again shows what became of it meanwhile.
            lasts_to = t_from if gap.spot is None else t_to
            if gap.t_from <= t_to and gap.t_to + _SETTLES_S >= lasts_to and _bears(gap, spot):
                return gap
        return None

    def undetermined(
        self,
        rule: str,
        code: str,
        when: Moment,
        reason: str,
        *,
        expected: str | None = None,
        seen: str = "not known",
        spot: Spot | None = None,
        subject: str = "",
        due: Fraction | None = None,
        amount: Fraction | None = None,
    ) -> None:
        """It could not be seen, or was not told, whether the rule was kept; ``reason`` says why."""
        expected = expected if expected is not None else rule_rows()[rule].rule
        self._enter(
            Verdict.UNDETERMINED, rule, code, when, spot, subject, expected, seen, reason, due, amount
        )

    def _enter(
        self,
        verdict: Verdict,
        rule: str,
        code: str,
        when: Moment,
        spot: Spot | None,
        subject: str,
        expected: str,
        seen: str,
        reason: str | None,
        due: Fraction | None,
        amount: Fraction | None,
    ) -> None:
        row = rule_rows()[rule]
        self.counts[verdict] += 1
        self.findings.append(
            Finding(
                id=self._id(rule, code, spot, subject),
                coup=self.number,
                rule=rule,
                code=code,
                verdict=verdict,
                severity=alert_codes()[code].severity or Severity.LOW,
                t=round(when.t, 3),
                t_from=round(when.t_from, 3),
                t_to=round(when.t_to, 3),
                spot=spot,
                expected=expected,
                seen=seen,
                article=row.cited,
                resolution=row.resolution,
                reason=reason,
                amount_due=amount_text(due),
                amount_seen=amount_text(amount),
                evidence_seq=tuple(sorted(set(when.seq))),
            )
        )

    def _id(self, rule: str, code: str, spot: Spot | None, subject: str) -> str:
        """Coup, rule, code, spot and subject in letters that a file name can have; unique in the coup."""
        parts = [f"coup-{self.number}", rule, code, str(spot) if spot else "table", subject]
        base = ".".join(re.sub(r"[^A-Za-z0-9_]+", "-", part) for part in parts if part)
        name, copy = base, 1
        while name in self._ids:
            copy += 1
            name = f"{base}.{copy}"
        self._ids.add(name)
        return name

    @property
    def verdict(self) -> Verdict:
        """The coup's verdict: the gravest there is."""
        if self.counts[Verdict.BREACH]:
            return Verdict.BREACH
        return Verdict.UNDETERMINED if self.counts[Verdict.UNDETERMINED] else Verdict.CONFORM
