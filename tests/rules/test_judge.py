"""Laws of judging that hold for any table: live as whole, in any order of recording, and knowing less."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.bench_rules import LIMIT_ERRORS, house_profile, session_with
from datasets.simulator import Options, simulate
from datasets.simulator_journal import Observer, observe
from datasets.simulator_types import ErrorKind, Session
from rules.events import CardPlaced, CardTurned, ChipState, Event, Retraction
from rules.findings import Finding, Judgement, Verdict
from rules.judge import Judge, judge
from rules.profile_document import Profile
from tests.support.play import Play, stack

PROFILE = house_profile()
LIMITED = house_profile(limits=True)
KINDS = sorted(set(ErrorKind) - {ErrorKind.SEVENTH_CARD})


def _accused(judgement: Judgement) -> set[tuple[int, str, str]]:
    """By code: which of two rules a third card breaks may hang on a card that was not read."""
    return {(f.coup, f.code, str(f.spot)) for f in judgement.findings if f.verdict is Verdict.BREACH}


LAW = settings(max_examples=20, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10_000)


def _play(seed: int, kind: ErrorKind | None) -> Session:
    if kind is not None:
        return session_with(kind, seed)
    return simulate(seed, coups=2, options=Options(minimum=5, maximum=500, shoe_start=seed % 3 == 0))


def _profile(kind: ErrorKind | None) -> Profile:
    return LIMITED if kind in LIMIT_ERRORS else PROFILE


def _without_seq(findings: tuple[Finding, ...]) -> list[Finding]:
    return [replace(finding, evidence_seq=()) for finding in findings]


def _breaches(judgement: Judgement) -> set[str]:
    return {f.id for f in judgement.findings if f.verdict is Verdict.BREACH}


@LAW
@given(seed=SEEDS, kind=st.sampled_from([None, *KINDS]))
def test_live_is_as_whole_and_no_alert_is_taken_back(seed: int, kind: ErrorKind | None) -> None:
    events = _play(seed, kind).events
    live = Judge(_profile(kind))
    told = [finding for event in events for finding in live.feed(event)] + live.finish()
    whole = judge(events, _profile(kind))
    assert live.judgement == whole
    alerts = [f.id for f in told if f.verdict is Verdict.BREACH]
    assert len(alerts) == len(set(alerts))
    assert set(alerts) == _breaches(whole)


@LAW
@given(seed=SEEDS, kind=st.sampled_from([None, *KINDS]), shuffle=st.integers(0, 1000))
def test_the_order_of_recording_does_not_matter(seed: int, kind: ErrorKind | None, shuffle: int) -> None:
    events = _play(seed, kind).events
    rng = random.Random(shuffle)
    late = sorted(events, key=lambda event: (event.t + rng.uniform(0, 4), event.seq))
    recorded = [replace(event, seq=number) for number, event in enumerate(late, start=1)]
    whole = judge(events, _profile(kind))
    assert _without_seq(judge(recorded, _profile(kind)).findings) == _without_seq(whole.findings)
    live = Judge(_profile(kind))
    for event in recorded:
        live.feed(event)
    live.finish()
    assert _without_seq(live.judgement.findings) == _without_seq(whole.findings)


@LAW
@given(seed=SEEDS, kind=st.sampled_from([None, *KINDS]), hide=st.integers(0, 1000))
def test_cards_that_are_not_read_accuse_nobody_more(seed: int, kind: ErrorKind | None, hide: int) -> None:
    events = _play(seed, kind).events
    rng = random.Random(hide)
    unread = {e.card_id for e in events if isinstance(e, CardPlaced) and rng.random() < 0.3}
    hidden: list[Event] = [
        replace(e, card=None) if isinstance(e, CardPlaced | CardTurned) and e.card_id in unread else e
        for e in events
    ]
    full, less = judge(events, _profile(kind)), judge(hidden, _profile(kind))
    single = {"WINNER_COLLECTED", "LOSER_PAID", "NOT_PAID", "LOSER_NOT_COLLECTED", "LINE_BET_MISPAID"}
    if kind is ErrorKind.WRONG_WINNER:
        assert {f.code for f in less.findings if f.verdict is Verdict.BREACH} <= single | {"WRONG_WINNER"}
    else:
        assert _accused(less) <= _accused(full)


@LAW
@given(seed=SEEDS, hands=st.booleans(), exits=st.booleans(), chips=st.booleans(), cues=st.booleans())
def test_a_poorer_view_of_clean_coups_gives_no_breach(
    seed: int, hands: bool, exits: bool, chips: bool, cues: bool
) -> None:
    session = _play(seed, None)
    eye = Observer(hands=hands, exits=exits, denominations=chips, cues=cues)
    assert _breaches(judge(observe(session.actions, eye), PROFILE)) == set()


@LAW
@given(seed=SEEDS, cut=st.floats(0, 1))
def test_a_clean_recording_cut_off_anywhere_gives_no_breach(seed: int, cut: float) -> None:
    """Only once the cards are gathered are omissions certain, and in clean coups there are none."""
    events = _play(seed, None).events
    assert _breaches(judge(events[: int(cut * len(events))], PROFILE)) == set()


LATER_ELSE = {ErrorKind.CARDS_REMOVED_BEFORE_PAYMENT, ErrorKind.WRONG_WINNER}
"""Errors that look like single unsettled bets until the rest is seen."""


@LAW
@given(seed=SEEDS, kind=st.sampled_from([kind for kind in KINDS if kind not in LATER_ELSE]))
def test_a_recording_cut_off_accuses_nobody_more(seed: int, kind: ErrorKind) -> None:
    events = _play(seed, kind).events
    full = _breaches(judge(events, _profile(kind)))
    for cut in range(seed % 7, len(events), 7):
        assert _breaches(judge(events[:cut], _profile(kind))) <= full


@LAW
@given(seed=SEEDS)
def test_no_money_is_made_or_lost(seed: int) -> None:
    """What the bank took and gave, as judged, is what the truth says it took and gave."""
    session = _play(seed, None)
    judged = [bet for coup in judge(session.events, PROFILE).coups for bet in coup.bets]
    true = [bet for coup in session.coups for bet in sorted(coup.bets, key=lambda bet: bet.spot)]
    for bet, known in zip(judged, true, strict=True):
        assert (bet.stack, bet.spot) == (known.stack, known.spot)
        assert (bet.value, bet.due) == (str(known.value), known.due)
        amounts = {"paid": "pay", "collected": "collect", "stood": "none"}
        assert amounts[bet.outcome or ""] == known.actual
        assert Fraction(bet.outcome_amount or 0) == known.actual_amount


@LAW
@given(seed=SEEDS, drop=st.integers(0, 1000))
def test_a_chip_state_seen_twice_changes_nothing(seed: int, drop: int) -> None:
    events = list(_play(seed, None).events)
    rng = random.Random(drop)
    again = [replace(e, t=e.t + 0.05) for e in events if isinstance(e, ChipState) and rng.random() < 0.5]
    both = sorted([*events, *again], key=lambda event: event.t)
    recorded = [replace(event, seq=number) for number, event in enumerate(both, start=1)]
    assert _breaches(judge(recorded, PROFILE)) == set()


def test_a_correction_changes_the_verdict_live_and_whole() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    names = play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", stack("b", 25), stack("p", 25, at=(50, 0)))
    play.sweep()
    play.t += 20
    play.hands("Ks 6d", "9h 8c")
    play.sweep()
    live = Judge(PROFILE)
    for event in play.events:
        live.feed(event)
    assert _breaches(live.judgement) == set()
    play.read(names[2], "5d", operator=True)
    new = live.feed(play.events[-1])
    assert {f.code for f in new} >= {"WRONG_DRAW"}
    live.finish()
    assert live.judgement == judge(play.events, PROFILE)


def test_what_a_table_that_stands_still_showed_last_is_told_by_a_look() -> None:
    play = Play(pace_s=0.4)
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    play.t += 20.0
    play.hands("Ks 6d", "9h 2c")  # nobody draws on this: banca's ace stands
    live = Judge(PROFILE)
    told = [finding.code for event in play.events for finding in live.feed(event)]
    told += [finding.code for finding in live.look()]
    assert told == [finding.code for finding in live.judgement.findings]
    assert live.look() == []


def test_a_coup_is_over_when_the_table_has_long_been_quiet() -> None:
    play = Play(pace_s=0.4)
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")  # punto wins
    play.sweep()  # and is not paid
    live = Judge(PROFILE)
    for event in play.events:
        live.feed(event)
    assert "NOT_PAID" not in {finding.code for finding in live.look()}
    assert "NOT_PAID" in {finding.code for finding in live.look(quiet=True)}
    assert "NOT_PAID" in {finding.code for finding in live.findings}
    assert live.look(quiet=True) == []
    play.t += 20.0
    play.hands("Ks 6d", "9h 2c")
    for event in play.events[len(play.events) - 4 :]:
        live.feed(event)
        live.look()
        assert "NOT_PAID" in {finding.code for finding in live.findings}
    live.finish()
    assert "NOT_PAID" in {finding.code for finding in live.findings}


@pytest.mark.parametrize("late_s", [0.5, 30.0, 90.0])
def test_a_close_of_bets_told_late_moves_the_end_of_the_coup_before(late_s: float) -> None:
    """The coup before was closed long ago: it is opened again for what was told late."""
    play = Play()
    for _ in range(4):
        play.chips("seat 2 punto", stack("b", 25))
        play.hands("Ks 8d", "9h 7c")
        play.chips("seat 2 punto", stack("b", 25), stack("p", 25, at=(50, 0)))
        play.sweep()
        play.chips("seat 2 punto")
        play.t += 20.0
    t = play.t
    play.cue("no_more_bets")
    cue = replace(play.events.pop(), t=t - late_s, seq=len(play.events))
    live = Judge(PROFILE)
    for event in (*play.events, cue):
        live.feed(event)
    live.finish()
    assert live.judgement == judge([*play.events, cue], PROFILE)


def test_a_retracted_event_did_not_happen() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.exit()
    play.t += 1
    play.chips("seat 2 punto", stack("b", 25, 25))
    late = play.events[-1].seq
    play.hands("Ks 6d", "9h 8c")
    play.chips("seat 2 punto")
    play.sweep()
    assert [code for code, _, _ in play.breaches()] == ["LATE_BET"]
    play.see(Retraction(seq=0, t=0, of=late))
    assert play.breaches() == []


@pytest.mark.parametrize("kind", [kind for kind in ErrorKind if kind is not ErrorKind.SEVENTH_CARD])
@pytest.mark.parametrize("seed", range(500, 503))
def test_each_injected_error_is_named_and_nothing_else(kind: ErrorKind, seed: int) -> None:
    session = session_with(kind, seed)
    found = judge(session.events, _profile(kind)).findings
    wanted = [
        (coup.number, coup.error.code, coup.error.rule, coup.error.spot)
        for coup in session.coups
        if coup.error is not None
    ]
    assert [(f.coup, f.code, f.rule, f.spot) for f in found if f.verdict is Verdict.BREACH] == wanted


def test_clean_coups_of_whole_shoes_give_no_finding() -> None:
    session = simulate(7, coups=120, options=Options(shoe_start=True))
    judgement = judge(session.events, house_profile())
    assert len(judgement.coups) == 120
    assert judgement.findings == ()
    assert all(coup.verdict is Verdict.CONFORM for coup in judgement.coups)


def test_bets_that_no_chips_can_pay_exactly_are_right_when_rounded_down() -> None:
    session = simulate(3, coups=60, options=Options(odd_bets=True, line_share=0.0))
    assert judge(session.events, house_profile()).findings == ()


def test_findings_are_the_same_bytes_every_time() -> None:
    events = _play(11, ErrorKind.UNDERPAID).events
    assert judge(events, PROFILE).dumps() == judge(list(events), PROFILE).dumps()
