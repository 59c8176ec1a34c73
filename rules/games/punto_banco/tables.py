"""Which table it is: the shoe's way, the bank and the memory of a pass differ in Uruguay's state casinos."""

from __future__ import annotations

from collections.abc import Sequence

from rules.baccarat.coup import Coup
from rules.events import Event
from rules.games.punto_banco import reading
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.reading import TableCarry
from rules.games.punto_banco.uruguay_carry import UruguayCarry, begin_uruguay, passes_of
from rules.sight import Sight


def begin(profile: PuntoBancoProfile, sight: Sight) -> TableCarry:
    """Before the first event."""
    return reading.begin(profile, sight) if profile.uruguay is None else begin_uruguay(profile, sight)


def coups_of(
    carry: TableCarry, events: Sequence[Event], profile: PuntoBancoProfile, sight: Sight, ended: bool
) -> list[tuple[TableCarry, Coup]]:
    """The coups of events in time order, each with what it began from."""
    if isinstance(carry, UruguayCarry):
        return [(start, coup) for start, coup in passes_of(carry, events, ended)]
    return reading.coups_of(carry, events, profile, sight, ended)
