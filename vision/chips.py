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
from vision.chip_colours import COLOUR_NAMES, LAB_SCALE, colour_name, lab_of_rgb, name_of_rgb, softmax
from vision.chip_geometry import (
    LEVELS,
    LEVELS_BELOW,
    Image,
    StackFrame,
    foot_of_box,
    geometry_inputs,
    offset_mm,
    place_view,
    side_view,
    stack_frame,
)
from vision.detector import open_session
from vision.errors import ChipError

COUNTABLE_PX = 1.5
"""A stack whose chips look thinner than this cannot be counted by that camera (``formats.md``)."""
MAX_COUNT = 20
"""Taller stacks than this are left unread."""
COUNTS = LEVELS - LEVELS_BELOW
MODELS = Path(__file__).resolve().parent.parent / "models" / "chip_reader"

_STEP = 0.4
"""Shift of the second and third look at a side, in chips."""
_CLEAR = 0.5
_SURE_COUNT = 0.999
_SURE_CHIP = 0.99
_SURE_TOP = 0.98
_TOP_SHARE = 0.75
"""Weight of the two looks at a top chip's colour, which share a light and so are not quite independent."""
_LAB_SPREAD = np.array([1.2, 1.0, 1.0])
"""Usual error of a colour that the network gives against the true one, in units of ``LAB_SCALE``."""
_ENROLLED_SPREAD = np.array([0.6, 0.45, 0.45])
"""The same against a colour that the network gave for the same chips, in much the same light."""


@dataclass(frozen=True, slots=True)
class ChipColour:
    """One denomination of a house.

    ``value`` in the table's unit; ``name`` a colour word; ``rgb`` its body's red, green, blue (0..255);
    ``lab`` its colour as the reader itself sees it (:meth:`ChipReader.enrol`), which counts most. One of the
    three is needed. Raises :class:`ChipError` for a word that is no colour the reader knows.
    """

    value: int
    name: str | None = None
    rgb: tuple[int, int, int] | None = None
    lab: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if self.name is not None and colour_name(self.name) is None and self.rgb is None and self.lab is None:
            raise ChipError(
                f"the chip of {self.value} has the colour {self.name!r}, which the reader does not know: "
                f"use one of {', '.join(COLOUR_NAMES)}, or give its rgb"
            )
        if self.name is None and self.rgb is None and self.lab is None:
            raise ChipError(f"the chip of {self.value} has no colour: give a colour name, rgb, or enrol it")


@dataclass(frozen=True, slots=True)
class ChipSet:
    """A house's chips: all of one diameter and thickness (mm), one colour to a value.

    Raises :class:`ChipError` when two values cannot be told apart by what is given of them.
    """

    diameter_mm: float
    height_mm: float
    chips: tuple[ChipColour, ...]

    def __post_init__(self) -> None:
        if not (10 <= self.diameter_mm <= 100 and 0.5 <= self.height_mm <= 20):
            raise ChipError(
                f"chips of {self.diameter_mm} mm across and {self.height_mm} mm thick are none: "
                "casino chips are about 39 mm and 3.3 mm; give both in millimetres"
            )
        if not self.chips:
            raise ChipError("the chip set is empty: give at least one value with its colour")
        seen: dict[str, int] = {}
        for chip in self.chips:
            if sum(chip.value == other.value for other in self.chips) > 1:
                raise ChipError(f"the value {chip.value} is in the chip set twice: keep one of them")
            if chip.rgb is None and chip.lab is None:
                name = str(colour_name(chip.name or ""))
                if name in seen:
                    raise ChipError(
                        f"the chips of {seen[name]} and {chip.value} are both {name} to the reader: "
                        "give the rgb of both, or enrol them"
                    )
                seen[name] = chip.value

    @property
    def values(self) -> tuple[int, ...]:
        """The denominations, in the set's order."""
        return tuple(chip.value for chip in self.chips)


@dataclass(frozen=True, slots=True, eq=False)
class StackScores:
    """What one or more frames say of a stack, before deciding.

    ``counts`` (COUNTS,): log probability of 0, 1, … chips, None where chips are too thin to count.
    ``chips`` (COUNTS, values): log probability of each value at each level from the bottom, None likewise.
    ``top`` (values,): log probability of the top chip's value. ``clear``: probability that nothing covers it.
    ``thickness_px``: of one chip. ``spread_mm``: usual error of the place. ``lab`` (COUNTS, 3): colours seen.
    """

    counts: Floats | None
    chips: Floats | None
    top: Floats
    clear: float
    thickness_px: float
    spread_mm: float
    lab: Floats | None


@dataclass(frozen=True, slots=True)
class StackReading:
    """A stack read, exact or null.

    ``at_mm``: centre of the lowest chip on the felt. ``count``: chips, None where the camera cannot tell.
    ``denominations``: values bottom to top, None where one could not be read, None as a whole without count.
    ``top``: the top chip's value. ``unread``: why something is None, in words. ``p``: probability that
    everything that is given is right.
    """

    at_mm: tuple[float, float]
    count: int | None
    denominations: tuple[int | None, ...] | None
    top: int | None
    unread: str | None
    p: float
    scores: StackScores | None = None


class ChipReader:
    """Reads the stacks of one house's chips. Holds no state between calls."""

    def __init__(self, chips: ChipSet, path: Path | None = None) -> None:
        """``path``: folder with ``place.onnx`` and ``side.onnx``. Raises ModelError if they are not there."""
        self.chips = chips
        folder = MODELS if path is None else path
        self._place, self._side = (open_session(folder / f"{name}.onnx", 1) for name in ("place", "side"))

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
        return decide(self.chips, placed.at_mm, self._scores(image, camera, placed))

    def enrol(self, views: Sequence[tuple[int, StackReading]]) -> ChipSet:
        """The chip set with colours as they were seen, from readings of stacks of one value each.

        ``views``: value and a reading of a stack of only that value (any count). Values without a view keep
        what they had.
        """
        seen: dict[int, list[Floats]] = {}
        for value, reading in views:
            if reading.scores is not None and reading.scores.lab is not None and reading.count:
                seen.setdefault(value, []).append(reading.scores.lab[: reading.count].mean(axis=0))
        unknown = sorted(set(seen) - set(self.chips.values))
        if unknown:
            raise ChipError(f"the value {unknown[0]} is not in the chip set: add it before enrolling it")
        chips = []
        for chip in self.chips.chips:
            if chip.value in seen:
                lab = np.mean(seen[chip.value], axis=0)
                chip = replace(chip, lab=(float(lab[0]), float(lab[1]), float(lab[2])))
            chips.append(chip)
        return replace(self.chips, chips=tuple(chips))

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
                top=self._value_scores(names.mean(axis=0), lab.mean(axis=0)),
                clear=float(1 / (1 + math.exp(-clear.mean()))),
            )
        return found

    def _scores(self, image: Image, camera: Camera, placed: _Placed) -> StackScores:
        frame = self._frame(camera, placed.at_mm)
        thickness = 0.0 if frame is None else frame.thickness_px
        plain = StackScores(None, None, placed.top, placed.clear, thickness, placed.spread_mm, None)
        if frame is None or thickness < COUNTABLE_PX:
            return plain
        # The foot is known to a part of a chip only: look from a little above and below it too.
        step = _STEP * self.chips.height_mm * frame.rise * frame.away_mm
        views = []
        for k in (-1, 0, 1):
            at = (placed.at_mm[0] + k * float(step[0]), placed.at_mm[1] + k * float(step[1]))
            view = side_view(image, camera, at, frame, self.chips.diameter_mm, self.chips.height_mm)
            views += [view, view[:, ::-1]]
        geometry = np.stack([geometry_inputs(frame)] * len(views))
        counts, names, lab, clear = self._side.run(
            ["counts", "names", "lab", "clear"], {"view": np.stack(views), "geometry": geometry}
        )
        seen = np.asarray(lab.mean(axis=0), np.float64)
        return replace(
            plain,
            counts=_average([np.log(softmax(c) + 1e-9) for c in counts]),
            chips=np.stack([self._value_scores(n, c) for n, c in zip(names.mean(axis=0), seen, strict=True)]),
            clear=float(1 / (1 + math.exp(-clear.mean()))),
            lab=seen,
        )

    def _value_scores(self, names: Floats, lab: Floats) -> Floats:
        """Log probability (values,) of each of the house's values for one chip's colour."""
        by_name = np.log(softmax(names) + 1e-4)
        scores = np.empty(len(self.chips.chips))
        for i, chip in enumerate(self.chips.chips):
            wanted: Floats | None = None
            if chip.lab is not None:
                wanted = np.asarray(chip.lab)
            elif chip.rgb is not None:
                wanted = (lab_of_rgb(chip.rgb) - [50, 0, 0]) / LAB_SCALE
            name = name_of_rgb(chip.rgb) if chip.rgb is not None else colour_name(chip.name or "")
            scores[i] = by_name[COLOUR_NAMES.index(name)] if name is not None else by_name.mean()
            if wanted is not None:
                away = (lab - wanted) / (_LAB_SPREAD if chip.lab is None else _ENROLLED_SPREAD)
                scores[i] = 0.3 * scores[i] - 0.5 * float(away @ away)
        return np.log(softmax(scores) + 1e-9)


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
        clear = [(r, s) for r, s in pairs if s.clear >= 0.5 * float(weights.max())]
        at = np.median([r.at_mm for r, _ in clear], axis=0)
        scores = [s for _, s in clear]
        counts = [s.counts for s in scores if s.counts is not None]
        chips = [s.chips for s in scores if s.chips is not None]
        labs = [s.lab for s in scores if s.lab is not None]
        merged = StackScores(
            counts=_average(counts) if counts else None,
            chips=_average(chips) if chips else None,
            top=_average([s.top for s in scores]),
            clear=float(np.mean([s.clear for s in scores])),
            thickness_px=float(np.mean([s.thickness_px for s in scores])),
            spread_mm=float(np.median([s.spread_mm for s in scores])),
            lab=np.mean(labs, axis=0) if labs else None,
        )
        return decide(self._chips, (float(at[0]), float(at[1])), merged)


def _average(scores: Sequence[Floats]) -> Floats:
    return np.log(softmax(np.mean(scores, axis=0)) + 1e-9)


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
    if p_count < _SURE_COUNT or not 1 <= count <= MAX_COUNT:
        order = np.argsort(scores.counts)[::-1]
        either = sorted(int(i) for i in order[:2])
        why = f"the count is not sure: {either[0]} or {either[1]} chips"
        if count > MAX_COUNT:
            why = f"the stack is taller than {MAX_COUNT} chips"
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    levels = scores.chips[:count].copy()
    # The top chip is seen from its side and from above.
    levels[-1] = np.log(softmax(_TOP_SHARE * (levels[-1] + scores.top)) + 1e-9)
    best = np.argmax(levels, axis=1)
    sure = np.exp(levels[np.arange(count), best])
    read = tuple(values[int(b)] if p >= _SURE_CHIP else None for b, p in zip(best, sure, strict=True))
    unclear = [i + 1 for i, value in enumerate(read) if value is None]
    why_not = None
    if unclear:
        which = ", ".join(str(i) for i in unclear)
        why_not = f"the colour of chip {which} (counted from the bottom) is not sure"
    p = p_count * float(
        min((p for p, value in zip(sure, read, strict=True) if value is not None), default=1.0)
    )
    return StackReading(at_mm, count, read, read[-1] if read[-1] is not None else top, why_not, p, scores)
