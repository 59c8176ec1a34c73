"""What settings and cameras leave open at this table, said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import CardCleared, CardPlaced, CardTurned, ChipMove, ChipState, Cue, Event, Owner
from rules.findings import OpenQuestion
from rules.games.banque_deux_tableaux.profile import GAME, BanqueProfile, Mode

_BY_CUE: dict[str, frozenset[str]] = {
    "BT-PRIO-01": frozenset({"bet_preferred"}),
    "BT-PRIO-02": frozenset({"banco"}),
    "BT-BANK-01": frozenset({"equal_bids"}),
    "BT-BANK-03": frozenset({"banker_withdrew"}),
    "BT-BANK-05": frozenset({"bank_abandoned", "bank_auctioned"}),
    "BT-BANCO-01": frozenset({"banco"}),
    "BT-ASSOC-01": frozenset({"partnership"}),
    "BT-DRAW-02": frozenset({"rules_asked"}),
    "BT-END-01": frozenset({"check_asked"}),
    "BT-ERR-04": frozenset({"says"}),
    "BT-ERR-06": frozenset({"says"}),
    "BT-ERR-10": frozenset({"error_by"}),
    "BT-ERR-11": frozenset({"says"}),
    "BT-ERR-13": frozenset({"says"}),
    "BT-ERR-14": frozenset({"says"}),
    "BT-ERR-15": frozenset({"says"}),
    "BT-ERR-16": frozenset({"says"}),
    "BT-ERR-17": frozenset({"says"}),
    "BT-ERR-18": frozenset({"advice"}),
    "BT-ERR-20": frozenset({"points_said"}),
    "BT-ERR-21": frozenset({"claim"}),
}
"""Class B rows that are judged when one of these cues is told, and that the table is open about while none
is."""

_FROM_THE_JOURNAL = frozenset({"BT-ERR-03", "BT-ERR-05", "BT-ERR-12", "BT-MIN-01", "BT-DRAW-01"})
"""Class B rows that say coup by coup what they lack."""


def open_questions(profile: BanqueProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rows of this table that nothing in its settings or its journal can decide."""
    seen: set[str] = set()
    for event in events:
        match event:
            case Cue():
                seen.add(event.cue)
            case CardPlaced() | CardTurned() | CardCleared():
                if event.hand is not None and event.hand.owner is not Owner.UNKNOWN:
                    seen.add("#hands")
                if isinstance(event, CardCleared) and event.to_spot is not None:
                    seen.add("#discards")
            case ChipState():
                seen.add(f"#{event.spot}")
            case ChipMove():
                seen.add(f"#{event.to_spot}")
            case _:
                pass
    questions = []
    for row in rule_rows().values():
        if row.game == GAME and row.codes and (reason := _open(row, profile, seen)) is not None:
            questions.append(OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited))
    return tuple(questions)


def _open(row: RuleRow, profile: BanqueProfile, seen: set[str]) -> str | None:
    """Why a row cannot be judged at all here, None if it can."""
    if row.rule_class is RuleClass.A:
        if row.id == "BT-DEAL-02" and "#hands" not in seen:
            return "whose hands were on the cards was not seen"
        if row.id == "BT-TABLE-02" and "#discards" not in seen:
            return "where the used cards went was not seen"
        if row.id in ("BT-BANK-04", "BT-BANK-06") and "#bank" not in seen:
            return "the bank was never in view"
        return None
    if row.rule_class is RuleClass.C or row.id in _FROM_THE_JOURNAL:
        return None
    if row.id in _BY_CUE:
        told = _BY_CUE[row.id] & (seen | profile.cues)
        return None if told else f"not judged without {row.needs}"
    bank, limits = profile.bank, profile.limits
    known = {
        "BT-MODE-01": bank.mode is Mode.OPEN or (bank.mode is not None and "#bank" in seen),
        "BT-MODE-02": bank.maximum is not None,
        "BT-LIM-02": bank.minimum is not None,
        "BT-LIM-01": limits.minimum is not None and limits.maximum is not None,
        "BT-LINE-03": limits.unit is not None,
        "BT-TABLE-01": profile.departments is not None,
        "BT-HAND-01": profile.departments is not None,
        "BT-COM-01": bank.rate is not None and bool({"#bank", "#cagnotte"} & seen),
    }
    return None if known.get(row.id, True) else f"not judged without {row.needs}"
