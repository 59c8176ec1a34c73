"""Where things have their place on a simulated table, in millimetres of the layout frame.

The dealer stands at small y, seat 1 at small x; angles are clockwise on the drawing, 0 = top towards the
dealer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import shapely

from rules.spots import DISCARD, FLOAT, SHOE, Area, Spot, bet_spot, hand_spot
from vision.layout import Layout

Point = tuple[float, float]

CHIP_DIAMETER_MM = 39.5
BETS = ("punto", "banca", "empate")


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangular place: its spot, middle, turn, and size along and across its own axes."""

    spot: Spot
    x_mm: float
    y_mm: float
    rot_deg: float
    width_mm: float
    depth_mm: float

    def at(self, along_mm: float, across_mm: float) -> Point:
        """The point of the felt at this distance from the middle along the zone's own axes."""
        turn = math.radians(self.rot_deg)
        return (
            self.x_mm + along_mm * math.cos(turn) - across_mm * math.sin(turn),
            self.y_mm + along_mm * math.sin(turn) + across_mm * math.cos(turn),
        )

    def own(self, point: Point) -> Point:
        """The inverse of :meth:`at`."""
        turn = math.radians(self.rot_deg)
        dx, dy = point[0] - self.x_mm, point[1] - self.y_mm
        return dx * math.cos(turn) + dy * math.sin(turn), -dx * math.sin(turn) + dy * math.cos(turn)

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Dealer's side left and right, players' side right and left, on the zone's own axes."""
        w, d = self.width_mm / 2, self.depth_mm / 2
        return self.at(-w, -d), self.at(w, -d), self.at(w, d), self.at(-w, d)


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """All places of a table. ``bets``: a zone for each seat and bet; ``hands``: punto and banca."""

    bets: dict[Spot, Zone]
    hands: dict[str, Zone]
    shoe_mm: Point
    """The shoe's mouth."""
    discard_mm: Point
    float_mm: Point
    half_lines: frozenset[str]
    """Bets whose box has an outline that halves."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have boxes, in order."""
        return tuple(sorted({spot.seat for spot in self.bets if spot.seat is not None}))

    def line_id(self, spot: Spot) -> str:
        """The id of a box's outline, as a layout drawing names it."""
        return f"{spot}:outline"

    def card_place(self, hand: str, position: int) -> tuple[Point, float]:
        """Middle and turn of a hand's nth card (from 1); the third lies crosswise, outwards."""
        zone = self.hands[hand]
        outwards = 1.0 if zone.x_mm >= sum(other.x_mm for other in self.hands.values()) / 2 else -1.0
        spread = min(1.0, zone.width_mm / 250)
        along = (-80.0, -10.0, 72.0, 152.0)[min(position, 4) - 1] * spread
        return zone.at(outwards * along, 0.0), 90.0 if position >= 3 else 0.0


def arc_geometry(seats: int = 7, half_lines: frozenset[str] = frozenset({"punto", "banca"})) -> TableGeometry:
    """A mini table: seats on an arc, punto boxes outermost, cards before the dealer, shoe at his left."""
    middle, rows = (800.0, -60.0), ((690.0, 126.0, 88.0), (545.0, 110.0, 82.0), (420.0, 92.0, 58.0))
    spread = min(116.0, 19.0 * max(seats - 1, 1))
    bets: dict[Spot, Zone] = {}
    for number in range(seats):
        share = 0.5 if seats == 1 else number / (seats - 1)
        turn = math.radians(90 + spread / 2 - share * spread)
        for bet, (radius, width, depth) in zip(BETS, rows, strict=True):
            spot = bet_spot(number + 1, bet)
            x = middle[0] + radius * math.cos(turn) * 1.05
            y = middle[1] + radius * math.sin(turn)
            bets[spot] = Zone(spot, x, y, math.degrees(turn) - 90, width, depth)
    hands = {
        "punto": Zone(hand_spot("punto"), 665.0, 140.0, 0.0, 250.0, 124.0),
        "banca": Zone(hand_spot("banca"), 935.0, 140.0, 0.0, 250.0, 124.0),
    }
    return TableGeometry(bets, hands, (1180.0, 55.0), (330.0, 40.0), (800.0, 5.0), half_lines)


def layout_geometry(layout: Layout) -> TableGeometry:
    """The places of a drawn layout. Raises ValueError, naming what is missing, if it cannot be played on."""
    bets: dict[Spot, Zone] = {}
    hands: dict[str, Zone] = {}
    for zone in layout.zones:
        if zone.spot.area is Area.BET and zone.spot.bet in BETS:
            bets[zone.spot] = rectangle(zone.spot, zone.corners_mm.tolist())
        elif zone.spot.area is Area.HAND and zone.spot.hand is not None:
            hands[zone.spot.hand] = rectangle(zone.spot, zone.corners_mm.tolist())
    if not bets or set(hands) != {"punto", "banca"}:
        raise ValueError(f"{layout.name} needs betting boxes and the zones hand punto and hand banca")
    x0, _, x1, _ = layout.felt.bounds
    edge = layout.dealer_edge_mm
    places = {}
    defaults = {SHOE: (0.72, 110.0), DISCARD: (0.22, 90.0), FLOAT: (0.5, 60.0)}
    for spot, (share, inwards) in defaults.items():
        found = layout.zone(spot)
        places[spot] = found.centre_mm if found else (x0 + share * (x1 - x0), edge + inwards)
    half = frozenset(
        spot.bet
        for line in layout.lines
        for spot in line.spots
        if len(line.spots) == 1 and spot.bet is not None
    )
    return TableGeometry(bets, hands, places[SHOE], places[DISCARD], places[FLOAT], half)


def rectangle(spot: Spot, corners: list[list[float]]) -> Zone:
    """The smallest rectangle around a zone, its width along the side nearest to the dealer's edge's
    direction."""
    ring = list(shapely.get_coordinates(shapely.oriented_envelope(shapely.Polygon(corners))).tolist())[:4]
    (ax, ay), (bx, by), (cx, cy), _ = ring
    sides = [
        (math.hypot(bx - ax, by - ay), math.atan2(by - ay, bx - ax)),
        (math.hypot(cx - bx, cy - by), 0.0),
    ]
    turn = math.degrees(sides[0][1])
    width, depth = sides[0][0], sides[1][0]
    turn = (turn + 90) % 180 - 90
    if abs(turn) > 45:
        turn, width, depth = turn - math.copysign(90, turn), depth, width
    middle = (sum(x for x, _ in ring) / 4, sum(y for _, y in ring) / 4)
    return Zone(spot, middle[0], middle[1], turn, width, depth)
