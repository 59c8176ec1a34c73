"""What a profile of Uruguay's state casinos says besides: the ``uruguay`` entry, typed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.errors import ProfileError
from rules.profile_document import amount, check_keys, flag, whole

URUGUAY_CUES = (
    "advice",
    "baraje",
    "bet_annulled",
    "bid",
    "calado",
    "cambio",
    "cards_mixed",
    "ceded_seat_bet",
    "claim",
    "coup_void",
    "dealer",
    "ensalada",
    "excess_played",
    "free_seat",
    "hand_ceded",
    "hand_claimed",
    "last_pass",
    "lluvia",
    "option_on_five",
    "partner",
    "partner_called",
    "picked_up",
    "pooled_bet",
    "punto_wish",
    "remate",
    "ruling",
    "side_switched",
    "suite",
    "suite_offered",
    "tally",
)
"""Cues of this regulation that a table may tell (docs/cues.md)."""


@dataclass(frozen=True, slots=True)
class Cloth:
    """One side of the table, with its own payer. Seats from his right to his left: those at his right, then
    those before him; ``letters``: the boxes for players who stand."""

    right: tuple[int, ...]
    front: tuple[int, ...]
    letters: str

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats, from right to left."""
        return self.right + self.front


@dataclass(frozen=True, slots=True, kw_only=True)
class Uruguay:
    """``quita``: the house's part of a bank that wins; ``suite_quita``: of one that is given up after a pass
    that was free. ``shoe_minimum``: the least stake of the shoe. ``seats``: seats the table has, None: not
    set. Times in seconds, angles in degrees."""

    quita: Fraction
    suite_quita: Fraction
    shoe_minimum: Fraction | None
    seats: int | None
    players_large: int
    players_small: int
    small_seats: int
    cloths: tuple[Cloth, ...]
    standing_per_cloth: int
    standing_each_side: bool
    idle_passes: int
    least_cut: int
    turned_together_s: float
    pico_with_payment_s: float
    shoe_faces_within_deg: float

    @property
    def players(self) -> int | None:
        """How many must be seated, by the number of seats (D-URU-3: between 12 and 16 as for 16)."""
        if self.seats is None:
            return None
        return self.players_small if self.seats <= self.small_seats else self.players_large

    def cloth_of(self, seat: int | None, letter: str | None) -> Cloth | None:
        """The cloth of a seat or of a lettered box."""
        for cloth in self.cloths:
            if seat in cloth.seats or (letter is not None and letter in cloth.letters):
                return cloth
        return None


_KEYS = (
    "commission",
    "shoe_minimum",
    "seats",
    "players",
    "cloths",
    "standing_bets",
    "idle_passes",
    "least_cut",
    "turned_together_s",
    "pico_with_payment_s",
    "shoe_faces_within_deg",
)


def read_uruguay(record: Mapping[str, Any]) -> Uruguay:
    """The entry, typed. Raises ProfileError, naming the key and the remedy."""
    check_keys(record, "uruguay", _KEYS)
    check_keys(record["commission"], "uruguay.commission", ("bank", "suite_after_free_pass"))
    check_keys(record["players"], "uruguay.players", ("large", "small", "small_up_to_seats"))
    check_keys(record["standing_bets"], "uruguay.standing_bets", ("per_cloth", "each_side"))
    seats, least = record["seats"], record["shoe_minimum"]
    players, standing = record["players"], record["standing_bets"]
    return Uruguay(
        quita=amount("uruguay.commission.bank", record["commission"]["bank"]),
        suite_quita=amount(
            "uruguay.commission.suite_after_free_pass", record["commission"]["suite_after_free_pass"]
        ),
        shoe_minimum=None if least is None else amount("uruguay.shoe_minimum", least),
        seats=None if seats is None else whole("uruguay.seats", seats),
        players_large=whole("uruguay.players.large", players["large"]),
        players_small=whole("uruguay.players.small", players["small"]),
        small_seats=whole("uruguay.players.small_up_to_seats", players["small_up_to_seats"]),
        cloths=_cloths(record["cloths"]),
        standing_per_cloth=whole("uruguay.standing_bets.per_cloth", standing["per_cloth"]),
        standing_each_side=flag("uruguay.standing_bets.each_side", standing["each_side"]),
        idle_passes=whole("uruguay.idle_passes", record["idle_passes"]),
        least_cut=whole("uruguay.least_cut", record["least_cut"]),
        turned_together_s=_number("uruguay.turned_together_s", record["turned_together_s"]),
        pico_with_payment_s=_number("uruguay.pico_with_payment_s", record["pico_with_payment_s"]),
        shoe_faces_within_deg=_number("uruguay.shoe_faces_within_deg", record["shoe_faces_within_deg"]),
    )


def _cloths(records: object) -> tuple[Cloth, ...]:
    if not isinstance(records, list):
        raise ProfileError(
            "uruguay.cloths must list the sides of the table, each with right, front and letters."
        )
    cloths = []
    for index, record in enumerate(records, start=1):
        key = f"uruguay.cloths.{index}"
        check_keys(record, key, ("right", "front", "letters"))
        right, front = (
            tuple(whole(f"{key}.{side}", seat) for seat in record[side]) for side in ("right", "front")
        )
        cloths.append(Cloth(right, front, str(record["letters"])))
    seats = [seat for cloth in cloths for seat in cloth.seats]
    if twice := {seat for seat in seats if seats.count(seat) > 1}:
        raise ProfileError(f"uruguay.cloths: seat {min(twice)} stands twice; give it to one cloth.")
    return tuple(cloths)


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise ProfileError(f"{key} is {value!r}, but must be a number above nothing.")
    return float(value)
