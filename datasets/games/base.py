"""What a journal simulator of any game gives: a journal, and the faults that were put into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rules.events import Event
from rules.profile_document import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultKind:
    """One kind of fault that can be put into a coup, and the finding that it must give.

    ``rule``, ``code``: of that finding, BREACH. ``lawful``: further codes that may follow from it. ``house``:
    entries that the table's profile needs for it to be judged. ``profile``, ``variant``: where it holds.
    ``rounds``: coups that it takes at least, the fault being in the last.
    """

    name: str
    rule: str
    code: str
    profile: str
    variant: str | None = None
    lawful: frozenset[str] = frozenset()
    house: Mapping[str, Any] = field(default_factory=dict)
    rounds: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault as it was put in: its kind, the coup (from 1), and the spot of its finding (text form)."""

    kind: FaultKind
    coup: int
    spot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """One coup as it was really played: cards by hand, and the result in the game's words."""

    coup: int
    cards: Mapping[str, tuple[str, ...]]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSession:
    """A simulated journal with its truth. ``events``: as a perfect observer tells them, in time order."""

    game: str
    profile: Profile
    seed: int
    events: tuple[Event, ...]
    rounds: tuple[PlayedRound, ...]
    faults: tuple[Fault, ...]


class OfKind(Protocol):
    """How a kind of fault is made, whatever a game needs for that."""

    @property
    def kind(self) -> FaultKind: ...


def check_faults(game: str, recipes: Mapping[str, OfKind], faults: Mapping[int, str], rounds: int) -> None:
    """That faults can be made at the coups named. Raises ValueError for one that there is not, or that takes
    more coups."""
    for number, name in faults.items():
        if name not in recipes:
            raise ValueError(f"there is no fault {name!r} of {game}")
        least = recipes[name].kind.rounds
        if not least <= number <= rounds:
            raise ValueError(
                f"the fault {name} can be made in coups {least} to {rounds}, not in coup {number}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulator:
    """A game's simulator. It shares no rule code with ``rules/games``: each checks the other.

    ``play(profile, seed, rounds, faults)``: coups by the book, with a fault of the kind named at the coups
    given (from 1). The same arguments give the same session. Raises ValueError for a fault that cannot be
    made there. ``kinds``: every kind of fault there is, by name.
    """

    game: str
    kinds: Mapping[str, FaultKind]
    play: Callable[[Profile, int, int, Mapping[int, str]], PlayedSession]
