"""overlay.json: where the felt's zones and the events' cards and chips lie in a camera's picture.

Made once at review time, when the calibration is at hand, so that whoever shows a review needs neither the
calibration nor the layout. All points are pixels of the recording's own picture, (0, 0) the top left corner.
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from veedor.store.errors import StoreError

FORMAT = "veedor.overlay/1"

Point = tuple[float, float]
Polygon = tuple[Point, ...]

_STRICT = ConfigDict(extra="forbid")


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Zone:
    """The outline of one spot. ``spot``: its name as in :mod:`rules.spots`; ``half_line``: bets on its
    outline play half."""

    spot: str
    outline: Polygon
    half_line: bool = False


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Mark:
    """What one event saw, as a shape in the picture. ``thing``: the card's or stack's name in the journal."""

    seq: int
    shape: Literal["card", "chips", "box"]
    outline: Polygon
    thing: str | None = None


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Overlay:
    """One camera's zones and marks, and the colours of the house's chips (``"25": "#1f7a3d"``)."""

    camera: str
    width_px: int
    height_px: int
    zones: tuple[Zone, ...] = ()
    marks: tuple[Mark, ...] = ()
    chip_colours: dict[str, str] = field(default_factory=dict)
    chips: tuple[int, ...] = ()
    format: Literal["veedor.overlay/1"] = "veedor.overlay/1"


_OVERLAY: TypeAdapter[Overlay] = TypeAdapter(Overlay)


def dumps(overlay: Overlay) -> str:
    """The overlay as text; coordinates are rounded to a tenth of a pixel."""

    def tenth(value: object) -> object:
        if isinstance(value, float):
            return round(value, 1)
        if isinstance(value, list | tuple):
            return [tenth(part) for part in value]
        if isinstance(value, dict):
            return {key: tenth(part) for key, part in value.items()}
        return value

    return json.dumps(tenth(_OVERLAY.dump_python(overlay, mode="json")), separators=(",", ":")) + "\n"


def loads(text: str, name: str = "overlay.json") -> Overlay:
    """Read an overlay. Raises StoreError, naming the file, if it is another format or broken."""
    try:
        return _OVERLAY.validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in problem["loc"]) or "the file"
        raise StoreError(
            f"{name} cannot be read ({place}: {problem['msg']}). Review the recording again to make it anew."
        ) from error
