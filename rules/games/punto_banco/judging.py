"""A coup's verdicts put together, and its summary."""

from __future__ import annotations

from rules.baccarat.closing import judge_closing
from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.baccarat.points import HANDS
from rules.docket import Docket
from rules.findings import BetRecord, CoupSummary, Finding
from rules.games.punto_banco.bets import judge_limits
from rules.games.punto_banco.dealers import judge_dealers
from rules.games.punto_banco.dealing import judge_dealing
from rules.games.punto_banco.drawing import Outcome, judge_drawing
from rules.games.punto_banco.hands import judge_hands
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.reading import TableCarry, shoe_seat
from rules.games.punto_banco.settling import judge_settlement, winner_text
from rules.games.punto_banco.shoe import judge_shoe
from rules.games.punto_banco.shoe_turn import judge_shoe_turn
from rules.games.punto_banco.spoken import judge_spoken
from rules.games.punto_banco.uruguay import judge_pass
from rules.games.punto_banco.uruguay_carry import UruguayCarry
from rules.sight import Sight


def judge_coup(
    start: TableCarry, coup: Coup, profile: PuntoBancoProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one coup; ``start``: what it began from."""
    docket = Docket(coup.number, coup.gaps, coup.t_close)
    if isinstance(start, UruguayCarry):
        outcome, records = judge_pass(start, coup, profile, sight, docket)
        return _findings(docket), _summary(coup, outcome, records, docket)
    judge_shoe(start, coup, profile, sight, docket)
    judge_shoe_turn(start, coup, profile, docket)
    judge_dealing(coup, profile, docket)
    judge_hands(coup, shoe_seat(coup.before, start.seat), profile, docket)
    outcome = judge_drawing(coup, profile, docket)
    tampered = judge_closing(coup, profile.articles.closed, docket)
    if not coup.began_unseen:
        judge_limits(coup, profile, docket)
    records = judge_settlement(coup, outcome, tampered, profile, docket).records
    judge_dealers(coup, profile, docket)
    judge_spoken(coup, outcome, profile, docket)
    return _findings(docket), _summary(coup, outcome, records, docket)


def _findings(docket: Docket) -> list[Finding]:
    return sorted(docket.findings, key=lambda finding: (finding.t, finding.id))


def _summary(coup: Coup, outcome: Outcome, records: list[BetRecord], docket: Docket) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={hand: tuple(card.name for card in coup.hand(hand)) for hand in HANDS},
        bets=tuple(records),
        result={
            "winner": None if outcome.result is None else winner_text(outcome.result),
            "punto_total": outcome.punto_total,
            "banca_total": outcome.banca_total,
            "natural": outcome.natural,
            "void": coup.void,
            "reason": outcome.reason,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )
