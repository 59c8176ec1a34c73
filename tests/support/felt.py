"""A small table drawn in code, with cards, chips and arms that follow a script, and eyes that know the truth.

The pictures have noise, flicker and soft light, as a camera's do; the eyes report what lies there and is not
covered, so that a test tries the watching, not the networks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from rules.cards import PACK, Card, Face
from rules.events import Event
from vision.camera import Camera, Floats
from vision.chip_set import ChipColour, ChipSet
from vision.chip_stacks import COUNTABLE_PX, StackReading, StackScores, decide
from vision.eyes import Look, Place
from vision.footprint import Footprint
from vision.layout import Layout
from vision.several import SeveralWatcher
from vision.source import Frame
from vision.stillness import Picture
from vision.tracking import Family, Sight
from vision.watch import TableWatcher

SIZE_PX = (640, 400)
CARD_MM = (63.0, 88.0)
CHIPS = ChipSet(
    39.5,
    3.3,
    (ChipColour(1, "white"), ChipColour(5, "red"), ChipColour(25, "green"), ChipColour(100, "black")),
)
_PAINT = {1: (225, 225, 225), 5: (40, 40, 190), 25: (60, 140, 40), 100: (30, 30, 30)}
_FELT, _INK = (70, 90, 30), (190, 215, 220)
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="900mm" height="560mm" viewBox="0 0 900 560">
<rect id="felt" x="0" y="0" width="900" height="560" data-felt="felt"/>
<rect id="p1" x="120" y="400" width="120" height="90" data-spot="seat 1 punto" data-half-line="outline"/>
<rect id="b1" x="120" y="290" width="120" height="90" data-spot="seat 1 banca" data-half-line="outline"/>
<rect id="p2" x="620" y="400" width="120" height="90" data-spot="seat 2 punto" data-half-line="outline"/>
<rect id="b2" x="620" y="290" width="120" height="90" data-spot="seat 2 banca" data-half-line="outline"/>
<rect id="hp" x="170" y="100" width="250" height="126" data-spot="hand punto"/>
<rect id="hb" x="440" y="100" width="250" height="126" data-spot="hand banca"/>
<rect id="shoe" x="760" y="20" width="120" height="110" data-spot="shoe"/>
<rect id="discard" x="20" y="20" width="120" height="110" data-spot="discard"/>
</svg>"""


@dataclass(frozen=True, slots=True)
class CardAt:
    """A card that lies at a place from ``t`` until ``until``."""

    card: str
    at_mm: tuple[float, float]
    t: float
    until: float = 1e9
    face: Face = Face.UP
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class StackAt:
    """A stack that stands at a place from ``t`` until ``until``; bottom to top."""

    chips: tuple[int, ...]
    at_mm: tuple[float, float]
    t: float
    until: float = 1e9


@dataclass(frozen=True, slots=True)
class Reach:
    """An arm that comes in at ``way_in_mm``, has its fingers at ``to_mm`` from ``t`` to ``until``, and goes.
    It takes ``move_s`` to come and to go."""

    way_in_mm: tuple[float, float]
    to_mm: tuple[float, float]
    t: float
    until: float
    move_s: float = 0.5
    sleeve: tuple[int, int, int] = (120, 60, 40)
    skin: tuple[int, int, int] = (120, 150, 205)

    def tip_mm(self, t: float) -> Floats | None:
        """(2,): where the fingers are, None while the arm is away."""
        if not self.t - self.move_s < t < self.until + self.move_s:
            return None
        inside = min(
            1.0, (t - self.t + self.move_s) / self.move_s, (self.until + self.move_s - t) / self.move_s
        )
        way_in, to = np.array(self.way_in_mm), np.array(self.to_mm)
        return np.asarray(way_in + (to - way_in) * inside)


def dealer(to_mm: tuple[float, float], t: float, until: float, move_s: float = 0.5) -> Reach:
    """The dealer's arm, from the small y."""
    return Reach((to_mm[0] + 60, -80), to_mm, t, until, move_s)


def player(to_mm: tuple[float, float], t: float, until: float) -> Reach:
    """A player's arm, from the large y."""
    return Reach((to_mm[0] + 20, 680), to_mm, t, until)


@dataclass(slots=True)
class Felt:
    """The script: what lies where, when, and whose arm is over it. ``light``: brightness at a time."""

    cards: Sequence[CardAt] = ()
    stacks: Sequence[StackAt] = ()
    arms: Sequence[Reach] = ()
    noise: float = 3.0
    drift_per_s: float = 0.0
    seed: int = 1
    _grain: np.ndarray[tuple[int, ...], np.dtype[np.int16]] | None = None
    camera: Camera = field(
        default_factory=lambda: Camera.looking_at(
            (450, 280), distance_mm=1500, tilt_deg=18, focal_px=950, size_px=SIZE_PX
        )
    )
    layout: Layout = field(default_factory=lambda: Layout.parse(DRAWING, "test table"))

    def picture(self, t: float) -> Picture:
        """The table at a time, (H, W, 3) BGR."""
        image = np.full((SIZE_PX[1], SIZE_PX[0], 3), (25, 20, 30), np.uint8)
        self._fill(image, np.asarray(self.layout.felt.exterior.coords)[:-1], _FELT)
        for zone in self.layout.zones:
            cv2.polylines(image, [self._points(zone.corners_mm)], True, _INK, 1, cv2.LINE_AA)
        for card in self.cards:
            if card.t <= t < card.until:
                self._draw_card(image, card)
        for stack in self.stacks:
            if stack.t <= t < stack.until:
                self._draw_stack(image, stack)
        for arm in self.arms:
            if (tip := arm.tip_mm(t)) is not None:
                self._draw_arm(image, arm, tip)
        gain = 1 + 0.015 * np.sin(t * 37) + self.drift_per_s * t
        lit = cv2.LUT(
            cv2.GaussianBlur(image, (3, 3), 0.6), np.clip(np.arange(256) * gain, 0, 255).astype(np.uint8)
        )
        if self._grain is None:
            normal = np.random.default_rng(self.seed).normal(0, self.noise, (2, *image.shape))
            self._grain = np.round(normal).astype(np.int16)
        shift = np.random.default_rng((self.seed, round(t * 1000))).integers(0, 300, 2)
        grain = np.roll(self._grain[int(shift[0]) % 2], tuple(shift), axis=(0, 1))
        return np.asarray(cv2.add(lit, grain, dtype=cv2.CV_8U), np.uint8)

    def covered(self, at_mm: tuple[float, float], t: float) -> bool:
        """Whether an arm lies over a place."""
        for arm in self.arms:
            tip = arm.tip_mm(t)
            if tip is not None:
                way = np.array(arm.way_in_mm) - tip
                along = float(np.clip((np.array(at_mm) - tip) @ way / (way @ way), 0, 1))
                if np.hypot(*(tip + along * way - at_mm)) < 45:
                    return True
        return False

    def _points(self, points_mm: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
        return np.round(self.camera.project(points_mm) - 0.5).astype(np.int32)

    def _fill(self, image: Picture, points_mm: Floats, colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(image, [self._points(points_mm)], colour, cv2.LINE_AA)

    def _draw_card(self, image: Picture, card: CardAt) -> None:
        corners = card_corners(card)
        up = card.face is Face.UP
        self._fill(image, corners, (240, 240, 240) if up else (150, 60, 60))
        middle = corners.mean(axis=0)
        if up:
            number = [str(each) for each in PACK].index(card.card)
            for k in range(number % 7 + 3):
                spot = middle + (corners[(k % 4)] - middle) * (0.25 + 0.09 * (k // 4))
                self._disc(image, spot, 6.0, 0.0, (30, 30, 200) if number % 2 else (30, 30, 30))
        else:
            self._fill(image, middle + (corners - middle) * 0.75, (190, 110, 110))

    def _draw_stack(self, image: Picture, stack: StackAt) -> None:
        for level, chip in enumerate(stack.chips):
            self._disc(image, np.array(stack.at_mm), 19.75, 3.3 * (level + 1), _PAINT[chip])
        self._disc(image, np.array(stack.at_mm), 9.0, 3.3 * len(stack.chips), (200, 200, 200))

    def _disc(
        self, image: Picture, at_mm: Floats, radius_mm: float, height_mm: float, colour: tuple[int, int, int]
    ) -> None:
        angle = np.arange(24) * np.pi / 12
        ring = at_mm + radius_mm * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        self._fill(image, np.concatenate([ring, np.full((24, 1), height_mm)], axis=1), colour)

    def _draw_arm(self, image: Picture, arm: Reach, tip: Floats) -> None:
        way = np.array(arm.way_in_mm) - tip
        way /= max(1e-6, float(np.hypot(*way)))
        side = np.array([-way[1], way[0]])
        wrist = tip + 95 * way
        self._fill(
            image,
            np.stack(
                [
                    wrist - 42 * side,
                    wrist + 42 * side,
                    wrist + 900 * way + 50 * side,
                    wrist + 900 * way - 50 * side,
                ]
            ),
            arm.sleeve,
        )
        self._fill(
            image,
            np.stack(
                [tip - 15 * side, tip + 15 * side, wrist + 38 * side + 10 * way, wrist - 38 * side + 10 * way]
            ),
            arm.skin,
        )


def card_corners(card: CardAt) -> Floats:
    """(4, 2): a card's corners, mm, clockwise from its top left."""
    angle = np.deg2rad(card.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.array(CARD_MM) / 2
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T + card.at_mm)


@dataclass(slots=True)
class TrueEyes:
    """Eyes that see what the script says, at the time of the picture that they are given."""

    felt: Felt
    t: float = 0.0
    looks: int = 0
    knows_backs: bool = True

    @property
    def camera(self) -> Camera:
        """Of the full picture."""
        return self.felt.camera

    @property
    def small(self) -> Camera:
        """Of the small picture."""
        return self.felt.camera.resized(SIZE_PX[0] // 2, SIZE_PX[1] // 2)

    @property
    def layout(self) -> Layout:
        """The table's."""
        return self.felt.layout

    @property
    def chips(self) -> ChipSet:
        """The house's."""
        return CHIPS

    def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
        """What lies in the region and is not under an arm."""
        self.looks += 1
        x0, y0, x1, y1 = region_px or (0, 0, image.shape[1], image.shape[0])
        shape = (image.shape[0] // 2, image.shape[1] // 2)
        sights = []
        for card in self.felt.cards:
            known = self.knows_backs or card.face is Face.UP
            if known and card.t <= self.t < card.until and not self.felt.covered(card.at_mm, self.t):
                quad = self.camera.project(card_corners(card))
                sights.append(
                    Sight(
                        Family.CARD,
                        self.layout.spot_at(card.at_mm),
                        card.at_mm,
                        quad,
                        0.9,
                        Footprint.of(quad / 2, shape),
                        card.face,
                        card.angle_deg,
                    )
                )
        for stack in self.felt.stacks:
            if stack.t <= self.t < stack.until and not self.felt.covered(stack.at_mm, self.t):
                angle = np.arange(16) * np.pi / 8
                ring = stack.at_mm + 19.75 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
                top = np.concatenate([ring, np.full((16, 1), 3.3 * len(stack.chips))], axis=1)
                hull = self.camera.project(np.concatenate([np.c_[ring, np.zeros(16)], top]))
                spot = self.layout.place(stack.at_mm, 19.75).spot
                sights.append(
                    Sight(Family.STACK, spot, stack.at_mm, hull, 0.9, Footprint.of(hull / 2, shape))
                )
        middles = [sight.quad_px.mean(axis=0) for sight in sights]
        seen = [s for s, m in zip(sights, middles, strict=True) if x0 <= m[0] < x1 and y0 <= m[1] < y1]
        return Look(tuple(seen), ())

    def guess(self, image: Picture, part: Footprint) -> Sight | None:
        """Nothing: these eyes miss nothing."""
        del image, part
        return None

    def again(self, image: Picture, sight: Sight) -> Sight | None:
        """Nothing either."""
        del image, sight
        return None

    def faces(self, image: Picture, sights: Sequence[Sight]) -> list[Floats]:
        """Nearly sure of each face."""
        del image
        looks = []
        for sight in sights:
            look = np.full(54, 1e-3)
            for card in self.felt.cards:
                if card.at_mm == sight.at_mm and card.t <= self.t < card.until and card.face is Face.UP:
                    look[PACK.index(Card.parse(card.card))] = 0.95
            looks.append(look / look.sum())
        return looks

    def identify(
        self, looks: Sequence[Floats], cameras: Sequence[int] | None = None
    ) -> tuple[str | None, float]:
        """The card with the largest product."""
        del cameras
        score = np.log(np.array(looks)).sum(axis=0)
        p = np.exp(score - score.max())
        best = int(p.argmax())
        return (str(PACK[best]) if best < 52 else None), float(p[best] / p.sum())

    def stacks(self, image: Picture, places: Sequence[Place]) -> list[StackReading]:
        """The stacks exactly."""
        return [self.stack(image, place.at_mm, place.empty) for place in places]

    def stack(self, image: Picture, at_mm: tuple[float, float], empty: Picture | None = None) -> StackReading:
        """The stack exactly."""
        del image, empty
        for stack in self.felt.stacks:
            if stack.at_mm == at_mm and stack.t <= self.t < stack.until:
                counts, chips = np.full(29, -12.0), np.full((29, len(CHIPS.values)), -12.0)
                counts[len(stack.chips)] = -1e-4
                for level, chip in enumerate(stack.chips):
                    chips[level, CHIPS.values.index(chip)] = -1e-4
                scores = StackScores(
                    counts, chips, chips[len(stack.chips) - 1], 1.0, 2.0, 1.0, np.zeros((29, 3))
                )
                return StackReading(at_mm, len(stack.chips), stack.chips, stack.chips[-1], None, 0.99, scores)
        return StackReading(at_mm, None, None, None, "nothing is there", 0.0)


@dataclass(slots=True)
class SideEyes(TrueEyes):
    """True eyes that count a stack only where its chips look thick enough, as the reader does."""

    def stack(self, image: Picture, at_mm: tuple[float, float], empty: Picture | None = None) -> StackReading:
        """The stack as far as its side is seen."""
        reading = TrueEyes.stack(self, image, at_mm, empty)
        thick_px = float(self.camera.chip_thickness_px(np.array([at_mm]), CHIPS.height_mm)[0])
        if reading.scores is None or thick_px >= COUNTABLE_PX:
            return reading
        scores = replace(reading.scores, counts=None, chips=None, lab=None, thickness_px=thick_px)
        return decide(CHIPS, at_mm, scores)


@dataclass(frozen=True, slots=True)
class Shot:
    """One camera over a script. ``times``: of its pictures, on the table's clock; ``dark``: it sees nothing
    between two times; ``frozen``: it repeats its picture between two times; ``phantom``: a stack that it
    shows, though there is none."""

    camera: Camera
    times: Sequence[float]
    dark: tuple[float, float] = (math.inf, math.inf)
    frozen: tuple[float, float] = (math.inf, math.inf)
    phantom: StackAt | None = None


def watch_several(felt: Felt, shots: Mapping[str, Shot]) -> list[Event]:
    """Watch a script through several cameras; the events."""
    felts = {
        name: Felt(
            felt.cards, felt.stacks, felt.arms, felt.noise, felt.drift_per_s, number + 1, camera=shot.camera
        )
        for number, (name, shot) in enumerate(shots.items())
    }
    eyes = {name: SideEyes(own) for name, own in felts.items()}
    watcher = SeveralWatcher(eyes, {}, CARD_MM)
    events: list[Event] = []
    frames = sorted((t, name) for name, shot in shots.items() for t in shot.times)
    last = {name: max(shot.times) for name, shot in shots.items()}
    end = max(last.values())
    shown: dict[str, Picture] = {}
    for t, name in frames:
        shot = shots[name]
        eyes[name].t = t
        if not shot.frozen[0] <= t < shot.frozen[1]:
            dark = shot.dark[0] <= t < shot.dark[1]
            shown[name] = np.zeros_like(shown[name]) if dark else felts[name].picture(t)
        events += watcher.frame(name, Frame(t, 0, shown[name]))
        if t == last[name] and t < end - 0.5:
            events += watcher.ended(name)
    return events + watcher.finish()


def watch(
    felt: Felt, times: Sequence[float], *, knows_backs: bool = True, eyes: TrueEyes | None = None
) -> tuple[list[Event], TrueEyes]:
    """Watch a script at the given times; the events, and the eyes (for how often they looked).

    ``knows_backs``: whether the eyes recognise a card that lies face down. ``eyes``: others than those that
    see everything.
    """
    eyes = TrueEyes(felt, knows_backs=knows_backs) if eyes is None else eyes
    watcher = TableWatcher(eyes, "test camera")
    events: list[Event] = []
    for index, t in enumerate(times):
        eyes.t = t
        events += watcher.frame(Frame(t, index, felt.picture(t)))
    return events + watcher.finish(), eyes
