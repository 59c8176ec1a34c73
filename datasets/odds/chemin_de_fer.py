"""Chemin de fer's odds: every coup by the table of rules, for every choice that it leaves open.

The players play against the banker, and the house takes its deduction from what the banker wins.
"""

from __future__ import annotations

from fractions import Fraction

from datasets.odds.baccarat import by_result, chances, orders, played_through
from datasets.odds.base import Figure, Odds, Progress
from rules.baccarat.points import Result
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.profile_document import Profile


def odds(profile: Profile, packs: int, progress: Progress) -> tuple[Odds, ...]:
    """The odds of a full shoe's first coup, for each way to use free choices."""
    assert isinstance(profile, CheminDeFerProfile)
    found: list[Odds] = []
    for words, counts in played_through(profile.drawing, packs, progress):
        results, total = by_result(counts), orders(packs)
        wins, loses = Fraction(results[Result.BANCA], total), Fraction(results[Result.PUNTO], total)
        deducted = profile.commission * wins
        against = wins - loses * profile.payout
        edges = (
            Figure.of("punto, kept by the banker", against),
            Figure.of("the bank, after the deduction", deducted - against),
            Figure.of("the bank, the deduction alone", deducted),
        )
        found.append(
            Odds(
                game=profile.game,
                profile=profile.title,
                packs=packs,
                choice=words,
                chances=chances(counts, profile.drawing),
                edges=edges,
                ways=total,
                notes=("this table plays without drawing rules: these are the rules' odds",)
                if profile.free
                else (),
            )
        )
    return tuple(found)
