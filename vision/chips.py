"""Reads stacks of chips: where one stands, how many chips, which, bottom to top, and how sure; exact or null.

Geometry does the first half (:mod:`vision.chip_geometry`): from the calibrated camera it is known how a stack
at a place must look, so its near side is unrolled into a picture in which each chip is one band. Two small
networks (``models/chip_reader``) do the second: one finds the foot, one counts the bands and says which chip
each is. No house is built into them: they are told the table's chips, which come as a :class:`ChipSet`.
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
from vision.chip_set import ChipSet, joined, palette_of, value_scores
from vision.chip_stacks import COUNTABLE_PX, StackReading, StackScores, decide
from vision.errors import ChipError
from vision.foot import Foot, together
from vision.weights import Weights

__all__ = ["ChipReader", "StackEvidence"]

COUNTS = LEVELS - LEVELS_BELOW
PLACE = Weights(
    "chip_reader/place.onnx",
    "finds the foot of a stack and its top's colour",
    inputs={"view": (None, *PLACE_SHAPE, 3), "geometry": (None, 4), "palette": (None, None, 6)},
    outputs={"foot": (None, 4), "clear": (None,), "value": (None, None)},
)
SIDE = Weights(
    "chip_reader/side.onnx",
    "counts the chips of a stack from its side, and says their colours",
    inputs={"view": (None, *SIDE_SHAPE, 3), "geometry": (None, 4), "palette": (None, None, 6)},
    outputs={
        "counts": (None, COUNTS),
        "names": (None, COUNTS, len(COLOUR_NAMES)),
        "lab": (None, COUNTS, 6),
        "clear": (None,),
        "where": (None, 2 * REACH + 1),
        "values": (None, COUNTS, None),
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
_SHARPNESS = 1.25
"""The views' scores averaged are this much less sure than they are right; measured on held-out scenes."""


class ChipReader:
    """Reads the stacks of one house's chips. Holds no state between calls."""

    def __init__(
        self, chips: ChipSet, path: Path | None = None, enrolled: EnrolledChips | None = None
    ) -> None:
        """``path``: folder with ``place.onnx`` and ``side.onnx``. ``enrolled``: how the house's own chips
        look, if that was enrolled. Raises ModelError if the networks are not there."""
        self.chips = chips
        self._enrolled = enrolled
        self._palette = palette_of(chips)
        self._own_palette = self._palette
        if enrolled is not None and enrolled.colours is not None:
            seen = dict(zip(enrolled.values, enrolled.colours, strict=True))
            # a house told half in one light and half in another is named less, and wrongly
            if seen.keys() >= set(chips.values):
                self._own_palette = palette_of(chips, seen)
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
        placed = self._placed(image, camera, at, passes=3, mirrored=False)
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
            "palette": np.stack([self._palette] * 2),
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
        self, image: Image, camera: Camera, at_mm: tuple[float, float], passes: int, mirrored: bool = True
    ) -> _Placed | None:
        """The foot found by looking, moving to what was found, and looking again.

        ``mirrored``: each look is taken as it is and mirrored: a little nearer, at twice the time.
        """
        radius = self.chips.diameter_mm / 2
        at = at_mm
        found: _Placed | None = None
        for _ in range(passes):
            frame = self._frame(camera, at)
            if frame is None:
                return found
            view = place_view(image, frame)
            looks = np.stack([view, view[:, ::-1]] if mirrored else [view])
            inputs = {
                "view": looks,
                "geometry": np.stack([geometry_inputs(frame)] * len(looks)),
                "palette": np.stack([self._palette] * len(looks)),
            }
            foot, clear, value = self._place.run(["foot", "clear", "value"], inputs)
            across, up = float(np.mean(foot[:, 0] * [1, -1][: len(looks)])), float(foot[:, 1].mean())
            step = offset_mm(frame, across, up, radius)
            at = (at[0] + step[0], at[1] + step[1])
            spread = np.exp(np.clip(foot[:, 2:].mean(axis=0), -5, 2)) * radius
            found = _Placed(
                at_mm=at,
                spread_mm=float(math.hypot(spread[0], spread[1] / max(frame.squash, 0.1))),
                top=value_scores(value),
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
            palette = np.stack([self._own_palette] * len(views))
            counts, names, lab, clear, where, values = self._side.run(
                ["counts", "names", "lab", "clear", "where", "values"],
                {"view": np.stack(views), "geometry": geometry, "palette": palette},
            )
            rows = where @ np.arange(-REACH, REACH + 1) / ROWS_PER_CHIP
            shift = float((rows + _STEP * np.array(_LOOKS)).mean())
            at = (at[0] + shift * float(chip_mm[0]), at[1] + shift * float(chip_mm[1]))
            if attempt or abs(shift) < _FAR:
                break
        seen = np.asarray(lab.mean(axis=0), np.float64)
        chips = value_scores(values)
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
