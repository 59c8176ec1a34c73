"""What the API answers with. Every field is described in the OpenAPI document."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from dashboards.lanes import Lane
from dashboards.scene import LineShape, MarkShape, ShiftShape, ZoneShape


class Problem(BaseModel):
    """Why a request was refused: one sentence for people."""

    detail: str = Field(description="What is wrong, where, and what to do about it.")


class ReviewOut(BaseModel):
    """One reviewed recording."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    table: str = Field(description="The table's name.")
    game: str = Field(examples=["punto_banco"])
    profile: str = Field(description="The jurisdiction profile it was judged by.", examples=["andorra_2016"])
    recording_name: str = Field(description="The recording's file name, or what was watched and when.")
    duration_s: float = Field(description="Length of the recording, seconds.")
    reviewed_at: datetime = Field(description="When it was reviewed, UTC.")
    coups: int
    cards: int
    bets: int
    breaches: int = Field(description="Findings with the verdict BREACH.")
    undetermined: int = Field(description="Findings that could not be seen or were not told.")


class FindingOut(BaseModel):
    """One finding; times in seconds from the recording's start, amounts as exact fractions (`"19/2"`)."""

    model_config = ConfigDict(from_attributes=True)

    id: str = Field(description="Stable: the same breach keeps it when judged again.")
    coup: int
    rule: str = Field(description="Id of the rule in the catalogue.", examples=["PB-AND-PAY-01"])
    code: str = Field(description="Alert code of the catalogue.", examples=["UNDERPAID"])
    verdict: str = Field(description="`BREACH` or `UNDETERMINED`.")
    severity: str = Field(description="`H` money or integrity, `M` procedure, `L` statistics.")
    t: float
    t_from: float = Field(description="Start of the moment that shows it.")
    t_to: float = Field(description="End of the moment that shows it.")
    spot: str | None = Field(description="The spot concerned.", examples=["seat 3 punto"])
    expected: str
    seen: str
    article: str = Field(description="The regulation's article with its quotation.")
    resolution: str | None
    reason: str | None = Field(description="Why it is UNDETERMINED.")
    amount_due: str | None
    amount_seen: str | None
    events: tuple[int, ...] = Field(description="Numbers (`seq`) of the journal events it rests on.")
    picture: str | None = Field(description="Address of its evidence picture.")


class CoupOut(BaseModel):
    """One coup: cards by hand in dealing order, bets with their due and what was paid, the result."""

    coup: int
    t_from: float
    t_to: float
    cards: dict[str, list[str]]
    bets: list[dict[str, Any]]
    result: dict[str, Any]
    verdict: str
    counts: dict[str, int] = Field(description="Number of rules per verdict.")


class SceneOut(BaseModel):
    """All that is drawn over and below the video of a review."""

    duration_s: float
    width_px: int = Field(description="Width of the recording's picture: the frame of all points.")
    height_px: int
    video: str | None = Field(description="Address of the video, null if it cannot be played.")
    zones: list[ZoneShape]
    lines: list[LineShape]
    shifts: list[ShiftShape] = Field(description="All points are as before the camera was moved.")
    marks: list[MarkShape]
    lanes: list[Lane]
    findings: list[FindingOut]
    coups: list[CoupOut]
