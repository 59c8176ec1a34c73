"""The command that watches a table live: ``veedor watch``."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from veedor.cli_options import State

if TYPE_CHECKING:
    from veedor.config import Table
    from veedor.live_watch import Place


def watch(
    table: Annotated[Path, typer.Argument(help="The table file (TABLE.yaml).")],
    camera: Annotated[
        list[str] | None,
        typer.Option(
            "--camera",
            metavar="NAME=PLACE",
            help="Where a camera is watched: rtsp://..., http://..., /dev/video0, or a recording, which is "
            "played at its own pace. Once for each; the first is the chief one. Default: each camera's "
            "source in the table file.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for journal, findings and pictures too, when the watch ends."),
    ] = None,
    hours: Annotated[
        float,
        typer.Option(
            "--hours", min=0.01, max=24.0, help="After so long, between two coups, a review is put away."
        ),
    ] = 1.0,
    pace: Annotated[
        float, typer.Option("--pace", min=0.1, max=100.0, help="How fast recordings are played.")
    ] = 1.0,
    state: State = None,
) -> None:
    """Watch a running table: see, judge and tell as it goes, until Ctrl-C. 'veedor serve' shows it."""
    from rich.console import Console

    from rules.errors import VeedorError
    from veedor.config import load_table
    from veedor.live_watch import LiveWatch
    from veedor.store import Store, state_directory
    from veedor.store.files import make_directory
    from veedor.summary import summary

    loaded = load_table(table)
    places = places_of(loaded, camera or ())
    if pace != 1.0 and any(_is_live(place.place) for place in places):
        raise VeedorError("--pace is for recordings: a camera goes at its own pace. Leave it out.")
    if out is not None:  # rather now than after the evening
        make_directory(out, "The folder --out")
    console = Console(highlight=False)
    store = Store(state_directory(state))
    try:
        running = LiveWatch(
            loaded,
            places,
            store,
            lambda sentence: console.print(sentence, markup=False, soft_wrap=True),
            out=out,
            part_s=hours * 3600,
            pace=pace,
        )
        console.print(
            f"Watching {loaded.name} (Ctrl-C ends). 'veedor serve' shows it at /live/{running.folder.key}.",
            soft_wrap=True,
        )
        before = [signal.signal(number, _Stopper(running.stop)) for number in _SIGNALS]
        try:
            running.run()
        finally:
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, handler)
        last = running.last
        if last is None:
            console.print("Stopped before the first picture: nothing was seen.")
            return
        console.print(summary(last.judgement, "Watched"))
        where = "Kept" if out is None else f"Written to {out}, and kept"
        console.print(f"{where} as review {last.number} in {store.state}.", soft_wrap=True)
    finally:
        store.close()


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Stopper:
    """The first signal ends the watch in order, the second at once: the journal is on the disk."""

    def __init__(self, stop: object) -> None:
        assert callable(stop)
        self._stop, self._asked = stop, False

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        self._stop()


def _is_live(place: str) -> bool:
    from vision.address import is_live

    return is_live(place)


def places_of(table: Table, given: Sequence[str]) -> list[Place]:
    """Where each camera is watched: as given (``NAME=PLACE``, or a place alone for a table with one camera),
    else as the table file says. Raises VeedorError, a sentence that says no camera's password."""
    from rules.errors import VeedorError
    from veedor.config import place_of
    from veedor.live_watch import Place
    from vision.address import address_of, is_live, masked

    found: list[Place] = []
    for text in given:
        name, equals, place = text.partition("=")
        names = {each.id for each in table.cameras}
        if name.strip() not in names and len(names) == 1 and (is_live(text) or not equals):
            name, place = next(iter(names)), text
        elif not (equals and name.strip() and place.strip()):
            raise VeedorError(
                f"--camera {masked(text)} is not the camera's name and its place: write them as in --camera"
                " above=rtsp://10.0.0.7/stream1."
            )
        own = table.camera(name.strip())
        if own.id in {other.camera for other in found}:
            raise VeedorError(f"Camera {own.id} is given twice: give each camera one place.")
        found.append(Place(own.id, place.strip()))
    if not given:
        for own in table.cameras:
            if own.source is not None:
                found.append(Place(own.id, place_of(own.source, table.path)))
    if not found:
        raise VeedorError(
            f"The table file {table.path} does not say where its cameras are watched: give --camera"
            f" {table.cameras[0].id!r}=rtsp://..., or write 'source' into the file."
        )
    for each in found:
        address_of(each.place)
    return found
