"""Reads stacks of chips: where one stands, how many chips, which, bottom to top, and how sure; exact or null.

Geometry does the first half (:mod:`vision.chip_geometry`): from the calibrated camera it is known how a stack
at a place must look, so its near side is unrolled into a picture in which each chip is one band. Two small
networks (``models/chip_reader``) do the second: one finds the foot, one counts the bands and says the colour
of each. They know colours, not houses: a table's chips come as a :class:`ChipSet`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.camera import Camera, Floats
from vision.chip_colours import COLOUR_NAMES, softmax
from vision.chip_enrolling import EnrolledChips
from vision.chip_geometry import (
    LEVELS,
    LEVELS_BELOW,
    PLACE_SHAPE,
    REACH,
    ROWS_PER_CHIP,
    SIDE_SHAPE,
    Image,
    StackFrame,
    foot_of_box,
    geometry_inputs,
    offset_mm,
    place_view,
    side_view,
    stack_frame,
)
from vision.chip_set import ChipColour, ChipSet, joined, value_scores
from vision.errors import ChipError
from vision.foot import Foot, together
from vision.tops import Tops
from vision.weights import Weights

__all__ = ["ChipColour", "ChipReader", "ChipSet", "StackEvidence", "StackReading", "StackScores", "decide"]

COUNTABLE_PX = 1.5
"""A stack whose chips look thinner than this cannot be counted by that camera (``formats.md``)."""
MAX_COUNT = 20
"""Taller stacks than this are left unread."""
COUNTS = LEVELS - LEVELS_BELOW
PLACE = Weights(
    "chip_reader/place.onnx",
    "finds the foot of a stack and its top's colour",
    inputs={"view": (None, *PLACE_SHAPE, 3), "geometry": (None, 4)},
    outputs={"foot": (None, 4), "names": (None, len(COLOUR_NAMES)), "lab": (None, 6), "clear": (None,)},
)
SIDE = Weights(
    "chip_reader/side.onnx",
    "counts the chips of a stack from its side, and says their colours",
    inputs={"view": (None, *SIDE_SHAPE, 3), "geometry": (None, 4)},
    outputs={
        "counts": (None, COUNTS),
        "names": (None, COUNTS, len(COLOUR_NAMES)),
        "lab": (None, COUNTS, 6),
        "clear": (None,),
        "where": (None, 2 * REACH + 1),
    },
)
MODELS = PLACE.path.parent

_ASTRAY = 0.45
"""A foot that moves so many radii away from the camera is that of the top, taken for one chip: sides of the
felt's colour or in their own shade do that."""
_SETTLED = 0.025
"""A foot that moves by less than so many radii is not looked at again."""
_FAR = 1.0
"""A foot that proves to be so many chips' thicknesses off is looked at once more."""
_LOOKS, _STEP = (-1, 0, 1), 0.4
"""Looks at a side, and their shift in chips; the middle one is mirrored. More of them tell nothing more."""
_CLEAR = 0.5
_SHARPNESS = 1.25
"""The views' scores averaged are this much less sure than they are right; measured on held-out scenes."""
_SURE_COUNT, _SURE_POOR = 0.951, 0.97
"""From here on less than one count in a hundred was wrong on held-out scenes (``models/chip_reader``); the
second in poor views, where a chip out of line looks like more or less of them."""
_GOOD_PX, _GOOD_RISE = 2.0, 0.84
"""Views are good from this thickness of a chip and from 40 degrees off the vertical."""
_SURE_ONE = 0.985
"""The same for one chip alone: another may lie hidden under it."""
_SURE_CHIP = 0.975
_SURE_RGB = 0.99
"""The same for a chip's colour, by name and by exact colour: the latter is surer than it is right."""
_SURE_TOP = 0.98
_DOUBTFUL, _UNKNOWN = 1.0, 2.0
"""A chip so unlike every enrolled one is not named; one twice as unlike is said to be unknown."""
_TOP_SHARE = 0.75
"""Weight of the two looks at a top chip's colour, which share a light and so are not quite independent."""


@dataclass(frozen=True, slots=True, eq=False)
class StackScores:
    """What one or more frames say of a stack, before deciding.

    ``counts`` (COUNTS,): log probability of 0, 1, … chips, None where chips are too thin to count.
    ``chips`` (COUNTS, values): log probability of each value at each level from the bottom, None likewise.
    ``top`` (values,): log probability of the top chip's value. ``clear``: probability that nothing covers it.
    ``thickness_px``: of one chip. ``spread_mm``: usual error of the place. ``lab`` (COUNTS, 3): colours seen.
    ``strange`` (COUNTS,): how unlike every enrolled chip each level is, doubtful from 1 on; None: not known.
    """

    counts: Floats | None
    chips: Floats | None
    top: Floats
    clear: float
    thickness_px: float
    spread_mm: float
    lab: Floats | None
    strange: Floats | None = None
    rise: float = 0.0


@dataclass(frozen=True, slots=True)
class StackReading:
    """A stack read, exact or null.

    ``at_mm``: centre of the lowest chip on the felt. ``count``: chips, None where the camera cannot tell.
    ``denominations``: values bottom to top, None where one could not be read, None as a whole without count.
    ``top``: the top chip's value. ``unread``: why something is None, in words. ``p``: probability that
    everything that is given is right. ``unknown``: the chips, counted from the bottom, that are unlike every
    enrolled one. ``foot`` (2, 2): covariance of ``at_mm`` in the picture, mm², where it was fitted to it.
    ``tops``: how high it may be, where another camera can tell more of that.
    """

    at_mm: tuple[float, float]
    count: int | None
    denominations: tuple[int | None, ...] | None
    top: int | None
    unread: str | None
    p: float
    scores: StackScores | None = None
    unknown: tuple[int, ...] = ()
    foot: Floats | None = None
    tops: Tops | None = None


class ChipReader:
    """Reads the stacks of one house's chips. Holds no state between calls."""

    def __init__(
        self, chips: ChipSet, path: Path | None = None, enrolled: EnrolledChips | None = None
    ) -> None:
        """``path``: folder with ``place.onnx`` and ``side.onnx``. ``enrolled``: how the house's own chips
        look, if that was enrolled. Raises ModelError if the networks are not there."""
        self.chips = chips
        self._enrolled = enrolled
        folder = MODELS if path is None else path
        self._place = PLACE.open(1, folder / "place.onnx")
        self._side = SIDE.open(1, folder / "side.onnx")

    def locate(
        self, image: Image, camera: Camera, box_px: tuple[float, float, float, float]
    ) -> tuple[float, float] | None:
        """Centre of a pile's lowest chip on the felt, mm, from a box round the pile (x0, y0, x1, y1).

        The box may be some pixels loose. None where the box does not lie on the felt that the camera sees.
        """
        at = foot_of_box(camera, box_px, self.chips.diameter_mm, self.chips.height_mm)
        if at is None:
            return None
        placed = self._placed(image, camera, at, passes=3)
        return None if placed is None else placed.at_mm

    def read(self, image: Image, camera: Camera, at_mm: tuple[float, float]) -> StackReading:
        """Read the stack that stands about ``at_mm`` (to within half a chip) in one picture.

        ``image``: uint8 (H, W, 3) BGR, the camera's picture. Never raises for what is seen: what cannot be
        read is None and ``unread`` says why.
        """
        placed = self._placed(image, camera, at_mm, passes=2)
        if placed is None:
            return StackReading(at_mm, None, None, None, "the camera does not see this place", 0.0)
        at, scores = self._scores(image, camera, placed)
        return decide(self.chips, at, scores)

    def view(
        self, image: Image, camera: Camera, at_mm: tuple[float, float]
    ) -> tuple[StackReading, Image, Floats] | None:
        """A stack as it is enrolled: its reading, its unrolled side and the numbers (4,) of its view.

        None where the camera does not see it, or sees its chips too thin.
        """
        reading = self.read(image, camera, at_mm)
        frame = self._frame(camera, reading.at_mm)
        side = self._side_at(image, camera, reading.at_mm)
        if frame is None or side is None or reading.scores is None or reading.scores.counts is None:
            return None
        return reading, side, np.asarray(geometry_inputs(frame), np.float64)

    def see(self, side: Image, geometry: Floats) -> tuple[Floats, Floats]:
        """What the network sees of an unrolled side: names (COUNTS, n), logits, and colours (COUNTS, 3)."""
        inputs = {
            "view": np.stack([side, side[:, ::-1]]),
            "geometry": np.stack([geometry] * 2).astype(np.float32),
        }
        names, lab = self._side.run(["names", "lab"], inputs)
        return np.asarray(names.mean(axis=0)), np.asarray(lab.mean(axis=0)[:, :3], np.float64)

    def _side_at(self, image: Image, camera: Camera, at_mm: tuple[float, float]) -> Image | None:
        frame = self._frame(camera, at_mm)
        if frame is None:
            return None
        return side_view(image, camera, at_mm, frame, self.chips.diameter_mm, self.chips.height_mm)

    def _frame(self, camera: Camera, at_mm: tuple[float, float]) -> StackFrame | None:
        return stack_frame(camera, at_mm, self.chips.diameter_mm, self.chips.height_mm)

    def _placed(
        self, image: Image, camera: Camera, at_mm: tuple[float, float], passes: int
    ) -> _Placed | None:
        """The foot found by looking, moving to what was found, and looking again."""
        radius = self.chips.diameter_mm / 2
        at = at_mm
        found: _Placed | None = None
        for _ in range(passes):
            frame = self._frame(camera, at)
            if frame is None:
                return found
            view, geometry = place_view(image, frame), geometry_inputs(frame)
            pair = np.stack([view, view[:, ::-1]])
            foot, names, lab, clear = self._place.run(
                ["foot", "names", "lab", "clear"], {"view": pair, "geometry": np.stack([geometry] * 2)}
            )
            across, up = (foot[0, 0] - foot[1, 0]) / 2, (foot[0, 1] + foot[1, 1]) / 2
            step = offset_mm(frame, float(across), float(up), radius)
            at = (at[0] + step[0], at[1] + step[1])
            spread = np.exp(np.clip(foot[:, 2:].mean(axis=0), -5, 2)) * radius
            found = _Placed(
                at_mm=at,
                spread_mm=float(math.hypot(spread[0], spread[1] / max(frame.squash, 0.1))),
                top=value_scores(self.chips, names.mean(axis=0), lab.mean(axis=0)),
                clear=float(1 / (1 + math.exp(-clear.mean()))),
            )
            if math.hypot(*step) < _SETTLED * radius:
                break
        first = self._frame(camera, at_mm)
        if found is None or first is None:
            return found
        away_mm = float(np.subtract(found.at_mm, at_mm) @ first.away_mm)
        if away_mm * min(1.0, first.rise) > _ASTRAY * radius:
            return replace(found, at_mm=at_mm, spread_mm=max(found.spread_mm, away_mm))
        return found

    def _scores(
        self, image: Image, camera: Camera, placed: _Placed
    ) -> tuple[tuple[float, float], StackScores]:
        """What the side says, and the foot as it is known then."""
        at = placed.at_mm
        for attempt in range(2):
            frame = self._frame(camera, at)
            thickness = 0.0 if frame is None else frame.thickness_px
            plain = StackScores(None, None, placed.top, placed.clear, thickness, placed.spread_mm, None)
            if frame is None or thickness < COUNTABLE_PX:
                return at, plain
            plain = replace(plain, rise=frame.rise)
            chip_mm = self.chips.height_mm * frame.rise * frame.away_mm
            views = []
            for k in _LOOKS:  # between two rows it looks a little different
                near = (at[0] + k * _STEP * float(chip_mm[0]), at[1] + k * _STEP * float(chip_mm[1]))
                view = side_view(image, camera, near, frame, self.chips.diameter_mm, self.chips.height_mm)
                views.append(view if k else view[:, ::-1])
            geometry = np.stack([geometry_inputs(frame)] * len(views))
            counts, names, lab, clear, where = self._side.run(
                ["counts", "names", "lab", "clear", "where"],
                {"view": np.stack(views), "geometry": geometry},
            )
            rows = where @ np.arange(-REACH, REACH + 1) / ROWS_PER_CHIP
            shift = float((rows + _STEP * np.array(_LOOKS)).mean())
            at = (at[0] + shift * float(chip_mm[0]), at[1] + shift * float(chip_mm[1]))
            if attempt or abs(shift) < _FAR:
                break
        seen = np.asarray(lab.mean(axis=0), np.float64)
        chips = np.stack(
            [value_scores(self.chips, n, c) for n, c in zip(names.mean(axis=0), seen, strict=True)]
        )
        strange: Floats | None = None
        if self._enrolled is not None and (own := self._side_at(image, camera, at)) is not None:
            chips, strange = self._enrolled.told(
                chips, self.chips.values, own, names.mean(axis=0), seen[:, :3]
            )
        scores = replace(
            plain,
            counts=np.log(softmax(_SHARPNESS * np.log(softmax(counts) + 1e-9).mean(axis=0)) + 1e-9),
            chips=chips,
            strange=strange,
            clear=float(1 / (1 + math.exp(-clear.mean()))),
            lab=seen[:, :3],
        )
        return at, scores


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    at_mm: tuple[float, float]
    spread_mm: float
    top: Floats
    clear: float


class StackEvidence:
    """Sums what several frames say of one stack, so that noise in one of them flips nothing.

    Frames of one stack share most of what could mislead (how its chips lie, the light), so their log
    probabilities are averaged, not added: more frames make a reading steadier, not surer than its picture.
    """

    def __init__(self, chips: ChipSet, keep: int = 25) -> None:
        """``keep``: the newest frames that count."""
        self._chips = chips
        self._keep = keep
        self._readings: list[StackReading] = []

    def __len__(self) -> int:
        return len(self._readings)

    def add(self, reading: StackReading) -> StackReading:
        """Add one frame's reading; gives the best reading of all so far."""
        if reading.scores is not None:
            self._readings = [*self._readings[1 - self._keep :], reading]
        return self.best() if self._readings else reading

    def best(self) -> StackReading:
        """The reading of all frames together. Raises ChipError before the first one."""
        if not self._readings:
            raise ChipError("no frame of this stack was read yet: add a reading first")
        pairs = [(r, r.scores) for r in self._readings if r.scores is not None]
        weights = np.array([max(s.clear, 1e-3) for _, s in pairs])
        clear = [pair for pair, weight in zip(pairs, weights, strict=True) if weight >= 0.5 * weights.max()]
        scores = [s for _, s in clear]
        counts = [s.counts for s in scores if s.counts is not None]
        chips = [s.chips for s in scores if s.chips is not None]
        labs = [s.lab for s in scores if s.lab is not None]
        strange = [s.strange for s in scores if s.strange is not None]
        merged = StackScores(
            counts=_average(counts) if counts else None,
            chips=joined(np.stack(chips), 1 / len(chips)) if chips else None,
            top=joined(np.stack([s.top for s in scores]), 1 / len(scores)),
            clear=float(np.mean([s.clear for s in scores])),
            thickness_px=float(np.mean([s.thickness_px for s in scores])),
            spread_mm=float(np.median([s.spread_mm for s in scores])),
            lab=np.mean(labs, axis=0) if labs else None,
            strange=np.mean(strange, axis=0) if strange else None,
            rise=float(np.mean([s.rise for s in scores])),
        )
        feet = [Foot(r.at_mm, r.foot) for r, _ in clear if r.foot is not None]
        if feet:
            foot = together(feet)
            tops = next((r.tops for r, _ in reversed(clear) if r.tops is not None), None)
            return replace(decide(self._chips, foot.at_mm, merged), foot=foot.error, tops=tops)
        at = np.median([r.at_mm for r, _ in clear], axis=0)
        return decide(self._chips, (float(at[0]), float(at[1])), merged)


def _average(scores: Sequence[Floats]) -> Floats:
    return np.log(softmax(np.mean(scores, axis=0)) + 1e-9)


def levels_of(scores: StackScores, count: int) -> Floats:
    """Log probability (count, values) of each value for each chip of a stack of so many, bottom to top.

    The side must have been seen (``scores.chips``). The top chip is seen from its side and from above.
    """
    assert scores.chips is not None
    levels = scores.chips[:count].copy()
    levels[-1] = joined(np.stack([levels[-1], scores.top]), _TOP_SHARE)
    return levels


def _from_bottom(chips: Sequence[int]) -> str:
    """Which chips of a stack, in words."""
    numbers = [str(number) for number in chips]
    which = " and ".join([", ".join(numbers[:-1]), numbers[-1]]) if len(numbers) > 1 else numbers[0]
    return f"chip{'s' if len(numbers) > 1 else ''} {which} from the bottom"


def decide(chips: ChipSet, at_mm: tuple[float, float], scores: StackScores) -> StackReading:
    """Turn scores into a reading: what is sure enough is given, the rest is null, with the reason."""
    values = chips.values
    best_top = int(np.argmax(scores.top))
    p_top = float(np.exp(scores.top[best_top]))
    top = values[best_top] if p_top >= _SURE_TOP else None
    if scores.clear < _CLEAR:
        why = "the stack is partly hidden"
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    if scores.counts is None or scores.chips is None:
        why = (
            f"a chip looks {scores.thickness_px:.1f} px thick from this camera; "
            f"below {COUNTABLE_PX} px the chips of a stack cannot be counted"
        )
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    count = int(np.argmax(scores.counts))
    p_count = float(np.exp(scores.counts[count]))
    if count == 0 and p_count >= _SURE_COUNT:
        return StackReading(at_mm, None, None, None, "no stack is seen here", 0.0, scores)
    good = scores.thickness_px >= _GOOD_PX and scores.rise >= _GOOD_RISE
    needed = _SURE_COUNT if good else _SURE_POOR
    needed = max(needed, _SURE_ONE) if count == 1 else needed
    if p_count < needed or not 1 <= count <= MAX_COUNT:
        order = np.argsort(scores.counts)[::-1]
        either = sorted(int(i) for i in order[:2])
        why = f"the count is not sure: {either[0]} or {either[1]} chips"
        if count > MAX_COUNT:
            why = f"the stack is taller than {MAX_COUNT} chips"
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    levels = levels_of(scores, count)
    best = np.argmax(levels, axis=1)
    sure = np.exp(levels[np.arange(count), best])
    exact = any(chip.rgb is not None or chip.lab is not None for chip in chips.chips)
    needed = _SURE_RGB if exact else _SURE_CHIP
    strange = np.zeros(count) if scores.strange is None else scores.strange[:count]
    read = tuple(
        values[int(b)] if p >= needed and unlike <= _DOUBTFUL else None
        for b, p, unlike in zip(best, sure, strange, strict=True)
    )
    unknown = tuple(i + 1 for i in range(count) if strange[i] > _UNKNOWN)
    unclear = [i + 1 for i, value in enumerate(read) if value is None and i + 1 not in unknown]
    whys = []
    if unknown:
        be = "is" if len(unknown) == 1 else "are"
        whys.append(f"unknown chip: {_from_bottom(unknown)} {be} unlike every enrolled one")
    if unclear:
        what = "colour of {} is" if len(unclear) == 1 else "colours of {} are"
        whys.append(f"the {what.format(_from_bottom(unclear))} not sure")
    why_not = "; ".join(whys) or None
    if strange[-1] > _DOUBTFUL:
        top = None
    p = p_count * float(
        min((p for p, value in zip(sure, read, strict=True) if value is not None), default=1.0)
    )
    top = read[-1] if read[-1] is not None else top
    return StackReading(at_mm, count, read, top, why_not, p, scores, unknown)
