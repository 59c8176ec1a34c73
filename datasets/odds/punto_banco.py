"""Punto banco's odds: every coup played by the profile's own drawing table, and settled by its payouts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from datasets.odds.baccarat import by_result, chances, orders, played_through
from datasets.odds.base import Figure, Odds, Progress
from rules.baccarat.dues import Due, Stake, due_of, profit
from rules.baccarat.points import Result
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profile_document import Profile


def odds(profile: Profile, packs: int, progress: Progress) -> tuple[Odds, ...]:
    """The odds of a full shoe's first coup, for each way to use free choices."""
    assert isinstance(profile, PuntoBancoProfile)
    return tuple(
        Odds(
            game=profile.game,
            profile=profile.title,
            packs=packs,
            choice=words,
            chances=chances(counts, profile.drawing),
            edges=tuple(
                Figure.of(bet, edge(by_result(counts), bet, payout))
                for bet, payout in profile.payouts.items()
            ),
            ways=orders(packs),
        )
        for words, counts in played_through(profile.drawing, packs, progress)
    )


def edge(results: Counter[Result], bet: str, payout: Fraction) -> Fraction:
    """What the house keeps of a unit on ``bet`` on average; a bet that stands counts as staked."""
    kept = Fraction(0)
    for result, ways in results.items():
        match due_of(bet, result):
            case Due.PAY:
                kept -= ways * profit(Stake(Fraction(1), half=False), payout)
            case Due.COLLECT:
                kept += ways
            case Due.PUSH:
                pass
    return kept / results.total()
