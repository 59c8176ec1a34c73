"""No-discard poker played and judged: each fault named exactly, clean rounds in peace, no errors."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from datasets.games.base import FaultKind, PlayedSession
from datasets.games.no_discard_poker import SIMULATOR
from datasets.games.no_discard_poker.session import HOUSE
from rules.events import ChipState
from rules.findings import Verdict
from rules.judge import Judge, judge
from rules.profile_document import Profile
from rules.profiles import load_profile
from tests.support.laws import (
    breaches,
    half_seen,
    judgeable,
    judged_in_disorder,
    judged_live,
    named_exactly,
)

KINDS = list(SIMULATOR.kinds.values())
TABLES: list[dict[str, Any]] = [dict(HOUSE), {"second_bet": 2, "limits": {"minimum": 10}}, {}]
GAME = "no_discard_poker"


def _profile(house: dict[str, Any]) -> Profile:
    return load_profile("andorra_2016", None, house, GAME)


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    at = kind.rounds if kind.rule == "NP-LIM-02" else kind.rounds + seed % 2
    return SIMULATOR.play(_profile(dict(kind.house)), seed, at + seed % 3, {at: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 1, 5):
        named_exactly(_played(kind, seed))


def test_every_rule_that_cameras_or_cues_can_judge_has_a_fault() -> None:
    assert judgeable(GAME) == {kind.rule for kind in KINDS}
    assert len(judgeable(GAME)) == 32


@pytest.mark.parametrize("house", TABLES, ids=["all set", "a minimum only", "nothing set"])
def test_rounds_by_the_book_give_no_breach(house: dict[str, Any]) -> None:
    profile = _profile(house)
    session = SIMULATOR.play(profile, 7, 120, {})
    judgement = judge(session.events, profile)
    assert [f for f in judgement.findings if f.verdict is Verdict.BREACH] == []
    assert [coup.cards for coup in judgement.coups] == [dict(coup.cards) for coup in session.rounds]
    winners = [coup.result["winner"] for coup in judgement.coups]
    told = [{k: v for k, v in c.result.items() if k.startswith("seat_")} for c in session.rounds]
    assert winners == told


def test_where_all_is_set_nothing_is_left_open() -> None:
    profile = _profile(dict(HOUSE))
    judgement = judge(SIMULATOR.play(profile, 3, 60, {}).events, profile)
    assert judgement.findings == ()
    assert judgement.session == ()


LAW = settings(max_examples=8, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_live_is_as_whole(kind: FaultKind, seed: int) -> None:
    session = _played(kind, seed)
    assert judged_live(session) == judge(session.events, session.profile)


@LAW
@given(seed=st.integers(0, 99))
def test_nothing_is_told_live_that_is_not_so_in_the_end(seed: int) -> None:
    session = SIMULATOR.play(_profile(dict(HOUSE)), seed, 3, {})
    live = Judge(session.profile)
    told = [finding for event in session.events for finding in live.feed(event)]
    assert [finding for finding in told if finding.verdict is Verdict.BREACH] == []


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99), chaos=st.integers(0, 10**6))
def test_no_order_of_events_is_too_strange(kind: FaultKind, seed: int, chaos: int) -> None:
    """Events lost, doubled, and out of order: judged all the same, and never for what never was."""
    events, judgement = judged_in_disorder(_played(kind, seed), random.Random(chaos))
    bets = {event.spot for event in events if isinstance(event, ChipState)}
    for finding in judgement.findings:
        if finding.spot is not None and finding.spot.seat is not None:
            assert str(finding.spot) in bets


@LAW
@given(house=st.sampled_from(TABLES), seed=st.integers(0, 10**6), hide=st.integers(0, 10**6))
def test_what_was_not_seen_accuses_nobody(house: dict[str, Any], seed: int, hide: int) -> None:
    """Cards unread, hands unseen, chips uncounted: clean rounds stay without a BREACH."""
    session = SIMULATOR.play(_profile(house), seed, 3, {})
    assert breaches(judge(half_seen(session, random.Random(hide), chips=True), session.profile)) == []
