"""Cards that lie face down and were under a hand: they may have been turned, whatever the picture says.

A turned card is noticed by how its place has changed. A pale back and a face with few pips look much alike in
the small picture, so such cards are looked at once more when the hand has gone.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Face
from vision.footprint import Mask
from vision.tracking import Family, Thing

_UNDER, _CLEAR, _STILL = 0.1, 0.03, 0.97
"""A card is touched from such a part of it under an arm on, and seen again with no more than the second of it
and where so much is still."""
_LOOKS = 3
"""So many looks decide whether it was turned."""


class Touched:
    """Which cards are to be looked at again."""

    def __init__(self) -> None:
        self._left: dict[int, int] = {}

    def update(self, things: Sequence[Thing], arms: Mask) -> None:
        """Take in where arms are, bool (rows, columns) of the small picture."""
        covered = {thing.number: thing.sight for thing in things if _is_hidden(thing)}
        self._left = {number: left for number, left in self._left.items() if left and number in covered}
        for number, sight in covered.items():
            if sight.footprint.share(arms) > _UNDER:
                self._left[number] = _LOOKS

    def due(self, things: Sequence[Thing], arms: Mask, still: Mask) -> list[Thing]:
        """Those in full view, now to be looked at; say so with :meth:`looked`."""
        return [
            thing
            for thing in things
            if self._left.get(thing.number)
            and _is_hidden(thing)
            and thing.sight.footprint.share(arms) <= _CLEAR
            and thing.sight.footprint.share(still) >= _STILL
        ]

    def looked(self, things: Sequence[Thing]) -> None:
        """These were looked at."""
        for thing in things:
            self._left[thing.number] -= 1


def _is_hidden(thing: Thing) -> bool:
    return thing.sight.family is Family.CARD and thing.sight.face is Face.DOWN
