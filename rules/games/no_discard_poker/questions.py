"""What settings and cameras leave open at this table, said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import CardTurned, Cue, Event, Owner
from rules.findings import OpenQuestion
from rules.games.no_discard_poker.profile import GAME, PokerProfile

_BY_CUE: dict[str, frozenset[str]] = {"NP-INFO-02": frozenset({"comment", "advice"})}


def open_questions(profile: PokerProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rows of this table that nothing in its settings or its journal can decide."""
    seen: set[str] = set()
    for event in events:
        if isinstance(event, Cue):
            seen.add(event.cue)
        elif isinstance(event, CardTurned) and event.hand and event.hand.owner is not Owner.UNKNOWN:
            seen.add("#hands")
    questions = []
    for row in rule_rows().values():
        if row.game == GAME and row.codes and (reason := _open(row, profile, seen)) is not None:
            questions.append(OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited))
    return tuple(questions)


def _open(row: RuleRow, profile: PokerProfile, seen: set[str]) -> str | None:
    """Why a row cannot be judged at all here, None if it can."""
    if row.rule_class is RuleClass.A:
        if row.id == "NP-INFO-01" and "#hands" not in seen:
            return "whose hands turned the cards was not seen"
        return None
    if row.rule_class is RuleClass.C:
        return None
    if row.id in _BY_CUE:
        told = _BY_CUE[row.id] & (seen | profile.cues)
        return None if told else f"not judged without {row.needs}"
    limits = profile.minimum is not None and profile.maximum is not None
    known = {
        "NP-TABLE-01": profile.spaces is not None,
        "NP-BOX-01": profile.boxes is not None,
        "NP-BOX-02": profile.bets_per_box is not None,
        "NP-BOX-03": profile.blind_bets is not None and "blind_bet" in seen | profile.cues,
        "NP-LIM-01": limits,
        "NP-LIM-02": limits,
        "NP-INS-01": profile.minimum is not None,
        "NP-PROG-02": profile.minimum is not None and bool(profile.prizes),
        "NP-DISC-01": profile.exchange is not None,
        "NP-VOID-02": bool({"#hands", "information"} & (seen | profile.cues)),
    }
    return None if known.get(row.id, True) else f"not judged without {row.needs}"
