"""Who dealt, and all that a dealer's figures are reckoned from.

What a journal says of that is kept beside the review (``reviews.shifts``), so that a report need not read
journals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session as Connection

from rules.dealers import (
    Money,
    PlayedCoup,
    Raised,
    Said,
    Session,
    Shifts,
    Told,
    dealers_in,
    shifts_of,
    who_errs,
)
from rules.dealers.shifts import CUE
from rules.errors import VeedorError
from rules.events import Cue, Event
from rules.findings import Verdict
from rules.journal import Journal
from veedor.store.answers import reading_of, record
from veedor.store.appending import append
from veedor.store.database import translated, writing
from veedor.store.errors import StoreError
from veedor.store.tables import AnswerRow, CoupRow, FindingRow, ReviewRow

LONGEST_VALUE = 200
"""Characters of what is said of who deals."""


def shifts_text(journal: Journal) -> str:
    """What a journal says of who dealt, as it is kept."""
    shifts = shifts_of(journal.events, journal.header.start_utc)
    return json.dumps(
        {
            "told": [[told.t, list(told.dealers), told.operator] for told in shifts.told],
            "hidden": [[begin, min(end, 1e12)] for begin, end in shifts.hidden],
            "start": None if shifts.start is None else shifts.start.isoformat(),
        },
        ensure_ascii=False,
    )


def shifts_from(text: str) -> Shifts:
    """The same back."""
    kept = json.loads(text)
    return Shifts(
        tuple(Told(t, tuple(dealers), operator) for t, dealers, operator in kept["told"]),
        tuple((begin, end) for begin, end in kept["hidden"]),
        None if kept["start"] is None else datetime.fromisoformat(kept["start"]),
    )


def dealer_cue(events: Sequence[Event], value: str, t: float, utc: datetime | None = None) -> Cue:
    """From ``t`` on this dealer deals (several with commas; nothing: nobody is told any more). ``utc``: which
    moment that was.

    Raises StoreError for a name that is none, or a time without its zone.
    """
    if len(value) > LONGEST_VALUE:
        raise StoreError(
            f"A dealer's name or number has at most {LONGEST_VALUE} characters. Make it shorter."
        )
    if not 0 <= t < 1e9:
        raise StoreError(f"{t} is no moment of a recording: give seconds from its start, such as 0 or 95.5.")
    if utc is not None and utc.tzinfo is None:
        raise StoreError(f"{utc.isoformat()} does not say its zone: write it as 2026-11-30T20:00:00Z.")
    names = dealers_in(value)
    if value.strip() and not names:
        raise StoreError("This name has no sign that can be seen. Write the dealer's number or name.")
    said = None if utc is None else utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    seq = events[-1].seq + 1 if events else 1
    return Cue(seq=seq, t=t, cue=CUE, value=", ".join(names) or None, utc=said, source="operator")


def tell(
    engine: Engine,
    database: Path,
    review: int,
    read: Callable[[], tuple[Path, Journal]],
    cue_of: Callable[[Sequence[Event]], Cue],
) -> Cue:
    """Add who dealt to a review's journal, and keep what it then says. ``read``: its file and what is in it,
    asked while nobody else may write."""
    with writing(engine, database) as connection, Connection(connection) as session:
        file, journal = read()
        cue = cue_of(journal.events)
        after = shifts_text(Journal(journal.header, (*journal.events, cue)))
        session.execute(update(ReviewRow).where(ReviewRow.id == review).values(shifts=after))
        session.flush()
        append(file, cue)
    return cue


def carried_over(old: Journal, new: Journal) -> tuple[Cue, ...]:
    """What people said of who dealt in an earlier review, as entries of the new journal."""
    known = {(event.t, event.value) for event in new.events if isinstance(event, Cue) and event.cue == CUE}
    seq = new.events[-1].seq if new.events else 0
    found: list[Cue] = []
    for event in old.events:
        if not isinstance(event, Cue) or event.cue != CUE or event.source != "operator":
            continue
        if (event.t, event.value) not in known:
            seq += 1
            found.append(Cue(seq=seq, t=event.t, cue=CUE, value=event.value, utc=event.utc))
    return tuple(found)


def sessions(engine: Engine, database: Path, journals: Callable[[str], Journal]) -> Iterator[Session]:
    """Every review, as a report needs it. ``journals``: gives the journal of a review's folder."""
    with translated(database), Connection(engine) as session:
        for row in session.scalars(select(ReviewRow).order_by(ReviewRow.id)).all():
            shifts = Shifts()
            if row.shifts is not None:
                shifts = shifts_from(row.shifts)
            else:
                with suppress(VeedorError):  # a journal that is gone tells nothing of who dealt
                    journal = journals(row.folder)
                    shifts = shifts_of(journal.events, journal.header.start_utc)
            coups = session.execute(
                select(CoupRow.coup, CoupRow.t_from, CoupRow.t_to).where(CoupRow.review_id == row.id)
            )
            yield Session(
                number=row.id,
                table=row.table_name,
                game=row.game,
                shifts=shifts,
                coups=tuple(PlayedCoup(*coup) for coup in coups),
                findings=_findings(session, row),
            )


def _findings(session: Connection, review: ReviewRow) -> tuple[Raised, ...]:
    columns = (
        FindingRow.finding,
        FindingRow.coup,
        FindingRow.rule,
        FindingRow.code,
        FindingRow.verdict,
        FindingRow.t.label("moment"),
        FindingRow.spot,
        FindingRow.expected,
        FindingRow.seen,
        FindingRow.amount_due,
        FindingRow.amount_seen,
    )
    rows = session.execute(
        select(*columns).where(FindingRow.review_id == review.id).order_by(FindingRow.number)
    ).all()
    given: dict[str, list[AnswerRow]] = {}
    for answer in session.scalars(
        select(AnswerRow).where(AnswerRow.review_id == review.id).order_by(AnswerRow.id)
    ):
        given.setdefault(answer.finding, []).append(answer)
    raised = [_raised(row, given.get(row.finding, ())) for row in rows]
    spots = {row.finding: row.spot for row in rows}
    return tuple(_with_bets(session, review, raised, spots))


def _raised(row: Any, given: Iterable[AnswerRow]) -> Raised:
    reading = reading_of(row)
    current = [each for each in (record(answer, reading) for answer in given) if each.current]
    return Raised(
        id=row.finding,
        coup=row.coup,
        rule=row.rule,
        code=row.code,
        verdict=Verdict(row.verdict),
        t=row.moment,
        amount_due=row.amount_due,
        amount_seen=row.amount_seen,
        said=Said(current[-1].answer, current[-1].whose) if current else None,
    )


def _with_bets(
    session: Connection, review: ReviewRow, raised: Sequence[Raised], spots: dict[str, str | None]
) -> Iterator[Raised]:
    """Each confirmed error about a bet with what was due to it and what became of it."""
    wanted = {
        finding.coup
        for finding in raised
        if finding.confirmed and who_errs(review.game, finding.code).money is Money.BET
    }
    summaries: dict[int, list[dict[str, Any]]] = {}
    if wanted:
        rows = session.execute(
            select(CoupRow.coup, CoupRow.summary).where(
                CoupRow.review_id == review.id, CoupRow.coup.in_(wanted)
            )
        )
        summaries = {coup: json.loads(summary)["bets"] for coup, summary in rows}
    for finding in raised:
        yield bet_of(finding, spots[finding.id], summaries.get(finding.coup, []))


def bet_of(finding: Raised, spot: str | None, bets: Sequence[dict[str, Any]]) -> Raised:
    """The finding with what was due to the one bet that it is about, if that is known."""
    there = [bet for bet in bets if spot is not None and bet["spot"] == spot]
    if len(there) > 1:
        subject = finding.id.split(".")[4:5]
        there = [bet for bet in there if [re.sub(r"[^A-Za-z0-9_]+", "-", bet["stack"])] == subject]
    if len(there) != 1:
        return finding
    (bet,) = there
    if _apart(bet["due_amount"], finding.amount_due) or _apart(bet["outcome_amount"], finding.amount_seen):
        return finding  # its amounts are of something else: a premium, say
    return replace(finding, due=bet["due"], outcome=bet["outcome"])


def _apart(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
