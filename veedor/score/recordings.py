"""Scoring a review of a recorded table against the recording's truth file.

Cards are compared hand by hand in dealing order, bets box by box as they lay at the close of bets, and the
alerts against the recording's injected errors (or none), each round by itself. What a camera cannot tell by
its geometry (a chip thinner than 1.5 pixels in the picture) is rightly UNDETERMINED and counts as right.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rules.findings import BetRecord, CoupSummary, Finding, Judgement, Verdict
from veedor.score.tally import Disagreement, Tally
from veedor.score.truth import HANDS, TrueBet, TrueError, Truth

CODES: dict[str, frozenset[str]] = {
    "wrong_draw_punto": frozenset({"WRONG_DRAW"}),
    "wrong_draw_banca": frozenset({"WRONG_DRAW"}),
    "missed_draw_punto": frozenset({"WRONG_DRAW"}),
    "missed_draw_banca": frozenset({"WRONG_DRAW"}),
    "sixth_card": frozenset({"WRONG_DRAW", "WRONG_CARD_COUNT"}),
    "deal_order_wrong": frozenset({"WRONG_DEAL_ORDER"}),
    "exposed_card": frozenset({"EXPOSED_CARD"}),
    "underpaid": frozenset({"UNDERPAID"}),
    "overpaid": frozenset({"OVERPAID"}),
    "line_bet_paid_full": frozenset({"LINE_BET_MISPAID", "OVERPAID"}),
    "tie_not_paid": frozenset({"NOT_PAID"}),
    "winner_not_paid": frozenset({"NOT_PAID"}),
    "loser_not_collected": frozenset({"LOSER_NOT_COLLECTED"}),
    "paid_before_collect": frozenset({"PAID_BEFORE_COLLECT"}),
    "late_bet": frozenset({"LATE_BET"}),
    "pinched_bet": frozenset({"BET_REMOVED_LATE"}),
    "cards_removed_before_payment": frozenset({"CARDS_CLEARED_EARLY"}),
}
"""Which alert codes name each kind of injected error."""

LAWFUL: dict[str, frozenset[str]] = {
    "wrong_draw_punto": frozenset({"WRONG_WINNER", "WRONG_CARD_COUNT", "WRONG_DRAW"}),
    "wrong_draw_banca": frozenset({"WRONG_WINNER", "WRONG_CARD_COUNT", "WRONG_DRAW"}),
    "missed_draw_punto": frozenset({"WRONG_WINNER", "WRONG_CARD_COUNT", "WRONG_DRAW"}),
    "missed_draw_banca": frozenset({"WRONG_WINNER", "WRONG_CARD_COUNT", "WRONG_DRAW"}),
    "sixth_card": frozenset({"WRONG_WINNER", "WRONG_CARD_COUNT", "WRONG_DRAW"}),
    "late_bet": frozenset({"OVERPAID"}),
    "pinched_bet": frozenset({"UNDERPAID"}),
    "cards_removed_before_payment": frozenset({"NOT_PAID"}),
    "line_bet_paid_full": frozenset({"LINE_BET_MISPAID", "OVERPAID"}),
}
"""Alerts that may rightly follow from an error besides its own; anything else is a false alert."""


def compare_hand(expected: list[str], seen: list[str]) -> Tally:
    """Count one hand's cards: the alignment with the most cards right; ``??`` is UNDETERMINED.

    >>> compare_hand(["Th", "2c"], ["Th", "??", "9d"]).as_json()
    {'right': 1, 'wrong': 0, 'missed': 0, 'extra': 1, 'undetermined': 1}
    """
    best: dict[tuple[int, int], Tally] = {}

    def worth(tally: Tally) -> tuple[int, int, int]:
        return tally.right, -tally.wrong - tally.extra - tally.missed, tally.undetermined

    for i in range(len(expected), -1, -1):
        for j in range(len(seen), -1, -1):
            if i == len(expected) and j == len(seen):
                best[i, j] = Tally()
                continue
            options = []
            if i < len(expected):
                options.append(best[i + 1, j] + Tally(missed=1))
            if j < len(seen):
                options.append(best[i, j + 1] + Tally(extra=1))
            if i < len(expected) and j < len(seen):
                options.append(best[i + 1, j + 1] + _pair(expected[i], seen[j]))
            best[i, j] = max(options, key=worth)
    return best[0, 0]


def _pair(expected: str, seen: str) -> Tally:
    if seen == "??":
        return Tally(undetermined=1)
    return Tally(right=1) if seen == expected else Tally(wrong=1)


def compare_cards(truth: Truth, judgement: Judgement) -> tuple[Tally, list[tuple[str, str]]]:
    """The hands of each round against those of the coups judged in its time. Also what differs."""
    total, differences = Tally(), []
    for number, true in enumerate(truth.rounds):
        coups = _coups_of(truth, number, judgement)
        seen = {hand: [card for coup in coups for card in coup.cards.get(hand, ())] for hand in HANDS}
        tally = Tally()
        for hand in HANDS:
            tally += compare_hand(list(true.hands[hand]), seen[hand])
        if tally.rate.right < tally.truths or tally.extra:
            expected = {hand: " ".join(true.hands[hand]) for hand in HANDS}
            differences.append((str(expected), str({hand: " ".join(seen[hand]) for hand in HANDS})))
        total += tally
    return total, differences


def _coups_of(truth: Truth, number: int, judgement: Judgement) -> list[CoupSummary]:
    return [coup for coup in judgement.coups if truth.round_of(coup.t_from, coup.t_to) == number]


def compare_bets(truth: Truth, judgement: Judgement) -> tuple[Tally, list[tuple[str, str]]]:
    """Bets at the close, round by round and box by box: value and line. Also what differs."""
    total, differences = Tally(), []
    for number, true in enumerate(truth.rounds):
        left = [bet for coup in _coups_of(truth, number, judgement) for bet in coup.bets]
        tally, differs = _compare_round(true.bets, left)
        total += tally
        differences += differs
    return total, differences


def _compare_round(
    true_bets: Sequence[TrueBet], left: list[BetRecord]
) -> tuple[Tally, list[tuple[str, str]]]:
    total, differences = Tally(), []
    for true in true_bets:
        here = [bet for bet in left if (bet.spot.seat, bet.spot.bet) == (true.seat, true.box)]
        if not here:
            total.missed += 1
            differences.append((str(true), "no bet"))
            continue
        left = [bet for bet in left if bet not in here]
        values = [bet.value for bet in here]
        line = any(bet.line for bet in here)
        said = f"seat {true.seat} {true.box} {values}{' on the line' if line else ''}"
        if line != true.on_line:
            total.wrong += 1
            differences.append((str(true), said))
        elif any(value is None for value in values):
            total += Tally(undetermined=1) if true.countable else Tally(right=1)
            if true.countable:
                differences.append((str(true), said))
        elif sum(Fraction(value) for value in values if value is not None) == true.value:
            total.right += 1
        else:
            total.wrong += 1
            differences.append((str(true), said))
    total.extra += len(left)
    differences += [("no bet", f"{bet.spot} {bet.value}") for bet in left]
    return total, differences


def compare_findings(truth: Truth, judgement: Judgement) -> tuple[Tally, list[tuple[str, str]]]:
    """The alerts against the injected errors. A BREACH that neither names nor follows from one is extra."""
    open_ = [f for f in judgement.findings if f.verdict is Verdict.UNDETERMINED]
    left = [f for f in judgement.findings if f.verdict is Verdict.BREACH]
    total, differences = Tally(), []
    for error in truth.errors:
        naming = [f for f in left if _names(f, error, truth)]
        if naming:
            total.right += 1
        elif any(_names(f, error, truth) for f in open_):
            total.undetermined += 1
            differences.append((error.type, "UNDETERMINED"))
        else:
            total.missed += 1
            differences.append((error.type, ", ".join(f.code for f in left) or "no alert"))
        left = [f for f in left if f not in naming]
    for finding in left:
        lawful = any(
            finding.code in LAWFUL.get(error.type, frozenset())
            for error in truth.errors
            if _same_round(finding, error, truth)
        )
        if not lawful:
            total.extra += 1
            differences.append(("no alert", f"{finding.code} {finding.spot or ''}: {finding.seen}"))
    return total, differences


def _names(finding: Finding, error: TrueError, truth: Truth) -> bool:
    """Whether a finding says what was done wrong, of the bet concerned (errors of cards have none)."""
    if finding.code not in CODES.get(error.type, frozenset()) or not _same_round(finding, error, truth):
        return False
    if error.seat is None or finding.spot is None or finding.spot.seat is None:
        return True
    return finding.spot.seat == error.seat and error.box in (None, finding.spot.bet)


def _same_round(finding: Finding, error: TrueError, truth: Truth) -> bool:
    return truth.round_of(finding.t, finding.t) == error.round


def score_recording(
    name: str, truth: Truth, judgement: Judgement
) -> tuple[dict[str, Tally], list[Disagreement]]:
    """Cards, bets and findings of one recording, and what differs."""
    cards, card_differences = compare_cards(truth, judgement)
    bets, bet_differences = compare_bets(truth, judgement)
    findings, finding_differences = compare_findings(truth, judgement)
    found = [Disagreement("recordings", f"{name}: cards", e, s, 3.0) for e, s in card_differences]
    found += [Disagreement("recordings", f"{name}: bet", e, s, 2.0) for e, s in bet_differences]
    found += [Disagreement("recordings", f"{name}: alert", e, s, 4.0) for e, s in finding_differences]
    return {"cards": cards, "bets": bets, "findings": findings}, found
