"""Scoring the judge on mutants: for each rule, the errors made against it and how many of them it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.table import Table

from datasets.games import SIMULATORS
from datasets.mutants import EACH, Mutants, mutants_of, rules_to_break
from veedor.score.tally import Disagreement, Rate, SourceScore


@dataclass(slots=True)
class RuleMutants:
    """The mutants that break one rule."""

    rule: str
    rule_class: str
    kinds: list[Mutants] = field(default_factory=list)

    @property
    def caught(self) -> Rate:
        """Mutants whose finding was there."""
        return Rate(sum(kind.caught for kind in self.kinds), sum(kind.made for kind in self.kinds))

    @property
    def alone(self) -> Rate:
        """Mutants whose finding was there, and nothing but its lawful consequences."""
        return Rate(sum(kind.alone for kind in self.kinds), sum(kind.made for kind in self.kinds))

    def as_json(self) -> dict[str, Any]:
        """The rule's entry in the score file."""
        return {
            "class": self.rule_class,
            "made": self.caught.n,
            "caught": self.caught.right,
            "alone": self.alone.right,
            "kinds": [kind.kind.name for kind in self.kinds],
        }


@dataclass(frozen=True, slots=True)
class GameMutants:
    """One game's mutants by rule: every rule that can be broken before a camera, in the catalogue's order."""

    game: str
    rules: tuple[RuleMutants, ...]

    @property
    def without(self) -> list[str]:
        """The rules that no mutant breaks."""
        return [rule.rule for rule in self.rules if not rule.caught.n]

    def score(self) -> SourceScore:
        """The game's source in the score file."""
        kinds = [kind for rule in self.rules for kind in rule.kinds]
        made = sum(kind.made for kind in kinds)
        score = SourceScore(f"mutants {self.game}", made)
        score.measures = {
            "mutants_caught": Rate(sum(kind.caught for kind in kinds), made),
            "mutants_caught_alone": Rate(sum(kind.alone for kind in kinds), made),
            "rules_with_mutants": Rate(len(self.rules) - len(self.without), len(self.rules)),
        }
        if self.without:
            score.notes.append(f"no mutant breaks {len(self.without)} rules: {', '.join(self.without)}")
        for kind in kinds:
            if not kind.made:
                score.notes.append(f"{kind.kind.name}: no session was found in which it can be made")
            if kind.first_miss is not None:
                wanted = f"{kind.kind.code} {kind.kind.rule} alone"
                item = f"{kind.kind.name} ({kind.alone} of {kind.made})"
                score.disagreements.append(Disagreement(score.name, item, wanted, kind.first_miss, 5.0))
        return score

    def as_json(self) -> dict[str, Any]:
        """The game's entry under ``mutants`` in the score file."""
        return {rule.rule: rule.as_json() for rule in self.rules}


def score_mutants(
    each: int = EACH, progress: Callable[[str], None] = lambda _: None, games: Sequence[str] | None = None
) -> list[GameMutants]:
    """Make ``each`` mutants of every kind of every game, and judge them."""
    found: list[GameMutants] = []
    for game, simulator in SIMULATORS.items():
        if games is not None and game not in games:
            continue
        rules = {row.id: RuleMutants(row.id, row.rule_class.value) for row in rules_to_break(game)}
        for mutants in mutants_of(simulator, each, progress):
            rules[mutants.kind.rule].kinds.append(mutants)
        found.append(GameMutants(game, tuple(rules.values())))
    return found


def table(found: Sequence[GameMutants]) -> Table:
    """Rule by rule: mutants made, caught, and caught with nothing else."""
    shown = Table(title="rule x mutants caught", title_justify="left")
    for heading in ("rule", "class", "mutants", "caught", "alone", "kinds"):
        shown.add_column(heading, justify="right" if heading in ("mutants", "caught", "alone") else "left")
    for game in found:
        shown.add_section()
        for rule in game.rules:
            caught, alone = rule.caught, rule.alone
            style = "dim" if not caught.n else "red" if caught.right < caught.n else ""
            shown.add_row(
                rule.rule,
                rule.rule_class,
                str(caught.n or "-"),
                str(caught.right) if caught.n else "-",
                str(alone.right) if caught.n else "-",
                ", ".join(kind.kind.name for kind in rule.kinds),
                style=style,
            )
    return shown
