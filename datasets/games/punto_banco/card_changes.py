"""What faults change in a lawful coup: its cards, the hands on them, and what is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from datasets.games.punto_banco.cards import HANDS, Deal, banca_takes, total, value
from datasets.games.punto_banco.plan import House, Plan, highest_punto, settle

if TYPE_CHECKING:
    from datasets.games.punto_banco.table import Table
    from rules.cards import Card

Change = Callable[[Plan, House, random.Random, "Table"], str | None]


def _dealt(plan: Plan, cards: list[tuple[str, Card]]) -> None:
    """Settle by the cards as they lie, and announce by them."""
    plan.deal = Deal(cards)
    settle(plan.bets, plan.deal.winner)
    for cue in plan.said:
        if cue == "winner_announced":
            plan.said[cue] = plan.deal.winner
        elif cue in ("punto_announced", "banca_announced"):
            hand = cue.removesuffix("_announced")
            drew = len(plan.deal.hand(hand)) > 2
            plan.said[cue] = "carta" if drew else str(plan.deal.first_two(hand))


def _next(plan: Plan, table: Table, number: int = 0) -> Card:
    """A card of the shoe that is not dealt in this coup."""
    return table.shoe[len(plan.deal.cards) + number]


def two_and_two(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Punto's two cards first, then banca's; the cards fall to the same hands."""
    one, two, three, four = plan.deal.cards[:4]
    _dealt(plan, [one, three, two, four, *plan.deal.cards[4:]])
    return "hand punto"


def three_first(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Punto's third card comes before banca's second."""
    one, two, three, four, fifth, *rest = plan.deal.cards
    _dealt(plan, [one, two, three, fifth, four, *rest])
    return "hand punto"


def expose_first(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """The first card lies face up."""
    plan.exposed = frozenset({1})
    return "hand punto"


def punto_drawn(plan: Plan, _house: House, _rng: random.Random, table: Table) -> str | None:
    """Punto stands, but is given a card; banca goes on as if it had none."""
    cards = plan.deal.cards
    extra = ("punto", _next(plan, table))
    _dealt(plan, [*cards[:4], extra, *cards[4:]])
    return "hand punto"


def punto_not_drawn(plan: Plan, _house: House, _rng: random.Random, table: Table) -> str | None:
    """Punto is due a card and gets none; banca goes on as if it had stood."""
    cards = plan.deal.cards[:4]
    if banca_takes(plan.deal.first_two("banca"), None):
        cards.append(("banca", table.shoe[4]))
    _dealt(plan, cards)
    return "hand punto"


def banca_drawn(plan: Plan, _house: House, _rng: random.Random, table: Table) -> str | None:
    """Banca stands, but is given a card."""
    _dealt(plan, [*plan.deal.cards, ("banca", _next(plan, table))])
    return "hand banca"


def banca_not_drawn(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Banca is due a card and gets none."""
    _dealt(plan, plan.deal.cards[:-1])
    return "hand banca"


def natural_drawn(plan: Plan, _house: House, rng: random.Random, table: Table) -> str | None:
    """A card is dealt after a natural."""
    hand = rng.choice(HANDS)
    _dealt(plan, [*plan.deal.cards, (hand, _next(plan, table))])
    return f"hand {hand}"


def add_fourth(plan: Plan, _house: House, _rng: random.Random, table: Table) -> str | None:
    """A hand of three is given one more, which leaves the result as it was."""
    hand = next(hand for hand in HANDS if len(plan.deal.hand(hand)) == 3)
    other = HANDS[1 - HANDS.index(hand)]
    winner = plan.deal.winner
    for card in table.shoe[len(plan.deal.cards) :]:
        own, against = total([*plan.deal.hand(hand), card]), total(plan.deal.hand(other))
        result = "empate" if own == against else hand if own > against else other
        if result == winner:
            plan.deal.cards.append((hand, card))
            break
    return f"hand {hand}"


def repeat_card(plan: Plan, _house: House, _rng: random.Random, table: Table) -> str | None:
    """A card comes that has been dealt from this shoe already, in place of one of the same value."""
    for index, (hand, card) in enumerate(plan.deal.cards):
        same = [seen for seen in table.seen if value(seen) == value(card) and seen not in table.shoe]
        if same:
            plan.deal.cards[index] = (hand, same[0])
            return f"hand {hand}"
    raise ValueError("no card of the coup can stand for one that was dealt before")


def _other_seat(plan: Plan, house: House, rng: random.Random, *but: int | None) -> int:
    highest = highest_punto(plan.bets)
    most = sum(bet.value for bet in plan.bets if bet.bet == "punto" and bet.seat == highest)
    as_high = {
        bet.seat for bet in plan.bets if bet.bet == "punto" and bet.value >= most and highest is not None
    }
    return rng.choice([seat for seat in range(1, house.seats + 1) if seat not in (*as_high, *but)])


def other_shows(plan: Plan, house: House, rng: random.Random, _table: Table) -> str | None:
    """Punto's cards go to somebody else."""
    plan.shower = _other_seat(plan, house, rng, plan.shower)
    return "hand punto"


def dealer_shows(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """The dealer turns punto's cards though somebody has bet on it."""
    plan.shower = None
    return "hand punto"


def other_turns(plan: Plan, house: House, rng: random.Random, _table: Table) -> str | None:
    """Somebody who does not deal turns banca's cards."""
    plan.banca_turner = _other_seat(plan, house, rng, plan.holder)
    return "hand banca"


def touch(hand: str) -> Change:
    """Somebody who has no business there touches a card of a hand."""

    def change(plan: Plan, house: House, rng: random.Random, _table: Table) -> str | None:
        plan.toucher = (hand, _other_seat(plan, house, rng, plan.holder, plan.shower))
        return f"hand {hand}"

    return change


def banca_first(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Banca is shown before punto."""
    plan.banca_first = True
    return "hand banca"


def no_waiting(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Banca's cards are handed over before punto was shown."""
    plan.waits = "hand banca"
    return "hand banca"


def lay(hand: str) -> Change:
    """A hand's cards do not come to lie in their place."""

    def change(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
        plan.lays[hand] = "table"
        return f"hand {hand}"

    return change


def swap(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Punto's cards lie at the left and banca's at the right."""
    plan.lays = {"punto": "hand banca", "banca": "hand punto"}
    return "hand punto"


def stick(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Two cards come out together."""
    plan.stuck = True
    return "shoe"


def drop(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """A card falls off the table."""
    plan.sweep_to = {0: "off table"}
    return "hand punto"


def stray(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """A used card does not go into the receptacle."""
    plan.sweep_to = {0: "table"}
    return "hand punto"


def leave_card(plan: Plan) -> None:
    """A card is not gathered."""
    plan.leave_card = True


def shoe_seat(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Where the shoe stands."""
    return f"seat {plan.holder} shoe"


def names(spot: str) -> Change:
    """Nothing more; the finding is of this spot."""
    return lambda _plan, _house, _rng, _table: spot


def cut_now(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """The cut card comes out, though many cards are left."""
    plan.cut_now = True
    return "shoe"


def unsaid(cue: str) -> Change:
    """An announcement is left out."""
    return says(cue, None)


def says(cue: str, content: str | None) -> Change:
    """Something else is announced."""

    def change(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
        plan.said[cue] = content
        return None

    return change


def announce_sum(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """The tens are announced with the units."""
    plan.said["punto_announced"] = f"1{plan.deal.first_two('punto')}"
    return "hand punto"


def close_late(plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    """Bets are closed aloud only once the first card lies there."""
    plan.late_close = True
    return None
