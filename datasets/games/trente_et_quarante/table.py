"""The table: what one coup of trente et quarante looks like, and what a fault changes of it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Face
from rules.events import CardPlaced, ChipMove, Hand, MarkerSeen, Owner, ShoeExit, Stack

RANKS, SUITS = "A23456789TJQK", "cdhs"
RED = "dh"
ROWS = ("noir", "rouge")
LAST = 307
"""Cards before the red card."""
CROUPIER = (1450.0, 220.0)
PLACES = {
    "box a rouge": (350.0, 500.0),
    "box a noir": (800.0, 500.0),
    "box a couleur": (500.0, 720.0),
    "box a inverse": (580.0, 1080.0),
    "box b rouge": (2090.0, 500.0),
    "box b noir": (2550.0, 500.0),
    "box b couleur": (2400.0, 720.0),
    "box b inverse": (2320.0, 1080.0),
}
_CHIPS = (1000, 500, 100, 50, 10, 5, 1)


def worth(card: str) -> int:
    """What one card counts."""
    return min("A23456789TJQK".index(card[0]) + 1, 10)


@dataclass
class Bet:
    """A bet. ``gain``: what its player is given (negative: what is taken), where that is not what is due.
    ``prison``: it lies in prison; ``waits``: it goes there. ``marked``: it is insured."""

    spot: str
    amount: int
    at: tuple[float, float]
    gain: int | None = None
    marked: bool = False
    prison: bool = False
    waits: bool = False
    name: str = ""

    @property
    def chance(self) -> str:
        """What it is on."""
        return self.spot.split()[-1]


@dataclass
class Coup:
    """What happens in one coup; a clean one has the defaults. ``red_at``: the red card comes after so many
    cards."""

    number: int
    noir: list[str]
    rouge: list[str]
    bets: list[Bet]
    red_at: int | None = None
    lay: int = 5
    first_rouge: bool = False
    dark: bool = False
    beside: bool = False
    late: str = ""
    """``bet``, ``pulled`` or ``marker``."""
    early_pay: bool = False
    black_first: bool = False
    near_first: bool = False
    swept_early: bool = False
    discards: str = "discard"
    one_side: bool = False
    silent: str = ""
    cut_by: str | None = None
    premium: int | None = None
    stray: bool = False
    settled_void: bool = False

    @property
    def totals(self) -> tuple[int, int]:
        """What the rows count."""
        return sum(map(worth, self.noir)), sum(map(worth, self.rouge))

    @property
    def winners(self) -> tuple[str, ...]:
        """The two bets that win; none if the rows count the same."""
        noir, rouge = self.totals
        if noir == rouge or self.red_at is not None:
            return ()
        row = "noir" if noir < rouge else "rouge"
        same = (self.noir[0][1] in RED) == (row == "rouge")
        return (row, "couleur" if same else "inverse")

    @property
    def word(self) -> str:
        """What the rows come to."""
        if self.winners:
            return self.winners[0]
        return "refait" if self.totals == (31, 31) else "null"

    def due(self, bet: Bet) -> int:
        """What is due to a bet."""
        if bet.gain is not None:
            return bet.gain
        if self.red_at is not None or self.word == "null":
            return 0
        if self.word == "refait":
            if bet.marked or bet.waits or bet.prison:
                return 0
            return -(bet.amount // 2)
        if bet.chance in self.winners:
            return 0 if bet.prison else bet.amount
        return -bet.amount


@dataclass
class Packs:
    """Six packs, shuffled."""

    rng: random.Random
    left: list[str] = field(default_factory=list)

    def renew(self) -> None:
        """A new shoe."""
        self.left = [rank + suit for rank in RANKS for suit in SUITS] * 6
        self.rng.shuffle(self.left)

    def rows(self, wanted: Callable[[list[str], list[str]], bool]) -> tuple[list[str], list[str]]:
        """Two rows such as are wanted; what is beyond the last card is made up (the red card ends it)."""
        for _ in range(20000):
            rows: list[list[str]] = []
            at = len(self.left)
            for _row in ROWS:
                row: list[str] = []
                while sum(map(worth, row)) < 31:
                    at -= 1
                    row.append(self.left[at] if at >= 0 else self.rng.choice(RANKS) + "s")
                rows.append(row)
            if wanted(rows[0], rows[1]):
                del self.left[max(at, 0) :]
                return rows[0], rows[1]
            self.rng.shuffle(self.left)
        raise ValueError("no such rows are left in the shoe")


@dataclass
class Table:
    """``told``: cues that are told here."""

    told: frozenset[str]
    scribe: Scribe = field(default_factory=Scribe)
    out: int = 0
    _stacks: int = 0
    _cards: int = 0
    deals: Hand = field(default_factory=lambda: Hand(Owner.DEALER, side="left"))
    pays: Hand = field(default_factory=lambda: Hand(Owner.DEALER, side="right"))

    def new_shoe(self, cut_by: str | None = "nearest_right") -> None:
        """A new shoe is put in place."""
        self.out = 0
        self.scribe.cue("new_shoe")
        if cut_by:
            self.scribe.cue("cards_cut", cut_by)
        self.scribe.cut_card("table")

    def pile(self, amount: int, at: tuple[float, float]) -> Stack:
        """A stack of this value."""
        self._stacks += 1
        made: list[int] = []
        for chip in _CHIPS:
            made += [chip] * (amount // chip)
            amount %= chip
        return stack(f"s{self._stacks}", *made, at=at)

    def play(self, coup: Coup) -> None:
        """One coup from the bets to the cards' gathering."""
        content = self._bet(coup)
        self._deal(coup)
        if coup.red_at is None:
            self._call(coup)
        if coup.swept_early:
            self.scribe.sweep(to=coup.discards, hand=DEALER)
        if coup.red_at is None or coup.settled_void:
            self._settle(coup, content)
        if not coup.swept_early:
            self.scribe.sweep(to=coup.discards, hand=DEALER)
        if coup.red_at is not None:
            self._count_out(coup)
        self.scribe.t += 10.0
        for spot, piles in content.items():
            kept = [bet.name for bet in coup.bets if bet.spot == spot and bet.waits]
            if any(pile.stack not in kept for pile in piles):
                self.scribe.chips(
                    spot, *(pile for pile in piles if pile.stack in kept), hand=player(1), wait_s=0.3
                )

    def _bet(self, coup: Coup) -> dict[str, list[Stack]]:
        content: dict[str, list[Stack]] = {}
        for bet in coup.bets:
            pile = self.pile(bet.amount, bet.at)
            if bet.prison:
                pile = stack(bet.name, *(pile.denominations or ()), at=bet.at)
            bet.name = pile.stack
            content.setdefault(bet.spot, []).append(pile)
        for spot, piles in content.items():
            self.scribe.chips(spot, *piles, hand=player(1), wait_s=0.4)
        for bet in coup.bets:
            if bet.marked:
                self._mark(bet)
                paid = bet.amount // 100 if coup.premium is None else coup.premium
                if paid:
                    self.scribe.see(
                        ChipMove(
                            seq=0, t=0, from_spot=bet.spot, to_spot="float", value=str(paid), hand=DEALER
                        )
                    )
        self.scribe.t += 1.0
        return content

    def _mark(self, bet: Bet, kind: str = "insurance") -> None:
        marker = MarkerSeen(
            seq=0, t=0, marker="prison" if kind == "prison" else "insurance", spot=bet.spot, at_mm=bet.at
        )
        self.scribe.marker(marker)

    def _deal(self, coup: Coup) -> None:
        order = [("noir", card) for card in coup.noir] + [("rouge", card) for card in coup.rouge]
        if coup.first_rouge:
            order = [("rouge", card) for card in coup.rouge] + [("noir", card) for card in coup.noir]
        for index, (row, card) in enumerate(order):
            if coup.red_at == index:
                break
            self._lay(coup, row, card, index)
            if index == 3 and coup.late:
                self._meddle(coup)
        if coup.red_at is not None:
            self.scribe.cut_card()

    def _lay(self, coup: Coup, row: str, card: str, index: int) -> None:
        self._cards += 1
        name = self.scribe.next_card()
        self.scribe._count -= 1
        self.scribe.see(ShoeExit(seq=0, t=0, card_id=name, face="up"))
        self.out += 1
        spot = "table" if coup.beside and index == 1 else f"hand {row}"
        face = Face.DOWN if coup.dark and index == 2 else Face.UP
        at = (1150.0 + 73.0 * (index % 9), 465.0 if row == "noir" else 655.0)
        self.scribe.deal(spot, card, face, hand=self.deals, at=at)
        if spot == "table":
            self.scribe.move(name, f"hand {row}", self.deals)
        if face is Face.DOWN:
            self.scribe.t += 3.0
            self.scribe.turn(name, card, self.deals)

    def _meddle(self, coup: Coup) -> None:
        bet = coup.bets[0]
        mine = [
            stack(b.name, *(self.pile(b.amount, b.at).denominations or ()), at=b.at)
            for b in coup.bets
            if b.spot == bet.spot
        ]
        if coup.late == "marker":
            self._mark(bet)
        elif coup.late == "bet":
            late = self.pile(50, (bet.at[0] + 300.0, bet.at[1] + 10.0))
            self.scribe.chips(bet.spot, *mine, late, hand=player(1))
            self.scribe.t += 0.6
        else:
            self.scribe.chips(bet.spot, *mine[1:], hand=player(1))

    def _call(self, coup: Coup) -> None:
        for row, total in zip(ROWS, coup.totals, strict=True):
            if "row_announced" in self.told and coup.silent != "rows":
                self.scribe.cue("row_announced", str(total), f"hand {row}")
        if "chances_announced" in self.told and coup.silent != "chances":
            self.scribe.cue("chances_announced", " ".join(coup.winners) or coup.word)

    def _settle(self, coup: Coup, content: dict[str, list[Stack]]) -> None:
        hand = self.deals if coup.one_side else self.pays
        bets = [bet for bet in coup.bets if not (coup.late == "pulled" and bet is coup.bets[0])]
        losers = [bet for bet in bets if coup.due(bet) < 0]
        winners = sorted((bet for bet in bets if coup.due(bet) > 0), key=lambda b: _place(b, coup))
        order = [*winners, *losers] if coup.early_pay else [*losers, *winners]
        if coup.late == "pulled":
            content[coup.bets[0].spot] = [
                pile for pile in content[coup.bets[0].spot] if pile.stack != coup.bets[0].name
            ]
        for bet in order:
            gain, piles = coup.due(bet), content[bet.spot]
            if gain > 0:
                piles.append(self.pile(gain, (bet.at[0] + 20.0, bet.at[1])))
            else:
                rest = bet.amount + gain
                mine = next(pile for pile in piles if pile.stack == bet.name)
                piles.remove(mine)
                if rest > 0:
                    piles.append(self._changed(bet, rest))
            self.scribe.chips(bet.spot, *piles, hand=hand)

    def _changed(self, bet: Bet, rest: int) -> Stack:
        """What is left of a bet: laid down anew beside it, or put in its place, in other chips."""
        beside = self.pile(rest, (bet.at[0], bet.at[1] + 20.0))
        return beside if self._stacks % 2 else stack(bet.name, *(beside.denominations or ()), at=bet.at)

    def _count_out(self, coup: Coup) -> None:
        for _ in range(coup.lay):
            name = self.scribe.next_card()
            self.scribe.see(
                CardPlaced(seq=0, t=0, card_id=name, spot="table", face="down", hand=DEALER), wait_s=0.3
            )


def _place(bet: Bet, coup: Coup) -> tuple[int, float]:
    last = bet.chance in ROWS
    away = math.dist(bet.at, CROUPIER)
    return (int(last != coup.black_first), away if coup.near_first else -away)
