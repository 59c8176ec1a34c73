"""A report as data (``veedor.dealers/1``), and the period that it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from rules.dealers.figures import FEW, CodeCount, Figures, Report, Week
from rules.dealers.interval import LEVEL
from rules.dealers.pace import PAUSE_S, Pace
from rules.errors import VeedorError

FORMAT = "veedor.dealers/1"


class PeriodError(VeedorError):
    """A period that is none."""


@dataclass(frozen=True, slots=True)
class Period:
    """From one day to another, both included, UTC; None: open."""

    since: date | None = None
    until: date | None = None

    @property
    def said(self) -> str:
        """In words.

        >>> Period(date(2026, 11, 1), None).said, Period().said
        ('from 2026-11-01 on', 'all that was reviewed')
        """
        match self.since, self.until:
            case None, None:
                return "all that was reviewed"
            case since, None:
                return f"from {since} on"
            case None, until:
                return f"to {until}"
            case since, until:
                return f"from {since} to {until}"


def period(since: str | None, until: str | None) -> Period:
    """A period as people write it; empty is open. Raises PeriodError."""
    found = Period(_day(since, "first"), _day(until, "last"))
    if found.since and found.until and found.since > found.until:
        raise PeriodError(
            f"The period would end ({found.until}) before it begins ({found.since})."
            " Give the earlier day first."
        )
    return found


def _day(text: str | None, which: str) -> date | None:
    if text is None or not text.strip():
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise PeriodError(
            f"The {which} day {shown!r} is no date. Write year, month and day, as in 2026-11-30."
        ) from None


def as_json(report: Report, of: Period, table: str | None) -> dict[str, Any]:
    """The whole report."""
    return {
        "format": FORMAT,
        "from": None if of.since is None else of.since.isoformat(),
        "to": None if of.until is None else of.until.isoformat(),
        "table": table,
        "interval": f"Clopper-Pearson, {LEVEL:.0%}",
        "few": FEW,
        "pause_s": PAUSE_S,
        "undated": report.undated,
        "dealers": {who: _figures(own) for who, own in report.dealers.items()},
        "several": _figures(report.several),
        "not_told": _figures(report.not_told),
        "all": _figures(report.all),
    }


def _figures(own: Figures) -> dict[str, Any]:
    return {
        "coups": own.coups,
        "seen_whole": own.whole,
        "coverage": None if own.coverage is None else round(own.coverage, 4),
        "settled": own.settled,
        "waiting": own.waiting,
        "with_error": own.erred,
        "with_error_settled_or_not": own.erred_anywhere,
        "per_1000": _rate(own.all) | {"at_most_if_all_that_waits_is_error": round(own.at_most, 3)},
        "work": {
            work.value: asdict(part) | {"per_1000": _rate(part)} for work, part in sorted(own.work.items())
        },
        "findings": _codes(own.codes),
        "findings_whose_is_not_told": _codes(own.unsaid),
        "findings_of_others": _codes(own.others),
        "stakes": {
            "bank_lost": str(own.stakes.bank_lost),
            "players_lost": str(own.stakes.players_lost),
            "amounts_known": own.stakes.known,
            "amounts_not_known": own.stakes.not_known,
        },
        "games": own.games,
        "tables": own.tables,
        "dealing_s": round(own.dealing_s, 3),
        "table_s": round(own.table_s, 3),
        "pace": {game: _pace(pace) for game, pace in own.pace.items()},
        "weeks": {
            "not told" if monday is None else monday.isoformat(): asdict(week) | {"per_1000": _rate(week)}
            for monday, week in weeks_in_order(own.weeks)
        },
    }


def weeks_in_order(weeks: Mapping[date | None, Week]) -> list[tuple[date | None, Week]]:
    """Weeks in order of time, those without a date last."""
    return sorted(weeks.items(), key=lambda entry: (entry[0] is None, entry[0] or date.min))


def _rate(week: Week) -> dict[str, Any]:
    low, high = week.interval
    return {
        "value": None if week.rate is None or week.few else round(week.rate, 3),
        "low": round(low, 3),
        "high": round(high, 3),
        "n": week.settled,
        "too_few": week.few,
    }


def _codes(codes: Mapping[str, CodeCount]) -> dict[str, Any]:
    return {code: asdict(codes[code]) for code in sorted(codes)}


def _pace(pace: Pace) -> dict[str, Any]:
    return {
        "coups_an_hour_of_dealing": _rounded(pace.dealt_an_hour),
        "coups_an_hour_at_the_table": _rounded(pace.at_table_an_hour),
        "median_s": _rounded(pace.median_s),
        "of": len(pace.cycles_s),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


COLUMNS = (
    "who",
    "dealer",
    "coups",
    "seen_whole",
    "settled",
    "waiting",
    "with_error",
    "per_1000",
    "low",
    "high",
    "too_few",
    "raised",
    "not_seen",
    "confirmed",
    "rejected",
    "cannot_tell",
    "not_looked_at",
    "bank_lost",
    "players_lost",
    "amounts_not_known",
    "dealing_s",
    "table_s",
)
"""Of a table with a row for each dealer."""


def rows(report: Report) -> list[tuple[str | int | float | None, ...]]:
    """The report as a table: a row for each dealer, for what several dealt, and for what is not told."""
    parts = [("dealer", who, own) for who, own in report.dealers.items()]
    parts += [("several", "", report.several), ("not told", "", report.not_told)]
    return [_row(kind, who, own) for kind, who, own in parts]


def _row(kind: str, who: str, own: Figures) -> tuple[str | int | float | None, ...]:
    rate, found = _rate(own.all), own.found
    return (
        kind,
        _no_formula(who),
        own.coups,
        own.whole,
        own.settled,
        own.waiting,
        own.erred,
        rate["value"],
        rate["low"],
        rate["high"],
        int(own.all.few),
        found.raised,
        found.not_seen,
        found.confirmed,
        found.rejected,
        found.cannot_tell,
        found.waiting + found.open,
        str(own.stakes.bank_lost),
        str(own.stakes.players_lost),
        own.stakes.not_known,
        round(own.dealing_s, 3),
        round(own.table_s, 3),
    )


def _no_formula(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
