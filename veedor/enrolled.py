"""What was enrolled of a house's cards and chips: a folder beside the table file, kept and read again.

The folder holds the views themselves, small pictures that people can look at, and ``enrolment.json``, which
names each. What is learned from them is made anew when it is read, so that it fits the networks in use; that
of the cards, which takes some seconds, is also kept (``prototypes.npz``) for as long as it does.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.errors import VeedorError
from veedor.config import Table
from veedor.store import write_atomically
from vision.card_reader import CLASSES, FACES, INPUT_PX, CardReader
from vision.chip_enrolling import ChipView, EnrolledChips, enrol_chips
from vision.chip_geometry import SIDE_SHAPE
from vision.chips import ChipReader
from vision.digest import file_sha256
from vision.enrolling import EnrolledReader, Prototypes, Views, learn
from vision.errors import ChipError

FORMAT: Literal["veedor.enrolment/1"] = "veedor.enrolment/1"
INDEX = "enrolment.json"
DECK_FOLDER, CHIPS_FOLDER = "enrolled/deck", "enrolled/chips"
"""Where enrolments are put, beside the table file."""
_CACHE = "prototypes.npz"
_MOST_BYTES = 2_000_000

Picture = NDArray[np.uint8]


class EnrolmentError(VeedorError):
    """An enrolment that cannot be made, or cannot be read."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class CardEntry(_Part):
    """One view of a card: its picture's file, its name, where it was seen and how it was named."""

    file: str = Field(pattern=r"^[\w.-]+\.png$")
    card: str
    seen_in: str
    named_by: Literal["order", "technician", "reader"]


class ChipEntry(_Part):
    """One view of a stack of one value: its side's file, what it is, the numbers of its view."""

    file: str = Field(pattern=r"^[\w.-]+\.png$")
    value: int = Field(ge=1)
    count: int = Field(ge=1, le=28)
    camera: str
    geometry: tuple[float, float, float, float]
    seen_in: str
    named_by: Literal["order", "technician", "reader"]


class _Index(_Part):
    format: Literal["veedor.enrolment/1"]
    deck: tuple[CardEntry, ...] = ()
    chips: tuple[ChipEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class CardView:
    """A view of a card (112, 80, 3) and its entry."""

    entry: CardEntry
    face: Picture


@dataclass(frozen=True, slots=True)
class SideView:
    """A view of a stack's side and its entry."""

    entry: ChipEntry
    side: Picture


def deck_folder(table: Table) -> Path | None:
    """Where the table's cards are enrolled, None if they are not."""
    named = table.file.deck.enrolled
    return None if named is None else table.path.parent / named


def chips_folder(table: Table) -> Path | None:
    """Where the table's chips are enrolled, None if they are not."""
    named = table.file.chips.enrolled
    return None if named is None else table.path.parent / named


def files_of(table: Table) -> list[Path]:
    """The files of a table that decide how it is read and judged: its own, its drawing, its enrolments."""
    return [table.path, table.layout_path, *_enrolled_files(table)]


def _enrolled_files(table: Table) -> list[Path]:
    folders = [folder for folder in (deck_folder(table), chips_folder(table)) if folder is not None]
    return sorted(file for folder in folders for file in folder.glob("*") if file.name != _CACHE)


def card_reader_of(table: Table, threads: int) -> CardReader | EnrolledReader:
    """The reader of a table's cards: the general one, or the one that knows its enrolled pack.

    Raises VeedorError for an enrolment that is not there or cannot be read.
    """
    reader = CardReader(threads=threads)
    folder = deck_folder(table)
    return reader if folder is None else EnrolledReader(reader, _prototypes(folder, reader))


def chip_reader_of(table: Table, camera: str) -> ChipReader:
    """The reader of a table's chips for one of its cameras; as :func:`card_reader_of`."""
    reader = ChipReader(table.chips)
    folder = chips_folder(table)
    if folder is None:
        return reader
    return ChipReader(table.chips, enrolled=_learned_chips(read_chips(folder), camera, reader, folder))


def read_deck(folder: Path) -> list[CardView]:
    """The views of an enrolled pack. Raises EnrolmentError, naming the file and the remedy."""
    views = [CardView(e, _picture(folder, e.file, (*INPUT_PX, 3))) for e in _index(folder, "deck").deck]
    for view in views:
        if view.entry.card not in CLASSES[:-1]:
            raise EnrolmentError(
                f"The enrolment {folder / INDEX} names a card {view.entry.card!r}, which is none: write it"
                " like Th or back, or enrol the deck again."
            )
    return views


def read_chips(folder: Path) -> list[SideView]:
    """The views of enrolled chips. Raises EnrolmentError, naming the file and the remedy."""
    return [SideView(e, _picture(folder, e.file, (*SIDE_SHAPE, 3))) for e in _index(folder, "chips").chips]


def write_deck(folder: Path, views: Sequence[CardView], contact: Picture) -> None:
    """Put a pack's views into a folder, in place of what was there. Raises VeedorError."""
    index = _Index(format=FORMAT, deck=tuple(view.entry for view in views))
    _write(folder, index, {view.entry.file: view.face for view in views}, contact)


def write_chips(folder: Path, views: Sequence[SideView], contact: Picture) -> None:
    """Put chips' views into a folder, in place of what was there. Raises VeedorError."""
    index = _Index(format=FORMAT, chips=tuple(view.entry for view in views))
    _write(folder, index, {view.entry.file: view.side for view in views}, contact)


def _write(folder: Path, index: _Index, pictures: dict[str, Picture], contact: Picture) -> None:
    """Make the enrolment beside its folder, then put it there: what is read is the old one or the new one,
    never views of both, which would be named and measured by the wrong entries."""
    folder, fresh = folder.resolve(), None
    made = not folder.parent.exists()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".partial", dir=folder.parent))
        fresh.chmod(0o755)
        for name, picture in [*pictures.items(), ("contact.png", contact)]:
            (fresh / name).write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        write_atomically(fresh / INDEX, (index.model_dump_json(indent=1) + "\n").encode())
        _put_in_place(fresh, folder)
    except OSError as error:
        raise EnrolmentError(
            f"The enrolment {folder} cannot be written ({error.strerror}): check the folder's rights and the"
            " free space; what was there before is untouched."
        ) from None
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
        if made and not folder.exists():
            with suppress(OSError):
                folder.parent.rmdir()


def _put_in_place(fresh: Path, folder: Path) -> None:
    """Exchange the folder for the fresh one, which then holds what is to be thrown away."""
    if not folder.exists():
        fresh.rename(folder)
        return
    for other in folder.iterdir():  # what people keep there is theirs
        if other.suffix != ".png" and other.name not in (INDEX, _CACHE) and other.is_file():
            shutil.copy2(other, fresh)
    former = fresh.with_suffix(".former")
    folder.rename(former)
    try:
        fresh.rename(folder)
    except BaseException:
        former.rename(folder)
        raise
    shutil.rmtree(former, ignore_errors=True)


def _index(folder: Path, kind: str) -> _Index:
    file = folder / INDEX
    again = f"enrol again with 'veedor enrol {kind}', or take 'enrolled' out of the table file"
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise EnrolmentError(f"The enrolment {file} is too large to be one: {again}.")
        found = _Index.model_validate_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EnrolmentError(f"The enrolment {file} is not there: {again}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise EnrolmentError(f"The enrolment {file} cannot be read ({error}): {again}.") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the file"
        raise EnrolmentError(f"The enrolment {file}: {where} is wrong ({first['msg']}): {again}.") from None
    if not (found.deck if kind == "deck" else found.chips):
        raise EnrolmentError(f"The enrolment {file} has no views of {kind}: {again}.")
    return found


def _picture(folder: Path, name: str, shape: tuple[int, ...]) -> Picture:
    file = folder / name
    try:
        content = np.frombuffer(file.read_bytes(), np.uint8)
        picture = cv2.imdecode(content, cv2.IMREAD_COLOR) if len(content) else None
    except (OSError, cv2.error):
        picture = None
    if picture is None or picture.shape != shape:
        raise EnrolmentError(
            f"The enrolled view {file} is missing, or no picture of {shape[1]} x {shape[0]} pixels: enrol"
            " again."
        )
    return np.asarray(picture, np.uint8)


def learned_deck(views: Sequence[CardView], reader: CardReader) -> Prototypes:
    """What views of a pack say, for this reader."""
    names = np.array([CLASSES.index(view.entry.card) for view in views], np.int64)
    return learn(Views(np.stack([view.face for view in views]), names), reader)


def _prototypes(folder: Path, reader: CardReader) -> Prototypes:
    views = read_deck(folder)
    key = hashlib.sha256(file_sha256(reader.path).encode() + FACES.name.encode())
    for view in views:
        key.update(view.entry.card.encode() + view.face.tobytes())
    if (kept := _kept(folder / _CACHE, key.hexdigest())) is not None:
        return kept
    found = learned_deck(views, reader)
    held = io.BytesIO()
    np.savez(
        held,
        key=np.array(key.hexdigest()),
        **{name: getattr(found, name) for name in Prototypes.__dataclass_fields__},
    )
    with suppress(VeedorError, OSError):  # a folder that may not be written to only costs time
        write_atomically(folder / _CACHE, held.getvalue())
    return found


def _kept(cache: Path, key: str) -> Prototypes | None:
    """What was learned before, if it was learned from these views and for these weights."""
    try:
        with cache.open("rb") as file, np.load(file, allow_pickle=False) as held:
            if str(held["key"]) != key:
                return None
            parts: dict[str, Any] = {name: held[name] for name in Prototypes.__dataclass_fields__}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return Prototypes(**parts | {"usual": float(parts["usual"]), "weight": float(parts["weight"])})


def _learned_chips(views: Sequence[SideView], camera: str, reader: ChipReader, folder: Path) -> EnrolledChips:
    own = [view for view in views if view.entry.camera == camera]
    try:
        return learned_chips(own, reader) if own else replace(learned_chips(views, reader), colours=None)
    except ChipError as error:
        raise EnrolmentError(f"The enrolment {folder}: {error}") from None


def learned_chips(views: Sequence[SideView], reader: ChipReader) -> EnrolledChips:
    """What views of a house's chips say, for this reader. Raises ChipError."""
    chips = [
        ChipView(v.entry.value, v.side, v.entry.count, np.array(v.entry.geometry, np.float64)) for v in views
    ]
    return enrol_chips(chips, reader.see)
