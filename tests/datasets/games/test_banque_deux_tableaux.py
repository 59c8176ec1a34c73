"""Banque à deux tableaux played and judged: each fault named exactly, clean coups in peace, no errors."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from datasets.games.banque_deux_tableaux import SIMULATOR
from datasets.games.banque_deux_tableaux.recipes import HOUSE
from datasets.games.base import FaultKind, PlayedSession
from rules.events import ChipState
from rules.findings import Verdict
from rules.judge import judge
from rules.profile_document import Profile
from rules.profiles import load_profile
from tests.support.laws import breaches, half_seen, judgeable, judged_in_disorder, judged_live, named_exactly

KINDS = list(SIMULATOR.kinds.values())
OPEN: dict[str, Any] = {"bank": {"mode": "open"}, "limits": {"minimum": 10}}
TABLES: list[dict[str, Any]] = [dict(HOUSE), OPEN, {}]
GAME = "banque_deux_tableaux"


def _profile(house: dict[str, Any]) -> Profile:
    return load_profile("andorra_2016", None, house, GAME)


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    at = kind.rounds + seed % 2
    return SIMULATOR.play(_profile(dict(kind.house)), seed, at + seed % 3, {at: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 1, 5):
        named_exactly(_played(kind, seed))


PERMISSIONS = {"BT-ERR-11"}
"""It leaves the banker a right, against which nothing can be done that the other rows do not name."""


def test_every_rule_that_cameras_or_cues_can_judge_has_a_fault() -> None:
    assert judgeable(GAME) - {kind.rule for kind in KINDS} == PERMISSIONS


@pytest.mark.parametrize("house", TABLES, ids=["all set", "open bank", "nothing set"])
def test_coups_by_the_book_give_no_breach(house: dict[str, Any]) -> None:
    profile = _profile(house)
    session = SIMULATOR.play(profile, 7, 120, {})
    judgement = judge(session.events, profile)
    assert [f for f in judgement.findings if f.verdict is Verdict.BREACH] == []
    assert [coup.cards for coup in judgement.coups] == [dict(coup.cards) for coup in session.rounds]
    assert [coup.result["winner"] for coup in judgement.coups] == [dict(c.result) for c in session.rounds]


def test_where_all_is_set_nothing_is_left_open() -> None:
    profile = _profile(dict(HOUSE))
    assert judge(SIMULATOR.play(profile, 3, 60, {}).events, profile).findings == ()


LAW = settings(max_examples=8, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_live_is_as_whole(kind: FaultKind, seed: int) -> None:
    session = _played(kind, seed)
    assert judged_live(session) == judge(session.events, session.profile)


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99), chaos=st.integers(0, 10**6))
def test_no_order_of_events_is_too_strange(kind: FaultKind, seed: int, chaos: int) -> None:
    """Events lost, doubled, and out of order: judged all the same, and never for what never was."""
    events, judgement = judged_in_disorder(_played(kind, seed), random.Random(chaos))
    bets = {event.spot for event in events if isinstance(event, ChipState)}
    for finding in judgement.findings:
        if finding.spot is not None and finding.spot.seat is not None and finding.rule != "BT-PRIO-01":
            assert str(finding.spot) in bets


@LAW
@given(house=st.sampled_from(TABLES), seed=st.integers(0, 10**6), hide=st.integers(0, 10**6))
def test_what_was_not_seen_accuses_nobody(house: dict[str, Any], seed: int, hide: int) -> None:
    """Cards unread, hands unseen, chips uncounted: clean coups stay without a BREACH."""
    session = SIMULATOR.play(_profile(house), seed, 3, {})
    assert breaches(judge(half_seen(session, random.Random(hide), chips=True), session.profile)) == []
