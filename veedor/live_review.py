"""A part of a watch becomes a review: of one that came to its end, or was killed."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from rules.errors import JournalError
from rules.events import Event
from rules.findings import Finding, Judgement
from rules.journal import MAX_LINE, Header, Journal, loads
from rules.journal import dumps as dump_journal
from rules.judge import judge
from veedor.album import Album
from veedor.config import Table
from veedor.enrolled import files_of
from veedor.evidence_marks import Picture
from veedor.fingerprint import fingerprint
from veedor.live_evidence import LiveCamera, draw, overlay_of
from veedor.live_part import PartInfo, read_info
from veedor.preview import is_playable
from veedor.projecting import make_felt
from veedor.review import chip_colours, file_name
from veedor.store import NewReview, Recording, Store, StoreError, write_atomically
from veedor.store.felt import dumps as dump_felt
from veedor.store.live_dealers import with_dealers
from veedor.store.overlay import dumps as dump_overlay
from veedor.store.records import DRAWING, FELT, FINDINGS, JOURNAL, OVERLAY, PICTURES

_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 88)


@dataclass(frozen=True, slots=True)
class Ended:
    """A part that has become a review. ``number``: its number in the store."""

    number: int
    journal: Journal
    judgement: Judgement
    pictures: int


def picture_file(finding: Finding) -> str:
    """The file of a finding's picture."""
    return f"{file_name(finding.id)}.jpg"


def jpeg_of(finding: Finding, picture: Picture) -> bytes:
    """A finding's picture as it is kept. Raises StoreError."""
    done, jpeg = cv2.imencode(".jpg", picture, _JPEG)
    if not done:
        raise StoreError(f"The picture of finding {finding.id} cannot be made into a JPEG.")
    return bytes(np.asarray(jpeg).tobytes())


def end_part(
    folder: Path,
    table: Table,
    store: Store,
    *,
    out: Path | None = None,
    duration_s: float = 0.0,
    cameras: Sequence[LiveCamera] = (),
    keep: Callable[[], None] = lambda: None,
) -> Ended:
    """Keep a part as a review, in the store and in ``out``, and take its folder away. ``duration_s``: its
    length, if known; ``cameras``: whose albums may still have what pictures need that were not drawn;
    ``keep``: called now and then meanwhile.

    Raises StoreError or JournalError, the part's folder then left as it is.
    """
    try:
        return _end_part(folder, table, store, out, duration_s, cameras, keep)
    except OSError as error:
        raise StoreError(
            f"The part {folder} cannot become a review ({error.strerror or error}: {error.filename}). Check"
            " the free space, also for temporary files; it becomes one when the table is watched again."
        ) from error


def _end_part(
    folder: Path,
    table: Table,
    store: Store,
    out: Path | None,
    duration_s: float,
    cameras: Sequence[LiveCamera],
    keep: Callable[[], None],
) -> Ended:
    info = read_info(folder)
    journal = with_dealers(folder.parent, read_part(folder))
    if (journal.header.table, journal.header.game) != (table.name, table.game):
        raise StoreError(
            f"{folder} is of table {journal.header.table!r} with the game {journal.header.game}, not of"
            f" {table.name!r} with {table.game}: judge its journal with that table's file ('veedor judge')."
        )
    length_s = round(max(duration_s, journal.header.duration_s or 0.0), 3)
    journal = replace(journal, header=replace(journal.header, duration_s=length_s))
    judgement = judge(journal.events, table.profile)
    keep()
    chief = next(iter(info.sizes))
    width_px, height_px = info.sizes[chief]
    own = table.camera(chief)
    seen = LiveCamera(own, own.fitted(width_px, height_px, f"camera {chief}"), Album())
    with tempfile.TemporaryDirectory(prefix="veedor-part-") as temporary:
        work = Path(temporary)
        (work / PICTURES).mkdir()
        (work / JOURNAL).write_text(dump_journal(journal), encoding="utf-8")
        (work / FINDINGS).write_text(judgement.dumps(), encoding="utf-8")
        (work / OVERLAY).write_text(dump_overlay(overlay_of(table, seen, journal)), encoding="utf-8")
        felt = make_felt(table.layout, table.chips.diameter_mm, chip_colours(table))
        (work / FELT).write_text(dump_felt(felt), encoding="utf-8")
        (work / DRAWING).write_text(table.layout.svg, encoding="utf-8")
        keep()
        drawn = _pictures(folder, work, table, cameras, journal, judgement)
        keep()
        new = NewReview(
            table=table.name,
            recording=_recording(folder, info, journal),
            journal=journal,
            judgement=judgement,
            pictures=drawn,
            preview=None,
            made_by=fingerprint(files_of(table)),
            reviewed_at=datetime.now(UTC),
            named=_named(info, journal),
        )
        number = store.save(new, work, before_commit=lambda: _publish(work, out))
    shutil.rmtree(folder, ignore_errors=True)
    return Ended(number, journal, judgement, len(drawn))


def read_part(folder: Path) -> Journal:
    """A part's journal, however it came to its end: a last line that was being written is left out, and its
    header says how long it is. Raises JournalError."""
    file = folder / JOURNAL
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise JournalError(f"The journal {file} cannot be read ({error.strerror}).") from error
    whole = text[: text.rfind("\n") + 1]
    journal = loads((line[: MAX_LINE + 1] for line in whole.split("\n")), str(file))
    last = max((_until(event) for event in journal.events), default=0.0)
    return Journal(replace(journal.header, duration_s=round(last, 3)), journal.events)


def _until(event: Event) -> float:
    return max(event.t, getattr(event, "t_to", None) or 0.0)


def _pictures(
    folder: Path,
    work: Path,
    table: Table,
    cameras: Sequence[LiveCamera],
    journal: Journal,
    judgement: Judgement,
) -> dict[str, str]:
    """Each finding's picture: as it was drawn, else from what the albums still have."""
    names: dict[str, str] = {}

    def made(finding: Finding, picture: Picture) -> None:
        names[finding.id] = picture_file(finding)
        (work / PICTURES / names[finding.id]).write_bytes(jpeg_of(finding, picture))

    missing = []
    for finding in judgement.findings:
        kept = folder / PICTURES / picture_file(finding)
        if kept.is_file():
            names[finding.id] = kept.name
            shutil.copyfile(kept, work / PICTURES / kept.name)
        else:
            missing.append(finding)
    if missing and cameras:
        draw(table, cameras, missing, judgement.coups, journal.header, journal.events, made)
    return names


def _recording(folder: Path, info: PartInfo, journal: Journal) -> Recording:
    """What stands for the recording of a watch: the file that was played, else nothing but a name."""
    chief = next(iter(info.sizes))
    own = hashlib.sha256(
        f"{folder.name} {json.dumps(journal.header.table)} {info.began}".encode()
    ).hexdigest()
    played = None if info.recording is None else Path(info.recording)
    shown = played is not None and played.is_file() and is_playable(played)
    return Recording(
        path=str(played) if shown else _named(info, journal),
        sha256=own,
        size_bytes=played.stat().st_size if shown and played is not None else 0,
        duration_s=journal.header.duration_s or 0.0,
        width_px=info.sizes[chief][0],
        height_px=info.sizes[chief][1],
    )


def _named(info: PartInfo, journal: Journal) -> str:
    """What was watched and when: no watch of a recording is to be taken for its review."""
    when = f"{info.began:%Y-%m-%d %H.%M.%S} UTC"
    played = journal.header.recording
    return f"live {when}" if played is None else f"{played}, watched {when}"


def _publish(work: Path, out: Path | None) -> None:
    """Put what a review leaves into ``out``, the findings last."""
    if out is None:
        return
    try:
        (out / PICTURES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{out} cannot be made ({error.strerror}): give another --out.") from error
    fresh = sorted((work / PICTURES).iterdir())
    for file in fresh:
        write_atomically(out / PICTURES / file.name, file.read_bytes())
    for name in (JOURNAL, FINDINGS):
        write_atomically(out / name, (work / name).read_bytes())
    for stale in set((out / PICTURES).glob("*.jpg")) - {out / PICTURES / file.name for file in fresh}:
        stale.unlink(missing_ok=True)


def header_of(table: Table, cameras: Sequence[str], recording: str | None, began: datetime | None) -> Header:
    """The header of a part: ``began`` where its pictures are of this moment, else ``recording``."""
    return Header(
        table=table.name,
        game=table.game,
        cameras=tuple(cameras),
        start_utc=None if began is None else began.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        recording=recording,
    )
