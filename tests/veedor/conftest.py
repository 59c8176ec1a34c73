"""What tests of the command line share: the command itself, a table, a journal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.journal import dumps
from tests.support import handmade
from tests.support.command import Command, Ended
from veedor import cli


@pytest.fixture
def veedor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Command]:
    """Runs one command in this process, with a state directory of its own."""
    monkeypatch.setenv("VEEDOR_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "200")
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["veedor", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return handmade.write_table(tmp_path / "table")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.jsonl"
    file.write_text(dumps(handmade.journal()))
    return file
