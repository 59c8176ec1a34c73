"""Punto banco played and judged: every fault named exactly, clean coups in peace, nothing ever raised."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games import SIMULATORS
from datasets.games.base import FaultKind, PlayedSession
from rules.catalogue import RuleClass, rule_rows
from rules.events import ChipState
from rules.findings import Verdict
from rules.judge import judge
from rules.profile_document import Profile
from rules.profiles import load_profile
from tests.support.laws import breaches, half_seen, judged_in_disorder, judged_live

SIMULATOR = SIMULATORS["punto_banco"]
KINDS = [kind for kind in SIMULATOR.kinds.values() if kind.profile in ("andorra_2016", "mediterraneo")]

TOLD = {
    "cues": [
        "cards_counted",
        "cards_shuffled",
        "cards_cut",
        "game_announced",
        "no_more_bets",
        "cards_called",
        "punto_announced",
        "banca_announced",
        "winner_announced",
        "shoe_declined",
    ],
    "limits": {"minimum": 5, "maximum": 500},
    "standing_players": False,
    "dealer_sides": {"left": [5, 6, 7, 8, 9], "right": [1, 2, 3, 4]},
}
TABLES = [
    ("andorra_2016", "full", {}),
    ("andorra_2016", "full", TOLD),
    ("andorra_2016", "midi", TOLD),
    ("andorra_2016", "mini", {"half_lines": ["punto", "banca"]}),
    ("mediterraneo", None, TOLD),
]


def _profile(kind: FaultKind, seed: int) -> Profile:
    variant = kind.variant
    if variant is None and kind.profile == "andorra_2016":
        variant = ("full", "midi", "mini")[seed % 3]
    return load_profile(kind.profile, variant, dict(kind.house))


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    return SIMULATOR.play(_profile(kind, seed), seed, kind.rounds + seed % 2, {kind.rounds: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 4, 8):
        session = _played(kind, seed)
        (fault,) = session.faults
        wanted = (fault.coup, kind.rule, kind.code, fault.spot, Verdict.BREACH)
        found = [
            (f.coup, f.rule, f.code, None if f.spot is None else str(f.spot), f.verdict)
            for f in judge(session.events, session.profile).findings
        ]
        assert found.count(wanted) == 1, (seed, found)
        others = [f for f in found if f != wanted]
        assert {code for _, _, code, _, _ in others} <= kind.lawful, (seed, found)
        assert {number for number, *_ in others} <= {fault.coup}


PERMISSIONS = {"PB-AND-SHOE-03", "PB-MED-TIE-02"}
"""Rows that permit something: nothing can be done against them."""


@pytest.mark.parametrize("regulation", ["andorra_2016", "mediterraneo"])
def test_every_rule_that_cameras_or_cues_can_judge_has_a_fault(regulation: str) -> None:
    judgeable = {
        row.id
        for row in rule_rows().values()
        if row.game == "punto_banco" and row.regulation == regulation and row.rule_class is not RuleClass.C
    }
    assert judgeable - {kind.rule for kind in KINDS} == PERMISSIONS & judgeable


@pytest.mark.parametrize(("name", "variant", "house"), TABLES)
def test_coups_by_the_book_give_no_finding(name: str, variant: str | None, house: dict[str, object]) -> None:
    profile = load_profile(name, variant, house)
    session = SIMULATOR.play(profile, 7, 70, {})
    judgement = judge(session.events, profile)
    assert judgement.findings == ()
    assert [coup.cards for coup in judgement.coups] == [dict(coup.cards) for coup in session.rounds]
    assert [coup.result["winner"] for coup in judgement.coups] == [c.result["winner"] for c in session.rounds]


LAW = settings(max_examples=12, deadline=None, derandomize=True)


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
    for spot in (finding.spot for finding in judgement.findings):
        assert spot is None or spot.seat is None or spot.bet == "shoe" or str(spot) in bets


@LAW
@given(table=st.sampled_from(TABLES), seed=st.integers(0, 10**6), hide=st.integers(0, 10**6))
def test_what_was_not_seen_accuses_nobody(
    table: tuple[str, str | None, dict[str, object]], seed: int, hide: int
) -> None:
    """Cards unread, hands unseen: clean coups stay without a BREACH."""
    name, variant, house = table
    session = SIMULATOR.play(load_profile(name, variant, house), seed, 3, {})
    assert breaches(judge(half_seen(session, random.Random(hide)), session.profile)) == []
