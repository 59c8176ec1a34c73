"""A table at which plans are played: every action is written down as a perfect observer sees it."""

from __future__ import annotations

import random

from datasets.games.punto_banco.cards import HANDS, burned_by, new_shoe
from datasets.games.punto_banco.plan import Bet, House, Plan, chips_for
from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Card, Face
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardTurned,
    ChipMove,
    Hand,
    MarkerSeen,
    Owner,
    ShoeExit,
    Stack,
)

PREPARATION = ("cards_counted", "cards_shuffled", "cards_cut")


class Table:
    """One table. ``shoe``: cards to come, the next first. ``seat``: where the shoe stands (large tables)."""

    def __init__(self, house: House, rng: random.Random) -> None:
        self.house, self.rng = house, rng
        self.scribe = Scribe()
        self.shoe: list[Card] = []
        self.cut_out = False
        self.seat = 1
        self.left: list[tuple[str, str]] = []
        self.seen: list[Card] = []
        self._out: set[str] = set()
        self._names = 0

    # the shoe ---------------------------------------------------------------------------------------------

    def open_shoe(
        self,
        *,
        burn_error: int = 0,
        astray: bool = False,
        unburned: bool = False,
        left_out: str | None = None,
    ) -> None:
        """A new shoe, prepared and burned; the error is in the number of burned cards, or where one goes, or
        that none is burned."""
        scribe, house = self.scribe, self.house
        for cue in PREPARATION:
            if cue in house.cues and cue != left_out:
                scribe.cue(cue)
        scribe.cue("new_shoe")
        self.shoe, self.cut_out = new_shoe(self.rng, house.packs), False
        if not house.burns or unburned:
            return
        first = self.shoe.pop(0)
        shown = self._place(first, "burn", Face.UP, DEALER, wait_s=0.5)
        for number in range(max(1, burned_by(first) + burn_error)):
            name = self._place(self.shoe.pop(0), "burn", Face.DOWN, DEALER, wait_s=0.5)
            self._clear(name, "burn", "table" if astray and number == 0 else "discard")
        self._clear(shown, "burn", "discard")

    def carry_shoe(self, to: int, hand: Hand) -> None:
        """The shoe is put down at another seat."""
        self.seat = to
        self.scribe.marker(MarkerSeen(seq=0, t=0, marker="shoe", spot=f"seat {to} shoe", hand=hand))

    def _draw(self, card: Card, spot: str, face: Face, hand: Hand, *, together: bool = False) -> str:
        """The shoe's next card goes to a spot (``together``: and another comes out with it); the cut card
        shows when it lies next."""
        name = self._exit(0.6)
        if together:
            self._exit(0.0)
        self._place(card, spot, face, hand, wait_s=0.4)
        self.shoe.pop(self.shoe.index(card) if card in self.shoe else 0)
        self.seen.append(card)
        if len(self.shoe) == self.house.below:
            self.show_cut_card()
        return name

    def _exit(self, wait_s: float) -> str:
        """The next card that is not out yet leaves the shoe."""
        name = f"c{self._names + 1}"
        if name in self._out:
            name_out, self._out = name, set()
            return name_out
        if wait_s == 0.0:
            name = f"c{self._names + 2}"
            self._out.add(name)
        self.scribe.see(ShoeExit(seq=0, t=0, card_id=name), wait_s=wait_s)
        return name

    def show_cut_card(self) -> None:
        """The cut card comes out."""
        self.scribe.cut_card()
        self.cut_out = True

    def _place(self, card: Card, spot: str, face: Face, hand: Hand, *, wait_s: float) -> str:
        self._names += 1
        name = f"c{self._names}"
        read = str(card) if face is Face.UP else None
        event = CardPlaced(seq=0, t=0, card_id=name, spot=spot, face=face.value, card=read, hand=hand)
        self.scribe.see(event, wait_s=wait_s)
        return name

    def _clear(self, name: str, spot: str, to: str) -> None:
        event = CardCleared(seq=0, t=0, card_id=name, spot=spot, to_spot=to, hand=DEALER)
        self.scribe.see(event, wait_s=0.3)

    # a coup -----------------------------------------------------------------------------------------------

    def run(self, plan: Plan) -> None:
        """Play a coup as planned."""
        self._say(plan, "game_announced")
        for bet in plan.bets:
            self._show(bet, player(bet.seat))
            if bet.standing:
                self.scribe.cue("standing_bet", spot=bet.spot)
        if not plan.late_close:
            self._say(plan, "no_more_bets")
        self._say(plan, "cards_called")
        lying = self._deal(plan)
        self._say(plan, "winner_announced")
        self._post(plan)
        if plan.void:
            self.scribe.cue("coup_void")
            if plan.settle_void:
                self._settle(plan)
            self._sweep(plan, lying)
        elif plan.sweep_first:
            self._collect(plan)
            self._sweep(plan, lying)
            self._pay(plan)
        else:
            self._settle(plan)
            self._tip(plan)
            self._sweep(plan, lying)
        self._take_home(plan)

    def _say(self, plan: Plan, cue: str) -> None:
        if plan.said.get(cue) is not None:
            self.scribe.cue(cue, plan.said[cue] or None)

    def _show(self, bet: Bet, hand: Hand, chips: tuple[int, ...] | None = None) -> None:
        """What lies in a box: the bet, or these chips of it."""
        stacks = bet.stacks if chips is None else [chips]
        told = [_stack(bet, number, chips) for number, chips in enumerate(stacks, start=1) if chips]
        self.scribe.chips(bet.spot, *told, hand=hand, wait_s=0.4)

    def _deal(self, plan: Plan) -> list[tuple[str, str]]:
        """The cards, dealt and shown; returns where each lies."""
        dealer = DEALER if plan.holder is None else player(plan.holder)
        waits = {"punto": "hand punto", "banca": plan.waits if plan.holder is not None else "hand banca"}
        names: list[str] = []
        at: dict[str, str] = {}
        for number, (hand, card) in enumerate(plan.deal.cards[:4], start=1):
            face = Face.UP if number in plan.exposed else Face.DOWN
            together = plan.stuck and number == 1
            names.append(self._draw(card, waits[hand], face, dealer, together=together))
            at[names[-1]] = waits[hand]
            if number == 1:
                self._left_behind()
                if plan.late_close:
                    self._say(plan, "no_more_bets")
            if number == 2:
                self._change_bets(plan)
                if plan.cut_now:
                    self.show_cut_card()
        if plan.toucher is not None:
            hand, seat = plan.toucher
            index = next(i for i, (name, _) in enumerate(plan.deal.cards) if name == hand)
            self.scribe.touch(at[names[index]], player(seat), target=names[index], seconds=0.3)
        for hand in HANDS[::-1] if plan.banca_first else HANDS:
            self._turn(plan, hand, names, at)
            self._say(plan, f"{hand}_announced")
        for hand, card in plan.deal.cards[4:]:
            name = self._draw(card, f"hand {hand}", Face.UP, DEALER)
            names.append(name)
            at[name] = f"hand {hand}"
        return [(name, at[name]) for name in names]

    def _turn(self, plan: Plan, hand: str, names: list[str], at: dict[str, str]) -> None:
        """A hand's two cards go to whoever shows them, are turned, and are laid before the dealer."""
        seat = plan.shower if hand == "punto" else plan.banca_turner or plan.holder
        by = DEALER if seat is None else player(seat)
        mine = [index for index, (name, _) in enumerate(plan.deal.cards[:4]) if name == hand]
        if hand == "punto" and seat is not None:
            for index in mine:
                self._move(names[index], at, f"hand seat_{seat}", DEALER)
        for index in mine:
            if index + 1 in plan.exposed:
                continue
            name, card = names[index], str(plan.deal.cards[index][1])
            event = CardTurned(seq=0, t=0, card_id=name, spot=at[name], face="up", card=card, hand=by)
            self.scribe.see(event, wait_s=0.5)
        for index in mine:
            self._move(names[index], at, plan.lays[hand], DEALER)

    def _move(self, name: str, at: dict[str, str], to: str, hand: Hand) -> None:
        if at[name] == to:
            return
        event = CardMoved(seq=0, t=0, card_id=name, from_spot=at[name], to_spot=to, hand=hand)
        self.scribe.see(event, wait_s=0.4)
        at[name] = to

    def _left_behind(self) -> None:
        """A card of the coup before is taken away only now."""
        for name, spot in self.left:
            self._clear(name, spot, "discard")
        self.left = []

    def _change_bets(self, plan: Plan) -> None:
        for bet in plan.bets:
            if bet.changed is not None:
                self._show(bet, player(bet.seat), bet.changed)
                bet.stacks = [bet.changed]

    def _post(self, plan: Plan) -> None:
        for bet in plan.bets:
            if bet.posted:
                bet.stacks = [(*bet.stacks[0], *bet.posted), *bet.stacks[1:]]
                self._show(bet, player(bet.seat))

    def _sweep(self, plan: Plan, lying: list[tuple[str, str]]) -> None:
        self.scribe.t = round(self.scribe.t + 2.0, 3)
        for number, (name, spot) in enumerate(lying):
            if plan.leave_card and number == 0:
                self.left.append((name, spot))
            else:
                self._clear(name, spot, plan.sweep_to.get(number, "discard"))

    # chips ------------------------------------------------------------------------------------------------

    def _settle(self, plan: Plan) -> None:
        if plan.pay_first:
            paid = plan.of("paid")
            self._pay_one(plan, paid[0])
            self._collect(plan)
            for bet in paid[1:]:
                self._pay_one(plan, bet)
        else:
            self._collect(plan)
            self._pay(plan)

    def _hand_at(self, plan: Plan, bet: Bet) -> Hand:
        """The hand of the dealer who works at a bet's side."""
        sides = self.house.sides
        if sides is None:
            return DEALER
        own = "left" if bet.seat in sides["left"] else "right"
        other = "right" if own == "left" else "left"
        side = other if bet.spot == plan.wrong_side else own
        return Hand(Owner.DEALER, side="left" if side == "left" else "right")

    def _collect(self, plan: Plan) -> None:
        for bet in plan.of("taken"):
            if bet.line and not bet.line_whole:
                bet.stacks, bet.line = [chips_for(bet.value // 2)], True
                self._show(bet, self._hand_at(plan, bet))
            elif any(bet.stacks):
                bet.stacks = []
                self.scribe.chips(bet.spot, hand=self._hand_at(plan, bet), wait_s=0.8)

    def _pay(self, plan: Plan) -> None:
        for bet in plan.of("paid"):
            self._pay_one(plan, bet)

    def _pay_one(self, plan: Plan, bet: Bet) -> None:
        """Chips beside the bet; or par, and a chip taken back for the commission, with change given."""
        hand = self._hand_at(plan, bet)
        stakes = [_stack(bet, number, chips) for number, chips in enumerate(bet.stacks, start=1)]
        chips = chips_for(bet.pays if bet.par_first is None else bet.value)
        payment = stack(f"{bet.spot} p", *chips, at=(0.0, 60.0))
        self.scribe.chips(bet.spot, *stakes, payment, hand=hand, wait_s=0.8)
        if bet.par_first is not None:
            given = min(chip for chip in chips if chip >= bet.par_first)
            kept = list(chips)
            kept.remove(given)
            rest = [
                stack(f"{bet.spot} {name}", *left, at=(0.0, y))
                for name, left, y in (("p", kept, 60.0), ("c", chips_for(given - bet.par_first), 90.0))
                if left
            ]
            self.scribe.chips(bet.spot, *stakes, *rest, hand=hand, wait_s=0.8)

    def _tip(self, plan: Plan) -> None:
        if plan.tip is None:
            return
        self.scribe.cue("tip")
        move = ChipMove(seq=0, t=0, from_spot="table", to_spot=plan.tip, hand=DEALER)
        self.scribe.see(move, wait_s=0.5)

    def _take_home(self, plan: Plan) -> None:
        """The players take what is theirs."""
        for bet in plan.bets:
            if any(bet.stacks):
                self.scribe.chips(bet.spot, hand=player(bet.seat), wait_s=0.3)


def _stack(bet: Bet, number: int, chips: tuple[int, ...]) -> Stack:
    line = "outline" if bet.line else None
    return stack(f"{bet.spot} {number}", *chips, at=(30.0 * number, 0.0), line=line)
