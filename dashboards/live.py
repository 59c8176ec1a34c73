"""A running table as the pages show it: from the folder that its watch writes, to words and shapes.

Pure but for reading that folder: nothing here watches or judges.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from dashboards import scene
from dashboards.models import CoupOut, FindingOut
from dashboards.places import LyingOut, by_id, lying
from dashboards.told import Staked
from rules.events import ChipState, Event
from rules.journal import FORMAT, Header, Journal, loads
from rules.spots import Area, Spot
from veedor.store.live import Alert, CameraNow, LiveFolder, LiveState, running_tables
from veedor.store.overlay import Overlay
from veedor.store.overlay import loads as load_overlay

_PAST = timedelta(hours=24)
"""A watch that ended longer ago is not listed."""

Mood = Literal["well", "trouble", "gone", "over"]


class CameraOut(BaseModel):
    """One camera of a running table."""

    id: str
    source: str = Field(description="Its address, without what opens it.")
    mood: Mood
    says: str = Field(description="How it is doing, a sentence.")
    since: datetime
    fps: float = Field(description="Pictures that come a second.")
    watched_fps: float = Field(description="Pictures that are looked at a second.")
    late_s: float = Field(description="How late pictures come, seconds.")
    dropped_share: float = Field(description="Pictures dropped for want of time, in the last minute.")
    dropped: int
    last: datetime | None = Field(description="When the last picture came.")


class LiveOut(BaseModel):
    """A running table."""

    table: str
    key: str = Field(description="Its name in addresses.")
    game: str
    profile: str
    mood: Mood
    says: str = Field(description="How the watch is doing, a sentence.")
    played: str | None = Field(description="The recording that is played; null where cameras watch a table.")
    started: datetime
    at: datetime = Field(description="When the watch last wrote.")
    gone_since: datetime | None = Field(description="Since when nothing was heard of the watch.")
    behind_s: float = Field(description="How far what is judged lies behind what happens, seconds.")
    coups: int
    breaches: int
    undetermined: int
    review: int | None = Field(description="The review that the last finished part became.")
    cameras: list[CameraOut]


class LiveAlert(BaseModel):
    """A finding of a running table."""

    told: datetime
    standing: bool = Field(description="False once what was seen later took it back.")
    finding: FindingOut


@dataclass(frozen=True, slots=True)
class BetNow:
    """Chips that lie at a spot. ``chips``: their values as read, None for one that was not; ``count``: how
    many, where known; ``value``: exact, where all of it is known; ``lies``: how a bet lies, None of a
    payment."""

    spot: str
    chips: tuple[int | None, ...]
    count: int | None
    value: str | None
    lies: LyingOut | None
    why: str | None


def live_out(state: LiveState, now: datetime) -> LiveOut:
    """A running table and how it is doing."""
    gone = state.gone_since(now)
    cameras = [_camera_out(camera, gone, not state.running) for camera in state.cameras]
    mood, says = _mood(state, gone, cameras)
    return LiveOut(
        table=state.table,
        key=state.key,
        game=state.game,
        profile=state.profile,
        mood=mood,
        says=says,
        played=_played(state),
        started=state.started,
        at=state.at,
        gone_since=gone,
        behind_s=state.behind_s,
        coups=state.coups,
        breaches=state.breaches,
        undetermined=state.undetermined,
        review=state.review,
        cameras=cameras,
    )


def _played(state: LiveState) -> str | None:
    """The chief camera's recording, by its file name."""
    chief = next(iter(state.cameras), None)
    return None if chief is None or chief.live else Path(chief.source).name


def _mood(state: LiveState, gone: datetime | None, cameras: Sequence[CameraOut]) -> tuple[Mood, str]:
    if gone is not None:
        return "gone", "The watch is gone: nothing is seen and nothing is judged. Start veedor watch again."
    match state.status:
        case "failed":
            return "gone", state.says or "The watch failed."
        case "ended":
            return "over", "The watch has ended."
        case "finishing":
            return "well", "The watch is ending: what was seen becomes a review."
        case "starting":
            lost = [camera.says for camera in cameras if camera.mood == "gone"]
            return (
                ("trouble", lost[0]) if lost else ("well", "The watch is starting: no picture has come yet.")
            )
    if not any(camera.mood == "well" for camera in cameras):
        return "gone", "No camera sees the table: nothing is seen and nothing is judged."
    troubled = [camera for camera in cameras if camera.mood != "well"]
    if troubled:
        names = ", ".join(camera.id for camera in troubled)
        return "trouble", f"Not all cameras see the table: {names}."
    if state.behind_s > 3.0 or any(camera.dropped_share > 0.1 for camera in cameras):
        return "trouble", "This machine is too slow for its cameras: not every picture is looked at."
    if _played(state) is not None:
        return "well", "A recording is played: what it shows is seen and judged. This is no running table."
    return "well", "The table is seen and judged."


def _camera_out(camera: CameraNow, gone: datetime | None, over: bool) -> CameraOut:
    mood: Mood = "well"
    says, since = "sends pictures", camera.since
    if gone is not None:
        mood, says, since = "gone", "not known: the watch is gone", gone
    elif over:
        mood, says = "over", "not watched any more"
    elif camera.state == "ended":
        mood, says = "over", "the recording has ended"
    elif camera.state == "connecting":
        mood, says = "trouble", "is being opened"
    elif camera.state == "lost":
        mood, says = "gone", camera.says or "sends no pictures"
    elif camera.view is not None:
        mood, says = "gone", f"does not see the table ({camera.view.replace('_', ' ')})"
        since = camera.view_since or since
    return CameraOut(
        id=camera.id,
        source=camera.source,
        mood=mood,
        says=says,
        since=since,
        fps=camera.fps,
        watched_fps=camera.watched_fps,
        late_s=camera.late_s,
        dropped_share=camera.dropped_share,
        dropped=camera.dropped,
        last=camera.last,
    )


def live_rows(state_directory: Path, now: datetime | None = None) -> list[LiveOut]:
    """The running tables, and those whose watch ended or went lately."""
    moment = now or datetime.now(UTC)
    return [live_out(state, moment) for state in running_tables(state_directory) if moment - state.at < _PAST]


def finding_out(folder: LiveFolder, part: str, alert: Alert) -> FindingOut:
    """An alert's finding."""
    told = alert.finding
    spot = told.get("spot")
    file = None if alert.picture is None else folder.picture(part, alert.picture)
    drawn = 0
    with suppress(OSError):  # the part may become a review at this moment
        drawn = 0 if file is None else file.stat().st_mtime_ns  # it is drawn anew when more can be seen
    picture = f"/live/{folder.key}/{part}/pictures/{told['id']}?{drawn}"
    return FindingOut.model_validate(
        {
            name: told.get(name)
            for name in FindingOut.model_fields
            if name not in ("spot", "events", "picture")
        }
        | {
            "spot": spot["name"] if isinstance(spot, dict) else None,
            "events": tuple(told.get("evidence_seq", ())),
            "picture": None if alert.picture is None else picture,
        }
    )


def findings_out(folder: LiveFolder, part: str, alerts: Iterable[Alert]) -> list[tuple[Alert, FindingOut]]:
    """Alerts with their findings; those whose entry is broken are left out."""
    found = []
    for alert in alerts:
        with suppress(ValidationError):
            found.append((alert, finding_out(folder, part, alert)))
    return found


def latest(alerts: Iterable[Alert], most: int) -> list[Alert]:
    """Each finding as it was told last, in the order in which they were told first; the last ones only."""
    by_id: dict[str, Alert] = {}
    for alert in alerts:
        by_id[str(alert.finding["id"])] = alert
    return list(by_id.values())[-most:]


def present(state: LiveState) -> Journal:
    """What lies on the table, as a journal."""
    header = json.dumps({"format": FORMAT, "table": state.table, "game": state.game})
    told = loads([header, *state.present], "the running table")
    return Journal(Header(state.table, state.game, duration_s=state.t + 3600.0), told.events)


def coup_now(state: LiveState) -> CoupOut | None:
    """The last coup, which may be going on."""
    if state.coup is None:
        return None
    try:
        return CoupOut.model_validate(state.coup)
    except ValidationError:
        return None


def bets_now(state: LiveState, journal: Journal, overlays: Sequence[Overlay]) -> list[BetNow]:
    """The chips that lie at betting spots, by seat."""
    acting = by_id(line for overlay in overlays for line in overlay.lines)
    rows = []
    for event in journal.events:
        if isinstance(event, ChipState) and _is_bet(event):
            for stack in event.stacks:
                rows.append(
                    BetNow(
                        event.spot,
                        tuple(reversed(stack.denominations or ())),
                        stack.count,
                        None if stack.value is None else str(stack.value),
                        None if stack.stack in state.paid else lying(stack, event.spot, acting),
                        stack.unread,
                    )
                )
    return sorted(rows, key=lambda row: (Spot.parse(row.spot).seat or 99, row.spot))


def _is_bet(event: ChipState) -> bool:
    return Spot.parse(event.spot).area is Area.BET


def shapes(state: LiveState, journal: Journal, overlays: Sequence[Overlay]) -> list[dict[str, Any]]:
    """What is drawn over each camera's picture at present: marks, and where it was moved to."""
    coup = coup_now(state)
    drawn = []
    for camera, overlay in zip(state.cameras, overlays, strict=False):
        whole = Overlay(
            overlay.camera,
            overlay.width_px,
            overlay.height_px,
            overlay.zones,
            overlay.lines,
            camera.marks,
            shifts=camera.shifts,
        )
        marks = scene.marks(journal, whole, [_staked(state, journal.events, coup)])
        drawn.append(
            {
                "marks": [mark.model_dump(mode="json") for mark in marks],
                "shifts": [shift.model_dump(mode="json") for shift in scene.shifts(whole)],
            }
        )
    return drawn


def _staked(state: LiveState, events: Iterable[Event], coup: CoupOut | None) -> Staked:
    """The stacks that are bets: those of the coup that goes on, else all that lie where bets do and are no
    payments."""
    if coup is not None and state.dealt and coup.bets:
        stacks = {str(bet["stack"]) for bet in coup.bets}
    else:
        stacks = {
            stack.stack
            for event in events
            if isinstance(event, ChipState) and _is_bet(event)
            for stack in event.stacks
            if stack.stack not in state.paid
        }
    return Staked(-1.0, state.t + 3600.0, frozenset(stacks))


def overlays_of(folder: LiveFolder, state: LiveState) -> list[Overlay]:
    """Zones and lines as each camera shows them; those there are so far."""
    found = []
    for number, _ in enumerate(state.cameras):
        file = folder.path / f"overlay-{number}.json"
        if not file.is_file():
            break
        found.append(load_overlay(file.read_text(encoding="utf-8"), str(file)))
    return found
