"""When hands do what: the script of a film as it grows."""

from __future__ import annotations

import random

from datasets.simulator_types import Action
from rules.events import Event, Hand, Owner

DEALER = Hand(Owner.DEALER)


class Timeline:
    """``actions``: the script so far; ``seen``: what a perfect observer tells of it; ``t``: seconds."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.t = 0.0
        self.actions: list[Action] = []
        self.seen: list[Event] = []

    def wait(self, low_s: float, high_s: float) -> float:
        """Let time pass; the new time."""
        self.t = round(self.t + self.rng.uniform(low_s, high_s), 2)
        return self.t
