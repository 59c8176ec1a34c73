"""How a bet lies, in one word and in a sentence."""

from __future__ import annotations

import pytest

from dashboards.places import Lies, by_id, lying
from rules.events import Elsewhere, Stack
from veedor.store.felt import FeltLine

LINES = by_id(
    (
        FeltLine("h", "halves", ("seat 2 punto",), ()),
        FeltLine("s", "splits", ("seat 2 punto", "seat 2 banca"), ()),
        FeltLine("t", "splits", ("seat 2 punto", "seat 3 punto"), ()),
    )
)


@pytest.mark.parametrize(
    ("line", "lies", "says"),
    [
        (None, Lies.INSIDE, "inside punto"),
        ("", Lies.INSIDE, "inside punto"),
        ("h", Lies.HALF_LINE, "on the half line of punto"),
        ("a line of an old drawing", Lies.HALF_LINE, "on the half line of punto"),
        ("s", Lies.SPLITTING_LINE, "on the line between punto and banca"),
        ("t", Lies.SPLITTING_LINE, "on the line between punto and seat 3 punto"),
    ],
)
def test_a_bet_lies(line: str | None, lies: Lies, says: str) -> None:
    how = lying(Stack("s1", None, None, (0.0, 0.0), line=line, error_mm=1.2), "seat 2 punto", LINES)
    assert (how.lies, how.says, how.error_mm) == (lies, says, 1.2)


def test_one_too_close_to_call_has_all_its_places_the_likeliest_first() -> None:
    elsewhere = (Elsewhere("seat 2 punto", "h", 0.55), Elsewhere("table", None, 0.1))
    how = lying(Stack("s1", None, None, (0.0, 0.0), p_place=0.35, elsewhere=elsewhere), "seat 2 punto", LINES)
    assert how.lies is Lies.UNSURE
    assert [(place.lies, place.p) for place in how.places] == [
        (Lies.HALF_LINE, 0.55),
        (Lies.INSIDE, 0.35),
        (Lies.OUTSIDE, 0.1),
    ]
    assert how.says == (
        "too close to call: on the half line of punto (55%) or inside punto (35%) or outside every box (10%)"
    )
