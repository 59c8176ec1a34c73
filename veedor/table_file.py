"""The table file, ``veedor.table/1``: what is written in ``table.yaml``, field by field.

These models describe the file; :func:`veedor.config.load_table` reads it, resolves the drawing and the
cameras and checks that all of it fits together.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rules.errors import VeedorError
from rules.games import GAMES

FORMAT = "veedor.table/1"

Point = tuple[float, float]


def _known_game(name: str) -> str:
    if name not in GAMES:
        raise ValueError(f"must be one of {', '.join(GAMES)}")
    return name


Name = Annotated[str, Field(min_length=1, max_length=120)]


class _Part(BaseModel):
    """A part of the file: unknown keys are refused, and nothing is changed after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ProfilePart(_Part):
    """The regulation that the table is judged by, and the house's differences."""

    name: Name = Field(description="The regulation: andorra_2016, or another profile of the product.")
    variant: Name | None = Field(
        default=None, description="Which kind of table it is, where the regulation knows several."
    )
    house: dict[str, Any] | None = Field(
        default=None,
        description="What the house does otherwise than the regulation: entries of the profile's document.",
    )


class LensPart(_Part):
    """What is known of a lens beforehand; what is left out is found from the points."""

    focal_px: float | None = Field(default=None, gt=10, lt=100_000, description="Focal length (pixels).")
    k1: float | None = Field(default=None, ge=-2, le=2, description="First radial coefficient of the lens.")
    k2: float | None = Field(default=None, ge=-2, le=2, description="Second radial coefficient of the lens.")


class PointPair(_Part):
    """One calibration point: the same place on the drawing and in the picture."""

    name: str | None = Field(default=None, max_length=120, description="What messages call it.")
    mm: Point = Field(description="x and y on the layout (mm).")
    px: Point = Field(description="x and y in the picture (pixels from the top left corner).")


class CameraPart(_Part):
    """One camera over the table."""

    id: Annotated[str, Field(pattern=r"[A-Za-z0-9][A-Za-z0-9 _.-]*", max_length=60)] = Field(
        description="Its name, in the journal and on pages."
    )
    image_size: tuple[Annotated[int, Field(ge=64, le=16384)], Annotated[int, Field(ge=64, le=16384)]] = Field(
        description="Width and height of its picture (pixels)."
    )
    source: str | None = Field(
        default=None,
        description="Where it is watched: an rtsp:// or http:// address, a device such as /dev/video0, or a"
        " recording relative to this file.",
    )
    offset_s: float | None = Field(
        default=None,
        ge=-86_400,
        le=86_400,
        description="How much later its recordings begin than the first camera's (seconds).",
    )
    lens: LensPart | None = Field(default=None, description="What is known of its lens.")
    points: tuple[PointPair, ...] = Field(
        description="Calibration: at least 4 points of the layout, best 8 or more spread over the picture."
    )


class ChipPart(_Part):
    """One denomination: a colour word or an rgb is needed."""

    value: int = Field(ge=1, description="What it is worth, in the table's unit.")
    colour: str | None = Field(
        default=None, max_length=40, description='Its body\'s colour in a word, "light blue".'
    )
    rgb: Annotated[str, Field(pattern=r"#[0-9A-Fa-f]{6}")] | None = Field(
        default=None, description='Its body\'s colour in numbers, "#1f5fa8".'
    )
    lab: tuple[float, float, float] | None = Field(
        default=None, description="Its colour as the chip reader sees it, written by enrolment."
    )


class ChipsPart(_Part):
    """The chips in use."""

    diameter_mm: float = Field(default=39.5, ge=10, le=100, description="Diameter of a chip (mm).")
    height_mm: float = Field(default=3.3, ge=0.5, le=20, description="Thickness of a chip (mm).")
    enrolled: Name | None = Field(
        default=None,
        description="Folder with these chips as enrolled (veedor enrol chips), relative to this file.",
    )
    set: tuple[ChipPart, ...] = Field(min_length=1, description="The denominations.")


class DeckPart(_Part):
    """The cards in use."""

    packs: int | None = Field(
        default=None, ge=1, le=16, description="Packs in the shoe; left out: as the profile says."
    )
    indices: bool = Field(default=True, description="Whether the cards carry corner indices.")
    size_mm: tuple[Annotated[float, Field(ge=40, le=120)], Annotated[float, Field(ge=60, le=160)]] = Field(
        default=(63.0, 88.0), description="Width and height of a card (mm)."
    )
    enrolled: Name | None = Field(
        default=None,
        description="Folder with these cards as enrolled (veedor enrol deck), relative to this file.",
    )


class TableFile(_Part):
    """One table: its game and rules, its drawing, its cameras, its chips and cards."""

    format: Literal["veedor.table/1"] = Field(description="The format of this file.")
    name: Name = Field(description="The table's name.")
    game: Annotated[Name, AfterValidator(_known_game)] = Field(
        description="The game that is played, such as punto_banco."
    )
    profile: ProfilePart = Field(description="The regulation that it is judged by.")
    layout: Name = Field(
        description="The drawing of the felt: an SVG in millimetres, relative to this file (docs/layout.md)."
    )
    cameras: tuple[CameraPart, ...] = Field(
        min_length=1, max_length=16, description="The cameras over the table."
    )
    chips: ChipsPart = Field(description="The chips in use.")
    deck: DeckPart = Field(default_factory=lambda: DeckPart(), description="The cards in use.")


def dump(file: TableFile, path: Path) -> None:
    """Write a table file, each key with what it means above it. Replaces the file only once it is complete.

    Raises VeedorError if it cannot be written.
    """
    text = (
        "# A table of veedor. What each key means: docs/table-file.md\n\n"
        + "\n".join(_written(file, 0))
        + "\n"
    )
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise VeedorError(
            f"The table file {path} cannot be written ({error.strerror}): check its folder."
        ) from None


_FLOWING = ("mm", "px", "image_size", "size_mm", "half_lines", "points", "set", "lab")
"""Keys whose entries are written on one line each."""


_HOUSE = {
    "dealing": "How the house deals.",
    "half_lines": "Bets that play for half when they lie on their box's outline.",
    "payouts": "What winning bets gain, per unit staked.",
    "rounding": "How amounts are paid that no chips can make, and the smallest chip.",
    "limits": "The table's limits; what is left out is not checked.",
}


def _written(part: BaseModel, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for key, field in type(part).model_fields.items():
        value = getattr(part, key)
        if value is None:
            continue
        yield f"{indent}# {field.description}"
        if isinstance(value, BaseModel):
            yield f"{indent}{key}:"
            yield from _written(value, depth + 1)
        elif isinstance(value, dict):
            yield f"{indent}{key}:"
            for name, entry in value.items():
                yield f"{indent}  # {_HOUSE.get(name, 'As in the profile, but the house does otherwise.')}"
                yield f"{indent}  {name}: {_flow(entry)}"
        elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            yield f"{indent}{key}:"
            for item in value:
                if key in _FLOWING:
                    yield f"{indent}  - {_flow(item.model_dump(exclude_none=True, mode='json'))}"
                else:
                    lines = list(_written(item, depth + 2))
                    yield f"{indent}  -"
                    yield from lines
        else:
            yield f"{indent}{key}: {_flow(list(value) if isinstance(value, tuple) else value)}"


def _flow(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")


def table_schema() -> dict[str, Any]:
    """The JSON Schema of a table file, as docs/table.schema.json holds it."""
    schema = TableFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema | {"title": FORMAT}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(table_schema(), indent=2, ensure_ascii=False) + "\n")
