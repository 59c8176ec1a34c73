"""felt.json: the table's felt in millimetres, as reports draw it: zones, lines that act, the size of a chip.

Made once at review time from the layout, so that a report needs no layout file; the drawing itself lies
beside it (``drawing.svg``). All points are millimetres on the felt, as in the journal.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from veedor.store.beside import dump_beside, load_beside
from veedor.store.overlay import LineEffect, Polygon

FORMAT = "veedor.felt/1"

_STRICT = ConfigDict(extra="forbid")


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class FeltZone:
    """One spot of the felt. ``bets``: chips there are a bet."""

    spot: str
    outline: Polygon
    bets: bool = False


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class FeltLine:
    """A line that acts on bets. ``id``: as stacks in the journal name it; ``paths``: its pieces."""

    id: str
    effect: LineEffect
    spots: tuple[str, ...]
    paths: tuple[Polygon, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Felt:
    """One table's felt. ``frame_mm``: x0, y0, x1, y1 of the drawing's sheet; ``edge``: the felt's edge;
    ``chip_mm``: a chip's diameter; ``chip_colours``: the house's denominations, with #rrggbb to draw them."""

    frame_mm: tuple[float, float, float, float]
    edge: Polygon
    zones: tuple[FeltZone, ...]
    lines: tuple[FeltLine, ...]
    chip_mm: float
    chip_colours: dict[str, str] = field(default_factory=dict)
    format: Literal["veedor.felt/1"] = "veedor.felt/1"


_FELT: TypeAdapter[Felt] = TypeAdapter(Felt)


def dumps(felt: Felt) -> str:
    """The felt as text; coordinates are rounded to a tenth of a millimetre."""
    return dump_beside(_FELT, felt)


def loads(text: str, name: str = "felt.json") -> Felt:
    """Read a felt. Raises StoreError, naming the file, if it is another format or broken."""
    return load_beside(_FELT, text, name)
