"""How a pass is settled: bets taken and paid by the book, or as the plan changes it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from datasets.games.punto_banco_uruguay.felt import CLOTHS
from datasets.games.punto_banco_uruguay.plan import Bet
from datasets.games.scribe import DEALER, player

if TYPE_CHECKING:
    from datasets.games.punto_banco_uruguay.table import Table

_MOST = 1000
"""What a bank may hold at most."""


def settle(table: Table, side: str) -> None:
    """Losing bets are taken and winning ones paid, and the bank grows by what it won."""
    if side == "empate":
        _push(table)
        return
    loser = "banca" if side == "punto" else "punto"
    if table.plan.winners_first:
        _pay(table, side)
        _take(table, loser)
    else:
        _take(table, loser)
        table.act("collected")
        _pay(table, side)


def _house_part(table: Table) -> tuple[int, int]:
    """The part of the bank's win that the house keeps in this pass."""
    number = table.won + 1
    if table.plan.sabot_part is not None:
        return table.plan.sabot_part
    from_odd = table.origin != "turn" or table.start > _MOST // 2
    pays = (number % 2 == 1) == from_odd
    return (1, 10) if pays else (0, 1)


def _ordered(table: Table, side: str, backwards: bool) -> list[Bet]:
    bets = [bet for bet in table.bets if bet.side == side]
    order = [seat for right, front in CLOTHS for seat in (*right, *front)]
    if backwards:
        order.reverse()
    return sorted(bets, key=lambda bet: order.index(bet.seat) if bet.seat else 99)


def _plays(bet: Bet) -> int:
    """How much of a bet plays: half of a seat's on punto's line."""
    return bet.value // 2 if bet.line and bet.seat is not None and bet.side == "punto" else bet.value


def _push(table: Table) -> None:
    if table.plan.push == "taken":
        table.felt.clear(table.bets[0].spot, DEALER)
    elif table.plan.push == "paid":
        table.felt.put(table.bets[0].spot, table.bets[0].value, DEALER)


def _take(table: Table, side: str) -> None:
    felt = table.felt
    if side == "banca" and table.plan.paddle:
        felt.paddle()
    heap = 0
    for bet in _ordered(table, side, table.plan.front_first):
        taken = table.plan.takes.get(bet.spot, _plays(bet))
        if taken is None:
            continue
        felt.wait(0.6)
        felt.change(bet.spot, table.stacks[bet.spot][0], bet.value - taken, DEALER)
        for name in table.stacks[bet.spot][1:]:
            if name in felt.boxes[bet.spot]:
                felt.change(bet.spot, name, 0, DEALER)
        heap += taken
    if side == "banca" and table.holder is not None:
        heap += felt.value(table.sabot)
        felt.clear(table.sabot, DEALER)
    if heap:
        places = ("float", "capital") if table.plan.float_first else ("capital", "float")
        for place in places:
            felt.carry("table", place, heap // 2)


def _pay(table: Table, side: str) -> None:
    felt = table.felt
    table.act("paying")
    for bet in _ordered(table, side, table.plan.pay_backwards):
        plays = _plays(bet)
        due = table.plan.pays.get(bet.spot, plays if side == "punto" else plays * 9 // 10)
        if not due:
            continue
        felt.wait(0.6)
        felt.carry(table.plan.pay_from, bet.spot, due)
        if side == "banca" and table.plan.picos and bet.seat is not None and bet.value >= 50:
            _pay_with_pico(table, bet)
        elif table.plan.landing or bet.seat is None:
            felt.put(bet.spot, due, DEALER)
        else:
            _pay_outside(table, bet, due)
        table.act(f"paid {bet.spot}")
    if side == "banca" and table.holder is not None and felt.value(table.sabot):
        stake = felt.value(table.sabot)
        part = _house_part(table)
        felt.put(table.sabot, stake - stake * part[0] // part[1], DEALER)
        _grow(table)


def _pay_with_pico(table: Table, bet: Bet) -> None:
    felt, quita = table.felt, bet.value // 10
    name = felt.put(bet.spot, quita, player(bet.seat or 0))
    felt.put(bet.spot, bet.value, DEALER)
    if table.plan.pico_stays_s is None:
        return
    felt.wait(table.plan.pico_stays_s)
    felt.change(bet.spot, name, 0, DEALER)


def _pay_outside(table: Table, bet: Bet, due: int) -> None:
    lying = table.felt.boxes[bet.spot][table.stacks[bet.spot][0]]
    name = table.felt.put("table", due, None)
    mine = table.felt.boxes["table"]
    mine[name] = replace(mine[name], at_mm=(lying.at_mm[0] + 5, lying.at_mm[1] + 60))
    table.scribe.events.pop()
    table.felt.tell("table", DEALER)


def _grow(table: Table) -> None:
    """The bank grows; what is beyond the maximum is taken out."""
    if table.holder is None:
        return
    felt, own = table.felt, player(table.holder)
    together = felt.value(table.sabot)
    out = max(0, together - _MOST) if table.plan.withdraw is None else table.plan.withdraw
    names = list(felt.boxes[table.sabot])
    for name in names[1:]:
        del felt.boxes[table.sabot][name]
    felt.change(table.sabot, names[0], together - out, own)
