"""Which camera's recording is which file: from the command line, the table file, and what both say wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rules.errors import VeedorError
from veedor.config import Table, load_table
from veedor.feeds import feeds_of, read_offsets, read_videos

DEMO = Path(__file__).parents[2] / "datasets" / "demo"


@pytest.fixture(scope="module")
def table() -> Table:
    """The demonstration's table with a second camera and a third, whose recordings begin later."""
    own = load_table(DEMO / "table.yaml")
    first = own.cameras[0]
    return replace(
        own, cameras=(first, replace(first, id="side", offset_s=1.5), replace(first, id="back", offset_s=0.0))
    )


def test_recordings_are_given_by_file_or_by_camera() -> None:
    file = DEMO / "table.yaml"
    assert read_videos("a.mp4", (), file) == [(None, Path("a.mp4"))]
    assert read_videos(None, ("above=a.mp4", "side view=x/b=2.mp4"), file) == [
        ("above", Path("a.mp4")),
        ("side view", Path("x/b=2.mp4")),
    ]
    assert read_offsets(("side=1.25", "above=-3")) == {"side": 1.25, "above": -3.0}


def test_recordings_can_stand_in_the_table_file(tmp_path: Path) -> None:
    text = (DEMO / "table.yaml").read_text()
    (tmp_path / "table.yaml").write_text(text.replace("id: camera 1\n", "id: camera 1\n    source: a.mp4\n"))
    assert read_videos(None, (), tmp_path / "table.yaml") == [("camera 1", tmp_path / "a.mp4")]


@pytest.mark.parametrize(
    ("video", "cameras", "said"),
    [
        ("a.mp4", ("above=b.mp4",), "without a camera"),
        (None, ("a.mp4",), "--camera above=A.mp4"),
        (None, ("=a.mp4",), "--camera above=A.mp4"),
        (None, ("above=",), "--camera above=A.mp4"),
        (None, ("above=rtsp://me:pw@10.0.0.1/x",), r"rtsp://\*\*\*@10.0.0.1/x is an address"),
        (None, (), "No recording is given"),
    ],
)
def test_what_gives_no_recording_is_refused(video: str | None, cameras: tuple[str, ...], said: str) -> None:
    with pytest.raises(VeedorError, match=said):
        read_videos(video, cameras, DEMO / "table.yaml")


@pytest.mark.parametrize("text", ["side", "side=", "side=soon", "side=nan", "=1"])
def test_an_offset_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(VeedorError, match="--offset"):
        read_offsets((text,))
    with pytest.raises(VeedorError, match="two offsets"):
        read_offsets(("side=1", "side=2"))


def test_offsets_are_those_given_else_the_table_files(table: Table) -> None:
    videos = [("camera 1", Path("a.mp4")), ("side", Path("b.mp4")), ("back", Path("c.mp4"))]
    feeds = feeds_of(table, videos, {"back": -2.0})
    assert [(feed.camera, feed.offset_s) for feed in feeds] == [
        ("camera 1", 0.0),
        ("side", 1.5),
        ("back", -2.0),
    ]
    assert [feed.how for feed in feeds[1:]] == ["as the table file says", "as given"]


@pytest.mark.parametrize(
    ("videos", "offsets", "said"),
    [
        ([("above", "a.mp4")], {}, "no camera 'above': it has camera 1, side, back"),
        ([("side", "a.mp4"), ("side", "b.mp4")], {}, "Camera side is given two recordings, a.mp4 and b.mp4"),
        ([("camera 1", "a.mp4"), ("side", "a.mp4")], {}, "a.mp4 is given to two cameras, camera 1 and side"),
        ([("camera 1", "a.mp4")], {"side": 1.0}, "An offset is given for camera side, but no recording"),
        (
            [("side", "a.mp4"), ("back", "b.mp4")],
            {"side": 1.0},
            "Camera side is the first, whose clock counts",
        ),
    ],
)
def test_what_fits_no_table_is_refused(
    table: Table, videos: list[tuple[str, str]], offsets: dict[str, float], said: str
) -> None:
    with pytest.raises(VeedorError, match=said):
        feeds_of(table, [(name, Path(file)) for name, file in videos], offsets)


def test_a_recording_by_another_name_is_the_same(table: Table, tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"1")
    (tmp_path / "b.mp4").symlink_to("a.mp4")
    for other in (tmp_path / "b.mp4", tmp_path / ".." / tmp_path.name / "a.mp4"):
        with pytest.raises(VeedorError, match="is given to two cameras"):
            feeds_of(table, [("camera 1", tmp_path / "a.mp4"), ("side", other)], {})
