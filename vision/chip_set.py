"""A house's chips, and how likely each of them is for a colour seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vision.camera import Floats
from vision.chip_colours import (
    COLOUR_NAMES,
    TYPICAL,
    bgr_of_lab,
    colour_name,
    softmax,
)
from vision.errors import ChipError

EXACT_SPREAD = 0.02
"""How far a colour that was given may be from a chip's own, blue, green and red 0..1."""
_ALIKE = 2 * EXACT_SPREAD
"""Two colours given that are no further apart than this, blue, green and red each, may be one."""
SEEN_SPREAD = 0.005
"""The same for one that was enrolled in the table's own light; it tells the network so."""
NONE_SEEN: Mapping[int, Floats] = MappingProxyType({})


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

    Raises :class:`ChipError` when two values are told by one and the same colour, by name or by number.
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
        seen: dict[object, int] = {}
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
            elif (given := chip.lab or chip.rgb) in seen:
                raise ChipError(
                    f"the chips of {seen[given]} and {chip.value} have the same "
                    f"{'rgb' if chip.lab is None else 'lab'}, so the reader cannot tell one from the other: "
                    "give each its own, or, if these chips do look the same, leave one of them out"
                )
            else:
                seen[given] = chip.value

    @property
    def values(self) -> tuple[int, ...]:
        """The denominations, in the set's order."""
        return tuple(chip.value for chip in self.chips)

    @property
    def alike(self) -> tuple[tuple[int, int], ...]:
        """The pairs of values whose colours, given in numbers, are so near that they may be taken for each
        other."""
        told = [(chip.value, _given(chip)) for chip in self.chips if chip.lab or chip.rgb]
        return tuple(
            (one, other)
            for (one, here), (other, there) in combinations(told, 2)
            if np.abs(here - there).max() <= _ALIKE
        )


def _given(chip: ChipColour) -> Floats:
    """A colour that was given in numbers: blue, green and red, 0..1."""
    if chip.lab is not None:
        return bgr_of_lab(np.asarray(chip.lab)).astype(np.float64)
    return np.array((chip.rgb or (0, 0, 0))[::-1]) / 255


def palette_of(chips: ChipSet, seen: Mapping[int, Floats] = NONE_SEEN) -> NDArray[np.float32]:
    """A house's chips (values, 6) as the networks are told them: blue, green and red, 0..1, and how far each
    may be from that. ``seen``: how those that were enrolled look in the table's own light (3,), by value."""
    rows = []
    for chip in chips.chips:
        if chip.value in seen:
            rows.append([*seen[chip.value], *[SEEN_SPREAD] * 3])
        elif chip.lab is not None or chip.rgb is not None:
            rows.append([*_given(chip), *[EXACT_SPREAD] * 3])
        else:
            typical, spread = TYPICAL[str(colour_name(chip.name or ""))]
            rows.append([*typical, *spread])
    return np.array(rows, np.float32)


def value_scores(logits: NDArray[np.floating]) -> Floats:
    """Log probability (..., values) of a house's values from several looks' logits (looks, ..., values + 1),
    the last that it is none of them; what is missing to a probability of 1 is that.

    The looks share what misleads, so they are averaged.
    """
    looks = np.log(softmax(logits) + 1e-9).mean(axis=0)
    return np.log(softmax(looks) + 1e-9)[..., :-1]


def joined(scores: Floats, weight: float) -> Floats:
    """Several looks' log probabilities (looks, ..., values) as one (..., values), their sum times ``weight``.

    What is missing to 1, that it is none of the values, is joined likewise.
    """
    none = np.log(np.maximum(1 - np.exp(scores).sum(axis=-1, keepdims=True), 1e-9))
    every = weight * np.concatenate([scores, none], axis=-1).sum(axis=0)
    return np.log(softmax(every) + 1e-9)[..., :-1]
