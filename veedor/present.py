"""What lies on a table now, of all that its journal told: the events that still hold."""

from __future__ import annotations

from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    Event,
    MarkerSeen,
    ViewBack,
    ViewLost,
)


class Present:
    """Give it every event; what it keeps does not grow with the journal, only with what lies there."""

    def __init__(self) -> None:
        self._cards: dict[str, dict[str, Event]] = {}
        self._spots: dict[str, ChipState] = {}
        self._markers: dict[str, MarkerSeen] = {}
        self._lost: dict[int, ViewLost] = {}
        self._moved: dict[str | None, tuple[Event, ...]] = {}

    def add(self, event: Event) -> None:
        """Take in what was told next."""
        match event:
            case CardPlaced() | CardTurned() | CardMoved() | CardRead():
                self._cards.setdefault(event.card_id, {})[event.kind] = event
            case CardCleared():
                self._cards.pop(event.card_id, None)
            case ChipState():
                self._spots.pop(event.spot, None)
                if event.stacks:
                    self._spots[event.spot] = event
            case MarkerSeen():
                self._markers[event.marker] = event
            case ViewLost() if event.t_to is None:
                self._lost[event.seq] = event
            case ViewBack():
                lost = self._lost.pop(event.lost, None)
                if event.realigned is not None and lost is not None:
                    self._moved[lost.camera] = (lost, event)
            case _:
                pass

    @property
    def events(self) -> tuple[Event, ...]:
        """What holds, in the order recorded."""
        cards = [event for told in self._cards.values() for event in told.values()]
        moved = [event for told in self._moved.values() for event in told]
        held = [*cards, *self._spots.values(), *self._markers.values(), *self._lost.values(), *moved]
        return tuple(sorted(held, key=lambda event: event.seq))

    @property
    def hands_dealt(self) -> bool:
        """Whether a card lies on any hand."""
        return any(
            getattr(event, "spot", getattr(event, "to_spot", "")).startswith(("hand ", "community"))
            for told in self._cards.values()
            for event in told.values()
        )

    @property
    def lost(self) -> tuple[ViewLost, ...]:
        """The views that are lost at present."""
        return tuple(self._lost.values())
