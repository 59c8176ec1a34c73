"""A round as it is to be played, and the table that plays it, telling all that an observer would see."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.games.no_discard_poker.cards import KINDS, kind, plays, strength
from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Face

PAYS = dict(zip(KINDS, (1, 1, 2, 3, 4, 5, 7, 20, 50, 100), strict=True))
INSURED = {"full_house": 100, "four_of_a_kind": 300, "straight_flush": 1000, "royal_flush": 2000}
JACKPOT = 100_000
PRIZES = {"royal_flush": JACKPOT, "straight_flush": JACKPOT // 10, "four_of_a_kind": 500}
Place = tuple[int, str]
"""A seat and a bet."""


@dataclass
class Bought:
    """A card bought: which of five is put away (``away``), what comes, and what is laid for it."""

    away: list[int]
    cards: list[str]
    price: int


@dataclass
class Play:
    """One round. ``gains``: what the bank gives to each bet (negative: takes), as ``settle`` reckons it.

    ``order``: hands in the order dealt; ``up``: cards dealt face up (hand, place); ``late``: chips that a
    player adds after the deal, or that he takes all (0); ``turned``: cards that he shows; ``void``: all bets
    go back. ``cues``: told before the deal; ``heard``: told after it.
    ``late_seats``: who decides only after the reveal; ``left_antes``: passed seats whose ante is not taken,
    ``late_antes``: only after the reveal; ``short``: whose cards are not all gathered.
    """

    number: int
    antes: dict[int, list[int]]
    insurance: dict[int, int]
    progressive: dict[int, int]
    hands: dict[str, list[str]]
    goes: dict[int, bool]
    second: dict[int, int]
    order: list[str]
    up: set[tuple[str, int]] = field(default_factory=lambda: {("banca", 4)})
    bought: dict[int, Bought] = field(default_factory=dict)
    gains: dict[Place, int] = field(default_factory=dict)
    prizes: dict[int, int] = field(default_factory=dict)
    cues: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    heard: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    late: list[tuple[int, str, int]] = field(default_factory=list)
    turned: list[tuple[int, int]] = field(default_factory=list)
    touched: list[int] = field(default_factory=list)
    off_table: list[int] = field(default_factory=list)
    late_seats: set[int] = field(default_factory=set)
    left_antes: set[int] = field(default_factory=set)
    late_antes: set[int] = field(default_factory=set)
    short: set[int] = field(default_factory=set)
    pay_first: bool = False
    void: bool = False

    @property
    def seats(self) -> list[int]:
        """The seats that play."""
        return sorted(self.antes)

    def final(self, name: str) -> list[str]:
        """A hand's cards as they are compared."""
        hand = list(self.hands[name])
        seat = None if name == "banca" else int(name[5:])
        if seat in self.bought:
            change = self.bought[seat]
            return [c for i, c in enumerate(hand) if i not in change.away] + change.cards
        return hand

    def result(self, seat: int) -> str:
        """How the seat stands in the end."""
        if not self.goes[seat]:
            return "passed"
        own, bank = strength(self.final(f"seat_{seat}")), strength(self.final("banca"))
        if not plays(self.final("banca")):
            return "the bank does not play"
        return "tie" if own == bank else "wins" if own > bank else "loses"

    def settle(self) -> None:
        """What the bank gives and takes by the book."""
        for seat in self.seats:
            ante, second, result = sum(self.antes[seat]), self.second.get(seat, 0), self.result(seat)
            own = kind(self.final(f"seat_{seat}"))
            sign = {"wins": 1, "the bank does not play": 1, "tie": 0}.get(result, -1)
            self.gains[seat, "ante"] = sign * ante
            if self.goes[seat]:
                win = {"wins": PAYS[own] * second, "loses": -second}
                self.gains[seat, "second"] = win.get(result, 0)
            if seat in self.insurance:
                times = INSURED.get(own, -1) if self.goes[seat] else -1
                self.gains[seat, "insurance"] = times * self.insurance[seat]
            if seat in self.progressive:
                self.prizes[seat] = PRIZES.get(kind(self.hands[f"seat_{seat}"]), 0)


@dataclass
class Table:
    """One table and its journal."""

    scribe: Scribe = field(default_factory=lambda: Scribe(pace_s=0.7))

    def play(self, play: Play) -> None:
        """Play a round."""
        scribe = self.scribe
        scribe.cue("jackpot", str(JACKPOT))
        for cue in play.cues:
            scribe.cue(*cue)
        for bet in ("ante", "insurance", "progressive"):
            for seat in sorted({*play.antes, *play.progressive}):
                if chips := self._own(play, seat, bet):
                    self._lay(play, seat, bet, *chips)
        scribe.cue("no_more_bets")
        scribe.t += 1.0
        dealt = self._deal(play)
        self._disturb(play, dealt)
        if not play.void:
            self._decide(play, dealt, [seat for seat in play.seats if seat not in play.late_seats])
            for place in range(5):
                if ("banca", place) not in play.up:
                    scribe.turn(dealt["banca"][place], play.hands["banca"][place], DEALER)
            self._decide(play, dealt, sorted(play.late_seats))
            self._settle(play, dealt)
        self._clear(play)

    def _disturb(self, play: Play, dealt: dict[str, list[str]]) -> None:
        """What happens between the deal and the decisions."""
        scribe = self.scribe
        for seat, bet, amount in play.late:
            self._lay(play, seat, bet, *([*self._own(play, seat, bet), amount] if amount else []))
        for cue in play.heard:
            scribe.cue(*cue)
        for seat, place in play.turned:
            name = dealt[f"seat_{seat}"][place]
            scribe.turn(name, play.hands[f"seat_{seat}"][place], player(seat))
        for seat in play.touched:
            scribe.touch(f"hand seat_{seat}", player(seat), target=dealt[f"seat_{seat}"][0])
        for seat in play.off_table:
            name = dealt[f"seat_{seat}"][0]
            scribe.move(name, "off table", player(seat))
            scribe.move(name, f"hand seat_{seat}", player(seat))

    def _lay(self, play: Play, seat: int, bet: str, *amounts: int) -> None:
        stacks = [
            stack(f"{play.number}-{seat}-{bet}-{i}", amount, at=(100.0 * seat + 20 * i, 0.0))
            for i, amount in enumerate(amounts)
        ]
        self.scribe.chips(f"seat {seat} {bet}", *stacks, hand=player(seat))

    def _deal(self, play: Play) -> dict[str, list[str]]:
        dealt: dict[str, list[str]] = {name: [] for name in play.order}
        for name in play.order:
            place = len(dealt[name])
            card = play.hands[name][place] if place < len(play.hands[name]) else "2c"
            face = Face.UP if (name, place) in play.up else Face.DOWN
            dealt[name].append(self.scribe.deal(f"hand {name}", card, face, hand=DEALER))
        return dealt

    def _decide(self, play: Play, dealt: dict[str, list[str]], seats: list[int]) -> None:
        for seat in seats:
            if seat in play.bought:
                self._buy(play, seat, dealt)
            if play.goes[seat]:
                self._lay(play, seat, "second", play.second[seat])
                continue
            if seat not in play.left_antes | play.late_antes:
                self.scribe.chips(f"seat {seat} ante", hand=DEALER)
            if play.gains.get((seat, "insurance"), 0) < 0:
                self.scribe.chips(f"seat {seat} insurance", hand=DEALER)
            names = dealt[f"seat_{seat}"]
            self._gather(names[:3] if seat in play.short else names)

    def _gather(self, names: list[str]) -> None:
        self.scribe.cards.sort(key=lambda card: card[0] not in names)
        keep = [card for card in self.scribe.cards if card[0] not in names]
        self.scribe.cards = [card for card in self.scribe.cards if card[0] in names]
        self.scribe.sweep(hand=DEALER)
        self.scribe.cards = keep

    def _buy(self, play: Play, seat: int, dealt: dict[str, list[str]]) -> None:
        change, name = play.bought[seat], f"seat_{seat}"
        self._gather([dealt[name][place] for place in change.away])
        dealt[name] = [card for place, card in enumerate(dealt[name]) if place not in change.away]
        if change.price:
            self._lay(play, seat, "exchange", change.price)
        for card in change.cards:
            dealt[name].append(self.scribe.deal(f"hand {name}", card, Face.DOWN, hand=DEALER))
        if change.price:
            self.scribe.chips(f"seat {seat} exchange", hand=DEALER)

    def _settle(self, play: Play, dealt: dict[str, list[str]]) -> None:
        for seat in play.seats:
            if play.goes[seat]:
                shown = {place for own, place in play.turned if own == seat}
                for place, (name, card) in enumerate(
                    zip(dealt[f"seat_{seat}"], play.final(f"seat_{seat}"), strict=False)
                ):
                    if place not in shown:
                        self.scribe.turn(name, card, DEALER)
            elif seat in play.late_antes:
                self.scribe.chips(f"seat {seat} ante", hand=DEALER)
        due = [(place, gain) for place, gain in play.gains.items() if gain and play.goes[place[0]]]
        for (seat, bet), gain in sorted(due, key=lambda item: (item[1] > 0) != play.pay_first):
            self._give(play, seat, bet, gain)
        for seat, prize in play.prizes.items():
            if prize:
                self._give(play, seat, "progressive", prize)

    def _give(self, play: Play, seat: int, bet: str, gain: int) -> None:
        own = self._own(play, seat, bet)
        for at, where, amount in play.late:
            if (at, where) == (seat, bet):
                if not amount:
                    return  # the player took it back
                own.append(amount)
        stacks = [
            stack(f"{play.number}-{seat}-{bet}-{i}", amount, at=(100.0 * seat + 20 * i, 0.0))
            for i, amount in enumerate(own)
        ]
        if gain > 0:
            stacks.append(stack(f"{play.number}-{seat}-{bet}-paid", gain, at=(100.0 * seat, 60.0)))
            self.scribe.chips(f"seat {seat} {bet}", *stacks, hand=DEALER)
        else:
            self.scribe.chips(f"seat {seat} {bet}", hand=DEALER)

    @staticmethod
    def _own(play: Play, seat: int, bet: str) -> list[int]:
        """The stacks of a bet, as they were laid."""
        if bet == "ante":
            return list(play.antes.get(seat, []))
        chips = {"second": play.second, "insurance": play.insurance, "progressive": play.progressive}[bet]
        return [chips[seat]] if seat in chips else []

    def _clear(self, play: Play) -> None:
        """The cards are gathered, then players take what is theirs."""
        self.scribe.sweep(hand=DEALER)
        for seat in sorted({*play.seats, *play.progressive}):
            for bet in ("ante", "second", "insurance", "progressive"):
                self.scribe.chips(f"seat {seat} {bet}", hand=player(seat))
        self.scribe.t += 10.0
