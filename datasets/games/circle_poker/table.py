"""One table: who sits where with how much, and a hand played chip by chip."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from datasets.games.base import PlayedRound
from datasets.games.circle_poker.script import BIG, SEATS, SMALL, START, Script, Told
from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import PACK, Face
from rules.events import CardCleared, ChipMove, Hand, MarkerSeen

_KINDS = (100, 25, 5, 1)


def _chips(amount: int, kinds: tuple[int, ...]) -> list[int]:
    chips: list[int] = []
    for kind in kinds:
        count, amount = divmod(amount, kind)
        chips += [kind] * count
    return chips


@dataclass
class Table:
    """The table between hands."""

    rng: random.Random
    order: Order = field(default_factory=lambda: Order())
    scribe: Scribe = field(default_factory=Scribe)
    behind: dict[int, int] = field(default_factory=dict)
    front: dict[int, int] = field(default_factory=dict)
    antes: dict[int, int] = field(default_factory=dict)
    pot: int = 0
    button: int | None = None
    hands: int = 0
    laid: int = 0

    def _lay(self, spot: str, amount: int, place: int, hand: Hand | None, *, finer: bool = False) -> None:
        if not finer:
            self.laid += 1  # chips are stacked anew, so that as many of them are not taken for the same
        at = (float(place), 20.0 * (self.laid % 40))
        name, kinds = f"{spot.replace(' ', '_')}_{self.laid}", _KINDS[1:] if finer else _KINDS
        stacks = [stack(name, *_chips(amount, kinds), at=at)] if amount else []
        self.scribe.chips(spot, *stacks, hand=hand)

    def show_stack(self, seat: int, hand: Hand | None = None) -> None:
        """What a seat has behind."""
        self._lay(f"seat {seat} stack", self.behind[seat], 100 * seat, hand)

    def put(self, seat: int, amount: int, by: int | None = None) -> int:
        """A seat puts chips before it (no more than it has)."""
        amount = min(amount, self.behind[seat])
        whose = player(seat if by is None else by)
        self.behind[seat] -= amount
        self.front[seat] = self.front.get(seat, 0) + amount
        self._lay(f"seat {seat} bet", self.front[seat], 100 * seat + 50, whose)
        self.show_stack(seat, whose)
        return amount

    def take_back(self, seat: int, amount: int) -> None:
        """What nobody called goes back."""
        self.front[seat] -= amount
        self.behind[seat] += amount
        self._lay(f"seat {seat} bet", self.front[seat], 100 * seat + 50, player(seat))
        self.show_stack(seat, player(seat))

    def gather(self, leave: int | None = None) -> None:
        """The dealer brings the bets to the pot."""
        for seat, amount in list(self.front.items()):
            if amount and seat != leave:
                self.front[seat] = 0
                self._lay(f"seat {seat} bet", 0, 0, DEALER)
                self.pot += amount
                self._lay("pot", self.pot, 5000, DEALER)

    def pay(self, shares: Mapping[int, int], hand: Hand = DEALER) -> None:
        """The pot goes to the winners; a shared one is changed for smaller chips first, now and then."""
        if len(shares) > 1 and self.laid % 2 and self.pot:
            self._lay("pot", self.pot, 5000, hand, finer=True)
        for seat, amount in shares.items():
            self.pot -= amount
            self._lay("pot", self.pot, 5000, hand)
            self.behind[seat] = self.behind.get(seat, 0) + amount
            self.show_stack(seat, DEALER)

    def tell(self, told: list[tuple[str, str | None, str | None]]) -> None:
        """Cues."""
        for cue, value, spot in told:
            self.scribe.cue(cue, value, spot)


def _placed(told: list[Told], order: list[int], joins: int | None) -> list[Told]:
    """Cues whose spot is said by its place in the hand."""
    places = {"third": f"seat {order[2]} stack", "new": f"seat {joins} stack"}
    return [(cue, value, places.get(spot or "", spot)) for cue, value, spot in told]


def _next(seats: list[int], seat: int) -> list[int]:
    return [s for s in seats if s > seat] + [s for s in seats if s <= seat]


@dataclass(frozen=True, slots=True)
class Order:
    """What hands are ranked by: the pack's lowest rank (0 is the two), and the ranks that are figures."""

    lowest: int = 0
    figures: frozenset[str] = frozenset()

    def best(self, cards: list[str]) -> tuple[Any, ...]:
        """How high seven cards stand, counted out for the simulator alone."""
        return max(self._five(list(five)) for five in combinations(cards, 5))

    def _five(self, cards: list[str]) -> tuple[Any, ...]:
        heights = sorted((_RANKS.index(card[0]) for card in cards), reverse=True)
        groups = sorted(((heights.count(h), h) for h in set(heights)), reverse=True)
        shape = tuple(count for count, _ in groups)
        order = tuple(h for _, h in groups)
        flush = len({card[1] for card in cards}) == 1
        low = self.lowest
        if order == (12, low + 3, low + 2, low + 1, low):
            order = (low + 3, low + 2, low + 1, low, -1)
        straight = len(shape) == 5 and (order[0] - order[4] == 4 or order[4] == -1)
        kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
        kind: float = kinds[shape]
        if straight or flush:
            kind = max(kind, 8 if straight and flush else 6.5 if flush and low else 5 if flush else 4)
        if kind <= 2 and {card[0] for card in cards} <= self.figures:
            pair = max((h for h in heights if heights.count(h) > 1), default=heights[0])
            return (2.5, (pair, *(h for h in heights if h != pair)))
        return (kind, order)


_RANKS = "23456789TJQKA"


def play(table: Table, script: Script) -> PlayedRound:  # noqa: C901 - one hand in its order
    """One hand."""
    scribe, rng = table.scribe, table.rng
    table.hands += 1
    scribe.t += 10.0
    if table.hands == 1:
        for seat in SEATS:
            table.behind[seat] = script.joins_with if seat == script.joins else START
            table.show_stack(seat, player(seat))
    elif script.joins is not None:
        if table.button is not None:
            table.behind.pop(9, None)
            script.joins = next(
                s
                for s in (9, 3, 6)
                if s
                not in _next(sorted({*table.behind, s}), _next(sorted({*table.behind, s}), table.button)[0])[
                    :2
                ]
            )
        table.behind[script.joins] = script.joins_with
        table.show_stack(script.joins, player(script.joins))
    seats = sorted(seat for seat in table.behind if not (script.rests and seat == SEATS[0]))
    if table.button is None:
        table.button = rng.choice(seats)
    elif not script.button_stays:
        table.button = _next(seats, table.button)[0]
    scribe.marker(MarkerSeen(seq=0, t=0, marker="button", spot=f"seat {table.button} button"))
    order = _next(seats, table.button)
    script.before = _placed(script.before, order, script.joins)
    script.after = _placed(script.after, order, script.joins)
    table.tell(script.before)
    for seat in list(table.behind):
        if table.behind[seat] < 150 and seat != script.joins and table.hands > 1:
            table.behind[seat] += 200
            table.show_stack(seat, player(seat))
    for change in (script.bought or 0, -(script.taken or 0)):
        if change:
            table.behind[SEATS[0]] += change
            table.show_stack(SEATS[0], player(SEATS[0]))
    scribe.t += 10.0
    if script.low_stack:
        table.behind[order[2]] = BIG - 2
        table.show_stack(order[2], player(order[2]))
        scribe.t += 10.0
    if script.at_deck:
        scribe.deal("deck", "9h", Face.UP)
    if script.ante:
        for place, seat in enumerate(order):
            if place != script.no_ante:
                table.antes[seat] = table.put(seat, script.ante)
        table.gather()
    for seat, blind, name in ((order[0], SMALL, "small"), (order[1], BIG, "big")):
        if name != script.no_blind:
            table.put(seat, blind)
    if script.joins is not None and table.hands > 1 and script.joins_posts and script.joins not in order[:2]:
        table.put(script.joins, BIG)
    return _Hand(table, script, order).play()


class _Hand:
    """One hand from the deal on."""

    def __init__(self, table: Table, script: Script, order: list[int]) -> None:
        self.table, self.script, self.order, self.scribe = table, script, order, table.scribe
        pack = [str(card) for card in PACK if _RANKS.index(card.rank) >= table.order.lowest]
        table.rng.shuffle(pack)
        if script.board is not None and script.holes is not None:
            fixed = script.board.split()
            holes = [hole.split() for hole in script.holes]
            used = {*fixed, *(card for hole in holes for card in hole)}
            rest = [card for card in pack if card not in used]
            holes += [[rest.pop(), rest.pop()] for _ in order[len(holes) :]]
        else:
            fixed, rest = pack[:5], pack[5:]
            holes = [[rest.pop(), rest.pop()] for _ in order]
        self.board, self.rest = fixed, rest
        self.holes = dict(zip(order, holes, strict=True))
        if script.twice:
            self.board[4] = self.board[0]
        self.names: dict[int, list[str]] = {seat: [] for seat in order}
        self.folded: list[int] = []
        self.put: dict[int, int] = {
            seat: table.front.get(seat, 0) + table.antes.pop(seat, 0) for seat in order
        }

    def play(self) -> PlayedRound:
        """Deal, bets, showdown, and the pot."""
        script, table, order = self.script, self.table, self.order
        self._deal()
        table.tell(script.during)
        winners = self._bets()
        self.scribe.t += 3.0
        if script.touched:
            self.scribe.touch(f"hand seat_{order[0]}", player(order[1]), target=self.names[order[0]][0])
        self._finish(winners)
        return PlayedRound(coup=table.hands, cards={"board": ()}, result={"winner": winners})

    def _deal(self) -> None:
        order = self.order if self.script.clockwise else [*reversed(self.order[:-1]), self.order[-1]]
        for turn in range(2):
            for place, seat in enumerate(order):
                if self.script.short_card and turn == 1 and place == 2:
                    continue
                up = self.script.exposed and turn == 0 and place == 1
                card = self.holes[seat][turn]
                name = self.scribe.deal(
                    f"hand seat_{seat}", card if up else None, Face.UP if up else Face.DOWN, hand=DEALER
                )
                self.names[seat].append(name)

    def _fold(self, seat: int) -> None:
        self.folded.append(seat)
        for name in self.names[seat]:
            self.scribe.see(
                CardCleared(
                    seq=0, t=0, card_id=name, spot=f"hand seat_{seat}", to_spot="discard", hand=player(seat)
                )
            )
            self.scribe.cards = [(known, at) for known, at in self.scribe.cards if known != name]

    def _add(self, seat: int, amount: int, by: int | None = None) -> None:
        self.put[seat] = self.put.get(seat, 0) + self.table.put(seat, amount, by)

    def _bets(self) -> list[int]:  # noqa: C901 - one hand in its order
        script, table = self.script, self.table
        order = [*self.order[2:], *self.order[:2]]
        self.scribe.t += script.wait_s
        if script.out_of_turn:
            order[0], order[1] = order[1], order[0]
        if script.ending == "folded":
            self._add(order[0], BIG + script.bet)
            for seat in order[1:]:
                self._fold(seat)
            self.scribe.t += 3.0
            table.gather()
            return [order[0]]
        stay = order[:4] if script.ending == "all_in" or script.raises else order[:3]
        level = BIG
        if script.ending == "all_in":
            low = min(table.behind[seat] + table.front.get(seat, 0) for seat in stay)
            level = low + 30
        by = self.order[3] if script.bet_for else None
        if script.wait_dead_s:
            self.scribe.cue("clock_called", "50", f"seat {order[0]} bet")
            self.scribe.t += 125.0
            self.scribe.cue("clock_warning", None, f"seat {order[0]} bet")
            self.scribe.t += script.wait_dead_s
        for seat in order:
            if seat not in stay:
                self._fold(seat)
                continue
            level += BIG * 3 if script.raises else 0
            self._add(seat, level - table.front.get(seat, 0), by)
            by = None
        for seat in stay[:3] if script.raises else ():
            self._add(seat, level - table.front.get(seat, 0))
        if script.again:
            self._add(order[0], 20)
            for seat in stay[1:]:
                self._add(seat, 20)
        place = 0
        for street, count in enumerate((3, 1, 1)):
            table.gather(stay[0] if script.ungathered and street == 0 else None)
            if script.ungathered and street == 0:
                self._street(street, place, count)
                table.gather()
            else:
                self._street(street, place, count)
            place += count
            if street == 0 and script.ending == "showdown":
                self._flop_bets(stay)
        table.gather()
        return self._winners(stay)

    def _flop_bets(self, stay: list[int]) -> None:
        script = self.script
        live = [seat for seat in self.order if seat in stay]
        if script.stray:
            self.scribe.chips("table", stack("stray", 5, at=(7000.0, 0.0)), hand=player(live[0]))
        for place, seat in enumerate(live):
            self._add(seat, script.bet - (5 if script.unequal and place == len(live) - 1 else 0))

    def _street(self, street: int, place: int, count: int) -> None:
        for _ in range(self.script.burns[street]):
            shown = self.script.burn_shown and street == 0
            card = self.rest.pop()
            self.scribe.deal("burn", card if shown else None, Face.UP if shown else Face.DOWN, hand=DEALER)
        for card in self.board[place : place + count]:
            self.scribe.deal("community", card, hand=DEALER)
        if street == 2 and self.script.extra_board:
            self.scribe.deal("community", self.rest.pop(), hand=DEALER)

    def _winners(self, stay: list[int]) -> list[int]:
        for seat in sorted(stay):
            for name, card in zip(self.names[seat], self.holes[seat], strict=False):
                self.scribe.turn(name, card, player(seat))
        return list(stay)

    def _shares(self, stay: list[int]) -> dict[int, int]:
        """Layer by layer; the odd chips to the first seats after the marker."""
        put, left, shares = dict(self.put), self.table.pot, dict.fromkeys(stay, 0)
        rake = self.script.rake
        if len(stay) == 1:
            return {stay[0]: left}
        while any(put.values()):
            least = min(amount for amount in put.values() if amount)
            layer = sum(min(amount, least) for amount in put.values())
            able = [seat for seat in stay if put.get(seat, 0)]
            put = {seat: max(0, amount - least) for seat, amount in put.items()}
            order = self.table.order
            best = max(order.best([*self.board, *self.holes[seat]]) for seat in able)
            won = [
                seat
                for seat in self.order
                if seat in able and order.best([*self.board, *self.holes[seat]]) == best
            ]
            self._split(layer, able, won, shares, rake)
            rake = 0
        return {seat: amount for seat, amount in shares.items() if amount}

    def _split(self, layer: int, able: list[int], won: list[int], shares: dict[int, int], rake: int) -> None:
        key = tuple(sorted(able))
        self._layers = getattr(self, "_layers", {})
        amount = self._layers.get(key, 0)
        for seat, share in _even(amount, won).items():
            shares[seat] -= share
        amount += layer - rake
        self._layers[key] = amount
        for seat, share in _even(amount, won).items():
            shares[seat] += share

    def _finish(self, stay: list[int]) -> None:
        script, table, scribe = self.script, self.table, self.scribe
        shares = self._shares(stay)
        shares = self._misdirect(shares, stay)
        scribe.t += 5.0
        if script.pot_touched:
            scribe.touch("pot", player(stay[0]))
        if script.rake:
            whose = player(stay[0]) if script.rake_by_player else DEALER
            scribe.see(
                ChipMove(seq=0, t=0, from_spot="pot", to_spot="cagnotte", value=str(script.rake), hand=whose)
            )
            table.pot -= script.rake
            table._lay("pot", table.pot, 5000, DEALER)
            scribe.t += 5.0
        table.pay(shares)
        if script.tip_slotted and any(cue == "tip" for cue, _, _ in script.after):
            scribe.see(ChipMove(seq=0, t=0, from_spot="table", to_spot="tips", value="5", hand=DEALER))
        table.tell(script.after)
        scribe.t += 3.0
        if table.pot:
            table.pot = 0
            table._lay("pot", 0, 5000, DEALER)
        scribe.sweep(hand=DEALER)
        if script.stray:
            scribe.chips("table", hand=DEALER)

    def _misdirect(self, shares: dict[int, int], stay: list[int]) -> dict[int, int]:
        script, total = self.script, sum(shares.values())
        match script.paid_to:
            case "loser":
                wrong = next(seat for seat in stay if seat not in shares)
                return {wrong: total}
            case "first":
                return {next(iter(shares)): total}
            case "folded":
                return {self.folded[0]: total}
            case "short":
                seat = next(iter(shares))
                return shares | {seat: shares[seat] - 5}
            case "stranger":
                return {self.order[0] if self.order[0] not in stay else self.order[1]: total}
            case _:
                return shares


def _even(amount: int, won: list[int]) -> dict[int, int]:
    each, odd = divmod(amount, len(won))
    return {seat: each + (place < odd) for place, seat in enumerate(won)}
