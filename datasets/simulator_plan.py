"""What will happen in one coup: its cards, its bets, how each is settled, and which error is made where."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction

from datasets.simulator_cards import Deal
from datasets.simulator_chips import due_profit, make_amount
from datasets.simulator_table import Point
from datasets.simulator_types import ErrorKind
from rules.spots import Spot

EXPECTED: dict[ErrorKind, tuple[str, str]] = {
    ErrorKind.WRONG_DRAW_PUNTO: ("WRONG_DRAW", "PB-AND-DRAW-01"),
    ErrorKind.MISSED_DRAW_PUNTO: ("WRONG_DRAW", "PB-AND-DRAW-01"),
    ErrorKind.SIXTH_CARD: ("WRONG_DRAW", "PB-AND-DRAW-02"),
    ErrorKind.MISSED_DRAW_BANCA: ("WRONG_DRAW", "PB-AND-DRAW-02"),
    ErrorKind.DRAW_ON_NATURAL: ("WRONG_DRAW", "PB-AND-NAT-01"),
    ErrorKind.FOURTH_CARD: ("WRONG_CARD_COUNT", "PB-AND-DRAW-03"),
    ErrorKind.DEAL_ORDER_WRONG: ("WRONG_DEAL_ORDER", "PB-AND-DEAL-01"),
    ErrorKind.EXPOSED_CARD: ("EXPOSED_CARD", "PB-AND-DEAL-02"),
    ErrorKind.UNDERPAID: ("UNDERPAID", "PB-AND-PAY-02"),
    ErrorKind.OVERPAID: ("OVERPAID", "PB-AND-PAY-02"),
    ErrorKind.LINE_BET_PAID_FULL: ("LINE_BET_MISPAID", "HOUSE-LINE-01"),
    ErrorKind.LINE_LOSS_TAKEN_WHOLE: ("LINE_BET_MISPAID", "HOUSE-LINE-01"),
    ErrorKind.TIE_NOT_PAID: ("NOT_PAID", "PB-AND-TIE-01"),
    ErrorKind.WINNER_NOT_PAID: ("NOT_PAID", "PB-AND-BANK-01"),
    ErrorKind.LOSER_NOT_COLLECTED: ("LOSER_NOT_COLLECTED", "PB-AND-BANK-01"),
    ErrorKind.LOSER_PAID: ("LOSER_PAID", "PB-AND-BANK-01"),
    ErrorKind.WINNER_COLLECTED: ("WINNER_COLLECTED", "PB-AND-BANK-01"),
    ErrorKind.PUSH_TAKEN: ("PUSH_TAKEN", "PB-AND-TIE-01"),
    ErrorKind.PUSH_PAID: ("PUSH_PAID", "PB-AND-TIE-01"),
    ErrorKind.WRONG_WINNER: ("WRONG_WINNER", "PB-AND-WIN-01"),
    ErrorKind.PAID_BEFORE_COLLECT: ("PAID_BEFORE_COLLECT", "PB-AND-SETTLE-01"),
    ErrorKind.LATE_BET: ("LATE_BET", "PB-AND-BET-01"),
    ErrorKind.PAST_POSTING: ("LATE_BET", "PB-AND-BET-01"),
    ErrorKind.PINCHED_BET: ("BET_REMOVED_LATE", "PB-AND-BET-01"),
    ErrorKind.CARDS_REMOVED_BEFORE_PAYMENT: ("CARDS_CLEARED_EARLY", "PB-AND-STAY-01"),
    ErrorKind.CARDS_LEFT: ("CARDS_LEFT_ON_TABLE", "PB-AND-DEALER-04"),
    ErrorKind.PLAYER_TOUCHES_CARD: ("UNAUTHORISED_CARD_CONTACT", "PB-AND-TOUCH-01"),
    ErrorKind.SEVENTH_CARD: ("CARD_COMPOSITION", "HOUSE-DECK-01"),
    ErrorKind.DEAL_AFTER_CUT_CARD: ("DEAL_AFTER_CUT_CARD", "PB-AND-CUT-02"),
    ErrorKind.BURN_COUNT: ("BURN_COUNT_WRONG", "PB-AND-BURN-01"),
    ErrorKind.TIE_BET_OVER_LIMIT: ("TIE_BET_OVER_LIMIT", "PB-AND-LIM-01"),
    ErrorKind.BET_ABOVE_MAX: ("BET_ABOVE_MAX", "PB-AND-LIM-03"),
    ErrorKind.BET_BELOW_MIN: ("BET_BELOW_MIN", "PB-AND-LIM-02"),
}
"""The code and rule of the finding that each error should give (payments: the rule of the bet's own odds)."""

PAY_RULES = {"punto": "PB-AND-PAY-02", "banca": "PB-AND-PAY-01", "empate": "PB-AND-PAY-03"}


@dataclass(slots=True)
class Bet:
    """A bet of the coup and how it will be settled. ``late``: chips added after the close (paid with the
    rest);
    ``pinched``: chips taken back after the close."""

    stack: str
    spot: Spot
    denominations: tuple[int, ...]
    at_mm: Point
    line: str | None
    due: str = "push"
    due_amount: Fraction = Fraction(0)
    actual: str = "none"
    actual_amount: Fraction = Fraction(0)
    late: tuple[int, ...] = ()
    pinched: tuple[int, ...] = ()

    @property
    def bet(self) -> str:
        """``punto``, ``banca`` or ``empate``."""
        return self.spot.bet or ""

    @property
    def value(self) -> int:
        """What lies there at the close."""
        return sum(self.denominations)

    @property
    def standing(self) -> tuple[int, ...]:
        """The chips that lie there when it is settled."""
        kept = self.denominations[: len(self.denominations) - len(self.pinched)]
        return kept + self.late


@dataclass(slots=True)
class Plan:
    """One coup to come. ``target``: the bet or hand the error concerns."""

    deal: Deal
    bets: list[Bet]
    kind: ErrorKind | None
    target: Bet | None = None
    order: list[Bet] = field(default_factory=list)
    """Bets in the order in which they are settled."""

    @property
    def code(self) -> tuple[str, str] | None:
        """Code and rule of the finding that the error should give."""
        if self.kind is None:
            return None
        code, rule = EXPECTED[self.kind]
        if self.kind in (ErrorKind.UNDERPAID, ErrorKind.OVERPAID) and self.target is not None:
            rule = PAY_RULES[self.target.bet]
        return code, rule


def settle(bet: Bet, winner: str, amount_of: tuple[int, ...] | None = None) -> tuple[str, Fraction]:
    """How a bet ends by a result, and the exact amount; on ``amount_of`` chips (default: those at the
    close)."""
    value = sum(bet.denominations if amount_of is None else amount_of)
    side = "empate" if winner == "tie" else winner
    if bet.bet == side:
        return "pay", due_profit(bet.bet, value, bet.line is not None)
    if winner == "tie":
        return "push", Fraction(0)
    return "collect", Fraction(value, 2 if bet.line else 1)


def make_plan(deal: Deal, bets: list[Bet], kind: ErrorKind | None, rng: random.Random) -> Plan | None:
    """Settle every bet by the cards as dealt, with the error worked in; None if there is no occasion for
    it."""
    plan = Plan(deal, bets, kind)
    for bet in bets:
        bet.due, bet.due_amount = settle(bet, deal.winner)
    candidates = [bet for bet in bets if _suits(bet, kind, deal.winner)]
    if kind in _ON_A_BET:
        if not candidates:
            return None
        plan.target = rng.choice(candidates)
        _tamper(plan.target, kind, rng)
    if kind is ErrorKind.WRONG_WINNER and sum(bet.due != "push" and bet.bet != "empate" for bet in bets) < 2:
        return None
    if kind is ErrorKind.WRONG_WINNER and deal.winner == "tie":
        return None
    needs_winner = kind in (ErrorKind.PAID_BEFORE_COLLECT, ErrorKind.CARDS_REMOVED_BEFORE_PAYMENT)
    if needs_winner and not any(bet.due == "pay" for bet in bets):
        return None
    if kind is ErrorKind.PAID_BEFORE_COLLECT and not any(bet.due == "collect" for bet in bets):
        return None
    for bet in bets:
        _settle_actually(bet, plan, rng)
        if bet.actual == "pay" and bet.actual_amount.denominator != 1:
            bet.actual_amount = Fraction(bet.actual_amount.numerator // bet.actual_amount.denominator)
    losers = [bet for bet in bets if bet.actual == "collect"]
    winners = [bet for bet in bets if bet.actual == "pay"]
    rng.shuffle(losers)
    winners.sort(key=lambda bet: bet.spot.seat or 0, reverse=rng.random() < 0.5)
    plan.order = losers + winners
    if kind is ErrorKind.PAID_BEFORE_COLLECT:
        first = rng.choice(winners)
        plan.target = first
        at = rng.randrange(len(losers))
        plan.order = [*losers[:at], first, *losers[at:], *(bet for bet in winners if bet is not first)]
    return plan


_ON_A_BET = frozenset(
    {
        ErrorKind.UNDERPAID,
        ErrorKind.OVERPAID,
        ErrorKind.LINE_BET_PAID_FULL,
        ErrorKind.LINE_LOSS_TAKEN_WHOLE,
        ErrorKind.TIE_NOT_PAID,
        ErrorKind.WINNER_NOT_PAID,
        ErrorKind.LOSER_NOT_COLLECTED,
        ErrorKind.LOSER_PAID,
        ErrorKind.WINNER_COLLECTED,
        ErrorKind.PUSH_TAKEN,
        ErrorKind.PUSH_PAID,
        ErrorKind.LATE_BET,
        ErrorKind.PAST_POSTING,
        ErrorKind.PINCHED_BET,
    }
)


def _suits(bet: Bet, kind: ErrorKind | None, winner: str) -> bool:
    match kind:
        case ErrorKind.UNDERPAID:
            return bet.due == "pay" and bet.due_amount > 1
        case ErrorKind.OVERPAID:
            return bet.due == "pay"
        case ErrorKind.LINE_BET_PAID_FULL:
            return bet.due == "pay" and bet.line is not None
        case ErrorKind.LINE_LOSS_TAKEN_WHOLE:
            return bet.due == "collect" and bet.line is not None
        case ErrorKind.TIE_NOT_PAID:
            return bet.due == "pay" and winner == "tie"
        case ErrorKind.WINNER_NOT_PAID | ErrorKind.WINNER_COLLECTED:
            return bet.due == "pay" and winner != "tie"
        case ErrorKind.LOSER_NOT_COLLECTED | ErrorKind.LOSER_PAID:
            return bet.due == "collect"
        case ErrorKind.PUSH_TAKEN | ErrorKind.PUSH_PAID:
            return bet.due == "push"
        case ErrorKind.PAST_POSTING:
            return bet.due == "pay" and bet.line is None
        case ErrorKind.LATE_BET | ErrorKind.PINCHED_BET:
            return bet.line is None
    return False


def _tamper(bet: Bet, kind: ErrorKind | None, rng: random.Random) -> None:
    """Chips that the player adds or takes back after the close."""
    if kind in (ErrorKind.LATE_BET, ErrorKind.PAST_POSTING):
        bet.late = (100,) * rng.randint(1, 3) if bet.bet != "empate" else (5,) * rng.randint(1, 3)
    elif kind is ErrorKind.PINCHED_BET:
        count = rng.randint(1, len(bet.denominations))
        kept = replace(bet, denominations=bet.denominations[: len(bet.denominations) - count])
        whole = settle(kept, "tie" if bet.bet == "empate" else bet.bet)[1].denominator == 1
        bet.pinched = bet.denominations[-count:] if whole else bet.denominations


def _settle_actually(bet: Bet, plan: Plan, rng: random.Random) -> None:
    """What the dealer does with a bet: what is due on the chips that lie there, or the error."""
    bet.actual, bet.actual_amount = settle(bet, plan.deal.winner, bet.standing)
    if not bet.standing or bet.actual == "push":
        bet.actual, bet.actual_amount = "none", Fraction(0)
    if plan.kind is ErrorKind.WRONG_WINNER and bet.bet != "empate":
        other = "banca" if plan.deal.winner == "punto" else "punto"
        bet.actual, bet.actual_amount = settle(bet, other)
    if bet is not plan.target:
        return
    due = int(bet.due_amount)
    match plan.kind:
        case ErrorKind.UNDERPAID | ErrorKind.OVERPAID:
            wrong = _wrong_amount(due, plan.kind is ErrorKind.OVERPAID, rng)
            if bet.line is not None and wrong == 2 * bet.due_amount:
                wrong += 1
            bet.actual_amount = Fraction(wrong)
        case ErrorKind.LINE_BET_PAID_FULL | ErrorKind.LINE_LOSS_TAKEN_WHOLE:
            bet.actual_amount = 2 * bet.due_amount
        case ErrorKind.TIE_NOT_PAID | ErrorKind.WINNER_NOT_PAID | ErrorKind.LOSER_NOT_COLLECTED:
            bet.actual, bet.actual_amount = "none", Fraction(0)
        case ErrorKind.LOSER_PAID | ErrorKind.PUSH_PAID:
            bet.actual, bet.actual_amount = "pay", settle(bet, bet.bet)[1]
        case ErrorKind.WINNER_COLLECTED | ErrorKind.PUSH_TAKEN:
            bet.actual, bet.actual_amount = "collect", Fraction(bet.value)
        case _:
            pass


def _wrong_amount(due: int, over: bool, rng: random.Random) -> int:
    """A payment with a chip too many, one too few, or one of the wrong kind."""
    chips = make_amount(due)
    if over:
        return due + rng.choice((1, 5, 25, *chips))
    if len(chips) > 1 and rng.random() < 0.7:
        return due - rng.choice(chips)
    return due - rng.choice([step for step in (1, 5, 25, 100) if step < due])
