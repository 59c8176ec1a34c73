"""A coup's verdicts put together, and its summary."""

from __future__ import annotations

from rules.baccarat.closing import judge_closing
from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.docket import Docket
from rules.findings import BetRecord, CoupSummary, Finding
from rules.games.trente_et_quarante.bets import judge_bets, judge_calls
from rules.games.trente_et_quarante.dealing import judge_dealing
from rules.games.trente_et_quarante.insuring import judge_insurance, read_insured
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.reading import TrenteCarry, red_card
from rules.games.trente_et_quarante.rows import Rows, read_rows
from rules.games.trente_et_quarante.settling import judge_settlement
from rules.games.trente_et_quarante.shoe import judge_shoe
from rules.games.trente_et_quarante.words import ROWS
from rules.sight import Sight


def judge_coup(
    start: TrenteCarry, coup: Coup, profile: TrenteProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one coup; ``start``: what it began from."""
    docket = Docket(coup.number, coup.gaps, coup.t_close)
    rows = read_rows(coup, profile.full_from)
    red = red_card(coup, rows)
    stopped = "TQ-CUT-02" if red is not None else "" if coup.void else None
    judge_shoe(start, coup, red, profile, sight, docket)
    judge_dealing(coup, rows, stopped is not None, profile, docket)
    tampered = judge_closing(coup, "TQ-BET-01", docket)
    insured = read_insured(coup, start.t_dealt)
    if not coup.began_unseen:
        judge_bets(start, coup, profile, docket)
        judge_insurance(coup, insured, profile, docket)
    if stopped is None:
        judge_calls(coup, profile, docket)
    records = judge_settlement(start, coup, rows, stopped, insured, tampered, profile, docket)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(coup, rows, stopped, records, docket)


def _summary(
    coup: Coup, rows: Rows, stopped: str | None, records: list[BetRecord], docket: Docket
) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    sure = rows.sure if stopped is None else None
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={row: tuple(card.name for card in rows.cards[row]) for row in ROWS},
        bets=tuple(records),
        result={
            "winner": None if sure is None else {"row": sure.row or sure.kind.value, "colour": sure.colour},
            "noir_total": rows.totals["noir"],
            "rouge_total": rows.totals["rouge"],
            "void": stopped is not None,
            "reason": rows.reason if stopped is None else None,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )
