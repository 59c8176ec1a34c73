"""`veedor correct`: one entry more, nothing rewritten, and what changes by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rules.errors import VeedorError
from rules.events import ChipsRead
from rules.journal import Header, Journal, dumps, loads
from rules.judge import judge
from tests.support.play import ANDORRA, Play, stack
from veedor.cli import app
from veedor.correcting import append, card_is, changes, stack_is, took_back


def _play() -> Play:
    """Punto wins with 8 against 6; the bet of two chips is taken for one, and paid 50 as is due."""
    play = Play()
    play.chips("seat 2 punto", stack("s1", 25))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", stack("s1", 25), stack("s2", 25, 25, at=(50, 0)))
    play.sweep()
    return play


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.jsonl"
    file.write_text(dumps(Journal(Header("t", "punto_banco"), tuple(_play().events))))
    return file


def _run(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["correct", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_stack_is_put_right_by_one_entry_and_the_alert_is_gone(journal: Path) -> None:
    before = journal.read_bytes()
    told = json.loads(_run(journal, "--stack", "s1", "--is", "25,25", "--json"))
    assert [finding["code"] for finding in told["gone"]] == ["OVERPAID"]
    assert (told["new"], told["changed"]) == ([], [])
    after = journal.read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 1
    events = loads(after.decode().splitlines()).events
    assert [f.code for f in judge(events, ANDORRA).findings if f.verdict == "BREACH"] == []


def test_a_card_is_put_right_and_the_finding_keeps_its_id(journal: Path) -> None:
    name = next(card for card, _ in _cards())
    told = json.loads(_run(journal, "--card", name, "--is", "2H", "--json"))
    codes = [finding["code"] for finding in told["new"]]
    assert "WRONG_DRAW" in codes
    again = json.loads(_run(journal, "--card", name, "--is", "ks", "--json"))
    assert [f["id"] for f in again["gone"]] == [f["id"] for f in told["new"]]


def _cards() -> list[tuple[str, str]]:
    play = Play()
    play.chips("seat 2 punto", stack("s1", 25))
    play.hands("Ks 8d", "9h 7c")
    return play.cards


def test_an_entry_is_taken_back(journal: Path) -> None:
    events = loads(journal.read_text().splitlines()).events
    paid = [event.seq for event in events if event.kind == "chip_state"][1]
    said = _run(journal, "--retract", paid)
    assert "gone" in said
    assert "NOT_PAID" in said


def test_a_journal_without_its_last_newline_is_continued_on_a_line_of_its_own(journal: Path) -> None:
    journal.write_bytes(journal.read_bytes().rstrip(b"\n"))
    _run(journal, "--card", "c1", "--is", "??")
    assert loads(journal.read_text().splitlines()).events[-1].kind == "card_read"


def test_of_a_changed_finding_what_differs_is_shown(journal: Path) -> None:
    told = _run(journal, "--stack", "s1", "--is", "5").splitlines()
    told = told[next(at for at, line in enumerate(told) if line.startswith("changed BREACH")) + 1 :]
    before, after = (line for line in told if "expected" in line)
    assert before.startswith("    was: expected")
    assert "25" in before
    assert after.startswith("    now: expected")
    assert "25" not in after
    assert not any("paid" in line and "expected" not in line for line in told), "seen is the same as before"


def test_a_changed_amount_is_told_under_the_same_id() -> None:
    play = _play()
    read = stack_is(play.events, "s1", "5")
    found = changes(judge(play.events, ANDORRA), judge([*play.events, read], ANDORRA))
    ((one, other),) = found.changed
    assert one.id == other.id
    assert (one.amount_due, other.amount_due) == ("25", "5")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda e: card_is(e, "c33", "7h"), "did you mean 'c3'"),
        (lambda e: card_is(e, "c3", "7x"), "is not a card"),
        (lambda e: stack_is(e, "s11", "5"), "did you mean 's1'"),
        (lambda e: stack_is(e, "s1", "5,x"), "bottom to top"),
        (lambda e: stack_is(e, "s1", "5", spot="seat 2 punta"), "did you mean 'seat 2 punto'"),
        (lambda e: stack_is(e, "s1", "٥"), "bottom to top"),
        (lambda e: stack_is(e, "s1", "5," * 1000 + "5"), "bottom to top"),
        (lambda e: stack_is(e, "s1", "5", t=float("nan")), "must be a moment"),
        (lambda e: took_back(e, 999), "has no entry 999"),
    ],
)
def test_what_there_is_not_is_refused_with_the_nearest(make: object, words: str) -> None:
    assert callable(make)
    with pytest.raises(VeedorError, match=words):
        make(_play().events)


def test_a_stack_that_changed_needs_its_moment() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("s1", 25))
    play.chips("seat 2 punto", stack("s1", 25, 25))
    with pytest.raises(VeedorError, match=r"at 1 s 25; at 2 s 25,25\): say with --t"):
        stack_is(play.events, "s1", "5")
    assert stack_is(play.events, "s1", "5,5", t=2.0).t == 2.0


def test_taking_back_a_taking_back_is_refused() -> None:
    play = _play()
    back = took_back(play.events, 1)
    with pytest.raises(VeedorError, match="cannot be undone"):
        took_back([*play.events, back], back.seq)
    with pytest.raises(VeedorError, match="before"):
        took_back([*play.events, back], 1)


def test_what_no_journal_can_hold_is_not_written(journal: Path) -> None:
    before = journal.read_bytes()
    entry = ChipsRead(seq=99, t=1.0, stack="s1", spot="seat 2 punto", denominations=(5,), line="\udcff")
    with pytest.raises(VeedorError, match="This correction"):
        append(journal, entry)
    assert journal.read_bytes() == before


@pytest.mark.parametrize("wrong", [[], ["--card", "c1"], ["--card", "c1", "--retract", "2", "--is", "7h"]])
def test_a_correction_says_one_thing(journal: Path, wrong: list[str]) -> None:
    before = journal.read_bytes()
    assert CliRunner().invoke(app, ["correct", str(journal), *wrong]).exit_code == 2
    assert journal.read_bytes() == before
