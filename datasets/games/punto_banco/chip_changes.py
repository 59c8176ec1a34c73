"""What faults change in a lawful coup: its bets, and how they are settled."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from datasets.games.punto_banco.occasions import plain
from datasets.games.punto_banco.plan import Bet, House, Plan, chips_for, highest_punto, settle, win

if TYPE_CHECKING:
    from datasets.games.punto_banco.table import Table

Change = Callable[[Plan, House, random.Random, "Table"], str | None]


def raise_late(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A player puts chips on his bet while the cards are dealt."""
    bet = rng.choice(plain(plan))
    bet.changed, bet.par_first = (*bet.stacks[0], 100), None
    return bet.spot


def post(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A player puts chips on his winning punto bet after the result, and is paid for them."""
    bet = _one(plan, rng, "paid", "punto")
    bet.posted, bet.pays = (100,), bet.due + 100
    return bet.spot


def pinch(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A player takes his bet back while the cards are dealt."""
    bet = rng.choice(plain(plan))
    bet.changed, bet.does = (), "left"
    return bet.spot


def bet_too_much(side: str, amount: int) -> Change:
    """One more bet, of an amount that is not allowed."""

    def change(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
        seat = rng.choice(sorted(plan.seats()))
        plan.bets = [bet for bet in plan.bets if (bet.seat, bet.bet) != (seat, side)]
        plan.bets.append(Bet(seat, side, [chips_for(amount)]))
        _again(plan)
        return f"seat {seat} {side}"

    return change


def _again(plan: Plan) -> None:
    """Settle anew, and give punto's cards to whom they go now."""
    settle(plan.bets, plan.deal.winner)
    if plan.holder is not None:
        plan.shower = highest_punto(plan.bets)


def heap(count: int, amount: int) -> Change:
    """So many stacks of an amount in one box."""

    def change(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
        bet = rng.choice(plain(plan))
        bet.stacks = [chips_for(amount)] * count
        _again(plan)
        return bet.spot

    return change


def crowd(plan: Plan, house: House, _rng: random.Random, _table: Table) -> str | None:
    """One seat more is in play than there may be."""
    for seat in range(1, house.seats + 2):
        if seat not in plan.seats():
            plan.bets.append(Bet(seat, "punto", [(25,)]))
    _again(plan)
    return None


def stands_behind(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet is a standing player's."""
    bet = rng.choice(plain(plan))
    bet.standing = True
    _again(plan)
    return bet.spot


def _one(plan: Plan, rng: random.Random, does: str, bet: str | None = None) -> Bet:
    return rng.choice([b for b in plan.of(does) if (bet is None or b.bet == bet) and not b.line])


def pay_first(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """A winner is paid before the losers are taken."""
    plan.pay_first = True
    return plan.of("paid")[0].spot


def sweep_first(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """The cards are gathered before the payments."""
    plan.sweep_first = True
    return None


def take_push(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet that stands is taken."""
    bet = rng.choice(plain(plan))
    bet.does = "taken"
    return bet.spot


def pay_push(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet that stands is paid."""
    bet = rng.choice(plain(plan))
    bet.does, bet.pays = "paid", bet.due
    return bet.spot


def other_wins(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """All bets are settled as if the other hand had won."""
    settle(plan.bets, "banca" if plan.deal.winner == "punto" else "punto")
    return None


def settle_void(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """The coup is ruled void, and settled all the same."""
    plan.void = plan.settle_void = True
    return plan.of("paid")[0].spot


def leave_winner(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A winning punto bet is not paid."""
    bet = _one(plan, rng, "paid", "punto")
    bet.does = "left"
    return bet.spot


def leave_tie(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A winning tie bet is not paid."""
    bet = _one(plan, rng, "paid", "empate")
    bet.does = "left"
    return bet.spot


def take_winner(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A winning punto bet is taken."""
    bet = _one(plan, rng, "paid", "punto")
    bet.does = "taken"
    return bet.spot


def leave_loser(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A losing bet is left."""
    bet = _one(plan, rng, "taken")
    bet.does = "left"
    return bet.spot


def pay_loser(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A losing bet is paid."""
    bet = _one(plan, rng, "taken")
    bet.does, bet.pays = "paid", bet.due
    return bet.spot


def underpay(side: str) -> Change:
    """A winning bet is paid one too little."""

    def change(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
        bet = _one(plan, rng, "paid", side)
        bet.pays, bet.par_first = bet.due - 1, None
        return bet.spot

    return change


def overpay(side: str) -> Change:
    """A winning bet is paid far too much."""

    def change(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
        bet = _one(plan, rng, "paid", side)
        bet.pays, bet.par_first = bet.due + bet.value, None
        return bet.spot

    return change


def pay_par(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """Par is paid, and no commission taken."""
    bet = _one(plan, rng, "paid", "banca")
    bet.pays, bet.par_first = bet.value, None
    return bet.spot


def take_less(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """Par is paid, and one too little taken back."""
    bet = rng.choice([bet for bet in plan.of("paid") if bet.bet == "banca" and bet.value - bet.due > 2])
    bet.par_first = bet.value - bet.due - 1
    return bet.spot


def pay_line_full(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet on a line is paid as if all of it played."""
    bet = rng.choice([bet for bet in plan.of("paid") if bet.line])
    bet.pays = win(bet.bet, bet.value)
    return bet.spot


def take_line_whole(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet on a line is taken altogether."""
    bet = rng.choice([bet for bet in plan.of("taken") if bet.line])
    bet.line_whole = True
    return bet.spot


def keep_tip(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """A tip goes to the bank's chips."""
    plan.tip = "float"
    return "tips"


def other_side(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet is paid by the other side's dealer."""
    plan.wrong_side = rng.choice(plan.of("paid")).spot
    return plan.wrong_side
