"""Every kind of fault at a Trijoker table: how it is made, and the finding that it must give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.scribe import DEALER, player
from datasets.games.trijoker.cards import LEFT, RIGHT, Hand, Hook
from datasets.games.trijoker.session import Change, Recipe, Wanted
from datasets.games.trijoker.table import Table
from rules.cards import Face

HOUSE: Mapping[str, Any] = {
    "limits": {"minimum": 10, "maximum": 100, "band": {"maximum": 300}},
    "cues": ["last_hands"],
}
"""A table where everything is set and told."""


def _any(_hand: Hand) -> bool:
    return True


def _recipe(
    name: str,
    rule: str,
    code: str,
    change: Change,
    wanted: Wanted = _any,
    lawful: Iterable[str] = (),
    house: Mapping[str, Any] | None = None,
    rounds: int = 1,
    ahead: Change | None = None,
    by: int = 1,
    first: bool = False,
) -> Recipe:
    kind = FaultKind(
        name=name,
        rule=rule,
        code=code,
        profile="andorra_2016",
        lawful=frozenset(lawful),
        house={**HOUSE, **(house or {})},
        rounds=rounds,
    )
    return Recipe(kind, change, wanted, ahead, by, first)


# hands that are wanted ------------------------------------------------------------------------------------


def _wins(hand: Hand) -> bool:
    seat = hand.seats[0]
    return hand.multiples[seat] > 0 and len(hand.in_play(seat)) == 3


def _loses(hand: Hand) -> bool:
    seat = hand.seats[0]
    return hand.multiples[seat] == 0 and len(hand.in_play(seat)) == 3


def _stays(hand: Hand) -> bool:
    """The first and second players leave all their bets in play."""
    return all(len(hand.in_play(seat)) == 3 for seat in hand.seats[:2])


def _high(hand: Hand) -> bool:
    return hand.cards[LEFT][0][0] in "JQKA"


def _low(hand: Hand) -> bool:
    return not _high(hand)


def _box(hand: Hand, bet: int, place: int = 0) -> str:
    return f"seat {hand.seats[place]} bet_{bet}"


# changes --------------------------------------------------------------------------------------------------


def _hook(stage: str, hook: Hook, spot: str | None = None) -> Change:
    def change(hand: Hand) -> str | None:
        hand.at(stage, hook)
        return spot

    return change


def _says(cue: str, value: str | None = None, bet: int | None = None, stage: str = "bets") -> Change:
    def change(hand: Hand) -> str | None:
        box = None if bet is None else _box(hand, bet)
        hand.at(stage, lambda table, _hand: table.scribe.cue(cue, value, box))
        return box

    return change


def _pulled(bet: int, stage: str) -> Change:
    """The first player takes a bet back at the wrong time."""

    def change(hand: Hand) -> str | None:
        hand.at(stage, lambda table, own: table.clear(_box(own, bet)))
        return _box(hand, bet)

    return change


def _gains(bet: int, gain: Any) -> Change:
    def change(hand: Hand) -> str | None:
        box = _box(hand, bet)
        hand.gains[box] = gain(hand, box)
        return box

    return change


def _stake(amount: int, *bets: int) -> Change:
    def change(hand: Hand) -> str | None:
        for bet in bets:
            hand.stakes[_box(hand, bet)] = amount
        return _box(hand, bets[0])

    return change


def _with(change: Change, **changes: Any) -> Change:
    def both(hand: Hand) -> str | None:
        for name, value in changes.items():
            setattr(hand, name, value)
        return change(hand)

    return both


def _nothing(_hand: Hand) -> str | None:
    return None


def _twice(hand: Hand) -> str | None:
    """The second player's first card is the first player's over again."""
    one, two = (f"seat_{seat}" for seat in hand.seats[:2])
    copy = hand.cards[one][0]
    place = next(i for i, (where, _) in enumerate(hand.order) if where == two)
    hand.order[place] = (two, copy)
    hand.cards[two][0] = copy

    def show(table: Table, own: Hand) -> None:
        for seat in own.seats:
            table.show(f"seat_{seat}")

    hand.at("gathered", show)
    return None


def _swapped(hand: Hand) -> str | None:
    """Two players' first cards are dealt in the wrong order."""
    hand.order[0], hand.order[1] = hand.order[1], hand.order[0]
    return f"hand {hand.order[0][0]}"


def _fourth_card(hand: Hand) -> str | None:
    where = f"seat_{hand.seats[0]}"
    hand.order.append((where, _spare(hand)))
    hand.cards[where] = [card for name, card in hand.order if name == where]
    hand.stops = True
    return f"hand {where}"


def _missing_card(hand: Hand) -> str | None:
    where, card = hand.order.pop()
    hand.cards[where].remove(card)
    hand.stops = True
    hand.at("dealt", lambda table, _hand: table.show(LEFT))
    return f"hand {where}"


def _spare(hand: Hand) -> str:
    out = {card for _, card in hand.order}
    return next(rank + suit for rank in "23456789" for suit in "cdhs" if rank + suit not in out)


def _shown_aside(hand: Hand) -> str | None:
    card = _spare(hand)

    def lay(table: Table, _hand: Hand) -> None:
        table.scribe.deal("table", card, Face.UP, hand=DEALER)

    hand.at("card 4", lay)
    hand.stops = True
    return "table"


def _shown(where: str) -> Change:
    """A card is laid face up in the deal: a player's first, or a common one."""

    def change(hand: Hand) -> str | None:
        name = where or f"seat_{hand.seats[0]}"
        hand.up = {next(i for i, (other, _) in enumerate(hand.order) if other == name)}
        return f"hand {name}"

    return change


def _annulled(change: Change, spot: bool = False) -> Change:
    def both(hand: Hand) -> str | None:
        where = change(hand)
        hand.stops = True
        hand.at("dealt", lambda table, _hand: table.scribe.cue("coup_void"))
        return where if spot else None

    return both


def _unnamed(change: Change) -> Change:
    def both(hand: Hand) -> str | None:
        change(hand)
        return None

    return both


def _own_shown(hand: Hand) -> str | None:
    """A player turns one of his own cards."""
    name = f"seat_{hand.seats[0]}"

    def turn(table: Table, own: Hand) -> None:
        card = table.names[name][0]
        table.shown.add(card)
        table.scribe.turn(card, table.faces[card], player(own.seats[0]))

    hand.at("left", turn)
    return f"hand {name}"


def _off_table(hand: Hand) -> str | None:
    name = f"seat_{hand.seats[0]}"

    def lift(table: Table, own: Hand) -> None:
        card, by = table.names[name][0], player(own.seats[0])
        table.scribe.move(card, "off table", by)
        table.scribe.move(card, f"hand {name}", by)

    hand.at("dealt", lift)
    return f"hand {name}"


def _late(hand: Hand) -> str | None:
    box = _box(hand, 3)

    def put(table: Table, own: Hand) -> None:
        table.scribe.chips(box, table.lying[box], table.pile(50, (25.0, 25.0)), hand=player(own.seats[0]))
        table.scribe.t += 1.0
        table.scribe.chips(box, table.lying[box], hand=DEALER)

    hand.at("dealt", put)
    return box


def _part(hand: Hand) -> str | None:
    """Part of a first bet is withdrawn."""
    box = _box(hand, 1)
    hand.stakes |= {_box(hand, bet): 40 for bet in (1, 2, 3)}

    def lower(table: Table, own: Hand) -> None:
        table.lying[box] = table.pile(20)
        table.scribe.chips(box, table.lying[box], hand=player(own.seats[0]))

    hand.at("dealt", lower)
    hand.gains[box] = 20 * hand.multiples[hand.seats[0]] or -20
    return box


def _out_of_turn(hand: Hand) -> str | None:
    """The second player withdraws before the first."""
    first, second = _box(hand, 1), _box(hand, 1, 1)

    def pull(table: Table, _hand: Hand) -> None:
        table.clear(second)
        table.clear(first)

    hand.at("dealt", pull)
    return second


def _odd_order(hand: Hand) -> str | None:
    seats = hand.seats[::-1]
    hand.settling = [seats[1], seats[0], *seats[2:]]
    return None


def _pulls_none(hand: Hand) -> bool:
    """Nobody else withdraws a first bet."""
    return _stays(hand) and not any(box.endswith("bet_1") for box in hand.pulls)


def _misread(hand: Hand) -> str | None:
    """A winning hand is paid as the kind of hand above or below."""
    seat = hand.seats[0]
    wrong = {1: 2, 2: 3, 3: 2, 5: 8, 8: 5, 11: 8}.get(hand.multiples[seat], 11)
    for box in hand.in_play(seat):
        hand.gains[box] = wrong * hand.stakes[box]
    return f"hand seat_{seat}"


def _settles_differently(hand: Hand) -> bool:
    """The two players at the dealer's right do not leave the order open: the first of them wins."""
    seats = hand.seats[::-1]
    wins = [hand.multiples[seat] > 0 for seat in seats]
    return wins[0] and wins[1]


def _stranger(hand: Hand) -> str | None:
    box = f"seat {hand.seats[0]} ante"
    hand.at("bets", lambda table, own: table.scribe.chips(box, table.pile(10), hand=player(own.seats[0])))
    hand.at("gathered", lambda table, own: table.scribe.chips(box, hand=player(own.seats[0])))
    return box


def _lettered(hand: Hand) -> str | None:
    box = "box a bet_1"
    hand.at("bets", lambda table, _own: table.scribe.chips(box, table.pile(10)))
    hand.at("gathered", lambda table, _own: table.scribe.chips(box))
    return box


_EXPOSED = ("EXPOSED_CARD",)
_ALL = (
    _recipe("card_twice", "TJ-DECK-01", "CARD_COMPOSITION", _annulled(_twice)),
    _recipe("strange_box", "TJ-TABLE-01", "CONFIG_INVALID", _stranger),
    _recipe("eight_players", "TJ-BOX-01", "TOO_MANY_PLAYERS", _says("players", "8")),
    _recipe("two_places", "TJ-BOX-01", "TWO_BOXES_ONE_PLAYER", _says("same_person", "99", 1)),
    _recipe("card_shown_by_player", "TJ-INFO-01", "PLAYER_CARD_EXPOSED", _own_shown),
    _recipe("standing_player", "TJ-BOX-02", "BET_NOT_ADMITTED", _says("standing_bet", None, 1)),
    _recipe("lettered_box", "TJ-BOX-02", "BET_NOT_ADMITTED", _lettered),
    _recipe("misread_hand", "TJ-RANK-01", "WRONG_WINNER", _misread, _wins, ("UNDERPAID", "OVERPAID")),
    _recipe("below_minimum", "TJ-LIM-01", "BET_BELOW_MIN", _stake(5, 1, 2, 3), lawful=("BET_BELOW_MIN",)),
    _recipe("above_maximum", "TJ-LIM-01", "BET_ABOVE_MAX", _stake(150, 1, 2, 3), lawful=("BET_ABOVE_MAX",)),
    _recipe(
        "odd_maximum",
        "TJ-LIM-02",
        "CONFIG_INVALID",
        _nothing,
        house={"limits": {**HOUSE["limits"], "multiples": [20, 30]}},
        first=True,
    ),
    _recipe(
        "outside_band",
        "TJ-LIM-03",
        "CONFIG_INVALID",
        _nothing,
        house={"limits": {**HOUSE["limits"], "band": {"minimum": 20}}},
        first=True,
    ),
    _recipe("unequal_bets", "TJ-BET-01", "BETS_UNEQUAL", _stake(95, 2)),
    _recipe("missing_bet", "TJ-BET-01", "BETS_UNEQUAL", _stake(0, 3), _stays),
    _recipe("late_bet", "TJ-BET-02", "LATE_BET", _late, lawful=("BET_REMOVED_LATE",)),
    _recipe("pulled_in_deal", "TJ-BET-02", "BET_REMOVED_LATE", _pulled(1, "card 3"), _stays),
    _recipe("lowered_bet", "TJ-BET-02", "BET_REMOVED_LATE", _part, _stays),
    _recipe("dealt_out_of_order", "TJ-DEAL-01", "WRONG_DEAL_ORDER", _with(_swapped, stops=True)),
    _recipe("fourth_card", "TJ-DEAL-02", "WRONG_CARD_COUNT", _fourth_card),
    _recipe("missing_card", "TJ-DEAL-02", "WRONG_CARD_COUNT", _missing_card),
    _recipe("shown_aside", "TJ-DEAL-02", "EXPOSED_CARD", _shown_aside),
    _recipe("player_card_shown", "TJ-ERR-01", "EXPOSED_CARD", _shown("")),
    _recipe(
        "annulled_for_player_card",
        "TJ-ERR-01",
        "VOID_APPLIED_WRONGLY",
        _annulled(_shown("")),
        lawful=_EXPOSED,
    ),
    _recipe("low_common_card_shown", "TJ-ERR-02", "EXPOSED_CARD", _shown(LEFT), _low),
    _recipe("high_common_card_shown", "TJ-ERR-02", "EXPOSED_CARD", _annulled(_shown(LEFT), True), _high),
    _recipe(
        "played_after_high_card",
        "TJ-ERR-02",
        "VOID_NOT_APPLIED",
        _unnamed(_shown(LEFT)),
        _high,
        _EXPOSED,
    ),
    _recipe(
        "annulled_for_low_card", "TJ-ERR-02", "VOID_APPLIED_WRONGLY", _annulled(_shown(LEFT)), _low, _EXPOSED
    ),
    _recipe("first_bet_late", "TJ-DEC-01", "BET_REMOVED_LATE", _pulled(1, "left"), _stays, ("REVEAL_ORDER",)),
    _recipe("first_bet_after_all", "TJ-DEC-01", "BET_REMOVED_LATE", _pulled(1, "right"), _stays),
    _recipe("out_of_turn", "TJ-DEC-01", "OUT_OF_TURN", _out_of_turn, _pulls_none),
    _recipe("left_too_early", "TJ-REV-01", "REVEAL_ORDER", _pulled(1, "left"), _stays, ("BET_REMOVED_LATE",)),
    _recipe("second_bet_early", "TJ-DEC-02", "BET_REMOVED_LATE", _pulled(2, "dealt"), _stays),
    _recipe(
        "second_bet_late", "TJ-DEC-02", "BET_REMOVED_LATE", _pulled(2, "right"), _stays, ("REVEAL_ORDER",)
    ),
    _recipe(
        "right_too_early", "TJ-REV-02", "REVEAL_ORDER", _pulled(2, "right"), _stays, ("BET_REMOVED_LATE",)
    ),
    _recipe(
        "right_first",
        "TJ-REV-02",
        "REVEAL_ORDER",
        _with(lambda _hand: f"hand {RIGHT}", right_first=True),
        lambda hand: hand.cards[RIGHT][0][0] not in "JQKA",
    ),
    _recipe("third_bet_pulled", "TJ-DEC-03", "BET_REMOVED_LATE", _pulled(3, "left"), _stays),
    _recipe("underpaid", "TJ-PAY-01", "UNDERPAID", _gains(3, lambda h, box: h.gain(box) - 5), _wins),
    _recipe("overpaid", "TJ-PAY-01", "OVERPAID", _gains(1, lambda h, box: h.gain(box) + 5), _wins),
    _recipe("not_paid", "TJ-PAY-01", "NOT_PAID", _gains(2, lambda _h, _box: 0), _wins),
    _recipe("loser_paid", "TJ-PAY-02", "LOSER_PAID", _gains(1, lambda h, box: h.stakes[box]), _loses),
    _recipe("winner_taken", "TJ-PAY-02", "WINNER_COLLECTED", _gains(3, lambda h, b: -h.stakes[b]), _wins),
    _recipe("settled_out_of_order", "TJ-PAY-03", "PAY_ORDER_WRONG", _odd_order, _settles_differently),
    _recipe("loser_left", "TJ-PAY-04", "LOSER_NOT_COLLECTED", _gains(3, lambda _h, _box: 0), _loses),
    _recipe(
        "cards_left", "TJ-END-01", "CARDS_LEFT_ON_TABLE", _nothing, rounds=2, ahead=_with(_nothing, leave=2)
    ),
    _recipe(
        "fourth_hand",
        "TJ-END-02",
        "SESSION_END_WRONG",
        _nothing,
        rounds=4,
        ahead=_says("last_hands", stage="before"),
        by=3,
    ),
    _recipe(
        "ends_too_soon",
        "TJ-END-02",
        "SESSION_END_WRONG",
        lambda hand: (_says("last_hands")(hand), _says("session_end", stage="gathered")(hand))[0],
    ),
    _recipe("ends_uncalled", "TJ-END-02", "SESSION_END_WRONG", _says("session_end", stage="gathered")),
    _recipe(
        "played_after_wrong_deal",
        "TJ-VOID-01",
        "VOID_NOT_APPLIED",
        _unnamed(_swapped),
        lawful=("WRONG_DEAL_ORDER",),
    ),
    _recipe("card_off_table", "TJ-TOUCH-01", "CARD_OFF_TABLE", _off_table),
    _recipe("cards_told", "TJ-INFO-02", "ADVICE_GIVEN", _says("information", None, 1, "dealt")),
    _recipe("advice", "TJ-INFO-02", "ADVICE_GIVEN", _says("advice", None, 1, "dealt")),
    _recipe(
        "cards_shown_around", "TJ-INFO-02", "PLAYER_CARD_EXPOSED", _says("cards_shown", None, 1, "dealt")
    ),
)

RECIPES = {recipe.kind.name: recipe for recipe in _ALL}
"""Every kind of fault, by name."""
