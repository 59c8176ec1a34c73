"""A camera that sends nothing, as its watcher tells it: one alone, and one or all of several."""

from __future__ import annotations

import pytest

from rules.events import CardPlaced, Event, ViewBack, ViewLost
from tests.support.felt import CARD_MM, SIZE_PX, CardAt, Felt, SideEyes, TrueEyes
from tests.vision.test_watch import PUNTO_1, at_rate, of
from vision.camera import Camera
from vision.several import SeveralWatcher
from vision.source import Frame
from vision.watch import TableWatcher

ABOVE = Camera.looking_at((450, 280), distance_mm=1500, tilt_deg=3, focal_px=900, size_px=SIZE_PX)
OBLIQUE = Camera.looking_at(
    (450, 280), distance_mm=1700, tilt_deg=50, azimuth_deg=12, focal_px=1050, size_px=SIZE_PX
)
CARDS = [CardAt("Th", PUNTO_1, 0.0)]


def test_one_camera_tells_its_loss_at_once_and_goes_on() -> None:
    felt = Felt(cards=CARDS)
    eyes = TrueEyes(felt)
    watcher = TableWatcher(eyes, "above")
    assert watcher.no_signal() == []  # it has not begun
    events: list[Event] = []
    for t in (*at_rate(10, 3.0), *[t + 8.0 for t in at_rate(10, 3.0)]):
        if t == 8.0:
            told = watcher.no_signal()
            assert [event.kind for event in told] == ["view_lost"]
            assert watcher.no_signal() == []  # once
            events += told
        eyes.t = t
        events += watcher.frame(Frame(t, 0, felt.picture(t)))
    events += watcher.finish()
    (lost,) = of(events, ViewLost)
    assert (lost.reason, lost.t_to, lost.hides) == ("no_signal", None, True)
    assert lost.t == pytest.approx(2.9, abs=0.1)
    assert lost.evidence is not None
    assert lost.evidence.camera == "above"
    (back,) = of(events, ViewBack)
    assert (back.lost, back.t) == (lost.seq, 8.0)
    assert len(of(events, CardPlaced)) == 1
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_of_several_cameras_each_is_told_and_the_table_when_all_are_gone() -> None:
    cameras = {"above": ABOVE, "oblique": OBLIQUE}
    felts = {
        name: Felt(CARDS, [], [], 2.0, 0.0, number, camera=camera)
        for number, (name, camera) in enumerate(cameras.items())
    }
    eyes = {name: SideEyes(felt) for name, felt in felts.items()}
    watcher = SeveralWatcher(eyes, {}, CARD_MM)
    events: list[Event] = []

    def see(t: float, *names: str) -> None:
        for name in names:
            eyes[name].t = t
            events.extend(watcher.frame(name, Frame(t, 0, felts[name].picture(t))))

    for t in at_rate(8, 2.0):
        see(t, "above", "oblique")
    for t in at_rate(8, 2.0):
        see(2.0 + t, "above")
        events.extend(watcher.no_signal("oblique", 2.0 + t))
    assert [(e.camera, e.reason) for e in of(events, ViewLost)] == [("oblique", "no_signal")]
    events.extend(watcher.no_signal("above", 6.0))
    assert [(e.camera, e.reason, e.hides) for e in of(events, ViewLost)][1:] == [
        ("above", "no_signal", False),
        (None, "no_signal", True),
    ]
    see(7.0, "above", "oblique")
    assert {e.lost for e in of(events, ViewBack)} == {e.seq for e in of(events, ViewLost)}
