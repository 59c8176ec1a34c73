"""The calibration page: the drawing lies over a camera's picture and is pulled onto it by its corners.

What solves and saves is given by whoever starts the server (``Bench``); the pages only show and pass on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Protocol, TypeVar, cast

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from dashboards.models import Problem
from dashboards.wiring import json_only

Px = tuple[float, float]
Served = TypeVar("Served")


class PointIn(BaseModel):
    """One corner of the drawing, and the pixel where it was pulled to."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    corner: str = Field(max_length=120, description="The corner's name.")
    px: Px = Field(description="x and y in the picture (pixels from the top left corner).")


class PointsIn(BaseModel):
    """All corners that have been pulled."""

    model_config = ConfigDict(extra="forbid")

    points: list[PointIn] = Field(max_length=400)


class CornerOut(BaseModel):
    """One corner, where the drawing shows it at present."""

    name: str
    px: Px


class ResidualOut(BaseModel):
    """How far a point lies from where the camera shows its corner."""

    corner: str
    mm: float | None = Field(description="On the felt; null where the point looks past it.")
    px: float


class FitOut(BaseModel):
    """How the drawing lies over the picture with these points."""

    solved: bool = Field(description="Whether a camera was found; else the drawing lies roughly.")
    good: bool = Field(description="Whether nothing has to be done.")
    says: list[str] = Field(description="Sentences for people: what is wrong or could be better.")
    rms_mm: float | None = None
    open_mm: float | None = Field(default=None, description="What the points leave open at the worst spot.")
    residuals: list[ResidualOut] = []
    outlines: list[list[Px]] = Field(description="The drawing's lines in the picture.")
    corners: list[CornerOut] = Field(description="Its corners in the picture, those in view.")


class StartOut(BaseModel):
    """What the page begins with."""

    width_px: int
    height_px: int
    points: list[PointIn] = Field(description="The points that the table file has.")
    fit: FitOut


class SavedOut(BaseModel):
    """What was saved."""

    says: str


class Bench(Protocol):
    """One camera of one table, ready to be calibrated. ``key`` is the table's place in addresses.

    ``fit`` and ``save`` raise VeedorError for points of which there is no such corner, and ``save`` also for
    points that fit no camera or a file that cannot be written; nothing is then changed.
    """

    @property
    def key(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def camera(self) -> str: ...
    def still(self) -> bytes:
        """The camera's picture, JPEG."""

    def start(self) -> StartOut:
        """The points that the table file has, and how they fit."""

    def fit(self, points: list[PointIn]) -> FitOut:
        """How the drawing lies with these points."""

    def save(self, points: list[PointIn]) -> str:
        """Write the points into the table file, and say so."""


def benches_of(request: Request) -> dict[str, Bench]:
    """What can be calibrated here."""
    return cast(dict[str, Bench], request.app.state.benches)


def served(tables: Mapping[str, Served], table: str, to: str) -> Served:
    """What is served of a table, by its place in addresses; ``to``: what it is for. Raises HTTPException
    (404), saying how to start."""
    found = tables.get(table)
    if found is None:
        raise HTTPException(
            404,
            f"There is no such table here to {to}: start the server with"
            " veedor serve --table TABLE.yaml --picture FRAME.jpg.",
        )
    return found


def _bench(request: Request, table: str) -> Bench:
    return served(benches_of(request), table, "calibrate")


BenchOf = Annotated[Bench, Depends(_bench)]
router = APIRouter(
    prefix="/api/calibrate",
    include_in_schema=False,
    responses={404: {"model": Problem, "description": "No such table."}},
)


@router.get("/{table}")
def start(bench: BenchOf) -> StartOut:
    """What the page begins with."""
    return bench.start()


@router.get("/{table}/still.jpg")
def still(bench: BenchOf) -> Response:
    """The camera's picture."""
    return Response(bench.still(), media_type="image/jpeg")


@router.post("/{table}/fit", dependencies=[Depends(json_only)])
def fit(bench: BenchOf, points: PointsIn) -> FitOut:
    """How the drawing lies with these points; nothing is saved."""
    return bench.fit(points.points)


@router.post("/{table}/points", dependencies=[Depends(json_only)])
def save(bench: BenchOf, points: PointsIn) -> SavedOut:
    """Save the points into the table file."""
    return SavedOut(says=bench.save(points.points))
