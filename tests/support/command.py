"""The command line as a person meets it: how a command ended, and its complaint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


def one_sentence(ended: Ended) -> str:
    """The complaint: on stderr alone, one line, without a traceback."""
    assert ended.code == 1
    lines = [line for line in ended.err.splitlines() if not line.endswith(" ...")]
    assert len(lines) == 1, ended.err
    assert "Traceback" not in ended.err
    return lines[0]
