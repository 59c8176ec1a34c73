"""The admission test: what a table's cameras can see at each spot, and which rules that allows to judge."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import cv2
import numpy as np
import shapely

from rules.games import game_named
from rules.spots import Area, Spot
from veedor.calibrating import Image
from veedor.config import Table, TableCamera
from veedor.rulebook import Status, entries, status_of
from vision.camera import Camera, Floats
from vision.chips import COUNTABLE_PX
from vision.layout import Zone, takes_bets
from vision.placing import FOOT_ACROSS, FOOT_AWAY, Placer
from vision.position import pixel_error

FORMAT = "veedor.admission/1"
NAMED_PX, FOUND_PX = 40.0, 24.0
"""Short side of a card (pixels) from which it is named, and from which it is found."""
_FOOT_PX = 0.6
"""Usual error of a stack's foot as the reader finds it (docs/layout.md)."""
_PLACES = 40
_TOO_CLOSE = 0.35
"""A spot where more of all places in it are too close to a line cannot be judged by lines."""
_SLOW_FPS = 5.0
_GLARE, _DARK = 250, 20

# what has to be seen for a rule, by its alert codes: amounts, faces, cards at all, lines
_MONEY = frozenset(
    {
        "BANK_AMOUNT_TOO_LOW",
        "BANK_DECREASED",
        "BANK_OVERDRAWN",
        "BANK_OVERWITHDRAWN",
        "BETS_UNEQUAL",
        "BET_ABOVE_BANK",
        "BET_ABOVE_MAX",
        "BET_BELOW_MIN",
        "BET_NOT_MULTIPLE",
        "BET_WRONG_AMOUNT",
        "BUYIN_OUT_OF_RANGE",
        "COMMISSION_WRONG",
        "EXCHANGE_PRICE_WRONG",
        "GARAGE_WRONG",
        "INSURANCE_MISPAID",
        "INSURANCE_OVER_LIMIT",
        "LINE_BET_MISPAID",
        "OVERPAID",
        "PARTNER_SHARE_UNEQUAL",
        "POT_UNEQUAL",
        "PROGRESSIVE_MISPAID",
        "RAKE_WRONG",
        "REFAIT_MISPAID",
        "SECOND_BET_WRONG_AMOUNT",
        "STACK_BELOW_BB",
        "STACK_REDUCED",
        "SUITE_AMOUNT_WRONG",
        "TIE_BET_OVER_LIMIT",
        "UNDERPAID",
    }
)
_FACES = frozenset(
    {
        "BURN_COUNT_WRONG",
        "CARD_COMPOSITION",
        "COMMISSION_WRONG",
        "INSURANCE_MISPAID",
        "LINE_BET_MISPAID",
        "LOSER_NOT_COLLECTED",
        "LOSER_PAID",
        "NATURAL_NOT_SHOWN",
        "NOT_PAID",
        "OVERPAID",
        "POT_MISAWARDED",
        "PROGRESSIVE_MISPAID",
        "PUSH_PAID",
        "PUSH_TAKEN",
        "REFAIT_MISPAID",
        "TALLY_MISMATCH",
        "UNDERPAID",
        "VOID_APPLIED_WRONGLY",
        "VOID_NOT_APPLIED",
        "WINNER_COLLECTED",
        "WRONG_DRAW",
        "WRONG_QUALIFICATION",
        "WRONG_WINNER",
    }
)
_CARDS = frozenset(
    {
        "CARDS_CLEARED_EARLY",
        "CARDS_LEFT_ON_TABLE",
        "CARD_FACE_WRONG",
        "CARD_IN_DISCARD_EARLY",
        "CARD_OFF_TABLE",
        "DEALT_BEFORE_CLOSE",
        "DEAL_AFTER_CUT_CARD",
        "DISCARD_MISPLACED",
        "EXPOSED_CARD",
        "HAND_POSITION_WRONG",
        "PLAYER_CARD_EXPOSED",
        "REVEAL_ORDER",
        "SETTLED_BEFORE_REVEAL",
        "SHOE_RUNOUT",
        "STUCK_CARDS",
        "UNAUTHORISED_CARD_CONTACT",
        "WRONG_CARD_COUNT",
        "WRONG_DEAL_ORDER",
    }
)
_LINES = frozenset({"LINE_BET_MISPAID"})


@dataclass(frozen=True, slots=True)
class SpotSight:
    """What one camera sees of one spot. ``seen``: share of it in the picture. ``card_px``, ``chip_px``,
    ``thick_px``: a card's short side (over all ways it may lie), a chip's shortest diameter and its thickness
    (pixels), where it sees least well.
    ``error_mm``: usual error of a stack's place; ``too_close``: share of all places there at which zone or
    line cannot be told (None: no bets there); ``light``: ``glare``, ``dark`` or None."""

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
    def grade(self) -> str:
        """``good``, ``limited`` or ``blind``, by what lies at such a spot."""
        if self.seen < 0.5 or self.light == "dark":
            return "blind"
        poor = self.seen < 0.98 or self.light is not None
        if self.hand and self.card_px < NAMED_PX:
            return "limited" if self.card_px >= FOUND_PX else "blind"
        if self.bets:
            poor = poor or self.thick_px < COUNTABLE_PX or (self.too_close or 0.0) > _TOO_CLOSE
        return "limited" if poor else "good"


@dataclass(frozen=True, slots=True)
class RuleSight:
    """Whether a rule can be judged here: ``can`` and, if not everywhere, why not."""

    rule: str
    text: str
    can: bool
    why: str | None


@dataclass(frozen=True, slots=True)
class Admission:
    """The whole test. ``spots``: of each spot the camera that sees it best; ``fps``: of the video, if any."""

    table: str
    spots: tuple[SpotSight, ...]
    rules: tuple[RuleSight, ...]
    fps: float | None
    remarks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The test as one document."""
        return {
            "format": FORMAT,
            "table": self.table,
            "fps": self.fps,
            "spots": [asdict(spot) | {"grade": spot.grade} for spot in self.spots],
            "rules": [asdict(rule) for rule in self.rules],
            "remarks": list(self.remarks),
        }


def admit(
    table: Table, image: Image | None = None, camera_id: str | None = None, fps: float | None = None
) -> Admission:
    """Test a table. ``image``: a picture of the camera ``camera_id`` (the first), for its light.

    Raises TableError for an unknown camera or a picture of another shape.
    """
    pictured = table.camera(camera_id)
    fitted = None if image is None else pictured.fitted(image.shape[1], image.shape[0], "the picture")
    best: list[SpotSight] = []
    for zone in table.layout.zones:
        found = []
        for camera in table.cameras:
            own = fitted if camera is pictured and fitted is not None else camera.camera
            found.append(_sight(table, camera, own, zone, image if camera is pictured else None))
        order = {"good": 2, "limited": 1, "blind": 0}
        best.append(max(found, key=lambda sight: (order[sight.grade], sight.seen, sight.card_px)))
    remarks = []
    if fps is not None and fps < _SLOW_FPS:
        remarks.append(
            f"The camera gives {fps:.1f} pictures a second: quick hands are missed below {_SLOW_FPS:g}."
        )
    for camera in table.cameras:
        remarks += [f"Camera {camera.id}: {doubt}" for doubt in camera.calibration.doubts]
    sights = tuple(best)
    return Admission(table.name, sights, _rules(table, sights), fps, tuple(remarks))


def _sight(
    table: Table, calibrated: TableCamera, camera: Camera, zone: Zone, image: Image | None
) -> SpotSight:
    places = _places(zone)
    seen = camera.in_view(places)
    bets = takes_bets(zone.spot)
    hand = zone.spot.area is Area.HAND
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
        placer.place((float(x), float(y)), spread_mm=_spread(camera, x, y))
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


def _places(zone: Zone) -> Floats:
    """(n, 2): places spread evenly over a zone, its middle first."""
    x0, y0, x1, y1 = zone.polygon.bounds
    step = max(1.0, float(np.sqrt((x1 - x0) * (y1 - y0) / _PLACES)))
    xs, ys = (np.arange(low + step / 2, high, step) for low, high in ((x0, x1), (y0, y1)))
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    kept = grid[shapely.contains_xy(zone.polygon, grid[:, 0], grid[:, 1])]
    return np.concatenate([[zone.centre_mm], kept])


def _spread(camera: Camera, x: float, y: float) -> float:
    error = float(np.sqrt(np.trace(pixel_error(camera, (float(x), float(y)), _FOOT_PX))))
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


def _rules(table: Table, spots: tuple[SpotSight, ...]) -> tuple[RuleSight, ...]:
    profile = table.file.profile
    found = []
    open_rules = frozenset(question.rule for question in game_named(table.game).questions(table.profile, ()))
    for entry in entries(table.game, profile.name, profile.variant):
        status = status_of(entry.row, open_rules)
        if status in (Status.OUT, Status.PERMISSION):
            continue
        why = list(_lacks(frozenset(entry.row.codes), spots))
        if status is Status.CUE:
            why.append("somebody has to tell a cue")
        elif status is Status.SETTING:
            why.append("a setting of the table is missing")
        found.append(RuleSight(entry.row.id, entry.row.rule, not why, "; ".join(why) or None))
    return tuple(found)


def _lacks(codes: frozenset[str], spots: tuple[SpotSight, ...]) -> list[str]:
    """What is missing for rules of these alert codes, and where."""
    bets = [spot for spot in spots if spot.bets]
    hands = [spot for spot in spots if spot.hand]
    checks = (
        (codes, "out of the picture, dark or too small", [s for s in (*bets, *hands) if _hidden(s)]),
        (codes & _FACES, f"cards under {NAMED_PX:g} px", [s for s in hands if s.card_px < NAMED_PX]),
        (codes & _CARDS, f"cards under {FOUND_PX:g} px", [s for s in hands if s.card_px < FOUND_PX]),
        (
            codes & _MONEY,
            f"chips thinner than {COUNTABLE_PX:g} px",
            [s for s in bets if s.thick_px < COUNTABLE_PX],
        ),
        (codes & _LINES, "lines too close to call", [s for s in bets if (s.too_close or 0.0) > _TOO_CLOSE]),
    )
    said = []
    for concerned, what, where in checks:
        if concerned and where:
            names = ", ".join(spot.spot for spot in where[:3]) + (", ..." if len(where) > 3 else "")
            said.append(f"{what} at {len(where)} spot{'' if len(where) == 1 else 's'} ({names})")
    return said


def _hidden(spot: SpotSight) -> bool:
    return spot.seen < 0.5 or spot.light == "dark"


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
    size = own.width_px / 2800
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
