"""What hands are worth, and what that makes of each seat against the bank.

A card that was not read is tried as every card that it may be; what then holds of all of them is certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique

from rules.cards import PACK, Card
from rules.clock import clock
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import Round
from rules.games.no_discard_poker.words import ANTE, BANCA, FIVE, SECOND, box
from rules.poker import Category, category, rank
from rules.seen_cards import SeenCard
from rules.sight import Gap


@unique
class Outcome(StrEnum):
    """How a round ends for a seat."""

    FOLDED = "passed"
    BANK_OUT = "the bank does not play"
    WINS = "wins"
    LOSES = "loses"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Against:
    """One way in which a seat may stand against the bank. ``kind``: of its hand where that counts."""

    outcome: Outcome
    kind: Category | None = None


def ranks(cards: Sequence[SeenCard], elsewhere: frozenset[Card]) -> frozenset[int]:
    """The ranks that five cards may have; empty if that is not known: too few, or more than one unread.
    ``elsewhere``: the cards read in the round; one that was not read is none of them."""
    known = [card.card for card in cards if card.card is not None]
    if len(cards) != FIVE or len(known) < FIVE - 1 or len(set(known)) < len(known):
        return frozenset()
    if len(known) == FIVE:
        return frozenset({rank(known)})
    return frozenset(rank([*known, card]) for card in PACK if card not in elsewhere)


def outcome_of(own: int, bank: int, floor: int) -> Outcome:
    """How a hand of rank ``own`` ends against the bank's, which plays from ``floor`` on."""
    if bank < floor:
        return Outcome.BANK_OUT
    if own == bank:
        return Outcome.TIE
    return Outcome.WINS if own > bank else Outcome.LOSES


def against(own: frozenset[int], bank: frozenset[int], floor: int) -> frozenset[Against]:
    """Every way in which a hand may stand against the bank; empty if that is not known."""
    if bank and max(bank) < floor:
        return frozenset({Against(Outcome.BANK_OUT)})
    ways = set()
    for mine in own:
        for banks in bank:
            outcome = outcome_of(mine, banks, floor)
            ways.add(Against(outcome, category(mine) if outcome is Outcome.WINS else None))
    return frozenset(ways)


@dataclass(slots=True)
class Hands:
    """The hands of a round. ``bank``: the ranks that it may have; ``own``: by seat, with the bought card;
    ``first``: by seat, as it was dealt. ``plays``: whether the bank plays, None if that is not known.
    ``ways``: by seat, how it may stand against the bank."""

    bank: frozenset[int]
    own: dict[int, frozenset[int]]
    first: dict[int, frozenset[int]]
    plays: bool | None
    ways: dict[int, frozenset[Against]]
    folded: frozenset[int]
    unsure: Mapping[int, Gap]
    """Seats of which it was not seen whether they went on."""

    def unread(self, coup: Round, seat: int, *, alone: bool = False) -> str:
        """Why it is not known how a seat stands, or (``alone``) what its own hand is."""
        if (gap := self.unsure.get(seat)) is not None:
            return f"{box(seat, SECOND)} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        for name in (f"seat_{seat}",) if alone else (BANCA, f"seat_{seat}"):
            cards = coup.final(name)
            if len(cards) != FIVE:
                return f"{len(cards)} cards were seen on hand {name}"
            if dark := [card.unread for card in cards if card.card is None]:
                return f"of hand {name} {len(dark)} cards are not known: {dark[0]}"
        return "the cards leave it open"


def read_hands(coup: Round, profile: PokerProfile) -> Hands:
    """The hands of a round, and how each seat stands."""
    read = frozenset(card.card for card in coup.cards if card.card is not None)
    bank = ranks(coup.final(BANCA), read)
    seats = coup.seats
    own = {seat: ranks(coup.final(f"seat_{seat}"), read) for seat in seats}
    first = {seat: ranks(coup.five(f"seat_{seat}"), read) for seat in seats}
    gone_in = {seat for seat in seats if box(seat, SECOND) in coup.seconds}
    until = coup.t_end if coup.t_reveal is None else coup.t_reveal
    gaps = {seat: coup.gaps.within(box(seat, SECOND), coup.t_close, until) for seat in seats}
    unsure = {seat: gap for seat, gap in gaps.items() if gap is not None and seat not in gone_in}
    stayed = [seat for seat in seats if seat not in gone_in and seat not in unsure]
    folded = frozenset(seat for seat in stayed if coup.bets.get(box(seat, ANTE)) and _decided(coup))
    playing = {number >= profile.floor for number in bank}
    ways = {
        seat: frozenset({Against(Outcome.FOLDED)})
        if seat in folded
        else frozenset()
        if seat in unsure
        else against(own[seat], bank, profile.floor)
        for seat in seats
    }
    plays = playing.pop() if len(playing) == 1 else None
    return Hands(bank, own, first, plays, ways, folded, unsure)


def _decided(coup: Round) -> bool:
    """Whether all players had their turn: the bank's cards were turned, or the round is over."""
    return coup.t_reveal is not None or (coup.over and not coup.cut_off)


def face(cards: Sequence[SeenCard]) -> str:
    """Cards in words."""
    return " ".join(card.name for card in cards)


def kind_name(number: int) -> str:
    """A rank's kind in words."""
    return category(number).name.lower().replace("_", " ")
