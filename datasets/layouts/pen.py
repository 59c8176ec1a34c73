"""Draws a felt as SVG in millimetres: zones with their meaning, printed lines, words that face the player.

The dealer stands at the smallest y; angles are in degrees on the drawing, clockwise from the right, so that
90 is the players' side.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from rules.spots import Spot

Point = tuple[float, float]

SERIF = "Georgia, 'Times New Roman', 'Liberation Serif', serif"


@dataclass(frozen=True, slots=True)
class Inks:
    """A felt's colours: the cloth and its rim, the lines, a second ink, and what fills boxes softly."""

    cloth: str
    rim: str
    line: str
    accent: str
    fill: str


GREEN = Inks("#0f5a43", "#0a4333", "#f1e8d0", "#e2bd62", "#0c4c39")
BLUE = Inks("#1b4a7a", "#12365c", "#f2ead6", "#e6c36a", "#163f69")
WINE = Inks("#6d1a2b", "#4f1220", "#f4e6cf", "#e3b95b", "#5b1524")
TEAL = Inks("#0e5560", "#093f48", "#f0ead8", "#e4be63", "#0b4650")


@dataclass(frozen=True, slots=True)
class Ring:
    """Ellipses inside each other round one centre; ``inset`` counts inwards from the outermost, mm."""

    centre: Point
    across: float
    down: float

    def at(self, angle: float, inset: float) -> Point:
        """The point of the inset ellipse at an angle."""
        a = math.radians(angle)
        return (
            self.centre[0] + (self.across - inset) * math.cos(a),
            self.centre[1] + (self.down - inset) * math.sin(a),
        )

    def outward(self, angle: float, inset: float) -> float:
        """Which way the outside is there, degrees."""
        a, b = self.across - inset, self.down - inset
        return math.degrees(math.atan2(math.sin(math.radians(angle)) * a, math.cos(math.radians(angle)) * b))

    def speed(self, angle: float, inset: float) -> float:
        """Millimetres a degree along the inset ellipse."""
        a = math.radians(angle)
        return math.radians(1) * math.hypot(
            (self.across - inset) * math.sin(a), (self.down - inset) * math.cos(a)
        )

    def spread(self, count: int, first: float, last: float, inset: float) -> list[float]:
        """``count`` + 1 angles from first to last, equally far apart along the inset ellipse."""
        steps = 2000
        angles = [first + (last - first) * i / steps for i in range(steps + 1)]
        run = [0.0]
        for a, b in itertools.pairwise(angles):
            run.append(run[-1] + abs(b - a) * self.speed((a + b) / 2, inset))
        marks, i = [], 0
        for k in range(count + 1):
            want = run[-1] * k / count
            while i < steps and run[i] < want:
                i += 1
            marks.append(angles[i])
        return marks

    def narrowed(self, first: float, last: float, inset: float, gap: float) -> tuple[float, float]:
        """The angles between which a cell lies that leaves ``gap`` mm at each end on the inset ellipse."""
        sign = 1 if last > first else -1
        return first + sign * gap / self.speed(first, inset), last - sign * gap / self.speed(last, inset)

    def arc(self, first: float, last: float, inset: float, *, move: bool = True) -> str:
        """The path along the inset ellipse from one angle to another (less than a half turn)."""
        a, b = self.across - inset, self.down - inset
        sweep = 1 if last > first else 0
        large = 1 if abs(last - first) > 180 else 0
        x, y = self.at(last, inset)
        start = _go("M", self.at(first, inset)) if move else ""
        return f"{start}A{a:.1f} {b:.1f} 0 {large} {sweep} {x:.1f} {y:.1f}"

    def cell(self, first: float, last: float, outer: float, inner: float, gap: float = 0.0) -> str:
        """The closed path of a cell between two angles and two insets, ``gap`` mm short at each end."""
        a0, a1 = self.narrowed(first, last, outer, gap)
        b0, b1 = self.narrowed(first, last, inner, gap)
        return (
            f"{self.arc(a0, a1, outer)}{_go('L', self.at(b1, inner))}{self.arc(b1, b0, inner, move=False)}Z"
        )


def _go(command: str, point: Point) -> str:
    return f"{command}{point[0]:.1f} {point[1]:.1f}"


@dataclass(slots=True)
class Felt:
    """A drawing in the making. ``box``: x, y, width, height of the sheet, mm; ``dealers``: side by side."""

    title: str
    game: str
    box: tuple[float, float, float, float]
    inks: Inks
    dealers: int = 1
    parts: list[str] = field(default_factory=list)
    defs: list[str] = field(default_factory=list)

    def add(self, element: str) -> None:
        """Add an element as it is."""
        self.parts.append(element)

    def edge(self, path: str) -> None:
        """The felt's edge, with a double rule inside it."""
        self.add(
            f'<path id="felt-edge" d="{path}" fill="url(#cloth)" stroke="{self.inks.rim}"'
            ' stroke-width="10" data-felt="edge"/>'
        )

    def rule(self, path: str, width: float = 3.0, ink: str | None = None, dash: str = "") -> None:
        """A printed line without meaning."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(
            f'<path d="{path}" fill="none" stroke="{ink or self.inks.accent}" stroke-width="{width:g}"'
            f' stroke-linejoin="round"{dashed}/>'
        )

    def zone(
        self,
        spot: str,
        path: str,
        *,
        ink: str | None = None,
        fill: str | None = None,
        width: float = 4.0,
        half: bool = False,
        dash: str = "",
    ) -> None:
        """A spot's zone; ``half``: its whole outline halves bets."""
        Spot.parse(spot)
        extra = ' data-half-line="outline"' if half else ""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(
            f'<path id="{spot.replace(" ", "-")}" d="{path}" fill="{fill or self.inks.fill}"'
            f' stroke="{ink or self.inks.line}" stroke-width="{width:g}" stroke-linejoin="round"{dashed}'
            f' data-spot="{spot}"{extra}/>'
        )

    def line(self, name: str, path: str, *, halves: str = "", splits: str = "", ink: str = "#ff9d6b") -> None:
        """A line that acts on bets."""
        does = f'data-halves="{halves}"' if halves else f'data-splits="{splits}"'
        ident = name.replace(" ", "-").replace(":", "-")
        self.add(
            f'<path id="{ident}" d="{path}" fill="none" stroke="{ink}" stroke-width="5"'
            f' stroke-linecap="round" data-line="{name}" {does}/>'
        )

    def words(
        self,
        text: str,
        at: Point,
        size: float,
        turn: float = 0.0,
        *,
        ink: str | None = None,
        bold: bool = False,
        spacing: float = 0.06,
        opacity: float = 1.0,
    ) -> None:
        """A line of text centred at a point; ``turn``: degrees clockwise; ``spacing``: in letter heights."""
        x, y = at[0], at[1] + 0.36 * size
        turned = f' transform="rotate({turn:.2f} {at[0]:.1f} {at[1]:.1f})"' if abs(turn) > 1e-6 else ""
        weight = ' font-weight="bold"' if bold else ""
        faint = f' opacity="{opacity:g}"' if opacity < 1 else ""
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-family="{SERIF}"'
            f' font-size="{size:g}" letter-spacing="{spacing * size:.1f}"{weight}{faint}'
            f' fill="{ink or self.inks.line}"{turned}>{escape(text)}</text>'
        )

    def arched(
        self, text: str, path: str, size: float, *, ink: str | None = None, spacing: float = 0.2
    ) -> None:
        """Text along a path, centred."""
        ident = f"way-{len(self.defs) + 1}"
        self.defs.append(f'<path id="{ident}" d="{path}"/>')
        self.add(
            f'<text font-family="{SERIF}" font-size="{size:g}" letter-spacing="{spacing * size:.1f}"'
            f' text-anchor="middle" fill="{ink or self.inks.accent}">'
            f'<textPath href="#{ident}" startOffset="50%">{escape(text)}</textPath></text>'
        )

    def number(self, text: str, at: Point, radius: float, turn: float = 0.0) -> None:
        """A seat's number in a ring."""
        self.add(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" fill="none"'
            f' stroke="{self.inks.accent}" stroke-width="2.5"/>'
        )
        self.words(text, at, radius * 1.1, turn, ink=self.inks.accent, spacing=0)

    def place(self, spot: str, x: float, y: float, width: float, height: float, label: str) -> None:
        """A rounded place for cards, chips or a receptacle, its label inside its lower edge."""
        self.zone(spot, rounded(x, y, width, height, 10), ink=self.inks.accent, width=3)
        if label:
            size = min(20.0, 1.25 * width / max(len(label), 3))
            self.words(label, (x + width / 2, y + height - size), size, ink=self.inks.accent)

    def slot(self, spot: str, x: float, y: float, label: str, width: float = 90.0) -> None:
        """A slot in the table, with its label below."""
        self.zone(spot, rounded(x, y, width, 34, 17), ink=self.inks.accent, width=3)
        self.rule(f"M{x + 14:g} {y + 17:g}h{width - 28:g}", 6, "#1a1a1a")
        self.words(label, (x + width / 2, y + 50), 14, ink=self.inks.accent)

    def cards(self, x: float, y: float, count: int, gap: float = 12.0) -> None:
        """Outlines of cards where cards are to lie, without meaning."""
        for k in range(count):
            self.rule(rounded(x + k * (63 + gap), y, 63, 88, 5), 1.5, self.inks.accent + "88", "7 5")

    def flourish(self, at: Point, width: float) -> None:
        """A small ornament: a rule that swells to a diamond."""
        x, y = at
        self.rule(f"M{x - width / 2:g} {y:g}H{x - 14:g}M{x + 14:g} {y:g}H{x + width / 2:g}", 2)
        self.add(
            f'<path d="M{x:g} {y - 9:g}l9 9-9 9-9-9Z" fill="{self.inks.accent}"/>'
            f'<circle cx="{x - width / 2:g}" cy="{y:g}" r="3.5" fill="{self.inks.accent}"/>'
            f'<circle cx="{x + width / 2:g}" cy="{y:g}" r="3.5" fill="{self.inks.accent}"/>'
        )

    def svg(self) -> str:
        """The whole drawing."""
        x, y, w, h = self.box
        inks = self.inks
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:g}mm" height="{h:g}mm"'
                f' viewBox="{x:g} {y:g} {w:g} {h:g}" data-game={quoteattr(self.game)}'
                f"{'' if self.dealers == 1 else f' data-dealers={quoteattr(str(self.dealers))}'}>",
                f"<title>{escape(self.title)}</title>",
                '<defs><radialGradient id="cloth" cx="50%" cy="45%" r="75%">'
                f'<stop offset="0" stop-color="{inks.cloth}"/><stop offset="1" stop-color="{inks.rim}"/>'
                "</radialGradient>",
                *self.defs,
                "</defs>",
                f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="#2a1a12"/>',
                *self.parts,
                "</svg>",
                "",
            ]
        )


def rounded(x: float, y: float, width: float, height: float, radius: float) -> str:
    """The path of a rectangle with round corners."""
    r = min(radius, width / 2, height / 2)
    return (
        f"M{x + r:g} {y:g}h{width - 2 * r:g}a{r:g} {r:g} 0 0 1 {r:g} {r:g}v{height - 2 * r:g}"
        f"a{r:g} {r:g} 0 0 1 {-r:g} {r:g}h{2 * r - width:g}a{r:g} {r:g} 0 0 1 {-r:g} {-r:g}"
        f"v{2 * r - height:g}a{r:g} {r:g} 0 0 1 {r:g} {-r:g}Z"
    )


def disc(at: Point, radius: float) -> str:
    """The path of a circle."""
    x, y = at
    bow = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{x - radius:.1f} {y:.1f}{bow} {2 * radius:g} 0{bow} {-2 * radius:g} 0Z"


def tilted(at: Point, width: float, height: float, turn: float) -> str:
    """The path of a rectangle centred at a point and turned clockwise, degrees."""
    a = math.radians(turn)
    corners = [
        (-width / 2, -height / 2),
        (width / 2, -height / 2),
        (width / 2, height / 2),
        (-width / 2, height / 2),
    ]
    turned = [
        (at[0] + x * math.cos(a) - y * math.sin(a), at[1] + x * math.sin(a) + y * math.cos(a))
        for x, y in corners
    ]
    return "".join(_go("M" if i == 0 else "L", p) for i, p in enumerate(turned)) + "Z"
