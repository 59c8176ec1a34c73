"""What reviewers say of findings: confirmed, rejected or cannot tell, with a note; who and when.

Answers are only ever added; the last one counts. Each is about a finding as it read then: judged anew and
saying something else, the finding waits for a reviewer again, and the earlier answer is kept beside it.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from rules.dealers import Answer, Errs
from veedor.store.database import translated, writing
from veedor.store.errors import StoreError
from veedor.store.records import AnswerRecord, FindingRecord
from veedor.store.tables import AnswerRow, FindingRow


class _Reads(Protocol):
    """What a finding says, from wherever it comes."""

    @property
    def rule(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def spot(self) -> str | None: ...
    @property
    def expected(self) -> str: ...
    @property
    def seen(self) -> str: ...
    @property
    def amount_due(self) -> str | None: ...
    @property
    def amount_seen(self) -> str | None: ...


LONGEST_NAME, LONGEST_NOTE = 100, 4000
"""Characters of a reviewer's name and of a note."""


def reading_of(finding: _Reads) -> str:
    """A hash of what a finding says: whatever a reviewer would judge anew if it said otherwise."""
    said = [
        finding.rule,
        finding.code,
        finding.verdict,
        finding.spot,
        finding.expected,
        finding.seen,
        finding.amount_due,
        finding.amount_seen,
    ]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()


def add(engine: Engine, database: Path, review: int, finding: FindingRecord, new: AnswerRecord) -> None:
    """Keep an answer. Raises StoreError for one that says too little or too much."""
    if not new.by:
        raise StoreError("An answer needs the name of who gives it. Write your name or your number.")
    if len(new.by) > LONGEST_NAME or len(new.note) > LONGEST_NOTE:
        raise StoreError(
            f"A name has at most {LONGEST_NAME} characters and a note {LONGEST_NOTE}: make it shorter."
        )
    with writing(engine, database) as connection, Session(connection) as session:
        session.add(
            AnswerRow(
                review_id=review,
                finding=finding.id,
                of_sha256=reading_of(finding),
                answer=new.answer.value,
                whose=None if new.whose is None else new.whose.value,
                note=new.note,
                by=new.by,
                at=new.at,
            )
        )
        session.flush()


def made(answer: Answer, by: str, note: str = "", whose: Errs | None = None) -> AnswerRecord:
    """An answer given now. ``whose`` counts only where an error is confirmed."""
    return AnswerRecord(
        answer=answer,
        whose=whose if answer is Answer.CONFIRMED else None,
        note=_plain(note, keep="\n"),
        by=_plain(by),
        at=datetime.now(UTC),
        current=True,
    )


def _plain(text: str, keep: str = "") -> str:
    """Without signs that cannot be seen."""
    return "".join(c for c in text if c in keep or unicodedata.category(c)[0] != "C").strip()


def of_review(engine: Engine, database: Path, review: int) -> dict[str, list[AnswerRecord]]:
    """A review's answers by finding, the first given first. ``current``: about what the finding says now."""
    with translated(database), Session(engine) as session:
        rows = session.scalars(
            select(AnswerRow).where(AnswerRow.review_id == review).order_by(AnswerRow.id)
        ).all()
        findings = (
            session.scalars(select(FindingRow).where(FindingRow.review_id == review)).all() if rows else ()
        )
        now = {row.finding: reading_of(row) for row in findings}
    given: dict[str, list[AnswerRecord]] = {}
    for row in rows:
        given.setdefault(row.finding, []).append(record(row, now.get(row.finding)))
    return given


def record(row: AnswerRow, reading: str | None) -> AnswerRecord:
    """An answer as it is kept. ``reading``: of the finding as it is now."""
    return AnswerRecord(
        answer=Answer(row.answer),
        whose=None if row.whose is None else Errs(row.whose),
        note=row.note,
        by=row.by,
        at=row.at,
        current=row.of_sha256 == reading,
    )
