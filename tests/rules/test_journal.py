"""The journal's format: its schema, its round trip, and what is refused in which words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from datasets.simulator import simulate
from rules.errors import JournalError
from rules.events import Evidence, MarkerSeen, Retraction, ShoeExit, ViewLost, in_time_order
from rules.journal import FORMAT, MAX_LINE, Header, Journal, dumps, event_line, loads, schema
from rules.spots import Spot

SCHEMA = Path(__file__).parents[2] / "docs" / "journal.schema.json"
HEADER = json.dumps({"format": FORMAT, "table": "t1", "game": "punto_banco"})
READ = {"kind": "card_read", "seq": 1, "t": 1.0, "card_id": "c1", "card": "Th"}


def _may_be(*ways: str) -> str:
    """A stack that was not read, but may be one of these."""
    stack = (
        f'"stack": "b", "denominations": null, "count": null, "at_mm": [0, 0], "may_be": [{", ".join(ways)}]'
    )
    return f'{{"kind": "chip_state", "seq": 1, "t": 1, "spot": "seat 1 punto", "stacks": [{{{stack}}}]}}'


def _line(**changes: object) -> str:
    return json.dumps(READ | changes)


def test_the_published_schema_is_that_of_the_types() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == schema()


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999))
def test_what_is_written_is_read_back_and_keeps_to_the_schema(seed: int) -> None:
    journal = Journal(Header("t1", "punto_banco", ("above",), duration_s=60.0), simulate(seed).events)
    text = dumps(journal)
    assert loads(text.splitlines()) == journal
    validator = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for line in text.splitlines():
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"kind": "card_read", "seq": 1', "line 2 is not JSON (Expecting ',' delimiter at column 31)"),
        ("[1, 2]", "line 2 is not a JSON object"),
        ('{"kind": "card_read", "seq": 1, "t": NaN, "card_id": "c1", "card": "Th"}', "line 2 holds NaN"),
        ('{"kind": "card_read", "seq": 1, "t": -Infinity, "card_id": "c1", "card": null}', "holds -Infinity"),
        (
            '{"kind": "card_read", "seq": 1, "t": 1e999, "card_id": "c1", "card": "Th"}',
            "should be a finite number",
        ),
        (_line(card="10h"), "line 2: card_read.card: '10h' is not a card: write the rank"),
        (_line(kind="card_seen"), "no event of the kind 'card_seen': did you mean 'card_read'?"),
        (_line(colour="red"), "line 2: card_read.colour"),
        (_line(seq="1"), "line 2: card_read.seq: input should be a valid integer"),
        (_line(p=1.5), "line 2: card_read.p: input should be less than or equal to 1"),
        (_line(source="rumour"), "line 2: card_read.source"),
        ('{"kind": "card_read", "seq": 1, "t": 1.0}', "line 2: card_read.card_id"),
        (
            '{"kind": "chip_state", "seq": 1, "t": 1, "spot": "box 3", "stacks": []}',
            "chip_state.spot: 'box 3' is not a spot: write 'seat 3 punto'",
        ),
        ('{"kind": "shoe_exits", "seq": 1, "t": 1}', "kind 'shoe_exits': did you mean 'shoe_exit'?"),
        ('{"kind": ["cue"], "seq": 1, "t": 1}', "no event of the kind ['cue']"),
        (HEADER, "the event has no 'kind': a journal has one header"),
        (_may_be('{"denominations": [-5], "p": 1}'), "may_be.0.denominations.0: input should be greater"),
        (_may_be('{"denominations": [], "p": 1}'), "may_be.0.denominations: tuple should have at least 1"),
        (_may_be(f'{{"denominations": [{10**40}], "p": 1}}'), "denominations.0: input should be less"),
        (_may_be('{"denominations": [5], "p": 1.5}'), "may_be.0.p: input should be less"),
        (_may_be('{"denominations": [5], "p": 0.7}', '{"denominations": [1], "p": 0.7}'), "of 1.40 in all"),
        (_may_be('{"denominations": [5], "p": NaN}'), "NaN, which is not a number"),
        ("[" * 100_000, "nests more deeply"),
        (f'{{"kind": "cut_card", "seq": 1, "t": {"9" * 5000}, "spot": "shoe"}}', "a longer number"),
        (f'{{"kind": "cue", "seq": 1, "t": 1, "cue": "{"x" * MAX_LINE}"}}', "is longer than 1,000,000"),
        ('{"kind": "cue", "seq": 1, "t": 1, "cue": "\\ud800"}', "invalid JSON"),
    ],
)
def test_a_broken_line_is_named_with_its_fault(line: str, words: str) -> None:
    with pytest.raises(JournalError) as refused:
        loads([HEADER, line], "table 1's journal")
    assert str(refused.value).startswith("table 1's journal, line 2")
    assert words in str(refused.value)


def test_a_journal_is_only_ever_appended_to() -> None:
    with pytest.raises(JournalError, match="line 3: seq 1 does not rise above 1"):
        loads([HEADER, _line(), _line()])


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ('{"format": "veedor.journal/2", "table": "t", "game": "g"}', "this version of veedor reads"),
        ("{}", "the format is None"),
        (f'{{"format": "{FORMAT}", "game": "g"}}', "line 1: table"),
        (f'{{"format": "{FORMAT}", "table": "t", "game": "g", "dealer": 3}}', "line 1: dealer is not a key"),
        (f'{{"format": "{FORMAT}", "table": "t\\ud800", "game": "g"}}', "line 1: "),
    ],
)
def test_another_version_or_header_is_refused(first: str, words: str) -> None:
    with pytest.raises(JournalError) as refused:
        loads([first, _line()])
    assert words in str(refused.value)


@pytest.mark.parametrize("lines", [[], ["", "  "]])
def test_an_empty_journal_says_how_one_begins(lines: list[str]) -> None:
    with pytest.raises(JournalError, match="is empty"):
        loads(lines)


def test_a_number_that_is_not_finite_is_not_written_either() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        event_line(ShoeExit(seq=1, t=float("nan")))


def test_time_order_goes_by_time_then_number_and_leaves_out_what_was_retracted() -> None:
    late = ShoeExit(seq=3, t=1.0, evidence=Evidence("above", 1.0, (0, 0, 10, 10)))
    early = MarkerSeen(seq=2, t=1.0, marker="shoe", spot="shoe")
    wrong = ViewLost(seq=1, t=0.5, reason="dark")
    assert in_time_order([wrong, late, early, Retraction(seq=4, t=9.0, of=1)]) == [early, late]


@pytest.mark.parametrize("text", ["box a punto", "seat 3 sabot", "capital", "seat 12 shoe"])
def test_spots_of_a_table_whose_shoe_goes_round_are_read_and_written(text: str) -> None:
    assert str(Spot.parse(text)) == text


def test_spots_stand_in_order_seats_before_letters() -> None:
    names = ["box b punto", "seat 10 banca", "box a punto", "seat 2 punto", "seat 2 banca"]
    assert [str(spot) for spot in sorted(map(Spot.parse, names))] == [
        "seat 2 banca",
        "seat 2 punto",
        "seat 10 banca",
        "box a punto",
        "box b punto",
    ]
