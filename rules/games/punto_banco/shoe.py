"""The shoe: how it was prepared, its burned cards, the cut card, and how often a card may occur."""

from __future__ import annotations

from rules.baccarat.composition import judge_composition
from rules.baccarat.coup import Coup
from rules.baccarat.points import burn_value
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Cue, CutCardSeen, HandContact, Owner
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.reading import TableCarry, lost_view
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import SHOE, Area, Spot

_PREPARED = ("cards_counted", "cards_shuffled", "cards_cut")
_DRAWING_S = 1.5
"""A hand may draw one card from the shoe in this time; the coup's first card leaves it within as much."""


def judge_shoe(
    start: TableCarry, coup: Coup, profile: PuntoBancoProfile, sight: Sight, docket: Docket
) -> None:
    """The shoe's rules for a coup and what it begins from."""
    articles, shoe = profile.articles, start.shoe
    if articles.prepared is not None:
        _judge_preparation(coup, articles.prepared, profile, docket)
    if articles.cut_last is not None:
        _judge_last_coup(start, coup, articles.cut_last, profile, docket)
    if articles.cut_depth is not None:
        _judge_depth(start, coup, articles.cut_depth, profile, docket)
    if not shoe.burned and profile.burns and articles.burn is not None:
        _judge_no_burning(coup, articles.burn, docket)
    if shoe.burned and profile.burns:
        burned = _in_place(shoe.burned) or shoe.burned
        if articles.burn is not None:
            astray = len(burned) < len(shoe.burned)
            _judge_burning(burned, coup, articles.burn, profile, docket, astray=astray)
        if articles.burn_place is not None:
            _judge_burned_place(burned, articles.burn_place, docket)
    cards = [*coup.cards, *coup.aside]
    judge_composition(shoe, cards, profile.packs, profile.articles.composition, sight, docket)


def _judge_preparation(coup: Coup, rule: str, profile: PuntoBancoProfile, docket: Docket) -> None:
    """Before a new shoe is used its cards are counted, shuffled and cut, as far as that is told."""
    told = [event for event in coup.before if isinstance(event, Cue)]
    new = [event for event in told if event.cue == "new_shoe"]
    due = [cue for cue in _PREPARED if cue in profile.cues]
    if not new or not due:
        return
    missing = [cue for cue in due if all(event.cue != cue for event in told)]
    if not missing:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "SHUFFLE_INCOMPLETE",
        Moment.at(new[-1].t, new[-1].seq),
        expected="the cards counted, shuffled and cut before the shoe is used",
        seen=f"not told: {', '.join(missing)}",
        spot=SHOE,
    )


def _judge_last_coup(
    start: TableCarry, coup: Coup, rule: str, profile: PuntoBancoProfile, docket: Docket
) -> None:
    """The cut card ends the game: only the coup in progress is finished. One that comes out between two coups
    ends it at once, unless the profile leaves one more (D-AND-3)."""
    shoe, first = start.shoe, coup.cards[0]
    out = None if shoe.cut_t is None else (shoe.cut_t, shoe.cut_seq)
    between = shoe.cut_t is not None and start.t_swept is not None and shoe.cut_t > start.t_swept
    if out is None and shoe.coups != 0:
        dealt = first.t if first.t_exit is None else first.t_exit
        ahead = [event for event in coup.events if isinstance(event, CutCardSeen) and event.t <= dealt]
        if ahead:
            out, between = (ahead[0].t, ahead[0].seq), True
    if out is None or (between and profile.one_more_after_cut):
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "DEAL_AFTER_CUT_CARD",
        Moment.span(out[0], first.t, out[1], first.seq),
        expected="no coup after the one in which the cut card came out",
        seen=f"the cut card was out at {clock(out[0])}, and a card was dealt at {clock(first.t)}",
    )


def _judge_depth(
    start: TableCarry, coup: Coup, rule: str, profile: PuntoBancoProfile, docket: Docket
) -> None:
    """So many cards lie below the cut card: those that came out before it, counted from a new shoe on."""
    shoe = start.shoe
    if shoe.cut_t is not None or shoe.coups is None:
        return
    cut = next((event for event in coup.events if isinstance(event, CutCardSeen)), None)
    if cut is None or (shoe.coups == 0 and cut.t <= coup.t_first):
        return
    out = shoe.cards + sum((card.t if card.t_exit is None else card.t_exit) < cut.t for card in coup.cards)
    below = profile.packs * 52 - out
    when = Moment.at(cut.t, cut.seq)
    expected, seen = f"{profile.cut_card_below} cards below the cut card", f"{below} below it: {out} came out"
    if below == profile.cut_card_below:
        docket.conform(rule)
    elif lost_view(coup, start.lost):
        why = "the view was lost since the shoe was put in place, and cards may have been missed"
        docket.undetermined(rule, "CUT_CARD_MISPLACED", when, why, expected=expected, seen=seen, spot=SHOE)
    else:
        docket.breach(rule, "CUT_CARD_MISPLACED", when, expected=expected, seen=seen, spot=SHOE)


def _in_place(burned: list[SeenCard]) -> list[SeenCard]:
    """The burned cards from the first shown one on that lies in a place for them: with those there, what lies
    elsewhere on the felt need not be burned. Empty where no shown card lies in such a place."""
    placed = [card for card in burned if card.dealt_to.area is not Area.TABLE]
    first = next((number for number, card in enumerate(placed) if card.t_up is not None), len(placed))
    return placed[first:]


def _judge_burning(
    burned: list[SeenCard],
    coup: Coup,
    rule: str,
    profile: PuntoBancoProfile,
    docket: Docket,
    *,
    astray: bool,
) -> None:
    """As many cards are burned as the shown card's value (it is not one of them, unless so set: D-AND-1).

    Burned cards go away on one another or in a hand: fewer are certain only where they have a place and the
    dealer did not reach for more. ``astray``: further cards, which may be of them, lay elsewhere.
    """
    shown, others = burned[0], burned[1:]
    when = Moment.span(shown.t, burned[-1].t, *(card.seq for card in burned))
    if shown.card is None:
        why = f"the shown card's value is not known: {shown.unread}"
        docket.undetermined(rule, "BURN_COUNT_WRONG", when, why, seen=f"{len(others)} cards burned")
        return
    due = burn_value(shown.card) - profile.burn_shown
    if len(others) == due:
        docket.conform(rule)
        return
    expected, seen = f"{due} cards burned after {shown.card}", f"{len(others)} cards burned"
    unplaced = shown.dealt_to.area is Area.TABLE
    if astray or (len(others) > due and any(card.dealt_to.area is Area.TABLE for card in others)):
        why = "cards lay elsewhere on the felt, and it is not certain which were burned"
        docket.undetermined(rule, "BURN_COUNT_WRONG", when, why, expected=expected, seen=seen)
        return
    if len(others) < due and (unplaced or _reached(coup, shown.t) > len(others)):
        why = "cards may have gone unseen: " + (
            "the burned cards have no place on this felt" if unplaced else "a hand was at the shoe more often"
        )
        docket.undetermined(rule, "BURN_COUNT_WRONG", when, why, expected=expected, seen=seen)
        return
    docket.breach(rule, "BURN_COUNT_WRONG", when, expected=expected, seen=seen, since=shown.t)


def _reached(coup: Coup, t: float) -> int:
    """How many cards a dealer's hand may have drawn after ``t``, before the coup's first one."""
    first = coup.cards[0]
    until = (first.t if first.t_exit is None else first.t_exit) - _DRAWING_S
    reaches = [
        event
        for event in coup.before
        if isinstance(event, HandContact)
        and event.hand.owner is not Owner.PLAYER
        and t < event.t
        and (event.t if event.t_to is None else event.t_to) < until
    ]
    return sum(1 + int(((event.t_to or event.t) - event.t) / _DRAWING_S) for event in reaches)


def _judge_no_burning(coup: Coup, rule: str, docket: Docket) -> None:
    """A new shoe from which no card was shown: certain where it was in view and exits are seen."""
    new = [event for event in coup.before if isinstance(event, Cue) and event.cue == "new_shoe"]
    if not new:
        return
    first, t = coup.cards[0], new[-1].t
    when = Moment.span(t, coup.t_close, new[-1].seq, first.seq)
    expected, seen = "the first card shown, and cards burned by its value", "no card shown, and none burned"
    why = None
    if coup.gaps.within(SHOE, t, coup.t_close) is not None:
        why = "the shoe was out of view"
    elif first.t_exit is None:
        why = "cards are not seen to leave the shoe"
    elif _reached(coup, t):
        why = "a hand was at the shoe, and cards may have gone unseen"
    if why is None:
        docket.breach(rule, "BURN_COUNT_WRONG", when, expected=expected, seen=seen)
    else:
        docket.undetermined(rule, "BURN_COUNT_WRONG", when, why, expected=expected, seen=seen)


def _judge_burned_place(burned: list[SeenCard], rule: str, docket: Docket) -> None:
    """Burned cards end in the receptacle for used cards."""
    ends = [card.cleared_to or card.dealt_to for card in burned]
    away = [card for card in burned if card.dealt_to.area is Area.TABLE and card.cleared_to is None]
    if away:
        t = away[0].t_cleared
        when = Moment.at(away[0].t if t is None else t, *away[0].seqs)
        why = (
            f"{away[0].name} lies where the layout names no place"
            if t is None
            else f"it was not seen where {away[0].name} went"
        )
        docket.undetermined(
            rule, "DISCARD_MISPLACED", when, why, expected="burned cards in the receptacle for used cards"
        )
        return
    astray = [
        (card, end)
        for card, end in zip(burned, ends, strict=True)
        if end.area not in (Area.DISCARD, Area.BURN)
    ]
    if not astray:
        docket.conform(rule)
        return
    card, end = astray[0]
    docket.breach(
        rule,
        "DISCARD_MISPLACED",
        Moment.at(card.t if card.t_cleared is None else card.t_cleared, *card.seqs),
        expected="burned cards in the receptacle for used cards",
        seen=f"a burned card went to {end}",
        spot=_burned_spot(card),
    )


def _burned_spot(card: SeenCard) -> Spot:
    return card.dealt_to
