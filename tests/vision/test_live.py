"""Cameras watched live, over RTSP and HTTP from servers of our own: breaking off, silent, too fast."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.support.rtsp import RtspCamera
from tests.support.waiting import until
from vision.live import WAITING_S, Capture, WatchClock
from vision.live_clock import LiveClock
from vision.source import Frame

SIZE = (160, 96)


def picture(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    rng = np.random.default_rng(number)
    return rng.integers(0, 255, (SIZE[1], SIZE[0], 3)).astype(np.uint8)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds of noise at 20 pictures a second."""
    path = tmp_path_factory.mktemp("live") / "clip.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=20, options={"g": "10", "bf": "0", "preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(80):
            frame = av.VideoFrame.from_ndarray(picture(number % 5), format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 20)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


@contextmanager
def capturing(place: Path | str, pace: float = 1.0) -> Iterator[Capture]:
    capture = Capture("above", place, WatchClock(pace), threading.Event())
    capture.start()
    try:
        yield capture
    finally:
        capture.stop()
        capture.join()


def test_the_least_late_picture_sets_the_clock() -> None:
    clock = LiveClock()
    assert clock.tick(100.0, 5.0) == 5.0
    assert clock.tick(100.5, 5.1) == pytest.approx(5.1)  # sooner than the first: that one was late
    assert clock.tick(101.0, 6.2) == pytest.approx(5.6)
    assert clock.late_s == pytest.approx(0.6)
    assert clock.tick(101.0, 6.3) > 5.6  # it never stands still
    again = LiveClock(not_before=7.0)
    assert again.tick(0.0, 6.5) > 7.0


def test_a_clock_that_drifts_is_followed() -> None:
    clock = LiveClock()
    for second in range(600):  # the camera's seconds are too long by a ten-thousandth
        t = clock.tick(second * 0.9999, float(second))
    assert t == pytest.approx(599, abs=0.01)


def test_stamps_that_run_at_half_speed_do_not_leave_the_present() -> None:
    """Cameras that send fewer pictures in the dark and stamp them as if they did not."""
    clock = LiveClock()
    behind = [second - clock.tick(second / 2, float(second)) for second in range(600)]
    assert max(behind) < 25
    assert all(late >= 0 for late in behind)


def test_a_camera_is_watched_over_rtsp_and_its_password_is_not_said(clip: Path) -> None:
    with RtspCamera(clip) as camera, capturing(camera.url) as capture:
        frames: list[Frame] = []
        until(lambda: [*map(frames.append, filter(None, [capture.take()]))] and len(frames) >= 12)
        assert (frames[0].width_px, frames[0].height_px) == capture.size_px == SIZE
        steps = np.diff([frame.t for frame in frames])
        assert steps.min() > 0
        assert float(np.median(steps)) == pytest.approx(0.1, abs=0.03)  # of 20 a second every other
        health = capture.health()
        assert (health.state, health.dropped) == ("live", 0)
        assert capture.source == f"rtsp://***@127.0.0.1:{camera.port}/live"


def test_a_stream_that_breaks_off_is_opened_again(clip: Path) -> None:
    with RtspCamera(clip) as camera, capturing(camera.url) as capture:
        first = until(capture.take)
        camera.answering.clear()
        camera.hang_up()
        until(lambda: (health := capture.health()).state == "lost" and health.says)
        assert "rtsp://***@127.0.0.1" in (capture.health().says or "")
        until(lambda: camera.calls >= 3, "a second try")
        while capture.take() is not None:
            pass
        until(lambda: capture.silent, "silence")
        camera.answering.set()
        after = until(capture.take)
        assert after.t > first.t + 1.0  # time went on meanwhile
        assert not capture.silent
        assert capture.health().state == "live"


def test_a_stream_that_falls_silent_is_noticed_while_it_stays_open(clip: Path) -> None:
    with RtspCamera(clip) as camera, capturing(camera.url) as capture:
        until(capture.take)
        camera.speaking.clear()
        until(lambda: capture.take() is None and capture.silent, "silence")
        health = capture.health()
        assert health.state == "lost"
        assert health.says is not None
        assert "sends no pictures" in health.says
        camera.speaking.set()
        until(capture.take)
        assert capture.health().state == "live"


def test_who_is_too_slow_sees_less_but_nothing_old(clip: Path) -> None:
    with capturing(clip, pace=40.0) as capture:
        until(lambda: capture.health().state == "ended", "the end")
        health = capture.health()
        frames = list(iter(capture.take, None))
        assert frames[-1].t - frames[0].t <= WAITING_S
        assert frames[-1].t == pytest.approx(3.95, abs=0.1)
        assert health.dropped > 10
        assert health.dropped_share == pytest.approx(
            health.dropped / (health.dropped + len(frames)), abs=0.02
        )
        assert capture.ended
        assert not capture.silent  # a recording that has ended is no camera that is lost


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with capturing(tmp_path / "none.mp4") as capture:
        until(lambda: capture.ended)
        assert "does not exist" in (capture.health().says or "")


class _Mjpeg(BaseHTTPRequestHandler):
    """Pictures one after the other, as many cameras send them: without a time."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for number in range(40):
            jpeg = cv2.imencode(".jpg", picture(number % 5))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg + b"\r\n")
            threading.Event().wait(0.05)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def test_a_camera_is_watched_over_http(clip: Path) -> None:
    del clip
    server = HTTPServer(("127.0.0.1", 0), _Mjpeg)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with capturing(f"http://me:pw@127.0.0.1:{server.server_port}/video") as capture:
            first = until(capture.take)
            until(lambda: (health := capture.health()).last_t and health.last_t > first.t + 0.5)
            assert capture.size_px == SIZE
            assert capture.source == f"http://***@127.0.0.1:{server.server_port}/video"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
