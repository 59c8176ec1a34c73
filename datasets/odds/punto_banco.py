"""Punto banco's odds: every coup played by the profile's own drawing table, and settled by its payouts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from datasets.odds.baccarat import Outcome, all_coups, orders
from datasets.odds.base import Figure, Odds, Progress
from rules.baccarat.dues import Due, Stake, due_of, profit
from rules.baccarat.points import Result, result_of
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profile_document import Profile


def odds(profile: Profile, packs: int, progress: Progress) -> tuple[Odds, ...]:
    """The odds of a full shoe's first coup."""
    assert isinstance(profile, PuntoBancoProfile)
    counts, total = all_coups(profile.drawing, packs, progress), orders(packs)
    results = by_result(counts)
    chances = [Figure.of(_NAMES[result], Fraction(results[result], total)) for result in Result]
    for cards in (4, 5, 6):
        ways = sum(n for outcome, n in counts.items() if outcome.cards == cards)
        chances.append(Figure.of(f"{cards} cards", Fraction(ways, total)))
    natural = sum(n for o, n in counts.items() if profile.drawing.is_natural(o.punto_two, o.banca_two))
    chances.append(Figure.of("a natural", Fraction(natural, total)))
    edges = [Figure.of(bet, edge(results, bet, profile.payouts[bet])) for bet in profile.payouts]
    return (
        Odds(
            game=profile.game,
            profile=profile.title,
            packs=packs,
            chances=tuple(chances),
            edges=tuple(edges),
            ways=total,
        ),
    )


_NAMES = {Result.PUNTO: "punto wins", Result.BANCA: "banca wins", Result.TIE: "empate"}


def by_result(counts: Counter[Outcome]) -> Counter[Result]:
    """Orders of cards by the result that they lead to."""
    results: Counter[Result] = Counter()
    for outcome, ways in counts.items():
        results[result_of(outcome.punto, outcome.banca)] += ways
    return results


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
