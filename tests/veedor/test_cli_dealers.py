"""``veedor dealers`` and ``veedor correct --dealer`` as a person runs them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from rules.dealers import Answer
from rules.events import Cue
from rules.journal import loads
from tests.support import handmade
from tests.support.command import Command, one_sentence
from veedor.store import Store
from veedor.store.answers import made

UNDERPAID = handmade.judgement().findings[0].id


@pytest.fixture
def state(tmp_path: Path) -> Path:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"stands for a recording")
    store = Store(tmp_path / "state")
    store.save(handmade.write_review(tmp_path / "files", clip), tmp_path / "files")
    review = store.review(1)
    assert review is not None
    store.answer(review, UNDERPAID, made(Answer.CONFIRMED, "104"))
    store.close()
    return tmp_path / "state"


def test_a_dealer_is_told_and_reported(veedor: Command, state: Path, tmp_path: Path) -> None:
    assert "not told" in veedor("dealers", "--state", state).out
    told = veedor(
        "correct", "--review", 1, "--dealer", "=17", "--utc", "2026-11-30T20:00:00Z", "--state", state
    )
    assert (told.code, told.err) == (0, "")
    assert "added to the journal of review 1 (Mesa 4)" in told.out
    files = [tmp_path / f"out.{kind}" for kind in ("json", "csv", "html")]
    options = [part for file in files for part in (f"--{file.suffix[1:]}", file)]
    shown = veedor("dealers", "--state", state, "--from", "2026-11-30", "--dealer", "=17", *options)
    assert shown.code == 0, shown.err
    assert "nothing settled" in shown.out
    assert "UNDERPAID: 1 raised, 0 not seen; 1 confirmed" in " ".join(shown.out.split())
    document = json.loads(files[0].read_text())
    assert document["dealers"]["=17"]["stakes"] == {
        "bank_lost": "0",
        "players_lost": "25",
        "amounts_known": 1,
        "amounts_not_known": 0,
    }
    table = list(csv.DictReader(files[1].read_text().splitlines()))
    assert [(row["who"], row["dealer"], row["coups"]) for row in table] == [
        ("dealer", "'=17", "1"),
        ("several", "", "0"),
        ("not told", "", "0"),
    ]
    page = files[2].read_text()
    assert "What these figures mean" in page
    assert "<link" not in page
    assert "<script" not in page
    later = veedor("dealers", "--state", state, "--from", "2026-12-01")
    assert "No coup: from 2026-12-01 on." in later.out


def test_nothing_reviewed_is_no_error(veedor: Command, tmp_path: Path) -> None:
    assert "No coup: all that was reviewed." in veedor("dealers", "--state", tmp_path / "new").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("dealers", "--from", "2026-12-01", "--to", "2026-11-01"), "before it begins"),
        (("dealers", "--from", "1.12."), "is no date"),
        (("dealers", "--dealer", "17"), "There is no dealer '17'"),
        (("dealers", "--table", "Mesa 5"), "did you mean 'Mesa 4'"),
        (("correct", "--review", 9, "--dealer", "17"), "no review 9"),
        (("correct", "--review", 1, "--dealer", "17", "--utc", "2026-11-30T20:00"), "its zone"),
        (("correct", "--review", 1, "--dealer", "x" * 300), "at most 200"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    veedor: Command, state: Path, arguments: tuple[object, ...], says: str
) -> None:
    assert says in one_sentence(veedor(*arguments, "--state", state))


@pytest.mark.parametrize("more", [("--card", "c1", "--is", "7h"), ("--stack", "s1")])
def test_one_thing_at_a_time(veedor: Command, journal: Path, more: tuple[str, ...]) -> None:
    assert veedor("correct", journal, "--dealer", "17", *more).code == 2
    assert veedor("correct", "--review", 1, *more).code == 2


def test_a_journals_dealer_is_one_more_entry(veedor: Command, journal: Path, table: Path) -> None:
    before = journal.read_text()
    ended = veedor("correct", journal, "--dealer", "17, 23", "--t", 2.5, "--table", table)
    assert ended.code == 0, ended.err
    assert "No finding changes." in ended.out
    assert journal.read_text().startswith(before)
    last = loads(journal.read_text().split("\n")).events[-1]
    assert last == Cue(seq=last.seq, t=2.5, cue="dealer", value="17, 23")
