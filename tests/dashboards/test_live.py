"""A running table in words: how it is doing, above all that something is gone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboards.app import create_app
from dashboards.live import bets_now, live_out, overlays_of, present, shapes
from tests.support.running import RunningTable
from veedor.store import Store, StoreError
from veedor.store.live import CameraNow, LiveState, Status

NOW = datetime(2026, 3, 1, 22, 0, tzinfo=UTC)
CAMERA = CameraNow(
    id="above",
    source="rtsp://***@10.0.0.7/live",
    live=True,
    state="live",
    since=NOW,
    width_px=640,
    height_px=360,
)


PLAYED = replace(CAMERA, live=False, source="/evening/clip.mp4")


def table(*cameras: CameraNow, status: Status = "watching", behind_s: float = 0.2) -> LiveState:
    return LiveState(
        table="Mesa 4",
        key="mesa-4",
        game="punto_banco",
        profile="andorra_2016/mini",
        pid=1,
        started=NOW,
        at=NOW,
        status=status,
        behind_s=behind_s,
        cameras=cameras,
    )


@pytest.mark.parametrize(
    ("state", "later_s", "mood", "words"),
    [
        (table(CAMERA), 1, "well", "seen and judged"),
        (table(CAMERA), 60, "gone", "The watch is gone"),
        (table(PLAYED), 1, "well", "A recording is played.*no running table"),
        (table(CAMERA, status="ended"), 60, "over", "has ended"),
        (table(CAMERA, status="failed"), 1, "gone", "failed"),
        (table(CAMERA, status="finishing"), 60, "well", "becomes a review"),
        (table(CAMERA, behind_s=4.0), 1, "trouble", "too slow"),
        (table(replace(CAMERA, dropped_share=0.3)), 1, "trouble", "too slow"),
        (table(replace(CAMERA, state="lost")), 1, "gone", "No camera sees the table"),
        (table(replace(CAMERA, view="dark", view_since=NOW)), 1, "gone", "No camera sees the table"),
        (table(CAMERA, replace(CAMERA, id="side", state="lost")), 1, "trouble", "Not all cameras.*side"),
        (table(replace(CAMERA, state="connecting"), status="starting"), 1, "well", "starting"),
    ],
)
def test_how_a_table_is_doing(state: LiveState, later_s: float, mood: str, words: str) -> None:
    found = live_out(state, NOW + timedelta(seconds=later_s))
    assert found.mood == mood
    assert re.search(words, found.says)
    assert (found.gone_since == NOW) is (words == "The watch is gone")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[tuple[TestClient, RunningTable]]:
    running = RunningTable(tmp_path / "state")
    running.play(20.0)
    running.draw()
    running.write()
    store = Store(tmp_path / "state")
    yield TestClient(create_app(store), base_url="http://127.0.0.1"), running
    store.close()
    running.close()


def test_other_programs_read_the_same(client: tuple[TestClient, RunningTable]) -> None:
    ask, running = client
    (listed,) = ask.get("/api/live").json()
    assert (listed["key"], listed["mood"], listed["coups"]) == ("mesa-4", "well", 2)
    assert listed["cameras"][0]["source"] == "rtsp://***@10.0.0.7/live"
    assert ask.get("/api/live/mesa-4").json()["table"] == "Mesa 4"
    alerts = ask.get("/api/live/mesa-4/alerts").json()
    assert {alert["finding"]["code"] for alert in alerts} == {"NOT_PAID", "UNDERPAID"}
    picture = ask.get(alerts[0]["finding"]["picture"])
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    assert ask.get("/live/mesa-4/cameras/0.jpg").headers["cache-control"] == "no-store"
    assert running.folder.is_looked_at


@pytest.mark.parametrize(("played", "told"), [(None, False), ("/evening/clip.mp4", True)])
def test_the_front_page_tells_a_recording_that_is_played_from_a_table(
    client: tuple[TestClient, RunningTable], played: str | None, told: bool
) -> None:
    ask, running = client
    running.write(camera=None if played is None else replace(running.camera, live=False, source=played))
    (row,) = re.findall(r"<tbody>(.*?)</tbody>", ask.get("/").text, re.DOTALL)
    assert ("the recording clip.mp4, played" in row) is told
    assert ("The table is seen and judged" in row) is not told
    page = ask.get("/live/mesa-4").text
    assert ('id="mood-word">Played<' in page, 'id="mood-word">Live<' in page) == (told, not told)
    assert ask.get("/api/live").json()[0]["played"] == ("clip.mp4" if told else None)


@pytest.mark.parametrize("until_t", [13.0, 15.0])  # the cards of the coup lie; they are cleared
def test_a_payment_is_no_bet_and_nothing_is_said_of_how_it_lies(tmp_path: Path, until_t: float) -> None:
    running = RunningTable(tmp_path / "state")
    running.play(until_t)
    running.write()
    state = running.folder.read()
    assert state is not None
    overlays, journal = overlays_of(running.folder, state), present(state)
    assert [(bet.value, bet.lies is None) for bet in bets_now(state, journal, overlays)] == [
        ("200", False),
        ("575", False),
        ("550", True),
    ]
    told = [mark["thing"] for mark in shapes(state, journal, overlays)[0]["marks"] if mark["lying"]]
    assert sorted(told) == ["s1", "s2"]
    running.close()


def test_so_many_are_told_at_once_and_no_more(tmp_path: Path) -> None:
    running = RunningTable(tmp_path / "state")
    running.write()
    store = Store(tmp_path / "state")
    meanwhile: list[tuple[int, str]] = []

    def stopping() -> bool:
        """Asked by each stream before it tells anything: the first one is open now."""
        if not meanwhile:
            meanwhile.extend((ask("application/json"), ask("text/html")))
        return True

    def ask(accept: str = "text/event-stream") -> tuple[int, str]:
        told = TestClient(app, base_url="http://127.0.0.1").get(
            "/live/mesa-4/events", headers={"accept": accept}
        )
        return told.status_code, told.text

    app = create_app(store, stopping=stopping, most_streams=1)
    assert ask() == (200, "")
    (data, as_data), (page, as_page) = meanwhile
    assert (data, page) == (503, 503)
    assert json.loads(as_data)["detail"].startswith("No more than 1 live pages and programs")
    assert "close a live page" in as_page
    assert ask() == (200, "")  # the first one has ended
    store.close()
    running.close()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/live/nothing", 404),
        ("/api/live/nothing", 404),
        ("/live/..%2f..", 404),
        ("/live/mesa-4/cameras/7.jpg", 204),
        ("/live/mesa-4/cameras/-1.jpg", 404),
        (f"/live/mesa-4/cameras/{'9' * 300}.jpg", 404),
        ("/live/mesa-4/part-20261130T1000/pictures/nothing", 404),
        ("/live/mesa-4/..%2fpart/pictures/nothing", 404),
    ],
)
def test_what_is_not_there(client: tuple[TestClient, RunningTable], address: str, status: int) -> None:
    assert client[0].get(address).status_code == status


def test_a_picture_of_a_part_that_is_a_review_is_the_reviews(client: tuple[TestClient, RunningTable]) -> None:
    ask, running = client
    running.folder.became("part-20261130T0900", 7)
    answer = ask.get("/live/mesa-4/part-20261130T0900/pictures/c1", follow_redirects=False)
    assert answer.headers["location"] == "/reviews/7/pictures/c1"


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"\xff\xfe",
        b'{"told": "2026-03-01T22:00:00Z", "finding": {}}',
        b'{"told": "2026-03-01T22:00:00Z", "finding": {"id": "x", "spot": 3}}',
        b'{"told": "2026-03-01T22:00:00", "finding": {"id": "x"}}',
    ],
)
def test_alerts_that_are_broken_hide_no_others(client: tuple[TestClient, RunningTable], line: bytes) -> None:
    ask, running = client
    before = ask.get("/api/live/mesa-4/alerts").json()
    with (running.part.folder / "alerts.jsonl").open("ab") as alerts:
        alerts.write(line + b"\n")
    assert ask.get("/api/live/mesa-4/alerts").json() == before
    assert ask.get(before[0]["finding"]["picture"]).status_code == 200


def test_a_picture_is_of_its_part_only(client: tuple[TestClient, RunningTable]) -> None:
    _, running = client
    assert running.folder.picture(running.part.folder.name, "../../state.json") is None


@pytest.mark.parametrize(
    "spoilt", [{"at": "2026-03-01T22:00:00"}, {"part": "../.."}, {"chip_colours": {"a": "b"}}]
)
def test_a_state_that_no_watch_writes_is_refused_and_hides_no_other(
    client: tuple[TestClient, RunningTable], spoilt: dict[str, object]
) -> None:
    ask, running = client
    file = running.folder.path / "state.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | spoilt))
    assert (ask.get("/live").status_code, ask.get("/api/live").json()) == (200, [])
    with pytest.raises(StoreError, match="start the watch of this table again"):
        running.folder.read()
