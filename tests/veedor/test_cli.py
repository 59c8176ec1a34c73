"""The command line: what it prints, how it ends, and that a failure changes nothing."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from rules.judge import judge
from tests.support import handmade
from tests.support.command import Command, Ended, one_sentence
from veedor.config import load_table
from veedor.summary import summary
from veedor.watching import judge_journal


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--version",), 0, "veedor 0."),
        (("--help",), 0, "review"),
        (("review",), 2, "Usage"),
        (("judge", "--nonsense"), 2, "Usage"),
        (("serve", "--port", "0"), 2, "Usage"),
        (("nothing",), 2, "Usage"),
    ],
)
def test_usage(veedor: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = veedor(*arguments)
    assert ended.code == code
    assert says in ended.out + ended.err


def test_judge_writes_the_judgement(veedor: Command, table: Path, journal: Path, tmp_path: Path) -> None:
    expected = judge_journal(handmade.journal(), load_table(table)).dumps()
    assert veedor("judge", journal, "--table", table) == Ended(0, expected, "")
    out = tmp_path / "findings.json"
    assert veedor("judge", journal, "--table", table, "--out", out).code == 0
    assert out.read_text() == expected


def _second_line_broken(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([lines[0], lines[1][:-10], *lines[2:]])


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_second_line_broken, r"journal\.jsonl, line 2 is not JSON .* cut off"),
        (lambda text: text.replace("veedor.journal/1", "veedor.journal/9"), r"line 1: .*'veedor\.journal/9'"),
        (lambda text: text.replace('"shoe_exit"', '"shoe_exits"'), r"line \d+: .*shoe_exit"),
        (lambda text: text.replace("punto_banco", "trijoker", 1), "journal is of trijoker.*punto_banco"),
        (lambda _text: "", r"journal\.jsonl is empty"),
        (lambda _text: "\0\udcff", "is not text"),
    ],
)
def test_a_journal_that_cannot_be_judged(
    veedor: Command, table: Path, journal: Path, tmp_path: Path, spoil: Callable[[str], str], says: str
) -> None:
    journal.write_bytes(spoil(journal.read_text()).encode(errors="surrogateescape"))
    out = tmp_path / "findings.json"
    out.write_text("earlier")
    assert re.search(says, one_sentence(veedor("judge", journal, "--table", table, "--out", out)))
    assert out.read_text() == "earlier"


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace('"Mesa 4"', '"Mesa\u2028\u0085 4"'),
    ],
    ids=["byte order mark", "Windows line ends", "line separators within a text"],
)
def test_a_journal_that_another_program_wrote_is_read_all_the_same(
    veedor: Command, table: Path, journal: Path, rewrite: Callable[[str], str]
) -> None:
    expected = veedor("judge", journal, "--table", table)
    journal.write_bytes(rewrite(journal.read_text()).encode())
    assert veedor("judge", journal, "--table", table) == expected


def test_a_journal_without_end_is_refused(veedor: Command, table: Path) -> None:
    assert "/dev/zero, line 1 is longer" in one_sentence(veedor("judge", "/dev/zero", "--table", table))


def test_nothing_is_written_over_what_is_read(
    veedor: Command, table: Path, journal: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"a photograph")
    for file, command in (
        (journal, ("judge", journal, "--table", table, "--out", journal)),
        (table, ("judge", journal, "--table", table, "--out", table)),
        (photo, ("read", photo, "--out", photo)),
        (photo, ("read", photo, "--json", photo)),
        (photo, ("admit", table, "--picture", photo, "--out", photo)),
        (photo, ("calibrate", table, "--picture", photo, "--out", photo)),
        (table, ("calibrate", table, "--picture", photo, "--out", table)),
    ):
        before = file.read_bytes()
        assert "is the file that is to be read" in one_sentence(veedor(*command))
        assert file.read_bytes() == before


def test_a_simulated_journal_needs_a_name(veedor: Command) -> None:
    ended = veedor("simulate", "punto_banco", "--rounds", 1, "--seed", 1, "--out", ".")
    assert ". is no file's name" in ended.err
    assert "Traceback" not in ended.err


def test_a_full_disk_behind_the_output_is_said(
    monkeypatch: pytest.MonkeyPatch, veedor: Command, table: Path, journal: Path
) -> None:
    with Path("/dev/full").open("w") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        ended = veedor("judge", journal, "--table", table)
    assert "The output cannot be used (No space left on device)" in one_sentence(ended)


def test_a_journal_that_is_not_there(veedor: Command, table: Path, tmp_path: Path) -> None:
    complaint = one_sentence(veedor("judge", tmp_path / "none.jsonl", "--table", table))
    assert "none.jsonl cannot be read" in complaint
    assert "Check the path" in complaint


def test_a_long_name_is_not_told_back_in_full(veedor: Command, table: Path) -> None:
    complaint = one_sentence(veedor("judge", "x" * 100_000, "--table", table))
    assert " ... " in complaint
    assert len(complaint) < 2100


def test_a_journal_without_a_coup_claims_nothing(table: Path) -> None:
    said = Console(record=True, width=100)
    said.print(summary(judge((), load_table(table).profile), "clip.mp4"))
    text = said.export_text()
    assert "No coup was seen" in text
    assert "No breach" not in text


def _unknown_key(table: Path) -> None:
    table.write_text(table.read_text() + "\ncolour: green\n")


def _unknown_game(table: Path) -> None:
    table.write_text(table.read_text().replace("game: punto_banco", "game: tute"))


def _no_layout(table: Path) -> None:
    (table.parent / handmade.LAYOUT).unlink()


def _points(table: Path, change: Callable[[list[Any]], None]) -> None:
    content = yaml.safe_load(table.read_text())
    change(content["cameras"][0]["points"])
    table.write_text(yaml.safe_dump(content, sort_keys=False))


def _collinear(table: Path) -> None:
    def flatten(points: list[Any]) -> None:
        for k, point in enumerate(points):
            point["mm"], point["px"] = [100 + 90 * k, 80], [40 + 36 * k, 32]

    _points(table, flatten)


def _swapped(table: Path) -> None:
    def swap(points: list[Any]) -> None:
        points[0]["px"], points[1]["px"] = points[1]["px"], points[0]["px"]

    _points(table, swap)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_unknown_key, r"table\.yaml, line \d+: colour is not a known key"),
        (_unknown_game, r"table\.yaml, line \d+: game is \"tute\", but"),
        (_no_layout, r"layout\.svg"),
        (_collinear, r"camera main: .*line"),
        (_swapped, r"camera main: .*points\[0\]"),
        (lambda table: table.unlink(), r"table\.yaml"),
    ],
)
def test_a_table_file_that_cannot_be_used(
    veedor: Command, table: Path, tmp_path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"is not even looked at")
    spoil(table)
    ended = veedor("review", clip, "--table", table, "--out", tmp_path / "out")
    assert re.search(says, one_sentence(ended)), ended.err
    assert not (tmp_path / "out").exists()


def test_a_broken_state_directory_is_said_before_any_work(
    veedor: Command, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "veedor.sqlite3").write_text("no database" * 200)
    complaint = one_sentence(veedor("review", "clip.mp4", "--table", table, "--out", tmp_path / "out"))
    assert "left as it is" in complaint


def test_a_port_in_use_is_said_with_the_remedy(veedor: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for command in ("serve", "demo"):
            complaint = one_sentence(veedor(command, "--port", port))
            assert f"Port {port} on 127.0.0.1 is in use" in complaint
            assert "--port" in complaint


def test_a_table_without_a_picture_is_served_for_what_it_can_judge(veedor: Command, table: Path) -> None:
    """Once it is calibrated; a port that is taken ends the command before it would serve."""

    def serve(*more: object) -> Ended:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            return veedor("serve", "--table", table, "--port", taken.getsockname()[1], *more)

    missing = "does not say where its camera 'main' is watched (source): give a picture of it with --picture"
    told = serve()
    assert missing in told.out
    assert told.out.endswith("it cannot be calibrated here; what it can judge is shown.\n")
    assert "is in use" in told.err
    clip = handmade.write_clip(table.parent / "clip.mp4", seconds=1)
    assert serve("--picture", clip).out == ""
    document = yaml.safe_load(table.read_text(encoding="utf-8"))
    document["cameras"][0]["source"] = "clip.mp4"  # which lies beside the table file
    table.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert serve().out == ""
    del document["cameras"][0]["source"]
    document["cameras"][0]["points"] = []
    table.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert missing in one_sentence(serve())
