"""Reads stacks of chips: where one stands, how many chips, which, bottom to top, and how sure; exact or null.

Geometry does the first half (:mod:`vision.chip_geometry`): from the calibrated camera it is known how a stack
at a place must look, so its near side is unrolled into a picture in which each chip is one band. Two small
networks (``models/chip_reader``) do the second: one finds the foot (:mod:`vision.standing`), one counts the
bands and says which chip each is. No house is built into them: they are told the table's chips, which come as
a :class:`ChipSet`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.camera import Camera, Floats
from vision.chip_colours import COLOUR_NAMES, sigmoid, softmax
from vision.chip_enrolling import EnrolledChips
from vision.chip_geometry import (
    LEVELS,
    LEVELS_BELOW,
    REACH,
    ROWS_PER_CHIP,
    SIDE_SHAPE,
    Image,
    StackFrame,
    foot_of_box,
    geometry_inputs,
    side_view,
    stack_frame,
)
from vision.chip_set import ChipSet, palette_of, value_scores
from vision.chip_stacks import COUNTABLE_PX, StackReading, StackScores, decide
from vision.standing import PlaceFinder, Standing
from vision.weights import Weights

COUNTS = LEVELS - LEVELS_BELOW
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
MODELS = SIDE.path.parent

_FAR = 1.0
"""A foot that proves to be so many chips' thicknesses off is looked at once more."""
_LOOKS, _STEP = (-1, 0, 1), 0.4
"""Looks at a side, and their shift in chips; the middle one is mirrored. More of them tell nothing more."""
_SHARPNESS = 1.1
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
        self._finder = PlaceFinder(chips, self._palette, folder / "place.onnx")
        self._side = SIDE.open(1, folder / "side.onnx")

    def locate(
        self, image: Image, camera: Camera, box_px: tuple[float, float, float, float]
    ) -> tuple[float, float] | None:
        """Centre of a pile's lowest chip on the felt, mm, from a box round the pile (x0, y0, x1, y1).

        The box may be some pixels loose. None where the box does not lie on the felt that the camera sees.
        """
        return self.locate_all(image, camera, [box_px])[0]

    def locate_all(
        self, image: Image, camera: Camera, boxes_px: Sequence[tuple[float, float, float, float]]
    ) -> list[tuple[float, float] | None]:
        """:meth:`locate` for several piles of one picture, in less time than one by one."""
        size_mm = self.chips.diameter_mm, self.chips.height_mm
        guesses = [foot_of_box(camera, box, *size_mm) for box in boxes_px]
        known = [at for at in guesses if at is not None]
        found = iter(self._finder.find(image, camera, known, passes=3, mirrored=False))
        placed = [None if at is None else next(found) for at in guesses]
        return [None if each is None else each.at_mm for each in placed]

    def read(self, image: Image, camera: Camera, at_mm: tuple[float, float]) -> StackReading:
        """Read the stack that stands about ``at_mm`` (to within half a chip) in one picture.

        ``image``: uint8 (H, W, 3) BGR, the camera's picture. Never raises for what is seen: what cannot be
        read is None and ``unread`` says why.
        """
        return self.read_all(image, camera, [at_mm])[0]

    def read_all(
        self, image: Image, camera: Camera, places_mm: Sequence[tuple[float, float]]
    ) -> list[StackReading]:
        """:meth:`read` for several stacks of one picture, in less time than one by one."""
        found = self._finder.find(image, camera, places_mm, passes=2)
        told = iter(self._told(image, camera, [each for each in found if each is not None]))
        return [
            StackReading(at, None, None, None, "the camera does not see this place", 0.0)
            if each is None
            else decide(self.chips, *next(told))
            for at, each in zip(places_mm, found, strict=True)
        ]

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

    def _told(
        self, image: Image, camera: Camera, found: Sequence[Standing]
    ) -> list[tuple[tuple[float, float], StackScores]]:
        """What the sides of stacks say, and their feet as they are known then."""
        feet = [each.at_mm for each in found]
        told = [StackScores(None, None, each.top, each.clear, 0.0, each.spread_mm, None) for each in found]
        unread = list(range(len(found)))
        for last in (False, True):
            framed = [(number, self._frame(camera, feet[number])) for number in unread]
            seen: list[tuple[int, StackFrame]] = []
            for number, frame in framed:
                thickness = 0.0 if frame is None else frame.thickness_px
                told[number] = replace(told[number], thickness_px=thickness)
                if frame is not None and thickness >= COUNTABLE_PX:
                    seen.append((number, frame))
            if not seen:
                break
            unread = []
            sides = self._sides(image, camera, [(feet[number], frame) for number, frame in seen])
            for (number, frame), side in zip(seen, sides, strict=True):
                rows = side.where @ np.arange(-REACH, REACH + 1) / ROWS_PER_CHIP
                shift = float((rows + _STEP * np.array(_LOOKS)).mean())
                x, y = shift * self.chips.height_mm * frame.rise * frame.away_mm
                feet[number] = (feet[number][0] + float(x), feet[number][1] + float(y))
                if not last and abs(shift) >= _FAR:
                    unread.append(number)
                else:
                    told[number] = self._scored(image, camera, feet[number], side, told[number], frame.rise)
        return list(zip(feet, told, strict=True))

    def _sides(
        self, image: Image, camera: Camera, stacks: Sequence[tuple[tuple[float, float], StackFrame]]
    ) -> list[_Side]:
        """What the network says of the side of each stack, by its foot."""
        views = []
        for at, frame in stacks:
            chip_mm = self.chips.height_mm * frame.rise * frame.away_mm
            for k in _LOOKS:  # between two rows it looks a little different
                near = (at[0] + k * _STEP * float(chip_mm[0]), at[1] + k * _STEP * float(chip_mm[1]))
                view = side_view(image, camera, near, frame, self.chips.diameter_mm, self.chips.height_mm)
                views.append(view if k else view[:, ::-1])
        geometry = np.stack([geometry_inputs(frame) for _, frame in stacks])
        inputs = {
            "view": np.stack(views),
            "geometry": np.repeat(geometry, len(_LOOKS), axis=0),
            "palette": np.repeat(self._own_palette[None], len(views), axis=0),
        }
        outputs = self._side.run(["counts", "names", "lab", "clear", "where", "values"], inputs)
        by_stack = [each.reshape(len(stacks), len(_LOOKS), *each.shape[1:]) for each in outputs]
        return [_Side(*each) for each in zip(*by_stack, strict=True)]

    def _scored(
        self,
        image: Image,
        camera: Camera,
        at_mm: tuple[float, float],
        side: _Side,
        plain: StackScores,
        rise: float,
    ) -> StackScores:
        """``plain``: what is known without the side."""
        seen = np.asarray(side.lab.mean(axis=0), np.float64)
        chips = value_scores(side.values)
        strange: Floats | None = None
        if self._enrolled is not None and (own := self._side_at(image, camera, at_mm)) is not None:
            chips, strange = self._enrolled.told(
                chips, self.chips.values, own, side.names.mean(axis=0), seen[:, :3]
            )
        return replace(
            plain,
            counts=np.log(softmax(_SHARPNESS * np.log(softmax(side.counts) + 1e-9).mean(axis=0)) + 1e-9),
            chips=chips,
            strange=strange,
            clear=sigmoid(float(side.clear.mean())),
            lab=seen[:, :3],
            rise=rise,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """What the network says of one stack's side, by look: the outputs of ``SIDE``."""

    counts: Floats
    names: Floats
    lab: Floats
    clear: Floats
    where: Floats
    values: Floats
