"""A coup's verdicts put together, and its summary."""

from __future__ import annotations

from dataclasses import replace

from rules.baccarat.closing import judge_closing
from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.docket import Docket
from rules.findings import BetRecord, CoupSummary, Finding
from rules.games.banque_deux_tableaux.bank import judge_books, judge_given, relieve
from rules.games.banque_deux_tableaux.bets import judge_bets
from rules.games.banque_deux_tableaux.dealing import judge_dealing, shown_in_deal
from rules.games.banque_deux_tableaux.drawing import Outcome, circumstances, judge_drawing
from rules.games.banque_deux_tableaux.hands import Hands, read_hands
from rules.games.banque_deux_tableaux.holding import judge_holders
from rules.games.banque_deux_tableaux.lines import Side
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.reading import BanqueCarry
from rules.games.banque_deux_tableaux.restoring import judge_words
from rules.games.banque_deux_tableaux.settling import enter, settle_all
from rules.games.banque_deux_tableaux.shoe import judge_shoe
from rules.games.banque_deux_tableaux.told import banco_of, judge_told
from rules.games.banque_deux_tableaux.words import HANDS, TABLEAUX
from rules.sight import Sight


def judge_coup(
    start: BanqueCarry, coup: Coup, profile: BanqueProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one coup; ``start``: what it began from."""
    docket = Docket(coup.number, coup.gaps, coup.t_close)
    hands = read_hands(coup)
    coup = _without_lost(coup, hands)
    banco = banco_of(start, coup, profile)
    case = circumstances(coup, hands, banco)
    judge_shoe(start, coup, profile, sight, docket)
    judge_dealing(coup, hands, profile, docket)
    judge_holders(start, coup, hands, profile, banco, docket)
    judge_told(start, coup, hands, profile, docket)
    outcome = judge_drawing(coup, hands, profile, case, docket)
    judge_words(coup, hands, profile, case, docket)
    tampered = judge_closing(coup, _closed_by(hands), docket)
    if not coup.began_unseen:
        judge_bets(coup, profile, docket)
        judge_given(start, coup, profile, docket)
    cases, records = settle_all(coup, outcome, tampered, profile, docket)
    if outcome.sure is not None and cases:
        relieve(cases, coup, profile)
        enter(cases, coup, outcome, hands, outcome.sure, profile, docket)
        judge_books(start, coup, cases, profile, docket)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(coup, hands, outcome, records, docket)


def _without_lost(coup: Coup, hands: Hands) -> Coup:
    """The coup, its cards gathered when those that were not lost are."""
    early = {loss.card.card_id for loss in hands.lost} | {
        card.card_id for card, taken in hands.unusable if taken
    }
    if not early:
        return coup
    gone = sorted(
        card.t_cleared for card in coup.cards if card.t_cleared is not None and card.card_id not in early
    )
    return replace(coup, t_swept=gone[1] if len(gone) > 1 else None)


def _closed_by(hands: Hands) -> str:
    """The row that keeps the bets as they are: after a card was shown it is that error's own."""
    if hands.shown_by_shoe:
        return "BT-ERR-01"
    if any(len(cards) > 1 for name, cards in shown_in_deal(hands).items() if name in TABLEAUX):
        return "BT-ERR-07"
    return "BT-BET-02"


def _summary(
    coup: Coup, hands: Hands, outcome: Outcome, records: list[BetRecord], docket: Docket
) -> CoupSummary:
    t_to = coup.t_end if coup.t_gone is None else min(coup.t_gone + 1.0, coup.t_end)
    sides = outcome.sure
    void = sides is not None and Side.VOID in sides
    return CoupSummary(
        coup=coup.number,
        t_from=round(coup.t_close - CLOSE_TOLERANCE_S, 3) if coup.t_close > CLOSE_TOLERANCE_S else 0.0,
        t_to=round(t_to, 3),
        cards={name: tuple(card.name for card in hands.of(name)) for name in HANDS},
        bets=tuple(records),
        result={
            "winner": None
            if sides is None
            else {name: side.value for name, side in zip(TABLEAUX, sides, strict=True)},
            "tableau_1_total": outcome.totals[0],
            "tableau_2_total": outcome.totals[1],
            "banca_total": outcome.totals[2],
            "void": void,
            "reason": outcome.reason,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )
