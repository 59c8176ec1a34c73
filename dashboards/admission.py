"""The admission page: what a table's camera sees at each spot, over the felt, and which rules that allows.

What examines the table is given by whoever starts the server (``Examiner``); the page only shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol, cast
from xml.sax.saxutils import escape

from fastapi import Depends, Request
from pydantic import BaseModel, Field

from dashboards.calibration import served

Grade = Literal["good", "limited", "blind"]
INK: dict[Grade, str] = {"good": "#7fe0a0", "limited": "#ffc04d", "blind": "#ff7d68"}
_GROUND = "#0d0f12"


class SpotSeen(BaseModel):
    """What the camera that sees a spot best sees of it, where it sees least well."""

    spot: str
    camera: str
    grade: Grade
    bets: bool = Field(description="Whether chips are bet here.")
    cards: bool = Field(description="Whether cards lie here.")
    seen: float = Field(description="Share of it in the picture.")
    card_px: float = Field(description="A card's short side, pixels.")
    chip_px: float = Field(description="A chip's shortest diameter, pixels.")
    thick_px: float = Field(description="A chip's thickness, pixels.")
    error_mm: float | None = Field(description="Usual error of a stack's place.")
    too_close: float | None = Field(description="Share of places where zone or line cannot be told.")
    light: str | None = Field(description="`glare`, `dark` or null.")
    outline_mm: list[tuple[float, float]]


class RuleSeen(BaseModel):
    """Whether a rule can be judged at this table with these cameras."""

    rule: str
    text: str
    can: bool
    why: str | None
    sees: list[str] = Field(description="What of the table has to be seen for it.")


class AdmissionOut(BaseModel):
    """The whole test. ``fps``, ``clock``: of the recording or stream, where one was looked at."""

    table: str
    game: str
    profile: str
    camera: str
    fps: float | None
    clock: list[str] = Field(description="What is odd about its clock.")
    frame_mm: tuple[float, float, float, float]
    edge_mm: list[tuple[float, float]]
    spots: list[SpotSeen]
    rules: list[RuleSeen]
    remarks: list[str]
    pictured: bool = Field(description="Whether there was a picture: without one nothing is known of light.")


class Limits(BaseModel):
    """From where on a camera sees enough."""

    found_px: float = Field(description="Cards are found from here on.")
    named_px: float = Field(description="Cards are named from here on.")
    countable_px: float = Field(description="Chips are counted from this thickness on.")
    too_close: float = Field(description="Lines are judged where no more places are too close to call.")


class Examiner(Protocol):
    """One table ready to be tested. ``key`` is its place in addresses.

    ``admission`` and ``picture`` raise VeedorError for a table file that cannot be used (yet)."""

    @property
    def key(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def limits(self) -> Limits: ...
    def admission(self) -> AdmissionOut:
        """The test of the table file as it is now."""

    def picture(self) -> bytes:
        """The camera's picture with each spot in its grade's colour, JPEG."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that the map can show of spots. ``of``: which spots it is said of."""

    key: str
    name: str
    unit: str
    digits: int
    of: Literal["bets", "cards", "all"]


MEASURES = (
    Measure("card_px", "Card, short side", "px", 0, "cards"),
    Measure("chip_px", "Chip across", "px", 0, "bets"),
    Measure("thick_px", "Chip's thickness", "px", 1, "bets"),
    Measure("error_mm", "Place of a stack", "mm", 1, "bets"),
    Measure("too_close", "Too close to call", "%", 0, "bets"),
    Measure("seen", "In the picture", "%", 0, "all"),
)


def says(spot: SpotSeen, measure: Measure) -> str | None:
    """A spot's value of a measure in words, None where it is not said of such a spot."""
    if (measure.of == "bets" and not spot.bets) or (measure.of == "cards" and not spot.cards):
        return None
    value = getattr(spot, measure.key)
    if value is None:
        return None
    return f"{100 * value if measure.unit == '%' else value:.{measure.digits}f}"


def felt_map(found: AdmissionOut, measure: Measure) -> str:
    """The felt as SVG text: each spot in its grade's colour, with what a measure says of it."""
    x0, y0, x1, y1 = found.frame_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" text-anchor="middle"'
        f' aria-label="{escape(measure.name)} at each spot"'
        f' viewBox="{x0:g} {y0:g} {x1 - x0:g} {y1 - y0:g}" font-weight="700"'
        " font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\">",
        f'<polygon points="{_points(found.edge_mm)}" fill="#12241c" stroke="#3a5247" stroke-width="4"/>',
    ]
    for spot in sorted(found.spots, key=lambda spot: -_size(spot.outline_mm)):
        ink = INK[spot.grade]
        text = says(spot, measure)
        tale = f"{spot.spot}: {spot.grade}, by {spot.camera}" + (f", {spot.light}" if spot.light else "")
        dash = ' stroke-dasharray="14 9"' if spot.grade != "good" else ""
        parts.append(
            f'<polygon points="{_points(spot.outline_mm)}" fill="{ink}" stroke="{ink}" stroke-width="3"{dash}'
            f' fill-opacity="{0.3 if text is not None else 0.16}"><title>{escape(tale)}</title></polygon>'
        )
        if text is not None:
            x, y, room = _middle(spot.outline_mm)
            size = min(44.0, 0.62 * room, 1.5 * room / max(len(text), 2))
            parts.append(
                f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" font-size="{size:.1f}" fill="#fff"'
                f' stroke="{_GROUND}" stroke-width="{size / 6:.1f}" paint-order="stroke"'
                f' pointer-events="none">{text}</text>'
            )
    return "\n".join([*parts, "</svg>"])


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _size(points: list[tuple[float, float]]) -> float:
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _middle(points: list[tuple[float, float]]) -> tuple[float, float, float]:
    """The middle of an outline, and about how much room there is."""
    xs, ys = zip(*points, strict=True)
    room = min(max(xs) - min(xs), max(ys) - min(ys), _size(points) ** 0.5)
    return sum(xs) / len(xs), sum(ys) / len(ys), room


def why_not(found: AdmissionOut) -> list[tuple[str, list[RuleSeen]]]:
    """The rules that cannot be judged, together with the others that have the same reason."""
    groups: dict[str, list[RuleSeen]] = {}
    for rule in found.rules:
        if not rule.can:
            groups.setdefault(rule.why or "", []).append(rule)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def examiners_of(request: Request) -> dict[str, Examiner]:
    """What can be tested here."""
    return cast(dict[str, Examiner], request.app.state.examiners)


def _examiner(request: Request, table: str) -> Examiner:
    return served(examiners_of(request), table, "test")


ExaminerOf = Annotated[Examiner, Depends(_examiner)]
