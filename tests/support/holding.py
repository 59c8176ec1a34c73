"""What an object keeps alive, and how large that is: for tests that nothing grows with time."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_SHARED = (type, ModuleType, CodeType, FrameType, BuiltinFunctionType)
"""What there is once in a process."""


def kept_by(root: object) -> Iterator[object]:
    """Everything that an object keeps alive, each once, itself included; as far as Python tells, and not
    what a whole process shares: modules, classes, code."""
    seen: set[int] = set()
    waiting: deque[object] = deque([root])
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _SHARED):
            continue
        seen.add(id(one))
        yield one
        waiting.extend(_parts(one))


def size_of(root: object) -> int:
    """Bytes of everything that an object keeps alive."""
    return sum(_own_size(one) for one in kept_by(root))


def entries_of(root: object) -> int:
    """How many entries all containers have that an object keeps alive and that may grow: of a deque that
    bounds itself none are counted."""
    return sum(
        len(one)
        for one in kept_by(root)
        if isinstance(one, list | dict | set) or (isinstance(one, deque) and one.maxlen is None)
    )


def size_by_part(root: object, depth: int = 1) -> Mapping[str, int]:
    """The same for each attribute by itself, down to so many steps: what two share is counted in both."""
    found: dict[str, int] = {}
    for name, value in _attributes(root):
        found[name] = size_of(value)
        if depth > 1:
            found |= {f"{name}.{below}": size for below, size in size_by_part(value, depth - 1).items()}
    return found


def _own_size(one: object) -> int:
    if isinstance(one, np.ndarray):
        return sys.getsizeof(one) if one.base is not None or one.flags.owndata else one.nbytes
    return sys.getsizeof(one)


def _attributes(one: object) -> Iterator[tuple[str, Any]]:
    with suppress(AttributeError):
        yield from object.__getattribute__(one, "__dict__").items()
    for kind in type(one).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            own = f"_{kind.__name__.lstrip('_')}{name}" if name.startswith("__") else name
            if name not in ("__dict__", "__weakref__"):
                with suppress(AttributeError):  # never set; and what reckons attributes is not asked
                    yield name, object.__getattribute__(one, own)


def _parts(one: object) -> Iterator[object]:
    match one:
        case str() | bytes() | int() | float():
            return
        case np.ndarray():
            if one.base is not None:
                yield one.base
            return
        case dict():
            yield from one.keys()
            yield from one.values()
        case list() | tuple() | set() | frozenset() | deque():
            yield from one
        case MethodType():
            yield one.__self__
        case FunctionType():
            yield from (cell.cell_contents for cell in one.__closure__ or () if cell.cell_contents is not one)
        case _:
            pass
    yield from (value for _, value in _attributes(one))
