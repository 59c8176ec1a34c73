"""Punto banco's coups read from the journal."""

from __future__ import annotations

from collections.abc import Sequence

from rules.baccarat.coup import Carry, Coup
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.shoe import Shoe
from rules.chips import Board
from rules.events import Event
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.sight import Sight


def begin(_profile: PuntoBancoProfile, sight: Sight) -> Carry:
    """Before the first event."""
    return Carry(Board(sight), Shoe())


def coups_of(
    carry: Carry, events: Sequence[Event], _profile: PuntoBancoProfile, _sight: Sight, ended: bool
) -> list[tuple[Carry, Coup]]:
    """The coups of events in time order, each with what it began from."""
    return baccarat_coups(carry, events, ended)
