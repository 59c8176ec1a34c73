"""A pass of punto y banca as Uruguay's state casinos deal it: its verdicts, one after the other.

The shoe is in a player's hands, who holds the bank; punto chooses on five; standing players bet in boxes with
letters; and the text says what becomes of a card or a pass that went wrong.
"""

from __future__ import annotations

from dataclasses import replace

from rules.baccarat.closing import judge_closing
from rules.baccarat.coup import Coup
from rules.docket import Docket
from rules.findings import BetRecord
from rules.games.punto_banco.bets import standing_bets
from rules.games.punto_banco.dealing import judge_dealing
from rules.games.punto_banco.drawing import Outcome, judge_drawing
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.shoe import judge_shoe
from rules.games.punto_banco.spoken import judge_spoken
from rules.games.punto_banco.uruguay_auction import judge_auction
from rules.games.punto_banco.uruguay_bank import judge_bank
from rules.games.punto_banco.uruguay_bets import judge_annulled, judge_bets, judge_claimed
from rules.games.punto_banco.uruguay_cards import judge_runout, judge_stray_cards
from rules.games.punto_banco.uruguay_carry import UruguayCarry, bank_of, holder
from rules.games.punto_banco.uruguay_hands import judge_punto_player, option_of
from rules.games.punto_banco.uruguay_pass import Pass
from rules.games.punto_banco.uruguay_session import judge_session
from rules.games.punto_banco.uruguay_settling import judge_bets_settled
from rules.games.punto_banco.uruguay_shoe import (
    judge_cut_card,
    judge_packs,
    judge_preparation,
    judge_shoe_place,
)
from rules.sight import Sight


def judge_pass(
    start: UruguayCarry, coup: Coup, profile: PuntoBancoProfile, sight: Sight, docket: Docket
) -> tuple[Outcome, list[BetRecord]]:
    """All verdicts on one pass; ``start``: what it began from."""
    assert profile.uruguay is not None
    seat = holder(start, coup)
    run = bank_of(start, coup, seat)
    cues = (*coup.cues_before, *coup.cues)
    play = Pass(start, coup, profile, profile.uruguay, docket, seat, run, standing_bets(coup), cues)
    judge_shoe(start, coup, profile, sight, docket)
    judge_preparation(play)
    judge_packs(play)
    judge_cut_card(play)
    judge_shoe_place(play)
    judge_auction(play)
    judge_bank(play)
    judge_bets(play)
    judge_dealing(coup, profile, docket)
    judge_stray_cards(play)
    judge_punto_player(play)
    outcome = _drawn(play)
    tampered = judge_closing(coup, profile.articles.closed, docket)
    frozen = judge_claimed(play) | judge_annulled(play)
    settlement = judge_bets_settled(play, outcome, tampered, frozen)
    judge_spoken(coup, outcome, profile, docket)
    judge_session(play, outcome)
    return outcome, settlement.records


def _drawn(play: Pass) -> Outcome:
    """The draws; a pass for which the shoe had not cards enough is void."""
    if judge_runout(play):
        play.coup.void = True
        return judge_drawing(play.coup, play.profile, Docket(play.coup.number))
    table, articles = option_of(play)
    return judge_drawing(play.coup, replace(play.profile, drawing=table, articles=articles), play.docket)
