"""Scoring card and chip reading on labelled still photographs.

The label file is ``labels.jsonl``: one JSON object a line with ``path``, ``source`` and ``objects`` (``cls``,
``box`` x0 y0 x1 y1 in pixels, ``covers``: ``full-card``, ``corner-index``, ``chip`` or ``stack``) or
``image_labels`` where only the picture as a whole is labelled. Sources are never mixed: each has its own
camera, decks and kind of label.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.errors import VeedorError
from veedor.score.tally import Disagreement, Rate, SourceScore

FOUND_IOU = 0.5
"""Overlap (intersection over union of boxes) from which an object counts as found."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card the product found: its name (``??`` unread, ``back``), its upright box, px, and probability."""

    name: str
    box: Box
    p: float


@dataclass(frozen=True, slots=True)
class SeenPhoto:
    """All that the product found on one photograph."""

    cards: tuple[SeenCard, ...]
    chips: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """A labelled card: its name (rank alone where the source labels no suit), or ``back``; None: a joker
    or a face the labeller was not sure of, which any answer but a name satisfies."""

    name: str | None
    box: Box


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """One line of the label file. ``names``: the distinct cards in the picture, where boxes do not say."""

    path: Path
    source: str
    cards: tuple[LabelledCard, ...]
    names: frozenset[str] | None
    chips: tuple[Box, ...]


def our_name(cls: str) -> str | None:
    """A label's class in our notation: ``10H`` is ``Th``, ``K`` stays a rank, ``back`` stays.

    >>> our_name("10H"), our_name("AS"), our_name("10"), our_name("JOKER")
    ('Th', 'As', 'T', None)
    """
    if cls in ("JOKER", "card"):
        return None
    if cls == "back":
        return cls
    name = cls.replace("10", "T")
    return name[0] + name[1:].lower()


def read_labels(file: Path) -> list[LabelledPhoto]:
    """All labelled photographs of a ``labels.jsonl``. Raises VeedorError naming the line that is broken."""
    photos = []
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise VeedorError(f"The labels {file} cannot be read ({error}): save them as UTF-8.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            photos.append(_photo(json.loads(line), file.parent))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise VeedorError(f"{file}, line {number} is not a photograph's label: {error!r}") from None
    return photos


def _photo(record: dict[str, Any], folder: Path) -> LabelledPhoto:
    objects = record.get("objects") or []
    by_cover: dict[str, list[dict[str, Any]]] = {}
    for thing in objects:
        by_cover.setdefault(thing["covers"], []).append(thing)
    names: frozenset[str] | None = None
    whole = record.get("image_labels") or {}
    if "corner-index" in by_cover:
        names = frozenset(filter(None, (our_name(o["cls"]) for o in by_cover["corner-index"]))) - {"back"}
    elif whole.get("cards") and "full-card" not in by_cover:
        names = frozenset(filter(None, map(our_name, whole["cards"])))
    full = by_cover.get("full-card", [])
    return LabelledPhoto(
        path=folder / record["path"],
        source=record["source"],
        cards=tuple(LabelledCard(our_name(o["cls"]), _box(o["box"])) for o in full),
        names=names,
        chips=tuple(_box(o["box"]) for kind in ("chip", "stack") for o in by_cover.get(kind, [])),
    )


def _box(values: Sequence[float]) -> Box:
    x0, y0, x1, y1 = (float(v) for v in values)
    return x0, y0, x1, y1


def overlaps(a: Sequence[Box], b: Sequence[Box]) -> NDArray[np.float64]:
    """Intersection over union of every box of ``a`` with every box of ``b``: (len(a), len(b))."""
    left, right = np.array(a, dtype=float).reshape(-1, 1, 4), np.array(b, dtype=float).reshape(1, -1, 4)
    low, high = np.maximum(left[..., :2], right[..., :2]), np.minimum(left[..., 2:], right[..., 2:])
    both = np.prod(np.clip(high - low, 0, None), axis=-1)
    areas = np.prod(left[..., 2:] - left[..., :2], axis=-1) + np.prod(
        right[..., 2:] - right[..., :2], axis=-1
    )
    shares: NDArray[np.float64] = both / np.maximum(areas - both, 1e-9)
    return shares


def match(labels: Sequence[Box], seen: Sequence[Box], at_least: float = FOUND_IOU) -> dict[int, int]:
    """Pair labels with what was seen, best overlap first, each used once: label index to seen index."""
    pairs: dict[int, int] = {}
    if not labels or not seen:
        return pairs
    shares = overlaps(labels, seen)
    for flat in np.argsort(-shares, axis=None):
        i, j = (int(k) for k in np.unravel_index(flat, shares.shape))
        if shares[i, j] < at_least:
            break
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


class _Count:
    """Rates by name, counted up one answer at a time."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}

    def add(self, name: str, right: int, n: int) -> None:
        count = self._counts.setdefault(name, [0, 0])
        count[0] += right
        count[1] += n

    def rates(self) -> dict[str, Rate]:
        return {name: Rate(right, n) for name, (right, n) in self._counts.items() if n}


def _agrees(label: str, seen: str) -> bool:
    """Whether a reading agrees with a label; a label that is a rank alone asks for no suit."""
    return seen == label if len(label) != 1 else seen[:1] == label


def score_photo(label: LabelledPhoto, seen: SeenPhoto, count: _Count) -> list[Disagreement]:
    """Count one photograph's answers; returns what differs."""
    differences: list[Disagreement] = []
    item = label.path.name

    def differ(expected: str, said: str, weight: float) -> None:
        differences.append(Disagreement(label.source, item, expected, said, weight))

    if label.cards:
        pairs = match([card.box for card in label.cards], [card.box for card in seen.cards])
        count.add("cards_found", len(pairs), len(label.cards))
        count.add("card_precision", len(pairs), len(seen.cards))
        for i, card in enumerate(label.cards):
            said = seen.cards[pairs[i]] if i in pairs else None
            if card.name is None:
                continue
            right = said is not None and _agrees(card.name, said.name)
            kind = "backs_right" if card.name == "back" else "cards_right"
            count.add(kind, right, 1)
            if said is not None and said.name != "??" and card.name != "back":
                count.add("right_when_named", right, 1)
            if not right:
                differ(card.name, said.name if said else "not found", 1.0 + (said.p if said else 0.0))
    if label.names:
        named = {card.name for card in seen.cards} - {"??", "back"}
        count.add("cards_right", len(label.names & named), len(label.names))
        count.add("right_when_named", len(label.names & named), len(named))
        if label.names != named:
            gone, more = sorted(label.names - named), sorted(named - label.names)
            differ(f"{len(label.names)} cards", f"missed {gone}, not there {more}", 1.0 + len(more))
    if label.chips:
        pairs = match(label.chips, seen.chips)
        count.add("chips_found", len(pairs), len(label.chips))
        count.add("chip_precision", len(pairs), len(seen.chips))
        if len(pairs) < len(label.chips):
            differ(f"{len(label.chips)} chips or stacks", f"{len(pairs)} of them found", 0.5)
    return differences


def score_photographs(
    photos: Iterable[LabelledPhoto],
    read: Callable[[NDArray[np.uint8]], SeenPhoto],
    on_progress: Callable[[], None] = lambda: None,
) -> list[SourceScore]:
    """Read every photograph and score it, source by source."""
    scores: dict[str, SourceScore] = {}
    counts: dict[str, _Count] = {}
    for photo in photos:
        score = scores.setdefault(photo.source, SourceScore(photo.source, 0))
        count = counts.setdefault(photo.source, _Count())
        on_progress()
        image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
        if image is None:
            score.notes.append(f"{photo.path.name} cannot be opened as a picture; left out")
            continue
        score.n += 1
        if not (photo.cards or photo.names or photo.chips):
            continue
        score.disagreements += score_photo(photo, read(np.asarray(image, dtype=np.uint8)), count)
    for source, score in scores.items():
        score.measures = counts[source].rates()
        if not score.measures:
            score.notes.append("labelled in a way that veedor does not yet measure (no cards or chips named)")
    return list(scores.values())
