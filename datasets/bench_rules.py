"""How the rules do on simulated coups, and how fast: clean ones give no BREACH, each error its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import perf_counter

from datasets.simulator import Options, simulate
from datasets.simulator_types import ErrorKind, Session
from rules.findings import Verdict
from rules.journal import Header, Journal, dumps, loads
from rules.judge import judge
from rules.profile_document import Profile
from rules.profiles import load_profile

LIMIT_ERRORS = frozenset({ErrorKind.TIE_BET_OVER_LIMIT, ErrorKind.BET_ABOVE_MAX, ErrorKind.BET_BELOW_MIN})
"""Errors that need a table with limits."""

_NEEDS_ONE_BEFORE = frozenset({ErrorKind.CARDS_LEFT, ErrorKind.DEAL_AFTER_CUT_CARD})
_LIMITS = (5, 500)
_SESSION = 100
_SEVENTH_SESSION = 12


@dataclass(frozen=True, slots=True)
class CleanCoups:
    """Coups by the book. ``ratio_to_parsing``: the time to judge them as a multiple of reading their
    journals."""

    coups: int
    breaches: int
    undetermined: int
    conform: int
    coups_per_s: float
    ratio_to_parsing: float


@dataclass(frozen=True, slots=True)
class InjectedErrors:
    """One kind of error. ``named``: sessions whose only findings are exactly the injected error's;
    ``missed``: it was not among them; ``extra``: findings of any other kind."""

    kind: str
    coups: int
    named: int
    missed: int
    extra: int


def house_profile(*, limits: bool = False) -> Profile:
    """Andorra's mini table with half lines on punto and banca boxes."""
    house: dict[str, object] = {"half_lines": ["punto", "banca"]}
    if limits:
        house["limits"] = {"minimum": _LIMITS[0], "maximum": _LIMITS[1]}
    return load_profile("andorra_2016", "mini", house)


def clean_coups(count: int, seed: int = 1) -> CleanCoups:
    """Judge this many coups by the book (whole sessions of one hundred), as a perfect observer tells them."""
    profile = house_profile()
    verdicts: Counter[Verdict] = Counter()
    judging = parsing = 0.0
    coups = 0
    while coups < count:
        session = simulate(seed + coups, coups=min(_SESSION, count - coups), options=Options(shoe_start=True))
        coups += len(session.coups)
        lines = dumps(Journal(Header("bench", "punto_banco"), session.events)).splitlines()
        start = perf_counter()
        journal = loads(lines)
        parsing += perf_counter() - start
        start = perf_counter()
        judgement = judge(journal.events, profile)
        judging += perf_counter() - start
        for coup in judgement.coups:
            verdicts.update(coup.counts)
        if len(judgement.coups) != len(session.coups):
            verdicts[Verdict.BREACH] += 1  # a coup was missed or made up
    return CleanCoups(
        coups=coups,
        breaches=verdicts[Verdict.BREACH],
        undetermined=verdicts[Verdict.UNDETERMINED],
        conform=verdicts[Verdict.CONFORM],
        coups_per_s=coups / judging,
        ratio_to_parsing=judging / parsing,
    )


def injected_errors(each: int = 500, seed: int = 1) -> list[InjectedErrors]:
    """For each kind of error, this many sessions that have it once: is it named, and is nothing else?"""
    return [_injected(kind, each, seed) for kind in ErrorKind]


def session_with(kind: ErrorKind, seed: int) -> Session:
    """A session with this error, as short as it can be."""
    options = Options(
        minimum=_LIMITS[0] if kind in LIMIT_ERRORS else None,
        maximum=_LIMITS[1] if kind in LIMIT_ERRORS else None,
    )
    at = 2 if kind in _NEEDS_ONE_BEFORE else 1
    coups = _SEVENTH_SESSION if kind is ErrorKind.SEVENTH_CARD else at
    return simulate(seed, coups=coups, errors={at: kind}, options=options)


def _injected(kind: ErrorKind, each: int, seed: int) -> InjectedErrors:
    profile = house_profile(limits=kind in LIMIT_ERRORS)
    named = missed = extra = coups = 0
    for number in range(each):
        session = session_with(kind, seed + number)
        coups += 1
        findings = judge(session.events, profile).findings
        found = [(f.coup, f.code, f.rule, f.spot, f.verdict) for f in findings]
        wanted = [
            (coup.number, error.code, error.rule, error.spot, Verdict.BREACH)
            for coup in session.coups
            if (error := coup.error) is not None
        ]
        named += found == wanted
        missed += any(one not in found for one in wanted)
        extra += sum(one not in wanted for one in found)
    return InjectedErrors(kind.value, coups, named, missed, extra)
