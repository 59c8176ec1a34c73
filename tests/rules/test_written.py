"""Numbers in the words of events: what only looks like one is none."""

from __future__ import annotations

import pytest

from rules.written import number_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("12", 12), ("0", 0), ("007", 7)),
        *((odd, None) for odd in (None, " 1", "1.5", "²", "9" * 5000, "", "-1")),
    ],
)
def test_a_number_is_read_or_it_is_none(text: str | None, number: int | None) -> None:
    assert number_in(text) == number
