"""A hand's verdicts put together, and its summary."""

from __future__ import annotations

from math import inf

from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.docket import Docket, Moment
from rules.findings import BetRecord, CoupSummary, Finding, Verdict
from rules.games.trijoker.annulling import Fate, fate_of, judge_fate
from rules.games.trijoker.bets import judge_bets
from rules.games.trijoker.dealing import judge_dealing
from rules.games.trijoker.deciding import judge_decisions
from rules.games.trijoker.hands import Made, made_of
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.reading import TrijokerCarry
from rules.games.trijoker.round import Round, round_of
from rules.games.trijoker.settling import Case, records_of, settle_all
from rules.games.trijoker.told import judge_told
from rules.games.trijoker.words import is_bet
from rules.sight import Sight


def judge_coup(
    start: TrijokerCarry, coup: Coup, profile: TrijokerProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one hand; ``start``: what it began from."""
    docket = Docket(coup.number, coup.gaps, coup.t_close)
    play = round_of(coup, profile)
    if not coup.began_unseen:
        judge_bets(coup, profile, docket)
    judge_told(start, coup, profile, docket)
    errors = judge_dealing(coup, play, profile, sight, docket)
    fate = fate_of(coup, play, errors)
    tampered = judge_decisions(coup, play, fate.t, profile, docket)
    judge_fate(coup, play, fate, docket)
    made = {seat: made_of(seat, play, profile) for seat in play.players}
    cases: list[Case] = []
    if coup.over and not fate.stopped:
        if (reason := _unsettled(coup, play, fate)) is None:
            cases = settle_all(coup, play, made, tampered, profile, docket)
        else:
            _leave_open(coup, reason, docket)
    records = records_of(coup, cases, fate.stopped)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(coup, play, made, fate, records, docket)


def _unsettled(coup: Coup, play: Round, fate: Fate) -> str | None:
    """Why the settlement of a hand that is over cannot be judged, None if it can."""
    if coup.began_unseen:
        return "the close of the bets came before the recording"
    if fate.doubt is not None:
        return f"whether the hand is annulled is not known: {fate.doubt.reason}"
    if play.t_settled_from == inf:
        return "the common cards were not both seen to be turned"
    return None


def _leave_open(coup: Coup, reason: str, docket: Docket) -> None:
    for spot, bets in coup.bets.items():
        if is_bet(spot) and bets:
            when = Moment.at(coup.t_result, *(bet.standing.seq for bet in bets))
            docket.undetermined("TJ-PAY-01", "NOT_PAID", when, reason, spot=spot)


def _summary(
    coup: Coup, play: Round, made: dict[int, Made], fate: Fate, records: list[BetRecord], docket: Docket
) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    hands = {} if fate.stopped else {seat: hand for seat, hand in made.items() if hand.kind is not None}
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={name: tuple(card.name for card in cards) for name, cards in play.by_hand.items()},
        bets=tuple(records),
        result={
            "winner": _outcome(hands),
            "hands": {
                f"seat_{seat}": hand.kind.name.lower()
                for seat, hand in hands.items()
                if hand.kind is not None
            },
            "void": fate.stopped,
            "reason": next((hand.unread for hand in made.values() if hand.unread is not None), None),
        },
        verdict=docket.verdict if docket.findings else Verdict.CONFORM,
        counts=docket.counts,
    )


def _outcome(hands: dict[int, Made]) -> str | None:
    """Who wins with what, in words; None while no hand is known."""
    if not hands:
        return None
    wins = [
        f"seat {seat} ({hand.kind.name.lower().replace('_', ' ')})"
        for seat, hand in hands.items()
        if hand.kind is not None and hand.multiples[0] is not None
    ]
    return ", ".join(wins) or "the house"
