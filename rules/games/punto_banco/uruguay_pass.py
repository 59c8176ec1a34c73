"""One pass under judgement: what all of Uruguay's judging modules look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.baccarat.coup import Bet, Coup
from rules.chips import Move
from rules.docket import Docket, Moment
from rules.events import Cue, Owner
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.uruguay_carry import Run, UruguayCarry, is_told
from rules.games.punto_banco.uruguay_profile import Uruguay
from rules.money import sum_of
from rules.spots import Area, Spot


@dataclass(frozen=True, slots=True)
class Pass:
    """``start``: what it began from. ``seat``: who holds the shoe (0: the dealer; None: not known). ``run``:
    his bank. ``standing``: boxes that a cue names as a standing player's. ``cues``: all that is told since
    the pass before was dealt, up to the next close."""

    start: UruguayCarry
    coup: Coup
    profile: PuntoBancoProfile
    own: Uruguay
    docket: Docket
    seat: int | None
    run: Run | None
    standing: frozenset[Spot]
    cues: tuple[Cue, ...]

    def told(self, *cues: str) -> list[Cue]:
        """The cues of these names since the pass before was dealt, up to the next close."""
        return [event for event in self.cues if event.cue in cues]

    def told_before(self, *cues: str) -> list[Cue]:
        """Those told before this pass's close."""
        return is_told(self.coup.before, *cues)

    def is_standing(self, spot: Spot) -> bool:
        """Whether a standing player bets there."""
        return spot.box is not None or spot in self.standing

    def at_close(self, *spots: Spot) -> Moment:
        """The close of the bets, with the stacks that lay at these spots."""
        seqs = [bet.standing.seq for spot in spots for bet in self.coup.bets.get(spot, ())]
        return Moment.at(self.coup.t_close, *seqs, before_s=4.0)

    @property
    def t_out(self) -> float:
        """When the first card left the shoe."""
        first = self.coup.cards[0]
        return first.t if first.t_exit is None else first.t_exit

    @property
    def dealers_moves(self) -> list[Move]:
        """Chips that the dealer moved in the betting boxes after the result."""
        return [
            move
            for move in self.coup.moves
            if move.owner is Owner.DEALER and move.spot.area is Area.BET and move.t > self.coup.t_result - 0.3
        ]

    @property
    def judged(self) -> bool:
        """Whether the pass is over and its end was seen."""
        return self.coup.over and not self.coup.cut_off and not self.coup.began_unseen


def worth(bets: list[Bet]) -> Fraction | None:
    """What stacks are worth together, None if one was not read."""
    return sum_of([bet.standing.value for bet in bets])


def worths(bets: Mapping[Spot, list[Bet]], seat: int | None, *names: str) -> Fraction | None:
    """What a seat has on these bets together, None if one was not read."""
    return sum_of([worth(bets.get(Spot(Area.BET, seat=seat, bet=name), [])) for name in names])


def cue_at(cue: Cue, *, before_s: float = 2.0) -> Moment:
    """The moment a cue was told."""
    return Moment.at(cue.t, cue.seq, before_s=before_s)


def seat_of(cue: Cue) -> int | None:
    """The seat that a cue speaks of."""
    return None if cue.spot is None else Spot.parse(cue.spot).seat
