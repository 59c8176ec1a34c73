"""Recordings of every sort: good, odd, broken, and none at all. The clips are made here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from vision.address import masked
from vision.clock import AnomalyKind
from vision.errors import SourceError
from vision.source import Frame, MemorySource, Picture, open_source, ratio

SIZE = (160, 96)


def picture(k: int, size: tuple[int, int] = SIZE) -> Picture:
    image = np.full((size[1], size[0], 3), (40, 90, 30), np.uint8)
    image[20:60, (4 * k) % 100 : (4 * k) % 100 + 30] = (200, 180, 250)
    return image


def coded(k: int, size: tuple[int, int] = SIZE) -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(picture(k, size), format="bgr24")


def write(
    path: Path,
    stamps: list[float | None],
    *,
    options: dict[str, str] | None = None,
) -> Path:
    """An H.264 clip whose pictures have these stamps, seconds."""
    with av.open(str(path), "w", options=options or {}) as out:
        stream = out.add_stream("libx264", rate=25, options={"g": "10", "bf": "0", "preset": "ultrafast"})
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for k, stamp in enumerate(stamps):
            frame = coded(k)
            frame.pts = None if stamp is None else round(stamp * 1000)
            frame.time_base = Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def steady(n: int = 50) -> list[float | None]:
    return [k * 0.04 for k in range(n)]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("clip") / "clip.mp4", steady(), options={"movflags": "faststart"})


def test_reads_every_picture_with_its_time(clip: Path) -> None:
    with open_source(clip) as source:
        assert (source.width_px, source.height_px) == SIZE
        assert source.frame_count == 50
        assert source.duration_s == pytest.approx(2.0, abs=0.05)
        seen = [(frame.t, frame.index, frame.image) for frame in source]
    assert [t for t, _, _ in seen] == pytest.approx([k * 0.04 for k in range(50)])
    assert [index for _, index, _ in seen] == list(range(50))
    assert seen[7][2].shape == (SIZE[1], SIZE[0], 3)
    assert np.abs(seen[7][2].astype(int) - picture(7)).mean() < 6
    assert source.anomalies == []


def test_brightness_without_colours(clip: Path) -> None:
    with open_source(clip) as source:
        frame = next(iter(source))
        luma = frame.luma()
        assert luma.shape == (SIZE[1], SIZE[0])
        plain = Frame(0.0, 0, frame.image).luma().astype(int)
        assert np.abs(luma[2:-2, 2:-2].astype(int) - (16 + plain[2:-2, 2:-2] * 219 / 255)).mean() < 4


@pytest.mark.parametrize("suffix", ["mkv", "ts", "mp4"])
def test_irregular_stamps_are_kept(tmp_path: Path, suffix: str) -> None:
    stamps: list[float | None] = [0.5, 0.54, 0.7, 0.71, 1.3, 1.34, 4.5, 4.54]
    with open_source(write(tmp_path / f"vfr.{suffix}", stamps)) as source:
        times = [frame.t for frame in source]
    expected = [stamp - 0.5 for stamp in stamps if stamp is not None]
    if suffix == "mp4":  # MP4 begins at 0; what was before is an edit list
        expected = [t + times[0] for t in expected]
    assert times == pytest.approx(expected, abs=2e-3)
    assert [anomaly.kind for anomaly in source.anomalies] == [AnomalyKind.GAP]
    assert (source.anomalies[0].t, source.anomalies[0].t_to) == pytest.approx((times[5], times[6]))


def test_utc_counts_from_the_start(clip: Path) -> None:
    start = datetime(2026, 3, 1, 22, 59, 59, 960000, tzinfo=UTC)
    with open_source(clip, start_utc=start) as source:
        frames = list(source)
    assert (frames[0].utc, frames[1].utc) == ("2026-03-01T22:59:59.960Z", "2026-03-01T23:00:00.000Z")
    with pytest.raises(ValueError, match="zone"):
        open_source(clip, start_utc=datetime(2026, 3, 1))  # noqa: DTZ001


def test_a_change_of_size_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "both.h264"
    parts = []
    for number, size in enumerate((SIZE, (128, 64))):
        part = tmp_path / f"{number}.h264"
        with av.open(str(part), "w", format="h264") as out:
            stream = out.add_stream(
                "libx264", rate=25, options={"bf": "0", "x264-params": "repeat-headers=1"}
            )
            stream.width, stream.height = size
            stream.pix_fmt = "yuv420p"
            for k in range(10):
                out.mux(stream.encode(coded(k, size)))
            out.mux(stream.encode(None))
        parts.append(part.read_bytes())
    other.write_bytes(b"".join(parts))
    with open_source(other) as source, pytest.raises(SourceError, match="from 160 x 96 to 128 x 64"):
        list(source)


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_a_cut_off_recording(tmp_path: Path, suffix: str) -> None:
    whole = write(tmp_path / f"whole.{suffix}", steady(200), options={"movflags": "faststart"})
    cut = tmp_path / f"cut.{suffix}"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 6 // 10])
    with open_source(cut) as source, pytest.raises(SourceError, match="is cut off") as caught:
        list(source)
    assert "of 8.0 seconds" in str(caught.value)
    with open_source(cut, accept_cut_off=True) as source:
        assert 60 < len(list(source)) < 180
        assert source.anomalies[-1].kind is AnomalyKind.CUT_OFF


def test_a_cut_off_index(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.mp4", steady(100))
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(SourceError, match="index is missing"):
        open_source(cut)


def test_damaged_pictures_are_left_out_and_counted(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.mkv", steady(200))
    data = bytearray(whole.read_bytes())
    rng = np.random.default_rng(5)
    for place in rng.integers(len(data) // 4, len(data) * 3 // 4, 60):
        data[place] ^= 0xFF
    (tmp_path / "bad.mkv").write_bytes(bytes(data))
    with open_source(tmp_path / "bad.mkv", accept_cut_off=True) as source:
        count = len(list(source))
    assert 0 < count < 200
    assert source.corrupt > 0
    assert any(anomaly.kind is AnomalyKind.CORRUPT for anomaly in source.anomalies)


def sound(path: Path) -> None:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 44100
        for packet in stream.encode(frame):
            out.mux(packet)
        out.mux(stream.encode(None))


def photograph(path: Path) -> None:
    path.write_bytes(cv2.imencode(".png", picture(0))[1].tobytes())


def playlist(path: Path) -> None:
    path.write_text("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nsecret.mp4\n#EXT-X-ENDLIST\n")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_text("no video\n" * 400), "is not a video"),
        (lambda path: path.write_bytes(bytes(range(256)) * 40), "is not a video"),
        (sound, "only sound"),
        (photograph, "photograph"),
        (playlist, "is not a video"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda _: None, "does not exist"),
    ],
)
def test_what_is_no_recording(tmp_path: Path, make: Callable[[Path], object], words: str) -> None:
    path = tmp_path / "thing.mp4"
    make(path)
    with pytest.raises(SourceError, match=words) as caught:
        open_source(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("place", ["ftp://host/a.mp4", "concat://a", "file:///etc/passwd"])
def test_only_files_and_cameras(place: str) -> None:
    with pytest.raises(SourceError, match="scheme"):
        open_source(place)


def test_a_cameras_password_is_not_said() -> None:
    with pytest.raises(SourceError, match="does not answer") as caught:
        open_source("rtsp://anna:secret@127.0.0.1:9/live")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (
            "rtsp://anna:p@ss@10.0.0.1/live?password=x&channel=2",
            "rtsp://***@10.0.0.1/live?password=***&channel=2",
        ),
        ("rtsp://u:p/w@host:554/x", "rtsp://***@host:554/x"),
        ("rtsp://10.0.0.1:554/user=admin_password=tlJ_channel=1", "rtsp://10.0.0.1:554/user=***"),
        ("http://host/video?user=a&pwd=b&c=1", "http://host/video?user=***&pwd=***&c=1"),
        ("rtsp://host:554/stream@1", "rtsp://host:554/stream@1"),
        (Path("rtsp://anna:secret@host/live"), "rtsp://***@host/live"),
        ("rtsp://anna:12/34@cam/live", "rtsp://***@cam/live"),
        ("rtsp://anna:p/a?b@cam/live", "rtsp://***@cam/live"),
        ("rtsp://10.0.0.1:554/a?mail=x@y", "rtsp://10.0.0.1:554/a?mail=x@y"),
        ("http://cam/v.cgi?loginuse=a&loginpas=b", "http://cam/v.cgi?loginuse=***&loginpas=***"),
        ("http://cam/v?u=a&p=b&apikey=c&up=1", "http://cam/v?u=***&p=***&apikey=***&up=1"),
    ],
)
def test_an_address_is_said_whole_but_for_what_opens_it(address: Path | str, said: str) -> None:
    assert masked(address) == said


def test_an_address_given_as_a_path_keeps_its_slashes() -> None:
    with pytest.raises(SourceError, match=r"rtsp://\*\*\*@127\.0\.0\.1:9/live does not answer"):
        open_source(Path("rtsp://anna:secret@127.0.0.1:9/live"))


def test_pictures_in_memory() -> None:
    with MemorySource([(0.0, picture(0)), (0.5, picture(1))]) as source:
        assert (source.width_px, source.height_px, source.duration_s, source.frame_count) == (*SIZE, 0.5, 2)
        assert [(frame.t, frame.index) for frame in source] == [(0.0, 0), (0.5, 1)]


class _Rational:
    """PyAV 19's kind of rational."""

    def __init__(self, num: int, den: int) -> None:
        self.num, self.den = num, den


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(1, 25), Fraction(1, 25)),
        (None, None),
        (Fraction(0), None),
        (_Rational(1, 90000), Fraction(1, 90000)),
        (_Rational(0, 1), None),
        (_Rational(0, 0), None),
    ],
)
def test_both_kinds_of_rationals(value: object, expected: Fraction | None) -> None:
    assert ratio(value) == expected
