"""A table's profile: its document's entries, typed and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.cards import Rank
from rules.errors import ProfileError
from rules.profile_document import (
    Document,
    Profile,
    amount,
    check_document,
    flag,
    one_of,
    resolve,
    variant_of,
    whole,
)

GAME = "circle_poker"
REGULATIONS = ("andorra_2016", "mediterraneo")
PLACES = 10
"""Seats that are looked at where the profile does not say how many there are."""
CUES = ("rest_asked", "cards_shuffled", "cards_cut", "limit_announced", "tip", "consumption", "rebuy")
"""Cues whose absence says something, where they are told (docs/cues.md)."""
LIMIT_KINDS = ("fixed", "spread", "pot", "no_limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of one bet or raise; ``raises``: of a betting round. None: not configured."""

    minimum: Fraction | None
    maximum: Fraction | None
    kind: str | None
    raises: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rake:
    """What the house takes. ``option``: ``percentage``, ``time``, or None if not configured."""

    option: str | None
    rate: Fraction | None
    cap: Fraction | None
    no_flop_no_drop: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn:
    """What chips may be bought for; None: no rule."""

    minimum: Fraction | None
    maximum: Fraction | None
    rebuy_minimum: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Times in minutes: away from the table and its courtesy, how many players at a time; a decision with a
    pot up to ``small_pot``, one above it, and the last minutes; coming back. None: no rule."""

    away: int | None
    courtesy: int | None
    away_players: int | None
    small_pot: Fraction | None
    decision: int | None
    decision_above: int | None
    last: int | None
    back: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CirclePokerProfile(Profile):
    """What is prescribed at one table. ``regulations``: whose rows are judged. ``clockwise``: the deal's way.
    ``board``: shared cards street by street; ``burns``: cards burned before each. ``unit``: smallest chip.
    ``figures``: ranks of which five cards are a kind of hand above two pairs, if there is such a kind."""

    regulations: frozenset[str]
    pack: int
    clockwise: bool
    hole_cards: int
    board: tuple[int, ...]
    burns: int | None
    small_blind: Fraction | None
    big_blind: Fraction | None
    ante: Fraction | None
    limits: Limits
    rake: Rake
    figures: frozenset[Rank]
    unit: Fraction
    players: int
    rest_hands: int
    shuffles: int
    published_duration: bool
    buy_in: BuyIn
    consumption: Fraction | None
    clocks: Clocks
    last_hands: int | None
    cues: frozenset[str]

    def holds(self, rule: str) -> bool:
        """Whether a row is one of those judged at this table."""
        return ("mediterraneo" if rule.startswith("TX-") else "andorra_2016") in self.regulations


_KEYS: dict[str, tuple[str, ...]] = {
    "profile": (),
    "game": (),
    "variants": (),
    "variant": (),
    "regulations": (),
    "seats": (),
    "pack": (),
    "dealing": ("direction", "hole_cards", "board", "burns"),
    "blinds": ("small", "big"),
    "ante": (),
    "limits": ("minimum", "maximum", "kind", "raises"),
    "rake": ("option", "rate", "cap", "no_flop_no_drop"),
    "ranking": ("figures",),
    "odd_chip": (),
    "unit": (),
    "players": (),
    "rest_hands": (),
    "shuffles": (),
    "session": ("published_duration",),
    "buy_in": ("minimum", "maximum", "rebuy_minimum"),
    "consumption": (),
    "away": ("minutes", "courtesy", "players"),
    "clock": ("small_pot", "minutes", "minutes_above", "last_minutes"),
    "return_minutes": (),
    "last_hands": (),
    "cues": (),
}


def read(document: Document) -> CirclePokerProfile:
    """The profile from its whole document. Raises ProfileError, naming the key and the remedy."""
    check_document(document, _KEYS)
    one_of("odd_chip", document["odd_chip"], ("from_button",))
    dealing, blinds, buy = document["dealing"], document["blinds"], document["buy_in"]
    away, clock = document["away"], document["clock"]
    seats = _count("seats", document["seats"])
    small, big = _sum("blinds.small", blinds["small"]), _sum("blinds.big", blinds["big"])
    if small is not None and big is not None and small > big:
        raise ProfileError(f"blinds.small is {small}, more than blinds.big of {big}.")
    return CirclePokerProfile(
        name=str(document["profile"]),
        game=one_of("game", document["game"], (GAME,)),
        variant=variant_of(document),
        packs=1,
        seats=seats,
        hands=tuple(f"seat_{seat}" for seat in range(1, (seats or PLACES) + 1)),
        bets=("bet", "stack"),
        half_lines=frozenset(),
        regulations=frozenset(one_of("regulations", each, REGULATIONS) for each in document["regulations"]),
        pack=whole("pack", document["pack"], 20),
        clockwise=one_of("dealing.direction", dealing["direction"], ("clockwise", "counter_clockwise"))
        == "clockwise",
        hole_cards=whole("dealing.hole_cards", dealing["hole_cards"]),
        board=_board(dealing["board"]),
        burns=None if dealing["burns"] is None else whole("dealing.burns", dealing["burns"], 0),
        small_blind=small,
        big_blind=big,
        ante=_sum("ante", document["ante"]),
        limits=_limits(document["limits"]),
        rake=_rake(document["rake"]),
        figures=_figures(document["ranking"]["figures"]),
        unit=amount("unit", document["unit"]),
        players=whole("players", document["players"]),
        rest_hands=whole("rest_hands", document["rest_hands"]),
        shuffles=whole("shuffles", document["shuffles"]),
        published_duration=flag("session.published_duration", document["session"]["published_duration"]),
        buy_in=BuyIn(
            minimum=_sum("buy_in.minimum", buy["minimum"]),
            maximum=_sum("buy_in.maximum", buy["maximum"]),
            rebuy_minimum=_sum("buy_in.rebuy_minimum", buy["rebuy_minimum"]),
        ),
        consumption=_sum("consumption", document["consumption"]),
        clocks=Clocks(
            away=_count("away.minutes", away["minutes"]),
            courtesy=_count("away.courtesy", away["courtesy"]),
            away_players=_count("away.players", away["players"]),
            small_pot=_sum("clock.small_pot", clock["small_pot"]),
            decision=_count("clock.minutes", clock["minutes"]),
            decision_above=_count("clock.minutes_above", clock["minutes_above"]),
            last=_count("clock.last_minutes", clock["last_minutes"]),
            back=_count("return_minutes", document["return_minutes"]),
        ),
        last_hands=_count("last_hands", document["last_hands"]),
        cues=frozenset(one_of("cues", cue, CUES) for cue in document["cues"] or ()),
    )


def _sum(key: str, value: Any) -> Fraction | None:
    return None if value is None else amount(key, value)


def _count(key: str, value: Any) -> int | None:
    return None if value is None else whole(key, value)


def _board(value: Any) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ProfileError("dealing.board must list how many shared cards each street has, as [3, 1, 1].")
    return tuple(whole("dealing.board", each) for each in value)


def _figures(value: Any) -> frozenset[Rank]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ProfileError("ranking.figures must list the ranks that are figures, as [A, K, Q, J], or be [].")
    names = [rank.value for rank in Rank]
    return frozenset(Rank(one_of("ranking.figures", str(each), names)) for each in value)


def _limits(record: Document) -> Limits:
    low, high = _sum("limits.minimum", record["minimum"]), _sum("limits.maximum", record["maximum"])
    if low is not None and high is not None and low > high:
        raise ProfileError(f"limits.minimum is {low}, more than limits.maximum of {high}.")
    kind = None if record["kind"] is None else one_of("limits.kind", record["kind"], LIMIT_KINDS)
    return Limits(minimum=low, maximum=high, kind=kind, raises=_count("limits.raises", record["raises"]))


def _rake(record: Document) -> Rake:
    option = record["option"]
    rate = _sum("rake.rate", record["rate"])
    if rate is not None and rate >= 1:
        raise ProfileError(f"rake.rate is {rate}, but must be a part of the pot, such as '1/20'.")
    return Rake(
        option=None if option is None else one_of("rake.option", option, ("percentage", "time")),
        rate=rate,
        cap=_sum("rake.cap", record["cap"]),
        no_flop_no_drop=flag("rake.no_flop_no_drop", record["no_flop_no_drop"]),
    )


def circle_poker(profile: str = "mediterraneo", house: Document | None = None) -> CirclePokerProfile:
    """One of the game's profiles, typed, with a house's own entries on top. Raises ProfileError."""
    return read(resolve({"profile": profile, "extends": profile} | dict(house or {}), GAME))
