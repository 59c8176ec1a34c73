"""From the felt to the picture: where zones, cards and stacks of a journal appear to a camera.

Made once at review time; the result (overlay.json) is all that pictures and pages need later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from shapely import MultiPoint
from shapely import Polygon as Shape

from rules.events import CardMoved, CardPlaced, CardTurned, ChipState, Event, in_time_order
from rules.journal import Journal
from veedor.store.overlay import Mark, Overlay, Polygon, Zone
from vision.camera import Camera
from vision.layout import Effect, Layout

_STEP_MM = 20.0
"""Zone sides are drawn through points this close: a lens bends them."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What lies on this table. ``card_mm``: width and height; ``chip_mm``: diameter and thickness."""

    card_mm: tuple[float, float] = (63.0, 88.0)
    chip_mm: tuple[float, float] = (39.5, 3.3)


def make_overlay(
    journal: Journal,
    camera_name: str,
    camera: Camera,
    layout: Layout,
    *,
    sizes: Sizes = Sizes(),
    chip_colours: Mapping[int, str] | None = None,
) -> Overlay:
    """The overlay of one camera. ``chip_colours``: the house's denominations, with #rrggbb to draw them."""
    halved = {spot for line in layout.lines if line.effect is Effect.HALVES for spot in line.spots}
    zones = []
    for zone in layout.zones:
        outline = _outline(camera, np.asarray(zone.polygon.segmentize(_STEP_MM).exterior.coords)[:-1])
        if outline is not None:
            zones.append(Zone(str(zone.spot), outline, zone.spot in halved))
    colours = dict(chip_colours or {})
    return Overlay(
        camera=camera_name,
        width_px=camera.width_px,
        height_px=camera.height_px,
        zones=tuple(zones),
        marks=tuple(_marks(journal, camera_name, camera, sizes)),
        chip_colours={str(value): colour for value, colour in sorted(colours.items())},
        chips=tuple(sorted(colours)),
    )


def _marks(journal: Journal, camera_name: str, camera: Camera, sizes: Sizes) -> list[Mark]:
    marks: list[Mark] = []
    lying: dict[str, tuple[tuple[float, float], float]] = {}  # card to its centre and angle
    for event in in_time_order(journal.events):
        match event:
            case CardPlaced() if event.at_mm is not None:
                lying[event.card_id] = (event.at_mm, event.angle_deg or 0.0)
            case CardMoved() if event.at_mm is not None:
                lying[event.card_id] = (event.at_mm, lying.get(event.card_id, ((0, 0), 0.0))[1])
            case _:
                pass
        if isinstance(event, ChipState):
            for stack in event.stacks:
                outline = stack_outline(camera, stack.at_mm, stack.count or 1, sizes.chip_mm)
                if outline is not None:
                    marks.append(Mark(event.seq, "chips", outline, stack.stack))
        elif isinstance(event, CardPlaced | CardTurned | CardMoved) and event.card_id in lying:
            outline = card_outline(camera, *lying[event.card_id], sizes.card_mm)
            if outline is not None:
                marks.append(Mark(event.seq, "card", outline, event.card_id))
        elif (box := _box(event, camera_name)) is not None:
            marks.append(Mark(event.seq, "box", box, getattr(event, "card_id", None)))
    return marks


def _box(event: Event, camera_name: str) -> Polygon | None:
    evidence = event.evidence
    if evidence is None or evidence.box is None or evidence.camera != camera_name:
        return None
    x0, y0, x1, y1 = evidence.box
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def card_outline(
    camera: Camera, centre_mm: tuple[float, float], angle_deg: float, card_mm: tuple[float, float]
) -> Polygon | None:
    """A lying card's four corners in the picture, clockwise from its top left; None if out of view."""
    angle = np.radians(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.array(card_mm) / 2
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    return _outline(camera, (square * half) @ turn.T + np.asarray(centre_mm))


def stack_outline(
    camera: Camera, base_mm: tuple[float, float], count: int, chip_mm: tuple[float, float]
) -> Polygon | None:
    """The silhouette of a stack in the picture: the hull of its base and top discs; None if out of view."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.column_stack((np.cos(turn), np.sin(turn))) * (chip_mm[0] / 2) + np.asarray(base_mm)
    discs = [np.column_stack((ring, np.full(len(ring), height))) for height in (0.0, count * chip_mm[1])]
    points = camera.project(np.vstack(discs))
    if not np.isfinite(points).all():
        return None
    hull = MultiPoint(points).convex_hull
    return _polygon(hull.exterior.coords[:-1]) if isinstance(hull, Shape) else None


def _outline(camera: Camera, points_mm: ArrayLike) -> Polygon | None:
    points = camera.project(points_mm)
    if not np.isfinite(points).all():
        return None
    return _polygon(points)


def _polygon(points: ArrayLike) -> Polygon:
    return tuple((float(x), float(y)) for x, y in np.asarray(points))
