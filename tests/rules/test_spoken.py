"""What is said aloud, what is void, and how a shoe is prepared: PB-AND-BET-02, CALL-01, DEALER-03, VAL-01,
ERR-01, PREP-01, CUT-01, CUT-02, BURN-02."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cards import Face
from rules.errors import ProfileError
from rules.events import CardCleared
from rules.findings import Verdict
from rules.games.punto_banco.profile import punto_banco
from tests.support.play import DEALER, Play, stack

ALL = [
    "game_announced",
    "no_more_bets",
    "cards_called",
    "punto_announced",
    "banca_announced",
    "winner_announced",
]


def _spoken(*before: str, punto: str | None, banca: str | None, winner: str | None) -> Play:
    """Punto 2 3 and a card, banca 7: what was said before, of each hand, and in the end."""
    play = Play()
    for cue in before:
        play.cue(cue)
    play.hands("2s 3h 2d", "Kd 7c")
    for cue, value in (("punto_announced", punto), ("banca_announced", banca), ("winner_announced", winner)):
        if value is not None:
            play.cue(cue, value)
    play.sweep()
    return play


OPENING = ("game_announced", "no_more_bets", "cards_called")


@pytest.mark.parametrize(
    ("before", "said", "rules"),
    [
        (OPENING, ("carta", "7", "empate"), []),
        (OPENING[1:], ("carta", "7", "empate"), ["PB-AND-DEALER-03"]),
        (("game_announced", "cards_called"), ("carta", "7", "empate"), ["PB-AND-BET-02"]),
        (("game_announced", "no_more_bets"), ("carta", "7", "empate"), ["PB-AND-BET-02"]),
        (OPENING, (None, "7", "empate"), ["PB-AND-CALL-01"]),
        (OPENING, ("carta", None, "empate"), ["PB-AND-CALL-01"]),
        (OPENING, ("carta", "carta", "empate"), ["PB-AND-CALL-01"]),
        (OPENING, ("carta", "17", "empate"), ["PB-AND-VAL-01"]),
        (OPENING, ("carta", "7", None), ["PB-AND-DEALER-03"]),
        (OPENING, ("carta", "7", "banca"), ["PB-AND-DEALER-03"]),
    ],
)
def test_announcements_where_they_are_told(
    before: tuple[str, ...], said: tuple[str | None, ...], rules: list[str]
) -> None:
    play = _spoken(*before, punto=said[0], banca=said[1], winner=said[2])
    assert [rule for _, rule, _ in play.breaches(punto_banco("midi", {"cues": ALL}))] == rules


def test_silence_accuses_nobody_where_cues_are_not_told() -> None:
    play = _spoken(punto=None, banca=None, winner=None)
    profile = punto_banco("midi")
    assert play.breaches(profile) == []
    open_rules = {question.rule for question in play.judged(profile).session}
    assert {"PB-AND-BET-02", "PB-AND-CALL-01", "PB-AND-DEALER-03", "PB-AND-PREP-01"} <= open_rules


def test_a_natural_needs_no_draw_announced() -> None:
    play = Play()
    play.hands("2s 6h", "Kd 7c")
    play.sweep()
    house = {"cues": ["punto_announced", "banca_announced"]}
    assert play.breaches(punto_banco("mini", house)) == []


@pytest.mark.parametrize("settled", [False, True])
def test_err_01_a_coup_ruled_void_is_not_settled(settled: bool) -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 100))
    play.hands("Ks 8d", "9h 7c")
    play.cue("coup_void")
    if settled:
        play.chips("seat 2 punto", stack("b", 100), stack("p", 100, at=(50, 0)), hand=DEALER)
    play.sweep()
    due = [("VOID_NOT_APPLIED", "PB-AND-ERR-01", "seat 2 punto")] if settled else []
    assert play.breaches(punto_banco("mini")) == due


def _new_shoe(*told: str) -> Play:
    play = Play()
    for cue in (*told, "new_shoe"):
        play.cue(cue)
    return play


@pytest.mark.parametrize(
    ("told", "breach"),
    [(("cards_counted", "cards_shuffled", "cards_cut"), False), (("cards_counted", "cards_cut"), True)],
)
def test_prep_01(told: tuple[str, ...], breach: bool) -> None:
    play = _new_shoe(*told)
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    profile = punto_banco("mini", {"cues": ["cards_counted", "cards_shuffled", "cards_cut"]})
    assert [rule for _, rule, _ in play.breaches(profile)] == ["PB-AND-PREP-01"] * breach


def _burned(play: Play, count: int, to: str = "discard") -> None:
    """The first card shown, then so many burned."""
    for number in range(count + 1):
        name = play.deal("burn", "2h" if number == 0 else None, Face.UP if number == 0 else Face.DOWN)
        where = to if number == 1 else "discard"
        play.see(CardCleared(seq=0, t=0, card_id=name, spot="burn", to_spot=where), wait_s=0.2)
    play.cards = []


@pytest.mark.parametrize(("to", "breach"), [("discard", False), ("table", True), ("shoe", True)])
def test_burn_02_burned_cards_go_to_the_receptacle(to: str, breach: bool) -> None:
    play = _new_shoe()
    _burned(play, 2, to)
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    assert [rule for _, rule, _ in play.breaches(punto_banco("mini"))] == ["PB-AND-BURN-02"] * breach


@pytest.mark.parametrize(
    ("count", "shown_counts", "breach"), [(2, False, False), (1, True, False), (2, True, True)]
)
def test_d_and_1_whether_the_shown_card_is_one_of_them(count: int, shown_counts: bool, breach: bool) -> None:
    play = _new_shoe()
    _burned(play, count)
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    profile = punto_banco("mini", {"burn": {"shown_card_counts": shown_counts}})
    assert [rule for _, rule, _ in play.breaches(profile)] == ["PB-AND-BURN-01"] * breach


@pytest.mark.parametrize(
    ("exits", "view", "verdict"),
    [
        (True, True, Verdict.BREACH),
        (False, True, Verdict.UNDETERMINED),
        (True, False, Verdict.UNDETERMINED),
    ],
)
def test_burn_01_a_new_shoe_of_which_no_card_is_burned(exits: bool, view: bool, verdict: Verdict) -> None:
    play = _new_shoe()
    if not view:
        play.lose_view("shoe", 1.0)
    if exits:
        play.exit("c1")
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    found = [f for f in play.judged(punto_banco("mini")).findings if f.rule == "PB-AND-BURN-01"]
    assert [f.verdict for f in found] == [verdict]


@pytest.mark.parametrize(("below", "breach"), [(45, False), (44, True)])
def test_cut_01_tr_cv_11_counts_every_card_burned_ones_too(below: int, breach: bool) -> None:
    """Three cards burned and shown, four dealt: 45 of one pack lie below the cut card."""
    play = _new_shoe()
    _burned(play, 2)
    play.hands("Ks 8d", "9h 7c")
    play.cut_card()
    play.sweep()
    profile = punto_banco("mini", {"packs": 1, "cut_card_below": below})
    assert [rule for _, rule, _ in play.breaches(profile)] == ["PB-AND-CUT-01"] * breach


def test_cut_01_is_open_where_cards_may_have_been_missed() -> None:
    play = _new_shoe()
    play.hands("Ks 8d", "9h 7c")
    play.lose_view(None, 2.0)
    play.cut_card()
    play.sweep()
    assert [rule for _, rule, _ in play.open(punto_banco("mini", {"packs": 1})) if "CUT" in rule] == [
        "PB-AND-CUT-01"
    ]


@pytest.mark.parametrize(
    ("one_more", "coups", "breach"), [(False, 1, True), (True, 1, False), (True, 2, True)]
)
def test_d_and_3_a_cut_card_between_two_coups(one_more: bool, coups: int, breach: bool) -> None:
    play = Play()
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    play.cut_card()
    for _ in range(coups):
        play.hands("Ks 8d", "9h 7c")
        play.sweep()
    profile = punto_banco("mini", {"one_more_after_cut_card": one_more})
    assert [rule for _, rule, _ in play.breaches(profile)] == ["PB-AND-CUT-02"] * breach


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"limits": {"minimum": 5, "maximum": 50}}, "20 to 100 times"),
        ({"limits": {"authorised_minimum": 10, "minimum": 5}}, "authorised minimum is 10"),
        ({"cues": ["no_more_bet"]}, "must be one of"),
        ({"dealer_sides": {"left": [1], "right": [1]}}, "stands on both sides"),
    ],
)
def test_profiles_that_cannot_be(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError, match=words):
        punto_banco("full", house)
