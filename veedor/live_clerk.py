"""Does beside the watching what would hold it up: draws evidence, writes the cameras' pictures for pages."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules.errors import VeedorError
from rules.findings import CoupSummary, Finding
from veedor.album import Album
from veedor.config import Table
from veedor.evidence_marks import Picture
from veedor.live_evidence import LiveCamera, draw
from veedor.live_part import Part
from veedor.live_review import jpeg_of, picture_file
from veedor.store import write_atomically
from veedor.store.live import LiveFolder
from veedor.store.records import PICTURES

_EVERY_S = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A finding of a part to be drawn; ``coups``: its own, as it stands; ``told``: so many of the part's
    events were told by then."""

    part: Part
    finding: Finding
    coups: Sequence[CoupSummary]
    told: int
    cameras: Sequence[LiveCamera]


class Clerk(threading.Thread):
    """``say``: told what could not be done."""

    def __init__(
        self, table: Table, folder: LiveFolder, albums: Sequence[Album], say: Callable[[str], None]
    ) -> None:
        super().__init__(name="clerk", daemon=True)
        self._table, self._folder, self._albums, self._say = table, folder, albums, say
        self._jobs: deque[Drawing] = deque()
        self._errands: deque[Callable[[], None]] = deque()
        self._ring, self._done = threading.Event(), threading.Event()
        self._written: list[float | None] = [None] * len(albums)

    def ask(self, job: Drawing) -> None:
        """Draw a finding soon."""
        self._jobs.append(job)
        self._ring.set()

    def errand(self, does: Callable[[], None]) -> None:
        """Do something else soon; a VeedorError of it is said."""
        self._errands.append(does)
        self._ring.set()

    def stop(self) -> None:
        """Do what is left, and end."""
        self._done.set()
        self._ring.set()
        self.join()

    def run(self) -> None:
        """Until told to stop."""
        while not self._done.is_set():
            self._ring.wait(_EVERY_S)
            self._ring.clear()
            self._work()
        self._work()

    def _work(self) -> None:
        try:
            self._show()
            while self._jobs:
                self._draw(self._jobs.popleft())
                self._show()
            while self._errands:
                self._errands.popleft()()
        except VeedorError as error:
            self._say(str(error))

    def _draw(self, job: Drawing) -> None:
        name: str | None = None

        def made(finding: Finding, picture: Picture) -> None:
            nonlocal name
            file = job.part.folder / PICTURES / picture_file(finding)
            write_atomically(file, jpeg_of(finding, picture))
            name = file.name

        events = job.part.events[: job.told]
        try:
            draw(self._table, job.cameras, [job.finding], job.coups, job.part.header, events, made)
        finally:
            job.part.drawn(job.finding, name)

    def _show(self) -> None:
        """The cameras' pictures, while somebody looks."""
        if not self._folder.is_looked_at:
            return
        for number, album in enumerate(self._albums):
            newest = album.newest
            if newest is not None and newest.t != self._written[number]:
                self._written[number] = newest.t
                self._folder.put(f"camera-{number}.jpg", newest.jpeg)
