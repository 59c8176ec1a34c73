"""Enrolling a house's cards: from photographs or a recording to a folder beside the table file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from rules.cards import PACK, Card, Rank, Suit
from rules.errors import VeedorError
from veedor.config import Table
from veedor.contact_sheet import Tile, contact_sheet
from veedor.enrolled import (
    DECK_FOLDER,
    CardEntry,
    CardView,
    EnrolmentError,
    Picture,
    deck_folder,
    read_deck,
    write_deck,
)
from veedor.photographs import load
from veedor.pipeline import THREADS
from vision.card_reader import CLASSES, CardReader
from vision.chips import ChipReader
from vision.corners import CornerReader
from vision.detector import Detector
from vision.enrolling import MOST_VIEWS, distinct
from vision.gathering import FaceSeen, faces_in_picture, faces_in_recording
from vision.looking import TableEyes
from vision.source import open_source

NamedBy = Literal["order", "technician", "reader"]
_SURE = 0.9
"""The reader's word is taken from here on."""
_SURE_BY_ORDER = 0.9
"""A face read so surely as another card than the order says speaks against the order."""
_MOST_AGAINST = 0.2
_EVERY_S = 0.8
_MOST_LOOKS = 240


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What was enrolled. ``named``: how many views of each card or value; ``unnamed``: numbers on the contact
    sheet of what was seen and not named; ``left_out``: seen, but not whole or not clear; ``odd``: sentences
    on what does not fit."""

    folder: Path
    named: Mapping[str, int]
    unnamed: tuple[int, ...]
    left_out: int
    odd: tuple[str, ...]
    contact: Path


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A face with where it was seen, its name (into ``CLASSES``), and who gave that."""

    seen: FaceSeen
    source: str
    name: int | None = None
    by: NamedBy = "reader"


def new_deck() -> tuple[str, ...]:
    """The order of a new pack: spades and diamonds from the ace up, clubs and hearts from the king down."""
    up, down = list(Rank), list(reversed(Rank))
    order = ((Suit.SPADES, up), (Suit.DIAMONDS, up), (Suit.CLUBS, down), (Suit.HEARTS, down))
    return tuple(str(Card(rank, suit)) for suit, ranks in order for rank in ranks)


def parse_order(text: str) -> tuple[str, ...]:
    """An order as a person gives it: ``new-deck``, or cards such as ``As 2s Kd``. Raises EnrolmentError."""
    if text.strip().lower() in ("new-deck", "new deck"):
        return new_deck()
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    return tuple(_card_name(word) for word in words)


def _card_name(word: str) -> str:
    if word.lower() == "back":
        return "back"
    plain = word.replace("10", "T")
    try:
        return str(Card.parse(plain[:-1].upper() + plain[-1:].lower()))
    except (VeedorError, ValueError):
        raise EnrolmentError(
            f"{word!r} is no card: write rank and suit, like Th or 7c (or back, or new-deck for all)."
        ) from None


def parse_numbered(words: Sequence[str]) -> dict[int, str]:
    """``--is 17=Kh`` as a number and what follows. Raises EnrolmentError."""
    told: dict[int, str] = {}
    for word in words:
        number, _, what = word.partition("=")
        if not re.fullmatch(r" *[0-9]{1,9} *", number) or not what.strip():
            raise EnrolmentError(f"{word!r} does not say which number is what: write it like 17=Kh.")
        told[int(number)] = what.strip()
    return told


def enrol_deck(
    table: Table,
    pictures: Sequence[Path] = (),
    recording: Path | None = None,
    camera_id: str | None = None,
    order: Sequence[str] | None = None,
    told: Mapping[int, str] | None = None,
    anew: bool = False,
) -> Enrolled:
    """Learn a table's cards from photographs and a recording by its camera; ``order``: names of the cards of
    the photographs, row by row. ``told``: names by number on the contact sheet. Replaces an earlier enrolment
    if ``anew``, else adds to it. Raises EnrolmentError, a sentence, with nothing written."""
    reader, detector = CardReader(threads=THREADS), Detector(threads=THREADS)
    faces: list[_Seen] = []
    left_out = 0
    if pictures:
        corners = CornerReader(threads=THREADS)
        groups = []
        for picture in pictures:
            found, others = faces_in_picture(load(picture), detector, reader, corners)
            groups.append([_Seen(face, picture.name) for face in found])
            left_out += others
        faces += _in_order(groups, order) if order is not None else _by_reading(groups)
    elif order is not None:
        raise EnrolmentError("An order names the cards of a photograph: give that with --picture.")
    if recording is not None:
        eyes = _eyes(table, recording, camera_id, detector, reader)
        shown = faces_in_recording(_frames(recording), eyes, reader)
        faces += [_Seen(face, recording.name, int(face.read.argmax())) for face in shown]
    faces, odd = _told(faces, told or {})
    if not any(face.name is not None for face in faces):
        raise EnrolmentError(
            f"No card could be enrolled: {len(faces)} were seen whole and none of them was named, {left_out}"
            " were covered, cut off or small. Lay the cards side by side, not over one another, and name them"
            " with --order or --is."
        )
    folder = table.path.parent / DECK_FOLDER
    kept = [] if anew else _former_deck(table)
    views = _card_views(faces, kept)
    tiles = [_face_tile(number, face) for number, face in enumerate(faces, 1)]
    write_deck(folder, views, contact_sheet(tiles, columns=13))
    named: dict[str, int] = {}
    for view in views:
        named[view.entry.card] = named.get(view.entry.card, 0) + 1
    unnamed = tuple(number for number, face in enumerate(faces, 1) if face.name is None)
    return Enrolled(folder, named, unnamed, left_out, tuple(odd), folder / "contact.png")


def _in_order(groups: list[list[_Seen]], order: Sequence[str]) -> list[_Seen]:
    faces = [face for group in groups for face in group]
    if len(faces) != len(order):
        raise EnrolmentError(
            f"The order names {len(order)} cards, and {len(faces)} are seen whole in the picture: lay them"
            " side by side so that each is seen, and name just those, row by row from the top left."
        )
    names = [CLASSES.index(_card_name(card)) for card in order]
    against = [
        number
        for number, (face, name) in enumerate(zip(faces, names, strict=True), 1)
        if face.seen.read.argmax() != name
        and face.seen.read.max() > _SURE_BY_ORDER
        and face.seen.read.argmax() < len(PACK)
    ]
    if len(against) > max(1.0, _MOST_AGAINST * len(faces)):
        first = against[0]
        read = CLASSES[int(faces[first - 1].seen.read.argmax())]
        raise EnrolmentError(
            f"The order does not fit: card {first}, row by row from the top left, is {order[first - 1]} by"
            f" the order and reads as {read}, and {len(against) - 1} others differ too. Check where the order"
            " begins and which way it runs."
        )
    return [replace(face, name=name, by="order") for face, name in zip(faces, names, strict=True)]


def _by_reading(groups: list[list[_Seen]]) -> list[_Seen]:
    """Names by the general reader, where it is sure; a photograph shows each card once, or it is a heap."""
    out: list[_Seen] = []
    for group in groups:
        if not group:
            continue
        read = np.stack([face.seen.read for face in group])
        once = distinct(read, 1) if len(group) <= len(PACK) + 8 else read.argmax(axis=1)
        for face, p, name in zip(group, read, once, strict=True):
            sure = name < len(CLASSES) - 1 and float(p[name]) >= _SURE
            out.append(replace(face, name=int(name)) if sure else face)
    return out


def _told(faces: list[_Seen], told: Mapping[int, str]) -> tuple[list[_Seen], list[str]]:
    out, odd = list(faces), []
    for number, word in told.items():
        if not 1 <= number <= len(faces):
            raise EnrolmentError(
                f"There is no number {number} on the contact sheet: {len(faces)} cards were seen."
            )
        out[number - 1] = replace(out[number - 1], name=CLASSES.index(_card_name(word)), by="technician")
    for number, face in enumerate(out, 1):
        best = int(face.seen.read.argmax())
        if face.name is not None and best != face.name and best < len(PACK) and face.seen.read[best] > _SURE:
            odd.append(
                f"number {number} is enrolled as {CLASSES[face.name]} and reads as {CLASSES[best]}: look at"
                " it"
            )
    return out, odd


def _former_deck(table: Table) -> list[CardView]:
    folder = deck_folder(table)
    return [] if folder is None or not folder.exists() else read_deck(folder)


def _card_views(faces: Sequence[_Seen], kept: Sequence[CardView]) -> list[CardView]:
    """All views, the new ones first, as many of each card as count."""
    each: dict[str, list[tuple[Picture, str, NamedBy]]] = {}
    for face in faces:
        if face.name is not None:
            each.setdefault(CLASSES[face.name], []).append((face.seen.face, face.source, face.by))
    for view in kept:
        each.setdefault(view.entry.card, []).append((view.face, view.entry.seen_in, view.entry.named_by))
    return [
        CardView(CardEntry(file=f"{card}-{k}.png", card=card, seen_in=source, named_by=by), face)
        for card in sorted(each, key=CLASSES.index)
        for k, (face, source, by) in enumerate(each[card][:MOST_VIEWS], 1)
    ]


def _face_tile(number: int, face: _Seen) -> Tile:
    name = "?" if face.name is None else CLASSES[face.name]
    best = int(face.seen.read.argmax())
    said = "" if face.by == "order" else f" {CLASSES[best]} {face.seen.read[best]:.0%}"
    return Tile(
        face.seen.face, f"{number}: {name}" + (said if face.name is None else ""), face.name is not None
    )


def _eyes(
    table: Table, recording: Path, camera_id: str | None, detector: Detector, reader: CardReader
) -> TableEyes:
    with open_source(recording) as source:
        fitted = table.camera(camera_id).fitted(source.width_px, source.height_px, recording.name)
    return TableEyes(table.layout, fitted, detector, reader, ChipReader(table.chips), table.deck.size_mm)


def _frames(recording: Path) -> Iterator[Picture]:
    """A recording's pictures, about one a second, or fewer of a long one."""
    with open_source(recording, accept_cut_off=True) as source:
        every_s = max(_EVERY_S, (source.duration_s or 0.0) / _MOST_LOOKS)
        due = 0.0
        for frame in source:
            if frame.t >= due:
                due = frame.t + every_s
                yield frame.image
