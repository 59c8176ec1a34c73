"""Whether a camera's picture has stopped: the same over and over, from a camera that always had noise."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from vision.printed import Luma

_THIN = 4
_SAME = 0.98
"""Of the pixels, so many are exactly as before in a stopped picture."""
_USUALLY = 0.8
"""A camera whose pixels mostly stay exactly as they are (noise removed) may show a quiet table so."""
_HOLD_S = 3.0
_SHARE = 0.85
"""Of the pictures of that time: a key frame is coded anew, and differs a little."""
_LIKE_LEVELS = 1.5
_FEWEST, _HISTORY = 20, 300


class Stopped:
    """Give it every picture; it tells since when the picture has stood still."""

    def __init__(self) -> None:
        self._last: Luma | None = None
        self._same: deque[float] = deque(maxlen=_HISTORY)
        self._recent: deque[tuple[float, bool, Luma]] = deque()

    def update(self, t: float, luma: Luma) -> float | None:
        """Take the brightness (H, W) at ``t``; since when the picture has stopped, None while it has not."""
        thin = np.ascontiguousarray(luma[::_THIN, ::_THIN])
        if self._last is None or self._last.shape != thin.shape:
            self._last = thin
            return None
        same = 1.0 - cv2.countNonZero(cv2.absdiff(thin, self._last)) / thin.size
        self._recent.append((t, same >= _SAME, self._last))
        self._last = thin
        while len(self._recent) > 1 and self._recent[1][0] <= t - _HOLD_S:
            self._recent.popleft()
        since, _, first = self._recent[0]
        stills = sum(still for _, still, _ in self._recent)
        if t - since < 0.9 * _HOLD_S or stills < max(4, _SHARE * len(self._recent)):
            self._same.append(same)
            return None
        usual = [each for each in self._same if each < _SAME]
        if len(usual) < _FEWEST or np.median(self._same) > _USUALLY:
            return None
        apart = float(np.mean(cv2.absdiff(thin, first)))
        return since if apart < _LIKE_LEVELS else None
