"""A betting box from the close to the end of a coup: its stakes, and the course of chips after the result.

Whose hand moved chips is often not seen. Then the amounts tell: chips that make exactly what is due are the
payment, and what comes or goes after a box is settled belongs to the next coup.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.baccarat.closing import Tampering, is_settlement
from rules.baccarat.coup import Bet, Coup
from rules.baccarat.dues import Stake
from rules.chips import Move, Part, total
from rules.events import Owner
from rules.spots import Area, Spot

PAYMENT_BESIDE_MM = 130.0
"""A payment lies within this distance of its bet."""


@dataclass(slots=True)
class Box:
    """One betting box in which bets lay at the close. ``moves``: those of the settlement.

    ``stakes``: None if a bet's value is not known; ``altered``: the stakes as they lay after a late change.
    """

    spot: Spot
    bets: list[Bet]
    stakes: list[Stake] | None
    altered: list[Stake] | None
    moves: list[Move]
    tampered: Tampering | None
    on_line: bool
    """Whether any of its bets plays half."""

    @property
    def bet(self) -> str:
        """``punto``, ``banca`` or ``empate``."""
        return self.spot.bet or ""

    @property
    def variants(self) -> list[list[Stake]]:
        """The stakes that a settlement may go by: those at the close, and those that then lay there."""
        return [stakes for stakes in (self.stakes, self.altered) if stakes is not None]

    @property
    def emptied(self) -> bool:
        """Whether a player took everything back before the settlement."""
        if self.altered is not None:
            return not any(stake.value for stake in self.altered)
        gone = {part.stack for part in self.tampered.removed if part.whole} if self.tampered else set()
        return self.names <= gone

    @property
    def names(self) -> set[str]:
        """What the bets' stacks are called now."""
        return {bet.standing.stack.stack for bet in self.bets}

    @property
    def seqs(self) -> tuple[int, ...]:
        """The journal's events that show the bets."""
        return tuple(bet.standing.seq for bet in self.bets)

    @property
    def unread(self) -> str | None:
        """Why the bets' value is not known."""
        for bet in self.bets:
            if bet.standing.value is None:
                return bet.standing.stack.unread or "its chips were not read"
        return None


def plays_half(bet: Bet, half_lines: frozenset[str]) -> bool:
    """The bet lies on a line, and such bets play half (``half_lines``: in which boxes)."""
    return bet.line is not None and bet.spot.bet in half_lines


def boxes_of(
    coup: Coup, tampered: dict[Spot, Tampering], half_lines: frozenset[str], winning: frozenset[str]
) -> list[Box]:
    """Every box with bets, with its settlement. ``winning``: the bets that win, as far as known: chips put
    down near an unpaid winner, but counted for another spot, are given to it."""
    moves: dict[Spot, list[Move]] = {}
    for move in coup.moves:
        if is_settlement(coup, move):
            moves.setdefault(move.spot, []).append(move)
    boxes = [
        _box(spot, bets, moves.get(spot, []), tampered.get(spot), half_lines)
        for spot, bets in coup.bets.items()
        if bets
    ]
    if winning:
        _reattribute(coup, boxes, winning)
    return boxes


def _box(
    spot: Spot, bets: list[Bet], moves: list[Move], tampered: Tampering | None, half_lines: frozenset[str]
) -> Box:
    stakes: list[Stake] | None = []
    for bet in bets:
        value = bet.standing.value
        if value is None or stakes is None:
            stakes = None
        else:
            stakes.append(Stake(value, plays_half(bet, half_lines)))
    on_line = any(plays_half(bet, half_lines) for bet in bets)
    return Box(spot, bets, stakes, _altered(stakes, tampered), moves, tampered, on_line)


def relined(box: Box, lines: Sequence[str | None], half_lines: frozenset[str]) -> Box:
    """The box as if its bets lay on these lines."""
    bets = [replace(bet, line=line) for bet, line in zip(box.bets, lines, strict=True)]
    half = [plays_half(bet, half_lines) for bet in bets]
    stakes = None
    if box.stakes is not None:
        stakes = [Stake(stake.value, own) for stake, own in zip(box.stakes, half, strict=True)]
    return replace(
        box,
        bets=bets,
        stakes=stakes,
        altered=_altered(stakes, box.tampered),
        moves=list(box.moves),
        on_line=any(half),
    )


def _altered(stakes: list[Stake] | None, tampered: Tampering | None) -> list[Stake] | None:
    if stakes is None or tampered is None:
        return None
    gain, loss = tampered.gain, tampered.loss
    if gain is None or loss is None:
        return None
    result: list[Stake] = []
    for stake in [*stakes, Stake(gain, False)]:
        gone = min(loss, stake.value)
        loss -= gone
        result.append(Stake(stake.value - gone, stake.half))
    return result


def _reattribute(coup: Coup, boxes: list[Box], winning: frozenset[str]) -> None:
    """Give payments that lie beside a winning bet, but over another spot's edge, to that bet."""
    by_spot = {box.spot: box for box in boxes}
    unpaid = [box for box in boxes if box.bet in winning and not any(_puts(move) for move in box.moves)]
    for box in unpaid:
        for move in coup.moves:
            if not _puts(move) or not is_settlement(coup, move) or not _neighbour(move.spot, box.spot):
                continue
            if move.owner is Owner.UNKNOWN and coup.t_swept is not None and move.t > coup.t_swept:
                continue  # as likely a bet for the next coup
            own = by_spot.get(move.spot)
            if own is not None and own.bet not in winning and _stands(own, move):
                continue
            if own is not None and own.bet in winning:
                continue
            parts = tuple(part for part in move.added if _beside(part, box))
            if parts:
                box.moves.append(replace(move, spot=box.spot, added=parts, removed=()))
                if own is not None:
                    own.moves = [other for other in own.moves if other is not move]
        box.moves.sort(key=lambda move: (move.t, move.seq))


def _puts(move: Move) -> bool:
    return bool(move.added) and move.owner is not Owner.PLAYER


def _neighbour(spot: Spot, box: Spot) -> bool:
    return spot.area is Area.TABLE or (spot.area is Area.BET and spot.seat == box.seat and spot != box)


def _stands(box: Box, move: Move) -> bool:
    """Whether the losing bet of a box still lay there when chips came: they may then be its own."""
    return not any(other.removed and other.t <= move.t for other in box.moves)


def _beside(part: Part, box: Box) -> bool:
    return any(math.dist(part.at_mm, bet.at_mm) <= PAYMENT_BESIDE_MM for bet in box.bets)


@dataclass(slots=True)
class Course:
    """What happened to a box's chips. ``net``: what the bank gave (negative: took), None if not known;
    ``at_least``: what it gave at the least. ``took_back``: the player took chips back. ``posted``: he put
    chips down. ``unclear``: chips that cannot be counted were handled."""

    net: Fraction | None = Fraction(0)
    at_least: Fraction = Fraction(0)
    paid: list[Move] = field(default_factory=list)
    taken: list[Move] = field(default_factory=list)
    took_back: Move | None = None
    posted: list[Move] = field(default_factory=list)
    unclear: bool = False
    gone: set[str] = field(default_factory=set)
    """Stacks of the bet that are gone altogether."""

    def add(self, move: Move) -> None:
        """Chips were put down by the bank."""
        gain = move.gain
        self.net = None if self.net is None or gain is None else self.net + gain
        self.at_least += sum(part.at_least for part in move.added)
        self.paid.append(move)

    def take(self, move: Move) -> None:
        """Chips were taken by the bank."""
        loss = move.loss
        self.net = None if self.net is None or loss is None else self.net - loss
        self.gone |= {part.stack for part in move.removed if part.whole}
        self.taken.append(move)

    @property
    def seqs(self) -> tuple[int, ...]:
        """The journal's events that show it."""
        moves = [*self.paid, *self.taken, *self.posted]
        return tuple(move.seq for move in moves)


def winning_course(box: Box, right: frozenset[Fraction] | None, swept: float) -> Course:
    """What happened to a winning box. ``right``: the payments that settle it, None if not known; ``swept``:
    when the cards began to be gathered."""
    course = Course()
    posted = _posted(box, right, swept)
    course.posted = posted
    for move in box.moves:
        course.unclear |= move.unclear
        if any(move is other for other in posted):
            continue
        settled = right is not None and course.net in right and bool(course.paid)
        if move.removed and not _bank_takes(course, move, right, swept):
            break
        if move.added:
            if settled and move.owner is not Owner.DEALER:
                break  # it had its due: what comes now is for the next coup
            if move.owner is Owner.PLAYER and (move.t > swept or not _completes(course, move, right)):
                break
            late = move.t > swept and move.owner is Owner.UNKNOWN
            if late and (box.emptied or not _is_late_payment(course, move, right)):
                break
            course.add(move)
    return course


def _posted(box: Box, right: frozenset[Fraction] | None, swept: float) -> list[Move]:
    """Chips that a player put down on his winning bet after the result.

    A player's hand is told, or two piles came of which the second pays for the first as well. Where the only
    chips that came make exactly the due amount they are the payment, whosever hand was seen.
    """
    puts = [move for move in box.moves if move.added and not move.removed]
    players = [move for move in puts if move.owner is Owner.PLAYER]
    bank = [move for move in puts if move.owner is not Owner.PLAYER]
    if not bank and right is not None and total(tuple(p for m in players for p in m.added)) in right:
        return []
    if players:
        first = min((move.t for move in bank), default=swept)
        return [move for move in players if move.t < min(first, swept)]
    return []


def _bank_takes(course: Course, move: Move, right: frozenset[Fraction] | None, swept: float) -> bool:
    """Take in chips that left a winning box; False if it was the player, and the box's course is over."""
    if move.owner is Owner.PLAYER:
        if not course.paid and move.t <= swept and not move.added:
            course.took_back = move
        return False
    if move.owner is Owner.UNKNOWN:
        if course.paid:
            after = None if course.net is None or move.loss is None else course.net - move.loss
            gain = move.gain if move.added else Fraction(0)
            if after is None or gain is None or right is None or after + gain not in right:
                return False  # the player takes his winnings
        elif move.t > swept:
            return False
    course.take(move)
    return True


def _completes(course: Course, move: Move, right: frozenset[Fraction] | None) -> bool:
    """Whether these chips make up exactly what was due."""
    if course.net is None or move.gain is None or right is None:
        return False
    return course.net + move.gain in right


def _is_late_payment(course: Course, move: Move, right: frozenset[Fraction] | None) -> bool:
    """Whether chips that an unseen hand put down after the cards were gathered are the payment.

    They are if they complete it, or if their amount is not known and the unpaid bet still stands there.
    """
    unknown = course.net is None or move.gain is None or right is None
    return not course.taken if unknown else _completes(course, move, right)


def losing_course(box: Box, right: frozenset[Fraction] | None, swept: float, settling_after: bool) -> Course:
    """What happened to a losing box. ``right``: amounts that settle it; ``settling_after``: the bank still
    settled other bets after the cards were gathered."""
    course = Course()
    names = box.names
    for move in box.moves:
        course.unclear |= move.unclear
        if _collected(course, right, names, box.on_line):
            break
        if move.removed:
            if move.owner is Owner.PLAYER:
                if move.t <= swept:
                    course.took_back = move
                break
            late = move.owner is Owner.UNKNOWN and move.t > swept
            if late and (not settling_after or (box.on_line and right is None)):
                break  # the player takes back what the bank left
            course.take(move)
        if move.added:
            if move.owner is Owner.PLAYER or (move.owner is Owner.UNKNOWN and move.t > swept):
                course.posted.append(move)
                continue
            course.add(move)
    return course


def _collected(course: Course, right: frozenset[Fraction] | None, names: set[str], on_line: bool) -> bool:
    if not course.taken:
        return False
    if right is not None and course.net is not None:
        return -course.net in right
    return names <= course.gone and not on_line


def pushed_course(box: Box, swept: float) -> Course:
    """What happened to a box that neither won nor lost, until the cards were gathered."""
    course = Course()
    for move in box.moves:
        course.unclear |= move.unclear
        if move.t > swept and move.owner is not Owner.DEALER:
            break
        if move.removed:
            if move.owner is Owner.PLAYER:
                break  # it may be taken back
            course.take(move)
        if move.added:
            if move.owner is Owner.PLAYER:
                break
            course.add(move)
    return course
