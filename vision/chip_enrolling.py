"""A house's own chips: learned from a few stacks of each value, and chips that are none of them.

A chip is described by its body's colour and its colour's name as the reader's network sees them, and by the
colours of its band in the picture: middle, darkest and brightest, which its edge spots decide. The stacks
enrolled are of one value each; from their bands mixed stacks are put together, for in a picture each chip
takes a little of its neighbours' colour. One camera sees a house's chips in much the same light from day to
day, so each value keeps to a small place in these numbers. What lies far from all of them is another house's,
or a forgery: it is said to be unknown, not taken for the nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera import Floats
from vision.chip_colours import softmax
from vision.chip_geometry import (
    FRONT,
    LEVELS,
    LEVELS_BELOW,
    ROWS_BELOW,
    ROWS_PER_CHIP,
    SIDE_REACH,
    SIDE_SHAPE,
    Image,
)
from vision.errors import ChipError

Seeing = Callable[[Image, Floats], tuple[Floats, Floats]]
"""What the network sees of a side with its view's numbers (4,): names (levels, n) and colours (levels, 3)."""
_COUNTS = LEVELS - LEVELS_BELOW
_UNIT = 25.0
_PARTS = (15, 50, 85)
"""Percentiles of a band's colours that describe it."""
_LEAST_SPREAD = 0.06
"""Descriptions vary at least so much from scene to scene."""
_SHRINK = 0.3
_MIXED = 60
"""Stacks put together from the enrolled ones."""
_TALLEST = 9
_SHARE = 0.98
"""A chip is doubtful beyond the distance within which so many of the enrolled ones lie."""
_WEIGHT = 0.1
"""What a squared distance counts for beside the general reader: a band's numbers err together. Heavier ones
gave more chips of scenes seen while choosing, and more of them wrong."""
_SPREAD_PX = 0.5
"""How far a chip's colour spreads into its neighbours', pixels."""
_FAR_OUT = np.abs((np.arange(SIDE_SHAPE[1]) + 0.5) / SIDE_SHAPE[1] * 2 * SIDE_REACH - SIDE_REACH) > 0.72
"""Columns of the side that are seen too flat, or that are beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class ChipView:
    """A stack of one value, as enrolled. ``side``: its unrolled side, uint8 ``(*SIDE_SHAPE, 3)``; ``count``:
    its chips; ``geometry`` (4,): the view's numbers, as ``geometry_inputs`` gives them."""

    value: int
    side: Image
    count: int
    geometry: Floats

    def __post_init__(self) -> None:
        if self.side.shape != (*SIDE_SHAPE, 3) or not 1 <= self.count <= _COUNTS - 1:
            raise ChipError(f"a view of chips of {self.value} is no side of a stack: enrol it again")


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledChips:
    """What the views of a house's chips say.

    ``values`` (v,); ``means`` (v, d) and ``precision`` (d, d) of the chips' descriptions; ``far``: squared
    distance that hardly any of them has from its own value's; ``colours`` (v, 3): how they look in the
    table's own light, blue, green and red, 0..1; None where the views are another camera's, whose light and
    exposure are others.
    """

    values: tuple[int, ...]
    means: Floats
    precision: Floats
    far: float
    colours: Floats | None

    def told(
        self, general: Floats, values: Sequence[int], side: Image, names: Floats, lab: Floats
    ) -> tuple[Floats, Floats]:
        """What the general reader says, log probability (levels, values), with what the views say added, and
        how unlike every enrolled chip each level is (levels,): its squared distance in units of ``far``; 0
        for what is likeliest one of the house's that was not enrolled."""
        away = self.distances(described(side, names, lab))
        held = np.full(general.shape, self.far)
        for k, value in enumerate(self.values):
            if value in values:
                held[:, values.index(value)] = away[:, k]
        scores = general - _WEIGHT / 2 * np.minimum(held, 4 * self.far)
        known = np.array([value in self.values for value in values])
        strange = np.where(known[scores.argmax(axis=1)], away.min(axis=1) / self.far, 0.0)
        return np.log(softmax(scores) + 1e-9), strange

    def distances(self, chips: Floats) -> Floats:
        """Squared distance (n, v) of chips' descriptions (n, d) from each value."""
        away = chips[:, None] - self.means
        return np.asarray(np.einsum("nvi,ij,nvj->nv", away, self.precision, away))


def described(side: Image, names: Floats, lab: Floats) -> Floats:
    """The description (levels, d) of the chip at each level: ``side`` as ``side_view`` gives it, ``names``
    (levels, n) logits and ``lab`` (levels, 3) in ``LAB_SCALE``, as the network gives them."""
    colours = cv2.cvtColor(side.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[::-1][:, ~_FAR_OUT]
    bands = colours[ROWS_BELOW:].reshape(_COUNTS, ROWS_PER_CHIP, -1, 3)[:, 1:-1].reshape(_COUNTS, -1, 3)
    parts = np.percentile(bands, _PARTS, axis=1)
    parts[..., 0] -= 50
    return np.concatenate([*(parts / _UNIT), np.sqrt(softmax(names)), lab[:, :3]], axis=1)


def mixed(views: Sequence[ChipView], rng: np.random.Generator) -> tuple[Image, tuple[int, ...], Floats]:
    """A stack put together from the bands of others: its side, its values from the bottom, its geometry."""
    first = views[int(rng.integers(len(views)))]
    count = int(rng.integers(1, _TALLEST + 1))
    blocks = max(1, int(rng.integers(1, count + 1)) if rng.random() < 0.6 else 1)
    owners = [views[int(i)] for i in rng.integers(len(views), size=blocks)]
    which = (
        np.sort(rng.integers(blocks, size=count)) if rng.random() < 0.5 else rng.integers(blocks, size=count)
    )
    chips = [owners[int(i)] for i in which]
    rows = first.side[::-1].copy()
    end = ROWS_BELOW + count * ROWS_PER_CHIP
    above = first.side[::-1][ROWS_BELOW + first.count * ROWS_PER_CHIP :]
    rows[end : end + len(above)] = above[: len(rows) - end]
    for level, chip in enumerate(chips):
        own = ROWS_BELOW + int(rng.integers(chip.count)) * ROWS_PER_CHIP
        at = ROWS_BELOW + level * ROWS_PER_CHIP
        rows[at : at + ROWS_PER_CHIP] = chip.side[::-1][own : own + ROWS_PER_CHIP]
    thickness_px = 4 * float(first.geometry[0])
    sigma = _SPREAD_PX * ROWS_PER_CHIP / max(thickness_px, 1.0)
    blurred = cv2.GaussianBlur(rows, (1, 2 * round(3 * sigma) + 1), sigmaX=0.01, sigmaY=sigma)
    return np.asarray(blurred[::-1], np.uint8), tuple(chip.value for chip in chips), first.geometry


def enrol_chips(views: Sequence[ChipView], see: Seeing, seed: int = 0) -> EnrolledChips:
    """Learn a house's chips; the same views give the same. Raises ChipError without any view."""
    if not views:
        raise ChipError("no stack of chips was seen well enough to enrol it: take a clearer picture")
    rng = np.random.default_rng(seed)
    values = tuple(sorted({view.value for view in views}))
    chips: list[Floats] = []
    names: list[int] = []
    plain = [(view.side, (view.value,) * view.count, view.geometry) for view in views]
    for side, stack, geometry in [*plain, *(mixed(views, rng) for _ in range(_MIXED))]:
        chips.append(described(side, *see(side, geometry))[: len(stack)])
        names += stack
    every, named = np.concatenate(chips), np.array(names)
    means = np.stack([every[named == value].mean(axis=0) for value in values])
    within = every - means[np.searchsorted(values, named)]
    spread = within.T @ within / len(within)
    spread = (1 - _SHRINK) * spread + _SHRINK * np.diag(np.diag(spread))
    precision = np.linalg.inv(spread + _LEAST_SPREAD**2 * np.eye(len(spread)))
    own = np.einsum("ni,ij,nj->n", within, precision, within)
    colours = np.stack([_colour([view for view in views if view.value == value]) for value in values])
    return EnrolledChips(values, means, precision, float(np.quantile(own, _SHARE)), colours)


def _colour(views: Sequence[ChipView]) -> Floats:
    """How bright chips of one value look in the middle of their bands, blue, green and red (3,), 0..1."""
    bands = []
    for view in views:
        rows = ROWS_BELOW + ROWS_PER_CHIP // 2 + ROWS_PER_CHIP * np.arange(view.count)
        bands.append(np.median(view.side[::-1][rows][:, FRONT], axis=1))
    return np.asarray(np.median(np.concatenate(bands), axis=0) / 255, np.float64)
