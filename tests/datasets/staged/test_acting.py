"""Simulated coups of the other games acted on their felts: nothing of what they mean is lost."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations

import pytest

from datasets.simulator_types import LiftChips, PlaceChips
from datasets.staged.acting import Staged
from datasets.synth.motion import Motion
from rules.events import CardPlaced
from rules.findings import Verdict
from rules.judge import judge
from rules.profiles import load_profile
from rules.spots import Spot
from tests.bench.games import CASES, CLEAN, Case, staged

GAMES = [case for case in CASES if case.kind == CLEAN]
SEED = 15
DRAWN_OTHERWISE = {"INSURANCE_MISPAID", "PAY_ORDER_WRONG"}
"""What may come of bets that lie elsewhere on this felt than in the journal."""


@cache
def _acted(case: Case) -> Staged:
    return staged(case, SEED)


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.name)
def test_an_acted_coup_means_what_the_journal_said(case: Case) -> None:
    acted = _acted(case)
    profile = load_profile(case.profile, case.variant, None, case.game)
    wrong = {f.code for f in judge(acted.events, profile).findings if f.verdict is Verdict.BREACH}
    assert wrong <= DRAWN_OTHERWISE
    assert staged(case, SEED).session == acted.session


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.name)
def test_cards_and_chips_lie_at_their_places_and_clear_of_each_other(case: Case) -> None:
    acted = _acted(case)
    for event in acted.events:
        drawn = isinstance(event, CardPlaced) and acted.layout.zone(Spot.parse(event.spot)) is not None
        if isinstance(event, CardPlaced) and drawn and event.at_mm is not None:
            assert str(acted.layout.spot_at(event.at_mm)) == event.spot
    standing: dict[str, tuple[float, float]] = {}
    for action in acted.session.actions:
        if isinstance(action, PlaceChips):
            standing[action.stack] = action.at_mm
        elif isinstance(action, LiftChips) and not action.left:
            del standing[action.stack]
        for one, other in combinations(standing.values(), 2):
            assert math.dist(one, other) > 39.5


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.name)
def test_a_card_lies_in_the_film_where_and_when_the_journal_says(case: Case) -> None:
    acted = _acted(case)
    motion = Motion(acted.session)
    for event in acted.events:
        if isinstance(event, CardPlaced) and event.at_mm is not None:
            (card,) = (card for card in motion.cards(event.t + 0.01) if card.name == event.card_id)
            assert math.dist((card.x_mm, card.y_mm), event.at_mm) < 1.0
            assert (card.turn_deg < 90.0) is (event.face == "up")
