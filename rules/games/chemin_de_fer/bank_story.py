"""The bank's story: who holds it, what is in it, and how it came there, from coup to coup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.baccarat.boxes import plays_half
from rules.baccarat.coup import Bet, Coup
from rules.baccarat.points import Result
from rules.chips import Content, total
from rules.events import ChipMove, Cue, Event, MarkerSeen, Owner
from rules.games.chemin_de_fer.hearing import at_all, before, seat_of, seats_in, words_of
from rules.games.chemin_de_fer.words import BANK, CAGNOTTE, PUNTO
from rules.money import parse_amount
from rules.profile_document import Rounding
from rules.spots import Spot


@dataclass(frozen=True, slots=True)
class HousePart:
    """The house's part of what the bank wins, and how it is rounded."""

    rate: Fraction
    rounding: Rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class BankStory:
    """What the coup before left. None: not known, or there was none.

    ``seat``: who held the bank; ``dealt``: coups he has dealt (None: he held it when the recording began);
    ``bank``, ``covered``, ``won``: what lay in it at the close, what was staked against it, and what it won
    (less than nothing: lost) before the deduction; ``end``: what then lay in it.

    ``passer``: who last gave up a bank freely, with ``passed`` in it; ``buyer``: who bought it from him;
    ``stood``: whether the buyer stood; ``last_seated``: the last banker who sat. ``refusals``: how often each
    seat declined in a row. ``newcomers``: seats taken during this shoe whose player has not let a hand pass.
    ``banco``: who made banco; ``sole``: who alone bet against the bank. ``mode_told``: since the shoe is in
    use. ``looked_away``: the view was lost since then. ``slot_seen``: the slot for the deduction is in view.
    ``swept``: when the cards were gathered, seconds.
    """

    coups: int = 0
    seat: int | None = None
    dealt: int | None = None
    result: Result | None = None
    bank: Fraction | None = None
    covered: Fraction | None = None
    won: Fraction | None = None
    end: Fraction | None = None
    passer: int | None = None
    passed: Fraction | None = None
    buyer: int | None = None
    stood: bool = False
    last_seated: int | None = None
    players: frozenset[int] = frozenset()
    refusals: tuple[tuple[int, int], ...] = ()
    newcomers: frozenset[int] = frozenset()
    banco: int | None = None
    sole: int | None = None
    mode_told: bool = False
    looked_away: bool = False
    slot_seen: bool = False
    check_asked: bool = False
    swept: float | None = None


def value_of(content: Content | None) -> Fraction | None:
    """What lies at a spot, None if any of it is not known."""
    values = [standing.value for standing in (content or {}).values()]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(values) else None


def bank_at_close(coup: Coup) -> Fraction | None:
    """What lies in the bank at the close; None if it is not known or no bank is in view."""
    return value_of(coup.at_close[BANK]) if BANK in coup.at_close else None


def playing(bets: Iterable[Bet], half_lines: frozenset[str]) -> Fraction | None:
    """What plays of some bets, those on a line with half; None if any is not known."""
    stake = Fraction(0)
    for bet in bets:
        if bet.standing.value is None:
            return None
        stake += bet.standing.value / (2 if plays_half(bet, half_lines) else 1)
    return stake


def staked(coup: Coup, half_lines: frozenset[str], bet: str = PUNTO) -> Fraction | None:
    """What plays against the bank in all boxes."""
    bets = [one for spot, several in coup.bets.items() if spot.bet == bet for one in several]
    return playing(bets, half_lines)


def shoe_seat(told: Iterable[Event], seat: int | None) -> int | None:
    """Whose the shoe is after these events; ``seat``: whose it was. The dealer's keeping it is no change."""
    for event in told:
        if isinstance(event, MarkerSeen) and event.marker == "shoe":
            seat = Spot.parse(event.spot).seat or seat
    return seat


def banker_of(coup: Coup, story: BankStory) -> int | None:
    """Who holds the bank in a coup."""
    dealt = [event for event in coup.events if event.t <= coup.t_first]
    return shoe_seat((*coup.before, *dealt), story.seat)


def on_the_right(seat: int, seats: Iterable[int]) -> list[int]:
    """The others in the order in which the bank goes round, from the seat's right on."""
    others = sorted(other for other in set(seats) if other != seat)
    return [other for other in others if other > seat] + [other for other in others if other < seat]


def story_after(
    story: BankStory, coup: Coup, result: Result | None, half_lines: frozenset[str], house: HousePart
) -> BankStory:
    """The story after a coup."""
    seat = banker_of(coup, story)
    new_shoe = bool(before(coup, "new_shoe"))
    same = seat is not None and seat == story.seat
    bets = {spot: several for spot, several in coup.bets.items() if spot.bet == PUNTO and several}
    bank, covered = bank_at_close(coup), staked(coup, half_lines)
    won = end = None
    if result is Result.TIE:
        won = Fraction(0)
    elif covered is not None and result is not None:
        won = covered if result is Result.BANCA else -covered
    due = Fraction(0) if won is None or won < 0 else won * house.rate
    right = house.rounding.payable(due) | {due}
    lost = any(gap.t_from <= coup.t_end and gap.t_to >= coup.t_close for gap in coup.gaps.all)
    if won is not None and result is not None:
        won = None if lost or not _settled_as_due(coup, result, half_lines, right) else won
    if bank is not None and won is not None:
        end = bank + won - due
    bancos = seats_in(at_all(coup, "banco", "followed_banco"))
    seats = {spot.seat for spot in bets if spot.seat is not None}
    after = replace(
        _changes_of_hand(story, coup, seat),
        coups=story.coups + 1,
        seat=seat,
        dealt=(0 if story.dealt is None else story.dealt) + 1
        if same and (story.dealt is not None)
        else (None if same or story.coups == 0 else 1),
        result=result,
        bank=bank,
        covered=covered,
        won=won,
        end=end,
        players=frozenset(seats | ({seat} if seat is not None else set())),
        banco=bancos[-1] if bancos else None,
        sole=next(iter(seats)) if len(seats) == len(bets) == 1 else None,
        mode_told=(story.mode_told and not new_shoe) or bool(at_all(coup, "mode_announced")),
        looked_away=(story.looked_away and not new_shoe) or lost,
        slot_seen=story.slot_seen or slot_seen(coup),
    )
    asked = [e.cue for e in coup.events if isinstance(e, Cue) and e.cue in ("check_asked", "cards_checked")]
    checked = story.check_asked if not asked else asked[-1] == "check_asked"
    return replace(after, check_asked=checked, swept=coup.t_swept)


def slot_seen(coup: Coup) -> bool:
    """Whether chips were seen to go into the slot for the deduction."""
    return any(move.spot == CAGNOTTE for move in coup.moves) or any(
        isinstance(event, ChipMove) and Spot.parse(event.to_spot) == CAGNOTTE for event in coup.events
    )


def into_slot(coup: Coup) -> Fraction | None:
    """What was seen to go into the slot; None if nothing was, or not all of it could be read."""
    told = [e for e in coup.events if isinstance(e, ChipMove) and e.to_spot == "cagnotte"]
    values = [_amount(event.value) for event in told]
    if not told:
        values = [move.gain for move in coup.moves if move.spot == CAGNOTTE and move.added]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if values and len(known) == len(values) else None


def _amount(text: str | None) -> Fraction | None:
    try:
        return None if text is None else parse_amount(text)
    except ValueError:
        return None


def _settled_as_due(
    coup: Coup, result: Result, half_lines: frozenset[str], deductions: frozenset[Fraction]
) -> bool:
    """Whether every stake against the bank was taken or paid as the cards have it, and the house had its due:
    only then what the bank holds now is known from what was in it."""
    went = into_slot(coup)
    if result is Result.BANCA and went is not None and went not in deductions:
        return False
    for spot, bets in coup.bets.items():
        plays = playing(bets, half_lines)
        if spot.bet != PUNTO or plays is None:
            continue
        moves = [m for m in coup.moves if m.spot == spot and m.owner is not Owner.PLAYER]
        parts = [move.removed if result is Result.BANCA else move.added for move in moves]
        if result is Result.TIE:
            if any(move.added or move.removed for move in moves):
                return False
        elif total(tuple(part for each in parts for part in each)) != plays:
            return False
        if any(m.spot == spot and m.owner is Owner.PLAYER and m.t < coup.t_result for m in coup.moves):
            return False
    return True


def _changes_of_hand(story: BankStory, coup: Coup, seat: int | None) -> BankStory:
    """Who passed, who bought, who declined, who came new, by what was told before the deal."""
    passer, passed, buyer, stood = story.passer, story.passed, story.buyer, story.stood
    refusals = dict(story.refusals)
    newcomers = set() if before(coup, "new_shoe") else set(story.newcomers)
    for cue in before(coup, "bank_passed", "bank_awarded", "bank_refused", "seat_changed", "seat_left"):
        whose = seat_of(cue)
        match cue.cue:
            case "bank_passed":
                passer, passed, buyer, stood = story.seat if whose is None else whose, story.end, None, False
            case "bank_awarded":
                bought = bool(words_of(cue) & {"bought", "auction"})
                buyer, stood = (whose if bought else None), "standing" in words_of(cue)
            case "bank_refused" if whose is not None:
                refusals[whose] = refusals.get(whose, 0) + 1
            case "seat_changed" if whose is not None:
                newcomers.add(whose)
            case "seat_left" if whose is not None:
                refusals.pop(whose, None)
            case _:
                pass
    if seat != story.seat and story.seat is not None and seat is not None:
        newcomers -= set(_passed_over(story.seat, seat, newcomers))
        if buyer is not None and buyer != seat:
            buyer, stood = None, False
    if seat is not None:
        refusals.pop(seat, None)
    return replace(
        story,
        passer=passer,
        passed=passed,
        buyer=buyer,
        stood=stood,
        last_seated=story.last_seated if stood else seat,
        refusals=tuple(sorted(refusals.items())),
        newcomers=frozenset(newcomers),
    )


def _passed_over(old: int, new: int, seats: Iterable[int]) -> list[int]:
    """Seats that the bank went past on its way."""
    order = on_the_right(old, [*seats, new])
    return order[: order.index(new) + 1]
