"""The commands that look at things: a photograph, a recording's truth, the installation, the scores."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from veedor.cli_options import Port, State

if TYPE_CHECKING:
    from veedor.doctor import Check


def read(
    photo: Annotated[Path, typer.Argument(help="A photograph (JPEG, PNG, ...).")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the annotated picture to this file.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write JSON to this file; - writes it to stdout.")
    ] = None,
) -> None:
    """Find and name the cards and chips on a photograph."""
    from rich.console import Console

    from rules.errors import VeedorError
    from veedor.photographs import annotated, read_photograph
    from veedor.store import keep_apart, write_together

    for written in (out, json_file):
        keep_apart(written, photo)
    if out is not None and json_file is not None and out.absolute() == json_file.absolute():
        raise VeedorError(f"--out and --json both name {out}: give each its own file.")
    seen, reading = read_photograph(photo)
    said = reading.as_json()
    if seen.damage is not None:
        said["remarks"] = [seen.damage]
        typer.secho(f"{seen.damage} What was read in it may be wrong.", fg="yellow", err=True)
    text = json.dumps(said, indent=2) + "\n"
    results = {} if out is None else {out: annotated(seen.image, reading, out)}
    if json_file is not None and json_file != Path("-"):
        results[json_file] = text.encode()
    write_together(results)
    if json_file == Path("-"):
        sys.stdout.write(text)
        return
    console = Console(highlight=False)
    named = [card for card in reading.cards if card.card not in ("??", "back")]
    count = len(reading.cards)
    console.print(
        f"{count} card{'' if count == 1 else 's'}, {len(named)} named; {len(reading.chips)} stacks."
    )
    for card in reading.cards:
        x, y = (sum(axis) / 4 for axis in zip(*card.quad_px, strict=True))
        console.print(f"  {card.card:<5} {card.p:6.1%}  at {x:.0f}, {y:.0f}")
    for stack in reading.chips:
        x0, y0, x1, y1 = stack.box_px
        chips = "chips" if stack.count is None else f"{stack.count} chips"
        value = "" if stack.value is None else f" = {stack.value}"
        console.print(f"  {chips}{value} {stack.p:6.1%}  at {(x0 + x1) / 2:.0f}, {(y0 + y1) / 2:.0f}")


def import_recording(
    clip: Annotated[Path, typer.Argument(help="A recording's truth file (CLIP.json).")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the table file and its layout.")],
) -> None:
    """Make a table file from a recording's truth file, using only what a technician would know."""
    from veedor.importing import import_recording as run

    typer.echo(f"Written: {run(clip, out)}")


def score(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders or files: recordings, labelled photographs, rule cases, a catalogue."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the scores and all disagreements to this file.")
    ] = None,
    show: Annotated[int, typer.Option(help="How many of the worst disagreements to print.")] = 12,
    mutants: Annotated[
        bool,
        typer.Option("--mutants", help="Also put every kind of error into simulated rounds: is it found?"),
    ] = False,
    each: Annotated[int, typer.Option(help="Mutants of each kind.", min=1)] = 5,
) -> None:
    """Measure veedor on data it was not made from, and say how it did (95 % intervals)."""
    from veedor.score.cli import score as run

    run(paths or [], json_file=json_file, show=show, with_mutants=mutants, each=each)


def doctor(
    table: Annotated[
        list[Path] | None, typer.Option("--table", help="A table file to check; may be given again.")
    ] = None,
    camera: Annotated[
        list[str] | None,
        typer.Option("--camera", help="A camera (rtsp://...) or recording to open; may be given again."),
    ] = None,
    state: State = None,
    port: Port = 8600,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what is installed, and what to do about what is wrong."""
    from veedor import doctor as checks
    from veedor.store import state_directory

    found = checks.examine(
        state=state_directory(state), port=port, tables=tuple(table or ()), cameras=tuple(camera or ())
    )
    if as_json:
        sys.stdout.write(checks.as_json(found))
    else:
        _show(found)
    if not all(check.well for check in found):
        raise typer.Exit(1)


def _show(found: list[Check]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for check in found:
        mark = "[green]ok[/green]" if check.well else "[bold red]wrong[/bold red]"
        table.add_row(mark, check.name, escape(check.detail))
        if not check.well and check.remedy:
            table.add_row("", "", f"[yellow]{escape(check.remedy)}[/yellow]")
    console = Console(highlight=False)
    console.print(table)
    wrong = sum(not check.well for check in found)
    console.print("All is well." if not wrong else f"{wrong} thing{'' if wrong == 1 else 's'} to put right.")
