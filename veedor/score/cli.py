"""The `veedor score` command: measure, print one table, write JSON."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from datasets.mutants import EACH, kinds_in_all
from rules.errors import VeedorError
from veedor.score import run
from veedor.score.mutants import GameMutants, score_mutants
from veedor.score.mutants import table as mutant_table
from veedor.score.tally import Figure, Rate, SourceScore, Tally


def score(
    paths: list[Path],
    *,
    json_file: Path | None = None,
    show: int = 12,
    with_mutants: bool = False,
    each: int = EACH,
) -> None:
    """Measure, print, and write; ``with_mutants``: also on ``each`` mutants of every kind of error.

    Raises VeedorError where there is nothing to measure on."""
    if not paths and not with_mutants:
        raise VeedorError(
            "There is nothing to measure on: give folders of recordings, photographs, rule cases or a"
            " catalogue, or --mutants."
        )
    console, progress = Console(), _progress()
    broken: list[GameMutants] = []
    with progress:
        task = progress.add_task("looking", total=None)

        def on_progress(item: str) -> None:
            progress.update(task, advance=1, description=item)

        def plan(items: int) -> None:
            progress.update(task, total=items + (kinds_in_all() if with_mutants else 0))

        scores = run.score(paths, on_progress=on_progress, plan=plan) if paths else []
        if with_mutants:
            if not paths:
                plan(0)
            broken = score_mutants(each, on_progress)
            scores += [game.score() for game in broken]
    _print(console, scores, show)
    if broken:
        console.print(mutant_table(broken))
    if json_file:
        document = run.as_json(scores)
        if broken:
            document["mutants"] = {game.game: game.as_json() for game in broken}
        json_file.parent.mkdir(parents=True, exist_ok=True)
        json_file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        console.print(f"Written to {json_file}")


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _print(console: Console, scores: list[SourceScore], show: int) -> None:
    table = Table(title="veedor score")
    for heading in ("source", "n", "measure", "value", "95 % interval", "of"):
        table.add_column(heading, justify="left" if heading in ("source", "measure") else "right")
    for source in scores:
        first = True
        measured: dict[str, Rate | Figure] = {**source.measures, **source.figures}
        for name, rate in measured.items():
            lead = (source.name, str(source.n)) if first else ("", "")
            table.add_row(*lead, name.replace("_", " "), *_cells(rate))
            first = False
        if first:
            table.add_row(source.name, str(source.n), "nothing measured", "", "", "")
    console.print(table)
    clips = [(s, clip, kinds) for s in scores for clip, kinds in s.clips.items()]
    if clips:
        console.print(_clip_table(clips))
    for source in scores:
        for note in source.notes:
            console.print(f"{source.name}: {note}", markup=False, highlight=False)
    for difference in run.disagreements(scores)[:show]:
        console.print(
            f"differs: {difference.source} {difference.item}: "
            f"expected {difference.expected}, seen {difference.seen}",
            markup=False,
            highlight=False,
        )


def _clip_table(clips: list[tuple[SourceScore, str, dict[str, Tally]]]) -> Table:
    table = Table(title="recordings: right / wrong / missed / extra / undetermined")
    for heading in ("clip", "cards", "bets", "findings"):
        table.add_column(heading, justify="left" if heading == "clip" else "right")
    for _, clip, kinds in clips:
        cells = [
            f"{t.right} / {t.wrong} / {t.missed} / {t.extra} / {t.undetermined}"
            for t in (kinds["cards"], kinds["bets"], kinds["findings"])
        ]
        table.add_row(clip, *cells)
    return table


def _cells(rate: Rate | Figure) -> tuple[str, str, str]:
    if rate.value is None or rate.interval is None:
        return "-", "-", "0"
    low, high = rate.interval
    return f"{100 * rate.value:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %", str(rate.n)
