"""What changed in a still camera's picture, when, and whether it has come to rest.

Everything happens on a small copy of the picture (a few millimetres of felt a pixel). Three layers are kept:

- the *settled* picture: what the table looked like when it was last understood; where the present picture
  differs from it, something is new, gone, or in the way (the foreground);
- the *anchor*: each pixel's value since it last changed, which tells for how long it has been still;
- a *reel* of the last seconds, in which the moment is looked up at which a content that is now settled was
  first seen. So an event gets the time it happened, not the time it was understood.

Differences ignore what light does: a shadow scales all channels alike, and the exposure of the whole picture
is levelled first. All times are seconds; frames may come at any, also varying, rate.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""(h, w, 3), BGR."""
Mask = NDArray[np.bool_]
"""(h, w)."""

STILL_S = 0.28
"""A pixel is still once it has kept its value for so long."""
_LEARN_S = 6.0
"""Time constant with which the settled picture follows slow light."""
_LEARN_STEP_S = 0.5
_REEL_S = 14.0
_REEL_STEP_S = 0.075
_REEL_FRAMES = 110
_SPECKS_PX = 12
"""So few changed pixels are the sensor's: the reel need not show them."""
_SHADOW_LOW, _SHADOW_HIGH = 0.58, 1.25
"""Factors of brightness that are put down to light."""


@dataclass(slots=True)
class _Shot:
    """A picture of the reel, and until when it stayed as it was."""

    t: float
    picture: Picture
    until: float


@dataclass(frozen=True, slots=True)
class Moments:
    """When a content that is now settled came into the picture, and the one before went out of it.

    ``first_new``: its first pixels were seen; ``last_old``: the last of the former content was seen; both
    seconds, None where the reel does not tell.
    """

    first_new: float | None
    last_old: float | None


class Stillness:
    """Follows one camera's small pictures; see the module."""

    def __init__(self, still_s: float = STILL_S) -> None:
        self._still_s = still_s
        self._settled: NDArray[np.float32] | None = None
        self._anchor: Picture | None = None
        self._changed: NDArray[np.float32] | None = None
        self._noise = 2.0
        self._measured = 0
        self._learned = 0.0
        self._reel: deque[_Shot] = deque(maxlen=_REEL_FRAMES)
        self.t = 0.0
        self.picture: Picture = np.zeros((0, 0, 3), np.uint8)
        self.foreground: Mask = np.zeros((0, 0), np.bool_)
        """Where the picture differs from the settled one."""
        self.still: Mask = self.foreground
        """Where it has not changed for ``still_s``."""

    @property
    def threshold(self) -> float:
        """Levels (0 to 255) by which a pixel must differ before it counts as different."""
        return max(11.0, 5.0 * self._noise)

    @property
    def settled(self) -> Picture:
        """The settled picture (h, w, 3)."""
        assert self._settled is not None
        return np.asarray(cv2.convertScaleAbs(self._settled), np.uint8)

    @property
    def changed_at(self) -> NDArray[np.float32]:
        """(h, w): when each pixel last changed, seconds since the first frame."""
        assert self._changed is not None
        return self._changed

    def update(self, t: float, picture: Picture) -> None:
        """Take the next small picture at ``t``. The first one is taken as settled."""
        if self._settled is None or self._anchor is None or self._changed is None:
            self._settled = picture.astype(np.float32)
            self._anchor = picture.copy()
            self._changed = np.full(picture.shape[:2], t, np.float32)
            self.foreground = np.zeros(picture.shape[:2], np.bool_)
            self.still = np.zeros(picture.shape[:2], np.bool_)
            self.t, self.picture = t, picture
            self._reel.append(_Shot(t, picture, t))
            return
        picture = self._levelled(picture)
        self._measure_noise(picture)
        changed = _largest(picture, self._anchor) > self.threshold
        self._changed[changed] = t
        cv2.copyTo(picture, changed.view(np.uint8), self._anchor)
        self.still = np.asarray(self._changed <= t - self._still_s)
        self.foreground = self._different(picture)
        self.t, self.picture = t, picture
        if t - self._learned >= _LEARN_STEP_S:
            calm = (self.still & ~self.foreground).view(np.uint8)
            rate = 1.0 - math.exp(-min(t - self._learned, 1.0) / _LEARN_S)
            cv2.accumulateWeighted(picture, self._settled, rate, calm)
            self._learned = t
        if np.count_nonzero(changed) <= _SPECKS_PX:
            self._reel[-1].until = t
        elif t - self._reel[-1].t >= _REEL_STEP_S:
            self._reel.append(_Shot(t, picture, t))
            while self._reel[0].t < t - _REEL_S and len(self._reel) > 2:
                self._reel.popleft()

    def settle(self, mask: Mask) -> None:
        """Take the present picture as settled where ``mask`` (h, w) is true."""
        assert self._settled is not None
        self._settled[mask] = self.picture[mask]
        self.foreground = self.foreground & ~mask

    def forget(self, since: float) -> None:
        """Leave out of the reel what was shown since a time: it was not the table as it is seen."""
        while len(self._reel) > 1 and self._reel[-1].t >= since:
            self._reel.pop()

    def moments(self, mask: Mask, former: Picture, share: float = 0.2) -> Moments:
        """Look up when the present content under ``mask`` came, and ``former`` (the settled picture before)
        went. ``share``: the part of the changed pixels that must agree before a moment counts."""
        rows, columns = np.nonzero(mask)
        now = self.picture[rows, columns].astype(np.int16)
        old = former[rows, columns].astype(np.int16)
        apart = np.abs(now - old).max(axis=1)
        tell = apart > 2 * self.threshold
        if tell.sum() < max(6, 0.1 * len(rows)):
            return Moments(None, None)
        rows, columns, now, old = rows[tell], columns[tell], now[tell], old[tell]
        close = np.minimum(apart[tell] * 0.4, 28)
        first = np.full(len(rows), self.t)
        last = np.full(len(rows), -np.inf)
        open_ = np.ones(len(rows), np.bool_)
        for shot in reversed(self._reel):
            seen = shot.picture[rows, columns].astype(np.int16)
            as_now = np.abs(seen - now).max(axis=1) < close
            as_old = np.abs(seen - old).max(axis=1) < close
            first[open_ & as_now] = shot.t
            newly = open_ & as_old
            last[newly] = shot.until
            open_ &= ~as_old
            if open_.mean() < 0.02:
                break
        known = last > -np.inf
        return Moments(
            float(np.quantile(first, share)),
            float(np.quantile(last[known], 1 - share)) if known.mean() > 0.3 else None,
        )

    def _different(self, picture: Picture) -> Mask:
        """(h, w): where the picture differs from the settled one by more than light."""
        assert self._settled is not None
        rough = _largest(picture, self.settled) > self.threshold
        rows, columns = np.nonzero(rough)
        if len(rows):
            away = light_free_distance(picture[rows, columns], self._settled[rows, columns])
            rough[rows, columns] = away > self.threshold
        return np.asarray(rough)

    def _levelled(self, picture: Picture) -> Picture:
        """The picture with the exposure of the settled one, from the medians of what is not foreground."""
        assert self._settled is not None
        calm = ~self.foreground[::4, ::4]
        here = picture[::4, ::4][calm].astype(np.float32) + 4.0
        there = self._settled[::4, ::4][calm] + 4.0
        if len(here) < 200:
            return picture
        gain = float(np.median(there.sum(axis=1) / here.sum(axis=1)))
        if not 0.8 < gain < 1.25 or abs(gain - 1) < 0.002:
            return picture
        table = np.clip(np.arange(256) * gain + 0.5, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(picture, table), np.uint8)

    def _measure_noise(self, picture: Picture) -> None:
        """Follow the sensor's noise: the change of a resting pixel from one frame to the next."""
        sample = cv2.absdiff(picture[::4, ::4], self.picture[::4, ::4]).reshape(-1)
        moving = float(np.mean(sample > 40))
        if moving < 0.3:
            now = float(np.mean(np.minimum(sample, 20)[sample <= np.quantile(sample, 0.8)])) * 1.6
            self._measured += 1
            self._noise += max(0.05, 1 / self._measured) * (now - self._noise)


def light_free_distance(picture: Picture, reference: NDArray[np.generic]) -> NDArray[np.float32]:
    """(...,): how far each pixel (..., 3) is from the reference after the best factor of brightness, levels.

    A shadow or a lamp scales the three channels alike; what remains is a change of the thing itself. A factor
    beyond a shadow's is not granted, so black on dark felt and white on grey stay visible.
    """
    image, base = picture.astype(np.float32), reference.astype(np.float32)
    dot = np.einsum("...c,...c->...", image, base)
    norm = np.einsum("...c,...c->...", base, base) + 1.0
    gain = np.clip(dot / norm, _SHADOW_LOW, _SHADOW_HIGH)
    return np.asarray(np.abs(image - base * gain[..., None]).max(axis=-1))


def _largest(one: Picture, other: Picture) -> Picture:
    """(h, w): the largest difference of the three channels."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
