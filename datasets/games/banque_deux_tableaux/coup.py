"""One coup as it is to be played, and what a fault changes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.games.banque_deux_tableaux.cards import HANDS, ORDER, Bet, Cards, count, winner

CueText = tuple[str, str | None, str | None]
"""A cue's name, value and spot."""


@dataclass
class Coup:
    """What happens in one coup; a clean one has the defaults.

    ``thirds``: third cards in the order laid down: hand and card. ``says``: what each tableau says, where a
    table tells it. ``seats``: who holds the cards of each tableau. Everything else is a departure.
    """

    number: int
    cards: Cards
    bets: list[Bet]
    seats: list[int]
    bank: int
    thirds: list[tuple[str, str]] = field(default_factory=list)
    says: list[tuple[str, str]] = field(default_factory=list)
    order: tuple[str, ...] = ORDER
    early: list[CueText] = field(default_factory=list)
    """Told before the deal."""
    late: list[CueText] = field(default_factory=list)
    """Told when the third cards are due."""
    after: list[CueText] = field(default_factory=list)
    """Told when all is settled."""
    before_deal: list[CueText] = field(default_factory=list)
    spoilt: bool = False
    """A card comes out face up, and is taken away."""
    spoilt_played: bool = False
    """It is played on."""
    stuck: bool = False
    shown: tuple[int, ...] = ()
    """Cards of the deal (1 to 6) that are laid face up."""
    dark_third: bool = False
    fallen: int | None = None
    """The card of the deal that falls into the basket."""
    thrown: str | None = None
    """The hand that a player throws into the basket unseen."""
    carried_by_player: bool = False
    taken_off: bool = False
    floor: str | None = None
    """A card falls to the floor; who picks it up."""
    other_holder: int | None = None
    early_settling: bool = False
    piled: bool = False
    discards: str = "discard"
    late_bet: bool = False
    pulled_bet: bool = False
    void: bool = False
    """The bets are left alone."""
    joins: bool = True
    """What the bank wins is put to it."""
    deduction: int | None = None
    """What the house takes, where that is not what is due."""
    cut_card: bool = False
    """The cut card comes out in this coup, wherever the shoe is."""
    plays_on: bool = False
    """The shoe is not changed after it."""
    deposit: int | None = None
    """What is in the bank from this coup on."""
    moved: list[tuple[str, str]] = field(default_factory=list)
    """Third cards given on: from one hand to another."""
    look_first: bool = False
    """The second tableau's cards are looked at before the first has played."""

    def hand(self, name: str) -> list[str]:
        """A hand's cards in the end."""
        cards = list(self.cards[name])
        places = {i: hand for i, (hand, _) in enumerate(self.thirds)}
        for source, target in self.moved:
            index = next(i for i, hand in places.items() if hand == source)
            places[index] = target
        return cards + [self.thirds[i][1] for i, hand in places.items() if hand == name]

    @property
    def won(self) -> tuple[int, int]:
        """Who wins at each tableau."""
        bank = self.hand("banca")
        return winner(self.hand(HANDS[0]), bank), winner(self.hand(HANDS[1]), bank)

    @property
    def lost(self) -> tuple[bool, bool]:
        """Which tableaux lost to the bank: none where the coup is void."""
        if self.void or self.stuck or ("ruling", "annulled", None) in self.late:
            return False, False
        one, two = self.won
        if self.thrown == HANDS[0]:
            one = -1 if count(self.hand("banca")) else 0
        return one < 0 and self.fallen is None, two < 0

    def gain(self, bet: Bet) -> int:
        """What becomes of a bet."""
        if self.void or (self.pulled_bet and bet is self.bets[0]):
            return 0
        return bet.due(self.won) if bet.gain is None else bet.gain
