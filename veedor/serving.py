"""Serving the dashboard on this machine, until it is told to stop."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress

import uvicorn

from dashboards.admission import Examiner
from dashboards.app import create_app
from dashboards.calibration import Bench
from rules.errors import VeedorError
from veedor.store import Store

HOST = "127.0.0.1"
PORT = 8600
_LAST_ANSWERS_S = 2
"""How long running answers (a video being fetched) may take when the server stops, seconds."""


class ServingError(VeedorError):
    """The dashboard cannot be served."""


def listen(port: int) -> socket.socket:
    """A socket on this machine's own address. Raises ServingError if the port is taken or not allowed."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ServingError(
                f"Port {port} on {HOST} is in use, perhaps by another veedor. Stop that one, or give another "
                f"with --port, such as --port {port + 1}."
            ) from error
        raise ServingError(
            f"Port {port} on {HOST} cannot be used ({error.strerror}). Give another with --port."
        ) from error
    return listener


def serve(
    store: Store,
    listener: socket.socket,
    ready: Callable[[str], None],
    benches: Sequence[Bench] = (),
    examiners: Sequence[Examiner] = (),
) -> None:
    """Serve until SIGINT (Ctrl-C) or SIGTERM; ``ready`` gets the address. Closes the socket."""
    config = uvicorn.Config(
        create_app(store, benches, examiners, lambda: server.should_exit),
        log_level="warning",
        lifespan="off",
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
    )
    server = uvicorn.Server(config)  # the application asks it whether it is to end
    port = listener.getsockname()[1]
    with listener:
        ready(f"http://{HOST}:{port}")
        with suppress(KeyboardInterrupt):  # uvicorn stopped cleanly, and passes the signal on
            server.run(sockets=[listener])
