"""Card artwork for synthesis: free packs fetched by package name, packs drawn here, packs without indices.

    Deck                  what a renderer needs: faces and backs as BGRA pictures of any height
    ├── PackagedDeck      pictures of a free package (``python -m datasets.decks_fetch --out DIR``)
    ├── DrawnDeck         drawn by rule from a seed (``datasets.decks_drawn``)
    └── WithoutIndices    any of them with its corner indices painted out

Pictures hold the card only: transparent outside its rounded corners, upright, width by the pack's own ratio.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from datasets.decks_backs import back_svg
from datasets.decks_drawn import COURTS, HEIGHT_MM, DeckStyle, deck_style, face_svg, index_svg
from datasets.decks_fonts import IndexFont
from rules.cards import PACK, Card
from rules.errors import VeedorError

Picture = NDArray[np.uint8]


class DeckError(VeedorError):
    """Card artwork that is missing or cannot be read."""


class Deck(Protocol):
    """A pack of 52 faces and any number of backs."""

    @property
    def name(self) -> str:
        """Unique among the decks in use."""

    @property
    def licence(self) -> str:
        """SPDX expression of the artwork."""

    @property
    def source(self) -> str:
        """Package that the artwork comes from, or ``veedor`` where it is drawn here."""

    @property
    def indices(self) -> bool:
        """Whether the corners carry rank and suit."""

    def face(self, card: Card, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA, straight alpha."""

    def back(self, variant: int, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA; the same variant always looks the same."""


def rasterise(svg: str, height_px: int, fonts: Sequence[Path] = ()) -> Picture:
    """An SVG document as (height_px, w, 4) uint8 BGRA with straight alpha; text uses ``fonts`` only."""
    data = resvg_py.svg_to_bytes(
        svg_string=svg, height=height_px, skip_system_fonts=True, font_files=[str(f) for f in fonts] or None
    )
    picture = cv2.imdecode(np.frombuffer(bytes(data), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise DeckError("an SVG drawing of a card gave no picture: check that resvg-py is a current release")
    return np.asarray(picture, np.uint8)


def _scaled(picture: Picture, height_px: int) -> Picture:
    h, w = picture.shape[:2]
    width_px = max(1, round(w * height_px / h))
    way = cv2.INTER_AREA if height_px < h else cv2.INTER_CUBIC
    # Colours are weighted by alpha so that the transparent corners do not bleed into the edge.
    alpha = picture[..., 3:].astype(np.float32) / 255
    colour = cv2.resize(picture[..., :3].astype(np.float32) * alpha, (width_px, height_px), interpolation=way)
    small = np.clip(cv2.resize(alpha, (width_px, height_px), interpolation=way), 0, 1)[..., None]
    colour = np.clip(colour / np.maximum(small, 1e-3), 0, 255)
    return np.concatenate([colour, small * 255], axis=2).round().astype(np.uint8)


@dataclass(frozen=True, slots=True)
class DrawnDeck:
    """A pack drawn by rule; see ``datasets.decks_drawn.deck_style``."""

    style: DeckStyle

    @property
    def name(self) -> str:
        return f"drawn-{self.style.seed}"

    @property
    def licence(self) -> str:
        return "AGPL-3.0-or-later"

    @property
    def source(self) -> str:
        return "veedor"

    @property
    def indices(self) -> bool:
        return self.style.index_mm > 0

    def face(self, card: Card, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        font = self.style.font
        return rasterise(face_svg(self.style, card), height_px, [font.path] if font else [])

    def back(self, variant: int, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        return rasterise(back_svg(variant, self.style.width, HEIGHT_MM, self.style.corner), height_px)


def drawn_deck(seed: int, fonts: Sequence[IndexFont] | None = None, indices: bool | None = None) -> DrawnDeck:
    """The drawn pack of a seed; ``indices`` forces corner indices (True) or none (False)."""
    return DrawnDeck(deck_style(seed, fonts, indices))


@dataclass(frozen=True, slots=True)
class PackagedDeck:
    """A fetched pack: a folder of ``Th.png`` … and ``back.png`` with ``deck.json`` (see ``decks_fetch``)."""

    folder: Path
    name: str
    licence: str
    source: str
    indices: bool
    index_corner: tuple[float, float] | None = None
    """Width and height of the corner index as shares of the card's; None where it cannot be erased."""

    @classmethod
    def load(cls, folder: Path) -> PackagedDeck:
        """Raises DeckError where the folder is not a complete fetched pack."""
        try:
            about = json.loads((folder / "deck.json").read_text(encoding="utf-8"))
            corner = about["index_corner"]
            deck = cls(
                *(folder, about["name"], about["licence"], about["source"], about["indices"]),
                index_corner=(float(corner[0]), float(corner[1])) if corner else None,
            )
        except (OSError, ValueError, KeyError) as error:
            raise DeckError(
                f"{folder} is not a fetched pack of cards ({error}): run datasets.decks_fetch again"
            ) from error
        missing = [str(card) for card in PACK if not (folder / f"{card}.png").is_file()]
        if missing:
            raise DeckError(
                f"{folder} lacks the faces {', '.join(missing)}: run 'python -m datasets.decks_fetch' again"
            )
        return deck

    def face(self, card: Card, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        return _scaled(_read_picture(self.folder / f"{card}.png"), height_px)

    def back(self, variant: int, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA; variant 0 is the pack's own back, others are drawn."""
        own = self.folder / "back.png"
        if variant == 0 and own.is_file():
            return _scaled(_read_picture(own), height_px)
        h, w = _read_picture(self.folder / f"{PACK[0]}.png").shape[:2]
        return rasterise(back_svg(variant, HEIGHT_MM * w / h, HEIGHT_MM, 3.0), height_px)


@functools.lru_cache(maxsize=256)
def _read_picture(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise DeckError(f"{path} is not a picture of a card with transparency: fetch the decks again")
    return np.asarray(picture, np.uint8)


@dataclass(frozen=True, slots=True)
class WithoutIndices:
    """A pack with its corner indices painted out in the colour of its paper, as chemin de fer packs are."""

    deck: PackagedDeck
    corner: tuple[float, float]
    """Width and height of the erased corners, as shares of the card's width and height."""

    @property
    def name(self) -> str:
        return f"{self.deck.name}-noidx"

    @property
    def licence(self) -> str:
        return self.deck.licence

    @property
    def source(self) -> str:
        return self.deck.source

    @property
    def indices(self) -> bool:
        return False

    def face(self, card: Card, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        return erase_corners(self.deck.face(card, height_px), self.corner)

    def back(self, variant: int, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        return self.deck.back(variant, height_px)


def erase_corners(face: Picture, corner: tuple[float, float]) -> Picture:
    """Paint the index corners of a face with the paper's colour, leaving what is joined to the middle.

    Only marks that lie wholly in a corner strip are an index; a court's frame or a pip that reaches in stays.
    """
    h, w = face.shape[:2]
    solid = face[..., 3] > 250
    paper = np.median(face[h // 12 : h // 3, w // 3 : 2 * w // 3][..., :3].reshape(-1, 3), axis=0)
    # The most frequent light colour along the edge strip is the paper, whatever the middle shows.
    edge = face[h // 3 : 2 * h // 3, w // 40 + 1 : w // 14 + 2, :3].reshape(-1, 3)
    if len(edge):
        paper = np.median(edge, axis=0)
    differs = (np.abs(face[..., :3].astype(np.int16) - paper).max(axis=2) > 40) & solid
    count, labels, stats, _ = cv2.connectedComponentsWithStats(differs.astype(np.uint8), connectivity=8)
    cw, ch = corner[0] * w, corner[1] * h
    out = face.copy()
    wipe = np.zeros((h, w), bool)
    for k in range(1, count):
        x, y, bw, bh = (int(v) for v in stats[k, :4])
        left, right = x + bw <= cw * 1.12, x >= w - cw * 1.12
        top, bottom = y + bh <= ch, y >= h - ch
        thin = bw < 0.04 * w and bh > 0.2 * h  # a border line, not a letter
        if (left or right) and (top or bottom) and not thin:
            wipe |= labels == k
    wipe = cv2.dilate(wipe.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=max(1, h // 150)) > 0
    out[wipe & solid, :3] = paper.astype(np.uint8)
    return out


@dataclass(frozen=True, slots=True)
class MixedDeck:
    """A drawn pack whose court figures are those of a pack without indices, mirrored or not.

    ``shift`` 1 or 2 gives each court the figure of another rank: where there is an index, it is that which
    counts, and a reader has to learn that too.
    """

    drawn: DrawnDeck
    courts: Deck
    mirrored: bool
    shift: int = 0

    @property
    def name(self) -> str:
        turned = "-mirrored" if self.mirrored else ""
        return f"{self.drawn.name}+{self.courts.name}{turned}+{self.shift}"

    @property
    def licence(self) -> str:
        return f"{self.drawn.licence} AND {self.courts.licence}"

    @property
    def source(self) -> str:
        return f"{self.drawn.source}, {self.courts.source}"

    @property
    def indices(self) -> bool:
        return self.drawn.indices

    def face(self, card: Card, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        if card.rank not in COURTS:
            return self.drawn.face(card, height_px)
        shown = Card(COURTS[(COURTS.index(card.rank) + self.shift) % 3], card.suit)
        figure = self.courts.face(shown, height_px)
        if self.mirrored:
            figure = np.ascontiguousarray(figure[:, ::-1])
        font = self.drawn.style.font
        index = rasterise(index_svg(self.drawn.style, card), height_px, [font.path] if font else [])
        index = cv2.resize(index, figure.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = index[..., 3:] / 255
        figure[..., :3] = (figure[..., :3] * (1 - alpha) + index[..., :3] * alpha).astype(np.uint8)
        return figure

    def back(self, variant: int, height_px: int) -> Picture:
        """(height_px, w, 4) uint8 BGRA."""
        return self.drawn.back(variant, height_px)


def without_indices(deck: Deck) -> Deck:
    """The same pack as a chemin de fer pack, without corner indices; itself where it has none.

    Raises DeckError for a pack whose indices are part of its picture (``index_corner`` None).
    """
    if not deck.indices:
        return deck
    if isinstance(deck, DrawnDeck):
        return DrawnDeck(replace(deck.style, index_mm=0.0))
    if isinstance(deck, PackagedDeck) and deck.index_corner is not None:
        return WithoutIndices(deck, deck.index_corner)
    raise DeckError(f"the indices of the pack {deck.name} cannot be told from its picture: take another pack")


def load_packaged(folder: Path) -> tuple[PackagedDeck, ...]:
    """Every pack below a folder that ``decks_fetch`` filled, by name; DeckError where there is none."""
    found = tuple(PackagedDeck.load(path.parent) for path in sorted(folder.glob("*/deck.json")))
    if not found:
        raise DeckError(
            f"{folder} holds no fetched packs: run 'python -m datasets.decks_fetch --out {folder}' first"
        )
    return found


def random_deck(rng: np.random.Generator, packaged: Sequence[Deck] = (), indices: bool | None = None) -> Deck:
    """A pack for one picture or scene: a fetched one (half of the time, where there are any) or a drawn one.

    ``indices`` forces a pack with or without corner indices; by default about a third have none.
    """
    bare = bool(rng.random() < 0.35) if indices is None else not indices
    choice = [deck for deck in packaged if not bare or _can_be_bare(deck)]
    if not choice or rng.random() < 0.5:
        return drawn_deck(int(rng.integers(1 << 31)), indices=not bare)
    deck = choice[int(rng.integers(len(choice)))]
    return without_indices(deck) if bare else deck


def _can_be_bare(deck: Deck) -> bool:
    return not isinstance(deck, PackagedDeck) or deck.index_corner is not None
