"""Documents that lie beside a review (felt.json, overlay.json): one way to write and to read them."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from veedor.store.errors import StoreError

T = TypeVar("T")


def dump_beside(form: TypeAdapter[T], document: T) -> str:
    """A document as text; every number that is no whole one is rounded to a tenth of its unit."""
    return json.dumps(_rounded(form.dump_python(document, mode="json")), separators=(",", ":")) + "\n"


def load_beside(form: TypeAdapter[T], text: str, name: str) -> T:
    """Read a document. Raises StoreError, naming the file, if it is another format or broken."""
    try:
        return form.validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in problem["loc"]) or "the file"
        raise StoreError(
            f"{name} cannot be read ({place}: {problem['msg']}). Review the recording again to make it anew."
        ) from error


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 1)
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return value
