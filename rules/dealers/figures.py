"""A dealer's figures: what was observed, what was found, what people confirmed, and what it cost.

The rules of counting (``docs/dealer-reports.md`` says them for readers):

- A coup is *seen whole* when nothing about the dealer's own work in it was left open: by the judge
  (UNDETERMINED), or by a reviewer who cannot tell.
- It is *settled* when it was seen whole and nothing that was raised in it waits for a reviewer.
- The rate is settled coups with a confirmed error of the dealer, of all settled coups. Several findings of
  one coup are often one mistake, so coups are counted, not findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from typing import Protocol, Self, TypeVar

from rules.dealers.errs import Errs, Work, who_errs
from rules.dealers.interval import exact_interval
from rules.dealers.pace import Pace, pace_of
from rules.dealers.sessions import Answer, Case, PlayedCoup, Raised, Session
from rules.dealers.shifts import Nobody
from rules.dealers.stakes import Stakes, stakes_of
from rules.findings import Verdict

FEW = 300
"""With fewer settled coups nothing is said of a dealer: with no error in 300, the rate may still be 12 in
1,000."""


class _Adds(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


_Key = TypeVar("_Key")
_Value = TypeVar("_Value", bound=_Adds)


@dataclass(frozen=True, slots=True)
class CodeCount:
    """Findings of one alert code. ``raised`` + ``not_seen`` (by the judge) are ``confirmed`` + ``rejected`` +
    ``cannot_tell`` + ``waiting`` + ``open``: the last two nobody has looked at."""

    raised: int = 0
    not_seen: int = 0
    confirmed: int = 0
    rejected: int = 0
    cannot_tell: int = 0
    waiting: int = 0
    open: int = 0

    def __add__(self, other: CodeCount) -> CodeCount:
        return CodeCount(
            self.raised + other.raised,
            self.not_seen + other.not_seen,
            self.confirmed + other.confirmed,
            self.rejected + other.rejected,
            self.cannot_tell + other.cannot_tell,
            self.waiting + other.waiting,
            self.open + other.open,
        )


@dataclass(frozen=True, slots=True)
class Week:
    """A week's coups; ``erred``: settled coups with a confirmed error."""

    coups: int = 0
    whole: int = 0
    settled: int = 0
    erred: int = 0

    def __add__(self, other: Week) -> Week:
        return Week(
            self.coups + other.coups,
            self.whole + other.whole,
            self.settled + other.settled,
            self.erred + other.erred,
        )

    @property
    def rate(self) -> float | None:
        """Settled coups with a confirmed error, of a thousand."""
        return 1000 * self.erred / self.settled if self.settled else None

    @property
    def interval(self) -> tuple[float, float]:
        """What the rate may be: of 100 such intervals 95 and more hold the true one."""
        low, high = exact_interval(self.erred, self.settled)
        return 1000 * low, 1000 * high

    @property
    def few(self) -> bool:
        """Whether these are too few to say anything."""
        return self.settled < FEW


@dataclass(frozen=True, slots=True)
class Figures:
    """One dealer's. ``erred_anywhere``: coups with a confirmed error, settled or not. ``codes``: findings
    about the dealer's own work; ``unsaid``: those of which nobody says whose they are; ``others``: what
    players and others did meanwhile. ``weeks``: by the week's Monday, None where the date is not told.
    ``work``: the same for dealing the cards and for paying, each by itself: where chips cannot be read,
    the cards may all the same."""

    coups: int = 0
    whole: int = 0
    settled: int = 0
    erred: int = 0
    erred_anywhere: int = 0
    codes: dict[str, CodeCount] = field(default_factory=dict)
    unsaid: dict[str, CodeCount] = field(default_factory=dict)
    others: dict[str, CodeCount] = field(default_factory=dict)
    stakes: Stakes = field(default_factory=Stakes)
    games: dict[str, int] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    pace: dict[str, Pace] = field(default_factory=dict)
    weeks: dict[date | None, Week] = field(default_factory=dict)
    work: dict[Work, Week] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.coups + other.coups,
            self.whole + other.whole,
            self.settled + other.settled,
            self.erred + other.erred,
            self.erred_anywhere + other.erred_anywhere,
            _both(self.codes, other.codes, CodeCount()),
            _both(self.unsaid, other.unsaid, CodeCount()),
            _both(self.others, other.others, CodeCount()),
            self.stakes + other.stakes,
            _both(self.games, other.games, 0),
            _both(self.tables, other.tables, 0),
            _both(self.pace, other.pace, Pace()),
            _both(self.weeks, other.weeks, Week()),
            _both(self.work, other.work, Week()),
            (*self.cases, *other.cases),
        )

    @property
    def all(self) -> Week:
        """All weeks together."""
        return Week(self.coups, self.whole, self.settled, self.erred)

    @property
    def found(self) -> CodeCount:
        """All findings about the dealer's own work."""
        return sum(self.codes.values(), CodeCount())

    @property
    def coverage(self) -> float | None:
        """Which part of the coups was seen whole."""
        return self.whole / self.coups if self.coups else None

    @property
    def waiting(self) -> int:
        """Coups seen whole that wait for a reviewer: until then the rate is provisional."""
        return self.whole - self.settled

    @property
    def at_most(self) -> float:
        """The rate's upper end if every coup that waits turned out an error."""
        return 1000 * exact_interval(self.erred + self.waiting, self.whole)[1]

    @property
    def dealing_s(self) -> float:
        """Time dealt, pauses left out, seconds."""
        return sum(pace.dealing_s for pace in self.pace.values())

    @property
    def table_s(self) -> float:
        """Time at the table, seconds."""
        return sum(pace.table_s for pace in self.pace.values())


@dataclass(frozen=True, slots=True)
class Report:
    """Everybody's figures; names in their own order, which is no ranking. ``undated``: coups left out since
    their date is not told and a period was asked for."""

    dealers: dict[str, Figures]
    not_told: Figures
    several: Figures
    undated: int = 0

    @property
    def all(self) -> Figures:
        """All coups, whoever dealt them."""
        return sum([*self.dealers.values(), self.several], self.not_told)


def report(
    sessions: Iterable[Session],
    *,
    since: date | None = None,
    until: date | None = None,
    table: str | None = None,
) -> Report:
    """The figures of these sessions, from one day to another (UTC, both included), at one table or at all."""
    parts: dict[str | Nobody, list[Figures]] = {}
    undated = 0
    for session in sessions:
        if table is not None and session.table != table:
            continue
        kept: list[PlayedCoup] = []
        for coup in session.coups:
            day = session.day(coup.t_from)
            if (since or until) and day is None:
                undated += 1
            elif (since is None or (day or since) >= since) and (until is None or (day or until) <= until):
                kept.append(coup)
        for who, own in _by_dealer(session, kept):
            parts.setdefault(who, []).append(own)
    named = sorted(who for who in parts if isinstance(who, str))
    return Report(
        dealers={who: _sum(parts[who]) for who in named},
        not_told=_sum(parts.get(Nobody.NOT_TOLD, [])),
        several=_sum(parts.get(Nobody.SEVERAL, [])),
        undated=undated,
    )


def _sum(parts: Sequence[Figures]) -> Figures:
    """Added up in pairs, so that long lists are not copied over and over."""
    if len(parts) <= 1:
        return parts[0] if parts else Figures()
    middle = len(parts) // 2
    return _sum(parts[:middle]) + _sum(parts[middle:])


def _by_dealer(session: Session, coups: Sequence[PlayedCoup]) -> Iterator[tuple[str | Nobody, Figures]]:
    """Each run of coups that one dealer dealt one after another."""
    of_coup: dict[int, list[Raised]] = {}
    for finding in session.findings:
        of_coup.setdefault(finding.coup, []).append(finding)
    ordered = sorted(coups, key=lambda coup: (coup.t_from, coup.number))
    for who, run in groupby(ordered, key=lambda coup: session.shifts.dealer(coup.t_from, coup.t_to)):
        own = list(run)
        counted = [_of_coup(session, coup, of_coup.get(coup.number, ())) for coup in own]
        pace = Figures(pace={session.game: pace_of(own, session.shifts)})
        yield who, _sum(counted) + pace


def _of_coup(session: Session, coup: PlayedCoup, findings: Sequence[Raised]) -> Figures:
    game = session.game
    whose = [(finding, finding.whose(game)) for finding in findings]
    own = [finding for finding, errs in whose if errs is Errs.DEALER]
    unsaid = [finding for finding, errs in whose if errs is Errs.EITHER]
    errors = [finding for finding in own if finding.confirmed]
    day = session.day(coup.t_from)
    week = _week(own, unsaid)
    settled = bool(week.settled)
    return Figures(
        coups=1,
        whole=week.whole,
        settled=week.settled,
        erred=week.erred,
        erred_anywhere=int(bool(errors)),
        codes=_counted(own),
        unsaid=_counted(unsaid),
        others=_counted([finding for finding, errs in whose if errs in (Errs.PLAYER, Errs.HOUSE)]),
        stakes=stakes_of(game, errors),
        games={game: 1},
        tables={session.table: 1},
        weeks={None if day is None else day - timedelta(days=day.weekday()): week},
        work={work: _week(_about(work, own, game), _about(work, unsaid, game)) for work in Work},
        cases=tuple(
            Case(session.number, session.table, game, day, finding, errs, settled)
            for finding, errs in whose
            if errs in (Errs.DEALER, Errs.EITHER)
        ),
    )


def _week(own: Sequence[Raised], unsaid: Sequence[Raised]) -> Week:
    """One coup, by the findings about the dealer's work and those of which nobody says whose they are."""
    whole = not any(finding.is_open for finding in [*own, *unsaid])
    settled = whole and not any(finding.waits for finding in [*own, *unsaid])
    erred = settled and any(finding.confirmed for finding in own)
    return Week(1, int(whole), int(settled), int(erred))


def _about(work: Work, findings: Sequence[Raised], game: str) -> list[Raised]:
    return [finding for finding in findings if who_errs(game, finding.code).work is work]


def _counted(findings: Iterable[Raised]) -> dict[str, CodeCount]:
    counts: dict[str, CodeCount] = {}
    for finding in findings:
        counts[finding.code] = counts.get(finding.code, CodeCount()) + _count(finding)
    return counts


def _count(finding: Raised) -> CodeCount:
    breach = finding.verdict is Verdict.BREACH
    answer = None if finding.said is None else finding.said.answer
    return CodeCount(
        raised=int(breach),
        not_seen=int(not breach),
        confirmed=int(answer is Answer.CONFIRMED),
        rejected=int(answer is Answer.REJECTED),
        cannot_tell=int(answer is Answer.CANNOT_TELL),
        waiting=int(breach and answer is None),
        open=int(not breach and answer is None),
    )


def _both(one: dict[_Key, _Value], other: dict[_Key, _Value], nothing: _Value) -> dict[_Key, _Value]:
    """Two tables added entry by entry."""
    keys = dict.fromkeys([*one, *other])
    return {key: one.get(key, nothing) + other.get(key, nothing) for key in keys}
