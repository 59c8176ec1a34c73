"""One look at the table: what the detector finds, put on the felt in millimetres, and what readers read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import cv2
import numpy as np

from rules.cards import Face
from rules.spots import Area, Spot
from vision.camera import Camera, Floats
from vision.card_reader import fit, sum_evidence
from vision.chip_set import ChipSet
from vision.chip_stacks import StackReading
from vision.chips import ChipReader
from vision.crew import all_done, parts
from vision.detector import CARDS, Detections, Detector, Kind
from vision.eyes import Look, Place, Shoe
from vision.foot import find_foot, heights, reader_error
from vision.footprint import Footprint
from vision.guessing import stack_about, stack_in, stack_outline
from vision.layout import Layout
from vision.lying import lying_cards
from vision.markers import are_alike, is_button, plain_tint
from vision.photo import CardReading
from vision.piles import each_once
from vision.quads import CARD_SIZE_MM, rectify
from vision.stillness import Picture
from vision.tight_places import stacks_in, tight_places
from vision.tops import find_tops
from vision.tracking import SAME_PLACE_MM, Family, Sight

SMALL_MM_PER_PX = 2.4
"""What a pixel of the small picture shows of the felt, about."""
_SMALL_MOST_PX = 250_000
"""The small picture has no more pixels than this: it is compared in every frame."""
_DETECT_PX_PER_MM, _WHOLE_PX_PER_MM, _LARGE = 0.9, 0.72, 0.4
"""The felt is shown to the detector at this scale, within reason; at the second where a look takes in more
than such a part of the picture, which costs a third less. Of 280 cards and 120 stacks on rendered tables 279
and 117 are found at that, 278 and 118 at the first."""
_LEAST_SCORE = {
    Kind.CARD_FACE: 0.3,
    Kind.CARD_BACK: 0.3,
    Kind.CHIP_STACK: 0.3,
    Kind.HAND: 0.4,
    Kind.SHOE: 0.3,
    Kind.MARKER: 0.4,
}
_SURE_STACK = 0.4
"""A pile that the detector is less sure of, or that the picture's edge cuts, is one if the chip reader sees
chips there, in the clear. Of the unsure on two kinds of rendered tables 9 of 12 true ones were so, and 3 of
13 others."""
_PILES = (Kind.CHIP_STACK, Kind.MARKER)
_TOO_WIDE = 1.9
"""Chips; the boxes round piles are at most 1.5 wide, those round a printed frame with words were 2.2."""
_GOOD_SCORE, _LEAST_FIT, _GOOD_FIT = 0.5, 0.2, 0.45
"""A card must have edges along this part of its sides; along more if the detector is not sure of it."""
_MISSHAPEN, _SOLID = 0.15, 0.8
"""A changed place may be a card's if its sides are a card's less this part or more by twice that (it may have
a neighbour's shadow with it), and it fills so much of them."""
_OPEN, _OPEN_SEEN = 0.2, 0.5
"""A foot that is open by so many diameters is not to be told by edges: they may be the top's. By the second
where the felt before has been seen."""
_SLIVER_MM = 10.0
"""Thinner parts of a changed place are shadows and neighbours' edges."""
_GUESSED, _CLEARLY = 0.5, 0.6
"""Score of a card known by its shape only; how clearly it must read as a face or a back."""
_ONE_MM, _ONE_DEG = 8.0, 20.0
"""Cards that lie no farther apart and are turned alike are one."""
_CERTAIN = 0.7
"""What the detector takes for a card with such a score is one, even if it cannot be read: strange figures."""
_TOGETHER = 4
"""So many stacks are looked at at once; more of them at once take no less time."""
_BACK, _NO_BACK = 0.5, 0.1
"""What reads as a back with so much probability lies face down, with so little face up if it can be read,
whatever the detector took it for. Of 169 backs of unseen packs, cut by their true corners, two read below the
first, one of them below the second but as unreadable; of 631 faces none read over 0.03."""


_Pile = tuple[Kind, Floats, float]
"""A detected pile: its kind, the slanted box (4, 2) round it, and the detector's score."""


@dataclass(slots=True)
class Timing:
    """Seconds spent, and how often."""

    detect_s: float = 0.0
    read_s: float = 0.0
    looks: int = 0
    readings: int = 0


class TableEyes:
    """The networks of one camera over one table: see :class:`vision.watch.Eyes`."""

    def __init__(
        self,
        layout: Layout,
        camera: Camera,
        detector: Detector,
        cards: CardReading,
        chips: ChipReader,
        card_size_mm: tuple[float, float] = CARD_SIZE_MM,
        *,
        tops: bool = False,
    ) -> None:
        """``tops``: say of stacks how high they may be, for another camera to decide."""
        self.layout = layout
        self.camera = camera
        self.chips: ChipSet = chips.chips
        self.timing = Timing()
        self._detector = detector
        self._card_reader = cards
        self._chip_reader = chips
        self._card_size_mm = card_size_mm
        self._tops = tops
        self._tight = tight_places(layout, self.chips.diameter_mm)
        middle = np.mean(np.asarray(layout.felt.exterior.coords)[:-1], axis=0)[None]
        px_per_mm = float(camera.px_per_mm(middle)[0])
        scale = min(
            1.0,
            1 / (SMALL_MM_PER_PX * px_per_mm),
            float(np.sqrt(_SMALL_MOST_PX / (camera.width_px * camera.height_px))),
        )
        shrink = max(1, round(1 / scale))  # whole pixels are averaged: fast, and without ripples
        self.small = camera.resized(camera.width_px // shrink, camera.height_px // shrink)
        self._to_small = np.array(
            [self.small.width_px / camera.width_px, self.small.height_px / camera.height_px]
        )
        self._shape = (self.small.height_px, self.small.width_px)
        self._scale, self.whole_scale = (
            float(np.clip(scale / px_per_mm, 0.4, 2.0)) for scale in (_DETECT_PX_PER_MM, _WHOLE_PX_PER_MM)
        )

    def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
        """Find things in a picture, or in a part of it (x0, y0, x1, y1)."""
        begun = perf_counter()
        x0, y0, x1, y1 = region_px or (0, 0, self.camera.width_px, self.camera.height_px)
        large = (x1 - x0) * (y1 - y0) > _LARGE * self.camera.width_px * self.camera.height_px
        found = self._detector.detect(image, self.whole_scale if large else self._scale, region_px)
        least = np.array([_LEAST_SCORE.get(kind, 1.0) for kind in Kind])
        found = found[found.score >= least[found.kind]]
        self.timing.detect_s += perf_counter() - begun
        self.timing.looks += 1
        begun = perf_counter()
        piles = [
            (Kind(int(kind)), quad, float(score))
            for kind, quad, score in zip(found.kind, found.quad_px, found.score, strict=True)
            if kind in _PILES
        ]
        cards, *stacks = all_done(
            [
                partial(self._cards, image, found.of(*CARDS)),
                *(partial(self._piles, image, some) for some in parts(piles, _TOGETHER)),
            ]
        )
        self.timing.read_s += perf_counter() - begun
        hands = [Footprint.of(quad * self._to_small, self._shape) for quad in found.of(Kind.HAND).quad_px]
        shoes = [
            Shoe(Footprint.of(quad * self._to_small, self._shape), float(score))
            for quad, score in zip(found.of(Kind.SHOE).quad_px, found.of(Kind.SHOE).score, strict=True)
        ]
        standing = each_once([sight for each in stacks for sight in each], self.chips.diameter_mm)
        if large:
            standing += self._overlooked(image, standing)
        sights = [*standing, *cards]
        return Look(tuple(sights), tuple(hands), tuple(shoes))

    def guess(self, image: Picture, part: Footprint) -> Sight | None:
        """A card or a stack, if a changed place has its size and shape and its picture reads as one."""
        return self._guessed_card(image, part) or self._guessed_stack(image, part)

    def _overlooked(self, image: Picture, stacks: Sequence[Sight]) -> list[Sight]:
        """Stacks in places hardly larger than a chip that the detector did not find."""
        known = [stack.at_mm for stack in stacks]
        places = stacks_in(image, self.camera, self._chip_reader, self._tight, known)
        size_mm = self.chips.diameter_mm, 2 * self.chips.height_mm
        return [self._guess_of(at, stack_outline(self.camera, at, *size_mm)) for at in places]

    def _guessed_stack(self, image: Picture, part: Footprint) -> Sight | None:
        found = stack_in(image, self.camera, self._chip_reader, part)
        return None if found is None else self._guess_of(*found)

    def _guess_of(self, at: tuple[float, float], outline: Floats) -> Sight:
        """A stack that stands at a place, mm, with the points (n, 2) whose hull it fills."""
        spot = self.layout.place(at, self.chips.diameter_mm / 2).spot
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        place = Footprint.of(outline * self._to_small, self._shape)
        return Sight(Family.STACK, spot, at, corners, _GUESSED, place)

    def _guessed_card(self, image: Picture, part: Footprint) -> Sight | None:
        middle = np.array([[part.x + part.mask.shape[1] / 2, part.y + part.mask.shape[0] / 2]])
        steps = self.small.felt_point(middle + np.array([[0, 0], [1, 0], [0, 1]]))
        coarse_mm = float(np.hypot(*(steps[1:] - steps[0]).T).max())
        if not np.isfinite(coarse_mm):
            return None
        size = 2 * max(1, round(_SLIVER_MM / 2 / coarse_mm)) + 1
        solid = cv2.morphologyEx(part.mask.view(np.uint8), cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
        ys, xs = np.nonzero(solid)
        if not len(xs) or len(xs) < 0.6 * part.area_px:
            return None
        points = np.stack([xs + part.x + 0.5, ys + part.y + 0.5], axis=1)
        hull = cv2.convexHull(points.astype(np.float32))[:, 0]
        felt = self.small.felt_point(hull)
        if len(felt) < 4 or not np.isfinite(felt).all():
            return None
        rectangle = cv2.minAreaRect(felt.astype(np.float32))
        sides, own = np.sort(rectangle[1]), np.sort(self._card_size_mm)
        short, long = (1 - _MISSHAPEN) * own - coarse_mm, (1 + 2 * _MISSHAPEN) * own + coarse_mm
        if (sides < short).any() or (sides > long).any():
            return None
        quad = self.camera.project(cv2.boxPoints(rectangle).astype(np.float64))
        if len(xs) < _SOLID * Footprint.of(quad * self._to_small, self._shape).area_px:
            return None
        # The drawing's axes run clockwise in the picture, and so do the corners, beginning with a short side.
        if np.hypot(*(quad[1] - quad[0])) > np.hypot(*(quad[2] - quad[1])):
            quad = np.roll(quad, -1, axis=0)
        return self._known_by_shape(image, quad)

    def again(self, image: Picture, sight: Sight) -> Sight | None:
        """What was guessed, seen once more where it was; None if nothing reads as that there."""
        if sight.family is Family.STACK:
            at = stack_about(image, self.camera, self._chip_reader, sight.at_mm)
            return None if at is None else sight
        return self._known_by_shape(image, sight.quad_px)

    def _known_by_shape(self, image: Picture, quad: Floats) -> Sight | None:
        """The card at a place (4, 2) that has a card's size, if its picture reads as one."""
        kind, score = np.array([int(Kind.CARD_FACE)]), np.array([_GUESSED], np.float32)
        sights = self._fitted(image, Detections(kind, quad[None], score))
        if not sights:
            return None
        (sight,) = sights
        (look,) = self.faces(image, sights)
        sight = replace(sight, look=look)
        back, unreadable = float(look[-2]), float(look[-1])
        if max(back, 1 - back - unreadable) < _CLEARLY:
            return None
        return sight if back < 0.5 else replace(sight, face=Face.DOWN)

    def faces(self, image: Picture, sights: Sequence[Sight]) -> list[Floats]:
        """One look at the face of each card: (54,) each."""
        begun = perf_counter()
        looks = self._faces(image, sights)
        self.timing.read_s += perf_counter() - begun
        return looks

    def _faces(self, image: Picture, sights: Sequence[Sight]) -> list[Floats]:
        faces = []
        for sight in sights:
            sides = np.linalg.norm(sight.quad_px - np.roll(sight.quad_px, -1, axis=0), axis=1)
            width, height = max(8, round((sides[0] + sides[2]) / 2)), max(8, round((sides[1] + sides[3]) / 2))
            faces.append(fit(np.asarray(rectify(image, sight.quad_px, (width, height)), np.uint8)))
        looks = self._card_reader.read(np.stack(faces)) if faces else np.zeros((0, 54))
        self.timing.readings += len(faces)
        return [np.asarray(look, np.float64) for look in looks]

    def identify(
        self, looks: Sequence[Floats], cameras: Sequence[int] | None = None
    ) -> tuple[str | None, float]:
        """The card that looks at one face add up to, and its probability. ``cameras``: a number for the
        camera of each look; None: all are of one."""
        identity = sum_evidence(np.asarray(looks, np.float32), cameras=cameras)
        return None if identity.card is None else str(identity.card), identity.p

    def stacks(self, image: Picture, places: Sequence[Place]) -> list[StackReading]:
        """Read the stacks at places, and find where exactly they stand."""
        begun = perf_counter()
        readings = all_done(partial(self._read, image, some) for some in parts(places, _TOGETHER))
        self.timing.read_s += perf_counter() - begun
        self.timing.readings += len(places)
        return [reading for some in readings for reading in some]

    def _read(self, image: Picture, places: Sequence[Place]) -> list[StackReading]:
        read = self._chip_reader.read_all(image, self.camera, [place.at_mm for place in places])
        return [self._stood(image, place, reading) for place, reading in zip(places, read, strict=True)]

    def _stood(self, image: Picture, place: Place, reading: StackReading) -> StackReading:
        """A stack's reading with the foot that its outline has in the picture."""
        open_mm = self.chips.diameter_mm * (_OPEN if place.empty is None else _OPEN_SEEN)
        if (scores := reading.scores) is not None and scores.spread_mm < open_mm:
            foot = find_foot(
                image,
                self.camera,
                reading.at_mm,
                reader_error(self.camera, reading.at_mm, scores.spread_mm),
                self.chips.diameter_mm,
                heights(scores.counts, self.chips.height_mm),
                place.empty,
            )
            size_mm = self.chips.diameter_mm, self.chips.height_mm
            tops = find_tops(image, self.camera, foot.at_mm, *size_mm) if self._tops else None
            reading = replace(reading, at_mm=foot.at_mm, foot=foot.error, tops=tops)
        return reading

    def _cards(self, image: Picture, found: Detections) -> list[Sight]:
        """The detected cards that lie on the felt, as their pictures read."""
        return self._as_read(image, self._fitted(image, found))

    def _fitted(self, image: Picture, found: Detections) -> list[Sight]:
        """The detected cards that have edges in the picture where a card would lie."""
        lying = lying_cards(image, self.camera, found.quad_px, self._card_size_mm)
        least = np.where(found.score >= _GOOD_SCORE, _LEAST_FIT, _GOOD_FIT)
        sights: list[Sight] = []
        for row in np.flatnonzero(lying.fit >= least):
            at = (float(lying.at_mm[row, 0]), float(lying.at_mm[row, 1]))
            if any(_is_one(at, float(lying.rot_deg[row]), other) for other in sights):
                continue  # two boxes round one card
            corners, kind = np.asarray(lying.quad_px[row], np.float64), found.kind[row]
            sights.append(
                Sight(
                    Family.CARD,
                    self._hand_spot(at),
                    at,
                    corners,
                    float(found.score[row]),
                    Footprint.of(corners * self._to_small, self._shape),
                    Face.UP if kind == Kind.CARD_FACE else Face.DOWN,
                    float(lying.rot_deg[row]),
                    float(lying.fit[row]),
                    tint=plain_tint(image, corners) if kind == Kind.CARD_BACK else None,
                )
            )
        return [replace(sight, tint=None) if _has_twin(sight, sights) else sight for sight in sights]

    def _as_read(self, image: Picture, cards: Sequence[Sight]) -> list[Sight]:
        """Cards with the side up that their pictures read as, where that is clear; what was found beside the
        hands, not surely, and reads as no card at all is left out: much there is none."""
        sights = []
        for sight, look in zip(cards, self._faces(image, cards), strict=True):
            back, unreadable = float(look[-2]), float(look[-1])
            beside = sight.spot.area in (Area.TABLE, Area.BET)
            if beside and sight.score < _CERTAIN and unreadable >= 1 - _CLEARLY:
                continue
            if sight.face is Face.UP and back > _BACK:
                sight = replace(sight, face=Face.DOWN)
            elif sight.face is Face.DOWN and back < _NO_BACK and unreadable < _BACK:
                sight = replace(sight, face=Face.UP, tint=None)
            sights.append(replace(sight, look=look))
        return sights

    def _piles(self, image: Picture, piles: Sequence[_Pile]) -> list[Sight]:
        """Of detected piles those that stand on the felt and are of chips."""
        boxes = [_box_of_pile(quad) for _, quad, _ in piles]
        places = self._chip_reader.locate_all(image, self.camera, boxes)
        sights = []
        for (kind, quad, score), place in zip(piles, places, strict=True):
            at = place
            doubtful = score < _SURE_STACK or self._is_cut(quad)
            if at is not None and kind is Kind.CHIP_STACK and doubtful:
                at = stack_about(image, self.camera, self._chip_reader, at)
            if at is None:
                continue
            spot = self.layout.place(at, self.chips.diameter_mm / 2).spot
            if kind is Kind.MARKER and not is_button(spot):
                continue
            corners = np.asarray(quad, np.float64)
            if self._is_too_wide(corners, at):
                continue
            footprint = Footprint.of(corners * self._to_small, self._shape)
            sights.append(Sight(Family.STACK, spot, at, corners, score, footprint))
        return sights

    def _is_cut(self, quad_px: Floats) -> bool:
        """Whether the picture's edge cuts a thing."""
        low, high = quad_px.min(axis=0), quad_px.max(axis=0)
        return bool((low < 1).any() or (high > (self.camera.width_px - 1, self.camera.height_px - 1)).any())

    def _is_too_wide(self, corners: Floats, at_mm: tuple[float, float]) -> bool:
        """Whether what was taken for a pile is much wider than a chip there: it is print on the felt."""
        width = float(np.linalg.norm(np.diff(corners[:3], axis=0), axis=1).min())
        widest = float(np.linalg.norm(self.camera.felt_slopes(np.array([at_mm]))[0], ord=2))
        return width > _TOO_WIDE * widest * self.chips.diameter_mm

    def _hand_spot(self, at_mm: tuple[float, float]) -> Spot:
        """The spot of a card: a hand's that it lies in or, by less than half its width, beside."""
        spot = self.layout.spot_at(at_mm)
        if spot.area in (Area.HAND, Area.SHOE, Area.DISCARD, Area.BURN, Area.COMMUNITY, Area.FLOAT):
            return spot
        around = 0.5 * self._card_size_mm[0] * np.array([[-1, 0], [1, 0], [0, -1], [0, 1]])
        near = [self.layout.spot_at((at_mm[0] + float(dx), at_mm[1] + float(dy))) for dx, dy in around]
        return next((other for other in near if other.area is Area.HAND), spot)


def _is_one(at_mm: tuple[float, float], rot_deg: float, other: Sight) -> bool:
    """Whether a card at a place, turned so, is one that was found already."""
    turned = abs((rot_deg - other.angle_deg + 90) % 180 - 90)
    return math.dist(at_mm, other.at_mm) < _ONE_MM and turned < _ONE_DEG


def _has_twin(sight: Sight, others: Sequence[Sight]) -> bool:
    """Whether another thing has the one colour that a thing has: there is but one cut card."""
    return sight.tint is not None and any(
        other.tint is not None
        and are_alike(sight.tint, other.tint)
        and math.dist(sight.at_mm, other.at_mm) > SAME_PLACE_MM["card"]
        for other in others
    )


def _box_of_pile(quad: Floats) -> tuple[float, float, float, float]:
    """The upright box round a pile from the slanted box round it: a pile is round at both ends."""
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    long = int(lengths[:2].argmax())
    width = float(lengths[1 - long])
    along = np.abs(sides[long]) / max(float(lengths[long]), 1e-6)
    half = width / 2 + along * (float(lengths[long]) - width) / 2
    x, y = quad.mean(axis=0)
    return float(x - half[0]), float(y - half[1]), float(x + half[0]), float(y + half[1])
