"""Every error that a game's table can have, in one journal."""

from __future__ import annotations

import pytest

from datasets.games import SIMULATORS
from veedor.simulating import all_at_one_table, simulate

TABLES = sorted(
    {(game, kind.profile) for game, simulator in SIMULATORS.items() for kind in simulator.kinds.values()}
)


@pytest.mark.parametrize(("game", "profile"), TABLES)
def test_all_errors_of_a_table_can_be_made_in_one_journal(game: str, profile: str) -> None:
    """What needs another table is said by name; the rest is all there."""
    together, apart = all_at_one_table(game, profile, None)
    assert set(together).isdisjoint(apart)
    rounds = sum(SIMULATORS[game].kinds[name].rounds for name in together)
    session = simulate(game, rounds, 0, together, profile)
    assert sorted(fault.kind.name for fault in session.faults) == sorted(together)
    assert len(session.rounds) == rounds
