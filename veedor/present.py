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
    Owner,
    ViewBack,
    ViewLost,
)
from rules.spots import Area, Spot


class Present:
    """Give it every event; what it keeps does not grow with the journal, only with what lies there."""

    def __init__(self) -> None:
        self._cards: dict[str, dict[str, Event]] = {}
        self._spots: dict[str, ChipState] = {}
        self._markers: dict[str, MarkerSeen] = {}
        self._lost: dict[int, ViewLost] = {}
        self._moved: dict[str | None, tuple[Event, ...]] = {}
        self._paid: set[str] = set()

    def add(self, event: Event) -> None:
        """Take in what was told next."""
        match event:
            case CardPlaced() | CardTurned() | CardMoved() | CardRead():
                before = self.hands_dealt
                self._cards.setdefault(event.card_id, {})[event.kind] = event
                if not before and self.hands_dealt:
                    self._paid.clear()  # what of it still lies there plays in the coup that begins
            case CardCleared():
                self._cards.pop(event.card_id, None)
            case ChipState():
                self._tell_paid(event, self._spots.pop(event.spot, None))
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

    def _tell_paid(self, now: ChipState, before: ChipState | None) -> None:
        was = set() if before is None else {stack.stack for stack in before.stacks}
        lies = {stack.stack for stack in now.stacks}
        self._paid -= was - lies
        dealers = now.hand is not None and now.hand.owner is Owner.DEALER
        if dealers and self.hands_dealt and Spot.parse(now.spot).area is Area.BET:
            self._paid |= lies - was

    @property
    def paid(self) -> frozenset[str]:
        """The stacks that are payments by all that is known at once: put beside bets by the dealer's hand
        while cards lay, and lying there since. The next coup's first card makes bets of them."""
        return frozenset(self._paid)

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
