"""The application: pages, data, the video by ranges, and what keeps it safe."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboards.app import create_app
from rules.findings import Judgement
from tests.support import handmade
from veedor.store import Store

HTML = {"accept": "text/html"}
BREACH = "c1-UNDERPAID-seat-7-punto-s1"


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return handmade.write_clip(tmp_path_factory.mktemp("clip") / "clip.mp4")


@pytest.fixture
def store(tmp_path: Path, clip: Path) -> Iterator[Store]:
    store = Store(tmp_path / "state")
    own = tmp_path / "clip.mp4"
    own.write_bytes(clip.read_bytes())
    store.save(handmade.write_review(tmp_path / "files", own), tmp_path / "files")
    yield store
    store.close()


@pytest.fixture
def client(store: Store) -> Iterator[TestClient]:
    with TestClient(create_app(store), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def test_the_list_of_reviews(client: TestClient) -> None:
    page = client.get("/", headers=HTML).text
    assert "Mesa 4" in page
    assert 'href="/reviews/1"' in page


def test_the_empty_list_says_how_to_begin(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with TestClient(create_app(store), base_url="http://127.0.0.1") as client:
        page = client.get("/", headers=HTML).text
    store.close()
    assert "No review yet" in page
    assert "veedor review VIDEO --table TABLE.yaml --out DIR" in page


def test_the_review_page_says_all_of_a_finding(client: TestClient) -> None:
    page = client.get("/reviews/1", headers=HTML).text
    for words in (
        "Underpaid",
        "seat 7 punto",
        "575 is paid to the bet of 575 on punto (1 to 1).",
        "550 was paid: 25 too little.",
        '<blockquote lang="ca">el pagament serà a la par</blockquote>',
        "Andorra, Decret del 23-11-2016, §07-V",
        "PB-AND-PAY-02",
        "A winning punto bet is paid 1 to 1.",
        "The missing 25 is paid.",
        "too little",
        "The stack was seen from straight above",
        "½ line",
        "The table file gives no maximum.",
    ):
        assert words in page, words
    assert page.index("Underpaid") < page.index("Loser not collected?")


def test_a_clean_review_says_so(tmp_path: Path, store: Store, client: TestClient, clip: Path) -> None:
    new = handmade.write_review(tmp_path / "clean", clip)
    judgement = Judgement("punto_banco", "andorra_2016", (), ())
    number = store.save(dataclasses.replace(new, judgement=judgement, table="Mesa 9"), tmp_path / "clean")
    page = client.get(f"/reviews/{number}", headers=HTML).text
    assert "Nothing to report" in page
    assert "No coup was seen in this recording." in page


def test_the_scene_has_what_the_page_draws(client: TestClient) -> None:
    scene = client.get("/api/reviews/1/scene").json()
    assert (scene["width_px"], scene["duration_s"], scene["video"]) == (640, 16.0, "/reviews/1/video")
    assert {zone["spot"] for zone in scene["zones"]} >= {"seat 7 punto", "hand banca"}
    finding = next(found for found in scene["findings"] if found["id"] == BREACH)
    assert set(finding["events"]) <= {mark["seq"] for mark in scene["marks"]}


def test_the_video_is_served_by_ranges(client: TestClient, store: Store) -> None:
    review = store.reviews()[0]
    content = Path(review.recording.path).read_bytes()
    whole = client.get("/reviews/1/video")
    assert (whole.status_code, whole.headers["content-type"]) == (200, "video/mp4")
    assert whole.headers["accept-ranges"] == "bytes"
    part = client.get("/reviews/1/video", headers={"range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, content[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{len(content)}"


def test_pictures_and_files(client: TestClient, store: Store) -> None:
    picture = client.get(f"/reviews/1/pictures/{BREACH}")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    folder = store.folder(store.reviews()[0])
    for name in ("findings.json", "journal.jsonl"):
        assert client.get(f"/api/reviews/1/{name}").content == (folder / name).read_bytes()


def test_the_report_has_each_coup_with_its_bets_where_they_lay(client: TestClient) -> None:
    page = client.get("/reviews/1/report", headers=HTML).text
    for words in (
        'class="diagram"',
        'href="/reviews/1/drawing.svg"',
        "200 ½ line",
        "paid 550, 575 due",
        "550 was paid: 25 too little.",
        f'src="/reviews/1/pictures/{BREACH}"',
        "The table file gives no maximum.",
    ):
        assert words in page, words
    assert 'href="/reviews/1/report"' in client.get("/reviews/1", headers=HTML).text


def test_a_coups_bets_are_a_drawing_of_their_own(client: TestClient) -> None:
    shown = client.get("/reviews/1/coups/1/bets.svg")
    assert shown.headers["content-type"] == "image/svg+xml"
    assert "/reviews/1/drawing.svg" in shown.text
    saved = client.get("/reviews/1/coups/1/bets.svg?alone=1")
    assert "data:image/svg+xml;base64," in saved.text
    assert 'filename="coup-1-bets.svg"' in saved.headers["content-disposition"]
    assert client.get("/reviews/1/coups/9/bets.svg").status_code == 404


def test_a_houses_drawing_may_not_act(client: TestClient) -> None:
    drawing = client.get("/reviews/1/drawing.svg")
    assert drawing.text == handmade.DRAWING
    assert "sandbox" in drawing.headers["content-security-policy"]
    assert "script-src" not in drawing.headers["content-security-policy"]


def test_a_review_of_an_earlier_version_is_shown_without_its_felt(client: TestClient, store: Store) -> None:
    folder = store.folder(store.reviews()[0])
    (folder / "felt.json").unlink()
    (folder / "drawing.svg").unlink()
    report = client.get("/reviews/1/report", headers=HTML)
    assert report.status_code == 200
    assert "Review the recording again" in report.text
    assert client.get("/reviews/1", headers=HTML).status_code == 200
    assert client.get("/reviews/1/drawing.svg").status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/reviews/7",
        "/reviews/x",
        "/reviews/-1",
        "/reviews/99999999999999999999",
        "/nowhere",
        "/reviews/1/pictures/none",
        "/reviews/1/pictures/..%2F..%2F..%2Fveedor.sqlite3",
        "/static/..%2Fapp.py",
    ],
)
def test_what_is_not_there_is_a_page_with_a_way_back(client: TestClient, address: str) -> None:
    answer = client.get(address, headers=HTML)
    assert answer.status_code == 404
    assert 'href="/"' in answer.text


def test_programs_get_errors_as_json(client: TestClient) -> None:
    answer = client.get("/api/reviews/7")
    assert answer.status_code == 404
    assert "There is no review 7 here" in answer.json()["detail"]


def test_a_recording_that_is_gone_is_said_and_the_findings_stay(client: TestClient, store: Store) -> None:
    Path(store.reviews()[0].recording.path).unlink()
    page = client.get("/reviews/1", headers=HTML).text
    assert "is not there any more" in page
    assert "Underpaid" in page
    assert client.get("/api/reviews/1/scene").json()["video"] is None
    assert client.get("/reviews/1/video").status_code == 404


def test_broken_files_are_said_and_the_findings_stay(client: TestClient, store: Store) -> None:
    (store.folder(store.reviews()[0]) / "overlay.json").write_text("{}")
    page = client.get("/reviews/1", headers=HTML)
    assert page.status_code == 200
    assert "overlay.json cannot be read" in page.text
    assert "Underpaid" in page.text
    scene = client.get("/api/reviews/1/scene")
    assert scene.status_code == 500
    assert "Review the recording again" in scene.json()["detail"]


@pytest.mark.parametrize("harm", ["not a database", "cut off", "gone"])
def test_a_broken_database_is_a_page_that_says_what_to_do(
    client: TestClient, store: Store, harm: str
) -> None:
    file = store.database_file
    for log in file.parent.glob(f"{file.name}-*"):
        log.unlink()
    whole = file.read_bytes()
    file.unlink()
    if harm != "gone":
        file.write_bytes(b"not a database" * 1000 if harm == "not a database" else whole[: len(whole) // 3])
    for address in ("/", "/reviews/1", "/reviews/1/report", "/reviews/1/video"):
        for accept in (HTML, {"accept": "*/*"}):
            page = client.get(address, headers=accept)
            assert page.status_code == 500
            assert page.headers["content-type"].startswith("text/html")
            assert "It was left as it is." in page.text
            assert "Give another state directory" in page.text or "Put back a copy of it" in page.text
    problem = client.get("/api/reviews", headers=HTML)
    assert (problem.status_code, problem.headers["content-type"]) == (500, "application/json")
    assert str(file) in problem.json()["detail"]


def test_a_review_without_a_coup_is_not_praised(client: TestClient, store: Store) -> None:
    assert "no coup judged" not in client.get("/", headers=HTML).text
    with sqlite3.connect(store.database_file) as database:
        database.execute("DELETE FROM coups")
        database.execute("UPDATE reviews SET breaches = 0, undetermined = 0")
    page = client.get("/", headers=HTML).text
    assert "no coup judged" in page
    assert "verdict-mark conform" not in page


def test_a_broken_entry_is_said(client: TestClient, store: Store) -> None:
    with sqlite3.connect(store.database_file) as database:
        database.execute("UPDATE coups SET summary = '{'")
    page = client.get("/reviews/1", headers=HTML)
    assert page.status_code == 500
    assert "The entry of coup 1 of review 1" in page.text


def test_what_nobody_foresaw_is_a_page_too(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "reviews", lambda _self: 1 // 0)
    page = client.get("/", headers=HTML)
    assert page.status_code == 500
    assert "veedor itself failed" in page.text
    assert "veedor doctor" in page.text


def test_every_answer_is_locked_down(client: TestClient) -> None:
    for address in ("/", "/reviews/1", "/api/reviews", "/nowhere", "/static/review.js"):
        headers = client.get(address, headers=HTML).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_load_nothing_from_elsewhere_and_nothing_inline(client: TestClient) -> None:
    for address in ("/", "/reviews/1", "/reviews/1/report", "/api"):
        page = client.get(address, headers=HTML).text
        assert "http://" not in page.replace("http://www.w3.org", "")
        assert "https://" not in page
        assert " style=" not in page
        assert "<script>" not in page
        assert " onclick=" not in page


def test_other_names_for_this_machine_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"host": "localhost:8600"}).status_code == 200


def test_names_from_outside_are_shown_as_text(
    tmp_path: Path, store: Store, client: TestClient, clip: Path
) -> None:
    new = handmade.write_review(tmp_path / "odd", clip)
    number = store.save(dataclasses.replace(new, table="<script>alert(1)</script>"), tmp_path / "odd")
    for address in ("/", f"/reviews/{number}", f"/reviews/{number}/report"):
        assert "<script>alert" not in client.get(address, headers=HTML).text


def test_the_api_is_described(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/dealers",
        "/api/live",
        "/api/live/{table}",
        "/api/live/{table}/alerts",
        "/api/live/{table}/dealer",
        "/api/reviews",
        "/api/reviews/{review}",
        "/api/reviews/{review}/answers",
        "/api/reviews/{review}/coups",
        "/api/reviews/{review}/dealers",
        "/api/reviews/{review}/findings",
        "/api/reviews/{review}/findings.json",
        "/api/reviews/{review}/findings/{finding}/answers",
        "/api/reviews/{review}/journal.jsonl",
        "/api/reviews/{review}/scene",
    }
    for operations in document["paths"].values():
        assert all(operation["summary"] for operation in operations.values())
        assert all(operation["description"] for operation in operations.values())
    page = client.get("/api", headers=HTML).text
    assert "GET /api/reviews/{review}/scene" in page
