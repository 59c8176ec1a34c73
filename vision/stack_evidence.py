"""What several pictures say of one stack together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.camera import Floats
from vision.chip_colours import softmax
from vision.chip_set import ChipSet, joined
from vision.chip_stacks import StackReading, StackScores, decide
from vision.errors import ChipError
from vision.foot import Foot, together


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
