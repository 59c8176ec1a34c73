"""What is wrong with a table file, as a sentence: file, line, key, meaning and remedy."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from veedor.table_file import TableFile
from veedor.yaml_file import Place, place_text


def sentence(error: ValidationError, path: Path, lines: dict[Place, int]) -> str:
    """The first thing that is wrong, and how many more there are."""
    found = error.errors(include_url=False)
    # a list whose entry is wrong is reported as too short as well: only what lies deepest says what is wrong
    inner = [d for d in found if not any(d["loc"] == o["loc"][: len(d["loc"])] for o in found if o is not d)]
    # an unknown key often explains a missing one, so it is said first
    details = sorted(inner or found, key=lambda d: (d["type"] != "extra_forbidden", _line(d["loc"], lines)))
    first = details[0]
    place: Place = tuple(step for step in first["loc"] if step not in ("int", "str"))
    known = lines.get(place)
    where = (
        f"The table file {path}, line {known or _line(place, lines)}: "
        if lines
        else f"The table file {path}: "
    )
    others = len({detail["loc"][:3] for detail in details}) - 1
    more = "" if others < 1 else f" ({others} more after that.)"
    return where + _problem(first, place) + more


def _line(place: Place, lines: dict[Place, int]) -> int:
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _problem(detail: ErrorDetails, place: Place) -> str:
    key, kind, context = place_text(place), detail["type"], detail.get("ctx") or {}
    value = detail["input"]
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) < 60 else shown[:57] + "..."
    if kind == "extra_forbidden":
        known = list(_model_at(place[:-1]))
        close = difflib.get_close_matches(str(place[-1]), known, 1, 0.5)
        hint = f"did you mean {close[0]}?" if close else f"the keys there are {', '.join(known)}."
        return f"{key} is not a known key; {hint}"
    if kind == "missing":
        meant = _model_at(place[:-1]).get(str(place[-1]), "")
        return f"{key} is missing. It is: {meant}"
    meaning = _meaning(place)
    problem = {
        "literal_error": f"must be {context.get('expected')}",
        "too_short": f"must have at least {context.get('min_length')} entries",
        "too_long": f"must have at most {context.get('max_length')} entries",
        "greater_than_equal": f"must be {_number(context.get('ge'))} or more",
        "greater_than": f"must be more than {_number(context.get('gt'))}",
        "less_than_equal": f"must be {_number(context.get('le'))} or less",
        "less_than": f"must be less than {_number(context.get('lt'))}",
        "value_error": str(context.get("error")),
    }.get(kind, detail["msg"][:1].lower() + detail["msg"][1:])
    return f"{key} is {shown}, but {problem}. It is: {meaning}"


def _model_at(place: Place) -> dict[str, str]:
    """The keys of the part at a place, with what each means."""
    model: type[BaseModel] = TableFile
    for step in place:
        if isinstance(step, int):
            continue
        inner = model.model_fields[step].annotation if step in model.model_fields else None
        found = next(_models_in(inner), None)
        if found is None:
            return {}
        model = found
    return {key: field.description or "" for key, field in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)


def _meaning(place: Place) -> str:
    for end in range(len(place), 0, -1):
        if isinstance(place[end - 1], str):
            meant = _model_at(place[: end - 1]).get(str(place[end - 1]))
            if meant:
                return meant
    return "a value of the table file."


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)
