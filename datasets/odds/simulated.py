"""Odds by playing: seeded rounds of a game's simulator, judged by the engine, with 95 % intervals."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from datasets.games.base import Simulator
from datasets.odds.base import Figure, Odds, Progress
from rules.judge import judge
from rules.profile_document import Profile

Z_95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""
_SESSION = 60
"""Rounds played from one seed."""


def simulated(
    simulator: Simulator, profile: Profile, packs: int, rounds: int, seed: int, progress: Progress
) -> Odds:
    """Play ``rounds`` by the book and take the chances from them; the edge on a bet is what the engine says
    is due to it, on average. The same seed gives the same odds."""
    table = replace(profile, packs=packs)
    outcomes: Counter[str] = Counter()
    kept: dict[str, list[Fraction]] = defaultdict(list)
    played = 0
    while played < rounds:
        count = min(_SESSION, rounds - played)
        session = simulator.play(table, seed + played, count, {})
        for played_round in session.rounds:
            outcomes.update(_words(played_round.result))
        for coup in judge(session.events, table).coups:
            for bet in coup.bets:
                net = _net(bet.due, bet.due_amount)
                if net is not None and bet.value and bet.spot.bet is not None:
                    kept[bet.spot.bet].append(-net / Fraction(bet.value))
        played += count
        progress(played / rounds)
    return Odds(
        game=simulator.game,
        profile=profile.title,
        packs=packs,
        chances=tuple(_share(name, count, rounds) for name, count in sorted(outcomes.items())),
        edges=tuple(_mean(bet, shares) for bet, shares in sorted(kept.items())),
        rounds=rounds,
        seed=seed,
        notes=("players and shoe are the simulator's: its players do not always play at their best",),
    )


def _words(result: Mapping[str, Any]) -> list[str]:
    return [f"{key} {value}" for key, value in result.items() if isinstance(value, str)]


def _net(due: str | None, amount: str | None) -> Fraction | None:
    match due:
        case "push":
            return Fraction(0)
        case "pay" | "collect" if amount is not None:
            return Fraction(amount) if due == "pay" else -Fraction(amount)
        case _:
            return None


def _share(name: str, count: int, of: int) -> Figure:
    """A share with Wilson's interval."""
    p, z2 = count / of, Z_95**2
    centre = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z_95 * math.sqrt(p * (1 - p) / of + z2 / (4 * of**2)) / (1 + z2 / of)
    return Figure(name=name, value=p, low=max(0.0, centre - half), high=min(1.0, centre + half))


def _mean(name: str, values: list[Fraction]) -> Figure:
    """A mean with the normal interval."""
    n = len(values)
    mean = float(sum(values, Fraction(0)) / n)
    spread = math.sqrt(sum((float(value) - mean) ** 2 for value in values) / max(1, n - 1) / n)
    return Figure(name=name, value=mean, low=mean - Z_95 * spread, high=mean + Z_95 * spread)
