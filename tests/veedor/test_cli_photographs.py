"""``veedor read``: photographs, and what is none."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support import handmade
from tests.support.command import Command, one_sentence
from veedor.photographs import PhotographError, load


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
    again, nowhere = tmp_path / "again.png", tmp_path / "none" / "read.json"
    complaint = one_sentence(veedor("read", photo, "--out", again, "--json", nowhere))
    assert f"{nowhere} cannot be written" in complaint
    assert not again.exists()


def test_a_damaged_photograph_is_read_as_far_as_it_goes_and_said_to_be_damaged(
    veedor: Command, tmp_path: Path
) -> None:
    done, jpeg = cv2.imencode(".jpg", handmade.frame(13.0))
    assert done
    whole, photo = jpeg.tobytes(), tmp_path / "photo.jpg"
    photo.write_bytes(whole[: len(whole) // 2] + bytes(2000) + whole[len(whole) // 2 + 2000 :])
    ended = veedor("read", photo, "--json", "-")
    assert ended.code == 0
    assert f"{photo} is damaged" in ended.err
    assert f"{photo} is damaged" in json.loads(ended.out)["remarks"][0]
    with pytest.raises(PhotographError, match=r"is damaged.*Copy it again"):
        load(photo)
    photo.write_bytes(whole[: len(whole) // 2])
    assert "Give a whole JPEG" in one_sentence(veedor("read", photo))
    photo.write_bytes(whole)
    assert load(photo).shape == (handmade.HEIGHT, handmade.WIDTH, 3)


def _shown() -> NDArray[np.uint8]:
    """A picture that looks different from every side, (60, 90, 3)."""
    x, y = np.meshgrid(np.arange(90), np.arange(60))
    return np.dstack([x * 2, y * 4, x + y]).astype(np.uint8)


def _with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG with an EXIF entry that says how the camera was held."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


@pytest.mark.parametrize(("orientation", "turns"), [(1, 0), (3, 2), (6, 1), (8, 3)])
def test_a_photograph_is_turned_as_its_camera_says(tmp_path: Path, orientation: int, turns: int) -> None:
    stored = np.ascontiguousarray(np.rot90(_shown(), turns))
    done, jpeg = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, 100])
    assert done
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(_with_orientation(jpeg.tobytes(), orientation))
    read = load(photo)
    assert read.shape == (60, 90, 3)
    assert np.abs(read.astype(int) - _shown()).mean() < 3


@pytest.mark.parametrize("suffix", [".png", ".tiff", ".bmp", ".gif", ".webp"])
def test_kinds_of_files(tmp_path: Path, suffix: str) -> None:
    photo = tmp_path / f"photo{suffix}"
    assert cv2.imwrite(str(photo), _shown())
    assert np.abs(load(photo).astype(int) - _shown()).mean() < 20  # a GIF has 256 colours


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
def test_sixteen_bits_are_read_as_eight(tmp_path: Path, suffix: str) -> None:
    photo = tmp_path / f"photo{suffix}"
    assert cv2.imwrite(str(photo), _shown().astype(np.uint16) * 257)
    assert np.array_equal(load(photo), _shown())


def test_grey_pictures_have_three_channels(tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    assert cv2.imwrite(str(photo), _shown()[..., 1])
    assert np.array_equal(load(photo), np.dstack([_shown()[..., 1]] * 3))


@pytest.mark.parametrize("scale", [1, 257])
def test_what_is_see_through_hides_what_lies_under_it(tmp_path: Path, scale: int) -> None:
    alpha = np.full((60, 90, 1), 255, np.uint8)
    alpha[:, :45] = 0
    photo = tmp_path / "photo.png"
    layers = np.concatenate([_shown(), alpha], axis=2)
    assert cv2.imwrite(str(photo), layers if scale == 1 else layers.astype(np.uint16) * np.uint16(scale))
    read = load(photo)
    assert np.array_equal(read[:, 45:], _shown()[:, 45:])
    assert (read[:, :45] == 114).all()
