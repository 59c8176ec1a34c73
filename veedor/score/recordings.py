"""Scoring a review of a recorded table against the recording's truth file.

Cards are compared hand by hand in dealing order, bets box by box as they lay at the close of bets, and the
alerts against the recording's one injected error (or none). What a camera cannot tell by its geometry
(a chip thinner than ``COUNTABLE_PX`` in the picture) is rightly UNDETERMINED and counts as right.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from rules.cards import Card
from rules.errors import VeedorError
from rules.findings import BetRecord, Finding, Judgement, Verdict
from veedor.score.tally import Disagreement, Tally
from vision.camera import Camera

COUNTABLE_PX = 1.5
"""A chip's thickness in the picture below which its stack cannot be counted."""

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


@dataclass(frozen=True, slots=True)
class TrueBet:
    """A bet as it lay when the first card left the shoe. ``countable``: by the camera's geometry."""

    seat: int
    box: str
    value: int
    on_line: bool
    countable: bool

    def __str__(self) -> str:
        return f"seat {self.seat} {self.box} {self.value}{' on the line' if self.on_line else ''}"


def read_truth(path: Path) -> dict[str, Any]:
    """A recording's truth file. Raises VeedorError if it is not one."""
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise VeedorError(f"{path} cannot be read as a recording's truth file: {error}") from None
    if not is_truth(truth):
        raise VeedorError(f"{path} is not a recording's truth file: it lacks camera, video, round or events.")
    return dict(truth)


def is_truth(document: object) -> bool:
    """Whether a JSON document looks like a recording's truth file."""
    return isinstance(document, dict) and {"video", "camera", "events", "round"} <= document.keys()


def true_camera(truth: dict[str, Any]) -> Camera:
    """The recording's own camera, exact."""
    camera, (width, height) = truth["camera"], truth["image_size"]
    k1, k2 = camera["dist_k1_k2"]
    return Camera(
        matrix=np.array(camera["K"], dtype=np.float64),
        rotation=np.array(camera["R"], dtype=np.float64),
        translation_mm=np.array(camera["t_mm"], dtype=np.float64),
        k1=float(k1),
        k2=float(k2),
        width_px=int(width),
        height_px=int(height),
    )


def true_bets(truth: dict[str, Any], countable_px: float = COUNTABLE_PX) -> list[TrueBet]:
    """The bets that lay on the table when the first card was drawn."""
    camera, thickness_mm = true_camera(truth), float(truth["chips"]["height_mm"])
    first_card = min((e["t"] for e in truth["events"] if e["type"] == "card_drawn"), default=float("inf"))
    laid: dict[str, int] = {}
    for event in truth["events"]:
        if event["type"] == "chips_placed" and event["purpose"] == "bet" and event["t"] < first_card:
            laid[event["bet"]] = laid.get(event["bet"], 0) + sum(event["denoms"])
    bets = []
    for bet in truth["round"]["bets"]:
        if value := laid.get(bet["id"], 0):
            thickness_px = camera.chip_thickness_px(
                np.asarray([bet["pos_mm"]], dtype=np.float64), thickness_mm
            )[0]
            bets.append(
                TrueBet(bet["seat"], bet["box"], value, bet["on_line"], float(thickness_px) >= countable_px)
            )
    return bets


def true_hand(truth: dict[str, Any], hand: str) -> list[str]:
    """The cards that really lay in a hand, in our notation."""
    return [str(Card(_rank(name), _suit(name))) for name in truth["round"][hand]]


def _rank(name: str) -> Any:
    return Card.parse(name[0] + name[1].lower()).rank


def _suit(name: str) -> Any:
    return Card.parse(name[0] + name[1].lower()).suit


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


def compare_cards(truth: dict[str, Any], judgement: Judgement) -> Tally:
    """All hands of the recording's one round against all coups that were judged."""
    total = Tally()
    for hand in ("punto", "banca"):
        seen = [card for coup in judgement.coups for card in coup.cards.get(hand, ())]
        total += compare_hand(true_hand(truth, hand), seen)
    return total


def compare_bets(truth: dict[str, Any], judgement: Judgement) -> tuple[Tally, list[tuple[str, str]]]:
    """Bets at the close, box by box: value and line. Also returns what differs, as (expected, seen)."""
    left: list[BetRecord] = [bet for coup in judgement.coups for bet in coup.bets]
    total, differences = Tally(), []
    for true in true_bets(truth):
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


def compare_findings(truth: dict[str, Any], judgement: Judgement) -> tuple[Tally, list[tuple[str, str]]]:
    """The alerts against the injected error. A BREACH that neither names nor follows from it is extra."""
    error = truth["error"]
    wanted = CODES.get(error["type"], frozenset()) if error else frozenset()
    lawful = LAWFUL.get(error["type"], frozenset()) if error else frozenset()
    breaches = [f for f in judgement.findings if f.verdict is Verdict.BREACH]
    total, differences = Tally(), []
    if error:
        open_questions = [f for f in judgement.findings if f.verdict is Verdict.UNDETERMINED]
        if any(f.code in wanted and _same_place(error, truth, f) for f in breaches):
            total.right = 1
        elif any(f.code in wanted and _same_place(error, truth, f) for f in open_questions):
            total.undetermined = 1
            differences.append((error["type"], "UNDETERMINED"))
        else:
            total.missed = 1
            differences.append((error["type"], ", ".join(f.code for f in breaches) or "no alert"))
    for finding in breaches:
        if finding.code in wanted and error and _same_place(error, truth, finding):
            continue
        if finding.code not in lawful:
            total.extra += 1
            differences.append(("no alert", f"{finding.code} {finding.spot or ''}: {finding.seen}"))
    return total, differences


def _same_place(error: dict[str, Any], truth: dict[str, Any], finding: Finding) -> bool:
    """Whether the finding speaks of the error's bet (errors of cards have none)."""
    if error.get("seat") is None or finding.spot is None or finding.spot.seat is None:
        return True
    boxes = {bet["box"] for bet in truth["round"]["bets"] if bet["id"] == error.get("bet")}
    return finding.spot.seat == error["seat"] and (not boxes or finding.spot.bet in boxes)


def score_recording(
    name: str, truth: dict[str, Any], judgement: Judgement
) -> tuple[dict[str, Tally], list[Disagreement]]:
    """Cards, bets and findings of one recording, and what differs."""
    cards = compare_cards(truth, judgement)
    bets, bet_differences = compare_bets(truth, judgement)
    findings, finding_differences = compare_findings(truth, judgement)
    found = []
    if cards.rate.right < cards.truths or cards.extra:
        expected = {hand: " ".join(true_hand(truth, hand)) for hand in ("punto", "banca")}
        seen = {
            hand: " ".join(card for coup in judgement.coups for card in coup.cards.get(hand, ()))
            for hand in ("punto", "banca")
        }
        found.append(Disagreement("recordings", f"{name}: cards", str(expected), str(seen), 3.0))
    found += [Disagreement("recordings", f"{name}: bet", e, s, 2.0) for e, s in bet_differences]
    found += [Disagreement("recordings", f"{name}: alert", e, s, 4.0) for e, s in finding_differences]
    return {"cards": cards, "bets": bets, "findings": findings}, found
