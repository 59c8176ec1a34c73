"""Cues given to a review in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.errors import JournalError
from rules.events import CutCardSeen
from rules.journal import Header, Journal
from veedor.told import read_cues, with_cues


def test_cues_are_recorded_after_what_was_seen(tmp_path: Path) -> None:
    file = tmp_path / "cues.jsonl"
    second = '{"kind": "cue", "t": 3, "cue": "mode_announced", "value": "free"}'
    file.write_text('{"t": 12.5, "cue": "no_more_bets"}\n\n' + second, encoding="utf-8")
    seen = CutCardSeen(seq=7, t=1.0, spot="shoe")
    journal = with_cues(Journal(Header("table", "chemin_de_fer"), (seen,)), read_cues(file))
    told = [(event.seq, event.t) for event in journal.events]
    assert told == [(7, 1.0), (8, 12.5), (9, 3.0)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("no more bets", "line 1: this is no cue"),
        ('{"kind": "cut_card", "t": 1, "spot": "shoe"}', "only cues"),
        ('{"t": 1}', "cue is wrong"),
        ('{"t": 1, "cue": "says", "spot": "nowhere"}', "spot is wrong"),
    ],
)
def test_what_is_no_cue_is_refused_by_line(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "cues.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(JournalError, match=says):
        read_cues(file)
    with pytest.raises(JournalError, match="cannot be read"):
        read_cues(tmp_path / "none.jsonl")
