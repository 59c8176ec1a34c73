"""overlay.json: where the felt's zones and the events' cards and chips lie in a camera's picture.

Made once at review time, when the calibration is at hand, so that whoever shows a review needs neither the
calibration nor the layout. All points are pixels of the recording's own picture, (0, 0) the top left corner.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from veedor.store.beside import dump_beside, load_beside

FORMAT = "veedor.overlay/1"

Point = tuple[float, float]
Polygon = tuple[Point, ...]
LineEffect = Literal["halves", "splits"]
"""What a line does to a bet whose base lies on it: it plays half, or on both sides."""

_STRICT = ConfigDict(extra="forbid")


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Zone:
    """The outline of one spot. ``spot``: its name as in :mod:`rules.spots`; ``half_line``: bets on its
    outline play half."""

    spot: str
    outline: Polygon
    half_line: bool = False


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Line:
    """A line that acts on bets, as the picture shows it. ``id``: as stacks in the journal name it;
    ``effect``: what it does to a bet on it; ``spots``: whose bets; ``paths``: its pieces."""

    id: str
    effect: LineEffect
    spots: tuple[str, ...]
    paths: tuple[Polygon, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Mark:
    """What one event saw, as a shape in the picture. ``thing``: the card's or stack's name in the journal.

    Of a stack also ``base``: the circle on which it stands, and ``doubt``: a line round it within which the
    base lies in 95 of 100 cases (empty where that is not known)."""

    seq: int
    shape: Literal["card", "chips", "box"]
    outline: Polygon
    thing: str | None = None
    base: Polygon = ()
    doubt: Polygon = ()


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Shift:
    """The camera was moved: what is drawn shows elsewhere from ``t`` (seconds) on. A grid of ``columns`` by
    ``rows`` points spans the picture, corner to corner; ``points``: where each shows now, row by row."""

    t: float
    columns: int
    rows: int
    points: Polygon


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Overlay:
    """One camera's zones, lines and marks, and the colours of the house's chips (``"25": "#1f7a3d"``), all as
    the calibrated camera shows them; ``shifts``: where they show since it was moved, in order of time."""

    camera: str
    width_px: int
    height_px: int
    zones: tuple[Zone, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    chip_colours: dict[str, str] = field(default_factory=dict)
    chips: tuple[int, ...] = ()
    shifts: tuple[Shift, ...] = ()
    format: Literal["veedor.overlay/1"] = "veedor.overlay/1"


_OVERLAY: TypeAdapter[Overlay] = TypeAdapter(Overlay)


def dumps(overlay: Overlay) -> str:
    """The overlay as text; coordinates are rounded to a tenth of a pixel."""
    return dump_beside(_OVERLAY, overlay)


def loads(text: str, name: str = "overlay.json") -> Overlay:
    """Read an overlay. Raises StoreError, naming the file, if it is another format or broken."""
    return load_beside(_OVERLAY, text, name)
