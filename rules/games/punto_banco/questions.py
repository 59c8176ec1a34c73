"""What a table's cameras and settings leave open: said once a session, not once a coup."""

from __future__ import annotations

from collections.abc import Iterable

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import CardCleared, CardPlaced, CardTurned, Event, Owner
from rules.findings import OpenQuestion
from rules.games.punto_banco.profile import PuntoBancoProfile


def open_questions(profile: PuntoBancoProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rules of this table that nothing in its settings or its journal can decide."""
    hands = discards = False
    for event in events:
        if isinstance(event, CardPlaced | CardTurned | CardCleared):
            hands |= event.hand is not None and event.hand.owner is not Owner.UNKNOWN
        if isinstance(event, CardCleared):
            discards |= event.to_spot is not None
    articles, configured = profile.articles, _configured(profile)
    questions = []
    for row in rows_of(profile):
        if not row.codes:
            continue
        if row.rule_class is RuleClass.B and row.id not in configured:
            questions.append(_question(row, f"not judged without {row.needs}"))
        elif row.id == articles.no_touching and not hands:
            questions.append(_question(row, "whose hands were on the cards was not seen"))
        elif row.id == articles.discards and not discards:
            questions.append(_question(row, "where the used cards went was not seen"))
    return tuple(questions)


def _question(row: RuleRow, reason: str) -> OpenQuestion:
    return OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited)


def rows_of(profile: PuntoBancoProfile) -> tuple[RuleRow, ...]:
    """The rows for this table: its regulation's, and those of no regulation."""
    return tuple(
        row
        for row in rule_rows().values()
        if profile.variant in row.tables
        and ((row.game == "punto_banco" and row.regulation == profile.regulation) or row.game == "house")
    )


def _configured(profile: PuntoBancoProfile) -> frozenset[str]:
    """Class B rules that the profile's settings make judgeable."""
    articles, limits = profile.articles, profile.limits
    known = {
        articles.seats: profile.seats is not None,
        articles.bets_in_box: limits.bets_per_box is not None,
        articles.tie_maximum: limits.tie_maximum is not None,
        articles.minimum: limits.minimum is not None,
        articles.maximum: limits.maximum is not None,
        articles.multiples: limits.multiples_of_minimum is not None,
    }
    return frozenset(rule for rule, is_known in known.items() if is_known and rule is not None)
