"""Chemin de fer played and judged: each fault named exactly, clean coups in peace, never an error."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games.base import FaultKind, PlayedSession
from datasets.games.chemin_de_fer import SIMULATOR
from rules.events import CardPlaced, CardTurned, ChipState, Event
from rules.findings import Verdict
from rules.judge import judge
from rules.profile_document import Profile
from rules.profiles import load_profile
from tests.support.laws import breaches, judgeable, judged_in_disorder, judged_live, named_exactly

GAME = "chemin_de_fer"
KINDS = list(SIMULATOR.kinds.values())
TOLD: dict[str, Any] = {
    "cues": ["no_more_bets", "punto_says", "garage_asked", "mode_announced", "cards_shuffled"],
    "limits": {"minimum": 20},
}


def _profile(house: dict[str, Any]) -> Profile:
    return load_profile("andorra_2016", None, house, GAME)


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    first = kind.name == "seats_reversed"  # a layout's fault is said in the first coup
    at = 1 if first else kind.rounds + seed % 2
    return SIMULATOR.play(_profile(dict(kind.house)), seed, at, {at: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 5):
        named_exactly(_played(kind, seed), elsewhere=True)


def test_every_rule_that_cameras_or_cues_can_judge_has_a_fault() -> None:
    assert judgeable(GAME) == {kind.rule for kind in KINDS}


@pytest.mark.parametrize("house", [{}, TOLD], ids=["nothing set", "all told"])
def test_coups_by_the_book_give_no_breach(house: dict[str, Any]) -> None:
    session = SIMULATOR.play(_profile(house), 7, 80, {})
    judgement = judge(session.events, session.profile)
    assert [finding for finding in judgement.findings if finding.verdict is Verdict.BREACH] == []
    assert [coup.cards for coup in judgement.coups] == [dict(coup.cards) for coup in session.rounds]
    assert [c.result["winner"] for c in judgement.coups] == [c.result["winner"] for c in session.rounds]


def test_a_fault_that_cannot_be_made_is_refused() -> None:
    profile = _profile({})
    with pytest.raises(ValueError, match="there is no fault 'sevenfold'"):
        SIMULATOR.play(profile, 1, 2, {1: "sevenfold"})
    with pytest.raises(ValueError, match="shoe_kept can be made in coups 2 to 2, not in coup 1"):
        SIMULATOR.play(profile, 1, 2, {1: "shoe_kept"})


LAW = settings(max_examples=12, deadline=None, derandomize=True)


@settings(LAW, max_examples=5)
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_live_is_as_whole(kind: FaultKind, seed: int) -> None:
    session = _played(kind, seed)
    assert judged_live(session).dumps() == judge(session.events, session.profile).dumps()


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99), chaos=st.integers(0, 10**6))
def test_no_order_of_events_is_too_strange(kind: FaultKind, seed: int, chaos: int) -> None:
    judged_in_disorder(_played(kind, seed), random.Random(chaos))


def _unseen(event: Event) -> Event:
    """The same with nothing read."""
    match event:
        case CardPlaced() | CardTurned():
            return replace(event, card=None)
        case ChipState():
            bare = (replace(s, denominations=None, count=None, unread="dark") for s in event.stacks)
            return replace(event, stacks=tuple(bare))
        case _:
            return event


@LAW
@given(seed=st.integers(0, 99))
def test_what_was_not_seen_is_not_judged(seed: int) -> None:
    """A clean session of which no card and no chip is read gives no breach."""
    session = SIMULATOR.play(_profile({}), seed, 6, {})
    assert breaches(judge([_unseen(event) for event in session.events], session.profile)) == []
