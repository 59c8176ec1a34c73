"""What looks at a table that is watched live: the networks, loaded once, and a watcher for each part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from rules.events import Event
from veedor.config import Table
from veedor.enrolled import card_reader_of, chip_reader_of
from veedor.pipeline import THREADS
from vision.camera import Camera
from vision.card_reader import INPUT_PX
from vision.detector import Detector
from vision.looking import TableEyes
from vision.several import SeveralWatcher
from vision.source import Frame
from vision.watch import TableWatcher


class Watcher(Protocol):
    """Watches a table through one camera or several."""

    def frame(self, camera: str, frame: Frame) -> list[Event]:
        """Take a camera's next picture; gives what became certain."""

    def no_signal(self, camera: str, t: float) -> list[Event]:
        """A camera sends nothing at ``t``; gives what became certain."""

    def finish(self) -> list[Event]:
        """Nothing follows; gives what can be concluded."""


class _One:
    """One camera's."""

    def __init__(self, watcher: TableWatcher) -> None:
        self._watcher = watcher

    def frame(self, camera: str, frame: Frame) -> list[Event]:
        """Take the next picture."""
        del camera
        return self._watcher.frame(frame)

    def no_signal(self, camera: str, t: float) -> list[Event]:
        """It sends nothing."""
        del camera, t
        return self._watcher.no_signal()

    def finish(self) -> list[Event]:
        """Nothing follows."""
        return self._watcher.finish()


class LiveEyes:
    """The networks of a table's cameras. Raises VeedorError for a model that is missing."""

    def __init__(self, table: Table, cameras: list[str]) -> None:
        self._table = table
        self._detector, self._cards = Detector(threads=THREADS), card_reader_of(table, THREADS)
        self._chips = {name: chip_reader_of(table, name) for name in cameras}
        # a network's first look takes far longer than the others; pictures would have to wait for it
        self._detector.detect(np.zeros((720, 1280, 3), np.uint8), 1.0)
        self._cards.read(np.zeros((1, *INPUT_PX, 3), np.uint8))

    def watcher(self, cameras: Mapping[str, Camera]) -> Watcher:
        """A new watcher of these cameras, at their pictures' size; the first is the chief one."""
        table = self._table
        eyes = {
            name: TableEyes(
                table.layout,
                camera,
                self._detector,
                self._cards,
                self._chips[name],
                table.deck.size_mm,
                tops=len(cameras) > 1,
            )
            for name, camera in cameras.items()
        }
        errors = {name: table.camera(name).calibration.error for name in cameras}
        if len(eyes) > 1:
            return SeveralWatcher(eyes, errors, table.deck.size_mm)
        ((name, own),) = eyes.items()
        return _One(TableWatcher(own, name, errors[name]))
