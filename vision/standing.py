"""Where stacks stand: a small network looks at the surroundings of a foot and says where it really is.

All stacks of a look are looked at together; those that moved are looked at again where they moved to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.chip_colours import sigmoid
from vision.chip_geometry import (
    PLACE_SHAPE,
    Image,
    StackFrame,
    geometry_inputs,
    offset_mm,
    place_view,
    stack_frame,
)
from vision.chip_set import ChipSet, value_scores
from vision.weights import Weights

PLACE = Weights(
    "chip_reader/place.onnx",
    "finds the foot of a stack and its top's colour",
    inputs={"view": (None, *PLACE_SHAPE, 3), "geometry": (None, 4), "palette": (None, None, 6)},
    outputs={"foot": (None, 4), "clear": (None,), "value": (None, None)},
)
_ASTRAY = 0.45
"""A foot that moves so many radii away from the camera is that of the top, taken for one chip: sides of the
felt's colour or in their own shade do that."""
_SETTLED = 0.025
"""A foot that moves by less than so many radii is not looked at again."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Where a stack stands. ``at_mm``: the middle of its lowest chip; ``spread_mm``: its usual error;
    ``top`` (values,): log probability of the top chip's value; ``clear``: probability that nothing covers
    it."""

    at_mm: tuple[float, float]
    spread_mm: float
    top: Floats
    clear: float


class PlaceFinder:
    """The network, told a house's chips. Holds no state between calls."""

    def __init__(self, chips: ChipSet, palette: NDArray[np.float32], path: Path) -> None:
        """``path``: the network's file; ``palette`` (values, 6): the chips as networks are told them. Raises
        ModelError if the network is not there."""
        self._chips = chips
        self._palette = palette
        self._session = PLACE.open(1, path)

    def find(
        self,
        image: Image,
        camera: Camera,
        places_mm: Sequence[tuple[float, float]],
        passes: int,
        mirrored: bool = True,
    ) -> list[Standing | None]:
        """The feet found by looking about places, moving to what was found, and looking again; None where the
        camera does not see. ``image``: uint8 (H, W, 3) BGR.

        ``mirrored``: each look is taken as it is and mirrored: a little nearer, at twice the time.
        """
        radius = self._chips.diameter_mm / 2
        first = [self._frame(camera, at) for at in places_mm]
        found: list[Standing | None] = [None] * len(first)
        moving = {number: frame for number, frame in enumerate(first) if frame is not None}
        for last in range(passes - 1, -1, -1):
            if not moving:
                break
            # one view is reckoned otherwise than several, in the last digit: no pile's place shall hang on
            # how many others there are
            at_once = [list(moving.values())] if mirrored else [[frame] for frame in moving.values()]
            seen = [look for frames in at_once for look in self._looked(image, frames, mirrored)]
            still: dict[int, StackFrame] = {}
            for (number, frame), (foot, clear, value) in zip(moving.items(), seen, strict=True):
                before = found[number]
                at = places_mm[number] if before is None else before.at_mm
                across, up, *spread = foot
                step = offset_mm(frame, across, up, radius)
                at = (at[0] + step[0], at[1] + step[1])
                beside, along = (math.exp(min(max(each, -5.0), 2.0)) * radius for each in spread)
                found[number] = Standing(
                    at_mm=at,
                    spread_mm=math.hypot(beside, along / max(frame.squash, 0.1)),
                    top=value,
                    clear=sigmoid(clear),
                )
                if last and math.hypot(*step) >= _SETTLED * radius:
                    there = self._frame(camera, at)
                    if there is not None:
                        still[number] = there
            moving = still
        return [
            None if each is None or frame is None else self._unless_astray(each, at, frame)
            for each, at, frame in zip(found, places_mm, first, strict=True)
        ]

    def _frame(self, camera: Camera, at_mm: tuple[float, float]) -> StackFrame | None:
        return stack_frame(camera, at_mm, self._chips.diameter_mm, self._chips.height_mm)

    def _looked(
        self, image: Image, frames: Sequence[StackFrame], mirrored: bool
    ) -> list[tuple[list[float], float, Floats]]:
        """What is seen at each frame: the foot, radii across and up and their spreads' logarithms; a logit
        that it is in the clear; and the top's log probabilities (values,)."""
        views = np.stack([place_view(image, frame) for frame in frames])
        geometry = np.stack([geometry_inputs(frame) for frame in frames])
        if mirrored:
            views, geometry = np.concatenate([views, views[:, :, ::-1]]), np.concatenate([geometry] * 2)
        inputs = {
            "view": views,
            "geometry": geometry,
            "palette": np.repeat(self._palette[None], len(views), axis=0),
        }
        looks = [len(views) // len(frames), len(frames)]
        foot, clear, value = (
            each.reshape(*looks, *each.shape[1:])
            for each in self._session.run(["foot", "clear", "value"], inputs)
        )
        across = (foot[..., 0] * np.array([[1], [-1]])[: len(foot)]).mean(axis=0)
        feet = np.column_stack([across, foot[..., 1:].mean(axis=0)])
        return list(zip(feet.tolist(), clear.mean(axis=0).tolist(), value_scores(value), strict=True))

    def _unless_astray(self, found: Standing, at_mm: tuple[float, float], first: StackFrame) -> Standing:
        """The place found, unless it is the top's, which was taken for the foot: then the place that it was
        looked for at, open as far."""
        away_mm = float(np.subtract(found.at_mm, at_mm) @ first.away_mm)
        if away_mm * min(1.0, first.rise) > _ASTRAY * self._chips.diameter_mm / 2:
            return replace(found, at_mm=at_mm, spread_mm=max(found.spread_mm, away_mm))
        return found
