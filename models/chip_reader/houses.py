"""Houses for training: the chips that a stack's house may have, and which of them each chip of the stack is.

The stacks of an example are of one house, of which only the chips in the pile are known. The others are made
up: other names, or other colours, not nearer than a house would have them. The reader is told a house by
colour names, by colours that somebody gave, more or less exactly, or as its chips look in the table's own
light. Now and then the house lacks one of the
chips that lie there: that is none of its own.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_reader.scenes import any_colour, named_colour
from vision.chip_colours import COLOUR_NAMES, TYPICAL
from vision.chip_geometry import FRONT, ROWS_BELOW, ROWS_PER_CHIP, SIDE_SHAPE
from vision.chip_set import EXACT_SPREAD, SEEN_SPREAD

CHIPS = 8
"""Chips of a house, the most."""
ABSENT = -1.0
HIDDEN = -1
"""In place of a colour's name or of a house's chip: none, or one that is not known."""
_LIGHTS = (0.25, 2.0)
_APART = 25.0
"""Colours of one house are so far from each other at least, CIE Lab; half as far, sometimes."""
_ENROLLED, _BY_NAME = 0.3, 0.55
"""So many houses are known as they look in the table's light; so many of the others by colour names."""
_FOREIGN = 0.08
"""So many houses lack one of the pile's chips."""
_NAMES = np.array([np.concatenate(TYPICAL[name]) for name in COLOUR_NAMES], np.float32)


def _lab(bgr: NDArray[np.floating]) -> NDArray[np.float32]:
    """CIE Lab (n, 3) of blue, green and red 0..1 (n, 3)."""
    return np.asarray(cv2.cvtColor(bgr.astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0], np.float32)


def house_of(
    rng: np.random.Generator,
    names: NDArray[np.integer],
    bgr: NDArray[np.floating],
    light: NDArray[np.floating] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """A house (CHIPS, 6) for a pile, and which of its chips each chip (n,) is, CHIPS where it is none.

    ``names`` (n,): place of each chip's colour name, below nought without one; ``bgr`` (n, 3): its colour;
    ``light`` (3,): what the picture makes of a colour, where that is known.
    """
    palette = np.zeros((CHIPS, 6), np.float32)
    palette[:, 3:] = ABSENT
    kinds, which = np.unique(
        np.concatenate([names[:, None], np.round(bgr * 255)], axis=1), axis=0, return_inverse=True
    )
    which = which.reshape(-1)
    kinds = kinds[:CHIPS]
    many = max(len(kinds), int(rng.choice([3, 4, 5, 6, 6, 6, 7, CHIPS])))
    own = kinds[:, 0].astype(int)
    enrolled = light is not None and rng.random() < _ENROLLED
    named = (own >= 0).all() and len(set(own)) == len(own)
    by_name = not enrolled and named and rng.random() < _BY_NAME
    if by_name:
        others = [k for k in rng.permutation(len(COLOUR_NAMES)) if k not in own]
        chosen = [*own, *others[: many - len(own)]]
        entries = _NAMES[chosen]
    else:
        seen = (kinds[:, 1:] / 255).astype(np.float32)
        said = seen + rng.normal(0, float(rng.choice([0.0, 0.01, 0.03])), seen.shape)
        colours = list(said)
        apart = _APART * (0.5 if rng.random() < 0.25 else 1.0)
        for _ in range(40):
            if len(colours) >= many:
                break
            name = COLOUR_NAMES[int(rng.integers(len(COLOUR_NAMES)))]
            new = any_colour(rng) if rng.random() < 0.15 else named_colour(rng, name)
            if np.linalg.norm(_lab(np.array(colours)) - _lab(new[None]), axis=1).min() > apart:
                colours.append(new)
        given, spread = np.array(colours), EXACT_SPREAD
        if enrolled and light is not None:
            given = given * light * rng.normal(1, 0.05, 3) + rng.normal(0, 0.015, given.shape)
            spread = SEEN_SPREAD
        entries = np.concatenate([np.clip(given, 0, 1), np.full((len(given), 3), spread)], axis=1).astype(
            np.float32
        )
    order = rng.permutation(len(entries))
    place = np.argsort(order)
    palette[: len(entries)] = entries[order]
    label = np.where(which < len(kinds), place[np.minimum(which, len(kinds) - 1)], CHIPS)
    if len(kinds) and rng.random() < _FOREIGN and len(entries) > 1:
        gone = int(place[int(rng.integers(len(kinds)))])
        palette[gone, 3:] = ABSENT
        palette[gone, :3] = 0
        label = np.where(label == gone, CHIPS, label)
    return palette, label.astype(np.int64)


def houses(
    rng: np.random.Generator,
    names: NDArray[np.integer],
    bgr: NDArray[np.floating],
    count: NDArray[np.integer],
    lights: NDArray[np.floating] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Houses (b, CHIPS, 6) for piles, and which of its chips each chip (b, n) is, ``HIDDEN`` without one.

    Arguments as for :func:`house_of`, each with a leading axis; ``count`` (b,): chips of each pile.
    """
    palettes = np.zeros((len(count), CHIPS, 6), np.float32)
    entries = np.full(names.shape, HIDDEN, np.int64)
    for i, n in enumerate(count.tolist()):
        if n == 0:  # bare felt is of any house
            palettes[i], _ = house_of(rng, np.zeros(1, int), np.full((1, 3), 0.5, np.float32))
            continue
        light = None if lights is None else lights[i]
        palettes[i], entries[i, :n] = house_of(rng, names[i, :n], bgr[i, :n], light)
    return palettes, entries


def lights_of(
    sides: NDArray[np.uint8],
    offset: NDArray[np.floating],
    bgr: NDArray[np.floating],
    count: NDArray[np.integer],
) -> NDArray[np.float32]:
    """What each picture makes of a colour (b, 3): how bright its chips' sides look, over what they are.

    ``sides`` (b, *SIDE_SHAPE, 3); ``offset`` (b,): the foot over the lowest row, chips; ``bgr`` (b, n, 3).
    """
    bands = np.median(sides[:, ::-1, FRONT], axis=2) / 255  # (b, rows from the bottom, 3)
    chips = np.arange(bgr.shape[1])
    start = np.round(ROWS_PER_CHIP * np.nan_to_num(offset)).astype(int)
    rows = ROWS_BELOW + ROWS_PER_CHIP // 2 + start[:, None] + ROWS_PER_CHIP * chips
    seen = np.take_along_axis(bands, rows.clip(0, SIDE_SHAPE[0] - 1)[..., None].repeat(3, 2), axis=1)
    there = (chips < count[:, None])[..., None]
    light = (seen * there).sum(1) / np.maximum((bgr * there).sum(1), 0.05 * there.sum(1) + 1e-6)
    return np.asarray(np.clip(light, *_LIGHTS), np.float32)
