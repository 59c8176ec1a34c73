"""A table file from a recording's truth file: only what a technician who set the table up would know.

That is: the layout drawing, the calibration points, the picture's size, the chips and the cards in use, how
the house deals, and its half lines. The cards dealt, the bets, the events and the camera's true position
are in the truth file too; they are not even read here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Literal
from xml.etree.ElementTree import Element, register_namespace, tostring

from defusedxml.ElementTree import fromstring
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from rules.errors import VeedorError
from rules.spots import Area, Spot, bet_spot, hand_spot
from veedor.config import resolve
from veedor.table_file import (
    CameraPart,
    ChipPart,
    ChipsPart,
    DeckPart,
    PointPair,
    ProfilePart,
    TableFile,
    dump,
)
from vision.layout import Effect, Layout
from vision.svg import SHAPES, parse_drawing, read_text

MAX_BYTES = 200_000_000
_SVG = "http://www.w3.org/2000/svg"
_SEAT = re.compile(r"seat[-_ ]?([1-9][0-9]?)[-_ ]([a-z][a-z0-9_]*)", re.IGNORECASE)
_CARDS = re.compile(r"(?:cards|hand)[-_ ]([a-z][a-z0-9_]*)", re.IGNORECASE)
_LINED = ("punto", "banca")
"""The boxes whose outline halves a bet in this kind of recording."""


class RecordingError(VeedorError):
    """A recording's truth file from which no table can be made."""


class _Known(BaseModel):
    """What is taken from the truth; everything else in it stays unread."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class _Point(_Known):
    point: str = ""
    mm: tuple[float, float]
    px: tuple[float, float]


class _Camera(_Known):
    correspondences: list[_Point]


class _Chip(_Known):
    value: int
    colour: str | None = None
    rgb: str | None = None


class _Chips(_Known):
    diameter_mm: float = 39.5
    height_mm: float = 3.3
    set: list[_Chip]


class _Deck(_Known):
    indices: bool = True
    card_mm: tuple[float, float] = (63.0, 88.0)


def _face(value: object) -> object:
    """``face up``, ``face-up`` and ``up`` alike."""
    return re.sub(r"face[-_ ]?", "", value.strip().lower()) if isinstance(value, str) else value


class _Truth(_Known):
    name: str = Field(min_length=1, max_length=100)
    image_size: tuple[int, int]
    camera: _Camera
    layout: str
    chips: _Chips
    deck: _Deck = _Deck()
    deal_style: Annotated[Literal["up", "down"], BeforeValidator(_face)] = "down"


def import_recording(clip_json: Path | str, out_dir: Path | str) -> Path:
    """Write ``table.yaml`` and ``layout.svg`` for a recording into ``out_dir``; returns the table's path.

    An earlier, different table file there is kept as ``table.yaml.old``. Raises a VeedorError, a sentence,
    if the truth file is missing, foreign or contradicts itself; then nothing is written.
    """
    source, out = Path(clip_json), Path(out_dir)
    truth = _read_truth(source)
    drawing = source.parent / truth.layout
    svg = convert_layout(read_text(drawing), str(drawing))
    layout = Layout.parse(svg, str(drawing))
    file = _table_file(truth, layout, source)
    target = out / "table.yaml"
    resolve(file, target, layout)
    if out.exists() and not out.is_dir():
        raise RecordingError(f"{out} is a file, so no table can be written into it: give a folder.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        former = target.read_bytes() if target.is_file() else None
        beside = out / "layout.svg.new"
        beside.write_text(svg, encoding="utf-8")
        beside.replace(out / "layout.svg")
        dump(file, target)
        if former is not None and former != target.read_bytes():
            (out / "table.yaml.old").write_bytes(former)
    except OSError as error:
        raise RecordingError(f"{out} cannot be written ({error.strerror}): give another folder.") from None
    return target


def _read_truth(path: Path) -> _Truth:
    try:
        if path.is_dir():
            raise RecordingError(f"{path} is a folder: give the recording's truth file in it, NAME.json.")
        if path.exists() and not path.is_file():
            raise RecordingError(f"{path} is not a file: give the recording's truth file, NAME.json.")
        if path.stat().st_size > MAX_BYTES:
            raise RecordingError(f"{path} is too large to be a recording's truth file: give NAME.json.")
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise RecordingError(f"The recording's truth file {path} does not exist: check the path.") from None
    except OSError as error:
        raise RecordingError(
            f"The truth file {path} cannot be read ({error.strerror}): check its rights."
        ) from None
    except UnicodeDecodeError:
        raise RecordingError(
            f"{path} is not text: give the recording's truth file NAME.json, not the video."
        ) from None
    except json.JSONDecodeError as error:
        raise RecordingError(
            f"The truth file {path} is not JSON: line {error.lineno} breaks off ({error.msg}). Copy it again."
        ) from None
    except (RecursionError, ValueError):
        raise RecordingError(
            f"The truth file {path} is nested too deeply, or its numbers are too long: give NAME.json."
        ) from None
    missing = (
        [key for key in ("camera", "layout", "chips", "image_size") if key not in content]
        if isinstance(content, dict)
        else ["everything"]
    )
    if missing:
        raise RecordingError(
            f"{path} is not a recording's truth file, for it lacks {', '.join(missing)}: give NAME.json"
            " beside NAME.mp4, not NAME_labels.json."
        )
    try:
        return _Truth.model_validate({"name": path.stem} | content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise RecordingError(
            f"The truth file {path} cannot be used: {place} is wrong ({first['msg']}). Take the recording's"
            " own file."
        ) from None


def convert_layout(svg: str, name: str) -> str:
    """A recording's drawing with our attributes: zone ids such as ``seat3-punto`` and ``cards-banca`` become
    ``data-spot``. A drawing that has ``data-spot`` already is left as it is. Raises LayoutError."""
    parse_drawing(svg, name)  # says what is wrong with a drawing that is none
    root = fromstring(svg)
    shapes = [e for e in root.iter() if isinstance(e.tag, str) and e.tag.rpartition("}")[2] in SHAPES]
    if any("data-spot" in shape.attrib for shape in shapes):
        return svg
    lined = any("data-half-line" in shape.attrib for shape in shapes)
    taken: set[Spot] = set()
    for shape in shapes:
        _convert(shape, lined, taken)
    register_namespace("", _SVG)
    return str(tostring(root, encoding="unicode")) + "\n"


def _convert(shape: Element, lined: bool, taken: set[Spot]) -> None:
    zone = shape.get("id", "")
    if zone.lower() == "felt" and "data-felt" not in shape.attrib:
        shape.set("data-felt", "edge")
        return
    spot = zone_spot(zone)
    if spot is None or spot in taken:
        return
    taken.add(spot)
    shape.set("data-spot", str(spot))
    if not lined and spot.bet in _LINED:
        shape.set("data-half-line", "outline")


def zone_spot(zone: str) -> Spot | None:
    """The spot that a recording's zone id means, None if it means none.

    >>> str(zone_spot("seat3-punto")), str(zone_spot("cards-banca")), zone_spot("seat1-number")
    ('seat 3 punto', 'hand banca', None)
    """
    if found := _SEAT.fullmatch(zone):
        return None if found[2].lower() == "number" else bet_spot(int(found[1]), found[2].lower())
    if found := _CARDS.fullmatch(zone):
        return hand_spot(found[1].lower())
    plain = zone.lower()
    if plain in (Area.SHOE, Area.DISCARD, Area.FLOAT, Area.BURN, Area.COMMUNITY):
        return Spot(Area(plain))
    return None


def _table_file(truth: _Truth, layout: Layout, source: Path) -> TableFile:
    width, height = truth.image_size
    points = tuple(
        PointPair(name=pair.point or None, mm=pair.mm, px=pair.px)
        for pair in truth.camera.correspondences
        if 0 <= pair.px[0] <= width and 0 <= pair.px[1] <= height
    )
    if len(points) < 4:
        raise RecordingError(
            f"The truth file {source} has {len(points)} correspondences within the picture, and 4 are the"
            " least: take a recording whose camera shows more of the table."
        )
    lines = [line for line in layout.lines if line.effect is Effect.HALVES]
    halved = {spot.bet for line in lines for spot in line.spots}
    smallest = min((chip.value for chip in truth.chips.set if chip.value > 0), default=1)
    try:
        return TableFile(
            format="veedor.table/1",
            name=truth.name,
            game="punto_banco",
            profile=ProfilePart(
                name="andorra_2016",
                variant="mini" if len(layout.seats) <= 7 else "midi" if len(layout.seats) <= 9 else "full",
                house={
                    "dealing": {"initial_cards": truth.deal_style},
                    "half_lines": [bet for bet in _LINED if bet in halved],
                    **({"rounding": {"unit": smallest}} if smallest != 1 else {}),
                },
            ),
            layout="layout.svg",
            cameras=(CameraPart(id="camera 1", image_size=truth.image_size, points=points),),
            chips=ChipsPart(
                diameter_mm=truth.chips.diameter_mm,
                height_mm=truth.chips.height_mm,
                set=tuple(_chip(chip) for chip in truth.chips.set),
            ),
            deck=DeckPart(indices=truth.deck.indices, size_mm=truth.deck.card_mm),
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise RecordingError(
            f"The truth file {source} gives no table: {place} is {first['input']!r} ({first['msg']})."
            " Take the recording's own file."
        ) from None


def _chip(chip: _Chip) -> ChipPart:
    colour, rgb = chip.colour, chip.rgb
    if colour is not None and re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
        colour, rgb = None, colour
    return ChipPart(value=chip.value, colour=colour, rgb=rgb)
