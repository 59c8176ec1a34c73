"""A state casino's table at play: pass after pass, as its payers and players would tell the rules."""

from __future__ import annotations

import random

from datasets.games.base import PlayedRound
from datasets.games.punto_banco_uruguay.cards import banca_takes, total
from datasets.games.punto_banco_uruguay.felt import SEATS, Felt, hand_of
from datasets.games.punto_banco_uruguay.plan import Bet, Plan, random_bets
from datasets.games.punto_banco_uruguay.settling import settle
from datasets.games.scribe import DEALER, player
from rules.cards import Face
from rules.events import Cue


class Table:
    """One session at a table. ``told``: cues that are told here. ``packs``: in the shoe. ``felt``: where
    other sessions were before, with so many passes (``dealt``)."""

    def __init__(
        self,
        rng: random.Random,
        told: frozenset[str],
        packs: int = 6,
        *,
        felt: Felt | None = None,
        dealt: int = 0,
    ) -> None:
        self.rng, self.told, self.packs, self.dealt = rng, told, packs, dealt
        self.felt = felt or Felt(rng)
        self.scribe = self.felt.scribe
        self.plan = Plan()
        self.holder: int | None = None
        self.origin, self.start, self.won = "turn", 0, 0
        self.passes = 0
        self.cut_seen = False
        self.bets: list[Bet] = []
        self.stacks: dict[str, list[str]] = {}
        self.hands: dict[str, list[str]] = {}
        self.aside: list[str] = []
        self.lost = False
        self.rounds: list[PlayedRound] = []
        self.begun = 0

    # cues -------------------------------------------------------------------------------------------------

    def cue(self, name: str, content: str | None = None, spot: str | None = None) -> None:
        """Something is told, if it is told at this table and nobody forgets it."""
        if name not in self.plan.drop:
            self.scribe.cue(name, content, spot)

    def listed(self, name: str, content: str | None = None, spot: str | None = None) -> None:
        """The same, for what is told only where the profile lists it."""
        if name in self.told:
            self.cue(name, content, spot)

    def act(self, moment: str) -> None:
        """What a fault has happen at this moment."""
        if moment in self.plan.acts:
            self.plan.acts[moment](self)

    # a shoe -----------------------------------------------------------------------------------------------

    def new_shoe(self) -> None:
        """The packs are shown, shuffled and cut, and the shoe is filled."""
        felt = self.felt
        for _ in range(self.packs):
            felt.show_pack("Ah")
        self.act("packs")
        self.listed("lluvia")
        self.listed("ensalada")
        for payer in "222111":
            self.listed("baraje", payer)
        self.act("shuffled")
        self.listed("calado")
        felt.new_shoe(self.packs)
        self.cut_seen = False
        self.scribe.cue("new_shoe")

    def open_bank(self) -> None:
        """The first bank: by auction, where that is told here."""
        bids = [(2, 100), (5, 200), (9, 400)]
        self.holder, self.origin = self.rng.choice(SEATS), "turn"
        if "remate" in self.told and self.plan.remate:
            self.cue("remate")
            for seat, amount in bids:
                self.cue("bid", str(amount), f"seat {seat} shoe")
            self.holder, self.origin = bids[-1][0], "remate"
        self.won, self.start = 0, 0

    def left_of_holder(self) -> int:
        """Who sits at the left of the player with the shoe."""
        holder = self.holder or 1
        before = [seat for seat in SEATS if seat < holder]
        return max(before) if before else max(SEATS)

    def next_right(self, seat: int) -> int:
        """Who plays next at the right of a seat."""
        after = [other for other in SEATS if other > seat]
        return min(after) if after else min(SEATS)

    def pass_shoe(self) -> None:
        """Banca lost: the shoe goes on to the right, and the free seats that it passes are called."""
        seat = self.holder or 0
        chosen = self.plan.holder if self.plan.holder is not None else self.next_right(seat)
        if self.passes >= 3 and chosen not in (seat, 0):
            step = seat
            while (step := step % 16 + 1) != chosen:
                if step not in SEATS:
                    self.listed("free_seat", None, f"seat {step} shoe")
        self.holder = chosen or None
        self.origin, self.won, self.start = "turn", 0, 0

    @property
    def over(self) -> bool:
        """Whether the session was ended."""
        since = self.scribe.events[self.begun :]
        return any(isinstance(event, Cue) and event.cue == "session_end" for event in since)

    def close(self) -> None:
        """The session ends: the cards are mixed, and everybody takes his chips."""
        if not self.over:
            self.scribe.cue("session_end")
            self.felt.wait(1.0)
            self.scribe.cue("cards_mixed")
        self.scribe.sweep(hand=DEALER)
        for spot in list(self.felt.boxes):
            self._take_up(spot)
        self.felt.wait(60.0)

    # a pass -----------------------------------------------------------------------------------------------

    def play(self, plan: Plan) -> None:
        """One pass, from the bets to the gathering of the cards."""
        self.plan, self.begun = plan, len(self.scribe.events)
        felt, first = self.felt, self.passes == 0
        fresh = (
            first or (len(felt.shoe) < 20 and self.packs > 1) or self.cut_seen
        ) and not plan.skip_new_shoe
        self.act("start")
        if fresh:
            self.new_shoe()
        if first:
            self.open_bank()
        elif self.lost or plan.holder is not None:
            self.pass_shoe()
        self.lost = False
        if fresh:
            seat = self.left_of_holder()
            self.cue("cards_cut", "100", f"seat {seat} shoe")
        felt.place_shoe(self.holder, plan.angle_deg)
        self.passes += 1
        self.act("before")
        self._stake()
        self._bet()
        self.act("staked")
        self.listed("no_more_bets")
        felt.wait(1.0)
        self.act("closed")
        for card in plan.cards:
            if card in felt.shoe:
                felt.shoe.remove(card)
        felt.shoe += reversed(plan.cards)
        self._deal()
        self._show()
        self._draw()
        felt.wait(0.5)
        self.act("drawn")
        side = self.result
        self.listed("winner_announced", side)
        self.act("result")
        if plan.void:
            self.cue("coup_void")
        felt.wait(1.0)
        if plan.sweep_first:
            self._sweep()
        if not plan.void:
            settle(self, plan.winner or side)
        felt.wait(1.0)
        self.act("paid")
        if not plan.sweep_first:
            self._sweep()
        self.act("swept")
        self._leave()
        if not plan.void:
            self.won += side == "banca"
            self.lost = side == "punto"
        self._note(side)
        felt.wait(4.0)

    @property
    def sabot(self) -> str:
        """Where the shoe's stake lies."""
        return f"seat {self.holder} sabot"

    def _stake(self) -> None:
        if self.holder is None or self.felt.value(self.sabot):
            return
        amount = self.plan.stake or self.rng.choice((200, 400, 500, 600, 800))
        self.felt.put(self.sabot, amount, player(self.holder))
        self.start = amount

    def _bet(self) -> None:
        self.bets = random_bets(self.rng, self.holder) if self.plan.bets is None else self.plan.bets
        self.stacks = {}
        for bet in self.bets:
            line = f"{bet.spot}:outline" if bet.line else None
            types = ("sale",) if bet.sale else ()
            hand = None if bet.seat is None else player(bet.seat)
            name = self.felt.put(bet.spot, bet.value, hand, line=line, types=types)
            self.stacks.setdefault(bet.spot, []).append(name)

    # cards ------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        self.hands = {"punto": [], "banca": []}
        self.aside = []
        for number, hand in enumerate(self.plan.order):
            self.act(f"card-{number + 1}")
            at = (100.0 + 70 * len(self.hands[hand]), 100.0 if hand == "punto" else 300.0)
            self.hands[hand].append(self.felt.draw(f"hand {hand}", hand_of(self.holder), at=at))
        self.act("dealt")

    def viewer(self) -> int | None:
        """Who sees punto's cards: the highest punto bet, from the shoe's right; nobody has it: the dealer."""
        worth: dict[int, int] = {}
        both = {bet.seat for bet in self.bets if bet.side == "banca"} | {self.holder}
        for bet in self.bets:
            if bet.side == "punto" and bet.seat is not None and bet.seat not in both:
                worth[bet.seat] = worth.get(bet.seat, 0) + bet.value
        holder = self.holder or 0
        order = sorted(worth, key=lambda seat: (-worth[seat], (seat - holder - 1) % 16))
        return order[0] if order else None

    def _show(self) -> None:
        seat = self.plan.viewer if self.plan.viewer is not None else self.viewer()
        turns = [
            [(self.hands["punto"][0], hand_of(seat), 0.8), (self.hands["punto"][1], hand_of(seat), 0.0)],
            [(name, hand_of(self.holder), 0.5) for name in self.hands["banca"][:2]],
        ]
        turns[0][1] = (self.hands["punto"][1], hand_of(seat), self.plan.turn_apart_s)
        for group in reversed(turns) if self.plan.banca_first else turns:
            for name, hand, wait_s in group:
                self.felt.turn(name, hand, wait_s)
        self.act("shown")

    def cards_of(self, hand: str) -> list[str]:
        """What a hand's cards are."""
        return [self.felt.lying[name] for name in self.hands[hand]]

    def _draw(self) -> None:
        punto, banca = total(self.cards_of("punto")[:2]), total(self.cards_of("banca")[:2])
        natural = punto >= 8 or banca >= 8
        chooses = punto == 5 and any(bet.side == "punto" for bet in self.bets)
        takes = not natural and (punto < 5 or (chooses and self.rng.random() < 0.5))
        takes = takes if self.plan.third is None else self.plan.third
        if chooses and not natural:
            seat = self.viewer()
            if seat is not None:
                self.cue("punto_wish", "cartas" if takes else "planto", f"seat {seat} punto")
        self.act("asked")
        if takes:
            self._third("punto")
        self.act("punto-third")
        given = self.cards_of("punto")[2] if len(self.hands["punto"]) > 2 else None
        due = not natural and banca_takes(banca, given)
        if due if self.plan.banca_third is None else self.plan.banca_third:
            self._third("banca")

    def _third(self, hand: str) -> None:
        if self.aside:
            name = self.aside.pop(0)
            self.scribe.move(name, f"hand {hand}", DEALER)
            self.felt.turn(name, DEALER)
        else:
            at = (100.0 + 70 * len(self.hands[hand]), 100.0 if hand == "punto" else 300.0)
            if self.plan.overlap:
                at = (at[0] - 70 + 5, at[1])
            name = self.felt.draw(f"hand {hand}", hand_of(self.holder), Face.UP, at=at)
        self.hands[hand].append(name)

    @property
    def result(self) -> str:
        """Who won."""
        punto, banca = total(self.cards_of("punto")), total(self.cards_of("banca"))
        return "empate" if punto == banca else "punto" if punto > banca else "banca"

    def _sweep(self) -> None:
        self.scribe.sweep(hand=DEALER)

    def _leave(self) -> None:
        """Everybody takes his chips; the bank stays."""
        self.felt.wait(1.0)
        for spot in [spot for spot in self.felt.boxes if not spot.endswith("sabot") and spot != "table"]:
            self._take_up(spot)
        self.felt.clear("table", None)

    def _take_up(self, spot: str) -> None:
        """What lies at a spot is taken up, at a seat by its player."""
        self.felt.clear(spot, player(int(spot.split()[1])) if spot.startswith("seat") else None)

    def _note(self, side: str) -> None:
        cards = {hand: tuple(self.cards_of(hand)) for hand in ("punto", "banca")}
        winner = "tie" if side == "empate" else side
        self.rounds.append(PlayedRound(coup=self.dealt + self.passes, cards=cards, result={"winner": winner}))
