"""The pictures of a live camera that evidence may need: all of the last seconds, then those at which
something happened, and one every few seconds. Kept as JPEGs, within a fixed size.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.source import Frame

_EVERY_S = 0.15
_RECENT_S = 12.0
_TICK_S = 2.0
_AROUND_S = (-2.0, -0.5, 0.0, 1.0, 2.5)
"""Before and after what happened, a finding shows the table."""
_QUALITY = (cv2.IMWRITE_JPEG_QUALITY, 88)
MOST_BYTES = 96_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """One picture. ``t``: seconds on the watch's clock."""

    t: float
    jpeg: bytes

    @property
    def frame(self) -> Frame:
        """The picture, decoded."""
        image = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        return Frame(self.t, 0, np.asarray(image, np.uint8))


class Album:
    """One camera's. Safe to be filled by one thread and read by others."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._lock = threading.Lock()
        self._recent: deque[Kept] = deque()
        self._old: deque[Kept] = deque()
        self._bytes = 0
        self._marked: deque[float] = deque(maxlen=4000)
        self._newest: Kept | None = None

    def add(self, frame: Frame) -> None:
        """Keep a picture, if it is not too soon after the last."""
        newest = self._newest
        if newest is not None and frame.t - newest.t < _EVERY_S:
            return
        done, jpeg = cv2.imencode(".jpg", frame.image, _QUALITY)
        assert done
        kept = Kept(frame.t, jpeg.tobytes())
        with self._lock:
            self._newest = kept
            self._recent.append(kept)
            self._bytes += len(kept.jpeg)
            while kept.t - self._recent[0].t > _RECENT_S:
                self._retire()
            while self._bytes > self._most and len(self._recent) > 1:
                self._bytes -= len((self._old or self._recent).popleft().jpeg)

    def mark(self, times: Iterable[float]) -> None:
        """Something happened at these times: what was to be seen around them is kept for longer."""
        with self._lock:
            self._marked.extend(t + around for t in times for around in _AROUND_S)

    @property
    def newest(self) -> Kept | None:
        """The last picture."""
        return self._newest

    @property
    def size_bytes(self) -> int:
        """How much it keeps."""
        return self._bytes

    def at(self, times: Sequence[float]) -> list[Kept]:
        """The pictures shown at these times (the last one not after each, else the first), each once."""
        with self._lock:
            pictures = [*self._old, *self._recent]
        if not pictures:
            return []
        stamps = [kept.t for kept in pictures]
        chosen = {max(0, bisect_right(stamps, t + 1e-6) - 1) for t in times}
        return [pictures[number] for number in sorted(chosen)]

    def _retire(self) -> None:
        """The oldest recent picture is kept on if it is of a moment that may be asked for."""
        kept = self._recent.popleft()
        until = self._recent[0].t if self._recent else kept.t + _EVERY_S
        shown = any(kept.t <= t < until for t in self._marked)
        if shown or not self._old or kept.t - self._old[-1].t >= _TICK_S:
            self._old.append(kept)
        else:
            self._bytes -= len(kept.jpeg)


def frames_of(kept: Iterable[Kept]) -> Iterable[Frame]:
    """Pictures as a source gives them, decoded one after the other."""
    return (each.frame for each in kept)
