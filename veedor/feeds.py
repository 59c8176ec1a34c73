"""Which camera's recording is which file, and how much later each began: from the command line to feeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.errors import VeedorError
from veedor.config import Table, TableCamera, TableError, read_table_file
from vision.address import masked
from vision.source import open_source
from vision.sync import Motion, find_shift, motion_of

Progress = Callable[[str, float, float | None], None]


@dataclass(frozen=True, slots=True)
class Feed:
    """One camera's recording. ``offset_s``: added to its times it gives those of the first camera's;
    ``how``: where that is from, in words, for people."""

    camera: str
    video: Path
    offset_s: float = 0.0
    how: str = "taken to begin with the first"


def feeds_of(
    table: Table,
    videos: Sequence[tuple[str, Path]],
    offsets: Mapping[str, float],
    on_progress: Progress = lambda _what, _t, _of: None,
) -> tuple[Feed, ...]:
    """The recordings of several cameras with their offsets; ``videos``: camera and file, the first camera's
    clock counts. ``offsets``: those that a person gave.

    Raises a VeedorError, a sentence, for cameras that the table does not have, given twice, or without a
    recording, and for a recording that was given to two cameras.
    """
    seen: dict[str, str] = {}
    for camera, video in videos:
        table.camera(camera)
        if camera in seen:
            raise TableError(
                f"Camera {camera} is given two recordings, {seen[camera]} and {video}: give one recording to"
                " each camera; join recordings that follow each other first."
            )
        if (twin := next((c for c, v in seen.items() if _same_file(v, video)), None)) is not None:
            raise TableError(
                f"The recording {video} is given to two cameras, {twin} and {camera}: give each camera its"
                " own."
            )
        seen[camera] = str(video)
    for camera in offsets:
        if camera not in seen:
            raise TableError(
                f"An offset is given for camera {camera}, but no recording: give --camera {camera}=VIDEO, or"
                " leave the offset out."
            )
    chief, first = videos[0]
    if offsets.get(chief):
        raise TableError(
            f"Camera {chief} is the first, whose clock counts: give the offsets of the others against it."
        )
    motion = None
    feeds = [Feed(chief, first, 0.0, "the first")]
    for camera, video in videos[1:]:
        own = table.camera(camera)
        if camera in offsets:
            feeds.append(Feed(camera, video, offsets[camera], "as given"))
        elif own.offset_s is not None:
            feeds.append(Feed(camera, video, own.offset_s, "as the table file says"))
        else:
            on_progress("finding when the recordings begin", 0.0, None)
            motion = motion if motion is not None else _motion(table, table.camera(chief), first)
            found = find_shift(motion, _motion(table, own, video))
            feeds.append(
                Feed(camera, video)
                if found is None
                else Feed(camera, video, round(found.by_s, 2), "found from what moves on the felt")
            )
    return tuple(feeds)


def _same_file(one: str, other: Path) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # one is not there, which is said when it is opened
        return Path(one).absolute() == other.absolute()


def _motion(table: Table, camera: TableCamera, video: Path) -> Motion:
    with open_source(video, accept_cut_off=True) as source:
        frames = iter(source)
        first = next(frames, None)
        if first is None:
            raise VeedorError(f"{video} holds no picture: give a recording of the table.")
        fitted = camera.fitted(first.width_px, first.height_px, str(video))
        return motion_of(frames, fitted, table.layout)


def read_videos(video: str | None, cameras: Sequence[str], table_file: Path) -> list[tuple[str | None, Path]]:
    """The recordings to review, each with its camera (None: the table's first), the chief one first.

    From one file, or from ``NAME=VIDEO`` for each camera; with neither, from the files that the table file
    names as its cameras' sources. Raises VeedorError for what is none of these, or both.
    """
    if video is not None and cameras:
        raise VeedorError(
            f"The recording {masked(video)} is given without a camera, and others with --camera: give each"
            " camera's recording with --camera NAME=VIDEO."
        )
    if video is not None:
        return [(None, _file(video))]
    if cameras:
        pairs = [
            _pair(text, "--camera", "above=A.mp4", "the camera's name and its recording") for text in cameras
        ]
        return [(name, _file(place)) for name, place in pairs]
    sources = [
        (camera.id, table_file.parent / camera.source)
        for camera in read_table_file(table_file).cameras
        if camera.source is not None and "://" not in camera.source
    ]
    if not sources:
        raise VeedorError(
            "No recording is given: give its file, or --camera NAME=VIDEO for each of several cameras."
        )
    return [(name, path) for name, path in sources]


def read_offsets(offsets: Sequence[str]) -> dict[str, float]:
    """``NAME=SECONDS`` for each camera. Raises VeedorError for other text, or a camera given twice."""
    found: dict[str, float] = {}
    for text in offsets:
        name, seconds = _pair(text, "--offset", "oblique=1.25", "the camera's name and seconds")
        try:
            offset = float(seconds)
        except ValueError:
            offset = math.nan
        if not math.isfinite(offset):
            raise VeedorError(
                f"--offset {text} gives no seconds: write how much later that camera's recording begins, as"
                f" in --offset {name}=1.25."
            )
        if name in found:
            raise VeedorError(f"Camera {name} is given two offsets: give one.")
        found[name] = offset
    return found


def _pair(text: str, option: str, example: str, what: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise VeedorError(f"{option} {masked(text)} is not {what}: write them as in {option} {example}.")
    return name.strip(), value.strip()


def _file(place: str) -> Path:
    if "://" in place:
        raise VeedorError(
            f"veedor review takes a recording from a file, and {masked(place)} is an address: record the"
            " camera, and give the file."
        )
    return Path(place)
