"""Several cameras' recordings to one journal, with the networks, on the demonstration's beginning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import av
import pytest

from rules.events import CardPlaced, ChipState, Event, ViewLost
from rules.journal import dumps
from veedor.config import Table, load_table
from veedor.feeds import Feed, feeds_of
from veedor.pipeline import run
from veedor.several import run_several
from vision.errors import SourceError

DEMO = Path(__file__).parents[2] / "datasets" / "demo"
Cut = Callable[[str, float, float], Path]


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Cut:
    """Cuts the recording from one time (the next key frame) to another, without coding it anew."""
    folder = tmp_path_factory.mktemp("recordings")

    def made(name: str, t_from: float, t_to: float) -> Path:
        path = folder / name
        if path.exists():
            return path
        with av.open(str(DEMO / "demo.mp4")) as whole, av.open(str(path), "w") as part:
            video = whole.streams.video[0]
            copied = part.add_stream_from_template(video)
            begun: int | None = None
            for packet in whole.demux(video):
                if packet.dts is None or packet.time_base is None:
                    continue
                t = float(packet.dts * packet.time_base)
                if t > t_to or t < t_from or (begun is None and not packet.is_keyframe):
                    continue
                begun = packet.dts if begun is None else begun
                packet.stream = copied
                packet.dts, packet.pts = packet.dts - begun, (packet.pts or packet.dts) - begun
                part.mux(packet)
        return path

    return made


@pytest.fixture(scope="module")
def table() -> Table:
    """The demonstration's table, with a second camera where the first one hangs."""
    own = load_table(DEMO / "table.yaml")
    return replace(own, cameras=(own.cameras[0], replace(own.cameras[0], id="twin")))


def quiet(_what: str, _t: float, _of: float | None) -> None:
    return None


def told(events: tuple[Event, ...]) -> list[tuple[str, str, object]]:
    """What happened, without how sure it is."""
    cards = [("card", e.spot, e.face) for e in events if isinstance(e, CardPlaced)]
    return cards + [
        ("chips", e.spot, tuple((s.stack, s.count, s.line) for s in e.stacks))
        for e in events
        if isinstance(e, ChipState)
    ]


def test_two_cameras_tell_what_one_tells_once(table: Table, cut: Cut) -> None:
    alone = run(table, cut("whole.mp4", 0.0, 5.5))
    feeds = [
        Feed("camera 1", cut("whole.mp4", 0.0, 5.5)),
        Feed("twin", cut("late.mp4", 1.9, 5.5), 2.0),
    ]
    sunk: list[Event] = []
    said: list[str] = []
    done = run_several(table, feeds, quiet, sink=sunk.append, on_shortfall=said.append)
    (late,) = said
    assert late.startswith("The recording late.mp4 of camera twin begins 2.")
    assert tuple(sunk) == done.journal.events
    assert told(done.journal.events) == told(alone.events)
    assert done.journal.header.cameras == ("camera 1", "twin")
    assert done.journal.header.duration_s == pytest.approx(5.5, abs=0.3)
    assert not [e for e in done.journal.events if isinstance(e, ViewLost) and e.camera == "camera 1"]
    assert {e.evidence.camera for e in done.journal.events if e.evidence} <= {"camera 1", "twin"}
    assert done.timing.frames == pytest.approx(83 + 53, abs=6)
    again = run_several(table, feeds, quiet)
    assert dumps(again.journal) == dumps(done.journal)


def test_the_shift_of_recordings_is_found_from_what_moves(table: Table, cut: Cut) -> None:
    videos = [("camera 1", cut("long.mp4", 0.0, 24.0)), ("twin", cut("longer.mp4", 1.9, 26.0))]
    _, twin = feeds_of(table, videos, {})
    assert twin.offset_s == pytest.approx(2.0, abs=0.1)
    assert twin.how == "found from what moves on the felt"


@pytest.mark.parametrize(("offset_s", "said"), [(60.0, "begins 60.0 s after"), (-60.0, "s before .*begins")])
def test_recordings_that_share_no_time_are_refused(
    table: Table, cut: Cut, offset_s: float, said: str
) -> None:
    feeds = [
        Feed("camera 1", cut("whole.mp4", 0.0, 5.5)),
        Feed("twin", cut("late.mp4", 1.9, 5.5), offset_s, "as given"),
    ]
    with pytest.raises(SourceError, match=rf"camera 1 and twin share no time.*{said}.*as given"):
        run_several(table, feeds, quiet)
