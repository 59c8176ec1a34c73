"""``veedor calibrate``: a camera's points, how well they fit, and into the table file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veedor.calibrating import Solution


def calibrate(
    table: Annotated[Path, typer.Argument(help="The table's file (table.yaml).")],
    picture: Annotated[
        str | None,
        typer.Option("--picture", help="A picture of that camera: a photograph, a recording, or rtsp://..."),
    ] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="Which camera. Default: the first.")] = None,
    points: Annotated[
        Path | None,
        typer.Option(
            "--points",
            help='The points (JSON): [{"corner": NAME or "mm": [x, y], "px": [x, y]}, ...].'
            " Default: those in the table file.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the picture with the drawing over it (.jpg, .png).")
    ] = None,
    refine: Annotated[
        bool,
        typer.Option(
            help="Refine camera and lens by the felt's printed lines, and refuse a drawing of another felt."
        ),
    ] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how it fits; change nothing.")] = False,
    corners: Annotated[bool, typer.Option("--corners", help="List the drawing's corners by name.")] = False,
) -> None:
    """Find a camera from points of the drawing and the picture, and write them into the table file.

    On a page, with the mouse: veedor serve --table TABLE.yaml --picture FRAME.jpg
    """
    from rules.errors import VeedorError
    from veedor import calibrating as work
    from veedor.config import read_table_file
    from veedor.corners import corners_of
    from veedor.photographs import coded
    from veedor.refined import refined
    from veedor.store import keep_apart, write_atomically
    from vision.layout import Layout

    for given in (table, points, None if picture is None else Path(picture)):
        if given is not None:
            keep_apart(out, given)
    file = read_table_file(table)
    layout = Layout.read(table.parent / file.layout)
    named = corners_of(layout)
    if corners:
        for corner in named:
            typer.echo(f"{corner.mm[0]:8.1f} {corner.mm[1]:8.1f}  {corner.name}")
        return
    if picture is None:
        raise VeedorError(
            "A picture of the camera is needed: give it with --picture (a photograph or video)."
        )
    part = work.camera_part(file, table, camera)
    image = work.still_of(picture)
    height, width = image.shape[:2]
    pairs = work.read_points(points, named) if points else work.points_at(part, width, height)
    lens = work.lens_at(part, width)
    solution = work.solve(pairs, width, height, layout, lens)
    _show(solution)
    if refine:
        solution, said = refined(solution, image, layout, lens)
        typer.echo(said)
    if out is not None:
        write_atomically(out, coded(work.drawn(image, solution, layout), out))
        typer.echo(f"Written: {out}")
    if dry_run:
        typer.echo("Nothing was changed.")
        return
    work.write_points(table, file, part.id, solution.points, width, height)
    typer.echo(f"{part.id}: {len(solution.points)} points written to {table}.")


def _show(solution: Solution) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    rows = Table("point", "off (mm)", "off (px)", box=None, pad_edge=False)
    for rest in sorted(solution.residuals, key=lambda rest: -rest.px):
        mm = "past the felt" if rest.mm is None else f"{rest.mm:.2f}"
        rows.add_row(rest.name, mm, f"{rest.px:.2f}")
    console.print(rows)
    found = solution.calibration.camera
    console.print(
        f"\n{len(solution.points)} points fit to {solution.rms_mm:.2f} mm"
        f" ({solution.calibration.rms_px:.2f} px). The camera hangs {found.centre_mm[2] / 1000:.2f} m over"
        f" the felt and looks {found.tilt_deg:.0f} degrees off straight down; focal length"
        f" {found.matrix[0, 0]:.0f} px, "
        + (f"lens k1 {found.k1:+.3f}, k2 {found.k2:+.3f}." if solution.lens else "lens taken as straight."),
        soft_wrap=True,
    )
    console.print(
        f"So many points leave a place open by {solution.open_mm:.1f} mm at the worst spot in view.",
        soft_wrap=True,
    )
    for sentence in solution.advice:
        console.print(sentence, markup=False, soft_wrap=True, style="yellow")
