"""Profiles: what is read, what is refused, and how an amount that no chips make is rounded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from rules.cards import Face
from rules.errors import ProfileError
from rules.games import GAMES
from rules.games.punto_banco.profile import punto_banco
from rules.profile_document import Rounding, RoundingPolicy, resolve, shipped_names
from rules.profiles import load_profile, read_profile


def test_andorra_as_the_text_has_it() -> None:
    profile = punto_banco("mini")
    assert profile.title == "andorra_2016/mini"
    assert profile.seats == 7
    assert profile.order == ("punto", "banca", "punto", "banca")
    assert profile.initial_face is Face.DOWN
    assert dict(profile.payouts) == {"punto": 1, "banca": Fraction(19, 20), "empate": 8}
    assert profile.half_lines == frozenset()
    assert profile.cut_card_below == 7
    assert profile.limits.tie_maximum is None


@pytest.mark.parametrize(("variant", "seats"), [("full", None), ("midi", 9), ("mini", 7)])
def test_variants(variant: str, seats: int | None) -> None:
    assert load_profile("andorra_2016", variant).seats == seats


def test_a_house_repeats_only_what_differs() -> None:
    house = {
        "dealing": {"initial_cards": "up"},
        "half_lines": ["punto"],
        "limits": {"minimum": 5, "maximum": 500},
    }
    profile = punto_banco("mini", house)
    assert profile.initial_face is Face.UP
    assert profile.order == ("punto", "banca", "punto", "banca")
    assert profile.half_lines == {"punto"}
    assert profile.limits.tie_maximum == 50


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"payout": {}}, "'payout' is not a key of a profile: did you mean 'payouts'?"),
        (
            {"payouts": {"bnca": "1"}},
            "'payouts.bnca' is not a key of a profile: did you mean 'payouts.banca'?",
        ),
        ({"payouts": {"banca": 0.95}}, "payouts.banca: 0.95 is not an exact amount"),
        ({"payouts": {"banca": "0"}}, "payouts.banca is '0', but must be more than nothing"),
        ({"payouts": "1:1"}, "'payouts' must hold the keys punto, banca, empate"),
        ({"limits": {"minimum": 5, "maximum": 50}}, "limits.maximum is 50, but must be 20 to 100 times"),
        ({"limits": {"bets_per_box": 0}}, "limits.bets_per_box is 0, but must be a whole number from 1 on"),
        (
            {"rounding": {"policy": "up"}},
            "rounding.policy is 'up', but must be one of: exact, round_down_unit",
        ),
        ({"dealing": {"order": ["punto"] * 4}}, "must give punto and banca two cards each"),
        ({"dealing": {"initial_cards": True}}, "dealing.initial_cards is True, but must be one of: down, up"),
        ({"half_lines": ["empate"]}, "half_lines is 'empate', but must be one of: punto, banca"),
        ({"variant": "maxi"}, "there is no variant 'maxi': the variants are full, midi, mini"),
        ({"drawing": {"naturals": [9]}}, "must name each total from 0 to 9 once"),
        ({"drawing": {"banca": "| 0 | D |"}}, "drawing.banca: the first line must be the columns"),
        ({"game": "roulette"}, "there are no rules for the game 'roulette': the games are"),
        ({"payouts": {"banca": "1e999999999"}}, "payouts.banca: '1e999999999' is not an exact amount"),
        ({"half_lines": None}, "half_lines is None, but must be a list"),
        ({"drawing": {"banca": None}}, "drawing.banca is None, but must be a text"),
        ({"variants": None}, "'variants' must hold the keys"),
        ({"variant": {"a": 1}}, "there is no variant {'a': 1}: the variants are"),
        ({"cues": -1}, "cues"),
        ({"packs": "six"}, "packs is 'six', but must be a whole number from 1 on"),
    ],
)
def test_what_cannot_be_applied_is_refused_in_a_sentence(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError) as refused:
        load_profile("andorra_2016", "mini", house)
    assert words in str(refused.value)


@pytest.mark.parametrize("game", GAMES)
def test_no_entry_of_whatever_form_is_anything_but_read_or_refused(game: str) -> None:
    name = shipped_names(game)[0]
    whole = resolve({"extends": name}, game)
    whole["variant"] = whole.get("variant") or next(iter(whole.get("variants") or [None]))
    for *above, key in _places(whole):
        for form in (None, [], {}, "zorro", -1, 1.5, True, [None], [[1]], {"a": None}):
            document: dict[str, Any] = deepcopy(whole)
            part = document
            for step in above:
                part = part[step]
            part[key] = form
            with suppress(ProfileError):
                read_profile(document)


def _places(document: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, value in document.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, *rest) for rest in _places(value))


def test_an_unknown_profile_and_a_missing_variant_are_named() -> None:
    with pytest.raises(ProfileError, match="there is no profile 'andora'"):
        load_profile("andora", "mini")
    with pytest.raises(ProfileError, match="Say which table it is: full, midi, mini"):
        load_profile("andorra_2016")


def _amounts(*texts: str) -> frozenset[Fraction]:
    return frozenset(map(Fraction, texts))


@pytest.mark.parametrize(
    ("policy", "due", "payable"),
    [
        (RoundingPolicy.EXACT, "42.75", _amounts("42.75")),
        (RoundingPolicy.ROUND_DOWN_UNIT, "42.75", _amounts("42")),
        (RoundingPolicy.FAVOUR_PLAYER, "42.75", _amounts("43")),
        (RoundingPolicy.NEAREST_UNIT, "42.75", _amounts("43")),
        (RoundingPolicy.NEAREST_UNIT, "42.25", _amounts("42")),
        (RoundingPolicy.NEAREST_UNIT, "42.5", _amounts("42", "43")),
        (RoundingPolicy.EITHER_NEIGHBOUR, "42.75", _amounts("42", "43")),
        *((policy, "19", _amounts("19")) for policy in RoundingPolicy),
    ],
)
def test_rounding_of_payments(policy: RoundingPolicy, due: str, payable: frozenset[Fraction]) -> None:
    assert Rounding(policy, Fraction(1)).payable(Fraction(due)) == payable


def test_rounding_goes_by_the_smallest_chip() -> None:
    half = Rounding(RoundingPolicy.ROUND_DOWN_UNIT, Fraction(1, 2))
    assert half.payable(Fraction("9.5")) == _amounts("9.5")
    assert half.payable(Fraction("4.75")) == _amounts("4.5")


@pytest.mark.parametrize(
    ("policy", "takeable"),
    [
        (RoundingPolicy.EXACT, _amounts("12.5")),
        (RoundingPolicy.FAVOUR_PLAYER, _amounts("12")),
        (RoundingPolicy.ROUND_DOWN_UNIT, _amounts("12", "13")),
    ],
)
def test_half_of_an_odd_bet_may_be_taken_either_way(
    policy: RoundingPolicy, takeable: frozenset[Fraction]
) -> None:
    assert Rounding(policy, Fraction(1)).takeable(Fraction("12.5")) == takeable
