"""``veedor enrol``: a house's own cards and chips, learned from a few pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veedor.enrolling import Enrolled

app = typer.Typer(
    name="enrol", help="Learn a house's own cards or chips from a few pictures.", no_args_is_help=True
)

TablePath = Annotated[Path, typer.Argument(help="The table's file (table.yaml).")]
Pictures = Annotated[
    list[Path] | None, typer.Option("--picture", help="A photograph or frame; may be given again.")
]
Recording = Annotated[
    Path | None, typer.Option("--recording", help="A recording by one of the table's cameras.")
]
Camera = Annotated[str | None, typer.Option("--camera", help="Which camera. Default: the first.")]
Told = Annotated[
    list[str] | None,
    typer.Option("--is", help="What a number on the contact sheet is: 17=Kh, 3=25; may be given again."),
]
Anew = Annotated[bool, typer.Option("--anew", help="Forget what was enrolled before.")]


@app.command()
def deck(
    table: TablePath,
    picture: Pictures = None,
    recording: Recording = None,
    order: Annotated[
        str | None,
        typer.Option(
            "--order",
            help="The cards of the pictures, row by row from the top left: new-deck, or As 2s 3s ...",
        ),
    ] = None,
    told: Told = None,
    camera: Camera = None,
    anew: Anew = False,
) -> None:
    """Learn the table's cards: laid out side by side in a picture, or as they lie in a recording.

    Without --order the general reader names them where it is sure; --is names the others.
    """
    from veedor import enrolling
    from veedor.config import load_table
    from veedor.enrolled import DECK_FOLDER

    _needed(picture, recording)
    found = enrolling.enrol_deck(
        load_table(table),
        picture or (),
        recording,
        camera,
        None if order is None else enrolling.parse_order(order),
        enrolling.parse_numbered(told or ()),
        anew,
    )
    _tell(found, "card", "cards", table, DECK_FOLDER, "deck")
    missing = 52 - sum(name != "back" for name in found.named)
    if missing:
        typer.echo(f"{missing} of the 52 faces have no view yet: they are read as before. Add more pictures.")


@app.command()
def chips(
    table: TablePath,
    picture: Pictures = None,
    recording: Recording = None,
    order: Annotated[
        str | None, typer.Option("--order", help="The stacks' values from the left, in every picture: 1 5 25")
    ] = None,
    told: Told = None,
    camera: Camera = None,
    anew: Anew = False,
) -> None:
    """Learn the table's chips: stacks of one value each, apart, seen by one of its cameras.

    Without --order the general reader names those that it is sure of; --is names the others.
    """
    from rules.errors import VeedorError
    from veedor.config import load_table
    from veedor.enrolled import CHIPS_FOLDER
    from veedor.enrolling import parse_numbered
    from veedor.enrolling_chips import enrol_chips

    _needed(picture, recording)
    words = (order or "").replace(",", " ").split()
    if not all(re.fullmatch(r"[0-9]{1,12}", word) for word in words):
        raise VeedorError(f"--order {order!r} is no list of values: write them from the left, like 1 5 25.")
    found = enrol_chips(
        load_table(table),
        picture or (),
        recording,
        camera,
        [int(word) for word in words] or None,
        parse_numbered(told or ()),
        anew,
    )
    _tell(found, "value", "values", table, CHIPS_FOLDER, "chips")


def _needed(picture: list[Path] | None, recording: Path | None) -> None:
    from rules.errors import VeedorError

    if not picture and recording is None:
        raise VeedorError("There is nothing to learn from: give --picture or --recording.")


def _tell(found: Enrolled, one: str, many: str, table: Path, folder: str, part: str) -> None:
    from rules.errors import VeedorError
    from veedor.table_edit import name_enrolment

    try:
        name_enrolment(table, part, folder)
    except VeedorError as error:
        raise VeedorError(
            f"{error} The views are in {found.folder}: once the table file says 'enrolled: {folder}' under"
            f" {part}, veedor review reads by them."
        ) from None
    count = len(found.named)
    views = sum(found.named.values())
    typer.echo(f"{count} {one if count == 1 else many} from {views} views, in {found.folder}.")
    if found.left_out:
        typer.echo(f"{found.left_out} more were seen, but covered, cut off or too small to learn from.")
    if found.unnamed:
        numbers = ", ".join(str(number) for number in found.unnamed)
        typer.echo(f"Not named: number {numbers} on {found.contact}. Name them with --is NUMBER=NAME.")
    for sentence in found.odd:
        typer.echo(f"Look at this: {sentence} ({found.contact}).")
    typer.echo(f"{table} names it now, and veedor review reads by it.")
