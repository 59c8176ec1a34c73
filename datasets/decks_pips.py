"""Outlines of the four suits and the places of the pips on a numeral card, as SVG fragments.

Units are millimetres on a card 88 mm high; a pip's path is centred on the origin and 1 high, to be scaled.
Every proportion is a parameter: French-suited packs differ in them, and a reader has to live with that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.cards import Suit

PIP_ROWS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    8: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    9: ((-1, -1), (1, -1), (-1, -1 / 3), (1, -1 / 3), (0, 0), (-1, 1 / 3), (1, 1 / 3), (-1, 1), (1, 1)),
    10: (
        *((-1, -1), (1, -1), (0, -2 / 3), (-1, -1 / 3), (1, -1 / 3)),
        *((-1, 1 / 3), (1, 1 / 3), (0, 2 / 3), (-1, 1), (1, 1)),
    ),
}
"""Pip places of the standard tableau by pip count, in half widths and half heights of the pip field."""

_FOURS = tuple((x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (-1, 1))
_RING = ((0, -1), (-1, -0.5), (1, -0.5), (-1, 0.5), (1, 0.5), (0, 1))
OLD_ROWS: dict[int, tuple[tuple[tuple[float, float], ...], ...]] = {
    4: (((0, -1), (-1, 0), (1, 0), (0, 1)),),
    5: (
        ((0, -1), (-1, -0.33), (1, -0.33), (-0.6, 0.9), (0.6, 0.9)),
        ((0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)),
    ),
    6: (_RING, tuple((x, y) for y in (-1, 0, 1) for x in (-0.6, 0.6))),
    7: ((*_RING, (0, 0)), (*PIP_ROWS[6], (0, 0.5)), (*PIP_ROWS[6], (0, 0))),
    8: (
        _FOURS,
        (*_RING, (0, -0.33), (0, 0.33)),
        tuple(p for p in _FOURS if abs(p[1]) > 0.5)
        + tuple((x, y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))),
    ),
    9: ((*_FOURS, (0, -2 / 3)), (*_FOURS, (0, 2 / 3)), tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))),
    10: (
        (*_FOURS, (0, -1 / 3), (0, 1 / 3)),
        tuple((x, y) for y in (-1, -0.5, 0, 0.5, 1) for x in (-0.8, 0.8)),
    ),
}
"""Other places that French, Italian and art packs give the pips: columns, rings, a ninth off the middle."""


@dataclass(frozen=True, slots=True)
class PipShape:
    """Proportions of the suit signs of one pack, each about 0.5 in the middle of its range 0..1."""

    width: float
    """Slender (0) to broad (1)."""
    tip: float
    """Hollow sides (0) to full ones (1) towards the point."""
    notch: float
    """Depth of the cleft between two lobes."""
    stem: float
    """Thin (0) to spreading (1) foot of spades and clubs."""
    hollow: float
    """Straight (0) to curved (1) sides of the diamond."""
    lobes: float
    """Small, separate (0) to large, merging (1) leaves of the club."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> PipShape:
        """Draw proportions, nearer to the middle than to the ends."""
        return cls(*(float(v) for v in rng.beta(1.6, 1.6, size=6)))


def _heart(s: PipShape) -> str:
    half = 0.42 + 0.13 * s.width
    notch = -0.36 + 0.2 * s.notch
    side, pull = 0.02 + 0.2 * s.tip, 0.1 + 0.22 * s.tip
    return (
        f"M0,{notch:.3f} C{-half * 0.25:.3f},-.56 {-half:.3f},-.56 {-half:.3f},-.14 "
        f"C{-half:.3f},{side:.3f} {-pull:.3f},.26 0,.5 "
        f"C{pull:.3f},.26 {half:.3f},{side:.3f} {half:.3f},-.14 "
        f"C{half:.3f},-.56 {half * 0.25:.3f},-.56 0,{notch:.3f} Z"
    )


def _stem(s: PipShape, top: float) -> str:
    # Drawn clockwise like the rest: opposite windings would leave holes where parts overlap.
    foot = 0.1 + 0.2 * s.stem
    waist = 0.02 + 0.04 * s.stem
    return (
        f"M{waist:.3f},{top:.3f} C{waist:.3f},.32 {foot * 0.5:.3f},.46 {foot:.3f},.5 "
        f"L{-foot:.3f},.5 C{-foot * 0.5:.3f},.46 {-waist:.3f},.32 {-waist:.3f},{top:.3f} Z"
    )


def _spade(s: PipShape) -> str:
    half = 0.38 + 0.12 * s.width
    notch = 0.2 - 0.12 * s.notch
    side, pull = -0.2 * s.tip, 0.06 + 0.2 * s.tip
    return (
        f"M0,-.5 C{pull:.3f},-.26 {half:.3f},{side:.3f} {half:.3f},.12 "
        f"C{half:.3f},.42 {half * 0.25:.3f},.42 0,{notch:.3f} "
        f"C{-half * 0.25:.3f},.42 {-half:.3f},.42 {-half:.3f},.12 "
        f"C{-half:.3f},{side:.3f} {-pull:.3f},-.26 0,-.5 Z " + _stem(s, 0.1)
    )


def _diamond(s: PipShape) -> str:
    half = 0.34 + 0.12 * s.width
    bow = (s.hollow - 0.35) * 0.14
    x, y = half / 2 - bow, 0.25 - bow
    return (
        f"M0,-.5 Q{x:.3f},{-y:.3f} {half:.3f},0 Q{x:.3f},{y:.3f} 0,.5 "
        f"Q{-x:.3f},{y:.3f} {-half:.3f},0 Q{-x:.3f},{-y:.3f} 0,-.5 Z"
    )


def _circle(x: float, y: float, r: float) -> str:
    return (
        f"M{x - r:.3f},{y:.3f} a{r:.3f},{r:.3f} 0 1,1 {2 * r:.3f},0 a{r:.3f},{r:.3f} 0 1,1 {-2 * r:.3f},0 Z"
    )


def _club(s: PipShape) -> str:
    r = 0.19 + 0.06 * s.lobes
    out = 0.2 + 0.09 * s.width
    neck = 0.06 + 0.06 * s.lobes
    return " ".join(
        (
            _circle(0, -0.5 + r, r),
            _circle(-out, 0.1, r),
            _circle(out, 0.1, r),
            f"M{-neck:.3f},-.3 L{neck:.3f},-.3 L{out:.3f},.18 L{-out:.3f},.18 Z" if s.lobes > 0.4 else "",
            _circle(0, 0.02, neck + 0.03),
            f"M{-out:.3f},.07 h{2 * out:.3f} v.08 h{-2 * out:.3f} Z",
            _stem(s, -0.2),
        )
    )


def pip_path(suit: Suit, shape: PipShape) -> str:
    """The ``d`` of a suit sign's SVG path: centred on the origin, 1 high, upright."""
    match suit:
        case Suit.HEARTS:
            return _heart(shape)
        case Suit.SPADES:
            return _spade(shape)
        case Suit.DIAMONDS:
            return _diamond(shape)
        case Suit.CLUBS:
            return _club(shape)


def place(path: str, x: float, y: float, height: float, paint: str, turned: bool = False) -> str:
    """An SVG element that draws ``path`` at (x, y) mm, ``height`` mm high, with ``paint`` attributes."""
    turn = " rotate(180)" if turned else ""
    return f'<path d="{path}" {paint} transform="translate({x:.2f} {y:.2f}){turn} scale({height:.3f})"/>'
