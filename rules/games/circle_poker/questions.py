"""What settings and cameras leave open at this table, said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import ChipMove, ChipState, Cue, Event, MarkerSeen
from rules.findings import OpenQuestion
from rules.games.circle_poker.profile import GAME, CirclePokerProfile

_BY_CUE: dict[str, frozenset[str]] = {
    "CP-DUR-01": frozenset({"session_end"}),
    "CP-SEAT-02": frozenset({"rest_asked"}),
    "CP-PROH-01": frozenset({"player_away"}),
    "CP-LIM-03": frozenset({"limit_changed"}),
    "CP-MIN-01": frozenset({"players"}),
    "CP-SHUF-01": frozenset({"cards_shuffled"}),
    "CP-SHUF-02": frozenset({"cards_shuffled", "cards_cut"}),
    "CP-DEALER-01": frozenset({"tip", "#cagnotte"}),
    "TX-SEAT-03": frozenset({"seat_changed"}),
    "TX-BAL-01": frozenset({"table_change"}),
    "TX-SEAT-05": frozenset({"table_changer"}),
    "TX-STACK-01": frozenset({"came_from_table"}),
    "TX-STACK-02": frozenset({"player_returned"}),
    "TX-AWAY-01": frozenset({"away_started"}),
    "TX-AWAY-02": frozenset({"away_started"}),
    "TX-CLOCK-01": frozenset({"clock_called"}),
    "TX-CLOCK-02": frozenset({"clock_called"}),
    "TX-END-01": frozenset({"last_hands"}),
}
"""Rows that are judged when one of these is told (or, with #, seen), and open while none is."""


def open_questions(profile: CirclePokerProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rows of this table that nothing in its settings or its journal can decide."""
    seen: set[str] = set()
    for event in events:
        match event:
            case Cue():
                seen.add(event.cue)
            case MarkerSeen():
                seen.add(f"#{event.marker}")
            case ChipState():
                seen.add("#stack" if event.spot.endswith(" stack") else f"#{event.spot}")
            case ChipMove():
                seen.add(f"#{event.to_spot}")
            case _:
                pass
    questions = []
    for row in rule_rows().values():
        if row.game != GAME or not profile.holds(row.id) or row.rule_class is RuleClass.C:
            continue
        if (reason := _open(row, profile, seen)) is not None:
            questions.append(OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited))
    return tuple(questions)


def _open(row: RuleRow, profile: CirclePokerProfile, seen: set[str]) -> str | None:
    """Why a row cannot be judged at all here, None if it can."""
    if row.id in ("CP-BUT-01", "CP-DEALER-02", "CP-BET-02") and "#button" not in seen:
        return "the marker was never seen, so whose turn it was is not known"
    if row.id == "TX-BUY-01" and "#stack" not in seen:
        return "the chips that players keep were never in view"
    if row.id == "CP-CUT-01" and "cards_shuffled" not in profile.cues:
        return "whether the pack was shuffled again is not told here (the cue cards_shuffled)"
    if row.rule_class is RuleClass.A:
        return None
    if row.id in _BY_CUE:
        told = _BY_CUE[row.id] & (seen | profile.cues)
        return None if told else f"not judged without {row.needs}"
    limits, rake = profile.limits, profile.rake
    known = {
        "CP-RAKE-01": rake.option == "time" or (rake.option is not None and rake.rate is not None),
        "CP-RANK-08": bool(profile.figures),
        "CP-LIM-01": limits.minimum is not None or limits.maximum is not None,
        "CP-LIM-02": limits.kind is not None,
        "CP-DEAL-01": profile.ante is not None,
        "CP-DEAL-02": "#button" in seen,
        "CP-RAISE-01": limits.raises is not None,
        "TX-STACK-04": profile.big_blind is not None,
        "TX-BLIND-01": profile.big_blind is not None,
        "TX-STD-02": profile.big_blind is not None and "#button" in seen,
        "TX-BUY-02": "#stack" in seen,
        "TX-STACK-03": "#stack" in seen,
    }
    return None if known.get(row.id, True) else f"not judged without {row.needs}"
