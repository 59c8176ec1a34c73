"""What a watch holds in memory as time goes by, fed faster than the table's time goes.

    python -m tests.bench.lasting [MINUTES [MINUTES_A_PART]]

The demonstration round and round, as one camera's pictures, goes the way of a live camera's: networks,
journal, album, judge, alerts, a review for each part; only that a picture comes as soon as the one before was
looked at. Memory is that of the process; its growth is told in MiB for each hour of stream, over the second
half, where what is kept for some seconds, and the album, are full.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from rich.console import Console

from tests.bench.live import memory_mib
from tests.support.demo import FOLDER, TABLE
from veedor.config import load_table
from veedor.live_watch import LiveWatch, Place
from veedor.store import Store
from vision.live import Capture, WatchClock
from vision.source import Frame, open_source

_STEP_S = 0.19
"""Between pictures: five a second show all that happens, at less than half of the cost of all."""


class _StreamClock(WatchClock):
    """Goes as far as the pictures have come."""

    t = 0.0

    def now(self) -> float:
        """The time of the last picture."""
        return self.t


class _Fed(Capture):
    """A camera whose next picture is there whenever it is asked for, for ``until_s``. ``each``: told the time
    of each."""

    def __init__(
        self,
        camera: str,
        clock: _StreamClock,
        keep: Callable[[Frame], None],
        until_s: float,
        each: Callable[[float], None],
    ) -> None:
        super().__init__(camera, "rtsp://127.0.0.1/", clock, threading.Event(), keep=keep)
        self._stream, self._until_s, self._each = clock, until_s, each
        self._pictures = _round_and_round()
        self._next = next(self._pictures)
        self._size = (self._next.width_px, self._next.height_px)
        self._turn("live", None)

    def start(self) -> None:
        """Nothing runs beside."""

    def is_alive(self) -> bool:
        """Nothing does that could fail."""
        return True

    @property
    def next_t(self) -> float | None:
        """The time of the next picture."""
        return None if self.ended else self._next.t

    @property
    def ended(self) -> bool:
        """Whether it has been watched for long enough."""
        return self._next.t > self._until_s

    @property
    def silent(self) -> bool:
        """Never."""
        return False

    def take(self) -> Frame | None:
        """The next picture."""
        frame, self._next = self._next, next(self._pictures)
        self._stream.t = frame.t
        self._keep(frame)
        self._arrived(frame, 0.0)
        self._each(frame.t)
        return frame


class _FedWatch(LiveWatch):
    """A watch whose cameras are fed, each for ``until_s``. ``each``: told the time of each picture."""

    until_s: float
    each: Callable[[float], None]

    def _open(self) -> None:
        clock = _StreamClock()
        self._clock, self._started = clock, datetime.now(UTC)
        for name, album in self._albums.items():
            self._captures[name] = _Fed(name, clock, album.add, self.until_s, self.each)


def _round_and_round() -> Iterator[Frame]:
    """The demonstration's pictures over and over, their times going on."""
    begun = 0.0
    while True:
        t = taken = -1.0
        with open_source(FOLDER / "demo.mp4") as source:
            for frame in source:
                t = frame.t
                if t - taken >= _STEP_S:
                    taken, frame.t, frame.utc = t, t + begun, None
                    yield frame
        begun += t + 1 / 15


def growth_by_hour(minutes: Sequence[float]) -> float:
    """MiB for each hour of stream, from what was held minute by minute, over the second half."""
    later = np.asarray(minutes[len(minutes) // 2 :])
    return 60 * float(np.polyfit(np.arange(len(later)), later, 1)[0]) if len(later) > 1 else 0.0


def main(minutes: float, part_min: float) -> None:
    """Watch so many minutes of stream, with a review each ``part_min``, and say what was held."""
    console = Console(highlight=False)
    held: list[float] = []

    def each(t: float) -> None:
        if t >= 60.0 * (len(held) + 1):
            held.append(memory_mib(os.getpid()))

    table = load_table(TABLE)
    with tempfile.TemporaryDirectory() as temporary:
        store = Store(Path(temporary))
        place = Place(table.cameras[0].id, "rtsp://127.0.0.1/")
        watch = _FedWatch(table, [place], store, lambda _sentence: None, part_s=60 * part_min)
        watch.until_s, watch.each = 60 * minutes + 1, each
        begun = time.process_time()
        watch.run()
        spent = time.process_time() - begun
        reviews = len(store.reviews())
        store.close()
    console.print(f"memory by the minute of stream, MiB: {', '.join(f'{each:.0f}' for each in held)}")
    console.print(
        f"grows by {growth_by_hour(held):.1f} MiB for each hour of stream over the second half of"
        f" {minutes:g} minutes, with {reviews} reviews put away ({spent:.0f} s of processor time)"
    )


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    main(*given, *(20.0, 5.0)[len(given) :])
