"""The scripted table: reproducible, physically possible, and true to its own cards and chips."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from datasets.bench_rules import session_with
from datasets.simulator import Options, simulate
from datasets.simulator_chips import due_profit, make_amount, touches_line
from datasets.simulator_plan import EXPECTED
from datasets.simulator_table import CHIP_DIAMETER_MM, arc_geometry, layout_geometry
from datasets.simulator_types import DealCard, ErrorKind, LiftChips, PlaceChips, Session, SweepCard
from rules.catalogue import rule_rows
from rules.events import Owner
from rules.spots import Area
from vision.layout import Layout

SESSIONS = [simulate(seed, coups=4, options=Options(shoe_start=seed % 2 == 0)) for seed in range(6)]


@pytest.mark.parametrize("kind", [None, *ErrorKind])
def test_the_same_seed_gives_the_same_session(kind: ErrorKind | None) -> None:
    once, twice = (simulate(5) if kind is None else session_with(kind, 5) for _ in range(2))
    assert once == twice


@pytest.mark.parametrize("kind", ErrorKind)
def test_each_error_is_in_the_truth_once_with_its_code_and_rule(kind: ErrorKind) -> None:
    errors = [coup.error for coup in session_with(kind, 3).coups if coup.error is not None]
    (error,) = errors
    code, rule = EXPECTED[kind]
    assert (error.kind, error.code) == (kind, code)
    assert error.rule == rule or kind in (ErrorKind.UNDERPAID, ErrorKind.OVERPAID)
    assert code in rule_rows()[error.rule].codes


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: f"seed {session.seed}")
def test_chips_are_lifted_only_where_they_stand(session: Session) -> None:
    board: dict[str, list[int]] = {}
    for action in session.actions:
        if isinstance(action, PlaceChips):
            assert (action.stack in board) == action.onto
            board.setdefault(action.stack, []).extend(action.denominations)
        elif isinstance(action, LiftChips):
            left = Counter(board[action.stack])
            left.subtract(action.denominations)
            assert min(left.values()) >= 0
            board[action.stack] = list(action.left)
            assert Counter(action.left) == +left
            if not action.left:
                del board[action.stack]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: f"seed {session.seed}")
def test_a_shoe_holds_each_card_six_times_and_every_card_dealt_is_gathered(session: Session) -> None:
    dealt = [action for action in session.actions if isinstance(action, DealCard)]
    assert max(Counter(action.card for action in dealt).values()) <= 6
    hands = {action.card_id for action in dealt if action.spot.area is Area.HAND}
    swept = {action.card_id for action in session.actions if isinstance(action, SweepCard)}
    assert hands <= swept
    assert len({action.card_id for action in dealt}) == len(dealt)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: f"seed {session.seed}")
def test_the_dealer_has_two_hands_and_time_to_use_them(session: Session) -> None:
    for action in session.actions:
        assert action.t_from <= action.t <= action.t_to
        assert 0 <= action.t <= session.duration_s
    placed = [
        a for a in session.actions if isinstance(a, PlaceChips | LiftChips) and a.hand.owner is Owner.DEALER
    ]
    times = sorted({action.t for action in placed})
    assert all(b - a >= 1.2 for a, b in pairwise(times))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: f"seed {session.seed}")
def test_what_is_due_is_exact_and_done(session: Session) -> None:
    for coup in session.coups:
        for bet in coup.bets:
            half = 2 if bet.line else 1
            expected = {
                "pay": due_profit(bet.spot.bet or "", bet.value, bet.line is not None),
                "collect": Fraction(bet.value, half),
                "push": Fraction(0),
            }[bet.due]
            assert bet.due_amount == expected == bet.actual_amount
            assert sum(bet.payment) == (bet.due_amount if bet.due == "pay" else 0)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: f"seed {session.seed}")
def test_stacks_stand_apart_and_bets_in_their_boxes(session: Session) -> None:
    standing: dict[str, tuple[float, float]] = {}
    for action in session.actions:
        if isinstance(action, LiftChips) and not action.left:
            del standing[action.stack]
        if isinstance(action, PlaceChips) and not action.onto:
            for place in standing.values():
                assert math.dist(place, action.at_mm) >= CHIP_DIAMETER_MM
            standing[action.stack] = action.at_mm
            zone = session.geometry.bets[action.spot]
            if action.hand.owner is Owner.PLAYER and action.spot.bet in session.geometry.half_lines:
                assert touches_line(zone, action.at_mm) == (action.line is not None)


@pytest.mark.parametrize(
    ("amount", "chips"),
    [(190, (100, 25, 25, 25, 5, 5, 5)), (57, (25, 25, 5, 1, 1)), (1000, (1000,)), (0, ())],
)
def test_the_fewest_chips(amount: int, chips: tuple[int, ...]) -> None:
    assert make_amount(amount) == chips


@pytest.mark.parametrize(
    ("errors", "coups", "options", "words"),
    [
        ({3: ErrorKind.UNDERPAID}, 2, Options(), "there is no coup 3"),
        ({1: ErrorKind.CARDS_LEFT}, 2, Options(), "only from a coup before"),
        ({1: ErrorKind.BET_ABOVE_MAX}, 1, Options(), "needs a minimum and a maximum"),
    ],
)
def test_what_cannot_be_played_is_refused(
    errors: dict[int, ErrorKind], coups: int, options: Options, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        simulate(1, coups=coups, errors=errors, options=options)


def test_a_drawn_layout_can_be_played_on() -> None:
    arc = arc_geometry(5)
    shapes = []
    for spot, zone in arc.bets.items():
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in zone.corners())
        half = ' data-half-line="outline"' if spot.bet in arc.half_lines else ""
        shapes.append(f'<polygon data-spot="{spot}"{half} points="{points}"/>')
    for zone in arc.hands.values():
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in zone.corners())
        shapes.append(f'<polygon data-spot="{zone.spot}" points="{points}"/>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="1600mm" height="860mm" viewBox="0 -60 1600 860">'
    geometry = layout_geometry(Layout.parse(f"{head}{''.join(shapes)}</svg>"))
    assert geometry.half_lines == arc.half_lines
    assert geometry.seats == (1, 2, 3, 4, 5)
    for spot, zone in geometry.bets.items():
        known = arc.bets[spot]
        assert math.dist((zone.x_mm, zone.y_mm), (known.x_mm, known.y_mm)) < 0.1
        assert (zone.width_mm, zone.depth_mm) == pytest.approx((known.width_mm, known.depth_mm), abs=0.1)
        assert zone.rot_deg == pytest.approx(known.rot_deg, abs=0.1)
    session = simulate(3, geometry=geometry)
    assert session.coups[0].error is None
