"""Two threads for the parts of a look that do not need each other: the networks and OpenCV let others work
while they reckon."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

THREADS = 2
"""The processor cores that are asked for."""
_CREW = ThreadPoolExecutor(THREADS, thread_name_prefix="look")

T = TypeVar("T")


def all_done(jobs: Iterable[Callable[[], T]]) -> list[T]:
    """What each of several independent jobs gives, in their order. Raises what the first failing one does. A
    job must not hand out jobs itself."""
    waiting = list(jobs)
    if len(waiting) < 2:
        return [job() for job in waiting]
    return [future.result() for future in [_CREW.submit(job) for job in waiting]]


def parts(things: Sequence[T], most: int) -> list[Sequence[T]]:
    """Things in their order, so many at most together, as evenly as can be."""
    number = math.ceil(len(things) / most)
    edges = [k * len(things) // max(1, number) for k in range(number + 1)]
    return [things[low:high] for low, high in pairwise(edges)]
