"""The game's own words: its rows, its chances, and what is due to each by the result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique

from rules.baccarat.dues import Due

NOIR, ROUGE = "noir", "rouge"
ROWS = (NOIR, ROUGE)
COULEUR, INVERSE = "couleur", "inverse"
BETS = (ROUGE, NOIR, COULEUR, INVERSE)

CHANCES: dict[str, tuple[str, str]] = {"TQ-WIN-02": (COULEUR, INVERSE), "TQ-WIN-01": (NOIR, ROUGE)}
"""The two bets of each chance, by the row that says which of them wins; in the order of payment."""


@unique
class Kind(StrEnum):
    """What two rows come to."""

    DECIDED = "decided"
    NULL = "null"
    REFAIT = "refait"
    """31 to 31."""


@dataclass(frozen=True, slots=True, order=True)
class Result:
    """The result of a coup. ``row``, ``colour``: the two bets that win, empty where none does."""

    kind: Kind
    row: str = ""
    colour: str = ""

    def due(self, bet: str) -> Due:
        """What is due to a bet that is neither insured nor in prison; at a refait it stays, or half of it."""
        if self.kind is not Kind.DECIDED:
            return Due.PUSH
        return Due.PAY if bet in (self.row, self.colour) else Due.COLLECT

    @property
    def text(self) -> str:
        """The result in words."""
        match self.kind:
            case Kind.NULL:
                return "a null coup"
            case Kind.REFAIT:
                return "31 to 31"
            case Kind.DECIDED:
                return f"{self.row} and {self.colour}"
