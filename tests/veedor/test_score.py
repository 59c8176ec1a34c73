"""Scoring: each kind of answer is counted as what it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rules.errors import VeedorError
from veedor.score.calibration import calibration_error
from veedor.score.matching import match, match_outlines, overlaps
from veedor.score.photographs import (
    Count,
    LabelledCard,
    LabelledPhoto,
    SeenCard,
    SeenPhoto,
    our_name,
    read_labels,
    score_photo,
)
from veedor.score.recordings import compare_hand
from veedor.score.run import recognise, score
from veedor.score.tally import Rate, Tally

HERE, THERE = (0.0, 0.0, 10.0, 14.0), (50.0, 50.0, 60.0, 64.0)
SIZE_PX = (100, 80)


def outline(box: tuple[float, float, float, float]) -> tuple[tuple[float, float], ...]:
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


AT, ELSEWHERE = outline(HERE), outline(THERE)


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(0, 10, 0.0, 0.278), (9, 10, 0.596, 0.982), (10, 10, 0.722, 1.0), (500, 1000, 0.469, 0.531)],
)
def test_interval_is_wilsons(right: int, n: int, low: float, high: float) -> None:
    interval = Rate(right, n).interval
    assert interval is not None
    assert interval == pytest.approx((low, high), abs=0.0006)


def test_a_rate_of_nothing_is_not_a_number() -> None:
    assert Rate(0, 0).as_json() == {"value": None, "low": None, "high": None, "n": 0}


@pytest.mark.parametrize(
    ("expected", "seen", "tally"),
    [
        (["Th", "2c"], ["Th", "2c"], Tally(right=2)),
        (["Th", "2c"], ["2c"], Tally(right=1, missed=1)),
        (["Th", "2c"], ["Th", "2d"], Tally(right=1, wrong=1)),
        (["Th", "2c"], ["Th", "??"], Tally(right=1, undetermined=1)),
        (["Th"], ["Th", "2c"], Tally(right=1, extra=1)),
        ([], ["2c"], Tally(extra=1)),
        (["Th", "2c", "3d"], ["2c", "3d"], Tally(right=2, missed=1)),
    ],
)
def test_hands_are_aligned_for_the_most_cards_right(
    expected: list[str], seen: list[str], tally: Tally
) -> None:
    assert compare_hand(expected, seen) == tally


@pytest.mark.parametrize(
    ("cls", "name"), [("10H", "Th"), ("AS", "As"), ("10", "T"), ("K", "K"), ("back", "back"), ("JOKER", None)]
)
def test_labels_are_put_into_our_notation(cls: str, name: str | None) -> None:
    assert our_name(cls) == name


def test_overlap_is_intersection_over_union() -> None:
    shares = overlaps([HERE], [HERE, (5.0, 0.0, 15.0, 14.0), THERE])
    assert shares[0] == pytest.approx([1.0, 1 / 3, 0.0])


def test_each_answer_is_used_once() -> None:
    assert match([HERE, HERE], [HERE]) == {0: 0}


@pytest.mark.parametrize(
    ("seen", "cards_right", "precision"),
    [
        ((SeenCard("Th", AT, 0.9),), (1, 1), (1, 1)),
        ((SeenCard("9h", AT, 0.9),), (0, 1), (1, 1)),
        ((SeenCard("??", AT, 0.2),), (0, 1), (1, 1)),
        ((SeenCard("Th", ELSEWHERE, 0.9),), (0, 1), (0, 1)),
        ((), (0, 1), None),
    ],
)
def test_a_card_is_right_where_it_lies_and_by_its_name(
    seen: tuple[SeenCard, ...], cards_right: tuple[int, int], precision: tuple[int, int] | None
) -> None:
    count = Count()
    label = LabelledPhoto(Path("p.jpg"), "s", (LabelledCard("Th", HERE),), None, ())
    score_photo(label, SeenPhoto(seen, ()), count, SIZE_PX)
    rates = count.rates()
    assert (rates["cards_right"].right, rates["cards_right"].n) == cards_right
    assert (rates.get("card_precision") is None) == (precision is None)
    if precision:
        assert (rates["card_precision"].right, rates["card_precision"].n) == precision


def test_a_rank_label_asks_for_no_suit() -> None:
    count = Count()
    label = LabelledPhoto(Path("p.jpg"), "s", (LabelledCard("T", HERE),), None, ())
    assert score_photo(label, SeenPhoto((SeenCard("Td", AT, 0.9),), ()), count, SIZE_PX) == []
    assert count.rates()["cards_right"] == Rate(1, 1)


def test_corner_labels_are_compared_as_names(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    corners = [{"cls": "10H", "box": [0, 0, 2, 2], "covers": "corner-index"}] * 2
    labels.write_text(json.dumps({"path": "a.jpg", "source": "s", "objects": corners}) + "\n")
    (photo,) = read_labels(labels)
    assert photo.names == frozenset({"Th"})
    count = Count()
    seen = SeenPhoto((SeenCard("Th", AT, 0.9), SeenCard("9d", ELSEWHERE, 0.9)), ())
    assert score_photo(photo, seen, count, SIZE_PX)
    assert count.rates() == {"cards_right": Rate(1, 1), "right_when_named": Rate(1, 2)}


@pytest.mark.parametrize(
    ("labels", "seen", "pairs"),
    [
        # The picture ends at x = 100: half of the card is outside, the label is not.
        ([(80.0, 10.0, 100.0, 66.0)], [(80.0, 10.0, 120.0, 66.0)], {0: 0}),
        # The second card lies over three quarters of the first, whose label is the strip that shows.
        (
            [(10.0, 10.0, 20.0, 66.0), (20.0, 10.0, 60.0, 66.0)],
            [(10.0, 10.0, 50.0, 66.0), (20.0, 10.0, 60.0, 66.0)],
            {0: 0, 1: 1},
        ),
        # One box over both cards is neither, where nothing covers the rest of it.
        ([(10.0, 10.0, 20.0, 66.0)], [(10.0, 10.0, 50.0, 66.0)], {}),
    ],
)
def test_cards_are_compared_by_what_is_visible(
    labels: list[tuple[float, float, float, float]],
    seen: list[tuple[float, float, float, float]],
    pairs: dict[int, int],
) -> None:
    assert match_outlines(labels, [outline(box) for box in seen], SIZE_PX) == pairs


def test_rates_are_split_by_the_short_side() -> None:
    count = Count()
    large, small = (0.0, 0.0, 50.0, 70.0), (60.0, 0.0, 90.0, 42.0)
    label = LabelledPhoto(
        Path("p.jpg"), "s", (LabelledCard("Th", large), LabelledCard("2c", small)), None, ()
    )
    score_photo(label, SeenPhoto((SeenCard("Th", outline(large), 0.9),), ()), count, SIZE_PX)
    rates = count.rates()
    assert (rates["found_40_80px"], rates["found_24_40px"]) == (Rate(1, 1), Rate(0, 1))
    assert rates["faces_found_40px"] == rates["right_when_found_40_80px"] == Rate(1, 1)


@pytest.mark.parametrize(
    ("p", "right", "error"),
    [
        ([0.8] * 10, [True] * 8 + [False] * 2, 0.0),
        ([1.0] * 4, [True, True, False, False], 0.5),
        ([0.9, 0.9, 0.1, 0.1], [True, True, False, False], 0.1),
    ],
)
def test_the_calibration_error_is_the_gap_to_the_share_of_right_ones(
    p: list[float], right: list[bool], error: float
) -> None:
    figure = calibration_error(p, right)
    assert figure is not None
    assert figure.value == pytest.approx(error)
    assert figure.interval[0] <= figure.interval[1]
    assert figure.n == len(p)


def test_nothing_said_has_no_calibration_error() -> None:
    assert calibration_error([], []) is None


def test_a_broken_label_line_is_named(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"path": "a.jpg", "source": "s"}\n{"path": \n')
    with pytest.raises(VeedorError, match=r"labels\.jsonl, line 2"):
        read_labels(labels)


def test_material_is_recognised_by_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "clip.json").write_text(
        json.dumps({"video": "v.mp4", "camera": {}, "events": [], "round": {}})
    )
    (tmp_path / "cases.json").write_text(json.dumps({"game": "punto_banco", "count": 0, "cases": []}))
    (tmp_path / "labels.jsonl").write_text("")
    (tmp_path / "other.json").write_text("[1, 2")
    material = recognise([tmp_path])
    assert [path.name for path in material.recordings] == ["clip.json"]
    assert [path.name for path in material.case_files] == ["cases.json"]
    assert [path.name for path in material.label_files] == ["labels.jsonl"]


@pytest.mark.parametrize("missing", [True, False])
def test_nothing_to_measure_is_said(tmp_path: Path, missing: bool) -> None:
    with pytest.raises(VeedorError, match="does not exist" if missing else "Nothing to measure"):
        recognise([tmp_path / "nowhere" if missing else tmp_path])


def test_boxes_may_be_empty() -> None:
    assert overlaps([], [HERE]).shape == (0, 1)
    assert np.isfinite(overlaps([(0.0, 0.0, 0.0, 0.0)], [HERE])).all()


CATALOGUE = """# Rules

## 3. punto_banco

| id | variant | rule | source | camera must observe | alert | resolution | class |
|---|---|---|---|---|---|---|---|
| `PB-AND-PAY-01` | all | Banca is paid. | text | chips | `UNDERPAID`, `OVERPAID` | none | A |
| `PB-AND-STAFF-01` | all | Staff \\| heads. | text | staff | `STAFFING` | none | A |
| `PB-AND-BET-01` | all | Closed. | text | chips | `LATE_BET`, `RULING` | none | A |
| `PB-XX-01` | all | Nobody knows it. | text | - | none | none | C (out of scope) |

## Codes

| code | severity | meaning |
|---|---|---|
| `UNDERPAID` | H | too little |
| `STAFFING` | H | staff |
"""


def test_a_catalogue_is_recognised_by_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "any.md").write_text(CATALOGUE)
    (tmp_path / "notes.md").write_text("# Notes\n\n| what | why |\n|---|---|\n| `PB-XX-02` | no |\n")
    (source,) = score([tmp_path])
    assert (source.name, source.n) == ("catalogue", 4)
    rates = {name: (rate.right, rate.n) for name, rate in source.measures.items()}
    assert rates == {
        "ids": (3, 4),
        "classes": (2, 4),
        "codes": (2, 4),
        "rows_punto_banco": (1, 4),
        "severities": (1, 2),
    }
    assert "missing of punto_banco, 1: PB-XX-01" in source.notes
    assert {(d.item, d.expected, d.seen) for d in source.disagreements} == {
        ("PB-XX-01", "a row", "none"),
        ("PB-AND-STAFF-01", "class A", "class C"),
        ("PB-AND-BET-01", "RULING", "LATE_BET, BET_REMOVED_LATE"),
        ("STAFFING", "severity H", "severity -"),
    }


@pytest.mark.parametrize("line", [b"5", b"[" * 100_000, b"\xff\xfe", b'{"objects": [1]}'])
def test_labels_that_are_none_are_named(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_bytes(line + b"\n")
    with pytest.raises(VeedorError, match=r"labels\.jsonl"):
        read_labels(file)
