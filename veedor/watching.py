"""The two halves of a review as functions: a recording to its journal, and a journal to its judgement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rules.errors import JournalError
from rules.findings import Judgement
from rules.journal import Journal, loads
from rules.judge import judge
from veedor.config import Table


def watch(table: Table, video: Path, on_progress: Callable[[str, float, float | None], None]) -> Journal:
    """Make a recording's journal. Raises VeedorError."""
    from veedor.pipeline import run  # judging alone needs no detector

    return run(table, video, on_progress=on_progress)


def judge_journal(journal: Journal, table: Table) -> Judgement:
    """Judge by the table's profile. Raises JournalError for a journal of another game."""
    if journal.header.game != table.game:
        raise JournalError(
            f"The journal is of {journal.header.game}, but the table {table.name} plays {table.game}. "
            "Give the table file that belongs to the journal."
        )
    return judge(journal.events, table.profile)


def read_journal(file: Path) -> Journal:
    """Read a journal's file. Raises JournalError, naming file and line."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise JournalError(
            f"The journal {file} cannot be read ({error.strerror}). Check the path."
        ) from error
    except UnicodeDecodeError as error:
        raise JournalError(
            f"The journal {file} is not text (at byte {error.start}). Give the journal.jsonl of a review."
        ) from error
    return loads(text.splitlines(), str(file))
