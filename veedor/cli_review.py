"""The commands that judge: ``veedor review`` and ``veedor judge``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veedor.cli_options import State, TableFile
from veedor.shortfall import Shortfall, nothing

if TYPE_CHECKING:
    from rules.events import Cue
    from veedor.config import Table
    from veedor.review import Reviewed
    from veedor.store import Store

INCOMPLETE = 3
"""Exit code of a review that is done, of recordings that do not show all of it."""


def review(
    table: TableFile,
    out: Annotated[Path, typer.Option("--out", help="Folder for journal, findings and pictures.")],
    video: Annotated[str | None, typer.Argument(help="The recording, a file.")] = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(
            "--camera",
            metavar="NAME=VIDEO",
            help="A camera's recording, once for each of several. The first one's clock counts.",
        ),
    ] = None,
    offset: Annotated[
        list[str] | None,
        typer.Option(
            "--offset",
            metavar="NAME=SECONDS",
            help="How much later a camera's recording begins than the first. Default: as the table file "
            "says, else found from what moves.",
        ),
    ] = None,
    refine: Annotated[
        bool,
        typer.Option("--refine", help="First refine the calibration by the printed lines in the recording."),
    ] = False,
    cues: Annotated[
        Path | None,
        typer.Option("--cues", help="What was told meanwhile: one cue a line (docs/cues.md)."),
    ] = None,
    state: State = None,
) -> None:
    """Review a recording: see what happened on the table, and judge it by the regulation.

    Ends with 3 where the recordings do not show all of it: cut off, damaged, or one shorter than the others.
    """
    from veedor.feeds import read_offsets, read_videos
    from veedor.store import Store, state_directory
    from veedor.told import read_cues

    told = read_cues(cues) if cues is not None else ()
    videos = read_videos(video, camera or (), table)
    offsets = read_offsets(offset or ())
    recording = videos[0][1]
    store = Store(state_directory(state))
    missing: list[str] = []
    try:
        done = (
            run_review(recording, table, out, store, refine=refine, cues=told, on_shortfall=missing.append)
            if videos[0][0] is None
            else run_cameras(
                videos, offsets, table, out, store, refine=refine, cues=told, on_shortfall=missing.append
            )
        )
    finally:
        store.close()
    from rich.console import Console

    from veedor.summary import summary

    console = Console(highlight=False)
    console.print(summary(done.judgement, recording.name))
    console.print(f"Written to {out}, and kept as review {done.number} in {store.state}.", soft_wrap=True)
    complaints = Console(stderr=True, highlight=False)
    for sentence in missing:
        complaints.print(sentence, markup=False, soft_wrap=True, style="bold yellow")
    if missing:
        raise typer.Exit(INCOMPLETE)


def run_review(
    video: Path,
    table: Path,
    out: Path,
    store: Store,
    *,
    refine: bool = False,
    cues: Sequence[Cue] = (),
    on_shortfall: Shortfall = nothing,
) -> Reviewed:
    """Review with a progress bar on stderr; ``refine``: the calibration first; ``cues``: what was told;
    ``on_shortfall``: told what the recording does not show. Raises VeedorError."""
    from veedor.progress import progress_bar
    from veedor.review import review as run
    from veedor.told import with_cues
    from veedor.watching import judge_journal, watch

    loaded = _loaded(table, {None: str(video)} if refine else {})
    with progress_bar() as on_progress:
        return run(
            video,
            loaded,
            out,
            store,
            watch=lambda table, video, progress: with_cues(watch(table, video, progress, on_shortfall), cues),
            judge=judge_journal,
            on_progress=on_progress,
        )


def run_cameras(
    videos: Sequence[tuple[str | None, Path]],
    offsets: Mapping[str, float],
    table: Path,
    out: Path,
    store: Store,
    *,
    refine: bool = False,
    cues: Sequence[Cue] = (),
    on_shortfall: Shortfall = nothing,
) -> Reviewed:
    """Review the recordings of named cameras with a progress bar on stderr; ``refine``: calibrations first;
    ``cues``: what was told; ``on_shortfall``: told what they do not show. Raises VeedorError."""
    from veedor.feeds import feeds_of
    from veedor.progress import progress_bar
    from veedor.review import review as run
    from veedor.told import with_cues
    from veedor.watching import judge_journal, watch_feeds

    loaded = _loaded(table, {name: str(video) for name, video in videos} if refine else {})
    with progress_bar() as on_progress:
        named = [(loaded.camera(name).id, video) for name, video in videos]
        feeds = feeds_of(loaded, named, offsets, on_progress)
        return run(
            feeds[0].video,
            loaded,
            out,
            store,
            watch=lambda table, _video, progress: with_cues(
                watch_feeds(table, feeds, progress, on_shortfall), cues
            ),
            judge=judge_journal,
            on_progress=on_progress,
            feeds=feeds,
        )


def _loaded(path: Path, refined_on: Mapping[str | None, str]) -> Table:
    """The table; the cameras whose recordings are given refined on them."""
    from veedor.config import load_table

    table = load_table(path)
    if not refined_on:
        return table
    from veedor.refined import refined_table

    table, says = refined_table(table, refined_on)
    for sentence in says:
        typer.echo(sentence)
    return table


def judge(
    journal: Annotated[Path, typer.Argument(help="A journal (journal.jsonl).")],
    table: TableFile,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write findings.json to this file, not to stdout.")
    ] = None,
) -> None:
    """Judge a journal again, without any picture: the same findings.json as the review that made it."""
    from veedor.config import load_table
    from veedor.store import keep_apart, write_atomically
    from veedor.watching import judge_journal, read_journal

    for given in (journal, table):
        keep_apart(out, given)
    text = judge_journal(read_journal(journal), load_table(table)).dumps()
    if out is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        write_atomically(out, text.encode())
