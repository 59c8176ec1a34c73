"""Who deals when, as the cue ``dealer`` tells it; what is not told is not guessed."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, unique

from rules.events import Cue, Event, in_time_order
from rules.sight import Gaps

CUE = "dealer"


@unique
class Nobody(Enum):
    """Why a coup is no one dealer's."""

    NOT_TOLD = "not told"
    SEVERAL = "several"
    """More than one worked at it: two at the table, or one relieved the other within it."""


@dataclass(frozen=True, slots=True)
class Told:
    """From ``t`` on these deal (several where more than one works at the table; none: nobody is told).
    ``operator``: a person said so."""

    t: float
    dealers: tuple[str, ...]
    operator: bool = True


@dataclass(frozen=True, slots=True)
class Shifts:
    """What a journal says of who dealt, when the table was not seen at all, and when it was (``start``: the
    moment of ``t`` = 0, None where it is not told)."""

    told: tuple[Told, ...] = ()
    hidden: tuple[tuple[float, float], ...] = ()
    start: datetime | None = None

    def dealer(self, t_from: float, t_to: float) -> str | Nobody:
        """Who dealt from ``t_from`` to ``t_to``."""
        there: tuple[str, ...] = ()
        changed = False
        for told in self.told:
            if told.t <= t_from:
                there = told.dealers
            elif told.t <= t_to and told.dealers != there:
                changed = True
        if changed or len(there) > 1:
            return Nobody.SEVERAL
        return there[0] if there else Nobody.NOT_TOLD

    def unseen(self, t_from: float, t_to: float) -> bool:
        """Whether the table was out of sight somewhen between."""
        return any(begin < t_to and end > t_from for begin, end in self.hidden)


def dealers_in(value: str | None) -> tuple[str, ...]:
    """The dealers that a cue's value names, in the order of their names; signs that cannot be seen are no
    part of a name.

    >>> dealers_in("17"), dealers_in(" 23 , 17"), dealers_in(None), dealers_in("  ")
    (('17',), ('17', '23'), (), ())
    """
    names = {_name(part) for part in (value or "").split(",")}
    return tuple(sorted(names - {""}))


def _name(text: str) -> str:
    kept = (
        letter
        for letter in unicodedata.normalize("NFC", text)
        if letter.isspace() or unicodedata.category(letter)[0] != "C"
    )
    return " ".join("".join(kept).split())


def shifts_of(events: Sequence[Event], start_utc: str | None = None) -> Shifts:
    """What a journal tells. ``start_utc``: as its header has it; else what an operator told, or an event."""
    ordered = in_time_order(tuple(events))
    told: list[Told] = []
    for event in ordered:
        if isinstance(event, Cue) and event.cue == CUE:
            latest = Told(event.t, dealers_in(event.value), event.source == "operator")
            if told and told[-1].t == latest.t:
                told.pop()  # of two said of one moment, the later counts
            told.append(latest)
    gaps = [(gap.t_from, gap.t_to) for gap in Gaps.of(ordered).all if gap.spot is None]
    return Shifts(tuple(told), tuple(gaps), _start(ordered, start_utc))


def _start(events: Iterable[Event], start_utc: str | None) -> datetime | None:
    moment = _moment(start_utc, 0.0)
    said = by_camera = None
    for event in events if moment is None else ():
        if event.utc is None:
            continue
        if isinstance(event, Cue) and event.cue == CUE and event.source == "operator":
            said = _moment(event.utc, event.t) or said
        elif by_camera is None:
            by_camera = _moment(event.utc, event.t)
    return moment or said or by_camera


def _moment(text: str | None, t: float) -> datetime | None:
    """The moment of ``t`` = 0, by a moment as text and its ``t``."""
    if text is None or not math.isfinite(t):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC) - timedelta(
            seconds=t
        )
    except (ValueError, OverflowError):
        return None
