"""What judging yields: findings, and for each coup a summary; both as they stand in ``findings.json``.

CONFORM verdicts are counted per coup, not listed one by one. Every finding names the catalogue's rule, the
alert code, what was expected, what was seen, the article, and the span of time that shows it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Any

from rules.spots import Spot

FORMAT = "veedor.findings/1"


@unique
class Verdict(StrEnum):
    """The three answers there are."""

    CONFORM = "CONFORM"
    """Seen, and as the rule prescribes."""
    BREACH = "BREACH"
    """Seen, and not as the rule prescribes."""
    UNDETERMINED = "UNDETERMINED"
    """Could not be seen or was not told; the finding says why."""


@unique
class Severity(StrEnum):
    """The catalogue's section 13."""

    HIGH = "H"
    """Money or integrity: live alert."""
    MEDIUM = "M"
    """Procedure: live or delayed alert."""
    LOW = "L"
    """Statistics and reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One BREACH or UNDETERMINED of one rule in one coup.

    ``id``: stable: the same breach keeps it when it is judged again (it is made of coup, rule, code, spot
    and the card or stack concerned, never of times or amounts). Times in seconds from the recording's start.
    ``expected`` and ``seen``: sentences for people, amounts in them as exact fractions. ``amount_due`` and
    ``amount_seen``: the exact amounts of a payment finding (else null). ``evidence_seq``: the journal events
    it rests on.
    """

    id: str
    coup: int
    rule: str
    code: str
    verdict: Verdict
    severity: Severity
    t: float
    t_from: float
    t_to: float
    spot: Spot | None
    expected: str
    seen: str
    article: str
    resolution: str | None = None
    reason: str | None = None
    amount_due: str | None = None
    amount_seen: str | None = None
    evidence_seq: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The finding as it stands in ``findings.json``; ``spot``: null, or its seat, bet, hand and name."""
        spot = self.spot
        return {
            "id": self.id,
            "coup": self.coup,
            "rule": self.rule,
            "code": self.code,
            "verdict": self.verdict.value,
            "severity": self.severity.value,
            "t": self.t,
            "t_from": self.t_from,
            "t_to": self.t_to,
            "spot": None
            if spot is None
            else {"seat": spot.seat, "bet": spot.bet, "hand": spot.hand, "name": str(spot)},
            "expected": self.expected,
            "seen": self.seen,
            "resolution": self.resolution,
            "article": self.article,
            "reason": self.reason,
            "amount_due": self.amount_due,
            "amount_seen": self.amount_seen,
            "evidence_seq": list(self.evidence_seq),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BetRecord:
    """One bet as it lay at the close of bets and how it ended.

    ``value``: exact amount as text or null; ``line``: layout line it lies on; ``due``: ``pay``, ``collect``,
    ``push`` or null while the result is not known; ``due_amount``/``paid_amount``: exact text or null.
    """

    stack: str
    spot: Spot
    denominations: tuple[int | None, ...] | None
    count: int | None
    value: str | None
    line: str | None
    due: str | None = None
    due_amount: str | None = None
    outcome: str | None = None
    outcome_amount: str | None = None
    unread: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The bet as it stands in a coup of ``findings.json``."""
        return {
            "stack": self.stack,
            "spot": str(self.spot),
            "seat": self.spot.seat,
            "bet": self.spot.bet,
            "denominations": None if self.denominations is None else list(self.denominations),
            "count": self.count,
            "value": self.value,
            "line": self.line,
            "due": self.due,
            "due_amount": self.due_amount,
            "outcome": self.outcome,
            "outcome_amount": self.outcome_amount,
            "unread": self.unread,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupSummary:
    """One coup: its cards by hand in dealing order (``??`` unread), bets, result and verdict counts."""

    coup: int
    t_from: float
    t_to: float
    cards: dict[str, tuple[str, ...]]
    bets: tuple[BetRecord, ...]
    result: dict[str, Any]
    verdict: Verdict
    counts: dict[Verdict, int]

    def as_json(self) -> dict[str, Any]:
        """The coup as it stands in ``findings.json``."""
        return {
            "coup": self.coup,
            "t_from": self.t_from,
            "t_to": self.t_to,
            "cards": {hand: list(cards) for hand, cards in self.cards.items()},
            "bets": [bet.as_json() for bet in self.bets],
            "result": self.result,
            "verdict": self.verdict.value,
            "counts": {verdict.value: self.counts.get(verdict, 0) for verdict in Verdict},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A rule that this table's cameras and configuration cannot decide; said once a session."""

    rule: str
    code: str
    reason: str
    article: str

    def as_json(self) -> dict[str, Any]:
        """The entry under ``session`` in ``findings.json``."""
        return {"rule": self.rule, "code": self.code, "reason": self.reason, "article": self.article}


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that judging a journal yields."""

    game: str
    profile: str
    findings: tuple[Finding, ...]
    coups: tuple[CoupSummary, ...]
    session: tuple[OpenQuestion, ...] = field(default=())

    def dumps(self) -> str:
        """``findings.json`` as text: the same judgement gives the same bytes."""
        document = {
            "format": FORMAT,
            "game": self.game,
            "profile": self.profile,
            "findings": [finding.as_json() for finding in self.findings],
            "coups": [coup.as_json() for coup in self.coups],
            "session": [question.as_json() for question in self.session],
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
