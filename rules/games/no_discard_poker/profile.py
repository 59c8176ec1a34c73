"""A table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.cards import Rank
from rules.errors import ProfileError
from rules.games.no_discard_poker.words import BETS, HANDS, SEATS
from rules.poker import Category
from rules.poker.ranking import high_cards
from rules.profile_document import (
    Document,
    Profile,
    Rounding,
    amount,
    check_document,
    check_keys,
    flag,
    one_of,
    resolve,
    rounding,
    whole,
)

GAME = "no_discard_poker"
CUES = ("blind_bet", "comment", "advice", "information", "jackpot", "players")
"""Cues whose absence says something, where they are told (docs/cues.md)."""

_KINDS = {category.name.lower(): category for category in Category}
_INSURED = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house")
_PRIZED = _INSURED[:3]
_BANDS = (10, 20, 25)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """A prize of the progressive: an amount, or a part of the jackpot."""

    amount: Fraction | None = None
    of_jackpot: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PokerProfile(Profile):
    """What is prescribed at one table; None: not configured.

    ``second_bet``: times the ante. ``floor``: the lowest rank (:func:`rules.poker.rank`) with which the bank
    plays. ``pays``: profit per unit of the second bet; ``insured``: of an insurance bet. ``folded_insured``:
    that bet plays though its player passed. ``face_up``: a bought card may be dealt face up. ``cues``:
    those that are told at this table whenever they happen.
    """

    boxes: int | None
    spaces: frozenset[str] | None
    bets_per_box: int | None
    blind_bets: bool | None
    second_bet: Fraction
    floor: int
    pays: Mapping[Category, Fraction]
    insured: Mapping[Category, Fraction]
    folded_insured: bool
    prizes: Mapping[Category, Prize]
    exchange: bool | None
    face_up: bool
    rounding: Rounding
    minimum: Fraction | None
    maximum: Fraction | None
    cues: frozenset[str]

    @property
    def in_band(self) -> bool | None:
        """Whether the maximum is as many times the minimum as it may be, None if they are not configured."""
        if self.minimum is None or self.maximum is None:
            return None
        return self.maximum / self.minimum in _BANDS


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "packs": (),
    "boxes": (),
    "spaces": (),
    "bets_per_box": (),
    "blind_bets": (),
    "second_bet": (),
    "qualifies": (),
    "pays": tuple(_KINDS),
    "insurance": ("pays", "times", "when_folded"),
    "progressive": ("prizes",),
    "exchange": ("offered", "face_up"),
    "rounding": ("policy", "unit"),
    "limits": ("minimum", "maximum"),
    "cues": (),
}


def read(document: Document) -> PokerProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    check_document(document, _KEYS)
    insurance, limits, exchange = document["insurance"], document["limits"], document["exchange"]
    boxes, spaces, blind = document["boxes"], document["spaces"], document["blind_bets"]
    per_box = document["bets_per_box"]
    low, high = (_or_none(f"limits.{key}", limits[key]) for key in ("minimum", "maximum"))
    if low is not None and high is not None and low > high:
        raise ProfileError(f"limits.minimum is {low}, more than limits.maximum of {high}.")
    times = one_of("insurance.times", insurance["times"], ("profit", "total"))
    return PokerProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], (GAME,)),
        variant="",
        packs=whole("packs", document["packs"]),
        seats=SEATS if boxes is None else _at_most("boxes", boxes, SEATS),
        hands=HANDS,
        bets=BETS,
        half_lines=frozenset(),
        boxes=boxes,
        spaces=None if spaces is None else frozenset(one_of("spaces", space, BETS) for space in spaces),
        bets_per_box=None if per_box is None else _at_most("bets_per_box", per_box, 3),
        blind_bets=None if blind is None else flag("blind_bets", blind),
        second_bet=amount("second_bet", document["second_bet"]),
        floor=_floor(document["qualifies"]),
        pays=_odds("pays", document["pays"], tuple(_KINDS)),
        insured=_less_stake(_odds("insurance.pays", insurance["pays"], _INSURED), times == "total"),
        folded_insured=one_of("insurance.when_folded", insurance["when_folded"], ("lost", "plays"))
        == "plays",
        prizes=_prizes(document["progressive"]["prizes"]),
        exchange=None if exchange["offered"] is None else flag("exchange.offered", exchange["offered"]),
        face_up=flag("exchange.face_up", exchange["face_up"]),
        rounding=rounding(document["rounding"]),
        minimum=low,
        maximum=high,
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
    )


def _at_most(key: str, value: object, most: int) -> int:
    number = whole(key, value)
    if number > most:
        raise ProfileError(f"{key} is {number}, but the regulation allows {most} at most.")
    return number


def _or_none(key: str, value: Any) -> Fraction | None:
    return None if value is None else amount(key, value)


def _floor(ranks: object) -> int:
    known = [rank.value for rank in Rank]
    if not isinstance(ranks, list) or not ranks:
        raise ProfileError(f"qualifies is {ranks!r}, but must list the highest cards needed, as in [A, K].")
    return high_cards(*(Rank(one_of("qualifies", rank, known)) for rank in ranks))


def _odds(key: str, record: Mapping[str, Any], kinds: tuple[str, ...]) -> dict[Category, Fraction]:
    check_keys(record, key, kinds)
    return {_KINDS[kind]: amount(f"{key}.{kind}", record[kind]) for kind in kinds}


def _less_stake(odds: dict[Category, Fraction], total: bool) -> dict[Category, Fraction]:
    return {kind: value - total for kind, value in odds.items()}


def _prizes(record: Mapping[str, Any]) -> dict[Category, Prize]:
    check_keys(record, "progressive.prizes", _PRIZED)
    prizes = {}
    for kind in _PRIZED:
        key, value = f"progressive.prizes.{kind}", record[kind]
        if isinstance(value, str) and value.endswith(" of jackpot"):
            prizes[_KINDS[kind]] = Prize(of_jackpot=amount(key, value.removesuffix(" of jackpot")))
        elif value is not None:
            prizes[_KINDS[kind]] = Prize(amount=amount(key, value))
    return prizes


def no_discard_poker(house: Document | None = None) -> PokerProfile:
    """Andorra's profile, typed, with a house's own entries on top. Raises ProfileError."""
    own = {"profile": "andorra_2016", "extends": "andorra_2016"} | dict(house or {})
    return read(resolve(own, GAME))
