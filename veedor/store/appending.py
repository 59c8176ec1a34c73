"""Adding to a journal's file: one more line at its end, and nothing that stands there is touched."""

from __future__ import annotations

import os
from pathlib import Path

from rules.events import Event
from rules.journal import Header, event_line, header_line, loads
from veedor.store.errors import StoreError


def append(journal: Path, *events: Event) -> None:
    """Write entries at the end of a journal's file.

    Raises StoreError if the file cannot be written, JournalError if one is none that a journal can hold."""
    lines = "".join(f"{event_line(event)}\n" for event in events)
    loads([header_line(Header("", "")), *lines.splitlines()], "This correction")  # it can be read again
    try:
        with journal.open("rb+") as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                lines = lines if file.read(1) == b"\n" else f"\n{lines}"
            file.write(lines.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{journal} cannot be written ({error.strerror}). Nothing was changed.") from None
