"""``veedor simulate --errors all``: every error of a game in one session, and none hidden by another."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from datasets.games import SIMULATORS
from rules.findings import Verdict
from rules.journal import loads
from rules.judge import judge
from veedor.cli import app
from veedor.simulating import all_at_one_table
from veedor.simulating_all import hidden_in, profile_with_errors, simulate_all

HIDDEN = {"chemin_de_fer": {"punto_extra", "punto_wrong"}}
"""What others hide wherever it is put: an error of punto's draw, where a cue tells what he said."""


def needed(game: str, profile: str | None) -> int:
    names, _ = all_at_one_table(game, profile or profile_with_errors(game), None)
    return sum(SIMULATORS[game].kinds[name].rounds for name in names)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("game", "profile", "least"),
    [
        ("punto_banco", "andorra_2016", 56),
        ("punto_banco", "mediterraneo", 48),
        ("punto_banco", "uruguay_1977", 102),
        ("chemin_de_fer", None, 103),
        ("banque_deux_tableaux", None, 82),
        ("trijoker", None, 52),
        ("no_discard_poker", None, 54),
        ("trente_et_quarante", None, 39),
    ],
)
def test_each_named_finding_is_found(game: str, profile: str | None, least: int, seed: int) -> None:
    together = simulate_all(game, needed(game, profile), seed, profile)
    session = together.session
    assert len(session.faults) >= least
    assert hidden_in(session) == set()
    assert set(together.hidden) == HIDDEN.get(game, set())
    kinds = {fault.kind.name for fault in session.faults}
    named, variant = profile or profile_with_errors(game), session.profile.variant
    known = [kind for kind in SIMULATORS[game].kinds.values() if kind.profile == named]
    every = {kind.name for kind in known if kind.variant in (None, variant)}
    assert every == kinds | set(together.apart) | set(together.hidden)


def test_the_profile_is_one_of_which_errors_are_known() -> None:
    assert profile_with_errors("circle_poker") == "mediterraneo"
    assert profile_with_errors("punto_banco") == "andorra_2016"


def test_the_command_says_what_is_left_out(tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    words = [
        "simulate",
        "no_discard_poker",
        "--rounds",
        "60",
        "--seed",
        "3",
        "--errors",
        "all",
        "--out",
        str(out),
    ]
    told = CliRunner().invoke(app, words, catch_exceptions=False)
    assert told.exit_code == 0, told.output
    assert "54 errors" in told.stdout
    assert "need another table than the rest: " in told.stdout
    assert "no_such_space" in told.stdout
    assert "hide them" not in told.stdout
    profile = simulate_all("no_discard_poker", 60, 3).session.profile
    found = judge(loads(out.read_text(encoding="utf-8").splitlines()).events, profile).findings
    assert sum(finding.verdict is Verdict.BREACH for finding in found) >= 54
