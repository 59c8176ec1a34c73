"""PB-AND-CUT-02, PB-AND-BURN-01, HOUSE-DECK-01: the shoe."""

from __future__ import annotations

import pytest

from datasets.games.scribe import DEALER
from rules.cards import Face
from rules.events import CardCleared
from rules.findings import Verdict
from tests.support.play import Play


def _coup(play: Play, punto: str = "Ks 6d", banca: str = "9h 8c") -> None:
    play.hands(punto, banca)
    play.sweep()
    play.t += 8.0


def test_cut_02_the_coup_in_progress_is_the_last() -> None:
    play = Play()
    play.hands("Ks 6d", "9h 8c")
    play.cut_card()
    play.sweep()
    assert play.breaches() == []
    play.t += 8.0
    _coup(play)
    assert play.breaches() == [("DEAL_AFTER_CUT_CARD", "PB-AND-CUT-02", "table")]


def test_cut_02_a_new_shoe_begins_anew_and_its_cut_card_goes_in() -> None:
    play = Play()
    _coup(play)
    play.cut_card()
    play.cue("new_shoe")
    play.cut_card()
    _coup(play)
    _coup(play)
    assert play.breaches() == []


@pytest.mark.parametrize(
    ("shown", "burned", "breach"),
    [
        ("5h", 5, False),
        ("5h", 4, True),
        ("5h", 6, True),
        ("Kh", 10, False),
        ("As", 1, False),
        ("Kh", 9, True),
    ],
)
def test_burn_01_as_many_as_the_shown_card_says(shown: str, burned: int, breach: bool) -> None:
    play = Play(pace_s=0.5)
    play.cue("new_shoe")
    play.deal("burn", shown)
    for _ in range(burned):
        play.deal("discard", None, Face.DOWN)
    play.cards = []
    play.pace_s = 1.0
    _coup(play)
    assert play.breaches() == ([("BURN_COUNT_WRONG", "PB-AND-BURN-01", "table")] if breach else [])


def test_burn_01_a_shown_card_that_was_not_read_leaves_it_open() -> None:
    play = Play(pace_s=0.5)
    play.deal("burn", None)
    play.deal("discard", None, Face.DOWN)
    play.cards = []
    _coup(play)
    assert play.breaches() == []
    assert play.open() == [("BURN_COUNT_WRONG", "PB-AND-BURN-01", "table")]


@pytest.mark.parametrize(
    ("reaches_s", "open_"),
    [((), False), ((0.3,), True), ((0.3, 0.3, 0.3), True)],
    ids=["nobody at the shoe", "once", "three times"],
)
def test_burn_01_who_reached_for_the_shoe_may_have_burned_unseen(
    reaches_s: tuple[float, ...], open_: bool
) -> None:
    play = Play(pace_s=1.0)
    play.cue("new_shoe")
    for held_s in reaches_s:
        play.touch("shoe", DEALER, seconds=held_s)
        play.t += 2.0
    play.t += 4.0
    play.exit("c1")
    _coup(play)
    burning = ("BURN_COUNT_WRONG", "PB-AND-BURN-01", "table")
    assert (play.open() == [burning]) is open_
    assert (play.breaches() == [burning]) is not open_


@pytest.mark.parametrize(
    ("where", "burned", "reaches", "verdict"),
    [
        ("burn", 5, 5, None),
        ("burn", 4, 4, "breach"),
        ("burn", 3, 5, "open"),
        ("burn", 6, 6, "breach"),
        ("table", 2, 0, "open"),
        ("table", 0, 0, "open"),
        ("table", 6, 6, "breach"),
    ],
)
def test_burn_01_fewer_are_certain_where_they_have_a_place_and_nobody_reached_for_more(
    where: str, burned: int, reaches: int, verdict: str | None
) -> None:
    play = Play(pace_s=0.5)
    play.cue("new_shoe")
    play.deal(where, "5h")
    for number in range(max(burned, reaches)):
        play.t += 2.0
        if number < reaches:
            play.touch("shoe", DEALER, seconds=0.3)
        if number < burned:
            play.deal(where if where == "burn" else "discard", None, Face.DOWN)
    play.t += 4.0
    play.cards = play.cards[:1]
    play.sweep()
    _coup(play)
    burning = ("BURN_COUNT_WRONG", "PB-AND-BURN-01", "table")
    assert play.breaches() == ([burning] if verdict == "breach" else [])
    assert [each for each in play.open() if each == burning] == ([burning] if verdict == "open" else [])


def test_burn_02_a_burned_card_that_went_out_of_sight_is_not_astray() -> None:
    play = Play(pace_s=0.5)
    play.cue("new_shoe")
    shown = play.deal("table", "As")
    play.deal("discard", None, Face.DOWN)
    play.see(CardCleared(seq=0, t=play.t, card_id=shown, spot="table"))
    play.cards = []
    _coup(play)
    assert play.breaches() == []
    assert play.open() == [("DISCARD_MISPLACED", "PB-AND-BURN-02", "table")]


@pytest.mark.parametrize(("p", "verdict"), [(1.0, Verdict.BREACH), (0.7, Verdict.UNDETERMINED)])
def test_deck_01_a_seventh_ace_of_hearts(p: float, verdict: Verdict) -> None:
    play = Play()
    for number in range(7):
        names = play.hands(
            "Ks 6d" if number % 2 else "Qc 6d", "9h Ah 8c".replace("9h Ah", "6c Ah").replace(" 8c", "")
        )
        if number == 3:
            play.read(names[3], "Ah", p=p)
        play.sweep()
        play.t += 8.0
    found = [f for f in play.judged().findings if f.code == "CARD_COMPOSITION" and "Ah" in f.seen]
    assert [(f.coup, f.rule, f.verdict) for f in found] == [(7, "HOUSE-DECK-01", verdict)]


def test_deck_01_a_new_shoe_has_its_own_cards() -> None:
    play = Play()
    for number in range(10):
        if number == 5:
            play.cue("new_shoe")
        _coup(play, "Ks 6d", "9h Ah 8c".replace(" 8c", ""))
    assert [f for f in play.judged().findings if f.code == "CARD_COMPOSITION"] == []


@pytest.mark.parametrize("where", ["before the cue", "spread after it", "after the burning"])
def test_burn_01_a_card_elsewhere_on_the_felt_is_not_held_against_who_burned_well(where: str) -> None:
    play = Play(pace_s=0.5)
    _coup(play)
    if where == "before the cue":
        play.deal("table", "7h")
    play.t += 20.0
    play.cue("new_shoe")
    if where == "spread after it":
        for card in ("2h", "3d", "Kc"):
            play.deal("table", card)
    play.t += 3.0
    play.deal("burn", "As")
    play.deal("discard", None, Face.DOWN)
    if where == "after the burning":
        play.deal("table", "5c")
    play.cards = []
    _coup(play)
    assert play.breaches() == []
    assert play.open() == []


def test_burn_01_cards_elsewhere_leave_a_wrong_number_open() -> None:
    play = Play(pace_s=0.5)
    play.cue("new_shoe")
    play.deal("burn", "2s")
    play.deal("discard", None, Face.DOWN)
    play.deal("table", None, Face.DOWN)
    play.cards = []
    _coup(play)
    assert play.breaches() == []
    assert play.open() == [("BURN_COUNT_WRONG", "PB-AND-BURN-01", "table")]


def test_burn_02_a_card_that_lies_where_no_place_is_drawn_is_not_astray() -> None:
    play = Play(pace_s=0.5)
    play.cue("new_shoe")
    play.deal("table", "As")
    play.deal("table", None, Face.DOWN)
    play.cards = []
    _coup(play)
    assert play.breaches() == []
    assert play.open() == [("DISCARD_MISPLACED", "PB-AND-BURN-02", "table")]
