# ruff: noqa: E501 (SVG fragments are kept whole)
"""Court figures drawn by rule: what a king, a queen and a jack have in common across packs.

A king is bearded and crowned and bears a blade or an orb; a queen has long hair, a small crown or veil and a
flower; a jack is beardless under a soft cap, with a feather, a leaf or a staff. Dress, hair, colours,
attributes, the line that divides the two halves and the side that the face is turned to differ freely.
Units are millimetres, the card's centre at the origin, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.cards import Rank

PALETTES: tuple[tuple[str, ...], ...] = (
    ("#c8202c", "#f2c81e", "#1d3f94", "#15120f"),
    ("#d8262f", "#f7d417", "#2a62b8", "#000000"),
    ("#b01e2e", "#e3b23c", "#26456e", "#222222"),
    ("#e04a3a", "#f4d58d", "#2f7d5b", "#2b2b2b"),
    ("#9d2235", "#cf9f3f", "#3f6b4a", "#1f1a17"),
    ("#c43b52", "#f0e04a", "#5b3f8c", "#141414"),
    ("#1d3f94", "#f2c81e", "#c8202c", "#0d0d0d"),
    ("#d0342c", "#e8e0c8", "#5d7fa3", "#2a2a2a"),
)
"""Dress colours: main, metal, second, ink."""


@dataclass(frozen=True, slots=True)
class CourtStyle:
    """How one pack draws its courts."""

    palette: tuple[str, ...]
    skin: str
    line_mm: float
    head: float
    """Head height as a share of the half frame."""
    busy: float
    """0 plain dress, 1 covered in pattern."""
    silhouette: bool
    full_length: bool
    bearded_kings: bool
    slant: float
    """Slope of the dividing line."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> CourtStyle:
        """Draw a style; most are double-headed with faces, a few silhouettes or full-length figures."""
        kind = rng.random()
        return cls(
            palette=PALETTES[int(rng.integers(len(PALETTES)))],
            skin=("#f7e6d4", "#ffffff", "#f1cfae", "#e8b98d", "#fbf3e6")[int(rng.integers(5))],
            line_mm=float(rng.uniform(0.2, 0.6)),
            head=float(rng.uniform(0.24, 0.42)),
            busy=float(rng.beta(1.6, 1.0)),
            silhouette=bool(kind < 0.08),
            full_length=bool(0.08 <= kind < 0.2),
            bearded_kings=bool(rng.random() < 0.9),
            slant=float(rng.choice([0, 0, 0.35, -0.35, 0.7, -0.7])),
        )


def _poly(points: list[tuple[float, float]], paint: str) -> str:
    return f'<path d="M{" L".join(f"{x:.2f},{y:.2f}" for x, y in points)} Z" {paint}/>'


def _dot(x: float, y: float, r: float, paint: str) -> str:
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}" {paint}/>'


class _Painter:
    """Draws one upper half; the figure stands in x -w..w, y -h..0."""

    def __init__(self, style: CourtStyle, w: float, h: float, ink: str, rng: np.random.Generator) -> None:
        self.s, self.w, self.h, self.rng = style, w, h, rng
        order = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
        self.main, self.metal, self.second = (style.palette[int(i)] for i in order)
        if style.silhouette:
            self.main = self.metal = self.second = ink
        self.line = f'stroke="{style.palette[3]}" stroke-width="{style.line_mm:.2f}"'
        self.parts: list[str] = []
        self.head_h = style.head * h * (0.75 if style.full_length else 1.0)
        self.x = float(rng.uniform(-0.12, 0.12) * w)
        self.top = -h * float(rng.uniform(0.8, 0.9)) + self.head_h * 0.25
        self.chin = self.top + self.head_h * 0.95
        self.face_w = self.head_h * float(rng.uniform(0.3, 0.38))

    def paint(self, colour: str) -> str:
        if self.s.silhouette:
            return f'fill="{colour}"'
        return f'fill="{colour}" {self.line} stroke-linejoin="round"'

    def add(self, fragment: str) -> None:
        self.parts.append(fragment)

    def dress(self, rank: Rank) -> None:
        w, x, chin = self.w, self.x, self.chin
        shoulder = w * float(self.rng.uniform(0.7, 1.0))
        neck = self.face_w * 0.6
        bottom = w * abs(self.s.slant) + 1
        body = [
            *((x - neck, chin - 1), (x + neck, chin - 1), (x + shoulder * 0.75, chin + self.h * 0.07)),
            *((shoulder, chin + self.h * 0.22), (w * 0.95, bottom), (-w * 0.95, bottom)),
            *((-shoulder, chin + self.h * 0.22), (x - shoulder * 0.75, chin + self.h * 0.07)),
        ]
        self.add(_poly(body, self.paint(self.main)))
        if not self.s.silhouette:
            self.pattern(chin + self.h * 0.06, bottom, shoulder)
        collar = neck + self.h * float(self.rng.uniform(0.05, 0.12))
        if rank is Rank.KING:  # an ermine or a broad collar
            self.add(
                _poly(
                    [(x - collar, chin), (x + collar, chin), (x, chin + collar * 1.6)], self.paint(self.metal)
                )
            )
        else:
            self.add(
                f'<ellipse cx="{x:.2f}" cy="{chin + 1:.2f}" rx="{collar:.2f}" ry="{collar * 0.45:.2f}" '
                f"{self.paint(self.second)}/>"
            )

    def pattern(self, top: float, bottom: float, half: float) -> None:
        """Bands, chevrons, spots and checks that make an engraved court so dense."""
        rng = self.rng
        for _ in range(1 + int(self.s.busy * 6)):
            kind, colour = int(rng.integers(4)), (self.metal, self.second)[int(rng.integers(2))]
            thick = float(rng.uniform(0.7, 3.0))
            if kind == 0:
                x0, lean = float(rng.uniform(-half, half)), float(rng.uniform(-0.8, 0.8)) * half
                self.add(
                    f'<path d="M{x0:.2f},{top:.2f} L{x0 + lean:.2f},{bottom:.2f}" '
                    f'stroke="{colour}" stroke-width="{thick:.2f}"/>'
                )
            elif kind == 1:
                for y in np.arange(top + 2, bottom, float(rng.uniform(3, 6))):
                    self.add(
                        f'<path d="M{-half * 0.6:.2f},{y:.2f} L{self.x:.2f},{y + 3:.2f} L{half * 0.6:.2f},{y:.2f}" '
                        f'fill="none" stroke="{colour}" stroke-width="{thick * 0.5:.2f}"/>'
                    )
            elif kind == 2:
                step = float(rng.uniform(2.5, 5))
                x0 = float(rng.uniform(-half * 0.7, half * 0.2))
                for i in range(int(rng.integers(4, 14))):
                    self.add(
                        _dot(x0 + step * (i % 3), top + 3 + step * (i // 3), step * 0.28, f'fill="{colour}"')
                    )
            else:
                x0, wide = float(rng.uniform(-half * 0.8, half * 0.4)), float(rng.uniform(3, 9))
                self.add(
                    f'<rect x="{x0:.2f}" y="{top + 2:.2f}" width="{wide:.2f}" height="{bottom - top:.2f}" '
                    f'{self.paint(colour)} transform="rotate({float(rng.uniform(-25, 25)):.1f} {x0:.1f} {top:.1f})"/>'
                )

    def hair(self, rank: Rank) -> None:
        x, chin, fw = self.x, self.chin, self.face_w
        colour = (self.metal, self.s.skin, self.s.palette[3], self.metal)[int(self.rng.integers(4))]
        length = {Rank.KING: 0.12, Rank.QUEEN: 0.35, Rank.JACK: 0.0}[rank] * self.head_h
        low = chin + length * float(self.rng.uniform(0.6, 1.3))
        side = fw * float(self.rng.uniform(1.25, 1.7))
        mid = (self.top + chin) / 2
        for sign in (-1, 1):
            self.add(
                f'<path d="M{x:.2f},{self.top:.2f} C{x + sign * side:.2f},{self.top:.2f} {x + sign * side * 1.1:.2f},'
                f'{mid:.2f} {x + sign * side:.2f},{low:.2f} L{x + sign * fw * 0.6:.2f},{low - 1:.2f} Z" '
                f"{self.paint(colour)}/>"
            )
            if self.rng.random() < 0.5:  # the rolled curl of jacks and kings
                self.add(_dot(x + sign * side * 0.95, low, fw * 0.3, self.paint(colour)))

    def face(self, rank: Rank) -> None:
        x, fw, top, chin, hh = self.x, self.face_w, self.top, self.chin, self.head_h
        self.add(
            f'<ellipse cx="{x:.2f}" cy="{(top + chin) / 2:.2f}" rx="{fw:.2f}" ry="{hh * 0.5:.2f}" '
            f"{self.paint(self.main if self.s.silhouette else self.s.skin)}/>"
        )
        beard = rank is Rank.KING and self.s.bearded_kings
        if beard:
            colour = (self.metal, self.s.skin, "#8a8378", self.s.palette[3])[int(self.rng.integers(4))]
            long = hh * float(self.rng.uniform(0.15, 0.45))
            self.add(
                _poly(
                    [
                        *((x - fw, chin - hh * 0.35), (x + fw, chin - hh * 0.35)),
                        *(
                            (x + fw * 0.6, chin + long * 0.6),
                            (x, chin + long),
                            (x - fw * 0.6, chin + long * 0.6),
                        ),
                    ],
                    self.paint(colour),
                )
            )
        if self.s.silhouette:
            return
        look = float(self.rng.uniform(-0.35, 0.35)) * fw
        eye = top + hh * 0.48
        thin = f'fill="none" stroke="{self.s.palette[3]}" stroke-width="{self.s.line_mm * 0.9:.2f}"'
        for sign in (-1, 1):
            self.add(_dot(x + look + sign * fw * 0.4, eye, fw * 0.11, f'fill="{self.s.palette[3]}"'))
            self.add(
                f'<path d="M{x + look + sign * fw * 0.2:.2f},{eye - 1:.2f} h{sign * fw * 0.45:.2f}" {thin}/>'
            )
        self.add(f'<path d="M{x + look:.2f},{eye:.2f} l{look * 0.5 - 0.3:.2f},{hh * 0.17:.2f} h.8" {thin}/>')
        mouth = top + hh * 0.78
        red = f'fill="none" stroke="{"#b3202c" if rank is not Rank.KING else self.s.palette[3]}" stroke-width=".5"'
        self.add(f'<path d="M{x + look - fw * 0.25:.2f},{mouth:.2f} h{fw * 0.5:.2f}" {red}/>')

    def headgear(self, rank: Rank) -> None:
        x, fw, top, hh = self.x, self.face_w, self.top, self.head_h
        base = top + hh * 0.18
        if rank is Rank.JACK:
            self.cap(x, fw, base, hh)
            return
        wide = fw * (1.45 if rank is Rank.KING else 1.05) * float(self.rng.uniform(0.9, 1.15))
        tall = hh * (0.42 if rank is Rank.KING else 0.28) * float(self.rng.uniform(0.8, 1.25))
        points = int(self.rng.choice([3, 4, 5] if rank is Rank.KING else [3, 5, 7]))
        crown = [(x - wide, base), (x - wide * 1.1, base - tall)]
        for i in range(points - 1):
            left = x - wide * 1.1 + 2.2 * wide * (i + 0.5) / (points - 1)
            right = x - wide * 1.1 + 2.2 * wide * (i + 1) / (points - 1)
            crown += [(left, base - tall * 0.4), (right, base - tall)]
        self.add(_poly([*crown, (x + wide, base)], self.paint(self.metal)))
        for i in range(points):
            self.add(
                _dot(
                    x - wide * 1.1 + 2.2 * wide * i / (points - 1),
                    base - tall,
                    hh * 0.045,
                    self.paint(self.second),
                )
            )
        self.add(
            f'<rect x="{x - wide:.2f}" y="{base - hh * 0.05:.2f}" width="{2 * wide:.2f}" height="{hh * 0.1:.2f}" '
            f"{self.paint(self.second)}/>"
        )
        if rank is Rank.QUEEN and self.rng.random() < 0.4:  # a veil behind the crown
            for sign in (-1, 1):
                drop = self.chin + hh * 0.3
                self.add(
                    f'<path d="M{x + sign * wide:.2f},{base:.2f} Q{x + sign * fw * 2.2:.2f},{self.chin:.2f} '
                    f'{x + sign * fw * 1.9:.2f},{drop:.2f} L{x + sign * fw * 1.2:.2f},{drop:.2f} Z" '
                    f"{self.paint(self.second)}/>"
                )

    def cap(self, x: float, fw: float, base: float, hh: float) -> None:
        wide = fw * float(self.rng.uniform(1.25, 1.7))
        tall = hh * float(self.rng.uniform(0.16, 0.34))
        lean = fw * float(self.rng.uniform(-0.5, 0.5))
        self.add(
            f'<path d="M{x - wide:.2f},{base:.2f} C{x - wide + lean:.2f},{base - tall * 1.4:.2f} '
            f'{x + wide + lean:.2f},{base - tall * 1.4:.2f} {x + wide:.2f},{base:.2f} Z" {self.paint(self.main)}/>'
        )
        self.add(
            f'<rect x="{x - wide:.2f}" y="{base - hh * 0.05:.2f}" width="{2 * wide:.2f}" height="{hh * 0.11:.2f}" '
            f"{self.paint(self.metal)}/>"
        )
        if self.rng.random() < 0.65:
            sign = float(self.rng.choice([-1, 1]))
            self.add(
                f'<path d="M{x + sign * wide * 0.8:.2f},{base:.2f} q{sign * fw * 0.3:.2f},{-hh * 0.5:.2f} '
                f"{sign * fw * 1.5:.2f},{-hh * 0.3:.2f} q{-sign * fw * 0.7:.2f},{hh * 0.15:.2f} "
                f'{-sign * fw * 1.2:.2f},{hh * 0.33:.2f} Z" {self.paint(self.second)}/>'
            )

    def attribute(self, rank: Rank) -> None:
        sign = float(self.rng.choice([-1, 1]))
        x = sign * self.w * float(self.rng.uniform(0.55, 0.85))
        y0, y1 = -self.h * float(self.rng.uniform(0.75, 0.95)), -self.h * float(self.rng.uniform(0.1, 0.3))
        hand = self.h * 0.06
        if rank is Rank.QUEEN:
            y0 = self.chin - self.head_h * float(self.rng.uniform(0.0, 0.5))
            self.add(f'<path d="M{x:.2f},{y0:.2f} L{x:.2f},{y1:.2f}" stroke="#2d7a3e" stroke-width="1"/>')
            petal = self.h * float(self.rng.uniform(0.05, 0.09))
            for k in range(5):
                a = k * 2 * np.pi / 5
                self.add(
                    _dot(x + petal * np.cos(a), y0 + petal * np.sin(a), petal * 0.75, self.paint(self.main))
                )
            self.add(_dot(x, y0, petal * 0.6, self.paint(self.metal)))
        elif rank is Rank.KING and self.rng.random() < 0.25:
            orb = self.h * 0.12
            self.add(_dot(x, y1 - orb, orb, self.paint(self.metal)))
            self.add(
                f'<path d="M{x:.2f},{y1 - orb * 3:.2f} v{orb:.2f} m{-orb * 0.5:.2f},{-orb * 0.5:.2f} h{orb:.2f}" {self.line}/>'
            )
        elif rank is Rank.KING:
            blade = self.w * float(self.rng.uniform(0.05, 0.09))
            self.add(
                _poly(
                    [(x, y0), (x + blade, y0 + 4), (x + blade, y1), (x - blade, y1), (x - blade, y0 + 4)],
                    self.paint("#dfe3ea"),
                )
            )
            self.add(
                f'<rect x="{x - blade * 3:.2f}" y="{y1 - 1:.2f}" width="{blade * 6:.2f}" height="2" {self.paint(self.metal)}/>'
            )
        else:
            self.add(
                f'<path d="M{x:.2f},{y0:.2f} L{x:.2f},{y1 + 6:.2f}" stroke="{self.second}" stroke-width="1.6"/>'
            )
            size = self.h * float(self.rng.uniform(0.06, 0.1))
            shape = [(x, y0 - size), (x + size * 0.7, y0), (x, y0 + size * 1.4), (x - size * 0.7, y0)]
            self.add(_poly(shape, self.paint(self.metal)))
        if not self.s.silhouette:
            self.add(_dot(x, y1, hand, self.paint(self.s.skin)))


def court_half(rank: Rank, style: CourtStyle, w: float, h: float, ink: str, rng: np.random.Generator) -> str:
    """The upper half of a court figure as an SVG fragment.

    The figure fills x from -``w`` to ``w`` and y from -``h`` to about 0 (mm); ``ink`` is the suit's colour.
    ``rank`` is a jack, a queen or a king.
    """
    painter = _Painter(style, w, h, ink, rng)
    if rng.random() < 0.5:
        painter.attribute(rank)
        behind = True
    else:
        behind = False
    painter.dress(rank)
    painter.hair(rank)
    painter.face(rank)
    painter.headgear(rank)
    if not behind:
        painter.attribute(rank)
    return "".join(painter.parts)
