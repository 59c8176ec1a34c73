"""The drawing table as data: who takes a third card, read from the table as it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import ProfileError

STOOD = "N"
"""The column for a punto that took no third card."""

_COLUMNS = (*tuple("0123456789"), STOOD)
_ROWS = tuple("01234567")


@dataclass(frozen=True, slots=True)
class DrawingTable:
    """``naturals``: two-card totals that end the coup. ``punto``: totals on which punto draws. ``banca``:
    (banca's two-card total, value of punto's third card or None) on which banca draws. ``punto_free``,
    ``banca_free``: where the hand chooses."""

    naturals: frozenset[int]
    punto: frozenset[int]
    banca: frozenset[tuple[int, int | None]]
    punto_free: frozenset[int] = frozenset()
    banca_free: frozenset[tuple[int, int | None]] = frozenset()

    def is_natural(self, punto: int, banca: int) -> bool:
        """Whether these two-card totals end the coup."""
        return punto in self.naturals or banca in self.naturals

    def punto_draws(self, total: int) -> bool:
        """Whether punto takes a third card on this two-card total (no hand having a natural)."""
        return total in self.punto

    def banca_draws(self, total: int, third: int | None) -> bool:
        """Whether banca takes a third card; ``third``: value of punto's third card, None if punto stood."""
        return (total, third) in self.banca


def read_drawing_table(
    naturals: Sequence[int],
    draws: Sequence[int],
    stands: Sequence[int],
    banca: str,
    chooses: Sequence[int] = (),
) -> DrawingTable:
    """The table from its parts; ``banca`` is the printed table with rows 0-7, columns 0-9 and N, cells D, S
    or O (optional); ``chooses``: totals on which punto may draw or stand.

    Raises ProfileError where a total is missing, named twice, or a cell is none of D, S and O.
    """
    named = sorted([*naturals, *draws, *stands, *chooses])
    if named != list(range(10)):
        raise ProfileError(
            f"drawing: naturals, punto.draws and punto.stands name the totals {named}; together they must"
            " name each total from 0 to 9 once."
        )
    rows = [line.replace("|", " ").split() for line in banca.splitlines() if line.strip()]
    if not rows or tuple(rows[0]) != _COLUMNS:
        raise ProfileError("drawing.banca: the first line must be the columns 0 1 2 3 4 5 6 7 8 9 N.")
    if tuple(row[0] for row in rows[1:]) != _ROWS or any(len(row) != 1 + len(_COLUMNS) for row in rows[1:]):
        raise ProfileError(
            "drawing.banca: after the columns there must be one line for each banca total 0 to 7, in order,"
            " with eleven cells."
        )
    cells: dict[str, set[tuple[int, int | None]]] = {"D": set(), "S": set(), "O": set()}
    for row in rows[1:]:
        for column, cell in zip(_COLUMNS, row[1:], strict=True):
            if cell not in cells:
                raise ProfileError(
                    f"drawing.banca: the cell for banca {row[0]}, column {column} is {cell!r}:"
                    " write D (draws), S (stands) or O (optional)."
                )
            cells[cell].add((int(row[0]), None if column == STOOD else int(column)))
    return DrawingTable(
        frozenset(naturals),
        frozenset(draws),
        frozenset(cells["D"]),
        frozenset(chooses),
        frozenset(cells["O"]),
    )
