"""The progress bar of a review: what is being done, how far it is, and when it will be ready."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(unit: str = "s") -> Iterator[Callable[[str, float, float | None], None]]:
    """A bar on stderr; yields a function to be told of progress: what, how far, of how much (or None).

    ``unit``: what is counted. Where stderr is no terminal (a log, a pipe) only the steps are written.
    """
    console = Console(stderr=True, highlight=False)
    current = ""
    if not console.is_terminal:

        def say(what: str, _t: float, _of: float | None) -> None:
            nonlocal current
            if what != current:
                current = what
                console.print(f"{what} ...")

        yield say
        return
    columns = (
        TextColumn("{task.description:<26}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[reached]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None, reached="")

        def update(what: str, t: float, of: float | None) -> None:
            nonlocal current
            if what != current:
                current = what
                progress.reset(task, description=what, total=of)
            reached = "" if of is None else f"{t:.0f} of {of:.0f} {unit}"
            progress.update(task, completed=t, total=of, reached=reached)

        yield update
