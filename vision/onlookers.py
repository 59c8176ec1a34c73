"""The cameras over one table: which of them sees a place, and which sees it best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.events import Hand, Owner
from rules.spots import Area
from vision.camera import Camera, Floats
from vision.layout import Layout, Zone
from vision.placing import Placer
from vision.tracking import Family, Sight
from vision.watch import PlaceState, TableWatcher

CARD_PX, CHIP_PX = 24.0, 10.0
"""Short side of a card, diameter of a chip (pixels): what looks smaller is not seen."""
_MARGIN_PX = 4.0
SILENT_S = 1.0
"""A camera without a picture for so long sees nothing."""


@dataclass(slots=True, eq=False)
class Onlooker:
    """One camera. ``number``: its place in the list; ``t``: of its last picture; ``ended``: it gives no more.
    ``card_mm``: width and height of a card."""

    name: str
    number: int
    camera: Camera
    placer: Placer
    card_mm: tuple[float, float]
    watcher: TableWatcher
    t: float = -math.inf
    ended: bool = False
    no_signal: bool = False
    """It is watched live, and sends nothing at present."""

    def live(self, now: float) -> bool:
        """Whether it sees the table at all at present."""
        return not self.ended and now - self.t <= SILENT_S and not self.watcher.lost

    def views(self, family: Family, at_mm: tuple[float, float]) -> bool:
        """Whether things of this family at a place are in its picture, and large enough."""
        place = np.asarray([at_mm], np.float64)
        if not self.camera.in_view(place, _MARGIN_PX)[0]:
            return False
        scale = float(self.camera.px_per_mm(place)[0])
        if family is Family.CARD:
            return scale * min(self.card_mm) >= CARD_PX
        return scale * 2 * self.placer.radius_mm >= CHIP_PX

    def views_zone(self, zone: Zone) -> bool:
        """Whether it sees what a spot is for."""
        family = Family.CARD if zone.spot.area is Area.HAND else Family.STACK
        corners = zone.corners_mm
        return self.views(family, zone.centre_mm) and float(self.camera.in_view(corners).mean()) > 0.5

    def steepness(self, at_mm: tuple[float, float]) -> float:
        """How steeply it looks down at a place: 1 from straight above, 0 along the felt."""
        away = self.camera.centre_mm - np.array([*at_mm, 0.0])
        return float(away[2] / np.linalg.norm(away))

    def clarity(self, family: Family, at_mm: tuple[float, float]) -> float:
        """How well it reads things at a place: pixels of a card's side, of a chip's thickness."""
        place = np.asarray([at_mm], np.float64)
        if family is Family.CARD:
            return float(self.camera.px_per_mm(place)[0]) * min(self.card_mm)
        return float(self.camera.chip_thickness_px(place, self.placer.chip_mm)[0])

    def state_of(self, sight: Sight, since: float, *, under_things: bool = False) -> PlaceState:
        """What it can say at present of the place where a thing was seen by another camera; with
        ``under_things`` also where it sees things itself."""
        return self.watcher.state_of(self.outline_mm(sight), since, under_things=under_things)

    def outline_mm(self, sight: Sight) -> Floats:
        """(n, 2): the outline on the felt of a thing that was seen."""
        if sight.family is Family.CARD:
            half = np.array(self.card_mm) / 2
            angle = np.deg2rad(sight.angle_deg)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
            return np.asarray((square * half) @ turn.T + np.asarray(sight.at_mm))
        angles = np.arange(12) * np.pi / 6
        ring = self.placer.radius_mm * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return np.asarray(ring + np.asarray(sight.at_mm))


def steepest(onlookers: Sequence[Onlooker], at_mm: tuple[float, float]) -> list[Onlooker]:
    """The cameras, the one that looks down at a place most steeply first: least of what is over the felt
    seems to be beside where it is."""
    return sorted(onlookers, key=lambda each: (-each.steepness(at_mm), each.number))


def agreed_hand(said: Sequence[Hand | None]) -> Hand | None:
    """Whose hand it was by what several cameras say, the one that sees it best first; unknown where they
    contradict each other."""
    hands = [hand for hand in said if hand is not None]
    known = [hand for hand in hands if hand.owner is not Owner.UNKNOWN]
    if not known:
        return hands[0] if hands else None
    if len({hand.owner for hand in known}) > 1:
        return Hand(Owner.UNKNOWN)
    return known[0]


def zones_of(layout: Layout) -> list[Zone]:
    """The spots of a layout that have to be seen: bets and hands."""
    return [zone for zone in layout.zones if zone.spot.area in (Area.BET, Area.HAND, Area.COMMUNITY)]
