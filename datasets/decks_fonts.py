"""Fonts for the corner indices: those of the machine, found by reading the files themselves."""

from __future__ import annotations

import functools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FONT_FOLDERS: tuple[Path, ...] = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_NEEDED = "A234567890JQKVDRBF1"
_UNSUITABLE = (
    "keyboard",
    "initials",
    "symbol",
    "dingbat",
    "emoji",
    "d050000l",
    "fallback",
    "math",
    "z003",
    "barcode",
    "braille",
)


@dataclass(frozen=True, slots=True)
class IndexFont:
    """A font file and the family name that it goes by."""

    path: Path
    family: str


def _tables(data: bytes) -> dict[bytes, tuple[int, int]]:
    count = struct.unpack_from(">H", data, 4)[0]
    tables: dict[bytes, tuple[int, int]] = {}
    for i in range(count):
        tag, _, offset, length = struct.unpack_from(">4sLLL", data, 12 + 16 * i)
        tables[tag] = (offset, length)
    return tables


def _family(data: bytes, offset: int) -> str | None:
    """The family name in the ``name`` table: the typographic one (id 16) where there is one, else id 1."""
    count, strings = struct.unpack_from(">HH", data, offset + 2)
    names: dict[int, str] = {}
    for i in range(count):
        platform, _, _, name_id, length, at = struct.unpack_from(">6H", data, offset + 6 + 12 * i)
        if name_id in (1, 16) and platform in (0, 3) and name_id not in names:
            start = offset + strings + at
            names[name_id] = data[start : start + length].decode("utf-16-be")
    return names.get(16, names.get(1))


def _covers(data: bytes, offset: int) -> bool:
    """Whether a format 4 character map has every letter that an index may need."""
    for i in range(struct.unpack_from(">H", data, offset + 2)[0]):
        sub = offset + struct.unpack_from(">L", data, offset + 4 + 8 * i + 4)[0]
        if struct.unpack_from(">H", data, sub)[0] != 4:
            continue
        segments = struct.unpack_from(">H", data, sub + 6)[0] // 2
        ends = struct.unpack_from(f">{segments}H", data, sub + 14)
        starts = struct.unpack_from(f">{segments}H", data, sub + 16 + 2 * segments)
        return all(any(s <= ord(c) <= e for s, e in zip(starts, ends, strict=True)) for c in _NEEDED)
    return False


def _read(path: Path) -> IndexFont | None:
    try:
        data = path.read_bytes()
        tables = _tables(data)
        if b"name" not in tables or b"cmap" not in tables or not _covers(data, tables[b"cmap"][0]):
            return None
        family = _family(data, tables[b"name"][0])
    except (OSError, struct.error, UnicodeDecodeError):
        return None
    return IndexFont(path, family) if family else None


@functools.cache
def _scan(folders: tuple[Path, ...]) -> tuple[IndexFont, ...]:
    fonts = []
    for folder in folders:
        for path in sorted(folder.rglob("*.[to]tf")):
            font = _read(path)
            if font and not any(word in f"{path.name} {font.family}".lower() for word in _UNSUITABLE):
                fonts.append(font)
    return tuple(fonts)


def index_fonts(extra: Sequence[Path] = ()) -> tuple[IndexFont, ...]:
    """Fonts that hold digits and court letters, in path order; ``extra`` names further folders.

    Symbol fonts are left out. Empty on a machine without fonts: indices are then drawn as strokes.
    """
    return _scan((*FONT_FOLDERS, *extra))
