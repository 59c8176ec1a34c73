"""Rule cases of other makers: each is judged by our rules, and compared with what its maker expects.

A case file is ``{game, count, cases: [...]}``; cards are written ``Th``. Each game has a module of its own,
whose ``CASES`` stand in ``BY_GAME`` under the name that the files use.
"""

from __future__ import annotations

import json
from pathlib import Path

from datasets.rule_cases import (
    banque_deux_tableaux,
    chemin_de_fer,
    no_discard_poker,
    poker,
    punto_banco,
    texas_holdem,
    trente_et_quarante,
    trijoker,
)
from datasets.rule_cases.base import Case, CaseResult, GameCases, RuleCasesError

BY_GAME: dict[str, GameCases] = {
    "banque_a_deux_tableaux": banque_deux_tableaux.CASES,
    "punto_banco": punto_banco.CASES,
    "chemin_de_fer": chemin_de_fer.CASES,
    "trente_et_quarante": trente_et_quarante.CASES,
    "poker_ranking": poker.CASES,
    "caribbean_stud": no_discard_poker.CASES,
    "texas_holdem": texas_holdem.CASES,
    "let_it_ride_trijoker": trijoker.CASES,
}
"""The games whose cases can be judged, by the name that case files give them."""

__all__ = ["BY_GAME", "CaseResult", "RuleCasesError", "score_rule_cases"]


def score_rule_cases(path: Path | str) -> list[CaseResult]:
    """Judge every case of a file. Raises RuleCasesError, naming the file, the case and the remedy."""
    file = Path(path)
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise RuleCasesError(f"{file} cannot be read as a file of rule cases ({error}).") from None
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise RuleCasesError(f"{file} is not a file of rule cases: it needs the keys 'game' and 'cases'.")
    game = document.get("game")
    if not isinstance(game, str) or game not in BY_GAME:
        raise RuleCasesError(
            f"{file}: there are no rules for the game {game!r} yet, only {', '.join(BY_GAME)}."
        )
    for number, case in enumerate(document["cases"], 1):
        if not isinstance(case, dict):
            raise RuleCasesError(
                f"{file}: entry {number} of its cases is {str(case)[:40]!r}, not a case: each needs the keys"
                " 'id' and 'kind' and what its kind asks for."
            )
    return [_judge(case, BY_GAME[game], file) for case in document["cases"]]


def _judge(case: Case, game: GameCases, file: Path) -> CaseResult:
    name, kind = str(case.get("id")), str(case.get("kind", game.without_kind))
    judged = game.kinds.get(kind)
    if judged is None:
        raise RuleCasesError(
            f"{file}, case {name}: the kind {kind!r} is not known ({', '.join(game.kinds)})."
        )
    try:
        got, wanted = judged(case)
    except (KeyError, ValueError, TypeError) as error:
        raise RuleCasesError(f"{file}, case {name} is not a case of kind {kind!r}: {error}.") from None
    source = str(case.get("source"))
    return CaseResult(name, kind, source, _text(wanted), _text(got), game.articles.get(name))


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
