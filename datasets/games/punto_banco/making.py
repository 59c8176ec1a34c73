"""How a fault is made, and the faults that Andorra and Mediterráneo share.

A row says of which lawful coups the fault can be made (``needs``), and what it changes in one (``change``,
which names the spot of the finding).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.punto_banco import card_changes as cards
from datasets.games.punto_banco import chip_changes as chips
from datasets.games.punto_banco import occasions as when
from datasets.games.punto_banco.plan import House, Plan
from datasets.games.punto_banco.table import Table

Needs = Callable[[Plan, House], bool]
Change = Callable[[Plan, House, random.Random, Table], str | None]


def _always(_plan: Plan, _house: House) -> bool:
    return True


def _nothing(_plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    return None


def _any(_plan: Plan) -> bool:
    return True


def _leave(_plan: Plan) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Making:
    """How a fault is made. ``previous``: what the coup before must be; ``prepare``: what is changed in it.

    ``turn``: how the shoe is handed on wrongly; ``shoe``: what goes wrong with a new shoe; ``cut_card``: it
    comes out before the coup; ``within``: the session begins within a shoe.
    """

    kind: FaultKind
    needs: Needs = _always
    change: Change = _nothing
    previous: Callable[[Plan], bool] = _any
    prepare: Callable[[Plan], None] = _leave
    turn: str | None = None
    shoe: Mapping[str, Any] = field(default_factory=dict)
    cut_card: bool = False
    within: bool = False


def cues(*names: str) -> dict[str, Any]:
    """A house at whose table these cues are told."""
    return {"cues": list(names)}


def fault(
    name: str,
    rule: str,
    code: str,
    *,
    variant: str | None = None,
    lawful: tuple[str, ...] = (),
    house: Mapping[str, Any] | None = None,
    rounds: int = 1,
    **making: Any,
) -> Making:
    """A kind of fault; its regulation is that of its rule."""
    profile = "mediterraneo" if rule.startswith("PB-MED") else "andorra_2016"
    return Making(
        kind=FaultKind(
            name=name,
            rule=rule,
            code=code,
            profile=profile,
            variant=variant,
            lawful=frozenset(lawful),
            house=house or {},
            rounds=rounds,
        ),
        **making,
    )


def shared(prefix: str, rules: Mapping[str, str]) -> tuple[Making, ...]:
    """Faults that both regulations know, under their own rows."""
    rows: list[tuple[str, str, str, tuple[str, ...], Needs, Change]] = [
        ("deal_order", "order", "WRONG_DEAL_ORDER", (), _always, cards.two_and_two),
        ("exposed_card", "face_down", "EXPOSED_CARD", (), _always, cards.expose_first),
        ("late_bet", "closed", "LATE_BET", (), when.has_plain, chips.raise_late),
        ("past_posting", "closed", "LATE_BET", (), when.wins_punto, chips.post),
        ("pinched_bet", "closed", "BET_REMOVED_LATE", (), when.has_plain, chips.pinch),
        ("paid_before_collect", "losers_first", "PAID_BEFORE_COLLECT", (), when.both_sides, chips.pay_first),
        ("cards_cleared_early", "stay", "CARDS_CLEARED_EARLY", (), when.has_winner, chips.sweep_first),
        ("push_taken", "stands", "PUSH_TAKEN", (), when.has_push, chips.take_push),
        ("push_paid", "stands", "PUSH_PAID", (), when.has_push, chips.pay_push),
        ("wrong_winner", "winner", "WRONG_WINNER", (), when.two_sided, chips.other_wins),
        ("fourth_card", "most_cards", "WRONG_CARD_COUNT", (), when.can_add_fourth, cards.add_fourth),
        ("stuck_cards", "irregular", "STUCK_CARDS", (), _always, cards.stick),
        ("card_off_table", "irregular", "CARD_OFF_TABLE", (), _always, cards.drop),
        ("void_settled", "irregular", "VOID_NOT_APPLIED", (), when.has_one_winner, chips.settle_void),
        ("winner_not_paid", "unpaid", "NOT_PAID", (), when.wins_punto, chips.leave_winner),
        ("winner_collected", "unpaid", "WINNER_COLLECTED", (), when.wins_punto, chips.take_winner),
        ("loser_not_collected", "takes", "LOSER_NOT_COLLECTED", (), when.has_loser, chips.leave_loser),
        ("loser_paid", "takes", "LOSER_PAID", (), when.has_loser, chips.pay_loser),
        ("punto_underpaid", "pays_punto", "UNDERPAID", (), when.wins("punto"), chips.underpay("punto")),
        ("punto_overpaid", "pays_punto", "OVERPAID", (), when.wins("punto"), chips.overpay("punto")),
        ("banca_underpaid", "pays_banca", "UNDERPAID", (), when.wins("banca"), chips.underpay("banca")),
        ("banca_overpaid", "pays_banca", "OVERPAID", (), when.wins("banca"), chips.overpay("banca")),
        ("tie_underpaid", "pays_tie", "UNDERPAID", (), when.wins("empate"), chips.underpay("empate")),
        ("tie_overpaid", "pays_tie", "OVERPAID", (), when.wins("empate"), chips.overpay("empate")),
    ]
    return tuple(
        fault(f"{prefix}{name}", rules[key], code, lawful=lawful, needs=needs, change=change)
        for name, key, code, lawful, needs, change in rows
    )
