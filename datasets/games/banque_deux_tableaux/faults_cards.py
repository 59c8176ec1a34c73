"""Faults with cards: dealing, holding, drawing, and putting right what went wrong."""

from __future__ import annotations

from collections.abc import Callable

from datasets.games.banque_deux_tableaux.cards import HANDS, ORDER, Bet
from datasets.games.banque_deux_tableaux.coup import Coup
from datasets.games.banque_deux_tableaux.recipes import (
    DRAWS,
    HIGH,
    LOW,
    STANDS,
    kind,
    plain_bets,
    totals,
)
from datasets.games.banque_deux_tableaux.session import DEPARTMENTS, Change, Dealer, Recipe, Wanted, points_of

T1, T2, BANK = HANDS
_WIN = totals({9}, STANDS, {0, 1, 2, 3, 4, 5, 6, 7})
"""The first tableau wins whatever follows."""
_BANK_WINS = totals(STANDS, STANDS, {9})
_EVERY = totals(set(range(10)), set(range(10)), set(range(10)))


def _set(spot: str | None = None, **changes: object) -> Change:
    """Change the coup so."""

    def change(_dealer: Dealer, coup: Coup) -> str | None:
        for name, value in changes.items():
            setattr(coup, name, value)
        return spot

    return change


def _thirds(
    spot: str, *draws: tuple[str, set[int]], says: list[tuple[str, str]], **changes: object
) -> Change:
    """The third cards are these, and the tableaux say this."""

    def change(dealer: Dealer, coup: Coup) -> str | None:
        coup.thirds = [(hand, dealer.packs.find(counts)) for hand, counts in draws]
        coup.says = list(says)
        for name, value in changes.items():
            setattr(coup, name, value)
        return f"hand {spot}"

    return change


_ANY_CARD = set(range(10))


def _only_first(**changes: object) -> Change:
    """Change the coup so, and let only its first bet be settled."""

    def change(_dealer: Dealer, coup: Coup) -> str | None:
        for name, value in changes.items():
            setattr(coup, name, value)
        for bet in coup.bets[1:]:
            bet.gain = 0
        return coup.bets[0].spot

    return change


def _change_shoe(dealer: Dealer, _coup: Coup) -> str | None:
    dealer.table.cut_out = True
    return None


def _seven(dealer: Dealer, coup: Coup) -> str | None:
    dealer.packs.left = [card for card in dealer.packs.left if card != "Ks"]
    coup.cards = {hand: ["Ks", "Ks"] for hand in HANDS}
    coup.thirds = [(hand, "Ks") for hand in HANDS]
    coup.says = [(T1, "carta"), (T2, "carta")]
    return f"hand {BANK}"


def _third_order(_dealer: Dealer, coup: Coup) -> str | None:
    coup.thirds[:2] = coup.thirds[1::-1]
    return f"hand {T2}"


def _fallen(void: bool) -> Change:
    def change(_dealer: Dealer, coup: Coup) -> str | None:
        coup.fallen = 4
        coup.thirds = [(hand, card) for hand, card in coup.thirds if hand != T1]
        coup.says = [(hand, word) for hand, word in coup.says if hand != T1]
        for bet in coup.bets:
            if bet.spot.endswith(T1):
                bet.gain = 0 if void or bet is not coup.bets[0] else -bet.amount
        return f"hand {T1}" if void else coup.bets[0].spot

    return change


def _thrown(_dealer: Dealer, coup: Coup) -> str | None:
    coup.thrown = T1
    coup.thirds = [(hand, card) for hand, card in coup.thirds if hand != T1]
    coup.says = []
    lost = points_of(coup, BANK) > 0
    for bet in coup.bets:
        if bet.spot.endswith(T1):
            bet.gain = -bet.amount if lost else 0
    return f"hand {T1}"


def _other_holder(_dealer: Dealer, coup: Coup) -> str | None:
    coup.other_holder = 1 + coup.seats[0] % DEPARTMENTS
    return f"hand {T1}"


def _kept(_dealer: Dealer, coup: Coup) -> str | None:
    coup.seats[0] = 1 + (coup.seats[0] - 2) % DEPARTMENTS
    return f"hand {T1}"


def _from_the_other(_dealer: Dealer, coup: Coup) -> str | None:
    coup.seats[0] = DEPARTMENTS + 2
    return f"hand {T1}"


def _eight_beaten(dealer: Dealer, coup: Coup) -> str | None:
    coup.thirds, coup.says = [(BANK, dealer.packs.find({6}))], [(T2, "no")]
    for bet in coup.bets:
        if bet.spot.endswith(T1):
            bet.gain = -bet.amount
    return f"hand {T1}"


def _recipe(
    name: str,
    rule: str,
    code: str,
    change: Change,
    wanted: Wanted = _EVERY,
    lawful: tuple[str, ...] = (),
    *,
    bets: Callable[[], list[Bet]] = plain_bets,
    house: dict[str, object] | None = None,
) -> Recipe:
    return Recipe(kind(name, rule, code, lawful, house=house), change, wanted, bets)


_ALWAYS: dict[str, object] = {"drawing": {"bound": "always"}}
_ALL_DRAW = totals(DRAWS, DRAWS, {0, 1, 2, 3, 4})
_NONE_DRAWS = totals(STANDS, STANDS, {0, 1, 2, 3, 4, 5})
_NO, _CARTA = [(T1, "no"), (T2, "no")], [(T1, "carta"), (T2, "no")]

CARDS: tuple[Recipe, ...] = (
    _recipe("cut card too high", "BT-CUT-01", "CUT_CARD_MISPLACED", _set("shoe", cut_card=True)),
    Recipe(
        kind("dealt after the cut card", "BT-CUT-02", "DEAL_AFTER_CUT_CARD", rounds=2),
        _change_shoe,
        ahead=_set(cut_card=True, plays_on=True),
        shoe=False,
    ),
    _recipe("one card too often", "BT-DECK-01", "CARD_COMPOSITION", _seven),
    _recipe("used cards elsewhere", "BT-TABLE-02", "DISCARD_MISPLACED", _set(discards="burn")),
    _recipe(
        "second tableau first", "BT-DEAL-01", "WRONG_DEAL_ORDER", _set(f"hand {T2}", order=(T2, T1, BANK) * 2)
    ),
    _recipe(
        "three cards and one",
        "BT-ERR-05",
        "WRONG_CARD_COUNT",
        _set(f"hand {T1}", order=(*ORDER[:4], T1, BANK), thirds=[], says=[], void=True),
        lawful=("WRONG_DEAL_ORDER",),
    ),
    _recipe(
        "annulled and settled",
        "BT-ERR-05",
        "VOID_NOT_APPLIED",
        _only_first(late=[("ruling", "annulled", None)]),
        _WIN,
    ),
    _recipe(
        "brought by a player",
        "BT-DEAL-02",
        "UNAUTHORISED_CARD_CONTACT",
        _set(f"hand {T1}", carried_by_player=True),
    ),
    _recipe("taken off the table", "BT-DEAL-03", "CARD_OFF_TABLE", _set(f"hand {T1}", taken_off=True)),
    _recipe("picked up by a player", "BT-ERR-03", "CARD_OFF_TABLE", _set(f"hand {T2}", floor="player")),
    _recipe("second tableau draws first", "BT-DEAL-04", "REVEAL_ORDER", _third_order, _ALL_DRAW),
    _recipe("settled face down", "BT-DEAL-05", "SETTLED_BEFORE_REVEAL", _set(early_settling=True), _WIN),
    _recipe("cards on each other", "BT-DEAL-05", "CARDS_NOT_SPREAD", _set(f"hand {T1}", piled=True), _WIN),
    _recipe("one card shown", "BT-RULE-01", "CARD_FACE_WRONG", _set(f"hand {T1}", shown=(1,))),
    _recipe(
        "third card face down",
        "BT-RULE-01",
        "CARD_FACE_WRONG",
        _thirds(T1, (T1, _ANY_CARD), says=_CARTA, dark_third=True),
        totals(DRAWS, STANDS, STANDS),
    ),
    _recipe(
        "both cards shown",
        "BT-ERR-07",
        "EXPOSED_CARD",
        _set(f"hand {T1}", shown=(1, 4)),
        lawful=("WRONG_DRAW",),
    ),
    _recipe(
        "bet taken back after both were shown",
        "BT-ERR-07",
        "BET_REMOVED_LATE",
        _set("seat 1 tableau_1", shown=(1, 4), pulled_bet=True),
        lawful=("EXPOSED_CARD", "WRONG_DRAW"),
    ),
    _recipe("face up out of the shoe", "BT-ERR-01", "EXPOSED_CARD", _set("shoe", spoilt=True)),
    _recipe("face up and played on", "BT-ERR-01", "EXPOSED_CARD", _set("shoe", spoilt_played=True)),
    _recipe(
        "bet taken back after a card was shown",
        "BT-ERR-01",
        "BET_REMOVED_LATE",
        _set("seat 1 tableau_1", spoilt=True, pulled_bet=True),
        lawful=("EXPOSED_CARD",),
    ),
    _recipe("stuck cards", "BT-ERR-02", "STUCK_CARDS", _set("shoe", stuck=True, void=True)),
    _recipe(
        "stuck cards and settled",
        "BT-ERR-02",
        "VOID_NOT_APPLIED",
        _only_first(stuck=True),
        _WIN,
        ("STUCK_CARDS",),
    ),
    _recipe(
        "fallen in dealing", "BT-ERR-08", "CARD_IN_DISCARD_EARLY", _fallen(True), totals(STANDS, STANDS, LOW)
    ),
    _recipe(
        "fallen in dealing and settled",
        "BT-ERR-08",
        "VOID_NOT_APPLIED",
        _fallen(False),
        totals(STANDS, STANDS, LOW),
        ("CARD_IN_DISCARD_EARLY",),
    ),
    _recipe("thrown away unseen", "BT-ERR-19", "CARD_IN_DISCARD_EARLY", _thrown, totals(STANDS, STANDS, LOW)),
    _recipe(
        "two hold the cards",
        "BT-RULE-02",
        "PUNTO_HAND_WRONG_PLAYER",
        _other_holder,
        lawful=("PUNTO_HAND_WRONG_PLAYER",),
    ),
    _recipe(
        "taken before the holder spoke",
        "BT-ERR-04",
        "PUNTO_HAND_WRONG_PLAYER",
        _other_holder,
        lawful=("PUNTO_HAND_WRONG_PLAYER",),
    ),
    _recipe("held from the other tableau", "BT-HAND-01", "UNAUTHORISED_CARD_CONTACT", _from_the_other),
    Recipe(
        kind("loser keeps the cards", "BT-HAND-01", "PUNTO_HAND_WRONG_PLAYER", rounds=2),
        _kept,
        bets=plain_bets,
        ahead=_set(),
        wanted_ahead=_BANK_WINS,
        bets_ahead=plain_bets,
    ),
    _recipe(
        "eight beaten by a nine in three",
        "BT-WIN-01",
        "WRONG_WINNER",
        _eight_beaten,
        totals({8}, STANDS, {3}),
    ),
    _recipe(
        "tableau does not draw",
        "BT-DRAW-01",
        "WRONG_DRAW",
        _thirds(T1, says=_NO),
        totals(DRAWS, STANDS, {6, 7}),
    ),
    _recipe(
        "tableau draws on six",
        "BT-DRAW-01",
        "WRONG_DRAW",
        _thirds(T1, (T1, _ANY_CARD), says=_CARTA),
        totals(STANDS, STANDS, {6, 7}),
        ("WRONG_DRAW",),
    ),
    _recipe(
        "banker free though he asked",
        "BT-DRAW-02",
        "WRONG_DRAW",
        _thirds(BANK, says=_NO, late=[("rules_asked", None, None)]),
        _NONE_DRAWS,
    ),
    _recipe(
        "banker not bound", "BT-ERR-12", "WRONG_DRAW", _thirds(BANK, says=_NO), _NONE_DRAWS, house=_ALWAYS
    ),
    _recipe(
        "banker stands against a natural",
        "BT-ERR-09",
        "WRONG_DRAW",
        _thirds(BANK, says=[(T2, "no")]),
        totals(HIGH, STANDS, {0, 1, 2, 3, 4, 5}),
    ),
    _recipe(
        "banker stands after his own error",
        "BT-ERR-10",
        "WRONG_DRAW",
        _thirds(BANK, (T2, {1, 2, 3}), says=[(T1, "no"), (T2, "carta")], late=[("error_by", "banker", None)]),
        totals(STANDS, DRAWS, {5}),
    ),
    _recipe(
        "card not given back",
        "BT-ERR-13",
        "WRONG_DRAW",
        _thirds(T1, (T2, _ANY_CARD), says=[(T1, "no"), (T2, "carta")]),
        totals(DRAWS, DRAWS, {6, 7}),
        ("WRONG_DRAW",),
    ),
    _recipe(
        "card not given on",
        "BT-ERR-14",
        "WRONG_DRAW",
        _thirds(T1, (T1, _ANY_CARD), says=_CARTA),
        totals(STANDS, STANDS, {6, 7}),
        ("WRONG_DRAW",),
    ),
    _recipe(
        "card not given back by the banker",
        "BT-ERR-17",
        "WRONG_DRAW",
        _thirds(T2, (BANK, _ANY_CARD), says=_NO),
        totals(STANDS, DRAWS, DRAWS),
        ("WRONG_DRAW",),
    ),
    _recipe(
        "card against the word",
        "BT-ERR-06",
        "DRAW_AGAINST_DECLARATION",
        _thirds(T1, (T1, _ANY_CARD), says=_NO),
        totals({5}, STANDS, {6, 7}),
    ),
    _recipe(
        "second word obeyed",
        "BT-ERR-15",
        "DRAW_AGAINST_DECLARATION",
        _thirds(T1, says=[(T1, "carta"), *_NO]),
        totals({5}, STANDS, {6, 7}),
    ),
    _recipe(
        "no on a natural",
        "BT-ERR-16",
        "NATURAL_NOT_SHOWN",
        _thirds(T1, says=_NO),
        totals(HIGH, STANDS, {6, 7}),
    ),
)
