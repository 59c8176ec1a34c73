"""Enrolling a house's chips: stacks of one value each, from a table camera's pictures or recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from veedor.config import Table
from veedor.contact_sheet import Tile, contact_sheet
from veedor.enrolled import (
    CHIPS_FOLDER,
    ChipEntry,
    EnrolmentError,
    Picture,
    SideView,
    chips_folder,
    read_chips,
    write_chips,
)
from veedor.enrolling import Enrolled, NamedBy
from veedor.photographs import load
from veedor.pipeline import THREADS
from vision.card_reader import CardReader
from vision.chips import ChipReader
from vision.detector import Detector
from vision.gathering import StackSeen, stacks_in_picture
from vision.looking import TableEyes
from vision.source import open_source

_SURE_STACK = 0.9
_FEWEST_CHIPS = 2
_CHIP_VIEWS = 12
"""Views of each value that are kept, of each camera."""
_FRAMES = 6
"""Pictures of a recording that are looked at."""


def enrol_chips(
    table: Table,
    pictures: Sequence[Path] = (),
    recording: Path | None = None,
    camera_id: str | None = None,
    order: Sequence[int] | None = None,
    told: Mapping[int, str] | None = None,
    anew: bool = False,
) -> Enrolled:
    """Learn a table's chips from stacks of one value each, in pictures or a recording by its camera.

    ``order``: the stacks' values from the left, in every picture. As :func:`enrol_deck` otherwise.
    """
    reader = ChipReader(table.chips)
    camera = table.camera(camera_id)
    shots = [(path.name, load(path)) for path in pictures]
    if recording is not None:
        shots += [(recording.name, frame) for frame in _spread_frames(recording)]
    detector, cards = Detector(threads=THREADS), CardReader(threads=THREADS)
    stacks: list[tuple[StackSeen, str, int | None, NamedBy]] = []
    left_out = 0
    for name, image in shots:
        height_px, width_px = image.shape[:2]
        fitted = camera.fitted(width_px, height_px, name)
        eyes = TableEyes(table.layout, fitted, detector, cards, reader, table.deck.size_mm)
        seen, others = stacks_in_picture(image, fitted, eyes, reader)
        left_out += others
        if order is not None and len(seen) != len(order):
            raise EnrolmentError(
                f"The order names {len(order)} stacks, and {len(seen)} can be read in {name}"
                f"{f', {others} cannot' if others else ''}: let one stack of each value stand apart, in the"
                " camera's view, with at least two chips each, and each chip at least 1.5 px thick."
            )
        for k, stack in enumerate(seen):
            value = order[k] if order is not None else _one_value(stack, table.chips.values)
            stacks.append((stack, name, value, "reader" if order is None else "order"))
    for number, word in (told or {}).items():
        if not 1 <= number <= len(stacks):
            raise EnrolmentError(f"There is no number {number} on the contact sheet: {len(stacks)} stacks.")
        stack, name, _, _ = stacks[number - 1]
        stacks[number - 1] = (stack, name, _value(word, table), "technician")
    for _, _, value, _ in stacks:
        if value is not None:
            _value(str(value), table)
    if not any(value is not None for _, _, value, _ in stacks):
        raise EnrolmentError(
            f"No stack could be enrolled: {len(stacks)} were read and none of them was named, {left_out} were"
            " covered or too thin to be read. Let one stack of each value stand apart, and name them from the"
            " left with --order."
        )
    folder = table.path.parent / CHIPS_FOLDER
    former = chips_folder(table)
    kept = [] if anew or former is None or not former.exists() else read_chips(former)
    views = _side_views(stacks, kept, camera.id)
    tiles = [
        Tile(stack.side, f"{number}: {'?' if value is None else value} x{stack.count}", value is not None)
        for number, (stack, _, value, _) in enumerate(stacks, 1)
    ]
    write_chips(folder, views, contact_sheet(tiles, columns=8))
    named: dict[str, int] = {}
    for view in views:
        named[str(view.entry.value)] = named.get(str(view.entry.value), 0) + 1
    unnamed = tuple(number for number, stack in enumerate(stacks, 1) if stack[2] is None)
    return Enrolled(folder, named, unnamed, left_out, (), folder / "contact.png")


def _one_value(stack: StackSeen, values: Sequence[int]) -> int | None:
    """The value of a stack that the general reader takes for one of a single value, surely."""
    if stack.count < _FEWEST_CHIPS or stack.sure < 0.5:
        return None
    best = stack.values.argmax(axis=1)
    share = float(np.mean(np.exp(stack.values.max(axis=1))))
    return int(values[int(best[0])]) if (best == best[0]).all() and share >= _SURE_STACK else None


def _value(word: str, table: Table) -> int:
    known = ", ".join(str(value) for value in table.chips.values)
    if word not in map(str, table.chips.values):
        raise EnrolmentError(
            f"The table has no chip of {word}: its values are {known}. Add it to chips.set in {table.path}"
            " first, with its value and a colour."
        )
    return int(word)


def _side_views(
    stacks: Sequence[tuple[StackSeen, str, int | None, NamedBy]], kept: Sequence[SideView], camera: str
) -> list[SideView]:
    each: dict[tuple[int, str], list[tuple[Picture, ChipEntry]]] = {}
    for stack, name, value, by in stacks:
        if value is None:
            continue
        a, b, c, d = (float(x) for x in stack.geometry)
        entry = ChipEntry(
            file="new.png",
            value=value,
            count=stack.count,
            camera=camera,
            geometry=(a, b, c, d),
            seen_in=name,
            named_by=by,
        )
        each.setdefault((value, camera), []).append((stack.side, entry))
    for view in kept:
        each.setdefault((view.entry.value, view.entry.camera), []).append((view.side, view.entry))
    out: list[SideView] = []
    for key in sorted(each):
        for side, entry in each[key][:_CHIP_VIEWS]:
            number = sum(view.entry.value == entry.value for view in out) + 1
            out.append(SideView(entry.model_copy(update={"file": f"{entry.value}-{number}.png"}), side))
    return out


def _spread_frames(recording: Path, count: int = _FRAMES) -> list[Picture]:
    with open_source(recording, accept_cut_off=True) as source:
        every_s = (source.duration_s or 1.0) / count
        due = every_s / 2
        out: list[Picture] = []
        for frame in source:
            if frame.t >= due and len(out) < count:
                due += every_s
                out.append(frame.image)
        return out
