"""Trente et quarante played and judged: each fault named exactly, clean coups in peace, no errors."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from datasets.games.base import FaultKind, PlayedSession
from datasets.games.trente_et_quarante import SIMULATOR
from datasets.games.trente_et_quarante.faults import HOUSE
from rules.events import CardPlaced, ChipState, Event
from rules.findings import Verdict
from rules.judge import judge
from rules.profile_document import Profile
from rules.profiles import load_profile
from tests.support.laws import (
    judgeable,
    judged_in_disorder,
    judged_live,
    named_exactly,
)

KINDS = list(SIMULATOR.kinds.values())
GAME = "trente_et_quarante"


def _profile(house: dict[str, Any]) -> Profile:
    return load_profile("spain_1979", None, house, GAME)


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    at = kind.rounds if kind.rule == "TQ-SHUF-01" else kind.rounds + seed % 2
    return SIMULATOR.play(_profile(dict(kind.house)), seed, at + seed % 3, {at: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 1, 5):
        named_exactly(_played(kind, seed), elsewhere=True)


def test_every_rule_that_cameras_or_cues_can_judge_has_a_fault() -> None:
    assert judgeable(GAME) == {kind.rule for kind in KINDS}


@pytest.mark.parametrize("house", [HOUSE, {}], ids=["all set", "nothing set"])
def test_coups_by_the_book_give_no_breach(house: dict[str, Any]) -> None:
    profile = _profile(house)
    session = SIMULATOR.play(profile, 7, 150, {})
    judgement = judge(session.events, profile)
    assert judgement.findings == ()
    assert [coup.cards for coup in judgement.coups] == [dict(coup.cards) for coup in session.rounds]
    assert any(coup.result["void"] for coup in judgement.coups)
    assert any(played.result["row"] == "refait" for played in session.rounds)


LAW = settings(max_examples=8, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_live_is_as_whole(kind: FaultKind, seed: int) -> None:
    session = _played(kind, seed)
    assert judged_live(session) == judge(session.events, session.profile)


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99), chaos=st.integers(0, 10**6))
def test_no_order_of_events_is_too_strange(kind: FaultKind, seed: int, chaos: int) -> None:
    judged_in_disorder(_played(kind, seed), random.Random(chaos))


@LAW
@given(seed=st.integers(0, 10**6), hide=st.integers(0, 10**6))
def test_what_was_not_seen_accuses_nobody(seed: int, hide: int) -> None:
    """Cards unread, chips uncounted: clean coups stay without a BREACH."""
    profile, rng = _profile(HOUSE), random.Random(hide)
    session = SIMULATOR.play(profile, seed, 3, {})
    events: list[Event] = []
    uncounted = {e.spot for e in session.events if isinstance(e, ChipState) and rng.random() < 0.1}
    for event in session.events:
        if isinstance(event, CardPlaced) and rng.random() < 0.1:
            event = replace(event, card=None)
        if isinstance(event, ChipState) and event.spot in uncounted:
            event = replace(
                event, stacks=tuple(replace(s, denominations=None, count=None) for s in event.stacks)
            )
        events.append(event)
    assert [f for f in judge(events, profile).findings if f.verdict is Verdict.BREACH] == []
