"""How many pages and programs are told at once what happens at running tables."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator

from fastapi import HTTPException
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

MOST_STREAMS = 32
"""Each looks at its table's folder five times a second, and each has a thread to itself while it looks."""


class Streams:
    """The event streams of one server that are open."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self.most = most
        self._free = threading.BoundedSemaphore(most)

    def take(self) -> None:
        """One more; ``give_back`` once for each. Raises HTTPException, 503, if that are too many."""
        if not self._free.acquire(blocking=False):
            raise HTTPException(
                503,
                f"No more than {self.most} live pages and programs are told at once what happens, and so many"
                " are already: close a live page that nobody looks at.",
            )

    def give_back(self) -> None:
        """It has ended."""
        self._free.release()


class StreamOfEvents(StreamingResponse):
    """Server-sent events; however it ends, and if it never began, its place is free again."""

    media_type = "text/event-stream"

    def __init__(self, told: AsyncIterator[str], streams: Streams) -> None:
        """``streams``: of which one was taken."""
        super().__init__(told)
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer until nobody listens or nothing is left to tell."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.give_back()
