"""What the judge asks of a game: how to read its profile, split a journal into coups, and judge one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from rules.events import Event
from rules.findings import CoupSummary, Finding, OpenQuestion
from rules.profile_document import Document, Profile
from rules.seen_cards import SeenCard
from rules.sight import Sight


class Carry(Protocol):
    """What one coup leaves for the next. ``t``: from when on the next coup's events count, seconds."""

    t: float

    def copy(self) -> Self:
        """An independent copy."""
        ...


class Coup(Protocol):
    """One coup as the journal tells it (in poker, one hand)."""

    cards: list[SeenCard]


P = TypeVar("P", bound=Profile)
K = TypeVar("K", bound=Carry)
C = TypeVar("C", bound=Coup)


@dataclass(frozen=True, slots=True)
class Game(Generic[P, K, C]):
    """One game of the regulations; each ``rules.games`` package has one, named ``GAME``.

    ``read_profile``: the typed profile of a whole document; raises ProfileError. ``begin``: the carry before
    the first event. ``coups``: the coups of events in time order, each with what it began from; the carry
    given is brought up to date to the last coup's end; the last argument: nothing follows. ``judge``: all
    verdicts on one coup. ``questions``: what settings and cameras leave open, said once a session.
    """

    name: str
    read_profile: Callable[[Document], P]
    begin: Callable[[P, Sight], K]
    coups: Callable[[K, Sequence[Event], P, Sight, bool], list[tuple[K, C]]]
    judge: Callable[[K, C, P, Sight], tuple[list[Finding], CoupSummary]]
    questions: Callable[[P, Iterable[Event]], tuple[OpenQuestion, ...]]


AnyGame = Game[Any, Any, Any]
