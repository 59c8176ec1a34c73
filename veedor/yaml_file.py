"""YAML read strictly: bounded, without anchors or repeated keys, and with the line of every key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from rules.errors import VeedorError

MAX_BYTES = 2_000_000
Place = tuple[str | int, ...]
"""The way to a value: keys and list positions from the top."""


class TableError(VeedorError):
    """A table file that cannot be used."""


def read_yaml(path: Path) -> tuple[Any, dict[Place, int]]:
    """A YAML file's content, and the line (from 1) of each value. Raises TableError."""
    try:
        if path.is_dir():
            raise TableError(f"The table file {path} is a folder: give the table.yaml in it.")
        if path.stat().st_size > MAX_BYTES:
            raise TableError(f"The table file {path} is larger than {MAX_BYTES // 1_000_000} MB: it is none.")
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise TableError(
            f"The table file {path} does not exist: check the path, or make one with veedor import-recording."
        ) from None
    except UnicodeDecodeError:
        raise TableError(f"The table file {path} is not UTF-8 text: save it as UTF-8.") from None
    except OSError as error:
        raise TableError(
            f"The table file {path} cannot be read ({error.strerror}): check its rights."
        ) from None
    return parse_yaml(text, str(path))


def parse_yaml(text: str, name: str) -> tuple[Any, dict[Place, int]]:
    """A YAML text's content and lines; ``name`` is what messages call it. Raises TableError."""
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise TableError(
                    f"The table file {name}, line {line}, uses an anchor (& or *): write the value out."
                )
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines = {} if node is None else dict(_lines(node, (), name))
        return yaml.safe_load(text), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f", line {mark.line + 1}, column {mark.column + 1}," if mark else ""
        raise TableError(
            f"The table file {name}{where} is not YAML: {error.problem}. Check the indentation, colons and"
            " quotes there."
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise TableError(f"The table file {name} is not YAML that can be read: write it anew.") from None


def _lines(node: yaml.Node, at: Place, name: str) -> Iterator[tuple[Place, int]]:
    yield at, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            word = str(key.value)
            line = key.start_mark.line + 1
            if word in seen:
                raise TableError(
                    f"The table file {name}, line {line}, has the key {place_text((*at, word))} a second"
                    " time: keep one."
                )
            seen.add(word)
            yield from _lines(value, (*at, word), name)
            yield (*at, word), line
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _lines(item, (*at, number), name)


def place_text(place: Place) -> str:
    """A place as people write it: ``cameras[0].points[3].mm``."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "the file"
