"""What faults need of a lawful coup."""

from __future__ import annotations

from collections.abc import Callable

from datasets.games.punto_banco.cards import HANDS
from datasets.games.punto_banco.plan import Bet, House, Plan

Needs = Callable[[Plan, House], bool]


def has_bet(plan: Plan, _house: House) -> bool:
    """Somebody has bet on punto or banca."""
    return bool(plain(plan))


def has_plain(plan: Plan, _house: House) -> bool:
    """A bet on punto or banca, not on a line."""
    return bool(plain(plan))


def plain(plan: Plan) -> list[Bet]:
    """Bets on punto or banca, not on a line."""
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
    return plan.deal.winner == "empate" and bool(plain(plan))


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
