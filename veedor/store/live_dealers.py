"""Who deals at a running table, as it is told while the table is watched.

    STATE/live/<key>/dealers.jsonl          each telling, with when; only ever appended to

What is told goes into the journal of the part that it falls into, when that part becomes a review. It holds
until it is told otherwise or the watch ends: who deals is told anew when a table is watched again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rules.events import Event
from rules.journal import Journal
from veedor.store.dealing import dealer_cue
from veedor.store.errors import StoreError

FILE = "dealers.jsonl"
_MOST = 4_000_000
"""Bytes at the file's end that are read: some ten thousand tellings."""


def tell(folder: Path, value: str, at: datetime) -> str:
    """From ``at`` on this dealer deals at the table of this folder; returns the name as it is kept. Raises
    StoreError."""
    name = dealer_cue((), value, 0.0, at).value or ""
    line = json.dumps({"at": at.astimezone(UTC).isoformat(), "dealer": name}, ensure_ascii=False)
    file = folder / FILE
    try:
        with file.open("ab") as handle:
            handle.write(f"{line}\n".encode())
            handle.flush()
            os.fsync(handle.fileno())
    except OSError as error:
        raise StoreError(
            f"{file} cannot be written ({error.strerror}): check the free space and the folder's rights."
        ) from error
    return name


def told(folder: Path) -> list[tuple[datetime, str]]:
    """What was told, in order of time. A line that is none is left out."""
    try:
        with (folder / FILE).open("rb") as handle:
            handle.seek(max(0, os.fstat(handle.fileno()).st_size - _MOST))
            lines = handle.read().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        with suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            at = datetime.fromisoformat(entry["at"])
            if at.tzinfo is not None and isinstance(entry["dealer"], str):
                found.append((at, entry["dealer"]))
    return sorted(found, key=lambda entry: entry[0])


def with_dealers(folder: Path, journal: Journal) -> Journal:
    """A part's journal with what was told while it was written, and what held when it began. Where it does
    not say when it began (a recording that is played), nothing is told."""
    if journal.header.start_utc is None:
        return journal
    start = datetime.fromisoformat(journal.header.start_utc)
    until_s = journal.header.duration_s or 0.0
    events: list[Event] = list(journal.events)
    before: str | None = None
    cues: list[tuple[float, str]] = []
    for at, value in told(folder):
        t = (at - start).total_seconds()
        if t <= 0:
            before = value
        elif t <= until_s:
            cues.append((round(t, 3), value))
    if before:
        cues.insert(0, (0.0, before))
    for t, value in cues:
        events.append(dealer_cue(events, value, t))
    return replace(journal, events=tuple(events))
