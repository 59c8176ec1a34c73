"""`veedor rules` and `veedor odds`: each rule is listed and explained; wrong names find the right one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rules.catalogue import RuleClass, rule_rows
from rules.errors import VeedorError
from rules.games import GAMES
from veedor.choosing import choose_profile, profile_document, profile_names, regulation_of
from veedor.cli import app
from veedor.rulebook import Status, entries, rule_named


def _json(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_all_rules_are_listed() -> None:
    found = entries()
    assert [entry.row.id for entry in found] == list(rule_rows())
    for entry in found:
        if entry.row.rule_class is RuleClass.C:
            assert entry.status is Status.OUT
        elif entry.row.rule_class is RuleClass.A:
            assert entry.status in (Status.JUDGED, Status.PERMISSION)


@pytest.mark.parametrize("game", GAMES)
def test_each_profile_of_each_game_has_its_rules(game: str) -> None:
    for name in profile_names(game):
        found = entries(game, name)
        regulation = regulation_of(game, profile_document(game, name))
        own = {entry.row.regulation for entry in found if entry.row.game == game}
        assert own == {regulation}


def test_a_rule_that_nothing_keeps_open_is_judged(tmp_path: Path) -> None:
    """The irregular deal itself is seen; what a table says it tells is told."""
    house = tmp_path / "casa.yaml"
    house.write_text("profile: casa\nextends: andorra_2016\ncues: [no_more_bets]\n")

    def status(rule: str, profile: str) -> Status:
        return next(e.status for e in entries("punto_banco", profile) if e.row.id == rule)

    assert status("PB-AND-ERR-01", "andorra_2016") is Status.JUDGED
    assert status("PB-AND-BET-02", "andorra_2016") is Status.CUE
    assert status("PB-AND-BET-02", str(house)) is Status.JUDGED


def test_a_setting_that_is_there_makes_a_rule_judged(tmp_path: Path) -> None:
    def status(profile: str) -> Status:
        return next(e.status for e in entries("punto_banco", profile) if e.row.id == "PB-AND-LIM-03")

    house = tmp_path / "casa.yaml"
    house.write_text("extends: andorra_2016\nvariant: mini\nlimits: {minimum: 5, maximum: 500}\n")
    assert status("andorra_2016") is Status.SETTING
    assert status(str(house)) is Status.JUDGED


def test_a_rule_is_explained() -> None:
    done = CliRunner().invoke(app, ["rules", "PB-AND-PAY-01"], catch_exceptions=False)
    for words in ("19 a 20", "cameras suffice", "UNDERPAID", "resolution", "example"):
        assert words in done.stdout
    document = _json("rules", "pb-and-pay-01")
    rule = document["rule"]
    assert rule["id"] == "PB-AND-PAY-01"
    assert rule["codes"][0]["meaning"] == "a winning bet was paid less than its due"


@pytest.mark.parametrize(
    ("wrong", "right"), [("PB-AND-PAY-1", "PB-AND-PAY-01"), ("PB-AND-TOUH-01", "PB-AND-TOUCH-01")]
)
def test_an_unknown_rule_is_answered_with_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(VeedorError, match=right):
        rule_named(wrong)


@pytest.mark.parametrize(
    ("game", "profile", "variant", "words"),
    [
        ("punto_bnco", None, None, "punto_banco"),
        ("punto_banco", "andora_2016", None, "andorra_2016"),
        ("punto_banco", "andorra_2016", "minni", "mini"),
    ],
)
def test_wrong_names_are_answered_with_the_nearest(
    game: str, profile: str | None, variant: str | None, words: str
) -> None:
    with pytest.raises(VeedorError, match=f"did you mean '{words}'"):
        choose_profile(game, profile, variant)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("x: 2016-99-99", "is not YAML that can be read"),
        ("x: " + "9" * 5000, "is not YAML that can be read"),
        ("x: " + "[" * 5000, "parts within parts"),
        ("payouts: &a [*a]", "uses an anchor"),
        ("payouts: {}\npayouts: {}", "the key payouts a second time"),
        ("variants: 5", "'variants' must hold the keys"),
        ("payouts: 1", "'payouts' must hold the keys"),
    ],
)
def test_a_house_profile_that_cannot_be_used(tmp_path: Path, written: str, words: str) -> None:
    file = tmp_path / "house.yaml"
    file.write_text(f"extends: andorra_2016\n{written}\n")
    with pytest.raises(VeedorError, match=words):
        choose_profile("punto_banco", str(file))


@pytest.mark.parametrize(("name", "words"), [("x" * 5000, "no profile"), ("/dev/zero", "is not a file")])
def test_a_profile_that_no_file_is(name: str, words: str) -> None:
    with pytest.raises(VeedorError, match=words):
        choose_profile("punto_banco", name)


def test_odds_are_told_as_json() -> None:
    document = _json("odds", "punto_banco", "--decks", "8")
    assert document["format"] == "veedor.odds/1"
    (one,) = document["odds"]
    banca = next(figure for figure in one["edges"] if figure["name"] == "banca")
    assert banca["exact"] == "114753351728/10847218479825"
