"""The felt of a state casino's table, chip by chip: what lies where, and how a journal tells of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import PACK, Face
from rules.events import CardPlaced, CardTurned, ChipMove, Hand, MarkerSeen, ShoeExit, Stack

SEATS = (1, 2, 3, 5, 6, 9, 10, 12)
"""Where somebody plays; the table has sixteen seats."""
CLOTHS = (((1, 2, 3, 4), (5, 6, 7, 8)), ((9, 10, 11, 12), (13, 14, 15, 16)))
"""Each payer's seats: at his right, and before him."""
_CHIPS = (500, 100, 50, 10, 5, 1)


def chips_of(value: int) -> tuple[int, ...]:
    """Chips that make an amount, the highest lowest in the stack."""
    chips: list[int] = []
    for chip in _CHIPS:
        count, value = divmod(value, chip)
        chips += [chip] * count
    return tuple(chips)


@dataclass
class Felt:
    """``boxes``: stacks by spot and name. ``shoe``: the cards still in it, the next one last."""

    rng: random.Random
    scribe: Scribe = field(default_factory=lambda: Scribe(pace_s=0.6))
    boxes: dict[str, dict[str, Stack]] = field(default_factory=dict)
    shoe: list[str] = field(default_factory=list)
    names: int = 0
    lying: dict[str, str] = field(default_factory=dict)
    """Cards of the pass by name, and what they are."""

    def new_shoe(self, packs: int) -> None:
        """So many packs, shuffled."""
        self.shoe = [str(card) for card in PACK] * packs
        self.rng.shuffle(self.shoe)

    def wait(self, seconds: float) -> None:
        """Nothing happens for a while."""
        self.scribe.t += seconds

    # chips ------------------------------------------------------------------------------------------------

    def tell(self, spot: str, hand: Hand | None) -> None:
        """The spot's content as it is now."""
        self.scribe.chips(spot, *self.boxes.get(spot, {}).values(), hand=hand)

    def put(
        self,
        spot: str,
        value: int,
        hand: Hand | None,
        *,
        name: str | None = None,
        line: str | None = None,
        types: tuple[str, ...] = (),
    ) -> str:
        """A new stack."""
        self.names += 1
        name = name or f"s{self.names}"
        mine = self.boxes.setdefault(spot, {})
        lying = stack(name, *chips_of(value), line=line, at=(20.0 * self.names, 40.0 * len(mine)))
        mine[name] = Stack(
            stack=name,
            denominations=lying.denominations,
            count=lying.count,
            at_mm=lying.at_mm,
            line=line,
            types=types,
        )
        self.tell(spot, hand)
        return name

    def change(self, spot: str, name: str, value: int, hand: Hand | None) -> None:
        """A stack is worth so much now (nothing: it is gone)."""
        mine = self.boxes[spot]
        old = mine[name]
        if value:
            chips = chips_of(value)
            mine[name] = Stack(
                stack=name,
                denominations=chips,
                count=len(chips),
                at_mm=old.at_mm,
                line=old.line,
                types=old.types,
            )
        else:
            del mine[name]
        self.tell(spot, hand)

    def clear(self, spot: str, hand: Hand | None) -> None:
        """All chips go."""
        if self.boxes.get(spot):
            self.boxes[spot] = {}
            self.tell(spot, hand)

    def value(self, spot: str) -> int:
        """What lies at a spot."""
        return sum(lying.value or 0 for lying in self.boxes.get(spot, {}).values())

    def carry(self, source: str, to: str, value: int) -> None:
        """Chips are seen to go from one place to another."""
        move = ChipMove(seq=0, t=0, from_spot=source, to_spot=to, value=str(value), hand=DEALER)
        self.scribe.see(move, wait_s=0.1)

    # cards ------------------------------------------------------------------------------------------------

    def draw(
        self,
        spot: str,
        hand: Hand | None,
        face: Face = Face.DOWN,
        *,
        came_up: bool = False,
        at: tuple[float, float] | None = None,
    ) -> str:
        """The next card leaves the shoe and comes to rest; returns its name."""
        card = self.shoe.pop()
        name = f"c{self.scribe._count + 1}"
        self.scribe.see(ShoeExit(seq=0, t=0, card_id=name, face="up" if came_up else "down"))
        up = Face.UP if came_up else face
        told = self.scribe.deal(spot, card, up, hand=hand, at=at)
        assert told == name
        self.lying[name] = card
        return name

    def turn(self, name: str, hand: Hand | None, wait_s: float = 0.4) -> None:
        """A card is turned face up."""
        spot = dict(self.scribe.cards)[name]
        event = CardTurned(seq=0, t=0, card_id=name, spot=spot, face="up", card=self.lying[name], hand=hand)
        self.scribe.see(event, wait_s=wait_s)

    def away(self, name: str, to: str = "discard") -> None:
        """One card is taken away by the dealer."""
        lying = [pair for pair in self.scribe.cards if pair[0] != name]
        self.scribe.move(name, to, DEALER)
        self.scribe.cards = lying
        self.wait(4.0)

    def show_pack(self, card: str) -> None:
        """The first card of a new pack."""
        name = self.scribe.next_card()
        self.scribe.see(CardPlaced(seq=0, t=0, card_id=name, spot="deck", face="up", card=card, hand=DEALER))

    def place_shoe(self, seat: int | None, angle_deg: float = 5.0) -> None:
        """The shoe is seen at a seat's place, or the dealer's."""
        spot = "shoe" if seat is None else f"seat {seat} shoe"
        self.scribe.see(MarkerSeen(seq=0, t=0, marker="shoe", spot=spot, hand=DEALER, angle_deg=angle_deg))

    def paddle(self) -> None:
        """The paddle is on the table."""
        self.scribe.see(MarkerSeen(seq=0, t=0, marker="paddle", spot="table", hand=DEALER))


def hand_of(seat: int | None) -> Hand:
    """A player's hand, or the dealer's."""
    return DEALER if seat is None else player(seat)
