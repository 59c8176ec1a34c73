"""What can be said of a coup that was judged in several ways: what holds in all of them.

A rule broken in every way is broken; one that no way breaks was kept; one that some ways break and others
keep is UNDETERMINED, with what remains open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.findings import BetRecord, CoupSummary, Finding, Verdict
from rules.money import readable
from rules.spots import Spot

Judged = tuple[list[Finding], CoupSummary]

_SETTLED = frozenset(
    {
        "UNDERPAID",
        "OVERPAID",
        "NOT_PAID",
        "LINE_BET_MISPAID",
        "COMMISSION_WRONG",
        "WINNER_COLLECTED",
        "LOSER_PAID",
        "LOSER_NOT_COLLECTED",
        "PUSH_PAID",
        "PUSH_TAKEN",
        "INSURANCE_MISPAID",
        "PROGRESSIVE_MISPAID",
        "REFAIT_MISPAID",
    }
)
"""How one bet was settled is one question, whatever was wrong with it."""
_NUMBER = re.compile(r"\d+(?: \d+/\d+|/\d+)?[½¼¾]?|[½¼¾]")
"""An amount as it stands in a sentence (:func:`rules.money.readable`)."""
_HALVES = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
_FEW = 3
"""So many amounts are told one by one; of more, the least and the most."""

_Question = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """A coup judged in every way in which some of its stacks may be. ``told``: where each stands and what it
    may be, in words; ``ways``: how likely each is and what was judged, the likeliest first."""

    told: Sequence[tuple[Spot, str]]
    ways: Sequence[tuple[float, Judged]]

    def about(self, spot: Spot | None) -> str:
        """What the stacks may be that a verdict on this spot rests on: its seat's, if any are there."""
        near = [text for where, text in self.told if spot is not None and _seat(where) == _seat(spot)]
        return ", ".join(near or [text for _, text in self.told])


def agreed(seen: Judged, tried: Sequence[Tried]) -> Judged:
    """What is said of a coup. ``seen``: judged as far as it was seen."""
    findings, summary = seen
    before = _by_question(findings)
    answers: dict[_Question, list[Finding]] = {}
    conform = summary.counts[Verdict.CONFORM]
    records, result = list(summary.bets), dict(summary.result)
    for one in tried:
        for question, said in _answers(before, one).items():
            if question not in answers or _sureness(said) > _sureness(answers[question]):
                answers[question] = said
        least = min(way.counts[Verdict.CONFORM] for _, (_, way) in one.ways)
        conform += max(0, least - summary.counts[Verdict.CONFORM])
        records = [
            _record(record, number, [way for _, (_, way) in one.ways])
            for number, record in enumerate(records)
        ]
        result = {
            name: _common(value, [way.result.get(name) for _, (_, way) in one.ways])
            for name, value in result.items()
        }
    after = [f for question, said in (before | answers).items() for f in said]
    after.sort(key=lambda finding: (finding.t, finding.id))
    counts = {verdict: sum(f.verdict is verdict for f in after) for verdict in Verdict}
    counts[Verdict.CONFORM] = conform
    gravest = next((v for v in (Verdict.BREACH, Verdict.UNDETERMINED) if counts[v]), Verdict.CONFORM)
    return after, replace(summary, bets=tuple(records), result=result, verdict=gravest, counts=counts)


def _by_question(findings: Iterable[Finding]) -> dict[_Question, list[Finding]]:
    """The findings by what they answer: how this bet was settled, or whether this rule was kept here."""
    found: dict[_Question, list[Finding]] = {}
    for finding in findings:
        subject = finding.id.split(".")[4:]
        settled = finding.code in _SETTLED and finding.spot is not None
        question = ("settled", str(finding.spot), *subject) if settled else (finding.id,)
        found.setdefault(question, []).append(finding)
    return found


def _sureness(said: Sequence[Finding]) -> int:
    """Broken for sure goes before kept for sure, and that before what remained open."""
    if not said:
        return 1
    return 2 if any(finding.verdict is Verdict.BREACH for finding in said) else 0


def _answers(before: dict[_Question, list[Finding]], tried: Tried) -> dict[_Question, list[Finding]]:
    """What the ways say that was not known before."""
    ways = [_by_question(findings) for _, (findings, _) in tried.ways]
    weights = [p for p, _ in tried.ways]
    answers: dict[_Question, list[Finding]] = {}
    for question in dict.fromkeys([*before, *(question for way in ways for question in way)]):
        known = before.get(question, [])
        said = [way.get(question, []) for way in ways]
        broken = [finding for way in said for finding in way if finding.verdict is Verdict.BREACH]
        if not any(said):
            answers[question] = []
        elif all(len(way) == 1 for way in said) and len(broken) == len(said):
            answers[question] = [_broken(broken, weights)]
        elif broken and not any(finding.verdict is Verdict.BREACH for finding in known):
            answers[question] = [_open(known, broken, any(not way for way in said), tried)]
    return answers


def _broken(ways: Sequence[Finding], weights: Sequence[float]) -> Finding:
    """A rule that was broken in every way: by the likeliest code, with what may have been due and seen."""
    likely: dict[str, float] = {}
    for finding, weight in zip(ways, weights, strict=True):
        likely[finding.code] = likely.get(finding.code, 0.0) + weight
    codes = sorted(likely, key=lambda code: -likely[code])
    first = next(finding for finding in ways if finding.code == codes[0])
    seen = _together([finding.seen for finding in ways])
    if len(codes) > 1:
        seen += f" ({' or '.join(code.lower().replace('_', ' ') for code in codes)})"
    return replace(
        first,
        expected=_together([finding.expected for finding in ways]),
        seen=seen,
        amount_due=_common(None, [finding.amount_due for finding in ways]),
        amount_seen=_common(None, [finding.amount_seen for finding in ways]),
        evidence_seq=_all_seq(ways),
    )


def _open(known: Sequence[Finding], broken: Sequence[Finding], may_hold: bool, tried: Tried) -> Finding:
    """A rule that was broken in some ways only. What was known before of what is due and seen stands: what
    the ways that break it would say holds in those alone."""
    first = known[0] if known else broken[0]
    reasons = [] if first.reason is None else [first.reason]
    reasons.append(tried.about(first.spot))
    if may_hold:
        reasons[-1] += ": it may all be as it should be"
    return replace(
        first,
        verdict=Verdict.UNDETERMINED,
        expected=first.expected if known else _together([finding.expected for finding in broken]),
        seen=_together([finding.seen for finding in broken]) if may_hold and not known else first.seen,
        reason="; ".join(reasons),
        amount_due=first.amount_due if known else _common(None, [f.amount_due for f in broken]),
        amount_seen=first.amount_seen if known else _common(None, [f.amount_seen for f in broken]),
        evidence_seq=_all_seq([*known, *broken]),
    )


def _seat(spot: Spot) -> int | str:
    return str(spot) if spot.seat is None else spot.seat


def _all_seq(findings: Iterable[Finding]) -> tuple[int, ...]:
    return tuple(sorted({seq for finding in findings for seq in finding.evidence_seq}))


def _record(record: BetRecord, number: int, ways: Sequence[CoupSummary]) -> BetRecord:
    """A bet as it was seen, with what is the same of it in every way."""
    twins = [way.bets[number] for way in ways if number < len(way.bets)]
    if len(twins) < len(ways) or any((t.stack, t.spot) != (record.stack, record.spot) for t in twins):
        return record
    return replace(
        record,
        value=_common(record.value, [twin.value for twin in twins]),
        due_amount=_common(record.due_amount, [twin.due_amount for twin in twins]),
        outcome=_common(record.outcome, [twin.outcome for twin in twins]),
        outcome_amount=_common(record.outcome_amount, [twin.outcome_amount for twin in twins]),
    )


def _common(seen: Any, ways: Sequence[Any]) -> Any:
    """What is the same in every way, else as it was seen."""
    return ways[0] if ways and all(way == ways[0] for way in ways) else seen


def one_of(amounts: Iterable[Fraction | int]) -> str:
    """Amounts in words, in rising order: "5 or 10", "between 5 and 30".

    >>> one_of([10, 5]), one_of([5, 10, 15]), one_of([5, 10, 15, 30])
    ('5 or 10', '5, 10 or 15', 'between 5 and 30')
    """
    return _few([readable(amount) for amount in sorted(set(amounts))])


def _few(texts: Sequence[str]) -> str:
    if len(texts) > _FEW:
        return f"between {texts[0]} and {texts[-1]}"
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]


def _together(texts: Sequence[str]) -> str:
    """Sentences of several ways as one; where they differ in amounts only, with all of these.

    >>> _together(["a payment of 9½ (1 to 1)", "a payment of 5 (1 to 1)"])
    'a payment of 5 or 9½ (1 to 1)'
    """
    different = list(dict.fromkeys(texts))
    if len({_NUMBER.sub("#", text) for text in different}) > 1:
        return " or ".join(different[:_FEW])
    numbers = [_NUMBER.findall(text) for text in different]
    places = iter([_few(sorted(set(place), key=_size)) for place in zip(*numbers, strict=True)])
    return _NUMBER.sub(lambda _: next(places), different[0])


def _size(text: str) -> Fraction:
    """How much an amount in a sentence is."""
    glyph = _HALVES.get(text[-1], Fraction(0))
    return sum((Fraction(part) for part in text.rstrip("½¼¾").split()), glyph)
