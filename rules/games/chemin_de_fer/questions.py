"""What a table's settings and what is told at it leave open: said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import (
    CardCleared,
    CardPlaced,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    Event,
    HandContact,
    MarkerSeen,
    Owner,
)
from rules.findings import OpenQuestion
from rules.games.chemin_de_fer.profile import CheminDeFerProfile

_BY_CUE: dict[str, tuple[str, ...]] = {
    "CF-MODE-01": ("mode_announced",),
    "CF-PRIO-01": ("claim",),
    "CF-SEAT-02": ("seat_changed",),
    "CF-SEAT-05": ("bank_refused",),
    "CF-SEAT-06": ("moved_after_hand",),
    "CF-BANK-01": ("bank_refused", "game_begins"),
    "CF-BANK-02": ("partner",),
    "CF-BANK-04": ("bank_passed",),
    "CF-BANK-05": ("bank_offered",),
    "CF-BANK-06": ("bank_bid",),
    "CF-BANK-07": ("bank_bid",),
    "CF-BANK-08": ("bank_awarded",),
    "CF-BANK-09": ("bank_awarded",),
    "CF-BANK-10": ("cards_claimed",),
    "CF-BANK-11": ("bank_bid",),
    "CF-BANK-12": ("bank_untaken",),
    "CF-BANK-13": ("bank_awarded",),
    "CF-BANK-14": ("bank_awarded",),
    "CF-GAR-01": ("garage",),
    "CF-GAR-02": ("garage",),
    "CF-GAR-03": ("garage_asked",),
    "CF-DRAW-05": ("advice",),
    "CF-DRAW-06": ("rules_asked",),
    "CF-ABON-01": ("difference_called",),
    "CF-ABON-02": ("abonament_shared",),
    "CF-MIN-01": ("players",),
    "CF-SHUF-01": ("cards_shuffled",),
    "CF-SHUF-02": ("cards_cut",),
    "CF-PRIO-02": ("banco_asked",),
    "CF-PRIO-03": ("with_the_table",),
    "CF-PRIO-04": ("with_the_table",),
    "CF-PRIO-05": ("banco", "with_the_table"),
    "CF-PRIO-06": ("bet_shared",),
    "CF-PRIO-07": ("banco",),
    "CF-PRIO-08": ("followed_banco",),
    "CF-PRIO-09": ("followed_banco",),
    "CF-PRIO-10": ("followed_banco",),
    "CF-PRIO-11": ("followed_banco",),
    "CF-DEAL-02": ("no_more_bets",),
    "CF-BET-03": ("removal_asked",),
    "CF-PAY-02": ("winnings_excluded",),
    "CF-END-01": ("new_shoe",),
    "CF-END-02": ("check_asked",),
    "CF-ERR-03": ("card_picked_up",),
    "CF-ERR-05": ("ruling", "coup_void"),
    "CF-ERR-06": ("card_called",),
    "CF-ERR-07": ("punto_says",),
    "CF-ERR-12": ("punto_says",),
    "CF-ERR-15": ("complaint_upheld",),
    "CF-ERR-17": ("advice_by_player",),
    "CF-ERR-18": ("punto_says",),
    "CF-ERR-19": ("punto_says",),
    "CF-ERR-20": ("punto_misspoke",),
    "CF-LINE-02": ("stake_announced",),
}
"""Class B rows that are open as long as none of these cues is told, nor listed among those told here."""


def open_questions(profile: CheminDeFerProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rules of this table that nothing in its settings or its journal can decide."""
    told: set[str] = set(profile.cues)
    bank = slot = hands = shoe = cards = False
    for event in events:
        if isinstance(event, Cue):
            told.add(event.cue)
        elif isinstance(event, ChipState):
            bank |= event.spot == "bank"
            slot |= event.spot == "cagnotte"
        elif isinstance(event, ChipMove):
            slot |= event.to_spot == "cagnotte"
        elif isinstance(event, HandContact):
            hands = True
        elif isinstance(event, MarkerSeen):
            shoe |= event.marker == "shoe"
        elif isinstance(event, CardPlaced | CardTurned | CardCleared):
            cards |= event.hand is not None and event.hand.owner is not Owner.UNKNOWN
    open_rows = {
        **{rule: not told.intersection(cues) for rule, cues in _BY_CUE.items()},
        "CF-TABLE-02": profile.numbered_right is None,
        "CF-LIM-01": profile.limits.minimum is None,
        "CF-LIM-03": profile.limits.minimum is None,
        "CF-DRAW-03": profile.free_banco is None,
    }
    unseen = {
        "CF-BET-01": (bank, "the bank's place was never in view"),
        "CF-LIM-02": (bank, "the bank's place was never in view"),
        "CF-COM-01": (bank or slot, "neither the slot nor the bank was ever in view"),
        "CF-DEALER-02": (bank and hands, "whose hands were on the bank was not seen"),
        "CF-DEALER-01": (cards or hands, "whose hands were on the cards was not seen"),
        "CF-BANK-03": (shoe, "whose the shoe is was not seen"),
        "CF-ERR-16": (hands, "how long hands were on the cards was not seen"),
        "CF-BET-04": (hands, "whether hands were on the stakes was not seen"),
    }
    questions = []
    for row in rule_rows().values():
        if row.game != "chemin_de_fer":
            continue
        if row.rule_class is RuleClass.B and open_rows.get(row.id, False):
            questions.append(_question(row, f"not judged without {row.needs}"))
        elif row.id in unseen and not unseen[row.id][0]:
            questions.append(_question(row, unseen[row.id][1]))
    return tuple(questions)


def _question(row: RuleRow, reason: str) -> OpenQuestion:
    return OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited)
