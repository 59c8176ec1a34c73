"""Who deals at a running table: told on its page, and kept for the review that its watch becomes."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel, Field

from dashboards.live_pages import FolderOf, StateOf
from dashboards.models import Problem
from dashboards.wiring import json_only
from rules.errors import VeedorError
from veedor.store import live_dealers

router = APIRouter(
    prefix="/api/live/{table}",
    tags=["running tables"],
    responses={404: {"model": Problem, "description": "No such table."}},
)


class NowIn(BaseModel):
    """Who deals from now on."""

    dealer: str = Field(description="Name or number; several with commas; empty: nobody is told any more.")


class NowOut(BaseModel):
    """Who deals now, as it was told last in this watch."""

    dealer: str | None = Field(description="Null: nobody was told.")
    since: datetime | None = Field(description="Since when, UTC.")


@router.get("/dealer", summary="Who deals")
def dealer(folder: FolderOf, state: StateOf) -> NowOut:
    """As it was told last since this watch began."""
    told = [entry for entry in live_dealers.told(folder.path) if entry[0] >= state.started]
    if not told or not told[-1][1]:
        return NowOut(dealer=None, since=None)
    return NowOut(dealer=told[-1][1], since=told[-1][0])


@router.post("/dealer", summary="Say who deals", dependencies=[Depends(json_only)])
def tell(folder: FolderOf, state: StateOf, said: NowIn) -> NowOut:
    """From now on, until it is told otherwise or the watch ends."""
    if not state.running:
        raise HTTPException(409, "This watch has ended: say who dealt on the page of its review.")
    try:
        live_dealers.tell(folder.path, said.dealer, datetime.now(UTC))
    except VeedorError as error:
        raise HTTPException(422, str(error)) from error
    return dealer(folder, state)
