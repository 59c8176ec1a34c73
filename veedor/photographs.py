"""Reading one still photograph, from file to file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from rules.errors import VeedorError
from vision.card_reader import CardReader
from vision.corners import CornerReader
from vision.detector import Detector
from vision.photo import read_photo
from vision.photo_reading import PhotoReading, annotate

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue green red."""

MIN_SIDE_PX = 24
"""The least that a photograph measures: nothing smaller holds a card that can be found."""

_MAY_BE_SEE_THROUGH = (b"\x89PNG", b"RIFF")
"""How PNG and WebP files begin."""
_GREY = 114


class PhotographError(VeedorError):
    """A photograph that cannot be read, or a picture that cannot be written."""


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A photograph. ``image``: upright as its camera says; ``damage``: a sentence on a file that is not
    whole, of which some pixels show what never was; else None."""

    image: Image
    damage: str | None = None


def read_photograph(photo: Path) -> tuple[Photograph, PhotoReading]:
    """The photograph and what is on it. Raises VeedorError."""
    seen = load_as_it_is(photo)
    return seen, read_photo(seen.image, Detector(), CardReader(), corner_reader=CornerReader())


def load(photo: Path) -> Image:
    """The pixels of a whole photograph. Raises PhotographError, also for one that is damaged."""
    seen = load_as_it_is(photo)
    if seen.damage is not None:
        raise PhotographError(f"{seen.damage} Copy it again from where it was taken.")
    return seen.image


def load_as_it_is(photo: Path) -> Photograph:
    """A photograph, as far as its file goes. Raises PhotographError for what shows nothing."""
    try:
        if photo.exists() and not photo.is_file():
            raise PhotographError(f"{photo} is not a file. Give a photograph, one at a time.")
        content = photo.read_bytes()
    except OSError as error:
        raise PhotographError(
            f"The photograph {photo} cannot be read ({error.strerror}). Check the path."
        ) from error
    except ValueError as error:  # a path that no file can have
        raise PhotographError(f"{str(photo)!r} cannot be read ({error}). Check the path.") from error
    try:
        image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    except cv2.error:
        image = None
    if image is None:
        raise PhotographError(
            f"{photo} is not a picture that can be read. Give a whole JPEG, PNG, WebP or TIFF photograph"
            " of up to 200 megapixels; export it as JPEG where a telephone keeps another kind (HEIC, raw)."
        )
    image = _on_grey(np.asarray(image, np.uint8), content)
    height_px, width_px = image.shape[:2]
    if min(height_px, width_px) < MIN_SIDE_PX:
        raise PhotographError(
            f"{photo} is {width_px} x {height_px} pixels, too few to hold a card. Give the photograph itself."
        )
    return Photograph(np.asarray(image, np.uint8), _damage(photo, content))


def _damage(photo: Path, content: bytes) -> str | None:
    """What is wrong with a JPEG whose data do not hang together: one decoder guesses on, this one stops."""
    if not content.startswith(b"\xff\xd8"):
        return None
    strict = av.CodecContext.create("mjpeg", "r")
    strict.options = {"err_detect": "explode"}
    try:
        strict.decode(av.Packet(content))
    except av.error.InvalidDataError:
        return f"{photo} is damaged: its data do not hang together, and parts of it show what never was."
    except av.error.FFmpegError:  # a kind of JPEG that this decoder does not know
        return None
    return None


def _on_grey(image: Image, content: bytes) -> Image:
    """The picture with what its file says is see-through made grey: what lies under it shows nothing."""
    if not content.startswith(_MAY_BE_SEE_THROUGH):
        return image
    layers = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED)
    if layers is None or layers.shape != (*image.shape[:2], 4):
        return image
    solid = layers[..., 3:].astype(np.float32) / (255 if layers.dtype == np.uint8 else 65535)
    return np.asarray(np.rint(image * solid + _GREY * (1 - solid)), np.uint8)


def annotated(image: Image, reading: PhotoReading, out: Path) -> bytes:
    """The picture with what was found drawn on it, coded as ``out``'s name says. Raises PhotographError."""
    return coded(annotate(image, reading), out)


def coded(image: Image, out: Path) -> bytes:
    """A picture coded as ``out``'s name says. Raises PhotographError for a name that says no kind."""
    try:
        done, content = cv2.imencode(out.suffix.lower(), image)
    except cv2.error:
        done = False
    if not done:
        raise PhotographError(
            f"{out.name} does not say which kind of picture it is to be. Give --out a name that ends in .jpg "
            "or .png."
        )
    return content.tobytes()
