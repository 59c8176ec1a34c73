"""``veedor models``: the trained networks that came along, and whether they are what they should be."""

from __future__ import annotations

import sys

import typer

from veedor.cli_options import AsJson


def models(as_json: AsJson = False) -> None:
    """List the trained networks: what each does, its size, hash and model card, and whether all is right."""
    from rich.console import Console
    from rich.markup import escape

    from veedor import known_models as known

    found = known.known_models()
    wrong = [model for model in found if model.problem is not None]
    if as_json:
        sys.stdout.write(known.as_json(found))
        raise typer.Exit(1 if wrong else 0)
    console = Console(highlight=False, soft_wrap=True)
    for model in found:
        mark = "[green]ok   [/green]" if model.problem is None else "[bold red]wrong[/bold red]"
        size = "" if model.bytes is None else f", {model.bytes / 1e6:.1f} MB"
        console.print(f"{mark} [bold]{model.name}[/bold]{size}: {escape(model.does)}")
        if model.sha256 is not None:
            console.print(f"      sha256 {model.sha256}")
        if model.card is not None:
            console.print(f"      {escape(str(model.card))}")
    total = sum(model.bytes or 0 for model in found) / 1e6
    if not wrong:
        console.print(f"{len(found)} models, {total:.1f} MB in all; their hashes and shapes are right.")
    for model in wrong:
        console.print(f"[bold red]{model.name}[/bold red]: {model.problem}. {escape(model.remedy or '')}")
    if wrong:
        raise typer.Exit(1)
