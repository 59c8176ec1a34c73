"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

State = Annotated[
    Path | None,
    typer.Option(
        "--state",
        help="Where reviews are kept. Default: $VEEDOR_STATE, else veedor in the user's data folder "
        "($XDG_DATA_HOME or ~/.local/share).",
        file_okay=False,
    ),
]
Port = Annotated[int, typer.Option("--port", help="Port on 127.0.0.1.", min=1, max=65535)]
TableFile = Annotated[Path, typer.Option("--table", help="The table's file (table.yaml).")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game, e.g. punto_banco.")]
ProfileName = Annotated[
    str | None,
    typer.Option("--profile", help="A profile's name, or the file of a house's own. Default: the first one."),
]
Variant = Annotated[str | None, typer.Option("--variant", help="The kind of table, e.g. mini.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
