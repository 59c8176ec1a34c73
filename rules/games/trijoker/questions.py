"""What settings and cues leave open at this table, said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import Cue, Event
from rules.findings import OpenQuestion
from rules.games.trijoker.profile import GAME, TrijokerProfile

_BY_CUE: dict[str, frozenset[str]] = {
    "TJ-BOX-01": frozenset({"players", "same_person"}),
    "TJ-BOX-02": frozenset({"standing_bet"}),
    "TJ-END-02": frozenset({"last_hands", "session_end"}),
    "TJ-INFO-02": frozenset({"information", "advice", "cards_shown"}),
}
"""Class B rows that are judged when one of these cues is told, and that the table is open about while none
is."""


def open_questions(profile: TrijokerProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rows of this table that nothing in its settings or its journal can decide."""
    told = {event.cue for event in events if isinstance(event, Cue)} | profile.cues
    return tuple(
        OpenQuestion(
            rule=row.id, code=row.codes[0], reason=f"not judged without {row.needs}", article=row.cited
        )
        for row in rule_rows().values()
        if row.game == GAME and row.rule_class is RuleClass.B and _open(row, profile, told)
    )


def _open(row: RuleRow, profile: TrijokerProfile, told: set[str]) -> bool:
    """Whether a row cannot be judged at all here."""
    if row.id in _BY_CUE:
        return not _BY_CUE[row.id] & told
    limits = profile.limits
    known = {
        "TJ-LIM-01": limits.minimum is not None and limits.maximum is not None,
        "TJ-LIM-02": limits.minimum is not None and limits.maximum is not None,
        "TJ-LIM-03": limits.low is not None and limits.high is not None,
    }
    return not known.get(row.id, True)
