"""The commands that show: ``veedor serve`` and ``veedor demo``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veedor.cli_options import Port, State

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from dashboards.admission import Examiner
    from dashboards.calibration import Bench
    from veedor.store import Store


def serve(
    port: Port = 8600,
    state: State = None,
    table: Annotated[
        Path | None,
        typer.Option("--table", help="A table file: to calibrate its camera, and test what it can judge."),
    ] = None,
    picture: Annotated[
        str | None,
        typer.Option(
            "--picture",
            help="A picture of the camera to calibrate: a photograph, a recording, or rtsp://..."
            " Default: the camera's source in the table file.",
        ),
    ] = None,
    camera: Annotated[
        str | None, typer.Option("--camera", help="Which camera to calibrate. Default: the first.")
    ] = None,
) -> None:
    """Serve the dashboard on 127.0.0.1 until Ctrl-C; with --table, its calibration and admission too."""
    from rules.errors import VeedorError
    from veedor.serving import listen
    from veedor.store import Store, state_directory

    if table is None and (picture or camera):
        raise VeedorError("--picture and --camera are for calibrating: say which table with --table.")
    benches: list[Bench] = []
    examiners: list[Examiner] = []
    page = ""
    if table is not None:
        from veedor.admission_page import examiner_of
        from veedor.bench import NoPictureError, bench_of
        from veedor.config import load_table
        from vision.errors import CalibrationError

        examiners.append(examiner_of(table, picture, camera))
        page = f"/calibrate/{examiners[0].key}"
        try:
            benches.append(bench_of(table, picture, camera))
        except NoPictureError as missing:
            try:
                load_table(table)  # what calibrated cameras see can be told without a picture
            except CalibrationError:
                raise missing from None
            page = f"/admit/{examiners[0].key}"
            typer.echo(f"{missing} Without one it cannot be calibrated here; what it can judge is shown.")
    listener = listen(port)
    with listener:
        store = Store(state_directory(state))
        try:
            _serve(store, listener, page, benches, examiners)
        finally:
            store.close()


def demo(port: Port = 8600, state: State = None) -> None:
    """Review the recording that comes with veedor, and open it in the dashboard."""
    from rich.console import Console

    from veedor.demo import demo_review
    from veedor.serving import listen
    from veedor.store import Store, state_directory
    from veedor.summary import summary

    listener = listen(port)
    with listener:
        directory = state_directory(state)
        store = Store(directory)
        try:
            number, judgement, video = demo_review(store, directory / "demo")
            Console(highlight=False).print(summary(judgement, video.name))
            _serve(store, listener, f"/reviews/{number}")
        finally:
            store.close()


def _serve(
    store: Store,
    listener: socket.socket,
    page: str,
    benches: Sequence[Bench] = (),
    examiners: Sequence[Examiner] = (),
) -> None:
    from veedor.serving import serve as run

    def ready(address: str) -> None:
        url = f"{address}{page}"
        typer.echo(f"\nOpen {url}   (Ctrl-C ends)")
        _open_on_desk(url)

    run(store, listener, ready, benches, examiners)
    typer.echo("Stopped.")


def _open_on_desk(url: str) -> None:
    """Open the page where somebody sits in front of a desktop; elsewhere the address is enough."""
    import os
    import sys
    import webbrowser

    desk = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or sys.platform == "darwin"
    if desk and sys.stdout.isatty():
        webbrowser.open(url)
