"""Dealers' pages and what people say on a review's page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboards.app import create_app
from dashboards.dealer_pictures import interval, scale_of, trend
from dashboards.dealers import alone, key_of
from rules.dealers import FEW, Period, Week, report
from rules.events import Cue
from tests.support import handmade
from tests.support.running import RunningTable
from veedor.live_review import end_part
from veedor.store import Store

UNDERPAID = handmade.judgement().findings[0].id
JSON = {"content-type": "application/json"}
NASTY = "<script>alert('é')</script>/../" + "x" * 120


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"stands for a recording")
    store = Store(tmp_path / "state")
    store.save(handmade.write_review(tmp_path / "files", clip), tmp_path / "files")
    yield store
    store.close()


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(create_app(store), base_url="http://127.0.0.1")


def tell(client: TestClient, dealer: str, **more: object) -> None:
    answer = client.post("/api/reviews/1/dealers", json={"dealer": dealer} | more)
    assert answer.status_code == 200, answer.text


def test_without_any_review_there_is_a_sentence(tmp_path: Path) -> None:
    store = Store(tmp_path / "empty")
    page = TestClient(create_app(store), base_url="http://127.0.0.1").get("/dealers")
    assert page.status_code == 200
    assert "No coup yet" in page.text
    store.close()


def test_nobody_told_is_said_and_not_guessed(client: TestClient) -> None:
    page = client.get("/dealers").text
    assert "not told" in page
    assert "Nobody was told to deal" in page


def test_an_answer_and_a_dealer_come_back(client: TestClient) -> None:
    tell(client, "17", utc="2026-11-30T20:00:00Z")
    said = {"answer": "confirmed", "by": "104", "note": "seen", "whose": "dealer"}
    given = client.post(f"/api/reviews/1/findings/{UNDERPAID}/answers", json=said).json()
    assert [(each["answer"], each["by"], each["whose"], each["current"]) for each in given] == [
        ("confirmed", "104", "dealer", True)
    ]
    assert client.get("/api/reviews/1/answers").json() == {UNDERPAID: given}
    assert client.get("/api/reviews/1/dealers").json() == {
        "start": "2026-11-30T20:00:00Z",
        "told": [{"t": 0.0, "dealers": ["17"]}],
    }
    own = client.get("/api/dealers").json()["dealers"]["17"]
    assert own["findings"]["UNDERPAID"]["confirmed"] == 1
    assert own["stakes"]["players_lost"] == "25"
    assert own["per_1000"]["value"] is None
    assert list(own["weeks"]) == ["2026-11-30"]
    page = client.get("/dealers/17").text
    assert "Too few coups to say anything" in page
    assert f'href="/reviews/1#{UNDERPAID}"' in page
    assert "550 instead of 575" in page
    review = client.get("/reviews/1").text
    assert '<span class="said">confirmed</span>' in review


@pytest.mark.parametrize(
    ("place", "said", "status", "says"),
    [
        (f"findings/{UNDERPAID}/answers", {"answer": "rejected", "by": " "}, 422, "needs the name"),
        ("findings/c9/answers", {"answer": "rejected", "by": "104"}, 422, "no finding"),
        (f"findings/{UNDERPAID}/answers", {"answer": "maybe", "by": "104"}, 404, "nothing"),
        ("dealers", {"dealer": "x" * 300}, 422, "at most"),
        ("dealers", {"dealer": "17", "t": -3}, 422, "no moment"),
        ("dealers", {"dealer": "17", "utc": "2026-11-30T20:00:00"}, 422, "zone"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_a_sentence(
    client: TestClient, place: str, said: dict[str, object], status: int, says: str
) -> None:
    answer = client.post(f"/api/reviews/1/{place}", json=said)
    assert answer.status_code == status
    assert says in answer.json()["detail"]
    assert client.get("/api/reviews/1/answers").json() == {}


@pytest.mark.parametrize("place", [f"findings/{UNDERPAID}/answers", "dealers"])
def test_another_sites_form_can_say_nothing(client: TestClient, place: str) -> None:
    sent = client.post(
        f"/api/reviews/1/{place}",
        content='{"answer":"rejected","by":"x","dealer":"x"}',
        headers={"content-type": "text/plain"},
    )
    assert sent.status_code == 415
    assert client.get("/api/reviews/1/dealers").json()["told"] == []


def test_a_nasty_name_is_shown_as_text_and_has_a_plain_address(client: TestClient, store: Store) -> None:
    tell(client, NASTY)
    page = client.get("/dealers").text
    assert "<script>alert" not in page
    address = re.search(r'href="(/dealers/~[0-9a-f]{20})"', page)
    assert address is not None
    one = client.get(address[1])
    assert one.status_code == 200
    assert "<script>alert" not in one.text
    assert "&lt;script&gt;" in one.text
    assert "<script>alert" not in alone(report(store.sessions()), Period(), None, [NASTY])


def test_a_journal_may_hold_a_name_without_end(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"stands for a recording")
    store = Store(tmp_path / "state")
    new = handmade.write_review(tmp_path / "files", clip)
    events = new.journal.events
    cue = Cue(seq=events[-1].seq + 1, t=0.0, cue="dealer", value="\u202e" + "x" * 100_000)
    store.save(replace(new, journal=replace(new.journal, events=(*events, cue))), tmp_path / "files")
    client = TestClient(create_app(store), base_url="http://127.0.0.1")
    page = client.get("/dealers").text
    assert len(page) < 20_000
    address = re.search(r'href="(/dealers/~[0-9a-f]{20})"', page)
    assert address is not None
    assert len(client.get(address[1]).text) < 20_000
    store.close()


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("?from=2026-12-01&to=2026-11-01", 422, "would end (2026-11-01) before it begins"),
        ("?from=soon", 422, "is no date"),
        ("?from=2026-11-01", 200, "date is not told"),
        ("?table=Mesa%209", 200, "No coup"),
        ("?from=&to=&table=", 200, "17"),
    ],
)
def test_periods_and_tables(client: TestClient, query: str, status: int, says: str) -> None:
    tell(client, "17")
    page = client.get(f"/dealers{query}")
    assert page.status_code == status
    assert says in page.text


def test_a_dealer_who_is_not_there_is_a_sentence(client: TestClient) -> None:
    answer = client.get("/dealers/99")
    assert answer.status_code == 404
    assert "No coup of a dealer" in answer.text


@pytest.mark.parametrize(
    ("dealer", "plain"),
    [("17", True), ("D-17_b", True), ("..", False), ("a/b", False), ("", False), ("é", False)],
)
def test_addresses_are_plain(dealer: str, plain: bool) -> None:
    key = key_of(dealer)
    assert (key == dealer) is plain
    assert re.fullmatch(r"[A-Za-z0-9_~-]+", key)


def test_pictures_say_in_words_what_they_draw() -> None:
    enough, few = Week(1000, 1000, 1000, 5), Week(10, 10, 10, 1)
    assert scale_of([enough, few]) == 20
    assert 'aria-label="5.0 (1.6 to 11.6), of 1000 coups"' in interval(enough, 20)
    assert "beyond" in interval(few, 20)
    assert "no coup settled" in interval(Week(), 20)
    monday = datetime(2026, 11, 23, tzinfo=UTC).date()
    assert trend([(monday, enough), (None, enough)]) is None
    drawn = trend([(monday, enough), (monday.replace(day=30), few)])
    assert drawn is not None
    assert drawn.count("<circle") == 2
    assert f'class="point{" few" if few.settled < FEW else ""}"' in drawn


def test_who_deals_at_a_running_table_is_told_on_its_page(tmp_path: Path) -> None:
    running = RunningTable(tmp_path / "state")
    store = Store(tmp_path / "state")
    client = TestClient(create_app(store), base_url="http://127.0.0.1")
    running.write()
    assert client.get("/api/live/mesa-4/dealer").json() == {"dealer": None, "since": None}
    assert client.post("/api/live/mesa-4/dealer", json={"dealer": " 17 "}).json()["dealer"] == "17"
    assert client.get("/api/live/mesa-4/dealer").json()["dealer"] == "17"
    assert client.post("/api/live/mesa-4/dealer", json={"dealer": "x" * 300}).status_code == 422
    assert client.post("/api/live/mesa-4/dealer", content="{}").status_code == 415
    assert 'id="dealer-form"' in client.get("/live/mesa-4").text
    running.play(13.0)
    running.part.sync()
    done = end_part(running.part.folder, running.table, store, duration_s=60.0)
    told = [event.value for event in done.journal.events if isinstance(event, Cue) and event.cue == "dealer"]
    assert told == ["17"]
    running.write(status="ended")
    assert client.post("/api/live/mesa-4/dealer", json={"dealer": "23"}).status_code == 409
    running.close()
    store.close()
