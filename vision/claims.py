"""Which thing is which to several cameras, and the changes that they claim of one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rules.cards import Face
from rules.events import Hand
from vision.camera import Floats
from vision.onlookers import Onlooker
from vision.tracking import Change, Family, Sight, Thing

SAME_PLACE_MM = {Family.CARD: 25.0, Family.STACK: 19.0}
"""Things of one family that two cameras see nearer than this are the same one: less than half their size."""
_GONE_KEPT = 200
"""About so many names that cameras have for things that went are remembered."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one look of one camera at a face said, (54,) probabilities."""

    camera: int
    read: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """What one camera says of a change. ``t``: when it happened; ``now``: when it was concluded; ``initial``:
    it was so when the recording began."""

    t: float
    now: float
    sight: Sight
    hand: Hand | None
    looks: tuple[Look, ...] = ()
    initial: bool = False


@dataclass(slots=True, eq=False)
class Shared:
    """A thing as all cameras know it. ``held``: the cameras that hold it, with their own number for it and
    how they saw it last."""

    thing: Thing
    held: dict[str, tuple[int, Sight]] = field(default_factory=dict)
    told: bool = False
    gone: bool = False


@dataclass(slots=True, eq=False)
class Claim:
    """A change that some cameras concluded. ``denied``: by these; it waits for as long as they see."""

    change: Change
    shared: Shared
    since: float
    says: dict[str, Word]
    denied: tuple[Onlooker, ...] = ()

    @property
    def t(self) -> float:
        """When it happened: as soon as the first camera saw it."""
        return min(word.t for word in self.says.values())


class Claims:
    """The things that any camera knows, which of its own each camera means by one, and what is claimed.

    ``open``: the claims that were not told yet."""

    def __init__(self) -> None:
        self.open: list[Claim] = []
        self._things: list[Shared] = []
        self._of: dict[tuple[str, int], Shared] = {}
        self._count = 0

    def new_thing(self, sight: Sight) -> Shared:
        """A thing that no camera knew."""
        self._count += 1
        shared = Shared(Thing(self._count, sight))
        self._things.append(shared)
        return shared

    def add(self, change: Change, shared: Shared, camera: str, word: Word) -> None:
        """A camera claims a change of a thing."""
        self.open.append(Claim(change, shared, word.now, {camera: word}))

    def of(self, shared: Shared, change: Change) -> Claim | None:
        """What is claimed of a thing, the latest of that kind."""
        found = [claim for claim in self.open if claim.shared is shared and claim.change is change]
        return found[-1] if found else None

    def hold(self, shared: Shared, camera: str, thing: Thing) -> None:
        """A camera sees a thing that it calls ``thing``."""
        self._of[camera, thing.number] = shared
        shared.held[camera] = (thing.number, thing.sight)

    def meant(self, camera: str, thing: Thing) -> Shared | None:
        """The thing that a camera means; of one that is gone for the others, what lies there now."""
        shared = self._of.get((camera, thing.number))
        if shared is not None and not shared.gone:
            number, _ = shared.held.get(camera, (None, None))
            if number == thing.number:
                return shared
        if shared is None:
            return None
        now_there = self.known_at(thing.sight, camera, math.inf)
        if now_there is not None:
            self.hold(now_there, camera, thing)
        return now_there

    def known_at(self, sight: Sight, camera: str, t: float) -> Shared | None:
        """The thing at a place that this camera does not hold there as another one; none that went before
        ``t``."""
        reach = SAME_PLACE_MM[sight.family]
        near = []
        for shared in self._things:
            if shared.thing.sight.family is not sight.family:
                continue
            place = shared.thing.sight if shared.told else self._latest(shared)
            away = apart_mm(place, sight)
            _, own = shared.held.get(camera, (0, None))
            if away >= reach or (own is not None and apart_mm(own, place) < reach):
                continue
            going = self.of(shared, Change.WENT)
            if going is None or t <= going.t:
                near.append((away, shared.thing.number, shared))
        return min(near)[2] if near else None

    def _latest(self, shared: Shared) -> Sight:
        return next(reversed(shared.held.values()))[1] if shared.held else shared.thing.sight

    def face_of(self, shared: Shared) -> Face | None:
        """The side that a card shows when all claims are told."""
        words = [
            word
            for claim in self.open
            if claim.shared is shared and claim.change in (Change.CAME, Change.TURNED)
            for word in claim.says.values()
        ]
        return words[-1].sight.face if words else shared.thing.sight.face

    def drop(self, shared: Shared) -> None:
        """Forget a thing and all that is claimed of it."""
        self.open = [claim for claim in self.open if claim.shared is not shared]
        self.forget(shared)

    def forget(self, shared: Shared) -> None:
        """A thing is gone."""
        shared.gone = True
        shared.held.clear()
        if shared in self._things:
            self._things.remove(shared)
        if len(self._of) > 4 * len(self._things) + _GONE_KEPT:
            self._of = {key: each for key, each in self._of.items() if not each.gone}


def apart_mm(one: Sight, other: Sight) -> float:
    """How far apart two places are."""
    return math.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1])
