"""What faults need of a lawful coup, and what they change in it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from datasets.games.punto_banco.cards import HANDS, Deal, banca_takes, total, value
from datasets.games.punto_banco.plan import Bet, House, Plan, chips_for, highest_punto, settle, win

if TYPE_CHECKING:
    from datasets.games.punto_banco.table import Table
    from rules.cards import Card

Needs = Callable[[Plan, House], bool]
Change = Callable[[Plan, House, random.Random, "Table"], str | None]


# occasions ------------------------------------------------------------------------------------------------


def has_bet(plan: Plan, _house: House) -> bool:
    """Somebody has bet on punto or banca."""
    return bool(_plain(plan))


def has_plain(plan: Plan, _house: House) -> bool:
    """A bet on punto or banca, not on a line."""
    return bool(_plain(plan))


def _plain(plan: Plan) -> list[Bet]:
    return [bet for bet in plan.bets if bet.bet != "empate" and not bet.line]


def has_winner(plan: Plan, _house: House) -> bool:
    """A bet that is paid."""
    return bool(plan.of("paid"))


def has_one_winner(plan: Plan, _house: House) -> bool:
    """Exactly one bet that is paid, and none that is lost."""
    return len(plan.of("paid")) == 1 and not plan.of("taken")


def has_loser(plan: Plan, _house: House) -> bool:
    """A bet that is lost."""
    return any(not bet.line for bet in plan.of("taken"))


def both_sides(plan: Plan, _house: House) -> bool:
    """A bet that is paid and one that is lost."""
    return bool(plan.of("paid")) and bool(plan.of("taken"))


def two_sided(plan: Plan, _house: House) -> bool:
    """No tie, two bets on the hands at least."""
    return plan.deal.winner != "empate" and sum(bet.bet != "empate" for bet in plan.bets) >= 2


def has_push(plan: Plan, _house: House) -> bool:
    """A tie, and a bet on a hand."""
    return plan.deal.winner == "empate" and bool(_plain(plan))


def wins(bet: str) -> Needs:
    """A bet of this kind is paid."""
    return lambda plan, _house: any(other.bet == bet and not other.line for other in plan.of("paid"))


def wins_punto(plan: Plan, _house: House) -> bool:
    """A punto bet is paid."""
    return any(bet.bet == "punto" and not bet.line for bet in plan.of("paid"))


def wins_much(plan: Plan, _house: House) -> bool:
    """A banca bet is paid whose commission is more than two."""
    return any(bet.bet == "banca" and bet.value - bet.due > 2 for bet in plan.of("paid"))


def line_wins(plan: Plan, _house: House) -> bool:
    """A bet on a line is paid."""
    return any(bet.line for bet in plan.of("paid"))


def line_loses(plan: Plan, _house: House) -> bool:
    """A bet on a line is lost."""
    return any(bet.line for bet in plan.of("taken"))


def has_shower(plan: Plan, _house: House) -> bool:
    """Somebody has bet on punto."""
    return plan.shower is not None


def no_shower(plan: Plan, _house: House) -> bool:
    """Nobody has bet on punto."""
    return plan.shower is None


def no_natural(plan: Plan, _house: House) -> bool:
    """The coup goes on after four cards."""
    return not plan.deal.natural


def natural(plan: Plan, _house: House) -> bool:
    """The coup ends with four cards."""
    return plan.deal.natural


def natural_at(hand: str) -> Needs:
    """Only this hand has 8 or 9."""
    other = HANDS[1 - HANDS.index(hand)]
    return lambda plan, _house: plan.deal.first_two(hand) >= 8 > plan.deal.first_two(other)


def punto_stands(plan: Plan, _house: House) -> bool:
    """Punto has 6 or 7."""
    return not plan.deal.natural and plan.deal.first_two("punto") >= 6


def punto_draws(plan: Plan, _house: House) -> bool:
    """Punto has a third card."""
    return plan.deal.third is not None


def banca_draws(*totals: int, stood: bool = False) -> Needs:
    """Banca has a third card, on one of these totals (any, if none is given); ``stood``: punto has none."""

    def needs(plan: Plan, _house: House) -> bool:
        deal = plan.deal
        drew = len(deal.hand("banca")) > 2
        fits = not totals or (deal.first_two("banca") in totals and stood == (deal.third is None))
        return drew and fits

    return needs


def banca_stands(*totals: int) -> Needs:
    """The same, but it stands (and there is no natural); with totals given, punto has drawn."""

    def needs(plan: Plan, _house: House) -> bool:
        deal = plan.deal
        stands = not deal.natural and len(deal.hand("banca")) == 2
        return stands and (not totals or (deal.first_two("banca") in totals and deal.third is not None))

    return needs


def can_add_fourth(plan: Plan, _house: House) -> bool:
    """A hand has three cards."""
    return any(len(plan.deal.hand(hand)) == 3 for hand in HANDS)


def has_punto_card(plan: Plan, _house: House) -> bool:
    """There are cards."""
    return bool(plan.deal.cards)


def banca_lost(plan: Plan) -> bool:
    """Banca lost, with several players."""
    return plan.deal.winner == "punto" and len(plan.seats()) >= 3 and not plan.void


def banca_kept(plan: Plan) -> bool:
    """Banca did not lose."""
    return plan.deal.winner != "punto" and not plan.void


def four_seats(plan: Plan) -> bool:
    """Many play: somebody is passed over wherever the shoe goes."""
    return len(plan.seats()) >= 4


# cards ----------------------------------------------------------------------------------------------------


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


# hands ----------------------------------------------------------------------------------------------------


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


# bets -----------------------------------------------------------------------------------------------------


def raise_late(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A player puts chips on his bet while the cards are dealt."""
    bet = rng.choice(_plain(plan))
    bet.changed, bet.par_first = (*bet.stacks[0], 100), None
    return bet.spot


def post(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A player puts chips on his winning punto bet after the result, and is paid for them."""
    bet = _one(plan, rng, "paid", "punto")
    bet.posted, bet.pays = (100,), bet.due + 100
    return bet.spot


def pinch(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A player takes his bet back while the cards are dealt."""
    bet = rng.choice(_plain(plan))
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
        bet = rng.choice(_plain(plan))
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
    bet = rng.choice(_plain(plan))
    bet.standing = True
    _again(plan)
    return bet.spot


# settlement -----------------------------------------------------------------------------------------------


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
    bet = rng.choice(_plain(plan))
    bet.does = "taken"
    return bet.spot


def pay_push(plan: Plan, _house: House, rng: random.Random, _table: Table) -> str | None:
    """A bet that stands is paid."""
    bet = rng.choice(_plain(plan))
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


# what is said ---------------------------------------------------------------------------------------------


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
