"""The docket of one coup: every verdict is entered here, and becomes a count or a finding."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from rules.catalogue import alert_codes, rule_rows
from rules.findings import Finding, Severity, Verdict
from rules.money import amount_text
from rules.spots import Spot


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
    """Verdicts of coup ``number``. ``conform`` counts them; the others become findings."""

    number: int
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
    ) -> None:
        """The rule was broken. ``subject``: the card or stack concerned, where the spot does not tell."""
        self._enter(Verdict.BREACH, rule, code, when, spot, subject, expected, seen, None, due, amount)

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
