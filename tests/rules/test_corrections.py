"""Corrections: one more entry, and judging again changes exactly what depends on it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.bench_rules import house_profile
from datasets.simulator import Options, simulate
from rules.cards import PACK
from rules.corrections import as_corrected
from rules.events import CardPlaced, CardRead, CardTurned, ChipsRead, ChipState, Event, Retraction
from rules.findings import CoupSummary, Finding, Judgement, Verdict
from rules.judge import Judge, judge, judge_coups
from tests.support.play import Play, stack

PROFILE = house_profile()
LAW = settings(max_examples=12, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10_000)


def _codes(events: list[Event]) -> list[str]:
    return [f.code for f in judge(events, PROFILE).findings if f.verdict is Verdict.BREACH]


def _says(events: list[Event], name: str, spot: str, *chips: int, t: float) -> ChipsRead:
    return ChipsRead(seq=len(events) + 1, t=t, stack=name, spot=spot, denominations=chips)


def _misread_bet() -> Play:
    """A bet of two chips of 25 that the camera takes for one, paid 50 as is due."""
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", stack("b", 25), stack("p", 25, 25, at=(50, 0)))
    play.sweep()
    return play


@pytest.mark.parametrize("moment", ["when put down", "when paid"])
def test_a_bet_is_what_the_reviewer_says_for_as_long_as_it_stands(moment: str) -> None:
    events = list(_misread_bet().events)
    states = [event for event in events if isinstance(event, ChipState)]
    assert _codes(events) == ["OVERPAID"]
    t = states[0].t if moment == "when put down" else states[1].t
    assert _codes([*events, _says(events, "b", "seat 2 punto", 25, 25, t=t)]) == []


def test_the_later_recorded_of_two_corrections_counts_and_one_taken_back_does_not() -> None:
    events = list(_misread_bet().events)
    t = next(event.t for event in events if isinstance(event, ChipState))
    events.append(_says(events, "b", "seat 2 punto", 25, 25, 25, t=t))
    assert _codes(events) == ["UNDERPAID"]
    events.append(_says(events, "b", "seat 2 punto", 25, 25, t=t + 0.5))
    assert _codes(events) == []
    events.append(Retraction(seq=len(events) + 1, t=t, of=events[-1].seq))
    assert _codes(events) == ["UNDERPAID"]


def test_a_correction_ends_where_the_stack_is_seen_changed() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.chips("seat 2 punto", stack("b", 25, 25, 25))
    events = list(play.events)
    read = _says(events, "b", "seat 2 punto", 5, 5, t=events[0].t)
    first, second = as_corrected([*events, read]).events
    assert isinstance(first, ChipState)
    assert isinstance(second, ChipState)
    assert first.stacks[0].denominations == (5, 5)
    assert second.stacks[0].denominations == (25, 25, 25)


def test_what_is_said_of_two_moments_holds_for_each() -> None:
    play = Play()
    for _ in range(3):
        play.chips("seat 2 punto", stack("b", 25))
    events: list[Event] = list(play.events)
    for t, chips in ((events[0].t, (25,)), (events[2].t, (25, 25))):
        events.append(_says(events, "b", "seat 2 punto", *chips, t=t))
    shown = [event.stacks[0].count for event in as_corrected(events).events if isinstance(event, ChipState)]
    assert shown == [1, 1, 2]


def test_a_correction_moves_a_bet_onto_its_line() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 50))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", stack("b", 50), stack("p", 25, at=(50, 0)))
    play.sweep()
    events = list(play.events)
    assert _codes(events) == ["UNDERPAID"]
    read = replace(_says(events, "b", "seat 2 punto", 50, t=events[0].t), line="line-seat-2-punto")
    assert _codes([*events, read]) == []


def test_a_stack_that_never_stood_there_corrects_nothing() -> None:
    events = list(_misread_bet().events)
    before = judge(events, PROFILE)
    read = _says(events, "b", "seat 3 punto", 500, t=events[-1].t)
    assert judge([*events, read], PROFILE) == before


def test_a_card_named_long_after_the_coup_prolongs_nothing() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    names = play.hands("Ks 8d", "9h 7c")
    play.sweep()
    events: list[Event] = list(play.events)
    assert _codes(events) == _codes([*events, _named(events, names[0], "Ks", t=events[-1].t + 600)])


def _named(events: list[Event], card_id: str, card: str, t: float) -> CardRead:
    return CardRead(seq=len(events) + 1, t=t, card_id=card_id, card=card, source="operator")


def _without_card(events: list[Event], card_id: str, wrong: str) -> list[Event]:
    return [
        replace(event, card=wrong)
        if isinstance(event, CardPlaced | CardTurned) and event.card_id == card_id and event.card is not None
        else event
        for event in events
    ]


def _coups(judgement: Judgement, but: frozenset[int]) -> list[tuple[CoupSummary, list[Finding]]]:
    return [
        (coup, [f for f in judgement.findings if f.coup == coup.coup])
        for coup in judgement.coups
        if coup.coup not in but
    ]


def _law(true: list[Event], wrong: list[Event], correction: Event, touched: frozenset[int]) -> None:
    """With the correction all is as if it had been seen so; without it, only what depends on it differs."""
    right, misled = judge(true, PROFILE), judge(wrong, PROFILE)
    corrected = judge([*wrong, correction], PROFILE)
    assert corrected == right
    assert _coups(misled, touched) == _coups(right, touched)
    same = {f.id for f in misled.findings} & {f.id for f in corrected.findings}
    about = {(f.coup, f.rule, f.code, f.spot): f.id for f in misled.findings}
    for finding in corrected.findings:
        known = about.get((finding.coup, finding.rule, finding.code, finding.spot))
        assert known is None or known in same
    live = Judge(PROFILE)
    for event in [*wrong, correction]:
        live.feed(event)
    live.finish()
    assert live.judgement == corrected
    taken_back = Retraction(seq=correction.seq + 1, t=0.0, of=correction.seq)
    assert judge([*wrong, correction, taken_back], PROFILE).dumps() == misled.dumps()


@LAW
@given(seed=SEEDS, pick=st.integers(0, 10_000), late=st.floats(0, 500))
def test_a_card_corrected_is_a_card_seen(seed: int, pick: int, late: float) -> None:
    rng = random.Random(pick)
    events = list(simulate(seed, coups=3, options=Options(shoe_start=True)).events)
    dealt = [event for event in events if isinstance(event, CardPlaced) and event.spot.startswith("hand ")]
    card = rng.choice(dealt)
    names = [
        event.card
        for event in events
        if isinstance(event, CardPlaced | CardTurned)
        and event.card_id == card.card_id
        and event.card is not None
    ]
    wrong = _without_card(events, card.card_id, str(rng.choice([c for c in PACK if str(c) != names[0]])))
    coup = next(coup.coup for coup in judge(events, PROFILE).coups if coup.t_from <= card.t <= coup.t_to)
    _law(events, wrong, _named(events, card.card_id, str(names[0]), t=late), frozenset({coup}))


@LAW
@given(seed=SEEDS, pick=st.integers(0, 10_000))
def test_a_bet_corrected_is_a_bet_seen(seed: int, pick: int) -> None:
    rng = random.Random(pick)
    session = simulate(seed, coups=3)
    events = list(session.events)
    bet = rng.choice([bet for coup in session.coups for bet in coup.bets])
    spot, chips = str(bet.spot), (*bet.denominations, rng.choice((5, 25, 100)))

    def misread(event: Event) -> Event:
        if not isinstance(event, ChipState) or event.spot != spot:
            return event
        stacks = [
            replace(s, denominations=chips, count=len(chips))
            if s.stack == bet.stack and s.denominations == bet.denominations
            else s
            for s in event.stacks
        ]
        return replace(event, stacks=tuple(stacks))

    wrong = [misread(event) for event in events]
    t = next(
        e.t
        for e in events
        if isinstance(e, ChipState)
        and e.spot == spot
        and any(s.stack == bet.stack and s.denominations == bet.denominations for s in e.stacks)
    )
    touched = frozenset(c.number for c in session.coups if any(b.stack == bet.stack for b in c.bets))
    after = frozenset(number + 1 for number in touched)
    correction = ChipsRead(
        seq=len(events) + 1, t=t, stack=bet.stack, spot=spot, denominations=bet.denominations
    )
    _law(events, wrong, correction, touched | after)


def test_chip_states_after_a_correction_are_corrected_too_live() -> None:
    play = _misread_bet()
    events: list[Event] = list(play.events)
    bet = next(event for event in events if isinstance(event, ChipState))
    correction = replace(_says(events, "b", "seat 2 punto", 25, 25, t=bet.t), seq=bet.seq + 1)
    recorded: list[Event] = []
    for event in events:
        recorded.append(replace(event, seq=len(recorded) + 1))
        if event is bet:
            recorded.append(correction)
    live = Judge(PROFILE)
    told = [finding for event in recorded for finding in live.feed(event)] + live.finish()
    assert [finding.code for finding in told] == []
    assert live.judgement == judge(recorded, PROFILE)


def test_a_long_journal_is_judged_in_parts_as_in_one() -> None:
    session = simulate(5, coups=160, options=Options(shoe_start=True))
    whole = judge(session.events, PROFILE)
    assert [summary for _, summary in judge_coups(session.events, PROFILE)] == list(whole.coups)
    assert [coup.coup for coup in whole.coups] == list(range(1, 161))
    late = next(event for event in session.events if isinstance(event, CardTurned))
    again = CardRead(
        seq=len(session.events) + 1, t=session.events[-1].t, card_id=late.card_id, card="Kd", p=0.99
    )
    changed = judge([*session.events, again], PROFILE)
    assert "Kd" in [card for cards in changed.coups[0].cards.values() for card in cards]
    live = Judge(PROFILE)
    for event in (*session.events[-300:], again):
        live.feed(event)


def test_a_coup_that_never_ends_is_still_judged_in_the_end() -> None:
    play = Play()
    for number in range(400):
        play.chips("seat 2 punto", stack("b", *([25] * (1 + number % 2))))
    live = Judge(PROFILE)
    for event in play.events:
        live.feed(event)
    live.finish()
    assert live.judgement == judge(play.events, PROFILE)
