"""How a bet lies: inside its box, on a half line, on the line between two, outside, or too close to call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum, unique
from typing import Protocol

from pydantic import BaseModel, Field

from rules.events import Stack
from rules.spots import Area, Spot


@unique
class Lies(StrEnum):
    """What a bet's place makes of it."""

    INSIDE = "inside"
    """In its box: it plays whole."""
    HALF_LINE = "half_line"
    """On a half line: it plays half."""
    SPLITTING_LINE = "splitting_line"
    """On the line between two spots: it plays on both."""
    OUTSIDE = "outside"
    """In no betting box."""
    UNSURE = "unsure"
    """Too close to call."""


class PlaceOut(BaseModel):
    """One place where a stack may stand."""

    lies: Lies
    spot: str
    line: str | None = Field(description="The line its base lies on.")
    p: float = Field(description="How likely.")
    says: str = Field(description="In words.")


class LyingOut(BaseModel):
    """How one bet lies. Of one that is too close to call, ``places`` has all that are worth saying."""

    lies: Lies
    says: str = Field(description="In words.", examples=["on the half line of punto"])
    places: list[PlaceOut] = Field(description="The likeliest first.")
    error_mm: float | None = Field(description="Usual distance from the true middle of its base.")


class ActingLine(Protocol):
    """A line of an overlay or a felt."""

    @property
    def id(self) -> str: ...
    @property
    def effect(self) -> str: ...
    @property
    def spots(self) -> tuple[str, ...]: ...


def by_id(lines: Iterable[ActingLine]) -> dict[str, ActingLine]:
    """The lines by the names that stacks give them."""
    return {line.id: line for line in lines}


def lying(stack: Stack, spot: str, lines: Mapping[str, ActingLine]) -> LyingOut:
    """How a stack at a spot lies. ``lines``: the felt's, by id; one that is not there is a half line."""
    own = _place(spot, stack.line, stack.p_place, lines)
    others = [_place(each.spot, each.line, each.p, lines) for each in stack.elsewhere]
    if not others:
        return LyingOut(lies=own.lies, says=own.says, places=[own], error_mm=stack.error_mm)
    places = sorted([own, *others], key=lambda place: -place.p)
    says = "too close to call: " + " or ".join(f"{place.says} ({place.p:.0%})" for place in places)
    return LyingOut(lies=Lies.UNSURE, says=says, places=places, error_mm=stack.error_mm)


def _place(spot: str, line: str | None, p: float, lines: Mapping[str, ActingLine]) -> PlaceOut:
    lies, says = _meaning(Spot.parse(spot), lines.get(line) if line else None, bool(line))
    return PlaceOut(lies=lies, spot=spot, line=line or None, p=p, says=says)


def _meaning(spot: Spot, line: ActingLine | None, on_a_line: bool) -> tuple[Lies, str]:
    if spot.area is not Area.BET:
        return Lies.OUTSIDE, "outside every box"
    if not on_a_line:
        return Lies.INSIDE, f"inside {spot.bet}"
    if line is not None and line.effect == "splits":
        sides = " and ".join(_short(side, spot) for side in line.spots)
        return Lies.SPLITTING_LINE, f"on the line between {sides}"
    return Lies.HALF_LINE, f"on the half line of {spot.bet}"


def _short(side: str, spot: Spot) -> str:
    """A spot's bet, with the whole name only where it is not of the same seat."""
    other = Spot.parse(side)
    return str(other.bet) if (other.seat, other.box) == (spot.seat, spot.box) else side
