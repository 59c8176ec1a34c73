"""What settings and cameras leave open at this table, said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import CardCleared, CardPlaced, ChipState, Cue, Event, MarkerSeen, Owner
from rules.findings import OpenQuestion
from rules.games.trente_et_quarante.profile import GAME, TrenteProfile


def open_questions(profile: TrenteProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rows of this table that nothing in its settings or its journal can decide."""
    seen: set[str] = set()
    for event in events:
        match event:
            case Cue():
                seen.add(event.cue)
            case MarkerSeen():
                seen.add(f"#{event.marker}")
            case CardPlaced() | ChipState():
                if (
                    event.hand is not None
                    and event.hand.owner is Owner.DEALER
                    and event.hand.side is not None
                ):
                    seen.add(f"#side {event.kind}")
            case CardCleared() if event.to_spot is not None:
                seen.add("#discards")
            case _:
                pass
    questions = []
    for row in rule_rows().values():
        if row.game == GAME and row.codes and (reason := _open(row, profile, seen)) is not None:
            questions.append(OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited))
    return tuple(questions)


def _open(row: RuleRow, profile: TrenteProfile, seen: set[str]) -> str | None:
    """Why a row cannot be judged at all here, None if it can."""
    if row.rule_class is RuleClass.C:
        return None
    if row.id == "TQ-TABLE-02":
        return None if "#discards" in seen else "where the used cards went was not seen"
    told = seen | profile.cues
    known = {
        "TQ-TABLE-01": profile.areas is not None,
        "TQ-STAFF-02": {"#side card_placed", "#side chip_state"} <= seen,
        "TQ-INS-01": "premium" in told or "#insurance" not in seen,
        "TQ-LIM-01": profile.minimum is not None,
        "TQ-SHUF-01": "cards_cut" in told,
        "TQ-CALL-01": {"row_announced", "chances_announced"} <= profile.cues,
    }
    return None if known.get(row.id, True) else f"not judged without {row.needs}"
