"""Several cameras over one scripted table: one journal, nothing twice, and a lost one takes only its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    Event,
    Hand,
    HandContact,
    Owner,
    ShoeExit,
    ViewBack,
    ViewLost,
)
from tests.support.felt import SIZE_PX, CardAt, Felt, Shot, StackAt, dealer, player, watch_several
from tests.vision.test_watch import DEALT, PUNTO_1, at_rate, of
from vision.camera import Camera

ABOVE = Camera.looking_at((450, 280), distance_mm=1500, tilt_deg=3, focal_px=900, size_px=SIZE_PX)
OBLIQUE = Camera.looking_at(
    (450, 280), distance_mm=1700, tilt_deg=50, azimuth_deg=12, focal_px=1050, size_px=SIZE_PX
)


def both(seconds: float) -> dict[str, Shot]:
    """Both cameras for some seconds, not in step."""
    return {
        "above": Shot(ABOVE, at_rate(8, seconds)),
        "oblique": Shot(OBLIQUE, [t + 0.03 for t in at_rate(10, seconds)]),
    }


def test_what_both_cameras_see_is_told_once() -> None:
    events = watch_several(DEALT, both(13))
    placed = of(events, CardPlaced)
    assert [(e.card_id, e.spot, e.face, e.card, e.position) for e in placed] == [
        ("c1", "hand punto", "down", None, 1),
        ("c2", "hand banca", "up", "4c", 1),
    ]
    assert [e.t for e in placed] == pytest.approx([2.0, 3.6], abs=0.3)
    assert all(e.hand == Hand(Owner.DEALER) for e in placed)
    assert [e.card_id for e in of(events, ShoeExit)] == ["c1", "c2"]
    (turned,) = of(events, CardTurned)
    assert (turned.card_id, turned.face, turned.card) == ("c1", "up", "Th")
    cleared = of(events, CardCleared)
    assert sorted(e.card_id for e in cleared) == ["c1", "c2"]
    assert [e.t for e in cleared] == pytest.approx([9.0, 9.0], abs=0.4)
    assert not of(events, CardRead)
    assert not of(events, ViewLost)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


SEAT_1, BESIDE, SEAT_2 = (180.0, 440.0), (222.0, 452.0), (680.0, 440.0)
PLAYED = Felt(
    stacks=[
        StackAt((100, 25), SEAT_2, 0, 6.0),
        StackAt((100,), SEAT_2, 6.0),
        StackAt((5, 5), SEAT_1, 2.0),
        StackAt((5, 1), BESIDE, 8.5),
    ],
    arms=[player(SEAT_1, 2.0, 2.2), dealer(SEAT_2, 5.9, 6.1), dealer(BESIDE, 8.5, 8.6)],
)


def bets(events: list[Event]) -> list[tuple[str, list[tuple[int | None, ...]], Hand | None]]:
    """The contents of spots as they were told."""
    return [(e.spot, sorted(s.denominations or () for s in e.stacks), e.hand) for e in of(events, ChipState)]


def test_stacks_are_read_by_the_camera_that_sees_their_side() -> None:
    alone = watch_several(PLAYED, {"above": Shot(ABOVE, at_rate(10, 11))})
    assert {s.count for e in of(alone, ChipState) for s in e.stacks} == {None}
    events = watch_several(PLAYED, both(11))
    states = of(events, ChipState)
    assert bets(events) == [
        ("seat 2 punto", [(100, 25)], None),
        ("seat 1 punto", [(5, 5)], Hand(Owner.PLAYER, 1)),
        ("seat 2 punto", [(100,)], Hand(Owner.DEALER)),
        ("seat 1 punto", [(5, 1), (5, 5)], Hand(Owner.DEALER)),
    ]
    assert [e.t for e in states] == pytest.approx([0, 2.0, 6.1, 8.5], abs=0.4)
    assert [s.line for s in states[3].stacks] == [None, "seat 1 punto:outline"]
    assert {e.evidence.camera for e in states if e.evidence} == {"oblique"}
    touched = [
        (e.spot, e.hand.owner) for e in of(events, HandContact) if e.spot in ("seat 1 punto", "seat 2 punto")
    ]
    assert touched == [
        ("seat 1 punto", Owner.PLAYER),
        ("seat 2 punto", Owner.DEALER),
        ("seat 1 punto", Owner.DEALER),
    ]


def test_a_still_table_says_nothing_more() -> None:
    felt = Felt(
        cards=[CardAt("Th", PUNTO_1, 0)], stacks=[StackAt((5, 5), SEAT_1, 0)], noise=5.0, drift_per_s=-0.02
    )
    events = watch_several(felt, both(12))
    assert [event.kind for event in events] == ["card_placed", "chip_state"]


def test_a_card_pushed_aside_is_told_once() -> None:
    elsewhere = (310.0, 160.0)
    felt = Felt(
        cards=[CardAt("Th", PUNTO_1, 0, 5.0), CardAt("Th", elsewhere, 5.0)], arms=[dealer(PUNTO_1, 4.9, 5.1)]
    )
    events = watch_several(felt, both(9))
    assert [e.card_id for e in of(events, CardPlaced)] == ["c1"]
    (moved,) = of(events, CardMoved)
    assert moved.card_id == "c1"
    assert moved.at_mm == pytest.approx(elsewhere, abs=1)


@pytest.mark.parametrize("kind", ["dark", "frozen"])
@pytest.mark.parametrize("camera", ["above", "oblique"])
def test_a_lost_camera_takes_along_only_what_it_alone_sees(camera: str, kind: str) -> None:
    felt = Felt(
        cards=[*DEALT.cards, CardAt("9s", PUNTO_1, 14.0)],
        stacks=[StackAt((5, 5), SEAT_1, 1.0, 8.0)],
        arms=[*DEALT.arms, player(SEAT_1, 1.0, 1.2), dealer(SEAT_1, 7.9, 8.1), dealer(PUNTO_1, 14.0, 14.2)],
    )
    shots = both(20)
    lost_from = (4.0, 17.0)
    shots[camera] = (
        replace(shots[camera], dark=lost_from) if kind == "dark" else replace(shots[camera], frozen=lost_from)
    )
    events = watch_several(felt, shots)
    assert [(e.card_id, e.spot, e.card) for e in of(events, CardPlaced)] == [
        ("c1", "hand punto", None),
        ("c2", "hand banca", "4c"),
        ("c3", "hand punto", "9s"),
    ]
    assert [e.card for e in of(events, CardTurned)] == ["Th"]
    assert [e.t for e in of(events, CardCleared)] == pytest.approx([9.0, 9.0], abs=0.4)
    assert [(spot, chips) for spot, chips, _ in bets(events)] == [
        ("seat 1 punto", [(5, 5)]),
        ("seat 1 punto", []),
    ]
    (lost,) = of(events, ViewLost)
    (back,) = of(events, ViewBack)
    assert (lost.camera, lost.spot, lost.reason, lost.hides) == (camera, None, kind, False)
    assert lost.t == pytest.approx(4.0, abs=0.5)
    assert back.t == pytest.approx(17.0, abs=1.0)
    assert back.lost == lost.seq


def test_spots_that_only_the_lost_camera_sees_are_told_unseen() -> None:
    left = Camera.looking_at((180, 390), distance_mm=900, tilt_deg=40, focal_px=900, size_px=SIZE_PX)
    shots = {
        "above": Shot(ABOVE, at_rate(10, 12), dark=(5.0, 9.0)),
        "left": Shot(left, at_rate(10, 12)),
    }
    events = watch_several(Felt(stacks=[StackAt((5, 5), SEAT_1, 0)]), shots)
    lost = {e.spot: e for e in of(events, ViewLost) if e.hides}
    assert {"seat 2 punto", "seat 2 banca", "hand banca"} <= set(lost)
    assert not {"seat 1 punto", "seat 1 banca", None} & set(lost)
    backs = {e.lost: e.t for e in of(events, ViewBack)}
    assert all(backs[e.seq] == pytest.approx(9.0, abs=0.5) for e in lost.values())


def test_what_is_read_by_one_camera_only_is_unread_after_it_ends() -> None:
    shots = both(11)
    shots["oblique"] = replace(shots["oblique"], times=[t for t in shots["oblique"].times if t < 5.0])
    events = watch_several(PLAYED, shots)
    counts = {round(e.t): {s.at_mm: s.count for s in e.stacks} for e in of(events, ChipState)}
    assert counts[2] == {SEAT_1: 2}
    assert counts[6] == {SEAT_2: None}
    unread = [s.unread for e in of(events, ChipState) if e.t > 5.5 for s in e.stacks if s.count is None]
    assert all(why is not None and "px thick" in why for why in unread)
    (lost,) = of(events, ViewLost)
    assert (lost.camera, lost.reason, lost.t_to) == ("oblique", "end", None)


def test_when_no_camera_sees_the_table_that_is_said() -> None:
    shots = both(12)
    shots["oblique"] = replace(shots["oblique"], dark=(3.0, 9.0))
    shots["above"] = replace(shots["above"], dark=(5.0, 7.0))
    events = watch_several(Felt(cards=[CardAt("Th", PUNTO_1, 0)]), shots)
    (whole,) = [e for e in of(events, ViewLost) if e.hides]
    assert (whole.spot, whole.reason) == (None, "dark")
    assert whole.t == pytest.approx(5.0, abs=0.3)
    back = {e.lost: e.t for e in of(events, ViewBack)}
    assert back[whole.seq] == pytest.approx(7.0, abs=0.6)


def test_what_one_camera_imagines_at_a_place_that_the_other_sees_bare_is_not_told() -> None:
    shots = both(10)
    shots["oblique"] = replace(shots["oblique"], phantom=StackAt((5, 5), SEAT_1, 3.0, 8.0))
    felt = Felt(stacks=[StackAt((25, 5), SEAT_2, 4.0)], arms=[player(SEAT_2, 4.0, 4.2)])
    events = watch_several(felt, shots)
    assert bets(events) == [("seat 2 punto", [(25, 5)], Hand(Owner.PLAYER, 2))]
