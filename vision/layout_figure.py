"""A layout drawn with its meanings: each zone with its spot's name, each line with what it does to a bet."""

from __future__ import annotations

import base64
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import shapely
from shapely import LineString, MultiLineString

from rules.spots import Area
from vision.layout import Effect, Layout, Line, Zone, takes_bets
from vision.layout_check import effect_in_words

_TINTS = ("#4ea8ff", "#ffb03b", "#7ddc6f", "#ff6f91", "#c79bff", "#3ad6c8", "#ffd84d")
_AREA = "#ffffff"
_INK = {Effect.HALVES: "#ff7a00", Effect.SPLITS: "#ff2fb3"}


def figure(layout: Layout) -> str:
    """The drawing with its meanings over it, as SVG text in millimetres."""
    x0, y0, x1, y1 = layout.frame_mm
    width, height = x1 - x0, y1 - y0
    size = float(np.clip(width / 90, 8, 34))
    legend = _legend(layout, size, x0, y1)
    tall = height + size * 1.7 * (len(legend) + 1)
    picture = base64.b64encode(layout.svg.encode()).decode()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{tall:g}mm"'
        f' viewBox="{x0:g} {y0:g} {width:g} {tall:g}" font-family="\'Liberation Sans\', Arial, sans-serif">',
        f'<rect x="{x0:g}" y="{y0:g}" width="{width:g}" height="{tall:g}" fill="#101418"/>',
        f'<image x="{x0:g}" y="{y0:g}" width="{width:g}" height="{height:g}"'
        f' href="data:image/svg+xml;base64,{picture}"/>',
        f'<path d="{_path(LineString(layout.felt.exterior.coords))}" fill="none" stroke="#ffffff"'
        f' stroke-width="{size / 6:g}" stroke-dasharray="{size:g} {size / 2:g}" opacity="0.7"/>',
        *(_zone(zone, size) for zone in layout.zones),
        *(_line(line, size) for line in layout.lines),
        *legend,
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def _path(line: LineString | MultiLineString) -> str:
    pieces = [line] if isinstance(line, LineString) else list(line.geoms)
    return "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, *_ in piece.coords) for piece in pieces)


def _colour(zone: Zone) -> str:
    spot = zone.spot
    if not takes_bets(spot):
        return _AREA
    number = spot.seat if spot.seat is not None else ord(spot.box or "a") - ord("a")
    return _TINTS[number % len(_TINTS)]


def _zone(zone: Zone, size: float) -> str:
    colour = _colour(zone)
    x, y = zone.centre_mm
    room = 2.2 * shapely.maximum_inscribed_circle(zone.polygon, 1.0).length
    words = str(zone.spot).split(" ")
    lines = [" ".join(words[:-1]), words[-1]] if len(words) > 1 else words
    letter = min(size, max(1.0, room / max(0.62 * max(map(len, lines)), 1.3 * len(lines))))
    texts = "".join(
        f'<tspan x="{x:.1f}" y="{y + (k - (len(lines) - 1) / 2) * 1.15 * letter + 0.35 * letter:.1f}">'
        f"{escape(line)}</tspan>"
        for k, line in enumerate(lines)
    )
    rings = [zone.polygon.exterior, *zone.polygon.interiors]
    path = "Z".join(_path(LineString(ring.coords)) for ring in rings)
    return (
        f'<path d="{path}Z" fill="{colour}" fill-opacity="0.28" fill-rule="evenodd" stroke="{colour}"'
        f' stroke-width="{size / 10:g}"/>'
        f'<text text-anchor="middle" font-size="{letter:.1f}" font-weight="bold" fill="#ffffff"'
        f' stroke="#101418" stroke-width="{letter / 5:.2f}" paint-order="stroke">{texts}</text>'
    )


def _line(line: Line, size: float) -> str:
    return (
        f'<path d="{_path(line.path)}" fill="none" stroke="{_INK[line.effect]}" stroke-width="{size / 2.5:g}"'
        f' stroke-linecap="round" opacity="0.9"><title>{escape(line.id)}: {escape(effect_in_words(line))}'
        "</title></path>"
    )


def _legend(layout: Layout, size: float, x0: float, y1: float) -> list[str]:
    halves = sorted({str(s.bet) for e in layout.lines if e.effect is Effect.HALVES for s in e.spots})
    splits = sorted(
        {" and ".join(sorted(str(s.bet) for s in e.spots)) for e in layout.lines if e.effect is Effect.SPLITS}
    )
    rows = [
        (
            "#ffffff",
            f"{Path(layout.name).name}: {len(layout.zones)} zones, {len(layout.lines)} lines that act",
        )
    ]
    if halves:
        rows.append((_INK[Effect.HALVES], f"a bet on this line plays half: {', '.join(halves)}"))
    if splits:
        rows.append((_INK[Effect.SPLITS], f"a bet on this line plays on both: {'; '.join(splits)}"))
    if not any(zone.spot.area is Area.BET for zone in layout.zones):
        rows.append(("#ff5555", "no betting box"))
    return [
        f'<text x="{x0 + size:g}" y="{y1 + (k + 1) * 1.7 * size:g}" font-size="{size:g}" fill="{ink}">'
        f"{escape(text)}</text>"
        for k, (ink, text) in enumerate(rows)
    ]
