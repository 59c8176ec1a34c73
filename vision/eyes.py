"""What a watcher looks with: the detector and the readers of one camera over one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vision.camera import Camera, Floats
from vision.chip_set import ChipSet
from vision.chip_stacks import StackReading
from vision.footprint import Footprint
from vision.layout import Layout
from vision.stillness import Picture
from vision.tracking import Sight


@dataclass(frozen=True, slots=True, eq=False)
class Shoe:
    """A shoe seen."""

    footprint: Footprint
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one look with the detector found: cards and stacks, hands (footprints), and shoes."""

    sights: tuple[Sight, ...]
    hands: tuple[Footprint, ...]
    shoes: tuple[Shoe, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a stack is to be read: ``at_mm``; ``empty``: the same felt without it, where that is known."""

    at_mm: tuple[float, float]
    empty: Picture | None = None


class Eyes(Protocol):
    """Detector and readers for one camera and layout. ``small``: the camera of the small picture."""

    @property
    def camera(self) -> Camera:
        """Of the full picture."""

    @property
    def small(self) -> Camera:
        """Of the small picture."""

    @property
    def layout(self) -> Layout:
        """What is drawn on the felt."""

    @property
    def chips(self) -> ChipSet:
        """The house's chips."""

    def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
        """Find things in a picture, or in a part of it (x0, y0, x1, y1)."""

    def guess(self, image: Picture, part: Footprint) -> Sight | None:
        """What a changed place, in which nothing was found, is by its shape; None if that tells nothing."""

    def again(self, image: Picture, sight: Sight) -> Sight | None:
        """What was guessed, seen once more at its place; None if it is not there."""

    def faces(self, image: Picture, sights: Sequence[Sight]) -> list[Floats]:
        """One look at the face of each card: (54,) each."""

    def identify(
        self, looks: Sequence[Floats], cameras: Sequence[int] | None = None
    ) -> tuple[str | None, float]:
        """The card that looks at one face add up to, and its probability. ``cameras``: a number for the
        camera of each look; None: all are of one."""

    def stacks(self, image: Picture, places: Sequence[Place]) -> list[StackReading]:
        """Read the stacks at places, in their order."""
