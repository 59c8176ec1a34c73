"""Packets: the tuck boxes that cards are sold in, and boxes like them; and the squared pack itself.

A tuck box is as large as a card and printed like one, so it is what a card is most easily mistaken for. It
has a thickness, square corners and lettering, and it stands, lies, or lies open with cards drawn half out.
"""

from __future__ import annotations

import cv2
import numpy as np

from datasets.synth.card_textures import CardTextures
from datasets.synth.chips import clip_outside
from datasets.synth.flat import contact_shadow
from datasets.synth.patch import Canvas, Patch, premultiplied
from datasets.synth.pictures import PictureStock, fitted, print_on
from datasets.synth.raster import Array, Colour, draw_text, hsv
from datasets.synth.scene import CardItem, PropItem, PropKind
from datasets.synth.standing import box_faces
from rules.cards import PACK, Face

_BRANDS = (
    *("POKER", "BRIDGE", "Playing Cards", "BEE", "Standard", "Casino", "CANASTA", "54", "Jumbo", "No. 1"),
    *("Club", "Royal", "Magic", "TALLY", "Rider", "Gold", "CLASSIC", "100 % plastic", "Naipes", "Jeu de 52"),
)
_PX_PER_MM = 4.2
_ACES = tuple(number for number, card in enumerate(PACK) if str(card)[0] == "A")
_COURTS = tuple(number for number, card in enumerate(PACK) if str(card)[0] in "JQK")


def paint_packet(
    canvas: Canvas, item: PropItem, obj: int, textures: CardTextures, stock: PictureStock, to_light: Array
) -> None:
    """Paint a packet where it lies or stands; its thinnest side is what its front and back are apart by."""
    view = canvas.view
    size = (item.width_mm, item.depth_mm, item.height_mm)
    centre = np.array([item.x_mm, item.y_mm, 0.0])
    faces = [(_as_read(corners, i), normal) for i, (corners, normal) in
             enumerate(box_faces(centre, item.rot_deg, size))]  # fmt: skip
    flap = _flap(item, faces[0][0]) if item.kind is PropKind.PACKET else []
    everything = np.concatenate([corners for corners, _ in faces] + flap)
    if view.to_camera(everything)[:, 2].min() < 30 or clip_outside(view.project(everything), canvas):
        canvas.area[obj] = 1e9
        return
    contact_shadow(canvas, view.project(faces[0][0] - [0, 0, size[2]]), 0.4, view.px_per_mm(centre) * 1.4)
    patch = Patch(view.project(everything), 1.0)
    rng = np.random.default_rng(item.seed)
    art = _pack_art if item.kind is PropKind.PACK else _Print(item, rng, textures, stock).side
    for leaf in flap:
        _lay(patch, view.project(leaf), _paper(item.second, leaf), 0.85)
    for corners, normal in faces:
        wide, high = (float(np.linalg.norm(corners[i + 1] - corners[i])) for i in (0, 1))
        if float(normal @ (view.eye_mm - corners[0])) <= 0:
            continue
        level = 0.6 + 0.4 * max(0.0, float(normal @ to_light))
        _lay(patch, view.project(corners), art(wide, high, min(size)), level)
    layer = patch.reduced()
    canvas.area[obj] = float(np.count_nonzero(layer[..., 3] > 127))
    depth = float(view.to_camera(centre[None])[0, 2])
    canvas.lay(layer, patch.corner, obj, depth=None if item.kind is PropKind.PACK else depth)


def _as_read(corners: Array, number: int) -> Array:
    """A face's corners clockwise as seen from outside; ``box_faces`` gives the sides' the other way round."""
    return corners if number == 0 else corners[[1, 0, 3, 2]]


def _lay(patch: Patch, quad_px: Array, texture: Array, gain: float) -> None:
    h, w = texture.shape[:2]
    source = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    if abs(float(cv2.contourArea(quad_px.astype(np.float32)))) > 2:
        patch.warp(texture, cv2.getPerspectiveTransform(source, quad_px.astype(np.float32)), gain)


def _flap(item: PropItem, top: Array) -> list[Array]:
    """The lid's two leaves (4, 3) of an open packet that lies; none of a closed one or one that stands."""
    rng = np.random.default_rng([item.seed, 1])
    if rng.random() > 0.3 or item.height_mm > min(item.width_mm, item.depth_mm):
        return []
    a, b, _, d = top if item.depth_mm >= item.width_mm else np.roll(top, -1, axis=0)
    out = (a - d) / np.linalg.norm(a - d)
    hinge = np.array([a, b]) - [0, 0, item.height_mm * float(rng.choice([0.0, 0.95]))]
    rise = np.deg2rad(rng.uniform(2, 85))
    lid = out * item.height_mm * np.cos(rise) + np.array([0, 0, item.height_mm * np.sin(rise)])
    rise += np.deg2rad(rng.uniform(-40, 60))
    tongue = (out * np.cos(rise) + np.array([0, 0, np.sin(rise)])) * float(rng.uniform(10, 22))
    inset = (b - a) * 0.08
    first = np.array([hinge[0] + lid, hinge[1] + lid, hinge[1], hinge[0]])
    second = np.array([first[0] + tongue + inset, first[1] + tongue - inset, first[1], first[0]])
    return [np.maximum(second, [-1e9, -1e9, 0.3]), np.maximum(first, [-1e9, -1e9, 0.3])]


def _paper(colour: Colour, leaf: Array) -> Array:
    wide, high = np.linalg.norm(leaf[1] - leaf[0]), np.linalg.norm(leaf[3] - leaf[0])
    texture = np.empty((max(4, round(float(high))), max(4, round(float(wide))), 4), np.uint8)
    texture[...] = (*colour, 255)
    texture[:1] = texture[:, :1] = texture[:, -1:] = (*(int(v * 0.7) for v in colour), 255)
    return texture


def _pack_art(wide_mm: float, high_mm: float, thin_mm: float) -> Array:
    """The edges of a squared pack: white with fine lines. Its top is covered by a card."""
    w, h = max(8, round(wide_mm * _PX_PER_MM)), max(8, round(high_mm * _PX_PER_MM))
    texture = np.full((h, w, 4), 255, np.uint8)
    texture[..., :3] = 238
    if min(wide_mm, high_mm) <= thin_mm + 0.1:
        lines = texture if h <= w else texture.transpose(1, 0, 2)
        grey = np.random.default_rng(len(lines)).normal(222, 14, len(lines))
        lines[..., :3] = np.clip(grey, 150, 250).astype(np.uint8)[:, None, None]
    return texture


class _Print:
    """What is printed on one packet: its front and back in full, its sides in its colour."""

    def __init__(
        self, item: PropItem, rng: np.random.Generator, textures: CardTextures, stock: PictureStock
    ) -> None:
        self.item, self.rng, self.textures, self.stock = item, rng, textures, stock
        self.word = item.text or str(rng.choice(_BRANDS))
        self.foil = bool(rng.random() < 0.12)
        self.wrapped = bool(rng.random() < 0.25)

    def side(self, wide_mm: float, high_mm: float, thin_mm: float) -> Array:
        """Premultiplied BGRA of one side; upright as long as it is high, else printed along it."""
        w, h = max(8, round(wide_mm * _PX_PER_MM)), max(8, round(high_mm * _PX_PER_MM))
        turned = w > h
        page = np.empty((w, h, 3) if turned else (h, w, 3), np.uint8)
        page[...] = self.item.colour
        if min(wide_mm, high_mm) > thin_mm + 0.1:
            self._front(page)
        elif self.rng.random() < 0.7:
            short, long = page.shape[1], page.shape[0]
            along = np.ascontiguousarray(np.rot90(page))
            place = (long * float(self.rng.uniform(0.3, 0.7)), short / 2)
            draw_text(along, self.word, place, short * 0.5, self.item.second, fit_px=long * 0.7, weight=700)
            page = np.ascontiguousarray(np.rot90(along, -1))
        if self.foil:
            slope = np.linspace(0.75, 1.25, len(page))[:, None, None]
            page = np.clip(page * slope * (0.5, 0.85, 1.0), 0, 255).astype(np.uint8)
        if self.wrapped:
            _gleam(page, self.rng)
        out = np.full((*page.shape[:2], 4), 255, np.uint8)
        out[..., :3] = page
        edge = tuple(min(255, int(v * 1.2) + 12) for v in self.item.colour)
        cv2.rectangle(out, (0, 0), (out.shape[1] - 1, out.shape[0] - 1), (*edge, 255), 1)
        out = np.ascontiguousarray(np.rot90(out)) if turned else out
        return premultiplied(out)

    def _front(self, page: Array) -> None:
        """One large side (h, w, 3) in place: a back, a card, lettering, a picture or print; then words."""
        rng, (h, w) = self.rng, page.shape[:2]
        kind = str(
            rng.choice(["back", "card", "letters", "picture", "print"], p=[0.22, 0.3, 0.2, 0.14, 0.14])
        )
        margin = int(w * float(rng.choice([0.0, 0.03, 0.07, 0.12])))
        inner = page[margin : h - margin, margin : w - margin]
        if kind == "back":
            back = self.textures.picture(CardItem(None, 0, 0, back=self.item.back), Face.DOWN, h)
            inner[...] = fitted(back[h // 30 : -h // 30, w // 30 : -w // 30, :3], *inner.shape[:2])
        elif kind == "card":
            self._card(inner)
        elif kind == "picture":
            inner[...] = fitted(self.stock.picture(rng), *inner.shape[:2])
        elif kind == "print":
            print_on(page, rng, self.stock, self.item.second)
        if rng.random() < 0.35:
            line = max(1, round(w * float(rng.uniform(0.006, 0.02))))
            at = int(w * float(rng.uniform(0.03, 0.1)))
            cv2.rectangle(page, (at, at), (w - at, h - at), self.item.second, line)
        self._words(page, kind in ("letters", "card"))
        if rng.random() < 0.3:  # the thumb's notch at the top, through which the cards or the flap are seen
            inside = tuple(int(v) for v in rng.integers(60, 255, 3))
            radius = int(w * float(rng.uniform(0.1, 0.17)))
            cv2.circle(page, (w // 2, 0), radius, inside, -1, cv2.LINE_AA)
            cv2.circle(page, (w // 2, 0), radius, (60, 60, 60), 1, cv2.LINE_AA)
        if rng.random() < 0.15:  # the seal
            x, wide = w // 2, int(w * rng.uniform(0.08, 0.14))
            page[: int(h * rng.uniform(0.08, 0.2)), x - wide : x + wide] = hsv(rng.random(), 0.6, 0.8)

    def _card(self, inner: Array) -> None:
        """A card as an emblem: an ace's pip or a figure without its corners, or a whole card, small."""
        rng, (h, w) = self.rng, inner.shape[:2]
        number = int(rng.choice(_ACES if rng.random() < 0.6 else _COURTS))
        card = self.textures.picture(CardItem(PACK[number], 0, 0), Face.UP, 400)
        ch, cw = card.shape[:2]
        whole = rng.random() < 0.3
        part = card if whole else card[int(ch * 0.2) : int(ch * 0.8), int(cw * 0.2) : int(cw * 0.8)]
        share = float(rng.uniform(0.4, 0.85)) if whole else float(rng.uniform(0.35, 1.0))
        scale = share * min(h / part.shape[0], w / part.shape[1])
        size = (max(2, int(part.shape[1] * scale)), max(2, int(part.shape[0] * scale)))
        small = cv2.resize(np.ascontiguousarray(part), size, interpolation=cv2.INTER_AREA)
        x, y = (w - size[0]) // 2, int((h - size[1]) * rng.choice([0.5, 0.35, 0.65]))
        place = inner[y : y + size[1], x : x + size[0]]
        alpha = small[..., 3:].astype(np.float32) / 255
        if not whole and rng.random() < 0.6:  # printed on the box's own colour
            light = small[..., :3].min(axis=2, keepdims=True).astype(np.float32) / 255
            alpha = alpha * np.clip(1.6 - 1.6 * light, 0, 1)
        place[...] = place * (1 - alpha) + small[..., :3] * alpha

    def _words(self, page: Array, always: bool) -> None:
        rng, (h, w) = self.rng, page.shape[:2]
        tones = (self.item.second, (245, 245, 245), (15, 15, 15), hsv(rng.random(), 0.8, 0.8))
        tone = tones[int(rng.integers(4))]
        if always or rng.random() < 0.55:
            tall, place = float(rng.uniform(0.08, 0.26)) * h, float(rng.choice([0.15, 0.22, 0.5, 0.8])) * h
            turn = 90.0 if rng.random() < 0.1 else 0.0
            draw_text(page, self.word, (w / 2, place), tall, tone, rot_deg=turn, fit_px=w * 0.85, weight=800)
        for _ in range(int(rng.integers(0, 3))):
            word = str(rng.choice(_BRANDS))
            place = (w * float(rng.uniform(0.3, 0.7)), h * float(rng.uniform(0.05, 0.97)))
            draw_text(
                page, word, place, h * float(rng.uniform(0.025, 0.07)), tone, fit_px=w * 0.8, weight=600
            )


def _gleam(page: Array, rng: np.random.Generator) -> None:
    """Cellophane: a few pale streaks and folds across a page (h, w, 3), in place."""
    h, w = page.shape[:2]
    shine = np.zeros((h, w), np.uint8)
    for _ in range(int(rng.integers(1, 5))):
        middle = rng.uniform(-0.2, 1.2, 2) * (w, h)
        turn = rng.uniform(0, np.pi)
        reach = np.array([np.cos(turn), np.sin(turn)]) * h
        first, last = (tuple(int(v) for v in middle + side * reach) for side in (-1, 1))
        cv2.line(shine, first, last, int(rng.uniform(60, 200)), max(1, int(w * rng.uniform(0.01, 0.18))))
    soft = cv2.blur(shine, (1 + w // 30, 1 + w // 30)).astype(np.float32)[..., None] / 255
    page[...] = page + (255 - page) * soft * 0.8
