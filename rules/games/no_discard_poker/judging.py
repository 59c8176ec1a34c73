"""A round's verdicts put together, and its summary."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.boxes import Box
from rules.baccarat.coup import CLOSE_TOLERANCE_S
from rules.baccarat.entering import enter_settled
from rules.baccarat.settlement import Settled
from rules.docket import Docket
from rules.findings import BetRecord, CoupSummary, Finding, Verdict
from rules.games.no_discard_poker.betting import judge_bets, judge_closing
from rules.games.no_discard_poker.dealing import judge_dealing, shown_by_player
from rules.games.no_discard_poker.hands import Hands, kind_name, read_hands
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import PokerCarry, Round
from rules.games.no_discard_poker.settling import enter, settle_seats
from rules.games.no_discard_poker.side_bets import judge_progressive, judge_void, settle_insurance
from rules.games.no_discard_poker.told import informers, judge_told, told
from rules.games.no_discard_poker.words import BANCA
from rules.money import amount_text, parse_amount
from rules.sight import Sight


def judge_coup(
    _start: PokerCarry, coup: Round, profile: PokerProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one round."""
    docket = Docket(coup.number, coup.gaps, coup.t_close)
    hands = read_hands(coup, profile)
    errors = judge_dealing(coup, hands, profile, sight, docket)
    judge_told(coup, profile, docket)
    judge_closing(coup, hands, docket)
    settled: list[tuple[Box, Settled, bool]] = []
    if not coup.began_unseen:
        judge_bets(coup, profile, docket)
    if errors or coup.void:
        judge_void(coup, min(errors, default=coup.t_close), docket)
    elif not coup.began_unseen and (coup.t_reveal is not None or coup.over):
        settled = _settle(coup, hands, profile, docket)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(coup, hands, settled, bool(errors) or coup.void, docket)


def _settle(
    coup: Round, hands: Hands, profile: PokerProfile, docket: Docket
) -> list[tuple[Box, Settled, bool]]:
    """Settle every seat and its side bets; a player who showed his cards or told of them loses all."""
    lost = frozenset({*shown_by_player(coup), *informers(coup)} - hands.folded)
    cases = settle_seats(coup, hands, lost, profile)
    enter(cases, coup, hands, lost, docket)
    settled = [(case.box, case.settled, case.certain) for case in cases]
    jackpot = _jackpot(coup)
    for seat in coup.seats:
        if seat in lost:
            continue
        if (insured := settle_insurance(coup, hands, seat, profile)) is not None:
            enter_settled(insured[1], docket)
            settled.append((*insured, insured[1].verdict is not Verdict.UNDETERMINED))
        judge_progressive(coup, hands, seat, jackpot, profile, docket)
    return settled


def _jackpot(coup: Round) -> Fraction | None:
    """What the progressive held when it was last told."""
    for cue in reversed(told(coup, "jackpot")):
        try:
            return parse_amount(cue.value or "")
        except ValueError:
            return None
    return None


def _summary(
    coup: Round, hands: Hands, settled: list[tuple[Box, Settled, bool]], void: bool, docket: Docket
) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    names = [*(f"seat_{seat}" for seat in coup.seats), BANCA]
    winner = {}
    for seat in coup.seats:
        outcomes = {way.outcome.value for way in hands.ways[seat]}
        winner[f"seat_{seat}"] = outcomes.pop() if len(outcomes) == 1 and not void else None
    bank = {kind_name(number) for number in hands.bank}
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={name: tuple(card.name for card in coup.final(name)) for name in names},
        bets=tuple(_records(coup, settled)),
        result={
            "winner": winner,
            "banca": bank.pop() if len(bank) == 1 else None,
            "bank_plays": hands.plays,
            "void": void,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )


def _records(coup: Round, settled: list[tuple[Box, Settled, bool]]) -> list[BetRecord]:
    """Every stack with its share of what is due to its box."""
    known = {one.spot: (case, certain) for one, case, certain in settled}
    records = []
    for spot, bets in sorted({**coup.bets, **coup.seconds}.items()):
        case, certain = known.get(spot, (None, False))
        for bet in bets:
            due = case.due.value if case is not None and certain else None
            alone = case is not None and certain and len(bets) == 1
            records.append(
                BetRecord(
                    stack=bet.standing.stack.stack,
                    spot=spot,
                    denominations=bet.standing.stack.denominations,
                    count=bet.standing.stack.count,
                    value=amount_text(bet.standing.value),
                    line=bet.line,
                    due=due,
                    due_amount=amount_text(case.right) if alone and case is not None else None,
                    outcome=None if case is None else case.action,
                    outcome_amount=amount_text(case.amount) if alone and case is not None else None,
                    unread=bet.standing.stack.unread,
                )
            )
    return records
