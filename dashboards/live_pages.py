"""The live page, what it is told as it happens, and the same for other programs."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from dashboards import amounts, live, scene
from dashboards.models import FindingOut, Problem
from dashboards.streams import StreamOfEvents, Streams
from dashboards.templating import templates
from dashboards.wiring import StoreOf
from rules.catalogue import alert_codes, rule_rows
from rules.errors import VeedorError
from veedor.store import Overlay
from veedor.store.live import Alert, LiveFolder, LiveState

router = APIRouter(include_in_schema=False)
api = APIRouter(
    prefix="/api/live",
    tags=["running tables"],
    responses={404: {"model": Problem, "description": "No such table."}},
)

_TICK_S, _AT_LEAST_S = 0.2, 1.0
"""The folder is looked at so often; the page is told something at least so often."""
_MOST_ALERTS = 60
_NAME = re.compile(r"[a-z0-9-]{1,200}")
_PART = re.compile(r"part-[0-9T]{10,40}")


def _folder(store: StoreOf, table: str) -> LiveFolder:
    folder = LiveFolder(store.state, table)
    if not _NAME.fullmatch(table) or not folder.changed_ns():
        raise HTTPException(
            404,
            f"No table {table!r} is watched here. Start it with veedor watch TABLE.yaml, then look again.",
        )
    return folder


FolderOf = Annotated[LiveFolder, Depends(_folder)]


def _state(folder: FolderOf) -> LiveState:
    state = folder.read()
    assert state is not None  # there was one when the folder was found, and it is only ever replaced
    return state


StateOf = Annotated[LiveState, Depends(_state)]


@router.get("/live/{table}")
def live_page(request: Request, state: StateOf) -> Response:
    """A running table: its cameras, what lies there, the coup, and alerts as they come."""
    now = live.live_out(state, datetime.now(UTC))
    return templates.TemplateResponse(request, "live.html", {"now": now})


@router.get("/live/{table}/scene")
def live_scene(folder: FolderOf, state: StateOf) -> dict[str, Any]:
    """What the page draws once: each camera's zones and lines."""
    return {
        "cameras": [
            {
                "width_px": overlay.width_px,
                "height_px": overlay.height_px,
                "zones": [zone.model_dump(mode="json") for zone in scene.zones(overlay)],
                "lines": [line.model_dump(mode="json") for line in scene.lines(overlay)],
            }
            for overlay in live.overlays_of(folder, state)
        ]
    }


@router.get("/live/{table}/cameras/{number}.jpg")
def camera_picture(folder: FolderOf, number: Annotated[int, Path(ge=0, le=99)]) -> Response:
    """A camera's picture now. Asking for it is what has it written."""
    folder.look()
    file = folder.camera_picture(number)
    if file is None:
        return Response(status_code=204)  # none yet
    return Response(file.read_bytes(), media_type="image/jpeg", headers={"cache-control": "no-store"})


@router.get("/live/{table}/{part}/pictures/{finding}")
def evidence(folder: FolderOf, part: str, finding: str) -> Response:
    """A finding's picture; of a part that has become a review, the review's."""
    if not _PART.fullmatch(part):
        raise HTTPException(404, "There is no such part of this watch.")
    for alert in live.latest(folder.alerts(part)[0], 100_000):
        if alert.finding["id"] == finding and alert.picture is not None:
            file = folder.picture(part, alert.picture)
            if file is not None:
                return FileResponse(file, media_type="image/jpeg", headers={"cache-control": "no-store"})
    review = folder.review_of(part)
    if review is not None:
        return RedirectResponse(f"/reviews/{review}/pictures/{finding}")
    raise HTTPException(404, f"There is no picture of a finding {finding!r}.")


@router.get("/live/{table}/events")
def events(request: Request, folder: FolderOf) -> StreamOfEvents:
    """All that happens, as it does (server-sent events): ``state`` and ``alerts``. 503: too many listen."""
    stopping = cast(Callable[[], bool], request.app.state.stopping)
    streams = cast(Streams, request.app.state.streams)
    streams.take()
    return StreamOfEvents(_told(_Teller(folder), stopping), streams)


async def _told(teller: _Teller, stopping: Callable[[], bool]) -> AsyncIterator[str]:
    silent_s = _AT_LEAST_S
    while not stopping():
        try:
            news = await run_in_threadpool(teller.news, silent_s >= _AT_LEAST_S)
        except VeedorError:  # a file that cannot be read: the page says that nothing comes, and since when
            news = []
        for name, data in news:
            silent_s = 0.0
            yield f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
        await asyncio.sleep(_TICK_S)
        silent_s += _TICK_S


class _Teller:
    """What one page has been told, and what is new to it."""

    def __init__(self, folder: LiveFolder) -> None:
        self._folder = folder
        self._changed = 0
        self._part, self._after = "", 0
        self._began: datetime | None = None
        self._overlays: list[Overlay] = []
        self._shown: list[str] = []

    def news(self, anyway: bool) -> list[tuple[str, Any]]:
        """What is new; the state ``anyway``, for it also says how old it is."""
        self._folder.look()
        changed = self._folder.changed_ns()
        if changed == self._changed and not anyway:
            return self._alerts()
        self._changed = changed
        state = self._folder.read()
        if state is None:
            return []
        if state.part and state.part != self._part:
            self._part, self._after, self._began = state.part, 0, state.part_since
        return [*self._alerts(), ("state", self._state(state))]

    def _state(self, state: LiveState) -> dict[str, Any]:
        now = live.live_out(state, datetime.now(UTC))
        journal = live.present(state)
        if len(self._overlays) < len(state.cameras):
            self._overlays = live.overlays_of(self._folder, state)
        overlays = self._overlays
        shapes = live.shapes(state, journal, overlays)
        coup = live.coup_now(state)
        context = {
            "coup": coup,
            "watched": bool(state.part),
            "dealt": state.dealt,
            "bets": live.bets_now(state, journal, overlays),
            "chip_colours": state.chip_colours,
            "bet_tones": {},
            "live": True,
        }
        text = _render("live_now.html", context)
        told = {"now": text, "shapes": json.dumps(shapes)}
        fresh = [name for name, value in told.items() if value not in self._shown]
        self._shown = list(told.values())
        return {
            "table": now.model_dump(mode="json"),
            "cameras_html": _render("live_cameras.html", {"now": now}),
            "now_html": text if "now" in fresh else None,
            "shapes": shapes if "shapes" in fresh else None,
            "t": state.t,
            "drawn": len(overlays),
        }

    def _alerts(self) -> list[tuple[str, Any]]:
        if not self._part:
            return []
        alerts, self._after = self._folder.alerts(self._part, self._after)
        if not alerts:
            return []
        found = live.findings_out(self._folder, self._part, live.latest(alerts, _MOST_ALERTS))
        return [("alerts", [self._alert(alert, finding) for alert, finding in found])]

    def _alert(self, alert: Alert, finding: FindingOut) -> dict[str, Any]:
        context = {
            "finding": finding,
            "told": alert.told,
            "happened": None if self._began is None else self._began + timedelta(seconds=finding.t),
            "standing": alert.standing,
            "meanings": {name: code.meaning for name, code in alert_codes().items()},
            "rules": {name: row.rule for name, row in rule_rows().items()},
        }
        return {
            "id": f"{self._part}:{finding.id}",
            "verdict": finding.verdict,
            "standing": alert.standing,
            "html": _render("alert.html", context),
        }


def _render(name: str, context: dict[str, Any]) -> str:
    house = tuple(int(value) for value in context.get("chip_colours", {})) or (1, 5, 25, 100, 500, 1000)
    shared = {"chip_colours": {}, "in_chips": lambda amount: amounts.in_chips(amount, house)}
    return templates.get_template(name).render(shared | context)


@router.get("/live")
def tables(request: Request, store: StoreOf) -> Response:
    """The running tables, as the front page shows them: it asks for this again and again."""
    rows = live.live_rows(store.state)
    return templates.TemplateResponse(request, "live_tables.html", {"tables": rows})


@api.get("", summary="The running tables")
def all_tables(store: StoreOf) -> list[live.LiveOut]:
    """Those that are watched, and those whose watch ended or went in the last day."""
    return live.live_rows(store.state)


@api.get("/{table}", summary="One running table")
def one_table(state: StateOf) -> live.LiveOut:
    """How it and its cameras are doing."""
    return live.live_out(state, datetime.now(UTC))


@api.get("/{table}/alerts", summary="Its alerts, the latest last")
def all_alerts(folder: FolderOf, state: StateOf) -> list[live.LiveAlert]:
    """The findings of the part that is being written, as they stand."""
    return [
        live.LiveAlert(told=alert.told, standing=alert.standing, finding=finding)
        for alert, finding in live.findings_out(
            folder, state.part, live.latest(folder.alerts(state.part)[0], 1000)
        )
    ]
