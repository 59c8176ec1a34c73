"""The house's twentieth of what the bank won, and where the rest of it goes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rules.baccarat.coup import Coup
from rules.baccarat.points import Result
from rules.baccarat.settlement import Settled
from rules.chips import Move
from rules.docket import Docket, Moment
from rules.games.chemin_de_fer.bank_story import BankStory, into_slot, slot_seen
from rules.games.chemin_de_fer.hearing import during
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import ABONAMENT, BANK, CAGNOTTE, GARAGE, PUNTO
from rules.money import readable


def judge_deduction(
    coup: Coup,
    settled: list[Settled],
    result: Result,
    story: BankStory,
    profile: CheminDeFerProfile,
    docket: Docket,
) -> None:
    """Of what the bank won, the house's part goes into the slot: no more, no less."""
    rule, code = "CF-COM-01", "COMMISSION_WRONG"
    taken = [case for case in settled if case.action == "collected" and case.box.bet == PUNTO]
    amounts = [case.amount for case in taken]
    known = [amount for amount in amounts if amount is not None]
    won = sum(known, Fraction(0)) if len(known) == len(amounts) else None
    went = into_slot(coup)
    seqs = tuple(seq for case in taken for seq in case.when.seq)
    when = Moment.span(coup.t_result, max((c.when.t for c in settled), default=coup.t_result), *seqs)
    if not taken:
        if went:
            docket.breach(
                rule,
                code,
                when,
                expected="no deduction: the bank won nothing",
                seen=f"{readable(went)} into the slot",
                spot=CAGNOTTE,
                due=Fraction(0),
                amount=went,
            )
        elif result is not Result.BANCA:
            docket.conform(rule)
        return
    due = None if won is None else won * profile.commission
    expected = None if due is None else f"{readable(due)} into the slot, of {readable(won)} won"
    right = frozenset() if due is None else profile.rounding.payable(due) | {due}
    if went is None:
        went = _missing_from_bank(coup, settled, won, right)
    if went is None and story.slot_seen and coup.over and not coup.cut_off and not slot_seen(coup):
        went = Fraction(0)
    if due is None or went is None or (coup.cut_off and went not in right):
        why = (
            "how much the bank won was not read"
            if due is None
            else "the recording ended before the cards were gathered"
            if coup.cut_off
            else "no chips were seen to go into the slot, which is not in view or was not read"
        )
        docket.undetermined(rule, code, when, why, expected=expected, spot=CAGNOTTE, due=due)
        return
    if went in right:
        docket.conform(rule)
        docket.conform("CF-PAY-01")
        return
    docket.breach(
        rule,
        code,
        when,
        expected=expected or "",
        seen=f"{readable(went)} into the slot",
        spot=CAGNOTTE,
        due=due,
        amount=went,
    )


def _missing_from_bank(
    coup: Coup, settled: list[Settled], won: Fraction | None, right: frozenset[Fraction]
) -> Fraction | None:
    """The deduction by what came to the bank and the garage, where that makes exactly a right one."""
    moves = [move for move in coup.moves if move.spot in (BANK, GARAGE)]
    if won is None or not moves or any(case.box.bet == ABONAMENT for case in settled):
        return None
    change = _change(moves)
    return won - change if change is not None and won - change in right else None


def _change(moves: Iterable[Move]) -> Fraction | None:
    total = Fraction(0)
    for move in moves:
        if move.gain is None or move.loss is None or move.unclear:
            return None
        total += move.gain - move.loss
    return total


def judge_winnings(coup: Coup, result: Result, profile: CheminDeFerProfile, docket: Docket) -> None:
    """What the banker wins joins the bank, unless he keeps it out of play."""
    if result is not Result.BANCA or not coup.over or coup.cut_off:
        return
    excluded = bool(during(coup, "winnings_excluded"))
    if not excluded and "winnings_excluded" not in profile.cues:
        return
    gains = {
        spot: any(move.added and move.t >= coup.t_result for move in coup.moves if move.spot == spot)
        for spot in (BANK, GARAGE)
    }
    if not any(gains.values()):
        return
    due, other = (GARAGE, BANK) if excluded else (BANK, GARAGE)
    if gains[due] or not gains[other]:
        docket.conform("CF-PAY-02")
        return
    docket.breach(
        "CF-PAY-02",
        "CHIPS_MISPLACED",
        Moment.at(coup.t_result),
        expected=f"the winnings in the {due}, as the banker wished",
        seen=f"they went to the {other}",
        spot=other,
    )
