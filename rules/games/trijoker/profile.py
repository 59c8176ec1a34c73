"""A table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.cards import Rank
from rules.errors import ProfileError
from rules.games.trijoker.words import BETS, COMMUNITY, OWN_CARDS, PLAYERS, hand_of
from rules.poker import Category
from rules.profile_document import (
    Document,
    Profile,
    amount,
    check_document,
    check_keys,
    flag,
    one_of,
    resolve,
    whole,
)

GAME = "trijoker"

CUES = ("last_hands",)
"""Cues whose absence says something, where they are told (docs/cues.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """``minimum``, ``maximum``: of each box; ``low``, ``high``: the band that the house is authorised for;
    None: not configured. ``multiples``: how many times the minimum the maximum may be."""

    minimum: Fraction | None
    maximum: Fraction | None
    multiples: tuple[int, ...]
    low: Fraction | None
    high: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrijokerProfile(Profile):
    """What is prescribed at one table. ``places``: of players; ``from_left``: they are numbered from the
    dealer's left. ``order``: of dealing. ``voids``: common cards that annul the hand if they are shown by
    mistake. ``low_ace``: A-2-3-4-5 is a straight. ``pays``: profit for one staked, by kind of hand;
    ``least_pair``: the lowest pair that wins. ``last_hands``: how many follow once they are called."""

    places: int
    from_left: bool
    order: tuple[str, ...]
    voids: frozenset[Rank]
    low_ace: bool
    pays: Mapping[Category, Fraction]
    least_pair: Rank
    limits: Limits
    last_hands: int
    cues: frozenset[str]

    def in_turn(self, seats: set[int]) -> list[int]:
        """Seats in the order in which they are dealt to and decide: from the dealer's left."""
        return sorted(seats, reverse=not self.from_left)


_WINNING = {category.name.lower(): category for category in Category if category is not Category.HIGH_CARD}
_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "packs": (),
    "seats": ("count", "numbered_from"),
    "dealing": ("order", "voids"),
    "ranking": ("low_ace",),
    "pay_table": tuple(_WINNING),
    "least_pair": (),
    "limits": ("minimum", "maximum", "multiples", "band"),
    "last_hands": (),
    "cues": (),
}


def read(document: Document) -> TrijokerProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    check_document(document, _KEYS)
    seats, dealing = document["seats"], document["dealing"]
    places = whole("seats.count", seats["count"])
    return TrijokerProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], (GAME,)),
        variant="",
        seats=places,
        hands=(*COMMUNITY, *(hand_of(seat) for seat in range(1, places + 1))),
        bets=BETS,
        half_lines=frozenset(),
        packs=whole("packs", document["packs"]),
        places=places,
        from_left=one_of("seats.numbered_from", seats["numbered_from"], ("left", "right")) == "left",
        order=_order(dealing["order"]),
        voids=frozenset(_rank("dealing.voids", rank) for rank in dealing["voids"] or ()),
        low_ace=flag("ranking.low_ace", document["ranking"]["low_ace"]),
        pays={
            kind: amount(f"pay_table.{name}", document["pay_table"][name]) for name, kind in _WINNING.items()
        },
        least_pair=_rank("least_pair", document["least_pair"]),
        limits=_limits(document["limits"]),
        last_hands=whole("last_hands", document["last_hands"]),
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
    )


def _order(order: Any) -> tuple[str, ...]:
    if not isinstance(order, list) or sorted(order) != sorted([PLAYERS] * OWN_CARDS + [*COMMUNITY]):
        raise ProfileError(
            f"dealing.order is {order!r}, but must name players three times"
            " and each of community_1 and community_2 once."
        )
    return tuple(order)


def _rank(key: str, value: Any) -> Rank:
    return Rank(one_of(key, str(value), [rank.value for rank in Rank]))


def _or_none(key: str, value: Any) -> Fraction | None:
    return None if value is None else amount(key, value)


def _limits(record: Mapping[str, Any]) -> Limits:
    check_keys(record["band"], "limits.band", ("minimum", "maximum"))
    low, high = (_or_none(f"limits.{end}", record[end]) for end in ("minimum", "maximum"))
    if low is not None and high is not None and low > high:
        raise ProfileError(f"limits.minimum is {low}, more than limits.maximum of {high}.")
    return Limits(
        minimum=low,
        maximum=high,
        multiples=tuple(whole("limits.multiples", multiple) for multiple in record["multiples"] or ()),
        low=_or_none("limits.band.minimum", record["band"]["minimum"]),
        high=_or_none("limits.band.maximum", record["band"]["maximum"]),
    )


def trijoker(house: Document | None = None) -> TrijokerProfile:
    """Andorra's profile, typed, with a house's own entries on top. Raises ProfileError."""
    own = {"profile": "andorra_2016", "extends": "andorra_2016"} | dict(house or {})
    return read(resolve(own, GAME))
