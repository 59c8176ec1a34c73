"""Stacks of chips for training the chip reader: ray-cast close-ups with exact labels, strongly randomised.

Each chip is a cylinder of its own, shifted and turned against its neighbours, with a random house's edge
spots and inlay, under a random light, on a random felt, seen by a random camera through a random chain of
lens, sensor and compression. A seed gives a scene; nothing is read from disk.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_reader.seen_stack import SeenStack
from vision.camera import Camera
from vision.chip_colours import COLOUR_NAMES

Array = NDArray[np.float32]
UNNAMED = -2
"""In place of a colour's name: one between two names."""

_NAMED: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    # hue in degrees, saturation, value
    "white": ((0, 360), (0.0, 0.10), (0.82, 1.0)),
    "grey": ((0, 360), (0.0, 0.10), (0.38, 0.66)),
    "black": ((0, 360), (0.0, 0.35), (0.02, 0.17)),
    "red": ((-9, 8), (0.72, 1.0), (0.45, 0.95)),
    "orange": ((17, 32), (0.75, 1.0), (0.78, 1.0)),
    "brown": ((12, 36), (0.45, 0.8), (0.22, 0.48)),
    "yellow": ((43, 60), (0.6, 1.0), (0.75, 1.0)),
    "green": ((88, 168), (0.4, 1.0), (0.22, 0.75)),
    "blue": ((192, 243), (0.45, 1.0), (0.28, 0.95)),
    "purple": ((262, 304), (0.35, 0.9), (0.25, 0.7)),
    "pink": ((318, 350), (0.28, 0.65), (0.82, 1.0)),
}


@dataclass(frozen=True, slots=True)
class Design:
    """One denomination's chips: rim colours (256, 3), side stripe, face (96, 96, 3); BGR 0..1."""

    name: int
    body: Array
    rim: Array
    side_stripe: tuple[float, float, Array] | None
    face: Array
    rim_from: float
    """Part of the radius at which the rim's spots begin."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A stack: design of each chip from the bottom, middles (n, 2) mm, turns (n,) radians."""

    designs: tuple[Design, ...]
    centres_mm: NDArray[np.float64]
    turns: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Close-ups of one scene and their truth.

    ``side_seen``, ``top_seen``: parts of the near side and of the top that are not hidden.
    """

    images: tuple[NDArray[np.uint8], ...]
    camera: Camera
    pile: Pile
    diameter_mm: float
    height_mm: float
    empty: bool
    """The pile is not there: bare felt, perhaps with other piles near it."""
    side_seen: float
    top_seen: float

    def stack(self) -> SeenStack:
        """What is known of the stack, without how it is drawn."""
        designs = () if self.empty else self.pile.designs
        bodies = np.array([design.body for design in designs], np.float32).reshape(-1, 3)
        return SeenStack(
            self.images, self.camera, self.pile.centres_mm[0], self.diameter_mm, self.height_mm,
            tuple(design.name for design in designs), bodies, self.side_seen, self.top_seen,
        )  # fmt: skip


def named_colour(rng: np.random.Generator, name: str) -> Array:
    """A random colour of that name, BGR 0..1."""
    hue, saturation, value = _NAMED[name]
    rgb = colorsys.hsv_to_rgb((rng.uniform(*hue) % 360) / 360, rng.uniform(*saturation), rng.uniform(*value))
    return np.array(rgb[::-1], np.float32)


def any_colour(rng: np.random.Generator) -> Array:
    """A random colour that may lie between two names, BGR 0..1."""
    rgb = colorsys.hsv_to_rgb(rng.random(), rng.random() ** 0.5, rng.uniform(0.1, 1.0))
    return np.array(rgb[::-1], np.float32)


def random_names(rng: np.random.Generator) -> list[str | None]:
    """The colours of a house: all kinds, or near each other, now and then one without a name."""
    if rng.random() < 0.15:
        near = (
            ("red", "orange", "brown", "pink"),
            ("blue", "purple", "black", "grey"),
            ("white", "grey", "yellow"),
        )
        return [str(n) for n in rng.permutation(near[int(rng.integers(len(near)))])]
    names: list[str | None] = [str(n) for n in rng.permutation(COLOUR_NAMES)[:6]]
    if rng.random() < 0.3:
        names[int(rng.integers(6))] = None
    return names


def random_design(rng: np.random.Generator, name: str | None, family: Family) -> Design:
    """A denomination's look within its house's family; any colour at all without a name."""
    body = any_colour(rng) if name is None else named_colour(rng, name)
    spot = body
    for _ in range(8):
        spot_name = "white" if rng.random() < family.white else str(rng.choice(COLOUR_NAMES))
        spot = named_colour(rng, spot_name)
        if np.abs(spot - body).sum() > 0.5:
            break
    second = named_colour(rng, str(rng.choice(COLOUR_NAMES))) if family.second else spot
    count = family.spots
    angle = (np.arange(256) + 0.5) / 256
    phase = np.abs(angle * count % 1 - 0.5) * 2
    rim = np.tile(body, (256, 1))
    if family.style == "spots":
        rim[phase < family.width] = spot
        if family.second:
            rim[phase < family.width * 0.4] = second
    elif family.style == "double":
        rim[phase < family.width] = spot
        rim[phase < family.width * 0.35] = body
    elif family.style == "alternate":
        rim[phase < family.width] = spot
        rim[(phase < family.width) & ((angle * count).astype(int) % 2 == 1)] = second
    stripe = None
    if family.stripe:
        middle = rng.uniform(0.35, 0.65)
        wide = rng.uniform(0.06, 0.2)
        stripe = (middle - wide, middle + wide, spot if rng.random() < 0.6 else body * 0.6)
    return Design(
        name=UNNAMED if name is None else COLOUR_NAMES.index(name),
        body=body,
        rim=rim,
        side_stripe=stripe,
        face=_face(rng, body, spot, family),
        rim_from=family.rim_from,
    )


@dataclass(frozen=True, slots=True)
class Family:
    """What the chips of one house share."""

    style: str
    spots: int
    width: float
    second: bool
    white: float
    stripe: bool
    rim_from: float
    inlay: float
    pale: bool
    ring: int


def random_family(rng: np.random.Generator) -> Family:
    """A house's family of looks."""
    return Family(
        style=str(rng.choice(["spots", "spots", "spots", "double", "alternate", "solid"])),
        spots=int(rng.choice([3, 4, 5, 6, 6, 6, 8, 8, 10, 12])),
        width=float(rng.uniform(0.15, 0.55)),
        second=bool(rng.random() < 0.25),
        white=float(rng.choice([0.95, 0.6, 0.2])),
        stripe=bool(rng.random() < 0.15),
        rim_from=float(rng.uniform(0.55, 0.85)),
        inlay=float(rng.uniform(0.35, 0.68)),
        pale=bool(rng.random() < 0.7),
        ring=int(rng.integers(0, 4)),
    )


def _face(rng: np.random.Generator, body: Array, spot: Array, family: Family) -> Array:
    """The middle of a chip's face (96, 96, 3); the rim is drawn by angle."""
    size, c = 96, 48
    face = np.tile((body * 255).astype(np.uint8), (size, size, 1))
    inlay = np.array([0.85, 0.92, 0.95], np.float32) * rng.uniform(0.85, 1.05)
    if not family.pale:
        inlay = np.clip(body * rng.uniform(0.6, 1.5) + rng.uniform(-0.05, 0.15), 0, 1).astype(np.float32)
    edge = family.inlay
    if family.ring:
        cv2.circle(face, (c, c), int(c * min(0.95, edge + 0.1)), _bytes(spot), family.ring, cv2.LINE_AA)
    cv2.circle(face, (c, c), int(c * edge), _bytes(inlay), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.circle(face, (c, c), int(c * edge * 0.9), _bytes(body * 0.8), 1, cv2.LINE_AA)
    ink = body * 0.8 if family.pale else np.ones(3, np.float32)
    if family.pale and rng.random() < 0.4:
        ink = ink * 0
    text = str(rng.choice(["1", "5", "25", "100", "500", "1000", "2", "10", "20", "50", ""]))
    scale = {0: 0.0, 1: 1.3, 2: 1.0, 3: 0.75, 4: 0.6}[len(text)] * edge / 0.55 * 0.9
    if text:
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        at = (c - w // 2, c + h // 2)
        cv2.putText(face, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, _bytes(ink), 2, cv2.LINE_AA)
    return np.asarray(face / 255, np.float32)


def _bytes(colour: Array) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in np.clip(colour * 255, 0, 255))
    return b, g, r


def random_pile(
    rng: np.random.Generator, designs: list[Design], at_mm: NDArray[np.float64], count: int
) -> Pile:
    """A stack as players and dealers leave them: of one colour, in blocks, or mixed; tidy or not."""
    kind = rng.random()
    if kind < 0.4:
        chips = [designs[int(rng.integers(len(designs)))]] * count
    elif kind < 0.75:
        order = rng.permutation(len(designs))[: int(rng.integers(2, 5))]
        cuts = np.sort(rng.integers(0, count + 1, len(order) - 1))
        chips = [designs[order[int(np.searchsorted(cuts, i, side="right"))]] for i in range(count)]
    else:
        chips = [designs[int(i)] for i in rng.integers(len(designs), size=count)]
    shifts = random_shifts(rng, count)
    turns = rng.random(count) * 2 * np.pi
    return Pile(tuple(chips), at_mm + shifts, turns)


def random_shifts(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """How far each chip of a stack lies off its place (count, 2), mm: tidy, loose, leaning, in two parts."""
    tidy = float(rng.choice([0.15, 0.5, 1.0, 1.6, 2.6], p=[0.2, 0.3, 0.25, 0.15, 0.1]))
    loose = tidy * rng.uniform(0.6, 1.25)
    radius = loose * np.sqrt(rng.random(count))
    angle = rng.random(count) * 2 * np.pi
    shifts = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    if rng.random() < 0.25:
        lean = rng.uniform(0, 2.5) * np.array([np.cos(angle[0] * 3), np.sin(angle[0] * 3)])
        shifts = shifts + np.linspace(0, 1, count)[:, None] * lean
    if rng.random() < 0.15:
        shifts[int(rng.integers(count)) :] += rng.normal(0, float(rng.choice([1.2, 2.5])), 2)
    return np.asarray(shifts, np.float64)
