"""Where the table changed and is still again: what to look at, when to look once more, when to let it be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.footprint import Footprint, Mask
from vision.stillness import Stillness

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the small picture."""

_AGAIN_S = 0.15
"""A conclusion that is being drawn is looked at again after so long."""
_ATTACHED_S = 0.5
"""What hangs together with the table's edge is mostly an arm that pauses: it is looked at after so long."""
_GIVE_UP_S, _GIVE_UP_AT_EDGE_S = 1.0, 8.0
"""A change that is nothing known is accepted after so long; later if it hangs together with the table's edge,
for then it may be an arm at rest."""
_NEEDED = 2
_ASIDE_S = 2.0
"""A change at a place where nothing is looked for is accepted after so long."""
_SURROUNDINGS_MM = 75.0
_SPECK_MM2 = 90.0
"""Smaller changes are noise; a chip has 1225 mm2."""
_BRIDGE_MM = 9.0
_MARGIN_MM = 6.0
_OVERLOOKED = 0.6
"""A thing was lying unrecognised where so much of its place was."""


class Noticer:
    """Keeps the agenda of places to look at. ``aside`` (h, w): where nothing is ever looked for."""

    def __init__(self, still: Stillness, shape: tuple[int, int], px_per_mm: float) -> None:
        self.aside: Mask = np.zeros(shape, np.bool_)
        self.unknown: Mask = np.zeros(shape, np.bool_)
        """What was accepted without being understood: an arm at rest, a glass, a card not recognised."""
        self._unknown_since: NDArray[np.float32] = np.zeros(shape, np.float32)
        self.obstacle: Mask = np.zeros(shape, np.bool_)
        """The part of it that hangs together with the table's edge: it hides what lies below."""
        self._still = still
        self._shape = shape
        self._px_per_mm = px_per_mm
        self._speck_px = _SPECK_MM2 * px_per_mm**2
        self._after: NDArray[np.float32] = np.zeros(shape, np.float32)
        self._looks: NDArray[np.uint8] = np.zeros(shape, np.uint8)

    def hurry(self) -> None:
        """Make everything due at once: the recording ends."""
        self._after[:] = 0

    def due(self, t: float, attached: Mask, hurry: bool = False) -> list[Footprint]:
        """The places to look at now. ``attached`` (h, w): hangs together with the table's edge."""
        ready = self._still.foreground & self._still.still
        beside = ready & self.aside
        if beside.any():
            patience = np.where(attached, np.float32(_GIVE_UP_AT_EDGE_S), np.float32(_ASIDE_S))
            self._still.settle(beside & (self._still.changed_at <= t - patience))
            ready &= ~self.aside
        self._after[~ready] = 0
        self._looks[~ready] = 0
        if not ready.any():
            return []
        bridge = max(1, round(_BRIDGE_MM * self._px_per_mm))
        joined = cv2.dilate(ready.view(np.uint8), np.ones((bridge, bridge), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        due: list[Footprint] = []
        for label in range(1, len(stats)):
            x, y, w, h = (int(value) for value in stats[label, :4])
            window = np.s_[y : y + h, x : x + w]
            mask = (labels[window] == label) & ready[window]
            if np.count_nonzero(mask) < self._speck_px:
                continue
            part = Footprint(x, y, mask, self._shape)
            if float(np.median(self._after[window][mask])) > t:
                continue
            if not hurry and part.share(attached) > 0.1 and self._age(part, t) < _ATTACHED_S:
                continue
            due.append(part)
        return due

    def looked_before(self, part: Footprint) -> bool:
        """Whether a place was looked at since it is still."""
        return part.share(self._looks > 0) > 0.5

    def overlooked(self, place: Footprint) -> float | None:
        """Since when something that was not recognised has been lying at a place; None if nothing has."""
        lying = self.unknown & ~self.obstacle
        if place.share(lying) < _OVERLOOKED:
            return None
        x0, y0, x1, y1 = place.box
        window = np.s_[y0:y1, x0:x1]
        return float(np.median(self._unknown_since[window][place.mask & lying[window]]))

    def regions(self, parts: Sequence[Footprint]) -> list[Box]:
        """The boxes round places and their surroundings; those that overlap are one."""
        margin = round(_SURROUNDINGS_MM * self._px_per_mm)
        height, width = self._shape
        boxes = []
        for part in parts:
            x0, y0, x1, y1 = part.box
            boxes.append(
                (max(0, x0 - margin), max(0, y0 - margin), min(width, x1 + margin), min(height, y1 + margin))
            )
        merged: list[Box] = []
        for box in boxes:
            while (other := next((m for m in merged if _overlap(m, box)), None)) is not None:
                merged.remove(other)
                box = (
                    min(box[0], other[0]),
                    min(box[1], other[1]),
                    max(box[2], other[2]),
                    max(box[3], other[3]),
                )
            merged.append(box)
        return merged

    def looked(
        self,
        t: float,
        parts: Sequence[Footprint],
        known: Mask,
        *,
        concluded: Mask,
        bare: Mask,
        resting: Mask,
        attached: Mask,
        undecided: Callable[[Mask], bool],
    ) -> None:
        """Note a look at places: settle what is understood, and say when to look at the rest again.

        ``known``, ``concluded``, ``bare``, ``resting``, ``attached`` (h, w): things that were recognised,
        those of which something new was concluded, the empty table, hands, what hangs together with the edge.
        """
        margin = 2 * max(1, round(_MARGIN_MM * self._px_per_mm)) + 1
        grown = cv2.dilate(known.view(np.uint8), np.ones((margin, margin), np.uint8))
        understood = np.asarray(grown).astype(np.bool_) | bare
        # What was just concluded is settled wherever it can be seen, also beside the places that were due.
        new = np.asarray(cv2.dilate(concluded.view(np.uint8), np.ones((margin, margin), np.uint8)))
        seen: Mask = new.astype(np.bool_) & self._still.foreground & self._still.still & ~attached
        if seen.any():
            self._still.settle(seen & ~resting)
            self.unknown &= ~seen
            self.obstacle &= self.unknown
        for part in parts:
            whole = part.whole()
            self._looks[whole] += 1
            if undecided(whole):
                self._after[whole] = t + _AGAIN_S
                continue
            age = self._age(part, t)
            pause = float(np.clip(0.35 * age, 0.3, 2.0))
            if part.share(resting) > 0.1:
                self._after[whole] = t + pause
                continue
            rest = whole & ~understood
            self._still.settle(whole & ~rest)
            self.unknown &= ~(whole & ~rest)
            self.obstacle &= self.unknown
            if np.count_nonzero(rest) < self._speck_px:
                self._still.settle(rest)
                continue
            at_edge = part.meets(attached)
            patience = _GIVE_UP_AT_EDGE_S if at_edge else _GIVE_UP_S
            if float(np.median(self._looks[rest])) >= _NEEDED and age >= patience:
                came = self._still.moments(rest, self._still.settled).first_new
                self._unknown_since[rest] = t - age if came is None else came
                self._still.settle(rest)
                self.unknown |= rest
                if at_edge:
                    self.obstacle |= rest
            else:
                self._after[rest] = t + pause

    def _age(self, part: Footprint, t: float) -> float:
        """For how long a place has been still, seconds."""
        x0, y0, x1, y1 = part.box
        return t - float(np.median(self._still.changed_at[y0:y1, x0:x1][part.mask]))


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
