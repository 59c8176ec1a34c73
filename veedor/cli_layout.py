"""``veedor layout``: the drawings of felts: which there are, what they mean, what is wrong with one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from vision.layout import Layout

app = typer.Typer(
    help="The drawings of felts: what they mean, and what is wrong with one.", no_args_is_help=True
)

_Drawing = Annotated[
    str, typer.Argument(help="An SVG file, or the name of a drawing that comes with veedor.")
]


@app.command("list")
def list_layouts() -> None:
    """The drawings that come with veedor."""
    from rich.console import Console
    from rich.table import Table

    from datasets.layouts import path_of, shipped
    from vision.layout import Layout

    table = Table(box=None, pad_edge=False, collapse_padding=True)
    for heading in ("name", "game", "seats", "zones", "lines", "mm"):
        table.add_column(heading, no_wrap=True)  # names are there to be typed: none is cut at 80 columns
    for name in shipped():
        layout = Layout.read(path_of(name))
        x0, y0, x1, y1 = layout.frame_mm
        table.add_row(
            name,
            layout.game or "",
            str(len(layout.seats) or ""),
            str(len(layout.zones)),
            str(len(layout.lines) or ""),
            f"{x1 - x0:.0f} x {y1 - y0:.0f}",
        )
    console = Console(highlight=False)
    console.print(table)
    console.print("\nveedor layout show NAME says what is in one; the files are the pattern for your own.")


@app.command()
def show(
    drawing: _Drawing,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Draw it with its meanings into this file (.svg or .png)."),
    ] = None,
) -> None:
    """Say what each zone and line of a drawing means, and draw it so."""
    from rich.console import Console

    from veedor.layouts import find
    from veedor.store import write_atomically
    from vision.layout import Layout

    layout = Layout.read(find(drawing))
    if out is not None:
        write_atomically(out, _picture(layout, out))
        typer.echo(f"Written: {out}")
        return
    console = Console(highlight=False)
    x0, y0, x1, y1 = layout.frame_mm
    console.print(f"{layout.name}: {x1 - x0:.0f} x {y1 - y0:.0f} mm, {layout.game or 'no game said'}\n")
    for table in _meanings(layout):
        console.print(table)
        console.print()


def _meanings(layout: Layout) -> list[RichTable]:
    from rich.table import Table

    from vision.layout import takes_bets
    from vision.layout_check import effect_in_words

    bets = Table("seat or box", "bets", box=None, pad_edge=False)
    rows: dict[str, list[str]] = {}
    for zone in layout.zones:
        if takes_bets(zone.spot):
            whose = f"seat {zone.spot.seat}" if zone.spot.seat else f"box {zone.spot.box}"
            rows.setdefault(whose, []).append(zone.spot.bet or "")
    for whose, names in rows.items():
        bets.add_row(whose, ", ".join(names))
    places = Table("place", "middle (mm)", box=None, pad_edge=False)
    for zone in layout.zones:
        if not takes_bets(zone.spot):
            x, y = zone.centre_mm
            places.add_row(str(zone.spot), f"{x:.0f}, {y:.0f}")
    lines = Table("line", "what it does", box=None, pad_edge=False)
    for line in layout.lines:
        lines.add_row(escape(line.id), effect_in_words(line))
    return [table for table in (bets, places, lines) if table.row_count]


def _picture(layout: Layout, out: Path) -> bytes:
    """The figure as the file's ending says. Raises LayoutError for another ending, or without a painter."""
    from vision.errors import LayoutError
    from vision.layout_figure import figure

    text = figure(layout)
    match out.suffix.lower():
        case ".svg":
            return text.encode()
        case ".png":
            try:
                import resvg_py
            except ImportError:
                raise LayoutError(
                    "Painting a PNG needs resvg-py, which is not installed: install it (pip install"
                    " 'veedor[synth]'), or give a file name that ends in .svg."
                ) from None
            painted = resvg_py.svg_to_bytes(
                svg_string=text, width=2400, dpi=96.0, serif_family="Liberation Serif"
            )
            return bytes(painted)
        case other:
            raise LayoutError(
                f"A drawing cannot be written as {other or out.name!r}: end its name in .svg or .png."
            )


@app.command()
def check(
    drawing: _Drawing,
    game: Annotated[
        str | None,
        typer.Option(help="The game it is for. Default: what the drawing says with data-game on <svg>."),
    ] = None,
    chip_mm: Annotated[
        float, typer.Option(help="Diameter of the house's chips (mm).", min=10, max=100)
    ] = 39.5,
) -> None:
    """Say what is wrong with a drawing, all of it at once."""
    from rich.console import Console

    from veedor.layouts import find, words_of
    from vision.errors import LayoutError
    from vision.layout_check import Weight, check_layout
    from vision.svg import parse_drawing, read_text

    path = find(drawing)
    text = read_text(path)
    try:
        told = game or parse_drawing(text, str(path)).game
    except LayoutError:
        told = game  # the check says what is wrong
    words = words_of(told) if told else None
    layout, remarks = check_layout(text, str(path), words, chip_mm)
    console = Console(highlight=False)
    for remark in remarks:
        bad = remark.weight is Weight.WRONG
        console.print(
            f"{'wrong' if bad else 'look '}  {remark.text}",
            style="red" if bad else "yellow",
            markup=False,
            soft_wrap=True,
        )
    if words is None and layout is not None:
        console.print("Names were not checked: say which game it is with --game, or with data-game on <svg>.")
    wrong = sum(remark.weight is Weight.WRONG for remark in remarks)
    if layout is not None and not wrong:
        console.print(
            f"{path} can be used: {len(layout.zones)} zones, {len(layout.lines)} lines that act on bets."
        )
    if wrong:
        console.print(f"{wrong} thing{'' if wrong == 1 else 's'} to put right.")
        raise typer.Exit(1)
