"""The table: writes one coup after the other into the journal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from datasets.games.banque_deux_tableaux.cards import HANDS, Bet
from datasets.games.banque_deux_tableaux.coup import Coup, CueText
from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Face
from rules.events import CardCleared, CardPlaced, ChipMove, ShoeExit, Stack

LAST = 302
"""Cards that leave a shoe before its cut card."""
_CHIPS = (1000, 500, 100, 50, 10, 5, 1)


def chips(amount: int) -> list[int]:
    """Chips of this value, the largest below."""
    made = []
    for chip in _CHIPS:
        made += [chip] * (amount // chip)
        amount %= chip
    return made


def seat_of(spot: str) -> int | None:
    """The seat of a betting box."""
    return int(spot.split()[1]) if spot.startswith("seat") else None


@dataclass
class Table:
    """``rate``: the house's part of what the bank wins. ``told``: cues that are told here."""

    rate: Fraction
    told: frozenset[str]
    scribe: Scribe = field(default_factory=Scribe)
    bank: int = 0
    out: int = 0
    """Cards that have left the shoe."""
    cut_out: bool = False
    """The cut card has come out."""
    _stacks: int = 0
    _cards: int = 0
    _names: dict[str, list[str]] = field(default_factory=dict)

    def new_shoe(self) -> None:
        """A new shoe is put in place."""
        self.out, self.cut_out = 0, False
        self.scribe.cue("new_shoe")
        self.scribe.cut_card("table")

    def put_bank(self, amount: int) -> None:
        """So much lies in the bank."""
        self.bank = amount
        pile = [self._stack(amount, (900.0, 100.0 + 60 * (self._stacks % 2)))] if amount else []
        self.scribe.chips("bank", *pile, hand=DEALER)

    def _stack(self, amount: int, at: tuple[float, float] = (0.0, 0.0), line: str | None = None) -> Stack:
        self._stacks += 1
        return stack(f"s{self._stacks}", *chips(amount), at=at, line=line)

    def _say(self, cues: list[CueText]) -> None:
        for cue, value, spot in cues:
            self.scribe.cue(cue, value, spot)

    def play(self, coup: Coup) -> None:
        """One coup from the bets to the cards' gathering."""
        lying = self._bet(coup)
        self._say(coup.early)
        if coup.deposit is not None:
            self.put_bank(coup.deposit)
        self._say(coup.before_deal)
        self.scribe.cue("no_more_bets")
        self._deal(coup)
        self._hold(coup)
        if coup.late_bet:
            bet = coup.bets[0]
            self.scribe.chips(bet.spot, lying[0], self._stack(50, (25.0, 25.0)), hand=player(1))
        if coup.pulled_bet:
            self.scribe.chips(coup.bets[0].spot, hand=player(1))
        self._third_cards(coup)
        if coup.early_settling:
            self._settle(coup, lying, slice(0, 1))
        self._show(coup)
        if coup.cut_card:
            self.scribe.cut_card()
            self.cut_out = not coup.plays_on
        self._settle(coup, lying, slice(1 if coup.early_settling else 0, None))
        self._books(coup)
        self._say(coup.after)
        self.scribe.sweep(to=coup.discards, hand=DEALER)
        self.scribe.t += 10.0
        for bet in coup.bets:
            self.scribe.chips(bet.spot, hand=player(seat_of(bet.spot) or 1), wait_s=0.3)

    def _bet(self, coup: Coup) -> list[Stack]:
        lying = []
        for bet in coup.bets:
            line = None if bet.line is None else f"{bet.spot}:{bet.line}"
            pile = self._stack(bet.amount, line=line)
            bet.name = pile.stack
            lying.append(pile)
            self.scribe.chips(bet.spot, pile, hand=player(seat_of(bet.spot) or 1), wait_s=0.4)
        return lying

    # the cards --------------------------------------------------------------------------------------------

    def _deal(self, coup: Coup) -> None:
        self._names = {hand: [] for hand in HANDS}
        left = {hand: list(cards) for hand, cards in coup.cards.items()}
        if coup.spoilt:
            self._spoilt_card()
        for number, hand in enumerate(coup.order, start=1):
            source = hand if left[hand] else next(h for h in HANDS if left[h])
            up = number in coup.shown
            mouth = "up" if coup.spoilt_played and number == 1 else "down"
            card = left[source].pop(0)
            if coup.stuck and number == 2:
                name = self._lay(hand, card, up, None, coup)
            else:
                name = self._lay(hand, card, up, mouth, coup, stuck=coup.stuck and number == 1)
            if coup.fallen == number:
                self._clear(name, hand, None)

    def _spoilt_card(self) -> None:
        name = self.scribe.next_card()
        self._cards += 1
        self.scribe.see(ShoeExit(seq=0, t=0, card_id=name, face="up"))
        self.scribe.see(
            CardPlaced(seq=0, t=0, card_id=name, spot="discard", face="up", card="Kc", hand=DEALER)
        )

    def _lay(
        self, hand: str, card: str, up: bool, mouth: str | None, coup: Coup, *, stuck: bool = False
    ) -> str:
        """Lay a card. ``mouth``: the side it shows as it leaves the shoe, None: it left with the one before;
        ``stuck``: the next one leaves with it."""
        self._cards += 1
        name = f"c{self._cards}"
        if mouth is not None:
            self._exit(name, mouth)
        if stuck:
            self._exit(f"c{self._cards + 1}", "down", wait_s=0.02)
        index = len(self._names[hand])
        at = (HANDS.index(hand) * 400.0 + (index if not coup.piled else 0) * 80.0, 0.0)
        by = player(3) if coup.carried_by_player and hand != "banca" else DEALER
        self.scribe.deal(
            f"hand {hand}", card, Face.UP if up else Face.DOWN, hand=None if hand == "banca" else by, at=at
        )
        self._names[hand].append(name)
        return name

    def _exit(self, name: str, face: str, wait_s: float | None = None) -> None:
        """A card leaves the shoe, and after the last before it the cut card."""
        side: Literal["up", "down"] = "up" if face == "up" else "down"
        self.scribe.see(ShoeExit(seq=0, t=0, card_id=name, face=side), wait_s=wait_s)
        self.out += 1
        if self.out == LAST:
            self.scribe.cut_card()
            self.cut_out = True

    def _clear(self, name: str, hand: str, seat: int | None) -> None:
        by = DEALER if seat is None else player(seat)
        self.scribe.see(
            CardCleared(seq=0, t=0, card_id=name, spot=f"hand {hand}", to_spot="discard", hand=by)
        )
        self.scribe.cards = [(known, at) for known, at in self.scribe.cards if known != name]

    def _hold(self, coup: Coup) -> None:
        order = (1, 0) if coup.look_first else (0, 1)
        for tableau in order:
            hand, seat = HANDS[tableau], coup.seats[tableau]
            for name in self._names[hand]:
                self.scribe.touch(f"hand {hand}", player(seat), target=name, seconds=0.5)
            if coup.other_holder is not None and tableau == 0:
                by = player(coup.other_holder)
                self.scribe.touch(f"hand {hand}", by, target=self._names[hand][0], seconds=0.5)
            if coup.look_first:
                self.scribe.t += 1.0
        if coup.taken_off:
            name = self._names[HANDS[0]][0]
            self.scribe.move(name, "off table", player(coup.seats[0]))
            self.scribe.move(name, f"hand {HANDS[0]}", player(coup.seats[0]))
        if coup.floor is not None:
            name = self._names[HANDS[1]][0]
            self.scribe.move(name, "off table")
            self.scribe.cue("picked_up", coup.floor)
            self.scribe.move(name, f"hand {HANDS[1]}")
        if coup.thrown is not None:
            for name in self._names[coup.thrown]:
                self._clear(name, coup.thrown, coup.seats[0])

    def _third_cards(self, coup: Coup) -> None:
        if "says" in self.told:
            for hand, word in coup.says:
                self.scribe.cue("says", word, f"hand {hand}")
        self._say(coup.late)
        laid: dict[str, str] = {}
        for hand, card in coup.thirds:
            name = self._lay(hand, card, not coup.dark_third, "down", coup)
            laid.setdefault(hand, name)
        for source, target in coup.moved:
            name = laid.pop(source)
            self.scribe.move(name, f"hand {target}", DEALER)
            self._names[source].remove(name)
            self._names[target].append(name)

    def _show(self, coup: Coup) -> None:
        lying = {name for name, _ in self.scribe.cards}
        for hand in HANDS:
            cards = coup.cards[hand]
            for index, name in enumerate(self._names[hand][:2]):
                if name in lying and self._dark(name):
                    self.scribe.turn(name, cards[index] if index < len(cards) else None)
        for hand, card in coup.thirds:
            for name in self._names[hand][2:]:
                if coup.dark_third and self._dark(name):
                    self.scribe.turn(name, card)

    def _dark(self, name: str) -> bool:
        return not any(
            isinstance(event, CardPlaced) and event.card_id == name and event.face == "up"
            for event in self.scribe.events[-80:]
        )

    # the chips --------------------------------------------------------------------------------------------

    def _settle(self, coup: Coup, lying: list[Stack], part: slice) -> None:
        for bet, pile in list(zip(coup.bets, lying, strict=True))[part]:
            if coup.pulled_bet and bet is coup.bets[0]:
                continue
            gain = coup.gain(bet)
            if gain > 0:
                pay = self._stack(gain, (45.0, 0.0))
                more = [self._stack_of_late(coup, bet)] if coup.late_bet and bet is coup.bets[0] else []
                self.scribe.chips(bet.spot, pile, *more, pay, hand=DEALER)
            elif gain < 0:
                rest = bet.amount + gain
                left = [self._rest(pile, rest)] if rest > 0 else []
                self.scribe.chips(bet.spot, *left, hand=DEALER)

    def _rest(self, pile: Stack, rest: int) -> Stack:
        """What is left of a bet on a line: a stack beside it, or the same one in other chips."""
        if self._stacks % 2:
            return self._stack(rest, (0.0, 20.0), pile.line)
        return stack(pile.stack, *chips(rest), at=pile.at_mm, line=pile.line)

    def _stack_of_late(self, _coup: Coup, bet: Bet) -> Stack:
        last = [e for e in self.scribe.events if e.kind == "chip_state" and e.spot == bet.spot][-1]
        return last.stacks[-1]

    def _books(self, coup: Coup) -> None:
        """What the bank wins or loses, and the house's part."""
        won = -sum(coup.gain(bet) for bet in coup.bets)
        due = max(0, math.floor(self.rate * won))
        deduction = due if coup.deduction is None else coup.deduction
        if deduction:
            self.scribe.see(
                ChipMove(seq=0, t=0, from_spot="bank", to_spot="cagnotte", value=str(deduction), hand=DEALER)
            )
        if coup.joins and won:
            self.put_bank(max(0, self.bank + won - deduction))
