"""A scene to a picture with labels: back to front onto a canvas that keeps which object each pixel shows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.synth.flat import card_corners
from datasets.synth.labels import Box, Labels, ThingLabel, card_label, chip_label, hand_label, union
from datasets.synth.patch import Canvas
from datasets.synth.raster import Array
from datasets.synth.scene import ArmItem, Scene
from datasets.synth.stages import MARKERS, Assets, Numbers, paint_moving, paint_still
from datasets.synth.view import View
from vision.camera import Camera


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A clean picture (height, width, 3) uint8 BGR and its labels; ``ids`` int16: object number per pixel."""

    image: Array
    ids: Array
    labels: Labels
    camera: Camera


def render(scene: Scene, assets: Assets, camera: Camera) -> Picture:
    """The picture that a perfect sensor would take of the scene, with exact labels."""
    canvas = Canvas(View(camera))
    numbers = Numbers()
    paint_still(canvas, scene, assets, numbers)
    paint_moving(canvas, scene, assets, numbers)
    return _finish(canvas, scene, assets, numbers)


def _finish(canvas: Canvas, scene: Scene, assets: Assets, numbers: Numbers) -> Picture:
    view = canvas.view
    image = view.develop(canvas.bgr)
    ids = np.ascontiguousarray(view.develop(canvas.ids, linear=False))
    frame = view.frame_mask()
    counts = np.bincount(canvas.ids[frame].ravel(), minlength=1)
    boxes = _boxes(ids)

    def visible(item: object, part: str = "") -> float:
        number = numbers.of(item, part)
        seen = float(counts[number]) if number < len(counts) else 0.0
        return round(min(1.0, seen / max(canvas.area.get(number, 1e9), 1.0)), 3)

    camera, eye = view.camera, view.eye_mm
    cards = tuple(
        card_label(card, camera, eye, visible(card))
        for card in scene.cards
        if view.to_camera(card_corners(card))[:, 2].min() > 30
    )
    chips = tuple(chip_label(chip, assets.designs, camera, visible(chip)) for chip in scene.chips)
    hands = tuple(
        hand_label(arm, camera, *_arm_boxes(arm, numbers, boxes), visible(arm)) for arm in scene.arms
    )
    things = [
        ThingLabel(prop.kind.value, boxes.get(numbers.of(prop)), visible(prop))
        for prop in scene.props
        if prop.kind in MARKERS
    ]
    if scene.shoe is not None:
        things.append(ThingLabel("shoe", boxes.get(numbers.of(scene.shoe)), visible(scene.shoe)))
    return Picture(image, ids, Labels(cards, chips, hands, tuple(things)), camera)


def _arm_boxes(arm: ArmItem, numbers: Numbers, boxes: dict[int, Box]) -> tuple[Box | None, Box | None]:
    hand = boxes.get(numbers.of(arm))
    return hand, union(hand, boxes.get(numbers.of(arm, "arm")))


def _boxes(ids: Array) -> dict[int, Box]:
    """Boxes (x0, y0, x1, y1) of the visible pixels of each object."""
    found = {}
    for number in np.flatnonzero(np.bincount(ids.ravel()))[1:]:
        x, y, w, h = cv2.boundingRect((ids == number).astype(np.uint8))
        found[int(number)] = (float(x), float(y), float(x + w), float(y + h))
    return found
