"""A session: coup after coup by the book, with faults where they are asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from datasets.games.banque_deux_tableaux.cards import HANDS, Bet, Cards, Packs, banker_wish, count, value
from datasets.games.banque_deux_tableaux.coup import Coup
from datasets.games.banque_deux_tableaux.table import Table
from datasets.games.base import Fault, FaultKind, PlayedRound, PlayedSession, check_faults
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.profile_document import Profile

DEPARTMENTS = 5
BANK = 20000
_LEAST = 30
"""A shoe with fewer cards is changed: those that were in it when the session began show no cut card."""
Wanted = Callable[[Cards], bool]
Change = Callable[["Dealer", Coup], str | None]
"""Puts a fault into a coup; returns the spot of its finding."""


@dataclass(frozen=True)
class Recipe:
    """How a kind of fault is made. ``wanted``: the deal it takes; ``change``: what it changes; ``bets``: the
    bets it takes, if not any; ``ahead``: what it changes of the coup before; ``shoe``: a new shoe is told."""

    kind: FaultKind
    change: Change
    wanted: Wanted = lambda _: True
    bets: Callable[[], list[Bet]] | None = None
    ahead: Change | None = None
    wanted_ahead: Wanted = lambda _: True
    bets_ahead: Callable[[], list[Bet]] | None = None
    shoe: bool = True


@dataclass
class Dealer:
    """Plays the coups. ``seats``: who is to hold the cards of each tableau."""

    rng: random.Random
    table: Table
    packs: Packs
    rate: Fraction
    seats: list[int] = field(default_factory=lambda: [1, DEPARTMENTS + 1])

    def plan(self, number: int, wanted: Wanted, bets: list[Bet] | None) -> Coup:
        """A coup by the book. ``wanted``: the deal; ``bets``: None for any."""
        cards = self.packs.deal(wanted)
        coup = Coup(number, cards, bets or self.bets(), list(self.seats), self.table.bank)
        self.draw(coup)
        return coup

    def bets(self) -> list[Bet]:
        """Bets of players on both tableaux, lines now and then."""
        made = []
        for seat in range(1, 2 * DEPARTMENTS + 1):
            own = 1 if seat <= DEPARTMENTS else 2
            sure = seat % DEPARTMENTS in (1, 2)
            if not sure and self.rng.random() < 0.5:
                continue
            line = self.rng.choice([None, None, "player", "other_tableau"])
            made.append(Bet(f"seat {seat} tableau_{own}", 20 * self.rng.randint(1, 20), line))
            if self.rng.random() < 0.3:
                amount = 10 * self.rng.randint(1, 30)
                made.append(Bet(f"seat {seat} tableau_{3 - own}", amount))
        if self.rng.random() < 0.5:
            made.append(Bet("box a tableau_1", 10 * self.rng.randint(1, 25), "tableaux"))
        return made

    def draw(self, coup: Coup) -> None:
        """The third cards, and what the tableaux say."""
        totals = [count(coup.cards[hand]) for hand in HANDS]
        coup.thirds, coup.says = [], []
        if totals[2] > 7:
            return
        given: list[str | None] = [None, None]
        for tableau in range(2):
            total = totals[tableau]
            if total > 7:
                continue
            asks = total < 5 or (total == 5 and self.rng.random() < 0.5)
            coup.says.append((HANDS[tableau], "carta" if asks else "no"))
            if asks:
                given[tableau] = self.packs.take()
                coup.thirds.append((HANDS[tableau], given[tableau] or ""))
        if self._banker_draws(totals, given):
            coup.thirds.append(("banca", self.packs.take()))

    def _banker_draws(self, totals: list[int], given: list[str | None]) -> bool:
        naturals = [totals[tableau] > 7 for tableau in range(2)]
        if all(naturals):
            return False
        if any(naturals):
            return banker_wish(totals[2], given[0 if naturals[1] else 1]) != "stand"
        return totals[2] < 5 or (totals[2] == 5 and self.rng.random() < 0.5)

    def pass_on(self, coup: Coup) -> None:
        """Who lost to the bank passes the cards to his neighbour."""
        for tableau, lost in enumerate(coup.lost):
            if lost:
                first = 1 + tableau * DEPARTMENTS
                self.seats[tableau] = first + (self.seats[tableau] - first + 1) % DEPARTMENTS


def play(
    recipes: Mapping[str, Recipe], profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]
) -> PlayedSession:
    """So many coups; ``faults``: kinds by coup. Raises ValueError for one that cannot be made there."""
    if not isinstance(profile, BanqueProfile):
        raise ValueError(f"{profile.game} is another game than banque_deux_tableaux.")
    check_faults("banque_deux_tableaux", recipes, faults, rounds)
    rng = random.Random(seed)
    rate = profile.bank.rate or Fraction(0)
    table = Table(rate, profile.cues)
    packs = Packs(rng)
    dealer = Dealer(rng, table, packs, rate)
    packs.renew()
    if all(recipes[name].shoe for name in faults.values()):
        table.new_shoe()
    table.scribe.cue("bank_awarded", "the first banker")
    table.put_bank(BANK)
    played, made = [], []
    for number in range(1, rounds + 1):
        recipe = recipes[faults[number]] if number in faults else None
        ahead = recipes[faults[number + 1]] if number + 1 in faults and recipe is None else None
        if table.cut_out or len(packs.left) < _LEAST:
            packs.renew()
            table.new_shoe()
        if table.bank < BANK // 2 and recipe is None and ahead is None:
            table.put_bank(BANK)
        coup = _planned(dealer, number, recipe, ahead)
        if recipe is not None:
            made.append(Fault(kind=recipe.kind, coup=number, spot=recipe.change(dealer, coup)))
        elif ahead is not None and ahead.ahead is not None:
            ahead.ahead(dealer, coup)
        table.play(coup)
        dealer.pass_on(coup)
        played.append(_record(coup))
    return PlayedSession(
        game="banque_deux_tableaux",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(played),
        faults=tuple(made),
    )


def _planned(dealer: Dealer, number: int, recipe: Recipe | None, ahead: Recipe | None) -> Coup:
    if recipe is not None:
        return dealer.plan(number, recipe.wanted, recipe.bets() if recipe.bets else None)
    if ahead is not None and ahead.ahead is not None:
        own = ahead.bets_ahead() if ahead.bets_ahead else None
        return dealer.plan(number, ahead.wanted_ahead, own)
    return dealer.plan(number, lambda _: True, None)


def _record(coup: Coup) -> PlayedRound:
    words = {1: "tableau", -1: "banca", 0: "tie"}
    return PlayedRound(
        coup=coup.number,
        cards={hand: tuple(coup.hand(hand)) for hand in HANDS},
        result={hand: words[won] for hand, won in zip(HANDS, coup.won, strict=False)},
    )


def points_of(coup: Coup, hand: str) -> int:
    """What a hand counts in the end."""
    return sum(value(card) for card in coup.hand(hand)) % 10
