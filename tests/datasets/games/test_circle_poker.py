"""Circle poker played and judged: each fault named exactly, clean hands in peace, never an error."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games.base import FaultKind, PlayedSession
from datasets.games.circle_poker import SIMULATOR
from rules.judge import Judge, judge
from rules.profiles import load_profile
from tests.support.laws import named_exactly

KINDS = list(SIMULATOR.kinds.values())


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    profile = load_profile(kind.profile, kind.variant, dict(kind.house), "circle_poker")
    at = kind.rounds + seed % 2
    return SIMULATOR.play(profile, seed, at, {at: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 5):
        named_exactly(_played(kind, seed), elsewhere=True)


def test_hands_by_the_book_give_no_finding() -> None:
    house = {"blinds": {"small": 5, "big": 10}}
    session = SIMULATOR.play(load_profile("mediterraneo", None, house, "circle_poker"), 7, 80, {})
    judgement = judge(session.events, session.profile)
    assert judgement.findings == ()
    assert len(judgement.coups) == 80


def test_a_stack_left_as_large_as_the_bet_is_no_bet_taken_back() -> None:
    kind = KINDS[0]
    profile = load_profile(kind.profile, kind.variant, dict(kind.house), "circle_poker")
    session = SIMULATOR.play(profile, 100119, 17, {})  # in hand 16 seat 2 keeps 405 behind a bet of 405
    assert judge(session.events, session.profile).findings == ()


LAW = settings(max_examples=10, deadline=None, derandomize=True)


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_events_in_any_order_and_number_never_fail(kind: FaultKind, seed: int) -> None:
    session, rng = _played(kind, seed), random.Random(seed)
    events = [event for event in session.events if rng.random() < 0.8]
    times = [event.t for event in events]
    rng.shuffle(times)
    judge([replace(event, t=t) for event, t in zip(events, times, strict=True)], session.profile)


@settings(LAW, max_examples=4)
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_live_is_as_whole(kind: FaultKind, seed: int) -> None:
    session = _played(kind, seed)
    live = Judge(session.profile)
    for event in session.events:
        live.feed(event)
    live.finish()
    assert live.judgement.dumps() == judge(session.events, session.profile).dumps()
