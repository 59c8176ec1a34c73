"""Journals with hands, numbers and bets that no table has: they are judged, whatever the game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from datasets.games import SIMULATORS
from rules.events import CardPlaced, Cue, Event
from rules.judge import judge
from veedor.choosing import choose_profile, profile_names
from veedor.simulating import simulate

ODD = ("²", "9" * 5000, "٣x", "", "-1")


def _spoilt(event: Event, hand: str, rng: random.Random) -> Event:
    if isinstance(event, CardPlaced) and event.spot.startswith("hand ") and rng.random() < 0.5:
        return replace(event, spot=hand)
    if isinstance(event, Cue) and rng.random() < 0.5:
        return replace(event, value=rng.choice(ODD), spot=rng.choice((hand, event.spot)))
    return event


@pytest.mark.parametrize("game", sorted(SIMULATORS))
@pytest.mark.parametrize("hand", ["hand seat_abc", "hand foo", f"hand seat_{'9' * 5000}", "hand banca"])
def test_odd_hands_and_numbers_stop_no_judge(game: str, hand: str) -> None:
    """Cards in hands and numbers in cues that no table has, told in every game and by every profile."""
    rng = random.Random(len(hand))
    events = [_spoilt(event, hand, rng) for event in simulate(game, 3, 5).events]
    for name in profile_names(game):
        profile = choose_profile(game, name)
        for cue in ("players", "seated", "same_person", "cards_cut", "bet_preferred", "table_change"):
            seq, t = events[-1].seq + 1, events[len(events) // 2].t
            odd = Cue(seq=seq, t=t, cue=cue, value="²", spot="seat 2 punto")
            assert judge([*events, odd], profile).findings is not None


def test_a_bet_that_the_table_does_not_have_is_not_settled() -> None:
    """Uruguay has no box for ties: a punto banco journal of Andorra with such bets is judged all the same."""
    for seed in range(3):
        events = simulate("punto_banco", 4, seed).events
        assert judge(events, choose_profile("punto_banco", "uruguay_1977")).findings is not None
