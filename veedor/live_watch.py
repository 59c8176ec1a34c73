"""A running table: its cameras watched as they send, judged as it goes, part by part.

What comes in waits two seconds at most (:mod:`vision.live`); what becomes certain is written to the part's
journal first, then judged, then told. After an hour, between two coups, a part becomes a review and the next
begins, so that neither memory nor reviews grow without end. A part that a process left behind when it was
killed becomes a review when the table is watched again.
"""

from __future__ import annotations

import gc
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rules.errors import VeedorError
from rules.events import Event
from rules.journal import Journal
from veedor.album import Album
from veedor.config import Table
from veedor.live_clerk import Clerk, Drawing
from veedor.live_evidence import LiveCamera, overlay_of
from veedor.live_eyes import LiveEyes, Watcher
from veedor.live_part import Part, PartInfo
from veedor.live_review import Ended, end_part, header_of, read_part
from veedor.live_state import Shapes, TableNow, Tally, camera_now, state_of
from veedor.store import Store, StoreError, live_dealers, write_atomically
from veedor.store.live import LiveFolder, Status, table_key
from veedor.store.overlay import Overlay, dumps
from veedor.store.records import DRAWING, JOURNAL
from vision.live import Capture, WatchClock
from vision.source import Frame

PART_S = 3600.0
_STATE_EVERY_S = 0.5
_FIRST_S = 10.0
"""Cameras that send nothing for so long are taken in when they do."""
_ORDER_S = 0.3
"""A picture waits so long for an earlier one of another camera."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a camera is watched: an address, a device or a file."""

    camera: str
    place: str


class LiveWatch:
    """``places``: the chief camera first; ``out``: where the last part's review is put; ``say``: told what a
    person at the console should know; ``pace``: how fast recordings are played."""

    def __init__(
        self,
        table: Table,
        places: Sequence[Place],
        store: Store,
        say: Say,
        *,
        out: Path | None = None,
        part_s: float = PART_S,
        pace: float = 1.0,
    ) -> None:
        self._table, self._store, self._say, self._out, self._part_s = table, store, say, out, part_s
        self.folder = LiveFolder(store.state, table_key(table.name))
        self._places = list(places)
        self._albums = {place.camera: Album() for place in places}
        self._pace = pace
        self._stop = threading.Event()
        self._bell = threading.Event()
        self._captures: dict[str, Capture] = {}
        self._cameras: dict[str, LiveCamera] = {}
        self._overlays: dict[str, Overlay] = {}
        self._shapes: dict[str, Shapes] = {}
        self._states: dict[str, str] = {}
        self._tally = Tally()
        self._part: Part | None = None
        self._behind_s = 0.0
        self._taken = dict.fromkeys(self._albums, -1.0)
        self._begun = 0
        self._wrote = 0.0
        self._started = datetime.now(UTC)
        self.last: Ended | None = None
        """The review that it left last. Those before are in the store alone: a watch goes on for weeks."""

    def stop(self) -> None:
        """Come to an end: what was seen until now becomes a review."""
        self._stop.set()
        self._bell.set()

    def run(self) -> None:
        """Watch until told to stop, or all recordings' end.

        Raises VeedorError: this table is watched already, nothing can be written, a model is missing, no
        picture of a recording can be read.
        """
        with self.folder.lock():
            left = self.folder.parts()
            live_dealers.tell(self.folder.path, "", self._started)  # it is told anew
            clerk = Clerk(self._table, self.folder, list(self._albums.values()), self._say)
            status: Status = "failed"
            says: str | None = "The watch failed: see where it was started."
            try:
                self._write("starting")
                write_atomically(self.folder.path / DRAWING, self._table.layout.svg.encode())
                eyes = LiveEyes(self._table, [place.camera for place in self._places])
                clerk.start()
                clerk.errand(lambda: self._recover(left))
                self._open()
                if self._first_pictures():
                    self._watch(eyes, clerk)
                status, says = "ended", None
            except VeedorError as error:
                says = str(error)
                raise
            finally:
                for capture in self._captures.values():
                    capture.stop()
                if clerk.is_alive():
                    clerk.stop()
                with suppress(VeedorError):
                    if self._part is not None:
                        self._part.close()
                    self._write(status, says)

    # the cameras --------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self._clock = WatchClock(self._pace)
        self._started = datetime.now(UTC)
        for place in self._places:
            own = self._table.camera(place.camera)
            self._captures[place.camera] = Capture(
                place.camera,
                place.place,
                self._clock,
                self._bell,
                keep=self._albums[place.camera].add,
                offset_s=own.offset_s or 0.0,
            )
        for capture in self._captures.values():
            capture.start()

    def _first_pictures(self) -> bool:
        """Wait for each camera's first picture; those that send none in time are taken in later, once one
        does. False if told to stop before, or if there is nothing to watch."""
        begun = time.monotonic()
        while not self._stop.is_set():
            self._bell.wait(0.1)
            self._bell.clear()
            self._note_cameras()
            self._check_helpers(None)
            self._write("starting")
            sizes = {name: capture.size_px for name, capture in self._captures.items()}
            over = [capture for name, capture in self._captures.items() if capture.ended and not sizes[name]]
            if over:
                raise VeedorError(over[0].health().says or f"{over[0].source} holds no picture.")
            if all(sizes.values()) or (any(sizes.values()) and time.monotonic() - begun > _FIRST_S):
                break
        else:
            return False
        for name, capture in self._captures.items():
            own = self._table.camera(name)
            width_px, height_px = sizes[name] or (own.camera.width_px, own.camera.height_px)
            capture.expect(width_px, height_px)
            fitted = own.fitted(width_px, height_px, f"camera {name}")
            self._cameras[name] = LiveCamera(own, fitted, self._albums[name])
            self._shapes[name] = Shapes(self._table, self._cameras[name])
        return True

    def _next(self) -> tuple[str, Frame] | None:
        """The picture to look at next, in the order of time over all cameras; None while there is none."""
        times = {name: capture.next_t for name, capture in self._captures.items()}
        waiting = {name: t for name, t in times.items() if t is not None}
        if not waiting:
            return None
        # to a tenth of a second: of cameras that are both too much, each has its turn
        first = min(waiting, key=lambda name: (round(waiting[name], 1), self._taken[name]))
        awaited = any(
            times[name] is None and not capture.ended and not capture.silent
            for name, capture in self._captures.items()
        )
        if awaited and self._clock.now() - waiting[first] < _ORDER_S:
            return None
        frame = self._captures[first].take()
        if frame is None:
            return None
        self._taken[first] = frame.t
        return first, frame

    # watching -----------------------------------------------------------------------------------------------

    def _watch(self, eyes: LiveEyes, clerk: Clerk) -> None:
        watcher: Watcher | None = None
        while not self._stop.is_set() and not all(c.ended for c in self._captures.values()):
            picked = self._next()
            if picked is None:
                self._bell.wait(0.05)
                self._bell.clear()
            else:
                name, frame = picked
                if self._part is not None and watcher is not None and self._is_over(self._part, frame.t):
                    self._end(self._part, watcher, clerk)
                    self._part = watcher = None
                    gc.collect()  # a watcher's parts know each other, and hold many pictures
                if self._part is None or watcher is None:
                    self._part = self._begin(frame.t)
                    watcher = eyes.watcher({name: each.fitted for name, each in self._cameras.items()})
                taken_t = frame.t
                frame.t -= self._part.t0
                if self._captures[name].live:
                    frame.utc = self._utc(taken_t).isoformat()
                self._part.t = max(self._part.t, frame.t)
                self._tell(self._part, watcher.frame(name, frame))
                self._behind_s = max(0.0, self._clock.now() - taken_t)
            if self._part is not None and watcher is not None:
                for name, capture in self._captures.items():
                    if capture.silent:
                        t = self._clock.now() - self._part.t0
                        self._tell(self._part, watcher.no_signal(name, t))
                        self._part.t = max(self._part.t, t)
                self._look(self._part, clerk)
            self._note_cameras()
            self._check_helpers(clerk)
            self._write("watching")
        if self._part is not None and watcher is not None:
            self._end(self._part, watcher, clerk, last=True)

    def _check_helpers(self, clerk: Clerk | None) -> None:
        """Raise VeedorError if a thread has failed: that nothing is seen or drawn must not go unsaid."""
        dead = [capture for capture in self._captures.values() if not capture.is_alive()]
        failed = [capture.camera for capture in dead if capture.health().state != "ended"]
        if failed or (clerk is not None and not clerk.is_alive()):
            what = f"What takes in camera {failed[0]}" if failed else "What draws the evidence"
            raise VeedorError(
                f"{what} failed, as the messages above say. What was seen becomes a review when the table is"
                " watched again: do that, and report this."
            )

    def _tell(self, part: Part, events: Sequence[Event]) -> None:
        part.tell(events)
        if events:
            for album in self._albums.values():
                album.mark(event.t + part.t0 for event in events)

    def _look(self, part: Part, clerk: Clerk) -> None:
        part.look(time.monotonic())
        self._draw(part, clerk)

    def _draw(self, part: Part, clerk: Clerk) -> None:
        for finding in part.to_draw():
            own = [coup for coup in part.judge.coups if coup.coup == finding.coup]
            clerk.ask(Drawing(part, finding, own, len(part.events), self._cameras_at(part.t0)))

    def _cameras_at(self, t0: float) -> list[LiveCamera]:
        return [replace(camera, t0=t0) for camera in self._cameras.values()]

    # parts --------------------------------------------------------------------------------------------------

    def _is_over(self, part: Part, t: float) -> bool:
        long_s = t - part.t0
        return long_s >= 2 * self._part_s or (long_s >= self._part_s and not part.present.hands_dealt)

    def _begin(self, t: float) -> Part:
        began = self._utc(t)
        chief = next(iter(self._captures.values()))
        file = None if chief.live else Path(self._places[0].place).absolute()
        sizes = {name: (each.fitted.width_px, each.fitted.height_px) for name, each in self._cameras.items()}
        header = header_of(
            self._table,
            list(self._cameras),
            None if file is None else file.name,
            began if chief.live else None,
        )
        t0 = t if chief.live or self._begun else 0.0
        self._begun += 1
        info = PartInfo(began=began, sizes=sizes, recording=None if file is None or t0 else str(file))
        part = Part(self.folder.path / f"part-{began:%Y%m%dT%H%M%S%f}", header, self._table.profile, info, t0)
        for number, (name, camera) in enumerate(self._cameras.items()):
            if name not in self._overlays:
                self._overlays[name] = overlay_of(self._table, camera, Journal(part.header, ()))
                self.folder.put(f"overlay-{number}.json", dumps(self._overlays[name]).encode())
        return part

    def _end(self, part: Part, watcher: Watcher, clerk: Clerk, *, last: bool = False) -> None:
        """Put a part away. While the watch goes on, pictures wait meanwhile."""
        if last:
            self._write("finishing", at_once=True)
        self._tell(part, watcher.finish())
        part.finish()
        self._draw(part, clerk)
        self._tally.add(part)
        self._part = None  # counted from now on with what is past
        out = self._out if last or self._out is None else self._out / part.folder.name

        def keep() -> None:
            self._write("finishing")

        def put_away() -> None:
            part.close()
            done = end_part(
                part.folder,
                self._table,
                self._store,
                out=out,
                duration_s=part.t,
                cameras=self._cameras_at(part.t0),
                keep=keep if last else lambda: None,
            )
            self.last = done
            self.folder.became(part.folder.name, done.number)
            self._tally.review = done.number

        if last:
            clerk.stop()
            put_away()
        else:
            clerk.errand(put_away)

    def _recover(self, folders: Sequence[Path]) -> None:
        """Make reviews of what a killed watch left behind."""
        for folder in folders:
            try:
                journal = folder / JOURNAL
                begun = not folder.is_symlink() and journal.is_file() and journal.stat().st_size > 0
                if begun and read_part(folder).events:
                    done = end_part(folder, self._table, self._store)
                    self._tally.review = done.number
                    self.folder.became(folder.name, done.number)
                    self._say(f"An earlier watch was cut off; what it saw is kept as review {done.number}.")
                elif not folder.is_symlink():
                    shutil.rmtree(folder, ignore_errors=True)
            except StoreError as error:  # what is in its way may be gone the next time
                self._say(f"An earlier watch was cut off, and what it saw is no review yet: {error}")
            except VeedorError as error:
                kept = folder.with_name(f"broken-{folder.name}")
                with suppress(OSError):
                    folder.replace(kept)
                self._say(f"An earlier watch of this table was cut off, and left {kept}: {error}")

    # what is told -------------------------------------------------------------------------------------------

    def _utc(self, t: float) -> datetime:
        return self._started + timedelta(seconds=t / self._pace)

    def _note_cameras(self) -> None:
        """Say at the console what becomes of a camera."""
        for name, capture in self._captures.items():
            health = capture.health()
            before = self._states.get(name, "connecting")
            if health.state == before:
                continue
            self._states[name] = health.state
            if health.state == "lost":
                self._say(f"{_named(name)} is lost: {health.says or 'it sends no pictures'}")
            elif health.state == "live":
                self._say(f"{_named(name)} sends pictures ({capture.source}).")

    def _write(self, status: Status, says: str | None = None, *, at_once: bool = False) -> None:
        """The table's state for the pages, twice a second."""
        now = time.monotonic()
        settled = status in ("ended", "failed")
        if not (at_once or settled) and now - self._wrote < _STATE_EVERY_S:
            return
        self._wrote = now
        cameras = [
            camera_now(
                self._table,
                capture,
                self._shapes.get(name),
                () if self._part is None else self._part.present.events,
                self._utc,
                t0=0.0 if self._part is None else self._part.t0,
            )
            for name, capture in self._captures.items()
        ]
        table = TableNow(self._table, self.folder.key, self._started, self._tally)
        self.folder.write(state_of(table, status, says, self._part, cameras, self._behind_s, self._utc))


def _named(camera: str) -> str:
    """A camera as a sentence begins with it."""
    return camera.capitalize() if camera.lower().startswith("cam") else f"Camera {camera}"
