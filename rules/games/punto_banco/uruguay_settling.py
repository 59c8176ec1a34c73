"""The settlement of a pass: what each bet plays for, and how the payers go about it
(art. 6, 42, 45 to 52, 54, 64, 69, 70, 89)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.baccarat.closing import Tampering
from rules.baccarat.coup import Bet, Coup
from rules.baccarat.dues import Due
from rules.baccarat.points import Result
from rules.baccarat.settlement import Settled
from rules.baccarat.terms import Terms
from rules.chips import Move
from rules.clock import clock
from rules.docket import Moment
from rules.events import CardMoved, CardPlaced, Owner
from rules.findings import Verdict
from rules.games.punto_banco.drawing import Outcome
from rules.games.punto_banco.settling import Settlement, judge_settlement, terms_of
from rules.games.punto_banco.uruguay_bank import commission_of, judge_withdrawal
from rules.games.punto_banco.uruguay_pass import Pass, worth
from rules.games.punto_banco.uruguay_paying import judge_paying
from rules.money import readable
from rules.spots import Area, Spot

_OVERLAP_MM = 40.0
"""Two cards whose middles lie nearer than this cover each other."""


@dataclass(frozen=True, slots=True)
class _Pico:
    """The commission as a chip that the player handed over: the move, and what it is worth."""

    move: Move
    value: Fraction


def judge_bets_settled(
    play: Pass,
    outcome: Outcome,
    tampered: dict[Spot, Tampering],
    frozen: frozenset[Spot],
) -> Settlement:
    """All bets of the pass. ``frozen``: boxes that are out of play."""
    coup, result = play.coup, outcome.result
    picos = _picos(play) if result is Result.BANCA else {}
    early = _new_bets(play, result, picos)
    commission = commission_of(play)
    unknown = result is Result.BANCA and commission.part is None
    if unknown:
        _commission_unknown(play, commission.rule)
        frozen |= frozenset(spot for spot in coup.bets if spot.bet == "sabot")
    left = _judge_picos(play, picos)
    own = _as_it_plays(play, frozen, [*early, *(pico.move for pico in picos.values())])
    settlement = judge_settlement(
        own,
        outcome,
        {spot: what for spot, what in tampered.items() if spot not in frozen},
        play.profile,
        play.docket,
        _terms(play, commission.part or Fraction(0), commission.rule),
        _citing(play, left),
    )
    if result is not None and play.judged and not coup.void:
        judge_withdrawal(play, result is Result.BANCA)
        judge_paying(play, result, settlement.settled)
        _judge_spread(play, settlement.settled)
    return settlement


def _terms(play: Pass, part: Fraction, rule: str) -> Terms:
    """The table's terms, with the shoe's stake paid by the pass."""
    table = terms_of(play.profile)
    pays: Mapping[str, str] = {**table.pays, "sabot": rule}
    return replace(table, odds={**table.odds, "sabot": 1 - part}, pays=pays, pays_at_all=pays)


def _as_it_plays(play: Pass, frozen: frozenset[Spot], apart: list[Move]) -> Coup:
    """The coup with the bets that play, as they play: standing ones in full wherever they lie (art. 64); the
    banker's own hand in his bank is no settlement."""
    offered = {*terms_of(play.profile).odds, "sabot"}  # another game's box has nothing due to it
    bets: dict[Spot, list[Bet]] = {}
    for spot, stacks in play.coup.bets.items():
        if spot.bet not in offered:
            continue
        if spot not in frozen:
            full = play.is_standing(spot)
            bets[spot] = [replace(bet, line=None) if full else bet for bet in stacks]
    moves = [
        move
        for move in play.coup.moves
        if not any(move is other for other in apart)
        and not (move.spot.bet == "sabot" and move.owner is Owner.PLAYER and move.t > play.coup.t_result)
    ]
    return replace(play.coup, bets=bets, moves=moves)


def _citing(play: Pass, left: frozenset[Spot]) -> Callable[[Settled], Settled]:
    """The row for a verdict where the bet's place decides: standing bets, and commissions left lying."""

    def cited(case: Settled) -> Settled:
        spot = case.box.spot
        on_line = any(bet.line is not None for bet in play.coup.bets.get(spot, []))
        if spot in left and case.code == "COMMISSION_WRONG":
            return replace(case, verdict=Verdict.CONFORM, rule="PB-URU-COM-02", code="")
        if not (play.is_standing(spot) and on_line and spot.bet in play.profile.half_lines):
            return case
        if case.verdict is Verdict.CONFORM:
            return replace(case, rule="PB-URU-BET-09") if case.due is not Due.PUSH else case
        whole = worth(play.coup.bets[spot])
        if case.verdict is Verdict.BREACH and case.amount is not None and case.amount * 2 == whole:
            return replace(case, rule="PB-URU-BET-09", code="LINE_BET_MISPAID")
        return case

    return cited


def _commission_unknown(play: Pass, rule: str) -> None:
    """Said for a pass only where the bank's course is what is missing; a missing maximum is a setting."""
    run = play.run
    if play.profile.limits.maximum is None and (run is None or run.origin == "turn"):
        return
    if not any(spot.bet == "sabot" for spot in play.coup.bets) or not play.judged or play.coup.void:
        return
    why = (
        "who holds the shoe is not known"
        if run is None
        else "how many passes the bank had won, or its first stake, is not known"
    )
    play.docket.undetermined(
        rule, "COMMISSION_WRONG", Moment.at(play.coup.t_result, play.coup.cards[-1].seq), why
    )


# the commission handed over -------------------------------------------------------------------------------


def _picos(play: Pass) -> dict[Spot, _Pico]:
    """Chips that players put beside their winning banca bets after the result, as much as the commission."""
    found: dict[Spot, _Pico] = {}
    for spot, bets in play.coup.bets.items():
        value = worth(bets)
        if spot.bet != "banca" or value is None:
            continue
        for move in play.coup.moves:
            own = move.spot == spot and move.owner is Owner.PLAYER and move.t > play.coup.t_result
            if own and move.added and not move.removed and move.gain == value * play.own.quita:
                found.setdefault(spot, _Pico(move, value * play.own.quita))
    return found


def _judge_picos(play: Pass, picos: dict[Spot, _Pico]) -> frozenset[Spot]:
    """Such chips leave together with the payment. Returns the boxes where they stayed for good."""
    left: set[Spot] = set()
    if not play.judged:
        return frozenset()
    for spot, pico in picos.items():
        mine = [m for m in play.dealers_moves if m.spot == spot]
        paid = max((move.t for move in mine if move.added), default=None)
        taken = next((move for move in mine if move.removed and move.loss == pico.value), None)
        if taken is None:
            left.add(spot)
        least = play.profile.limits.minimum
        if paid is None or (least is not None and pico.value < least):
            continue
        if taken is not None and taken.t - paid <= play.own.pico_with_payment_s:
            play.docket.conform("PB-URU-COM-08")
            continue
        seen = "it was left there" if taken is None else f"it was taken {taken.t - paid:.1f} s later"
        play.docket.breach(
            "PB-URU-COM-08",
            "PICO_LEFT_ON_LAYOUT",
            Moment.span(pico.move.t, paid, pico.move.seq, *(move.seq for move in mine)),
            expected=f"the commission of {readable(pico.value)} taken up together with the payment",
            seen=seen,
            spot=spot,
            amount=pico.value,
        )
    return frozenset(left)


def _new_bets(play: Pass, result: Result | None, picos: dict[Spot, _Pico]) -> list[Move]:
    """Chips that players put on the winning chance before all of it was paid: no bet may come there yet."""
    if result not in (Result.PUNTO, Result.BANCA) or play.coup.void or not play.judged:
        return []
    side = result.value
    paid = [m.t for m in play.dealers_moves if m.added and m.spot.bet == side and m.spot in play.coup.bets]
    if not paid:
        return []
    known = [pico.move for pico in picos.values()]
    early = [
        move
        for move in play.coup.moves
        if move.added
        and not move.removed
        and move.owner is Owner.PLAYER
        and move.spot.bet == side
        and play.coup.t_result < move.t < max(paid)
        and not any(move is other for other in known)
    ]
    for move in early:
        play.docket.breach(
            "PB-URU-BET-04",
            "BET_DURING_PAYMENT",
            Moment.at(move.t, move.seq),
            expected=f"no bet on {side} until all of it is paid (at {clock(max(paid))})",
            seen=f"chips put down at {clock(move.t)}",
            spot=move.spot,
            subject=move.added[0].stack,
            amount=move.gain,
        )
    if not early:
        play.docket.conform("PB-URU-BET-04")
    return early


# the cards laid out ---------------------------------------------------------------------------------------


def _judge_spread(play: Pass, settled: list[Settled]) -> None:
    """Both hands' cards lie one beside the other when the settlement begins."""
    begins = min((t for case in settled for t in (case.t_paid, case.t_taken) if t is not None), default=None)
    if begins is None:
        return
    places: dict[str, tuple[float, float]] = {}
    for event in play.coup.events:
        if isinstance(event, CardPlaced | CardMoved) and event.at_mm is not None and event.t <= begins:
            places[event.card_id] = event.at_mm
    cards = [card for card in play.coup.cards if card.card_id in places]
    for index, card in enumerate(cards):
        for other in cards[index + 1 :]:
            if math.dist(places[card.card_id], places[other.card_id]) >= _OVERLAP_MM:
                continue
            play.docket.breach(
                "PB-URU-STAY-01",
                "CARDS_NOT_SPREAD",
                Moment.at(begins, *card.seqs[-1:], *other.seqs[-1:]),
                expected="the cards of both hands laid out one beside the other",
                seen=f"{card.name} and {other.name} lie on each other",
                spot=card.spot if card.spot.area is Area.HAND else None,
            )
            return
