"""The pictures on cards as the renderer wants them: of one deck, on some paper, at several sizes."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from datasets.decks import Deck
from datasets.synth.patch import premultiplied
from datasets.synth.pictures import PictureStock, fitted
from datasets.synth.raster import Array, draw_text, hsv
from datasets.synth.scene import CardItem
from rules.cards import PACK, Face

_HEIGHTS = (48, 72, 104, 150, 210, 300, 420, 600)
_LARGE_PX = 210
"""Smaller pictures are made from this one: drawing a face takes longer than reducing it."""
PICTURE_BACKS = 5000
"""Backs from this number on are pictures with a border, the same from either end."""


@dataclass(frozen=True, slots=True)
class CardLook:
    """What is unusual about a pack, for a detector that shall know cards it never saw.

    ``paper`` (blue, green, red) multiplies every colour; ``foil``: glitter, 0..1; ``odd``: the share of faces
    with a strange figure in the middle, as jokers and novelty packs have.
    """

    paper: tuple[float, float, float] = (1.0, 1.0, 1.0)
    foil: float = 0.0
    odd: float = 0.0
    seed: int = 0
    stock: PictureStock = field(default_factory=PictureStock)


def random_look(rng: np.random.Generator, stock: PictureStock) -> CardLook:
    """Mostly white paper and plain faces; cream, gold, silver and coloured ones, strange figures."""
    kind, seed = rng.random(), int(rng.integers(1 << 31))
    odd = float(rng.choice([0.0, rng.uniform(0.02, 0.5)], p=[0.6, 0.4]))
    if kind < 0.62:
        return CardLook(odd=odd, seed=seed, stock=stock)
    if kind < 0.78:  # cream, yellowed, dirty
        blue = float(rng.uniform(0.7, 0.97))
        return CardLook((blue, (1 + blue) / 2, 1.0), 0.0, odd, seed, stock)
    if kind < 0.92:  # gold and silver foil
        gold = float(rng.uniform(0, 1)) ** 0.5
        level = float(rng.uniform(0.6, 0.98))
        paper = (level * (1 - 0.62 * gold), level * (1 - 0.2 * gold), level)
        return CardLook(paper, float(rng.uniform(0.1, 0.9)), odd, seed, stock)
    blue, green, red = hsv(rng.random(), rng.uniform(0.1, 0.6), rng.uniform(0.35, 1))
    return CardLook((blue / 255, green / 255, red / 255), 0.0, odd, seed, stock)


class CardTextures:
    """Premultiplied card pictures of one deck at the sizes that the renderer asks for."""

    def __init__(self, deck: Deck, look: CardLook | None = None) -> None:
        self.deck = deck
        self.look = CardLook() if look is None else look
        self._kept: dict[tuple[str, int, int], Array] = {}

    def picture(self, item: CardItem, face: Face, height_px: float) -> Array:
        """Premultiplied BGRA of the side that is seen, about ``height_px`` high."""
        size = next((s for s in _HEIGHTS if s >= height_px), _HEIGHTS[-1])
        if face is Face.UP and item.card is not None:
            key = (str(item.card), 0, size)
        else:
            key = ("back", item.back, size)
        if key not in self._kept:
            self._kept[key] = (
                self._small(item, face, size) if size < _LARGE_PX else self._drawn(item, face, size)
            )
        return self._kept[key]

    def _small(self, item: CardItem, face: Face, size: int) -> Array:
        large = self.picture(item, face, _LARGE_PX)
        width = max(1, round(large.shape[1] * size / large.shape[0]))
        return np.asarray(cv2.resize(large, (width, size), interpolation=cv2.INTER_AREA))

    def _drawn(self, item: CardItem, face: Face, size: int) -> Array:
        if face is Face.UP and item.card is not None:
            number = PACK.index(item.card)
            drawn = np.array(self.deck.face(item.card, size))
            rng = np.random.default_rng([self.look.seed, number])
            if rng.random() < self.look.odd:
                _strange(drawn, rng, self.look.stock)
        elif item.back >= PICTURE_BACKS:
            drawn = _picture_back(np.array(self.deck.back(1, size)), item.back, self.look.stock)
        else:
            drawn = np.array(self.deck.back(item.back, size))
        _on_paper(drawn, self.look)
        return premultiplied(drawn)


def _on_paper(card: Array, look: CardLook) -> None:
    """Multiply a card (h, w, 4) uint8 with its paper's colour and glitter, in place."""
    if look.paper == (1.0, 1.0, 1.0) and look.foil == 0:
        return
    gain: Array = np.broadcast_to(np.array(look.paper), (*card.shape[:2], 3))
    if look.foil > 0:
        rng = np.random.default_rng(look.seed)
        h, w = card.shape[:2]
        grain: Array = cv2.GaussianBlur(rng.standard_normal((h, w)), (0, 0), max(0.6, h / 400))
        grain = grain / max(float(grain.std()), 1e-6)
        slope = np.linspace(-1, 1, h)[:, None] * float(rng.normal(0, 1))
        gain = gain * (1 + look.foil * (0.16 * grain + 0.25 * slope))[..., None]
    card[..., :3] = np.clip(card[..., :3] * gain, 0, 255)


def _strange(card: Array, rng: np.random.Generator, stock: PictureStock) -> None:
    """A figure of its own in the middle of a face (h, w, 4), in place; now and then a word down the edge."""
    h, w = card.shape[:2]
    paper = tuple(
        int(v) for v in np.median(card[h // 3 : -h // 3, w // 30 : w // 12, :3].reshape(-1, 3), axis=0)
    )
    across, down = rng.uniform(0.13, 0.3), rng.uniform(0.06, 0.3)
    x0, x1, y0, y1 = int(across * w), int((1 - across) * w), int(down * h), int((1 - down) * h)
    field = card[y0:y1, x0:x1, :3]
    kind = rng.random()
    figure = fitted(stock.picture(rng), *field.shape[:2])
    if kind < 0.4:  # a line drawing on the card's own paper
        grey = cv2.cvtColor(figure, cv2.COLOR_BGR2GRAY)
        soft = cv2.GaussianBlur(grey, (0, 0), max(0.5, h / 150))
        lines = np.clip((soft.astype(np.int16) - grey) * 6, 0, 255).astype(np.float32)[..., None] / 255
        tone = np.array(hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.05, 0.6)), np.float32)
        field[...] = np.array(paper, np.float32) * (1 - lines) + tone * lines
    elif kind < 0.75:  # cut out in an oval or a shape
        mask = np.zeros(field.shape[:2], np.uint8)
        middle = (field.shape[1] // 2, field.shape[0] // 2)
        axes = (int(middle[0] * rng.uniform(0.5, 1)), int(middle[1] * rng.uniform(0.4, 1)))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, 255, -1)
        field[...] = paper
        np.copyto(field, figure, where=(mask > 0)[..., None])
    else:
        field[...] = figure
    if rng.random() < 0.3:  # the corners' index gives way to a word, as on jokers
        corner, ink = card[: h // 3, : w // 7, :3], hsv(rng.random(), 0.8, rng.uniform(0, 0.6))
        inner = corner[h // 40 :, w // 30 :]
        inner[...] = paper
        page = np.ascontiguousarray(card[..., :3])
        for i, letter in enumerate("JOKER"):
            draw_text(page, letter, (w * 0.09, h * (0.08 + 0.06 * i)), h * 0.06, ink, weight=600)
        card[..., :3] = page
    opaque = card[..., 3] > 250
    if rng.random() < 0.7:
        half = np.ascontiguousarray(card[: h // 2][::-1, ::-1])
        both = opaque[h - h // 2 :]
        np.copyto(card[h - h // 2 :, :, :3], half[..., :3], where=both[..., None])


def _picture_back(card: Array, number: int, stock: PictureStock) -> Array:
    """A back (h, w, 4) with a picture that looks the same from either end, inside a border."""
    rng = np.random.default_rng(number)
    h, w = card.shape[:2]
    card[..., :3] = hsv(rng.random(), rng.choice([0.0, 0.0, 0.8]), rng.choice([0.1, 0.95, 1.0]))
    edge = int(w * float(rng.choice([0.0, 0.03, 0.06, 0.09])))
    inner = card[edge : h - edge, edge : w - edge, :3]
    upper = fitted(stock.picture(rng), inner.shape[0] // 2, inner.shape[1])
    if rng.random() < 0.5:
        upper = np.maximum(upper, upper[:, ::-1])
    if rng.random() < 0.4:  # one ink on paper, as most backs are printed
        grey = cv2.cvtColor(upper, cv2.COLOR_BGR2GRAY)
        even = cv2.createCLAHE(4.0, (4, 4)).apply(grey).astype(np.float32)[..., None] / 255
        ink = np.array(hsv(rng.random(), rng.uniform(0.6, 1), rng.uniform(0.1, 0.7)), np.float32)
        upper = (ink * (1 - even) + 250 * even).astype(np.uint8)
    half = upper.shape[0]
    inner[:half] = upper
    inner[inner.shape[0] - half :] = upper[::-1, ::-1]
    return card
