"""The ``veedor`` command: what it offers, and how it ends.

Exit codes: 0 fine; 1 something a person has to put right (one sentence on stderr); 2 wrong usage;
130 stopped with Ctrl-C. Each command loads what it needs only when it runs.
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from importlib.metadata import version
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console

from rules.errors import VeedorError
from veedor import (
    cli_admit,
    cli_calibrate,
    cli_dealers,
    cli_enrol,
    cli_layout,
    cli_look,
    cli_models,
    cli_play,
    cli_review,
    cli_rules,
    cli_serve,
    cli_watch,
)

FAILED, STOPPED = 1, 130

app = typer.Typer(
    name="veedor",
    help="Reads a casino table through ordinary cameras and judges it by the regulation.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(asked: bool) -> None:
    if asked:
        typer.echo(f"veedor {version('veedor')}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", help="Say the version.", callback=_say_version, is_eager=True)
    ] = False,
) -> None:
    """Reads a casino table through ordinary cameras and judges it by the regulation."""


app.command()(cli_review.review)
app.command()(cli_review.judge)
app.command()(cli_watch.watch)
app.command()(cli_rules.rules)
app.command()(cli_rules.odds)
app.command()(cli_play.simulate)
app.command()(cli_play.correct)
app.command()(cli_dealers.dealers)
app.command()(cli_look.read)
app.command("import-recording")(cli_look.import_recording)
app.command()(cli_look.score)
app.command()(cli_look.doctor)
app.command()(cli_models.models)
app.command()(cli_calibrate.calibrate)
app.command()(cli_admit.admit)
app.add_typer(cli_enrol.app, name="enrol")
app.add_typer(cli_layout.app, name="layout")
app.command()(cli_serve.serve)
app.command()(cli_serve.demo)


def main() -> None:
    """Run the command line; errors meant for people become one sentence on stderr."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here, where what goes wrong can still be said
    except VeedorError as error:
        _complain(str(error))
        sys.exit(FAILED)
    except SystemExit as end:
        if end.code == STOPPED:  # typer's way to pass on Ctrl-C
            _complain("Stopped. Nothing was changed.")
        raise
    except BrokenPipeError:
        # The reader of our output went away, as in `veedor ... | head`.
        sys.stderr.close()
        sys.exit(FAILED)
    except OSError as error:
        what = f"The file {error.filename}" if error.filename else "The output"
        _complain(f"{what} cannot be used ({error.strerror}). Check the free space and the rights.")
        with suppress(OSError):
            sys.stdout.close()
        sys.exit(FAILED)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


_LONGEST_COMPLAINT = 2000
"""Characters; what was given may be quoted in it, however long it is."""


def _complain(sentence: str) -> None:
    if len(sentence) > _LONGEST_COMPLAINT:
        half = _LONGEST_COMPLAINT // 2
        sentence = f"{sentence[:half]} ... {sentence[-half:]}"
    Console(stderr=True, highlight=False).print(sentence, markup=False, soft_wrap=True, style="bold red")
