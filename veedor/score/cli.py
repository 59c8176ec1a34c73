"""The `veedor score` command: measure, print one table, write JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from veedor.score import run
from veedor.score.tally import Rate, SourceScore, Tally


def score(
    paths: Annotated[
        list[Path], typer.Argument(help="Folders or files: recordings, labelled photographs, rule cases.")
    ],
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the scores and all disagreements to this file.")
    ] = None,
    show: Annotated[int, typer.Option(help="How many of the worst disagreements to print.")] = 12,
) -> None:
    """Measure veedor on data it was not made from, and say how it did (95 % intervals)."""
    console, progress = Console(), _progress()
    with progress:
        task = progress.add_task("looking", total=None)
        scores = run.score(
            paths,
            on_progress=lambda item: progress.update(task, advance=1, description=item),
            plan=lambda items: progress.update(task, total=items),
        )
    _print(console, scores, show)
    if json_file:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        json_file.write_text(json.dumps(run.as_json(scores), indent=1) + "\n", encoding="utf-8")
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
        for name, rate in source.measures.items():
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


def _cells(rate: Rate) -> tuple[str, str, str]:
    if rate.value is None or rate.interval is None:
        return "-", "-", "0"
    low, high = rate.interval
    return f"{100 * rate.value:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %", str(rate.n)
