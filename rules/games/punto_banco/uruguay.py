"""A pass of punto y banca as Uruguay's state casinos deal it."""

from __future__ import annotations

from rules.baccarat.closing import judge_closing
from rules.baccarat.coup import Coup
from rules.docket import Docket
from rules.findings import BetRecord
from rules.games.punto_banco.drawing import Outcome, judge_drawing
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.settling import judge_settlement
from rules.games.punto_banco.uruguay_carry import UruguayCarry
from rules.sight import Sight


def judge_pass(
    start: UruguayCarry, coup: Coup, profile: PuntoBancoProfile, sight: Sight, docket: Docket
) -> tuple[Outcome, list[BetRecord]]:
    """All verdicts on one pass; ``start``: what it began from."""
    outcome = judge_drawing(coup, profile, docket)
    tampered = judge_closing(coup, profile.articles.closed, docket)
    return outcome, judge_settlement(coup, outcome, tampered, profile, docket).records
