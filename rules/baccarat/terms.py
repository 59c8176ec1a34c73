"""What bets are settled by: odds, rounding, and the ids of the rules that say so in the game's regulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.profile_document import Rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """``odds``: profit per unit staked, by bet. ``half_lines``: bets that play half on their line.

    Rule ids: ``pays``: that a winning bet is paid so much, by bet; ``pays_at_all``: that it is paid, by bet;
    ``takes``: that a losing bet is taken; ``stands``: that a bet which neither won nor lost is left alone;
    ``line``: that a bet on a line plays half; ``closed``: that no bet changes after the close.

    ``commission``: bets that are paid par less a commission. ``free_after_push``: a bet that neither won nor
    lost may be changed at once, so that chips which come or go there need not be the bank's.
    """

    odds: Mapping[str, Fraction]
    rounding: Rounding
    half_lines: frozenset[str]
    pays: Mapping[str, str]
    pays_at_all: Mapping[str, str]
    takes: str
    stands: str
    line: str
    closed: str
    commission: frozenset[str] = frozenset()
    free_after_push: bool = False
