"""The game's coups read from the journal, and what it remembers from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Self

from rules.baccarat.coup import Carry, Coup
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.shoe import UnburnedShoe
from rules.chips import Board, total
from rules.events import ChipMove, ChipState, Cue, Event, Owner, ViewLost
from rules.games.banque_deux_tableaux.hands import Hands, read_hands, readings, side_of, told_before
from rules.games.banque_deux_tableaux.lines import Side, Sides
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.words import TABLEAUX
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area, Spot

BANK = Spot(Area.BANK)
CAGNOTTE = Spot(Area.CAGNOTTE)
_BEGAN_S = 1.0
"""A bank that first shows later than this was put down in view."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who held a tableau's cards in the coup before. ``seat``: None if that was not seen; ``kept``: he may
    hold them on, None if the result is not known; ``stray``: another held them instead of this one."""

    seat: int | None = None
    kept: bool | None = None
    stray: int | None = None


@dataclass(frozen=True, slots=True)
class BankStory:
    """The bank so far.

    ``initial``: what it was constituted with, None if that was not seen; ``last``: what lay in it in the end;
    ``jumped``: it has nothing left; ``first_t``: when one was first seen; ``seen``: it was ever in view;
    ``deduction_seen``: chips were ever seen to go to the house; ``abandoned``: it is to be given again;
    ``winners_gone``: bankers who left as winners in this shoe.
    """

    initial: Fraction | None = None
    last: Fraction | None = None
    jumped: bool = False
    first_t: float | None = None
    seen: bool = False
    deduction_seen: bool = False
    abandoned: bool = False
    winners_gone: frozenset[str] = frozenset()


@dataclass(slots=True)
class BanqueCarry(Carry):
    """What the game remembers besides. ``nulls``: coups since the game began, while all were null (banco can
    still be played); None from the first that was not. ``holders``: by tableau. ``check_asked``: a player
    asked for the cards to be checked, and they were not yet. ``in_view``: nothing was out of view since the
    shoe was put in place."""

    profile: BanqueProfile = field(kw_only=True)
    nulls: int | None = 0
    holders: tuple[Holder, Holder] = (Holder(), Holder())
    bank: BankStory = field(default_factory=BankStory)
    check_asked: bool = False
    in_view: bool = True

    def is_dealt(self, card: SeenCard) -> bool:
        """Cards that came to lie at a hand, though the banker may have laid them on the felt first."""
        return card.dealt_to.area is Area.HAND or card.hand is not None

    def copy(self) -> Self:
        """An independent copy."""
        return replace(self, board=self.board.copy(), shoe=self.shoe.copy(), left=list(self.left))

    def after(self, coup: Coup) -> None:
        """Remember who held the cards and how they fell, and what became of the bank."""
        hands = read_hands(coup)
        sides = _sides(coup, self.profile)
        null = sides is not None and all(side in (Side.TIE, Side.VOID) for side in sides)
        self.nulls = self.nulls + 1 if null and self.nulls is not None else None
        banco = bool(told_before(coup, "banco"))
        self.holders = (_held(self, 0, hands, sides), _held(self, 1, hands, sides))
        if banco:
            self.holders = (Holder(), Holder())  # the turn goes on as if he had not played
        self.bank = bank_after(self.bank, coup)
        self.in_view &= not any(isinstance(event, ViewLost) and event.hides for event in coup.events)
        cues = {event.cue for event in coup.events if isinstance(event, Cue)}
        self.check_asked = (self.check_asked or "check_asked" in cues) and "cards_checked" not in cues
        if "new_shoe" in cues:
            self.nulls, self.in_view = 0, True
            self.bank = replace(self.bank, winners_gone=frozenset())


def _held(carry: BanqueCarry, tableau: int, hands: Hands, sides: Sides | None) -> Holder:
    """Who held a tableau's cards; one from the other tableau is no holder."""
    seats = [
        seat
        for seat in holder_seats(hands.of(TABLEAUX[tableau]))
        if carry.profile.tableau_of(seat) in (None, tableau)
    ]
    return _holder(carry.holders[tableau], seats, None if sides is None else sides[tableau])


def _sides(coup: Coup, profile: BanqueProfile) -> Sides | None:
    """Who won at each tableau, where that is sure."""
    hands = read_hands(coup)
    if hands.missing is not None or sum(card.card is None for card in hands.all) > 1:
        return None
    every = {
        (side_of(reading[0], reading[2]), side_of(reading[1], reading[2]))
        for reading in readings(hands, profile)
    }
    if len(every) > 1:
        return None
    one, two = every.pop()
    return (Side.VOID if 0 in hands.void else one, Side.VOID if 1 in hands.void else two)


def holder_seats(cards: Sequence[SeenCard]) -> list[int]:
    """The seats whose hands were on a tableau's cards once they lay there, in order."""
    seen = sorted(
        (contact.t, contact.hand.seat)
        for card in cards
        for contact in card.contacts
        if contact.hand.owner is Owner.PLAYER and contact.hand.seat is not None and contact.t > card.t
    )
    return list(dict.fromkeys(seat for _, seat in seen))


def _holder(before: Holder, seats: list[int], side: Side | None) -> Holder:
    kept = None if side is None else side is not Side.BANCA
    if not seats:
        return Holder(before.seat if kept else None, kept if before.kept else None)
    if before.seat is not None and before.kept and before.seat not in seats:
        return Holder(before.seat, kept, stray=seats[0])
    if before.kept is False and before.seat == seats[0]:
        return Holder(before.seat, False, stray=seats[0])  # he has still to pass them on
    return Holder(seats[0], kept)


def bank_value(coup: Coup) -> Fraction | None:
    """What lies in the bank at the close, None if it is not known or no bank is in view."""
    content = coup.at_close.get(BANK)
    if not content:
        return None
    values = [standing.value for standing in content.values()]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(values) else None


def bank_course(coup: Coup) -> list[Fraction | None]:
    """What lay in the bank at the close and after each change since; None where it is not known."""
    amounts = [bank_value(coup)]
    if BANK not in coup.at_close and amounts[0] is None:
        amounts = [Fraction(0)] if coup.moves and any(move.spot == BANK for move in coup.moves) else [None]
    for move in coup.moves:
        if move.spot == BANK:
            gain, loss = total(move.added), total(move.removed)
            last = amounts[-1]
            known = last is not None and gain is not None and loss is not None and not move.unclear
            amounts.append(last + gain - loss if known else None)  # type: ignore[operator]
    return amounts


def bank_after(story: BankStory, coup: Coup) -> BankStory:
    """The bank's story after a coup."""
    value = bank_value(coup)
    course = bank_course(coup)
    initial, abandoned, gone = story.initial, story.abandoned, story.winners_gone
    if awarded(story, coup):
        initial, abandoned = value, False
    last = course[-1] if len(course) > 1 else value
    for event in coup.events:
        if not isinstance(event, Cue) or event.t <= coup.cards[-1].t:
            continue
        if event.cue == "bank_abandoned":
            abandoned = True
        elif event.cue == "banker_withdrew":
            abandoned = True
            won = last is None or initial is None or last > initial
            if event.value is not None and won:
                gone |= {event.value}
    deduction = any(move.spot == CAGNOTTE and move.added for move in coup.moves) or any(
        isinstance(event, ChipMove) and event.to_spot == "cagnotte" for event in coup.events
    )
    return BankStory(
        initial=initial,
        last=last,
        jumped=last == 0 and len(course) > 1,
        first_t=story.first_t,
        seen=story.seen or BANK in coup.at_close or len(course) > 1,
        deduction_seen=story.deduction_seen or deduction,
        abandoned=abandoned,
        winners_gone=gone,
    )


def awarded(story: BankStory, coup: Coup) -> bool:
    """Whether the bank at a coup's close was constituted in view: it was given, or none stood there."""
    if told_before(coup, "bank_awarded", "bank_auctioned"):
        return True
    in_view = story.first_t is not None and _BEGAN_S < story.first_t <= coup.t_close
    return in_view and not story.seen and bool(coup.at_close.get(BANK))


def begin(profile: BanqueProfile, sight: Sight) -> BanqueCarry:
    """Before the first event."""
    return BanqueCarry(Board(sight), UnburnedShoe(), profile=profile)


def coups_of(
    carry: BanqueCarry, events: Sequence[Event], _profile: BanqueProfile, _sight: Sight, ended: bool
) -> list[tuple[BanqueCarry, Coup]]:
    """The coups of events in time order, each with what it began from."""
    if carry.bank.first_t is None:
        first = next(
            (e.t for e in events if isinstance(e, ChipState) and e.spot == "bank" and e.stacks), None
        )
        carry.bank = replace(carry.bank, first_t=first)
    return baccarat_coups(carry, events, ended)
