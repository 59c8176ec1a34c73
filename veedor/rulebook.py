"""The rules for people: which there are, what becomes of each at a table, and an example of its breach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any

from datasets.games import SIMULATORS
from datasets.games.base import FaultKind
from datasets.mutants import tables_of
from rules.catalogue import RuleClass, RuleRow, alert_codes, rule_rows
from rules.errors import VeedorError
from rules.findings import Finding, Verdict
from rules.games import GAMES, game_named
from rules.judge import judge
from veedor.choosing import choose_profile, did_you_mean, profile_document, regulation_of

FORMAT = "veedor.rules/1"
_SEEDS = 40
"""So many sessions are tried for one in which a fault can be made."""


@unique
class Status(StrEnum):
    """What becomes of a rule at a table."""

    JUDGED = "judged"
    """From what cameras see, and the settings that are there."""
    SETTING = "needs setting"
    """Judged once the table's profile says what is open."""
    CUE = "needs cue"
    """Judged where somebody tells what cameras cannot see."""
    PERMISSION = "permits"
    """It allows something and cannot be broken."""
    OUT = "out of reach"
    """Not for cameras: staff, papers, rulings."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule and what becomes of it."""

    row: RuleRow
    status: Status

    def as_json(self) -> dict[str, Any]:
        """One entry under ``rules``."""
        row = self.row
        return {
            "id": row.id,
            "game": row.game,
            "regulation": row.regulation,
            "article": row.article,
            "quote": row.quote,
            "rule": row.rule,
            "class": row.rule_class.value,
            "status": self.status.value,
            "codes": list(row.codes),
            "needs": row.needs,
            "resolution": row.resolution,
            "variants": list(row.tables),
            "standard": row.standard,
        }


@dataclass(frozen=True, slots=True)
class Example:
    """A breach of a rule: the kind of fault, the table, and the finding that it gave."""

    kind: FaultKind
    profile: str
    finding: Finding


def entries(game: str | None = None, profile: str | None = None, variant: str | None = None) -> list[Entry]:
    """The rules: all, one game's, or those of one profile's tables with its settings taken into account.

    Raises VeedorError for a game, a profile or a variant that there is not.
    """
    if game is not None:
        _known_game(game)
    if profile is None:
        rows = [
            row for row in rule_rows().values() if game is None or row.game == game or _of_house(row, game)
        ]
        return [Entry(row, status_of(row, None)) for row in rows]
    found: list[Entry] = []
    for name in (game,) if game is not None else _games_with(profile):
        document = profile_document(name, profile)
        regulation = regulation_of(name, document)
        table = choose_profile(name, profile, variant)
        open_rules = frozenset(question.rule for question in game_named(name).questions(table, ()))
        for row in rule_rows().values():
            ours = _of_house(row, name) or (row.game == name and row.regulation == regulation)
            if ours and not (variant and row.tables and variant not in row.tables):
                found.append(Entry(row, status_of(row, open_rules)))
    return list({entry.row.id: entry for entry in found}.values())


def _of_house(row: RuleRow, game: str) -> bool:
    """Whether a house's own rule is for tables of this game."""
    kinds = {kind for other in rule_rows().values() if other.game == game for kind in other.tables}
    return row.game == "house" and not kinds.isdisjoint(row.tables)


def _known_game(game: str) -> None:
    known = list(dict.fromkeys([*GAMES, *(row.game for row in rule_rows().values() if row.game != "house")]))
    if game not in known:
        raise did_you_mean("game", game, known)


def _games_with(profile: str) -> Iterator[str]:
    found = False
    for game in GAMES:
        try:
            profile_document(game, profile)
        except VeedorError:
            continue
        found = True
        yield game
    if not found:
        raise VeedorError(
            f"No game has a profile {profile!r}. Name its game too (--game) to see its profiles."
        )


def status_of(row: RuleRow, open_rules: frozenset[str] | None) -> Status:
    """What becomes of a rule; ``open_rules``: what a table leaves open, None for no table."""
    if row.rule_class is RuleClass.C:
        return Status.OUT
    if not row.codes:
        return Status.PERMISSION
    if row.rule_class is RuleClass.A or (open_rules is not None and row.id not in open_rules):
        return Status.JUDGED
    return Status.CUE if "cue" in (row.needs or "") else Status.SETTING


def rule_named(name: str) -> RuleRow:
    """A rule by its id. Raises VeedorError, naming the nearest right one."""
    rows = rule_rows()
    row = rows.get(name) or rows.get(name.upper())
    if row is None:
        raise did_you_mean("rule", name, rows)
    return row


def example_of(rule: str) -> Example | None:
    """A breach of a rule, made by the simulator and found by the judge; None if none can be made."""
    for simulator in SIMULATORS.values():
        for kind in simulator.kinds.values():
            if kind.rule != rule:
                continue
            tables = tables_of(simulator.game, kind)
            for seed in range(_SEEDS):
                table = tables[seed % len(tables)]
                try:
                    session = simulator.play(table, seed, kind.rounds, {kind.rounds: kind.name})
                except ValueError:
                    continue
                for finding in judge(session.events, table).findings:
                    if finding.rule == rule and finding.verdict is Verdict.BREACH:
                        return Example(kind, table.title, finding)
    return None


def as_json(found: list[Entry]) -> dict[str, Any]:
    """The rules as one document."""
    return {"format": FORMAT, "rules": [entry.as_json() for entry in found]}


def explained_as_json(row: RuleRow, example: Example | None) -> dict[str, Any]:
    """One rule as one document, with its codes' meanings and its example."""
    codes = alert_codes()
    rule = Entry(row, status_of(row, None)).as_json()
    rule["codes"] = [
        {
            "code": code,
            "severity": None if (severity := codes[code].severity) is None else severity.value,
            "meaning": codes[code].meaning,
        }
        for code in row.codes
    ]
    rule["example"] = (
        None
        if example is None
        else {
            "error": example.kind.name,
            "profile": example.profile,
            "finding": example.finding.as_json(),
        }
    )
    return {"format": FORMAT, "rule": rule}
