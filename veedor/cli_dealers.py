"""``veedor dealers``: what was seen of each dealer's work, and what people confirmed of it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veedor.cli_options import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

    from rules.dealers import Figures, Period, Report
    from rules.events import Event
    from veedor.store import Store


def dealers(
    since: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="The first day, UTC: 2026-11-01.")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", metavar="DATE", help="The last day, UTC.")] = None,
    table: Annotated[str | None, typer.Option("--table", help="One table's name. Default: all.")] = None,
    dealer: Annotated[
        str | None, typer.Option("--dealer", metavar="ID", help="One dealer, as told. Default: all.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for each dealer as CSV.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page to read or print.")
    ] = None,
    state: State = None,
) -> None:
    """What was seen of each dealer's work, and what reviewers confirmed of it; no ranking."""
    from rules.dealers import period, report
    from veedor.store import Store, state_directory

    of = period(since, until)
    store = Store(state_directory(state))
    try:
        _known_table(store, table)
        found = report(store.sessions(), since=of.since, until=of.until, table=table)
    finally:
        store.close()
    if dealer is not None:
        found = _only(found, dealer)
    written = _write(found, of, table, {"json": json_file, "csv": csv_file, "html": html_file})
    from rich.console import Console

    console = Console(highlight=False)
    if not (found.dealers or found.several.coups or found.not_told.coups):
        console.print(f"No coup: {of.said}.")
    else:
        console.print(_table(found, of))
        if dealer is not None:
            _details(console, found.dealers[dealer])
    if found.undated:
        console.print(f"{found.undated} coups left out: their date is not told (veedor correct --utc).")
    for file in written:
        console.print(f"Written to {file}.", markup=False)


def _known_table(store: Store, table: str | None) -> None:
    from veedor.choosing import did_you_mean

    known = {review.table for review in store.reviews()}
    if table is not None and table not in known:
        raise did_you_mean("reviewed table", table, sorted(known))


def _only(found: Report, dealer: str) -> Report:
    """The report of one dealer alone. Raises VeedorError, naming the nearest one."""
    from rules.dealers import Figures
    from veedor.choosing import did_you_mean

    if dealer not in found.dealers:
        raise did_you_mean("dealer", dealer, list(found.dealers))
    return replace(found, dealers={dealer: found.dealers[dealer]}, not_told=Figures(), several=Figures())


def _write(found: Report, of: Period, table: str | None, files: dict[str, Path | None]) -> Sequence[Path]:
    from rules.dealers import as_json
    from rules.dealers.document import COLUMNS, rows
    from veedor.store import write_together

    contents: dict[Path, bytes] = {}
    if (file := files["json"]) is not None:
        contents[file] = (json.dumps(as_json(found, of, table), indent=2, ensure_ascii=False) + "\n").encode()
    if (file := files["csv"]) is not None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows(found)])
        contents[file] = text.getvalue().encode()
    if (file := files["html"]) is not None:
        from dashboards.dealers import alone

        contents[file] = alone(found, of, table, found.dealers).encode()
    write_together(contents)
    return list(contents)


def _table(found: Report, of: Period) -> Table:
    from rich.table import Table
    from rich.text import Text

    shown = Table(title=f"Dealers, {of.said}", caption="In the order of their names, which is no ranking.")
    for heading in ("dealer", "coups", "seen whole", "settled", "errors", "not looked at"):
        shown.add_column(heading, justify="left" if heading == "dealer" else "right", overflow="fold")
    shown.add_column("with an error, of 1,000 (95 %)", overflow="fold")
    rest = [("several at once", found.several), ("not told", found.not_told)]
    for who, own in [*found.dealers.items(), *((name, own) for name, own in rest if own.coups)]:
        coverage = "–" if own.coverage is None else f"{100 * own.coverage:.0f} %"
        counts = (own.coups, coverage, own.settled, own.found.confirmed, own.found.waiting)
        shown.add_row(Text(who if len(who) <= 40 else f"{who[:39]}…"), *map(str, counts), _rate(own))
    return shown


def _rate(own: Figures) -> str:
    low, high = own.all.interval
    if own.all.rate is None:
        return "nothing settled"
    if own.all.few:
        return f"too few to say ({low:.1f} to {high:.1f})"
    return f"{own.all.rate:.1f} ({low:.1f} to {high:.1f}){', provisional' if own.waiting else ''}"


def _details(console: Console, own: Figures) -> None:
    from rules.money import readable

    for work, part in sorted(own.work.items()):
        console.print(
            f"  {work.value}: {part.whole} of {part.coups} coups seen whole, {part.settled} settled,"
            f" {part.erred} with an error"
        )
    for code, count in sorted(own.codes.items()):
        console.print(
            f"  {code}: {count.raised} raised, {count.not_seen} not seen; {count.confirmed} confirmed,"
            f" {count.rejected} rejected, {count.cannot_tell} cannot tell, {count.waiting} not looked at"
        )
    stakes = own.stakes
    console.print(
        f"  The bank lost {readable(stakes.bank_lost)}, players lost {readable(stakes.players_lost)}"
        f" ({stakes.known} with a known amount, {stakes.not_known} without)."
    )
    for game, pace in sorted(own.pace.items()):
        if pace.dealt_an_hour is not None and pace.at_table_an_hour is not None:
            console.print(
                f"  {game}: {own.games[game]} coups, {pace.dealt_an_hour:.0f} an hour of dealing,"
                f" {pace.at_table_an_hour:.0f} an hour at the table, median {pace.median_s:.0f} s"
            )


def tell(review: int, dealer: str, t: float, utc: str | None, state: Path | None) -> None:
    """Say who dealt in a review that is kept. Raises VeedorError."""
    from rules.errors import VeedorError
    from veedor.store import Store, state_directory

    store = Store(state_directory(state))
    try:
        found = store.review(review)
        if found is None:
            raise VeedorError(f"There is no review {review} in {store.state}. See veedor serve for the list.")
        cue = store.tell_dealer(found, dealer, t, moment(utc))
    finally:
        store.close()
    typer.echo(f"Entry {cue.seq} added to the journal of review {review} ({found.table}).")


def told(events: Sequence[Event], dealer: str, t: float, utc: str | None) -> Event:
    """The entry that says who dealt. Raises VeedorError."""
    from veedor.store.dealing import dealer_cue

    return dealer_cue(events, dealer, t, moment(utc))


def moment(text: str | None) -> datetime | None:
    """A moment as people write it. Raises VeedorError."""
    from rules.errors import VeedorError

    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise VeedorError(
            f"{text[:60]!r} is no moment. Write it with its zone, as in 2026-11-30T20:00:00Z."
        ) from None
    if found.tzinfo is None:
        raise VeedorError(
            f"{text!r} does not say its zone. Write it as 2026-11-30T20:00:00Z, or with +01:00."
        )
    return found
