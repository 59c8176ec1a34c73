"""PB-AND-CUT-02, PB-AND-BURN-01, HOUSE-DECK-01: the shoe."""

from __future__ import annotations

import pytest

from rules.cards import Face
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
