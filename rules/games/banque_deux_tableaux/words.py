"""The game's own words: its hands, its bets, and its lines."""

from __future__ import annotations

from enum import StrEnum, unique

TABLEAUX = ("tableau_1", "tableau_2")
BANCA = "banca"
HANDS = (*TABLEAUX, BANCA)

PLAYS_ON: dict[str, int] = {"tableau_1": 0, "tableau_2": 1}
"""The bets, and on which tableau each plays: ``seat 3 tableau_2``, seat 3 being on the first tableau, is the
area that this has for bets on the second."""

BARRED = ("beside_banker", "beside_dealer")
"""Places where no bet may lie."""

BETS = (*PLAYS_ON, *BARRED)


@unique
class Line(StrEnum):
    """What a bet on a line plays."""

    EQUAL_PARTS = "equal_parts"
    """Half on each tableau."""
    HALF = "half"
    """Half of it, on its own tableau."""
    FIRST_LARGER = "first_larger"
    """On both tableaux, the larger part on the first if it is an odd number of units."""


LINE_ROWS: dict[Line, str] = {
    Line.EQUAL_PARTS: "BT-LINE-01",
    Line.HALF: "BT-LINE-02",
    Line.FIRST_LARGER: "BT-LINE-03",
}
