"""Arms over the table: what they cover, whose they are, and what their hand is at.

An arm is foreground that hangs together with the edge of the picture or of the table. The side it comes in
from tells the owner: the dealer's edge (small y on the drawing) is the dealer's, elsewhere it is the player
whose boxes are nearest. The part farthest from the way in is the hand: what it reaches is touched, what the
rest lies over is only covered. No detector is needed; one that knows hands adds what the edge does not tell.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from rules.events import Hand, Owner
from vision.camera import Camera, Floats
from vision.layout import Layout, takes_bets

Mask = NDArray[np.bool_]
"""(h, w)."""

HAND_MM = 125.0
"""From the fingertips to behind the wrist: this much of an arm counts as its hand."""
_LEAST_ARM_MM2 = 1200.0
"""Smaller foreground at an edge is no arm (a fingertip is about 15 x 80 mm)."""
_LOG_S = 16.0
_FOREARM_MM = 150.0
"""A forearm crosses the table's edge at about this height."""
_SAME_ARM_MM, _SAME_ARM_S = 250.0, 0.45
"""The arm whose fingertips were this near, so short a time ago, is the same arm."""
_FADE = 0.85
"""What one frame says of an arm's owner counts so much less in the next."""
_GRID = 16
_OWNERS = (Owner.DEALER, Owner.PLAYER, Owner.UNKNOWN)
_ENTRY_SHARE = 0.2
"""An arm seen to come in from two sides is two arms if each side has so much of the way in."""


_AS_LIKELY, _PAST_MM = 2.0, 200.0
"""An arm that comes in this many times as far from the dealer as from a seat, but reaches so far past the
boxes of that seat to those of another, may be either's."""
_BESIDE_MM = 200.0
"""Where no seats are drawn, an arm that comes in so near to the dealer's edge is his."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Who sits where. ``dealer_mm``: x0, x1, y of the dealer's edge; ``seats``: seat, the centres (n, 2) of
    its boxes and where its player is (2,), millimetres; ``outline_mm``: (n, 2) the table's outline;
    ``dealers``: how many stand side by side; ``lettered``: players bet in boxes with letters,
    which are nobody's seat."""

    dealer_mm: tuple[float, float, float]
    seats: tuple[tuple[int, Floats, Floats], ...]
    outline_mm: Floats
    dealers: int = 1
    lettered: bool = False

    @classmethod
    def of(cls, layout: Layout) -> Sides:
        """As drawn: the dealer along the felt's smallest y, each seat at its betting boxes."""
        x0, y0, x1, _ = layout.felt.bounds
        seats = []
        for seat in layout.seats:
            spots = [zone for zone in layout.zones if zone.spot.seat == seat]
            boxes = np.array([zone.centre_mm for zone in spots], np.float64)
            bets = np.array([z.centre_mm for z in spots if takes_bets(z.spot)], np.float64)
            at_mm = _across(layout.felt, bets) if len(bets) and _is_oval(layout.felt) else _behind(boxes)
            seats.append((seat, boxes, at_mm))
        outline = np.asarray(layout.felt.exterior.coords, np.float64)[:-1]
        lettered = any(zone.spot.box is not None for zone in layout.zones)
        return cls((x0, x1, y0), tuple(seats), outline, layout.dealers, lettered)

    def owner(self, entry_mm: Floats, tip_mm: Floats) -> Hand:
        """Whose arm comes in at ``entry_mm`` (2,) and reaches to ``tip_mm`` (2,); NaN where off the felt."""
        if not np.isfinite(entry_mm).all():
            return Hand(Owner.UNKNOWN)
        x0, x1, y = self.dealer_mm
        beside = max(x0 - entry_mm[0], 0.0, entry_mm[0] - x1)
        to_dealer = float(np.hypot(beside, max(0.0, entry_mm[1] - y)))
        if not self.seats and to_dealer >= _BESIDE_MM:
            far = to_dealer > 0.5 * float(np.ptp(self.outline_mm[:, 1]))
            return Hand(Owner.PLAYER if self.lettered and far else Owner.UNKNOWN)
        if not self.seats:
            return self._dealer(entry_mm)
        reach = tip_mm if np.isfinite(tip_mm).all() else entry_mm
        costs = []
        for seat, boxes, at_mm in self.seats:
            to_seat_mm = float(np.hypot(*(at_mm - entry_mm)))
            to_boxes_mm = float(np.hypot(*(boxes - reach).T).min())
            costs.append((to_seat_mm + 0.5 * to_boxes_mm, to_seat_mm, seat, to_boxes_mm))
        _, to_seat, seat, to_own = min(costs)
        if to_dealer <= to_seat:
            return self._dealer(entry_mm)
        to_any = min(cost[-1] for cost in costs)
        if to_dealer < _AS_LIKELY * to_seat and to_own > to_any + _PAST_MM:
            return Hand(
                Owner.UNKNOWN
            )  # a dealer's, over the corner of an oval table, as likely as a player's
        return Hand(Owner.PLAYER, seat)

    def _dealer(self, entry_mm: Floats) -> Hand:
        """A dealer's hand; of two, the one on whose side it comes in. A dealer looks down the drawing: his
        right is at small x."""
        if self.dealers < 2:
            return Hand(Owner.DEALER)
        x0, x1, _ = self.dealer_mm
        return Hand(Owner.DEALER, side="right" if entry_mm[0] < (x0 + x1) / 2 else "left")


def _behind(boxes: Floats) -> Floats:
    """(2,): behind the box of a seat (n, 2) that is farthest from the dealer, where its player sits."""
    order = np.argsort(boxes[:, 1] + 1e-6 * np.arange(len(boxes)))
    outer, inner = boxes[order[-1]], boxes[order[0]]
    return np.asarray(outer + 0.5 * (outer - inner))


def _is_oval(felt: Polygon) -> bool:
    """Whether players sit all round: the dealer's edge is not straight."""
    x0, y0, x1, y1 = felt.bounds
    high = felt.intersection(shapely.box(x0, y0, x1, y0 + 0.05 * (y1 - y0)))
    return bool(high.bounds[2] - high.bounds[0] < 0.6 * (x1 - x0))


def _across(felt: Polygon, bets: Floats) -> Floats:
    """(2,): where a player sits at an oval table: at its edge, across his bets (n, 2) from the middle."""
    middle = np.asarray(felt.centroid.coords)[0]
    ray = shapely.LineString([middle, middle + 20.0 * (bets.mean(axis=0) - middle)])
    edge = np.asarray(shapely.get_coordinates(felt.exterior.intersection(ray)))
    return np.asarray(edge[0] if len(edge) else bets.mean(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """One arm in one frame. ``box``: x0, y0, x1, y1 small pixels of its hand; ``hand_mask``: what of that box
    is hand; ``tip_mm``: its far end on the felt (in truth somewhat nearer to the camera: it hovers)."""

    hand: Hand
    box: tuple[int, int, int, int]
    hand_mask: Mask
    tip_mm: tuple[float, float]

    def over(self, mask: Mask) -> int:
        """Pixels of the hand that lie on ``mask`` (h, w)."""
        x0, y0, x1, y1 = self.box
        return int(np.count_nonzero(self.hand_mask & mask[y0:y1, x0:x1]))


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """All arms of one frame; ``mask`` (h, w): every pixel that belongs to one, hand and arm."""

    t: float
    arms: tuple[Arm, ...]
    mask: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A connected piece of foreground: a mask whose top left corner is at (x, y) of the small picture."""

    x: int
    y: int
    mask: Mask

    def points(self) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
        """Its pixels' middles (n, 2) in the small picture, and their rows and columns in the mask."""
        ys, xs = np.nonzero(self.mask)
        return np.stack([xs + self.x + 0.5, ys + self.y + 0.5], axis=1), ys, xs


@dataclass(slots=True, eq=False)
class _Life:
    """One arm from frame to frame. ``votes``: what its frames said of its owner."""

    t: float
    tip_mm: tuple[float, float]
    votes: dict[Hand, float]


class ArmFinder:
    """Finds the arms in the foreground of one camera's small pictures."""

    def __init__(self, camera: Camera, sides: Sides) -> None:
        """``camera``: of the small picture."""
        self._camera = camera
        self._sides = sides
        height, width = camera.height_px, camera.width_px
        self._edge = np.zeros((height, width), np.bool_)
        self._edge[:2], self._edge[-2:], self._edge[:, :2], self._edge[:, -2:] = True, True, True, True
        outline = camera.project(sides.outline_mm)
        if np.isfinite(outline).all():
            table = np.zeros((height, width), np.uint8)
            cv2.fillPoly(table, [np.round(outline).astype(np.int32)], 1)
            self._edge |= table == 0
        middle = np.mean(sides.outline_mm, axis=0)[None]
        self._px_per_mm = float(camera.px_per_mm(middle)[0])
        self._log: deque[tuple[float, tuple[Arm, ...]]] = deque()
        self._lives: list[_Life] = []
        # Who sits on which side, on a coarse grid: an arm's way in is looked up, not computed, in each frame.
        grid = np.mgrid[0 : height + _GRID : _GRID, 0 : width + _GRID : _GRID][::-1].reshape(2, -1).T + 0.5
        owners = [sides.owner(point, point).owner for point in camera.felt_point(grid, _FOREARM_MM)]
        self._owner = np.array([_OWNERS.index(owner) for owner in owners]).reshape(
            height // _GRID + 1 + (height % _GRID > 0), -1
        )

    def find(self, t: float, foreground: Mask, still: Mask) -> Arms:
        """The arms in a frame, from its foreground (h, w) and what of it is still (h, w).

        Foreground that moves but has lost its arm (a sleeve of the colour of what lies below) goes to the
        owner of the nearest arm of this frame or the last.
        """
        closed = cv2.morphologyEx(foreground.view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        least = _LEAST_ARM_MM2 * self._px_per_mm**2
        arms: list[Arm] = []
        strays: list[_Part] = []
        covered = np.zeros(foreground.shape, np.bool_)
        for label in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= least) + 1:
            x, y, w, h = stats[label, :4]
            window = np.s_[y : y + h, x : x + w]
            part = _Part(int(x), int(y), labels[window] == label)
            at_edge = part.mask & self._edge[window]
            if np.count_nonzero(at_edge) >= 3:
                covered[window] |= part.mask
                arms.extend(self._split(part, at_edge))
            elif np.count_nonzero(part.mask & ~still[window]) > 0.25 * np.count_nonzero(part.mask):
                covered[window] |= part.mask
                strays.append(part)
        arms = [self._known(t, arm) for arm in arms]
        for part in strays:
            arms.append(self._stray(part, arms))
        found = Arms(t, tuple(arms), covered)
        self._log.append((t, found.arms))  # without the mask, which is as large as the picture
        while self._log[0][0] < t - _LOG_S:
            self._log.popleft()
        return found

    def _known(self, t: float, arm: Arm) -> Arm:
        """The arm with the owner that all its frames tell, not this one alone."""
        self._lives = [life for life in self._lives if t - life.t <= _SAME_ARM_S]
        near = [
            (math.dist(life.tip_mm, arm.tip_mm), index)
            for index, life in enumerate(self._lives)
            if life.t < t and math.dist(life.tip_mm, arm.tip_mm) <= _SAME_ARM_MM
        ]
        life = self._lives[min(near)[1]] if near else _Life(t, arm.tip_mm, {})
        if not near:
            self._lives.append(life)
        life.t, life.tip_mm = t, arm.tip_mm
        life.votes = {hand: _FADE * weight for hand, weight in life.votes.items()}
        life.votes[arm.hand] = life.votes.get(arm.hand, 0.0) + 1.0
        return replace(arm, hand=max(life.votes, key=lambda hand: life.votes[hand]))

    def last_at(self, mask: Mask, t_from: float, t_to: float) -> Hand | None:
        """Whose hand was at ``mask`` (h, w) between two times, by how long and how much; None if nobody's."""
        seen: dict[Hand, float] = {}
        for when, arms in self._log:
            if t_from <= when <= t_to:
                for arm in arms:
                    if over := arm.over(mask):
                        seen[arm.hand] = seen.get(arm.hand, 0.0) + over
        known = {hand: weight for hand, weight in seen.items() if hand.owner is not Owner.UNKNOWN}
        choice = known or seen
        return max(choice, key=lambda hand: choice[hand]) if choice else None

    def left_at(self, mask: Mask, t_from: float, t_to: float) -> float | None:
        """The last time between two times at which a hand was at ``mask`` (h, w); None if never."""
        times = [
            when for when, arms in self._log if t_from <= when <= t_to and any(arm.over(mask) for arm in arms)
        ]
        return max(times, default=None)

    def _split(self, part: _Part, at_edge: Mask) -> Iterable[Arm]:
        """One arm, or one for each side on which this foreground comes in."""
        rows, columns = np.nonzero(at_edge)
        entries = np.stack([columns + part.x + 0.5, rows + part.y + 0.5], axis=1)
        owner = self._owner[(rows + part.y) // _GRID, (columns + part.x) // _GRID]
        # Only ways in that lie apart can be those of two arms.
        count, pieces = cv2.connectedComponents(at_edge.view(np.uint8), connectivity=8)
        for label in range(1, count):
            inside = pieces[rows, columns] == label
            owner[inside] = np.bincount(owner[inside], minlength=len(_OWNERS)).argmax()
        shares = np.bincount(owner, minlength=len(_OWNERS)) / len(owner)
        owners = [index for index in np.argsort(-shares) if shares[index] >= _ENTRY_SHARE]
        if len(owners) < 2:
            yield self._arm(part, entries[np.isin(owner, owners)])
            return
        points, ys, xs = part.points()
        ways = [entries[owner == each] for each in owners]
        away = np.stack([np.hypot(*(points - way.mean(axis=0)).T) for way in ways], axis=0)
        nearest = away.argmin(axis=0)
        for index, way in enumerate(ways):
            piece = np.zeros_like(part.mask)
            piece[ys[nearest == index], xs[nearest == index]] = True
            if piece.any():
                yield self._arm(_Part(part.x, part.y, piece), way)

    def _arm(self, part: _Part, entries: Floats) -> Arm:
        way_in = np.median(entries, axis=0)
        points, ys, xs = part.points()
        on_table = ~self._edge[ys + part.y, xs + part.x]
        points = points[on_table] if on_table.any() else points
        tip = points[int(np.hypot(*(points - way_in).T).argmax())]
        tip_mm = self._camera.felt_point(tip[None])[0]
        way_in_mm = self._camera.felt_point(way_in[None], _FOREARM_MM)[0]
        return self._with_hand(part, tip, tip_mm, self._sides.owner(way_in_mm, tip_mm))

    def _stray(self, part: _Part, arms: list[Arm]) -> Arm:
        centre = part.points()[0].mean(axis=0)
        centre_mm = self._camera.felt_point(centre[None])[0]
        others = [*arms, *(self._log[-1][1] if self._log else ())]
        hand = Hand(Owner.UNKNOWN)
        if others:
            near = min(others, key=lambda arm: float(np.hypot(*(np.array(arm.tip_mm) - centre_mm))))
            if np.hypot(*(np.array(near.tip_mm) - centre_mm)) < 2.5 * HAND_MM:
                hand = near.hand
        return self._with_hand(part, centre, centre_mm, hand)

    def _with_hand(self, part: _Part, tip: Floats, tip_mm: Floats, hand: Hand) -> Arm:
        scale = float(self._camera.px_per_mm(tip_mm[None])[0]) if np.isfinite(tip_mm).all() else np.nan
        reach = HAND_MM * (scale if np.isfinite(scale) else self._px_per_mm)
        height, width = part.mask.shape
        at = tip - (part.x, part.y)
        x0, x1 = max(0, int(at[0] - reach)), min(width, int(at[0] + reach) + 1)
        y0, y1 = max(0, int(at[1] - reach)), min(height, int(at[1] + reach) + 1)
        ys, xs = np.mgrid[y0:y1, x0:x1]
        near = np.hypot(xs + 0.5 - at[0], ys + 0.5 - at[1]) <= reach
        box = (x0 + part.x, y0 + part.y, x1 + part.x, y1 + part.y)
        return Arm(hand, box, part.mask[y0:y1, x0:x1] & near, (float(tip_mm[0]), float(tip_mm[1])))
