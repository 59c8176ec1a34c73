"""The bank: what it is constituted with, what it answers for, what it wins, and the house's deduction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rules.baccarat.coup import Coup
from rules.docket import Docket, Moment
from rules.events import ChipMove, Owner
from rules.findings import Verdict
from rules.games.banque_deux_tableaux.hands import told_before
from rules.games.banque_deux_tableaux.profile import BanqueProfile, Mode
from rules.games.banque_deux_tableaux.reading import BANK, CAGNOTTE, BanqueCarry, awarded, bank_value
from rules.games.banque_deux_tableaux.settling import Case
from rules.games.banque_deux_tableaux.words import PLAYS_ON
from rules.money import parse_amount, readable

_SHORT = ("NOT_PAID", "UNDERPAID", "LINE_BET_MISPAID")
_NOTHING = Fraction(0)


def judge_given(start: BanqueCarry, coup: Coup, profile: BanqueProfile, docket: Docket) -> None:
    """How the bank was given, and with how much."""
    story, terms, value = start.bank, profile.bank, bank_value(coup)
    if value is None and BANK not in coup.at_close and story.seen:
        value = _NOTHING
    given = told_before(coup, "bank_awarded", "bank_auctioned")
    when = Moment.at(coup.t_close, *(cue.seq for cue in given), before_s=4.0)
    if given and story.winners_gone and given[-1].value is not None:
        _check(
            docket,
            given[-1].value not in story.winners_gone,
            "BT-BANK-03",
            "BANKER_RETURNED",
            when,
            "another banker for the rest of the shoe",
            f"{given[-1].value}, who left as a winner, is banker again",
        )
    if value is None:
        return
    if awarded(story, coup) and terms.mode is not Mode.OPEN:
        text = f"a bank of {readable(value)}"
        if terms.maximum is not None:
            most = f"at most {readable(terms.maximum)}"
            _check(docket, value <= terms.maximum, "BT-MODE-02", "BET_ABOVE_MAX", when, most, text)
        if terms.minimum is not None:
            least = f"at least {readable(terms.minimum)}"
            _check(docket, value >= terms.minimum, "BT-LIM-02", "BANK_AMOUNT_TOO_LOW", when, least, text)
    if story.abandoned:
        _judge_offered(start, coup, value, when, docket)
    elif story.jumped and not given:
        _judge_deposit(story.initial, value, when, docket)


def _check(docket: Docket, kept: bool, rule: str, code: str, when: Moment, expected: str, seen: str) -> None:
    if kept:
        docket.conform(rule)
    else:
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=BANK)


def _judge_offered(start: BanqueCarry, coup: Coup, value: Fraction, when: Moment, docket: Docket) -> None:
    """An abandoned bank goes for what it began with; auctioned, it begins a new shoe (BT-BANK-05)."""
    rule, code, initial = "BT-BANK-05", "AUCTION_IRREGULAR", start.bank.initial
    if told_before(coup, "bank_auctioned"):
        fresh = start.shoe.coups == 0
        _check(docket, fresh, rule, code, when, "a new shoe for an auctioned bank", "the shoe went on")
    elif initial is not None:
        least, seen = f"a bank of {readable(initial)}, as offered", f"a bank of {readable(value)}"
        _check(docket, value == initial, rule, code, when, least, seen)


def _judge_deposit(initial: Fraction | None, value: Fraction, when: Moment, docket: Docket) -> None:
    """A bank that jumped goes on with a deposit not smaller than the first (BT-BANK-04)."""
    rule, code, seen = "BT-BANK-04", "BANK_AMOUNT_TOO_LOW", f"a new deposit of {readable(value)}"
    if initial is None:
        why = "what the bank was constituted with was not seen"
        docket.undetermined(rule, code, when, why, seen=seen, spot=BANK)
    else:
        _check(docket, value >= initial, rule, code, when, f"at least {readable(initial)}", seen)


# what the bank answers for --------------------------------------------------------------------------------


def relieve(cases: list[Case], coup: Coup, profile: BanqueProfile) -> None:
    """A limited bank owes no more than it holds: bets that it could not pay are in order, if it paid out all
    that it had, and by the priority of §09-IV."""
    unpaid = [c for c in cases if c.settled.verdict is Verdict.BREACH and _falls_short(c)]
    if not unpaid or profile.bank.mode is Mode.OPEN:
        return
    value = bank_value(coup)
    dues = [case.due for case in cases if case.due is not None]
    if profile.bank.mode is None:
        if value is not None and sum(dues, _NOTHING) > value:
            _doubt(unpaid, "whether the bank answers for all bets is not configured (bank.mode)")
        return
    if value is None:
        _doubt(unpaid, "how much was in the limited bank was not seen")
        return
    if len(dues) < len(cases) or sum(dues, _NOTHING) <= value:
        return
    moved = [case.moved for case in cases if case.moved is not None]
    if len(moved) < len(cases) or sum(moved, _NOTHING) != value:
        return  # it had more to pay with
    for case in unpaid:
        if profile.bank.by_priority and _passed_over(case, cases):
            continue
        case.settled = replace(case.settled, verdict=Verdict.CONFORM, rule="BT-MODE-01")


def _falls_short(case: Case) -> bool:
    moved = case.moved
    due = case.due
    return case.settled.code in _SHORT and due is not None and due > 0 and moved is not None and moved < due


def _passed_over(case: Case, cases: list[Case]) -> bool:
    """Whether a bet farther from the banker on the same tableau was paid before this one was paid in full."""
    tableau, seat = PLAYS_ON[case.box.bet], case.box.spot.seat or 0
    return any(
        PLAYS_ON[other.box.bet] == tableau and (other.box.spot.seat or 0) > seat and (other.moved or 0) > 0
        for other in cases
    )


def _doubt(cases: list[Case], reason: str) -> None:
    for case in cases:
        case.settled = replace(case.settled, verdict=Verdict.UNDETERMINED, reason=reason)


# what the bank wins ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Books:
    """What the bank won by the chips (``net``) and by the cards (``won``); ``slot``: what was seen to go to
    the house, None if nothing was; ``before``: what lay in the bank, None if not known; ``after``: what lay
    there after each change since, as far as ``read``: whether all of them were."""

    net: Fraction
    won: Fraction
    slot: Fraction | None
    before: Fraction | None
    after: list[Fraction]
    read: bool


def judge_books(
    start: BanqueCarry, coup: Coup, cases: list[Case], profile: BanqueProfile, docket: Docket
) -> None:
    """The bank after a coup whose result is known and whose bets are settled."""
    if not coup.over or coup.cut_off or not cases:
        return
    moved = [case.moved for case in cases if case.moved is not None]
    dues = [case.due for case in cases if case.due is not None]
    if len(moved) < len(cases) or len(dues) < len(cases):
        return
    before, (after, read) = bank_value(coup), _bank_after(coup)
    net, won = -sum(moved, _NOTHING), -sum(dues, _NOTHING)
    books = _Books(net, won, _to_the_house(coup), before, after, read)
    when = Moment.span(coup.t_result, coup.t_end, *(m.seq for m in coup.moves if m.spot in (BANK, CAGNOTTE)))
    if before is not None and profile.bank.mode is Mode.LIMITED:
        seen = f"{readable(-net)} more paid than taken, with {readable(before)} in the bank"
        _check(
            docket, -net <= before, "BT-MODE-01", "BANK_OVERDRAWN", when, "no more than the bank holds", seen
        )
    owed = _owed(books, profile)
    _judge_winnings(books, owed, when, docket)
    if owed is not None:
        _judge_deduction(start, books, owed, when, docket)


def _bank_after(coup: Coup) -> tuple[list[Fraction], bool]:
    """What lay in the bank after each change of the dealer's, as far as it is known, and whether all is."""
    last = bank_value(coup)
    amounts: list[Fraction] = []
    for move in coup.moves:
        if move.spot != BANK or last is None:
            continue
        if move.owner is Owner.PLAYER:
            break
        if move.gain is None or move.loss is None or move.unclear:
            return amounts, False
        last += move.gain - move.loss
        if move.t >= coup.t_result:
            amounts.append(last)
    return amounts, True


def _to_the_house(coup: Coup) -> Fraction | None:
    """What was seen to go into the house's slot."""
    amounts = [move.gain for move in coup.moves if move.spot == CAGNOTTE and move.added]
    for event in coup.events:
        if isinstance(event, ChipMove) and event.to_spot == "cagnotte" and event.value is not None:
            amounts.append(parse_amount(event.value))
    known = [amount for amount in amounts if amount is not None]
    return sum(known, _NOTHING) if known and len(known) == len(amounts) else None


def _owed(books: _Books, profile: BanqueProfile) -> frozenset[Fraction] | None:
    """The deductions that are right: of what the bank won by the cards, or by the chips if those were settled
    wrongly. None while the rate is not known."""
    rate = profile.bank.rate
    if rate is None:
        return None
    return frozenset().union(
        *(profile.rounding.payable(rate * max(won, _NOTHING)) for won in (books.won, books.net))
    )


def _judge_winnings(books: _Books, owed: frozenset[Fraction] | None, when: Moment, docket: Docket) -> None:
    """What the banker wins joins the bank (BT-BANK-06)."""
    if books.before is None or books.net <= 0:
        return
    deductions = {_NOTHING, *(owed or ()), *([] if books.slot is None else [books.slot])}
    joined = {books.before + books.net - deduction for deduction in deductions}
    more = [amount for amount in books.after if amount > books.before]
    if joined & set(books.after) or (more and books.slot is None):
        docket.conform("BT-BANK-06")
        return
    if not books.read:
        return
    docket.breach(
        "BT-BANK-06",
        "CHIPS_MISPLACED",
        when,
        expected=f"{readable(books.net)} won joins the bank of {readable(books.before)}",
        seen=f"the bank held {readable(books.after[-1] if books.after else books.before)}",
        spot=BANK,
    )


def _judge_deduction(
    start: BanqueCarry, books: _Books, owed: frozenset[Fraction], when: Moment, docket: Docket
) -> None:
    """The house's part of what the bank wins (BT-COM-01): as it goes into the slot, or lacks in the bank."""
    taken = books.slot
    more = [amount for amount in books.after if books.before is not None and amount > books.before]
    if taken is None and more and books.before is not None:
        taken = books.before + books.net - more[-1]
    if taken is None and start.bank.deduction_seen:
        taken = _NOTHING
    if taken is None:
        return
    expected = f"a deduction of {readable(max(owed) if books.won > 0 else _NOTHING)}"
    seen = f"{readable(taken)} taken of {readable(books.won)} won"
    kept = taken in owed
    if kept:
        docket.conform("BT-COM-01")
        return
    docket.breach(
        "BT-COM-01",
        "COMMISSION_WRONG",
        when,
        expected=expected,
        seen=seen,
        spot=CAGNOTTE,
        due=max(owed),
        amount=taken,
    )
