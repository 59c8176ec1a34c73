"""Settlement: winners paid at par, losers taken, the house's twentieth of what the bank won."""

from __future__ import annotations

from dataclasses import replace

from rules.baccarat.boxes import Box, boxes_of
from rules.baccarat.closing import Tampering, is_settlement
from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due
from rules.baccarat.entering import enter_posted, enter_settled, whatever_won
from rules.baccarat.points import Result, card_value
from rules.baccarat.settlement import Setting, Settled, settle
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import BetRecord, Verdict
from rules.games.chemin_de_fer.bank_story import BankStory
from rules.games.chemin_de_fer.deal import Deal
from rules.games.chemin_de_fer.deduction import judge_deduction, judge_winnings
from rules.games.chemin_de_fer.drawing import hands_text, removal_allowed
from rules.games.chemin_de_fer.hearing import at_all
from rules.games.chemin_de_fer.outcome import Outcome
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import BANCA, PUNTO
from rules.money import amount_text
from rules.spots import Area, Spot

_SWEEP_S = 0.5
_LAG_S = 0.3


def due_to(bet: str, result: Result) -> Due:
    """What is due to a stake against the bank (``punto``) or for it."""
    if result is Result.TIE:
        return Due.PUSH
    return Due.PAY if (result is Result.PUNTO) == (bet == PUNTO) else Due.COLLECT


def judge_settlement(
    coup: Coup,
    deal: Deal,
    outcome: Outcome,
    tampered: dict[Spot, Tampering],
    story: BankStory,
    profile: CheminDeFerProfile,
    docket: Docket,
) -> list[BetRecord]:
    """The coup's bets as they were settled, and the deduction."""
    boxes = boxes_of(
        coup,
        tampered,
        profile.half_lines,
        frozenset({PUNTO}) if outcome.result is Result.PUNTO else frozenset(),
    )
    boxes = sorted((box for box in boxes if box.bet in profile.bets), key=lambda box: box.spot)
    if not coup.over or coup.began_unseen:
        if coup.began_unseen and coup.over:
            for box in boxes:
                why = "the close of the bets came before the recording"
                docket.undetermined(
                    "CF-PAY-01", "NOT_PAID", Moment.at(coup.t_result, *box.seqs), why, spot=box.spot
                )
        return [record for box in boxes for record in _records(box, None, None)]
    setting = Setting(coup, profile.terms, _settling_after(coup))
    if outcome.void is not None:
        return _judge_void(boxes, setting, outcome.void, docket)
    _judge_reveal(coup, docket)
    cases = {
        result: [settle(box, due_to(box.bet, result), setting) for box in boxes]
        for result in sorted(outcome.results)
    }
    result = outcome.result
    if result is None:
        records = []
        for index, box in enumerate(boxes):
            each = [of_result[index] for of_result in cases.values()]
            common = whatever_won(each, "CF-PAY-01", outcome.reason, late_all_the_same=False)
            _enter(common, docket)
            records += _records(box, common, None)
        return records
    settled = [_withdrawn(case, deal, profile) for case in cases[result]]
    other = _other_result(settled, result)
    if other is not None:
        _wrong_winner(coup, deal, settled, result, other, docket)
    else:
        docket.conform("CF-WIN-01")
        docket.conform("CF-VAL-01")
        for case in settled:
            _enter(case, docket)
        _judge_followers(coup, settled, docket)
    judge_deduction(coup, settled, result, story, profile, docket)
    judge_winnings(coup, result, profile, docket)
    return [record for case in settled for record in _records(case.box, case, result)]


def _withdrawn(case: Settled, deal: Deal, profile: CheminDeFerProfile) -> Settled:
    """A bet that was taken back after a natural which the banker showed too early: that is allowed."""
    if case.code != "BET_REMOVED_LATE" or case.took_back is None:
        return case
    allowed = removal_allowed(deal, case.took_back, profile)
    if allowed:
        return replace(case, verdict=Verdict.CONFORM, rule="CF-ERR-12")
    if allowed is None:
        why = "whether the banker showed his natural before punto had spoken was not told (cue punto_says)"
        return replace(case, verdict=Verdict.UNDETERMINED, reason=why)
    return case


def _judge_void(boxes: list[Box], setting: Setting, rule: str, docket: Docket) -> list[BetRecord]:
    """A void coup is not settled: every bet stays its player's. Said once a coup."""
    cases = [settle(box, Due.PUSH, setting) for box in boxes]
    wrong = [case for case in cases if case.verdict is Verdict.BREACH]
    unsure = [case for case in cases if case.verdict is Verdict.UNDETERMINED]
    if wrong:
        docket.breach(
            rule,
            "VOID_NOT_APPLIED",
            wrong[0].when,
            expected="the coup void, and the bets left to their players",
            seen="; ".join(f"{case.box.spot}: {case.seen}" for case in wrong),
            spot=wrong[0].box.spot,
        )
    elif unsure:
        case = unsure[0]
        docket.undetermined(
            rule, "VOID_NOT_APPLIED", case.when, case.reason or "", seen=case.seen, spot=case.box.spot
        )
    else:
        docket.conform(rule)
    return [record for box in boxes for record in _records(box, None, None)]


def _judge_reveal(coup: Coup, docket: Docket) -> None:
    """All cards show their faces before chips are paid or taken."""
    for move in coup.moves:
        early = move.t < coup.t_result - _LAG_S and move.t > coup.cards[min(3, len(coup.cards) - 1)].t
        if not early or move.owner is not Owner.DEALER or move.spot.area is not Area.BET:
            continue
        if move.added and move.removed and move.gain == move.loss:
            continue
        docket.breach(
            "CF-SETTLE-01",
            "SETTLED_BEFORE_REVEAL",
            Moment.span(move.t, coup.t_result, move.seq, *(card.seq for card in coup.cards)),
            expected="all cards shown before bets are settled",
            seen=f"chips moved at {clock(move.t)}; the last card was shown at {clock(coup.t_result)}",
            spot=move.spot,
        )
        return
    docket.conform("CF-SETTLE-01")


def _settling_after(coup: Coup) -> bool:
    """Whether the bank went on settling after the cards were gathered."""
    if coup.t_swept is None:
        return False
    late = coup.t_swept + _SWEEP_S
    return any(m.owner is Owner.DEALER and m.t > late and is_settlement(coup, m) for m in coup.moves)


def _enter(case: Settled, docket: Docket) -> None:
    subject = case.box.bets[0].name if len(case.box.bets) > 1 else ""
    enter_posted(case, docket, "CF-BET-02", "after the result")
    enter_settled(case, docket, subject)


# the winner -----------------------------------------------------------------------------------------------


_ACTS = ("WINNER_COLLECTED", "LOSER_PAID", "PUSH_TAKEN", "PUSH_PAID")
_DOES = {Due.PAY: "paid", Due.COLLECT: "collected", Due.PUSH: "stood"}


def _other_result(settled: list[Settled], result: Result) -> Result | None:
    """Another result by which every bet was settled, against the cards; None if there is none."""
    wrong = [case for case in settled if case.verdict is Verdict.BREACH and case.code in _ACTS]
    if not wrong or (len(settled) > 1 and len(wrong) < 2):
        return None
    for other in Result:
        if other is not result and all(_goes_by(case, other) for case in settled):
            return other
    return None


def _goes_by(case: Settled, other: Result) -> bool:
    return case.action in ("unclear", "taken_back", _DOES[due_to(case.box.bet, other)])


def _wrong_winner(
    coup: Coup, deal: Deal, settled: list[Settled], result: Result, other: Result, docket: Docket
) -> None:
    """Settled for the wrong side: by counting tens, or against the cards as they are."""
    tens = _with_tens(deal) is other
    words = {Result.TIE: "a tie"}
    docket.breach(
        "CF-VAL-01" if tens else "CF-WIN-01",
        "WRONG_WINNER",
        Moment.span(
            coup.t_result,
            max(case.when.t for case in settled),
            *(seq for case in settled for seq in case.when.seq),
        ),
        expected=f"the bets settled for {words.get(result, result.value)}",
        seen=f"they were settled as for {words.get(other, other.value)}"
        f"{', as if the tens counted' if tens else ''}: {hands_text(deal)}",
    )


def _with_tens(deal: Deal) -> Result | None:
    """Who would have won if a total's tens counted, where that is another than who won."""
    sums = []
    for side in (PUNTO, BANCA):
        values = [card_value(card.card) for card in deal.cards(side) if card.card is not None]
        if len(values) < len(deal.cards(side)):
            return None
        sums.append(sum(values))
    if max(sums) < 10 or deal.thrown or deal.basket is not None or deal.excess:
        return None
    if sums[0] == sums[1]:
        return Result.TIE
    return Result.PUNTO if sums[0] > sums[1] else Result.BANCA


def _judge_followers(coup: Coup, settled: list[Settled], docket: Docket) -> None:
    """A standing player who moved along after the hand is collected from first and paid last."""
    for cue in at_all(coup, "moved_after_hand"):
        mine = next((case for case in settled if str(case.box.spot) == cue.spot), None)
        if mine is None:
            continue
        paid = [case.t_paid for case in settled if case is not mine and case.t_paid is not None]
        taken = [case.t_taken for case in settled if case is not mine and case.t_taken is not None]
        wrong = (mine.t_paid is not None and any(t > mine.t_paid for t in paid)) or (
            mine.t_taken is not None and any(t < mine.t_taken for t in taken)
        )
        if not wrong:
            docket.conform("CF-SEAT-06")
            continue
        docket.breach(
            "CF-SEAT-06",
            "PAY_ORDER_WRONG",
            Moment.at(mine.when.t, cue.seq, *mine.when.seq),
            expected="a player who moved along collected from first and paid last",
            seen=f"it was {'paid before' if mine.t_paid else 'collected after'} others",
            spot=mine.box.spot,
        )


def _records(box: Box, case: Settled | None, result: Result | None) -> list[BetRecord]:
    due = None if result is None else due_to(box.bet, result)
    single = len(box.bets) == 1
    action, amount = (None, None) if case is None else (case.action, case.amount)
    exact = None if case is None or due in (None, Due.PUSH) else case.right
    return [
        BetRecord(
            stack=bet.name,
            spot=box.spot,
            denominations=bet.standing.stack.denominations,
            count=bet.standing.stack.count
            if bet.standing.stack.denominations is None
            else len(bet.standing.stack.denominations),
            value=amount_text(bet.standing.value),
            line=bet.line,
            due=None if due is None else due.value,
            due_amount=amount_text(exact) if single else None,
            outcome=action,
            outcome_amount=amount_text(amount) if single and action in ("paid", "collected") else None,
            unread=bet.standing.stack.unread,
        )
        for bet in box.bets
    ]
