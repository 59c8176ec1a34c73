"""What the review page draws over the picture: the felt, and the journal's events as marks.

Pure: from a journal and an overlay to plain models. Times are seconds from the recording's start, points are
pixels of the recording's picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import BaseModel, Field

from dashboards.places import ActingLine, LyingOut, by_id, lying
from dashboards.told import (
    CORRECTED,
    Staked,
    card_text,
    chips_text,
    corrected,
    duration,
    holds_until,
    identities,
    is_staked,
    whose_hand,
)
from rules.corrections import as_corrected
from rules.events import (
    CardMoved,
    CardPlaced,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    Event,
    HandContact,
    ShoeExit,
)
from rules.journal import Journal
from veedor.store import Overlay

GLANCE_S = 0.8
"""How long the mark of something that happens in a moment is shown."""


class ZoneShape(BaseModel):
    """The outline of one spot in the picture."""

    spot: str
    outline: list[tuple[float, float]]
    half_line: bool = Field(description="Bets on the outline play half.")


class LineShape(BaseModel):
    """A line of the felt that acts on bets, as the picture shows it."""

    id: str
    effect: Literal["halves", "splits"] = Field(description="What it does to a bet whose base lies on it.")
    spots: list[str]
    paths: list[list[tuple[float, float]]] = Field(description="Its pieces.")


class MarkShape(BaseModel):
    """Something seen, drawn over the picture from ``t_from`` to ``t_to``."""

    seq: int = Field(description="The journal event that saw it.")
    shape: Literal["card", "chips", "box"]
    thing: str | None = Field(description="The card's or stack's name in the journal.")
    outline: list[tuple[float, float]]
    t_from: float
    t_to: float
    label: str
    spot: str | None
    base: list[tuple[float, float]] = Field([], description="The circle on which a stack stands.")
    doubt: list[tuple[float, float]] = Field(
        [], description="The line within which that lies in 95 of 100 cases."
    )
    lying: LyingOut | None = Field(None, description="How a bet lies; null of what is no bet.")


class ShiftShape(BaseModel):
    """Where the picture's points show from ``t`` on, the camera having been moved: a grid over all of it."""

    t: float
    columns: int
    rows: int
    points: list[tuple[float, float]] = Field(description="Row by row.")


def zones(overlay: Overlay) -> list[ZoneShape]:
    """The felt's zones."""
    return [
        ZoneShape(spot=zone.spot, outline=list(zone.outline), half_line=zone.half_line)
        for zone in overlay.zones
    ]


def lines(overlay: Overlay) -> list[LineShape]:
    """The felt's lines that act on bets."""
    return [
        LineShape(
            id=line.id, effect=line.effect, spots=list(line.spots), paths=[list(path) for path in line.paths]
        )
        for line in overlay.lines
    ]


def shifts(overlay: Overlay) -> list[ShiftShape]:
    """From when on all of it shows where, in order of time."""
    return [
        ShiftShape(t=shift.t, columns=shift.columns, rows=shift.rows, points=list(shift.points))
        for shift in overlay.shifts
    ]


def marks(journal: Journal, overlay: Overlay, staked: Iterable[Staked] = ()) -> list[MarkShape]:
    """All marks with the time they hold: a card until it leaves its place, chips until the spot changes.

    ``staked``: which stacks were bets; of others (payments, mostly) it means nothing on which line they lie.
    """
    events = as_corrected(journal.events).events
    end = duration(journal)
    cards = identities(journal)
    put_right = corrected(journal, events)
    by_seq = {event.seq: event for event in events}
    until = holds_until(events, end)
    coups = tuple(staked)
    acting = by_id(overlay.lines)
    shown = []
    for mark in overlay.marks:
        event = by_seq.get(mark.seq)
        if event is None:
            continue
        t_to = until.get(event.seq, min(end, event.t + GLANCE_S))
        shown.append(
            MarkShape(
                seq=mark.seq,
                shape=mark.shape,
                thing=mark.thing,
                outline=list(mark.outline),
                t_from=event.t,
                t_to=t_to,
                label=_mark_label(event, mark.thing, cards) + (CORRECTED if mark.seq in put_right else ""),
                spot=_spot(event),
                base=list(mark.base),
                doubt=list(mark.doubt),
                lying=_lying(event, mark.thing, t_to, coups, acting),
            )
        )
    return shown


def _lying(
    event: Event, thing: str | None, t_to: float, coups: Iterable[Staked], acting: Mapping[str, ActingLine]
) -> LyingOut | None:
    if not isinstance(event, ChipState):
        return None
    if not is_staked(thing, event.t, t_to, coups):
        return None
    stack = next((stack for stack in event.stacks if stack.stack == thing), None)
    return None if stack is None else lying(stack, event.spot, acting)


def _mark_label(event: Event, thing: str | None, cards: dict[str, str]) -> str:
    match event:
        case CardPlaced() | CardTurned() if event.face == "down" and event.card_id not in cards:
            return "face down"
        case CardPlaced() | CardTurned() | CardMoved():
            return card_text(cards.get(event.card_id))
        case ChipState():
            return chips_text(stack for stack in event.stacks if thing in (None, stack.stack))
        case HandContact():
            return f"{whose_hand(event)} hand"
        case ShoeExit():
            return "leaves the shoe"
        case Cue():
            return " ".join([event.cue.replace("_", " "), *filter(None, [event.value])])[:60]
        case _:
            return ""


def _spot(event: Event) -> str | None:
    match event:
        case CardMoved() | ChipMove():
            return event.to_spot
        case ShoeExit():
            return "shoe"
        case _:
            return getattr(event, "spot", None)
