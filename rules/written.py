"""Numbers in the words of an event: a cue's value, the name of a hand."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[0-9]{1,9}")


def number_in(text: str | None) -> int | None:
    """``12`` as a number; None for what is not one, or longer than anything that is counted at a table."""
    return int(text) if text is not None and _NUMBER.fullmatch(text) else None
