"""Dealers' reports: all of them, one to read or print, and the same as data.

Names are shown as they were told: a house that tells numbers sees numbers. Nothing here ranks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from dashboards import dealer_pictures
from dashboards.templating import templates
from dashboards.wiring import StoreOf
from rules.catalogue import alert_codes
from rules.dealers import (
    FEW,
    PAUSE_S,
    Case,
    Errs,
    Figures,
    Period,
    Report,
    as_json,
    period,
    report,
)
from rules.dealers.document import PeriodError, weeks_in_order
from veedor.store import Store

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/dealers", tags=["dealers"])

_STATIC = Path(__file__).parent / "static"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def key_of(dealer: str) -> str:
    """A dealer's place in addresses: the name itself where it is plain, else a hash of it."""
    if _PLAIN.fullmatch(dealer):
        return dealer
    return "~" + hashlib.sha256(dealer.encode()).hexdigest()[:20]


class Asked:
    """Which report is asked for: a period, and a table or all."""

    def __init__(
        self,
        since: Annotated[str, Query(alias="from", description="First day, UTC: 2026-11-01.")] = "",
        until: Annotated[str, Query(alias="to", description="Last day, UTC.")] = "",
        table: Annotated[str, Query(description="One table's name; empty: all.")] = "",
    ) -> None:
        try:
            self.period: Period = period(since, until)
        except PeriodError as error:
            raise HTTPException(422, str(error)) from error
        self.table: str | None = table or None

    def report(self, store: Store) -> Report:
        """The figures that are asked for."""
        return report(store.sessions(), since=self.period.since, until=self.period.until, table=self.table)

    @property
    def query(self) -> str:
        """The same in an address."""
        parts = {
            "from": "" if self.period.since is None else self.period.since.isoformat(),
            "to": "" if self.period.until is None else self.period.until.isoformat(),
            "table": self.table or "",
        }
        said = urlencode({name: value for name, value in parts.items() if value})
        return f"?{said}" if said else ""


AskedOf = Annotated[Asked, Depends()]


@router.get("/dealers")
def dealers_page(request: Request, store: StoreOf, asked: AskedOf) -> Response:
    """All dealers."""
    tables = sorted({review.table for review in store.reviews()})
    context = list_context(asked.report(store), asked.period, asked.table)
    return templates.TemplateResponse(
        request,
        "dealers.html",
        context | {"all_tables": tables, "link": lambda who: f"/dealers/{key_of(who)}{asked.query}"},
    )


@router.get("/dealers/{key}")
def dealer_page(request: Request, store: StoreOf, asked: AskedOf, key: str) -> Response:
    """One dealer's report, to read or to print."""
    found = asked.report(store)
    who = next((name for name in found.dealers if key_of(name) == key), None)
    if who is None:
        shown = key if len(key) <= 80 else f"{key[:80]}..."
        raise HTTPException(
            404, f"No coup of a dealer {shown!r} is told here ({asked.period.said}). See the list of dealers."
        )
    context = dealer_context(who, found.dealers[who], asked.period, asked.table)
    return templates.TemplateResponse(
        request, "dealer.html", context | {"query": asked.query, "report": context}
    )


@api.get("", summary="Dealers' figures")
def figures(store: StoreOf, asked: AskedOf) -> dict[str, Any]:
    """Of each dealer, of what several dealt, of what is not told, and all together: `veedor.dealers/1`."""
    return as_json(asked.report(store), asked.period, asked.table)


def list_context(found: Report, of: Period, table: str | None) -> dict[str, Any]:
    """What the list of dealers draws."""
    scale = dealer_pictures.scale_of([own.all for own in found.dealers.values()])
    return {
        "found": found,
        "rest": [("several at once", found.several), ("not told", found.not_told)],
        "period": of,
        "table": table,
        "scale": scale,
        "interval": lambda own: dealer_pictures.interval(own.all, scale),
        "coverage": dealer_pictures.coverage,
        "hours": hours,
        "few": FEW,
        "pause_s": round(PAUSE_S),
    }


def dealer_context(who: str, own: Figures, of: Period, table: str | None) -> dict[str, Any]:
    """What one dealer's report draws."""
    weeks = weeks_in_order(own.weeks)
    scale = dealer_pictures.scale_of([own.all, *own.work.values()])
    cases = sorted(own.cases, key=_order)
    return {
        "who": who,
        "own": own,
        "period": of,
        "table": table,
        "weeks": weeks,
        "trend": dealer_pictures.trend(weeks),
        "picture": dealer_pictures.interval(own.all, scale),
        "draw": lambda week: dealer_pictures.interval(week, scale),
        "scale": scale,
        "coverage": dealer_pictures.coverage(own),
        "confirmed": [case for case in cases if case.raised.confirmed and case.whose is Errs.DEALER],
        "waiting": [case for case in cases if case.raised.waits],
        "open": [case for case in cases if case.raised.is_open],
        "meanings": {name: code.meaning for name, code in alert_codes().items()},
        "hours": hours,
        "few": FEW,
        "pause_s": round(PAUSE_S),
    }


def _order(case: Case) -> tuple[str, int, float]:
    return ("" if case.day is None else case.day.isoformat(), case.session, case.raised.t)


def hours(seconds: float) -> str:
    """A length of time as people say it.

    >>> hours(12_300), hours(100), hours(59)
    ('3 h 25 min', '2 min', '59 s')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"


def alone(found: Report, of: Period, table: str | None, who: Iterable[str]) -> str:
    """A page that needs no server: the list, and the reports of these dealers, one after another."""
    style = "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in ("veedor.css", "dealers.css"))
    context = list_context(found, of, table) | {
        "style": Markup(style),  # our own file
        "reports": [dealer_context(name, found.dealers[name], of, table) for name in who],
    }
    return templates.get_template("dealers_alone.html").render(context)
