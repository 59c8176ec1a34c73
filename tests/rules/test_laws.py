"""Laws of judging and of corrections that hold for every game: live as whole, and corrected as seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from datasets.games import SIMULATORS
from datasets.mutants import tables_of
from rules.cards import PACK
from rules.corrections import looks
from rules.events import CardPlaced, CardRead, CardTurned, ChipsRead, ChipState, Event
from rules.findings import Verdict
from rules.judge import Judge, judge
from rules.profile_document import Profile
from tests.bench.judging import benches
from tests.support.laws import half_counted, with_view_lost, without_doubt

LAW = settings(max_examples=8, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10_000)
GAMES = pytest.mark.parametrize("game", SIMULATORS)


def _played(game: str, seed: int) -> tuple[list[Event], Profile]:
    """A short session with one error, at the table where it is judged."""
    simulator, rng = SIMULATORS[game], random.Random(seed)
    kinds = list(simulator.kinds.values())
    for _ in range(50):
        kind = rng.choice(kinds)
        profile = rng.choice(_tables(game, kind.name))
        try:
            session = simulator.play(
                profile, rng.randrange(10_000), kind.rounds + 1, {kind.rounds: kind.name}
            )
        except ValueError:
            continue
        return list(session.events), profile
    raise AssertionError(f"{game} plays no session with an error")


@cache
def _tables(game: str, kind: str) -> tuple[Profile, ...]:
    return tables_of(game, SIMULATORS[game].kinds[kind])


@GAMES
@LAW
@given(seed=SEEDS)
def test_live_is_as_whole(game: str, seed: int) -> None:
    events, profile = _played(game, seed)
    live = Judge(profile)
    told = [finding.id for event in events for finding in live.feed(event)]
    told += [finding.id for finding in live.finish()]
    assert live.judgement == judge(events, profile)
    assert len(told) == len(set(told))


@GAMES
@LAW
@given(seed=SEEDS, late=st.floats(0, 500))
def test_a_card_corrected_is_a_card_seen(game: str, seed: int, late: float) -> None:
    events, profile = _played(game, seed)
    rng = random.Random(seed)
    named = {
        event.card_id: event.card
        for event in events
        if isinstance(event, CardPlaced | CardTurned | CardRead) and event.card is not None
    }
    card = rng.choice(sorted(named))
    wrong = [
        replace(event, card=str(rng.choice(PACK)))
        if isinstance(event, CardPlaced | CardTurned | CardRead)
        and event.card_id == card
        and event.card is not None
        else event
        for event in events
    ]
    said = CardRead(seq=len(events) + 1, t=late, card_id=card, card=named[card], source="operator")
    assert judge([*wrong, said], profile) == judge(events, profile)


@GAMES
@LAW
@given(seed=SEEDS)
def test_a_stack_corrected_is_a_stack_seen(game: str, seed: int) -> None:
    events, profile = _played(game, seed)
    rng = random.Random(seed)
    shown = sorted(
        {
            (event.spot, stack.stack, stack.denominations)
            for event in events
            if isinstance(event, ChipState)
            for stack in event.stacks
            if stack.denominations is not None and None not in stack.denominations
        },
        key=str,
    )
    spot, name, chips = rng.choice(shown)
    assert chips is not None
    misread = (*chips, rng.choice((1, 5, 25)))

    def wrong(event: Event) -> Event:
        if not isinstance(event, ChipState) or event.spot != spot:
            return event
        stacks = (
            replace(s, denominations=misread, count=len(misread))
            if (s.stack, s.denominations) == (name, chips)
            else s
            for s in event.stacks
        )
        return replace(event, stacks=tuple(stacks))

    misseen = [wrong(event) for event in events]
    # A misreading that hides a change of the stack cannot be put right by one reading.
    assume(len(looks(misseen, spot, name)) == len(looks(events, spot, name)))
    moments = [event.t for event, seen in zip(events, misseen, strict=True) if event != seen]
    known = tuple(chip for chip in chips if chip is not None)
    said = [
        ChipsRead(seq=len(events) + n, t=t, stack=name, spot=spot, denominations=known)
        for n, t in enumerate(moments, start=1)
    ]
    assert judge([*misseen, *said], profile) == judge(events, profile)


@GAMES
@settings(LAW, max_examples=24)
@given(
    seed=st.integers(0, 3),
    share=st.floats(0, 1),
    seconds=st.sampled_from((1, 4, 12, 40, 150)),
    one=st.booleans(),
)
def test_what_was_not_seen_is_no_breach(game: str, seed: int, share: float, seconds: int, one: bool) -> None:
    events, profile = _clean(game, seed)
    t_from = round(share * events[-1].t, 2)
    spot = None
    if one:  # a hand that covers one box or hand to the recording's end
        spots = {e.spot for e in events if isinstance(e, CardPlaced | ChipState)}
        covered = sorted(spot for spot in spots if spot.startswith(("seat", "box", "hand")))
        spot = covered[int(share * (len(covered) - 1))]
    seen = with_view_lost(events, t_from, None if one else t_from + seconds, spot)
    breaches = [f for f in judge(seen, profile).findings if f.verdict is Verdict.BREACH]
    assert [f.id for f in breaches if not f.rule.startswith("HOUSE-CAMERA")] == []


@pytest.mark.parametrize(
    ("table", "seed", "coups", "t_from", "seconds", "spot"),
    [
        pytest.param(
            "uruguay_1977/full", 10, 6, 47.18, 40, None, id="PB-URU-COM-06, a pass of the run missed"
        ),
        pytest.param(
            "uruguay_1977/full", 25, 6, 7.92, 150, None, id="PB-URU-COM-06, the run's first one missed"
        ),
        pytest.param(
            "uruguay_1977/full", 18, 6, 40.01, 150, None, id="PB-URU-SHOE-03, the shoe went on unseen"
        ),
        pytest.param(
            "uruguay_1977/full", 5, 6, 6.4, 40, None, id="PB-URU-CUT-04, who dealt first was not seen"
        ),
        pytest.param(
            "uruguay_1977/full", 129, 4, 20.13, None, "seat 10 banca", id="PB-URU-HAND-05, a bet gone since"
        ),
        pytest.param("trente_et_quarante", 100, 8, 58.35, 40, None, id="TQ-INS-01, a coup between missed"),
        pytest.param("texas_holdem_cash", 133, 4, 24.9, 150, None, id="TX-BUY-01, a hand he won missed"),
    ],
)
def test_what_was_missed_before_is_no_breach(
    table: str, seed: int, coups: int, t_from: float, seconds: int | None, spot: str | None
) -> None:
    """Journals by the book in which what a verdict rests on was lost before it, or just after."""
    bench = next(bench for bench in benches() if table in bench.name)
    events, t_to = bench.play(seed, coups), None if seconds is None else t_from + seconds

    def breaches(seen: Sequence[Event]) -> list[str]:
        findings = judge(seen, bench.profile).findings
        return [f.id for f in findings if f.verdict is Verdict.BREACH and not f.rule.startswith("HOUSE")]

    assert breaches(events) == []
    assert breaches(with_view_lost(events, t_from, t_to, spot)) == []


@cache
def _clean(game: str, seed: int) -> tuple[list[Event], Profile]:
    """Four coups by the book, at one of the game's tables."""
    own = [
        bench for bench in benches() if bench.name.startswith(f"{game}, ") and "scripted" not in bench.name
    ]
    bench = random.Random(seed).choice(own)
    return list(bench.play(seed, 4)), bench.profile


@GAMES
@settings(LAW, phases=(Phase.explicit, Phase.generate))
@given(seed=SEEDS, others=st.integers(0, 2))
def test_doubt_about_chips_turns_no_verdict_round(game: str, seed: int, others: int) -> None:
    """Stacks that may be one of a few: no breach that was none, no breach unsaid that unread chips show, and
    live as whole."""
    events, profile = _played(game, seed)
    doubted = half_counted(events, random.Random(seed), share=0.3, others=others)
    exact, unread = judge(events, profile).coups, judge(without_doubt(doubted), profile).coups
    whole = judge(doubted, profile)
    for coup, bare, told in zip(exact, unread, whole.coups, strict=True):
        if told.verdict is Verdict.BREACH:
            assert coup.verdict is Verdict.BREACH
        elif coup.verdict is Verdict.BREACH and told.verdict is Verdict.CONFORM:
            assert bare.verdict is Verdict.CONFORM
    live = Judge(profile)
    for event in doubted:
        live.feed(event)
    live.finish()
    assert live.judgement == whole
