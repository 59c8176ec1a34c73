"""What was told of a coup: cues by name, before its deal and during it."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Coup
from rules.events import Cue
from rules.money import parse_amount
from rules.spots import Spot


def before(coup: Coup, *names: str) -> list[Cue]:
    """Cues of these names since the coup before was gathered, up to this one's first card, in time order."""
    first = coup.t_first
    early = [cue for cue in coup.cues if cue.cue in names and cue.t <= first]
    return [*(cue for cue in coup.cues_before if cue.cue in names), *early]


def during(coup: Coup, *names: str) -> list[Cue]:
    """Cues of these names from the coup's first card until its cards are gathered, in time order."""
    swept = float("inf") if coup.t_swept is None else coup.t_swept
    return [cue for cue in since(coup, *names) if cue.t <= swept]


def since(coup: Coup, *names: str) -> list[Cue]:
    """Cues of these names from the coup's first card up to the next one's close, in time order."""
    first = coup.t_first
    return [cue for cue in coup.cues if cue.cue in names and cue.t > first]


def at_all(coup: Coup, *names: str) -> list[Cue]:
    """Cues of these names in the bets or the play of this coup, in time order."""
    return [*before(coup, *names), *during(coup, *names)]


def seat_of(cue: Cue) -> int | None:
    """The seat that a cue names by its spot."""
    return None if cue.spot is None else Spot.parse(cue.spot).seat


def words_of(cue: Cue) -> frozenset[str]:
    """The words of a cue's value: ``300 standing`` is an amount and a word."""
    return frozenset((cue.value or "").split())


def amount_of(cue: Cue) -> Fraction | None:
    """The amount among the words of a cue's value, None if there is none."""
    for word in (cue.value or "").split():
        try:
            return parse_amount(word)
        except ValueError:
            continue
    return None


def seats_in(cues: list[Cue]) -> list[int]:
    """The seats that cues name, in order."""
    return [seat for cue in cues if (seat := seat_of(cue)) is not None]
