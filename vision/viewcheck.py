"""Whether a camera still sees the table as it was calibrated, and if not, why; small moves it follows.

A few small pictures a second are compared with what the printed lines looked like in the first ones
(:mod:`vision.reference`). In play hands, cards and chips hide some lines, never all, and the light changes;
none of that moves a line. So each of these needs what play cannot bring about, and for a while:

- **dark**: hardly a pixel is brighter than black;
- **frozen**: the picture stops to change, from a camera whose pictures always did;
- **moved**: the lines are there, but elsewhere, or they are nowhere in a picture as sharp as ever;
- **dazzled**: the lines are gone or faint, and the picture is much brighter than it was;
- **blurred**: the lines are gone or faint, and the picture is soft, but in the large it is what it was;
- **covered**: the lines are gone, and so is what was there.

A camera that was moved a little and hangs still again is followed: see :class:`Back`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.astray import found_astray
from vision.camera import Camera, Floats
from vision.layout import Layout
from vision.nudge import Nudge
from vision.printed import Luma, PrintedLines
from vision.reference import Fit, Match, Reference
from vision.refining import belonging
from vision.viewlook import Look, Standing, is_dark, is_dazzled, why_gone
from vision.viewstill import Stopped

Reason = Literal["dark", "frozen", "moved", "blurred", "covered", "dazzled"]

_WIDTH = 640
EVERY_S = 0.4
"""The picture is checked so often."""
_SURE_S = 0.06
"""So old may the last check be when something is concluded from a picture."""
_HOLD_S: dict[Reason, float] = {
    "dark": 1.0,
    "frozen": 0.0,
    "moved": 1.0,
    "blurred": 2.0,
    "covered": 4.0,
    "dazzled": 1.5,
}
"""How long a condition has to last before it is said (a stopped picture has lasted already)."""
_FINE_S = 0.5
_LEARN = 8
"""Looks from which the usual picture is learned."""
_MOVED_MM, _MOVED_PX = 1.2, 0.45
"""A camera has moved when the felt lies so far beside where it should, in pixels of the small picture too."""
_STANDING_PX = 5.0
"""A calibration that the first pictures miss by so many pixels (of 1280) is another picture's."""
_ALL, _SEEN, _GONE = 0.9, 0.5, 0.1
"""Of the lines usually seen: these are all; so many are enough, with fewer they are sought elsewhere; so few
are none."""
_FOUND, _MORE = 0.3, 1.15
"""A place is the lines' if so many fit there, and so many times more than where they should be."""
_FAINT, _LIKE_FAINTLY = 0.5, 0.55
"""Lines so much weaker than usual, and still alike, are blurred or dazzled."""
_STEADY_S, _STEADY_PX = 1.0, 0.5
_FAR = 0.09
"""A camera that moved by more of the picture's width is not followed."""
_OPEN_PX = 0.4
"""Nor one whose place the lines leave open by more."""
_REFRESH_S = 10.0
_SEARCH_S = 0.9


@dataclass(frozen=True, slots=True)
class Lost:
    """The view was lost at ``t``, seconds; ``t_seen``: the picture that showed it."""

    reason: Reason
    t: float
    t_seen: float


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """The camera sees the table again since ``t``. ``fit``: where it was moved to, and is followed."""

    t: float
    fit: Fit | None = None


class ViewCheck:
    """Watches one camera's view. Give it every picture's brightness; it tells each loss, and its end.

    ``camera``: the calibrated camera at the pictures' size. Its checks of the printed lines switch themselves
    off if the first pictures do not show them.
    """

    def __init__(self, camera: Camera, layout: Layout) -> None:
        scale = min(1.0, _WIDTH / camera.width_px)
        self._size = (round(camera.width_px * scale), round(camera.height_px * scale))
        self._small, self._layout = camera.resized(*self._size), layout
        self._lines = PrintedLines.of(layout, self._small)
        felt = np.array([zone.centre_mm for zone in layout.zones]).reshape(-1, 2)
        self._places_mm = felt[self._small.in_view(felt)] if len(felt) else felt
        self._places_px = self._small.project(self._places_mm)
        self._px_per_mm = self._small.px_per_mm(self._places_mm) if len(felt) else np.zeros(0)
        self._reference = Reference(self._small, self._lines, self._places_px)
        self._standing = Standing(self._small, self._lines)
        self._stopped = Stopped()
        self._learned: list[tuple[Luma, bool]] = []
        self._astray: bool | None = None
        self._usual: Look | None = None
        self._good: Look | None = None
        self._share = 1.0
        self.nudge = Nudge()
        """From the calibrated picture to the present one, as far as it is followed."""
        self._t: float | None = None
        self._checked: float | None = None
        self._refreshed = self._searched = -np.inf
        self._spell_t: float | None = None
        self._since: dict[Reason, float] = {}
        self._fine_t: float | None = None
        self._told: Lost | None = None
        self._candidate: tuple[Fit, float, int] | None = None

    @property
    def now(self) -> tuple[Reason, ...]:
        """What is wrong with the view at present, if it has lasted long enough to be said."""
        return () if self._told is None else (self._told.reason,)

    @property
    def present(self) -> Lost | None:
        """The loss that lasts at present."""
        return self._told

    @property
    def suspect(self) -> bool:
        """Whether anything is wrong with the view, however short: nothing is to be concluded from it."""
        return self._spell_t is not None

    def update(self, t: float, luma: Luma) -> tuple[Lost | Back, ...]:
        """Look at one picture's brightness (H, W) uint8 at time ``t``; what is new of the view."""
        self._t = t
        stopped = self._stopped.update(t, luma)
        if self._checked is not None and t - self._checked < EVERY_S and stopped is None:
            return ()
        return self._check(t, luma, stopped)

    def sure(self, t: float, luma: Luma) -> bool:
        """Whether something may be concluded from this very picture, which ``update`` was given before."""
        if self._checked is None or t - self._checked > _SURE_S:
            reason, _ = self._reason(t, self._shrunk(luma))
            return reason is None and not self.suspect
        return not self.suspect

    def _shrunk(self, luma: Luma) -> Luma:
        small = cv2.resize(luma, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small, (3, 3), 0.8), np.uint8)

    def _check(self, t: float, luma: Luma, stopped: float | None) -> tuple[Lost | Back, ...]:
        self._checked = t
        reason: Reason | None
        reason, fit = self._reason(t, self._shrunk(luma))
        since = t
        if stopped is not None and reason != "dark":
            reason, fit, since = "frozen", None, stopped
        if reason is None:
            return self._well(t)
        self._fine_t = None
        self._spell_t = since if self._spell_t is None else min(self._spell_t, since)
        self._since = {reason: self._since.get(reason, since)}
        self._steady(t, fit)
        news: list[Lost | Back] = []
        if self._told is None and t - self._since[reason] >= _HOLD_S[reason]:
            self._told = Lost(reason, self._spell_t, t)
            news.append(self._told)
        elif self._told is not None and (followed := self._followed(t)) is not None:
            self.nudge = followed.nudge
            self._over()
            news.append(Back(t, followed))
        return tuple(news)

    def _well(self, t: float) -> tuple[Lost | Back, ...]:
        """Nothing is wrong at present."""
        self._since.clear()
        self._candidate = None
        if self._told is None:
            self._spell_t = None
            return ()
        if self._fine_t is None:
            self._fine_t = t
        if t - self._fine_t < _FINE_S:
            return ()
        back = Back(self._fine_t)
        self._over()
        return (back,)

    def _over(self) -> None:
        self._spell_t = self._told = self._fine_t = self._candidate = None
        self._since.clear()

    def _steady(self, t: float, fit: Fit | None) -> None:
        """Note where the camera seems to be now, and since when."""
        if fit is None:
            self._candidate = None
            return
        if self._candidate is not None:
            before, since, count = self._candidate
            if fit.nudge.far_px(self._small, self._places_px, before.nudge) < _STEADY_PX:
                self._candidate = (fit, since, count + 1)
                return
        self._candidate = (fit, t, 1)

    def _followed(self, t: float) -> Fit | None:
        """The new place of a camera that moved a little and has been still since."""
        if self._candidate is None:
            return None
        fit, since, count = self._candidate
        far = fit.nudge.far_px(self._small, self._places_px)
        near = far <= _FAR * self._size[0]
        return fit if near and count >= 3 and t - since >= _STEADY_S else None

    def _reason(self, t: float, small: Luma) -> tuple[Reason | None, Fit | None]:
        """What is wrong in one picture; where the camera was moved to, if that is it."""
        if is_dark(small):
            return "dark", None
        usual = self._usual
        if usual is None:
            return self._first(small), None
        if not self._reference.enough:
            return None, None
        match = self._reference.match(small, self.nudge, 3)
        seen = self._reference.share(match) / self._share
        if self._faint(match, 1.0) and self._faint(match, (look := Look.at(small)).light_by(usual)):
            return ("dazzled" if is_dazzled(look, usual) else "blurred"), None
        fit = self._moved(t, small, match, seen)
        if fit is not None:
            return "moved", fit
        if seen < _GONE:
            if self._told is not None and self._told.reason in ("covered", "blurred", "dazzled"):
                return self._told.reason, None  # what happens before a lost view does not change why
            return why_gone(Look.at(small), usual, self._good or usual), None
        if seen >= _SEEN and not self.suspect and t - self._refreshed >= _REFRESH_S:
            self._refreshed, self._good = t, Look.at(small)
            self._reference.refresh(small, self.nudge)
        return None, None

    def _faint(self, match: Match, light: float) -> bool:
        """Whether the lines are where they should be, but hardly stand out for so much light."""
        there = (match.like > _LIKE_FAINTLY) & (np.abs(match.off_px) < 1.5) & self._reference.known
        many = there.sum() > _FOUND * self._share * self._reference.known.sum()
        return bool(many and np.median(match.strength[there]) < _FAINT * light)

    def _moved(self, t: float, small: Luma, match: Match, seen: float) -> Fit | None:
        """Where the camera was moved to, if it was."""
        if seen >= _ALL or (seen >= _SEEN and not self._reference.elsewhere(small, self.nudge)):
            if not self._clearly(self._reference.beside_px(match, self.nudge), 0.6):
                return None
            return self._beside(self._reference.fit(small, self.nudge, (3, 2)))
        least = max(_FOUND, _MORE * seen) * self._share
        fit = self._reference.fit(small, self.nudge)
        if fit.share >= least and fit.open_px < _OPEN_PX:
            return self._beside(fit)
        if seen >= _SEEN:
            return None
        start = None if self._candidate is None else self._candidate[0].nudge
        if start is None and t - self._searched >= _SEARCH_S:
            self._searched = t
            start = self._reference.search(small)
        if start is None:
            return None
        fit = self._reference.fit(small, start, (4, 3, 3))
        return self._beside(fit) if fit.share >= least and fit.open_px < _OPEN_PX else None

    def _beside(self, fit: Fit) -> Fit | None:
        """The fit, if it puts the felt clearly elsewhere than it is thought to be."""
        now, known = (nudge.px(self._small, self._places_px) for nudge in (fit.nudge, self.nudge))
        return fit if self._clearly(np.hypot(*(now - known).T)) else None

    def _clearly(self, off_px: Floats, part: float = 1.0) -> bool:
        """Whether places of the felt lie so far off (or by so great a part of it) that the camera moved."""
        far_mm = float((off_px / self._px_per_mm).max(initial=0.0))
        return float(off_px.max(initial=0.0)) >= part * _MOVED_PX and far_mm >= part * _MOVED_MM

    def _first(self, small: Luma) -> Reason | None:
        """The first pictures: learn what the lines look like, and whether they are where they should be."""
        off_px, advantage = self._standing.of(small)
        far = _STANDING_PX * self._size[0] / 1280
        if self._astray is None:  # a turn is no shift: it shows by how few lines are where they should be
            found, _ = belonging(small, self._small, self._layout)
            nudge = found_astray(small, self._small, self._layout, off_px) if found < _SEEN else None
            self._astray = nudge is not None and nudge.far_px(self._small, self._places_px) > far
        moved = self._astray or (float(np.hypot(*off_px)) > far and advantage > 1.12)
        self._learned.append((small, moved))
        if len(self._learned) == _LEARN:
            picture = np.median(np.stack([one for one, _ in self._learned]), axis=0).astype(np.uint8)
            astray = sum(moved for _, moved in self._learned) > _LEARN / 2
            self._learned.clear()
            self._astray = None
            # Lines that are elsewhere are a reference only if it is known where.
            nudge = found_astray(picture, self._small, self._layout, off_px) if astray else self.nudge
            if nudge is not None:
                self._usual = self._good = Look.at(picture)
                self._reference.learn(picture, nudge)
                self._share = max(0.5, self._reference.share(self._reference.match(small, nudge, 3)))
        return "moved" if moved else None
