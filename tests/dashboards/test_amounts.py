"""Amounts as people read them."""

from __future__ import annotations

import pytest

from dashboards.amounts import difference, in_chips, readable


@pytest.mark.parametrize(
    ("exact", "shown"),
    [
        ("40", "40"),
        ("19/2", "9½"),
        ("1/2", "½"),
        ("0", "0"),
        ("-25", "-25"),
        ("19/20", "19/20"),
        ("361/20", "18 1/20"),
        ("-5/4", "-1¼"),
    ],
)
def test_fractions_for_people(exact: str, shown: str) -> None:
    assert readable(exact) == shown


@pytest.mark.parametrize(
    ("amount", "chips", "left"),
    [
        ("575", (500, 25, 25, 25), None),
        ("0", (), None),
        ("57", (25, 25, 5, 1, 1), None),
        ("19/2", (5, 1, 1, 1, 1), "1/2"),
        ("-5", (), "-5"),
    ],
)
def test_the_fewest_chips_and_what_is_left(amount: str, chips: tuple[int, ...], left: str | None) -> None:
    assert in_chips(amount, (1, 5, 25, 100, 500)) == (chips, left)


def test_difference_is_exact() -> None:
    assert difference("19/2", "9") == "-1/2"
