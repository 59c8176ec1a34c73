"""What the store takes and gives: plain values, free of the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rules.dealers import Answer, Errs
from rules.findings import Judgement
from rules.journal import Journal

JOURNAL = "journal.jsonl"
FINDINGS = "findings.json"
OVERLAY = "overlay.json"
FELT = "felt.json"
DRAWING = "drawing.svg"
PICTURES = "findings"
"""Names of a review's files in its folder; ``findings/<id>.jpg`` are the pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recording that was reviewed. ``path``: absolute; ``sha256``: hex digest of the file's bytes."""

    path: str
    sha256: str
    size_bytes: int
    duration_s: float
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReview:
    """A finished review to be kept. ``recording``: the first camera's; ``others``: the other cameras';
    ``named``: what people are told was reviewed, if not just these files; ``pictures``: finding id to file
    name below ``findings/``; ``preview``: file name of a playable copy in the folder, if one was made;
    ``made_by``: fingerprint of code, models and table files."""

    table: str
    recording: Recording
    others: tuple[Recording, ...] = ()
    journal: Journal
    judgement: Judgement
    pictures: dict[str, str]
    preview: str | None
    made_by: str
    reviewed_at: datetime
    named: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRecord:
    """One review as the list shows it. ``recording_name``: the names of all its recordings, the first
    camera's first, or what was watched and when; ``folder``: its files' folder below ``reviews/``."""

    id: int
    table: str
    game: str
    profile: str
    recording_name: str
    recording: Recording
    reviewed_at: datetime
    made_by: str
    folder: str
    preview: str | None
    coups: int
    cards: int
    bets: int
    breaches: int
    undetermined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRecord:
    """One finding as it was judged; fields as in :class:`rules.findings.Finding`, ``spot`` as its name.
    ``events``: the journal's event numbers it rests on; ``picture``: file name below ``findings/``."""

    id: str
    coup: int
    rule: str
    code: str
    verdict: str
    severity: str
    t: float
    t_from: float
    t_to: float
    spot: str | None
    expected: str
    seen: str
    article: str
    resolution: str | None
    reason: str | None
    amount_due: str | None
    amount_seen: str | None
    picture: str | None
    events: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupRecord:
    """One coup; ``summary``: its JSON as it stands in findings.json."""

    coup: int
    t_from: float
    t_to: float
    verdict: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """What a reviewer said of a finding, who and when. ``whose``: whose error it was, where he said so;
    ``current``: the finding still says what it said then."""

    answer: Answer
    whose: Errs | None
    note: str
    by: str
    at: datetime
    current: bool
