"""One table's configuration: its file read, drawing and cameras resolved, and all of it checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from rules.errors import ProfileError
from rules.profile_document import Profile
from rules.profiles import load_profile
from rules.spots import hand_spot
from veedor.table_file import FORMAT, CameraPart, ChipPart, TableFile, dump
from veedor.table_words import sentence
from veedor.yaml_file import TableError, read_yaml
from vision.address import is_live
from vision.calibration import Calibration, Lens, Pair, calibrate
from vision.camera import Camera
from vision.chip_colours import colour_name
from vision.chip_set import ChipColour, ChipSet
from vision.errors import CalibrationError, ChipError
from vision.layout import Effect, Layout, takes_bets

__all__ = [
    "Deck",
    "Table",
    "TableCamera",
    "TableError",
    "dump",
    "load_table",
    "read_table_file",
    "resolve",
]


@dataclass(frozen=True, slots=True, eq=False)
class TableCamera:
    """One calibrated camera. ``source``: where it is watched live, if it is; ``offset_s``: how much later its
    recordings begin than the first camera's, where that is always so."""

    id: str
    source: str | None
    calibration: Calibration
    offset_s: float | None = None

    @property
    def camera(self) -> Camera:
        """The camera at the size it was calibrated for."""
        return self.calibration.camera

    def fitted(self, width_px: int, height_px: int, what: str = "the recording") -> Camera:
        """The camera for pictures of another size but the same shape. Raises TableError for another shape."""
        own = self.camera
        if (width_px, height_px) == (own.width_px, own.height_px):
            return own
        if abs(width_px / height_px / (own.width_px / own.height_px) - 1) > 0.005:
            raise TableError(
                f"The pictures of {what} are {width_px} x {height_px}, but camera {self.id} was calibrated at"
                f" {own.width_px} x {own.height_px}, another shape: calibrate it on a picture of this size."
            )
        return own.resized(width_px, height_px)


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards in use. ``indices``: whether they have corner indices; ``size_mm``: width and height."""

    packs: int
    indices: bool
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table, ready to be watched and judged. ``path``: its file; ``file``: what was written in it."""

    path: Path
    name: str
    game: str
    profile: Profile
    layout: Layout
    layout_path: Path
    cameras: tuple[TableCamera, ...]
    chips: ChipSet
    deck: Deck
    file: TableFile

    def camera(self, camera_id: str | None = None) -> TableCamera:
        """One camera by its id; the first if none is asked for. Raises TableError for an unknown id."""
        if camera_id is None:
            return self.cameras[0]
        for camera in self.cameras:
            if camera.id == camera_id:
                return camera
        known = ", ".join(camera.id for camera in self.cameras)
        raise TableError(f"The table file {self.path} has no camera {camera_id!r}: it has {known}.")


def load_table(path: Path | str) -> Table:
    """Read a table file with its drawing, and find its cameras.

    Raises a VeedorError whose sentence names the file, the key and the remedy: an unknown key, a missing
    drawing, calibration points that fit no camera, a chip set whose colours cannot be told apart, ...
    """
    path = Path(path)
    file = read_table_file(path)
    return resolve(file, path, Layout.read(path.parent / file.layout))


def resolve(file: TableFile, path: Path, layout: Layout) -> Table:
    """The table that a file with this drawing describes; ``path`` is where the file lies or will lie.

    Raises a VeedorError, as :func:`load_table` does.
    """
    profile = _profile(file, path)
    _check_layout(layout, profile, path)
    return Table(
        path=path,
        name=file.name,
        game=file.game,
        profile=profile,
        layout=layout,
        layout_path=path.parent / file.layout,
        cameras=_cameras(file.cameras, path),
        chips=_chips(file, path),
        deck=Deck(profile.packs, file.deck.indices, file.deck.size_mm),
        file=file,
    )


def place_of(source: str, table: Path) -> str:
    """Where a camera's pictures come from by its ``source`` in the table file ``table``: a recording lies
    relative to that."""
    return source if is_live(source) else str(table.parent / source)


def read_table_file(path: Path) -> TableFile:
    """Only the file itself, checked by its own description. Raises TableError."""
    content, lines = read_yaml(path)
    if not isinstance(content, dict):
        raise TableError(f"The table file {path} holds no keys: begin it with 'format: {FORMAT}'.")
    version = content.get("format")
    if version != FORMAT:
        raise TableError(
            f"The table file {path} has the format {version!r}, and this veedor reads {FORMAT!r}: "
            + (
                f"begin it with 'format: {FORMAT}'."
                if version is None
                else "give a table file of that format."
            )
        )
    try:
        return TableFile.model_validate(content)
    except ValidationError as error:
        raise TableError(sentence(error, path, lines)) from None


def _profile(file: TableFile, path: Path) -> Profile:
    house = dict(file.profile.house or {})
    if file.deck.packs is not None:
        house["packs"] = file.deck.packs
    try:
        profile = load_profile(file.profile.name, file.profile.variant, house, file.game)
    except ProfileError as error:
        said = str(error).removeprefix("In the profile, ")
        raise TableError(
            f"The table file {path}, line {_profile_line(said, path)}, in profile: {said}"
        ) from None
    return profile


def _profile_line(said: str, path: Path) -> int:
    """The line of the profile's entry that a message speaks of."""
    _, lines = read_yaml(path)
    named = [name for name in re.findall(r"[a-z_]+(?:\.[a-z_]+)*", said) if "." in name or "_" in name]
    for name in [*named, *re.findall(r"[a-z_]+", said)]:
        parts = name.split(".")
        for place in (("profile", "house", *parts), ("profile", *parts), ("deck", *parts)):
            if place in lines:
                return lines[place]
    return lines.get(("profile",), 1)


def _check_layout(layout: Layout, profile: Profile, path: Path) -> None:
    """That the drawing has what the game needs, and says of half lines what the profile says."""
    bets = {zone.spot.bet for zone in layout.zones if takes_bets(zone.spot)}
    for hand in profile.hands:
        if layout.zone(hand_spot(hand)) is None:
            raise TableError(
                f"The layout {layout.name} has no zone {str(hand_spot(hand))!r}, which {profile.game}"
                " needs: give"
                f' the place of the cards the attribute data-spot="{hand_spot(hand)}".'
            )
    for bet in profile.bets[: 2 if profile.game == "punto_banco" else 1]:
        if bet not in bets:
            raise TableError(
                f"The layout {layout.name} has no box for {bet}, which {profile.game} needs: give each"
                f' seat\'s box an attribute such as data-spot="seat 1 {bet}".'
            )
    for zone in layout.zones:
        if takes_bets(zone.spot) and zone.spot.bet not in profile.bets:
            raise TableError(
                f"The layout {layout.name}: {zone.element} is {str(zone.spot)!r}, but {profile.game} has no"
                f" bet {zone.spot.bet!r}, only {', '.join(profile.bets)}: correct its data-spot."
            )
    if profile.seats is not None and len(layout.seats) > profile.seats:
        raise TableError(
            f"The layout {layout.name} has {len(layout.seats)} seats, but a {profile.variant} table of"
            f" {profile.name} has {profile.seats} at most: set profile.variant in {path} to the right kind."
        )
    if hasattr(profile, "lines"):
        return  # the game says by itself what each line's name means
    drawn = {
        spot.bet
        for line in layout.lines
        if line.effect is Effect.HALVES
        for spot in line.spots
        if spot.bet is not None
    }
    for bet in sorted(drawn - profile.half_lines):
        raise TableError(
            f"The layout {layout.name} draws half lines on {bet} boxes, but the table file {path} does not"
            f" say that {bet} has them: add {bet} to profile.house.half_lines, or take data-half-line off"
            " the drawing."
        )
    for bet in sorted(profile.half_lines - drawn):
        raise TableError(
            f"The table file {path} says in profile.house.half_lines that {bet} bets can lie on a line, but"
            " the"
            f' layout {layout.name} draws none: give the {bet} boxes data-half-line="outline".'
        )


def _cameras(parts: Sequence[CameraPart], path: Path) -> tuple[TableCamera, ...]:
    cameras: list[TableCamera] = []
    for number, part in enumerate(parts):
        if part.id in [camera.id for camera in cameras]:
            raise TableError(
                f"The table file {path}: cameras[{number}].id is {part.id!r} a second time; give each"
                " camera its own."
            )
        pairs = [
            Pair(point.mm, point.px, point.name or f"points[{i}]") for i, point in enumerate(part.points)
        ]
        lens = Lens(**part.lens.model_dump()) if part.lens else Lens()
        try:
            found = calibrate(pairs, *part.image_size, lens=lens)
        except CalibrationError as error:
            raise CalibrationError(f"The table file {path}, camera {part.id}: {error}") from None
        cameras.append(TableCamera(part.id, part.source, found, part.offset_s))
    return tuple(cameras)


def _chips(file: TableFile, path: Path) -> ChipSet:
    try:
        chips = tuple(_chip(part) for part in file.chips.set)
        return ChipSet(file.chips.diameter_mm, file.chips.height_mm, chips)
    except ChipError as error:
        raise TableError(f"The table file {path}, in chips: {str(error).rstrip('.')}.") from None


def _chip(part: ChipPart) -> ChipColour:
    rgb = None
    if part.rgb is not None:
        rgb = (int(part.rgb[1:3], 16), int(part.rgb[3:5], 16), int(part.rgb[5:7], 16))
    name = part.colour
    if name is not None and colour_name(name) is None and (rgb or part.lab):
        name = None  # the word is for people; its numbers say what it is
    return ChipColour(part.value, name, rgb, part.lab)
