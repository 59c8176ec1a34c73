"""Evidence of several cameras: a finding's picture by the camera that saw it, the others' views beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rules.clock import clock
from rules.events import ViewBack, ViewLost
from rules.findings import CoupSummary, Finding
from rules.journal import Journal
from veedor.evidence import Caption, View, close_view, pictures
from veedor.evidence_marks import Picture, concerned
from veedor.store.overlay import Overlay
from vision.source import Frame, open_source


def _recording(video: Path) -> AbstractContextManager[Iterable[Frame]]:
    return open_source(video, accept_cut_off=True)


@dataclass(frozen=True, slots=True)
class Camera:
    """One camera's recording. ``offset_s``: added to its times it gives the journal's. ``steady``: turns its
    pictures, with the journal's times, back to those of the calibrated camera where that was moved.
    ``opened``: its pictures, from the first on each time."""

    name: str
    video: Path
    offset_s: float
    overlay: Overlay
    steady: Callable[[Iterable[Frame]], Iterator[Frame]] = iter
    opened: Callable[[Path], AbstractContextManager[Iterable[Frame]]] = _recording

    def frames(self, source: Iterable[Frame]) -> Iterator[Frame]:
        """The recording's frames as the overlay is drawn for, at the journal's times."""
        return self.steady(_shifted(source, self.offset_s))


def pictures_by_camera(
    cameras: Sequence[Camera],
    findings: Sequence[Finding],
    coups: Sequence[CoupSummary],
    journal: Journal,
    table: str,
    done: Callable[[Finding, Picture], None],
) -> None:
    """Draw the picture of each finding; ``coups``: theirs; ``cameras``: the chief one first. Each
    recording is read twice at most: for what stands beside the others' pictures, and for its own."""
    lost = _losses(journal)
    chief = {finding.id: chief_of(finding, journal, cameras, lost) for finding in findings}
    beside: dict[str, list[View]] = {}
    for camera in cameras:
        others = [
            finding
            for finding in findings
            if chief[finding.id] is not camera
            and not _is_lost(lost, camera.name, finding.t)
            and _in_picture(finding, camera.overlay)
        ]
        for finding, view in _close_views(camera, others):
            beside.setdefault(finding.id, []).append(view)
    for camera in cameras:
        own = [finding for finding in findings if chief[finding.id] is camera]
        if own:
            with camera.opened(camera.video) as source:
                caption = Caption(table, f"{camera.video.name} ({camera.name})")
                pictures(camera.frames(source), own, coups, journal, camera.overlay, caption, done, beside)


def chief_of(
    finding: Finding,
    journal: Journal,
    cameras: Sequence[Camera],
    lost: Mapping[str, list[tuple[float, float]]],
) -> Camera:
    """The camera whose pictures show a finding: that in which most of its evidence at its spot was seen, else
    of all its evidence, of those that saw at all then."""
    wanted = set(finding.evidence_seq)
    spot = None if finding.spot is None else str(finding.spot)
    seen: list[str] = []
    there: list[str] = []
    for event in journal.events:
        if event.seq in wanted and event.evidence is not None:
            seen.append(event.evidence.camera)
            if getattr(event, "spot", None) == spot:
                there.append(event.evidence.camera)
    return max(
        cameras,
        key=lambda each: (
            not _is_lost(lost, each.name, finding.t),
            there.count(each.name),
            seen.count(each.name),
            -cameras.index(each),
        ),
    )


def _losses(journal: Journal) -> dict[str, list[tuple[float, float]]]:
    """When each camera saw nothing, seconds from and to."""
    back = {event.lost: event.t for event in journal.events if isinstance(event, ViewBack)}
    found: dict[str, list[tuple[float, float]]] = {}
    for event in journal.events:
        if isinstance(event, ViewLost) and event.camera is not None:
            t_to = back.get(event.seq, math.inf if event.t_to is None else event.t_to)
            found.setdefault(event.camera, []).append((event.t, t_to))
    return found


def _is_lost(lost: Mapping[str, list[tuple[float, float]]], camera: str, t: float) -> bool:
    return any(t_from < t < t_to for t_from, t_to in lost.get(camera, ()))


def _in_picture(finding: Finding, overlay: Overlay) -> bool:
    """Whether the spot that a finding is about lies in the picture."""
    for outline in concerned(finding, overlay):
        x, y = np.asarray(outline).mean(axis=0)
        return bool(0 <= x < overlay.width_px and 0 <= y < overlay.height_px)
    return False


def _close_views(camera: Camera, findings: Sequence[Finding]) -> Iterator[tuple[Finding, View]]:
    """The spot of each finding at its moment, as this camera saw it."""
    left = sorted(findings, key=lambda finding: finding.t)
    if not left:
        return
    with camera.opened(camera.video) as source:
        shown: Frame | None = None
        for frame in camera.frames(source):
            while left and frame.t > left[0].t + 1e-6:
                finding = left.pop(0)
                close = None if shown is None else _close(finding, shown, camera.overlay)
                if close is not None:
                    yield finding, View(f"{camera.name}, {clock(finding.t)}", close)
            if not left:
                return
            shown = frame


def _close(finding: Finding, frame: Frame, overlay: Overlay) -> Picture | None:
    return close_view(finding, np.asarray(frame.image, np.uint8), overlay, marked=True)


def _shifted(frames: Iterable[Frame], by_s: float) -> Iterator[Frame]:
    for frame in frames:
        frame.t += by_s
        yield frame
