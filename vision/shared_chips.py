"""Stacks that several cameras see: where they stand and what they are, from all of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.camera import Camera, Floats
from vision.chip_colours import softmax
from vision.chip_events import LOOKS, PATIENCE_S, ChipEvents, StackStory
from vision.chip_set import ChipSet
from vision.chip_stacks import StackReading, StackScores, decide
from vision.errors import ChipError
from vision.layout import Layout
from vision.placing import Placer, Placing, place_stack
from vision.position import fused_place
from vision.stack_evidence import StackEvidence
from vision.telling import Teller
from vision.tops import Tops, counts_by_height
from vision.tracking import Thing

_OTHER_SIDE = 0.5
"""Cameras look from different sides if what rises seems to move so differently over the felt, by height."""


class SharedEvidence(StackEvidence):
    """What several cameras' frames say of one stack.

    Within a camera frames are averaged, as in :class:`vision.chips.StackEvidence`; what the cameras say is
    added: they see other sides of it. A camera that does not see a stack's side says nothing of its count by
    itself, but with another one how high it is (:mod:`vision.tops`); one to which it is hidden says nothing.
    """

    def __init__(self, chips: ChipSet, placers: Mapping[str, Placer]) -> None:
        super().__init__(chips)
        self._placers = placers
        self._own: dict[str, tuple[float, StackEvidence]] = {}

    def __len__(self) -> int:
        return max((len(own) for _, own in self._own.values()), default=0)

    def looks_of(self, camera: str) -> int:
        """How often a camera has read it since it last changed."""
        return len(self._own[camera][1]) if camera in self._own else 0

    def anew(self, t: float) -> None:
        """The stack changed at ``t``: what was read before counts no more."""
        self._own = {camera: own for camera, own in self._own.items() if own[0] >= t}

    def add_of(self, camera: str, reading: StackReading, t: float) -> None:
        """Add one frame's reading by one camera."""
        _, own = self._own.setdefault(camera, (t, StackEvidence(self._chips)))
        own.add(reading)

    def best(self) -> StackReading:
        """The reading of all frames of all cameras together. Raises ChipError before the first one."""
        readings = self._best_of_each()
        if not readings:
            raise ChipError("no frame of this stack was read yet: add a reading first")
        place = self.place()
        assert place is not None
        if len(readings) == 1:
            return next(iter(readings.values()))
        together = _together([s for r in readings.values() if (s := r.scores)])
        if together.counts is not None and (tops := self._tops(readings, place[0])):
            by_height = counts_by_height(tops, *place, len(together.counts))
            together = replace(together, counts=_sum([together.counts, by_height]))
        return decide(self._chips, place[0], together)

    def place(self) -> tuple[tuple[float, float], Floats] | None:
        """Where the base's middle is, and the covariance (2, 2) of that, mm²; None before any reading."""
        readings = self._best_of_each()
        found = [
            (
                r.at_mm,
                self._placers[camera].covariance(
                    r.at_mm, None if r.scores is None else r.scores.spread_mm, r.foot
                ),
            )
            for camera, r in readings.items()
        ]
        return fused_place(found) if found else None

    def _tops(self, readings: Mapping[str, StackReading], at_mm: tuple[float, float]) -> list[Tops]:
        """What the cameras say of its top; none unless some of them look at it from different sides."""
        tops = {camera: r.tops for camera, r in readings.items() if r.tops is not None}
        leaning = np.array([_leaning(self._placers[camera].camera, at_mm) for camera in tops])
        apart = np.ptp(leaning, axis=0) if len(leaning) > 1 else np.zeros(2)
        return list(tops.values()) if float(np.hypot(*apart)) >= _OTHER_SIDE else []

    def _best_of_each(self) -> dict[str, StackReading]:
        """Each camera's reading, of those to which the stack is not hidden, if there are such."""
        read = {camera: own.best() for camera, (_, own) in self._own.items() if len(own)}
        clear = {camera: 0.0 if r.scores is None else r.scores.clear for camera, r in read.items()}
        least = 0.5 * max(clear.values(), default=0.0)
        return {camera: r for camera, r in sorted(read.items()) if clear[camera] >= least}


def _leaning(camera: Camera, at_mm: tuple[float, float]) -> Floats:
    """(2,): how far a point seems to move over the felt as it rises by one, seen at a place."""
    away = np.asarray(at_mm) - camera.centre_mm[:2]
    return np.asarray(away / camera.centre_mm[2])


def _together(scores: Sequence[StackScores]) -> StackScores:
    """What several cameras say of one stack: their log probabilities added."""
    sides = [s for s in scores if s.counts is not None and s.chips is not None]
    best = max(scores, key=lambda s: s.thickness_px)
    return replace(
        best,
        counts=_sum([s.counts for s in sides if s.counts is not None]),
        chips=_sum([s.chips for s in sides if s.chips is not None]),
        top=np.log(softmax(np.sum([s.top for s in scores], axis=0)) + 1e-9),
        clear=max(s.clear for s in (sides or scores)),
    )


def _sum(logs: Sequence[Floats]) -> Floats | None:
    return np.log(softmax(np.sum(logs, axis=0)) + 1e-9) if logs else None


class SharedChips(ChipEvents):
    """Tells the chips' events of several cameras. ``watching``: the cameras that see a place at present."""

    def __init__(
        self,
        teller: Teller,
        layout: Layout,
        chips: ChipSet,
        placers: Mapping[str, Placer],
        watching: Callable[[tuple[float, float]], Sequence[str]],
    ) -> None:
        super().__init__(teller, layout, chips)
        self._placers = placers
        self._watching = watching

    def wants_look(self, camera: str, thing: Thing) -> bool:
        """Whether a camera's reading of this stack would tell more.

        A stack that was told without all its chips is also read by a camera that comes to see it later.
        """
        story = self._stories.get(thing.number)
        if story is None:
            return False
        evidence = _shared(story)
        if evidence.looks_of(camera) >= LOOKS:
            return False
        unread = story.told is not None and story.told.value is None
        return story.spot in self._open or unread

    def read_by(self, camera: str, thing: Thing, reading: StackReading, now: float) -> None:
        """One more reading of a stack by one camera."""
        story = self._stories.get(thing.number)
        if story is None:
            return
        evidence = _shared(story)
        evidence.add_of(camera, reading, now)
        if evidence.looks_of(camera) < LOOKS:
            return
        if story.told is None:
            self._settle_spot(story)
        elif story.spot not in self._open and evidence.best().count is not None:
            self._changed(story.spot, self._told_t.get(story.spot, now), now, None, False, thing.sight)

    def _no_evidence(self) -> StackEvidence:
        return SharedEvidence(self._chips, self._placers)

    def _read_anew(self, story: StackStory, t: float) -> None:
        _shared(story).anew(t)

    def _is_read(self, stories: Sequence[StackStory], waited_s: float) -> bool:
        if waited_s < PATIENCE_S and any(
            _shared(story).looks_of(camera) < LOOKS
            for story in stories
            for camera in self._watching(story.thing.sight.at_mm)
        ):
            return False
        return super()._is_read(stories, waited_s)

    def _placing(self, story: StackStory, reading: StackReading) -> Placing:
        place = _shared(story).place()
        if place is None:  # only detected
            camera = story.thing.sight.camera or next(iter(self._placers))
            place = reading.at_mm, self._placers[camera].covariance(reading.at_mm)
        radius_mm = self._chips.diameter_mm / 2
        return place_stack(self._layout, *place, radius_mm, self._reach(story.dealers))


def _shared(story: StackStory) -> SharedEvidence:
    assert isinstance(story.evidence, SharedEvidence)
    return story.evidence
