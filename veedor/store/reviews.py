"""The store of reviews: one database and one folder of files a review, below the state directory.

    STATE/veedor.sqlite3          reviews, coups, findings, the events they rest on, names of pictures
    STATE/reviews/<folder>/       journal.jsonl, findings.json, overlay.json, findings/<id>.jpg, preview.mp4

A review is kept under its table and its recordings' hash: the same ones again replace it and keep its
number; the same recording with another camera's is another review. Its new files are complete in a new folder
before the database points there; the database's commit is the one moment at which the new review takes the
old one's place.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session

from rules.dealers import Session as Played
from rules.dealers import Shifts, shifts_of
from rules.errors import VeedorError
from rules.events import Cue
from rules.findings import Judgement, OpenQuestion, Verdict
from rules.journal import Journal
from rules.journal import loads as load_journal
from veedor.store import answers, dealing
from veedor.store.appending import append
from veedor.store.database import FILE_NAME, integrity_problem, open_database, translated, writing
from veedor.store.errors import StoreError
from veedor.store.felt import Felt
from veedor.store.felt import loads as load_felt
from veedor.store.files import make_directory
from veedor.store.overlay import Overlay
from veedor.store.overlay import loads as load_overlay
from veedor.store.records import (
    DRAWING,
    FELT,
    FINDINGS,
    JOURNAL,
    OVERLAY,
    PICTURES,
    AnswerRecord,
    CoupRecord,
    FindingRecord,
    NewReview,
    Recording,
    ReviewRecord,
)
from veedor.store.tables import CoupRow, FindingEventRow, FindingRow, ReviewRow

_ABANDONED_S = 3600.0
"""A folder no review points to, untouched for longer than this, is left from a run that was killed."""


class Store:
    """The reviews of one state directory. Safe to open from several processes at once.

    Raises StoreError when the directory or its database cannot be used.
    """

    def __init__(self, state: Path) -> None:
        make_directory(state, "The state directory")
        self._reviews = state / "reviews"
        make_directory(self._reviews, "The state directory's folder")
        self.state = state
        self.database_file = state / FILE_NAME
        self._engine = open_database(self.database_file)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def problem(self) -> str | None:
        """What the database's own integrity check finds wrong, or None."""
        return integrity_problem(self._engine, self.database_file)

    def save(self, new: NewReview, files: Path, before_commit: Callable[[], None] = lambda: None) -> int:
        """Keep a review with a copy of the files in ``files``; returns its number.

        ``before_commit`` is called when all is ready: if it raises, nothing is kept. Raises StoreError, with
        any earlier review of the same recordings as it was, if that fails.
        """
        folder = uuid.uuid4().hex
        target = self._reviews / folder
        try:
            try:
                shutil.copytree(files, target)
            except (OSError, shutil.Error) as error:
                raise StoreError(
                    f"The review's files cannot be copied to {target} ({error}). "
                    "Check the free space and the folder's rights; the earlier result is untouched."
                ) from error
            with writing(self._engine, self.database_file) as connection, Session(connection) as session:
                old = session.scalar(
                    select(ReviewRow).where(
                        ReviewRow.table_name == new.table,
                        ReviewRow.recordings_sha256 == recordings_sha256(_hashes(new)),
                    )
                )
                shifts = self._shifts(new, target, None if old is None else old.folder)
                row = old if old is not None else ReviewRow()
                replaced = None if old is None else old.folder
                if old is not None:
                    session.execute(delete(FindingRow).where(FindingRow.review_id == old.id))
                    session.execute(delete(CoupRow).where(CoupRow.review_id == old.id))
                    session.expire(old)
                _fill(row, new, folder)
                row.shifts = shifts
                session.add(row)
                session.flush()
                number = row.id
                before_commit()
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        if replaced is not None:
            shutil.rmtree(self._reviews / replaced, ignore_errors=True)
        self._sweep()
        return number

    def reviews(self) -> list[ReviewRecord]:
        """All reviews, the latest first."""
        return self._records()

    def review(self, number: int) -> ReviewRecord | None:
        """One review by its number, or None."""
        return next(iter(self._records(ReviewRow.id == number)), None)

    def find(self, table: str, recordings: Sequence[str]) -> ReviewRecord | None:
        """The review of one table's recordings, or None. ``recordings``: SHA-256 of each, hex, the first
        camera's first."""
        key = recordings_sha256(recordings)
        found = self._records(ReviewRow.table_name == table, ReviewRow.recordings_sha256 == key)
        return next(iter(found), None)

    def findings(self, number: int) -> list[FindingRecord]:
        """A review's findings in time order."""
        with translated(self.database_file), Session(self._engine) as session:
            rows = session.scalars(
                select(FindingRow)
                .where(FindingRow.review_id == number)
                .order_by(FindingRow.t_from, FindingRow.number)
            )
            return [_finding(row) for row in rows]

    def coups(self, number: int) -> list[CoupRecord]:
        """A review's coups in order."""
        with translated(self.database_file), Session(self._engine) as session:
            rows = session.scalars(select(CoupRow).where(CoupRow.review_id == number).order_by(CoupRow.coup))
            return [
                CoupRecord(
                    coup=row.coup, t_from=row.t_from, t_to=row.t_to, verdict=row.verdict, summary=row.summary
                )
                for row in rows
            ]

    def answer(self, review: ReviewRecord, finding: str, new: AnswerRecord) -> None:
        """Keep what a reviewer says of a finding. Raises StoreError if there is no such finding."""
        found = next((each for each in self.findings(review.id) if each.id == finding), None)
        if found is None:
            raise StoreError(f"Review {review.id} has no finding {finding!r}.")
        answers.add(self._engine, self.database_file, review.id, found, new)

    def answers(self, number: int) -> dict[str, list[AnswerRecord]]:
        """What was said of a review's findings, by finding, the first said first."""
        return answers.of_review(self._engine, self.database_file, number)

    def tell_dealer(self, review: ReviewRecord, value: str, t: float, utc: datetime | None = None) -> Cue:
        """Say who deals from ``t`` on, as one more entry of the review's journal; returns it. Raises
        StoreError, or JournalError if the journal is broken."""
        file = self.folder(review) / JOURNAL
        return dealing.tell(
            self._engine,
            self.database_file,
            review.id,
            lambda: (file, _journal(file)),
            lambda events: dealing.dealer_cue(events, value, t, utc),
        )

    def sessions(self) -> Iterator[Played]:
        """All that dealers' figures are reckoned from."""
        return dealing.sessions(
            self._engine,
            self.database_file,
            lambda folder: _journal(self._reviews / folder / JOURNAL),
        )

    def shifts(self, review: ReviewRecord) -> Shifts:
        """What a review's journal says of who dealt. Raises StoreError or JournalError."""
        with translated(self.database_file), Session(self._engine) as session:
            kept = session.scalar(select(ReviewRow.shifts).where(ReviewRow.id == review.id))
        if kept is not None:
            return dealing.shifts_from(kept)
        journal = self.journal(review)
        return shifts_of(journal.events, journal.header.start_utc)

    def folder(self, review: ReviewRecord) -> Path:
        """Where a review's files lie."""
        return self._reviews / review.folder

    def journal(self, review: ReviewRecord) -> Journal:
        """A review's journal. Raises StoreError (file gone) or JournalError (file broken)."""
        return _journal(self.folder(review) / JOURNAL)

    def open_questions(self, review: ReviewRecord) -> list[OpenQuestion]:
        """What a review left open for its whole session. Raises StoreError if findings.json is broken."""
        file = self.folder(review) / FINDINGS
        try:
            return [
                OpenQuestion(**{name: str(asked[name]) for name in ("rule", "code", "reason", "article")})
                for asked in json.loads(_text(file))["session"]
            ]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise StoreError(
                f"{file} cannot be read ({error}). Review the recording again to make it anew."
            ) from error

    def overlay(self, review: ReviewRecord) -> Overlay:
        """A review's overlay. Raises StoreError if the file is gone or broken."""
        file = self.folder(review) / OVERLAY
        return load_overlay(_text(file), str(file))

    def felt(self, review: ReviewRecord) -> Felt:
        """The felt of a review's table. Raises StoreError if the file is gone or broken."""
        file = self.folder(review) / FELT
        return load_felt(_text(file), str(file))

    def drawing(self, review: ReviewRecord) -> Path | None:
        """The layout drawing of a review's table, or None if it was not kept."""
        file = self.folder(review) / DRAWING
        return file if file.is_file() else None

    def picture(self, review: ReviewRecord, finding: str) -> Path | None:
        """The picture of one finding, or None if the review has no such finding or picture."""
        with translated(self.database_file), Session(self._engine) as session:
            name = session.scalar(
                select(FindingRow.picture).where(
                    FindingRow.review_id == review.id, FindingRow.finding == finding
                )
            )
        if name is None:
            return None
        file = self.folder(review) / PICTURES / name
        return file if file.is_file() else None

    def video(self, review: ReviewRecord) -> Path | None:
        """What to play: the preview where there is one, else the recording; None if it is gone or changed."""
        if review.preview is not None:
            preview = self.folder(review) / review.preview
            return preview if preview.is_file() else None
        file = Path(review.recording.path)
        try:
            return file if file.stat().st_size == review.recording.size_bytes else None
        except OSError:
            return None

    def _records(self, *conditions: ColumnElement[bool]) -> list[ReviewRecord]:
        coups = select(func.count()).where(CoupRow.review_id == ReviewRow.id).scalar_subquery()
        query = (
            select(ReviewRow, coups)
            .where(*conditions)
            .order_by(ReviewRow.reviewed_at.desc(), ReviewRow.id.desc())
        )
        with translated(self.database_file), Session(self._engine) as session:
            return [_record(row, count) for row, count in session.execute(query)]

    def _shifts(self, new: NewReview, target: Path, replaced: str | None) -> str:
        """Who dealt by the new journal, and what people said in an earlier review, which is added to it."""
        journal = new.journal
        if replaced is not None:
            told: tuple[Cue, ...] = ()
            with suppress(VeedorError):  # an earlier journal that is broken tells nothing
                told = dealing.carried_over(_journal(self._reviews / replaced / JOURNAL), journal)
            if told:
                append(target / JOURNAL, *told)
                journal = Journal(journal.header, (*journal.events, *told))
        return dealing.shifts_text(journal)

    def _sweep(self) -> None:
        """Remove folders that killed runs left behind."""
        with translated(self.database_file), Session(self._engine) as session:
            wanted = set(session.scalars(select(ReviewRow.folder)))
        before = time.time() - _ABANDONED_S
        for folder in self._reviews.iterdir():
            if folder.name not in wanted and folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)


def _journal(file: Path) -> Journal:
    return load_journal(_text(file).split("\n"), str(file))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            f"{file} cannot be read ({error}). Review the recording again to make it anew."
        ) from error


def recordings_sha256(recordings: Sequence[str]) -> str:
    """One hash of all cameras' recordings, from each one's, the first camera's first; of one, its own.

    The first camera's clock and picture count, so which it is makes a difference; the others' order none.
    """
    first, *others = recordings
    return hashlib.sha256("\n".join([first, *sorted(others)]).encode()).hexdigest() if others else first


def _hashes(new: NewReview) -> list[str]:
    return [each.sha256 for each in (new.recording, *new.others)]


def _fill(row: ReviewRow, new: NewReview, folder: str) -> None:
    judgement, recording = new.judgement, new.recording
    row.table_name, row.game, row.profile = new.table, judgement.game, judgement.profile
    files = " + ".join(Path(each.path).name for each in (recording, *new.others))
    row.recording_name = new.named or files
    row.recording_path = recording.path
    row.recording_sha256, row.recording_bytes = recording.sha256, recording.size_bytes
    row.recordings_sha256 = recordings_sha256(_hashes(new))
    row.duration_s, row.width_px, row.height_px = (
        recording.duration_s,
        recording.width_px,
        recording.height_px,
    )
    row.reviewed_at, row.made_by, row.folder, row.preview = (
        new.reviewed_at,
        new.made_by,
        folder,
        new.preview,
    )
    row.cards = sum(len(hand) for coup in judgement.coups for hand in coup.cards.values())
    row.bets = sum(len(coup.bets) for coup in judgement.coups)
    row.breaches = sum(finding.verdict is Verdict.BREACH for finding in judgement.findings)
    row.undetermined = sum(finding.verdict is Verdict.UNDETERMINED for finding in judgement.findings)
    row.coups = _coup_rows(judgement)
    row.findings = _finding_rows(judgement, new.pictures)


def _coup_rows(judgement: Judgement) -> list[CoupRow]:
    return [
        CoupRow(
            coup=coup.coup,
            t_from=coup.t_from,
            t_to=coup.t_to,
            verdict=coup.verdict.value,
            summary=json.dumps(coup.as_json(), ensure_ascii=False),
        )
        for coup in judgement.coups
    ]


def _finding_rows(judgement: Judgement, pictures: dict[str, str]) -> list[FindingRow]:
    return [
        FindingRow(
            finding=finding.id,
            number=number,
            coup=finding.coup,
            rule=finding.rule,
            code=finding.code,
            verdict=finding.verdict.value,
            severity=finding.severity.value,
            t=finding.t,
            t_from=finding.t_from,
            t_to=finding.t_to,
            spot=None if finding.spot is None else str(finding.spot),
            expected=finding.expected,
            seen=finding.seen,
            article=finding.article,
            resolution=finding.resolution,
            reason=finding.reason,
            amount_due=finding.amount_due,
            amount_seen=finding.amount_seen,
            picture=pictures.get(finding.id),
            events=[FindingEventRow(seq=seq) for seq in dict.fromkeys(finding.evidence_seq)],
        )
        for number, finding in enumerate(judgement.findings, start=1)
    ]


def _record(row: ReviewRow, coups: int) -> ReviewRecord:
    return ReviewRecord(
        id=row.id,
        table=row.table_name,
        game=row.game,
        profile=row.profile,
        recording_name=row.recording_name,
        recording=Recording(
            path=row.recording_path,
            sha256=row.recording_sha256,
            size_bytes=row.recording_bytes,
            duration_s=row.duration_s,
            width_px=row.width_px,
            height_px=row.height_px,
        ),
        reviewed_at=row.reviewed_at,
        made_by=row.made_by,
        folder=row.folder,
        preview=row.preview,
        coups=coups,
        cards=row.cards,
        bets=row.bets,
        breaches=row.breaches,
        undetermined=row.undetermined,
    )


def _finding(row: FindingRow) -> FindingRecord:
    return FindingRecord(
        id=row.finding,
        coup=row.coup,
        rule=row.rule,
        code=row.code,
        verdict=row.verdict,
        severity=row.severity,
        t=row.t,
        t_from=row.t_from,
        t_to=row.t_to,
        spot=row.spot,
        expected=row.expected,
        seen=row.seen,
        article=row.article,
        resolution=row.resolution,
        reason=row.reason,
        amount_due=row.amount_due,
        amount_seen=row.amount_seen,
        picture=row.picture,
        events=tuple(event.seq for event in row.events),
    )
