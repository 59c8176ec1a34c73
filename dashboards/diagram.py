"""A diagram of one coup's bets: the felt with every bet where it lay, its chips, how it lies, what was paid.

Pure: from the felt, the journal and the coup to SVG text in millimetres. Its looks are in its attributes, so
that it looks the same on the page, printed, and saved as a file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from dashboards.amounts import readable
from dashboards.models import CoupOut
from dashboards.places import Lies, LyingOut, by_id, lying
from rules.events import ChipState, Event, Stack
from veedor.store import Felt

Tone = Literal["wrong", "unsure"]
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in millimetres."""

_GROUND, _INK, _MUTED = "#0d0f12", "#ffffff", "#c3ccd6"
_GREEN, _AMBER, _PINK, _BLUE, _RED = "#7fe0a0", "#ffa03d", "#ff6fc8", "#9cc4ff", "#ff7d68"
_LIES = {
    Lies.INSIDE: _GREEN,
    Lies.HALF_LINE: _AMBER,
    Lies.SPLITTING_LINE: _PINK,
    Lies.OUTSIDE: _MUTED,
    Lies.UNSURE: _BLUE,
}
_TAGS = {Lies.HALF_LINE: "½ line", Lies.SPLITTING_LINE: "split line", Lies.OUTSIDE: "outside"}
_SHORT = {Lies.INSIDE: "whole", Lies.HALF_LINE: "½", Lies.SPLITTING_LINE: "split", Lies.OUTSIDE: "out"}
_EFFECTS = {"halves": "half", "splits": "on both sides"}
_OUTCOMES = {"none": "nothing paid", "push": "stays", "stays": "stays"}
_UNREAD = "#5b6675"
_LIKELY = 2.45 / math.sqrt(2)
"""So many usual distances hold 95 of 100 places."""
_AROUND_MM = (150.0, 110.0)
_CROWD_MM = 75.0
"""Stacks as near as this share their room for words."""
_LEAST_SHARE = 0.5
"""A view of the bets shows at least so much of the felt's width."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One stack as it lay. ``bet``: the coup's record of it, None for chips that were no bet (a payment)."""

    stack: Stack
    lying: LyingOut
    bet: dict[str, Any] | None
    spot: str


def laid(felt: Felt, events: Iterable[Event], coup: CoupOut) -> list[Laid]:
    """The bets of a coup as they lay, and the chips that were put beside them during it. ``events``: the
    journal's in time order, as corrected."""
    records = {str(bet["stack"]): bet for bet in coup.bets}
    spots = {str(bet["spot"]) for bet in coup.bets}
    lines = by_id(felt.lines)
    bets: dict[str, Laid] = {}
    beside: dict[str, Laid] = {}
    known: set[str] = set()
    for event in events:
        if event.t > coup.t_to:
            break
        if not isinstance(event, ChipState):
            continue
        for stack in event.stacks:
            here = Laid(stack, lying(stack, event.spot, lines), records.get(stack.stack), event.spot)
            if here.bet is not None:
                earlier = bets.get(stack.stack)
                if earlier is not None and _hidden_since(earlier.stack, stack):
                    continue
                if earlier is None or stack.line == here.bet.get("line") or earlier.stack.line != stack.line:
                    bets[stack.stack] = here
            elif event.spot in spots and stack.stack not in known and event.t >= coup.t_from:
                beside[stack.stack] = here
            known.add(stack.stack)
    return [*beside.values(), *bets.values()]


def _hidden_since(earlier: Stack, now: Stack) -> bool:
    """Whether a bet lies as it lay, only that it cannot be counted any more: as when a payment covers it."""
    return now.count is None and earlier.count is not None and now.line == earlier.line


def diagram(
    felt: Felt,
    stacks: Iterable[Laid],
    *,
    drawing: str | None,
    tones: Mapping[str, Tone],
    whole: bool = False,
    title: str = "The bets",
) -> str:
    """The diagram as SVG text. ``drawing``: address of the felt's drawing; ``tones``: which spots a finding
    is about; ``whole``: show the whole felt, not only where the bets lie."""
    found = list(stacks)
    frame = felt.frame_mm
    box = frame if whole else _about(found, frame)
    width, height = box[2] - box[0], box[3] - box[1]
    letter = width / (52 if whole else 36)
    x0, y0, x1, y1 = frame
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" aria-label={quoteattr(title)}'
        f' viewBox="{box[0]:g} {box[1]:g} {width:g} {height:g}" text-anchor="middle" font-weight="600"'
        " font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\">",
        f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}" fill="{_GROUND}"/>',
    ]
    if drawing is not None:
        parts.append(
            f'<image x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}"'
            f' preserveAspectRatio="none" href={quoteattr(drawing)}/>'
            f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}" fill="{_GROUND}"'
            ' fill-opacity="0.45"/>'
        )
    else:
        parts.append(f'<polygon points="{_points(felt.edge)}" fill="#1c3a2c" stroke="{_MUTED}"/>')
    bet_on = {each.spot for each in found if each.bet is not None}
    parts += _zones(felt, bet_on, tones)
    used = {place.line for each in found if each.bet for place in each.lying.places}
    parts += _lines(felt, used)
    for each in found:
        parts += _stack(felt, each)
    for each in found:
        if each.bet is not None:
            parts += _words(felt, each, _free_above(each, found), letter, tones.get(each.spot))
        else:
            parts.append(_beside(felt, each, [e for e in found if e.spot == each.spot and e.bet], letter))
    return "\n".join([*parts, "</svg>"])


def _about(found: list[Laid], frame: Box) -> Box:
    """The part of the felt where the bets lie, at least half of it, no part of it beyond the sheet."""
    if not found:
        return frame
    xs, ys = zip(*(each.stack.at_mm for each in found), strict=True)
    low = (min(xs) - _AROUND_MM[0], min(ys) - _AROUND_MM[1])
    high = (max(xs) + _AROUND_MM[0], max(ys) + _AROUND_MM[1])
    wide, tall = frame[2] - frame[0], frame[3] - frame[1]
    width = min(wide, max(high[0] - low[0], _LEAST_SHARE * wide))
    height = min(tall, max(high[1] - low[1], 0.42 * width))
    sides = []
    for axis, size in ((0, width), (1, height)):
        start = (low[axis] + high[axis] - size) / 2
        sides.append(min(max(start, frame[axis]), frame[axis + 2] - size))
    return sides[0], sides[1], sides[0] + width, sides[1] + height


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _zones(felt: Felt, bet_on: set[str], tones: Mapping[str, Tone]) -> list[str]:
    parts = []
    for zone in felt.zones:
        if not zone.bets or zone.spot not in bet_on:
            continue
        ink = {"wrong": _RED, "unsure": _BLUE}.get(tones.get(zone.spot, ""), _INK)
        parts.append(
            f'<polygon points="{_points(zone.outline)}" fill="{ink}" fill-opacity="0.1" stroke="{ink}"'
            f' stroke-opacity="0.9" stroke-width="2"><title>{escape(zone.spot)}</title></polygon>'
        )
    return parts


def _lines(felt: Felt, used: set[str | None]) -> list[str]:
    return [
        f'<polyline points="{_points(path)}" fill="none" stroke-width="5" stroke-linecap="round"'
        f' stroke="{_AMBER if line.effect == "halves" else _PINK}"'
        f"><title>{escape(line.id)}: a bet on it plays {_EFFECTS[line.effect]}</title>"
        "</polyline>"
        for line in felt.lines
        if line.id in used
        for path in line.paths
    ]


def _stack(felt: Felt, each: Laid) -> list[str]:
    """A stack from above: its top chip, and a ring that says how it lies."""
    x, y = each.stack.at_mm
    radius = felt.chip_mm / 2
    chips = each.stack.denominations
    top = chips[-1] if chips else None
    colour = felt.chip_colours.get(str(top), _UNREAD) if top is not None else _UNREAD
    parts = []
    if each.bet is not None:
        ink = _LIES[each.lying.lies]
        if each.lying.error_mm:
            reach = radius + _LIKELY * each.lying.error_mm
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{reach + 3:.1f}" fill="none" stroke="{ink}"'
                f' stroke-width="{3 if each.lying.lies is Lies.UNSURE else 1.2:g}" stroke-dasharray="7 5"/>'
            )
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius + 1.5:g}" fill="{_GROUND}" stroke="{ink}"'
            ' stroke-width="4"/>'
        )
    faint = "" if each.bet is not None else ' opacity="0.85"'
    dash = 2 * math.pi * radius * 0.88 / 12
    parts.append(
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" stroke="#05070a"'
        f"{faint}>"
        f"<title>{escape(_tale(each))}</title></circle>"
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.88:g}" fill="none" stroke="#ffffff"'
        f' stroke-opacity="0.85" stroke-width="{radius * 0.22:g}" stroke-dasharray="{dash:.2f} {dash:.2f}"'
        ' pointer-events="none"/>'
    )
    count = "?" if each.stack.count is None else f"×{each.stack.count}"
    parts.append(
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.62:g}" fill="#f6f3ea" pointer-events="none"/>'
        f'<text x="{x:g}" y="{y + 0.24 * radius:g}" font-size="{0.68 * radius:g}" fill="#15181d"'
        f' pointer-events="none">{escape(count)}</text>'
    )
    return parts


def _beside(felt: Felt, each: Laid, bets: list[Laid], letter: float) -> str:
    """The value of chips beside a bet, on their far side."""
    x, y = each.stack.at_mm
    left = bool(bets) and x < bets[0].stack.at_mm[0]
    value = each.stack.value
    words = "+ ?" if value is None else f"+{value}"
    reach = felt.chip_mm / 2 + 0.3 * letter
    at = (x - reach if left else x + reach, y + 0.3 * letter)
    return _text(*at, 0.85 * letter, _INK, words, "end" if left else "start")


def _free_above(each: Laid, found: list[Laid]) -> bool:
    """Whether the words of a bet would cover another stack below it, and not above."""
    x, y = each.stack.at_mm
    others = [one.stack.at_mm for one in found if one is not each]
    near = [ny - y for nx, ny in others if abs(nx - x) < _CROWD_MM and abs(ny - y) < _CROWD_MM]
    return any(dy > 0 for dy in near) and not any(dy <= 0 for dy in near)


def _words(felt: Felt, each: Laid, above: bool, letter: float, tone: Tone | None) -> list[str]:
    """Under a bet (or above it): its value and how it lies, then what happened to it."""
    assert each.bet is not None
    x, y = each.stack.at_mm
    value = each.bet.get("value")
    first = "?" if value is None else readable(str(value))
    rows = [(f"{first} {_tag(each.lying)}".strip(), _LIES[each.lying.lies])]
    if told := _outcome(each.bet):
        rows.append((told, {"wrong": _RED, "unsure": _BLUE}.get(tone or "", _INK)))
    start = y + felt.chip_mm / 2 + 1.05 * letter
    if above:
        start = y - felt.chip_mm / 2 - (1.1 * len(rows) - 0.75) * letter
    return [
        _text(x, start + 1.1 * k * letter, letter * (1 if k == 0 else 0.85), ink, words)
        for k, (words, ink) in enumerate(rows)
    ]


def _text(x: float, y: float, size: float, ink: str, words: str, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:.1f}" fill="{ink}"'
        f' stroke="{_GROUND}" stroke-width="{size / 5:.1f}" stroke-linejoin="round" paint-order="stroke">'
        f"{escape(words)}</text>"
    )


def _tag(how: LyingOut) -> str:
    if how.lies is Lies.UNSURE:
        return " / ".join(f"{_SHORT[place.lies]} {place.p:.0%}" for place in how.places[:3])
    return _TAGS.get(how.lies, "")


def _outcome(bet: dict[str, Any]) -> str:
    outcome = bet.get("outcome")
    if outcome is None:
        return ""
    words = _OUTCOMES.get(str(outcome), str(outcome).replace("_", " "))
    amount, due = bet.get("outcome_amount"), bet.get("due_amount")
    if amount is not None and outcome != "none":
        words += f" {readable(str(amount))}"
    if due is not None and due != amount and bet.get("due") == "pay":
        words += f", {readable(str(due))} due"
    return words


def _tale(each: Laid) -> str:
    """What the pointer tells of a stack."""
    chips = each.stack.denominations
    content = "not counted" if chips is None else " + ".join("?" if c is None else str(c) for c in chips)
    if chips is None and each.stack.count is not None:
        content = f"{each.stack.count} chips"
    how = each.lying.says if each.bet is not None else "no bet"
    error = "" if each.stack.error_mm is None else f", place known to {each.stack.error_mm:g} mm"
    return f"{each.spot}: {content}; {how}{error}"
