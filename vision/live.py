"""A camera watched live: its pictures as they come, in a thread of its own, and never an old one.

    capture = Capture("above", "rtsp://...", clock, bell)
    capture.start()
    frame = capture.take()     # the oldest that waits, or None

Pictures wait for whoever watches, some two seconds of them at most: then the oldest are dropped, so that a
machine that is too slow sees less, not later. A stream that breaks off is opened again, sooner at first than
later. A recording is played at its own pace instead, and ends.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vision.address import is_live, masked
from vision.errors import SourceError
from vision.live_clock import LiveClock
from vision.source import Frame, VideoSource, open_source
from vision.watch import STEP_S

WAITING_S = 2.0
"""Pictures that wait cover no more than this."""
_WAITING_BYTES = 256e6
SILENT_S = 1.5
"""A camera that sends nothing for so long is told as lost."""
_BEHIND_S, _CAUGHT_UP_S = 1.0, 0.3
"""Decoding so late, only key pictures are decoded until it has caught up."""
_WAIT_S = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Between tries to open a stream again; back to the first once pictures came for a while."""
_STEADY_S = 10.0
_RATE_S, _SHARE_S = 5.0, 60.0

State = Literal["connecting", "live", "lost", "ended"]


class WatchClock:
    """Seconds since the watch began. ``pace``: how fast time goes by, for recordings that are played."""

    def __init__(self, pace: float = 1.0) -> None:
        self.pace = pace
        self._start = time.monotonic()

    def now(self) -> float:
        """Seconds since it began."""
        return (time.monotonic() - self._start) * self.pace


@dataclass(frozen=True, slots=True)
class Health:
    """How a camera is doing. ``since``: when that state began; ``says``: what is wrong, a sentence;
    ``fps``: pictures that come a second, ``watched_fps``: of which so many are looked at; ``late_s``: how
    late they come; ``dropped_share``: of those to be looked at, how many were dropped in the last minute;
    ``dropped``: how many in all; ``last_t``: of the last picture. Times on the watch's clock."""

    state: State
    since: float
    says: str | None
    fps: float
    watched_fps: float
    late_s: float
    dropped_share: float
    dropped: int
    last_t: float | None
    width_px: int | None
    height_px: int | None


class Capture(threading.Thread):
    """Takes in one camera's pictures. ``bell``: rung at each; ``keep``: given each that waits, on this
    thread; ``offset_s``: added to a recording's times."""

    def __init__(
        self,
        camera: str,
        place: Path | str,
        clock: WatchClock,
        bell: threading.Event,
        *,
        keep: Callable[[Frame], None] = lambda _frame: None,
        offset_s: float = 0.0,
    ) -> None:
        super().__init__(name=f"capture {camera}", daemon=True)
        self.camera, self.source, self.live = camera, masked(place), is_live(place)
        self._place, self._clock, self._bell, self._keep = place, clock, bell, keep
        self._offset_s = offset_s
        self._lock = threading.Lock()
        self._waiting: deque[Frame] = deque()
        self._done = threading.Event()
        self._state: State = "connecting"
        self._since = clock.now()
        self._says: str | None = None
        self._size: tuple[int, int] | None = None
        self._last_t: float | None = None
        self._came_at: float | None = None
        self._late_s = 0.0
        self._dropped = 0
        self._came: deque[float] = deque()
        self._kept: deque[tuple[float, bool]] = deque()
        self._watched: deque[float] = deque()

    # for whoever watches ------------------------------------------------------------------------------------

    def take(self) -> Frame | None:
        """The oldest picture that waits, None if there is none."""
        with self._lock:
            if not self._waiting:
                return None
            self._watched.append(self._clock.now())
            return self._waiting.popleft()

    @property
    def next_t(self) -> float | None:
        """The time of the oldest picture that waits."""
        with self._lock:
            return self._waiting[0].t if self._waiting else None

    @property
    def ended(self) -> bool:
        """Whether nothing waits, and nothing will come."""
        with self._lock:
            return self._state == "ended" and not self._waiting

    @property
    def silent(self) -> bool:
        """Whether it is a camera that sends nothing at present, and all that it sent was taken."""
        with self._lock:
            if not self.live or self._waiting or self._state == "ended":
                return False
            return self._came_at is None or self._clock.now() - self._came_at > SILENT_S

    @property
    def size_px(self) -> tuple[int, int] | None:
        """Width and height of its pictures, None before the first."""
        return self._size

    def expect(self, width_px: int, height_px: int) -> None:
        """Its pictures are of this size; others are not taken in."""
        self._size = (width_px, height_px)

    def health(self) -> Health:
        """How it is doing."""
        now = self._clock.now()
        with self._lock:
            for times in (self._came, self._watched):
                while times and now - times[0] > _RATE_S * self._clock.pace:
                    times.popleft()
            while self._kept and now - self._kept[0][0] > _SHARE_S:
                self._kept.popleft()
            silent = self.live and self._came_at is not None and now - self._came_at > SILENT_S
            state: State = "lost" if silent and self._state == "live" else self._state
            gone = sum(dropped for _, dropped in self._kept)
            window_s = _RATE_S * self._clock.pace
            return Health(
                state=state,
                since=self._came_at if silent and self._came_at is not None else self._since,
                says=self._says or (f"The camera {self.source} sends no pictures." if silent else None),
                fps=len(self._came) / window_s,
                watched_fps=len(self._watched) / window_s,
                late_s=self._late_s,
                dropped_share=gone / max(1, len(self._kept) - gone),
                dropped=self._dropped,
                last_t=self._last_t,
                width_px=None if self._size is None else self._size[0],
                height_px=None if self._size is None else self._size[1],
            )

    def stop(self) -> None:
        """Take in no more; the thread ends soon."""
        self._done.set()

    # the thread ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Take in pictures until told to stop, or a recording's end."""
        tries = 0
        while not self._done.is_set():
            begun = self._clock.now()
            try:
                with open_source(self._place, accept_cut_off=True) as source:
                    self._take_in(source)
                says = f"The camera {self.source} ended its stream."
            except SourceError as error:
                says = str(error)
            if not self.live:
                self._turn("ended", None if self._last_t is not None else says)
                break
            if self._done.is_set():
                break
            came = self._came_at is not None and self._came_at - begun > _STEADY_S
            tries = 0 if came else tries
            self._turn("lost", says)
            self._done.wait(_WAIT_S[min(tries, len(_WAIT_S) - 1)])
            tries += 1
        self._bell.set()

    def _take_in(self, source: VideoSource) -> None:
        clock = LiveClock(-1.0 if self._last_t is None else self._last_t)
        kept_t, hurried = -1.0, False
        for frame in source:
            if self._done.is_set():
                return
            arrived, frame.utc = self._clock.now(), None
            if self.live:
                frame.t = clock.tick(frame.t, arrived)
                if (clock.late_s > (_CAUGHT_UP_S if hurried else _BEHIND_S)) is not hurried:
                    hurried = not hurried
                    source.hurry(hurried)
            else:
                frame.t += self._offset_s
                self._done.wait(max(0.0, (frame.t - arrived) / self._clock.pace))
            self._check_size(frame)
            self._arrived(frame, clock.late_s)
            if frame.t - kept_t >= STEP_S or kept_t < 0 <= frame.t:
                kept_t = frame.t
                self._keep(frame)
                self._wait(frame)
            self._bell.set()

    def _check_size(self, frame: Frame) -> None:
        size = (frame.width_px, frame.height_px)
        if self._size is None:
            self._size = size
        elif size != self._size:
            raise SourceError(
                f"The camera {self.source} sends pictures of {size[0]} x {size[1]} now, and sent"
                f" {self._size[0]} x {self._size[1]} before: set it back, or start the watch again."
            )

    def _arrived(self, frame: Frame, late_s: float) -> None:
        now = self._clock.now()
        with self._lock:
            self._last_t, self._late_s, self._came_at = frame.t, late_s, now
            self._came.append(now)
        if self._state != "live":
            self._turn("live", None)

    def _wait(self, frame: Frame) -> None:
        """A picture waits to be looked at; the oldest make room."""
        now = self._clock.now()
        most = max(2, int(_WAITING_BYTES / (frame.width_px * frame.height_px * 1.5)))
        with self._lock:
            self._waiting.append(frame)
            self._kept.append((now, False))
            while len(self._waiting) > most or frame.t - self._waiting[0].t > WAITING_S:
                self._waiting.popleft()
                self._dropped += 1
                self._kept.append((now, True))

    def _turn(self, state: State, says: str | None) -> None:
        with self._lock:
            if state != self._state:
                self._state = state
                self._since = self._came_at if state == "lost" and self._came_at else self._clock.now()
            self._says = says
        self._bell.set()
