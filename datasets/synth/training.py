"""Write a detector training set: ``python -m datasets.synth.training --out DIR --count N --seed S``.

The folder has Ultralytics' OBB form (``images/SPLIT``, ``labels/SPLIT``, ``data.yaml``) and, beside it,
``truth/SPLIT`` with everything that is known of each picture (``veedor.synth/1``, the dataclasses of
``datasets.synth.labels``). A picture depends on the seed and its number only; one that is there is kept, so
an interrupted run goes on where it stopped, and a longer one extends a shorter one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from rich.progress import track

from datasets.decks import Deck, load_packaged, random_deck
from datasets.synth.arrange import Kit
from datasets.synth.cameras import photo_camera, table_window
from datasets.synth.labels import Box, Labels
from datasets.synth.optics import expose, lit, metered, random_optics
from datasets.synth.pictures import PictureStock
from datasets.synth.raster import Array
from datasets.synth.render import Picture, render
from datasets.synth.sample import photo_scene, random_surface, random_table, table_scene
from rules.cards import Face

CLASSES = ("card_face", "card_back", "chip_stack", "hand", "shoe", "marker")
"""The detector's classes, in the order of their numbers."""
PER_TABLE = 24
PER_SURFACE = 5
_BLOCK = 32
"""Pictures 0..31 of each block: one table's, then surfaces', by the share of photographs."""
LEAST_VISIBLE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One training picture (size, size, 3) uint8 BGR as the camera delivers it, and its labels."""

    image: Array
    picture: Picture
    photo: bool


@dataclass(frozen=True, slots=True)
class Target:
    """One detector label: class number and four corners (4, 2) as parts of the picture's sides."""

    cls: int
    corners: tuple[tuple[float, float], ...]


def kit_of(seed: int, number: int, photo_share: float) -> tuple[int, bool]:
    """Which kit (table or surface) a picture is made with, and whether it is a photograph."""
    block, place = divmod(number, _BLOCK)
    photo = place >= round(_BLOCK * (1 - photo_share))
    step = PER_SURFACE if photo else PER_TABLE
    return (seed * 1_000_003 + block * 64 + place // step + (32 if photo else 0)), photo


def make_kit(
    kit_seed: int, photo: bool, decks: Sequence[Deck] = (), stock: PictureStock | None = None
) -> Kit:
    """The table or surface of a seed; its deck is drawn by rule or one of ``decks``."""
    rng = np.random.default_rng([kit_seed, 1])
    deck = random_deck(rng, decks)
    return random_surface(rng, deck, stock) if photo else random_table(rng, deck)


def make_sample(seed: int, number: int, kit: Kit, photo: bool, size_px: int = 640) -> Sample:
    """The picture of that number on a kit."""
    rng = np.random.default_rng([seed, number, 2])
    if photo or kit.layout is None:
        scene = photo_scene(rng, kit)
        camera = photo_camera(rng, scene, size_px)
    else:
        scene = table_scene(rng, kit)
        box = kit.layout.drawing.box_mm
        camera = table_window(rng, scene, (box[2], box[3]), size_px)
    picture = render(scene, kit.assets, camera)
    clean = lit(picture.image, scene.light)
    image = expose(clean, metered(random_optics(rng, photo), clean, rng), rng)
    return Sample(image, picture, photo)


def samples(
    seed: int,
    count: int,
    size_px: int = 640,
    photo_share: float = 0.3,
    decks: Sequence[Deck] = (),
    start: int = 0,
) -> Iterator[tuple[int, Sample]]:
    """Pictures ``start`` to ``count`` with their numbers."""
    known, kit = -1, None
    for number in range(start, count):
        wanted, photo = kit_of(seed, number, photo_share)
        if kit is None or wanted != known:
            known, kit = wanted, make_kit(wanted, photo, decks)
        yield number, make_sample(seed, number, kit, photo, size_px)


def targets(labels: Labels, size_px: tuple[int, int], cut: bool = False) -> list[Target]:
    """The detector's labels of a picture (width, height): what is at least a quarter visible in it.

    Cards and piles are whole, hidden parts and what lies outside of the picture included; with ``cut`` they
    end at its edges, as Ultralytics' own loader wants it.
    """
    width, height = size_px
    found: list[Target] = []

    def add(cls: int, quad: Array, least_px: float) -> None:
        part = clipped(quad, width, height) if cut else quad
        if part is None:
            return
        sides = np.linalg.norm(part - np.roll(part, -1, axis=0), axis=1)
        if min(sides[0] + sides[2], sides[1] + sides[3]) / 2 < least_px:
            return
        shares = part / (width, height)
        found.append(Target(cls, tuple((round(float(x), 6), round(float(y), 6)) for x, y in shares)))

    for card in labels.cards:
        if card.visible >= LEAST_VISIBLE:
            add(0 if card.face is Face.UP else 1, np.array(card.quad_px), 3.0)
    for chip in labels.chips:
        if chip.visible >= LEAST_VISIBLE:
            add(2, np.array(chip.quad_px), 3.0)
    for hand in labels.hands:
        if hand.box_px is not None and hand.visible >= LEAST_VISIBLE * 0.6:
            add(3, _box_quad(hand.box_px), 8.0)
    for thing in labels.things:
        if thing.box_px is not None and thing.visible >= LEAST_VISIBLE:
            add(4 if thing.kind == "shoe" else 5, _box_quad(thing.box_px), 4.0)
    return found


def _box_quad(box: Box) -> Array:
    x0, y0, x1, y1 = box
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def clipped(quad: Array, width: int, height: int) -> Array | None:
    """A quadrilateral (4, 2) cut at the picture's edges: itself when inside, else the smallest turned
    rectangle round what is left; None when nothing is."""
    if (quad >= 0).all() and (quad <= (width, height)).all():
        return quad
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    area, part = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
    if area < 4 or part is None or len(part) < 3:
        return None
    points = part.reshape(-1, 2)
    upright = {float(quad[0, 0]), float(quad[1, 0])} == {float(quad[2, 0]), float(quad[3, 0])}
    if upright and quad[0, 1] == quad[1, 1]:
        low, high = points.min(axis=0), points.max(axis=0)
        return _box_quad((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points)))


def truth(sample: Sample, name: str) -> dict[str, Any]:
    """Everything known of a picture, ready for JSON."""
    camera = sample.picture.camera
    return {
        "format": "veedor.synth/1",
        "image": name,
        "photo": sample.photo,
        "camera": {
            "matrix": camera.matrix.tolist(),
            "rotation": camera.rotation.tolist(),
            "translation_mm": camera.translation_mm.tolist(),
            "k1": camera.k1,
            "k2": camera.k2,
            "width_px": camera.width_px,
            "height_px": camera.height_px,
        },
        **asdict(sample.picture.labels),
    }


def write(out: Path, split: str, number: int, sample: Sample, cut: bool = False) -> None:
    """Write one picture, its label file and, last, its truth."""
    name = f"{number:06d}"
    _, data = cv2.imencode(".jpg", sample.image, [cv2.IMWRITE_JPEG_QUALITY, 93])
    (out / "images" / split / f"{name}.jpg").write_bytes(data.tobytes())
    h, w = sample.image.shape[:2]
    lines = [
        " ".join([str(t.cls), *(f"{x:.6f} {y:.6f}" for x, y in t.corners)])
        for t in targets(sample.picture.labels, (w, h), cut)
    ]
    (out / "labels" / split / f"{name}.txt").write_text("".join(line + "\n" for line in lines))
    text = json.dumps(truth(sample, f"images/{split}/{name}.jpg"), separators=(",", ":"))
    (out / "truth" / split / f"{name}.json").write_text(text)


def prepare(out: Path, split: str) -> None:
    """Make the folders and ``data.yaml``."""
    for kind in ("images", "labels", "truth"):
        (out / kind / split).mkdir(parents=True, exist_ok=True)
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(CLASSES))
    splits = sorted(path.name for path in (out / "images").iterdir() if path.is_dir())
    val = "val" if "val" in splits else "train"
    (out / "data.yaml").write_text(
        f"path: {out.resolve()}\ntrain: images/train\nval: images/{val}\nnames:\n{names}"
    )


def main(
    out: Annotated[Path, typer.Option(help="Folder to write to")],
    count: Annotated[int, typer.Option(help="Number of pictures")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed; train and val need different ones")] = 0,
    split: Annotated[str, typer.Option(help="train or val")] = "train",
    size: Annotated[int, typer.Option(help="Side of the pictures, pixels")] = 640,
    photos: Annotated[float, typer.Option(help="Part of close photographs, 0..1")] = 0.3,
    cut: Annotated[
        bool, typer.Option(help="End labels at the picture's edges (Ultralytics' loader)")
    ] = False,
    decks: Annotated[Path | None, typer.Option(help="Folder of fetched decks (datasets.decks_fetch)")] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="Folder of any pictures, for grounds, backs and printed things")
    ] = None,
) -> None:
    """Write COUNT labelled pictures; those that are there already are kept."""
    cv2.setNumThreads(1)
    prepare(out, split)
    packs = load_packaged(decks) if decks is not None else ()
    stock = PictureStock.of(pictures) if pictures is not None else None
    known, kit = -1, None
    for number in track(range(count), description="pictures"):
        if (out / "truth" / split / f"{number:06d}.json").is_file():
            continue
        wanted, photo = kit_of(seed, number, photos)
        if kit is None or wanted != known:
            known, kit = wanted, make_kit(wanted, photo, packs, stock)
        write(out, split, number, make_sample(seed, number, kit, photo, size), cut)


if __name__ == "__main__":
    typer.run(main)
