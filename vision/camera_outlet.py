"""One camera's way to where several meet: its watcher's conclusions become words for the fusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rules.events import Event, Hand, Realignment
from rules.spots import Spot
from vision.camera import Floats
from vision.chip_stacks import StackReading
from vision.claims import Look, Word
from vision.fusion import Fusion
from vision.outlet import Outlet
from vision.telling import Reason, Teller
from vision.tracking import Sight, Thing


class Meeting(Protocol):
    """Where the cameras meet. ``now``: the time of the newest picture."""

    now: float

    @property
    def fusion(self) -> Fusion:
        """Takes the words."""

    def contact(self, camera: str, t: float, t_to: float, spot: Spot, hand: Hand, target: str | None) -> None:
        """A camera saw a hand at a spot."""

    def covered(self, camera: str, t: float, spot: Spot) -> None:
        """To a camera, a spot is covered to the end."""

    def pass_on(self, event: Event) -> None:
        """Tell an event that needs no other camera."""


class CameraTeller(Teller):
    """What one camera tells: what it shares with the others goes to where they meet."""

    def __init__(self, camera: str, meeting: Meeting) -> None:
        super().__init__(camera)
        self._meeting = meeting
        self.back: tuple[float, Realignment | None] | None = None
        """When the camera last saw again, and where it stays if it was moved."""

    def take(self) -> list[Event]:
        """Nothing: the meeting tells."""
        for event in super().take():
            self._meeting.pass_on(event)
        return []

    def hand_contact(self, t: float, t_to: float, spot: Spot, hand: Hand, target: str | None = None) -> None:
        """A hand was at a spot."""
        self._meeting.contact(self.camera, t, t_to, spot, hand, target)

    def view_lost(self, t: float, reason: Reason, t_to: float | None = None, spot: Spot | None = None) -> int:
        """A spot is covered; losses of the whole camera are seen by the meeting itself, as they happen."""
        del reason, t_to
        if spot is not None:
            self._meeting.covered(self.camera, t, spot)
        return 0

    def camera_lost(self, t: float, reason: Reason, t_seen: float) -> int:
        """Nothing: the meeting sees it as it happens."""
        del t, reason, t_seen
        return 0

    def camera_back(self, t: float, lost: int, realigned: Realignment | None) -> None:
        """Keep it for the meeting, which tells it."""
        del lost
        self.back = t, realigned


@dataclass(frozen=True, slots=True)
class _Speaker:
    camera: str
    number: int
    meeting: Meeting

    def word(
        self, thing: Thing, t: float, hand: Hand | None, looks: Sequence[Floats] = (), initial: bool = False
    ) -> Word:
        sight = replace(thing.sight, camera=self.camera)
        said = tuple(Look(self.number, look) for look in looks)
        return Word(t, self.meeting.now, sight, hand, said, initial)

    def name_of(self, thing: Thing) -> str | None:
        """What it is called in the common journal."""
        return self.meeting.fusion.name_of(self.camera, thing)

    def wants_reading(self, thing: Thing) -> bool:
        """Whether another reading of it by this camera would tell more."""
        return self.meeting.fusion.wants_reading(self.camera, thing)

    def passed(self, t: float) -> None:
        """Nothing: the meeting tells the time."""

    def finish(self) -> None:
        """Nothing: the meeting ends for all cameras."""


class CameraCards(_Speaker):
    """One camera's conclusions on cards: see :class:`vision.card_events.CardEvents`."""

    def came(self, thing: Thing, t: float, hand: Hand | None, looks: list[Floats], initial: bool) -> None:
        """A card lies where none was."""
        self.meeting.fusion.came(self.camera, thing, self.word(thing, t, hand, looks, initial))

    def turned(self, thing: Thing, before: Sight, t: float, hand: Hand | None, looks: list[Floats]) -> None:
        """A card shows its other side."""
        del before
        self.meeting.fusion.turned(self.camera, thing, self.word(thing, t, hand, looks))

    def shifted(self, thing: Thing, before: Sight, t: float, hand: Hand | None) -> None:
        """A card was pushed to another place."""
        del before
        self.meeting.fusion.shifted(self.camera, thing, self.word(thing, t, hand))

    def went(self, thing: Thing, t: float, hand: Hand | None) -> None:
        """A card's place is bare."""
        self.meeting.fusion.went(self.camera, thing, self.word(thing, t, hand))

    def read(self, thing: Thing, look: Floats, t: float) -> None:
        """One more reading (54,) of a card's face."""
        self.meeting.fusion.read_face(self.camera, thing, look, t)


class CameraChips(_Speaker):
    """One camera's conclusions on stacks: see :class:`vision.chip_events.ChipEvents`."""

    def came(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack stands where none was."""
        del now
        self.meeting.fusion.came(self.camera, thing, self.word(thing, t, hand))

    def touched(self, thing: Thing, t: float, now: float, hand: Hand | None, much: bool) -> None:
        """A stack's picture changed."""
        del now
        self.meeting.fusion.touched(self.camera, thing, self.word(thing, t, hand), much)

    def shifted(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack was pushed to another place."""
        del now
        self.meeting.fusion.shifted(self.camera, thing, self.word(thing, t, hand))

    def went(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack's place is bare."""
        del now
        self.meeting.fusion.went(self.camera, thing, self.word(thing, t, hand))

    def read(self, thing: Thing, reading: StackReading) -> None:
        """One more reading of a stack."""
        self.meeting.fusion.read_stack(self.camera, thing, reading, self.meeting.now)


def outlet_of(teller: CameraTeller, number: int, meeting: Meeting) -> Outlet:
    """The way of a camera (its teller, its number in the list) to a meeting."""
    camera = teller.camera
    return Outlet(teller, CameraCards(camera, number, meeting), CameraChips(camera, number, meeting))
