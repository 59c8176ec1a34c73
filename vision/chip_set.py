"""A house's chips, and how likely each of them is for a colour seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.camera import Floats
from vision.chip_colours import COLOUR_NAMES, LAB_SCALE, colour_name, lab_of_rgb, name_of_rgb, softmax
from vision.errors import ChipError

_NAME_ALONE = 1.2
_NAME_BESIDE_RGB = 0.3
_COLOUR_WEIGHT = 0.5
"""Weights of a colour's name, of the same where the exact colour is known too, and of that colour, whose
three numbers err together; from held-out scenes."""
_LEAST_SPREAD = 0.12
_NONE_OF_THEM = 0.05
"""How much it counts that a colour is none of the house's, against all of the house's together."""


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


def value_scores(chips: ChipSet, names: Floats, lab: Floats) -> Floats:
    """Log probability (values,) of each of a house's values for one chip's colour.

    ``names`` (names,): logits of the colour names; ``lab`` (6,): the colour in ``LAB_SCALE`` and the
    logarithms of its spreads, as the networks give them. In a house whose chips are all given by name only,
    what is missing to a probability of 1 is that the chip is none of them.
    """
    seen = softmax(names)
    by_name = np.log(seen + 1e-4)
    spread = np.maximum(np.exp(np.clip(lab[3:], -4, 2)), _LEAST_SPREAD)
    scores = np.empty(len(chips.chips))
    for i, chip in enumerate(chips.chips):
        wanted: Floats | None = None
        if chip.lab is not None:
            wanted = np.asarray(chip.lab)
        elif chip.rgb is not None:
            wanted = (lab_of_rgb(chip.rgb) - [50, 0, 0]) / LAB_SCALE
        name = name_of_rgb(chip.rgb) if chip.rgb is not None else colour_name(chip.name or "")
        score = by_name[COLOUR_NAMES.index(name)] if name is not None else by_name.mean()
        if wanted is not None:
            away = np.abs(lab[:3] - wanted) / spread
            scores[i] = _NAME_BESIDE_RGB * score - _COLOUR_WEIGHT * float(away.sum())
        else:
            scores[i] = _NAME_ALONE * score
    if all(chip.rgb is None and chip.lab is None for chip in chips.chips):
        own = {colour_name(chip.name or "") for chip in chips.chips}
        outside = sum(float(p) for p, name in zip(seen, COLOUR_NAMES, strict=True) if name not in own)
        scores = np.append(scores, np.log(_NONE_OF_THEM * (outside + 1e-4)))
    return np.log(softmax(scores) + 1e-9)[: len(chips.chips)]


def joined(scores: Floats, weight: float) -> Floats:
    """Several looks' log probabilities (looks, ..., values) as one (..., values), their sum times ``weight``.

    What is missing to 1, that it is none of the values, is joined likewise.
    """
    none = np.log(np.maximum(1 - np.exp(scores).sum(axis=-1, keepdims=True), 1e-9))
    every = weight * np.concatenate([scores, none], axis=-1).sum(axis=0)
    return np.log(softmax(every) + 1e-9)[..., :-1]
