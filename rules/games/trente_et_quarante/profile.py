"""A table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from typing import Any

from rules.errors import ProfileError
from rules.games.trente_et_quarante.words import BETS, ROWS
from rules.profile_document import (
    Document,
    Profile,
    Rounding,
    amount,
    check_document,
    one_of,
    resolve,
    rounding,
    whole,
)

GAME = "trente_et_quarante"

CUES = ("premium", "cards_cut", "row_announced", "chances_announced")
"""Cues whose absence says something, where they are told (docs/cues.md)."""


@unique
class Refait(StrEnum):
    """What becomes of a bet at 31 to 31."""

    CHOICE = "choice"
    """As its player likes."""
    HALF = "half"
    PRISON = "prison"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrenteProfile(Profile):
    """What is prescribed at one table. ``backs``: how many colours of back the packs have (None: any).
    ``full_from``: a row ends when it counts so much. ``insurable``: the
    least bet that may be insured, for ``premium_rate`` of it. ``minimum``, ``maximum``: of bets, None if not
    configured. ``areas``: the bets that the felt has places for, None if not configured. ``croupier_mm``:
    where the paying croupier works. ``cues``: those that are told here whenever they happen."""

    backs: int | None
    cut_card_below: int
    full_from: int
    payout: Fraction
    refait: Refait
    insurable: Fraction
    premium_rate: Fraction
    minimum: Fraction | None
    maximum: Fraction | None
    areas: tuple[str, ...] | None
    croupier_mm: tuple[float, float]
    rounding: Rounding
    cues: frozenset[str]


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "packs": (),
    "backs": (),
    "cut_card_below": (),
    "rows": ("full_from",),
    "payout": (),
    "refait": ("rule",),
    "insurance": ("minimum", "rate"),
    "limits": ("minimum", "maximum_times"),
    "areas": (),
    "croupier_mm": (),
    "rounding": ("policy", "unit"),
    "cues": (),
}


def read(document: Document) -> TrenteProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    check_document(document, _KEYS)
    limits, areas = document["limits"], document["areas"]
    low = None if limits["minimum"] is None else amount("limits.minimum", limits["minimum"])
    times = whole("limits.maximum_times", limits["maximum_times"])
    return TrenteProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], (GAME,)),
        variant="",
        seats=None,
        hands=ROWS,
        bets=BETS,
        half_lines=frozenset(),
        packs=whole("packs", document["packs"]),
        backs=None if document["backs"] is None else whole("backs", document["backs"]),
        cut_card_below=whole("cut_card_below", document["cut_card_below"]),
        full_from=whole("rows.full_from", document["rows"]["full_from"], 11),
        payout=amount("payout", document["payout"]),
        refait=Refait(one_of("refait.rule", document["refait"]["rule"], [rule.value for rule in Refait])),
        insurable=amount("insurance.minimum", document["insurance"]["minimum"]),
        premium_rate=amount("insurance.rate", document["insurance"]["rate"]),
        minimum=low,
        maximum=None if low is None else low * times,
        areas=None if areas is None else _areas(areas),
        croupier_mm=_place(document["croupier_mm"]),
        rounding=rounding(document["rounding"]),
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
    )


def _areas(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ProfileError(f"areas is {value!r}, but must be a list of bets, or null.")
    return tuple(value)


def _place(value: Any) -> tuple[float, float]:
    numbers = value if isinstance(value, list | tuple) else ()
    if len(numbers) != 2 or not all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
        raise ProfileError(
            f"croupier_mm is {value!r}, but must be a place on the drawing: two numbers, right and down."
        )
    return float(numbers[0]), float(numbers[1])


def trente_et_quarante(house: Document | None = None) -> TrenteProfile:
    """Spain's profile, typed, with a house's own entries on top. Raises ProfileError."""
    own = {"profile": "spain_1979", "extends": "spain_1979"} | dict(house or {})
    return read(resolve(own, GAME))
