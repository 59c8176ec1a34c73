"""The game's coups read from the journal, and what is remembered from one to the next: above all the bank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules.baccarat.coup import ASIDE, CLOSE_TOLERANCE_S, Carry, Coup, gathered
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.shoe import Shoe
from rules.chips import Board
from rules.events import Cue, Event, HandContact, Owner
from rules.games.chemin_de_fer.bank_story import BankStory, HousePart, banker_of, story_after
from rules.games.chemin_de_fer.deal import read_deal
from rules.games.chemin_de_fer.outcome import outcome_of
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import BANCA, PUNTO, SIDES
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area
from rules.written import number_in

_INITIAL = 4
_COVERED_S = 1.0
"""A hand that stays on a stake for so long after the close hides it."""
_LAID = (Area.HAND, Area.BET, Area.SHOE)
_ASTRAY = (Area.DISCARD, Area.TABLE, Area.OFF_TABLE)


class BareShoe(Shoe):
    """A shoe of which no card is burned."""

    def copy(self) -> BareShoe:
        """An independent copy."""
        return BareShoe(dict(self.seen), self.cards, self.coups, self.cut_t, self.cut_seq, [])

    def take_others(self, cards: Iterable[SeenCard], *, until: float) -> None:
        """Cards that belong to no coup."""
        for card in cards:
            if card.t < until and card.t_exit is not None:
                self._count(card)


@dataclass(slots=True)
class BankCarry(Carry):
    """What the game remembers besides: the bank's story."""

    profile: CheminDeFerProfile = field(kw_only=True)
    story: BankStory = field(default_factory=BankStory)
    covering: tuple[HandContact, ...] = ()
    """Players' hands that were on stakes at the close of the coup that begins here."""

    def is_dealt(self, card: SeenCard) -> bool:
        """A card laid at a hand, a seat or the shoe's corner, or one that went astray from the shoe."""
        area = card.dealt_to.area
        return area in _LAID or (area in _ASTRAY and card.t_exit is not None)

    def annuls(self, cards: list[SeenCard]) -> list[SeenCard]:
        """Of the first four, those that came out face up and were taken away at once."""
        gone: list[SeenCard] = []
        coup: list[SeenCard] = []
        for index, card in enumerate(cards):
            after = cards[index + 1] if index + 1 < len(cards) else None
            if coup and gathered(coup, card):
                coup = []
            away = card.t_cleared is not None and (after is None or card.t_cleared <= after.t)
            if card.exit_up and len(coup) < _INITIAL and away:
                gone.append(card)
            else:
                coup.append(card)
        return gone

    def assign(self, cards: list[SeenCard]) -> None:
        """A card is the side's to which it was dealt, or last moved before its face showed; one that went
        from the shoe to the used cards is nobody's."""
        for card in cards:
            card.plays = self._side(card)

    def _side(self, card: SeenCard) -> str:
        if card.dealt_to.area is Area.DISCARD:
            return ASIDE
        if card.dealt_to.area is Area.SHOE:
            return BANCA  # the banker's cards wait there
        sides = [
            rest.spot.hand
            for rest in card.rests
            if rest.spot.hand in SIDES and (card.t_up is None or rest.t <= card.t_up)
        ]
        side = next((side for side in reversed(sides) if side is not None), None)
        if side is None and card.spot.hand in SIDES:
            side = card.spot.hand
        if side is None and (seat := lies_with(card)) is not None:
            side = BANCA if seat == self.story.seat else PUNTO
        return side or ASIDE

    def after(self, coup: Coup) -> None:
        """Remember who held the bank and how it fared. What was told while the coup before still lay there
        was not told for this one."""
        if self.story.swept is not None:
            swept = self.story.swept
            coup.before = tuple(
                event for event in coup.before if event.t > swept or not isinstance(event, Cue)
            )
        deal = read_deal(coup, banker_of(coup, self.story))
        result = outcome_of(coup, deal, self.profile).result
        profile = self.profile
        part = HousePart(profile.commission, profile.rounding)
        self.story = story_after(self.story, coup, result, profile.half_lines, part)


def lies_with(card: SeenCard) -> int | None:
    """The seat at which a card was laid: in its box, or at ``hand seat_3``."""
    for rest in card.rests:
        if rest.spot.area is Area.BET:
            return rest.spot.seat
        if rest.spot.hand is not None and rest.spot.hand.startswith("seat_"):
            return number_in(rest.spot.hand.removeprefix("seat_"))
    return None


def begin(profile: CheminDeFerProfile, sight: Sight) -> BankCarry:
    """Before the first event."""
    return BankCarry(Board(sight), BareShoe(), profile=profile)


def coups_of(
    carry: BankCarry, events: Sequence[Event], _profile: CheminDeFerProfile, _sight: Sight, ended: bool
) -> list[tuple[BankCarry, Coup]]:
    """The coups of events in time order, each with what it began from."""
    covering = carry.covering
    hands = [
        event
        for event in events
        if isinstance(event, HandContact) and event.hand.owner is Owner.PLAYER and event.t_to is not None
    ]
    found = baccarat_coups(carry, events, ended)
    for start, coup in found:
        close = coup.t_close
        start.covering = covering + tuple(
            event
            for event in hands
            if event not in covering
            and event.t <= close + CLOSE_TOLERANCE_S
            and (event.t_to or 0.0) >= close + _COVERED_S
        )
        covering = ()
    return found
