"""One table in play: writes the journal of a coup as its script has it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from datasets.games.chemin_de_fer.script import (
    MINIMUM,
    SEATS,
    Hands,
    Script,
    Told,
)
from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Face
from rules.events import CardCleared, CardPlaced, CutCardSeen, MarkerSeen, ShoeExit, Stack

_PACK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
_NEW_BANK = 400
_CHIPS = (100, 20, 5, 1)


def chips(amount: int) -> tuple[int, ...]:
    """An amount in chips, the largest at the bottom."""
    found: list[int] = []
    for chip in _CHIPS:
        count, amount = divmod(amount, chip)
        found += [chip] * count
    return tuple(found)


def _columns(name: str, amount: int, x_mm: float) -> tuple[Stack, ...]:
    """Money as the dealer keeps it: a column for each kind of chip."""
    found = []
    for place, kind in enumerate(_CHIPS):
        column = [chip for chip in chips(amount) if chip == kind]
        if column:
            found.append(stack(f"{name}{kind}", *column, at=(x_mm + 40.0 * place, 200.0)))
    return tuple(found)


def box(seat: int) -> str:
    """A seat's betting box."""
    return f"seat {seat} punto"


@dataclass
class Table:
    """A table with five seats, all of them in play."""

    rng: random.Random
    cues: frozenset[str]
    scribe: Scribe = field(default_factory=Scribe)
    shoe: list[str] = field(default_factory=list)
    banker: int = 1
    bank: int = _NEW_BANK
    garage: int = 0
    backs: list[str] = field(default_factory=list)
    """Colours that the backs of the next cards are seen to have."""
    fresh: bool = True
    """The banker has not dealt yet."""

    count: int = 0
    stacks: int = 0
    names: dict[str, list[str]] = field(default_factory=dict)
    """The names of the cards of each hand."""

    late: Stack | None = None
    """A stake that was put down too late, and lies there."""

    extra: list[Stack] = field(default_factory=list)
    """Stakes for the bank."""

    up: set[str] = field(default_factory=set)
    """Cards that show their face."""

    def tell(self, script: Script, cue: str, value: str | None = None, spot: str | None = None) -> None:
        """Tell a cue where it is told at this table, and was not forgotten."""
        if cue in self.cues and cue not in script.untold:
            self.scribe.cue(cue, value, spot)

    def say(self, told: list[Told]) -> None:
        """Tell these cues."""
        for cue, word, spot in told:
            self.scribe.cue(cue, word, spot)

    def make_ready(self, script: Script) -> None:
        """Everything before the stakes: the shoe, the bank, what is said."""
        scribe = self.scribe
        scribe.t = round(scribe.t + 12.0, 3)
        if script.new_shoe or self.count == 1 or len(self.shoe) < 30:
            self.bank, self.garage = self.bank + self.garage, 0
            self.shoe = _PACK * 6
            self.rng.shuffle(self.shoe)
            scribe.cue("new_shoe")
            self.tell(script, "cards_shuffled", "dealer")
            self.tell(script, "mode_announced", "rules")
        if script.banker is not None and script.banker != self.banker:
            self.banker, self.bank, self.garage, self.fresh = script.banker, _NEW_BANK, 0, True
        if script.bank is not None:
            self.bank = script.bank
        self.say(script.before)
        if self.fresh:
            scribe.marker(MarkerSeen(seq=0, t=0, marker="shoe", spot=f"seat {self.banker} shoe"))
        else:
            self.tell(script, "garage_asked")
        self.lay_bank(script.bank_shown)

    def lay_bank(self, shown: bool = True) -> None:
        """The bank and the garage as they are."""
        self.scribe.chips("bank", *(_columns("b", self.bank, 900.0) if shown else ()), hand=DEALER)
        self.scribe.chips("garage", *_columns("g", self.garage, 600.0), hand=DEALER)

    def cards(self, script: Script) -> Hands:
        """Cards out of the shoe that the script can use."""
        for _ in range(60_000):
            picked = self.rng.sample(range(len(self.shoe)), 8)
            cards = [self.shoe[index] for index in picked]
            hands = Hands([cards[0], cards[2]], [cards[1], cards[3]], cards[4:])
            if script.want is None or script.want(hands):
                break
        else:
            raise ValueError("no cards in the shoe make this coup")
        if script.same_card:
            hands = Hands(["Td"] * 2, ["Td"] * 2, ["Td"] * 4)
        for index in sorted(picked, reverse=True):
            del self.shoe[index]
        return hands

    # the bets ---------------------------------------------------------------------------------------------

    def stake(self, amount: int, seat: int, line: bool = False, offset: float = 0.0) -> Stack:
        """A stack of chips for a seat."""
        self.stacks += 1
        name, place = f"s{self.stacks}", (200.0 * seat + offset, 600.0)
        whole = [MINIMUM] * (amount // MINIMUM) + list(chips(amount % MINIMUM))
        return stack(name, *whole, line="line" if line else None, at=place)

    def bets(self, script: Script) -> dict[int, Stack]:
        """The stakes, by seat, and the close."""
        stakes = dict(script.stakes) if script.stakes is not None else self._usual_stakes(script)
        laid: dict[int, Stack] = {}
        for seat, amount in stakes.items():
            laid[seat] = self.stake(amount, seat, seat in script.lines)
            self.scribe.chips(box(seat), laid[seat], hand=player(seat), wait_s=0.6)
        if script.abonaments:
            self.tell(script, "difference_called")
            seat = self.others()[-1]
            self.extra = [self.stake(MINIMUM, seat, offset=30.0 * n) for n in range(script.abonaments)]
            self.scribe.chips(f"seat {seat} abonament", *self.extra, hand=player(seat))
        self.say(script.opened)
        if script.hidden is not None:
            self.scribe.touch(box(script.hidden), player(script.hidden), seconds=5.0)
        self.tell(script, "no_more_bets")
        return laid

    def others(self) -> list[int]:
        """The other seats, from the banker's right on."""
        return [(self.banker + n - 1) % SEATS + 1 for n in range(1, SEATS)]

    def _usual_stakes(self, script: Script) -> dict[int, int]:
        left = self.bank // MINIMUM
        stakes = {}
        others = self.others()
        for index, seat in enumerate(others):
            most = max(1, min(4, left - (len(others) - index - 1)))
            units = self.rng.randint(1, most)
            if seat in script.lines:
                units = 2
            stakes[seat] = units * MINIMUM
            left -= units
        return stakes

    def opponent(self, script: Script, stakes: dict[int, Stack]) -> int:
        """Who takes punto's cards: the highest stake, from the banker's right."""
        if script.opponent is not None:
            return script.opponent
        plays = {seat: (laid.value or 0) / (2 if laid.line else 1) for seat, laid in stakes.items()}
        return max(self.others(), key=lambda seat: (plays.get(seat, 0), -self.others().index(seat)))

    # the deal ---------------------------------------------------------------------------------------------

    def exit(self, *, up: bool = False, wait_s: float | None = None) -> str:
        """A card leaves the shoe; returns its name."""
        name = self.scribe.next_card()
        self.scribe.see(ShoeExit(seq=0, t=0, card_id=name, face="up" if up else "down"), wait_s=wait_s)
        return name

    def place(self, name: str, spot: str, card: str | None, *, by_dealer: bool = False) -> None:
        """A card comes to lie at a spot."""
        hand = DEALER if by_dealer else player(self.banker)
        face = Face.DOWN if card is None else Face.UP
        self.scribe.see(
            CardPlaced(
                seq=0,
                t=0,
                card_id=name,
                spot=spot,
                face=face.value,
                card=card,
                hand=hand,
                back=self.backs.pop(0) if self.backs else None,
            ),
            wait_s=0.4,
        )
        self.scribe.cards.append((name, spot))

    def forget(self, name: str) -> None:
        """A card does not lie on the felt any more."""
        self.scribe.cards = [known for known in self.scribe.cards if known[0] != name]

    def deal(self, script: Script, hands: Hands) -> None:
        """The first four cards, and what goes wrong with them."""
        self.names, self.up = {"punto": [], "banca": []}, set()
        pending = ("", "")
        queues = {"punto": iter(hands.punto), "banca": iter(hands.banca)}
        if script.cut_card == "before":
            self.scribe.see(CutCardSeen(seq=0, t=0, spot="shoe"))
        for index, side in enumerate(script.order):
            if script.cut_card == "during" and index == 2:
                self.scribe.see(CutCardSeen(seq=0, t=0, spot="shoe"))
            card = next(queues[side])
            by = script.exposed.get(index)
            if by == "shoe":
                self._exposed_out(script, side, card)
                if script.exposed_played:
                    continue
            if script.basket == 1 and index == 2:
                name = self.exit()
                self.place(name, "discard", None)
                self.forget(name)
                hands.punto.pop()
                continue
            name = self.exit(wait_s=0.0 if script.stuck and index == 1 else None)
            if script.stuck and index == 0:
                pending = name, side
                continue
            if script.stuck and index == 1:
                first, to = pending
                self.place(first, f"hand {to}", None)
                self.names[to].append(first)
            if script.floor and index == 2:
                self.place(name, "off table", None)
            self.place(name, f"hand {side}", None)
            self.names[side].append(name)
            if by in ("dealer", "banker"):
                self.scribe.turn(name, card, DEALER if by == "dealer" else player(self.banker))
                self.up.add(name)
        if script.excess:
            name = self.exit()
            self.place(name, "hand banca", None)
            self.names["banca"].append(name)
            hands.banca.append(hands.more.pop(0))

    def _exposed_out(self, script: Script, side: str, card: str) -> None:
        """A card comes out face up; it is removed, or played all the same."""
        name = self.exit(up=True)
        other = card if script.exposed_played else self.rng.choice(self.shoe)
        self.place(name, f"hand {side}", other)
        if script.exposed_played:
            self.names[side].append(name)
            self.up.add(name)
            return
        self.shoe.remove(other)
        self.scribe.see(
            CardCleared(seq=0, t=0, card_id=name, spot=f"hand {side}", to_spot="discard", hand=DEALER)
        )
        self.forget(name)
