"""Profiles: what a regulation, or a house that extends one, prescribes at a table, as data.

A profile is written in YAML (``rules/data/andorra_2016.yaml`` is the pattern, article beside entry). A
house's own document names the profile it ``extends`` and repeats only what differs; unknown keys are refused.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from importlib.resources import files
from typing import Any

import yaml

from rules.cards import Face
from rules.drawing_table import DrawingTable, read_drawing_table
from rules.errors import ProfileError
from rules.money import parse_amount

PROFILES = ("andorra_2016", "mini_half_lines")
"""The profiles that come with the product."""


@unique
class RoundingPolicy(StrEnum):
    """What may be paid when the chips in use cannot make the exact amount."""

    EXACT = "exact"
    """Nothing but the exact amount."""
    ROUND_DOWN_UNIT = "round_down_unit"
    """The amount rounded down to the smallest chip."""
    FAVOUR_PLAYER = "favour_player"
    """Rounded to the smallest chip in the player's favour."""
    NEAREST_UNIT = "nearest_unit"
    """The nearest multiple of the smallest chip (either, if both are equally near)."""
    EITHER_NEIGHBOUR = "either_neighbour"
    """Rounded down or up to the smallest chip."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """``unit``: the smallest chip. Amounts that it divides are always due exactly.

    >>> sorted(map(str, Rounding(RoundingPolicy.ROUND_DOWN_UNIT, Fraction(1)).payable(Fraction("42.75"))))
    ['42']
    """

    policy: RoundingPolicy
    unit: Fraction

    def payable(self, due: Fraction) -> frozenset[Fraction]:
        """The payments that count as right for an exact due amount."""
        low = math.floor(due / self.unit) * self.unit
        if low == due or self.policy is RoundingPolicy.EXACT:
            return frozenset({due})
        high = low + self.unit
        match self.policy:
            case RoundingPolicy.ROUND_DOWN_UNIT:
                return frozenset({low})
            case RoundingPolicy.FAVOUR_PLAYER:
                return frozenset({high})
            case RoundingPolicy.NEAREST_UNIT if due - low != high - due:
                return frozenset({low if due - low < high - due else high})
            case _:
                return frozenset({low, high})

    def takeable(self, due: Fraction) -> frozenset[Fraction]:
        """The amounts that count as right when this much is to be taken from a bet (half of a line bet)."""
        low = math.floor(due / self.unit) * self.unit
        if low == due or self.policy is RoundingPolicy.EXACT:
            return frozenset({due})
        if self.policy is RoundingPolicy.FAVOUR_PLAYER:
            return frozenset({low})
        return frozenset({low, low + self.unit})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """A table's limits; None: not configured. ``tie_share``: a tie bet's part of the maximum."""

    minimum: Fraction | None
    maximum: Fraction | None
    tie_share: Fraction | None
    multiples_of_minimum: bool | None
    bets_per_box: int | None

    @property
    def tie_maximum(self) -> Fraction | None:
        """The highest tie bet, or None if it is not configured."""
        return None if self.maximum is None or self.tie_share is None else self.maximum * self.tie_share


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is prescribed at one table. ``payouts``: profit per unit staked, by bet. ``half_lines``: bets that
    play half when they lie on their box's outline. ``order``: hand that each of the first cards goes to."""

    name: str
    game: str
    variant: str
    seats: int | None
    packs: int
    cut_card_below: int
    order: tuple[str, ...]
    initial_face: Face
    drawing: DrawingTable
    payouts: Mapping[str, Fraction]
    half_lines: frozenset[str]
    rounding: Rounding
    limits: Limits

    @property
    def title(self) -> str:
        """Profile and variant in one word, as findings carry it: ``andorra_2016/mini``."""
        return f"{self.name}/{self.variant}"


def load_profile(name: str, variant: str | None = None, house: Mapping[str, Any] | None = None) -> Profile:
    """One of the product's profiles, with a house's own entries on top.

    ``variant``: ``full``, ``midi`` or ``mini`` (needed unless the profile fixes it). ``house``: the same
    keys as in the profile's file, only those that differ. Raises ProfileError, a sentence naming the key and
    the remedy.
    """
    document: dict[str, Any] = {"profile": name, "extends": name}
    if variant is not None:
        document["variant"] = variant
    return read_profile(document | dict(house or {}))


def read_profile(document: Mapping[str, Any], name: str = "the profile") -> Profile:
    """A profile from its document (a parsed YAML file). Raises ProfileError; ``name`` is said in it."""
    try:
        return _build(_resolve(document))
    except ProfileError as error:
        raise ProfileError(f"In {name}, {error}") from None


def _shipped(name: object) -> dict[str, Any]:
    if not isinstance(name, str) or name not in PROFILES:
        raise ProfileError(f"there is no profile {name!r}: the profiles are {', '.join(PROFILES)}.")
    text = files("rules").joinpath("data").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def _resolve(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with all that it extends filled in."""
    if "extends" not in document:
        return dict(document)
    base = _resolve(_shipped(document["extends"]))
    return _merge(base, {key: value for key, value in document.items() if key != "extends"}, "")


def _merge(base: dict[str, Any], own: Mapping[str, Any], at: str) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        if key not in base and key not in _KEYS:
            raise ProfileError(_unknown(f"{at}{key}", [f"{at}{known}" for known in (base if at else _KEYS)]))
        below = base.get(key)
        merged[key] = (
            _merge(below, value, f"{at}{key}.")
            if isinstance(below, dict) and isinstance(value, Mapping)
            else value
        )
    return merged


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "variant": (),
    "variants": (),
    "packs": (),
    "cut_card_below": (),
    "dealing": ("order", "initial_cards"),
    "drawing": ("naturals", "punto", "banca"),
    "payouts": ("punto", "banca", "empate"),
    "half_lines": (),
    "rounding": ("policy", "unit"),
    "limits": ("minimum", "maximum", "tie_share_of_maximum", "multiples_of_minimum", "bets_per_box"),
}


def _unknown(key: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(known)}."
    return f"{key!r} is not a key of a profile: {hint}"


def _build(document: Mapping[str, Any]) -> Profile:
    for key, below in _KEYS.items():
        if key not in document:
            raise ProfileError(f"the key {key!r} is missing." + _variant_hint(key, document))
        if below:
            _check_keys(document[key], key, below)
    for key in document:
        if key not in _KEYS:
            raise ProfileError(_unknown(key, list(_KEYS)))
    variants = document["variants"]
    variant = document["variant"]
    if variant not in variants:
        raise ProfileError(f"there is no variant {variant!r}: the variants are {', '.join(variants)}.")
    drawing = document["drawing"]
    _check_keys(drawing["punto"], "drawing.punto", ("draws", "stands"))
    return Profile(
        name=str(document["profile"]),
        game=_one_of("game", document["game"], ("punto_banco",)),
        variant=variant,
        seats=variants[variant]["seats"],
        packs=_whole("packs", document["packs"]),
        cut_card_below=_whole("cut_card_below", document["cut_card_below"]),
        order=_order(document["dealing"]["order"]),
        initial_face=Face(
            _one_of("dealing.initial_cards", document["dealing"]["initial_cards"], ("down", "up"))
        ),
        drawing=read_drawing_table(
            drawing["naturals"], drawing["punto"]["draws"], drawing["punto"]["stands"], drawing["banca"]
        ),
        payouts={bet: _amount(f"payouts.{bet}", value) for bet, value in document["payouts"].items()},
        half_lines=frozenset(
            _one_of("half_lines", box, ("punto", "banca")) for box in document["half_lines"]
        ),
        rounding=_rounding(document["rounding"]),
        limits=_limits(document["limits"]),
    )


def _variant_hint(key: str, document: Mapping[str, Any]) -> str:
    if key != "variant":
        return ""
    return f" Say which table it is: {', '.join(document.get('variants', ()))}."


def _check_keys(value: object, at: str, keys: Sequence[str]) -> None:
    if not isinstance(value, Mapping):
        raise ProfileError(f"{at!r} must hold the keys {', '.join(keys)}.")
    for key in value:
        if key not in keys:
            raise ProfileError(_unknown(f"{at}.{key}", [f"{at}.{known}" for known in keys]))
    for key in keys:
        if key not in value:
            raise ProfileError(f"the key '{at}.{key}' is missing.")


def _one_of(key: str, value: object, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ProfileError(f"{key} is {value!r}, but must be one of: {', '.join(allowed)}.")
    return value


def _whole(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ProfileError(f"{key} is {value!r}, but must be a whole number from 1 on.")
    return value


def _amount(key: str, value: Any) -> Fraction:
    try:
        amount = parse_amount(value)
    except ValueError as error:
        raise ProfileError(f"{key}: {error}.") from None
    if amount <= 0:
        raise ProfileError(f"{key} is {value!r}, but must be more than nothing.")
    return amount


def _order(order: Sequence[str]) -> tuple[str, ...]:
    if sorted(order) != ["banca", "banca", "punto", "punto"]:
        raise ProfileError(f"dealing.order is {list(order)!r}, but must give punto and banca two cards each.")
    return tuple(order)


def _rounding(record: Mapping[str, Any]) -> Rounding:
    policy = _one_of("rounding.policy", record["policy"], [policy.value for policy in RoundingPolicy])
    return Rounding(RoundingPolicy(policy), _amount("rounding.unit", record["unit"]))


def _limits(record: Mapping[str, Any]) -> Limits:
    amounts = {
        key: None if record[key] is None else _amount(f"limits.{key}", record[key])
        for key in ("minimum", "maximum", "tie_share_of_maximum")
    }
    low, high = amounts["minimum"], amounts["maximum"]
    if low is not None and high is not None and not 20 * low <= high <= 100 * low:
        raise ProfileError(
            f"limits.maximum is {high}, but must be 20 to 100 times the minimum of {low}"
            " (PB-AND-LIM-03, Andorra 2016, §07-V)."
        )
    multiples, boxes = record["multiples_of_minimum"], record["bets_per_box"]
    if multiples is not None and not isinstance(multiples, bool):
        raise ProfileError(f"limits.multiples_of_minimum is {multiples!r}, but must be true, false or null.")
    return Limits(
        minimum=low,
        maximum=high,
        tie_share=amounts["tie_share_of_maximum"],
        multiples_of_minimum=multiples,
        bets_per_box=None if boxes is None else _whole("limits.bets_per_box", boxes),
    )
