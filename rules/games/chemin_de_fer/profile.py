"""A chemin de fer table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.baccarat.drawing_table import DrawingTable, read_drawing_table
from rules.baccarat.terms import Terms
from rules.errors import ProfileError
from rules.games.chemin_de_fer.words import ABONAMENT, PUNTO, SIDES
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

CUES = (
    "banco",
    "bank_refused",
    "card_called",
    "cards_checked",
    "cards_shuffled",
    "cut_declined",
    "difference_called",
    "garage_asked",
    "mode_announced",
    "no_more_bets",
    "punto_says",
    "seat_left",
    "winnings_excluded",
    "with_the_table",
)
"""Cues whose absence says something, where they are told (docs/cues.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """A table's limits; None: not configured. ``bank_times``: a new bank is at most so many minima."""

    minimum: Fraction | None
    bank_times: int
    bank_unlimited: bool
    sum_within_bank: bool

    @property
    def bank_maximum(self) -> Fraction | None:
        """The highest new bank, None if there is none or it is not known."""
        return None if self.minimum is None or self.bank_unlimited else self.minimum * self.bank_times


@dataclass(frozen=True, slots=True, kw_only=True)
class CheminDeFerProfile(Profile):
    """What is prescribed at one table.

    ``backs``: how many colours of back the packs have (None: any). ``free``: the table plays without drawing
    rules. ``free_banco``: a banco does (None: not told whether that was authorised). ``numbered_right``:
    seats count from the dealer's right. ``cut_before_deal``: an uncovered bank is cut before the deal, not
    after the win. ``held_s``: how long cards may be held, seconds. ``cues``: what is told at this table; what
    is among them and was not told did not happen.
    """

    backs: int | None
    cut_card_below: int
    numbered_right: bool | None
    free: bool
    free_banco: bool | None
    drawing: DrawingTable
    commission: Fraction
    payout: Fraction
    cut_before_deal: bool
    rounding: Rounding
    limits: Limits
    held_s: float
    cues: frozenset[str]

    @property
    def terms(self) -> Terms:
        """What the bets are settled by."""
        bets = (PUNTO, ABONAMENT)
        return Terms(
            odds=dict.fromkeys(bets, self.payout),
            rounding=self.rounding,
            half_lines=self.half_lines,
            pays=dict.fromkeys(bets, "CF-PAY-01"),
            pays_at_all=dict.fromkeys(bets, "CF-PAY-01"),
            takes="CF-WIN-01",
            stands="CF-WIN-01",
            line="CF-LINE-01",
            closed="CF-BET-02",
        )


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "packs": (),
    "backs": (),
    "cut_card_below": (),
    "seats": (),
    "seats_numbered_from": (),
    "mode": (),
    "free_banco": (),
    "drawing": ("naturals", "punto", "banca"),
    "commission": (),
    "payout": (),
    "half_lines": (),
    "garage": ("uncovered",),
    "rounding": ("policy", "unit"),
    "limits": ("authorised_minimum", "minimum", "bank_times_minimum", "bank_unlimited", "sum_within_bank"),
    "cards_held_s": (),
    "cues": (),
}


def read(document: Document) -> CheminDeFerProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    check_document(document, _KEYS)
    drawing = document["drawing"]
    check_keys(drawing["punto"], "drawing.punto", ("draws", "chooses", "stands"))
    seats, numbered = document["seats"], document["seats_numbered_from"]
    punto = drawing["punto"]
    return CheminDeFerProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], ("chemin_de_fer",)),
        variant="",
        packs=whole("packs", document["packs"]),
        backs=None if document["backs"] is None else whole("backs", document["backs"]),
        seats=None if seats is None else whole("seats", seats),
        hands=SIDES,
        bets=(PUNTO, ABONAMENT),
        half_lines=frozenset(one_of("half_lines", box, (PUNTO,)) for box in document["half_lines"]),
        cut_card_below=whole("cut_card_below", document["cut_card_below"]),
        numbered_right=None
        if numbered is None
        else one_of("seats_numbered_from", numbered, ("dealers_right", "dealers_left")) == "dealers_right",
        free=one_of("mode", document["mode"], ("rules", "free")) == "free",
        free_banco=None if document["free_banco"] is None else flag("free_banco", document["free_banco"]),
        drawing=read_drawing_table(
            drawing["naturals"], punto["draws"], punto["stands"], drawing["banca"], punto["chooses"]
        ),
        commission=amount("commission", document["commission"]),
        payout=amount("payout", document["payout"]),
        cut_before_deal=one_of(
            "garage.uncovered", document["garage"]["uncovered"], ("after_win", "before_deal")
        )
        == "before_deal",
        rounding=rounding(document["rounding"]),
        limits=_limits(document["limits"]),
        held_s=float(whole("cards_held_s", document["cards_held_s"])),
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
    )


def _limits(record: Mapping[str, Any]) -> Limits:
    authorised, minimum = (
        None if record[key] is None else amount(f"limits.{key}", record[key])
        for key in ("authorised_minimum", "minimum")
    )
    if authorised is not None and minimum is not None and minimum < authorised:
        raise ProfileError(
            f"limits.minimum is {minimum}, but the authorised minimum is {authorised}"
            " (CF-LIM-01, Andorra 2016, §08-V)."
        )
    return Limits(
        minimum=minimum,
        bank_times=whole("limits.bank_times_minimum", record["bank_times_minimum"]),
        bank_unlimited=flag("limits.bank_unlimited", record["bank_unlimited"]),
        sum_within_bank=flag("limits.sum_within_bank", record["sum_within_bank"]),
    )


def chemin_de_fer(house: Document | None = None) -> CheminDeFerProfile:
    """Andorra's profile, typed, with a house's own entries on top. Raises ProfileError."""
    own = {"profile": "andorra_2016", "extends": "andorra_2016"} | dict(house or {})
    return read(resolve(own, "chemin_de_fer"))
