"""Uruguay's punto y banca played and judged: every fault named exactly, clean passes in peace."""

from __future__ import annotations

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from datasets.games import SIMULATORS
from datasets.games.base import FaultKind, PlayedSession
from datasets.games.punto_banco_uruguay.faults import HOUSE, IN_TURN
from rules.catalogue import RuleClass, rule_rows
from rules.findings import Verdict
from rules.judge import judge
from rules.profiles import load_profile
from tests.support.laws import breaches, half_seen, judged_in_disorder, judged_live
from veedor.simulating import all_at_one_table, simulate

SIMULATOR = SIMULATORS["punto_banco"]
KINDS = [kind for kind in SIMULATOR.kinds.values() if kind.profile == "uruguay_1977"]


def _played(kind: FaultKind, seed: int) -> PlayedSession:
    profile = load_profile(kind.profile, None, dict(kind.house))
    return SIMULATOR.play(profile, seed, kind.rounds + seed % 2, {kind.rounds: kind.name})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}-{kind.name}")
def test_a_fault_gives_exactly_its_finding(kind: FaultKind) -> None:
    for seed in (0, 9):
        session = _played(kind, seed)
        (fault,) = session.faults
        wanted = (fault.coup, kind.rule, kind.code, fault.spot, Verdict.BREACH)
        found = [
            (f.coup, f.rule, f.code, None if f.spot is None else str(f.spot), f.verdict)
            for f in judge(session.events, session.profile).findings
        ]
        assert found.count(wanted) == 1, (seed, found)
        assert {f[2] for f in found if f != wanted} <= kind.lawful, (seed, found)


def test_every_rule_that_cameras_or_cues_can_judge_has_a_fault() -> None:
    judgeable = {
        row.id
        for row in rule_rows().values()
        if row.regulation == "uruguay_1977" and row.rule_class is not RuleClass.C
    }
    assert judgeable == {kind.rule for kind in KINDS}


@pytest.mark.parametrize("house", [HOUSE, IN_TURN, {}], ids=["told", "in turn", "nothing told"])
def test_passes_by_the_book_give_no_finding(house: dict[str, object]) -> None:
    profile = load_profile("uruguay_1977", None, house)
    session = SIMULATOR.play(profile, 7, 70, {})
    judgement = judge(session.events, profile)
    assert judgement.findings == ()
    assert [pass_.cards for pass_ in judgement.coups] == [dict(pass_.cards) for pass_ in session.rounds]
    assert [p.result["winner"] for p in judgement.coups] == [p.result["winner"] for p in session.rounds]


@pytest.mark.parametrize("spare", [0, 20])
def test_every_fault_of_one_table_is_found_in_one_journal(spare: int) -> None:
    """Each in a session of its own: nothing of one session is held against the next."""
    names, apart = all_at_one_table("punto_banco", "uruguay_1977", None)
    assert len(names) + len(apart) == len(KINDS)
    rounds = sum(SIMULATOR.kinds[name].rounds for name in names) + spare
    session = simulate("punto_banco", rounds, 5, names, "uruguay_1977")
    found = {(f.coup, f.rule, f.code) for f in judge(session.events, session.profile).findings}
    wanted = {(fault.coup, fault.kind.rule, fault.kind.code) for fault in session.faults}
    lawful = {(fault.coup, code) for fault in session.faults for code in fault.kind.lawful}
    assert wanted <= found
    assert {(coup, code) for coup, _, code in found - wanted} <= lawful


LAW = settings(max_examples=4, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_live_is_as_whole(kind: FaultKind, seed: int) -> None:
    session = _played(kind, seed)
    assert judged_live(session) == judge(session.events, session.profile)


@LAW
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 99), chaos=st.integers(0, 10**6))
def test_no_order_of_events_is_too_strange(kind: FaultKind, seed: int, chaos: int) -> None:
    """Events lost, doubled, and out of order: judged all the same, live as whole."""
    judged_in_disorder(_played(kind, seed), random.Random(chaos))


@LAW
@given(seed=st.integers(0, 10**6), hide=st.integers(0, 10**6))
def test_what_was_not_seen_accuses_nobody(seed: int, hide: int) -> None:
    """Cards unread, hands unseen: passes by the book stay without a BREACH."""
    session = SIMULATOR.play(load_profile("uruguay_1977", None, HOUSE), seed, 4, {})
    assert breaches(judge(half_seen(session, random.Random(hide)), session.profile)) == []
