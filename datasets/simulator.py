"""A scripted table: coups of mini punto banco, by the book or with one injected error, from a seed.

``simulate`` yields the script of physical actions for the renderer, the exact truth, and the journal that a
perfect observer would have written. It shares no rule code with ``rules/``: each checks the other.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from datasets.simulator_cards import burn_value, deal, new_shoe
from datasets.simulator_chips import bet_place, random_stack, touches_line
from datasets.simulator_journal import observe
from datasets.simulator_plan import EXPECTED, Bet, Plan, make_plan
from datasets.simulator_script import DEALER, Script, Stack
from datasets.simulator_table import BETS, TableGeometry, arc_geometry
from datasets.simulator_types import (
    DealCard,
    ErrorKind,
    NewShoe,
    Session,
    ShowCutCard,
    SweepCard,
    TrueCoup,
    TrueError,
)
from rules.cards import Card, Face
from rules.events import Hand, Owner
from rules.spots import DISCARD, Area, Spot, bet_spot, hand_spot

_ATTEMPTS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the table is played. ``line_share``, ``tie_share``: how often a bet lies on a line, how often it
    is a tie bet. ``odd_bets``: also bets whose 19/20 or half no chips can make (paid rounded down).
    ``shoe_start``: begin with a new shoe and its burned cards; else the recording begins somewhere within a
    shoe. ``minimum`` and
    ``maximum``: the table's limits, kept by every bet (a tie bet keeps to a tenth of the maximum)."""

    initial_face: Face = Face.DOWN
    bets: tuple[int, int] = (2, 6)
    line_share: float = 0.3
    tie_share: float = 0.15
    odd_bets: bool = False
    packs: int = 6
    shoe_start: bool = False
    minimum: int | None = None
    maximum: int | None = None
    tail_s: float = 1.5


def simulate(
    seed: int,
    *,
    coups: int = 1,
    errors: Mapping[int, ErrorKind] | None = None,
    geometry: TableGeometry | None = None,
    options: Options | None = None,
) -> Session:
    """Play coups 1 to ``coups``; ``errors``: the error to inject, by coup. The same arguments give the same
    session.

    Raises ValueError for an error that cannot be made there (a card left over needs a coup before it, an
    exposed card needs cards dealt face down, limits need to be set).
    """
    return _Simulation(seed, errors or {}, geometry or arc_geometry(), options or Options()).play(coups)


class _Simulation:
    def __init__(
        self, seed: int, errors: Mapping[int, ErrorKind], geometry: TableGeometry, options: Options
    ) -> None:
        self.seed, self.errors, self.options = seed, errors, options
        self.rng = random.Random(seed)
        self.geometry = geometry
        self.script = Script(geometry, self.rng, options.initial_face)
        self.shoe: list[Card] = []
        self.coups: list[TrueCoup] = []
        self.burn_error: TrueError | None = None
        self.counted: dict[Card, int] = {}

    def play(self, coups: int) -> Session:
        self._check(coups)
        self._first_shoe(coups)
        for number in range(1, coups + 1):
            if len(self.shoe) < 7 + 8:
                self._new_shoe(None)
            self._coup(number, last=number == coups)
        end = round(self.script.t + self.options.tail_s, 2)
        actions = tuple(sorted(self.script.actions, key=lambda action: (action.t, action.t_from)))
        return Session(
            seed=self.seed,
            geometry=self.geometry,
            actions=actions,
            coups=tuple(self.coups),
            events=observe(actions),
            duration_s=end,
        )

    def _check(self, coups: int) -> None:
        for number, kind in self.errors.items():
            if not 1 <= number <= coups:
                raise ValueError(f"there is no coup {number} to make the error {kind} in")
            if kind is ErrorKind.CARDS_LEFT and number == 1:
                raise ValueError(
                    "a card can be left over only from a coup before: make the error in coup 2 or later"
                )
            down = kind in (ErrorKind.EXPOSED_CARD, ErrorKind.PLAYER_TOUCHES_CARD)
            if down and self.options.initial_face is Face.UP:
                raise ValueError(f"the error {kind} needs cards dealt face down")
            if kind in _LIMIT_ERRORS and (self.options.minimum is None or self.options.maximum is None):
                raise ValueError(f"the error {kind} needs a minimum and a maximum")

    # shoes ------------------------------------------------------------------------------------------------

    def _first_shoe(self, coups: int) -> None:
        kind = self.errors.get(1)
        if kind is ErrorKind.BURN_COUNT or self.options.shoe_start:
            self._new_shoe(kind)
        else:
            self.shoe = new_shoe(self.rng, self.options.packs)
            if coups == 1:
                del self.shoe[: self.rng.randrange(len(self.shoe) - 40)]
        if ErrorKind.SEVENTH_CARD in self.errors.values():
            self._slip_in(coups)

    def _slip_in(self, coups: int) -> None:
        """Make one card occur once too often among the cards that will be dealt."""
        near = 4 * coups
        if near < 2 * (self.options.packs + 1):
            raise ValueError("a card once too many needs more coups")
        extra = self.rng.choice(self.shoe)
        others = [card for card in self.shoe if card != extra]
        copies = self.options.packs + 1
        self.shoe = others[copies - self.options.packs :]
        top = self.shoe[-(near - copies) :] + [extra] * copies
        self.rng.shuffle(top)
        self.shoe[-(near - copies) :] = top

    def _new_shoe(self, kind: ErrorKind | None) -> None:
        """Shuffle, show the first card and burn as many as it says."""
        script = self.script
        self.shoe = new_shoe(self.rng, self.options.packs)
        self.counted = {}
        t = script.wait(4.0, 8.0)
        script.actions.append(NewShoe(t_from=t, t=t, t_to=t, hand=DEALER))
        first = self.shoe.pop()
        count = burn_value(first)
        if kind is ErrorKind.BURN_COUNT:
            count = self.rng.choice([n for n in range(1, 12) if n != count])
        burn = Spot(Area.BURN)
        at = (self.geometry.shoe_mm[0] - 90.0, self.geometry.shoe_mm[1] + 40.0)
        shown = self._burn_card(first, burn, Face.UP, at)
        for _ in range(count):
            self._burn_card(self.shoe.pop(), DISCARD, Face.DOWN, self.geometry.discard_mm)
        up = script.wait(0.8, 1.2)
        script.actions.append(
            SweepCard(
                t_from=round(up - 0.5, 2),
                t=up,
                t_to=round(up + 0.8, 2),
                hand=DEALER,
                card_id=shown,
                card=first,
                spot=burn,
                at_mm=at,
                to_mm=self.geometry.discard_mm,
            )
        )
        script.wait(2.0, 3.0)
        if kind is ErrorKind.BURN_COUNT:
            code, rule = EXPECTED[kind]
            self.burn_error = TrueError(kind=kind, code=code, rule=rule, spot=None, t=up)

    def _burn_card(self, card: Card, spot: Spot, face: Face, at: tuple[float, float]) -> str:
        start = self.script.wait(0.5, 0.7)
        t = self.script.wait(0.4, 0.6)
        name = self.script.card_id()
        self.script.actions.append(
            DealCard(
                t_from=start,
                t=t,
                t_to=round(t + 0.3, 2),
                hand=DEALER,
                card_id=name,
                card=card,
                spot=spot,
                position=1,
                face=face,
                from_mm=self.geometry.shoe_mm,
                at_mm=at,
                angle_deg=0.0,
            )
        )
        return name

    # coups ------------------------------------------------------------------------------------------------

    def _coup(self, number: int, *, last: bool) -> None:
        script, kind = self.script, self.errors.get(number)
        if kind is ErrorKind.DEAL_AFTER_CUT_CARD:
            t = script.wait(0.8, 1.2)
            place = (self.geometry.shoe_mm[0] - 60, self.geometry.shoe_mm[1])
            script.actions.append(ShowCutCard(t_from=t, t=t, t_to=t, hand=DEALER, at_mm=place))
        plan = self._plan(kind)
        self._place_bets(plan, number)
        script.wait(0.9, 1.4)
        left = list(script.lying)
        first_action = len(script.actions)
        t_close = script.deal(plan)
        t_close = next(a.t_from for a in script.actions[first_action:] if isinstance(a, DealCard))
        t_result = script.t
        error_at: tuple[Spot | None, float] = (script.error_spot, script.error_t)
        if left:
            error_at = (left[0].spot, t_close)
        if plan.kind in (ErrorKind.LATE_BET, ErrorKind.PINCHED_BET) and plan.target is not None:
            t = round(self.rng.uniform(t_close + 1.3, t_result - 1.2), 2)
            script.tampering_player(plan.target, t)
            error_at = (plan.target.spot, t)
        payments = self._settle(plan, last)
        error = self._error(plan, error_at, t_result)
        self.coups.append(script.finished(number, plan, payments, (t_close, t_result, script.t), error))
        script.wait(0.6, 1.0)
        if not last:
            self._clear_bets(number)

    def _plan(self, kind: ErrorKind | None) -> Plan:
        kept = [
            Bet(stack.name, stack.spot, stack.denominations, stack.at_mm, stack.line)
            for stack in self.script.board.values()
        ]
        for _ in range(_ATTEMPTS):
            shoe = list(self.shoe)
            dealt = deal(shoe, kind, self.rng)
            if dealt is not None:
                fresh = self._new_bets(kept)
                broken = self._break_limit(fresh, kind)
                plan = make_plan(dealt, kept + fresh, kind, self.rng)
                if plan is not None and (broken or kind not in _LIMIT_ERRORS):
                    plan.target = broken or plan.target
                    self.shoe = shoe
                    return plan
            self.rng.shuffle(self.shoe)
        raise ValueError(f"no coup was found that gives the occasion for {kind}")

    def _new_bets(self, kept: list[Bet]) -> list[Bet]:
        rng, options = self.rng, self.options
        taken = {bet.spot for bet in kept}
        wanted = max(rng.randint(*options.bets) - len(kept), 0 if kept else 1)
        bets: list[Bet] = []
        tries = 0
        while len(bets) < wanted and tries < 60:
            tries += 1
            bet = "empate" if rng.random() < options.tie_share else rng.choice(BETS[:2])
            spot = bet_spot(rng.choice(self.geometry.seats), bet)
            if spot in taken:
                continue
            on_line = bet in self.geometry.half_lines and rng.random() < options.line_share
            zone = self.geometry.bets[spot]
            place = bet_place(rng, zone, on_line)
            if bet in self.geometry.half_lines and touches_line(zone, place) != on_line:
                continue
            chips = random_stack(rng, bet, on_line, options.odd_bets)
            if not self._within_limits(bet, sum(chips)):
                continue
            taken.add(spot)
            line = self.geometry.line_id(spot) if on_line else None
            bets.append(Bet("", spot, chips, place, line))
        return bets

    def _within_limits(self, bet: str, value: int) -> bool:
        low, high = self.options.minimum, self.options.maximum
        if low is None or high is None:
            return True
        return low <= value <= (high // 10 if bet == "empate" else high)

    def _break_limit(self, bets: list[Bet], kind: ErrorKind | None) -> Bet | None:
        """Make one of the bets too high or too low; None if there is none of the right kind."""
        low, high = self.options.minimum, self.options.maximum
        wanted = "empate" if kind is ErrorKind.TIE_BET_OVER_LIMIT else "punto"
        for bet in bets:
            if kind not in _LIMIT_ERRORS or low is None or high is None or bet.bet != wanted or bet.line:
                continue
            if kind is ErrorKind.TIE_BET_OVER_LIMIT:
                bet.denominations = (5,) * (high // 50 + self.rng.randint(1, 3))
            elif kind is ErrorKind.BET_ABOVE_MAX:
                bet.denominations = (100,) * (high // 100 + self.rng.randint(1, 3))
            else:
                bet.denominations = (1,) * self.rng.randint(1, low - 1)
            return bet
        return None

    def _place_bets(self, plan: Plan, number: int) -> None:
        script = self.script
        fresh = [bet for bet in plan.bets if not bet.stack]
        for index, bet in enumerate(fresh):
            bet.stack = script.stack_name()
            stack = Stack(bet.stack, bet.spot, bet.denominations, bet.at_mm, bet.line, True)
            initial = number == 1 and not self.options.shoe_start and index < len(fresh) // 2
            t = 0.0 if initial and script.t == 0.0 else script.wait(0.9, 1.6)
            script.put(Hand(Owner.PLAYER, bet.spot.seat), stack, t, initial=t == 0.0)

    def _settle(self, plan: Plan, last: bool) -> dict[str, tuple[str | None, tuple[int, ...]]]:
        script, kind = self.script, plan.kind
        script.wait(0.3, 0.8)
        payments: dict[str, tuple[str | None, tuple[int, ...]]] = {}
        leave = 0
        nxt = self.errors.get(len(self.coups) + 2)
        if nxt is ErrorKind.CARDS_LEFT and not last:
            leave = 1
        early = kind is ErrorKind.CARDS_REMOVED_BEFORE_PAYMENT
        collects_first = early and self.rng.random() < 0.7
        swept = False
        if early and not collects_first:
            script.sweep(leave)
            swept = True
        for bet in plan.order:
            if early and not swept and bet.actual == "pay":
                script.sweep(leave)
                swept = True
            if kind is ErrorKind.PAST_POSTING and bet is plan.target:
                t = script.wait(1.4, 1.8)
                script.tampering_player(bet, t)
                script.error_spot, script.error_t = bet.spot, t
            payments[bet.stack] = script.settle(bet)
            if bet is plan.target and kind is not ErrorKind.PAST_POSTING:
                script.error_spot, script.error_t = bet.spot, script.t
        if not swept:
            script.sweep(leave)
        return payments

    def _error(self, plan: Plan, error_at: tuple[Spot | None, float], t_result: float) -> TrueError | None:
        seventh = self._once_too_often(plan)
        if plan.code is None or plan.kind in (None, ErrorKind.SEVENTH_CARD, ErrorKind.BURN_COUNT):
            error, self.burn_error = self.burn_error, None
            return seventh or error
        code, rule = plan.code
        spot, t = error_at
        if plan.kind in _ON_A_HAND:
            spot = hand_spot(_hand_of(plan))
        if plan.target is not None and plan.kind not in (ErrorKind.LATE_BET, ErrorKind.PINCHED_BET):
            spot, t = plan.target.spot, self.script.error_t or self.script.t
        return TrueError(kind=plan.kind, code=code, rule=rule, spot=spot, t=t or t_result)

    def _once_too_often(self, plan: Plan) -> TrueError | None:
        """The error of a card that now comes once more than the packs hold it."""
        found: TrueError | None = None
        for hand, card in plan.deal.cards:
            self.counted[card] = self.counted.get(card, 0) + 1
            if self.counted[card] > self.options.packs:
                kind = ErrorKind.SEVENTH_CARD
                code, rule = EXPECTED[kind]
                found = TrueError(kind=kind, code=code, rule=rule, spot=hand_spot(hand), t=self.script.t)
        return found

    def _clear_bets(self, number: int) -> None:
        """Players take their winnings and most of their bets; some bets stay for the next coup."""
        script = self.script
        played = {bet.stack: bet for bet in self.coups[number - 1].bets}
        for name, stack in list(script.board.items()):
            bet = played.get(name)
            untouched = bet is not None and stack.denominations == bet.denominations
            if untouched and self.rng.random() < 0.3:
                continue
            script.lift(Hand(Owner.PLAYER, stack.spot.seat), name, stack.denominations, script.wait(0.5, 1.0))
        script.error_spot, script.error_t = None, 0.0


def _hand_of(plan: Plan) -> str:
    """The hand that an error of drawing or of order concerns."""
    match plan.kind:
        case ErrorKind.WRONG_DRAW_PUNTO | ErrorKind.MISSED_DRAW_PUNTO:
            return "punto"
        case ErrorKind.DEAL_ORDER_WRONG:
            hands = [hand for hand, _ in plan.deal.cards[:4]]
            return next(hand for hand, due in zip(hands, ("punto", "banca") * 2, strict=True) if hand != due)
        case ErrorKind.DRAW_ON_NATURAL | ErrorKind.FOURTH_CARD:
            return plan.deal.cards[-1][0]
    return "banca"


_ON_A_HAND = frozenset(
    {
        ErrorKind.WRONG_DRAW_PUNTO,
        ErrorKind.MISSED_DRAW_PUNTO,
        ErrorKind.SIXTH_CARD,
        ErrorKind.MISSED_DRAW_BANCA,
        ErrorKind.DRAW_ON_NATURAL,
        ErrorKind.FOURTH_CARD,
        ErrorKind.DEAL_ORDER_WRONG,
    }
)
_LIMIT_ERRORS = frozenset({ErrorKind.TIE_BET_OVER_LIMIT, ErrorKind.BET_ABOVE_MAX, ErrorKind.BET_BELOW_MIN})
