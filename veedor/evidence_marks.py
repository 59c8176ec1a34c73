"""What is drawn into an evidence picture: the felt's zones and lines, the evidence, and how its bets lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from dashboards.places import Lies, LyingOut, by_id, lying
from rules.corrections import as_corrected
from rules.events import ChipState
from rules.findings import CoupSummary, Finding, Verdict
from rules.journal import Journal
from veedor.store.overlay import Mark, Overlay, Polygon

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Lying = Mapping[tuple[int, int, str], LyingOut]
"""How the bets of coups lie: by coup, the event that saw one, and its name."""
NOTHING: Lying = MappingProxyType({})

TEXT: Colour = (234, 230, 227)
UNSURE: Colour = (220, 180, 147)
_PICK: Colour = (78, 193, 242)
_BREACH: Colour = (104, 125, 255)
_ZONE: Colour = (150, 150, 150)
_LIES: dict[Lies, Colour] = {
    Lies.INSIDE: (154, 199, 131),
    Lies.HALF_LINE: (61, 160, 255),
    Lies.SPLITTING_LINE: (200, 111, 255),
    Lies.OUTSIDE: (177, 165, 154),
    Lies.UNSURE: (247, 214, 188),
}
_DASHES = 20


def lying_in(journal: Journal, overlay: Overlay, coups: Iterable[CoupSummary]) -> Lying:
    """How the bets of some coups lie. What was no bet of one, a payment for the most part, is not told: on
    which line it lies means nothing."""
    lines = by_id(overlay.lines)
    staked: dict[str, list[int]] = {}
    for coup in coups:
        for bet in coup.bets:
            staked.setdefault(bet.stack, []).append(coup.coup)
    return {
        (coup, event.seq, stack.stack): lying(stack, event.spot, lines)
        for event in as_corrected(journal.events).events
        if isinstance(event, ChipState)
        for stack in event.stacks
        for coup in staked.get(stack.stack, ())
    }


def evidence_marks(finding: Finding, overlay: Overlay) -> list[Mark]:
    """What the finding rests on, each card or stack once, as it was seen last."""
    latest: dict[str, Mark] = {}
    for mark in overlay.marks:
        if mark.seq in finding.evidence_seq:
            latest[mark.thing or f"event {mark.seq}"] = mark
    return list(latest.values())


def tone(finding: Finding) -> Colour:
    """The colour of a finding."""
    return _BREACH if finding.verdict is Verdict.BREACH else UNSURE


def concerned(finding: Finding, overlay: Overlay) -> list[Polygon]:
    """The outlines of the spot that the finding is about."""
    spot = None if finding.spot is None else str(finding.spot)
    return [zone.outline for zone in overlay.zones if zone.spot == spot]


def mark_in(view: Picture, finding: Finding, overlay: Overlay, lies: Lying = NOTHING) -> None:
    """Draw zones, lines and evidence into ``view``, in place, with the rest of it a little darker."""
    scale = view.shape[1] / overlay.width_px
    spots = [scaled(outline, scale) for outline in concerned(finding, overlay)]
    marks = evidence_marks(finding, overlay)
    evidence = [scaled(mark.outline, scale) for mark in marks]
    view[:] = _dimmed(view, [*spots, *evidence])
    zones = [scaled(zone.outline, scale) for zone in overlay.zones]
    cv2.polylines(view, zones, True, _ZONE, 1, cv2.LINE_AA)
    cv2.polylines(view, spots, True, _PICK, 3, cv2.LINE_AA)
    cv2.polylines(view, evidence, True, tone(finding), 2 if lies else 3, cv2.LINE_AA)
    bets = list(_bets(finding, marks, lies))
    used = {place.line for _, how in bets for place in how.places}
    for line in overlay.lines:
        if line.id in used:
            ink = _LIES[Lies.HALF_LINE if line.effect == "halves" else Lies.SPLITTING_LINE]
            cv2.polylines(view, [scaled(path, scale) for path in line.paths], False, ink, 4, cv2.LINE_AA)
    for mark, how in bets:
        ink = _LIES[how.lies]
        _ring(view, scaled(mark.doubt, scale), ink, 2 if how.lies is Lies.UNSURE else 1)
        if mark.base:
            cv2.polylines(view, [scaled(mark.base, scale)], True, ink, 2, cv2.LINE_AA)


def _bets(finding: Finding, marks: Sequence[Mark], lies: Lying) -> Iterator[tuple[Mark, LyingOut]]:
    """The stacks of a finding's evidence of which it is worth saying how they lie: bets of a spot."""
    if finding.spot is None or finding.spot.bet is None:
        return
    first: set[str] = set()
    for mark in marks:
        how = lies.get((finding.coup, mark.seq, mark.thing or ""))
        if how is not None and mark.thing not in first:
            first.add(mark.thing or "")
            yield mark, how


def _ring(view: Picture, points: NDArray[np.int32], ink: Colour, thick: int) -> None:
    """A dashed closed line."""
    step = max(1, len(points) // _DASHES)
    for start in range(0, len(points), 2 * step):
        dash = np.take(points, np.arange(start, start + step + 1), axis=0, mode="wrap")
        cv2.polylines(view, [dash], False, ink, thick, cv2.LINE_AA)


def name_places(view: Picture, finding: Finding, overlay: Overlay, lies: Lying = NOTHING) -> None:
    """Write the spot's name over it, and under each bet of the evidence how it lies, unless inside."""
    scale = view.shape[1] / overlay.width_px
    for outline in concerned(finding, overlay)[:1]:
        points = scaled(outline, scale)
        _centred(view, str(finding.spot), points[:, 0].mean(), points[:, 1].min() - 8, 18, _PICK)
    for mark, how in _bets(finding, evidence_marks(finding, overlay), lies):
        if how.lies is not Lies.INSIDE and mark.base:
            base = scaled(mark.base, scale)
            words = [how.says] if how.lies is not Lies.UNSURE else _chances(how)
            for row, text in enumerate(words):
                under = float(base[:, 1].max()) + 22 + 18 * row
                _centred(view, text, base[:, 0].mean(), under, 15, _LIES[how.lies])


def _chances(how: LyingOut) -> list[str]:
    return ["too close to call", *(f"{place.says} {place.p:.0%}" for place in how.places[:3])]


def _centred(view: Picture, words: str, x: float, y: float, size: int, ink: Colour) -> None:
    wide = width_of(words, size, 700)
    left = int(np.clip(x - wide / 2, 6, max(6, view.shape[1] - wide - 6)))
    write(view, words, (left, int(np.clip(y, 20, view.shape[0] - 6))), size, ink, 700, shadow=True)


def _dimmed(view: Picture, kept: Sequence[NDArray[np.int32]]) -> Picture:
    """Everything a little darker but what the finding is about."""
    if not kept:
        return view
    light = np.zeros(view.shape[:2], np.uint8)
    for outline in kept:
        cv2.fillPoly(light, [cv2.convexHull(outline)], 255)
    light = np.asarray(cv2.dilate(light, np.ones((41, 41), np.uint8)), np.uint8)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), 18), np.uint8)
    share = (0.62 + 0.38 * (light.astype(np.float32) / 255))[..., None]
    return np.asarray(view * share, np.float32).round().astype(np.uint8)


def scaled(outline: Polygon, scale: float) -> NDArray[np.int32]:
    """An outline as (n, 2) whole pixels of a picture of another size."""
    return np.round(np.asarray(outline, np.float64).reshape(-1, 2) * scale).astype(np.int32)


_FONTS: dict[str, cv2.FontFace] = {}


def _font() -> cv2.FontFace:
    # Made when first needed: OpenCV unpacks the typeface then.
    if "sans" not in _FONTS:
        _FONTS["sans"] = cv2.FontFace("sans")
    return _FONTS["sans"]


def width_of(words: str, size: int, weight: int) -> int:
    """How wide one line of words is, pixels."""
    return int(cv2.getTextSize((1280, size), words, (0, 0), _font(), size, weight)[2])


def write(
    canvas: Picture,
    words: str,
    at: tuple[int, int],
    size: int,
    colour: Colour,
    weight: int,
    *,
    shadow: bool = False,
) -> int:
    """Write one line with its baseline at ``at``; returns where it ends, pixels from the left."""
    wrap = (0, 1 << 20)  # never: lines are broken before
    if shadow:
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1), (1, 1)):
            cv2.putText(canvas, words, (at[0] + dx, at[1] + dy), (0, 0, 0), _font(), size, weight, 0, wrap)
    cv2.putText(canvas, words, at, colour, _font(), size, weight, 0, wrap)
    return at[0] + width_of(words, size, weight)
