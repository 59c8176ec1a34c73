"""Settlement: antes and second bets by how each seat stands against the bank, losers first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import inf

from rules.baccarat.boxes import Box
from rules.baccarat.coup import Bet
from rules.baccarat.dues import Due, Stake
from rules.baccarat.entering import enter_settled
from rules.baccarat.settlement import Setting, Settled, settle
from rules.baccarat.terms import Terms
from rules.chips import Content
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.findings import Verdict
from rules.games.no_discard_poker.hands import Against, Hands, Outcome, face, kind_name
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import Round
from rules.games.no_discard_poker.words import ANTE, BANCA, BANK_HAND, SECOND, box
from rules.poker import category
from rules.profile_document import Rounding
from rules.spots import Area, Spot

LAG_S = 0.3
"""A settlement may be seen this much before the card that begins it."""
_RULES: dict[Outcome, str] = {
    Outcome.FOLDED: "NP-DEC-02",
    Outcome.BANK_OUT: "NP-QUAL-02",
    Outcome.WINS: "NP-PAY-01",
    Outcome.LOSES: "NP-PAY-02",
    Outcome.TIE: "NP-TIE-01",
}
_CODES: dict[Outcome, dict[str, str]] = {
    Outcome.FOLDED: {"LOSER_PAID": "LOSER_NOT_COLLECTED"},
    Outcome.BANK_OUT: {
        "NOT_PAID": "UNDERPAID",
        "WINNER_COLLECTED": "UNDERPAID",
        "PUSH_PAID": "OVERPAID",
    },
    Outcome.WINS: {"WINNER_COLLECTED": "NOT_PAID"},
}
"""Codes of a settlement that the row has another word for."""
_OPEN = "NP-WIN-01"
"""The row of a seat of which it is not known how it stands."""
_DUES: dict[Outcome, tuple[Due, Due]] = {
    Outcome.FOLDED: (Due.COLLECT, Due.COLLECT),
    Outcome.BANK_OUT: (Due.PAY, Due.PUSH),
    Outcome.WINS: (Due.PAY, Due.PAY),
    Outcome.LOSES: (Due.COLLECT, Due.COLLECT),
    Outcome.TIE: (Due.PUSH, Due.PUSH),
}
"""What is due to ante and second bet."""


def net_of(
    way: Against, ante: Fraction, second: Fraction, profile: PokerProfile
) -> tuple[Fraction, Fraction]:
    """What a player gains (negative: loses) with ante and second bet."""
    odds = Fraction(1) if way.kind is None else profile.pays[way.kind]
    first, other = _DUES[way.outcome]
    sign = {Due.PAY: 1, Due.PUSH: 0, Due.COLLECT: -1}
    return sign[first] * ante, second * (odds if other is Due.PAY else sign[other])


@dataclass(slots=True)
class Case:
    """One box settled. ``way``: how its seat stands, None if that is not known; then ``settled`` is one of
    several readings, and ``certain`` is false."""

    seat: int
    box: Box
    settled: Settled
    way: Against | None
    certain: bool = True

    @property
    def gave(self) -> Fraction | None:
        """What the bank gave (negative: took), None if not known."""
        if self.settled.action in ("stood", "taken_back"):
            return Fraction(0)
        if self.settled.action == "unclear" or self.settled.amount is None:
            return None
        return self.settled.amount if self.settled.action == "paid" else -self.settled.amount


@cache
def terms(bet: str, rule: str, odds: Fraction, rounding: Rounding) -> Terms:
    """What one box is settled by."""
    return Terms(
        odds={bet: odds},
        rounding=rounding,
        half_lines=frozenset(),
        pays={bet: rule},
        pays_at_all={bet: rule},
        takes=rule,
        stands=rule,
        line=rule,
        closed="NP-BET-01",
    )


def _stakes(bets: list[Bet]) -> list[Stake] | None:
    values = [bet.standing.value for bet in bets]
    known = [Stake(value, False) for value in values if value is not None]
    return known if len(known) == len(values) else None


def _altered(spot: Spot, bets: list[Bet], later: dict[Spot, Content] | None) -> list[Stake] | None:
    """The stakes as they lay at the reveal, if that is not as at the close."""
    if later is None:
        return None
    values = [standing.value for standing in later.get(spot, {}).values()]
    if values == [bet.standing.value for bet in bets] or None in values:
        return None
    return [Stake(value, False) for value in values if value is not None] or [Stake(Fraction(0), False)]


def make_box(coup: Round, spot: Spot, bets: list[Bet], since: float) -> Box:
    """A box with its settlement from ``since`` on."""
    moves = [move for move in coup.moves if move.spot == spot and move.t >= since]
    altered = None if spot.bet == SECOND or since < coup.t_dealt else _altered(spot, bets, coup.at_reveal)
    return Box(spot, bets, _stakes(bets), altered, moves, None, False)


def setting_of(coup: Round, own: Terms) -> Setting:
    """What settling a box of this round goes by."""
    swept = inf if coup.t_swept is None else coup.t_swept
    after = any(m.t > swept and m.owner is Owner.DEALER and m.spot.area is Area.BET for m in coup.moves)
    return Setting(coup, own, after)


def settle_seats(coup: Round, hands: Hands, lost: frozenset[int], profile: PokerProfile) -> list[Case]:
    """The antes and second bets of every seat. ``lost``: seats whose player forfeits his bets."""
    since = (coup.t_dealt if coup.t_reveal is None else coup.t_reveal) - LAG_S
    cases = []
    for seat in coup.seats:
        ante, second = box(seat, ANTE), box(seat, SECOND)
        ways = hands.ways[seat] if seat not in lost else frozenset({Against(Outcome.LOSES)})
        folded = seat in hands.folded
        boxes = [make_box(coup, ante, coup.bets.get(ante, []), coup.t_close if folded else since)]
        bets = coup.seconds.get(second, [])
        start = max(since, coup.late[second].t + 0.01) if second in coup.late else since
        boxes.append(make_box(coup, second, bets, start))
        cases += [_case(coup, hands, seat, one, ways, profile) for one in boxes if one.bets]
    return cases


def _case(
    coup: Round, hands: Hands, seat: int, one: Box, ways: frozenset[Against], profile: PokerProfile
) -> Case:
    each = [(way, _settle(coup, one, way, profile)) for way in sorted(ways, key=_order)]
    if not each:
        way = Against(Outcome.LOSES)
        settled = _open(_settle(coup, one, way, profile), hands.unread(coup, seat))
        return Case(seat, one, settled, None, certain=False)
    way, settled = each[0]
    if len(each) == 1 or all(s.verdict is Verdict.CONFORM for _, s in each):
        return Case(seat, one, settled, way if len(each) == 1 else None, certain=len(each) == 1)
    if all(s.verdict is Verdict.BREACH for _, s in each):
        same = {(s.rule, s.code) for _, s in each}
        if len(same) == 1:
            return Case(seat, one, settled, None, certain=False)
    return Case(seat, one, _open(settled, hands.unread(coup, seat)), None, certain=False)


def _open(settled: Settled, reason: str) -> Settled:
    """A box of which it is not known how its seat stands."""
    return replace(
        settled,
        verdict=Verdict.UNDETERMINED,
        rule=_OPEN,
        code="WRONG_WINNER",
        action="unclear",
        expected="",
        reason=reason,
    )


def _order(way: Against) -> tuple[str, int]:
    return way.outcome.value, -1 if way.kind is None else int(way.kind)


def _settle(coup: Round, one: Box, way: Against, profile: PokerProfile) -> Settled:
    bet = one.bet
    due = _DUES[way.outcome][bet == SECOND]
    odds = Fraction(1)
    if bet == SECOND and way.kind is not None:
        odds = profile.pays[way.kind]
    rule = _RULES[way.outcome]
    settled = settle(one, due, setting_of(coup, terms(bet, rule, odds, profile.rounding)))
    if settled.rule != rule:
        return settled  # taken back: the close of bets is another row's
    return replace(settled, code=_CODES.get(way.outcome, {}).get(settled.code, settled.code))


# entering ---------------------------------------------------------------------------------------------------


def enter(cases: list[Case], coup: Round, hands: Hands, lost: frozenset[int], docket: Docket) -> None:
    """Put the verdicts on record: first what was settled as if the hands were others."""
    done = _judge_qualifying(cases, coup, hands, lost, docket)
    for seat in coup.seats:
        mine = [case for case in cases if case.seat == seat]
        if seat in done or not mine:
            continue
        if seat not in lost and _judge_winner(mine, coup, hands, docket):
            continue
        kept = [case for case in mine if case.settled.verdict is Verdict.BREACH][:1] if seat in lost else []
        if all(case.settled.rule == _OPEN for case in mine):
            mine = mine[:1]  # said once for the seat
        for case in kept or mine:
            _enter(case, coup, seat in lost, docket)
    _judge_collected_first(cases, coup, docket)


def _enter(case: Case, coup: Round, lost: bool, docket: Docket) -> None:
    settled = case.settled
    folded = case.way is not None and case.way.outcome is Outcome.FOLDED
    if lost and settled.verdict is Verdict.BREACH:
        settled = replace(settled, rule="NP-VOID-02", code="PLAYER_CARD_EXPOSED")
    if settled.verdict is Verdict.CONFORM and folded and _too_late(case, coup, docket):
        return
    enter_settled(settled, docket)


def _too_late(case: Case, coup: Round, docket: Docket) -> bool:
    """Who passes loses his ante at that moment: before the bank's cards are turned (NP-DEC-02)."""
    taken = case.settled.t_taken
    if taken is None or coup.t_reveal is None or taken <= coup.t_reveal + LAG_S:
        return False
    move = next((m for m in case.box.moves if m.t == taken), None)
    when = Moment.span(coup.t_reveal, taken, *case.box.seqs, *([] if move is None else [move.seq]))
    expected = "the ante of a player who passed taken before the bank's cards are turned"
    if move is not None and move.t_from <= coup.t_reveal:
        why = f"{case.box.spot} could not be seen from {clock(move.t_from)} on"
        docket.undetermined("NP-DEC-02", "LOSER_NOT_COLLECTED", when, why, spot=case.box.spot)
        return True
    docket.breach(
        "NP-DEC-02",
        "LOSER_NOT_COLLECTED",
        when,
        expected=expected,
        seen=f"it was taken at {clock(taken)}, after they were turned at {clock(coup.t_reveal)}",
        spot=case.box.spot,
    )
    return True


def _pairs(cases: list[Case], lost: frozenset[int]) -> dict[int, tuple[Case, Case]]:
    """By seat still in: ante and second bet, where it is certain how it stands."""
    found: dict[int, tuple[Case, Case]] = {}
    for case in cases:
        if case.box.bet == SECOND and case.seat not in lost:
            ante = next((c for c in cases if c.seat == case.seat and c.box.bet == ANTE), None)
            if ante is not None:
                found[case.seat] = (ante, case)
    return found


def _as_if(pair: tuple[Case, Case]) -> Outcome | None:
    """As which outcome a seat was settled, None if as none."""
    ante, second = pair
    if ante.gave is None or second.gave is None:
        return None
    stake = ante.settled.right if ante.settled.due is not Due.PUSH else None
    stake = _sum(ante.box) if stake is None else stake
    whole = _sum(second.box)
    if stake is None or whole is None:
        return None
    if ante.gave == stake and second.gave == 0:
        return Outcome.BANK_OUT
    if ante.gave == stake and second.gave > 0:
        return Outcome.WINS
    if (ante.gave, second.gave) == (-stake, -whole):
        return Outcome.LOSES
    return Outcome.TIE if ante.gave == second.gave == 0 else None


def _sum(one: Box) -> Fraction | None:
    return None if one.stakes is None else sum((stake.value for stake in one.stakes), Fraction(0))


def _firm(pair: tuple[Case, Case]) -> bool:
    """Whether what was done with these bets, and that it is done, is certain."""
    return all(case.certain and case.settled.verdict is not Verdict.UNDETERMINED for case in pair)


def _judge_qualifying(
    cases: list[Case], coup: Round, hands: Hands, lost: frozenset[int], docket: Docket
) -> set[int]:
    """Whether the bank was treated as playing though it does not, or the reverse (NP-QUAL-01); returns the
    seats that this explains."""
    pairs = _pairs(cases, lost)
    if hands.plays is None or not pairs:
        return set()
    done = {seat: _as_if(pair) for seat, pair in pairs.items() if _firm(pair)}
    if hands.plays:
        wrong = set(done) if len(done) == len(pairs) else set()
        if any(outcome is not Outcome.BANK_OUT for outcome in done.values()):
            wrong = set()
    else:
        wrong = {seat for seat, outcome in done.items() if outcome in (Outcome.LOSES, Outcome.WINS)}
    if not wrong:
        docket.conform("NP-QUAL-01")
        return set()
    which = [case for seat in sorted(wrong) for case in pairs[seat]]
    cards = coup.final(BANCA)
    plays = "plays" if hands.plays else "does not play"
    docket.breach(
        "NP-QUAL-01",
        "WRONG_QUALIFICATION",
        Moment.span(
            coup.t_result,
            max(case.settled.when.t for case in which),
            *(seq for case in which for seq in case.settled.when.seq),
        ),
        expected=f"the bank's {face(cards)} {plays}",
        seen="bets were settled as if it did not" if hands.plays else "bets were settled as if it played",
        spot=BANK_HAND,
    )
    return wrong


def _judge_winner(mine: list[Case], coup: Round, hands: Hands, docket: Docket) -> bool:
    """Whether a seat was settled as if the other hand were the higher (NP-RANK-01, NP-WIN-01, NP-WIN-02)."""
    pair = _pairs(mine, frozenset()).get(mine[0].seat)
    if pair is None or not _firm(pair) or pair[0].way is None:
        return False
    due, done = pair[0].way.outcome, _as_if(pair)
    seat = mine[0].seat
    own, bank = hands.own[seat], hands.bank
    same = bool(own) and {category(n) for n in own} == {category(n) for n in bank} and len(own) == 1
    rule = "NP-WIN-02" if same else "NP-RANK-01" if due is Outcome.WINS else "NP-WIN-01"
    if due not in (Outcome.WINS, Outcome.LOSES) or done not in (Outcome.WINS, Outcome.LOSES) or due is done:
        if due in (Outcome.WINS, Outcome.LOSES) and due is done:
            docket.conform(rule)
        return False
    docket.breach(
        rule,
        "WRONG_WINNER",
        Moment.span(
            coup.t_result,
            max(case.settled.when.t for case in pair),
            *(seq for case in pair for seq in case.settled.when.seq),
        ),
        expected=f"{face(coup.final(f'seat_{seat}'))} {due.value} against {face(coup.final(BANCA))}"
        + "".join(f" ({kind_name(n)})" for n in own if len(own) == 1),
        seen="the bets were " + ("paid" if done is Outcome.WINS else "taken"),
        spot=pair[0].box.spot,
    )
    return True


def _judge_collected_first(cases: list[Case], coup: Round, docket: Docket) -> None:
    """Losing bets go before prizes are paid (NP-SETTLE-01)."""
    if coup.t_reveal is None:
        return
    paid = [c.settled.t_paid for c in cases if c.settled.t_paid is not None and c.settled.action == "paid"]
    taken = [
        (c.settled.t_taken, c)
        for c in cases
        if c.settled.t_taken is not None
        and c.settled.action == "collected"
        and c.settled.t_taken > coup.t_reveal
        and c.way is not None
        and c.way.outcome is Outcome.LOSES
    ]
    if not paid or not taken:
        return
    last, case = max(taken, key=lambda pair: pair[0])
    if min(paid) > last - LAG_S:
        docket.conform("NP-SETTLE-01")
        return
    docket.breach(
        "NP-SETTLE-01",
        "PAID_BEFORE_COLLECT",
        Moment.span(min(paid), last, *case.settled.when.seq),
        expected="all losing bets taken before a prize is paid",
        seen=f"the first prize paid at {clock(min(paid))}, the last losing bet taken at {clock(last)}",
        spot=case.box.spot,
    )
