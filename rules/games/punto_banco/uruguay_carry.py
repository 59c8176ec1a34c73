"""What a table of Uruguay's state casinos remembers from pass to pass."""

from __future__ import annotations

from dataclasses import dataclass

from rules.games.punto_banco.reading import TableCarry


@dataclass(slots=True)
class UruguayCarry(TableCarry):
    """Besides what every table remembers."""
