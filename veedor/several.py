"""A table's pipeline for several cameras: their recordings in, one journal out, on the first one's clock.

The journal's times are those of the first camera's recording. A recording that begins later or earlier than
that is shifted: by what the person said, else by what the table file says (``offset_s``), else by what is
found from the motion on the felt (:mod:`vision.sync`); pictures from before the first camera's are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter

from rules.events import Event
from rules.journal import Header, Journal
from veedor.config import Table
from veedor.enrolled import card_reader_of, chip_reader_of
from veedor.feeds import Feed
from veedor.pipeline import THREADS, Progress, Run, Sink, Timing, check_clock
from veedor.shortfall import Shortfall, Shown, nothing, shortfalls
from vision.clock import AnomalyKind
from vision.detector import Detector
from vision.errors import SourceError
from vision.looking import TableEyes
from vision.several import SeveralWatcher
from vision.source import Frame, VideoSource, open_source

_PROGRESS_EVERY_S = 0.5
_EARLY_S = 1.0
"""A recording that ends so much before the others has lost its camera."""


@dataclass(slots=True, eq=False)
class _Reel:
    """One camera's recording as it is wound on. ``frame``: its next picture, on the table's clock."""

    feed: Feed
    source: VideoSource
    frames: Iterator[Frame]
    frame: Frame | None = None
    first_t: float | None = None
    last_t: float = 0.0
    count: int = 0
    decode_s: float = 0.0

    def wind(self) -> None:
        """Decode the next picture that lies within the first camera's time."""
        begun = perf_counter()
        while True:
            self.frame = next(self.frames, None)
            if self.frame is None:
                break
            self.count += 1
            self.frame.t += self.feed.offset_s
            if self.frame.t >= 0:
                self.last_t = self.frame.t
                self.first_t = self.frame.t if self.first_t is None else self.first_t
                break
        self.decode_s += perf_counter() - begun

    @property
    def end_s(self) -> float | None:
        """When it ends by its header, on the table's clock."""
        return None if self.source.duration_s is None else self.source.duration_s + self.feed.offset_s

    @property
    def shown(self) -> Shown:
        """What it showed."""
        feed, first_t = self.feed, self.last_t if self.first_t is None else self.first_t
        return Shown(feed.camera, feed.video.name, first_t, self.last_t, tuple(self.source.anomalies))

    @property
    def cut_off(self) -> bool:
        """Whether it proved to be cut off."""
        return any(odd.kind is AnomalyKind.CUT_OFF for odd in self.source.anomalies)


def run_several(
    table: Table,
    feeds: Sequence[Feed],
    on_progress: Progress,
    *,
    sink: Sink = lambda _event: None,
    look_on: Callable[[SeveralWatcher], None] = lambda _watcher: None,
    on_shortfall: Shortfall = nothing,
) -> Run:
    """The journal of a table seen by several cameras, the first of which is the chief one. ``look_on`` is
    shown the watcher after each picture; ``on_shortfall`` is told which recordings do not show all of it.

    Raises VeedorError, a sentence, as :func:`veedor.pipeline.run` does, and where two recordings share no
    time. A recording that ends before the others, or is cut off, has lost its camera from then on.
    """
    events: list[Event] = []

    def keep(fresh: list[Event]) -> None:
        for event in fresh:
            events.append(event)
            sink(event)

    with ExitStack() as stack:
        reels = []
        for feed in feeds:
            source = stack.enter_context(open_source(feed.video, accept_cut_off=True))
            reels.append(_Reel(feed, source, iter(source)))
        _check_overlap(reels)
        for reel in reels:
            reel.wind()
        eyes = _eyes(table, reels)
        errors = {reel.feed.camera: table.camera(reel.feed.camera).calibration.error for reel in reels}
        watcher = SeveralWatcher(eyes, errors, table.deck.size_mm)
        total = max((end for reel in reels if (end := reel.end_s) is not None), default=None)
        watch_s, last_t, told_t = 0.0, 0.0, -_PROGRESS_EVERY_S
        left = list(reels)
        while left:
            reel = min(left, key=_next_t)
            frame = reel.frame
            begun = perf_counter()
            if frame is None:
                left.remove(reel)
                _finished(reel, reels)
                if any(other.frame is not None for other in left):
                    keep(watcher.ended(reel.feed.camera))
                watch_s += perf_counter() - begun
                continue
            keep(watcher.frame(reel.feed.camera, frame))
            look_on(watcher)
            watch_s += perf_counter() - begun
            last_t = frame.t
            if last_t - told_t >= _PROGRESS_EVERY_S:
                told_t = last_t
                check_clock(reel.source.anomalies, reel.source.name)
                on_progress("watching", last_t, total)
            reel.wind()
        begun = perf_counter()
        keep(watcher.finish())
        watch_s += perf_counter() - begun
        duration_s = max(last_t, total or 0.0)
    for sentence in shortfalls(reel.shown for reel in reels):
        on_shortfall(sentence)
    on_progress("watching", duration_s, duration_s)
    header = Header(
        table=table.name,
        game=table.game,
        cameras=tuple(feed.camera for feed in feeds),
        recording=feeds[0].video.name,
        duration_s=round(duration_s, 3),
    )
    spent = [own.timing for own in eyes.values()]
    detect_s, read_s = sum(each.detect_s for each in spent), sum(each.read_s for each in spent)
    return Run(
        Journal(header, tuple(events)),
        Timing(
            recording_s=duration_s,
            frames=sum(reel.count for reel in reels),
            looks=sum(each.looks for each in spent),
            readings=sum(each.readings for each in spent),
            decode_s=sum(reel.decode_s for reel in reels),
            detect_s=detect_s,
            read_s=read_s,
            infer_s=max(0.0, watch_s - detect_s - read_s),
        ),
    )


def _next_t(reel: _Reel) -> float:
    """When its next picture is due; one that has ended is noticed a second later, if others go on so long."""
    return reel.last_t + _EARLY_S if reel.frame is None else reel.frame.t


def _eyes(table: Table, reels: Sequence[_Reel]) -> dict[str, TableEyes]:
    """Detector and card reader are shared; each camera has its own view of the felt and of the chips."""
    detector, cards = Detector(threads=THREADS), card_reader_of(table, THREADS)
    eyes = {}
    for reel in reels:
        if reel.frame is None:
            raise SourceError(
                f"The recording {reel.feed.video} has no picture from the time of the first camera's: give"
                " recordings of the same play, or the right --offset."
            )
        camera = table.camera(reel.feed.camera).fitted(
            reel.frame.width_px, reel.frame.height_px, str(reel.feed.video)
        )
        chips = chip_reader_of(table, reel.feed.camera)
        eyes[reel.feed.camera] = TableEyes(
            table.layout, camera, detector, cards, chips, table.deck.size_mm, tops=True
        )
    return eyes


def _check_overlap(reels: Sequence[_Reel]) -> None:
    """Raise SourceError for recordings that share no time with the first one."""
    chief = reels[0]
    for reel in reels[1:]:
        begins, ends = reel.feed.offset_s, reel.end_s
        after = chief.source.duration_s is not None and begins >= chief.source.duration_s
        if after or (ends is not None and ends <= 0):
            when = (
                f"begins {begins:.1f} s after {chief.feed.video} began, when that had ended"
                if after
                else f"ends {-(ends or 0.0):.1f} s before {chief.feed.video} begins"
            )
            raise SourceError(
                f"The recordings of cameras {chief.feed.camera} and {reel.feed.camera} share no time:"
                f" {reel.feed.video} {when} (its offset is {reel.feed.how}). Give recordings of the same"
                " play, or the right --offset."
            )


def _finished(reel: _Reel, reels: Sequence[_Reel]) -> None:
    """Check a recording that came to its end. Raises SourceError if all of them are cut off."""
    check_clock(reel.source.anomalies, reel.source.name)
    if all(each.cut_off for each in reels):
        raise SourceError(
            f"The recording {reel.feed.video} is cut off, and so are the other cameras': copy or export them"
            " again."
        )
