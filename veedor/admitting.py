"""The admission test: what a table's cameras can see at each spot, and which rules that allows to judge."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import cv2
import numpy as np
import shapely

from rules.catalogue import Sight, alert_codes
from rules.games import game_named
from rules.spots import Area, Spot
from veedor.calibrating import Image, Pace
from veedor.config import Table, TableCamera
from veedor.rulebook import Status, entries, status_of
from vision.camera import Camera, Floats
from vision.chip_stacks import COUNTABLE_PX
from vision.foot import FOOT_ACROSS, FOOT_AWAY
from vision.layout import Zone, takes_bets
from vision.placing import Placer
from vision.position import pixel_error

FORMAT = "veedor.admission/1"
NAMED_PX, FOUND_PX = 40.0, 24.0
"""Short side of a card (pixels) from which it is named, and from which it is found."""
_FOOT_PX = 0.6
"""Usual error of a stack's foot as the reader finds it (docs/layout.md)."""
_PLACES = 40
TOO_CLOSE = 0.35
"""A spot where more of all places in it are too close to a line cannot be judged by lines."""
_SLOW_FPS = 5.0
_GLARE, _DARK = 250, 20

_BANKS = frozenset({Area.BANK, Area.GARAGE, Area.POT})
_CARDS_AT = frozenset({Area.HAND, Area.COMMUNITY})


@dataclass(frozen=True, slots=True)
class SpotSight:
    """What one camera sees of one spot, or several together. ``seen``: share of it in the picture.
    ``card_px``, ``chip_px``, ``thick_px``: a card's short side (over all ways it may lie), a chip's shortest
    diameter and its thickness (pixels), where it sees least well. ``error_mm``: usual error of a stack's
    place; ``too_close``: share of all places there at which zone or line cannot be told (None: no bets
    there); ``light``: ``glare``, ``dark`` or None."""

    spot: str
    camera: str
    seen: float
    card_px: float
    chip_px: float
    thick_px: float
    error_mm: float | None
    too_close: float | None
    light: str | None
    bets: bool
    hand: bool

    @property
    def grade(self) -> Literal["good", "limited", "blind"]:
        """``good``, ``limited`` or ``blind``, by what lies at such a spot."""
        if self.seen < 0.5 or self.light == "dark":
            return "blind"
        poor = self.seen < 0.98 or self.light is not None
        if self.hand and self.card_px < NAMED_PX:
            return "limited" if self.card_px >= FOUND_PX else "blind"
        if self.bets:
            poor = poor or self.thick_px < COUNTABLE_PX or (self.too_close or 0.0) > TOO_CLOSE
        return "limited" if poor else "good"


@dataclass(frozen=True, slots=True)
class RuleSight:
    """Whether a rule can be judged here: ``can`` and, if not everywhere, why not. ``sees``: what of the table
    has to be seen for it (:class:`rules.catalogue.Sight`)."""

    rule: str
    text: str
    can: bool
    why: str | None
    sees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Admission:
    """The whole test. ``spots``: of each spot the camera that sees it best; ``fps``, ``clock``: of
    the video, if any, and what is odd about its clock."""

    table: str
    spots: tuple[SpotSight, ...]
    rules: tuple[RuleSight, ...]
    fps: float | None
    clock: tuple[str, ...]
    remarks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The test as one document."""
        return {
            "format": FORMAT,
            "table": self.table,
            "fps": self.fps,
            "clock": list(self.clock),
            "spots": [asdict(spot) | {"grade": spot.grade} for spot in self.spots],
            "rules": [asdict(rule) for rule in self.rules],
            "remarks": list(self.remarks),
        }


def admit(
    table: Table, image: Image | None = None, camera_id: str | None = None, pace: Pace | None = None
) -> Admission:
    """Test a table. ``image``: a picture of the camera ``camera_id`` (the first), for its light; ``pace``: of
    its pictures.

    Raises TableError for an unknown camera or a picture of another shape.
    """
    from veedor.admitting_together import together  # it knows this module's sights

    pictured = table.camera(camera_id)
    fitted = None if image is None else pictured.fitted(image.shape[1], image.shape[0], "the picture")
    best: list[SpotSight] = []
    cameras = [
        fitted if camera is pictured and fitted is not None else camera.camera for camera in table.cameras
    ]
    errors = [camera.calibration.error for camera in table.cameras]
    for zone in table.layout.zones:
        found = [
            _sight(table, camera, own, zone, image if camera is pictured else None)
            for camera, own in zip(table.cameras, cameras, strict=True)
        ]
        best.append(together(table, zone, found, list(zip(cameras, errors, strict=True))))
    remarks = []
    fps = None if pace is None else pace.fps
    clock = () if pace is None else pace.odd
    if fps is not None and fps < _SLOW_FPS:
        remarks.append(
            f"The camera gives {fps:.1f} pictures a second: quick hands are missed below {_SLOW_FPS:g}."
        )
    remarks += [f"The clock: {odd}." for odd in clock]
    for camera in table.cameras:
        remarks += [f"{camera.id}: {doubt}" for doubt in camera.calibration.doubts]
    sights = tuple(best)
    return Admission(table.name, sights, rules_with(table, sights, fps), fps, clock, tuple(remarks))


def _sight(
    table: Table, calibrated: TableCamera, camera: Camera, zone: Zone, image: Image | None
) -> SpotSight:
    places = places_of(zone)
    seen = camera.in_view(places)
    bets = takes_bets(zone.spot)
    hand = zone.spot.area in _CARDS_AT
    if not seen.any():
        return SpotSight(str(zone.spot), calibrated.id, 0.0, 0.0, 0.0, 0.0, None, None, None, bets, hand)
    inside = places[seen]
    scales = np.linalg.svd(camera.felt_slopes(inside), compute_uv=False)
    least, middling = scales[:, -1].min(), np.sqrt(scales[:, 0] * scales[:, -1]).min()
    thick = camera.chip_thickness_px(inside, table.chips.height_mm).min()
    placer = Placer(
        table.layout, camera, table.chips.diameter_mm / 2, table.chips.height_mm, calibrated.calibration.error
    )
    found = [
        placer.place((float(x), float(y)), spread_mm=spread_of(camera, (float(x), float(y))))
        for x, y in inside[:: 1 if bets else 8]
    ]
    error = float(np.median([place.error_mm for place in found]))
    unsure = float(np.mean([not place.sure for place in found])) if bets else None
    return SpotSight(
        str(zone.spot),
        calibrated.id,
        float(seen.mean()),
        float(middling * min(table.deck.size_mm)),
        float(least * table.chips.diameter_mm),
        float(thick),
        error,
        unsure,
        None if image is None else _light(image, camera, zone),
        bets,
        hand,
    )


def places_of(zone: Zone) -> Floats:
    """(n, 2): places spread evenly over a zone, its middle first."""
    x0, y0, x1, y1 = zone.polygon.bounds
    step = max(1.0, float(np.sqrt((x1 - x0) * (y1 - y0) / _PLACES)))
    xs, ys = (np.arange(low + step / 2, high, step) for low, high in ((x0, x1), (y0, y1)))
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    kept = grid[shapely.contains_xy(zone.polygon, grid[:, 0], grid[:, 1])]
    return np.concatenate([[zone.centre_mm], kept])


def spread_of(camera: Camera, at_mm: tuple[float, float]) -> float:
    """The usual error of a foot that is read at a place, as the reader would say it, mm."""
    error = float(np.sqrt(np.trace(pixel_error(camera, at_mm, _FOOT_PX))))
    return error / float(np.hypot(FOOT_AWAY, FOOT_ACROSS))


def _light(image: Image, camera: Camera, zone: Zone) -> str | None:
    """Whether a spot is dazzled or dark in a picture."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(
        mask, [np.nan_to_num(camera.project(zone.corners_mm), nan=-1.0).round().astype(np.int32)], 255
    )
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[mask > 0]
    if not len(grey):
        return None
    if float((grey >= _GLARE).mean()) > 0.1:
        return "glare"
    return "dark" if float(np.percentile(grey, 95)) < _DARK else None


def rules_with(table: Table, spots: tuple[SpotSight, ...], fps: float | None = None) -> tuple[RuleSight, ...]:
    """The rules that cameras can judge at a table, and whether they can with what is seen of its spots."""
    profile = table.file.profile
    codes = alert_codes()
    found = []
    open_rules = frozenset(question.rule for question in game_named(table.game).questions(table.profile, ()))
    acting = bool(table.layout.lines)
    for entry in entries(table.game, profile.name, profile.variant):
        status = status_of(entry.row, open_rules)
        if status in (Status.OUT, Status.PERMISSION):
            continue
        needed = frozenset().union(*(codes[code].sees for code in entry.row.codes))
        why = _lacks(needed if acting else needed - {Sight.LINES}, spots, fps)
        if status is not Status.JUDGED:
            needs = entry.row.needs or ("a cue" if status is Status.CUE else "a setting of the table")
            why.append(f"has to be {'told' if status is Status.CUE else 'set'}: {needs}")
        found.append(
            RuleSight(entry.row.id, entry.row.rule, not why, "; ".join(why) or None, tuple(sorted(needed)))
        )
    return tuple(found)


def _lacks(needed: frozenset[Sight], spots: tuple[SpotSight, ...], fps: float | None) -> list[str]:
    """What is missing of what has to be seen, and where."""
    bets, hands = [s for s in spots if s.bets], [s for s in spots if s.hand]
    banks = [s for s in spots if Spot.parse(s.spot).area in _BANKS]
    shoes = [s for s in spots if _holds(s, "shoe", Area.SHOE, Area.DECK)]
    markers = [s for s in spots if _holds(s, "button")]
    said = []
    places = {
        Sight.FACES: ("hands", hands),
        Sight.CARDS: ("hands", hands),
        Sight.AMOUNTS: ("bets", bets),
        Sight.CHIPS: ("bets", bets),
        Sight.LINES: ("bets", bets),
        Sight.BANK: ("the bank or pot", banks),
        Sight.HANDS: ("bets", bets),
        Sight.SHOE: ("the shoe", shoes),
        Sight.MARKERS: ("markers", markers),
    }
    for missing in dict.fromkeys(name for sight, (name, at) in places.items() if sight in needed and not at):
        said.append(f"the drawing has no place for {missing}")
    looked = {s.spot: s for sight in needed for s in places[sight][1]}
    thin = [s for s in (*bets * (Sight.AMOUNTS in needed), *banks * (Sight.BANK in needed)) if _thin(s)]
    checks = (
        ("out of the picture, dark or too small", [s for s in looked.values() if _hidden(s)]),
        (
            f"cards under {NAMED_PX:g} px",
            [s for s in hands if Sight.FACES in needed and s.card_px < NAMED_PX],
        ),
        (
            f"cards under {FOUND_PX:g} px",
            [
                s
                for s in hands
                if Sight.CARDS in needed and Sight.FACES not in needed and s.card_px < FOUND_PX
            ],
        ),
        (f"chips thinner than {COUNTABLE_PX:g} px", thin),
        (
            "lines too close to call",
            [s for s in bets if Sight.LINES in needed and (s.too_close or 0.0) > TOO_CLOSE],
        ),
    )
    for what, where in checks:
        if where:
            names = ", ".join(spot.spot for spot in where[:3]) + (", ..." if len(where) > 3 else "")
            said.append(f"{what} at {len(where)} spot{'' if len(where) == 1 else 's'} ({names})")
    if Sight.HANDS in needed and fps is not None and fps < _SLOW_FPS:
        said.append(f"{fps:.1f} pictures a second are too few to tell whose hand it was")
    return said


def _holds(spot: SpotSight, marker: str, *areas: Area) -> bool:
    parsed = Spot.parse(spot.spot)
    return parsed.bet == marker or parsed.area in areas


def _hidden(spot: SpotSight) -> bool:
    return spot.seen < 0.5 or spot.light == "dark"


def _thin(spot: SpotSight) -> bool:
    return not _hidden(spot) and spot.thick_px < COUNTABLE_PX


_COLOURS = {"good": (90, 200, 90), "limited": (60, 180, 250), "blind": (70, 70, 240)}


def coloured(image: Image | None, table: Table, camera: TableCamera, admission: Admission) -> Image:
    """The picture (a dark ground without one) with each spot in its grade's colour: green, amber, red."""
    own = camera.camera if image is None else camera.fitted(image.shape[1], image.shape[0], "the picture")
    ground = np.full((own.height_px, own.width_px, 3), 30, np.uint8) if image is None else image
    over = ground.copy()
    grades = {spot.spot: spot for spot in admission.spots}
    shapes = []
    for zone in table.layout.zones:
        corners = own.project(np.asarray(zone.polygon.exterior.segmentize(20.0).coords)[:-1])
        if np.isfinite(corners).all():
            shapes.append((zone.spot, np.round(corners).astype(np.int32)))
    for spot, outline in shapes:
        cv2.fillPoly(over, [outline], _COLOURS[grades[str(spot)].grade], cv2.LINE_AA)
    picture = cv2.addWeighted(over, 0.4, ground, 0.6, 0)
    size = own.width_px / 2200
    for spot, outline in shapes:
        sight = grades[str(spot)]
        cv2.polylines(
            picture, [outline], True, _COLOURS[sight.grade], max(1, own.width_px // 900), cv2.LINE_AA
        )
        x, y = outline.mean(axis=0)
        for row, text in enumerate(_label(spot, sight)):
            (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
            at = round(float(x) - wide / 2), round(float(y) + tall * (1.5 * row - 0.2))
            for ink, thick in (((0, 0, 0), 3), ((255, 255, 255), 1)):
                cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def _label(spot: Spot, sight: SpotSight) -> list[str]:
    if takes_bets(spot):
        error = "" if sight.error_mm is None else f"{sight.error_mm:.1f} mm"
        return [f"{sight.thick_px:.1f} px", error]
    return [f"{sight.card_px:.0f} px"]
