"""What a table's cameras and settings leave open: said once a session, not once a coup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.events import CardCleared, CardMoved, CardPlaced, CardTurned, Cue, Event, MarkerSeen, Owner
from rules.findings import OpenQuestion
from rules.games.punto_banco import uruguay_questions
from rules.games.punto_banco.profile import PuntoBancoProfile

_CARD_EVENTS = (CardPlaced, CardTurned, CardMoved, CardCleared)


@dataclass(slots=True)
class _Seen:
    """What a journal told at all: whose hands were on cards, where used cards went, where the shoe stood and
    who put it there, cues by name."""

    hands: bool = False
    discards: bool = False
    shoe: bool = False
    carrier: bool = False
    cues: frozenset[str] = frozenset()


def open_questions(profile: PuntoBancoProfile, events: Iterable[Event]) -> tuple[OpenQuestion, ...]:
    """The rules of this table that nothing in its settings or its journal can decide."""
    told = list(events)
    seen = _look(told)
    unseen = _unseen(profile, seen) | uruguay_questions.unseen(profile, told, seen.hands)
    configured = _configured(profile, seen) | uruguay_questions.configured(profile, seen.cues)
    questions = []
    for row in rows_of(profile):
        if not row.codes:
            continue
        if row.rule_class is RuleClass.B and row.id not in configured:
            questions.append(_question(row, f"not judged without {row.needs}"))
        elif row.id in unseen:
            questions.append(_question(row, unseen[row.id]))
    return tuple(questions)


def rows_of(profile: PuntoBancoProfile) -> tuple[RuleRow, ...]:
    """The rows for this table: its regulation's, and those of no regulation."""
    return tuple(
        row
        for row in rule_rows().values()
        if profile.variant in row.tables
        and ((row.game == "punto_banco" and row.regulation == profile.regulation) or row.game == "house")
    )


def _look(events: Iterable[Event]) -> _Seen:
    seen = _Seen()
    cues = set()
    for event in events:
        if isinstance(event, _CARD_EVENTS):
            seen.hands |= event.hand is not None and event.hand.owner is not Owner.UNKNOWN
        if isinstance(event, CardCleared):
            seen.discards |= event.to_spot is not None
        elif isinstance(event, MarkerSeen) and event.marker == "shoe":
            seen.shoe = True
            seen.carrier |= event.hand is not None and event.hand.owner is not Owner.UNKNOWN
        elif isinstance(event, Cue):
            cues.add(event.cue)
    seen.cues = frozenset(cues)
    return seen


def _question(row: RuleRow, reason: str) -> OpenQuestion:
    return OpenQuestion(rule=row.id, code=row.codes[0], reason=reason, article=row.cited)


def _unseen(profile: PuntoBancoProfile, seen: _Seen) -> dict[str, str]:
    """Class A rules of which the cameras told nothing, and what was missing."""
    articles = profile.articles
    hands = "whose hands were on the cards was not seen"
    shoe = "where the shoe stands was not seen"
    reasons = {
        articles.no_touching: None if seen.hands else hands,
        articles.punto_player: None if seen.hands else hands,
        articles.punto_nobody: None if seen.hands else hands,
        articles.punto_touch: None if seen.hands else hands,
        articles.banca_player: None if seen.hands and seen.shoe else (shoe if seen.hands else hands),
        articles.discards: None if seen.discards else "where the used cards went was not seen",
        articles.shoe_kept: None if seen.shoe else shoe,
        articles.shoe_carrier: None if seen.carrier else "whose hands moved the shoe was not seen",
    }
    return {rule: why for rule, why in reasons.items() if rule is not None and why is not None}


def _configured(profile: PuntoBancoProfile, seen: _Seen) -> frozenset[str]:
    """Class B rules that the profile's settings, or the journal's cues, make judgeable."""
    if profile.uruguay is not None:
        return frozenset()  # its own module says it
    articles, limits, cues = profile.articles, profile.limits, profile.cues
    known = {
        articles.seats: profile.seats is not None,
        articles.bets_in_box: limits.bets_per_box is not None,
        articles.tie_maximum: limits.tie_maximum is not None,
        articles.minimum: limits.minimum is not None,
        articles.maximum: limits.maximum is not None,
        articles.multiples: limits.multiples_of_minimum is not None,
        articles.admitted: profile.standing_players is not None,
        articles.dealer_side: profile.dealer_sides is not None,
        articles.tips: "tip" in seen.cues,
        articles.shoe_turn: "shoe_declined" in cues and seen.shoe,
        articles.prepared: bool(cues & {"cards_counted", "cards_shuffled", "cards_cut"}),
        articles.cut_depth: "new_shoe" in seen.cues,
        articles.close_called: "no_more_bets" in cues,
        articles.winner_called: {"game_announced", "winner_announced"} <= cues,
        articles.draws_called: {"punto_announced", "banca_announced"} <= cues,
        articles.irregular: True,
    }
    return frozenset(rule for rule, is_known in known.items() if is_known and rule is not None)
