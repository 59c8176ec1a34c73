"""A running table without cameras or networks: what its watch would write, moment by moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from rules.events import CardPlaced, Event
from rules.findings import Finding, Verdict
from rules.journal import Header, event_line
from tests.support import handmade
from veedor.config import load_table
from veedor.live_part import Part, PartInfo
from veedor.live_review import picture_file
from veedor.store import write_atomically
from veedor.store.live import CameraNow, LiveFolder, LiveState, Status
from veedor.store.overlay import dumps
from veedor.store.records import PICTURES


def _next_coup() -> list[Event]:
    """The beginning of another coup, by which the one before is over."""
    after = len(handmade.events())
    return [
        CardPlaced(
            seq=after + number,
            t=18.0 + number,
            card_id=f"d{number}",
            spot=spot,
            face="up",
            card=card,
            position=1,
            at_mm=(640.0, 155.0),
            p=0.98,
        )
        for number, (card, spot) in enumerate((("9c", "hand punto"), ("3d", "hand banca")), start=1)
    ]


class RunningTable:
    """The table of :mod:`tests.support.handmade`, watched by two cameras from now on."""

    def __init__(self, state: Path) -> None:
        self.folder = LiveFolder(state, "mesa-4")
        self.lock = self.folder.lock()
        self.table = load_table(handmade.write_table(state / "table"))
        self.overlay = handmade.overlay()
        self.began = datetime.now(UTC)
        start = self.began.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        header = Header(self.table.name, self.table.game, ("main", "side"), start)
        info = PartInfo(began=self.began, sizes={"main": (handmade.WIDTH, handmade.HEIGHT)})
        self.part = Part(self.folder.path / "part-20261130T1000", header, self.table.profile, info, 0.0)
        for number in (0, 1):
            empty = replace(self.overlay, marks=())
            self.folder.put(f"overlay-{number}.json", dumps(empty).encode())
        self._left = [*handmade.events(), *_next_coup()]
        self.camera = CameraNow(
            id="main",
            source="rtsp://***@10.0.0.7/live",
            live=True,
            state="live",
            since=self.began,
            fps=25.0,
            watched_fps=13.0,
            late_s=0.04,
            last=self.began,
            width_px=handmade.WIDTH,
            height_px=handmade.HEIGHT,
        )
        self.show(60)

    def close(self) -> None:
        """Let go of its files."""
        self.part.close()
        self.lock.close()

    def show(self, brightness: int) -> None:
        """Another picture from the cameras."""
        picture = np.full((handmade.HEIGHT, handmade.WIDTH, 3), brightness, np.uint8)
        for number in (0, 1):
            self.folder.put(f"camera-{number}.jpg", cv2.imencode(".jpg", picture)[1].tobytes())

    def play(self, until_t: float) -> None:
        """What happens until then is seen and judged."""
        fresh = [event for event in self._left if event.t <= until_t]
        self._left = self._left[len(fresh) :]
        self.part.tell(fresh)
        self.part.t = until_t
        self.part.look(until_t, at_once=True)

    def draw(self) -> list[Finding]:
        """The pictures that are due are drawn: plain ones."""
        due = self.part.to_draw()
        for finding in due:
            name = picture_file(finding)
            plain = cv2.imencode(".jpg", np.full((94, 128, 3), 90, np.uint8))[1].tobytes()
            write_atomically(self.part.folder / PICTURES / name, plain)
            self.part.drawn(finding, name)
        return due

    def write(
        self,
        *,
        camera: CameraNow | None = None,
        status: Status = "watching",
        age_s: float = 0.0,
        review: int | None = None,
    ) -> None:
        """The state, as it would be written now, or would have been ``age_s`` ago."""
        present = self.part.present.events
        known = {event.seq for event in present}
        marks = tuple(mark for mark in self.overlay.marks if mark.seq in known)
        own = replace(camera or self.camera, marks=marks)
        coups = self.part.judge.coups
        self.folder.write(
            LiveState(
                table=self.table.name,
                key=self.folder.key,
                game=self.table.game,
                profile="andorra_2016/mini",
                pid=1,
                started=self.began,
                at=datetime.now(UTC) - timedelta(seconds=age_s),
                status=status,
                part=self.part.folder.name,
                part_since=self.began,
                t=self.part.t,
                behind_s=0.3,
                cameras=(own, replace(self.camera, id="side")),
                present=tuple(map(event_line, present)),
                paid=tuple(sorted(self.part.present.paid)),
                coup=coups[-1].as_json() if coups else None,
                dealt=self.part.present.hands_dealt,
                coups=len(coups),
                breaches=self.part.count(Verdict.BREACH),
                undetermined=self.part.count(Verdict.UNDETERMINED),
                events=len(self.part.events),
                review=review,
                chip_colours={"500": "#6a2c91", "25": "#1f7a3d"},
            )
        )
