"""YAML read strictly: bounded, without anchors or repeated keys, and with the line of every key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from rules.errors import VeedorError

MAX_BYTES = 2_000_000
MAX_DEPTH = 40
"""Parts within parts: a table file has some six. What nests without end takes very long to read."""
Place = tuple[str | int, ...]
"""The way to a value: keys and list positions from the top."""


class TableError(VeedorError):
    """A table file, or a house's profile, that cannot be used."""


def read_yaml(path: Path, what: str = "table file") -> tuple[Any, dict[Place, int]]:
    """A YAML file's content, and the line (from 1) of each value; ``what`` it is to be. Raises TableError."""
    try:
        if path.is_dir():
            raise TableError(f"The {what} {path} is a folder: give the file in it.")
        if path.exists() and not path.is_file():
            raise TableError(f"The {what} {path} is not a file: give a YAML file.")
        if path.stat().st_size > MAX_BYTES:
            raise TableError(f"The {what} {path} is larger than {MAX_BYTES // 1_000_000} MB: it is none.")
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise TableError(
            f"The {what} {path} does not exist: check the path"
            + (", or make one with veedor import-recording." if what == "table file" else ".")
        ) from None
    except UnicodeDecodeError:
        raise TableError(f"The {what} {path} is not UTF-8 text: save it as UTF-8.") from None
    except OSError as error:
        raise TableError(f"The {what} {path} cannot be read ({error.strerror}): check its rights.") from None
    except ValueError as error:  # a path that no file can have
        raise TableError(f"The {what} {str(path)!r} cannot be read ({error}): check the path.") from None
    return parse_yaml(text, str(path), what)


def parse_yaml(text: str, name: str, what: str = "table file") -> tuple[Any, dict[Place, int]]:
    """A YAML text's content and lines; ``name`` is what messages call it. Raises TableError."""
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise TableError(
                    f"The {what} {name}, line {line}, holds parts within parts more than"
                    f" {MAX_DEPTH} deep: it is no {what}."
                )
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise TableError(
                    f"The {what} {name}, line {line}, uses an anchor (& or *): write the value out."
                )
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines = {} if node is None else dict(_lines(node, (), f"{what} {name}"))
        return yaml.safe_load(text), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f", line {mark.line + 1}, column {mark.column + 1}," if mark else ""
        raise TableError(
            f"The {what} {name}{where} is not YAML: {error.problem}. Check the indentation, colons and"
            " quotes there."
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise TableError(f"The {what} {name} is not YAML that can be read: write it anew.") from None


def _lines(node: yaml.Node, at: Place, name: str) -> Iterator[tuple[Place, int]]:
    yield at, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            word = str(key.value)
            line = key.start_mark.line + 1
            if word in seen:
                raise TableError(
                    f"The {name}, line {line}, has the key {place_text((*at, word))} a second time: keep one."
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
