"""``veedor admit``: what a table's cameras can see, and which rules can be judged with them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veedor.cli_options import AsJson

if TYPE_CHECKING:
    from veedor.admitting import Admission


def admit(
    table: Annotated[Path, typer.Argument(help="The table's file (table.yaml).")],
    picture: Annotated[
        str | None,
        typer.Option("--picture", help="A picture of the camera, best of the empty table, or a recording."),
    ] = None,
    camera: Annotated[
        str | None, typer.Option("--camera", help="Whose picture it is. Default: the first.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the picture coloured by spot (.jpg, .png).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say which rules can be judged at a table with its cameras, and which cannot."""
    from veedor import admitting as work
    from veedor.calibrating import pace_of, still_of
    from veedor.config import load_table
    from veedor.photographs import coded
    from veedor.store import keep_apart, write_atomically

    for given in (table, None if picture is None else Path(picture)):
        if given is not None:
            keep_apart(out, given)
    loaded = load_table(table)
    image = None if picture is None else still_of(picture)
    pace = None if picture is None else pace_of(picture)
    found = work.admit(loaded, image, camera, pace)
    if out is not None:
        write_atomically(out, coded(work.coloured(image, loaded, loaded.camera(camera), found), out))
    if as_json:
        sys.stdout.write(json.dumps(found.as_json(), indent=2, ensure_ascii=False) + "\n")
        return
    _show(found)
    if out is not None:
        typer.echo(f"Written: {out}")


def _show(found: Admission) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    spots = Table(
        "spot", "seen", "card", "chip", "thick", "place", "too close", "light", "", box=None, pad_edge=False
    )
    colours = {"good": "green", "limited": "yellow", "blind": "red"}
    for spot in found.spots:
        spots.add_row(
            spot.spot,
            f"{spot.seen:.0%}",
            f"{spot.card_px:.0f} px",
            f"{spot.chip_px:.0f} px",
            f"{spot.thick_px:.1f} px",
            "" if spot.error_mm is None else f"{spot.error_mm:.1f} mm",
            "" if spot.too_close is None else f"{spot.too_close:.0%}",
            spot.light or "",
            f"[{colours[spot.grade]}]{spot.grade}[/]",
        )
    console.print(spots)
    able = [rule for rule in found.rules if rule.can]
    console.print(f"\n{len(able)} of {len(found.rules)} rules can be judged at {found.table}.", markup=False)
    groups: dict[str, list[str]] = {}
    for rule in found.rules:
        if not rule.can:
            groups.setdefault(rule.why or "", []).append(rule.rule)
    for why, names in groups.items():
        rules = "rule is" if len(names) == 1 else "rules are"
        console.print(f"{len(names)} {rules} not: {why}", style="yellow", markup=False, soft_wrap=True)
        console.print(f"  {', '.join(names)}", markup=False)
    if found.fps is not None:
        console.print(f"{found.fps:.1f} pictures a second.")
    for remark in found.remarks:
        console.print(remark, style="yellow", markup=False, soft_wrap=True)
