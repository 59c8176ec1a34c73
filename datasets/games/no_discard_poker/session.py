"""A session: round after round by the book, with faults where they are asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.games.base import Fault, FaultKind, PlayedRound, PlayedSession, check_faults
from datasets.games.no_discard_poker.cards import PACK, deal, kind, plays, strength
from datasets.games.no_discard_poker.table import Bought, Play, Table
from rules.games.no_discard_poker.profile import PokerProfile
from rules.profile_document import Profile

HOUSE: Mapping[str, Any] = {
    "boxes": 7,
    "spaces": ["ante", "second", "insurance", "progressive", "exchange"],
    "bets_per_box": 1,
    "blind_bets": True,
    "progressive": {
        "prizes": {
            "royal_flush": "1 of jackpot",
            "straight_flush": "1/10 of jackpot",
            "four_of_a_kind": 500,
        }
    },
    "exchange": {"offered": True},
    "limits": {"minimum": 10, "maximum": 250},
    "cues": ["blind_bet", "comment", "advice", "information", "jackpot", "players"],
}
"""A table where everything is set and told."""


@dataclass(frozen=True)
class Recipe:
    """How a kind of fault is made. ``before``: what it changes before the settlement is reckoned, ``after``:
    of what is then done; ``fixed``: hands it takes; ``spot``: of its finding."""

    kind: FaultKind
    before: Callable[[Play], None]
    after: Callable[[Play], None]
    spot: str | None
    fixed: Mapping[str, str] = field(default_factory=dict)


PLAIN: Mapping[str, str] = {
    "seat_1": "Tc Td 8h 5d 3d",
    "seat_2": "Qc Jd 8s 6h 4h",
    "seat_3": "Qd Js 7d 6c 3c",
    "banca": "Ac Kd 9h 5s 2c",
}
"""The bank plays; the first player wins with a pair, the second loses, the third passes."""


def _any(rng: random.Random, number: int, profile: PokerProfile) -> Play:
    """A round by the book, of any players."""
    boxes = profile.boxes or 7
    seats = sorted(rng.sample(range(1, boxes + 1), rng.randint(1, min(5, boxes))))
    hands = deal(rng, [*(f"seat_{seat}" for seat in seats), "banca"], {})
    play = _with(rng, number, seats, hands)
    if profile.spaces is None or "insurance" in profile.spaces:
        play.insurance = {seat: rng.randint(1, 5) for seat in seats if rng.random() < 0.3}
    play.progressive = {seat: 5 for seat in seats if rng.random() < 0.3}
    for seat in seats:
        hand = hands[f"seat_{seat}"]
        play.goes[seat] = strength(hand) >= (0, [12, 11]) or rng.random() < 0.2
        if profile.exchange and rng.random() < 0.15:
            used = {card for dealt in hands.values() for card in dealt}
            used |= {card for change in play.bought.values() for card in change.cards}
            card = rng.choice([card for card in PACK if card not in used])
            play.bought[seat] = Bought([rng.randrange(5)], [card], sum(play.antes[seat]))
    return play


def _with(rng: random.Random, number: int, seats: list[int], hands: dict[str, list[str]]) -> Play:
    antes = {seat: [5 * rng.randint(2, 20)] for seat in seats}
    return Play(
        number=number,
        antes=antes,
        insurance={},
        progressive={},
        hands=hands,
        goes=dict.fromkeys(seats, True),
        second={seat: 2 * sum(ante) for seat, ante in antes.items()},
        order=[*(f"seat_{seat}" for seat in seats), "banca"] * 5,
    )


def _plain(rng: random.Random, number: int, fixed: Mapping[str, str]) -> Play:
    """The round that faults are put into: three players, of whom the third passes."""
    seats = [1, 2, 3]
    hands = deal(rng, [*(f"seat_{seat}" for seat in seats), "banca"], {**PLAIN, **fixed})
    play = _with(rng, number, seats, hands)
    play.goes[3] = False
    return play


def play(
    recipes: Mapping[str, Recipe], profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]
) -> PlayedSession:
    """So many rounds; ``faults``: kinds by round. Raises ValueError for one that cannot be made there."""
    if not isinstance(profile, PokerProfile):
        raise ValueError(f"{profile.game} is another game than no_discard_poker.")
    check_faults("no_discard_poker", recipes, faults, rounds)
    rng, table = random.Random(seed), Table()
    played, made = [], []
    for number in range(1, rounds + 1):
        recipe = recipes[faults[number]] if number in faults else None
        if recipe is None:
            one = _any(rng, number, profile)
            one.settle()
        else:
            one = _plain(rng, number, recipe.fixed)
            recipe.before(one)
            one.settle()
            recipe.after(one)
            made.append(Fault(kind=recipe.kind, coup=number, spot=recipe.spot))
        table.play(one)
        played.append(_record(one))
    return PlayedSession(
        game="no_discard_poker",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(played),
        faults=tuple(made),
    )


def _record(one: Play) -> PlayedRound:
    shown = {seat: one.goes[seat] and not one.void for seat in one.seats}
    cards = {
        name: tuple(one.final(name) if name == "banca" or shown[int(name[5:])] else ["??"] * 5)
        for name in (*(f"seat_{seat}" for seat in one.seats), "banca")
    }
    return PlayedRound(
        coup=one.number,
        cards=cards,
        result={
            "banca": kind(one.final("banca")),
            "bank": "plays" if plays(one.final("banca")) else "does not play",
            **{f"seat_{seat}": one.result(seat) for seat in one.seats},
        },
    )
