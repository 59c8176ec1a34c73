"""The table: writes one hand after the other into the journal."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.games.scribe import DEALER, Scribe, player, stack
from datasets.games.trijoker.cards import BETS, LEFT, RIGHT, Hand
from rules.cards import Face
from rules.events import CardCleared, Stack

_CHIPS = (1000, 500, 100, 50, 10, 5, 1)


def chips(amount: int) -> list[int]:
    """Chips of this value, the largest below."""
    made = []
    for chip in _CHIPS:
        made += [chip] * (amount // chip)
        amount %= chip
    return made


def seat_of(box: str) -> int:
    """The seat of a betting box."""
    return int(box.split()[1])


@dataclass
class Table:
    """``lying``: the stacks in the boxes; ``names``: the cards of each hand of the hand in play."""

    scribe: Scribe = field(default_factory=Scribe)
    lying: dict[str, Stack] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    _stacks: int = 0

    def pile(self, amount: int, at: tuple[float, float] = (0.0, 0.0)) -> Stack:
        """A new stack."""
        self._stacks += 1
        return stack(f"s{self._stacks}", *chips(amount), at=at)

    def play(self, hand: Hand) -> None:
        """One hand from the bets to the gathering of the cards."""
        self._stage(hand, "before")
        for box, amount in hand.stakes.items():
            if amount:
                self.lying[box] = self.pile(amount)
                self.scribe.chips(box, self.lying[box], hand=player(seat_of(box)), wait_s=0.3)
        self._stage(hand, "bets")
        self.scribe.cue("no_more_bets")
        self._stage(hand, "closed")
        self._deal(hand)
        self._stage(hand, "dealt")
        if hand.stops:
            self._stage(hand, "gathered")
            self._gather(hand)
            return
        self._decide(hand, "bet_1")
        first, second = (RIGHT, LEFT) if hand.right_first else (LEFT, RIGHT)
        self.show(first)
        self._stage(hand, "left")
        self._decide(hand, "bet_2")
        self.show(second)
        self._stage(hand, "right")
        for seat in hand.settling or hand.seats[::-1]:
            self._settle(hand, seat)
        self._stage(hand, "settled")
        self._gather(hand)
        self._stage(hand, "gathered")

    def _stage(self, hand: Hand, stage: str) -> None:
        for hook in hand.hooks.get(stage, ()):
            hook(self, hand)

    def _deal(self, hand: Hand) -> None:
        self.names, self.faces, self.shown = {}, {}, set()
        for place, (where, card) in enumerate(hand.order):
            self._stage(hand, f"card {place}")
            self.lay(where, card, up=place in hand.up)

    def lay(self, where: str, card: str, *, up: bool = False) -> str:
        """Deal a card."""
        name = self.scribe.deal(f"hand {where}", card, Face.UP if up else Face.DOWN, hand=DEALER)
        self.names.setdefault(where, []).append(name)
        self.faces[name] = card
        if up:
            self.shown.add(name)
        return name

    def show(self, where: str) -> None:
        """The dealer turns all cards of a hand that lie face down."""
        for name in self.names.get(where, []):
            if name not in self.shown:
                self.shown.add(name)
                self.scribe.turn(name, self.faces[name], DEALER)

    def clear(self, box: str, *, by_dealer: bool = False) -> None:
        """The chips of a box are taken."""
        if self.lying.pop(box, None) is not None:
            self.scribe.chips(box, hand=DEALER if by_dealer else player(seat_of(box)))

    def _decide(self, hand: Hand, bet: str) -> None:
        for box in sorted(hand.pulls, key=lambda box: hand.seats.index(seat_of(box))):
            if box.endswith(bet):
                self.clear(box)

    def _settle(self, hand: Hand, seat: int) -> None:
        self.show(f"seat_{seat}")
        for bet in BETS:
            box = f"seat {seat} {bet}"
            if box not in self.lying:
                continue
            gain = hand.gain(box)
            if gain > 0:
                pile = self.pile(gain, (45.0, 0.0))
                self.scribe.chips(box, self.lying[box], pile, hand=DEALER, wait_s=0.5)
            elif gain < 0:
                self.clear(box, by_dealer=True)

    def _gather(self, hand: Hand) -> None:
        self.scribe.t += 1.0
        gone = self.scribe.cards[: len(self.scribe.cards) - hand.leave]
        for name, spot in gone:
            self.scribe.see(
                CardCleared(seq=0, t=0, card_id=name, spot=spot, to_spot="discard", hand=DEALER), wait_s=0.2
            )
        self.scribe.cards = self.scribe.cards[len(gone) :]
        self.scribe.t += 9.0
        for box in list(self.lying):
            self.lying.pop(box)
            self.scribe.chips(box, hand=player(seat_of(box)), wait_s=0.3)
