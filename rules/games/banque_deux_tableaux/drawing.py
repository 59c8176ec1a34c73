"""Third cards: what each tableau must do, when the banker is bound and when he is free.

A card that was not read may be any: everything is judged for each value that it may have, and a verdict is
given only if it is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from rules.baccarat.coup import Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.banque_deux_tableaux.dealing import shown_in_deal, spoken
from rules.games.banque_deux_tableaux.hands import (
    DEAL,
    MOST_UNREAD,
    Hands,
    Points,
    Reading,
    dealt_for,
    readings,
    side_of,
    told,
)
from rules.games.banque_deux_tableaux.lines import Side, Sides
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.words import BANCA, HANDS, TABLEAUX
from rules.seen_cards import SeenCard
from rules.spots import hand_spot


class Draw(Enum):
    """How a hand's third card stands to the rules."""

    CONFORM = auto()
    FREE = auto()
    """The hand chose."""
    EXTRA = auto()
    MISSING = auto()
    OPEN = auto()
    """The rule turns on something that was not told."""


@dataclass(frozen=True, slots=True)
class Banker:
    """How the banker's third card stands to the rules. ``rule``: the one that bound him."""

    draw: Draw
    rule: str = "BT-DRAW-02"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What else the drawing rules turn on. ``asked``: the banker asked for the rules; ``error``: an error was
    made and dealt with; ``error_by``: whose it was, None if not told; ``shown``: the banker's natural lay
    open before a tableau's third card; ``forfeited``: tableaux that lost the right to show a natural;
    ``banco``: this coup's banco makes its player free, None if it was not told but may be so."""

    asked: bool
    error: bool
    error_by: str | None
    shown: bool
    forfeited: frozenset[int]
    banco: bool | None


def circumstances(coup: Coup, hands: Hands, banco: bool | None) -> Circumstances:
    """What the cues and the cards tell of them."""
    by = told(coup, "error_by")
    unasked = any(
        len(hands.of(name)) > 2 and (words := spoken(coup, name)) and words[-1].value == "no"
        for name in TABLEAUX
    )
    error_by = by[-1].value if by else None
    if unasked and error_by == "banker":
        error_by = "dealer"  # a card that was not asked for is not the banker's fault (BT-ERR-11)
    both_shown = any(len(cards) > 1 for name, cards in shown_in_deal(hands).items() if name in TABLEAUX)
    said_wrong = bool(told(coup, "points_said")) and _shown_to_banker(coup, hands)
    thirds = [card.t for card in hands.dealt[DEAL:] if dealt_for(card) in TABLEAUX]
    open_by = [card.t_up for card in hands.of(BANCA)[:2]]
    shown = bool(thirds) and all(t is not None and t < min(thirds) for t in open_by)
    forfeited = frozenset(
        tableau
        for tableau, name in enumerate(TABLEAUX)
        if (words := spoken(coup, name)) and words[-1].value == "no" and len(hands.of(name)) == 2
    )
    return Circumstances(
        asked=bool(told(coup, "rules_asked")),
        error=bool(hands.moved) or both_shown or bool(by) or said_wrong,
        error_by=error_by,
        shown=shown,
        forfeited=forfeited,
        banco=banco,
    )


def _shown_to_banker(coup: Coup, hands: Hands) -> bool:
    """Whether the tableaux had shown their points when the banker spoke wrongly (BT-ERR-20)."""
    t = told(coup, "points_said")[-1].t
    return all(card.t_up is not None and card.t_up < t for name in TABLEAUX for card in hands.of(name))


def tableau_draw(tableau: Points, banca: Points, profile: BanqueProfile, case: Circumstances) -> Draw:
    """A tableau's third card (BT-DRAW-01)."""
    drew = tableau.third is not None
    if banca.first in profile.drawing.naturals:
        return Draw.EXTRA if drew and case.shown else Draw.FREE
    if tableau.first in profile.drawing.naturals:
        return Draw.EXTRA if drew else Draw.CONFORM
    if case.banco or tableau.first in profile.drawing.punto_free:
        return Draw.FREE
    return _compare(profile.drawing.punto_draws(tableau.first), drew)


def _compare(due: bool, drawn: bool) -> Draw:
    if due == drawn:
        return Draw.CONFORM
    return Draw.EXTRA if drawn else Draw.MISSING


def banker_draw(reading: Reading, profile: BanqueProfile, case: Circumstances) -> Banker:
    """The banker's third card: free, or bound."""
    banca, table = reading[2], profile.drawing
    drew = banca.third is not None
    if banca.first in table.naturals:
        return Banker(_compare(False, drew))
    naturals = [i for i in range(2) if reading[i].natural and i not in case.forfeited]
    if len(naturals) == 2:
        return Banker(_compare(False, drew))
    if len(naturals) == 1:
        cell = (banca.first, reading[1 - naturals[0]].third)
        return Banker(_compare(cell in table.banca or cell in table.banca_free, drew), "BT-ERR-09")
    said = [_says(banca.first, reading[i].third, profile) for i in range(2)]
    if None in said:
        return Banker(Draw.FREE)  # optional against one of them
    if said[0] == said[1]:
        if case.asked:
            return Banker(_compare(bool(said[0]), drew))
        if case.error or profile.always_bound:
            return Banker(_compare(bool(said[0]), drew), "BT-ERR-12")
        return Banker(Draw.FREE)
    if not case.error:
        return Banker(Draw.FREE)
    forced = _compare(banca.first <= 5, drew)
    if case.error_by == "banker" or forced is Draw.CONFORM:
        return Banker(forced, "BT-ERR-10")
    if case.error_by is None:
        return Banker(Draw.OPEN, "BT-ERR-10")  # the cue error_by is missing
    return Banker(Draw.CONFORM, "BT-ERR-10")


def _says(first: int, third: int | None, profile: BanqueProfile) -> bool | None:
    """What the drawing table says against one tableau; None: optional."""
    if (first, third) in profile.drawing.banca_free:
        return None
    return profile.drawing.banca_draws(first, third)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a coup came out: every pair of results that it may have, the totals where known, and why they are
    not. ``eight``: tableaux at which an eight in two cards met an eight or nine in three."""

    sides: frozenset[Sides]
    totals: tuple[int | None, int | None, int | None]
    eight: frozenset[int] = frozenset()
    reason: str | None = None

    @property
    def sure(self) -> Sides | None:
        """The results, None if more than one pair is possible."""
        return next(iter(self.sides)) if len(self.sides) == 1 else None


_ANY = frozenset((one, two) for one in list(Side)[:3] for two in list(Side)[:3])


def judge_drawing(
    coup: Coup, hands: Hands, profile: BanqueProfile, case: Circumstances, docket: Docket
) -> Outcome:
    """The drawing rules for a coup, and its outcome by the cards as they lie."""
    if set(hands.void) == {0, 1}:
        return Outcome(frozenset({(Side.VOID, Side.VOID)}), (None, None, None))
    reason = _unknowable(coup, hands)
    if reason is not None:
        if coup.over:
            when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
            for name, rule in zip(HANDS, ("BT-DRAW-01", "BT-DRAW-01", "BT-DRAW-02"), strict=True):
                docket.undetermined(rule, "WRONG_DRAW", when, reason, spot=hand_spot(name))
            docket.undetermined("BT-SETTLE-01", "WRONG_WINNER", when, reason, seen=hands_text(hands))
        return Outcome(_ANY, (None, None, None), frozenset(), reason)
    every = list(readings(hands, profile))
    settled = _dealt_out(coup)
    for tableau, name in enumerate(TABLEAUX):
        if tableau not in hands.void and name not in hands.totals:
            cases = {tableau_draw(reading[tableau], reading[2], profile, case) for reading in every}
            _judge_tableau(coup, hands, name, cases, case, settled, docket)
    if BANCA not in hands.totals and not hands.void and not set(TABLEAUX) & set(hands.totals):
        _judge_banker(
            coup, hands, {banker_draw(reading, profile, case) for reading in every}, settled, docket
        )
    outcome = _outcome(hands, every)
    if outcome.sure is None and coup.over and not coup.cut_off:
        when = Moment.at(coup.t_result, *_seqs(hands.all))
        docket.undetermined(
            "BT-SETTLE-01", "WRONG_WINNER", when, outcome.reason or "", seen=hands_text(hands)
        )
    return outcome


def _outcome(hands: Hands, every: list[Reading]) -> Outcome:
    sides = frozenset(
        (
            Side.VOID if 0 in hands.void else side_of(one, banca),
            Side.VOID if 1 in hands.void else side_of(two, banca),
        )
        for one, two, banca in every
    )
    totals = [{reading[i].total for reading in every} for i in range(3)]
    eight = frozenset(
        tableau
        for tableau in range(2)
        if all(_by_two_cards(reading[tableau], reading[2]) for reading in every)
    )
    known = tuple(total.pop() if len(total) == 1 else None for total in totals)
    reason = None if len(sides) == 1 else _unread(hands.all) or "a hand's points are not known"
    return Outcome(sides, (known[0], known[1], known[2]), eight, reason)


def _by_two_cards(tableau: Points, banca: Points) -> bool:
    """Whether the totals alone would not give the result: an eight in two cards met an eight or nine in three
    (BT-WIN-01)."""
    if tableau.natural == banca.natural:
        return False
    two, three = (tableau, banca) if tableau.natural else (banca, tableau)
    return three.total >= two.total


def _unknowable(coup: Coup, hands: Hands) -> str | None:
    if hands.missing is not None:
        if coup.cut_off or not coup.over:
            return "the recording ended before the hands were dealt"
        return hands.missing
    unread = [card for card in hands.all if card.card is None]
    return _unread(unread) if len(unread) > MOST_UNREAD else None


def _unread(cards: Sequence[SeenCard]) -> str | None:
    for card in cards:
        if card.card is None:
            return f"a card on {card.spot} is not known: {card.unread}"
    return None


def _dealt_out(coup: Coup) -> bool:
    """Whether no more cards will come: the cards are being gathered, or the dealer settles the bets."""
    if coup.t_swept is not None or (coup.over and not coup.cut_off):
        return True
    return any(move.owner is Owner.DEALER and move.t > coup.t_result for move in coup.moves)


def _judge_tableau(
    coup: Coup,
    hands: Hands,
    name: str,
    cases: set[Draw],
    case: Circumstances,
    settled: bool,
    docket: Docket,
) -> None:
    rule, cards, spot = "BT-DRAW-01", hands.of(name), hand_spot(name)
    when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
    sure = next(iter(cases)) if len(cases) == 1 else None
    wrong = cases & {Draw.EXTRA, Draw.MISSING}
    if not wrong:
        if settled or len(cards) > 2:
            docket.conform(rule)
        return
    seen = f"{name} {'was given' if len(cards) > 2 else 'took no'} third card: {hands_text(hands)}"
    expected = f"{name} {'stands' if len(cards) > 2 else 'draws'} on {_first_text(cards)}"
    if sure is None:
        if coup.over or settled:
            docket.undetermined(
                rule, "WRONG_DRAW", when, _unread(hands.all) or "a card was not read", seen=seen, spot=spot
            )
    elif case.banco is None:
        if coup.over:
            why = "whether banco was made was not told (the cue banco); its player is free"
            docket.undetermined(rule, "WRONG_DRAW", when, why, expected=expected, seen=seen, spot=spot)
    elif sure is Draw.EXTRA:
        at = Moment.span(coup.t_close, cards[2].t, *_seqs(coup.cards))
        docket.breach(rule, "WRONG_DRAW", at, expected=expected, seen=seen, spot=spot, subject="extra")
    elif settled:
        _missing(coup, rule, when, expected, seen, name, docket)


def _judge_banker(coup: Coup, hands: Hands, cases: set[Banker], settled: bool, docket: Docket) -> None:
    spot, cards = hand_spot(BANCA), hands.of(BANCA)
    when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
    wrong = {case for case in cases if case.draw in (Draw.EXTRA, Draw.MISSING)}
    doubtful = {case for case in cases if case.draw is Draw.OPEN}
    if not wrong and not doubtful:
        if settled or len(cards) > 2:
            docket.conform(next(iter(sorted(case.rule for case in cases))))
        return
    first = sorted(wrong or doubtful, key=lambda case: case.rule)[0]
    seen = f"the banker {'drew' if len(cards) > 2 else 'stood'}: {hands_text(hands)}"
    expected = f"the banker {'stands' if len(cards) > 2 else 'draws'} on {_first_text(cards)}"
    if len(cases) > 1 or doubtful:
        if coup.over or settled:
            reason = _unread(hands.all) or "whose error it was has not been told (the cue error_by)"
            docket.undetermined(first.rule, "WRONG_DRAW", when, reason, seen=seen, spot=spot)
    elif first.draw is Draw.EXTRA:
        at = Moment.span(coup.t_close, cards[2].t, *_seqs(coup.cards))
        docket.breach(first.rule, "WRONG_DRAW", at, expected=expected, seen=seen, spot=spot, subject="extra")
    elif settled:
        _missing(coup, first.rule, when, expected, seen, BANCA, docket)


def _missing(
    coup: Coup, rule: str, when: Moment, expected: str, seen: str, name: str, docket: Docket
) -> None:
    """A third card that was due did not come: certain only if its place was in view until the end."""
    spot = hand_spot(name)
    t_end = coup.t_swept if coup.t_swept is not None else coup.t_end
    gap = coup.gaps.at(spot, t_end)
    if gap is not None and gap.t_from > coup.cards[min(DEAL, len(coup.cards)) - 1].t - 1.0:
        reason = f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        docket.undetermined(rule, "WRONG_DRAW", when, reason, expected=expected, seen=seen, spot=spot)
        return
    t = min([*(move.t for move in coup.moves if move.t > coup.t_result), t_end])
    at = Moment(t=t, t_from=max(0.0, coup.t_close), t_to=t + 1.0, seq=when.seq)
    docket.breach(rule, "WRONG_DRAW", at, expected=expected, seen=seen, spot=spot, subject="missing")


def _first_text(cards: Sequence[SeenCard]) -> str:
    return " ".join(card.name for card in cards[:2])


def hands_text(hands: Hands) -> str:
    """The three hands in words."""
    return "; ".join(f"{name} {' '.join(card.name for card in hands.of(name)) or '-'}" for name in HANDS)


def _seqs(cards: Sequence[SeenCard]) -> tuple[int, ...]:
    return tuple(seq for card in cards for seq in card.seqs)
