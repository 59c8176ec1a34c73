"""Chemin de fer held to the text: worked examples, traps, errors and what they prescribe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Face
from rules.errors import ProfileError
from rules.events import ChipMove, MarkerSeen, ShoeExit, Stack
from rules.findings import Finding, Judgement, Verdict
from rules.games.chemin_de_fer.profile import chemin_de_fer
from rules.games.punto_banco.profile import punto_banco
from rules.judge import judge

BANKER, OPPONENT = 1, 2
Told = tuple[str, str | None, str | None]


def money(amount: int) -> list[Stack]:
    """An amount in columns, one for each kind of chip."""
    columns = []
    for place, chip in enumerate((100, 25, 5, 1)):
        count, amount = divmod(amount, chip)
        if count:
            columns.append(stack(f"m{chip}", *[chip] * count, at=(900.0 + 40 * place, 100.0)))
    return columns


@dataclass
class Round:
    """One coup as it is played at the test's table."""

    punto: str = "7c Td"
    banca: str = "6c Kd"
    bank: int | None = 200
    stakes: Mapping[int, int] = field(default_factory=lambda: {2: 100})
    line: int | None = None
    before: Sequence[Told] = ()
    dealt: Sequence[Told] = ()
    exposed: Mapping[int, str] = field(default_factory=dict)
    twice: str | None = None
    to_slot: int | None = None
    pays: Mapping[int, int] = field(default_factory=dict)
    takes: Sequence[int] = ()
    unread: str | None = None
    withdraw: bool = False
    banker_first: bool = False
    basket: str | None = None


def play(scribe: Scribe, told: Round) -> None:
    """Write one coup into the journal."""
    scribe.t += 12.0
    if not scribe.events:
        scribe.cue("new_shoe")
        scribe.marker(MarkerSeen(seq=0, t=0, marker="shoe", spot=f"seat {BANKER} shoe"))
    for cue in told.before:
        scribe.cue(*cue)
    if told.bank is not None:
        scribe.chips("bank", *money(told.bank), hand=DEALER)
    laid = _bet(scribe, told)
    hands = {"punto": told.punto.split(), "banca": told.banca.split()}
    lying: list[tuple[str, str, str]] = []
    for place in range(4):
        side, index = ("punto", "banca")[place % 2], place // 2
        _deal(scribe, told, hands[side][index], side, place, lying)
    for cue in told.dealt:
        scribe.cue(*cue)
    if told.banker_first:
        _turn(scribe, "banca", lying)
        if told.withdraw:
            scribe.chips(f"seat {OPPONENT} punto", hand=player(OPPONENT))
    _thirds(scribe, told, hands)
    for side in ("punto", "banca"):
        _turn(scribe, side, [one for one in lying if one[2] != told.unread])
    _settle(scribe, told, laid)
    scribe.sweep(hand=DEALER)
    scribe.t += 10.0
    for seat in laid:
        scribe.chips(f"seat {seat} punto", hand=player(seat))


def _thirds(scribe: Scribe, told: Round, hands: Mapping[str, Sequence[str]]) -> None:
    for side in ("punto", "banca"):
        for card in hands[side][2:]:
            if card == told.basket:
                scribe.exit(f"c{len(hands['punto']) + len(hands['banca'][:2])}")
                scribe.deal("discard", None, Face.DOWN, hand=player(BANKER))
                scribe.cards.pop()
                continue
            scribe.exit()
            scribe.deal(f"hand {side}", None if card == told.unread else card, hand=player(BANKER))


def _bet(scribe: Scribe, told: Round) -> dict[int, Stack]:
    laid = {
        seat: stack(
            f"t{seat}{len(scribe.events)}",
            *[5] * (amount // 5),
            line="half" if told.line == seat else None,
            at=(200.0 * seat, 600.0),
        )
        for seat, amount in told.stakes.items()
    }
    for seat, bet in laid.items():
        scribe.chips(f"seat {seat} punto", bet, hand=player(seat))
    return laid


def _deal(
    scribe: Scribe, told: Round, card: str, side: str, place: int, lying: list[tuple[str, str, str]]
) -> None:
    by = told.exposed.get(place)
    if by == "shoe":
        scribe.see(ShoeExit(seq=0, t=0, card_id="x", face="up"))
        return
    scribe.exit()
    name = scribe.deal(f"hand {side}", None, Face.DOWN, hand=player(BANKER))
    if by is not None:
        scribe.turn(name, card, DEALER if by == "dealer" else player(BANKER))
    else:
        lying.append((name, side, card))


def _turn(scribe: Scribe, side: str, lying: list[tuple[str, str, str]]) -> None:
    by = BANKER if side == "banca" else OPPONENT
    for one in [one for one in lying if one[1] == side]:
        scribe.turn(one[0], one[2], player(by))
        lying.remove(one)


def _settle(scribe: Scribe, told: Round, laid: Mapping[int, Stack]) -> None:
    for seat in told.takes:
        scribe.chips(f"seat {seat} punto", hand=DEALER)
    for seat, amount in told.pays.items():
        x, y = laid[seat].at_mm
        paid = stack(f"p{seat}{len(scribe.events)}", *[1] * amount, at=(x + 60.0, y))
        scribe.chips(f"seat {seat} punto", laid[seat], paid, hand=DEALER)
    if told.to_slot is not None:
        scribe.see(
            ChipMove(seq=0, t=0, from_spot="bank", to_spot="cagnotte", value=str(told.to_slot), hand=DEALER)
        )


def judged(*coups: Round, house: Mapping[str, Any] | None = None) -> Judgement:
    scribe = Scribe()
    for told in coups:
        play(scribe, told)
    return judge(scribe.events, chemin_de_fer(house))


def found(judgement: Judgement, verdict: Verdict = Verdict.BREACH) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in judgement.findings if f.verdict is verdict]


def one(judgement: Judgement, rule: str) -> Finding:
    (finding,) = [finding for finding in judgement.findings if finding.rule == rule]
    return finding


BANK_WINS: dict[str, Any] = {"punto": "6c Kd", "banca": "7c Td"}
TIE: dict[str, Any] = {"punto": "7c Td", "banca": "7d Kc"}


# worked examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bank", "covered", "due", "put_in", "left"),
    [
        (200, 200, "10", 10, "390"),
        (200, 150, "15/2", 7, "685/2"),
        (390, 390, "39/2", 19, "1521/2"),
        (75, 75, "15/4", 3, "585/4"),
    ],
)
def test_com_01_the_house_takes_a_twentieth_of_what_the_bank_wins(
    bank: int, covered: int, due: str, put_in: int, left: str
) -> None:
    coup: dict[str, Any] = {"bank": bank, "stakes": {2: covered}, "takes": [2], **BANK_WINS}
    assert found(judged(Round(**coup, to_slot=put_in))) == []
    finding = one(judged(Round(**coup, to_slot=put_in + 5)), "CF-COM-01")
    assert (finding.code, finding.amount_due) == ("COMMISSION_WRONG", due)
    assert bank + covered - Fraction(due) == Fraction(left)


def test_com_01_without_a_view_of_slot_and_bank_it_is_not_known() -> None:
    judgement = judged(Round(**BANK_WINS, takes=[2]))
    assert found(judgement) == []
    assert found(judgement, Verdict.UNDETERMINED) == [("CF-COM-01", "COMMISSION_WRONG")]


FULL = Round(bank=200, stakes={2: 200}, takes=[2], to_slot=10, punto="6c Kd", banca="7c Td")
PART = Round(bank=390, stakes={2: 100}, takes=[2], to_slot=5, punto="6c Kd", banca="7c Td")


@pytest.mark.parametrize(
    ("first", "wish", "bank", "breach"),
    [
        (FULL, None, 390, None),
        (FULL, None, 195, None),
        (FULL, "half", 195, None),
        (FULL, "half", 390, "CF-GAR-01"),
        (FULL, "none", 195, "CF-GAR-01"),
        (FULL, None, 300, "CF-GAR-01"),
        (PART, None, 485, None),
        (PART, "double", 195, None),
        (PART, "double half", 97, None),
        (PART, "double", 290, "CF-GAR-02"),
        (PART, None, 300, "CF-GAR-02"),
    ],
)
def test_gar_what_may_be_taken_out_of_play(
    first: Round, wish: str | None, bank: int, breach: str | None
) -> None:
    """Twice what was covered, less the deduction, stays where the bank was not fully covered (reading R1)."""
    cues = () if wish is None else (("garage", wish, None),)
    breaches = found(judged(first, Round(bank=bank, stakes={2: 50}, before=cues, **TIE)))
    assert breaches == ([] if breach is None else [(breach, "GARAGE_WRONG")])


def test_tr_cf_4_the_other_reading_cuts_the_bank_before_the_deal() -> None:
    house = {"garage": {"uncovered": "before_deal"}}
    cut = Round(bank=200, stakes={2: 100}, before=(("garage", "double", None),), **TIE)
    assert found(judged(PART, cut, house=house)) == []
    assert found(judged(PART, cut)) == [("CF-GAR-02", "GARAGE_WRONG")]


@pytest.mark.parametrize(
    ("stake", "paid", "code"),
    [(50, 25, None), (50, 50, "LINE_BET_MISPAID"), (25, 12, None), (25, 25, "LINE_BET_MISPAID")],
)
def test_line_01_a_bet_on_the_line_plays_half(stake: int, paid: int, code: str | None) -> None:
    breaches = found(judged(Round(stakes={2: stake}, line=2, pays={2: paid})))
    assert breaches == ([] if code is None else [("CF-LINE-01", code)])


@pytest.mark.parametrize(
    ("bank", "stake", "right"), [(300, 150, True), (300, 145, False), (80, 40, True), (75, 35, False)]
)
def test_prio_03_with_the_table_is_half_of_the_bank(bank: int, stake: int, right: bool) -> None:
    cues = (("with_the_table", None, "seat 2 punto"),)
    breaches = found(judged(Round(bank=bank, stakes={2: stake}, before=cues, **TIE)))
    assert breaches == ([] if right else [("CF-PRIO-03", "BET_WRONG_AMOUNT")])


@pytest.mark.parametrize(
    ("punto", "banca", "totals"),
    [
        ("3c Kd 4h 8h", "7c Td", (7, 7)),  # 4 makes 7, 8 makes 1: punto keeps the better
        ("6c Kd", "5c Td 3h Kh", (6, 5)),  # 3 makes 8, K leaves 5: the banker keeps the worse
    ],
)
def test_tr_cf_3_of_two_third_cards_punto_keeps_the_better_and_banca_the_worse(
    punto: str, banca: str, totals: tuple[int, int]
) -> None:
    judgement = judged(Round(punto=punto, banca=banca))
    (coup,) = judgement.coups
    assert (coup.result["punto_total"], coup.result["banca_total"]) == totals
    assert ("CF-ERR-09", "WRONG_CARD_COUNT") in found(judgement)


ADVICE = (("advice_by_player", None, None),)

# the drawing table ----------------------------------------------------------------------------------------


def test_tr_and_2_and_3_the_table_differs_from_punto_banco_in_two_cells() -> None:
    mine, other = chemin_de_fer().drawing, punto_banco().drawing
    assert mine.banca_free == {(3, 9), (5, 4)}
    assert mine.banca | {(5, 4), (3, 9)} == other.banca
    assert mine.punto == {0, 1, 2, 3, 4}
    assert mine.punto_free == {5}


@pytest.mark.parametrize("banca", ["3c Kd", "3c Kd 5h"])
def test_draw_02_against_a_nine_a_three_may_draw_or_stand(banca: str) -> None:
    assert ("CF-DRAW-02", "WRONG_DRAW") not in found(judged(Round(punto="2c Kd 9h", banca=banca)))


@pytest.mark.parametrize("punto", ["5c Kd", "5c Kd 2h"])
def test_draw_01_with_five_punto_is_free(punto: str) -> None:
    assert ("CF-DRAW-01", "WRONG_DRAW") not in found(judged(Round(punto=punto, banca="7c Td")))


@pytest.mark.parametrize(
    ("punto", "banca", "house", "cues", "breaches"),
    [
        ("2c Kd", "7c Td", {}, (), ["CF-DRAW-01"]),
        ("6c Kd", "5c Td", {}, (), ["CF-DRAW-02"]),
        ("2c Kd", "5c Td", {"mode": "free"}, (), []),
        ("6c Kd", "Kc Td", {"mode": "free"}, (), ["CF-DRAW-03"]),
        ("6c Kd", "5c Td", {"mode": "free"}, (("rules_asked", None, None),), ["CF-DRAW-06"]),
        ("2c Kd", "7c Td", {"mode": "free"}, ADVICE, ["CF-DRAW-01", "CF-ERR-17"]),
    ],
)  # fmt: skip
def test_draw_who_is_free_and_who_is_bound(
    punto: str, banca: str, house: dict[str, Any], cues: Sequence[Told], breaches: list[str]
) -> None:
    judgement = judged(Round(punto=punto, banca=banca, dealt=cues, bank=400), house=house)
    rules = sorted(rule for rule, code in found(judgement) if code in ("WRONG_DRAW", "ADVICE_GIVEN"))
    assert rules == breaches


def test_draw_03_a_lone_player_who_covers_the_bank_is_asked_about() -> None:
    judgement = judged(Round(punto="2c Kd", banca="7c Td", bank=100))
    assert ("CF-DRAW-01", "WRONG_DRAW") in found(judgement, Verdict.UNDETERMINED)
    assert "free_banco" in (one(judgement, "CF-DRAW-01").reason or "")


# errors and what they prescribe ---------------------------------------------------------------------------


def test_tr_cf_1_a_punto_who_asks_with_a_natural_leaves_it_to_the_banker() -> None:
    cues = (("punto_says", "card", None),)
    judgement = judged(Round(punto="8c Td 5h", banca="7c Kd", dealt=cues))
    assert ("CF-ERR-19", "NATURAL_NOT_SHOWN") in found(judgement)
    assert ("CF-NAT-01", "WRONG_DRAW") not in found(judgement)


def test_err_19_a_nine_not_shown_loses_to_an_eight_that_is() -> None:
    cues = (("punto_says", "no", None),)
    (coup,) = judged(Round(punto="9c Td", banca="8c Kd", dealt=cues)).coups
    assert coup.result["winner"] == "banca"


@pytest.mark.parametrize(
    ("banca", "bound"),
    [("6c Kd", True), ("6c Kd 2h", True), ("7c Kd", True), ("7c Kd 2h", False)],
    ids=["stands on 6", "draws on 6", "stands on 7", "draws on 7"],
)
def test_tr_cf_2_against_a_third_card_in_the_basket_he_may_draw_but_with_seven(
    banca: str, bound: bool
) -> None:
    """CF-ERR-10: punto counts nine. As written the banker may take a card even on six."""
    judgement = judged(Round(punto="2c Kd 4h", banca=banca, basket="4h"))
    assert judgement.coups[0].result["punto_total"] == 9
    draws = [one for one in found(judgement) if one[1] == "WRONG_DRAW"]
    assert (draws == []) is bound, found(judgement)


def test_tr_cf_5_the_first_card_goes_with_the_second_the_third_with_the_fourth() -> None:
    both = judged(Round(exposed={0: "banker", 1: "banker"}))
    alone = judged(Round(exposed={2: "banker"}))
    assert "his own was shown" in one(both, "CF-ERR-11").seen
    assert one(alone, "CF-ERR-11").code == "EXPOSED_CARD"


def test_err_04_both_of_puntos_cards_exposed_take_the_bankers_choice() -> None:
    exposed = {0: "dealer", 2: "dealer"}
    rules = found(judged(Round(punto="2c Kd 9h", banca="3c Td", exposed=exposed)))
    assert ("CF-ERR-04", "WRONG_DRAW") in rules
    once = found(judged(Round(punto="2c Kd 9h", banca="3c Td", exposed={0: "dealer"})))
    assert ("CF-ERR-04", "WRONG_DRAW") not in once


def test_tr_cv_4_a_third_card_face_up_is_no_exposure() -> None:
    assert found(judged(Round(punto="2c Kd 5h", banca="6c Td", pays={2: 100}))) == []


@pytest.mark.parametrize(
    ("cues", "house", "breaches", "open_"),
    [
        ((("punto_says", "no", None),), {}, ["BET_REMOVED_LATE"], []),
        ((), {"cues": ["punto_says"]}, ["REVEAL_ORDER"], []),
        ((), {}, [], ["BET_REMOVED_LATE"]),
    ],
    ids=["punto had spoken", "punto had not spoken", "not told"],
)
def test_tr_cv_6_after_a_natural_shown_too_early_bets_may_be_withdrawn(
    cues: Sequence[Told], house: dict[str, Any], breaches: list[str], open_: list[str]
) -> None:
    coup = Round(punto="5c Kd", banca="8c Td", dealt=cues, banker_first=True, withdraw=True)
    judgement = judged(coup, house=house)
    assert [code for _, code in found(judgement)] == breaches
    assert [code for _, code in found(judgement, Verdict.UNDETERMINED)] == open_


def test_win_01_a_tie_leaves_every_bet() -> None:
    assert found(judged(Round(**TIE))) == []
    assert found(judged(Round(**TIE, takes=[2], stakes={2: 100, 3: 50}))) == [("CF-WIN-01", "PUSH_TAKEN")]


# what is not known ----------------------------------------------------------------------------------------


def test_a_card_that_was_not_read_may_be_any() -> None:
    judgement = judged(Round(punto="2c Kd 5h", banca="6c Td", unread="5h", pays={2: 100}))
    assert found(judgement) == []
    assert judgement.coups[0].result["winner"] is None


def test_cards_at_a_seat_and_at_the_shoe_are_puntos_and_bancas() -> None:
    scribe = Scribe()
    scribe.marker(MarkerSeen(seq=0, t=0, marker="shoe", spot="seat 1 shoe"))
    places = ["hand seat_3", "shoe", "hand seat_3", "shoe"]
    cards = ["7c", "6c", "Kd", "Td"]
    names = []
    for spot in places:
        scribe.exit()
        names.append(scribe.deal(spot, None, Face.DOWN, hand=player(1)))
    for name, card in zip(names, cards, strict=True):
        scribe.turn(name, card)
    scribe.sweep()
    (coup,) = judge(scribe.events, chemin_de_fer()).coups
    assert coup.cards == {"punto": ("7c", "Kd"), "banca": ("6c", "Td")}


def test_what_is_not_set_or_told_is_said_once_a_session() -> None:
    asked = {question.rule for question in judged(Round(), Round()).session}
    assert {"CF-LIM-01", "CF-LIM-03", "CF-DRAW-03", "CF-BANK-07", "CF-GAR-03", "CF-ERR-12"} <= asked
    house = {"limits": {"minimum": 5}, "cues": ["garage_asked"], "free_banco": False}
    told = {question.rule for question in judged(Round(), house=house).session}
    assert not {"CF-LIM-01", "CF-LIM-03", "CF-DRAW-03", "CF-GAR-03"} & told


# profiles -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"garaje": {}}, "'garaje' is not a key of a profile: did you mean 'garage'?"),
        ({"mode": "wild"}, "mode is 'wild', but must be one of: rules, free"),
        ({"limits": {"minimum": 5, "authorised_minimum": 10}}, "CF-LIM-01"),
        ({"cues": ["banko"]}, "cues is 'banko', but must be one of"),
    ],
)
def test_a_profile_that_cannot_be_is_refused(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError) as refused:
        chemin_de_fer(house)
    assert words in str(refused.value)
