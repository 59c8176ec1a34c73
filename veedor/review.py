"""One review of one recording: seen, judged, drawn, and put in place only when all of it is there.

    OUT/journal.jsonl          the events
    OUT/findings.json          the judgement
    OUT/findings/<id>.jpg      a picture per finding

Everything is written into a folder beside OUT first. The store's entry and OUT then change together: if
either cannot be written, both stay as they were.
"""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import cv2

from rules.findings import Finding, Judgement
from rules.journal import Journal
from rules.journal import dumps as dump_journal
from veedor import evidence_cameras
from veedor.config import Table, TableCamera
from veedor.enrolled import files_of
from veedor.evidence import Caption, pictures
from veedor.evidence_marks import Picture
from veedor.feeds import Feed
from veedor.fingerprint import file_sha256, fingerprint
from veedor.preview import is_playable, make_preview
from veedor.projecting import Sizes, make_felt, make_overlay
from veedor.store import NewReview, Recording, Store, StoreError
from veedor.store.felt import dumps as dump_felt
from veedor.store.overlay import Overlay
from veedor.store.overlay import dumps as dump_overlay
from veedor.store.records import DRAWING, FELT, FINDINGS, JOURNAL, OVERLAY, PICTURES
from vision.camera import Camera
from vision.chip_colours import colour_name
from vision.source import open_source
from vision.steady import moves_of, steadied

Progress = Callable[[str, float, float | None], None]
"""Told what is being done, how far it is (seconds of the recording), and of how much (None: not known)."""

PREVIEW = "preview.mp4"
_ABANDONED_S = 24 * 3600.0
_PAINT = {
    "white": "#d9d9d6",
    "grey": "#8b9096",
    "black": "#23262a",
    "red": "#b3302b",
    "orange": "#cf6d1f",
    "brown": "#6b4a33",
    "yellow": "#c9a227",
    "green": "#1f7a3d",
    "blue": "#2a5db0",
    "purple": "#6a2c91",
    "pink": "#c76a93",
}
"""Chip colours by name, as pages draw them."""
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 88)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished review. ``number``: its number in the store."""

    number: int
    journal: Journal
    judgement: Judgement
    pictures: int


def review(
    video: Path,
    table: Table,
    out: Path,
    store: Store,
    *,
    watch: Callable[[Table, Path, Progress], Journal],
    judge: Callable[[Journal, Table], Judgement],
    on_progress: Progress = lambda _what, _t, _of: None,
    feeds: Sequence[Feed] = (),
) -> Reviewed:
    """Review a recording into ``out`` and the store. ``watch`` makes the journal, ``judge`` the judgement.
    ``feeds``: the recordings of named cameras; ``video`` is that of the first, whose picture pages show.

    Raises VeedorError, with an earlier result in ``out`` and in the store as it was.
    """
    with _work_folder(out) as work:
        on_progress("checking the recording", 0.0, None)
        width_px, height_px = _picture_size(video)
        camera = table.camera(feeds[0].camera if feeds else None)
        fitted = camera.fitted(width_px, height_px, str(video))
        chief = _recording(video, width_px, height_px)
        others = tuple(_recording(feed.video, *_picture_size(feed.video)) for feed in feeds[1:])
        made_by = fingerprint(files_of(table))
        journal = watch(table, video, on_progress)
        judgement = judge(journal, table)
        overlay = _overlay(journal, camera, fitted, table)
        felt = make_felt(table.layout, table.chips.diameter_mm, chip_colours(table))
        _write(work / JOURNAL, dump_journal(journal).encode())
        _write(work / FINDINGS, judgement.dumps().encode())
        _write(work / OVERLAY, dump_overlay(overlay).encode())
        _write(work / FELT, dump_felt(felt).encode())
        _write(work / DRAWING, table.layout.svg.encode())
        drawn = _draw_all(video, table, journal, judgement, overlay, work / PICTURES, on_progress, feeds)
        preview = _preview(video, work, journal.header.duration_s, on_progress)
        new = NewReview(
            table=table.name,
            recording=replace(
                chief,
                duration_s=journal.header.duration_s or max((event.t for event in journal.events), default=0),
            ),
            others=others,
            journal=journal,
            judgement=judgement,
            pictures=drawn,
            preview=preview,
            made_by=made_by,
            reviewed_at=datetime.now(UTC),
        )
        on_progress("putting it in place", 0.0, None)
        number = store.save(new, work, before_commit=lambda: _publish(work, out))
    return Reviewed(number, journal, judgement, len(drawn))


def _recording(video: Path, width_px: int, height_px: int) -> Recording:
    """What is kept of a recording, whose length is not known yet."""
    return Recording(
        path=str(video.absolute()),
        sha256=file_sha256(video),
        size_bytes=video.stat().st_size,
        duration_s=0.0,
        width_px=width_px,
        height_px=height_px,
    )


def _picture_size(video: Path) -> tuple[int, int]:
    with open_source(video) as source:
        for _ in source:
            break
        return source.width_px, source.height_px


def chip_colours(table: Table) -> dict[int, str]:
    """How to draw each denomination of the house: ``#rrggbb``."""
    drawn = {}
    for chip in table.chips.chips:
        word = colour_name(chip.name) if chip.name is not None else None
        if chip.rgb is not None:
            drawn[chip.value] = "#{:02x}{:02x}{:02x}".format(*chip.rgb)
        else:
            drawn[chip.value] = _PAINT.get(word or "", "#5b6675")
    return drawn


def _overlay(journal: Journal, camera: TableCamera, fitted: Camera, table: Table) -> Overlay:
    return make_overlay(
        journal,
        camera.id,
        fitted,
        table.layout,
        sizes=Sizes(table.deck.size_mm, (table.chips.diameter_mm, table.chips.height_mm)),
        chip_colours=chip_colours(table),
        error=camera.calibration.error,
    )


def _draw_all(
    video: Path,
    table: Table,
    journal: Journal,
    judgement: Judgement,
    overlay: Overlay,
    folder: Path,
    on_progress: Progress,
    feeds: Sequence[Feed],
) -> dict[str, str]:
    """A picture for each finding into ``folder``; returns finding id to file name."""
    names: dict[str, str] = {}
    folder.mkdir()
    if not judgement.findings:
        return names

    def keep(finding: Finding, picture: Picture) -> None:
        name = f"{file_name(finding.id)}.jpg"
        done, jpeg = cv2.imencode(".jpg", picture, _JPEG)
        if not done:
            raise StoreError(f"The picture of finding {finding.id} cannot be made into a JPEG.")
        _write(folder / name, jpeg.tobytes())
        names[finding.id] = name
        on_progress("drawing the evidence", finding.t, journal.header.duration_s)

    if len(feeds) > 1:
        seen = []
        for feed in feeds:
            own = table.camera(feed.camera)
            fitted = own.fitted(*_picture_size(feed.video), str(feed.video))
            drawn = _overlay(journal, own, fitted, table)
            moves = moves_of(journal.events, own.id)
            steady = partial(steadied, camera=fitted, moves=moves)
            seen.append(evidence_cameras.Camera(feed.camera, feed.video, feed.offset_s, drawn, steady))
        evidence_cameras.pictures_by_camera(
            seen, judgement.findings, judgement.coups, journal, table.name, keep
        )
        return names
    with open_source(video) as frames:
        caption = Caption(table.name, video.name)
        camera = table.camera(feeds[0].camera if feeds else None)
        moves = moves_of(journal.events, camera.id)
        fitted = camera.fitted(overlay.width_px, overlay.height_px, str(video))
        shown = steadied(frames, fitted, moves) if moves else frames
        pictures(shown, judgement.findings, judgement.coups, journal, overlay, caption, keep)
    return names


def file_name(finding: str) -> str:
    """A finding's id as a file name on any system: what might not be allowed in one becomes ``_``."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in finding)


def _preview(video: Path, work: Path, duration_s: float | None, on_progress: Progress) -> str | None:
    if is_playable(video):
        return None
    make_preview(video, work / PREVIEW, lambda t: on_progress("making a copy for the browser", t, duration_s))
    return PREVIEW


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise StoreError(_cannot(file, error)) from error


def _cannot(file: Path, error: OSError) -> str:
    return (
        f"{file} cannot be written ({error.strerror or error}). "
        "Check the free space and the folder's rights; the earlier result is untouched."
    )


@contextmanager
def _work_folder(out: Path) -> Iterator[Path]:
    """A folder beside ``out`` (inside it, where ``out`` is a file system of its own), gone afterwards."""
    out = out.absolute()
    if out.exists() and not out.is_dir():
        raise StoreError(f"{out} is a file, not a folder. Give another --out.")
    made = [folder for folder in (out.parent, *out.parent.parents) if not folder.exists()]
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        same = not out.exists() or out.stat().st_dev == out.parent.stat().st_dev
        beside = out.parent if same and os.access(out.parent, os.W_OK) else out
        _sweep(beside, out.name)
        work = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".partial", dir=beside))
    except OSError as error:
        raise StoreError(_cannot(out, error)) from error
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if not out.exists():
            for folder in made:
                with suppress(OSError):
                    folder.rmdir()


def _sweep(beside: Path, name: str) -> None:
    """Remove what runs for the same place left behind that were killed long ago."""
    for left in beside.glob(f".{glob.escape(name)}.*.partial"):
        if time.time() - left.stat().st_mtime > _ABANDONED_S:
            shutil.rmtree(left, ignore_errors=True)


def _publish(work: Path, out: Path) -> None:
    """Put the finished files into ``out``, each by one rename; if one cannot be, all are put back."""
    keep = work / "earlier"
    undo: list[tuple[Path, Path | None]] = []  # a file in place, and the earlier one to put back
    try:
        (out / PICTURES).mkdir(parents=True, exist_ok=True)
        keep.mkdir()
        fresh = sorted((work / PICTURES).iterdir())
        stale = set((out / PICTURES).glob("*.jpg")) - {out / PICTURES / f.name for f in fresh}
        places = [(file, out / PICTURES / file.name) for file in fresh]
        places += [(work / name, out / name) for name in (JOURNAL, FINDINGS)]
        for number, (file, place) in enumerate(places):
            earlier = keep / str(number) if place.exists() else None
            if earlier is not None:
                shutil.copy2(place, earlier)
            undo.append((place, earlier))
            file.replace(place)
        for number, file in enumerate(sorted(stale), start=len(places)):
            undo.append((file, keep / str(number)))
            file.replace(keep / str(number))
    except BaseException as error:
        for place, earlier in reversed(undo):
            if earlier is None:
                place.unlink(missing_ok=True)
            elif earlier.exists():
                earlier.replace(place)
        if isinstance(error, OSError):
            raise StoreError(_cannot(out, error)) from error
        raise
