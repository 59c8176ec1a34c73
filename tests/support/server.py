"""The dashboard served in a thread, on a free port."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from dashboards.app import create_app
from dashboards.calibration import Bench
from dashboards.streams import MOST_STREAMS
from veedor.store import Store


@contextmanager
def served(store: Store, benches: Sequence[Bench] = (), most_streams: int = MOST_STREAMS) -> Iterator[str]:
    """The dashboard over ``store``; yields its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        config = uvicorn.Config(
            create_app(store, benches, stopping=lambda: server.should_exit, most_streams=most_streams),
            log_level="error",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()
