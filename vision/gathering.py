"""What a picture or a recording shows of cards and stacks that are to be enrolled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Face
from vision.camera import Camera, Floats
from vision.card_reader import CLASSES, INPUT_PX, CardReader, fit, sum_evidence
from vision.chip_geometry import Image
from vision.chips import ChipReader
from vision.corners import CornerReader
from vision.detector import Detector
from vision.looking import TableEyes
from vision.photo import read_photo
from vision.quads import rectify
from vision.tracking import Family

BACK = CLASSES.index("back")
_COVERED = 0.06
"""A card that another one may cover by more than this is no view of its face."""
_LEAST_SIDE_PX = 30.0
_SAME_PLACE_MM = 12.0
_LOOKS, _SURE = 2, 0.95
"""Looks at one card in a recording, and how sure they have to be together, to take its views."""
_VIEWS = 3
"""The sharpest views of one card are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSeen:
    """A card seen whole. ``face`` (112, 80, 3) uint8 BGR; ``read`` (54,) as read; ``quad_px`` (4, 2)."""

    face: Image
    read: NDArray[np.float32]
    quad_px: Floats


@dataclass(frozen=True, slots=True, eq=False)
class StackSeen:
    """A stack seen. ``side``: unrolled; ``count``: its likeliest count and ``sure`` how likely; ``values``
    (count, v): log probabilities of the house's values; ``geometry`` (4,); ``at_px`` in the picture."""

    side: Image
    count: int
    sure: float
    values: Floats
    geometry: Floats
    at_px: tuple[float, float]


def faces_in_picture(
    image: Image, detector: Detector, reader: CardReader, corners: CornerReader
) -> tuple[list[FaceSeen], int]:
    """The cards of a photograph that are seen whole, row by row from the top and from the left, and how many
    others there are: partly covered, cut by the picture's edge, or too small."""
    cards = read_photo(image, detector, reader, corner_reader=corners).cards
    quads = [np.array(card.quad_px, np.float64) for card in cards]
    whole = [quad for i, quad in enumerate(quads) if _is_whole(image, quad, quads[:i] + quads[i + 1 :])]
    if not whole:
        return [], len(quads)
    ordered = [
        whole[i] for i in reading_order(np.array([quad.mean(axis=0) for quad in whole]), _height(whole))
    ]
    height, width = INPUT_PX
    faces = np.stack([np.asarray(rectify(image, quad, (width, height)), np.uint8) for quad in ordered])
    turned = np.ascontiguousarray(faces[:, ::-1, ::-1])
    read = np.maximum(reader.read(faces), reader.read(turned))
    read = (read / read.sum(axis=1, keepdims=True)).astype(np.float32)
    return [FaceSeen(*seen) for seen in zip(faces, read, ordered, strict=True)], len(quads) - len(whole)


def reading_order(centres: Floats, height: float) -> list[int]:
    """Places (n, 2) row by row from the top, each row from the left; rows are about ``height`` apart."""
    left = list(np.argsort(centres[:, 1]))
    order: list[int] = []
    while left:
        top = float(centres[left[0], 1])
        row = [i for i in left if centres[i, 1] < top + 0.6 * height]
        order += sorted((int(i) for i in row), key=lambda i: float(centres[i, 0]))
        left = [i for i in left if i not in row]
    return order


def _height(quads: list[Floats]) -> float:
    return float(np.median([np.ptp(quad[:, 1]) for quad in quads]))


def _is_whole(image: Image, quad: Floats, others: list[Floats]) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    height, width = image.shape[:2]
    inside = (quad > -2).all() and (quad < np.array([width, height]) + 2).all()
    if sides.min() < _LEAST_SIDE_PX or not inside:
        return False
    hull = quad.astype(np.float32)
    area = float(cv2.contourArea(hull))
    return all(
        cv2.intersectConvexConvex(hull, other.astype(np.float32))[0] < _COVERED * area for other in others
    )


@dataclass(slots=True, eq=False)
class _Lying:
    """One card that lies in a recording: what looks at it gave."""

    at_mm: tuple[float, float]
    face: Face | None
    looks: list[FaceSeen] = field(default_factory=list)


def faces_in_recording(pictures: Iterable[Image], eyes: TableEyes, reader: CardReader) -> list[FaceSeen]:
    """The sharpest views of cards that lay still in a table camera's pictures, about one a second.

    ``read`` of each is what all looks at that card say together: sure enough to name it, or it is left out.
    """
    lying: list[_Lying] = []
    done: list[_Lying] = []
    for image in pictures:
        found = [s for s in eyes.look(image, None).sights if s.family is Family.CARD]
        here: list[_Lying] = []
        faces = [_cut(image, sight.quad_px) for sight in found]
        read = reader.read(np.stack(faces)) if faces else np.zeros((0, len(CLASSES)), np.float32)
        for sight, face, p in zip(found, faces, read, strict=True):
            same = [
                one
                for one in lying
                if one.face is sight.face
                and np.hypot(one.at_mm[0] - sight.at_mm[0], one.at_mm[1] - sight.at_mm[1]) < _SAME_PLACE_MM
            ]
            one = same[0] if same else _Lying(sight.at_mm, sight.face)
            one.looks.append(FaceSeen(face, p, np.asarray(sight.quad_px, np.float64)))
            here.append(one)
        done += [one for one in lying if one not in here]
        lying = here
    return [view for one in [*done, *lying] for view in _views(one)]


def _cut(image: Image, quad_px: Floats) -> Image:
    sides = np.linalg.norm(quad_px - np.roll(quad_px, -1, axis=0), axis=1)
    size = max(8, round((sides[0] + sides[2]) / 2)), max(8, round((sides[1] + sides[3]) / 2))
    return fit(np.asarray(rectify(image, quad_px, size), np.uint8))


def _views(one: _Lying) -> list[FaceSeen]:
    if len(one.looks) < _LOOKS:
        return []
    read = np.stack([look.read for look in one.looks])
    if one.face is Face.DOWN:
        name, p = BACK, float(np.median(read[:, BACK]))
    else:
        identity = sum_evidence(read)
        if identity.card is None:
            return []
        name, p = CLASSES.index(str(identity.card)), identity.p
    if p < _SURE:
        return []
    good = [look for look in one.looks if float(look.read[name]) > 0.5]
    good.sort(key=lambda look: -sharpness(look.face))
    told = np.full(len(CLASSES), (1 - p) / (len(CLASSES) - 1), np.float32)
    told[name] = p
    return [replace(look, read=told) for look in good[:_VIEWS]]


def sharpness(picture: Image) -> float:
    """How sharp a picture (H, W, 3) is: the spread of its second differences."""
    return float(cv2.Laplacian(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.CV_32F).std())


def stacks_in_picture(
    image: Image, camera: Camera, eyes: TableEyes, reader: ChipReader
) -> tuple[list[StackSeen], int]:
    """The stacks of a table camera's picture that can be enrolled, from the left, and how many cannot: their
    chips look too thin, or something covers them."""
    found = [sight for sight in eyes.look(image, None).sights if sight.family is Family.STACK]
    seen: list[StackSeen] = []
    for sight in found:
        got = reader.view(image, camera, sight.at_mm)
        if got is None:
            continue
        reading, side, geometry = got
        scores = reading.scores
        if scores is None or scores.counts is None or scores.chips is None or scores.clear < 0.5:
            continue
        count = max(1, int(np.argmax(scores.counts)))
        px = camera.project(np.array([reading.at_mm], np.float64))[0]
        seen.append(
            StackSeen(
                side,
                count,
                float(np.exp(scores.counts[count])),
                scores.chips[:count],
                geometry,
                (float(px[0]), float(px[1])),
            )
        )
    seen.sort(key=lambda stack: stack.at_px[0])
    return seen, len(found) - len(seen)
