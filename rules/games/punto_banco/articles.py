"""Which row of a regulation says a thing: the judging modules speak of things, findings cite rows.

A thing that a regulation does not speak of has no row (None), and is not judged at its tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rules.catalogue import rule_rows
from rules.errors import ProfileError


@dataclass(frozen=True, slots=True, kw_only=True)
class Articles:
    """The rows of one regulation, as rule ids."""

    # the shoe
    prepared: str | None = None
    """Cards are counted, shuffled and cut before the shoe is used."""
    cut_depth: str | None = None
    cut_last: str | None = None
    """No coup after the one in which the cut card came out."""
    burn: str | None = None
    burn_place: str | None = None
    shoe_turn: str | None = None
    """The shoe goes round by seat, passing whoever declines."""
    shoe_kept: str | None = None
    """Whoever deals keeps the shoe until banca loses, and gives it up then."""
    shoe_carrier: str | None = None
    """It is the dealer who hands the shoe on."""

    # dealing and showing
    order: str
    two_each: str | None = None
    face_down: str | None = None
    no_touching: str | None = None
    """No player touches a card."""
    punto_player: str | None = None
    punto_nobody: str | None = None
    punto_touch: str | None = None
    """Nobody else touches punto's cards."""
    banca_waits: str | None = None
    banca_player: str | None = None
    """Whoever deals turns banca's cards, and nobody else touches them."""
    punto_place: str | None = None
    banca_place: str | None = None
    gathered: str | None = None
    """No card of the coup before lies there any more."""
    discards: str | None = None
    stay: str
    irregular: str
    fallen: str | None = None
    """Cards that leave the table, where a row of their own says it."""
    void: str | None = None
    """Void coups are not settled, where a row of their own says it."""
    composition: str = "HOUSE-DECK-01"
    """No card occurs more often than there are packs."""
    """Errors go to the table head."""

    # drawing
    natural: Mapping[str, str]
    """By the hand that has it: no third card after a natural."""
    punto_draw: Mapping[int | None, str]
    """By punto's two-card total (None: not known)."""
    banca_draw: Mapping[int | None, str]
    """By banca's two-card total."""
    banca_after_stand: Mapping[int | None, str]
    """The same when punto stood, where another row says it."""
    most_cards: str
    values: str
    winner: str

    # bets
    closed: str
    close_called: str | None = None
    admitted: str | None = None
    bets_in_box: str | None = None
    seats: str | None = None
    tie_maximum: str | None = None
    minimum: str | None = None
    maximum: str | None = None
    multiples: str | None = None

    # settlement
    pays: Mapping[str, str]
    """By bet: a winning bet is paid so much."""
    pays_at_all: Mapping[str, str]
    """By bet: it is paid."""
    takes: str
    stands: str
    losers_first: str
    line: str = "HOUSE-LINE-01"
    """A bet on a line plays half."""
    commission: frozenset[str] = frozenset()
    """Bets whose payment is par less a commission."""
    free_after_push: bool = False
    """A bet that neither won nor lost may be raised at once."""

    # who does what, and what is said
    dealer_side: str | None = None
    tips: str | None = None
    start_called: str | None = None
    winner_called: str | None = None
    draws_called: str | None = None

    def settles(self, bet: str) -> str:
        """The row that says that a bet is settled at all, whether it won or lost."""
        return self.takes if self.takes in self.pays_at_all.values() else self.pays_at_all[bet]


_AND_BANK, _AND_TIE = "PB-AND-BANK-01", "PB-AND-TIE-01"

_ANDORRA = Articles(
    prepared="PB-AND-PREP-01",
    cut_depth="PB-AND-CUT-01",
    cut_last="PB-AND-CUT-02",
    burn="PB-AND-BURN-01",
    burn_place="PB-AND-BURN-02",
    shoe_turn="PB-AND-SHOE-01",
    shoe_kept="PB-AND-SHOE-02",
    shoe_carrier="PB-AND-DEALER-06",
    order="PB-AND-DEAL-01",
    face_down="PB-AND-DEAL-02",
    no_touching="PB-AND-TOUCH-01",
    punto_player="PB-AND-HAND-01",
    punto_nobody="PB-AND-HAND-02",
    punto_touch="PB-AND-DEAL-05",
    banca_waits="PB-AND-DEAL-03",
    banca_player="PB-AND-DEAL-05",
    punto_place="PB-AND-DEAL-04",
    banca_place="PB-AND-DEAL-04",
    gathered="PB-AND-DEALER-04",
    discards="PB-AND-TABLE-02",
    stay="PB-AND-STAY-01",
    irregular="PB-AND-ERR-01",
    natural={"punto": "PB-AND-NAT-01", "banca": "PB-AND-NAT-01"},
    punto_draw={None: "PB-AND-DRAW-01"},
    banca_draw={None: "PB-AND-DRAW-02"},
    banca_after_stand={},
    most_cards="PB-AND-DRAW-03",
    values="PB-AND-VAL-01",
    winner="PB-AND-WIN-01",
    closed="PB-AND-BET-01",
    close_called="PB-AND-BET-02",
    admitted="PB-AND-PLAYER-01",
    bets_in_box="PB-AND-BOX-01",
    seats="PB-AND-TABLE-01",
    tie_maximum="PB-AND-LIM-01",
    minimum="PB-AND-LIM-02",
    maximum="PB-AND-LIM-03",
    multiples="PB-AND-LIM-04",
    pays={"punto": "PB-AND-PAY-02", "banca": "PB-AND-PAY-01", "empate": "PB-AND-PAY-03"},
    pays_at_all={"punto": _AND_BANK, "banca": _AND_BANK, "empate": _AND_TIE},
    takes=_AND_BANK,
    stands=_AND_TIE,
    losers_first="PB-AND-SETTLE-01",
    dealer_side="PB-AND-DEALER-01",
    tips="PB-AND-DEALER-02",
    start_called="PB-AND-DEALER-03",
    winner_called="PB-AND-DEALER-03",
    draws_called="PB-AND-CALL-01",
)

_MED_PAYS = {"punto": "PB-MED-PAY-01", "banca": "PB-MED-PAY-02", "empate": "PB-MED-PAY-03"}
_MED_BANCA = [*["PB-MED-DRAW-04"] * 3, "PB-MED-DRAW-05", "PB-MED-DRAW-06", "PB-MED-DRAW-07"]

_MEDITERRANEO = Articles(
    shoe_turn="PB-MED-SHOE-01",
    order="PB-MED-DEAL-01",
    face_down="PB-MED-ERR-01",
    two_each="PB-MED-DEAL-02",
    punto_player="PB-MED-HAND-01",
    banca_player="PB-MED-HAND-03",
    punto_place="PB-MED-HAND-02",
    banca_place="PB-MED-HAND-03",
    stay="PB-MED-STAY-01",
    irregular="PB-MED-ERR-01",
    natural={"punto": "PB-MED-DRAW-03", "banca": "PB-MED-DRAW-09"},
    punto_draw={None: "PB-MED-DRAW-01", 6: "PB-MED-DRAW-02", 7: "PB-MED-DRAW-02"},
    banca_draw={
        None: "PB-MED-DRAW-08",
        **dict(enumerate(_MED_BANCA)),
        6: "PB-MED-DRAW-08",
        7: "PB-MED-DRAW-08",
    },
    # Row 6-7 for punto says it: «Con 0 hasta 5, el Banco toma una tercera carta».
    banca_after_stand=dict.fromkeys(range(6), "PB-MED-DRAW-02"),
    most_cards="PB-MED-ERR-01",
    values="PB-MED-VAL-01",
    winner="PB-MED-VAL-01",
    closed="PB-MED-BET-01",
    pays=_MED_PAYS,
    pays_at_all=_MED_PAYS,
    takes="PB-MED-SETTLE-01",
    stands="PB-MED-TIE-01",
    losers_first="PB-MED-SETTLE-01",
    commission=frozenset({"banca"}),
    free_after_push=True,
)

_URU_PAYS = {"punto": "PB-URU-COM-01", "banca": "PB-URU-COM-02", "sabot": "PB-URU-COM-03"}
_URU_BANCA = [*["PB-URU-DRAW-02"] * 3, *(f"PB-URU-DRAW-0{total}" for total in range(3, 8))]

_URUGUAY = Articles(
    order="PB-URU-VAL-01",
    stay="PB-URU-STAY-01",
    irregular="PB-URU-ERR-06",
    fallen="PB-URU-FLOOR-01",
    void="PB-URU-VOID-01",
    composition="PB-URU-DECK-01",
    natural=dict.fromkeys(("punto", "banca"), "PB-URU-DRAW-01"),
    # Which row speaks for 5 depends on whether anybody has bet on punto (art. 20).
    punto_draw={None: "PB-URU-DRAW-08", 5: "PB-URU-DRAW-09"},
    banca_draw={None: "PB-URU-DRAW-07", **dict(enumerate(_URU_BANCA))},
    banca_after_stand=dict.fromkeys(range(3, 8), "PB-URU-DRAW-11"),
    most_cards="PB-URU-ERR-06",
    values="PB-URU-VAL-01",
    winner="PB-URU-VAL-01",
    closed="PB-URU-BET-01",
    winner_called="PB-URU-VOICE-01",
    minimum="PB-URU-LIM-01",
    maximum="PB-URU-LIM-01",
    pays=_URU_PAYS,
    pays_at_all=_URU_PAYS,
    takes="PB-URU-SETTLE-01",
    stands="PB-URU-TIE-01",
    losers_first="PB-URU-SETTLE-01",
    line="PB-URU-LINE-01",
    commission=frozenset({"banca", "sabot"}),
)

_ARTICLES = {"andorra_2016": _ANDORRA, "mediterraneo": _MEDITERRANEO, "uruguay_1977": _URUGUAY}


def articles_of(regulation: object, variant: str) -> Articles:
    """The rows of a regulation that are for this kind of table. Raises ProfileError."""
    if not isinstance(regulation, str) or regulation not in _ARTICLES:
        raise ProfileError(f"regulation is {regulation!r}, but must be one of: {', '.join(_ARTICLES)}.")
    every = _ARTICLES[regulation]
    rows = rule_rows()
    others: dict[str, Any] = {
        entry.name: None
        for entry in fields(every)
        if isinstance(row := getattr(every, entry.name), str) and variant not in rows[row].tables
    }
    return replace(every, **others)
