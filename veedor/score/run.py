"""`veedor score`: recognise what a folder holds, run the product on it, and say how it did."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.errors import VeedorError
from veedor.score.catalogue import Catalogue, read_catalogue, score_catalogue
from veedor.score.photographs import LabelledPhoto, read_labels, score_photographs
from veedor.score.recordings import score_recording
from veedor.score.rule_cases import is_cases, score_cases
from veedor.score.tally import Disagreement, SourceScore, Tally
from veedor.score.truth import is_truth, read_truth

FORMAT = "veedor.score/1"

TILTS_DEG = ((0, 30), (30, 60), (60, 90))
"""Classes of recordings by their first camera's angle from the vertical."""

Progress = Callable[[str], None]
"""Called with what is being measured, once an item."""


@dataclass(slots=True)
class Material:
    """What was found to measure on, by kind."""

    recordings: list[Path] = field(default_factory=list)
    label_files: list[Path] = field(default_factory=list)
    case_files: list[Path] = field(default_factory=list)
    catalogues: list[Catalogue] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Nothing recognised."""
        return not (self.recordings or self.label_files or self.case_files or self.catalogues)


def recognise(paths: list[Path]) -> Material:
    """Sort files and folders (searched recursively) into recordings, photographs, rule cases and catalogues.

    Raises VeedorError if a path does not exist or nothing there is recognised.
    """
    material = Material()
    for path in paths:
        if not path.exists():
            raise VeedorError(
                f"{path} does not exist. Give a folder of recordings, photographs, rule cases or a catalogue."
            )
        for file in sorted(_files(path)):
            if file.name == "labels.jsonl":
                material.label_files.append(file)
            elif file.suffix == ".md":
                if (catalogue := read_catalogue(file)) is not None:
                    material.catalogues.append(catalogue)
            elif file.suffix == ".json":
                document = _json(file)
                if is_truth(document):
                    material.recordings.append(file)
                elif is_cases(document):
                    material.case_files.append(file)
    if material.empty:
        names = ", ".join(str(path) for path in paths)
        raise VeedorError(
            f"Nothing to measure on in {names}: no recording (a truth .json with camera, video, events and"
            " round or rounds), no labels.jsonl of photographs, no rule cases (a .json with a list of cases)"
            " and no catalogue (a .md with tables of rules)."
        )
    return material


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for folder, _, names in os.walk(path):
        for name in names:
            yield Path(folder) / name


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def score(
    paths: list[Path], on_progress: Progress = lambda _: None, plan: Callable[[int], None] = lambda _: None
) -> list[SourceScore]:
    """Measure on everything recognised under ``paths``. ``plan`` is told the number of items at the start."""
    material = recognise(paths)
    photos = [photo for file in material.label_files for photo in read_labels(file)]
    plan(len(material.case_files) + len(material.catalogues) + len(material.recordings) + len(photos))
    scores: list[SourceScore] = []
    for catalogue in material.catalogues:
        on_progress("catalogue")
        scores.append(score_catalogue(catalogue))
    for file in material.case_files:
        on_progress(file.stem)
        scores.append(score_cases(file))
    if material.recordings:
        scores.append(_score_recordings(material.recordings, on_progress))
    if photos:
        scores += _score_photographs(photos, on_progress)
    return scores


def _score_recordings(truths: list[Path], on_progress: Progress) -> SourceScore:
    """Import, review and compare each recording, in a folder that is thrown away."""
    from rules.judge import judge
    from veedor.config import load_table
    from veedor.importing import import_recording
    from veedor.pipeline import run

    result = SourceScore("recordings", 0)
    total = {"cards": Tally(), "bets": Tally(), "findings": Tally()}
    by_tilt: dict[str, Tally] = {}
    for path in truths:
        on_progress(path.stem)
        with tempfile.TemporaryDirectory(prefix="veedor-score-") as scratch:
            try:
                truth = read_truth(path)
                table = load_table(import_recording(path, Path(scratch)))
                journal = run(table, path.parent / truth.video)
            except VeedorError as error:
                result.notes.append(f"{path.stem}: {error}")
                continue
            judgement = judge(journal.events, table.profile)
        tallies, differences = score_recording(path.stem, truth, judgement)
        result.n += 1
        result.clips[path.stem] = tallies
        result.disagreements += differences
        for kind, tally in tallies.items():
            total[kind] += tally
        tilt_deg = table.camera().camera.tilt_deg
        name = next(f"cards_right_{a}_{b}deg" for a, b in TILTS_DEG if tilt_deg < b or b == 90)
        by_tilt[name] = by_tilt.get(name, Tally()) + tallies["cards"]
    result.measures = {
        "cards_right": total["cards"].rate,
        "bets_right": total["bets"].rate,
        "errors_found": total["findings"].rate,
        **{name: by_tilt[name].rate for name in sorted(by_tilt)},
    }
    result.notes.append(f"false alerts: {total['findings'].extra} in {result.n} recordings")
    return result


def _score_photographs(photos: list[LabelledPhoto], on_progress: Progress) -> list[SourceScore]:
    from veedor.score.reader import photo_reader

    return score_photographs(photos, photo_reader(), lambda: on_progress("photographs"))


def disagreements(scores: list[SourceScore]) -> list[Disagreement]:
    """All that differs from the labels, the worst first."""
    return sorted((d for s in scores for d in s.disagreements), key=lambda d: -d.weight)


def as_json(scores: list[SourceScore]) -> dict[str, Any]:
    """The score file."""
    return {
        "format": FORMAT,
        "sources": {score.name: score.as_json() for score in scores},
        "disagreements": [difference.as_json() for difference in disagreements(scores)],
    }
