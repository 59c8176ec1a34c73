"""A box in which several players bet, taken apart: each bet with its own payment, which lies beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.baccarat.boxes import Box, relined
from rules.baccarat.closing import Tampering
from rules.baccarat.dues import Stake
from rules.chips import Move, Part

_AS_NEAR_MM = 40.0
"""Of two bets a payment may belong to either if one is nearer by no more than this."""


@dataclass(slots=True)
class _Place:
    """A stack that chips may belong to. ``due``: what it is to be paid, None if nothing or not known."""

    at_mm: tuple[float, float]
    names: set[str]
    due: Fraction | None
    tampered: Tampering = field(default_factory=Tampering)
    moves: list[Move] = field(default_factory=list)
    paid: bool = False


def apart(box: Box, odds: Fraction | None) -> list[Box]:
    """Each bet of a box as a box of its own. ``odds``: what a bet here wins, None if it does not win.

    A stack put down late is no bet; what happens to it is nobody else's."""
    if len(box.bets) == 1 and box.tampered is None:
        return [box]
    places = [
        _Place(
            bet.at_mm,
            {bet.name, bet.standing.stack.stack},
            None if odds is None or bet.standing.value is None else bet.standing.value * odds,
        )
        for bet in box.bets
    ]
    late = [
        _Place(part.at_mm, {part.stack}, None if odds is None or part.value is None else part.value * odds)
        for part in (box.tampered.added if box.tampered is not None else ())
        if part.whole and not any(part.stack in place.names for place in places)
    ]
    every = [*places, *late]
    if box.tampered is not None:
        for part in box.tampered.added:
            _of(part, every).tampered.added.append(part)
        for part in box.tampered.removed:
            _of(part, every).tampered.removed.append(part)
    for move in box.moves:
        _share(move, every)
    found: list[Box] = []
    for bet, place in zip(box.bets, places, strict=True):
        changed = place.tampered.added or place.tampered.removed
        own = replace(
            box,
            bets=[bet],
            stakes=None if bet.standing.value is None else [Stake(bet.standing.value, False)],
            moves=place.moves,
            tampered=place.tampered if changed else None,
        )
        found.append(relined(own, [bet.line], frozenset()))
    return found


def _of(part: Part, places: list[_Place]) -> _Place:
    named = next((place for place in places if part.stack in place.names), None)
    return named or min(places, key=lambda place: math.dist(place.at_mm, part.at_mm))


def _payee(part: Part, places: list[_Place]) -> _Place:
    """Whose payment a new stack is: the nearest bet's; of bets as near, that of which it is the due."""
    nearest = min(math.dist(place.at_mm, part.at_mm) for place in places)
    near = [p for p in places if math.dist(p.at_mm, part.at_mm) <= nearest + _AS_NEAR_MM]
    exact = [p for p in near if p.due is not None and p.due == part.value and not p.paid]
    return min(exact or near, key=lambda place: math.dist(place.at_mm, part.at_mm))


def _share(move: Move, places: list[_Place]) -> None:
    """Give each bet its part of what was moved."""
    added: dict[int, list[Part]] = {}
    removed: dict[int, list[Part]] = {}
    for part in move.removed:
        owner = _of(part, places)
        removed.setdefault(id(owner), []).append(part)
    for part in move.added:
        known = next((place for place in places if part.stack in place.names), None)
        place = known or _payee(part, places)
        place.paid = place.paid or known is None
        place.names.add(part.stack)
        added.setdefault(id(place), []).append(part)
    for place in places:
        come, gone = added.get(id(place), []), removed.get(id(place), [])
        if come or gone or move.unclear:
            place.moves.append(replace(move, added=tuple(come), removed=tuple(gone)))
