"""What will happen in one coup. A lawful plan is made first; a fault then changes something in it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from datasets.games.punto_banco.cards import Deal

CHIPS = (500, 100, 25, 5, 1)


def chips_for(amount: int) -> tuple[int, ...]:
    """Chips that make an amount, largest first."""
    chips: list[int] = []
    for chip in CHIPS:
        count, amount = divmod(amount, chip)
        chips += [chip] * count
    return tuple(chips)


@dataclass
class Bet:
    """A bet and what the bank does with it: ``paid``, ``taken`` or ``left``, and how much is paid.

    ``par_first``: par is paid, and this much taken back as commission. ``standing``: a standing player's.
    ``line``: it lies on its box's line and plays half; ``line_whole``: all of it is taken all the same.
    ``stacks``: chips, stack by stack. ``changed``: what the player has there after touching it during the
    coup, None if he does not. ``posted``: chips that he adds after the result.
    """

    seat: int
    bet: str
    stacks: list[tuple[int, ...]]
    does: str = "left"
    pays: int = 0
    par_first: int | None = None
    standing: bool = False
    changed: tuple[int, ...] | None = None
    line: bool = False
    line_whole: bool = False
    posted: tuple[int, ...] = ()

    @property
    def spot(self) -> str:
        """Its betting box."""
        return f"seat {self.seat} {self.bet}"

    @property
    def value(self) -> int:
        """What was staked."""
        return sum(sum(stack) for stack in self.stacks)

    @property
    def due(self) -> int:
        """What it wins, in whole units."""
        return win(self.bet, self.value // 2 if self.line else self.value)


def win(bet: str, stake: int) -> int:
    """What a bet wins: punto as much, banca 19 for 20, a tie eight times as much; rounded down to one."""
    return {"punto": stake, "banca": stake * 19 // 20, "empate": 8 * stake}[bet]


def settle(bets: list[Bet], winner: str) -> None:
    """What the bank does by the book."""
    for bet in bets:
        if bet.bet == winner:
            bet.does, bet.pays = "paid", bet.due
        elif winner == "empate" and bet.bet != "empate":
            bet.does, bet.pays = "left", 0
        else:
            bet.does, bet.pays = "taken", 0
        bet.par_first = None


@dataclass
class Plan:
    """One coup to come.

    ``holder``: the seat that deals, None: the dealer. ``shower``: who shows punto, None: the dealer.
    ``exposed``: cards (by number from 1) dealt face up. ``banca_first``: banca is turned before punto.
    ``lays``: where each hand's cards are laid in the end. ``toucher``: hand and seat of a player who has no
    business there. ``sweep_first``: the cards are gathered before the payments. ``pay_first``: the first
    payment comes before the last losers go. ``said``: announcements by cue, None: left out.
    """

    deal: Deal
    bets: list[Bet]
    holder: int | None
    shower: int | None
    exposed: frozenset[int] = frozenset()
    banca_first: bool = False
    banca_turner: int | None = None
    waits: str = "shoe"
    lays: dict[str, str] = field(default_factory=lambda: {"punto": "hand punto", "banca": "hand banca"})
    toucher: tuple[str, int] | None = None
    sweep_first: bool = False
    pay_first: bool = False
    sweep_to: dict[int, str] = field(default_factory=dict)
    """Where a card (by number from 0) goes that does not go to the used cards."""
    stuck: bool = False
    tip: str | None = None
    """Where a tip goes in the end."""
    wrong_side: str | None = None
    """Spot whose bet the other side's dealer settles."""
    void: bool = False
    settle_void: bool = False
    cut_now: bool = False
    said: dict[str, str | None] = field(default_factory=dict)
    late_close: bool = False
    leave_card: bool = False

    def seats(self) -> set[int]:
        """Seats with bets."""
        return {bet.seat for bet in self.bets}

    def of(self, does: str) -> list[Bet]:
        """Bets with which the bank does this."""
        return [bet for bet in self.bets if bet.does == does]


def highest_punto(bets: list[Bet]) -> int | None:
    """The seated player with the highest punto bet (the lowest seat of several), None if there is none."""
    stakes: dict[int, int] = {}
    for bet in bets:
        if bet.bet == "punto" and not bet.standing:
            stakes[bet.seat] = stakes.get(bet.seat, 0) + bet.value
    return min(stakes, key=lambda seat: (-stakes[seat], seat), default=None)


@dataclass(frozen=True)
class House:
    """What the simulator goes by at a table. ``seats``: players there are."""

    regulation: str
    variant: str
    seats: int
    packs: int
    minimum: int
    maximum: int
    cues: frozenset[str]
    sides: dict[str, frozenset[int]] | None
    burns: bool
    below: int
    half_lines: frozenset[str]

    @property
    def large(self) -> bool:
        """Whether the players deal."""
        return self.variant == "full"


def make_bets(rng: random.Random, house: House) -> list[Bet]:
    """Some bets within the limits, not more than one in a box."""
    bets: dict[tuple[int, str], Bet] = {}
    for seat in rng.sample(range(1, house.seats + 1), rng.randint(2, min(6, house.seats))):
        side = rng.choice(("punto", "banca"))
        for bet in (side, *(("empate",) if rng.random() < 0.3 else ())):
            most = house.maximum // 10 if bet == "empate" else house.maximum
            units = rng.randint(1, min(most // house.minimum, 20))
            bets[seat, bet] = Bet(seat, bet, [chips_for(units * house.minimum)])
            if bet in house.half_lines and units * house.minimum % 2 == 0:
                bets[seat, bet].line = rng.random() < 0.3
    return list(bets.values())
