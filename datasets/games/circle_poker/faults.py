"""The faults: for each, the row that it breaks and what the scripts of its hand (and those before) say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.circle_poker.script import Change, Script


@dataclass(frozen=True, slots=True)
class Plan:
    """How a fault is made: what each hand's script needs, the last one being the fault's own."""

    kind: FaultKind
    steps: tuple[Change, ...]


PLANS: dict[str, Plan] = {}


def _set(**entries: Any) -> Change:
    def change(script: Script) -> None:
        for name, entry in entries.items():
            setattr(script, name, entry)

    return change


def _fault(
    name: str,
    rule: str,
    code: str,
    *steps: Change,
    house: Mapping[str, Any] | None = None,
    lawful: tuple[str, ...] = (),
    profile: str = "mediterraneo",
    rounds: int | None = None,
) -> None:
    kind = FaultKind(
        name=name,
        rule=rule,
        code=code,
        profile=profile,
        house=dict(house or {}),
        lawful=frozenset(lawful),
        rounds=rounds or len(steps),
    )
    PLANS[name] = Plan(kind, steps)


_BLINDS = {"blinds": {"small": 5, "big": 10}}
_FAIR = _set(ending="showdown")


def _hands(board: str, *holes: str, paid_to: str = "loser") -> Change:
    """The first two after the marker fold; the three that follow show these hands."""
    return _set(ending="showdown", board=board, holes=("6s 7d", "6h 7c", *holes), paid_to=paid_to)


def _kind(
    name: str,
    rule: str,
    board: str,
    *holes: str,
    house: Mapping[str, Any] | None = None,
    paid_to: str = "loser",
) -> None:
    _fault(name, rule, "POT_MISAWARDED", _hands(board, *holes, paid_to=paid_to), house=house)


# cards
_fault("card_twice", "CP-DECK-01", "CARD_COMPOSITION", _set(ending="all_in", twice=True))
_fault("dealt_backwards", "CP-DEAL-02", "WRONG_DEAL_ORDER", _set(clockwise=False))
_fault("shown_in_deal", "CP-DEAL-03", "EXPOSED_CARD", _set(exposed=True))
_TOLD = {"cues": ["cards_shuffled"]}
_SHUFFLES = [("cards_shuffled", "dealer", None)] * 3
_fault("two_shuffles", "CP-SHUF-01", "SHUFFLE_INCOMPLETE", _set(before=_SHUFFLES[:2]), house=_TOLD)
_fault(
    "player_shuffles_last",
    "CP-SHUF-02",
    "SHUFFLE_INCOMPLETE",
    _set(before=[*_SHUFFLES, ("cards_shuffled", "player", None)]),
)
_fault("card_at_cut", "CP-CUT-01", "EXPOSED_CARD", _set(at_deck=True), house=_TOLD)
_fault("one_card_few", "TX-STD-01", "WRONG_CARD_COUNT", _set(ending="folded", short_card=True))
_fault("six_shared_cards", "TX-STD-01", "WRONG_CARD_COUNT", _set(ending="showdown", extra_board=True))
_fault("no_burn", "TX-STD-01", "BURN_COUNT_WRONG", _set(ending="showdown", burns=(1, 0, 1)))
_fault("two_burned", "TX-STD-01", "BURN_COUNT_WRONG", _set(ending="showdown", burns=(2, 1, 1)))
_fault("burn_shown", "TX-STD-01", "EXPOSED_CARD", _set(ending="showdown", burn_shown=True))

# marker, blinds, bets
_fault("button_stays", "CP-BUT-01", "BUTTON_NOT_MOVED", _FAIR, _set(button_stays=True))
_fault("no_big_blind", "TX-STD-02", "BLINDS_MISSING", _set(ending="folded", no_blind="big"), house=_BLINDS)
_fault(
    "no_small_blind", "TX-STD-02", "BLINDS_MISSING", _set(ending="folded", no_blind="small"), house=_BLINDS
)
_fault("no_ante", "CP-DEAL-01", "ANTE_MISSING", _set(ending="folded", no_ante=2), house={"ante": 3})
_fault(
    "joins_free",
    "TX-BLIND-01",
    "BLINDS_MISSING",
    _FAIR,
    _set(joins=9, joins_posts=False, button_stays=False),
    house=_BLINDS,
)
_fault("out_of_turn", "CP-DEALER-02", "OUT_OF_TURN", _set(ending="folded", out_of_turn=True))
_fault("raises_himself", "CP-BET-02", "OUT_OF_TURN", _set(ending="showdown", again=True))
_fault("too_little", "CP-BET-03", "POT_UNEQUAL", _set(ending="showdown", unequal=True))
_fault("not_gathered", "CP-BET-01", "POT_UNEQUAL", _set(ending="all_in", ungathered=True))
_LOW = {"limits": {"minimum": 10}}
_fault("bet_small", "CP-LIM-01", "BET_BELOW_MIN", _set(ending="showdown", bet=7), house=_LOW)
_fault(
    "bet_large",
    "CP-LIM-01",
    "BET_ABOVE_MAX",
    _set(ending="folded", bet=60),
    house={"limits": {"maximum": 50}},
)
_fault(
    "over_pot", "CP-LIM-02", "BET_ABOVE_MAX", _set(ending="folded", bet=60), house={"limits": {"kind": "pot"}}
)
_fault(
    "raised_often",
    "CP-RAISE-01",
    "TOO_MANY_RAISES",
    _set(ending="showdown", raises=4),
    house={"limits": {"raises": 3}},
)

# the pot
_kind("kicker_wins_kings", "CP-RANK-10", "As Kd 9c 8h 3s", "Ah 4d", "Kh 4c", "5h 6d")
_kind("two_pairs", "CP-RANK-09", "As Kd 9c 9h 3s", "Ah 4d", "Kh 4c", "5h 6d")
_kind("threes", "CP-RANK-07", "As Kd 9c 8h 3s", "Ah Ad", "Kh Kc", "5h 6d")
_kind("straights", "CP-RANK-05", "8s 9d Tc 2h 3s", "Jh Qd", "6h 7c", "Ks Kd")
_kind("flushes", "CP-RANK-06", "8s 9s Ts 2h 3s", "As 4d", "Ks 4c", "Kc Kd")
_kind("full_houses", "CP-RANK-04", "As Ad 9c 9h 3s", "Ah 4d", "9s 4c", "5h 6d")
_kind("fours", "CP-RANK-03", "As Ad 9c 9h 3s", "Ah Ac", "9s 9d", "5h 6d")
_kind(
    "figures",
    "CP-RANK-08",
    "As Kd Qc Jh 3s",
    "Ah Qd",
    "Kh Jd",
    "5h 6d",
    house={"ranking": {"figures": ["A", "K", "Q", "J"]}},
)
_kind("kinds", "CP-RANK-01", "As Kd 9c 8h 3s", "Ah Ad", "Kh 4c", "5h 6d")
_kind(
    "short_pack",
    "CP-RANK-02",
    "As Ts 9s 9h 8d",
    "Ks Qs",
    "9d Td",
    "Jc 6d",
    house={"pack": 36},
)
_fault(
    "not_shared",
    "TX-STD-03",
    "POT_MISAWARDED",
    _hands("As Kd Qc Jh Ts", "4h 4d", "5h 5c", "6h 6d", paid_to="first"),
)
_fault("paid_to_folded", "CP-FOLD-01", "POT_MISAWARDED", _set(ending="showdown", paid_to="folded"))
_fault("folded_alone", "CP-WIN-01", "POT_MISAWARDED", _set(ending="folded", paid_to="folded"))
_fault("pot_short", "CP-DEALER-03", "POT_MISAWARDED", _set(ending="folded", paid_to="short"))
_fault("pot_touched", "CP-DEALER-03", "POT_TOUCHED", _set(pot_touched=True))
_fault("others_cards", "CP-FOLD-01", "UNAUTHORISED_CARD_CONTACT", _set(touched=True))
_RAKE = {"rake": {"option": "percentage", "rate": "1/20"}}
_fault(  # nobody rakes the hand before it either
    "no_rake", "CP-RAKE-01", "RAKE_WRONG", _set(ending="showdown"), house=_RAKE, lawful=("RAKE_WRONG",)
)
_fault(
    "rake_for_nothing",
    "CP-RAKE-01",
    "RAKE_WRONG",
    _set(ending="showdown", rake=4),
    house={"rake": {"option": "time"}},
)
_fault("rake_by_player", "CP-DEALER-01", "RAKE_WRONG", _set(ending="showdown", rake=4, rake_by_player=True))
_fault("tip_lost", "CP-DEALER-01", "TIP_MISHANDLED", _set(after=[("tip", "5", None)], tip_slotted=False))

# chips behind
_fault("stray_chips", "CP-TABLE-01", "CHIPS_MISPLACED", _set(ending="showdown", stray=True))
_fault(
    "bets_for_another",
    "CP-PROH-01",
    "CHIPS_TOUCHED_BY_OTHER",
    _set(ending="showdown", bet_for=True, before=[("player_away", None, "third")]),
)
_fault("small_buy_in", "TX-BUY-01", "BUYIN_OUT_OF_RANGE", _FAIR, _set(joins=9, joins_with=95))
_fault("large_buy_in", "TX-BUY-01", "BUYIN_OUT_OF_RANGE", _FAIR, _set(joins=9, joins_with=1005))
_fault("small_rebuy", "TX-BUY-02", "BUYIN_OUT_OF_RANGE", _FAIR, _set(bought=50))
_fault("large_rebuy", "TX-BUY-02", "BUYIN_OUT_OF_RANGE", _FAIR, _set(bought=1500))
_fault(
    "dear_drinks",
    "TX-STACK-03",
    "STACK_REDUCED",
    _FAIR,
    _set(taken=20, before=[("consumption", "20", "seat 1 stack")]),
)
_fault(
    "too_few_chips",
    "TX-STACK-04",
    "STACK_BELOW_BB",
    _FAIR,
    _set(ending="showdown", low_stack=True),
    house=_BLINDS | {"consumption": 5000},
)

# what is told
_fault("three_players", "CP-MIN-01", "TOO_FEW_PLAYERS", _set(before=[("players", "3", None)]))
_fault("limit_unannounced", "CP-LIM-03", "CONFIG_INVALID", _set(before=[("limit_changed", None, None)]))
_fault("ends_early", "CP-DUR-01", "SESSION_END_WRONG", _set(after=[("session_end", None, None)]))
_REST = _set(rests=True)
_fault(
    "rests_long",
    "CP-SEAT-02",
    "SEAT_IDLE_LIMIT",
    _FAIR,
    _set(rests=True, before=[("rest_asked", None, "seat 1 stack")]),
    _REST,
    _REST,
)
_fault(
    "away_long",
    "TX-AWAY-01",
    "AWAY_TIME_EXCEEDED",
    _FAIR,
    _set(wait_s=1502.0, during=[("away_started", None, "seat 1 stack")]),
)
_fault(
    "away_at_once", "TX-AWAY-02", "AWAY_NOT_ALLOWED", _set(before=[("away_started", None, "seat 9 stack")])
)
_CLOCK = [("clock_called", "205", "seat 1 bet"), ("clock_warning", None, "seat 1 bet")]
_fault("clock_short", "TX-CLOCK-01", "CLOCK_WRONG", _set(during=_CLOCK))
_fault("clock_over", "TX-CLOCK-02", "CLOCK_WRONG", _set(ending="showdown", wait_dead_s=80.0))
_fault("tables_apart", "TX-BAL-01", "TABLES_UNBALANCED", _set(before=[("table_change", "7/5", None)]))
_fault(
    "low_card_moves",
    "TX-SEAT-05",
    "SEATING",
    _set(
        before=[
            ("seat_card", "Kh", "seat 1 stack"),
            ("seat_card", "9h", "seat 2 stack"),
            ("table_changer", None, "seat 2 stack"),
        ]
    ),
)
_fault("seat_jumped", "TX-SEAT-03", "SEATING", _FAIR, _set(before=[("seat_changed", "2", "seat 6 stack")]))
_fault(
    "came_with_less",
    "TX-STACK-01",
    "STACK_REDUCED",
    _FAIR,
    _set(joins=9, before=[("came_from_table", "900", "new")]),
)
_fault(
    "back_too_soon",
    "TX-STACK-02",
    "STACK_REDUCED",
    _set(after=[("player_left", "400", "seat 9 stack")]),
    _set(before=[("player_returned", None, "seat 9 stack")]),
)
_fault(
    "fourth_last_hand",
    "TX-END-01",
    "SESSION_END_WRONG",
    _set(before=[("last_hands", None, None)]),
    _FAIR,
    _FAIR,
    _FAIR,
)

KINDS: dict[str, FaultKind] = {name: plan.kind for name, plan in PLANS.items()}
"""Every kind of fault, by name."""
