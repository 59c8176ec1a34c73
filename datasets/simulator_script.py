"""The physical script: hands, chips and cards in time, as a dealer and players go through a plan."""

from __future__ import annotations

import random
from dataclasses import dataclass

from datasets.simulator_chips import beside, make_amount
from datasets.simulator_plan import Bet, Plan
from datasets.simulator_table import Point, TableGeometry
from datasets.simulator_types import (
    Action,
    DealCard,
    ErrorKind,
    LiftChips,
    PlaceChips,
    SweepCard,
    TrueBet,
    TrueCoup,
    TrueError,
    TurnCard,
)
from rules.cards import Card, Face
from rules.events import Hand, Owner
from rules.spots import Spot, hand_spot

DEALER = Hand(Owner.DEALER)


@dataclass(slots=True)
class Stack:
    """Chips that stand on the table. ``bet``: still as its player put it."""

    name: str
    spot: Spot
    denominations: tuple[int, ...]
    at_mm: Point
    line: str | None
    bet: bool


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card on the felt."""

    card_id: str
    card: Card
    spot: Spot
    at_mm: Point


class Script:
    """Writes actions, keeping the clock and what stands on the table."""

    def __init__(self, geometry: TableGeometry, rng: random.Random, initial_face: Face) -> None:
        self.geometry, self.rng, self.initial_face = geometry, rng, initial_face
        self.actions: list[Action] = []
        self.t = 0.0
        self.board: dict[str, Stack] = {}
        self.lying: list[LyingCard] = []
        self._cards = self._stacks = 0

    def wait(self, low_s: float, high_s: float) -> float:
        """Let time pass; returns the new time."""
        self.t = round(self.t + self.rng.uniform(low_s, high_s), 2)
        return self.t

    def card_id(self) -> str:
        """A name for the next card."""
        self._cards += 1
        return f"c{self._cards}"

    def stack_name(self) -> str:
        """A name for the next stack."""
        self._stacks += 1
        return f"s{self._stacks}"

    # chips ------------------------------------------------------------------------------------------------

    def put(self, hand: Hand, stack: Stack, t: float, *, initial: bool = False) -> None:
        """A new stack is put down, released at ``t``."""
        self.board[stack.name] = stack
        start = self.geometry.float_mm if hand.owner is Owner.DEALER else self._seat_edge(stack.spot)
        self.actions.append(
            PlaceChips(
                t_from=t if initial else round(t - 0.75, 2),
                t=t,
                t_to=t if initial else round(t + 0.55, 2),
                hand=hand,
                stack=stack.name,
                spot=stack.spot,
                denominations=stack.denominations,
                at_mm=stack.at_mm,
                from_mm=start,
                line=stack.line,
                initial=initial,
            )
        )

    def add_on_top(self, hand: Hand, name: str, chips: tuple[int, ...], t: float) -> None:
        """Chips are put on top of a stack."""
        stack = self.board[name]
        stack.denominations += chips
        self.actions.append(
            PlaceChips(
                t_from=round(t - 0.75, 2),
                t=t,
                t_to=round(t + 0.55, 2),
                hand=hand,
                stack=name,
                spot=stack.spot,
                denominations=chips,
                at_mm=stack.at_mm,
                from_mm=self._seat_edge(stack.spot),
                line=stack.line,
                onto=True,
            )
        )

    def lift(self, hand: Hand, name: str, chips: tuple[int, ...], t: float) -> None:
        """Chips are lifted off a stack, top ones first; all of them removes it."""
        stack = self.board[name]
        stack.denominations = _without(stack.denominations, chips)
        if not stack.denominations:
            del self.board[name]
        goal = self.geometry.float_mm if hand.owner is Owner.DEALER else self._seat_edge(stack.spot)
        self.actions.append(
            LiftChips(
                t_from=round(t - 0.75, 2),
                t=t,
                t_to=round(t + 0.55, 2),
                hand=hand,
                stack=name,
                spot=stack.spot,
                denominations=chips,
                left=stack.denominations,
                at_mm=stack.at_mm,
                to_mm=goal,
            )
        )

    def _seat_edge(self, spot: Spot) -> Point:
        """Where a player's hand comes from: beyond his outermost box."""
        zone = self.geometry.bets[spot]
        return zone.at(0.0, 320.0)

    # cards ------------------------------------------------------------------------------------------------

    def deal(self, plan: Plan) -> float:
        """Deal and turn the cards of a plan; returns when the first card leaves the shoe."""
        exposed = self.rng.randrange(4) if plan.kind is ErrorKind.EXPOSED_CARD else None
        flips_early = exposed is not None and exposed < 3 and self.rng.random() < 0.4
        first = self.t
        counts = {"punto": 0, "banca": 0}
        down: list[LyingCard] = []
        for number, (hand, card) in enumerate(plan.deal.cards):
            if number == 4 and down:
                self._turn(down, plan)
                down = []
            counts[hand] += 1
            face = self.initial_face if number < 4 else Face.UP
            if number == exposed and not flips_early:
                face = Face.UP
            lying = self._deal_card(hand, card, counts[hand], face)
            if number == exposed:
                if face is Face.DOWN:
                    self._flip(lying, DEALER, 0.45)
                self.error_t, self.error_spot = self.t, lying.spot
            elif face is Face.DOWN:
                down.append(lying)
        if down:
            self._turn(down, plan)
        return first

    error_t: float = 0.0
    error_spot: Spot | None = None

    def _deal_card(self, hand: str, card: Card, position: int, face: Face) -> LyingCard:
        spot = hand_spot(hand)
        at, turn = self.geometry.card_place(hand, position)
        jitter = (at[0] + self.rng.uniform(-3, 3), at[1] + self.rng.uniform(-3, 3))
        start = self.wait(0.6, 0.85)
        arrived = self.wait(0.5, 0.95)
        lying = LyingCard(self.card_id(), card, spot, jitter)
        self.lying.append(lying)
        self.actions.append(
            DealCard(
                t_from=start,
                t=arrived,
                t_to=round(arrived + 0.4, 2),
                hand=DEALER,
                card_id=lying.card_id,
                card=card,
                spot=spot,
                position=position,
                face=face,
                from_mm=self.geometry.shoe_mm,
                at_mm=jitter,
                angle_deg=turn + self.rng.uniform(-3, 3),
            )
        )
        return lying

    def _turn(self, cards: list[LyingCard], plan: Plan) -> None:
        """Turn the dealt cards, punto's first."""
        self.wait(0.2, 0.3)
        touched = self.rng.randrange(len(cards)) if plan.kind is ErrorKind.PLAYER_TOUCHES_CARD else None
        ordered = sorted(cards, key=lambda lying: lying.spot.hand != "punto")
        for number, lying in enumerate(ordered):
            hand = DEALER
            if number == touched:
                hand = Hand(Owner.PLAYER, self.rng.choice(self.geometry.seats))
            self._flip(lying, hand, 0.85)
            if number == touched:
                self.error_t, self.error_spot = self.t, lying.spot
        self.wait(0.1, 0.3)

    def _flip(self, lying: LyingCard, hand: Hand, pace_s: float) -> None:
        t = self.wait(pace_s, pace_s + 0.1)
        self.actions.append(
            TurnCard(
                t_from=round(t - 0.4, 2),
                t=t,
                t_to=round(t + 0.3, 2),
                hand=hand,
                card_id=lying.card_id,
                card=lying.card,
                spot=lying.spot,
                at_mm=lying.at_mm,
            )
        )

    def sweep(self, leave: int = 0) -> None:
        """Gather the cards onto the discards, leaving some of the first ones behind."""
        going = list(reversed(self.lying[leave:]))
        self.lying = self.lying[:leave]
        self.wait(1.0, 1.4)
        ups = []
        for _ in going:
            ups.append(self.wait(0.1, 0.3))
        down = self.wait(0.7, 0.9)
        for lying, up in zip(going, ups, strict=True):
            x, y = self.geometry.discard_mm
            self.actions.append(
                SweepCard(
                    t_from=round(ups[0] - 0.6, 2),
                    t=up,
                    t_to=down,
                    hand=DEALER,
                    card_id=lying.card_id,
                    card=lying.card,
                    spot=lying.spot,
                    at_mm=lying.at_mm,
                    to_mm=(x + self.rng.uniform(-4, 4), y + self.rng.uniform(-4, 4)),
                )
            )

    # settlement -------------------------------------------------------------------------------------------

    def settle(self, bet: Bet) -> tuple[str | None, tuple[int, ...]]:
        """Do with a bet what the plan says; returns the payment's stack and chips, if there is one."""
        t = self.wait(1.6, 2.2)
        if bet.actual == "collect":
            stack = self.board[bet.stack]
            if bet.line is not None and 2 * bet.actual_amount == sum(stack.denominations):
                self.lift(DEALER, bet.stack, stack.denominations[::2], t)  # equal halves, in pairs
                return None, ()
            for name in [n for n, other in self.board.items() if other.spot == bet.spot]:
                self.lift(DEALER, name, self.board[name].denominations, t)
            return None, ()
        chips = make_amount(int(bet.actual_amount))
        zone = self.geometry.bets[bet.spot]
        place = beside(self.rng, self.geometry, zone, bet.at_mm, [s.at_mm for s in self.board.values()])
        stack = Stack(self.stack_name(), bet.spot, chips, place, None, False)
        self.put(DEALER, stack, t)
        return stack.name, chips

    def tampering_player(self, bet: Bet, t: float) -> None:
        """A player adds chips to his bet, or takes some back, at ``t``."""
        hand = Hand(Owner.PLAYER, bet.spot.seat)
        if bet.pinched:
            self.lift(hand, bet.stack, bet.pinched, t)
        elif self.rng.random() < 0.5:
            self.add_on_top(hand, bet.stack, bet.late, t)
        else:
            zone = self.geometry.bets[bet.spot]
            place = beside(self.rng, self.geometry, zone, bet.at_mm, [s.at_mm for s in self.board.values()])
            self.put(hand, Stack(self.stack_name(), bet.spot, bet.late, place, None, False), t)

    def finished(
        self,
        number: int,
        plan: Plan,
        payments: dict[str, tuple[str | None, tuple[int, ...]]],
        times: tuple[float, float, float],
        error: TrueError | None,
    ) -> TrueCoup:
        """The truth of a coup that has been played."""
        bets = []
        for bet in plan.bets:
            name, chips = payments.get(bet.stack, (None, ()))
            bets.append(
                TrueBet(
                    stack=bet.stack,
                    spot=bet.spot,
                    denominations=bet.denominations,
                    at_mm=bet.at_mm,
                    line=bet.line,
                    due=bet.due,
                    due_amount=bet.due_amount,
                    actual=bet.actual,
                    actual_amount=bet.actual_amount,
                    payment_stack=name,
                    payment=chips,
                )
            )
        punto, banca = plan.deal.totals
        return TrueCoup(
            number=number,
            deal=plan.deal.cards,
            punto_total=punto,
            banca_total=banca,
            winner=plan.deal.winner,
            bets=tuple(bets),
            error=error,
            t_close=times[0],
            t_result=times[1],
            t_end=times[2],
        )


def _without(chips: tuple[int, ...], gone: tuple[int, ...]) -> tuple[int, ...]:
    left = list(chips)
    for chip in gone:
        left.reverse()
        left.remove(chip)
        left.reverse()
    return tuple(left)
