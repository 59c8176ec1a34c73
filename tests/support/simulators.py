"""A simulator of one game with two kinds of error, for what is done with any simulator."""

from __future__ import annotations

from collections.abc import Mapping

from datasets.games.base import Fault, FaultKind, PlayedRound, PlayedSession, Simulator
from datasets.simulator import Options, simulate
from datasets.simulator_types import ErrorKind
from rules.profile_document import Profile

KINDS = {
    kind.name: kind
    for kind in (
        FaultKind(
            name="late_bet", rule="PB-AND-BET-01", code="LATE_BET", profile="andorra_2016", variant="mini"
        ),
        FaultKind(
            name="cards_left",
            rule="PB-AND-DEALER-04",
            code="CARDS_LEFT_ON_TABLE",
            profile="andorra_2016",
            variant="mini",
            rounds=2,
        ),
        FaultKind(
            name="never_seen", rule="PB-AND-PAY-01", code="UNDERPAID", profile="andorra_2016", variant="mini"
        ),
    )
}
"""``never_seen`` is a kind whose mutants are clean: nobody can find it."""


def play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """Punto banco at a mini table without line bets."""
    errors = {coup: ErrorKind(name) for coup, name in faults.items() if name != "never_seen"}
    session = simulate(seed, coups=rounds, errors=errors, options=Options(line_share=0.0))
    spots = {coup.number: coup.error.spot for coup in session.coups if coup.error is not None}
    return PlayedSession(
        game=profile.game,
        profile=profile,
        seed=seed,
        events=session.events,
        rounds=tuple(
            PlayedRound(
                coup=coup.number,
                cards={hand: tuple(map(str, coup.hand(hand))) for hand in ("punto", "banca")},
                result={"winner": coup.winner, "punto": coup.punto_total, "banca": coup.banca_total},
            )
            for coup in session.coups
        ),
        faults=tuple(
            Fault(kind=KINDS[name], coup=coup, spot=None if (at := spots.get(coup)) is None else str(at))
            for coup, name in sorted(faults.items())
        ),
    )


SIMULATOR = Simulator(game="punto_banco", kinds=KINDS, play=play)
