"""The game's coups read from the journal, and what it remembers from one to the next: bets in prison."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Self

from rules.baccarat.coup import Bet, Carry, Coup
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.shoe import UnburnedShoe
from rules.chips import BACK_S, Board
from rules.events import CardPlaced, ChipState, Cue, CutCardSeen, Event, ViewLost
from rules.games.trente_et_quarante.insuring import key_of, read_insured
from rules.games.trente_et_quarante.profile import Refait, TrenteProfile
from rules.games.trente_et_quarante.rows import Rows, read_rows
from rules.games.trente_et_quarante.words import BETS, ROWS, Kind
from rules.looks import SAME_PLACE_MM
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area, Spot


@dataclass(frozen=True, slots=True)
class Prisoner:
    """A bet that 31 to 31 put in prison. ``counts``: what comes free of it if it wins now, None if it is not
    known whether it is in prison."""

    spot: Spot
    stack: str
    at_mm: tuple[float, float]
    counts: Fraction | None

    def is_bet(self, bet: Bet) -> bool:
        """Whether a bet is this one."""
        return bet.spot == self.spot and _same(self.stack, self.at_mm, bet)


def _same(stack: str, at_mm: tuple[float, float], bet: Bet) -> bool:
    return stack in (bet.name, bet.standing.stack.stack) or math.dist(at_mm, bet.at_mm) <= SAME_PLACE_MM


@dataclass(slots=True)
class TrenteCarry(Carry):
    """What the game remembers besides. ``prison``: bets that lie in prison. ``in_view``: nothing was out of
    view since the shoe was put in place. ``t_dealt``: when the last card of the coup before was laid."""

    profile: TrenteProfile = field(kw_only=True)
    prison: tuple[Prisoner, ...] = ()
    in_view: bool = True
    t_dealt: float = -math.inf

    def is_dealt(self, card: SeenCard) -> bool:
        """Cards laid in a row, and cards that left the shoe and were laid open beside the rows."""
        beside = card.dealt_to.area is Area.TABLE and card.placed_up and card.t_exit is not None
        return card.dealt_to.area is Area.HAND or card.hand is not None or beside

    def copy(self) -> Self:
        """An independent copy."""
        return replace(self, board=self.board.copy(), shoe=self.shoe.copy(), left=list(self.left))

    def after(self, coup: Coup) -> None:
        """Remember which bets went to prison, or are still there."""
        self.prison = tuple(_prisoners(self, coup))
        self.t_dealt = coup.cards[-1].t
        self.in_view &= not any(isinstance(event, ViewLost) and event.hides for event in coup.events)
        if any(isinstance(event, Cue) and event.cue == "new_shoe" for event in coup.events):
            self.in_view = True


def prisoner_of(bet: Bet, prison: Iterable[Prisoner]) -> Prisoner | None:
    """The prisoner that a bet is, None if it is free."""
    return next((prisoner for prisoner in prison if prisoner.is_bet(bet)), None)


def _prisoners(carry: TrenteCarry, coup: Coup) -> Iterable[Prisoner]:
    """The bets that are in prison after a coup."""
    rows = read_rows(coup, carry.profile.full_from)
    if red_card(coup, rows) is not None or coup.void:
        yield from (p for p in carry.prison if left_of(coup, p.spot, p.stack, p.at_mm) is not None)
        return
    kinds = {result.kind for result in rows.results} or set(Kind)
    if kinds == {Kind.DECIDED} or (not carry.prison and Kind.REFAIT not in kinds):
        return
    insured = read_insured(coup, carry.t_dealt)
    for bet in (bet for bets in coup.bets.values() for bet in bets if bet.spot.bet in BETS):
        before = prisoner_of(bet, carry.prison)
        left = left_of(coup, bet.spot, bet.name, bet.at_mm)
        if left is None or (before is None and key_of(bet) in insured.sure):
            continue
        counts, stays = _counts(bet, before, left.value, kinds, carry.profile)
        if before is None and key_of(bet) in insured.doubtful:
            counts = None
        if stays:
            yield Prisoner(bet.spot, bet.name, bet.at_mm, counts)


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a bet. ``value``: None if it was not read."""

    value: Fraction | None


def left_of(coup: Coup, spot: Spot, name: str, at_mm: tuple[float, float]) -> Left | None:
    """What is left of a bet when the coup is over, by the last look at its box; None if it is gone."""
    written, missed = str(spot), None
    found: Left | None = None
    looked = False
    for event in coup.events:
        if not isinstance(event, ChipState) or event.spot != written or event.t < coup.t_result:
            continue
        looked = True
        near = [s for s in event.stacks if s.stack == name or math.dist(s.at_mm, at_mm) <= SAME_PLACE_MM]
        if near and missed is not None and event.t - missed > BACK_S:
            return None  # it was gone, and another stands there now
        found = Left(None if near[0].value is None else Fraction(near[0].value)) if near else None
        missed = None if near else missed if missed is not None else event.t
    if looked:
        return found
    standing = coup.at_close.get(spot, {}).get(name)
    return None if standing is None else Left(standing.value)


def _counts(
    bet: Bet, before: Prisoner | None, left: Fraction | None, kinds: set[Kind], profile: TrenteProfile
) -> tuple[Fraction | None, bool]:
    """What a bet that is still there counts in prison, and whether it may be there at all."""
    value = bet.standing.value
    if len(kinds) > 1:
        return None, True
    if kinds == {Kind.NULL}:
        return (None if before is None else before.counts), before is not None
    if before is None:
        if profile.refait is Refait.HALF:
            return None, False
        return value, value is None or left is None or left == value
    if before.counts is None or left is None or value is None:
        return None, True
    half = before.counts / 2
    return half, left in (value, half)


def red_card(coup: Coup, rows: Rows) -> CutCardSeen | None:
    """The red card, if it came out while the coup's rows were being dealt."""
    for event in coup.events:
        if isinstance(event, Cue) and event.cue == "new_shoe":
            return None
        if isinstance(event, CutCardSeen):
            ended = not rows.faulty and all(rows.cards[row] for row in ROWS)
            return event if not ended or event.t < coup.cards[-1].t else None
    return None


def laid_down(coup: Coup, since: float) -> set[str]:
    """The cards that were laid on the felt face down from then on, before a new shoe came."""
    names: set[str] = set()
    for event in coup.events:
        if isinstance(event, Cue) and event.cue == "new_shoe":
            break
        down = isinstance(event, CardPlaced) and event.t >= since and event.face == "down"
        if isinstance(event, CardPlaced) and down and not event.spot.startswith("hand "):
            names.add(event.card_id)
    return names


def begin(profile: TrenteProfile, sight: Sight) -> TrenteCarry:
    """Before the first event."""
    return TrenteCarry(Board(sight), UnburnedShoe(), profile=profile)


def coups_of(
    carry: TrenteCarry, events: Sequence[Event], _profile: TrenteProfile, _sight: Sight, ended: bool
) -> list[tuple[TrenteCarry, Coup]]:
    """The coups of events in time order, each with what it began from."""
    return baccarat_coups(carry, events, ended)
