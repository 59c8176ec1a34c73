"""One part of a watch: its journal as it is told, and its findings as they arise, on disk at once.

A line of the journal is with the system as soon as it is told, so that a process that is killed loses none,
and on the disk within a second.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from rules.events import Event
from rules.findings import Finding, Verdict
from rules.journal import Header, event_line, header_line
from rules.judge import Judge
from rules.profile_document import Profile
from veedor.present import Present
from veedor.store import StoreError, write_atomically
from veedor.store.live import ALERTS, Alert, alert_line
from veedor.store.records import JOURNAL, PICTURES

INFO = "part.json"
LOOK_EVERY_S = 0.5
"""The judge is asked so often what holds by now, seconds of the machine's time."""
_SYNC_EVERY_S = 1.0
_QUIET_S = 9.0
"""After so long without an event or a card on the table a coup is over, though no other has begun."""
_AFTER_S = 2.5
"""Once so much of the table's time has gone by after a finding's span, its picture can be drawn whole."""


_Px = Annotated[int, Field(ge=1, le=65_536)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartInfo:
    """What has to be known to make a review of a part. ``sizes``: each camera's picture, the chief one's
    first; ``recording``: the file that was played, if it was one that browsers play."""

    began: datetime
    sizes: Annotated[dict[str, tuple[_Px, _Px]], Field(min_length=1)]
    recording: Annotated[str, Field(max_length=4000)] | None = None


_INFO: TypeAdapter[PartInfo] = TypeAdapter(PartInfo)


def read_info(folder: Path) -> PartInfo:
    """What a part's folder says of it. Raises StoreError."""
    file = folder / INFO
    try:
        return _INFO.validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"{file} cannot be read ({type(error).__name__}): the part is left as it is."
        ) from error


@dataclass(slots=True, eq=False)
class _Told:
    """A finding as it was told, when, and its picture's name; ``whole``: nothing more will come into it."""

    finding: Finding
    at: datetime
    picture: str | None = None
    drawing: bool = False
    whole: bool = False
    standing: bool = True


class Part:
    """The part that is being written. ``t0``: when it began on the watch's clock; ``t``: how far it is."""

    def __init__(self, folder: Path, header: Header, profile: Profile, info: PartInfo, t0: float) -> None:
        """``folder``: made here. Raises StoreError where a file cannot be written."""
        self.folder, self.header, self.info, self.t0 = folder, header, info, t0
        self.t = 0.0
        self.events: list[Event] = []
        self.present = Present()
        self.judge = Judge(profile)
        self._told: dict[str, _Told] = {}
        self._looked = self._synced = 0.0
        self._fresh = self._quiet = False
        self._told_t = 0.0
        try:
            self.folder.mkdir(parents=True)
            (self.folder / PICTURES).mkdir()
            write_atomically(self.folder / INFO, _INFO.dump_json(self.info))
            self._journal = (self.folder / JOURNAL).open("ab")
            self._alerts = (self.folder / ALERTS).open("ab")
        except OSError as error:
            raise StoreError(_cannot(self.folder, error)) from error
        self._write(header_line(self.header))
        self.sync()

    def tell(self, events: Sequence[Event]) -> None:
        """Events that have become certain: written first, then judged."""
        if not events:
            return
        self._write(*map(event_line, events))
        self.events += events
        for event in events:
            self.present.add(event)
            self.judge.feed(event)
            self._told_t = max(self._told_t, event.t)
        self._fresh = True

    def look(self, now: float, *, at_once: bool = False) -> None:
        """Tell what the judge finds by what was told so far. ``now``: the machine's time, seconds."""
        if now - self._synced >= _SYNC_EVERY_S:
            self._synced = now
            self.sync()
        quiet = not self.present.hands_dealt and self.t - self._told_t >= _QUIET_S
        if not self._fresh and quiet is self._quiet:
            return
        if now - self._looked < LOOK_EVERY_S and not at_once:
            return
        self._looked, self._fresh, self._quiet = now, False, quiet
        self.judge.look(quiet=quiet)
        self._tell_findings(self.judge.findings)

    def finish(self) -> None:
        """Nothing follows."""
        self.judge.finish()
        self._tell_findings(self.judge.findings)

    def close(self) -> None:
        """Close the files; what is written stays."""
        self.sync()
        self._journal.close()
        self._alerts.close()

    def sync(self) -> None:
        """Have the journal on the disk."""
        try:
            for file in (self._journal, self._alerts):
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StoreError(_cannot(self.folder, error)) from error

    def to_draw(self) -> list[Finding]:
        """The findings whose pictures are due: at once when they are told, and once more when what came
        after can be seen."""
        due = []
        for told in self._told.values():
            if told.drawing or told.whole or not told.standing:
                continue
            over = self.t >= max(told.finding.t, told.finding.t_to) + _AFTER_S
            if told.picture is None or over:
                told.drawing, told.whole = True, over
                due.append(told.finding)
        return due

    def drawn(self, finding: Finding, name: str | None) -> None:
        """A finding's picture has been drawn (or cannot be); told by the thread that drew it."""
        told = self._told[finding.id]
        told.drawing = False
        told.picture = name or told.picture
        self._tell_alert(told)

    @property
    def findings(self) -> list[Finding]:
        """Those that stand."""
        return [told.finding for told in self._told.values() if told.standing]

    def count(self, verdict: Verdict) -> int:
        """How many of those that stand have this verdict."""
        return sum(finding.verdict is verdict for finding in self.findings)

    def _tell_findings(self, found: Iterable[Finding]) -> None:
        standing = {finding.id: finding for finding in found}
        for key, told in self._told.items():
            now = standing.get(key)
            if (now is None) == told.standing or (now is not None and now != told.finding):
                told.standing = now is not None
                if now is not None:
                    told.finding, told.whole = now, False
                self._tell_alert(told)
        for key, finding in standing.items():
            if key not in self._told:
                self._told[key] = _Told(finding, datetime.now(UTC))
                self._tell_alert(self._told[key])

    def _tell_alert(self, told: _Told) -> None:
        alert = Alert(
            told=told.at, finding=told.finding.as_json(), picture=told.picture, standing=told.standing
        )
        try:
            self._alerts.write(alert_line(alert).encode())
            self._alerts.flush()
        except OSError as error:
            raise StoreError(_cannot(self.folder, error)) from error

    def _write(self, *lines: str) -> None:
        try:
            self._journal.write("".join(f"{line}\n" for line in lines).encode())
            self._journal.flush()
        except OSError as error:
            raise StoreError(_cannot(self.folder, error)) from error


def _cannot(folder: Path, error: OSError) -> str:
    return (
        f"{folder} cannot be written ({error.strerror or error}): check the free space and the rights. What"
        " was written until now is kept, and becomes a review when the table is watched again."
    )
