"""The things on the felt: cards and stacks, each one object for as long as it lies there.

A thing changes only where the picture did: one whose pixels are as they were is still there, whether or not
a detector saw it this time, and so is one that a hand covers. What a look finds in changed places is compared
with what lay there: the same place is the same thing (perhaps turned over), a little way off in the same hand
it was shifted, otherwise it is new; a thing is gone only when its place is seen without it. Each conclusion
needs the same answer from several looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique

import numpy as np

from rules.cards import Face
from rules.spots import Area, Spot
from vision.camera import Floats
from vision.footprint import Footprint, Mask

SAME_PLACE_MM = {"card": 22.0, "stack": 15.0}
"""Things of one family nearer than this are the same one."""
SHIFTED_MM = {"card": 150.0, "stack": 45.0}
"""So far a thing may have been pushed within its spot and remain the same."""
_SEEN = 0.55
"""A thing of which less is uncovered is not judged."""
_WHOLE = 0.72
"""A new thing must be uncovered to this part."""
_TOUCHED = 0.08
"""A smaller changed part of a thing is noise."""
_EXACT_MM = 8.0
"""A thing that is seen again nearer than this has not been moved, and is where it fits its edges best."""
_BETTER_FIT = 0.04
_FRESH = 0.3
"""A new thing's place has changed to this part at least."""
_MISSES = 3
"""A new thing that is not seen again in so many looks in a row was none."""
_BARE = 0.6
_DOUBTS = 4
"""Looks at a place that is neither bare nor recognised before the thing there is read anew."""


@unique
class Family(StrEnum):
    """What a thing is."""

    CARD = "card"
    STACK = "stack"


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A thing seen once. ``at_mm``: a card's centre, a stack's foot; ``angle_deg``: a card's, clockwise
    on the drawing; ``quad_px`` (4, 2): its corners in the picture; ``footprint``: in the small picture;
    ``fit``: how well the picture has edges where its corners say, 0 to 1; ``camera``: whose picture it is,
    where there are several."""

    family: Family
    spot: Spot
    at_mm: tuple[float, float]
    quad_px: Floats
    score: float
    footprint: Footprint
    face: Face | None = None
    angle_deg: float = 0.0
    fit: float = 1.0
    camera: str | None = None
    tint: Floats | None = None
    """(3,): the colour of a card-sized thing that shows one only: see :func:`vision.markers.plain_tint`."""
    look: Floats | None = None
    """(54,): what a card's face read as in the look that found it; None where that was not read there."""

    def placed_as(self, other: Sight) -> Sight:
        """This sight at the exact place of another one of the same thing."""
        return replace(
            self,
            spot=other.spot,
            at_mm=other.at_mm,
            quad_px=other.quad_px,
            footprint=other.footprint,
            angle_deg=other.angle_deg,
            fit=other.fit,
            look=None,
        )


@dataclass(slots=True, eq=False)
class Thing:
    """A card or a stack on the felt. ``sight``: the last good one. The rest counts looks that agree."""

    number: int
    sight: Sight
    missing: int = 0
    shifted: int = 0
    turned: int = 0
    doubts: int = 0

    def calm(self) -> None:
        """Forget half-drawn conclusions."""
        self.missing = self.shifted = self.turned = self.doubts = 0


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a look could see, as masks (h, w) of the small picture: ``looked`` at all; ``visible``: still and
    not under a hand; ``changed`` from the settled picture; ``bare``: looks like the empty table, where
    ``bare_known`` says what that is; ``attached``: hangs together with the table's edge, as an arm does.
    ``everything``: look also for things where nothing changed; ``touched``: numbers of cards that were under
    a hand, and may have been turned where little changed."""

    looked: Mask
    visible: Mask
    changed: Mask
    bare: Mask
    bare_known: Mask
    attached: Mask
    everything: bool = False
    touched: frozenset[int] = frozenset()


@unique
class Change(StrEnum):
    """What a look concluded of a thing."""

    CAME = "came"
    STAYED = "stayed"
    """Seen again, and its pixels had not changed."""
    TOUCHED = "touched"
    """The same thing at its place, but its pixels changed."""
    TURNED = "turned"
    SHIFTED = "shifted"
    WENT = "went"


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One conclusion. ``before``: the thing's sight until now (its own for one that came); ``sight``: that of
    this look, None where it was not recognised."""

    change: Change
    thing: Thing
    before: Sight
    sight: Sight | None


@dataclass(slots=True, eq=False)
class _Newcomer:
    sight: Sight
    votes: int
    fresh: bool
    missed: int = 0


@dataclass(slots=True, eq=False)
class Tracks:
    """All things of one table; ``see`` takes one look at a time."""

    things: list[Thing] = field(default_factory=list)
    _newcomers: list[_Newcomer] = field(default_factory=list)
    _last: int = 0

    def see(self, sights: Sequence[Sight], scene: Scene, needed: int) -> list[Seen]:
        """What a look says about the things in it. ``needed``: looks that must agree."""
        inside = [
            thing
            for thing in self.things
            if thing.sight.footprint.share(scene.looked) > 0.6
            and thing.sight.footprint.share(scene.visible) >= _SEEN
        ]
        pairs = _nearest(inside, sights, SAME_PLACE_MM)
        result: list[Seen] = []
        open_: list[Thing] = []
        for index, thing in enumerate(inside):
            sight = sights[pairs[index]] if index in pairs else None
            changed = thing.sight.footprint.share(scene.changed, scene.visible)
            touched = changed >= _TOUCHED
            if sight is not None and sight.face is not thing.sight.face:
                touched |= thing.number in scene.touched
            if not touched:
                thing.calm()
                if sight is not None and sight.face is thing.sight.face:
                    result.append(Seen(Change.STAYED, thing, thing.sight, sight))
                    if sight.fit > thing.sight.fit + _BETTER_FIT:
                        thing.sight = sight
            elif sight is None:
                open_.append(thing)
            else:
                result += self._at_its_place(thing, sight, needed)
        claimed = {id(sights[index]) for index in pairs.values()}
        spare = [sight for sight in sights if id(sight) not in claimed and self._whole(sight, scene)]
        for thing, sight in self._pushed(open_, spare, scene):
            open_.remove(thing)
            spare.remove(sight)
            result += self._shifted(thing, sight, needed)
        for thing in open_:
            result += self._perhaps_gone(thing, scene, needed)
        return result + self._new(spare, scene, needed)

    def undecided(self, where: Mask) -> bool:
        """Whether a conclusion about a thing in ``where`` (h, w) is still being drawn."""
        return any(
            thing.missing or thing.shifted or thing.turned or thing.doubts
            for thing in self.things
            if thing.sight.footprint.meets(where)
        ) or any(new.sight.footprint.meets(where) for new in self._newcomers)

    def under(self, shape: tuple[int, int]) -> Mask:
        """(h, w): where things lie."""
        covered = np.zeros(shape, np.bool_)
        for thing in self.things:
            thing.sight.footprint.mark(covered)
        for new in self._newcomers:
            new.sight.footprint.mark(covered)
        return covered

    def _at_its_place(self, thing: Thing, sight: Sight, needed: int) -> list[Seen]:
        before = thing.sight
        if _distance(sight, before) < _EXACT_MM and sight.fit < before.fit + _BETTER_FIT:
            sight = sight.placed_as(before)
        if sight.face is before.face:
            thing.calm()
            thing.sight = sight
            return [Seen(Change.TOUCHED, thing, before, sight)]
        thing.turned += 1
        if thing.turned < needed:
            return []
        thing.calm()
        thing.sight = sight
        return [Seen(Change.TURNED, thing, before, sight)]

    def _pushed(
        self, open_: Sequence[Thing], spare: Sequence[Sight], scene: Scene
    ) -> list[tuple[Thing, Sight]]:
        """Things that are not at their place, with the sights that show them a little way off."""
        pairs = []
        for index, at in _nearest(open_, spare, SHIFTED_MM).items():
            thing, sight = open_[index], spare[at]
            left = thing.sight.footprint.without(sight.footprint)
            known = left.share(scene.bare_known) >= _BARE
            empty = not known or left.share(scene.bare, scene.visible & scene.bare_known) >= 0.5
            if thing.sight.spot == sight.spot and empty:
                pairs.append((thing, sight))
        return pairs

    def _shifted(self, thing: Thing, sight: Sight, needed: int) -> list[Seen]:
        thing.shifted += 1
        if thing.shifted < needed:
            return []
        before = thing.sight
        thing.calm()
        thing.sight = sight
        change = Change.SHIFTED if before.face is sight.face else Change.TURNED
        return [Seen(change, thing, before, sight)]

    def _perhaps_gone(self, thing: Thing, scene: Scene, needed: int) -> list[Seen]:
        place = thing.sight.footprint
        known = place.share(scene.bare_known)
        if known >= _BARE and place.share(scene.bare, scene.visible & scene.bare_known) < _BARE:
            thing.doubts += 1
            if thing.doubts < _DOUBTS:
                return []
            thing.calm()
            return [Seen(Change.TOUCHED, thing, thing.sight, None)]
        if known < _BARE and place.share(scene.attached) > 0.1:
            return []  # what is there may be an arm at rest, and nobody knows how the place looks without
        thing.missing += 1
        if thing.missing < needed:
            return []
        self.things.remove(thing)
        return [Seen(Change.WENT, thing, thing.sight, None)]

    def _new(self, sights: Sequence[Sight], scene: Scene, needed: int) -> list[Seen]:
        result = []
        kept = []
        for new in self._newcomers:
            new.missed += self._should_be_seen(new, scene)
            if new.missed < _MISSES:
                kept.append(new)
        for sight in sights:
            known = [new for new in self._newcomers if _same(new.sight, sight)]
            fresh = scene.everything or sight.footprint.share(scene.changed) >= _FRESH
            new = known[0] if known else _Newcomer(sight, 0, fresh)
            if new in kept:
                kept.remove(new)
            new.sight, new.votes, new.missed = sight, new.votes + 1, 0
            # What was overlooked so far, or lies where cards do not belong, has to be seen more often.
            stray = sight.family is Family.CARD and sight.spot.area in (Area.TABLE, Area.BET)
            odd = stray or not new.fresh
            if new.votes < (needed + 2 if odd else needed):
                kept.append(new)
                continue
            if any(_same(thing.sight, sight) for thing in self.things):
                continue
            self._last += 1
            thing = Thing(self._last, sight)
            self.things.append(thing)
            result.append(Seen(Change.CAME, thing, sight, sight))
        self._newcomers = kept
        return result

    def _whole(self, sight: Sight, scene: Scene) -> bool:
        return sight.footprint.share(scene.visible) >= _WHOLE

    def _should_be_seen(self, new: _Newcomer, scene: Scene) -> bool:
        return new.sight.footprint.share(scene.looked) > 0.9 and self._whole(new.sight, scene)


def _distance(one: Sight, other: Sight) -> float:
    return float(np.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1]))


def _same(one: Sight, other: Sight) -> bool:
    return one.family is other.family and _distance(one, other) < SAME_PLACE_MM[one.family]


def _nearest(things: Sequence[Thing], sights: Sequence[Sight], within_mm: dict[str, float]) -> dict[int, int]:
    """For each thing (its index) the nearest sight (its index), each used once, nearest first."""
    near = sorted(
        (_distance(thing.sight, sight), i, j)
        for i, thing in enumerate(things)
        for j, sight in enumerate(sights)
        if thing.sight.family is sight.family and _distance(thing.sight, sight) < within_mm[sight.family]
    )
    pairs: dict[int, int] = {}
    for _, i, j in near:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs
