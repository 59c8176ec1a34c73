"""Rule cases of Texas Hold'em: whole hands, action by action, to their pots and final stacks.

Seat 1 is the first after the marker, so odd chips go to the lowest seats first.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from datasets.rule_cases.base import Both, Case, GameCases
from rules.cards import Card
from rules.games.circle_poker.betting import Betting
from rules.games.circle_poker.pots import shares, winners_of
from rules.poker import category, rank

_UNIT = Fraction(1)


def replay(case: Case) -> Betting:
    """The hand's betting to its end. Raises ValueError where an action cannot follow from those before."""
    stacks = [Fraction(stack) for stack in case["stacks"]]
    seats = range(1, len(stacks) + 1)
    behind = dict(zip(seats, stacks, strict=True))
    betting = Betting(list(seats), Fraction(case["min_bet"]))
    for seat in seats:
        if ante := min(Fraction(case["antes"][seat - 1]), behind[seat]):
            betting.ante(seat, ante)
            behind[seat] -= ante
    for seat in seats:
        if blind := min(Fraction(case["blinds"][seat - 1]), behind[seat]):
            betting.post(seat, blind)
            behind[seat] -= blind
        if not behind[seat]:
            betting.all_in.add(seat)
    for action in case["actions"]:
        if "deal" in action:
            betting.next_street()
        elif action["act"] == "fold":
            betting.folds(action["seat"])
        elif amount := Fraction(str(action["amount"])):
            seat = action["seat"]
            if amount > behind[seat]:
                raise ValueError(f"seat {seat} has {behind[seat]} left and cannot put in {amount}")
            behind[seat] -= amount
            betting.puts(seat, amount, all_in=not behind[seat])
    return betting


def _hand(case: Case) -> Both:
    betting, wanted = replay(case), case["expect"]
    made = betting.pots()
    live = betting.live
    heights = {
        seat: rank([Card.parse(card) for card in [*case["hole"][str(seat)], *case["board"]]])
        for seat in live
        if len(live) > 1
    }
    stacks = [Fraction(stack) for stack in case["stacks"]]
    for seat, amount in [*betting.put_in.items(), *betting.antes.items()]:
        stacks[seat - 1] -= amount
    if made.uncalled is not None:
        stacks[made.uncalled[0] - 1] += made.uncalled[1]
    pots: list[dict[str, Any]] = []
    for pot in made.pots:
        winners = winners_of(pot, heights)
        pots.append({"amount": str(pot.amount), "eligible": list(pot.eligible), "winners": list(winners)})
        for seat, share in shares(pot.amount, winners, _UNIT, betting.order).items():
            stacks[seat - 1] += share
    got = {
        "final_stacks": [str(stack) for stack in stacks],
        "showdown": len(live) > 1,
        "returned_uncalled": None
        if made.uncalled is None
        else {"seat": made.uncalled[0], "amount": str(made.uncalled[1])},
        "pots": pots,
        "showdown_hands": {str(seat): category(height).name.lower() for seat, height in heights.items()},
    }
    return {key: got[key] for key in got if key in wanted}, {
        key: _exact(wanted[key]) if key != "showdown" else wanted[key] for key in got if key in wanted
    }


def _exact(value: Any) -> Any:
    """Amounts as exact text, as ours are; odd chips are counted by ``final_stacks``."""
    if isinstance(value, dict):
        return {
            key: str(Fraction(str(part))) if key == "amount" else _exact(part)
            for key, part in value.items()
            if key != "odd_chips"
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_exact(part) if isinstance(part, dict) else part for part in value]
    return value


def _whole(case: Case) -> Both:
    got, wanted = _hand(case)
    assert isinstance(wanted, dict)
    stacks = [str(Fraction(str(stack))) for stack in wanted.get("final_stacks", [])]
    return got, wanted | {"final_stacks": stacks}


ARTICLES = {
    "phh-0029": "Odd chips (no text regulates them; standard, the profile's odd_chip): a pot is shared in"
    " whole chips, so the first seat after the marker gets the odd one, and no seat half of it."
}

CASES = GameCases(
    game="circle_poker",
    kinds={"recorded_hand": _whole, "generated_hand": _whole},
    without_kind="recorded_hand",
    articles=ARTICLES,
)
