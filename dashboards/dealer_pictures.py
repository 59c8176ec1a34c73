"""Small pictures of a dealer's figures: SVG text, alike on screen, on paper and in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from markupsafe import Markup

from rules.dealers import Figures, Week

_WIDTH, _HEIGHT = 220, 22
_SCALES = (5, 10, 20, 50, 100, 200, 500, 1000)


def scale_of(weeks: Sequence[Week]) -> int:
    """One scale, coups of a thousand, for all that stand together: those with coups enough fit in."""
    return _scale(max((week.interval[1] for week in weeks if not week.few), default=20.0))


def _scale(highest: float) -> int:
    return next((scale for scale in _SCALES if scale >= highest), _SCALES[-1])


def interval(week: Week, scale: int) -> Markup:
    """A rate with what it may be: a band, and a mark; an arrow where the band goes on beyond the scale."""
    low, high = (min(value, scale) / scale * _WIDTH for value in week.interval)
    beyond = week.interval[1] > scale
    said = says(week)
    shapes = [
        f'<line class="axis" x1="0" y1="{_HEIGHT - 3}" x2="{_WIDTH}" y2="{_HEIGHT - 3}"/>',
        f'<rect class="band{" few" if week.few else ""}" x="{low:.1f}" y="5" height="9" rx="2"'
        f' width="{max(2.0, high - low):.1f}"/>',
    ]
    if beyond:
        shapes.append(f'<path class="beyond" d="M{_WIDTH - 5} 4.5l5 5l-5 5z"/>')
    if week.rate is not None:
        at = min(week.rate, scale) / scale * _WIDTH
        shapes.append(
            f'<line class="value{" few" if week.few else ""}" x1="{at:.1f}" y1="2" x2="{at:.1f}" y2="17"/>'
        )
    return _svg("interval", _WIDTH, _HEIGHT, said, shapes)


def coverage(own: Figures) -> Markup:
    """Coups settled, waiting for a reviewer, and not seen whole."""
    total = max(1, own.coups)
    parts = (("settled", own.settled), ("waiting", own.waiting), ("unseen", own.coups - own.whole))
    shapes, x = [], 0.0
    for name, count in parts:
        width = count / total * 120
        if count:
            shapes.append(f'<rect class="{name}" x="{x:.1f}" y="4" width="{width:.1f}" height="12"/>')
        x += width
    said = (
        f"of {own.coups} coups {own.settled} settled, {own.waiting} waiting for a reviewer,"
        f" {own.coups - own.whole} not seen whole"
    )
    return _svg("coverage", 120, 20, said, shapes)


_LEFT, _TOP, _BOTTOM, _STEP = 46, 10, 150, 46
_WORTH_DRAWING = 30
"""Weeks with fewer settled coups do not stretch the scale."""


def trend(weeks: Sequence[tuple[date | None, Week]]) -> Markup | None:
    """The rate week by week, with what it may be; hollow where coups are few. None without two weeks."""
    dated = [(monday, week) for monday, week in weeks if monday is not None][-26:]
    if len(dated) < 2:
        return None
    highest = max((week.interval[1] for _, week in dated if week.settled >= _WORTH_DRAWING), default=20.0)
    scale = _scale(highest)
    width = _LEFT + _STEP * len(dated) + 10

    def y(value: float) -> float:
        return _BOTTOM - min(value, scale) / scale * (_BOTTOM - _TOP)

    shapes = []
    for part in (0, 0.5, 1):
        level = y(scale * part)
        shapes.append(f'<line class="axis" x1="{_LEFT}" y1="{level:.1f}" x2="{width}" y2="{level:.1f}"/>')
        shapes.append(f'<text class="tick" x="{_LEFT - 6}" y="{level:.1f}">{scale * part:g}</text>')
    for number, (monday, week) in enumerate(dated):
        x = _LEFT + _STEP * (number + 0.5)
        low, high = week.interval
        few = " few" if week.few else ""
        shapes.append(
            f'<line class="whisker{few}" x1="{x:.1f}" y1="{y(low):.1f}" x2="{x:.1f}" y2="{y(high):.1f}"/>'
        )
        if high > scale:
            shapes.append(f'<path class="beyond" d="M{x - 5:.1f} {_TOP + 1}l5 -6l5 6z"/>')
        if week.rate is not None:
            shapes.append(f'<circle class="point{few}" cx="{x:.1f}" cy="{y(week.rate):.1f}" r="4.5"/>')
        shapes.append(f'<text class="week" x="{x:.1f}" y="{_BOTTOM + 15}">{monday:%d %b}</text>')
        shapes.append(f'<text class="week n" x="{x:.1f}" y="{_BOTTOM + 29}">{week.settled}</text>')
    shapes.append(f'<text class="week n start" x="0" y="{_BOTTOM + 29}">settled</text>')
    said = "coups with a confirmed error of 1,000, week by week: " + "; ".join(
        f"{monday}: {says(week)}" for monday, week in dated
    )
    return _svg("trend", width, _BOTTOM + 38, said, shapes)


def says(week: Week) -> str:
    """A rate in words: what it is, what it may be, of how many coups."""
    if week.rate is None:
        return "no coup settled"
    low, high = week.interval
    return f"{_short(week.rate)} ({_short(low)} to {_short(high)}), of {week.settled} coups"


def _short(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _svg(name: str, width: float, height: float, said: str, shapes: Sequence[str]) -> Markup:
    return Markup(  # our own numbers and words
        f'<svg class="{name}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        f' role="img" aria-label="{said}">{"".join(shapes)}</svg>'
    )
