"""How one hand is to go: by the book, unless something in its script says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Told = tuple[str, str | None, str | None]
"""A cue with its value and its spot."""

SEATS = (1, 2, 4, 5, 7)
SMALL, BIG = 5, 10
START = 400


@dataclass(slots=True)
class Script:
    """One hand's script. ``ending``: ``folded`` (all but one, before the flop), ``showdown`` or ``all_in``
    (with a side pot). ``cards``: hole cards by place in the order of play, and the board. ``before``,
    ``dealt``, ``during``, ``after``: cues told before the deal, after it, in the first betting round, and
    after the hand. The rest says what is done wrongly."""

    ending: str = "showdown"
    holes: tuple[str, ...] | None = None
    board: str | None = None
    before: list[Told] = field(default_factory=list)
    during: list[Told] = field(default_factory=list)
    after: list[Told] = field(default_factory=list)
    button_stays: bool = False
    no_blind: str | None = None
    clockwise: bool = True
    exposed: bool = False
    at_deck: bool = False
    short_card: bool = False
    extra_board: bool = False
    burns: tuple[int, int, int] = (1, 1, 1)
    burn_shown: bool = False
    twice: bool = False
    out_of_turn: bool = False
    again: bool = False
    unequal: bool = False
    ungathered: bool = False
    bet: int = 20
    ante: int = 0
    no_ante: int | None = None
    raises: int = 0
    paid_to: str = "winners"
    pot_touched: bool = False
    touched: bool = False
    stray: bool = False
    rake: int = 0
    rake_by_player: bool = False
    tip_slotted: bool = True
    joins: int | None = None
    joins_with: int = 400
    joins_posts: bool = True
    bought: int | None = None
    taken: int | None = None
    low_stack: bool = False
    bet_for: bool = False
    wait_s: float = 0.0
    wait_dead_s: float = 0.0
    rests: bool = False


Change = Callable[[Script], None]
