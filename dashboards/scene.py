"""What the review page draws: the journal's events as lanes of a timeline and as marks over the picture.

Pure: from a journal and an overlay to plain models. Times are seconds from the recording's start, points are
pixels of the recording's picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from dashboards.cards import face
from dashboards.places import ActingLine, LyingOut, by_id, lying
from rules.corrections import as_corrected
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    CutCardSeen,
    Event,
    HandContact,
    MarkerSeen,
    Owner,
    ShoeExit,
    Stack,
    ViewBack,
    ViewLost,
    in_time_order,
)
from rules.journal import Journal
from rules.spots import Area, Spot
from veedor.store import Overlay

GLANCE_S = 0.8
"""How long the mark of something that happens in a moment is shown."""

CORRECTED = " (corrected)"
"""Said of what a reviewer put right."""


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


class LaneItem(BaseModel):
    """One event or span on a lane; ``t_to`` null: a moment."""

    seq: int
    t: float
    t_to: float | None = None
    label: str = ""
    detail: str
    tone: Literal["card", "red-card", "tick", "chips", "dealer", "player", "lost", "cue"]


class Lane(BaseModel):
    """One row of the timeline."""

    id: str
    name: str
    items: list[LaneItem]


def card_text(card: str | None) -> str:
    """A card for people: ``10♦``; unread: ``?``."""
    return "?" if card is None else face(card)


def chips_text(stacks: Iterable[Stack]) -> str:
    """A spot's chips in a word: their value, or how much of it is known."""
    values = [stack.value for stack in stacks]
    known = sum(value for value in values if value is not None)
    if None not in values:
        return str(known)
    return f"{known}+?" if known else "?"


def identities(journal: Journal) -> dict[str, str]:
    """Each card's identity: the latest recorded reading, an operator's before any camera's."""
    read: dict[str, tuple[bool, str]] = {}
    for event in sorted(in_time_order(journal.events), key=lambda event: event.seq):
        match event:
            case CardPlaced() | CardTurned() if event.card is not None:
                name, card, by_operator = event.card_id, event.card, False
            case CardRead() if event.card is not None:
                name, card, by_operator = event.card_id, event.card, event.source == "operator"
            case _:
                continue
        if by_operator or not read.get(name, (False, ""))[0]:
            read[name] = (by_operator, card)
    return {name: card for name, (_, card) in read.items()}


def corrected(journal: Journal, events: Iterable[Event]) -> frozenset[int]:
    """The entries that show a card or a stack of which a reviewer said something else, by number.

    ``events``: the journal's, as corrected."""
    seen = {event.seq: event for event in journal.events}
    cards = {event.card_id for event in events if isinstance(event, CardRead) and event.source == "operator"}
    return frozenset(
        event.seq
        for event in events
        if (isinstance(event, ChipState) and event != seen[event.seq])
        or (isinstance(event, CardPlaced | CardTurned) and event.card_id in cards)
    )


def duration(journal: Journal) -> float:
    """The recording's length, or the last moment of any event."""
    last = max((event.t for event in journal.events), default=0.0)
    return max(journal.header.duration_s or 0.0, last, 0.1)


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


@dataclass(frozen=True, slots=True)
class Staked:
    """The stacks that were bets of one coup, and its span in seconds."""

    t_from: float
    t_to: float
    stacks: frozenset[str]


def marks(journal: Journal, overlay: Overlay, staked: Iterable[Staked] = ()) -> list[MarkShape]:
    """All marks with the time they hold: a card until it leaves its place, chips until the spot changes.

    ``staked``: which stacks were bets; of others (payments, mostly) it means nothing on which line they lie.
    """
    events = as_corrected(journal.events).events
    end = duration(journal)
    cards = identities(journal)
    put_right = corrected(journal, events)
    by_seq = {event.seq: event for event in events}
    until = _holds_until(events, end)
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
    if not _is_staked(thing, event.t, t_to, coups):
        return None
    stack = next((stack for stack in event.stacks if stack.stack == thing), None)
    return None if stack is None else lying(stack, event.spot, acting)


def _is_staked(stack: str | None, t_from: float, t_to: float, coups: Iterable[Staked]) -> bool:
    """Whether a stack that lies from and to these times is a bet of a coup then."""
    return any(stack in coup.stacks and t_from <= coup.t_to and t_to >= coup.t_from for coup in coups)


def _holds_until(events: list[Event], end: float) -> dict[int, float]:
    """Event number to the time at which what it saw was no longer so."""
    until: dict[int, float] = {}
    open_cards: dict[str, int] = {}
    open_spots: dict[str, int] = {}

    def close(opened: dict[str, int], name: str, t: float) -> None:
        if name in opened:
            until[opened.pop(name)] = t

    for event in events:
        match event:
            case CardPlaced() | CardTurned() | CardMoved():
                close(open_cards, event.card_id, event.t)
                open_cards[event.card_id] = event.seq
            case CardCleared():
                close(open_cards, event.card_id, event.t)
            case ChipState():
                close(open_spots, event.spot, event.t)
                open_spots[event.spot] = event.seq
            case HandContact() | ViewLost() if event.t_to is not None:
                until[event.seq] = event.t_to
            case ViewLost():
                until[event.seq] = end
            case ViewBack():
                until[event.lost] = event.t
            case _:
                pass
    for seq in (*open_cards.values(), *open_spots.values()):
        until[seq] = end
    return until


def _mark_label(event: Event, thing: str | None, cards: dict[str, str]) -> str:
    match event:
        case CardPlaced() | CardTurned() if event.face == "down" and event.card_id not in cards:
            return "face down"
        case CardPlaced() | CardTurned() | CardMoved():
            return card_text(cards.get(event.card_id))
        case ChipState():
            return chips_text(stack for stack in event.stacks if thing in (None, stack.stack))
        case HandContact():
            return f"{_hand(event)} hand"
        case ShoeExit():
            return "leaves the shoe"
        case Cue():
            return event.cue.replace("_", " ")
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


def _hand(event: HandContact) -> str:
    hand = event.hand
    if hand.owner is Owner.PLAYER and hand.seat is not None:
        return f"seat {hand.seat}'s"
    return {Owner.DEALER: "dealer's", Owner.PLAYER: "a player's", Owner.UNKNOWN: "an unknown"}[hand.owner]


def _unseen(event: ViewLost) -> str:
    """What could not be seen, in words."""
    if event.spot is not None:
        return event.spot.capitalize()
    return "The whole picture" if event.camera is None else f"By camera {event.camera}, the table"


def lanes(journal: Journal, staked: Iterable[Staked] = ()) -> list[Lane]:
    """The timeline's rows: cards, the chips of each spot used (by seat), hands, cues, what was not seen.

    ``staked``: which stacks were bets, as for ``marks``."""
    events = as_corrected(journal.events).events
    end = duration(journal)
    cards = identities(journal)
    put_right = corrected(journal, events)
    until = _holds_until(events, end)
    coups = tuple(staked)
    rows: dict[str, Lane] = {"cards": Lane(id="cards", name="Cards", items=[])}
    chips: dict[str, Lane] = {}
    later = {
        "dealer": Lane(id="dealer", name="Dealer's hand", items=[]),
        "player": Lane(id="player", name="Other hands", items=[]),
        "cues": Lane(id="cues", name="Cues", items=[]),
        "lost": Lane(id="lost", name="Not seen", items=[]),
    }
    for event in events:
        if isinstance(event, ChipState):
            lane = chips.setdefault(
                event.spot, Lane(id=f"chips {event.spot}", name=_short(event.spot), items=[])
            )
            if event.stacks:
                lane.items.append(_chips_item(event, until.get(event.seq, end), coups))
        elif isinstance(event, HandContact):
            row = "dealer" if event.hand.owner is Owner.DEALER else "player"
            later[row].items.append(
                LaneItem(
                    seq=event.seq,
                    t=event.t,
                    t_to=event.t_to,
                    detail=f"{_hand(event).capitalize()} hand at {event.spot}",
                    tone="dealer" if row == "dealer" else "player",
                )
            )
        elif isinstance(event, ViewLost):
            later["lost"].items.append(
                LaneItem(
                    seq=event.seq,
                    t=event.t,
                    t_to=until[event.seq],
                    detail=f"{_unseen(event)} not seen: {event.reason}",
                    tone="lost",
                )
            )
        elif (item := _card_item(event, cards)) is not None:
            rows["cards"].items.append(item)
        elif (item := _cue_item(event)) is not None:
            later["cues"].items.append(item)
    ordered = [chips[spot] for spot in sorted(chips, key=_seat_order)]
    for lane in (*rows.values(), *ordered):
        for item in lane.items:
            if item.seq in put_right:
                item.detail += CORRECTED
    return [*rows.values(), *ordered, *(lane for lane in later.values() if lane.items)]


def _seat_order(spot: str) -> tuple[int, str]:
    parsed = Spot.parse(spot)
    return (parsed.seat or 99, spot)


def _short(spot: str) -> str:
    parsed = Spot.parse(spot)
    return f"{parsed.seat} · {parsed.bet}" if parsed.area is Area.BET else spot.capitalize()


def _chips_item(event: ChipState, t_to: float, coups: Sequence[Staked]) -> LaneItem:
    parts = []
    for stack in event.stacks:
        text = "?" if stack.denominations is None else " + ".join(str(d or "?") for d in stack.denominations)
        if stack.denominations is None and stack.count is not None:
            text = f"{stack.count} chips"
        if stack.line and _is_staked(stack.stack, event.t, t_to, coups):
            text += " on a line"
        parts.append(text)
    return LaneItem(
        seq=event.seq,
        t=event.t,
        t_to=t_to,
        label=chips_text(event.stacks),
        detail=f"{event.spot.capitalize()}: {'; '.join(parts)}",
        tone="chips",
    )


def _card_item(event: Event, cards: dict[str, str]) -> LaneItem | None:
    tone: Literal["card", "red-card", "tick"] = "tick"
    label = ""
    match event:
        case ShoeExit():
            detail = "A card leaves the shoe"
        case CardPlaced() | CardTurned():
            card = cards.get(event.card_id)
            face_up = event.face == "up"
            label = card_text(card) if face_up else "▮"
            tone = "red-card" if face_up and card is not None and card[1:] in ("d", "h") else "card"
            action = "is turned" if isinstance(event, CardTurned) else "comes to rest"
            detail = f"{card_text(card) if face_up else 'A face-down card'} {action} at {event.spot}"
        case CardMoved():
            moved = card_text(cards.get(event.card_id))
            detail = f"{moved} goes from {event.from_spot} to {event.to_spot}"
        case CardCleared():
            detail = f"{card_text(cards.get(event.card_id))} is cleared from {event.spot}"
        case _:
            return None
    return LaneItem(seq=event.seq, t=event.t, label=label, detail=detail, tone=tone)


def _cue_item(event: Event) -> LaneItem | None:
    match event:
        case Cue():
            label = event.cue.replace("_", " ")
            value = f" {event.value}" if event.value else ""
            detail = f"Cue: {label}{value} ({event.source})"
        case CutCardSeen():
            label, detail = "cut card", f"Cut card at {event.spot}"
        case MarkerSeen():
            label, detail = event.marker, f"{event.marker.capitalize()} at {event.spot}"
        case ChipMove():
            label, detail = "", f"Chips go from {event.from_spot} to {event.to_spot}"
        case _:
            return None
    return LaneItem(seq=event.seq, t=event.t, label=label, detail=detail, tone="cue")
