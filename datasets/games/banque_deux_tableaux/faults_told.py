"""Faults that only a cue tells."""

from __future__ import annotations

from datasets.games.banque_deux_tableaux.cards import Bet, count
from datasets.games.banque_deux_tableaux.coup import Coup, CueText
from datasets.games.banque_deux_tableaux.recipes import kind, plain_bets, totals
from datasets.games.banque_deux_tableaux.session import Change, Dealer, Recipe, Wanted

_ANY = totals(set(range(10)), set(range(10)), set(range(10)))


def _early(*cues: CueText, spot: str | None = None, look_first: bool = False) -> Change:
    def change(_dealer: Dealer, coup: Coup) -> str | None:
        coup.early += cues
        coup.look_first = look_first
        return spot

    return change


def _late(*cues: CueText) -> Change:
    def change(_dealer: Dealer, coup: Coup) -> str | None:
        coup.late += cues
        return None

    return change


def _after(*cues: CueText) -> Change:
    def change(_dealer: Dealer, coup: Coup) -> str | None:
        coup.after += cues
        return None

    return change


def _wrong_points(_dealer: Dealer, coup: Coup) -> str | None:
    said = (count(coup.cards["banca"]) + 1) % 10
    coup.late.append(("points_said", str(said), "hand banca"))
    return "hand banca"


def _one_player() -> list[Bet]:
    return [bet for bet in plain_bets() if bet.spot != "seat 2 tableau_1"]


def _recipe(
    name: str, rule: str, code: str, change: Change, wanted: Wanted = _ANY, lawful: tuple[str, ...] = ()
) -> Recipe:
    return Recipe(kind(name, rule, code, lawful), change, wanted, plain_bets)


TOLD: tuple[Recipe, ...] = (
    _recipe(
        "farther seat first",
        "BT-PRIO-01",
        "PRIORITY_IGNORED",
        _early(("bet_preferred", "2", "seat 4 tableau_1"), spot="seat 4 tableau_1"),
    ),
    _recipe(
        "banco on both without lots",
        "BT-PRIO-02",
        "PRIORITY_IGNORED",
        _early(("banco", None, "hand tableau_1"), ("banco", None, "hand tableau_2"), spot="hand tableau_1"),
        lawful=("REVEAL_ORDER",),
    ),
    _recipe("equal bids without lots", "BT-BANK-01", "AUCTION_IRREGULAR", _early(("equal_bids", None, None))),
    _recipe("bets joined", "BT-ASSOC-01", "BET_POOLED", _early(("partnership", None, None))),
    _recipe(
        "second tableau looked at",
        "BT-BANCO-01",
        "REVEAL_ORDER",
        _early(("banco", None, "hand tableau_1"), look_first=True),
    ),
    Recipe(
        kind("one player", "BT-MIN-01", "TOO_FEW_PLAYERS"),
        _early(("players", "1", "hand tableau_1"), spot="hand tableau_1"),
        _ANY,
        _one_player,
    ),
    Recipe(
        kind("cards not checked", "BT-END-01", "CARD_COMPOSITION", rounds=2),
        _early(("new_shoe", None, None)),
        bets=plain_bets,
        ahead=_after(("check_asked", None, None)),
        bets_ahead=plain_bets,
    ),
    _recipe("advice", "BT-ERR-18", "ADVICE_GIVEN", _late(("advice", "a player", None))),
    _recipe(
        "wrong points said",
        "BT-ERR-20",
        "ANNOUNCEMENT_WRONG",
        _wrong_points,
        totals({6, 7}, {6, 7}, {8, 9}),
    ),
    _recipe(
        "claim too late",
        "BT-ERR-21",
        "CLAIM_TOO_LATE",
        _after(("claim", None, None)),
        totals({6, 7}, {6, 7}, {9}),
    ),
)
