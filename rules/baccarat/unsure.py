"""A bet whose base stands so near a line, or so near another box, that it is too close to call.

It is judged for every place where it may stand. What holds of all of them is said; otherwise the verdict is
UNDETERMINED, with what is due for each place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from rules.baccarat.boxes import Box, plays_half, relined
from rules.baccarat.coup import Bet
from rules.baccarat.dues import Due
from rules.findings import Verdict
from rules.money import readable
from rules.spots import Spot

if TYPE_CHECKING:
    from rules.baccarat.settlement import Settled

_MOST = 3
"""Bets of a box that are tried in all their places; of more only the likeliest place is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way in which a box's bets may lie. ``lines``: of each bet; ``elsewhere``: the other bet's box that
    one of them may stand in, None if they all stand here."""

    lines: tuple[str | None, ...]
    elsewhere: Spot | None
    p: float


def readings(box: Box) -> list[Reading]:
    """The ways in which a box's bets may lie, the likeliest first; one if nothing is in doubt."""
    doubtful = 0
    choices: list[list[tuple[str | None, Spot | None, float]]] = []
    for bet in box.bets:
        own: list[tuple[str | None, Spot | None, float]] = [(bet.line, None, bet.standing.stack.p_place)]
        if bet.standing.stack.elsewhere and _as_seen(bet) and doubtful < _MOST:
            doubtful += 1
            for other in bet.standing.stack.elsewhere:
                spot = Spot.parse(other.spot)
                own.append((other.line, None if spot.bet == bet.spot.bet else spot, other.p))
        choices.append(own)
    found: list[Reading] = []
    for choice in product(*choices):
        p = 1.0
        for _, _, part in choice:
            p *= part
        away = next((spot for _, spot, _ in choice if spot is not None), None)
        found.append(Reading(tuple(line for line, _, _ in choice), away, p))
    return sorted(found, key=lambda reading: -reading.p)


def _as_seen(bet: Bet) -> bool:
    """Whether the line that counts is the one that was seen: a rule may have set it aside."""
    return bet.line == bet.standing.stack.line


def settle_every_way(
    box: Box, half_lines: frozenset[str], line_rule: str, settle: Callable[[Box], Settled]
) -> Settled:
    """Judge a box by ``settle`` for each way in which its bets may lie. ``line_rule``: the rule on lines.

    A box whose stakes are not those of its bets is judged as it is: its game has its own rule on lines.
    """
    if not any(bet.standing.stack.elsewhere for bet in box.bets):
        return settle(box)
    ways = readings(box)
    if len(ways) == 1 or relined(box, ways[0].lines, half_lines).stakes != box.stakes:
        return settle(box)
    cases: list[tuple[Reading, Settled]] = []
    seen: set[tuple[bool | Spot | None, ...]] = set()
    for way in ways:
        own = relined(box, way.lines, half_lines)
        halves = [plays_half(bet, half_lines) for bet in own.bets]
        if (key := (*halves, way.elsewhere)) not in seen:
            seen.add(key)
            cases.append((way, settle(own)))
    return either(box, cases, line_rule)


def either(box: Box, cases: list[tuple[Reading, Settled]], line_rule: str) -> Settled:
    """What can be said of a box that was judged for each way in which its bets may lie, likeliest first."""
    first = replace(cases[0][1], box=box)
    away = next((way.elsewhere for way, _ in cases if way.elsewhere is not None), None)
    verdicts = {case.verdict for _, case in cases}
    if away is None and len(cases) == 1:
        return first
    if (
        away is None
        and len(verdicts) == 1
        and (first.verdict is not Verdict.BREACH or len({case.action for _, case in cases}) == 1)
    ):
        return first
    total = sum(way.p for way, _ in cases) or 1.0
    if away is not None:
        whose = f"whether the bet stands on {box.spot} or on {away} is too close to call"
        due = f"on {box.spot} {_due(first)}; on {away} it goes by that bet"
        reason = f"{whose}: {due}"
    else:
        parts = [f"{_lying(way)} ({way.p / total:.0%}) {_due(case)}" for way, case in cases]
        reason = f"whether its base lies on a line is too close to call: {'; '.join(parts)}"
    return replace(
        first,
        verdict=Verdict.UNDETERMINED,
        rule=line_rule,
        code="LINE_BET_MISPAID",
        right=None,
        reason=reason,
        expected=" or ".join(dict.fromkeys(case.expected for _, case in cases if case.expected)),
    )


def _lying(way: Reading) -> str:
    lines = [line for line in way.lines if line is not None]
    return f"on {', '.join(lines)}" if lines else "on none"


def _due(case: Settled) -> str:
    match case.due:
        case Due.PAY:
            return f"a payment of {readable(case.right, 'an amount not known')} is due"
        case Due.COLLECT:
            return f"{readable(case.right, 'an amount not known')} is to be taken"
        case _:
            return "nothing is due"
