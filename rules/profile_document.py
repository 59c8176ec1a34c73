"""What all profiles share: how their documents are read, and the parts that every game has.

A profile is written in YAML (``rules/data/profiles/punto_banco/andorra_2016.yaml`` is the pattern, article
beside entry). A house's own document names the profile it ``extends`` and repeats only what differs. The
regulation's document has every key there is, so a key that it lacks is refused, with the nearest right one.
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

from rules.errors import ProfileError
from rules.money import parse_amount

Document = Mapping[str, Any]
"""A profile's parsed YAML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is prescribed at one table; each game's own profile adds to it.

    ``packs``: packs in the shoe. ``seats``: seats there are at most, None: not said. ``hands``: hands whose
    cards have a place on the felt. ``bets``: names of the bets there are. ``half_lines``: bets that play half
    on their line.
    """

    name: str
    game: str
    variant: str
    packs: int
    seats: int | None
    hands: tuple[str, ...]
    bets: tuple[str, ...]
    half_lines: frozenset[str]

    @property
    def title(self) -> str:
        """Profile and variant in one word, as findings carry it: ``andorra_2016/mini``."""
        return f"{self.name}/{self.variant}" if self.variant else self.name


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


def shipped_names(game: str) -> tuple[str, ...]:
    """The names of the profiles of a game that come with the product."""
    folder = files("rules").joinpath("data", "profiles", game)
    if not folder.is_dir():
        return ()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in folder.iterdir()))


def resolve(document: Document, game: str) -> dict[str, Any]:
    """The document with all that it extends filled in. Raises ProfileError, naming the key and the remedy."""
    if "extends" not in document:
        return dict(document)
    base = resolve(_shipped(document["extends"], game), game)
    return _merge(base, {key: value for key, value in document.items() if key != "extends"}, "")


def _shipped(name: object, game: str) -> dict[str, Any]:
    names = shipped_names(game)
    if not isinstance(name, str) or name not in names:
        close = difflib.get_close_matches(str(name), names, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"the profiles are {', '.join(names)}."
        raise ProfileError(f"there is no profile {name!r} of {game}: {hint}")
    text = files("rules").joinpath("data", "profiles", game, f"{name}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


_OPEN = frozenset({"variant"})
"""Keys that a regulation's document may leave to the house."""


def _merge(base: dict[str, Any], own: Document, at: str) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        if key not in base and (at or key not in _OPEN):
            raise ProfileError(unknown_key(f"{at}{key}", [f"{at}{known}" for known in base]))
        below = base.get(key)
        _check_shape(f"{at}{key}", below, value)
        merged[key] = (
            _merge(below, value, f"{at}{key}.")
            if isinstance(below, dict) and isinstance(value, Mapping)
            else value
        )
    return merged


def _check_shape(key: str, below: object, value: object) -> None:
    """That a house gives parts, a list or a text where the regulation does. Raises ProfileError."""
    if isinstance(below, dict) and not isinstance(value, Mapping):
        raise ProfileError(f"{key!r} must hold the keys {', '.join(map(str, below))}.")
    if isinstance(below, list) and not isinstance(value, list | tuple):
        raise ProfileError(f"{key} is {value!r}, but must be a list, such as {below!r}.")
    if isinstance(below, str) and "\n" in below and not isinstance(value, str):
        raise ProfileError(f"{key} is {value!r}, but must be a text, such as the regulation's own.")


def unknown_key(key: str, known: Sequence[str]) -> str:
    """The sentence for a key that there is not."""
    close = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(known)}."
    return f"{key!r} is not a key of a profile: {hint}"


def check_keys(value: object, at: str, keys: Sequence[str]) -> None:
    """That an entry holds exactly these keys. Raises ProfileError."""
    if not isinstance(value, Mapping):
        raise ProfileError(f"{at!r} must hold the keys {', '.join(keys)}.")
    for key in value:
        if key not in keys:
            raise ProfileError(unknown_key(f"{at}.{key}", [f"{at}.{known}" for known in keys]))
    for key in keys:
        if key not in value:
            raise ProfileError(f"the key '{at}.{key}' is missing.")


def check_document(
    document: Document, keys: Mapping[str, Sequence[str]], optional: Sequence[str] = ()
) -> None:
    """That a document holds these keys, each with exactly the keys below it where some are named, and at most
    ``optional`` beside them. Raises ProfileError, naming the key and the remedy."""
    for key, below in keys.items():
        if key not in document:
            raise ProfileError(f"the key {key!r} is missing.")
        if below:
            check_keys(document[key], key, below)
    for key in document:
        if key not in keys and key not in optional:
            raise ProfileError(unknown_key(key, list(keys)))


def variant_of(document: Document) -> str:
    """The variant that the document fixes, one of its ``variants``. Raises ProfileError."""
    variants = document["variants"]
    if not isinstance(variants, Mapping | list):
        raise ProfileError(f"variants is {variants!r}, but must hold a table's kinds, each with its entries.")
    variant = document.get("variant")
    if variant is None:
        raise ProfileError(f"the key 'variant' is missing. Say which table it is: {', '.join(variants)}.")
    if not isinstance(variant, str) or variant not in variants:
        known = ", ".join(map(str, variants))
        raise ProfileError(f"there is no variant {variant!r}: the variants are {known}.")
    return str(variant)


def one_of(key: str, value: object, allowed: Sequence[str]) -> str:
    """A word out of those allowed. Raises ProfileError."""
    if not isinstance(value, str) or value not in allowed:
        raise ProfileError(f"{key} is {value!r}, but must be one of: {', '.join(allowed)}.")
    return value


def whole(key: str, value: object, least: int = 1) -> int:
    """A whole number. Raises ProfileError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ProfileError(f"{key} is {value!r}, but must be a whole number from {least} on.")
    return value


def flag(key: str, value: object) -> bool:
    """True or false. Raises ProfileError."""
    if not isinstance(value, bool):
        raise ProfileError(f"{key} is {value!r}, but must be true or false.")
    return value


def amount(key: str, value: Any) -> Fraction:
    """An exact amount above nothing. Raises ProfileError."""
    try:
        exact = parse_amount(value)
    except ValueError as error:
        raise ProfileError(f"{key}: {error}.") from None
    if exact <= 0:
        raise ProfileError(f"{key} is {value!r}, but must be more than nothing.")
    return exact


def rounding(record: Document) -> Rounding:
    """The ``rounding`` entry. Raises ProfileError."""
    check_keys(record, "rounding", ("policy", "unit"))
    policy = one_of("rounding.policy", record["policy"], [policy.value for policy in RoundingPolicy])
    return Rounding(RoundingPolicy(policy), amount("rounding.unit", record["unit"]))
