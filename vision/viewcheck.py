"""Whether the camera still sees the table: dark, frozen, covered, blurred, or moved against its calibration.

Cheap checks on the brightness of a few small pictures a second. They are made to be silent in play: hands
cover some boxes, never all; the light changes slowly; noise differs from picture to picture. So each needs
a condition that play cannot bring about, and needs it for a while:

- **dark**: hardly a pixel is brighter than black, for a second;
- **frozen**: the very same picture, to the last grey level, for two seconds, from a camera whose pictures
always differed before;
- **moved**: the layout's printed lines are clearly there, but a constant distance beside where the
calibration puts them (5 to 25 pixels), for two seconds; or they are gone while the picture is as sharp as
ever; - **blurred**: the lines are gone and the picture is soft, but in the large it is what it was;
- **covered**: the lines are gone, and so is what was there.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.spots import Area
from vision.camera import Camera, Floats
from vision.layout import Layout

Reason = Literal["dark", "frozen", "moved", "blurred", "covered"]
Luma = NDArray[np.uint8]
Small = NDArray[np.float32]

_WIDTH = 640
_EVERY_S = 0.25
_HOLD_S: dict[Reason, float] = {"dark": 1.0, "frozen": 2.0, "moved": 2.0, "blurred": 2.0, "covered": 1.5}
"""How long a condition has to last before it is said."""
_DARK_LEVEL = 44
"""Brightness (of 255, video black is 16) that a lit table's white lines and cards always exceed."""
_MOVED_PX = 5.0
_REACH_PX = 25.0
_LEARN = 8
"""Looks from which the usual picture is learned."""
_STEP_MM = 6.0


@dataclass(frozen=True, slots=True)
class Lost:
    """The view was lost from ``t`` to ``t_to`` (None: to the end of the recording), seconds."""

    reason: Reason
    t: float
    t_to: float | None


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One look. ``brightest``: grey level; ``off_px``, ``advantage``, ``here``: see ``_standing``;
    ``crisp``, ``sharp``: strength of the printed lines and of all edges, by the picture's contrast;
    ``coarse`` (9, 16): the picture in the large."""

    brightest: float
    off_px: float
    advantage: float
    here: float
    crisp: float
    sharp: float
    coarse: Small


class ViewCheck:
    """Watches one camera's view. Give it every picture's brightness; it tells each loss once it is over.

    ``camera``: the calibrated camera at the pictures' size. Its checks of the printed lines switch themselves
    off if the first pictures do not show them.
    """

    def __init__(self, camera: Camera, layout: Layout) -> None:
        scale = min(1.0, _WIDTH / camera.width_px)
        self._size = (round(camera.width_px * scale), round(camera.height_px * scale))
        self._scale = scale
        self._marks = _line_points(camera.resized(*self._size), layout)
        self._mask = self._mask_of_marks()
        self._t: float | None = None
        self._looked: float | None = None
        self._last: Luma | None = None
        self._same_since: float | None = None
        self._differed: deque[bool] = deque(maxlen=200)
        self._since: dict[Reason, float] = {}
        self._learned: list[_Look] = []
        self._usual: _Look | None = None
        self._good: Small | None = None

    def _mask_of_marks(self) -> Small:
        """The printed lines drawn into a picture, less the margin within which they may be found."""
        reach = max(1, round(_REACH_PX * self._scale))
        mask = np.zeros((self._size[1], self._size[0]), np.float32)
        columns, rows = np.floor(self._marks).astype(int).T
        mask[rows, columns] = 1
        return np.ascontiguousarray(mask[reach:-reach, reach:-reach])

    @property
    def now(self) -> tuple[Reason, ...]:
        """What is wrong with the view at present, if it has lasted long enough to be said."""
        return tuple(reason for reason, since in self._since.items() if self._lasts(reason, since))

    @property
    def present(self) -> Lost | None:
        """The loss that lasts at present, the longest of several."""
        lasting = [Lost(reason, self._since[reason], None) for reason in self.now]
        return min(lasting, key=lambda lost: lost.t, default=None)

    def update(self, t: float, luma: Luma) -> tuple[Lost, ...]:
        """Look at one picture's brightness (H, W) uint8 at time ``t``; the losses that ended before it."""
        self._t = t
        still = self._frozen(t, luma)
        if self._looked is not None and t - self._looked < _EVERY_S:
            return ()
        self._looked = t
        small = np.asarray(cv2.resize(luma, self._size, interpolation=cv2.INTER_AREA), np.uint8)
        found = self._reason(small)
        present: set[Reason] = {found} if found else set()
        if still:
            present.add("frozen")
        return self._changed(t, present)

    def finish(self) -> tuple[Lost, ...]:
        """The recording ends: the losses that lasted to its end."""
        return tuple(Lost(reason, self._since[reason], None) for reason in self.now)

    def _lasts(self, reason: Reason, since: float) -> bool:
        return self._t is not None and self._t - since >= _HOLD_S[reason]

    def _changed(self, t: float, present: set[Reason]) -> tuple[Lost, ...]:
        ended = []
        for reason, since in list(self._since.items()):
            if reason not in present:
                if self._lasts(reason, since):
                    ended.append(Lost(reason, since, t))
                del self._since[reason]
        for reason in present:
            start = self._same_since if reason == "frozen" and self._same_since is not None else t
            self._since.setdefault(reason, start)
        return tuple(ended)

    def _frozen(self, t: float, luma: Luma) -> bool:
        """Whether the picture repeats though this camera's pictures never did."""
        thin = luma[::4, ::4]
        if self._last is None or self._last.shape != thin.shape:
            self._last = thin.copy()
            return False
        same = bool(np.array_equal(thin, self._last))
        if not same:
            self._last = thin.copy()
            self._same_since = None
            self._differed.append(True)
            return False
        if self._same_since is None:
            self._same_since = t
            self._differed.append(False)
        return len(self._differed) >= 20 and sum(self._differed) >= 0.95 * (len(self._differed) - 1)

    def _reason(self, small: Luma) -> Reason | None:
        look = self._look(small)
        if look.brightest < _DARK_LEVEL:
            return "dark"
        moved = look.off_px > _MOVED_PX and look.advantage > 1.12
        usual = self._usual
        if usual is None:
            self._learn(look)
            return "moved" if moved else None
        if usual.here < 1.8:
            return None  # this layout's lines do not stand out to this camera
        if moved:
            return "moved"
        if look.here < 1.25:
            return self._gone(look, usual)
        if look.crisp < 0.5 * usual.crisp:
            return "blurred"
        self._good = look.coarse
        return None

    def _gone(self, look: _Look, usual: _Look) -> Reason:
        """Why the printed lines are not where they should be, nor anywhere near."""
        lasting: tuple[Reason, ...] = ("blurred", "covered")
        for told in lasting:
            if told in self._since:
                return told  # what happens meanwhile before a lost view does not change why it was lost
        if look.sharp > 0.75 * usual.sharp:
            return "moved"
        before = self._good if self._good is not None else usual.coarse
        if look.coarse.std() < 1 or before.std() < 1:
            return "covered"
        alike = np.corrcoef(look.coarse.ravel().astype(np.float64), before.ravel().astype(np.float64))
        return "blurred" if alike[0, 1] > 0.8 else "covered"

    def _learn(self, look: _Look) -> None:
        self._learned.append(look)
        if len(self._learned) == _LEARN:
            usual = sorted(self._learned, key=lambda look: look.here)[_LEARN // 2]
            self._usual, self._good = usual, look.coarse

    def _look(self, small: Luma) -> _Look:
        low, high = np.percentile(small, (5, 99.5))
        contrast = max(30.0, float(high - low))
        edges = _edges(small)
        off, advantage, here = self._standing(edges)
        lines = _at(edges, self._marks)
        return _Look(
            brightest=float(high),
            off_px=off,
            advantage=advantage,
            here=here,
            crisp=float(np.percentile(lines, 90)) / contrast if len(lines) else 0.0,
            sharp=float(np.percentile(edges, 98)) / contrast,
            coarse=cv2.resize(small, (16, 9), interpolation=cv2.INTER_AREA).astype(np.float32),
        )

    def _standing(self, edges: Small) -> tuple[float, float, float]:
        """How the printed lines stand: how far beside the calibration they fit best (pixels of the picture, 0
        if that fit is not clear), how much better they fit there than where they should be, and how much
        better where they should be than anywhere."""
        score = cv2.matchTemplate(edges, self._mask, cv2.TM_CCORR)
        reach = score.shape[0] // 2
        row, column = np.unravel_index(int(score.argmax()), score.shape)
        off = float(np.hypot(row - reach, column - reach)) / self._scale
        best, here = float(score.max()), float(score[reach - 1 : reach + 2, reach - 1 : reach + 2].max())
        background = max(1e-6, float(np.median(score)))
        inside = 0 < row < 2 * reach and 0 < column < 2 * reach
        clear = inside and best > 1.5 * background and best > background + 3 * float(score.std())
        return (off if clear else 0.0), best / max(here, 1e-6), here / background


def _edges(small: Luma) -> Small:
    """(H, W): strength of the edges, the two flanks of a thin line run together."""
    grey = small.astype(np.float32)
    across = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return np.asarray(cv2.GaussianBlur(across, (0, 0), 1.3), np.float32)


def _at(picture: Small, points: Floats) -> Floats:
    """(n,): the picture at the nearest pixel of each point (n, 2); 0 outside."""
    columns, rows = np.floor(points[:, 0]).astype(int), np.floor(points[:, 1]).astype(int)
    inside = (rows >= 0) & (columns >= 0) & (rows < picture.shape[0]) & (columns < picture.shape[1])
    return np.where(inside, picture[np.where(inside, rows, 0), np.where(inside, columns, 0)], 0.0)


def _line_points(camera: Camera, layout: Layout) -> Floats:
    """Points (n, 2) every few millimetres along the outlines of boxes and card places, in pixels."""
    points = [np.zeros((0, 2))]
    for zone in layout.zones:
        if zone.spot.area in (Area.BET, Area.HAND, Area.DISCARD):
            ring = zone.polygon.exterior
            mm = np.array([ring.interpolate(d).coords[0] for d in np.arange(0.0, ring.length, _STEP_MM)])
            points.append(camera.project(mm)[camera.in_view(mm, 1.0)])
    return np.concatenate(points)
