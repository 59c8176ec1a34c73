"""What is put into a table file by veedor itself, the rest of it kept to the last space and comment.

The file is replaced whole or not at all. Where it is written in a way in which that cannot be done and still
read the same, it is written anew as veedor writes table files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import yaml
from pydantic import ValidationError

from rules.errors import VeedorError
from veedor.config import read_table_file
from veedor.store import write_atomically
from veedor.table_file import CameraPart, PointPair, TableFile, dump
from veedor.yaml_file import parse_yaml


def name_enrolment(path: Path, part: str, folder: str) -> None:
    """Say in a table file that its ``part`` (``deck`` or ``chips``) is enrolled in ``folder``.

    Raises VeedorError where the file cannot be read or written.
    """
    file = read_table_file(path)
    own = getattr(file, part)
    if own.enrolled != folder:
        wanted = file.model_copy(update={part: own.model_copy(update={"enrolled": folder})})
        _put(path, wanted, lambda text: _with_enrolment(text, part, folder))


def put_calibration(path: Path, wanted: TableFile, camera_id: str) -> None:
    """Write the points, picture size and lens that a camera has in ``wanted`` into its file.

    Raises VeedorError.
    """
    camera = next(camera for camera in wanted.cameras if camera.id == camera_id)
    _put(path, wanted, lambda text: _with_calibration(text, camera))


def _put(path: Path, wanted: TableFile, edited: Callable[[str], str | None]) -> None:
    """Make a file read as ``wanted``; ``edited``: its text so changed, None where that cannot be done."""
    try:
        text = edited(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        text = None
    if text is not None and _reads_as(text, wanted):
        write_atomically(path, text.encode())
    else:
        dump(wanted, path)


def _reads_as(text: str, wanted: TableFile) -> bool:
    try:
        content, _ = parse_yaml(text, "the table file")
        return TableFile.model_validate(content) == wanted
    except (VeedorError, ValidationError):
        return False


def _with_enrolment(text: str, part: str, folder: str) -> str | None:
    document = _document(text)
    if document is None or document.flow_style:
        return None
    key, own = f"enrolled: {_flow(folder)}", _value(document, part)
    if own is None:
        return text + ("" if text.endswith("\n") else "\n") + f"\n{part}:\n  {key}\n"
    if not isinstance(own, yaml.MappingNode) or own.flow_style:
        return None
    named = _value(own, "enrolled")
    if named is not None:
        return _changed(text, (*_span(named), _flow(folder)))
    first, _ = _span(own)
    return _changed(text, (first, first, f"{key}\n{' ' * own.start_mark.column}"))


def _with_calibration(text: str, part: CameraPart) -> str | None:
    camera = _camera(_document(text), part.id)
    if camera is None or camera.flow_style:
        return None
    lens = _value(camera, "lens")
    focal = _value(lens, "focal_px") if isinstance(lens, yaml.MappingNode) else None
    changes = []
    if part.lens is not None and focal is not None:
        changes.append((*_span(focal), _flow(part.lens.focal_px)))
    size, points = _value(camera, "image_size"), _value(camera, "points")
    if size is None or points is None:
        return None
    changes.append((*_span(size), _flow(list(part.image_size))))
    changes.append((*_span(points), _list([_flow(_point(pair)) for pair in part.points], points)))
    return _changed(text, *changes)


def _changed(text: str, *changes: tuple[int, int, str]) -> str:
    """A text with other words from one place to another."""
    for start, stop, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[stop:]
    return text


def _document(text: str) -> yaml.MappingNode | None:
    document = yaml.compose(text, Loader=yaml.SafeLoader)
    return document if isinstance(document, yaml.MappingNode) else None


def _camera(document: yaml.MappingNode | None, camera_id: str) -> yaml.MappingNode | None:
    cameras = None if document is None else _value(document, "cameras")
    if isinstance(cameras, yaml.SequenceNode):
        for each in cameras.value:
            name = _value(each, "id") if isinstance(each, yaml.MappingNode) else None
            if isinstance(name, yaml.ScalarNode) and name.value == camera_id:
                return each  # type: ignore[no-any-return]
    return None


def _value(mapping: yaml.MappingNode, key: str) -> yaml.Node | None:
    return next((value for name, value in mapping.value if name.value == key), None)


def _end(node: yaml.Node) -> int:
    """Where a node's own text ends: without the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _span(node: yaml.Node) -> tuple[int, int]:
    return int(node.start_mark.index), _end(node)


def _list(lines: list[str], old: yaml.Node) -> str:
    """The points as they stand in the file: one a line, or all in brackets where they were so."""
    if isinstance(old, yaml.CollectionNode) and old.flow_style:
        return f"[{', '.join(lines)}]"
    return f"\n{' ' * old.start_mark.column}".join(f"- {line}" for line in lines)


def _point(pair: PointPair) -> dict[str, object]:
    return pair.model_dump(exclude_none=True, mode="json")


def _flow(value: object) -> str:
    """A value on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")
