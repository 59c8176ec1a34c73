"""From the frames of one calibrated, fixed camera to table events.

A still table costs almost nothing: each frame is compared with the settled picture
(:mod:`vision.stillness`), and only a place that changed, is still again and is not under a hand is looked at
with the networks. What a look finds is compared with what lay there (:mod:`vision.tracking`), and what that
means is told as events with the moment at which it happened (:mod:`vision.card_events`,
:mod:`vision.chip_events`, :mod:`vision.contacts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.events import Event, Hand, Realignment
from rules.spots import SHOE, Area, Spot
from vision.bare import BareTable, EmptyFelt
from vision.camera import Floats
from vision.card_events import CardEvents
from vision.card_reader import few
from vision.chip_events import ChipEvents
from vision.concluding import SETTLE_S, Concluding
from vision.contacts import ASIDE, Contacts, aside, outline_px
from vision.eyes import Eyes, Place, Shoe
from vision.footprint import Footprint, Mask
from vision.hands import ArmFinder, Arms, Sides
from vision.hidden import HiddenPlaces
from vision.noticing import Box, Noticer
from vision.outlet import CardTelling, ChipTelling, Outlet
from vision.placing import Placer
from vision.position import CameraError
from vision.shoes import Shoes
from vision.source import Frame
from vision.steady import Steady
from vision.stillness import Picture, Stillness
from vision.telling import Teller
from vision.touched import Touched
from vision.tracking import Change, Family, Scene, Sight, Thing, Tracks
from vision.viewcheck import EVERY_S, Lost

STEP_S = 0.075
"""Frames that follow faster than this are passed over."""
_LOOK_EVERY_S = 0.2
_READ_EVERY_S = 0.14
_FIRST_LOOKS = 3
_NEEDED = 2
"""Looks that must agree on a conclusion."""
_LEARN_BARE_S = 2.0


@dataclass(frozen=True, slots=True)
class PlaceState:
    """What a camera can say of a place on the felt at present. ``hidden``: nothing; else the shares of it
    that ``changed`` since a moment, that ``differ`` from what was last understood, and that look like the
    ``bare`` table."""

    hidden: bool
    changed: float = 0.0
    differs: float = 0.0
    bare: float = 0.0


class TableWatcher:
    """Watches one camera. Give it every frame; it gives the events that have become certain."""

    def __init__(
        self,
        eyes: Eyes,
        camera_name: str = "camera 1",
        error: CameraError | None = None,
        outlet: Outlet | None = None,
    ) -> None:
        """``error``: what the camera's calibration leaves open, None: not known. ``outlet``: who takes its
        conclusions in, where it is one of several cameras."""
        self._eyes = eyes
        small = eyes.small
        self._shape = (small.height_px, small.width_px)
        self._size = (small.width_px, small.height_px)
        self._factor = eyes.camera.width_px / small.width_px
        middle = np.mean(np.asarray(eyes.layout.felt.exterior.coords)[:-1], axis=0)[None]
        self._px_per_mm = float(small.px_per_mm(middle)[0])
        self._still = Stillness()
        self._finder = ArmFinder(small, Sides.of(eyes.layout))
        self._bare = BareTable(self._shape)
        self._empty = EmptyFelt(self._shape, self._px_per_mm)
        self._tracks = Tracks()
        self._teller = Teller(camera_name) if outlet is None else outlet.teller
        chips = eyes.chips
        placer = Placer(eyes.layout, eyes.camera, chips.diameter_mm / 2, chips.height_mm, error)
        self._alone = outlet is None
        self._cards: CardTelling
        self._chips: ChipTelling
        if outlet is None:
            self._cards = CardEvents(self._teller, eyes.identify, self.shoe_visit, few)
            self._chips = ChipEvents(self._teller, eyes.layout, chips, placer)
        else:
            self._cards, self._chips = outlet.cards, outlet.chips
        self._contacts = Contacts(eyes.layout, small, self._teller, self._cards, self._chips)
        self._start: float | None = None
        self._seen_t = -np.inf
        self._image: Picture | None = None
        self._first_looks = 0
        self._looked_t = self._learned_t = -np.inf
        self._noticer = Noticer(self._still, self._shape, self._px_per_mm)
        self._noticer.aside = aside(small, eyes.layout)
        self._concluding = Concluding(
            eyes, self._still, self._finder, self._noticer, self._cards, self._chips, self._px_per_mm
        )
        self._steady = Steady(eyes.camera, eyes.layout, self._teller)
        self._hidden = HiddenPlaces(eyes.camera, eyes.layout)
        self._shoes: list[Shoe] = []
        self._going_round = Shoes(small, eyes.layout)
        self._guesses: list[Sight] = []
        self._touched = Touched()
        self._read_t: dict[int, float] = {}
        self._resting = np.zeros(self._shape, np.bool_)
        self._arms: Arms | None = None
        self._sure: Callable[[], bool] = lambda: True

    def frame(self, frame: Frame) -> list[Event]:
        """Take the next frame; gives what became certain. Raises ValueError for one of another size."""
        t = frame.t
        if (frame.width_px, frame.height_px) != (self._eyes.camera.width_px, self._eyes.camera.height_px):
            raise ValueError(
                f"the picture has {frame.width_px} x {frame.height_px} pixels, the camera was calibrated for "
                f"{self._eyes.camera.width_px} x {self._eyes.camera.height_px}"
            )
        if self._start is None:
            self._start = self._concluding.start = t
            if frame.utc is not None:
                self._teller.start_utc = datetime.fromisoformat(frame.utc) - timedelta(seconds=t)
        else:
            self._steady.resumed(self._seen_t, t)
        if t - self._seen_t < STEP_S:
            return self._teller.take()
        self._teller.t_picture = t
        image = self._steady.picture(frame)
        self._seen_t = t
        if image is not None:
            self._watch(t, frame, image)
        else:
            self._still.forget(t - EVERY_S)
        self._cards.passed(t)
        self._chips.passed(t)
        return self._teller.take()

    def no_signal(self) -> list[Event]:
        """The camera sends nothing at present; gives what became certain."""
        if self._start is not None:
            self._steady.no_signal(self._seen_t)
        return self._teller.take()

    def _watch(self, t: float, frame: Frame, image: Picture) -> None:
        """Look at a picture, as the calibrated camera shows it."""
        self._image = image
        small = cv2.resize(image, self._size, interpolation=cv2.INTER_AREA)
        self._still.update(t, np.asarray(small, np.uint8))
        arms = self._finder.find(t, self._still.foreground, self._still.still)
        self._arms = arms
        self._contacts.update(arms, self._noticer.obstacle, self._tracks.things)
        self._resting &= self._still.changed_at <= self._looked_t
        self._sure = lambda: self._steady.sure(frame)
        if self._start is not None and t - self._start >= SETTLE_S:
            if self._first_looks < _FIRST_LOOKS:
                self._first_look(t, image, arms)
            else:
                self._look_where_changed(t, image, arms, _NEEDED)
                self._learn_bare(t, image)
        self._read(t, image, arms)
        if self._first_looks == _FIRST_LOOKS and self._hidden.due(t):
            self._look_for_hidden(t, image, arms)

    def finish(self) -> list[Event]:
        """The recording ends: conclude from what has been seen."""
        self._sure = lambda: True
        if self._image is not None and not self._steady.suspect:
            t = self._seen_t
            arms = self._finder.find(t, self._still.foreground, self._still.still)
            self._noticer.hurry()
            self._looked_t = -np.inf
            if self._first_looks < _FIRST_LOOKS:
                self._first_looks = _FIRST_LOOKS
                self._conclude(t, self._image, [(0, 0, *self._size)], arms, [], 1, True)
            else:
                self._look_where_changed(t, self._image, arms, 1)
            self._read_t.clear()
            self._read(t, self._image, arms)
            self._look_for_hidden(t, self._image, arms, last=True)
        self._cards.finish()
        self._chips.finish()
        self._contacts.finish()
        return self._teller.take()

    @property
    def lost(self) -> Lost | None:
        """Since when and why the view is lost at present, None if it is not."""
        return self._steady.lost

    @property
    def realigned(self) -> Realignment | None:
        """Where the camera was moved to, if it was and is followed."""
        return self._steady.realigned

    @property
    def covered(self) -> frozenset[Spot]:
        """The spots that arms and the like lie over at present, or that are hidden for long."""
        return frozenset(self._contacts.covered) | self._hidden.now

    @property
    def sees_shoe(self) -> bool:
        """Whether it knows where the shoe stands."""
        return SHOE in self._contacts.zones

    def hand_at(self, outline_mm: Floats, t_from: float, t_to: float) -> Hand | None:
        """Whose hand was at a place, an outline (n, 2) on the felt, between two times."""
        return self._concluding.who(
            Footprint.of(outline_px(self._eyes.small, outline_mm), self._shape), t_from, t_to
        )

    def state_of(self, outline_mm: Floats, since: float, *, under_things: bool = False) -> PlaceState:
        """What can be said at present of a place, an outline (n, 2) on the felt. Things known there hide it,
        but for ``under_things``."""
        place = Footprint.of(outline_px(self._eyes.small, outline_mm), self._shape)
        if self._arms is None or self._steady.suspect or not place.area_px:
            return PlaceState(hidden=True)
        over = self._arms.mask | self._noticer.aside | self._noticer.obstacle | self._resting
        if not under_things:
            over = over | self._tracks.under(self._shape)
        if place.share(over) > 0.2 or place.share(self._still.still) < 0.8:
            return PlaceState(hidden=True)
        bare = self._bare.seen(self._still.picture, place.box, self._still.threshold)
        return PlaceState(
            hidden=False,
            changed=place.share(self._still.changed_at > since),
            differs=place.share(self._still.foreground),
            bare=place.share(bare),
        )

    def _first_look(self, t: float, image: Picture, arms: Arms) -> None:
        """What lies there when the recording begins."""
        if t - self._looked_t < _LOOK_EVERY_S or not self._sure():
            return
        self._first_looks += 1
        self._conclude(t, image, [(0, 0, *self._size)], arms, [], _NEEDED, True)
        if self._first_looks == _FIRST_LOOKS:
            self._find_shoe()

    def _find_shoe(self) -> None:
        """Where the shoe stands, if the layout does not say: where the detector saw one best."""
        if SHOE in self._contacts.zones or not self._shoes:
            return
        shoe = max(self._shoes, key=lambda shoe: shoe.score)
        self._shoes.clear()
        self._contacts.zones[SHOE] = shoe.footprint
        shoe.footprint.mark(self._noticer.aside)

    def _shoe_came(self, spot: Spot, shoe: Shoe, t: float) -> None:
        """The shoe stands at a player's place from now on."""
        self._contacts.zones[SHOE] = shoe.footprint
        shoe.footprint.mark(self._noticer.aside)
        if self._alone:
            self._teller.shoe(t, spot, shoe.score)

    def _look_where_changed(self, t: float, image: Picture, arms: Arms, needed: int) -> None:
        due = self._noticer.due(t, arms.mask, hurry=needed < _NEEDED)
        things = self._tracks.things
        self._touched.update(things, arms.mask)
        if t - self._looked_t < _LOOK_EVERY_S:
            return
        again = self._touched.due(things, arms.mask | self._resting, self._still.still)
        if (due or again) and self._sure():
            boxes = self._noticer.regions([*due, *(thing.sight.footprint for thing in again)])
            self._touched.looked(again)
            touched = frozenset(thing.number for thing in again)
            self._conclude(t, image, boxes, arms, due, needed, False, touched)

    def _conclude(
        self,
        t: float,
        image: Picture,
        boxes: Sequence[Box],
        arms: Arms,
        due: Sequence[Footprint],
        needed: int,
        everything: bool,
        touched: frozenset[int] = frozenset(),
    ) -> None:
        """Look at some boxes, draw conclusions, tell them, and settle what is understood."""
        self._looked_t = t
        shoes: list[Shoe] = []
        looked = np.zeros(self._shape, np.bool_)
        bare = np.zeros(self._shape, np.bool_)
        self._resting = np.zeros(self._shape, np.bool_)
        found = np.zeros(self._shape, np.bool_)
        sights: list[Sight] = []
        for box in boxes:
            x0, y0, x1, y1 = (round(value * self._factor) for value in box)
            look = self._eyes.look(image, (x0, y0, x1, y1))
            looked[box[1] : box[3], box[0] : box[2]] = True
            bare |= self._bare.seen(self._still.picture, box, self._still.threshold)
            sights += look.sights
            shoes += look.shoes
            for hand in look.hands:
                hand.grown(2).mark(self._resting)
            for footprint in (*look.hands, *(sight.footprint for sight in look.sights)):
                footprint.mark(found)
        if everything:
            self._shoes += shoes
        if (moved := self._going_round.see(shoes)) is not None:
            self._shoe_came(*moved, self._start if everything and self._start is not None else t)
        sights += self._guessed(image, due, found | bare, looked)
        sights = [sight for sight in sights if sight.spot.area not in ASIDE and not self._is_aside(sight)]
        visible = self._still.still & ~self._resting & looked
        scene = Scene(
            looked, visible, self._still.foreground, bare, self._bare.known, arms.mask, everything, touched
        )
        former = self._still.settled
        conclusions = self._tracks.see(sights, scene, needed)
        known, concluded = np.zeros(self._shape, np.bool_), np.zeros(self._shape, np.bool_)
        for seen in conclusions:
            if seen.change is not Change.STAYED:
                self._read_t[seen.thing.number] = t
                self._concluding.told(seen, t, image, former, everything)
                if seen.change is Change.WENT:
                    del self._read_t[seen.thing.number]
            for sight in (seen.before, seen.sight):
                if sight is not None:
                    sight.footprint.mark(known)
                    if seen.change is not Change.STAYED:
                        sight.footprint.mark(concluded)
        self._noticer.looked(
            t,
            due,
            known,
            concluded=concluded,
            bare=bare,
            resting=self._resting,
            attached=arms.mask,
            undecided=self._tracks.undecided,
        )

    def _look_for_hidden(self, t: float, image: Picture, arms: Arms, *, last: bool = False) -> None:
        """Tell of hands' places that something hides for long; of several cameras another may see them."""
        explained = arms.mask | self._noticer.obstacle | self._resting | self._tracks.under(self._shape)
        changes = self._hidden.look(t, image, explained, last=last)
        if self._alone:
            self._hidden.tell(self._teller, changes)

    def _is_aside(self, sight: Sight) -> bool:
        return sight.footprint.share(self._noticer.aside) > 0.5

    def _guessed(self, image: Picture, due: Sequence[Footprint], found: Mask, looked: Mask) -> list[Sight]:
        """Things that the detector does not know, by their shape: where it found nothing before either.

        Of a thing that was guessed in the last look less may differ from the felt this time: its shape has
        been seen, so it is looked for where it was.
        """
        new = [part for part in due if self._noticer.looked_before(part) and part.share(found) < 0.2]
        fresh = [guess for part in new if (guess := self._eyes.guess(image, part)) is not None]
        taken = found.copy()
        for guess in fresh:
            guess.footprint.mark(taken)
        for guess in self._guesses:
            if guess.footprint.share(looked) < 0.9:
                continue
            again = self._eyes.again(image, guess) if guess.footprint.share(taken) < 0.2 else None
            fresh += [] if again is None else [again]
        self._guesses = fresh
        return self._guesses

    def shoe_visit(self, t_from: float, t_to: float) -> float | None:
        """When a hand was last at the shoe between two times, as this camera saw it; None if none was."""
        places = [zone for spot, zone in self._contacts.zones.items() if spot.area is Area.SHOE]
        times = [self._finder.left_at(zone.whole(), t_from, t_to) for zone in places]
        return max((time for time in times if time is not None), default=None)

    def _read(self, t: float, image: Picture, arms: Arms) -> None:
        """Another reading of the things that need one and are in full view."""
        cards: list[Thing] = []
        stacks: list[Thing] = []
        for thing in self._tracks.things:
            if t - self._read_t.get(thing.number, -np.inf) < _READ_EVERY_S:
                continue
            card = thing.sight.family is Family.CARD
            if not (self._cards if card else self._chips).wants_reading(thing):
                continue
            place = thing.sight.footprint
            if place.share(self._still.still) < 0.97 or place.share(arms.mask | self._resting) > 0.03:
                continue
            if place.share(self._still.foreground) > 0.15 or not self._sure():
                continue
            self._read_t[thing.number] = t
            (cards if card else stacks).append(thing)
        places = [Place(thing.sight.at_mm, self._empty.about(thing.sight.footprint)) for thing in stacks]
        for thing, reading in zip(stacks, self._eyes.stacks(image, places), strict=True):
            self._chips.read(thing, reading)
        if cards:
            for thing, look in zip(cards, self._eyes.faces(image, [c.sight for c in cards]), strict=True):
                self._cards.read(thing, look, t)

    def _learn_bare(self, t: float, image: Picture) -> None:
        if t - self._learned_t < _LEARN_BARE_S:
            return
        self._learned_t = t
        things = cv2.dilate(self._tracks.under(self._shape).view(np.uint8), np.ones((5, 5), np.uint8))
        calm: NDArray[np.bool_] = self._still.still & ~self._still.foreground
        known = ~np.asarray(things).astype(np.bool_) & ~self._resting & ~self._noticer.unknown
        self._bare.learn(self._still.settled, calm & known)
        self._empty.learn(image, calm & known)
