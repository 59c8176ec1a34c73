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
from veedor.score.calibration import calibration_error
from veedor.score.matching import Box, Outline, box_round, match, match_outlines
from veedor.score.tally import Disagreement, Figure, Rate, SourceScore

SHORT_SIDES_PX = ((24, 40), (40, 80), (80, 100_000))
"""Classes of cards by the short side of their labelled box: found from 24 px, read from 40 px."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card the product found: its name (``??`` unread, ``back``), its outline, px, and probability."""

    name: str
    outline: Outline
    p: float

    @property
    def box(self) -> Box:
        """The upright box round it."""
        return box_round(self.outline)


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


class Count:
    """Rates by name, counted up one answer at a time, and what was said how surely."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}
        self._said: list[tuple[float, bool]] = []

    def add(self, name: str, right: int, n: int) -> None:
        """Count ``right`` out of ``n`` more."""
        count = self._counts.setdefault(name, [0, 0])
        count[0] += right
        count[1] += n

    def said(self, p: float, right: bool) -> None:
        """Note a name that was given with a probability."""
        self._said.append((p, right))

    def rates(self) -> dict[str, Rate]:
        """Every rate of which anything was counted."""
        return {name: Rate(right, n) for name, (right, n) in self._counts.items() if n}

    def figures(self) -> dict[str, Figure]:
        """The calibration error, where anything was named."""
        error = calibration_error([p for p, _ in self._said], [right for _, right in self._said])
        return {} if error is None else {"calibration_error": error}


def _agrees(label: str, seen: str) -> bool:
    """Whether a reading agrees with a label; a label that is a rank alone asks for no suit."""
    return seen == label if len(label) != 1 else seen[:1] == label


def score_photo(
    label: LabelledPhoto, seen: SeenPhoto, count: Count, size_px: tuple[int, int]
) -> list[Disagreement]:
    """Count the answers on one photograph of ``size_px`` (width, height); returns what differs."""
    differences: list[Disagreement] = []
    item = label.path.name

    def differ(expected: str, said: str, weight: float) -> None:
        differences.append(Disagreement(label.source, item, expected, said, weight))

    if label.cards:
        pairs = match_outlines(
            [card.box for card in label.cards], [card.outline for card in seen.cards], size_px
        )
        count.add("cards_found", len(pairs), len(label.cards))
        count.add("card_precision", len(pairs), len(seen.cards))
        for i, card in enumerate(label.cards):
            said = seen.cards[pairs[i]] if i in pairs else None
            right = said is not None and card.name is not None and _agrees(card.name, said.name)
            _count_card(card, said, right, count)
            if card.name is not None and not right:
                differ(card.name, said.name if said else "not found", 1.0 + (said.p if said else 0.0))
        for j, more in enumerate(seen.cards):
            if j not in pairs.values():
                differ("no card", more.name, more.p)
    if label.names:
        named = {card.name for card in seen.cards} - {"??", "back"}
        count.add("cards_right", len(label.names & named), len(label.names))
        count.add("right_when_named", len(label.names & named), len(named))
        for name in named:
            surest = max(card.p for card in seen.cards if card.name == name)
            count.said(surest, name in label.names)
        if label.names != named:
            gone, added = sorted(label.names - named), sorted(named - label.names)
            differ(f"{len(label.names)} cards", f"missed {gone}, not there {added}", 1.0 + len(added))
    if label.chips:
        pairs = match(label.chips, seen.chips)
        count.add("chips_found", len(pairs), len(label.chips))
        count.add("chip_precision", len(pairs), len(seen.chips))
        if len(pairs) < len(label.chips):
            differ(f"{len(label.chips)} chips or stacks", f"{len(pairs)} of them found", 0.5)
    return differences


def _count_card(card: LabelledCard, said: SeenCard | None, right: bool, count: Count) -> None:
    """Count one labelled card: found, by its size, and named right."""
    short_px = min(card.box[2] - card.box[0], card.box[3] - card.box[1])
    size = next((f"{a}px" if b > 999 else f"{a}_{b}px" for a, b in SHORT_SIDES_PX if a <= short_px < b), None)
    if short_px >= SHORT_SIDES_PX[1][0] and card.name != "back":
        count.add("faces_found_40px", said is not None, 1)
    if size is not None:
        count.add(f"found_{size}", said is not None, 1)
    if card.name is None:
        return
    if card.name == "back":
        count.add("backs_right", right, 1)
        return
    count.add("cards_right", right, 1)
    if said is None:
        return
    count.add("right_when_found", right, 1)
    if size is not None:
        count.add(f"right_when_found_{size}", right, 1)
    if said.name != "??":
        count.add("right_when_named", right, 1)
        count.said(said.p, right)


def score_photographs(
    photos: Iterable[LabelledPhoto],
    read: Callable[[NDArray[np.uint8]], SeenPhoto],
    on_progress: Callable[[], None] = lambda: None,
) -> list[SourceScore]:
    """Read every photograph and score it, source by source."""
    scores: dict[str, SourceScore] = {}
    counts: dict[str, Count] = {}
    for photo in photos:
        score = scores.setdefault(photo.source, SourceScore(photo.source, 0))
        count = counts.setdefault(photo.source, Count())
        on_progress()
        image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
        if image is None:
            score.notes.append(f"{photo.path.name} cannot be opened as a picture; left out")
            continue
        score.n += 1
        if not (photo.cards or photo.names or photo.chips):
            continue
        score.disagreements += score_photo(
            photo, read(np.asarray(image, dtype=np.uint8)), count, (image.shape[1], image.shape[0])
        )
    for source, score in scores.items():
        score.measures, score.figures = counts[source].rates(), counts[source].figures()
        if not score.measures:
            score.notes.append("labelled in a way that veedor does not yet measure (no cards or chips named)")
    return list(scores.values())
