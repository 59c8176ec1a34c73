"""A key put into a table file, with the rest of it, comments too, as it was."""

from __future__ import annotations

import re
from pathlib import Path

from rules.errors import VeedorError
from veedor.config import read_table_file
from veedor.store import write_atomically
from veedor.table_file import TableFile, dump
from veedor.yaml_file import parse_yaml


def name_enrolment(path: Path, part: str, folder: str) -> None:
    """Say in a table file that its ``part`` (``deck`` or ``chips``) is enrolled in ``folder``.

    Raises VeedorError where the file cannot be read or written.
    """
    file = read_table_file(path)
    own = getattr(file, part)
    if own.enrolled == folder:
        return
    wanted = file.model_copy(update={part: own.model_copy(update={"enrolled": folder})})
    text = _with_key(path.read_text(encoding="utf-8-sig"), part, folder)
    if text is not None and _reads_as(text, wanted):
        write_atomically(path, text.encode())
    else:
        dump(wanted, path)


def _with_key(text: str, part: str, folder: str) -> str | None:
    """The text with the key put in or changed, None where it is not written in lines of its own."""
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if re.match(rf"{part}:\s*(#.*)?$", line)]
    if not starts:
        if re.search(rf"^{part}:", text, re.MULTILINE):
            return None
        return text + ("" if text.endswith("\n") else "\n") + f"\n{part}:\n  enrolled: {folder}\n"
    begin = starts[0] + 1
    end = next((i for i in range(begin, len(lines)) if re.match(r"[^\s#]", lines[i])), len(lines))
    inside = [line for line in lines[begin:end] if line.strip() and not line.lstrip().startswith("#")]
    indent = re.match(r"\s*", inside[0])[0] if inside else "  "  # type: ignore[index]
    key = f"{indent}enrolled: {folder}\n"
    for i in range(begin, end):
        if re.match(rf"{indent}enrolled:", lines[i]):
            return "".join([*lines[:i], key, *lines[i + 1 :]])
    return "".join([*lines[:begin], key, *lines[begin:]])


def _reads_as(text: str, wanted: TableFile) -> bool:
    try:
        content, _ = parse_yaml(text, "the table file")
        return TableFile.model_validate(content) == wanted
    except (VeedorError, ValueError):
        return False
