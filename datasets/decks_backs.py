# ruff: noqa: E501 (SVG fragments are kept whole)
"""Card backs drawn by rule: lattices, rosettes, stripes, plain fields and borders in any colours."""

from __future__ import annotations

import numpy as np

_INKS = (
    *("#b3202c", "#1d3f94", "#0f5132", "#111111", "#5b2a86", "#7a1f1f", "#164a7a", "#b8860b", "#c2185b"),
    *("#00695c", "#37474f", "#8d6e63", "#d84315", "#283593", "#607d8b"),
)
_GROUNDS = ("#ffffff", "#fdf8ec", "#f4f4f4", "#fffdf5")


def _lattice(w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    step, angle = float(rng.uniform(2, 7)), float(rng.choice([0, 30, 45, 45, 60]))
    thick = step * float(rng.uniform(0.08, 0.4))
    lines = "".join(
        f'<path d="M{v:.2f},-120 V120" stroke="{ink}" stroke-width="{thick:.2f}"/>'
        for v in np.arange(-120, 120, step)
    )
    both = (
        "" if rng.random() < 0.25 else f'<g transform="rotate({-angle - 90 * (angle == 0):.0f})">{lines}</g>'
    )
    return (
        f'<g transform="translate({w / 2} {h / 2})"><g transform="rotate({angle:.0f})">{lines}</g>{both}</g>'
    )


def _dots(w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    step = float(rng.uniform(2.5, 7))
    r = step * float(rng.uniform(0.15, 0.45))
    square = rng.random() < 0.4
    out = []
    for j, y in enumerate(np.arange(0, h + step, step)):
        for x in np.arange((j % 2) * step / 2, w + step, step):
            out.append(
                f'<rect x="{x - r:.2f}" y="{y - r:.2f}" width="{2 * r:.2f}" height="{2 * r:.2f}" fill="{ink}" '
                f'transform="rotate(45 {x:.2f} {y:.2f})"/>'
                if square
                else f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}" fill="{ink}"/>'
            )
    return "".join(out)


def _rosettes(w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    out = []
    centres = [(w / 2, h / 2)] if rng.random() < 0.5 else [(w / 2, h * 0.3), (w / 2, h * 0.7)]
    petals, turns = int(rng.integers(5, 17)), int(rng.integers(2, 6))
    for cx, cy in centres:
        for k in range(1, turns + 1):
            r = k * w * 0.42 / turns
            for i in range(petals):
                out.append(
                    f'<ellipse cx="{cx:.1f}" cy="{cy - r * 0.6:.1f}" rx="{r * 0.18:.1f}" ry="{r * 0.4:.1f}" fill="none" '
                    f'stroke="{ink}" stroke-width=".6" transform="rotate({360 * i / petals:.1f} {cx:.1f} {cy:.1f})"/>'
                )
    return "".join(out)


def _waves(w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    period, thick = float(rng.uniform(4, 14)), float(rng.uniform(0.4, 2))
    gap = float(rng.uniform(2.5, 6))
    bow = period * float(rng.uniform(0.3, 1))
    arcs = "".join(f"q{period / 2:.1f},{bow:.1f} {period:.1f},0 " for _ in range(int(w / period) + 3))
    return "".join(
        f'<path d="M{-period * (i % 2) / 2 - 2:.1f},{y:.1f} {arcs}" fill="none" stroke="{ink}" stroke-width="{thick:.2f}"/>'
        for i, y in enumerate(np.arange(-4, h + 4, gap))
    )


def _emblem(w: float, h: float, ink: str, ground: str, rng: np.random.Generator) -> str:
    r = w * float(rng.uniform(0.12, 0.3))
    shape = (
        f'<circle cx="{w / 2:.1f}" cy="{h / 2:.1f}" r="{r:.1f}"'
        if rng.random() < 0.5
        else f'<rect x="{w / 2 - r:.1f}" y="{h / 2 - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}" '
        f'transform="rotate(45 {w / 2:.1f} {h / 2:.1f})"'
    )
    return f'{shape} fill="{ground}" stroke="{ink}" stroke-width="{float(rng.uniform(0.5, 2.5)):.1f}"/>'


def _scrolls(w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    """Spirals and leaves, mirrored and turned so that neither end is the top."""
    thick, out = float(rng.uniform(0.3, 1.4)), []
    for _ in range(int(rng.integers(4, 16))):
        x, y, r = rng.uniform(0, w / 2), rng.uniform(0, h / 2), rng.uniform(2, 12)
        turns, start = rng.uniform(0.6, 3), rng.uniform(0, 2 * np.pi)
        t = np.linspace(0, 1, 28)
        a, reach = start + t * turns * 2 * np.pi, r * (1 - 0.9 * t)
        points = " ".join(
            f"{px:.1f},{py:.1f}" for px, py in zip(x + reach * np.cos(a), y + reach * np.sin(a), strict=True)
        )
        out.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="{thick:.2f}"/>')
        if rng.random() < 0.5:
            out.append(
                f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{r * 0.5:.1f}" ry="{r * 0.2:.1f}" fill="{ink}" '
                f'transform="rotate({np.rad2deg(start):.0f} {x:.1f} {y:.1f})"/>'
            )
    quarter = "".join(out)
    half = f'{quarter}<g transform="translate({w:.2f} 0) scale(-1 1)">{quarter}</g>'
    return f'{half}<g transform="translate({w:.2f} {h:.2f}) rotate(180)">{half}</g>'


def _frames(w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    """Frames in one another, plain or dotted."""
    out, inset = [], float(rng.uniform(1, 5))
    for _ in range(int(rng.integers(2, 8))):
        dash = f' stroke-dasharray="{rng.uniform(0.4, 3):.1f}"' if rng.random() < 0.4 else ""
        out.append(
            f'<rect x="{inset:.1f}" y="{inset:.1f}" width="{max(w - 2 * inset, 1):.1f}" '
            f'height="{max(h - 2 * inset, 1):.1f}" rx="{rng.uniform(0, 6):.1f}" fill="none" stroke="{ink}" '
            f'stroke-width="{rng.uniform(0.3, 2):.1f}"{dash}/>'
        )
        inset += float(rng.uniform(1.2, 6))
    return "".join(out)


def _medallions(w: float, h: float, ink: str, ground: str, rng: np.random.Generator) -> str:
    """Discs with spokes and rings, one in the middle or one near each end."""
    far = float(rng.uniform(0.18, 0.3)) * h
    places = [0.0] if rng.random() < 0.4 else [-far, far]
    r, spokes = w * float(rng.uniform(0.12, 0.34)), int(rng.integers(0, 28))
    out = []
    for off in places:
        y = h / 2 + off
        out.append(
            f'<circle cx="{w / 2:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{ground}" stroke="{ink}" stroke-width="1"/>'
        )
        for share in np.sort(rng.uniform(0.2, 0.95, int(rng.integers(1, 5)))):
            out.append(
                f'<circle cx="{w / 2:.1f}" cy="{y:.1f}" r="{r * share:.1f}" fill="none" stroke="{ink}" '
                f'stroke-width="{rng.uniform(0.2, 1.5):.1f}"/>'
            )
        for k in range(spokes):
            a = 2 * np.pi * k / spokes
            out.append(
                f'<line x1="{w / 2:.1f}" y1="{y:.1f}" x2="{w / 2 + r * np.cos(a):.1f}" '
                f'y2="{y + r * np.sin(a):.1f}" stroke="{ink}" stroke-width="0.5"/>'
            )
    return "".join(out)


ORNATE_FROM = 100
"""Backs from this number on are ornate: scrolls, frames in one another, medallions, on dark grounds too."""


def _ornate(w: float, h: float, ink: str, field: str, rng: np.random.Generator) -> str:
    parts = [_scrolls(w, h, ink, rng)]
    if rng.random() < 0.4:
        parts.insert(0, (_lattice, _dots, _waves)[int(rng.integers(3))](w, h, ink, rng))
    if rng.random() < 0.6:
        parts.append(_frames(w, h, ink, rng))
    if rng.random() < 0.7:
        parts.append(_medallions(w, h, ink, field, rng))
    return "".join(parts)


def back_svg(variant: int, w: float, h: float, corner: float) -> str:
    """An SVG document of a card back, ``w`` by ``h`` mm with corners of radius ``corner`` mm.

    The same ``variant`` always gives the same design: pattern, colours, border and emblem come from it.
    """
    rng = np.random.default_rng((0xBACC, variant))
    ink, ground = str(rng.choice(_INKS)), str(rng.choice(_GROUNDS))
    if rng.random() < 0.4:
        field, pattern_ink = ink, str(rng.choice([*_GROUNDS, *_INKS]))
    else:
        field, pattern_ink = ground, ink
    border = float(rng.choice([0, 2, 3, 4.5, 6]))
    kinds = (_lattice, _dots, _rosettes, _waves)
    if variant >= ORNATE_FROM and rng.random() < 0.3:
        ground = str(rng.choice(_INKS))
    pattern = "" if rng.random() < 0.06 else kinds[int(rng.integers(4))](w, h, pattern_ink, rng)
    if variant >= ORNATE_FROM:
        pattern = _ornate(w, h, pattern_ink, field, rng)
    if rng.random() < 0.25:
        pattern += kinds[int(rng.integers(4))](w, h, pattern_ink, rng)
    emblem = _emblem(w, h, ink, ground, rng) if rng.random() < 0.35 else ""
    iw, ih = w - 2 * border, h - 2 * border
    frame = (
        f'<rect x="{border:.1f}" y="{border:.1f}" width="{iw:.1f}" height="{ih:.1f}" rx="{corner * 0.6:.1f}" '
        f'fill="none" stroke="{ink}" stroke-width="{float(rng.uniform(0.3, 1.5)):.1f}"/>'
        if rng.random() < 0.6
        else ""
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.2f} {h:.2f}">'
        f'<clipPath id="a"><rect width="{w:.2f}" height="{h:.2f}" rx="{corner:.2f}"/></clipPath>'
        f'<clipPath id="b"><rect x="{border:.1f}" y="{border:.1f}" width="{iw:.1f}" height="{ih:.1f}" '
        f'rx="{corner * 0.6:.1f}"/></clipPath>'
        f'<g clip-path="url(#a)"><rect width="{w:.2f}" height="{h:.2f}" fill="{ground}"/>'
        f'<g clip-path="url(#b)"><rect width="{w:.2f}" height="{h:.2f}" fill="{field}"/>{pattern}{emblem}</g>'
        f"{frame}</g></svg>"
    )
