"""Recordings that cannot be reviewed, and a review that is stopped."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from tests.support import handmade
from tests.support.command import Command, one_sentence
from veedor.store import Store


def _recording(file: Path, times: list[float], sizes: list[tuple[int, int]], codec: str = "libx264") -> Path:
    """A recording of grainy pictures at these times and of these sizes."""
    noise = np.random.default_rng(7)
    with av.open(str(file), "w") as container:
        stream = container.add_stream(codec, rate=10)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *sizes[0], "yuv420p" if codec != "mjpeg" else "yuvj420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        if codec == "libx264":
            stream.options = {"preset": "ultrafast", "bf": "0"}
        for t, (width, height) in zip(times, sizes, strict=True):
            picture = noise.integers(40, 80, (height, width, 3), np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, "bgr24")
            frame.pts, frame.time_base = round(t * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file


_SIZE = (handmade.WIDTH, handmade.HEIGHT)


def _not_a_video(folder: Path) -> Path:
    file = folder / "clip.mp4"
    file.write_text("this is a letter")
    return file


def _empty(folder: Path) -> Path:
    file = folder / "clip.mp4"
    file.write_bytes(b"")
    return file


def _cut_off_index(folder: Path) -> Path:
    file = handmade.write_clip(folder / "clip.mp4", seconds=2)
    file.write_bytes(file.read_bytes()[:-1200])
    return file


def _cut_off(folder: Path) -> Path:
    file = _recording(folder / "clip.mkv", [k / 10 for k in range(60)], [_SIZE] * 60)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return file


def _no_frames(folder: Path) -> Path:
    file = folder / "clip.mp4"
    with av.open(str(file), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        assert isinstance(stream, av.AudioStream)
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), "fltp", "mono")
        silence.sample_rate = 8000
        container.mux(stream.encode(silence))
        container.mux(stream.encode(None))
    return file


def _size_changes(folder: Path) -> Path:
    """Two streams of the same coding joined: the second has another size."""
    parts = [
        _recording(folder / f"{width}.mjpeg", [k / 10 for k in range(3)], [(width, height)] * 3, "mjpeg")
        for width, height in (_SIZE, (320, 180))
    ]
    file = folder / "clip.mjpeg"
    file.write_bytes(b"".join(part.read_bytes() for part in parts))
    return file


def _clock_jumps(folder: Path) -> Path:
    times = [k / 10 for k in range(10)] + [3600 + k / 10 for k in range(10)]
    return _recording(folder / "clip.mkv", times, [_SIZE] * 20)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_not_a_video, "is not a video"),
        (_empty, "is empty"),
        (_cut_off_index, "is cut off"),
        (_cut_off, "is cut off: it holds"),
        (_no_frames, "no pictures"),
        (_size_changes, "changes its picture from 640 x 360 to 320 x 180 at"),
        (_clock_jumps, r"The clock of .* jumps by \+\d+\.\d s at 0\.90 s"),
        (lambda folder: folder / "none.mp4", "does not exist"),
    ],
)
def test_a_recording_that_cannot_be_reviewed(
    veedor: Command, table: Path, tmp_path: Path, make: Callable[[Path], Path], says: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "findings.json").write_text("earlier")
    clip = make(tmp_path)
    ended = veedor("review", clip, "--table", table, "--out", out)
    complaint = one_sentence(ended)
    assert re.search(says, complaint), complaint
    assert str(clip) in complaint
    assert {file.name: file.read_text() for file in out.iterdir()} == {"findings.json": "earlier"}
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []
    store = Store(tmp_path / "state")
    assert store.reviews() == []
    store.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_review_that_is_stopped_changes_nothing(
    veedor: Command,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    how: signal.Signals,
) -> None:
    clip = handmade.write_clip(tmp_path / "clip.mp4", seconds=2)
    # Started in the background, a process ignores Ctrl-C; here it has to be heard.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    monkeypatch.setattr("veedor.pipeline.run", lambda *_, **__: signal.raise_signal(how))
    ended = veedor("review", clip, "--table", table, "--out", tmp_path / "out")
    assert ended.code == 130
    assert "Stopped. Nothing was changed." in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.mp4", "state", "table"]
