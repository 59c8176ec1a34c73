"""`veedor simulate` and the mutants: journals with their truth, and how many errors are found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from datasets import games
from datasets.games.base import FaultKind
from datasets.odds.simulated import simulated
from rules.errors import VeedorError
from rules.findings import Verdict
from rules.journal import loads
from rules.judge import judge
from tests.support.simulators import KINDS, SIMULATOR
from veedor.choosing import choose_profile
from veedor.cli import app
from veedor.rulebook import example_of
from veedor.score.mutants import score_mutants
from veedor.simulating import all_at_one_table, simulate


@pytest.fixture(autouse=True)
def _one_simulator(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in list(games.SIMULATORS):
        monkeypatch.delitem(games.SIMULATORS, game)
    monkeypatch.setitem(games.SIMULATORS, "punto_banco", SIMULATOR)


def _simulate(out: Path, *more: object) -> str:
    arguments = ["simulate", "punto_banco", "--rounds", "6", "--seed", "3", "--out", out, *more]
    done = CliRunner().invoke(app, [str(word) for word in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_journal_is_written_with_its_truth(tmp_path: Path) -> None:
    out = tmp_path / "night.jsonl"
    assert "6 rounds" in _simulate(out, "--errors", "late_bet,cards_left")
    truth = json.loads((tmp_path / "night.truth.json").read_text())
    assert (truth["format"], truth["game"], truth["seed"]) == ("veedor.truth/1", "punto_banco", truth["seed"])
    assert [played["coup"] for played in truth["rounds"]] == [1, 2, 3, 4, 5, 6]
    events = loads(out.read_text().splitlines()).events
    judged = judge(events, choose_profile("punto_banco", "andorra_2016", "mini"))
    found = {(f.coup, f.code) for f in judged.findings if f.verdict is Verdict.BREACH}
    assert found == {(error["coup"], error["code"]) for error in truth["errors"]}
    assert {error["error"] for error in truth["errors"]} == {"late_bet", "cards_left"}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    _simulate(one, "--errors", "late_bet")
    _simulate(other, "--errors", "late_bet")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("game", "errors", "profile", "words"),
    [
        ("punto_banco", ["late_bed"], None, "did you mean 'late_bet'"),
        ("punto_bancos", [], None, "did you mean 'punto_banco'"),
        ("punto_banco", ["late_bet"], "mediterraneo", "give --profile andorra_2016"),
        ("punto_banco", ["late_bet", "cards_left", "never_seen"], None, "give --rounds 4"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    game: str, errors: list[str], profile: str | None, words: str
) -> None:
    with pytest.raises(VeedorError, match=words):
        simulate(game, 2, 1, errors, profile)


def _kind(name: str, **house: object) -> FaultKind:
    return replace(KINDS["late_bet"], name=name, house=house)


def test_errors_that_need_different_tables_are_not_put_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late bet needs the profile's six packs, another but one; a limit left open may be set for both."""
    more = {kind.name: kind for kind in (_kind("one_pack", packs=1), _kind("limit", limits={"minimum": 5}))}
    monkeypatch.setitem(games.SIMULATORS, "punto_banco", replace(SIMULATOR, kinds={**KINDS, **more}))
    assert all_at_one_table("punto_banco", None, "mini") == ([*KINDS, "limit"], ["one_pack"])
    words = "late_bet and one_pack need tables that differ in packs"
    with pytest.raises(VeedorError, match=words):
        simulate("punto_banco", 6, 1, ["late_bet", "one_pack"])


def test_mutants_are_counted_rule_by_rule() -> None:
    (found,) = score_mutants(each=3)
    rules = {rule.rule: rule for rule in found.rules}
    for kind in ("late_bet", "cards_left"):
        rule = rules[KINDS[kind].rule]
        assert (rule.caught.right, rule.alone.right, rule.caught.n) == (3, 3, 3)
    assert rules["PB-AND-PAY-01"].caught.right == 0
    score = found.score()
    assert (score.measures["mutants_caught"].right, score.n) == (6, 9)
    assert [d.item for d in score.disagreements] == ["never_seen (0 of 3)"]
    assert "PB-AND-DRAW-01" in found.without
    assert "PB-AND-DRAW-01" in score.notes[0]


def test_a_rules_example_is_a_breach_that_the_judge_found() -> None:
    example = example_of("PB-AND-BET-01")
    assert example is not None
    assert example.finding.code == "LATE_BET"
    assert example_of("PB-AND-PAY-01") is None


def test_simulated_odds_hold_the_exact_ones_in_their_intervals() -> None:
    profile = choose_profile("punto_banco", "andorra_2016", "mini")
    one = simulated(SIMULATOR, profile, 6, 240, 1, lambda _: None)
    assert one == simulated(SIMULATOR, profile, 6, 240, 1, lambda _: None)
    chances = {figure.name: figure for figure in one.chances}
    banca = chances["winner banca"]
    assert banca.low is not None
    assert banca.high is not None
    assert banca.low < 0.458653 < banca.high
    assert {figure.name for figure in one.edges} == {"punto", "banca", "empate"}
