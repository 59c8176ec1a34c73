"""PB-AND-DEAL, PB-AND-TOUCH-01, PB-AND-DEALER-04, PB-AND-TABLE-02: dealing, and the cards' custody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.cards import Face
from rules.events import CardCleared, HandContact
from rules.findings import Verdict
from rules.profiles import load_profile
from tests.support.play import ANDORRA, DEALER, Play, player

FACE_UP = load_profile("andorra_2016", "mini", {"dealing": {"initial_cards": "up"}})


def _dealt(order: str, faces: str = "dddd") -> Play:
    """A coup whose first four cards go to P and B as written, face up or down."""
    play = Play()
    names = []
    cards = ["Ks", "9h", "6d", "7c"]
    for letter, card, face in zip(order, cards, faces, strict=True):
        hand = "punto" if letter == "P" else "banca"
        names.append((play.deal_to(hand, card, Face.UP if face == "u" else Face.DOWN), card))
    for (name, card), face in zip(names, faces, strict=True):
        if face == "d":
            play.turn(name, card)
    return play


@pytest.mark.parametrize(
    ("order", "spot"),
    [
        ("PBPB", None),
        ("PPBB", "hand punto"),
        ("BPBP", "hand banca"),
        ("PBBP", "hand banca"),
        ("BBPP", "hand banca"),
    ],
)
def test_deal_01_first_and_third_to_punto_second_and_fourth_to_banca(order: str, spot: str | None) -> None:
    play = _dealt(order)
    play.sweep()
    expected = [] if spot is None else [("WRONG_DEAL_ORDER", "PB-AND-DEAL-01", spot)]
    assert [breach for breach in play.breaches() if breach[0] == "WRONG_DEAL_ORDER"] == expected


def test_deal_01_a_card_that_may_have_been_missed_is_no_breach() -> None:
    play = _dealt("PBPP")
    play.sweep()
    assert play.breaches() == []
    assert ("WRONG_DEAL_ORDER", "PB-AND-DEAL-01", "hand punto") in play.open()


def test_deal_01_cards_that_came_to_rest_together_have_no_order() -> None:
    play = Play(pace_s=0.03)
    for hand, card in (("punto", "Ks"), ("punto", "6d"), ("banca", "9h"), ("banca", "7c")):
        play.deal_to(hand, card)
        play.t = max(play.t, 2.0)
    play.sweep()
    assert play.breaches(FACE_UP) == []


def test_deal_01_banca_s_third_card_after_punto_s() -> None:
    play = _dealt("PBPB")
    play.deal_to("banca", "2s")
    play.deal_to("punto", "2h")
    play.sweep()
    assert ("WRONG_DEAL_ORDER", "PB-AND-DEAL-01", "hand banca") in play.breaches()


@pytest.mark.parametrize(
    ("faces", "cards"), [("dddd", 0), ("uddd", 1), ("dudd", 1), ("dddu", 1), ("uudd", 2), ("uuuu", 1)]
)
def test_deal_02_first_four_cards_face_down(faces: str, cards: int) -> None:
    play = _dealt("PBPB", faces)
    play.sweep()
    assert [code for code, _, _ in play.breaches(ANDORRA)] == ["EXPOSED_CARD"] * cards
    assert play.breaches(FACE_UP) == []


def test_deal_02_a_card_turned_before_all_four_lie_there() -> None:
    play = Play()
    first = play.deal_to("punto", "Ks", Face.DOWN)
    second = play.deal_to("banca", "9h", Face.DOWN)
    play.turn(first, "Ks")
    third = play.deal_to("punto", "6d", Face.DOWN)
    fourth = play.deal_to("banca", "7c", Face.DOWN)
    for name, card in ((second, "9h"), (third, "6d"), (fourth, "7c")):
        play.turn(name, card)
    play.sweep()
    (finding,) = [f for f in play.judged().findings if f.verdict is Verdict.BREACH]
    assert (finding.code, str(finding.spot), finding.t) == ("EXPOSED_CARD", "hand punto", 3.0)


def test_deal_02_third_cards_are_lawfully_face_up() -> None:
    play = Play()
    play.hands("2s Kd 2s", "4s 7c 4c")
    play.sweep()
    assert play.breaches() == []


def test_deal_02_an_exposure_while_the_view_was_lost_is_not_certain() -> None:
    play = Play()
    play.deal_to("punto", "Ks", Face.DOWN)
    play.lose_view("hand banca", 3.0)
    play.deal_to("banca", "9h")
    play.deal_to("punto", "6d", Face.DOWN)
    play.deal_to("banca", "7c", Face.DOWN)
    play.sweep()
    assert not any(code == "EXPOSED_CARD" for code, _, _ in play.breaches())
    assert ("EXPOSED_CARD", "PB-AND-DEAL-02", "hand banca") in play.open()


def test_touch_01_a_player_turns_a_card() -> None:
    play = Play()
    names = [play.deal_to(hand, None, Face.DOWN) for hand in ("punto", "banca", "punto", "banca")]
    for name, card in zip(names, ("Ks", "9h", "6d", "7c"), strict=True):
        play.turn(name, card, player(3) if card == "6d" else DEALER)
    play.sweep()
    (finding,) = [f for f in play.judged().findings if f.verdict is Verdict.BREACH]
    assert (finding.code, finding.rule) == ("UNAUTHORISED_CARD_CONTACT", "PB-AND-TOUCH-01")
    assert "seat 3" in finding.seen


def test_touch_01_a_hand_over_the_cards_touches_none_of_them() -> None:
    play = Play()
    play.hands("Ks 6d", "9h 7c")
    play.see(HandContact(seq=0, t=0, spot="hand punto", hand=player(3)))
    play.sweep()
    assert play.breaches() == []


def test_dealer_04_a_card_left_over_at_the_next_deal() -> None:
    play = Play()
    play.hands("Ks 6d", "9h 7c")
    play.sweep(leave=1)
    play.t += 5.0
    play.hands("Td 8c", "2d Ts")
    play.sweep()
    judgement = play.judged()
    (finding,) = [f for f in judgement.findings if f.verdict is Verdict.BREACH]
    assert (finding.code, finding.coup) == ("CARDS_LEFT_ON_TABLE", 2)
    assert [coup.cards["punto"] for coup in judgement.coups] == [("Ks", "6d"), ("Td", "8c")]


def test_dealer_04_a_card_never_seen_to_leave_is_not_held_against_the_dealer() -> None:
    play = Play()
    play.hands("Ks 6d", "9h 7c")
    lost = play.cards[0][0]
    play.sweep()
    play.events = [
        event for event in play.events if not (isinstance(event, CardCleared) and event.card_id == lost)
    ]
    play.t += 5.0
    play.hands("Td 8c", "2d Ts")
    play.sweep()
    assert play.breaches() == []
    assert play.open() == [("CARDS_LEFT_ON_TABLE", "PB-AND-DEALER-04", "hand punto")]


@pytest.mark.parametrize(
    ("to", "named"),
    [
        ("discard", []),
        ("table", [("DISCARD_MISPLACED", "PB-AND-TABLE-02", "hand punto")]),
        ("off table", [("CARD_OFF_TABLE", "PB-AND-ERR-01", "hand punto")]),
    ],
)
def test_table_02_where_used_cards_go(to: str, named: list[tuple[str, str, str]]) -> None:
    play = Play()
    play.hands("Ks 6d", "9h 7c")
    play.sweep()
    first = next(i for i, event in enumerate(play.events) if isinstance(event, CardCleared))
    event = play.events[first]
    assert isinstance(event, CardCleared)
    play.events[first] = replace(event, to_spot=to)
    assert play.breaches() == named


def test_coups_are_told_apart_by_the_gathering_of_the_cards() -> None:
    play = Play()
    for punto, banca in (("Ks 6d", "9h 7c"), ("2s Kd 2s", "4s 7c 4c"), ("Td 8c", "2d Ts")):
        play.hands(punto, banca)
        play.sweep()
        play.t += 10.0
    judgement = play.judged()
    assert [coup.coup for coup in judgement.coups] == [1, 2, 3]
    assert [len(coup.cards["banca"]) for coup in judgement.coups] == [2, 3, 2]
    assert judgement.findings == ()


def test_one_card_wrongly_reported_gone_does_not_split_a_coup() -> None:
    play = Play()
    play.hands("2s Kd", "4s 7c")
    name, spot = play.cards[0]
    play.see(CardCleared(seq=0, t=0, card_id=name, spot=spot))
    play.deal_to("punto", "2h")
    play.deal_to("banca", "4c")
    play.sweep()
    (coup,) = play.judged().coups
    assert (len(coup.cards["punto"]), len(coup.cards["banca"])) == (3, 3)
