"""The shoe: six packs, and the cut card ten cards before its end."""

from __future__ import annotations

from itertools import takewhile

from rules.baccarat.composition import judge_composition
from rules.baccarat.coup import Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CardPlaced, Cue, CutCardSeen, ShoeExit
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.reading import BanqueCarry
from rules.sight import Sight
from rules.spots import SHOE


def judge_shoe(start: BanqueCarry, coup: Coup, profile: BanqueProfile, sight: Sight, docket: Docket) -> None:
    """The shoe's rules for one coup."""
    shoe, first = start.shoe, coup.cards[0]
    if shoe.cut_t is None:
        docket.conform("BT-CUT-02")
        _judge_depth(start, coup, profile, docket)
    else:
        docket.breach(
            "BT-CUT-02",
            "DEAL_AFTER_CUT_CARD",
            Moment.span(shoe.cut_t, first.t, shoe.cut_seq, first.seq),
            expected="no coup after the one in which the cut card came out",
            seen=f"the cut card was out at {clock(shoe.cut_t)}, and a card was dealt at {clock(first.t)}",
        )
    judge_composition(shoe, coup.cards, profile.packs, "BT-DECK-01", sight, docket, profile.backs)


def _judge_depth(start: BanqueCarry, coup: Coup, profile: BanqueProfile, docket: Docket) -> None:
    """Ten cards lie below the cut card: those that came out before it are counted from a new shoe on."""
    ahead = takewhile(lambda event: not (isinstance(event, Cue) and event.cue == "new_shoe"), coup.events)
    cut = next((event for event in ahead if isinstance(event, CutCardSeen)), None)
    if cut is None or start.shoe.coups is None or (start.shoe.coups == 0 and cut.t <= coup.t_first):
        return
    own = {
        event.card_id
        for event in coup.events
        if isinstance(event, ShoeExit | CardPlaced) and event.t < cut.t and event.card_id is not None
    }
    below = profile.packs * 52 - start.shoe.cards - len(own)
    when = Moment.at(cut.t, cut.seq)
    expected, seen = f"{profile.cut_card_below} cards below the cut card", f"{below} below it"
    if below == profile.cut_card_below:
        docket.conform("BT-CUT-01")
    elif not start.in_view:
        why = "the view was lost since the shoe was put in place, and cards may have been missed"
        docket.undetermined(
            "BT-CUT-01", "CUT_CARD_MISPLACED", when, why, expected=expected, seen=seen, spot=SHOE
        )
    else:
        docket.breach("BT-CUT-01", "CUT_CARD_MISPLACED", when, expected=expected, seen=seen, spot=SHOE)
