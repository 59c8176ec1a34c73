"""Counting right and wrong, and saying how sure a rate is.

The interval is Wilson's score interval at 95 % (Wilson, J. Am. Stat. Assoc. 22, 1927, 209-212): it stays
within 0..1 and does not shrink to nothing at 0 or n right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

Z_95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``right`` out of ``n``; ``value`` is None where nothing was measured."""

    right: int
    n: int

    @property
    def value(self) -> float | None:
        """The share that was right."""
        return self.right / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval.

        >>> [round(x, 3) for x in Rate(9, 10).interval]
        [0.596, 0.982]
        """
        if not self.n:
            return None
        share, z2 = self.right / self.n, Z_95**2
        centre = (share + z2 / (2 * self.n)) / (1 + z2 / self.n)
        half = Z_95 * math.sqrt(share * (1 - share) / self.n + z2 / (4 * self.n**2)) / (1 + z2 / self.n)
        return max(0.0, centre - half), min(1.0, centre + half)

    def as_json(self) -> dict[str, float | int | None]:
        """``{"value", "low", "high", "n"}``; null where nothing was measured."""
        low, high = self.interval or (None, None)
        return {"value": self.value, "low": low, "high": high, "n": self.n}


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure that is no share of counts, with its 95 % interval, from ``n`` answers."""

    value: float
    interval: tuple[float, float]
    n: int

    def as_json(self) -> dict[str, float | int | None]:
        """``{"value", "low", "high", "n"}``."""
        return {"value": self.value, "low": self.interval[0], "high": self.interval[1], "n": self.n}


@dataclass(slots=True)
class Tally:
    """How the answers about one kind of thing came out. ``undetermined``: said not to be known."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    extra: int = 0
    undetermined: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
            self.extra + other.extra,
            self.undetermined + other.undetermined,
        )

    @property
    def truths(self) -> int:
        """How many there really were (extra ones are not among them)."""
        return self.right + self.wrong + self.missed + self.undetermined

    @property
    def rate(self) -> Rate:
        """Right out of all there were."""
        return Rate(self.right, self.truths)

    def as_json(self) -> dict[str, int]:
        """The five counts by name."""
        return {
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
            "extra": self.extra,
            "undetermined": self.undetermined,
        }


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One answer that differs from the label; ``weight`` orders them, the worst first."""

    source: str
    item: str
    expected: str
    seen: str
    weight: float = 1.0

    def as_json(self) -> dict[str, str]:
        """The entry as it stands under ``disagreements``."""
        return {"source": self.source, "item": self.item, "expected": self.expected, "seen": self.seen}


@dataclass(slots=True)
class SourceScore:
    """What was measured on one source: ``n`` items, rates and figures by name, and notes for the reader."""

    name: str
    n: int
    measures: dict[str, Rate] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    clips: dict[str, dict[str, Tally]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The entry under ``sources`` of the score file."""
        document: dict[str, Any] = {"n": self.n}
        document |= {name: rate.as_json() for name, rate in self.measures.items()}
        document |= {name: figure.as_json() for name, figure in self.figures.items()}
        if self.clips:
            document["clips"] = {
                clip: {kind: tally.as_json() for kind, tally in kinds.items()}
                for clip, kinds in self.clips.items()
            }
        if self.notes:
            document["notes"] = self.notes
        return document
