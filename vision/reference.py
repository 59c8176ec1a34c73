"""What the printed lines looked like where they belong, and where they are in another picture of the camera.

Each point of a line is known by the brightness across it. In another picture the same pattern is sought
across the line, near where it should be; light that changes does not matter, and what lies over the line does
not match. A nudge of the camera is what most points agree on.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.nudge import Nudge, from_matches, further, open_px, slopes, solve
from vision.printed import Luma, PrintedLines, Profiles, across

Mask = NDArray[np.bool_]

_HALF_PX = 6
"""How far the pattern across a line goes to each side."""
_LEAST_LEVELS = 2.5
"""Standard deviation of a pattern that can be told from noise."""
_LEAST_POINTS = 40
_LIKE, _WITHIN_PX = 0.8, 0.9
"""Correlation of a line with itself, at least, and how far from where it should be it may lie."""
_REACHES_PX = (8, 5, 3, 3)
_NOISE_PX = 0.3
_FEATURES = 900
_AGREE_PX = 2.5
_KEEP = 0.85
"""Of an old pattern, when it is refreshed."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Where each line point's pattern is found. ``off_px`` (n,): across the line from where it should be;
    ``like`` (n,): correlation; ``strength`` (n,): its contrast by the reference's."""

    off_px: Floats
    like: Floats
    strength: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A nudge that the lines agree on. ``share``: of the points that fit it; ``residual_px``,
    ``residual_mm``: how well, root mean square; ``open_px``: how far off it may be at the worst place of the
    felt."""

    nudge: Nudge
    share: float
    residual_px: float
    residual_mm: float
    open_px: float


class Reference:
    """The lines of one camera. ``camera``: of the small pictures it is given."""

    def __init__(self, camera: Camera, lines: PrintedLines, places_px: Floats) -> None:
        """``places_px`` (m, 2): where on the felt a nudge has to be known well."""
        self.camera, self.lines = camera, lines
        self.places_px = places_px
        self.known: Mask = np.zeros(len(lines), np.bool_)
        self._patterns: Profiles = np.zeros((len(lines), 2 * _HALF_PX + 1), np.float32)
        self._contrast: Floats = np.zeros(len(lines))
        self._picture: Luma | None = None
        self._features: tuple[Floats, NDArray[np.uint8]] | None = None
        self._seen_from: Nudge = Nudge()
        self._cached: tuple[Nudge, Floats, Floats, Floats] | None = None
        self._at_places: tuple[Nudge, Floats] | None = None

    @property
    def enough(self) -> bool:
        """Whether enough of the printed lines stand out to this camera."""
        return int(self.known.sum()) >= _LEAST_POINTS

    def learn(self, picture: Luma, nudge: Nudge) -> None:
        """Take a picture in which the lines lie where they belong, after ``nudge``."""
        px, normal, _ = self._placed(nudge)
        steps = np.arange(-_HALF_PX, _HALF_PX + 1, dtype=np.float64)
        self._set(across(picture, px, normal, steps))
        self._picture, self._features, self._seen_from = picture, None, nudge

    def _set(self, patterns: Profiles) -> None:
        self._patterns = patterns
        self._contrast = patterns.std(axis=1).astype(np.float64)
        self.known = self._contrast > _LEAST_LEVELS

    def refresh(self, picture: Luma, nudge: Nudge) -> None:
        """Let the patterns follow slow light, wherever they are well seen after ``nudge``."""
        match = self.match(picture, nudge, 1)
        px, normal, _ = self._placed(nudge)
        steps = np.arange(-_HALF_PX, _HALF_PX + 1, dtype=np.float64)
        seen = across(picture, px, normal, steps)
        good = self.known & (match.like > 0.9) & (np.abs(match.off_px) < 0.5)
        patterns = self._patterns.copy()
        patterns[good] = _KEEP * patterns[good] + (1 - _KEEP) * seen[good]
        self._set(patterns)

    def match(self, picture: Luma, nudge: Nudge, reach_px: int) -> Match:
        """Seek each pattern within so many pixels of where it should be after ``nudge``."""
        px, normal, _ = self._placed(nudge)
        half = _HALF_PX + reach_px
        seen = across(picture, px, normal, np.arange(-half, half + 1, dtype=np.float64))
        windows = sliding_window_view(seen, 2 * _HALF_PX + 1, axis=1)
        deep = windows - windows.mean(axis=2, keepdims=True)
        pattern = self._patterns - self._patterns.mean(axis=1, keepdims=True)
        size = np.sqrt(np.einsum("nmk,nmk->nm", deep, deep)) + 1e-6
        like = np.einsum("nmk,nk->nm", deep, pattern) / (
            size * (np.sqrt(np.einsum("nk,nk->n", pattern, pattern)) + 1e-6)[:, None]
        )
        like[size < _LEAST_LEVELS * np.sqrt(2 * _HALF_PX + 1) * 0.4] = 0.0
        best = like.argmax(axis=1)
        rows = np.arange(len(like))
        here = like[rows, best]
        before, after = like[rows, np.maximum(best - 1, 0)], like[rows, np.minimum(best + 1, 2 * reach_px)]
        bend = before - 2 * here + after
        inner = (best > 0) & (best < 2 * reach_px) & (bend < -1e-6)
        peak = np.where(inner, 0.5 * (before - after) / np.where(inner, bend, -1.0), 0.0)
        strength = size[rows, best] / np.sqrt(2 * _HALF_PX + 1) / np.maximum(self._contrast, 1e-6)
        return Match(best - reach_px + peak, np.where(self.known, here, 0.0), strength)

    def share(self, match: Match) -> float:
        """The part of the known points that lie where they should."""
        there = (match.like > _LIKE) & (np.abs(match.off_px) < _WITHIN_PX)
        return float(there.sum()) / max(1, int(self.known.sum()))

    def beside_px(self, match: Match, nudge: Nudge) -> Floats:
        """(m,): about how far beside ``nudge`` a match puts the places of the felt: enough to tell a still
        camera, and cheap."""
        _, _, slope = self._placed(nudge)
        if self._at_places is None or self._at_places[0] is not nudge:
            self._at_places = nudge, slopes(self.camera, nudge, self.places_px)
        found = np.zeros(8)
        for within in (2.2, 1.2):
            weight = self._weight(match, match.off_px - slope @ found, within)
            found = solve(slope, match.off_px, weight, np.zeros(8), _NOISE_PX)
        moved = np.einsum("mij,j->mi", self._at_places[1], found)
        return np.asarray(np.hypot(*moved.T))

    def elsewhere(self, picture: Luma, nudge: Nudge) -> bool:
        """Whether more lines would fit if all were shifted."""
        match = self.match(picture, nudge, _REACHES_PX[0])
        _, _, slope = self._placed(nudge)
        return bool(self._vote(match, slope).any())

    def fit(self, picture: Luma, start: Nudge, reaches_px: tuple[int, ...] = _REACHES_PX) -> Fit:
        """The nudge near ``start`` on which most lines agree."""
        nudge, so_far = start, np.zeros(8)
        match = self.match(picture, nudge, reaches_px[0])
        for number, reach in enumerate(reaches_px):
            if number:
                match = self.match(picture, nudge, reach)
            _, _, slope = self._placed(nudge)
            wide = 0.75 * reach
            found = self._vote(match, slope) if number == 0 and reach > 3 else np.zeros(8)
            for narrow in (wide, max(1.5, wide / 2), 1.2):
                weight = self._weight(match, match.off_px - slope @ found, narrow)
                found = solve(slope, match.off_px, weight, so_far, _NOISE_PX)
            so_far = so_far + found
            nudge = nudge.then(further(found))
        match = self.match(picture, nudge, 2)
        _, _, slope = self._placed(nudge)
        there = (match.like > _LIKE) & (np.abs(match.off_px) < _WITHIN_PX)
        off = match.off_px[there]
        sure = open_px(slope, there.astype(np.float64), _NOISE_PX, slopes(self.camera, nudge, self.places_px))
        off_mm = off / self.lines.px_per_mm[there]
        return Fit(nudge, self.share(match), _rms(off), _rms(off_mm), sure)

    def search(self, picture: Luma) -> Nudge | None:
        """The nudge by what the whole picture shows: rough, but however large; None if nothing agrees."""
        if self._picture is None:
            return None
        if self._features is None:
            self._features = _features(self._picture)
        before, now = self._features, _features(picture)
        if min(len(before[0]), len(now[0])) < 20:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(before[1], now[1])
        one = before[0][[pair.queryIdx for pair in pairs]]
        other = now[0][[pair.trainIdx for pair in pairs]]
        focal = float(self.camera.matrix[0, 0])
        found = from_matches(self.camera.rays(one), self.camera.rays(other), _AGREE_PX / focal)
        if found is None:
            return None
        whole = found.matrix @ self._seen_from.matrix
        return Nudge(np.asarray(whole / whole[2, 2]))

    def _weight(self, match: Match, rest_px: Floats, within_px: float) -> Floats:
        near = np.clip(1 - (rest_px / within_px) ** 2, 0, None) ** 2
        return np.asarray(np.where(match.like > _LIKE, near, 0.0) * self.known)

    def _vote(self, match: Match, slope: Floats) -> Floats:
        """(8,): the shift, in whole pixels, on which most points agree, to begin from."""
        focal = float(self.camera.matrix[0, 0])
        steps = np.arange(-8, 9, dtype=np.float64)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) / focal
        good = (match.like > _LIKE) & self.known
        told = slope[good][:, 4:6] @ shifts.T
        votes = (np.abs(match.off_px[good][:, None] - told) < 1.3).sum(axis=0)
        found = np.zeros(8)
        if votes.max() > 1.15 * votes[len(votes) // 2] + 3:  # the middle one is no shift at all
            found[4:6] = shifts[int(votes.argmax())]
        return found

    def _placed(self, nudge: Nudge) -> tuple[Floats, Floats, Floats]:
        """After a nudge: the points (n, 2), the ways across their lines (n, 2), and the slopes (n, 8) of the
        displacement across the line with a further nudge."""
        if self._cached is None or self._cached[0] is not nudge:
            lines = self.lines
            px = nudge.px(self.camera, lines.px)
            ahead = nudge.px(self.camera, lines.px + 2.0 * _along(lines.across_px))
            along = ahead - px
            along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
            normal = -_along(along)
            slope = np.nan_to_num(np.einsum("ni,nik->nk", normal, slopes(self.camera, nudge, lines.px)))
            self._cached = (nudge, px, normal, slope)
        return self._cached[1:]


def _along(across: Floats) -> Floats:
    """(n, 2): a quarter turn."""
    return np.stack([across[:, 1], -across[:, 0]], axis=1)


def _rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0


def _features(picture: Luma) -> tuple[Floats, NDArray[np.uint8]]:
    """Points (n, 2) that are found again, and what they look like (n, 32)."""
    finder = cv2.ORB.create(nfeatures=_FEATURES, fastThreshold=6, edgeThreshold=12, patchSize=21)
    points, looks = finder.detectAndCompute(picture, np.full(picture.shape, 255, np.uint8))
    if not points:
        return np.zeros((0, 2)), np.zeros((0, 32), np.uint8)
    return np.array([point.pt for point in points], np.float64) + 0.5, np.asarray(looks, np.uint8)
