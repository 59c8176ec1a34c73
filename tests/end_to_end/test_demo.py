"""The whole house at once: the demonstration as a person starts it, and its result judged again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from tests.support.browser import browser
from veedor.demo import demo_files

_VEEDOR = (sys.executable, "-c", "from veedor.cli import main; main()")
_PATIENCE_S = 300.0


@contextmanager
def demo(state: Path, log: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """``veedor demo`` on a free port; yields its address and process once it serves."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*_VEEDOR, "demo", "--port", str(_free_port()), "--state", str(state)],
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "COLUMNS": "160", "PYTHONUNBUFFERED": "1"},
        )
        try:
            yield _address(process, log), process
        finally:
            process.kill()
            process.wait()


def _free_port() -> int:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end:
        found = re.search(r"Open (http://\S+)", log.read_text())
        if found is not None:
            return found[1]
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def stopped(process: subprocess.Popen[bytes]) -> int:
    """Ctrl-C; returns the exit code."""
    process.send_signal(signal.SIGINT)
    return process.wait(timeout=30)


def test_the_demonstration(tmp_path: Path) -> None:
    state, log = tmp_path / "state", tmp_path / "log"
    with demo(state, log) as (address, process):
        with browser(tmp_path / "profile") as context:
            page = context.new_page()
            page.goto(address)
            page.wait_for_selector("body[data-ready=yes]")
            assert page.evaluate("document.querySelector('video').duration") > 1
            expect(page.locator("#overlay .zone").first).to_be_attached()
            if page.locator(".finding").count():
                page.keyboard.press("j")
                expect(page.locator(".finding.picked blockquote")).to_be_visible()
        assert stopped(process) == 0
    first = log.read_text()
    assert re.search(r"demo\.mp4: \d+ coups?, \d+ cards?, \d+ bets?; verdicts: \d+ CONFORM", first)
    assert "watching" in first

    out = state / "demo"
    _, table = demo_files()
    judged = subprocess.run(
        [*_VEEDOR, "judge", str(out / "journal.jsonl"), "--table", str(table)],
        capture_output=True,
        check=True,
    )
    assert judged.stdout == (out / "findings.json").read_bytes()
    findings = json.loads(judged.stdout)["findings"]
    pictures = {file.stem for file in (out / "findings").iterdir()}
    assert pictures == {finding["id"] for finding in findings}

    with demo(state, log) as (again, process):
        assert "watching" not in log.read_text()  # the same review is not made twice
        with urllib.request.urlopen(again.split("/reviews")[0] + "/api/reviews") as answer:
            assert len(json.load(answer)) == 1
        assert stopped(process) == 0
