"""``veedor read``: photographs, and what is none."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path

import pytest

from tests.support import handmade
from tests.support.command import Command, one_sentence


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "cannot be read"), (b"", "is not a picture"), (b"not a picture", "is not a picture")],
)
def test_a_photograph_that_is_none(veedor: Command, tmp_path: Path, content: bytes | None, says: str) -> None:
    photo = tmp_path / "photo.jpg"
    if content is not None:
        photo.write_bytes(content)
    assert says in one_sentence(veedor("read", photo))


@pytest.mark.parametrize(
    ("width_px", "height_px", "rows", "says"),
    [
        (4000, 1, 1, "is 4000 x 1 pixels"),
        (2, 4000, 4000, "is 2 x 4000 pixels"),
        (60_000, 60_000, 0, "is not a picture .* of up to 200 megapixels"),
    ],
)
def test_a_picture_of_no_use_by_its_size(
    veedor: Command, tmp_path: Path, width_px: int, height_px: int, rows: int, says: str
) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(_black_png(width_px, height_px, rows))
    assert re.search(says, one_sentence(veedor("read", photo)))


def _black_png(width_px: int, height_px: int, rows: int) -> bytes:
    """A black PNG that claims this size and holds so many rows."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width_px, height_px, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((width_px + 7) // 8 + 1) * rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null"])
def test_a_photograph_is_a_file(veedor: Command, place: str) -> None:
    assert f"{place} is not a file" in one_sentence(veedor("read", place))


def test_reading_a_photograph_prints_draws_and_writes(veedor: Command, tmp_path: Path) -> None:
    import cv2

    photo, drawn, written = (tmp_path / name for name in ("photo.png", "drawn.png", "read.json"))
    cv2.imwrite(str(photo), handmade.frame(13.0))
    ended = veedor("read", photo, "--out", drawn, "--json", written)
    assert ended.code == 0
    assert re.search(r"^\d+ cards?, \d+ named; \d+ stacks?\.", ended.out)
    image = cv2.imread(str(drawn))
    assert image is not None
    assert image.shape[:2] == (handmade.HEIGHT, handmade.WIDTH)
    document = json.loads(written.read_text())
    assert document["format"] == "veedor.read/1"
    assert json.loads(veedor("read", photo, "--json", "-").out) == document
    assert "ends in .jpg" in one_sentence(veedor("read", photo, "--out", tmp_path / "drawn.xyz"))
