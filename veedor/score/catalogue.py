"""Comparing the product's own rows with a catalogue of rules: is an id missing, a class or a code another?

A catalogue is a Markdown file with tables whose columns are named ``id``, ``alert`` and ``class`` (ids and
codes in backticks; a class begins with its letter), and a table of codes with ``code`` and ``severity``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.catalogue import alert_codes, rule_rows
from veedor.score.tally import Disagreement, Rate, SourceScore

_CELLS = re.compile(r"(?<!\\)\|")
_TICKED = re.compile(r"`([A-Z][A-Z0-9_-]*)`")
_HEADING = re.compile(r"## (?:\d+\. )?([a-z_]+)\s*$")


@dataclass(frozen=True, slots=True)
class ListedRule:
    """One row of a catalogue; ``game``: the heading that it stands under."""

    id: str
    game: str
    rule_class: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedCode:
    """An alert code; ``severity``: H, M, L, or - where it is not for cameras."""

    code: str
    severity: str


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a catalogue lists."""

    rules: tuple[ListedRule, ...]
    codes: tuple[ListedCode, ...]


def read_catalogue(file: Path) -> Catalogue | None:
    """The rules that a Markdown file lists, None if it lists none."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    rules: list[ListedRule] = []
    codes: list[ListedCode] = []
    for game, row in _rows(text):
        if {"id", "alert", "class"} <= row.keys() and (named := _TICKED.findall(row["id"])):
            rules.append(ListedRule(named[0], game, row["class"][:1], tuple(_TICKED.findall(row["alert"]))))
        elif {"code", "severity"} <= row.keys() and (named := _TICKED.findall(row["code"])):
            codes.append(ListedCode(named[0], row["severity"]))
    return Catalogue(tuple(rules), tuple(codes)) if rules else None


def _rows(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of all tables by column name, each with the game it stands under."""
    game = ""
    columns: list[str] = []
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            game = heading[1]
        if not line.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in _CELLS.split(line.strip().strip("|"))]
        if not columns:
            columns = cells
        elif len(cells) == len(columns):
            yield game, dict(zip(columns, cells, strict=True))


def score_catalogue(catalogue: Catalogue) -> SourceScore:
    """Compare our rows with the catalogue's: every id there, of the same class, with every code."""
    score = SourceScore("catalogue", len(catalogue.rules))
    ours, known = rule_rows(), alert_codes()
    ids = classes = codes = 0
    whole: dict[str, list[bool]] = {}
    missing: dict[str, list[str]] = {}
    for listed in catalogue.rules:
        row = ours.get(listed.id)
        same_class = row is not None and row.rule_class.value == listed.rule_class
        lacking = [code for code in listed.codes if row is None or code not in row.codes]
        ids += row is not None
        classes += same_class
        codes += row is not None and not lacking
        whole.setdefault(listed.game, []).append(same_class and not lacking)
        if row is None:
            missing.setdefault(listed.game, []).append(listed.id)
            continue
        if not same_class:
            score.disagreements.append(
                Disagreement(
                    "catalogue", listed.id, f"class {listed.rule_class}", f"class {row.rule_class.value}", 6.0
                )
            )
        if lacking:
            said = ", ".join(row.codes) or "no code"
            score.disagreements.append(Disagreement("catalogue", listed.id, ", ".join(lacking), said, 6.0))
    score.measures = {
        "ids": Rate(ids, score.n),
        "classes": Rate(classes, score.n),
        "codes": Rate(codes, score.n),
    }
    for game, right in whole.items():
        score.measures[f"rows_{game}"] = Rate(sum(right), len(right))
    for game, names in missing.items():
        score.notes.append(f"missing of {game}, {len(names)}: {', '.join(names)}")
        score.disagreements += [Disagreement("catalogue", name, "a row", "none", 7.0) for name in names]
    _score_codes(catalogue, score)
    extra = [code for code in known if code not in {listed.code for listed in catalogue.codes}]
    if catalogue.codes and extra:
        score.notes.append(f"alert codes of our own: {', '.join(extra)}")
    return score


def _score_codes(catalogue: Catalogue, score: SourceScore) -> None:
    """The alert codes themselves: there, and as severe."""
    known, right = alert_codes(), 0
    for listed in catalogue.codes:
        ours = known.get(listed.code)
        severity = None if ours is None else "-" if ours.severity is None else ours.severity.value
        right += severity == listed.severity
        if severity != listed.severity:
            seen = "no such code" if severity is None else f"severity {severity}"
            score.disagreements.append(
                Disagreement("catalogue", listed.code, f"severity {listed.severity}", seen, 6.0)
            )
    if catalogue.codes:
        score.measures["severities"] = Rate(right, len(catalogue.codes))
