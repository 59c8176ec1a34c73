"""A table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from typing import Any

from rules.baccarat.drawing_table import DrawingTable, read_drawing_table
from rules.errors import ProfileError
from rules.games.banque_deux_tableaux.words import BANCA, BETS, HANDS, PLAYS_ON, TABLEAUX, Line
from rules.profile_document import (
    Document,
    Profile,
    Rounding,
    amount,
    check_document,
    check_keys,
    one_of,
    resolve,
    rounding,
    whole,
)
from rules.spots import Spot

GAME = "banque_deux_tableaux"

CUES = (
    "banco",
    "rules_asked",
    "says",
    "error_by",
    "picked_up",
    "players",
    "lots_drawn",
    "cards_checked",
)
"""Cues whose absence says something, where they are told (docs/cues.md)."""


@unique
class Mode(StrEnum):
    """For how much the banker answers."""

    LIMITED = "limited"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class BankTerms:
    """``mode``: None if not configured. ``minimum``, ``maximum``: of what a bank is constituted with.
    ``by_priority``: a limited bank that cannot pay all pays in the order of §09-IV. ``rate``: the house's
    part of what the bank wins, None while the mode is not known."""

    mode: Mode | None
    minimum: Fraction | None
    maximum: Fraction | None
    by_priority: bool
    rate: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """``minimum``, ``maximum``, ``unit`` of bets; None: not configured. ``line_by_part``: a bet on a line
    meets the minimum with the part that plays."""

    minimum: Fraction | None
    maximum: Fraction | None
    unit: Fraction | None
    line_by_part: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BanqueProfile(Profile):
    """What is prescribed at one table. ``backs``: how many colours of back the packs have (None: any).
    ``departments``: of each tableau, None: not set. ``lines``: what
    the last word of a layout line's name means. ``always_bound``: the drawing rules bind the banker wherever
    they say the same for both tableaux, not only after an error. ``cues``: those that are told at this table
    whenever they happen."""

    departments: int | None
    backs: int | None
    cut_card_below: int
    order: tuple[str, ...]
    drawing: DrawingTable
    always_bound: bool
    lines: Mapping[str, Line]
    bank: BankTerms
    rounding: Rounding
    limits: Limits
    cues: frozenset[str]

    def tableau_of(self, seat: int | None) -> int | None:
        """On which tableau a seat is (0, 1), None if that is not known or there is no such seat."""
        if seat is None or self.departments is None or not 1 <= seat <= 2 * self.departments:
            return None
        return 0 if seat <= self.departments else 1

    def across(self, spot: Spot) -> int | None:
        """On which tableau a box lies that takes bets on the other; None for any other box."""
        lies_on = self.tableau_of(spot.seat)
        return None if lies_on is None or PLAYS_ON.get(spot.bet or "", lies_on) == lies_on else lies_on

    def line_of(self, name: str) -> Line | None:
        """What a layout line means, None if the profile does not know it."""
        return self.lines.get(name.rpartition(":")[2])


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "departments": (),
    "packs": (),
    "backs": (),
    "cut_card_below": (),
    "dealing": ("order",),
    "drawing": ("naturals", "tableau", "banca", "bound"),
    "lines": tuple(line.value for line in Line),
    "bank": ("mode", "minimum", "maximum", "when_short"),
    "deduction": ("limited", "open"),
    "rounding": ("policy", "unit"),
    "limits": ("minimum", "maximum", "unit", "line_bets"),
    "cues": (),
}


def read(document: Document) -> BanqueProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    check_document(document, _KEYS)
    drawing, departments = document["drawing"], document["departments"]
    tableau = drawing["tableau"]
    check_keys(tableau, "drawing.tableau", ("draws", "chooses", "stands"))
    each = None if departments is None else whole("departments", departments)
    return BanqueProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], (GAME,)),
        variant="",
        seats=None if each is None else 2 * each,
        hands=HANDS,
        bets=BETS,
        half_lines=frozenset(),
        packs=whole("packs", document["packs"]),
        backs=None if document["backs"] is None else whole("backs", document["backs"]),
        departments=each,
        cut_card_below=whole("cut_card_below", document["cut_card_below"]),
        order=_order(document["dealing"]["order"]),
        drawing=read_drawing_table(
            drawing["naturals"], tableau["draws"], tableau["stands"], drawing["banca"], tableau["chooses"]
        ),
        always_bound=one_of("drawing.bound", drawing["bound"], ("after_error", "always")) == "always",
        lines=_lines(document["lines"]),
        bank=_bank(document["bank"], document["deduction"]),
        rounding=rounding(document["rounding"]),
        limits=_limits(document["limits"]),
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
    )


def _order(order: list[str]) -> tuple[str, ...]:
    if sorted(order) != sorted([*TABLEAUX, BANCA] * 2):
        raise ProfileError(
            f"dealing.order is {order!r}, but must give tableau_1, tableau_2 and banca two cards each."
        )
    return tuple(order)


def _lines(record: Mapping[str, Any]) -> dict[str, Line]:
    words = {str(word): Line(line) for line, word in record.items()}
    if len(words) < len(Line):
        raise ProfileError(f"lines: the three kinds of line must have three names, not {record!r}.")
    return words


def _or_none(key: str, value: Any) -> Fraction | None:
    return None if value is None else amount(key, value)


def _bank(record: Mapping[str, Any], deduction: Mapping[str, Any]) -> BankTerms:
    rates = {mode: amount(f"deduction.{mode}", deduction[mode]) for mode in Mode}
    mode = (
        None if record["mode"] is None else Mode(one_of("bank.mode", record["mode"], [m.value for m in Mode]))
    )
    low = _or_none("bank.minimum", record["minimum"])
    high = _or_none("bank.maximum", record["maximum"])
    if low is not None and high is not None and low > high:
        raise ProfileError(f"bank.minimum is {low}, more than bank.maximum of {high}.")
    when_short = one_of("bank.when_short", record["when_short"], ("betting_priority", "any_order"))
    return BankTerms(
        mode=mode,
        minimum=low,
        maximum=high,
        by_priority=when_short == "betting_priority",
        rate=None if mode is None else rates[mode],
    )


def _limits(record: Mapping[str, Any]) -> Limits:
    low = _or_none("limits.minimum", record["minimum"])
    high = _or_none("limits.maximum", record["maximum"])
    if low is not None and high is not None and low > high:
        raise ProfileError(f"limits.minimum is {low}, more than limits.maximum of {high}.")
    unit = _or_none("limits.unit", record["unit"])
    line_bets = one_of("limits.line_bets", record["line_bets"], ("full", "playing_part"))
    return Limits(
        minimum=low,
        maximum=high,
        unit=low if unit is None else unit,
        line_by_part=line_bets == "playing_part",
    )


def banque_deux_tableaux(house: Document | None = None) -> BanqueProfile:
    """Andorra's profile, typed, with a house's own entries on top. Raises ProfileError."""
    own = {"profile": "andorra_2016", "extends": "andorra_2016"} | dict(house or {})
    return read(resolve(own, GAME))
