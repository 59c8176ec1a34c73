"""Cues in a file: what an operator or a system told while a recording was made, put into its journal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rules.errors import JournalError
from rules.events import Cue
from rules.journal import MAX_LINE, Journal

_CUE = TypeAdapter(Cue)


def read_cues(file: Path) -> tuple[Cue, ...]:
    """The cues of a file, one a line as in a journal (``{"t": 12.5, "cue": "no_more_bets"}``; ``kind`` and
    ``seq`` may be left out). Raises JournalError, naming file and line."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise JournalError(f"The cues {file} cannot be read ({error.strerror}). Check the path.") from None
    except UnicodeDecodeError:
        raise JournalError(f"The cues {file} are not text: give a file with one cue a line.") from None
    return tuple(
        _cue(line, f"The cues {file}, line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    )


def _cue(line: str, where: str) -> Cue:
    try:
        record = json.loads(line) if len(line) <= MAX_LINE else None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise JournalError(f'{where}: this is no cue. Write {{"t": 12.5, "cue": "no_more_bets"}}.')
    if record.get("kind", "cue") != "cue":
        raise JournalError(f"{where}: only cues may be told here, and this is a {record['kind']}.")
    try:
        return _CUE.validate_json(json.dumps({"seq": 0} | record), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise JournalError(f"{where}: {place} is wrong ({first['msg']}). See docs/cues.md.") from None


def with_cues(journal: Journal, cues: Sequence[Cue]) -> Journal:
    """The journal with cues recorded after what was seen; each counts at its ``t``."""
    last = journal.events[-1].seq if journal.events else 0
    told = tuple(replace(cue, seq=last + number) for number, cue in enumerate(cues, start=1))
    return replace(journal, events=(*journal.events, *told))
