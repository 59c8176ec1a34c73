"""The commands that show: ``veedor serve`` and ``veedor demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from veedor.cli_options import Port, State

if TYPE_CHECKING:
    import socket

    from veedor.store import Store


def serve(port: Port = 8600, state: State = None) -> None:
    """Serve the dashboard on 127.0.0.1 until Ctrl-C."""
    from veedor.serving import listen
    from veedor.store import Store, state_directory

    listener = listen(port)
    with listener:
        store = Store(state_directory(state))
        try:
            _serve(store, listener, "")
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


def _serve(store: Store, listener: socket.socket, page: str) -> None:
    from veedor.serving import serve as run

    def ready(address: str) -> None:
        url = f"{address}{page}"
        typer.echo(f"\nOpen {url}   (Ctrl-C ends)")
        _open_on_desk(url)

    run(store, listener, ready)
    typer.echo("Stopped.")


def _open_on_desk(url: str) -> None:
    """Open the page where somebody sits in front of a desktop; elsewhere the address is enough."""
    import os
    import sys
    import webbrowser

    desk = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or sys.platform == "darwin"
    if desk and sys.stdout.isatty():
        webbrowser.open(url)
