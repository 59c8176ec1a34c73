"""A picture for each finding, readable at a glance: the moment with the evidence drawn in it, the spot before
and after, what was expected against what was seen, and the article.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.clock import clock
from rules.events import ChipState
from rules.findings import CoupSummary, Finding, Verdict
from rules.journal import Journal
from veedor.evidence_marks import (
    NOTHING,
    TEXT,
    UNSURE,
    Colour,
    Lying,
    Picture,
    concerned,
    evidence_marks,
    lying_in,
    mark_in,
    name_places,
    tone,
    width_of,
    write,
)
from veedor.store.overlay import Overlay
from vision.source import Frame

WIDTH_PX = 1280
_CROP_PX = 204
_MARGIN_PX = 14
_LABELS_PX = 86
_LINE_PX = 21
_AFTER_S = 1.0
"""The spot is shown once more this long after the finding: hands are then out of the way, mostly."""

_GROUND: Colour = (18, 15, 13)
_MUTED: Colour = (177, 165, 154)
_EDGE: Colour = (61, 49, 43)
_MOST_VIEWS = 4
_FAST_PNG = (cv2.IMWRITE_PNG_COMPRESSION, 1)


@dataclass(frozen=True, slots=True)
class Caption:
    """What a picture is of. ``table``: its name; ``recording``: the file's name."""

    table: str
    recording: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A picture that a finding needs: ``before`` it, ``at`` it, or ``after`` it."""

    finding: str
    t: float
    when: Literal["before", "at", "after"]


def moments(findings: Iterable[Finding], journal: Journal) -> list[Moment]:
    """The pictures needed for these findings, in time order.

    ``before`` is when the spot last changed ahead of the finding's own event; where there is no such event it
    is the start of the finding's span.
    """
    wanted = []
    for finding in findings:
        if (earlier := _before(finding, journal)) < finding.t - 0.15:
            wanted.append(Moment(finding.id, earlier, "before"))
        wanted.append(Moment(finding.id, finding.t, "at"))
        wanted.append(Moment(finding.id, max(finding.t, finding.t_to) + _AFTER_S, "after"))
    return sorted(wanted, key=lambda moment: moment.t)


def _before(finding: Finding, journal: Journal) -> float:
    spot = None if finding.spot is None else str(finding.spot)
    changes = [
        event.t
        for event in journal.events
        if isinstance(event, ChipState) and event.spot == spot and event.t < finding.t - 0.05
    ]
    return max(changes, default=min(finding.t_from, finding.t))


def at_moments(frames: Iterable[Frame], wanted: Sequence[Moment]) -> Iterator[tuple[Moment, Picture]]:
    """The picture shown at each moment (the last one not after it; the first if all are after)."""
    left = list(wanted)
    shown: Frame | None = None
    for frame in frames:
        if not left:
            return
        while left and shown is not None and frame.t > left[0].t + 1e-6:
            yield left.pop(0), shown.image
        shown = frame
    for moment in left:
        if shown is not None:
            yield moment, shown.image


@dataclass(frozen=True, slots=True)
class View:
    """The spot close up, a square BGR picture, and what is written on it."""

    label: str
    picture: Picture


NOTHING_BESIDE: Mapping[str, Sequence[View]] = MappingProxyType({})


def draw(
    finding: Finding,
    now: Picture,
    views: Sequence[View],
    overlay: Overlay,
    caption: Caption,
    lying: Lying = NOTHING,
) -> Picture:
    """The evidence picture, (H, 1280, 3) BGR: the moment above, a panel of words and close views below.

    ``now``: (h, w, 3) BGR, the recording's picture at the finding; ``views``: up to four, in time order;
    ``lying``: how the bets of its evidence lie.
    """
    scale = WIDTH_PX / now.shape[1]
    height = round(now.shape[0] * scale)
    right = WIDTH_PX - _MARGIN_PX - len(views) * (_CROP_PX + _MARGIN_PX)
    rows = _rows(finding, right - _MARGIN_PX - _LABELS_PX)
    panel = max(_CROP_PX + 2 * _MARGIN_PX + 3, 74 + sum(len(lines) * _LINE_PX + 5 for _, lines, _ in rows))
    canvas = np.full((height + panel, WIDTH_PX, 3), _GROUND, np.uint8)
    canvas[:height] = _resized(now, height)
    mark_in(canvas[:height], finding, overlay, lying)
    name_places(canvas[:height], finding, overlay, lying)
    cv2.rectangle(canvas, (0, height), (WIDTH_PX, height + 3), tone(finding), -1)
    top = height + 3 + _MARGIN_PX
    for number, view in enumerate(views):
        left = right + _MARGIN_PX + number * (_CROP_PX + _MARGIN_PX)
        canvas[top : top + _CROP_PX, left : left + _CROP_PX] = view.picture
        cv2.rectangle(canvas, (left, top), (left + _CROP_PX - 1, top + _CROP_PX - 1), _EDGE, 1)
        write(canvas, view.label, (left + 6, top + 18), 14, TEXT, 600, shadow=True)
    _words(canvas, finding, caption, rows, height + 3, right - _MARGIN_PX)
    return canvas


def _resized(picture: Picture, height: int) -> Picture:
    return np.asarray(cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8)


def close_view(
    finding: Finding, picture: Picture, overlay: Overlay, *, marked: bool, lying: Lying = NOTHING
) -> Picture | None:
    """The spot and the evidence close up, a square; None if the finding names no place in the picture."""
    spot = [np.asarray(outline) for outline in concerned(finding, overlay)]
    evidence = [np.asarray(mark.outline) for mark in evidence_marks(finding, overlay)]
    if spot:
        # Cards decide a payment too, but what is looked at closely is the bet.
        evidence = [outline for outline in evidence if _is_near(outline, spot[0])]
    if not (spot or evidence):
        return None
    around = np.vstack([*spot, *evidence]) * (picture.shape[1] / overlay.width_px)
    low, high = around.min(axis=0), around.max(axis=0)
    half = max(0.62 * float((high - low).max()), picture.shape[1] / 22)
    if marked:
        picture = picture.copy()
        mark_in(picture, finding, overlay, lying)
    return _crop(picture, (low + high) / 2, half)


def _is_near(outline: NDArray[np.float64], spot: NDArray[np.float64]) -> bool:
    """Whether something lies in a spot or less than half its size away from it."""
    low, high = spot.min(axis=0), spot.max(axis=0)
    margin = (high - low).max() / 2
    centre = outline.mean(axis=0)
    return bool(np.all(centre > low - margin) and np.all(centre < high + margin))


def _crop(picture: Picture, centre: NDArray[np.float64], half: float) -> Picture:
    grow = _CROP_PX / (2 * half)
    shift = np.array([[grow, 0, _CROP_PX / 2 - grow * centre[0]], [0, grow, _CROP_PX / 2 - grow * centre[1]]])
    view = cv2.warpAffine(picture, shift, (_CROP_PX, _CROP_PX), flags=cv2.INTER_CUBIC, borderValue=_GROUND)
    return np.asarray(view, np.uint8)


_Row = tuple[str, list[str], Colour]


def _rows(finding: Finding, room: int) -> list[_Row]:
    """The panel's rows: label, lines, colour."""
    rows = [
        ("Expected", finding.expected, TEXT),
        ("Seen", finding.seen, TEXT),
        ("Unclear", finding.reason, UNSURE),
        ("Rule", f"{finding.rule}, {finding.article}", _MUTED),
    ]
    return [(label, _wrapped(words, 16, room), colour) for label, words, colour in rows if words]


def _words(
    canvas: Picture, finding: Finding, caption: Caption, rows: Sequence[_Row], top: int, right: int
) -> None:
    """Write the panel's text between the picture's left edge and ``right``."""
    left = _MARGIN_PX
    title = finding.code.replace("_", " ")
    if finding.verdict is Verdict.UNDETERMINED:
        title = f"{title}?  UNDETERMINED"
    write(canvas, title, (left, top + 30), 24, tone(finding), 800)
    place = "" if finding.spot is None else f"{finding.spot}   "
    x = write(canvas, f"{place}{clock(finding.t)}   coup {finding.coup}", (left, top + 54), 18, TEXT, 700)
    for source in (f"{caption.table}   {caption.recording}", caption.recording):
        if x + 18 + width_of(source, 14, 400) <= right:
            write(canvas, source, (x + 18, top + 54), 14, _MUTED, 400)
            break
    y = top + 82
    for label, lines, colour in rows:
        write(canvas, label, (left, y), 14, _MUTED, 600)
        for line in lines:
            write(canvas, line, (left + _LABELS_PX, y), 16, colour, 400)
            y += _LINE_PX
        y += 5


def _wrapped(words: str, size: int, room: int) -> list[str]:
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, 400) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def pictures(
    frames: Iterable[Frame],
    findings: Sequence[Finding],
    coups: Iterable[CoupSummary],
    journal: Journal,
    overlay: Overlay,
    caption: Caption,
    done: Callable[[Finding, Picture], None],
    beside: Mapping[str, Sequence[View]] = NOTHING_BESIDE,
) -> None:
    """Draw the picture of each finding as its moment comes by; ``done`` gets each. ``coups``: theirs, which
    tell bets from payments; ``beside``: what other cameras saw of a finding (its id), close up.

    Only one pass over the recording is made, and only what is still needed is kept.
    """
    told = lying_in(journal, overlay, coups)
    by_id = {finding.id: finding for finding in findings}
    views: dict[str, list[View]] = {finding.id: [] for finding in findings}
    now: dict[str, bytes] = {}

    def finish(finding: Finding) -> None:
        picture = cv2.imdecode(np.frombuffer(now.pop(finding.id), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        shown = [*views.pop(finding.id), *beside.get(finding.id, ())][:_MOST_VIEWS]
        done(
            finding,
            draw(finding, np.asarray(picture, np.uint8), shown, overlay, caption, told),
        )

    for moment, picture in at_moments(frames, moments(findings, journal)):
        finding = by_id[moment.finding]
        if moment.when == "at":
            # Kept compressed until its last view is there: a long recording may have many of them open.
            now[finding.id] = cv2.imencode(".png", picture, _FAST_PNG)[1].tobytes()
        close = close_view(finding, picture, overlay, marked=moment.when == "at", lying=told)
        if close is not None:
            word = "" if moment.when == "at" else f"{moment.when}, "
            views[finding.id].append(View(f"{word}{clock(moment.t)}", close))
        if moment.when == "after":
            finish(finding)
