"""Mutants of clean play: each kind of error put into simulated rounds; does the judge find just that?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from datasets.games import SIMULATORS
from datasets.games.base import Fault, FaultKind, Simulator
from rules.catalogue import RuleClass, RuleRow, rule_rows
from rules.findings import Finding, Verdict
from rules.judge import judge
from rules.profile_document import Profile, resolve
from rules.profiles import load_profile

EACH = 5
"""Mutants of each kind."""
_SEEDS = 60
"""So many sessions are tried for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutants:
    """The mutants of one kind: ``made``; ``caught``: the error's finding is there; ``alone``: and no other
    BREACH but its lawful consequences. ``first_miss``: seed and findings of the first that was not."""

    game: str
    kind: FaultKind
    made: int
    caught: int
    alone: int
    first_miss: str | None = None


def mutants_of(
    simulator: Simulator, each: int = EACH, progress: Callable[[str], None] = lambda _: None
) -> Iterator[Mutants]:
    """Make and judge mutants of every kind that a game's simulator knows."""
    for kind in simulator.kinds.values():
        progress(f"{simulator.game} {kind.name}")
        yield _tried(simulator, kind, each)


def _tried(simulator: Simulator, kind: FaultKind, each: int) -> Mutants:
    tables = tables_of(simulator.game, kind)
    made = caught = alone = 0
    miss: str | None = None
    for seed in range(_SEEDS):
        if made == each:
            break
        table = tables[seed % len(tables)]
        try:
            session = simulator.play(table, seed, kind.rounds, {kind.rounds: kind.name})
        except ValueError:
            continue
        made += 1
        found = [f for f in judge(session.events, table).findings if f.verdict is Verdict.BREACH]
        (fault,) = session.faults
        named = [f for f in found if _is(f, fault)]
        others = [f for f in found if not _is(f, fault) and f.code not in kind.lawful]
        caught += bool(named)
        alone += bool(named) and not others
        if miss is None and (not named or others):
            said = ", ".join(f"{f.code} {f.rule} {f.spot or ''}".strip() for f in found) or "nothing"
            miss = f"seed {seed}: {said}"
    return Mutants(game=simulator.game, kind=kind, made=made, caught=caught, alone=alone, first_miss=miss)


def _is(finding: Finding, fault: Fault) -> bool:
    """Whether a finding is the one that a fault must give."""
    same = (finding.coup, finding.rule, finding.code) == (fault.coup, fault.kind.rule, fault.kind.code)
    return same and (fault.spot is None or str(finding.spot) == fault.spot)


def tables_of(game: str, kind: FaultKind) -> tuple[Profile, ...]:
    """The tables at which a kind of error is judged: all variants of its profile, unless it names one."""
    document = resolve({"profile": kind.profile, "extends": kind.profile, "game": game}, game)
    variants = (kind.variant,) if kind.variant is not None else tuple(document.get("variants") or (None,))
    return tuple(load_profile(kind.profile, variant, kind.house, game) for variant in variants)


def rules_to_break(game: str) -> list[RuleRow]:
    """The rules of a game that can be broken before a camera: those of class A, and of class B; and those of
    the house's own that its simulator breaks."""
    broken = {kind.rule for kind in SIMULATORS[game].kinds.values()}
    return [
        row
        for row in rule_rows().values()
        if row.rule_class is not RuleClass.C and row.codes and (row.game == game or row.id in broken)
    ]


def kinds_in_all() -> int:
    """How many kinds of error there are."""
    return sum(len(simulator.kinds) for simulator in SIMULATORS.values())
