"""The catalogue's rows and alert codes as data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rules
from rules.catalogue import RuleClass, RuleRow, alert_codes, rule_rows
from rules.findings import Severity

ROWS = list(rule_rows().values())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_row_says_what_where_and_with_which_codes(row: RuleRow) -> None:
    assert re.fullmatch(r"(PB-AND|PB-MED|PB-URU|CF|BT|TQ|TJ|NP|CP|TX|HOUSE)-[A-Z]+-\d\d", row.id)
    assert row.rule.endswith((".", ")"))
    assert row.rule[0].isupper()
    assert re.search(
        r"Andorra 2016, §(0[789]|1[012])|Casino Mediterráneo, (punto y banca|Texas hold'em cash)"
        r"|Uruguay 1977, art\. \d|Spain 1979, art\. 05|Standard practice|House profile",
        row.article,
    )
    assert set(row.codes) <= set(alert_codes())
    assert set(row.tables) <= {"full", "midi", "mini"}
    if row.rule_class is RuleClass.B:
        assert row.needs


@pytest.mark.parametrize("row", [row for row in ROWS if row.quote is not None], ids=lambda row: row.id)
def test_a_quotation_is_cited_with_its_line(row: RuleRow) -> None:
    assert row.quote is not None
    assert re.search(r"\(L\d+[-,)]", row.article)
    assert row.cited.startswith(f"{row.article}: «{row.quote}»")


def test_rules_that_the_text_leaves_out_are_marked_as_usual_practice() -> None:
    standard = {row.id for row in ROWS if row.standard}
    assert {"PB-AND-DRAW-01", "PB-AND-DRAW-02", "PB-AND-DRAW-03", "PB-AND-STAY-01"} <= standard
    assert "PB-AND-PAY-01" not in standard


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("UNDERPAID", Severity.HIGH),
        ("WRONG_DRAW", Severity.HIGH),
        ("PAID_BEFORE_COLLECT", Severity.MEDIUM),
        ("CARDS_CLEARED_EARLY", Severity.MEDIUM),
        ("PAY_ORDER_WRONG", Severity.LOW),
        ("STAFFING", None),
    ],
)
def test_severities(code: str, severity: Severity | None) -> None:
    assert alert_codes()[code].severity is severity


def test_there_are_all_codes_of_the_catalogue() -> None:
    ours = [code for name, code in alert_codes().items() if not name.startswith("CAMERA_")]
    counts = {level: sum(code.severity is level for code in ours) for level in Severity}
    assert counts == {Severity.HIGH: 39, Severity.MEDIUM: 56, Severity.LOW: 38}
    assert sum(code.severity is None for code in ours) == 8


SEEN_BY_NOTHING = {"AUCTION_IRREGULAR", "CONFIG_INVALID", "PRIORITY_IGNORED", "SEATING"}
"""Codes of class-A rules that need no picture of the table: what was told, set or counted decides them."""


def test_what_cameras_judge_says_what_has_to_be_seen() -> None:
    blind = {
        code
        for row in rule_rows().values()
        if row.rule_class is RuleClass.A
        for code in row.codes
        if not alert_codes()[code].sees and not code.startswith("CAMERA_")
    }
    assert blind <= SEEN_BY_NOTHING


_CODE = "\n".join(path.read_text() for path in sorted(Path(rules.__file__).parent.rglob("*.py")))


@pytest.mark.parametrize("row", [row for row in ROWS if row.needs], ids=lambda row: row.id)
def test_what_a_row_needs_can_be_told_or_set(row: RuleRow) -> None:
    """It stands after "needs", "not judged without" and "has to be told", and names what there is."""
    assert row.needs is not None
    assert row.rule_class is RuleClass.B
    assert row.needs[0].islower()
    assert not row.needs.endswith(".")
    for name in re.findall(r"[a-z]+_[a-z_]+", row.needs):
        assert re.search(rf"\b{name}\b", _CODE), name
