"""The journal's events as lanes of the review page's timeline.

Pure. Times are seconds from the recording's start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel

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
    CardCleared,
    CardMoved,
    CardPlaced,
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
    ViewLost,
)
from rules.journal import Journal
from rules.spots import Area, Spot


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
    until = holds_until(events, end)
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
                    detail=f"{whose_hand(event).capitalize()} hand at {event.spot}",
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
        if stack.line and is_staked(stack.stack, event.t, t_to, coups):
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
