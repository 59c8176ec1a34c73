"""Settlement: each bet in play by what the player's cards make, seat by seat from the dealer's right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf

from rules.baccarat.boxes import Box, boxes_of
from rules.baccarat.closing import Tampering, is_settlement
from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due
from rules.baccarat.entering import enter_posted, enter_settled
from rules.baccarat.settlement import Setting, Settled, settle
from rules.baccarat.terms import Terms
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import BetRecord, Verdict
from rules.games.trijoker.deciding import DECIDES, reveal_breach
from rules.games.trijoker.hands import Made, Multiple, kind_text
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.round import Round
from rules.games.trijoker.words import BETS, SECOND, is_bet
from rules.money import amount_text, readable
from rules.profile_document import Rounding, RoundingPolicy
from rules.spots import Spot, hand_spot

_ROWS = {
    "UNDERPAID": "TJ-PAY-01",
    "OVERPAID": "TJ-PAY-01",
    "NOT_PAID": "TJ-PAY-01",
    "LOSER_PAID": "TJ-PAY-02",
    "WINNER_COLLECTED": "TJ-PAY-02",
    "LOSER_NOT_COLLECTED": "TJ-PAY-04",
}
_EXACT = Rounding(RoundingPolicy.EXACT, Fraction(1))
_SWEEP_S = 0.5


@dataclass(slots=True)
class Case:
    """One bet in play, judged for what its player's hand makes."""

    seat: int
    box: Box
    made: Made
    settled: Settled

    @property
    def t(self) -> float | None:
        """When the bank first came to it, None if that was not seen."""
        times = [t for t in (self.settled.t_paid, self.settled.t_taken) if t is not None]
        return min(times, default=None)


@lru_cache(maxsize=256)
def _terms(multiple: Multiple) -> Terms:
    odds = Fraction(1) if multiple is None else multiple
    return Terms(
        odds=dict.fromkeys(BETS, odds),
        rounding=_EXACT,
        half_lines=frozenset(),
        pays=dict.fromkeys(BETS, "TJ-PAY-01"),
        pays_at_all=dict.fromkeys(BETS, "TJ-PAY-01"),
        takes="TJ-PAY-04",
        stands="TJ-VOID-01",
        line="TJ-PAY-01",
        closed="TJ-BET-02",
    )


def settle_all(
    coup: Coup,
    play: Round,
    made: Mapping[int, Made],
    tampered: dict[Spot, Tampering],
    profile: TrijokerProfile,
    docket: Docket,
) -> list[Case]:
    """Judge every bet in play, and enter the verdicts."""
    cases: list[Case] = []
    moves = [move for move in coup.moves if move.t >= play.t_settled_from]
    own = replace(coup, moves=moves, t_result=play.t_settled_from, t_swept=_swept(coup, play))
    late = _settling_after(own)
    for seat, hand in made.items():
        cases += _settle_seat(seat, hand, own, late, tampered)
    for case in cases:
        _enter(case, docket)
    for seat, hand in made.items():
        _judge_kind(seat, hand, [case for case in cases if case.seat == seat], profile, docket)
    _judge_taken_back(play, cases, docket)
    _judge_order(cases, profile, docket)
    return cases


def _settle_seat(
    seat: int, hand: Made, coup: Coup, late: bool, tampered: dict[Spot, Tampering]
) -> list[Case]:
    """One player's bets. ``coup``: from the settlement on; ``late``: that goes on when the cards are gone."""
    mine = {spot: bets for spot, bets in coup.bets.items() if spot.seat == seat and is_bet(spot)}
    own = replace(coup, bets=mine, moves=[move for move in coup.moves if move.spot.seat in (seat, None)])
    wins = frozenset(BETS) if hand.sure and hand.multiples[0] is not None else frozenset[str]()
    cases = []
    for box in boxes_of(own, tampered, frozenset(), wins):
        if box.emptied:
            continue
        every = []
        for multiple in hand.multiples:
            setting = Setting(own, _terms(multiple), late)
            copied = replace(box, moves=list(box.moves))
            every.append(settle(copied, Due.COLLECT if multiple is None else Due.PAY, setting))
        cases.append(Case(seat, box, hand, _common(every, hand)))
    return cases


def _swept(coup: Coup, play: Round) -> float | None:
    """When the cards of the last hand began to be gathered: a dealer may gather each as he settles it."""
    first = [
        min((card.t_cleared for card in cards if card.t_cleared is not None), default=inf)
        for cards in play.by_hand.values()
        if cards
    ]
    last = max(first, default=inf)
    return last if last < inf else coup.t_swept


def _settling_after(coup: Coup) -> bool:
    """Whether the bank went on settling after the cards were gathered."""
    if coup.t_swept is None:
        return False
    late = coup.t_swept + _SWEEP_S
    return any(
        move.owner is Owner.DEALER and move.t > late and is_settlement(coup, move) for move in coup.moves
    )


def _common(every: list[Settled], hand: Made) -> Settled:
    """What holds of a bet whatever its player's unread cards are; the row is the one that the code is of."""
    first = every[0]
    if len({(case.verdict, case.code) for case in every}) == 1:
        if len(every) > 1:
            first = replace(first, right=None, reason=first.reason)
        code = "UNDERPAID" if first.code == "LINE_BET_MISPAID" else first.code
        rule = _ROWS.get(code, first.rule)
        if code == "BET_REMOVED_LATE":
            rule = DECIDES[first.box.bet]
        return replace(first, code=code, rule=rule)
    return replace(
        first,
        right=None,
        verdict=Verdict.UNDETERMINED,
        rule="TJ-PAY-01",
        code="NOT_PAID",
        action=first.action if len({case.action for case in every}) == 1 else "unclear",
        amount=None,
        expected="the bet settled by the hand",
        seen="not known what the hand is",
        reason=f"what the hand makes is not known: {hand.unread}",
    )


def _enter(case: Case, docket: Docket) -> None:
    settled, box = case.settled, case.box
    subject = box.bets[0].name if len(box.bets) > 1 else ""
    enter_posted(settled, docket, "TJ-BET-02", "after the last card")
    hand = f"{hand_spot(f'seat_{case.seat}')}: {kind_text(case.made.kind)}"
    if settled.verdict is Verdict.BREACH:
        settled = replace(settled, expected=f"{settled.expected} ({hand})")
    elif settled.verdict is Verdict.CONFORM:
        docket.conform("TJ-RANK-01")
    enter_settled(settled, docket, subject)


def _judge_kind(seat: int, hand: Made, cases: list[Case], profile: TrijokerProfile, docket: Docket) -> None:
    """All bets of a winning hand paid as those of another kind: it was taken for that (TJ-RANK-01)."""
    due = hand.multiples[0] if hand.sure else None
    if due is None or len(cases) < 2:
        return
    paid = {_paid(case) for case in cases}
    kind = next((kind for kind, pays in profile.pays.items() if paid == {pays} and pays != due), None)
    if kind is None or any(case.settled.verdict is not Verdict.BREACH for case in cases):
        return
    docket.breach(
        "TJ-RANK-01",
        "WRONG_WINNER",
        Moment.span(
            cases[0].settled.when.t_from, cases[-1].settled.when.t, *(n for c in cases for n in c.box.seqs)
        ),
        expected=f"{kind_text(hand.kind)}, {readable(due)} to 1",
        seen=f"every bet paid {readable(profile.pays[kind])} to 1, as {kind_text(kind)}",
        spot=hand_spot(f"seat_{seat}"),
    )


def _paid(case: Case) -> Fraction | None:
    """What was paid for one staked, None if that is not known."""
    settled, stakes = case.settled, case.box.stakes
    staked = None if stakes is None else sum((stake.value for stake in stakes), Fraction(0))
    if settled.action != "paid" or settled.amount is None or not staked:
        return None
    return settled.amount / staked


def _judge_taken_back(play: Round, cases: list[Case], docket: Docket) -> None:
    """A second bet withdrawn when both common cards lay open, before the bank came: the second was turned
    before all had decided (TJ-REV-02)."""
    began = min((case.t for case in cases if case.t is not None), default=inf)
    moves = [
        case.settled.took_back
        for case in cases
        if case.box.bet == SECOND and case.settled.took_back is not None and case.settled.took_back.t < began
    ]
    if moves:
        reveal_breach(SECOND, play.t_settled_from, moves, docket)
    elif play.t_right < inf:
        docket.conform("TJ-REV-02")


# the order ------------------------------------------------------------------------------------------------


def _judge_order(cases: list[Case], profile: TrijokerProfile, docket: Docket) -> None:
    """The dealer goes from his right, through all bets at once, or first through one sort (TJ-PAY-03)."""
    order = profile.in_turn({case.seat for case in cases})[::-1]
    timed = [(case.t, order.index(case.seat), case) for case in cases if case.t is not None]
    seen = sorted(timed, key=lambda one: one[:2])
    if len({place for _, place, _ in seen}) < 2:
        return
    sorts = [[one for one in seen if (one[2].settled.t_paid is None) == taken] for taken in (True, False)]
    apart = sorts[0] and sorts[1] and (sorts[0][-1][0] <= sorts[1][0][0] or sorts[1][-1][0] <= sorts[0][0][0])
    astray = _astray(seen)
    if astray is None or (apart and not any(map(_astray, sorts))):
        docket.conform("TJ-PAY-03")
        return
    ahead, behind = astray
    docket.breach(
        "TJ-PAY-03",
        "PAY_ORDER_WRONG",
        Moment.span(ahead[0], behind[0], *ahead[2].box.seqs, *behind[2].box.seqs),
        expected="bets settled seat by seat from the dealer's right",
        seen=f"seat {ahead[2].seat} at {clock(ahead[0])}, seat {behind[2].seat} at {clock(behind[0])}",
    )


_Seen = tuple[float, int, Case]


def _astray(seen: list[_Seen]) -> tuple[_Seen, _Seen] | None:
    return next(((one, two) for one, two in pairwise(seen) if two[1] < one[1]), None)


# the record -----------------------------------------------------------------------------------------------


def records_of(coup: Coup, cases: list[Case], stands: bool) -> list[BetRecord]:
    """The bets as they lay at the close, and what became of them. ``stands``: the hand is annulled."""
    by_spot = {case.box.spot: case for case in cases}
    records = []
    for spot in sorted(spot for spot, bets in coup.bets.items() if bets):
        bets, case = coup.bets[spot], by_spot.get(spot)
        settled = None if case is None else case.settled
        sure = settled is not None and settled.verdict is not Verdict.UNDETERMINED
        single = len(bets) == 1
        for bet in bets:
            stack = bet.standing.stack
            due = settled.due.value if settled is not None and sure else "push" if stands else None
            amounts = settled is not None and single and settled.action in ("paid", "collected")
            records.append(
                BetRecord(
                    stack=bet.name,
                    spot=spot,
                    denominations=stack.denominations,
                    count=stack.count if stack.denominations is None else len(stack.denominations),
                    value=amount_text(bet.standing.value),
                    line=bet.line,
                    due=due,
                    due_amount=amount_text(settled.right)
                    if settled is not None and sure and single
                    else None,
                    outcome=None if settled is None else settled.action,
                    outcome_amount=amount_text(settled.amount) if settled is not None and amounts else None,
                    unread=stack.unread,
                )
            )
    return records


def kinds(made: Mapping[int, Made]) -> dict[str, str | None]:
    """Each seat's kind of hand; a pair that does not win is named like any other."""
    return {
        f"seat_{seat}": None if hand.kind is None else hand.kind.name.lower() for seat, hand in made.items()
    }
