"""What the review page draws, from the journal and the overlay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dashboards import scene
from dashboards.lanes import lanes
from dashboards.told import Staked, identities
from rules.events import (
    CardMoved,
    CardRead,
    CardTurned,
    ChipsRead,
    ChipState,
    Evidence,
    Retraction,
    Stack,
    ViewBack,
    ViewLost,
)
from rules.journal import Journal
from tests.support import handmade

STAKED = Staked(2.7, 14.0, frozenset({"s1", "s2", "s3"}))


@pytest.fixture
def journal() -> Journal:
    return handmade.journal()


def test_lanes_are_cards_then_seats_then_hands(journal: Journal) -> None:
    assert [lane.name for lane in lanes(journal)] == [
        "Cards",
        "2 · punto",
        "3 · banca",
        "7 · punto",
        "Dealer's hand",
        "Other hands",
        "Cues",
        "Not seen",
    ]


def test_chips_are_bars_that_last_until_the_spot_changes(journal: Journal) -> None:
    by_name = {lane.name: lane for lane in lanes(journal, [STAKED])}
    assert [(item.t, item.t_to, item.label) for item in by_name["7 · punto"].items] == [
        (0.0, 12.0, "575"),
        (12.0, handmade.DURATION_S, "1125"),
    ]
    assert [(item.t, item.t_to, item.label) for item in by_name["3 · banca"].items] == [(2.0, 10.0, "?")]
    assert "on a line" in by_name["2 · punto"].items[0].detail


def test_marks_hold_while_the_thing_lies_there(journal: Journal) -> None:
    marks = {(mark.seq, mark.label): mark for mark in scene.marks(journal, handmade.overlay())}
    card = next(mark for (_, label), mark in marks.items() if label == "10♦")
    assert (card.t_from, card.t_to, card.spot) == (3.4, 14.0, "hand punto")
    bet = marks[(1, "575")]
    assert (bet.t_from, bet.t_to) == (0.0, 12.0)
    again = [mark for (seq, label), mark in marks.items() if label == "575" and seq != 1]
    assert [(mark.t_from, mark.t_to) for mark in again] == [(12.0, handmade.DURATION_S)]


def test_nothing_is_said_of_the_line_on_which_a_payment_lies(journal: Journal) -> None:
    on_it = Stack("s4", (500, 25, 25), 3, handmade.PAYMENT_AT, line=handmade.HALF_LINE)
    events = tuple(
        replace(event, stacks=(event.stacks[0], on_it))
        if isinstance(event, ChipState) and len(event.stacks) == 2
        else event
        for event in journal.events
    )
    paid = replace(journal, events=events)
    by_name = {lane.name: lane for lane in lanes(paid, [STAKED])}
    assert "line" not in by_name["7 · punto"].items[1].detail
    lies = {mark.thing: mark.lying for mark in scene.marks(paid, handmade.overlay(), [STAKED]) if mark.lying}
    assert set(lies) == {"s1", "s2", "s3"}


def test_an_operators_reading_outranks_the_cameras(journal: Journal) -> None:
    last = journal.events[-1].seq
    corrected = replace(
        journal,
        events=(
            *journal.events,
            CardRead(seq=last + 1, t=5.0, card_id="c1", card="9s", source="operator"),
            CardRead(seq=last + 2, t=6.0, card_id="c1", card="Kc"),
            CardRead(seq=last + 3, t=6.0, card_id="c2", card="3h"),
        ),
    )
    names = identities(corrected)
    assert (names["c1"], names["c2"], names["c3"]) == ("9s", "3h", "8c")


def test_what_was_retracted_is_not_drawn(journal: Journal) -> None:
    last = journal.events[-1].seq
    without = replace(journal, events=(*journal.events, Retraction(seq=last + 1, t=9.0, of=1)))
    assert all(mark.seq != 1 for mark in scene.marks(without, handmade.overlay()))
    assert all(item.seq != 1 for lane in lanes(without) for item in lane.items)


def test_moves_and_turns_close_the_mark_before(journal: Journal) -> None:
    last = journal.events[-1].seq
    moved = replace(
        journal,
        events=(
            *journal.events,
            CardTurned(seq=last + 1, t=9.0, card_id="c1", spot="hand punto", face="up", card="Td"),
            CardMoved(seq=last + 2, t=9.5, card_id="c1", from_spot="hand punto", to_spot="hand banca"),
        ),
    )
    first = next(event.seq for event in journal.events if getattr(event, "card_id", None) == "c1") + 1
    mark = next(mark for mark in scene.marks(moved, handmade.overlay()) if mark.seq == first)
    assert mark.t_to == 9.0
    details = [item.detail for item in lanes(moved)[0].items]
    assert "10♦ goes from hand punto to hand banca" in details


def test_what_a_reviewer_put_right_is_drawn_as_such(journal: Journal) -> None:
    state = next(e for e in journal.events if isinstance(e, ChipState) and e.spot == "seat 7 punto")
    last = journal.events[-1].seq
    right = replace(
        journal,
        events=(
            *journal.events,
            ChipsRead(
                seq=last + 1, t=state.t, stack=state.stacks[0].stack, spot=state.spot, denominations=(100,)
            ),
            CardRead(seq=last + 2, t=9.0, card_id="c1", card="9s", source="operator"),
        ),
    )
    by_name = {lane.name: lane for lane in lanes(right)}
    chips, others = by_name["7 · punto"].items[0], by_name["2 · punto"].items
    assert (chips.label, chips.detail) == ("100", "Seat 7 punto: 100 (corrected)")
    assert all("corrected" not in item.detail for item in others)
    assert any(item.detail.startswith("9♠") and "corrected" in item.detail for item in by_name["Cards"].items)
    labels = {mark.label for mark in scene.marks(right, handmade.overlay())}
    assert "100 (corrected)" in labels


def test_a_view_is_lost_until_the_camera_sees_again(journal: Journal) -> None:
    seq = max(event.seq for event in journal.events)
    lost = ViewLost(seq=seq + 1, t=6.0, reason="moved", evidence=Evidence("above", 7.0))
    back = ViewBack(seq=seq + 2, t=8.5, lost=seq + 1)
    seen = replace(journal, events=(*journal.events, lost, back))
    (lane,) = (lane for lane in lanes(seen) if lane.name == "Not seen")
    assert (6.0, 8.5) in [(item.t, item.t_to) for item in lane.items]
