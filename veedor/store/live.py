"""A running table's folder: what a watch writes as it goes, and the pages read.

    STATE/live/<key>/state.json             the table now, written anew every half second
    STATE/live/<key>/camera-0.jpg           the first camera's picture, while somebody looks
    STATE/live/<key>/overlay-0.json         its zones and lines, once
    STATE/live/<key>/watched                touched by pages that somebody looks at
    STATE/live/<key>/dealers.jsonl          who deals, as it is told (veedor/store/live_dealers.py)
    STATE/live/<key>/<part>.review          the number of the review that a finished part became
    STATE/live/<key>/<part>/journal.jsonl   the events, only ever appended to
    STATE/live/<key>/<part>/alerts.jsonl    each finding as it was told, with when
    STATE/live/<key>/<part>/findings/       their pictures

Nothing else passes between who watches and who serves: either may end, or be killed, and start again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from pydantic import AwareDatetime, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from veedor.store.errors import StoreError
from veedor.store.files import make_directory
from veedor.store.overlay import Mark, Shift
from veedor.store.records import PICTURES

STATE_FILE, ALERTS, LOCK, WANTED = "state.json", "alerts.jsonl", "lock", "watched"
_REVIEW, _MOST_PAST = ".review", 100
WANTED_S = 10.0
"""Pictures are written for so long after somebody last looked."""
GONE_S, FINISHING_S = 5.0, 120.0
"""A watch that writes nothing for so long is gone; putting a part away takes longer."""

_STRICT = ConfigDict(extra="forbid")

_Value = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,12}$")]
"""A chip's value, as a key."""

Status = Literal["starting", "watching", "finishing", "ended", "failed"]
CameraStatus = Literal["connecting", "live", "lost", "ended"]


@checked_dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class CameraNow:
    """One camera. ``source``: its address without what opens it; ``since``: when its state began; ``says``:
    what is wrong, a sentence; ``view``: why its view is lost though pictures come, and since when;
    ``fps``: pictures that come, ``watched_fps``: that are looked at; ``late_s``: how late they come;
    ``dropped_share``, ``dropped``: not looked at for want of time, in the last minute and in all; ``last``:
    when the last picture came. Times: UTC."""

    id: str
    source: str
    live: bool
    state: CameraStatus
    since: AwareDatetime
    says: str | None = None
    view: str | None = None
    view_since: AwareDatetime | None = None
    fps: float = 0.0
    watched_fps: float = 0.0
    late_s: float = 0.0
    dropped_share: float = 0.0
    dropped: int = 0
    last: AwareDatetime | None = None
    width_px: int
    height_px: int
    marks: tuple[Mark, ...] = ()
    shifts: tuple[Shift, ...] = ()


@checked_dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class LiveState:
    """A running table as it is now. ``part``: the folder of the part that is being written; ``at``: when this
    was written; ``t``: the part's time, ``behind_s``: how far what is judged is behind; ``present``: journal
    lines of what lies on the table; ``paid``: which of the stacks there are payments; ``coup``: the last coup
    as in findings.json, which goes on while ``dealt``; ``review``: the review that the last finished part
    became. Times: UTC."""

    table: str
    key: str
    game: str
    profile: str
    pid: int
    started: AwareDatetime
    at: AwareDatetime
    status: Status
    says: str | None = None
    part: Annotated[str, Field(pattern=r"^(part-[0-9T]{10,40})?$")] = ""
    part_since: AwareDatetime | None = None
    t: float = 0.0
    behind_s: float = 0.0
    cameras: tuple[CameraNow, ...] = ()
    present: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    coup: dict[str, Any] | None = None
    dealt: bool = False
    coups: int = 0
    breaches: int = 0
    undetermined: int = 0
    events: int = 0
    review: int | None = None
    chip_colours: dict[_Value, str] = field(default_factory=dict)
    format: Literal["veedor.live/1"] = "veedor.live/1"

    @property
    def running(self) -> bool:
        """Whether it says that it goes on."""
        return self.status in ("starting", "watching", "finishing")

    def gone_since(self, now: datetime) -> datetime | None:
        """Since when nothing was heard of a watch that should go on; None if all is well."""
        patience_s = FINISHING_S if self.status == "finishing" else GONE_S
        return self.at if self.running and (now - self.at).total_seconds() > patience_s else None


@checked_dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Alert:
    """A finding as it was told (or told anew, with the same id). ``finding``: as in findings.json;
    ``picture``: its file's name; ``standing``: false once what was seen later took it back."""

    told: AwareDatetime
    finding: dict[str, Any]
    picture: str | None = None
    standing: bool = True


_STATE: TypeAdapter[LiveState] = TypeAdapter(LiveState)
_ALERT: TypeAdapter[Alert] = TypeAdapter(Alert)


def table_key(table: str) -> str:
    """A table's name as a folder and in addresses; one with letters that are left out stays apart from others
    by the beginning of its hash."""
    plain = re.sub(r"[^a-z0-9]+", "-", table.lower()).strip("-") or "table"
    return plain if table.isascii() else f"{plain}-{hashlib.sha256(table.encode()).hexdigest()[:6]}"


def live_folder(state: Path) -> Path:
    """Where the running tables are."""
    return state / "live"


class LiveFolder:
    """One table's folder, for who writes it and who reads it."""

    def __init__(self, state: Path, key: str) -> None:
        self.key = key
        self.path = live_folder(state) / key

    # who watches --------------------------------------------------------------------------------------------

    def lock(self) -> IO[str]:
        """Hold the folder for this process, until it ends or the lock is closed.

        Raises StoreError if another process watches this table.
        """
        make_directory(self.path, "The running table's folder")
        try:
            handle = (self.path / LOCK).open("a+", encoding="utf-8", errors="replace")
        except OSError as error:
            raise StoreError(
                f"{self.path} cannot be written ({error.strerror}): check its rights."
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            handle.seek(0)
            other = handle.read(20).strip() or "unknown"
            handle.close()
            raise StoreError(
                f"This table is being watched already, by process {other}: stop that first, or give another"
                " state directory with --state."
            ) from None
        with suppress(
            OSError
        ):  # on a full disk the lock holds all the same, and what is written next says so
            handle.truncate(0)
            handle.write(str(os.getpid()))
            handle.flush()
        return handle

    def write(self, state: LiveState) -> None:
        """Put the table's new state in place of the old. Raises StoreError."""
        text = json.dumps(_STATE.dump_python(state, mode="json"), separators=(",", ":"))
        self.put(STATE_FILE, text.encode())

    def put(self, name: str, content: bytes) -> None:
        """Replace a file; who reads sees the old or the new one. It need not outlive the machine's fall."""
        file = self.path / name
        beside = file.with_name(f".{name}.new")
        try:
            beside.write_bytes(content)
            beside.replace(file)
        except OSError as error:
            raise StoreError(
                f"{file} cannot be written ({error.strerror}): check the free space and the folder's rights."
            ) from error

    def became(self, part: str, review: int) -> None:
        """A part became a review: who still shows it finds its pictures there."""
        self.put(f"{part}{_REVIEW}", str(review).encode())
        old = sorted(self.path.glob(f"part-*{_REVIEW}"))[:-_MOST_PAST]
        for file in old:
            file.unlink(missing_ok=True)

    @property
    def is_looked_at(self) -> bool:
        """Whether a page shows this table at present."""
        try:
            seen = (self.path / WANTED).stat().st_mtime
        except OSError:
            return False
        return datetime.now(UTC).timestamp() - seen < WANTED_S

    # who reads ----------------------------------------------------------------------------------------------

    def read(self) -> LiveState | None:
        """The table as it is, None if there is none. Raises StoreError for a file that is broken."""
        file = self.path / STATE_FILE
        try:
            return _STATE.validate_json(file.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{file} cannot be read ({error.strerror}): check its rights.") from error
        except ValidationError as error:
            raise StoreError(
                f"{file} was written by another version of veedor: start the watch of this table again."
            ) from error

    def changed_ns(self) -> int:
        """When the state was last written; 0 if never."""
        try:
            return (self.path / STATE_FILE).stat().st_mtime_ns
        except OSError:
            return 0

    def look(self) -> None:
        """Say that somebody looks."""
        with suppress(OSError):  # it is no harm if it cannot be said
            (self.path / WANTED).touch()

    def alerts(self, part: str, after: int = 0) -> tuple[list[Alert], int]:
        """The alerts of a part from a byte of its file on, and where the next will begin. A line that is none
        (a disk that was full, a hand) is left out: the findings are judged anew when the part ends."""
        file = self.path / part / ALERTS
        try:
            with file.open("rb") as handle:
                handle.seek(after)
                text = handle.read()
        except OSError:
            return [], after
        whole = text[: text.rfind(b"\n") + 1]
        found = []
        for line in whole.splitlines():
            with suppress(ValidationError):
                found.append(_ALERT.validate_json(line))
        return [alert for alert in found if isinstance(alert.finding.get("id"), str)], after + len(whole)

    def picture(self, part: str, name: str) -> Path | None:
        """A finding's picture, None if there is none."""
        file = self.path / part / PICTURES / name
        return file if Path(name).name == name and file.is_file() else None

    def review_of(self, part: str) -> int | None:
        """The review that a part became."""
        try:
            return int((self.path / f"{part}{_REVIEW}").read_text())
        except (OSError, ValueError):
            return None

    def camera_picture(self, number: int) -> Path | None:
        """A camera's picture now, None if there is none."""
        file = self.path / f"camera-{number}.jpg"
        return file if file.is_file() else None

    def parts(self) -> list[Path]:
        """The folders of parts that are not finished, the oldest first."""
        return sorted(folder for folder in self.path.glob("part-*") if folder.is_dir())


def alert_line(alert: Alert) -> str:
    """An alert as a line of its file."""
    return json.dumps(_ALERT.dump_python(alert, mode="json"), separators=(",", ":")) + "\n"


def running_tables(state: Path) -> Iterator[LiveState]:
    """The tables that are watched, or were last, in order of their names."""
    folder = live_folder(state)
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(StoreError):
            found = LiveFolder(state, each.name).read()
            if found is not None:
                yield found
