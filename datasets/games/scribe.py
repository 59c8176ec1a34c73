"""Writes a table's journal: each call is one observation, and time goes on by itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rules.cards import Face
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    Cue,
    CutCardSeen,
    Event,
    Hand,
    HandContact,
    MarkerSeen,
    Owner,
    ShoeExit,
    Stack,
    ViewLost,
)

DEALER = Hand(Owner.DEALER)


def player(seat: int) -> Hand:
    """A player's hand."""
    return Hand(Owner.PLAYER, seat)


def stack(
    name: str, *chips: int | None, line: str | None = None, at: tuple[float, float] = (0.0, 0.0)
) -> Stack:
    """A stack with these chips, bottom to top; ``line``: the layout line its base lies on."""
    return Stack(stack=name, denominations=chips, count=len(chips), at_mm=at, line=line)


@dataclass
class Scribe:
    """One table's journal in the making. ``t`` goes on by ``pace_s`` with each observation."""

    pace_s: float = 1.0
    t: float = 0.0
    events: list[Event] = field(default_factory=list)
    cards: list[tuple[str, str]] = field(default_factory=list)
    """Cards that lie on the felt: name and spot."""

    _count: int = 0

    def see(self, event: Event, *, wait_s: float | None = None) -> Event:
        """Record an event at the next moment."""
        self.t = round(self.t + (self.pace_s if wait_s is None else wait_s), 3)
        timed = replace(event, seq=len(self.events) + 1, t=self.t)
        self.events.append(timed)
        return timed

    def chips(self, spot: str, *stacks: Stack, hand: Hand | None = None, wait_s: float | None = None) -> None:
        """The whole content of a spot."""
        self.see(ChipState(seq=0, t=0, spot=spot, stacks=stacks, hand=hand), wait_s=wait_s)

    def exit(self, name: str | None = None) -> None:
        """A card leaves the shoe."""
        self.see(ShoeExit(seq=0, t=0, card_id=name))

    def next_card(self) -> str:
        """The name of the next card."""
        self._count += 1
        return f"c{self._count}"

    def deal(
        self,
        spot: str,
        card: str | None,
        face: Face = Face.UP,
        *,
        p: float = 1.0,
        position: int | None = None,
        hand: Hand | None = None,
        at: tuple[float, float] | None = None,
    ) -> str:
        """A card comes to rest at a spot (``hand punto``); returns its name."""
        name = self.next_card()
        read = card if face is Face.UP else None
        self.see(
            CardPlaced(
                seq=0,
                t=0,
                card_id=name,
                spot=spot,
                face=face.value,
                card=read,
                p=p,
                position=position,
                hand=hand,
                at_mm=at,
            )
        )
        self.cards.append((name, spot))
        return name

    def turn(self, name: str, card: str | None, hand: Hand | None = None, p: float = 1.0) -> None:
        """A card is turned face up."""
        spot = dict(self.cards)[name]
        self.see(CardTurned(seq=0, t=0, card_id=name, spot=spot, face="up", card=card, hand=hand, p=p))

    def read(self, name: str, card: str | None, *, p: float = 1.0, operator: bool = False) -> None:
        """A lying card is read anew."""
        self.see(
            CardRead(seq=0, t=0, card_id=name, card=card, p=p, source="operator" if operator else "camera")
        )

    def move(self, name: str, to: str, hand: Hand | None = None) -> None:
        """A card comes to rest at another spot."""
        spot = dict(self.cards)[name]
        self.see(CardMoved(seq=0, t=0, card_id=name, from_spot=spot, to_spot=to, hand=hand))
        self.cards = [(known, to if known == name else at) for known, at in self.cards]

    def sweep(self, *, leave: int = 0, to: str | None = "discard", hand: Hand | None = None) -> None:
        """The cards are gathered, all but the first ``leave``."""
        for name, spot in self.cards[leave:]:
            self.see(CardCleared(seq=0, t=0, card_id=name, spot=spot, to_spot=to, hand=hand), wait_s=0.2)
        self.cards = self.cards[:leave]

    def touch(self, spot: str, hand: Hand, *, target: str | None = None, seconds: float = 1.0) -> None:
        """A hand touches a spot, or a card or stack there."""
        t_to = round(self.t + self.pace_s + seconds, 3)
        self.see(HandContact(seq=0, t=0, spot=spot, hand=hand, t_to=t_to, target=target))

    def lose_view(self, spot: str | None, seconds: float | None) -> None:
        """A spot cannot be seen from now on, for so long (None: until the end)."""
        t_to = None if seconds is None else self.t + self.pace_s + seconds
        self.see(ViewLost(seq=0, t=0, reason="covered", t_to=t_to, spot=spot))

    def cue(self, cue: str, value: str | None = None, spot: str | None = None) -> None:
        """Something is told."""
        self.see(Cue(seq=0, t=0, cue=cue, value=value, spot=spot))

    def marker(self, marker: MarkerSeen, *, wait_s: float | None = None) -> None:
        """A thing with a meaning is seen at a place."""
        self.see(marker, wait_s=wait_s)

    def cut_card(self, spot: str = "shoe") -> None:
        """The cut card shows."""
        self.see(CutCardSeen(seq=0, t=0, spot=spot))
