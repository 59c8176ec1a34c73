"""From the felt to the picture: where zones, lines, cards and stacks of a journal appear to a camera.

Made once at review time; the results (overlay.json, felt.json) are all that pictures and pages need later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from shapely import LineString, MultiLineString, MultiPoint
from shapely import Polygon as Shape

from rules.events import CardMoved, CardPlaced, CardTurned, ChipState, Event, Stack, in_time_order
from rules.journal import Journal
from veedor.store.felt import Felt, FeltLine, FeltZone
from veedor.store.overlay import Line, Mark, Overlay, Polygon, Shift, Zone
from vision.camera import Camera, Floats
from vision.layout import Effect, Layout, takes_bets
from vision.nudge import Nudge
from vision.placing import Placer
from vision.position import CameraError
from vision.steady import moves_of

_STEP_MM = 20.0
"""Zone sides are drawn through points this close: a lens bends them."""
_GRID = (17, 10)
"""Points across and down by which a moved camera's picture is told; between them it is straight to 0.1 px."""
_LIKELY = 2.45
"""So many usual errors hold 95 of 100 places, in the plane."""


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
    error: CameraError | None = None,
) -> Overlay:
    """The overlay of one camera. ``chip_colours``: the house's denominations, with #rrggbb to draw them;
    ``error``: what its calibration leaves open."""
    halved = {spot for line in layout.lines if line.effect is Effect.HALVES for spot in line.spots}
    zones = []
    for zone in layout.zones:
        outline = _outline(camera, np.asarray(zone.polygon.segmentize(_STEP_MM).exterior.coords)[:-1])
        if outline is not None:
            zones.append(Zone(str(zone.spot), outline, zone.spot in halved))
    lines = []
    for line in layout.lines:
        paths = tuple(
            path for piece in _pieces(line.path.segmentize(_STEP_MM)) for path in _chains(camera, piece)
        )
        if paths:
            lines.append(Line(line.id, line.effect.value, tuple(map(str, line.spots)), paths))
    colours = dict(chip_colours or {})
    placer = Placer(layout, camera, sizes.chip_mm[0] / 2, sizes.chip_mm[1], error)
    return Overlay(
        camera=camera_name,
        width_px=camera.width_px,
        height_px=camera.height_px,
        zones=tuple(zones),
        lines=tuple(lines),
        marks=tuple(marks_of(journal.events, camera_name, placer, sizes)),
        chip_colours={str(value): colour for value, colour in sorted(colours.items())},
        chips=tuple(sorted(colours)),
        shifts=shifts_of(journal.events, camera_name, camera),
    )


def _shift(camera: Camera, t: float, nudge: Nudge) -> Shift:
    """Where the picture's points show since ``t``; those that the moved camera cannot show stay."""
    columns, rows = _GRID
    x, y = np.meshgrid(np.linspace(0, camera.width_px, columns), np.linspace(0, camera.height_px, rows))
    before = np.column_stack((x.ravel(), y.ravel()))
    now = nudge.px(camera, before)
    return Shift(t, columns, rows, _polygon(np.where(np.isfinite(now), now, before)))


def make_felt(layout: Layout, chip_mm: float, chip_colours: Mapping[int, str]) -> Felt:
    """The felt as reports draw it. ``chip_mm``: a chip's diameter."""
    zones = (
        FeltZone(str(zone.spot), _polygon(zone.polygon.exterior.coords[:-1]), takes_bets(zone.spot))
        for zone in layout.zones
    )
    lines = (
        FeltLine(
            line.id,
            line.effect.value,
            tuple(map(str, line.spots)),
            tuple(_polygon(piece) for piece in _pieces(line.path)),
        )
        for line in layout.lines
    )
    return Felt(
        frame_mm=layout.frame_mm,
        edge=_polygon(layout.felt.exterior.coords[:-1]),
        zones=tuple(zones),
        lines=tuple(lines),
        chip_mm=chip_mm,
        chip_colours={str(value): colour for value, colour in sorted(chip_colours.items())},
    )


def _pieces(path: LineString | MultiLineString) -> list[Floats]:
    pieces = [path] if isinstance(path, LineString) else list(path.geoms)
    return [np.asarray(piece.coords)[:, :2] for piece in pieces]


def _chains(camera: Camera, points_mm: Floats) -> Iterable[Polygon]:
    """A chain of points as far as the camera can show it: cut where it passes behind the camera."""
    points = camera.project(points_mm)
    seen = np.isfinite(points).all(axis=1)
    cuts = np.flatnonzero(np.diff(seen)) + 1
    for chain, here in zip(np.split(points, cuts), np.split(seen, cuts), strict=True):
        if here[0] and len(chain) > 1:
            yield _polygon(chain)


def shifts_of(events: Iterable[Event], camera_name: str, camera: Camera) -> tuple[Shift, ...]:
    """Where a camera that was moved shows things, and since when."""
    return tuple(_shift(camera, t, nudge) for t, nudge in moves_of(events, camera_name))


def marks_of(events: Iterable[Event], camera_name: str, placer: Placer, sizes: Sizes) -> list[Mark]:
    """What some events saw, as shapes in one camera's picture."""
    camera = placer.camera
    marks: list[Mark] = []
    lying: dict[str, tuple[tuple[float, float], float]] = {}  # card to its centre and angle
    for event in in_time_order(list(events)):
        match event:
            case CardPlaced() if event.at_mm is not None:
                lying[event.card_id] = (event.at_mm, event.angle_deg or 0.0)
            case CardMoved() if event.at_mm is not None:
                lying[event.card_id] = (event.at_mm, lying.get(event.card_id, ((0, 0), 0.0))[1])
            case _:
                pass
        if isinstance(event, ChipState):
            marks += [
                mark for stack in event.stacks if (mark := _stack_mark(event.seq, stack, placer, sizes))
            ]
        elif isinstance(event, CardPlaced | CardTurned | CardMoved) and event.card_id in lying:
            outline = card_outline(camera, *lying[event.card_id], sizes.card_mm)
            if outline is not None:
                marks.append(Mark(event.seq, "card", outline, event.card_id))
        elif (box := _box(event, camera_name)) is not None:
            marks.append(Mark(event.seq, "box", box, getattr(event, "card_id", None)))
    return marks


def _stack_mark(seq: int, stack: Stack, placer: Placer, sizes: Sizes) -> Mark | None:
    outline = stack_outline(placer.camera, stack.at_mm, stack.count or 1, sizes.chip_mm)
    if outline is None:
        return None
    radius = sizes.chip_mm[0] / 2
    base = _outline(placer.camera, base_ring(stack.at_mm, radius)) or ()
    doubt: Polygon = ()
    if stack.error_mm is not None:
        # The journal keeps how large the error is; its shape is that of any foot seen from here.
        shape = placer.covariance(stack.at_mm, stack.error_mm)
        if np.isfinite(shape).all() and np.trace(shape) > 0:
            error = shape * (stack.error_mm**2 / np.trace(shape))
            doubt = _outline(placer.camera, base_ring(stack.at_mm, radius, error)) or ()
    return Mark(seq, "chips", outline, stack.stack, base, doubt)


def base_ring(at_mm: tuple[float, float], radius_mm: float, error: Floats | None = None) -> Floats:
    """(n, 2) points on the felt round a stack's base; with ``error``, the covariance (2, 2) of its middle in
    mm², the line within which the whole base lies in 95 of 100 cases."""
    turn = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    ways = np.column_stack((np.cos(turn), np.sin(turn)))
    ring = radius_mm * ways
    if error is not None:
        reach = np.sqrt(np.maximum(np.einsum("ni,ij,nj->n", ways, error, ways), 1e-12))
        ring = ring + _LIKELY * (ways @ error) / reach[:, None]
    return np.asarray(ring + np.asarray(at_mm))


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
    return tuple((float(x), float(y)) for x, y, *_ in np.asarray(points))
