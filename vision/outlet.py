"""Where a watcher's conclusions go: into its own journal, or to where those of several cameras meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rules.events import Hand
from vision.camera import Floats
from vision.chip_stacks import StackReading
from vision.telling import Teller
from vision.tracking import Sight, Thing


class CardTelling(Protocol):
    """Takes in what a watcher concluded of cards: see :class:`vision.card_events.CardEvents`."""

    def came(self, thing: Thing, t: float, hand: Hand | None, looks: list[Floats], initial: bool) -> None: ...

    def turned(
        self, thing: Thing, before: Sight, t: float, hand: Hand | None, looks: list[Floats]
    ) -> None: ...

    def shifted(self, thing: Thing, before: Sight, t: float, hand: Hand | None) -> None: ...

    def went(self, thing: Thing, t: float, hand: Hand | None) -> None: ...

    def name_of(self, thing: Thing) -> str | None: ...

    def wants_reading(self, thing: Thing) -> bool: ...

    def read(self, thing: Thing, look: Floats, t: float) -> None: ...

    def passed(self, t: float) -> None: ...

    def finish(self) -> None: ...


class ChipTelling(Protocol):
    """Takes in what a watcher concluded of stacks: see :class:`vision.chip_events.ChipEvents`."""

    def came(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None: ...

    def touched(self, thing: Thing, t: float, now: float, hand: Hand | None, much: bool) -> None: ...

    def shifted(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None: ...

    def went(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None: ...

    def name_of(self, thing: Thing) -> str | None: ...

    def wants_reading(self, thing: Thing) -> bool: ...

    def read(self, thing: Thing, reading: StackReading) -> None: ...

    def passed(self, now: float) -> None: ...

    def finish(self) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Outlet:
    """One camera's way to where several meet."""

    teller: Teller
    cards: CardTelling
    chips: ChipTelling
