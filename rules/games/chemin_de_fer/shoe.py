"""The shoe: how it is made ready, the cut card, how often a card may occur; and what is said of both."""

from __future__ import annotations

from rules.baccarat.composition import judge_composition
from rules.baccarat.coup import Coup
from rules.baccarat.shoe import Shoe
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CutCardSeen
from rules.games.chemin_de_fer.bank_story import BankStory
from rules.games.chemin_de_fer.hearing import at_all, before, seat_of, seats_in, since
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import SHOE

_LAG_S = 0.5


def judge_shoe(
    shoe: Shoe, coup: Coup, story: BankStory, profile: CheminDeFerProfile, sight: Sight, docket: Docket
) -> None:
    """The shoe's rules for a coup that begins with ``shoe``."""
    cards = sorted([*coup.cards, *coup.aside], key=lambda card: card.t)
    _judge_last_coup(shoe, coup, cards, docket)
    _judge_depth(shoe, coup, cards, story, profile, docket)
    judge_composition(shoe, cards, profile.packs, "CF-DECK-01", sight, docket, profile.backs)
    if before(coup, "new_shoe"):
        _judge_new_shoe(coup, story, profile, docket)


def _out(card: SeenCard) -> float:
    return card.t if card.t_exit is None else card.t_exit


def _judge_last_coup(shoe: Shoe, coup: Coup, cards: list[SeenCard], docket: Docket) -> None:
    """After the cut card only the coup in progress is finished."""
    first = cards[0]
    out = None if shoe.cut_t is None else (shoe.cut_t, shoe.cut_seq)
    if out is None and shoe.coups != 0:
        ahead = [e for e in coup.events if isinstance(e, CutCardSeen) and e.t <= _out(first)]
        out = (ahead[0].t, ahead[0].seq) if ahead else None
    if out is None:
        docket.conform("CF-CUT-02")
        return
    docket.breach(
        "CF-CUT-02",
        "DEAL_AFTER_CUT_CARD",
        Moment.span(out[0], first.t, out[1], first.seq),
        expected="no coup after the one in which the cut card came out",
        seen=f"the cut card was out at {clock(out[0])}, and a card was dealt at {clock(first.t)}",
    )


def _judge_depth(
    shoe: Shoe,
    coup: Coup,
    cards: list[SeenCard],
    story: BankStory,
    profile: CheminDeFerProfile,
    docket: Docket,
) -> None:
    """So many cards lie below the cut card, counted from a new shoe on."""
    cut = next((event for event in coup.events if isinstance(event, CutCardSeen)), None)
    if cut is None or shoe.cut_t is not None or shoe.coups is None:
        return
    if shoe.coups == 0 and cut.t <= coup.t_first:
        return  # it is being put in
    out = shoe.cards + sum(_out(card) < cut.t for card in cards)
    below = profile.packs * 52 - out
    when = Moment.at(cut.t, cut.seq)
    expected, seen = f"{profile.cut_card_below} cards below the cut card", f"{below}: {out} had come out"
    if below == profile.cut_card_below:
        docket.conform("CF-CUT-01")
    elif story.looked_away or coup.gaps.within(SHOE, coup.t_close, cut.t) is not None:
        why = "the view was lost since the shoe was put in place, and cards may have been missed"
        docket.undetermined(
            "CF-CUT-01", "CUT_CARD_MISPLACED", when, why, expected=expected, seen=seen, spot=SHOE
        )
    else:
        docket.breach("CF-CUT-01", "CUT_CARD_MISPLACED", when, expected=expected, seen=seen, spot=SHOE)


def _judge_new_shoe(coup: Coup, story: BankStory, profile: CheminDeFerProfile, docket: Docket) -> None:
    """A new shoe: shuffled by the dealer last, cut in order, the mode said, the old cards checked."""
    new = before(coup, "new_shoe")[-1]
    when = Moment.at(new.t, new.seq)
    _judge_shuffle(coup, profile, when, docket)
    _judge_cut(coup, story, profile, docket)
    if at_all(coup, "mode_announced"):
        docket.conform("CF-MODE-01")
    elif "mode_announced" in profile.cues:
        docket.breach(
            "CF-MODE-01",
            "ANNOUNCEMENT_MISSING",
            when,
            expected="said whether the table plays freely or by the rules",
            seen="not said (cue mode_announced)",
        )
    if story.check_asked and not before(coup, "cards_checked") and "cards_checked" in profile.cues:
        docket.breach(
            "CF-END-02",
            "CARD_COMPOSITION",
            when,
            expected="the cards of the last shoe checked: a player asked for it",
            seen="they were not checked (cue cards_checked)",
        )
    elif before(coup, "cards_checked"):
        docket.conform("CF-END-02")


def _judge_shuffle(coup: Coup, profile: CheminDeFerProfile, when: Moment, docket: Docket) -> None:
    shuffles = before(coup, "cards_shuffled")
    last = shuffles[-1].value if shuffles else None
    if shuffles and last in (None, "dealer"):
        docket.conform("CF-SHUF-01")
    elif shuffles or "cards_shuffled" in profile.cues:
        docket.breach(
            "CF-SHUF-01",
            "SHUFFLE_INCOMPLETE",
            when,
            expected="the cards shuffled, last of all by the dealer",
            seen=f"shuffled last by {last}" if shuffles else "not shuffled (cue cards_shuffled)",
            spot=SHOE,
        )


def _judge_cut(coup: Coup, story: BankStory, profile: CheminDeFerProfile, docket: Docket) -> None:
    """The cut goes from the dealer's left onwards: from the highest seat down, passing who declines."""
    for cue in before(coup, "cards_cut")[-1:]:
        seat = seat_of(cue)
        declined = set(seats_in(before(coup, "cut_declined")))
        if seat is None:
            continue
        ahead = [other for other in sorted(story.players, reverse=True) if other > seat]
        skipped = [other for other in ahead if other not in declined]
        if not skipped:
            docket.conform("CF-SHUF-02")
        elif "cut_declined" in profile.cues:
            docket.breach(
                "CF-SHUF-02",
                "CUT_WRONG_PLAYER",
                Moment.at(cue.t, cue.seq),
                expected=f"the cut offered to seat {skipped[0]} first",
                seen=f"seat {seat} cut",
                spot=SHOE,
            )
        else:
            docket.undetermined(
                "CF-SHUF-02",
                "CUT_WRONG_PLAYER",
                Moment.at(cue.t, cue.seq),
                f"whether seat {skipped[0]} declined was not told (cue cut_declined)",
                seen=f"seat {seat} cut",
                spot=SHOE,
            )


def judge_close(coup: Coup, profile: CheminDeFerProfile, docket: Docket) -> None:
    """The bets are closed aloud before the first card; complaints come before the coup is settled."""
    rule, first = "CF-DEAL-02", min([*coup.cards, *coup.aside], key=_out)
    out = _out(first)
    told = at_all(coup, "no_more_bets")
    if any(cue.t <= out + _LAG_S for cue in told):
        docket.conform(rule)
    elif any(cue.t < coup.t_result for cue in told) or "no_more_bets" in profile.cues:
        docket.breach(
            rule,
            "DEALT_BEFORE_CLOSE",
            Moment.at(out, first.seq),
            expected="the bets closed aloud before the first card",
            seen=f"the first card left the shoe at {clock(out)}, before that was said",
        )
    for cue in since(coup, "complaint_upheld"):
        late = coup.t_swept is not None and cue.t > max([coup.t_swept, *(move.t for move in coup.moves)])
        if not late:
            docket.conform("CF-ERR-15")
            continue
        docket.breach(
            "CF-ERR-15",
            "CLAIM_TOO_LATE",
            Moment.at(cue.t, cue.seq),
            expected="no complaint against the banker once the coup is settled",
            seen=f"one was upheld at {clock(cue.t)}",
        )
