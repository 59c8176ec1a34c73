"""One table's pipeline: a recording's pictures in, the event journal out, frame by frame.

Only what the watcher remembers is kept in memory (some seconds of small pictures), however long it is.
Two runs over one recording with one version on one machine give the same journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rules.events import Event
from rules.journal import Header, Journal
from veedor.config import Table
from veedor.enrolled import card_reader_of, chip_reader_of
from veedor.shortfall import Shortfall, damage, nothing
from vision.clock import Anomaly, AnomalyKind
from vision.detector import Detector
from vision.errors import SourceError
from vision.looking import TableEyes
from vision.source import open_source
from vision.watch import TableWatcher

Progress = Callable[[str, float, float | None], None]
"""Told what is being done, how far it is (seconds of the recording), and of how much (None: not known)."""
Sink = Callable[[Event], None]
"""Given each event as soon as it is certain, in the order recorded."""

THREADS = 2
"""Processor cores that the networks use. Part of what makes two runs equal."""
_PROGRESS_EVERY_S = 0.5
_LONGEST_GAP_S = 30.0
"""More than this without a picture is no interruption but another recording, or a clock that was set."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the time of a run went, seconds.

    ``decode_s``: the file's pictures, ``detect_s``: the detector, ``read_s``: the readers, ``infer_s``: else
    (changes, hands, tracking, events). ``frames``: pictures decoded; ``looks``: times the detector ran;
    ``readings``: faces and stacks read; ``recording_s``: the recording's length.
    """

    recording_s: float
    frames: int
    looks: int
    readings: int
    decode_s: float
    detect_s: float
    read_s: float
    infer_s: float

    @property
    def total_s(self) -> float:
        """All stages together, without opening the file and the models."""
        return self.decode_s + self.detect_s + self.read_s + self.infer_s

    @property
    def times_real_time(self) -> float:
        """How many seconds of recording are reviewed in one second."""
        return self.recording_s / self.total_s if self.total_s > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run."""

    journal: Journal
    timing: Timing


def _quiet(_what: str, _t: float, _of: float | None) -> None:
    return None


def _nowhere(_event: Event) -> None:
    return None


def check_clock(anomalies: Iterable[Anomaly], name: str) -> None:
    """Raise SourceError for a recording whose clock was set while it ran: no time across that means much."""
    for odd in anomalies:
        by_s = odd.t_to - odd.t if odd.kind is AnomalyKind.GAP else odd.by_s
        set_back = odd.kind is AnomalyKind.BACKWARDS and by_s <= -1.0
        if odd.kind is AnomalyKind.JUMP or set_back or by_s > _LONGEST_GAP_S:
            raise SourceError(
                f"The clock of the recording {name} jumps by {by_s:+.1f} s at {odd.t:.2f} s. Cut the "
                "recording there, and review each part by itself."
            )


def run(
    table: Table,
    video: Path,
    on_progress: Progress = _quiet,
    *,
    sink: Sink = _nowhere,
    camera_id: str | None = None,
    on_shortfall: Shortfall = nothing,
) -> Journal:
    """The journal of a recording of a table, seen by its camera ``camera_id`` (the first if none is named).

    Raises VeedorError, a sentence, for a recording that cannot be read to its end, pictures that do not fit
    the camera, or a model that is missing; what ``sink`` was given until then is an incomplete journal.
    ``on_shortfall`` is told if pictures of it are damaged.
    """
    return run_timed(
        table, video, on_progress, sink=sink, camera_id=camera_id, on_shortfall=on_shortfall
    ).journal


def run_timed(
    table: Table,
    video: Path,
    on_progress: Progress = _quiet,
    *,
    sink: Sink = _nowhere,
    camera_id: str | None = None,
    on_shortfall: Shortfall = nothing,
) -> Run:
    """As :func:`run`, with the time that each stage took."""
    watched = table.camera(camera_id)
    events: list[Event] = []

    def keep(fresh: list[Event]) -> None:
        for event in fresh:
            events.append(event)
            sink(event)

    detector = Detector(threads=THREADS)
    cards, chips = card_reader_of(table, THREADS), chip_reader_of(table, watched.id)
    with open_source(video) as source:
        watcher: TableWatcher | None = None
        eyes: TableEyes | None = None
        decode_s = watch_s = 0.0
        frames, last_t, told_t = 0, 0.0, -_PROGRESS_EVERY_S
        pictures = iter(source)
        while True:
            begun = perf_counter()
            frame = next(pictures, None)
            decode_s += perf_counter() - begun
            if frame is None:
                break
            begun = perf_counter()
            if watcher is None:
                camera = watched.fitted(frame.width_px, frame.height_px, str(video))
                eyes = TableEyes(table.layout, camera, detector, cards, chips, table.deck.size_mm)
                watcher = TableWatcher(eyes, watched.id, watched.calibration.error)
            keep(watcher.frame(frame))
            watch_s += perf_counter() - begun
            frames, last_t = frames + 1, frame.t
            if last_t - told_t >= _PROGRESS_EVERY_S:
                told_t = last_t
                check_clock(source.anomalies, source.name)
                on_progress("watching", last_t, source.duration_s)
        check_clock(source.anomalies, source.name)
        begun = perf_counter()
        if watcher is not None:
            keep(watcher.finish())
        watch_s += perf_counter() - begun
        duration_s = max(last_t, source.duration_s or 0.0)
        for sentence in damage(video.name, source.anomalies):
            on_shortfall(sentence)
    on_progress("watching", duration_s, duration_s)
    header = Header(
        table=table.name,
        game=table.game,
        cameras=(watched.id,),
        recording=video.name,
        duration_s=round(duration_s, 3),
    )
    spent = eyes.timing if eyes is not None else None
    detect_s, read_s = (spent.detect_s, spent.read_s) if spent is not None else (0.0, 0.0)
    return Run(
        Journal(header, tuple(events)),
        Timing(
            recording_s=duration_s,
            frames=frames,
            looks=spent.looks if spent is not None else 0,
            readings=spent.readings if spent is not None else 0,
            decode_s=decode_s,
            detect_s=detect_s,
            read_s=read_s,
            infer_s=max(0.0, watch_s - detect_s - read_s),
        ),
    )
