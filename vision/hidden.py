"""Hands' places of which a part is hidden for long: somebody or something stands before the camera.

What lies behind it is not seen to be missing: a third card dealt there looks like none. An arm that comes and
goes is no matter (what lay below is remembered), nor are cards and chips. So three things must come together,
and last: a stretch of the place's printed outline is gone, the felt within has another colour there, and
nothing that is known lies over either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rules.spots import Area, Spot
from vision.camera import Camera, Floats
from vision.footprint import Mask
from vision.layout import Layout, Zone
from vision.printed import PrintedLines
from vision.refining import Strokes, find_strokes
from vision.stillness import Picture
from vision.telling import Teller

EVERY_S = 1.0
_LAST_S = 4.0
"""So long a place must be hidden before it is said to be."""
_UNWATCHED_S = 2.5
"""So long without a look, the view was lost: what hides a place now need not be what hid it before."""
_BACK = 2
"""Looks in a row at which it is seen whole before it is said to be seen again."""
_SPACING_PX, _MOST = 4.0, 4000
_REACH_MM, _ON_MM = 9.0, 4.5
"""A line is sought so far from where it should be, and is there if it lies so near."""
_GONE_MM = 45.0
"""A shorter stretch may be worn, under a light, or beside a card's corner."""
_GRID_MM, _OFF_LINES_MM = 8.0, 6.0
_OTHER = 0.08
"""Part of the place whose colour is not the felt's."""
_NOWHERE, _NO_FELT = 0.9, 0.6
"""Of an outline more than the first part of which is gone, more than the second part within must be so."""
_FEWEST = 50
"""The felt's colour is taken from so many points at least."""
_UNLIKE = 9.0
"""CIE a*b*, apart from the felt's: shadows and lamps change the lightness, not much else."""
_DARKER = 44.0
"""CIE L*, for felts without a colour."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A hand's place. ``lines``: points along its outline, in order; ``step_mm``: between them; ``inside``
    (n, 2): points of its felt off the lines, pixels."""

    spot: Spot
    lines: PrintedLines
    step_mm: float
    inside: Floats


@dataclass(slots=True)
class _Spell:
    since: float
    told: bool = False
    whole: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A place is hidden since ``t``, or seen again from then on."""

    spot: Spot
    t: float
    hidden: bool


class HiddenPlaces:
    """Give it a picture now and then; it tells which hands' places are partly hidden, and when that ends."""

    def __init__(self, camera: Camera, layout: Layout) -> None:
        """``camera``: of the pictures."""
        self._size = np.array([camera.width_px, camera.height_px])
        lines = PrintedLines.of(layout, camera, _SPACING_PX, _MOST)
        zones = [z for z in layout.zones if z.spot.area in (Area.HAND, Area.COMMUNITY) and not z.hidden]
        places = [_place(zone, lines, camera) for zone in zones]
        self._places = [place for place in places if place is not None]
        every = [_grid(zone) for zone in layout.zones if not zone.hidden]
        felt = np.concatenate([np.zeros((0, 2)), *every])
        felt = felt[camera.in_view(felt)] if len(felt) and len(lines) else felt[:0]
        self._felt_px = camera.project(felt) if len(felt) else felt
        near = cKDTree(lines.at_mm).query(felt)[1] if len(felt) else np.zeros(0, np.int64)
        which, self._nearest = np.unique(near, return_inverse=True)
        self._beside_felt = lines.only(which.astype(np.int64))
        self._looked = -np.inf
        self._spells: dict[Spot, _Spell] = {}
        self._lost: dict[Spot, int] = {}

    @property
    def now(self) -> frozenset[Spot]:
        """The places that are said to be hidden at present."""
        return frozenset(spot for spot, spell in self._spells.items() if spell.told)

    def due(self, t: float) -> bool:
        """Whether another look is due at ``t``, seconds."""
        return bool(self._places) and t - self._looked >= EVERY_S

    def look(self, t: float, image: Picture, explained: Mask, *, last: bool = False) -> list[Change]:
        """Look at a picture (H, W, 3); ``explained`` (h, w), of any size: where arms, cards and chips are.
        ``last``: the recording ends, and what is hidden now, not at this look first, was so for as long as it
        will be known."""
        if t - self._looked > _UNWATCHED_S:
            self._spells = {spot: spell for spot, spell in self._spells.items() if spell.told}
        self._looked = t
        known = _Known(explained, self._size)
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        soft = np.asarray(cv2.blur(image, (3, 3)), np.uint8)
        felt = self._felt(soft, grey)
        changes = []
        for place in self._places:
            hidden = self._is_hidden(place, soft, grey, felt, known)
            spell = self._spells.get(place.spot)
            if spell is None:
                if hidden:
                    self._spells[place.spot] = spell = _Spell(t)
                else:
                    continue
            spell.whole = 0 if hidden else spell.whole + 1
            if hidden and not spell.told and (t - spell.since >= _LAST_S or (last and t > spell.since)):
                spell.told = True
                changes.append(Change(place.spot, spell.since, hidden=True))
            elif not hidden and (not spell.told or spell.whole >= _BACK):
                if spell.told:
                    changes.append(Change(place.spot, t, hidden=False))
                del self._spells[place.spot]
        return changes

    def tell(self, teller: Teller, changes: Sequence[Change]) -> None:
        """Tell them as events."""
        for change in changes:
            if change.hidden:
                self._lost[change.spot] = teller.view_lost(change.t, "covered", None, change.spot)
            else:
                teller.camera_back(change.t, self._lost.pop(change.spot), None)

    def _felt(self, soft: Picture, grey: NDArray[np.uint8]) -> Floats:
        """(3,): the felt's colour, CIE L*a*b*: where the nearest line is seen, if enough is, since what hides
        a place may hide most of the felt."""
        if not len(self._felt_px):
            return np.zeros(3)
        seen = _there(find_strokes(grey, self._beside_felt, _REACH_MM, np.zeros(2)))[self._nearest]
        lab = _lab(soft, self._felt_px[seen] if seen.sum() >= _FEWEST else self._felt_px)
        return np.asarray(np.median(lab, axis=0))

    def _is_hidden(
        self, place: _Place, soft: Picture, grey: NDArray[np.uint8], felt: Floats, known: _Known
    ) -> bool:
        gone = ~_there(find_strokes(grey, place.lines, _REACH_MM, np.zeros(2)))
        gone &= ~known.at(place.lines.px)
        if _longest(gone) * place.step_mm < _GONE_MM:
            return False
        free = ~known.at(place.inside)
        if free.sum() < 0.3 * len(free):
            return False
        away = _lab(soft, place.inside[free]) - felt
        unlike = (np.hypot(away[:, 1], away[:, 2]) > _UNLIKE) | (np.abs(away[:, 0]) > _DARKER)
        # An outline that is nowhere is rather too faint for this camera, unless the felt is nowhere either.
        return float(unlike.mean()) > (_OTHER if gone.mean() < _NOWHERE else _NO_FELT)


def _there(found: Strokes) -> NDArray[np.bool_]:
    """Which points of lines are seen where they should be."""
    return np.asarray(found.there & (np.abs(found.off_mm) < _ON_MM))


class _Known:
    """Where something known lies, asked by pixels of the full picture."""

    def __init__(self, mask: Mask, size: NDArray[np.int64]) -> None:
        around = np.ones((5, 5), np.uint8)
        self._mask = cv2.dilate(mask.view(np.uint8), around) > 0
        self._scale = np.array(mask.shape[::-1]) / size

    def at(self, px: Floats) -> NDArray[np.bool_]:
        columns, rows = np.floor(px * self._scale).astype(int).T
        high, wide = self._mask.shape
        return np.asarray(self._mask[rows.clip(0, high - 1), columns.clip(0, wide - 1)])


def _place(zone: Zone, lines: PrintedLines, camera: Camera) -> _Place | None:
    """The zone's place, None where the camera sees too little of its outline."""
    which = np.flatnonzero(shapely.distance(zone.polygon.exterior, shapely.points(lines.at_mm)) < 0.5)
    if len(which) < 12:
        return None
    inside = _grid(zone)
    inside = inside[camera.in_view(inside)]
    if len(inside) < 12:
        return None
    outline = lines.only(which)
    steps_mm = np.hypot(*np.diff(outline.at_mm, axis=0).T)
    # Some of the outline may be out of view: what lies between two points there is no step.
    step_mm = float(steps_mm[steps_mm < 3 * np.median(steps_mm)].mean())
    return _Place(zone.spot, outline, step_mm, camera.project(inside))


def _grid(zone: Zone) -> Floats:
    """(n, 2): points of a zone's felt, off its outline, mm."""
    inner = zone.polygon.buffer(-_OFF_LINES_MM)
    if inner.is_empty:
        return np.zeros((0, 2))
    x0, y0, x1, y1 = inner.bounds
    x, y = np.meshgrid(np.arange(x0, x1, _GRID_MM), np.arange(y0, y1, _GRID_MM))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    return np.asarray(points[np.asarray(shapely.contains_xy(inner, points[:, 0], points[:, 1]))])


def _lab(soft: Picture, px: Floats) -> Floats:
    """(n, 3): CIE L*a*b* at points of a picture that was blurred a little."""
    if not len(px):
        return np.zeros((0, 3))
    at = np.asarray(px, np.float32)[None] - 0.5
    seen = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    lab = cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(lab[0], np.float64)


def _longest(gone: NDArray[np.bool_]) -> int:
    """The longest run of a closed chain's points; one that is there by chance does not end it."""
    bridged = gone | (np.roll(gone, 1) & np.roll(gone, -1))
    if bridged.all():
        return len(bridged)
    start = int(np.flatnonzero(~bridged)[0])
    best = run = 0
    for each in np.roll(bridged, -start):
        run = run + 1 if each else 0
        best = max(best, run)
    return best
