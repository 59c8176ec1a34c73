"""The course of a hand's betting as a small machine: who has put in what, whose turn it is, who is still in.

Words are not heard; chips and cards are seen. A check is not seen at all: a seat that was passed over
while nothing was asked of it has checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from fractions import Fraction

from rules.games.circle_poker.pots import Pots, pots_of

_NONE = Fraction(0)


@unique
class Act(StrEnum):
    """What chips that were put down amount to."""

    BET = "bet"
    CALL = "call"
    RAISE = "raise"
    SHORT = "short"
    """Less than what was asked: a call only by who is all in."""


@unique
class Turn(StrEnum):
    """Whether it was a seat's turn."""

    HIS = "his"
    BEFORE_OTHERS = "before others"
    """Somebody before him still had to answer a bet."""
    OVER = "over"
    """Nothing was open for him: he had folded, or nobody had raised since he acted."""


@dataclass(frozen=True, slots=True)
class Acted:
    """What a seat did. ``by``: how much it bet, or raised by; ``least``: the least it could have raised by;
    ``pot``: what lay in pot and boxes with its own call; ``waiting``: the seat that came first."""

    act: Act
    turn: Turn
    by: Fraction
    least: Fraction
    pot: Fraction
    waiting: int | None = None


@dataclass(slots=True)
class Betting:
    """``order``: the seats dealt in, clockwise, the first after the marker first. ``big_blind``: least
    bet. ``put_in``: by seat, the whole hand; ``street``: this round; ``all_in``: nothing left behind."""

    order: Sequence[int]
    big_blind: Fraction = _NONE
    put_in: dict[int, Fraction] = field(default_factory=dict)
    street: dict[int, Fraction] = field(default_factory=dict)
    antes: dict[int, Fraction] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    all_in: set[int] = field(default_factory=set)
    raises: int = 0
    _to: Fraction = _NONE
    _least: Fraction = _NONE
    _answered: set[int] = field(default_factory=set)
    _last: int | None = None

    def __post_init__(self) -> None:
        self.put_in = dict.fromkeys(self.order, _NONE) | self.put_in
        self._least = self.big_blind

    @property
    def live(self) -> list[int]:
        """The seats that have not folded."""
        return [seat for seat in self.order if seat not in self.folded]

    @property
    def asked(self) -> Fraction:
        """The highest bet of this round."""
        return self._to

    def ante(self, seat: int, amount: Fraction) -> None:
        """Chips that go to the pot and call nothing."""
        self.antes[seat] = self.antes.get(seat, _NONE) + amount

    def post(self, seat: int, amount: Fraction) -> None:
        """A blind: it has to be called, and its seat may still act."""
        self._put(seat, amount)
        self._to = max(self._to, self.big_blind, self.street[seat])
        self._last = seat

    def opens_after(self, seat: int) -> None:
        """The blinds are posted: the seat after this one is the first to act."""
        self._last = seat

    def puts(self, seat: int, amount: Fraction, *, all_in: bool = False) -> Acted:
        """A seat puts chips down in one turn."""
        turn, waiting = self._turn(seat)
        before, asked = self.street.get(seat, _NONE), self._to
        pot = self.pot + max(_NONE, asked - before)
        self._put(seat, amount)
        if all_in:
            self.all_in.add(seat)
        now, least = self.street[seat], self._least
        by = now - asked
        if by > 0:
            act = Act.RAISE if asked else Act.BET
            self.raises += act is Act.RAISE
            if by >= self._least or not all_in:
                # A short raise of who is all in has to be called, but does not change by how much one raises.
                self._least = max(by, self._least)
            self._to, self._answered = now, {seat}
        else:
            act = Act.CALL if by == 0 else Act.SHORT
            self._answered.add(seat)
        if turn is not Turn.BEFORE_OTHERS:  # else it is still the other's turn
            self._last = seat
        return Acted(act, turn, by, least, pot, waiting)

    def folds(self, seat: int) -> tuple[Turn, int | None]:
        """A seat gives its cards up; whether it was its turn, and who came first."""
        turn = self._turn(seat)
        self.folded.add(seat)
        if turn[0] is not Turn.BEFORE_OTHERS:
            self._last = seat
        return turn

    def takes_back(self, seat: int, amount: Fraction) -> None:
        """Chips that go back to who put them down: what nobody called."""
        self.put_in[seat] = max(_NONE, self.put_in.get(seat, _NONE) - amount)
        self.street[seat] = max(_NONE, self.street.get(seat, _NONE) - amount)

    def next_street(self) -> None:
        """The next shared cards come: a new round of betting begins."""
        self.street, self._answered, self._last = {}, set(), None
        self._to, self._least, self.raises = _NONE, self.big_blind, 0

    def unequal(self) -> list[int]:
        """The seats still in that have put less into this round than was asked, and are not all in."""
        if len(self.live) < 2:
            return []
        asked = max((self.street.get(seat, _NONE) for seat in self.live), default=_NONE)
        others = [seat for seat in self.live if seat not in self.all_in]
        return [seat for seat in others if self.street.get(seat, _NONE) < asked]

    @property
    def pot(self) -> Fraction:
        """All that was put in so far."""
        return sum(self.put_in.values(), sum(self.antes.values(), _NONE))

    def pots(self) -> Pots:
        """Main and side pots as they stand."""
        return pots_of(self.put_in, self.folded, self.antes)

    def _put(self, seat: int, amount: Fraction) -> None:
        self.put_in[seat] = self.put_in.get(seat, _NONE) + amount
        self.street[seat] = self.street.get(seat, _NONE) + amount

    def _turn(self, seat: int) -> tuple[Turn, int | None]:
        """Whether this seat may act now; those between it and the last one to act have checked if nothing was
        asked of them."""
        if seat in self.folded or seat in self.all_in or seat not in self.put_in:
            return Turn.OVER, None
        between = list(self._between(seat))
        for other in between:
            if self.street.get(other, _NONE) < self._to:
                return Turn.BEFORE_OTHERS, other
        self._answered.update(between)
        if seat in self._answered and self.street.get(seat, _NONE) >= self._to:
            return Turn.OVER, None
        return Turn.HIS, None

    def _between(self, seat: int) -> Iterable[int]:
        """Seats that come after the last one to act and before this one, and can still act."""
        start = (
            0
            if self._last is None
            else (list(self.order).index(self._last) + 1 if self._last in self.order else 0)
        )
        count = len(self.order)
        for step in range(count):
            other = self.order[(start + step) % count]
            if other == seat:
                return
            if other not in self.folded and other not in self.all_in:
                yield other
