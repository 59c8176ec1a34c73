"""The admission page: the map over the felt, what can be judged and why not, and what keeps it honest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from fastapi.testclient import TestClient

from dashboards.admission import MEASURES, AdmissionOut, Limits, RuleSeen, SpotSeen, felt_map, says, why_not
from dashboards.app import create_app
from rules.errors import VeedorError
from veedor.store import Store

HTML = {"accept": "text/html"}
SVG = "{http://www.w3.org/2000/svg}"


def spot(name: str, x: float, *, bets: bool = False, cards: bool = False, **more: object) -> SpotSeen:
    values: dict[str, object] = {
        "grade": "good",
        "seen": 1.0,
        "card_px": 52.4,
        "chip_px": 24.0,
        "thick_px": 2.34,
        "error_mm": 1.26,
        "too_close": 0.12 if bets else None,
        "light": None,
    }
    outline = [(x, 0.0), (x + 100, 0.0), (x + 100, 80.0), (x, 80.0)]
    return SpotSeen.model_validate(
        {"spot": name, "camera": "main", "bets": bets, "cards": cards, "outline_mm": outline} | values | more
    )


FOUND = AdmissionOut(
    table="Mesa <4>",
    game="chemin_de_fer",
    profile="andorra_2016",
    camera="main",
    fps=12.0,
    clock=["no pictures from 1.00 s to 1.90 s"],
    frame_mm=(0, 0, 500, 200),
    edge_mm=[(0, 0), (500, 0), (500, 200), (0, 200)],
    spots=[
        spot("seat 1 punto", 0, bets=True),
        spot("hand punto", 120, cards=True),
        spot("bank", 240, grade="blind", seen=0.2, light="glare"),
    ],
    rules=[
        RuleSeen(rule="CF-1", text="One.", can=True, why=None, sees=["faces"]),
        RuleSeen(rule="CF-2", text="Two.", can=False, why="the bank is out of the picture", sees=["bank"]),
        RuleSeen(rule="CF-3", text="Three.", can=False, why="the bank is out of the picture", sees=["bank"]),
        RuleSeen(rule="CF-4", text="Four.", can=False, why="has to be told: a cue", sees=[]),
    ],
    remarks=["Camera main: add points."],
    pictured=True,
)


@dataclass
class _Table:
    key: str = "mesa-4"
    table: str = "Mesa <4>"
    limits: Limits = field(
        default_factory=lambda: Limits(found_px=24, named_px=40, countable_px=1.5, too_close=0.35)
    )
    problem: str | None = None

    def admission(self) -> AdmissionOut:
        if self.problem is not None:
            raise VeedorError(self.problem)
        return FOUND

    def picture(self) -> bytes:
        return b"JPEG"


@pytest.fixture
def table() -> _Table:
    return _Table()


@pytest.fixture
def client(tmp_path: Path, table: _Table) -> Iterator[TestClient]:
    store = Store(tmp_path)
    app = create_app(store, examiners=[table])
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client
    store.close()


def test_the_page_says_what_can_be_judged_and_why_not(client: TestClient) -> None:
    page = client.get("/admit/mesa-4", headers=HTML).text
    for words in (
        "<b>1</b> of 4",
        "The bank is out of the picture.",
        "no pictures from 1.00 s to 1.90 s",
        "<b>12</b> pictures a second",
        "Camera main: add points.",
        "Mesa &lt;4&gt;",
        'src="/admit/mesa-4/picture.jpg"',
        "named from 40 px on",
    ):
        assert words in page, words
    assert page.index("CF-2") < page.index("CF-4")
    assert client.get("/admit/mesa-4/picture.jpg").content == b"JPEG"


def test_a_table_that_cannot_be_tested_yet_says_why(client: TestClient, table: _Table) -> None:
    table.problem = "Camera main has no calibration points: calibrate it first."
    page = client.get("/admit/mesa-4", headers=HTML)
    assert "calibrate it first" in page.text
    assert client.get("/admit/nowhere", headers=HTML).status_code == 404


def test_rules_with_one_reason_stand_together_the_most_first() -> None:
    assert [(why, [rule.rule for rule in rules]) for why, rules in why_not(FOUND)] == [
        ("the bank is out of the picture", ["CF-2", "CF-3"]),
        ("has to be told: a cue", ["CF-4"]),
    ]


@pytest.mark.parametrize(
    ("measure", "texts"),
    [
        ("card_px", ["52"]),
        ("thick_px", ["2.3"]),
        ("error_mm", ["1.3"]),
        ("too_close", ["12"]),
        ("seen", ["100", "100", "20"]),
    ],
)
def test_the_map_has_a_number_where_it_means_something(measure: str, texts: list[str]) -> None:
    shown = next(each for each in MEASURES if each.key == measure)
    drawn = fromstring(felt_map(FOUND, shown))
    assert [text.text for text in drawn.iter(f"{SVG}text")] == texts
    assert len(list(drawn.iter(f"{SVG}polygon"))) == 1 + len(FOUND.spots)


def test_nothing_is_said_of_what_was_not_measured() -> None:
    error = next(each for each in MEASURES if each.key == "error_mm")
    assert says(spot("seat 2 punto", 0, bets=True, error_mm=None), error) is None
