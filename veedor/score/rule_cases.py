"""Scoring the rules on cases that others worked out: a hand, a coup, a settlement and what is due."""

from __future__ import annotations

import json
from pathlib import Path

from datasets.rule_cases import BY_GAME, score_rule_cases
from veedor.score.tally import Disagreement, Rate, SourceScore

COVERED = frozenset(BY_GAME)
"""The games whose cases are answered, as their files name them; those of others are counted only."""


def is_cases(document: object) -> bool:
    """Whether a JSON document looks like a file of rule cases."""
    return (
        isinstance(document, dict)
        and isinstance(document.get("game"), str)
        and isinstance(document.get("cases"), list)
    )


def score_cases(path: Path) -> SourceScore:
    """Answer every case of a file and compare. A game that is not covered is said to be so."""
    document = json.loads(path.read_text(encoding="utf-8"))
    score = SourceScore(path.stem, len(document["cases"]))
    if document["game"] not in COVERED:
        score.notes.append(f"{score.n} cases of {document['game']}: this game's rules are not written yet")
        return score
    results = score_rule_cases(path)
    score.measures["cases_right"] = Rate(sum(result.agrees for result in results), len(results))
    score.disagreements = [
        Disagreement(path.stem, result.id, result.expected, result.got, 5.0)
        for result in results
        if not result.agrees
    ]
    score.notes += [
        f"{result.id}: {result.article}" for result in results if result.article and not result.agrees
    ]
    return score
