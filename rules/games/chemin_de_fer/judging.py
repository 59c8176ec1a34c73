"""A coup's verdicts put together, and its summary."""

from __future__ import annotations

from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.baccarat.points import Result
from rules.docket import Docket, Moment
from rules.findings import BetRecord, CoupSummary, Finding
from rules.games.chemin_de_fer.bank import judge_bank
from rules.games.chemin_de_fer.bank_story import banker_of
from rules.games.chemin_de_fer.claims import judge_claims
from rules.games.chemin_de_fer.deal import Deal, read_deal
from rules.games.chemin_de_fer.dealing import judge_dealing
from rules.games.chemin_de_fer.drawing import judge_banker_speech, judge_drawing
from rules.games.chemin_de_fer.garage import judge_amounts
from rules.games.chemin_de_fer.outcome import Outcome, outcome_of
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.reading import BankCarry
from rules.games.chemin_de_fer.settling import judge_settlement
from rules.games.chemin_de_fer.shoe import judge_close, judge_shoe
from rules.games.chemin_de_fer.stakes import judge_closing, judge_stakes, without_removed
from rules.games.chemin_de_fer.words import SIDES
from rules.sight import Sight


def judge_coup(
    start: BankCarry, coup: Coup, profile: CheminDeFerProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one coup; ``start``: what it began from."""
    docket = Docket(coup.number, coup.gaps, coup.t_close)
    story = start.story
    banker = banker_of(coup, story)
    deal = read_deal(coup, banker)
    outcome = outcome_of(coup, deal, profile)
    judge_shoe(start.shoe, coup, story, profile, sight, docket)
    if story.coups == 0:
        _judge_layout(coup, profile, docket)
    judge_dealing(coup, deal, banker, profile, docket)
    judge_drawing(coup, deal, outcome, profile, docket)
    tampered = judge_closing(coup, deal, profile, docket)
    coup, tampered = without_removed(coup, tampered, docket)
    if not coup.began_unseen:
        judge_close(coup, profile, docket)
        judge_banker_speech(deal, profile, docket)
        judge_bank(coup, story, profile, docket)
        judge_amounts(coup, story, banker, profile, docket)
        judge_stakes(coup, start, profile, docket)
        judge_claims(coup, deal, story, banker, profile, docket)
    records = judge_settlement(coup, deal, outcome, tampered, story, profile, docket)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(coup, deal, outcome, records, docket)


def _judge_layout(coup: Coup, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Seats count from the dealer's right; said once."""
    if profile.numbered_right is None:
        return
    if profile.numbered_right:
        docket.conform("CF-TABLE-02")
        return
    docket.breach(
        "CF-TABLE-02",
        "CONFIG_INVALID",
        Moment.at(coup.t_close),
        expected="seats numbered from the dealer's right",
        seen="the layout numbers them from his left",
    )


def _summary(
    coup: Coup, deal: Deal, outcome: Outcome, records: list[BetRecord], docket: Docket
) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    result = outcome.result
    winner = None if result is None else "tie" if result is Result.TIE else result.value
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={side: tuple(card.name for card in deal.cards(side)) for side in SIDES},
        bets=tuple(records),
        result={
            "winner": winner,
            "punto_total": outcome.totals["punto"],
            "banca_total": outcome.totals["banca"],
            "natural": outcome.natural,
            "void": outcome.void is not None,
            "reason": outcome.reason,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )
