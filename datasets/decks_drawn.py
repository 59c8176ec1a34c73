# ruff: noqa: E501 (SVG fragments are kept whole)
"""Whole packs of cards drawn by rule: no two alike, with jumbo, small or no corner indices.

A pack is a frozen ``DeckStyle`` drawn from a seed; each face is an SVG document in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from datasets.decks_courts import CourtStyle, court_half
from datasets.decks_fonts import IndexFont, index_fonts
from datasets.decks_pips import OLD_ROWS, PIP_ROWS, PipShape, pip_path, place
from rules.cards import PACK, Card, Rank, Suit

HEIGHT_MM = 88.0
COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)
_LETTERS: dict[str, dict[Rank, str]] = {
    "en": {Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"},
    "fr": {Rank.ACE: "1", Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"},
    "de": {Rank.ACE: "A", Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K"},
    "it": {Rank.ACE: "A", Rank.JACK: "F", Rank.QUEEN: "D", Rank.KING: "R"},
}
_STROKES: dict[str, str] = {
    "A": "M0,1 L.5,0 L1,1 M.2,.62 H.8",
    "K": "M.08,0 V1 M.92,0 L.1,.55 M.35,.4 L.95,1",
    "Q": "M.5,0 C1.15,0 1.15,1 .5,1 C-.15,1 -.15,0 .5,0 M.6,.7 L1,1.05",
    "J": "M.8,0 V.7 C.8,1.1 .1,1.1 .1,.68",
    "V": "M0,0 L.5,1 L1,0",
    "R": "M.1,1 V0 H.5 C1,0 1,.52 .5,.52 H.1 M.5,.52 L.95,1",
    "D": "M.1,0 V1 H.4 C1.1,1 1.1,0 .4,0 Z",
    "B": "M.1,0 V1 H.55 C1.05,1 1.05,.48 .55,.48 H.1 M.1,0 H.5 C.95,0 .95,.48 .5,.48",
    "F": "M.95,0 H.1 V1 M.1,.46 H.75",
    "1": "M.2,.22 L.55,0 V1",
    "2": "M.08,.28 C.1,-.1 .9,-.1 .88,.3 C.86,.55 .2,.7 .06,1 H.95",
    "3": "M.08,.08 H.88 L.45,.4 C1.1,.4 1.05,1 .48,1 C.2,1 .05,.88 .04,.74",
    "4": "M.72,1 V0 L.02,.7 H1",
    "5": "M.88,0 H.2 L.12,.45 C.5,.25 .95,.38 .93,.68 C.9,1.08 .2,1.08 .04,.8",
    "6": "M.82,.06 C.3,0 .05,.45 .07,.68 C.1,1.1 .93,1.1 .93,.68 C.93,.3 .2,.3 .08,.62",
    "7": "M.05,0 H.95 L.38,1",
    "8": "M.5,.47 C-.1,.4 .05,0 .5,0 C.95,0 1.1,.4 .5,.47 C-.2,.55 -.05,1 .5,1 C1.05,1 1.2,.55 .5,.47",
    "9": "M.93,.36 C.8,.75 .07,.72 .07,.33 C.07,-.1 .93,-.1 .93,.33 C.95,.6 .7,1 .2,.96",
    "0": "M.5,0 C1.1,0 1.1,1 .5,1 C-.1,1 -.1,0 .5,0 Z",
}
"""Letters as strokes in a unit box, for packs with engraved-looking indices and machines without fonts."""


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """Everything that distinguishes one drawn pack from another. Lengths in mm on a card 88 mm high."""

    seed: int
    width: float
    corner: float
    paper: str
    inks: tuple[str, str, str, str]
    """Clubs, diamonds, hearts, spades."""
    pip: PipShape
    pip_mm: float
    pip_x: float
    pip_y: float
    pips_turned: bool
    pip_look: int
    """0 solid signs, 1 outlines only, 2 solid with a pale line inside."""
    ace_mm: float
    ace_kind: int
    index_mm: float
    """Height of the index letter; 0 for a pack without indices."""
    index_pip_mm: float
    index_layout: int
    """0 the suit sign below the letter, 1 beside it."""
    index_corners: int
    index_inset: float
    letters: str
    font: IndexFont | None
    stroke: float
    squeeze: float
    frame: int
    border: float
    court: CourtStyle
    court_kind: int
    """0 figures in a frame, 1 figures without one, 2 large letters, 3 crowns."""
    court_box: tuple[float, float]
    tableau: float
    """Scale of the whole pip field (small fields leave room for jumbo indices)."""
    old_rows: tuple[int, ...] = ()
    """By pip count less one: 0 the standard tableau, n the nth of its other ones. Empty: all standard."""


def _pick_inks(rng: np.random.Generator) -> tuple[str, str, str, str]:
    def shade(low: tuple[int, int, int], high: tuple[int, int, int]) -> str:
        return "#" + "".join(f"{int(rng.integers(a, b + 1)):02x}" for a, b in zip(low, high, strict=True))

    red = shade((170, 0, 0), (240, 50, 60))
    black = shade((0, 0, 0), (38, 36, 42))
    scheme = rng.random()
    if scheme < 0.76:
        return black, red, red, black
    if scheme < 0.8:  # foil packs: dark violet or brown on gold
        dark = shade((30, 15, 30), (80, 50, 90))
        bright = shade((190, 50, 0), (240, 110, 30))
        return dark, bright, bright, dark
    if scheme < 0.93:
        return shade((0, 90, 20), (40, 140, 60)), shade((10, 40, 140), (60, 110, 230)), red, black
    if scheme < 0.97:
        return black, shade((220, 90, 0), (250, 140, 40)), red, shade((20, 40, 90), (40, 60, 140))
    gold = shade((180, 140, 40), (230, 190, 90))
    return gold, red, red, gold


def deck_style(seed: int, fonts: Sequence[IndexFont] | None = None, indices: bool | None = None) -> DeckStyle:
    """The pack of a seed. ``indices`` forces corner indices or their absence; about one in three has none.

    ``fonts`` defaults to the machine's. The same seed and fonts give the same pack.
    """
    rng = np.random.default_rng((0xDEC, seed))
    fonts = index_fonts() if fonts is None else fonts
    width = HEIGHT_MM * float(rng.uniform(0.635, 0.735))
    has = bool(rng.random() < 0.66)
    has = has if indices is None else indices
    size = float(
        rng.choice([rng.uniform(5, 8), rng.uniform(8, 13), rng.uniform(13, 24)], p=[0.35, 0.45, 0.2])
    )
    index_mm = size if has else 0.0
    jumbo = index_mm > 13
    pip_mm = float(rng.uniform(11, 19))
    tableau = (
        float(rng.uniform(0.6, 0.85)) if jumbo and rng.random() < 0.7 else float(rng.uniform(0.88, 1.02))
    )
    pale = ("#ffffff", "#fefefe", "#fdfaf0", "#faf3e0", "#f6efe2", "#f3f3f1", "#fff8f3")
    inks = _pick_inks(rng)
    tinted = ("#e9dcc0", "#e5e5e5", "#efe0a8", "#d9b64e", "#e0b552", "#c9a24a", "#d8d8dc", "#cfe3ef")
    paper = str(rng.choice(pale)) if rng.random() < 0.9 else str(rng.choice(tinted))
    font = None if not fonts or rng.random() < 0.15 else fonts[int(rng.integers(len(fonts)))]
    inset = float(rng.uniform(1.2, 4)) if has else 1.5
    squeeze = float(rng.uniform(0.55, 1.0))
    # Pips keep clear of the indices, as printers see to, unless jumbo letters leave no room at all.
    layout = int(rng.choice([0, 0, 0, 0, 0, 1]))
    free = width / 2 - inset - index_mm * (0.75 * squeeze + (0.6 if layout == 1 else 0)) - 0.5
    spread = float(rng.uniform(0.19, 0.3)) * width * tableau
    if has and spread + pip_mm * tableau * 0.45 > free:
        pip_mm = max(8.5, min(pip_mm, free * 0.8 / tableau))
        spread = max(0.14 * width, free - pip_mm * tableau * 0.45)
    court_kind = int(rng.choice([0, 1, 2, 3], p=[0.6, 0.31, 0.05, 0.04]) if has else rng.choice([0, 1]))
    return DeckStyle(
        seed=seed,
        width=width,
        corner=float(rng.uniform(1.5, 5.5)),
        paper=paper,
        inks=inks,
        pip=PipShape.random(rng),
        pip_mm=pip_mm,
        pip_x=spread / tableau,
        pip_y=float(rng.uniform(26, 33)),
        pips_turned=bool(rng.random() < 0.88),
        pip_look=int(rng.choice([0, 1, 2], p=[0.88, 0.04, 0.08])),
        ace_mm=float(rng.choice([rng.uniform(12, 22), rng.uniform(22, 46)])),
        ace_kind=int(rng.choice([0, 1, 2, 3, 4, 5, 6, 6])),
        index_mm=index_mm,
        # A court that is only a letter or a crown has its suit in the index alone.
        index_pip_mm=index_mm * float(rng.uniform(0.55, 1.0))
        if rng.random() < 0.93 or court_kind > 1
        else 0.0,
        index_layout=layout,
        index_corners=int(rng.choice([2, 2, 2, 4])) if not jumbo else int(rng.choice([2, 2, 1])),
        index_inset=inset,
        letters=str(rng.choice(["en", "fr", "de"], p=[0.86, 0.09, 0.05])),
        font=font,
        stroke=float(rng.uniform(0.09, 0.24)),
        squeeze=squeeze,
        frame=int(rng.choice([0, 0, 0, 1, 2])),
        border=float(rng.uniform(0.3, 1.2)),
        court=CourtStyle.random(rng),
        court_kind=court_kind,
        court_box=(float(rng.uniform(0.3, 0.385)) * width, float(rng.uniform(31, 38.5))),
        tableau=tableau,
    )


def unusual_style(
    seed: int, fonts: Sequence[IndexFont] | None = None, indices: bool | None = None
) -> DeckStyle:
    """As :func:`deck_style`, with pips in other places, other languages' letters or four colours."""
    style = deck_style(seed, fonts, indices)
    rng = np.random.default_rng((0xDEC1, seed))
    rows = tuple(
        int(rng.integers(1, len(OLD_ROWS[count]) + 1)) if count in OLD_ROWS and rng.random() < 0.5 else 0
        for count in range(1, 11)
    )
    green, blue, gold = "#2f8f4f", "#3555c8", "#dba020"
    clubs, _, red, black = style.inks
    schemes = [style.inks] * 4 + [
        (green, gold, red, blue),
        (clubs, gold, red, green),
        (green, blue, red, black),
    ]
    return replace(
        style,
        old_rows=rows if rng.random() < 0.75 else (),
        letters=str(rng.choice(["en", "fr", "de", "it"], p=[0.3, 0.35, 0.2, 0.15])),
        inks=schemes[int(rng.integers(len(schemes)))],
    )


def _letter(style: DeckStyle, text: str, height: float, ink: str) -> tuple[str, float]:
    """An index as an SVG fragment with its top left at the origin, and its width in mm."""
    if style.font is not None:
        each = height * 0.78 * style.squeeze
        wide = each * (1.55 if len(text) > 1 else 1.0)
        return (
            f'<text x="0" y="{height:.2f}" font-family="{style.font.family}" font-size="{height * 1.38:.2f}" '
            f'fill="{ink}" textLength="{wide:.2f}" lengthAdjust="spacingAndGlyphs">{text}</text>',
            wide,
        )
    each = height * 0.7 * style.squeeze
    stroke = height * style.stroke
    parts, x = [], 0.0
    for char in text:
        w = each * (0.45 if char == "1" and len(text) > 1 else 1.0)
        parts.append(
            f'<g transform="translate({x + stroke / 2:.2f} {stroke / 2:.2f})"><path d="{_scaled(_STROKES[char], w, height - stroke)}" '
            f'fill="none" stroke="{ink}" stroke-width="{stroke:.2f}"/></g>'
        )
        x += w + stroke * 1.3
    return "".join(parts), x


def _scaled(path: str, sx: float, sy: float) -> str:
    """A stroke letter's path with its coordinates multiplied, so that the pen keeps its width."""
    out: list[str] = []
    for token in path.replace("M", " M ").replace("L", " L ").replace("C", " C ").split():
        if token in "MLC":
            out.append(token)
        elif token == "Z":
            out.append("Z")
        elif token[0] == "H":
            out.append(f"H{float(token[1:]) * sx:.2f}")
        elif token[0] == "V":
            out.append(f"V{float(token[1:]) * sy:.2f}")
        else:
            x, y = token.split(",")
            out.append(f"{float(x) * sx:.2f},{float(y) * sy:.2f}")
    return " ".join(out)


def _rank_text(style: DeckStyle, rank: Rank) -> str:
    return _LETTERS[style.letters].get(rank, "10" if rank is Rank.TEN else str(rank))


def _index(style: DeckStyle, card: Card, ink: str) -> str:
    """The corner indices of one card (both ends, or all four corners)."""
    letter, wide = _letter(style, _rank_text(style, card.rank), style.index_mm, ink)
    x, y = style.index_inset, style.index_inset * 1.2
    sign = ""
    if style.index_pip_mm:
        p = style.index_pip_mm
        if style.index_layout == 1:
            sign = place(
                pip_path(card.suit, style.pip), x + wide + p * 0.6, y + style.index_mm / 2, p, f'fill="{ink}"'
            )
        else:
            cx = x + max(wide, p * 0.8) / 2
            sign = place(
                pip_path(card.suit, style.pip), cx, y + style.index_mm + p * 0.68, p, f'fill="{ink}"'
            )
    one = f'<g><g transform="translate({x:.2f} {y:.2f})">{letter}</g>{sign}</g>'
    w, h = style.width, HEIGHT_MM
    out = [one]
    if style.index_corners > 1:
        out.append(f'<g transform="rotate(180 {w / 2:.2f} {h / 2:.2f})">{one}</g>')
    if style.index_corners == 4:
        right = w - max(wide, style.index_pip_mm * 0.8) - 2 * x
        other = f'<g transform="translate({right:.2f} 0)">{one}</g>'
        out += [other, f'<g transform="rotate(180 {w / 2:.2f} {h / 2:.2f})">{other}</g>']
    return "".join(out)


def _pips(style: DeckStyle, card: Card, ink: str) -> str:
    count = PACK.index(card) % 13 + 1
    path, cx, cy = pip_path(card.suit, style.pip), style.width / 2, HEIGHT_MM / 2
    out = []
    which = style.old_rows[count - 1] if style.old_rows else 0
    for px, py in OLD_ROWS[count][which - 1] if which else PIP_ROWS[count]:
        x, y = cx + px * style.pip_x * style.tableau, cy + py * style.pip_y * style.tableau
        size = style.pip_mm * style.tableau * (1.0 if count < 9 else 0.92)
        turned = py > 0.01 and style.pips_turned
        paint = (
            f'fill="{style.paper}" stroke="{ink}" stroke-width=".09"'
            if style.pip_look == 1
            else f'fill="{ink}"'
        )
        out.append(place(path, x, y, size, paint, turned))
        if style.pip_look == 2:
            inner = f'fill="none" stroke="{style.paper}" stroke-width=".05"'
            out.append(place(path, x, y, size * 0.62, inner, turned))
    return "".join(out)


def _ace(style: DeckStyle, card: Card, ink: str) -> str:
    path, cx, cy = pip_path(card.suit, style.pip), style.width / 2, HEIGHT_MM / 2
    kind = style.ace_kind if card.suit is Suit.SPADES or style.ace_kind in (4, 5) else 0
    if kind == 6:
        return _makers_ace(style, path, ink)
    size = min(style.ace_mm * (1.35 if card.suit is Suit.SPADES and kind else 1.0), style.width * 0.72)
    out = [place(path, cx, cy, size, f'fill="{ink}"')]
    if kind in (1, 4):
        out.append(place(path, cx, cy, size * 0.7, f'fill="none" stroke="{style.paper}" stroke-width=".03"'))
        out.append(place(path, cx, cy, size * 0.35, f'fill="{style.paper}"'))
    if kind in (2, 5):
        for k in range(24):
            out.append(
                f'<path d="M{cx:.2f},{cy - size * 0.68:.2f} v{-size * 0.13:.2f}" stroke="{ink}" stroke-width=".5" '
                f'transform="rotate({15 * k} {cx:.2f} {cy:.2f})"/>'
            )
    if kind == 3:
        out.append(
            f'<rect x="{cx - size * 0.5:.2f}" y="{cy + size * 0.62:.2f}" width="{size:.2f}" height="1.6" fill="{ink}"/>'
            f'<circle cx="{cx:.2f}" cy="{cy:.2f}" r="{size * 0.62:.2f}" fill="none" stroke="{ink}" stroke-width=".6"/>'
        )
    return "".join(out)


def _makers_ace(style: DeckStyle, path: str, ink: str) -> str:
    """The ace of spades with its maker's ornament and name, as most packs print it."""
    rng = np.random.default_rng((style.seed, 0xACE))
    cx, cy = style.width / 2, HEIGHT_MM / 2 - 2
    size = float(rng.uniform(26, 42))
    out = [place(path, cx, cy, size, f'fill="{ink}"')]
    for k in range(int(rng.integers(1, 4))):
        paint = f'fill="none" stroke="{style.paper}" stroke-width="{float(rng.uniform(0.012, 0.04)):.3f}"'
        out.append(place(path, cx, cy, size * (0.82 - 0.2 * k), paint))
    for _ in range(int(rng.integers(3, 14))):
        r, a = size * float(rng.uniform(0.02, 0.3)), float(rng.uniform(0, 2 * np.pi))
        for sign in (-1, 1):
            out.append(
                f'<circle cx="{cx + sign * r * np.cos(a):.2f}" cy="{cy + r * np.sin(a):.2f}" '
                f'r="{size * float(rng.uniform(0.015, 0.07)):.2f}" fill="{style.paper}"/>'
            )
    words = "".join(rng.choice(list("ABCDEGILMNOPRSTU"), int(rng.integers(5, 14))))
    if style.font is not None:
        high = float(rng.uniform(2.5, 6))
        for y in [cy + size * 0.5 + high * 1.3] + ([cy - size * 0.56] if rng.random() < 0.4 else []):
            out.append(
                f'<text x="{cx:.2f}" y="{y:.2f}" text-anchor="middle" font-family="{style.font.family}" '
                f'font-size="{high:.2f}" fill="{ink}">{words}</text>'
            )
    return "".join(out)


def _court(style: DeckStyle, card: Card, ink: str, rng: np.random.Generator) -> str:
    w, h = style.width, HEIGHT_MM
    path = pip_path(card.suit, style.pip)
    if style.court_kind == 2:
        letter, wide = _letter(style, _rank_text(style, card.rank), 34, ink)
        return f'<g transform="translate({w / 2 - wide / 2:.2f} {h / 2 - 17:.2f})">{letter}</g>'
    bw, bh = style.court_box
    if style.court_kind == 3:
        half = court_half(card.rank, style.court, bw, bh * 1.4, ink, rng)
        return f'<g transform="translate({w / 2:.2f} {h / 2 + bh * 0.6:.2f}) scale(.8)">{half}</g>'
    half = court_half(card.rank, style.court, bw, bh, ink, rng)
    slant = style.court.slant * bw
    pip_mm = style.pip_mm * float(rng.uniform(0.7, 1.05))
    side = float(rng.choice([-1, -1, -1, 1]))
    px, py = side * (bw - pip_mm * 0.52), -bh + pip_mm * 0.62
    pip = place(path, px, py, pip_mm, f'fill="{ink}"')
    mirror = "scale(-1 1)" if rng.random() < 0.5 else ""
    if style.court.full_length:
        figure = f'<g transform="translate(0 {bh * 0.95:.2f}) {mirror} scale(.95 1.85)">{half}</g>'
        figure += pip + (f'<g transform="rotate(180)">{pip}</g>' if rng.random() < 0.5 else "")
        clip = f"M{-bw:.2f},{-bh:.2f} H{bw:.2f} V{bh:.2f} H{-bw:.2f} Z"
        body = f'<g clip-path="url(#c)">{figure}</g>'
    else:
        clip = f"M{-bw:.2f},{-bh:.2f} H{bw:.2f} V{slant:.2f} L{-bw:.2f},{-slant:.2f} Z"
        upper = f'<g clip-path="url(#c)"><g transform="{mirror}">{half}</g></g>{pip}'
        body = f'{upper}<g transform="rotate(180)">{upper}</g>'
        if rng.random() < 0.6:
            body += f'<path d="M{-bw:.2f},{-slant:.2f} L{bw:.2f},{slant:.2f}" stroke="{style.court.palette[3]}" stroke-width=".7"/>'
    if style.court_kind == 0:
        body += (
            f'<rect x="{-bw:.2f}" y="{-bh:.2f}" width="{2 * bw:.2f}" height="{2 * bh:.2f}" fill="none" '
            f'stroke="{style.court.palette[2] if style.frame != 2 else ink}" stroke-width="{style.border:.2f}"/>'
        )
    return f'<clipPath id="c"><path d="{clip}"/></clipPath><g transform="translate({w / 2:.2f} {h / 2:.2f})">{body}</g>'


def face_svg(style: DeckStyle, card: Card) -> str:
    """One face of a drawn pack as an SVG document, in millimetres."""
    rng = np.random.default_rng((style.seed, PACK.index(card)))
    w, h = style.width, HEIGHT_MM
    ink = style.inks[tuple(Suit).index(card.suit)]
    if card.rank in COURTS:
        middle = _court(style, card, ink, rng)
    elif card.rank is Rank.ACE:
        middle = _ace(style, card, ink)
    else:
        middle = _pips(style, card, ink)
    frame = ""
    if style.frame == 1:
        m = style.index_inset * 0.5 + 1
        frame = (
            f'<rect x="{m:.2f}" y="{m:.2f}" width="{w - 2 * m:.2f}" height="{h - 2 * m:.2f}" rx="{style.corner:.1f}" '
            f'fill="none" stroke="{ink}" stroke-width="{style.border * 0.5:.2f}"/>'
        )
    index = _index(style, card, ink) if style.index_mm else ""
    return _document(
        style,
        f'<rect width="{w:.2f}" height="{h:.2f}" rx="{style.corner:.2f}" fill="{style.paper}"/>'
        f"{frame}{middle}{index}",
    )


def index_svg(style: DeckStyle, card: Card) -> str:
    """The corner indices alone, on nothing: for the figures of another pack."""
    ink = style.inks[tuple(Suit).index(card.suit)]
    return _document(style, _index(style, card, ink) if style.index_mm else "")


def _document(style: DeckStyle, content: str) -> str:
    box = f"0 0 {style.width:.2f} {HEIGHT_MM:.2f}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{content}</svg>'


def style_fonts(folder: Path | None) -> tuple[IndexFont, ...]:
    """The machine's fonts and those of a fetched ``fonts`` folder."""
    return index_fonts((folder,) if folder is not None else ())
