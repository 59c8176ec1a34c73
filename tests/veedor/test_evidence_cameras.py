"""Evidence of two cameras: the picture of the one that saw it, the other's view of the spot beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from rules.events import ChipState, Event, Evidence, ViewBack, ViewLost
from rules.journal import Journal
from tests.support import handmade
from veedor.evidence_cameras import Camera, pictures_by_camera
from veedor.evidence_marks import Picture
from vision.source import Frame

(UNDERPAID,) = (finding for finding in handmade.judgement().findings if finding.code == "UNDERPAID")
COLOURS = {"above": (40, 40, 160), "oblique": (160, 40, 40)}


def plain_clip(file: Path, colour: tuple[int, int, int], seconds: float) -> Path:
    """A recording of one colour, by which its pictures are known."""
    with av.open(str(file), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = handmade.WIDTH, handmade.HEIGHT, "yuv420p"
        stream.options = {"preset": "ultrafast"}
        for number in range(round(seconds * 10)):
            picture = np.full((handmade.HEIGHT, handmade.WIDTH, 3), colour, np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, "bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file


@pytest.fixture(scope="module")
def cameras(tmp_path_factory: pytest.TempPathFactory) -> tuple[Camera, Camera]:
    """Two cameras; the second one's recording began two seconds later."""
    folder = tmp_path_factory.mktemp("evidence")
    overlay = handmade.overlay()
    above = plain_clip(folder / "above.mp4", COLOURS["above"], 16)
    oblique = plain_clip(folder / "oblique.mp4", COLOURS["oblique"], 14)
    return Camera("above", above, 0.0, overlay), Camera("oblique", oblique, 2.0, overlay)


def journal(chips_by: str, *more: Event) -> Journal:
    """The hand-made journal, its chips seen by one camera and all else by the other."""
    own = handmade.journal()
    other = "oblique" if chips_by == "above" else "above"
    events = tuple(
        replace(event, evidence=Evidence(chips_by if isinstance(event, ChipState) else other, event.t))
        for event in own.events
    )
    return Journal(own.header, (*events, *more))


def shown(cameras: tuple[Camera, Camera], events: Journal) -> list[str]:
    """Whose pictures are in the finding's: the large one, then the close ones."""
    made: list[Picture] = []
    coups = handmade.judgement().coups
    pictures_by_camera(
        cameras, [UNDERPAID], coups, events, "Mesa 4", lambda _finding, picture: made.append(picture)
    )
    (picture,) = made
    large = picture[: handmade.HEIGHT * 2]
    panel = picture[handmade.HEIGHT * 2 + 17 :]
    close = [panel[:204, x : x + 204] for x in range(1280 - 218 * 4, 1280, 218)]
    return [name for part in (large, *close) if (name := by_colour(part)) is not None]


def by_colour(part: Picture) -> str | None:
    blue, _, red = np.median(part.reshape(-1, 3), axis=0)
    if max(blue, red) < 60:
        return None
    return "oblique" if blue > red else "above"


@pytest.mark.parametrize("chief", ["above", "oblique"])
def test_the_camera_that_saw_the_spot_shows_it_and_the_other_stands_beside(
    cameras: tuple[Camera, Camera], chief: str
) -> None:
    other = "oblique" if chief == "above" else "above"
    assert shown(cameras, journal(chief)) == [chief, chief, chief, chief, other]


def test_a_camera_that_was_lost_then_is_not_shown(cameras: tuple[Camera, Camera]) -> None:
    last = journal("oblique").events[-1].seq
    lost = ViewLost(seq=last + 1, t=UNDERPAID.t - 3, reason="dark", camera="oblique")
    assert shown(cameras, journal("oblique", lost)) == ["above"] * 4
    back = ViewBack(seq=last + 2, t=UNDERPAID.t - 1, lost=last + 1)
    assert shown(cameras, journal("oblique", lost, back)) == ["oblique"] * 4 + ["above"]


def test_a_moved_cameras_pictures_are_turned_back_at_the_journals_times(
    cameras: tuple[Camera, Camera],
) -> None:
    above, oblique = cameras
    times: list[float] = []

    def steady(frames: Iterable[Frame]) -> Iterator[Frame]:
        for frame in frames:
            times.append(frame.t)
            yield Frame(frame.t, frame.index, np.full_like(frame.image, COLOURS["above"]))

    turned = replace(oblique, steady=steady)
    assert shown((above, turned), journal("oblique")) == ["above"] * 5
    assert shown((above, turned), journal("above")) == ["above"] * 5
    assert min(times) == pytest.approx(oblique.offset_s)
