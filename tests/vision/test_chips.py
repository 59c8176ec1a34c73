"""The chip reader on stacks it was not trained on: right, or null with the reason; hardly ever wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.chip_reader.render import random_sample
from models.chip_reader.scenes import UNNAMED, Design, Sample
from vision.camera import Camera
from vision.chip_colours import COLOUR_NAMES, colour_name, sigmoid
from vision.chip_enrolling import EnrolledChips
from vision.chip_geometry import stack_frame
from vision.chip_set import ChipColour, ChipSet
from vision.chip_stacks import COUNTABLE_PX, StackReading, StackScores, decide
from vision.chips import COUNTS, ChipReader
from vision.errors import ChipError, ModelError
from vision.stack_evidence import StackEvidence

HOUSE = ChipSet(
    39.5,
    3.3,
    (
        ChipColour(1, "white"),
        ChipColour(5, "red"),
        ChipColour(25, "green"),
        ChipColour(100, "black"),
        ChipColour(500, "purple"),
        ChipColour(1000, "yellow"),
    ),
)


@pytest.mark.parametrize(
    ("text", "name"),
    [("white", "white"), ("Gray", "grey"), ("light blue", "blue"), ("dark-green", "green"), ("plaid", None)],
)
def test_colour_words(text: str, name: str | None) -> None:
    assert colour_name(text) == name


@pytest.mark.parametrize(
    ("chips", "what"),
    [
        ((), "empty"),
        ((ChipColour(5, "red"), ChipColour(5, "blue")), "twice"),
        ((ChipColour(5, "red"), ChipColour(25, "maroon")), "both red"),
        (
            (
                ChipColour(1, "white"),
                ChipColour(5, "red", (180, 20, 30)),
                ChipColour(25, None, (180, 20, 30)),
            ),
            "the chips of 5 and 25 have the same rgb.*leave one of them out",
        ),
        (
            (ChipColour(5, lab=(0.1, 0.2, 0.3)), ChipColour(25, lab=(0.1, 0.2, 0.3))),
            "the chips of 5 and 25 have the same lab",
        ),
    ],
)
def test_a_chip_set_that_cannot_be_read_is_refused(chips: tuple[ChipColour, ...], what: str) -> None:
    with pytest.raises(ChipError, match=what):
        ChipSet(39.5, 3.3, chips)


def test_colours_so_near_that_one_may_be_taken_for_the_other_are_told() -> None:
    red, other, far = (180, 20, 30), (188, 25, 22), (192, 20, 30)  # 0.03 and 0.05 of the whole range apart
    house = ChipSet(39.5, 3.3, (ChipColour(5, None, red), ChipColour(25, None, other), ChipColour(1, "red")))
    assert house.alike == ((5, 25),)
    assert ChipSet(39.5, 3.3, (ChipColour(5, None, red), ChipColour(25, None, far))).alike == ()
    assert HOUSE.alike == ()


def test_unknown_colours_and_sizes_are_refused() -> None:
    with pytest.raises(ChipError, match="plaid"):
        ChipColour(5, "plaid")
    with pytest.raises(ChipError, match="no colour"):
        ChipColour(5)
    with pytest.raises(ChipError, match="millimetres"):
        ChipSet(0.0395, 0.0033, HOUSE.chips)
    ChipSet(39.5, 3.3, (ChipColour(5, "blue", (20, 40, 120)), ChipColour(25, "blue", (150, 190, 250))))


def test_missing_networks_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"place\.onnx"):
        ChipReader(HOUSE, tmp_path)


@pytest.mark.parametrize(
    ("values", "own_camera", "told"),
    [(HOUSE.values, True, True), (HOUSE.values[:2], True, False), (HOUSE.values, False, False)],
    ids=["all of them", "a part of them", "another camera's views"],
)
def test_a_house_is_told_as_it_looks_only_where_all_of_it_was_seen_by_this_camera(
    values: tuple[int, ...], own_camera: bool, told: bool
) -> None:
    """Told so of a third of a house, a quarter fewer chips were named, and one wrongly; by another exposure,
    15 of 109 were named wrongly."""
    n = len(values)
    colours = np.full((n, 3), 0.4) if own_camera else None
    enrolled = EnrolledChips(values, np.zeros((n, 23)), np.eye(23), 1.0, colours)
    general, own = (ChipReader(HOUSE, enrolled=each)._own_palette for each in (None, enrolled))
    assert bool((general != own).any()) == told


def value_of(design: Design) -> int:
    """The value of a chip in these tests: its colour's number plus one, the last where it has no name."""
    return design.name + 1 if design.name != UNNAMED else len(COLOUR_NAMES) + 1


def house_of(sample: Sample, rng: np.random.Generator) -> ChipSet:
    """The colours in a sample and some more, by name; one that has no name by its rgb."""
    designs = {value_of(d): d for d in sample.pile.designs}
    values = {*designs, *(int(k) + 1 for k in rng.permutation(len(COLOUR_NAMES))[: 6 - min(len(designs), 5)])}
    chips = []
    for value in sorted(values):
        if value <= len(COLOUR_NAMES):
            chips.append(ChipColour(value, COLOUR_NAMES[value - 1]))
        else:
            blue, green, red = (round(255 * float(v)) for v in designs[value].body)
            chips.append(ChipColour(value, rgb=(red, green, blue)))
    return ChipSet(sample.diameter_mm, sample.height_mm, tuple(chips))


def read(seed: int, countable: bool) -> tuple[Sample, ChipReader, StackReading]:
    rng = np.random.default_rng((31, seed))
    sample = random_sample(rng, countable)
    reader = ChipReader(house_of(sample, rng))
    x, y = sample.pile.centres_mm[0] + rng.normal(0, 2, 2)
    return sample, reader, reader.read(sample.images[0], sample.camera, (float(x), float(y)))


def test_stacks_are_read_right_or_not_at_all() -> None:
    given = wrong = clear = near = 0
    for seed in range(60):
        sample, _, reading = read(seed, countable=True)
        if sample.empty:
            assert reading.count in (None, 0)
            continue
        if min(sample.side_seen, sample.top_seen) < 0.8:
            continue
        clear += 1
        truth = tuple(value_of(d) for d in sample.pile.designs)
        near += float(np.hypot(*(np.array(reading.at_mm) - sample.pile.centres_mm[0]))) < 3
        if reading.count is not None:
            given += 1
            assert reading.denominations is not None
            read_right = all(a in (b, None) for a, b in zip(reading.denominations, truth, strict=False))
            wrong += reading.count != len(truth) or not read_right
        else:
            assert reading.unread
    assert near >= 0.8 * clear
    assert given >= 0.05 * clear
    assert wrong <= 1


def test_from_above_the_top_is_read_and_the_count_is_not() -> None:
    read_top = 0
    for seed in range(25):
        sample, _, reading = read(seed, countable=False)
        thickness = reading.scores.thickness_px if reading.scores else 0.0
        if thickness >= COUNTABLE_PX or min(sample.side_seen, sample.top_seen) < 0.8:
            continue
        assert reading.count is None
        assert reading.denominations is None
        assert reading.unread is not None
        if "thick" in reading.unread:
            assert f"{thickness:.1f} px" in reading.unread
        if reading.top is not None:
            read_top += reading.top == value_of(sample.pile.designs[-1])
    assert read_top >= 4


def test_a_box_is_enough_to_find_the_foot() -> None:
    found = 0
    for seed in range(12):
        rng = np.random.default_rng((32, seed))
        sample = random_sample(rng, countable=True)
        if sample.empty or min(sample.side_seen, sample.top_seen) < 0.8:
            found += 1
            continue
        ring = np.linspace(0, 2 * np.pi, 40)
        edge = sample.diameter_mm / 2 * np.stack([np.cos(ring), np.sin(ring)], axis=1)
        rims = [
            np.column_stack([c + edge, np.full(40, (i + k) * sample.height_mm)])
            for i, c in enumerate(sample.pile.centres_mm)
            for k in (0, 1)
        ]
        px = sample.camera.project(np.concatenate(rims))
        low, high = px.min(axis=0) + rng.uniform(-2, 2, 2), px.max(axis=0) + rng.uniform(-2, 2, 2)
        reader = ChipReader(house_of(sample, rng))
        at = reader.locate(sample.images[0], sample.camera, (low[0], low[1], high[0], high[1]))
        assert at is not None
        found += float(np.hypot(*(np.array(at) - sample.pile.centres_mm[0]))) < 4
    assert found >= 10


def test_a_foot_that_is_placed_beside_is_found_again() -> None:
    """A step of a chip's thickness towards the camera or away changes neither the count nor the place."""
    same = looked = 0
    for seed in range(14):
        rng = np.random.default_rng((33, seed))
        sample = random_sample(rng, countable=True)
        if sample.empty or min(sample.side_seen, sample.top_seen) < 0.9:
            continue
        reader = ChipReader(house_of(sample, rng))
        x, y = sample.pile.centres_mm[0]
        frame = stack_frame(sample.camera, (x, y), sample.diameter_mm, sample.height_mm)
        assert frame is not None
        step = frame.away_mm * min(sample.height_mm * frame.rise, 4.0)
        one, two = (
            reader.read(sample.images[0], sample.camera, (x + k * step[0], y + k * step[1])) for k in (-1, 1)
        )
        if one.scores is None or two.scores is None or one.scores.counts is None or two.scores.counts is None:
            continue
        looked += 1
        apart = np.hypot(*(np.array(one.at_mm) - two.at_mm))
        same += int(np.argmax(one.scores.counts)) == int(np.argmax(two.scores.counts)) and apart < 2
    assert looked >= 6
    assert same >= 0.8 * looked


class _Climbing:
    """Stands for the network: each time it puts the foot so many radii farther up in the picture."""

    def __init__(self, up: float) -> None:
        self._up = up

    def run(
        self, _names: object, inputs: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]
    ) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float32]], ...]:
        count = len(inputs["view"])
        foot = np.tile(np.array([0, self._up, -3, -3], np.float32), (count, 1))
        value = np.zeros((count, inputs["palette"].shape[1] + 1), np.float32)
        return foot, np.full(count, 4, np.float32), value


@pytest.mark.parametrize(("up", "stays"), [(0.05, False), (0.3, True), (-0.3, False)])
def test_a_foot_that_climbs_to_the_top_stays_and_is_open(
    up: float, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A side of the felt's colour: the top looks like one chip that lies farther away."""
    camera = Camera.looking_at(
        (0, 0), distance_mm=1500, tilt_deg=50, azimuth_deg=0, focal_px=1400, size_px=(640, 480)
    )
    reader = ChipReader(HOUSE)
    monkeypatch.setattr(reader._finder, "_session", _Climbing(up))
    image = np.full((480, 640, 3), 90, np.uint8)
    scores = reader.read(image, camera, (10.0, 20.0)).scores
    assert scores is not None
    assert (scores.spread_mm > 8.0) == stays


def test_a_place_out_of_sight_is_said() -> None:
    camera = Camera.looking_at((0, 0), distance_mm=2500, tilt_deg=45, focal_px=2300, size_px=(640, 360))
    reading = ChipReader(HOUSE).read(np.zeros((360, 640, 3), np.uint8), camera, (0.0, 50_000.0))
    assert reading.count is None
    assert reading.p == 0.0
    assert reading.unread == "the camera does not see this place"


def scores(count: int, p: float, chip: int = 1, p_chip: float = 0.99, clear: float = 0.95) -> StackScores:
    """Scores that favour a count, all of its chips the ``chip``-th of the house."""
    counts = np.full(COUNTS, (1 - p) / (COUNTS - 1))
    counts[count] = p
    rest = (1 - p_chip) / (len(HOUSE.chips) - 1)
    values = np.full((COUNTS, len(HOUSE.chips)), rest)
    values[:, chip] = p_chip
    return StackScores(
        np.log(counts), np.log(values), np.log(values[0]), clear, 2.3, 0.5, np.zeros((COUNTS, 3))
    )


@pytest.mark.parametrize(
    ("given", "count", "denominations", "why"),
    [
        (scores(3, 0.999, p_chip=0.999), 3, (5, 5, 5), None),
        (scores(2, 0.97, p_chip=0.999), 2, (5, 5), None),
        (scores(1, 0.97, p_chip=0.999), None, None, "count is not sure"),
        (scores(1, 0.999, p_chip=0.999), 1, (5,), None),
        (scores(3, 0.6), None, None, "count is not sure: 0 or 3|count is not sure"),
        (
            scores(2, 0.999, p_chip=0.5),
            2,
            (None, None),
            "colours of chips 1 and 2 from the bottom are not sure",
        ),
        (scores(3, 0.999, clear=0.1), None, None, "partly hidden"),
        (scores(24, 0.999), None, None, "taller than 20"),
        (scores(0, 0.999), None, None, "no stack"),
    ],
)
def test_what_is_not_sure_is_null(
    given: StackScores, count: int | None, denominations: tuple[int | None, ...] | None, why: str | None
) -> None:
    reading = decide(HOUSE, (10.0, 20.0), given)
    assert (reading.count, reading.denominations) == (count, denominations)
    if why is None:
        assert reading.unread is None
        assert reading.p > 0.95
    else:
        assert reading.unread is not None
        assert any(part in reading.unread for part in why.split("|"))


def test_one_noisy_frame_flips_nothing() -> None:
    evidence = StackEvidence(HOUSE)
    good = decide(HOUSE, (100.0, 200.0), scores(4, 0.9999, p_chip=0.9999))
    odd = decide(HOUSE, (103.0, 200.0), scores(5, 0.9, p_chip=0.98))
    for reading in (good, good, good, odd, good, good):
        best = evidence.add(reading)
    assert best.count == 4
    assert best.at_mm == pytest.approx((100.0, 200.0))
    hidden = decide(HOUSE, (90.0, 180.0), scores(2, 0.999, clear=0.05))
    assert evidence.add(hidden).count == 4, "a frame in which a hand covers the stack counts for nothing"


def test_a_stack_that_is_hidden_in_every_frame_is_left_unread() -> None:
    evidence = StackEvidence(HOUSE)
    for clear in (1e-6, 3e-5):
        evidence.add(decide(HOUSE, (0.0, 0.0), scores(3, 0.99, clear=clear)))
    assert evidence.best().unread == "the stack is partly hidden"


def test_no_frame_no_reading() -> None:
    with pytest.raises(ChipError, match="no frame"):
        StackEvidence(HOUSE).best()


def test_several_places_read_together_are_read_as_each_by_itself() -> None:
    camera = Camera.looking_at((0, 0), distance_mm=1500, tilt_deg=50, focal_px=1400, size_px=(640, 480))
    image = np.random.default_rng(3).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    places = [(10.0, 20.0), (-90.0, 40.0), (0.0, 50_000.0), (60.0, -35.0)]
    reader = ChipReader(HOUSE)
    for one, place in zip(reader.read_all(image, camera, places), places, strict=True):
        alone = reader.read(image, camera, place)
        assert (one.count, one.denominations, one.unread) == (alone.count, alone.denominations, alone.unread)
        assert one.at_mm == pytest.approx(alone.at_mm, abs=0.05)


@pytest.mark.parametrize(("score", "p"), [(0.0, 0.5), (2.0, 0.880797), (-1e6, 0.0), (1e6, 1.0)])
def test_scores_are_probabilities_however_large(score: float, p: float) -> None:
    assert sigmoid(score) == pytest.approx(p, abs=1e-6)
