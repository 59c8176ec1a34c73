"""A punto banco table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.baccarat.drawing_table import DrawingTable, read_drawing_table
from rules.cards import Face
from rules.errors import ProfileError
from rules.games.punto_banco.articles import Articles, articles_of
from rules.games.punto_banco.uruguay_profile import URUGUAY_CUES, Uruguay, read_uruguay
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
    variant_of,
    whole,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """A table's limits; None: not configured. ``tie_share``: a tie bet's part of the maximum."""

    authorised_minimum: Fraction | None
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
class PuntoBancoProfile(Profile):
    """What is prescribed at one table. ``payouts``: profit per unit staked, by bet. ``order``: hand that
    each of the first cards goes to. ``one_more_after_cut``: a cut card that comes out between two coups
    leaves one more (D-AND-3). ``burn_shown``: the shown card counts among those burned (D-AND-1).
    ``standing_players``: whether they are admitted. ``dealer_sides``: seats by the side their dealer works
    at. ``cues``: what is told at this table; what is among them and was not told did not happen."""

    regulation: str
    articles: Articles
    cut_card_below: int
    one_more_after_cut: bool
    burns: bool
    burn_shown: bool
    standing_players: bool | None
    dealer_sides: Mapping[str, frozenset[int]] | None
    cues: frozenset[str]
    order: tuple[str, ...]
    initial_face: Face
    drawing: DrawingTable
    payouts: Mapping[str, Fraction]
    rounding: Rounding
    limits: Limits
    uruguay: Uruguay | None = None
    """What only the state casinos of Uruguay have."""


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "regulation": (),
    "game": (),
    "variant": (),
    "variants": (),
    "packs": (),
    "cut_card_below": (),
    "one_more_after_cut_card": (),
    "burn": ("by_first_card", "shown_card_counts"),
    "standing_players": (),
    "dealer_sides": (),
    "cues": (),
    "dealing": ("order", "initial_cards"),
    "drawing": ("naturals", "punto", "banca"),
    "payouts": (),
    "half_lines": (),
    "rounding": ("policy", "unit"),
    "limits": (
        "authorised_minimum",
        "minimum",
        "maximum",
        "tie_share_of_maximum",
        "multiples_of_minimum",
        "bets_per_box",
    ),
}


def read(document: Document) -> PuntoBancoProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    variant = variant_of(document) if "variants" in document else ""
    check_document(document, _KEYS, ("uruguay",))
    variants = document["variants"]
    drawing = document["drawing"]
    punto = {"chooses": []} | drawing["punto"]
    check_keys(punto, "drawing.punto", ("draws", "stands", "chooses"))
    own = document.get("uruguay")
    bets = ("punto", "banca") if own is not None else ("punto", "banca", "empate")
    check_keys(document["payouts"], "payouts", bets)
    return PuntoBancoProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], ("punto_banco",)),
        variant=variant,
        seats=variants[variant]["seats"],
        hands=("punto", "banca"),
        bets=(*bets, *(("sabot",) if own is not None else ())),
        packs=whole("packs", document["packs"]),
        regulation=str(document["regulation"]),
        articles=articles_of(document["regulation"], variant),
        cut_card_below=whole("cut_card_below", document["cut_card_below"]),
        one_more_after_cut=flag("one_more_after_cut_card", document["one_more_after_cut_card"]),
        burns=flag("burn.by_first_card", document["burn"]["by_first_card"]),
        burn_shown=flag("burn.shown_card_counts", document["burn"]["shown_card_counts"]),
        standing_players=_flag_or_none("standing_players", document["standing_players"]),
        dealer_sides=_sides(document["dealer_sides"]),
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
        order=_order(document["dealing"]["order"]),
        initial_face=Face(
            one_of("dealing.initial_cards", document["dealing"]["initial_cards"], ("down", "up"))
        ),
        drawing=read_drawing_table(
            drawing["naturals"], punto["draws"], punto["stands"], drawing["banca"], punto["chooses"]
        ),
        payouts={bet: amount(f"payouts.{bet}", value) for bet, value in document["payouts"].items()},
        half_lines=frozenset(one_of("half_lines", box, ("punto", "banca")) for box in document["half_lines"]),
        rounding=rounding(document["rounding"]),
        limits=_limits(document["limits"], authorised=own is None),
        uruguay=None if own is None else read_uruguay(own),
    )


def _order(order: Sequence[str]) -> tuple[str, ...]:
    if sorted(order) != ["banca", "banca", "punto", "punto"]:
        raise ProfileError(f"dealing.order is {list(order)!r}, but must give punto and banca two cards each.")
    return tuple(order)


CUES = (
    "cards_counted",
    "cards_shuffled",
    "cards_cut",
    "game_announced",
    "no_more_bets",
    "cards_called",
    "punto_announced",
    "banca_announced",
    "winner_announced",
    "shoe_declined",
    *URUGUAY_CUES,
)
"""Cues whose absence says something, where they are told (docs/cues.md)."""


def _flag_or_none(key: str, value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ProfileError(f"{key} is {value!r}, but must be true, false or null.")
    return value


def _sides(record: object) -> dict[str, frozenset[int]] | None:
    if record is None:
        return None
    check_keys(record, "dealer_sides", ("left", "right"))
    assert isinstance(record, Mapping)
    sides = {side: frozenset(whole(f"dealer_sides.{side}", seat) for seat in record[side]) for side in record}
    if both := sides["left"] & sides["right"]:
        raise ProfileError(f"dealer_sides: seat {min(both)} stands on both sides; give it to one dealer.")
    return sides


def _limits(record: Mapping[str, Any], *, authorised: bool) -> Limits:
    """``authorised``: the maximum is 20 to 100 times the minimum."""
    amounts = {
        key: None if record[key] is None else amount(f"limits.{key}", record[key])
        for key in ("authorised_minimum", "minimum", "maximum", "tie_share_of_maximum")
    }
    least = amounts["authorised_minimum"]
    low, high = amounts["minimum"], amounts["maximum"]
    if least is not None and low is not None and low < least:
        raise ProfileError(
            f"limits.minimum is {low}, but the authorised minimum is {least}"
            " (PB-AND-LIM-02, Andorra 2016, §07-V)."
        )
    if authorised and low is not None and high is not None and not 20 * low <= high <= 100 * low:
        raise ProfileError(
            f"limits.maximum is {high}, but must be 20 to 100 times the minimum of {low}"
            " (PB-AND-LIM-03, Andorra 2016, §07-V)."
        )
    multiples, boxes = record["multiples_of_minimum"], record["bets_per_box"]
    return Limits(
        authorised_minimum=least,
        minimum=low,
        maximum=high,
        tie_share=amounts["tie_share_of_maximum"],
        multiples_of_minimum=_flag_or_none("limits.multiples_of_minimum", multiples),
        bets_per_box=None if boxes is None else whole("limits.bets_per_box", boxes),
    )


def punto_banco(variant: str = "mini", house: Document | None = None) -> PuntoBancoProfile:
    """Andorra's profile, typed, with a house's own entries on top. Raises ProfileError."""
    own = {"profile": "andorra_2016", "extends": "andorra_2016", "variant": variant} | dict(house or {})
    return read(resolve(own, "punto_banco"))
