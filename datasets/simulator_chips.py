"""Bets and payments in chips: which stacks players put, and how a dealer makes an amount."""

from __future__ import annotations

import math
import random
from fractions import Fraction

from datasets.simulator_table import CHIP_DIAMETER_MM, Point, TableGeometry, Zone

DENOMINATIONS = (1000, 500, 100, 25, 5, 1)
"""Chip values, highest first."""

ODDS = {"punto": Fraction(1), "banca": Fraction(19, 20), "empate": Fraction(8)}
"""Profit per unit staked."""


def make_amount(amount: int) -> tuple[int, ...]:
    """The fewest chips that make an amount, highest at the bottom.

    >>> make_amount(190)
    (100, 25, 25, 25, 5, 5, 5)
    """
    chips: list[int] = []
    for chip in DENOMINATIONS:
        chips += [chip] * (amount // chip)
        amount %= chip
    return tuple(chips)


def due_profit(bet: str, value: int, on_line: bool) -> Fraction:
    """What a winning bet gains."""
    return ODDS[bet] * value / (2 if on_line else 1)


def random_stack(rng: random.Random, bet: str, on_line: bool, odd: bool) -> tuple[int, ...]:
    """A player's stack. On a line it is made of two equal halves, so that half can be taken.

    Unless ``odd``, what it may win can be paid exactly with chips of 1.
    """
    while True:
        size = rng.choice((5, 25, 100, 100, 500) if bet != "empate" else (1, 5, 5, 25))
        count = rng.randint(1, 12 if size <= 25 else 5)
        chips = [size] * count
        if rng.random() < 0.3:
            smaller = [chip for chip in DENOMINATIONS if chip < size]
            chips += [rng.choice(smaller or [1])] * rng.randint(1, 3)
        if on_line:
            chips = sorted(chips * 2, reverse=True)
        if len(chips) <= 20 and (odd or due_profit(bet, sum(chips), on_line).denominator == 1):
            return tuple(chips)


def bet_place(rng: random.Random, zone: Zone, on_line: bool) -> Point:
    """Where a player puts a bet: well inside its box, or with its base over one side of the outline."""
    radius = CHIP_DIAMETER_MM / 2
    free_w, free_d = (max(0.0, size / 2 - radius - 5) for size in (zone.width_mm, zone.depth_mm))
    if not on_line:
        return zone.at(rng.uniform(-0.8, 0.8) * free_w, rng.uniform(-0.8, 0.8) * free_d)
    off = rng.uniform(-9.0, 6.0)
    side = rng.choice((-1.0, 1.0))
    if rng.random() < 0.75:
        return zone.at(side * (zone.width_mm / 2 + off), rng.uniform(-0.6, 0.6) * free_d)
    return zone.at(rng.uniform(-0.6, 0.6) * free_w, side * (zone.depth_mm / 2 + off))


def touches_line(zone: Zone, place: Point) -> bool:
    """Whether a chip's base at this place crosses the box's outline."""
    along, across = zone.own(place)
    beyond = (abs(along) - zone.width_mm / 2, abs(across) - zone.depth_mm / 2)
    if max(beyond) <= 0:
        return -max(beyond) < CHIP_DIAMETER_MM / 2
    return math.hypot(max(beyond[0], 0.0), max(beyond[1], 0.0)) < CHIP_DIAMETER_MM / 2


def beside(rng: random.Random, geometry: TableGeometry, zone: Zone, bet: Point, taken: list[Point]) -> Point:
    """Where chips are put beside a bet: clear of all stacks, as far inside the bet's own box as can be."""
    best, best_score = bet, -math.inf
    start = rng.uniform(0, 2 * math.pi)
    for step in range(24):
        angle = start + step * math.pi / 12
        reach = CHIP_DIAMETER_MM + rng.uniform(4.0, 10.0)
        place = (bet[0] + reach * math.cos(angle), bet[1] + reach * math.sin(angle))
        clear = min((math.dist(place, other) for other in taken), default=1e3) - CHIP_DIAMETER_MM - 2
        along, across = zone.own(place)
        inside = min(zone.width_mm / 2 - abs(along), zone.depth_mm / 2 - abs(across))
        others = min(
            (
                max(abs(along) - other.width_mm / 2, abs(across) - other.depth_mm / 2)
                for other in geometry.bets.values()
                if other.spot != zone.spot
                for along, across in (other.own(place),)
            ),
            default=1e3,
        )
        score = min(clear, 0.0) * 100 + min(others - 2, 0.0) * 20 + min(inside, 12.0)
        if score > best_score:
            best, best_score = place, score
    return best
