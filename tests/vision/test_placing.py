"""Where a bet lies, with its probability: against the plain rule, against simulation, and in the journal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.layouts import path_of
from rules.events import ChipState
from rules.spots import Spot
from tests.bench.placing import RADIUS_MM, VIEWS, Result, calibrated, measure, view_of
from tests.support.felt import CHIPS, SIZE_PX, Felt, StackAt, TrueEyes, dealer, player, watch
from vision.calibration import Lens, Pair, calibrate
from vision.camera import Camera
from vision.layout import Layout, Place
from vision.placing import SURE, Placer, place_stack
from vision.position import camera_error, height_error, pixel_error

BOXES = Layout.parse(
    """<svg width="1000mm" height="600mm" viewBox="0 0 1000 600">
    <rect x="100" y="300" width="200" height="100" data-spot="seat 1 tableau_1"/>
    <path d="M100 300H300" data-line="seat 1 tableau_1:player" data-halves="seat 1 tableau_1"/>
    <rect x="100" y="400" width="200" height="100" data-spot="seat 1 tableau_2"/>
    <path d="M100 400H300" data-line="both" data-splits="seat 1 tableau_1|seat 1 tableau_2"/>
    <rect x="500" y="300" width="100" height="100" data-spot="seat 2 tableau_1"/>
    <circle cx="700" cy="350" r="40" data-spot="seat 2 button"/>
    </svg>"""
)
ONE = Spot.parse("seat 1 tableau_1")
TWO = Spot.parse("seat 1 tableau_2")


@pytest.mark.parametrize(
    ("at", "spot", "line"),
    [
        ((200, 350), "seat 1 tableau_1", None),
        ((200, 310), "seat 1 tableau_1", "seat 1 tableau_1:player"),
        ((200, 287), "seat 1 tableau_1", "seat 1 tableau_1:player"),
        ((200, 270), "table", None),
        ((200, 412), "seat 1 tableau_2", "both"),
        ((200, 450), "seat 1 tableau_2", None),
        ((550, 350), "seat 2 tableau_1", None),
        ((700, 350), "table", None),
        ((-50, 350), "off table", None),
    ],
)
def test_a_place_far_from_every_boundary_is_sure(
    at: tuple[float, float], spot: str, line: str | None
) -> None:
    found = place_stack(BOXES, at, np.eye(2), RADIUS_MM)
    assert found.place == Place(Spot.parse(spot), line)
    assert found.p == 1.0
    assert found.elsewhere == ()


def test_the_middle_of_the_cloud_is_the_plain_rule() -> None:
    rng = np.random.default_rng(7)
    for at in rng.uniform((60, 250), (660, 540), (200, 2)):
        point = (float(at[0]), float(at[1]))
        assert place_stack(BOXES, point, 1e-12 * np.eye(2), RADIUS_MM).place == BOXES.place(point, RADIUS_MM)


@pytest.mark.parametrize(("past", "p"), [(0.0, 0.5), (2.0, 0.841), (4.0, 0.977), (-2.0, 0.159)])
def test_probability_is_that_of_the_error(past: float, p: float) -> None:
    """A base ``past`` millimetres over the outline's stroke, found to within 2 mm."""
    found = place_stack(BOXES, (200, 300 + RADIUS_MM - past), np.diag([2.0, 2.0]) ** 2, RADIUS_MM)
    on = sum(chance.p for chance in found.chances if chance.place.line is not None)
    assert on == pytest.approx(p, abs=0.02)
    assert found.sure == (max(p, 1 - p) >= SURE)
    assert bool(found.elsewhere) != found.sure


def test_an_error_along_the_line_does_not_matter() -> None:
    found = place_stack(BOXES, (200, 316), np.diag([20.0**2, 0.5**2]), RADIUS_MM)
    assert found.place.line == "seat 1 tableau_1:player"
    assert found.p > 0.99


def test_between_two_boxes_each_is_named() -> None:
    found = place_stack(BOXES, (200, 401), np.eye(2) * 9, RADIUS_MM)
    assert not found.sure
    assert {chance.place.spot for chance in found.chances} == {ONE, TWO}
    assert {chance.place.line for chance in found.chances} == {"both"}


def test_between_two_boxes_the_nearer_one_is_not_sure_to_be_the_right_one() -> None:
    """Outside both: their edges and the reach are far, but half a millimetre decides whose bet it is."""
    apart = Layout.parse(
        """<svg width="1000mm" height="600mm" viewBox="0 0 1000 600">
        <rect x="100" y="300" width="100" height="100" data-spot="seat 1 punto"/>
        <rect x="212" y="300" width="100" height="100" data-spot="seat 2 punto"/></svg>"""
    )
    found = place_stack(apart, (205.8, 350), np.diag([1.2, 1.2]) ** 2, RADIUS_MM)
    assert {str(chance.place.spot) for chance in found.chances} == {"seat 1 punto", "seat 2 punto"}
    assert not found.sure
    assert place_stack(apart, (201.5, 350), np.diag([0.3, 0.3]) ** 2, RADIUS_MM).p == 1.0


def test_what_is_not_seen_may_be_anywhere() -> None:
    found = place_stack(BOXES, (200, 350), np.full((2, 2), np.inf), RADIUS_MM)
    assert not found.sure
    assert found.error_mm > 500


CAMERA = Camera.looking_at(
    (500, 300), distance_mm=2000, tilt_deg=40, focal_px=2200, size_px=(1920, 1080), k1=-0.1
)
CORNERS = np.array([[x, y] for x in (40, 350, 650, 960) for y in (40, 300, 560)], np.float64)


def test_a_calibration_knows_its_error() -> None:
    """The covariance is that of many calibrations whose points were clicked anew."""
    rng = np.random.default_rng(5)
    at = (820.0, 470.0)
    px = CAMERA.project(np.array([at]))
    places, claimed = [], []
    for _ in range(18):
        clicks = CAMERA.project(CORNERS) + rng.normal(0, 0.8, (12, 2))
        found = calibrate(
            [
                Pair((float(m[0]), float(m[1])), (float(p[0]), float(p[1])))
                for m, p in zip(CORNERS, clicks, strict=True)
            ],
            1920,
            1080,
        )
        places.append(found.camera.felt_point(px)[0])
        assert found.error is not None
        claimed.append(found.error.on_felt(found.camera, at))
    true = np.sqrt(np.trace(np.cov(np.array(places).T)))
    said = float(np.sqrt(np.mean([np.trace(one) for one in claimed])))
    assert 0.5 < said / true < 2.0


def test_error_grows_away_from_the_points_and_with_few_of_them() -> None:
    many = camera_error(CAMERA, CORNERS, CAMERA.project(CORNERS))
    few = camera_error(CAMERA, CORNERS[:5], CAMERA.project(CORNERS[:5]))
    near, far = (float(np.trace(many.on_felt(CAMERA, at))) for at in ((500.0, 300.0), (1300.0, 300.0)))
    assert far > 2 * near
    assert np.trace(few.on_felt(CAMERA, (900.0, 500.0))) > 4 * np.trace(many.on_felt(CAMERA, (900.0, 500.0)))
    known = camera_error(CAMERA, CORNERS[:5], CAMERA.project(CORNERS[:5]), known_k1=True, known_k2=True)
    assert np.trace(known.on_felt(CAMERA, (900.0, 500.0))) < np.trace(few.on_felt(CAMERA, (900.0, 500.0)))


def test_pixels_and_heights_on_the_felt() -> None:
    above = Camera.looking_at((500, 300), distance_mm=2000, tilt_deg=0, focal_px=2000, size_px=(1920, 1080))
    assert pixel_error(above, (500.0, 300.0), 1.0) == pytest.approx(np.eye(2), abs=1e-3)
    assert np.trace(height_error(above, (500.0, 300.0), 3.0)) < 1e-3
    # at 45 degrees what is 3 mm higher looks 3 mm farther away
    slant = Camera.looking_at((500, 300), distance_mm=2000, tilt_deg=45, focal_px=2000, size_px=(1920, 1080))
    assert np.sqrt(np.trace(height_error(slant, (500.0, 300.0), 3.0))) == pytest.approx(3.0, rel=0.05)
    assert not np.isfinite(pixel_error(slant, (500.0, 2e4), 1.0)).any()  # behind the camera


@pytest.mark.parametrize("name", ["punto_banco_mini_half_lines", "trijoker", "banque_deux_tableaux"])
def test_bets_on_a_shipped_felt(name: str) -> None:
    layout = Layout.read(path_of(name))
    whole = Result()
    for k, view in enumerate(("from above", "dealer's side, 35")):
        one = measure(layout, VIEWS[view], np.random.default_rng((11, k)), 8, 3840)
        for mine, part in ((whole.spots, one.spots), (whole.clear, one.clear), (whole.close, one.close)):
            mine.add(part)
    assert whole.spots.wrong == 0
    assert whole.spots.undetermined <= 2
    assert whole.clear.wrong == 0
    assert whole.clear.undetermined <= 2
    assert whole.close.wrong <= 0.1 * whole.close.n


def test_a_placer_without_a_calibrations_error_is_surer() -> None:
    layout = Layout.read(path_of("punto_banco_mini"))
    camera = view_of(layout, 30, 10, 1280)
    placer = calibrated(camera, layout, np.random.default_rng(3))
    bare = replace(placer, error=None)
    at = layout.zones[3].centre_mm
    assert np.trace(placer.covariance(at, 1.0)) > np.trace(bare.covariance(at, 1.0))
    assert np.trace(bare.covariance(at)) > np.trace(bare.covariance(at, 1.0))


def _stacks(felt: Felt, seconds: float = 6.0) -> list[ChipState]:
    events, _ = watch(felt, np.arange(0, seconds, 0.2).tolist())
    return [event for event in events if isinstance(event, ChipState)]


def test_the_journal_says_what_is_too_close_to_call() -> None:
    # the box of seat 1 punto ends at y = 490: 0.5 mm short of its outline, and well inside
    close, clear = StackAt((5, 5), (180, 490 - 19.75 - 0.5), 1.5), StackAt((5,), (660, 445), 2.5)
    told = _stacks(
        Felt(stacks=[close, clear], arms=[player((180, 470), 1.2, 1.8), player((660, 445), 2.2, 2.8)])
    )
    by_spot = {state.spot: state.stacks for state in told}
    (doubtful,) = by_spot["seat 1 punto"]
    assert 0.3 < doubtful.p_place < SURE
    assert {place.line for place in doubtful.elsewhere} | {doubtful.line} == {None, "seat 1 punto:outline"}
    (sure,) = by_spot["seat 2 punto"]
    assert (sure.p_place, sure.elsewhere, sure.line) == (1.0, (), None)


def test_three_bets_in_a_box_stay_three() -> None:
    stacks = [StackAt((5,) * n, (x, 445), 1.0 + n) for n, x in ((1, 140), (2, 181), (3, 222))]
    arms = [player((s.at_mm[0], 445), s.t - 0.3, s.t + 0.3) for s in stacks]
    told = [state for state in _stacks(Felt(stacks=stacks, arms=arms), 8.0) if state.spot == "seat 1 punto"]
    assert [stack.count for stack in told[-1].stacks] == [1, 2, 3]
    assert len({stack.stack for stack in told[-1].stacks}) == 3


def test_lens_known_beforehand_is_taken() -> None:
    pairs = [
        Pair((float(m[0]), float(m[1])), (float(p[0]), float(p[1])))
        for m, p in zip(CORNERS, CAMERA.project(CORNERS), strict=True)
    ]
    free = calibrate(pairs[:6], 1920, 1080)
    fixed = calibrate(pairs[:6], 1920, 1080, lens=Lens(2200, -0.1, 0.0))
    assert free.error is not None
    assert fixed.error is not None
    at = (930.0, 520.0)
    assert np.trace(fixed.error.on_felt(fixed.camera, at)) < np.trace(free.error.on_felt(free.camera, at))


def test_eyes_without_error_still_place() -> None:
    eyes = TrueEyes(Felt())
    placer = Placer(eyes.layout, eyes.camera, CHIPS.diameter_mm / 2, CHIPS.height_mm)
    found = placer.place((180.0, 445.0), spread_mm=1.0)
    assert str(found.place.spot) == "seat 1 punto"
    assert SIZE_PX[0] > 0
    assert dealer((1, 2), 3, 4).t == 3


@pytest.mark.parametrize("name", ["chemin_de_fer", "punto_banco_uruguay"])
def test_a_bet_that_leans_out_over_its_line_is_not_lost_to_the_place_of_the_shoe(name: str) -> None:
    layout = Layout.read(path_of(name))
    line = layout.line("seat 4 punto:half")
    shoe, box = layout.zone(Spot.parse("seat 4 shoe")), layout.zone(Spot.parse("seat 4 punto"))
    assert line is not None
    assert shoe is not None
    assert box is not None
    on = line.path.interpolate(0.5, normalized=True)
    away = np.subtract(shoe.centre_mm, box.centre_mm)
    away /= np.hypot(*away)
    at = (on.x + 18.5 * away[0], on.y + 18.5 * away[1])
    assert layout.place(at, RADIUS_MM) == Place(Spot.parse("seat 4 punto"), line.id)
    assert place_stack(layout, at, 0.01 * np.eye(2), RADIUS_MM).place == Place(box.spot, line.id)
    assert layout.place(shoe.centre_mm, RADIUS_MM).spot == Spot.parse("table")
    assert layout.spot_at(shoe.centre_mm) == shoe.spot
