"""The two halves of a review as functions: a recording to its journal, and a journal to its judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rules.errors import JournalError
from rules.findings import Judgement
from rules.journal import MAX_LINE, Journal, loads
from rules.judge import judge
from veedor.config import Table
from veedor.feeds import Feed
from veedor.shortfall import Shortfall, nothing


def watch(
    table: Table,
    video: Path,
    on_progress: Callable[[str, float, float | None], None],
    on_shortfall: Shortfall = nothing,
) -> Journal:
    """Make a recording's journal. ``on_shortfall``: told what the recording does not show. Raises
    VeedorError."""
    from veedor.pipeline import run  # judging alone needs no detector

    return run(table, video, on_progress=on_progress, on_shortfall=on_shortfall)


def watch_feeds(
    table: Table,
    feeds: Sequence[Feed],
    on_progress: Callable[[str, float, float | None], None],
    on_shortfall: Shortfall = nothing,
) -> Journal:
    """Make the journal of one or several cameras' recordings. ``on_shortfall``: told what they do not show.
    Raises VeedorError."""
    from veedor.pipeline import run
    from veedor.several import run_several

    if len(feeds) == 1:
        feed = feeds[0]
        return run(
            table, feed.video, on_progress=on_progress, camera_id=feed.camera, on_shortfall=on_shortfall
        )
    return run_several(table, feeds, on_progress, on_shortfall=on_shortfall).journal


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
        return loads(_lines(file), str(file))
    except UnicodeDecodeError as error:
        raise JournalError(
            f"The journal {file} is not text ({error.reason}). Give the journal.jsonl of a review."
        ) from error
    except OSError as error:
        raise JournalError(
            f"The journal {file} cannot be read ({error.strerror}). Check the path."
        ) from error
    except ValueError as error:  # a path that no file can have
        raise JournalError(f"The journal {str(file)!r} cannot be read ({error}). Check the path.") from error


def _lines(file: Path) -> Iterator[str]:
    """A text file's lines, never more of one than it takes to see that it is too long."""
    with file.open(encoding="utf-8-sig") as text:
        while line := text.readline(MAX_LINE + 1):
            yield line
