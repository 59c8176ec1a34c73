"""The shoe: its packs, who cuts, and the red card that annuls a coup."""

from __future__ import annotations

from itertools import takewhile

from rules.baccarat.composition import judge_composition
from rules.baccarat.coup import Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CardPlaced, Cue, CutCardSeen, ShoeExit
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.reading import TrenteCarry, laid_down
from rules.sight import Sight
from rules.spots import SHOE, TABLE


def judge_shoe(
    start: TrenteCarry,
    coup: Coup,
    red: CutCardSeen | None,
    profile: TrenteProfile,
    sight: Sight,
    docket: Docket,
) -> None:
    """The shoe's rules for one coup. ``red``: the red card, if it came out in the deal."""
    judge_composition(start.shoe, coup.cards, profile.packs, "TQ-DECK-01", sight, docket, profile.backs)
    _judge_cutting(coup, profile, docket)
    if start.shoe.cut_t is not None:
        docket.breach(
            "TQ-CUT-02",
            "VOID_NOT_APPLIED",
            Moment.span(start.shoe.cut_t, coup.t_first, start.shoe.cut_seq, coup.cards[0].seq),
            expected="no coup dealt from a shoe whose red card is out",
            seen=f"the red card was out at {clock(start.shoe.cut_t)}, a card laid at {clock(coup.t_first)}",
        )
    _judge_depth(start, coup, profile, docket)
    if red is not None and coup.over and not coup.cut_off:
        _judge_laid(coup, red, docket)


def _judge_cutting(coup: Coup, profile: TrenteProfile, docket: Docket) -> None:
    """The player nearest to the croupier's right cuts a new shoe (TQ-SHUF-01)."""
    rule, code = "TQ-SHUF-01", "CUT_WRONG_PLAYER"
    before = [event for event in coup.before if isinstance(event, Cue)]
    new = next((cue for cue in before if cue.cue == "new_shoe"), None)
    cuts = [cue for cue in before if cue.cue == "cards_cut"]
    for cut in cuts:
        if cut.value == "nearest_right":
            docket.conform(rule)
            continue
        docket.breach(
            rule,
            code,
            Moment.at(cut.t, cut.seq),
            expected="the cards cut by the player nearest to the croupier's right",
            seen=f"they were cut by {cut.value or 'another'}",
            spot=SHOE,
        )
    if new is not None and not cuts and "cards_cut" in profile.cues:
        docket.breach(
            rule,
            code,
            Moment.at(new.t, new.seq),
            expected="the cards cut by the player nearest to the croupier's right",
            seen="nobody cut them",
            spot=SHOE,
        )


def _judge_depth(start: TrenteCarry, coup: Coup, profile: TrenteProfile, docket: Docket) -> None:
    """Five cards lie behind the red card (TQ-CUT-01): as they are laid down, or by those that came before."""
    ahead = takewhile(lambda event: not (isinstance(event, Cue) and event.cue == "new_shoe"), coup.events)
    red = next((event for event in ahead if isinstance(event, CutCardSeen)), None)
    if red is None or start.shoe.cut_t is not None or (start.shoe.coups == 0 and red.t <= coup.t_first):
        return
    laid = laid_down(coup, red.t)
    own = {
        event.card_id
        for event in coup.events
        if isinstance(event, ShoeExit | CardPlaced) and event.t < red.t and event.card_id is not None
    }
    if laid:
        if not coup.over:
            return
        below = len(laid)
    elif start.shoe.coups is None:
        return
    else:
        below = profile.packs * 52 - start.shoe.cards - len(own)
    rule, code, when = "TQ-CUT-01", "CUT_CARD_MISPLACED", Moment.at(red.t, red.seq)
    expected, seen = f"{profile.cut_card_below} cards behind the red card", f"{below} behind it"
    if below == profile.cut_card_below:
        docket.conform(rule)
    elif laid and coup.gaps.within(TABLE, red.t, coup.t_end) is not None:
        why = "the felt could not be seen all the time"
        docket.undetermined(rule, code, when, why, expected=expected, seen=seen, spot=SHOE)
    elif not laid and not start.in_view:
        why = "the view was lost since the shoe was put in place, and cards may have been missed"
        docket.undetermined(rule, code, when, why, expected=expected, seen=seen, spot=SHOE)
    else:
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=SHOE)


def _judge_laid(coup: Coup, red: CutCardSeen, docket: Docket) -> None:
    """The cards behind the red card are laid down to be counted (TQ-CUT-02)."""
    if laid_down(coup, red.t):
        docket.conform("TQ-CUT-02")
        return
    rule, code, when = "TQ-CUT-02", "VOID_NOT_APPLIED", Moment.span(red.t, coup.t_end, red.seq)
    expected, seen = "the last five cards laid on the table face down", "no card was laid down"
    if coup.gaps.within(TABLE, red.t, coup.t_end) is not None:
        why = "the felt could not be seen all the time"
        docket.undetermined(rule, code, when, why, expected=expected, seen=seen, spot=TABLE)
    else:
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=TABLE)
