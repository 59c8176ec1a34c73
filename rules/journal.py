"""The event journal as text: JSON Lines, one header and then one event a line.

The first line is ``{"format": "veedor.journal/1", "table": ..., "game": ..., "cameras": [...]}``. The format
is a public contract; its JSON Schema is generated from the types (``schema()``) and kept in
``docs/journal.schema.json``, which a test compares with the types.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from rules.errors import JournalError
from rules.events import ChipState, Event

FORMAT = "veedor.journal/1"
MAX_LINE = 1_000_000
"""Characters that one line may have at most; an event takes a few hundred."""
_ROUNDED = 0.01
"""By so much probabilities may be more than 1 together: they are rounded."""


@checked_dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid", allow_inf_nan=False))
class Header:
    """What a journal is of. ``start_utc``: RFC 3339 time of ``t`` = 0, where known."""

    table: str
    game: str
    cameras: tuple[str, ...] = ()
    start_utc: str | None = None
    recording: str | None = None
    duration_s: float | None = None
    format: Literal["veedor.journal/1"] = "veedor.journal/1"


@dataclass(frozen=True, slots=True)
class Journal:
    """A header and its events in the order recorded."""

    header: Header
    events: tuple[Event, ...]


_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")], config=None)
_HEADER: TypeAdapter[Header] = TypeAdapter(Header)


def schema() -> dict[str, Any]:
    """The JSON Schema of one journal line (a header or an event), generated from the types."""
    line: TypeAdapter[Any] = TypeAdapter(Header | Annotated[Event, Field(discriminator="kind")])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FORMAT} | line.json_schema()


def event_line(event: Event) -> str:
    """One event as a line of JSON, without the newline; nulls and defaults are left out."""
    return json.dumps(
        _EVENT.dump_python(event, mode="json", exclude_defaults=True) | {"kind": event.kind}, allow_nan=False
    )


def header_line(header: Header) -> str:
    """The journal's first line, without the newline."""
    return json.dumps({"format": FORMAT} | _HEADER.dump_python(header, mode="json", exclude_none=True))


def dumps(journal: Journal) -> str:
    """The whole journal as text, each line ended by a newline."""
    return "".join(f"{line}\n" for line in (header_line(journal.header), *map(event_line, journal.events)))


def loads(lines: Iterable[str], name: str = "the journal") -> Journal:
    """Read a journal from its lines; ``name`` is said in errors.

    Raises JournalError that names the line and what is wrong with it: no header, another format version,
    broken JSON, an unknown or incomplete event, a number that is not finite, a ``seq`` that does not rise,
    a line longer than any event (``MAX_LINE``).
    """
    header: Header | None = None
    events: list[Event] = []
    last = 0
    for number, text in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        if len(text) > MAX_LINE:
            raise JournalError(
                f"{where} is longer than {MAX_LINE:,} characters, which no event is."
                " Give the journal.jsonl of a review."
            )
        if not text.strip():
            continue
        record = _record(text, where)
        if header is None:
            header = _header(record, where)
            continue
        event = _event(record, where)
        if event.seq <= last:
            raise JournalError(
                f"{where}: seq {event.seq} does not rise above {last}. A journal is only ever appended to."
            )
        last = event.seq
        events.append(event)
    if header is None:
        raise JournalError(f'{name} is empty. A journal begins with a line that has "format": "{FORMAT}".')
    return Journal(header, tuple(events))


def _record(text: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(text, parse_constant=_refuse_constant)
    except _NotANumberError as error:
        raise JournalError(
            f"{where} holds {error}, which is not a number that JSON knows."
            " A journal's times and places are finite numbers: write the event again, or leave it out."
        ) from None
    except json.JSONDecodeError as error:
        raise JournalError(
            f"{where} is not JSON ({error.msg} at column {error.colno}). "
            "Was the file cut off or edited by hand?"
        ) from None
    except (RecursionError, ValueError):  # Python reads neither without end
        raise JournalError(
            f"{where} nests more deeply, or holds a longer number, than any event does."
            " Was the file edited by hand? Write the event again, or leave it out."
        ) from None
    if not isinstance(record, dict):
        raise JournalError(f"{where} is not a JSON object. Each line of a journal is one object.")
    return record


class _NotANumberError(ValueError):
    """NaN or Infinity: Python reads them in JSON, though JSON has no such thing."""


def _refuse_constant(name: str) -> float:
    raise _NotANumberError(name)


def _header(record: dict[str, Any], where: str) -> Header:
    if record.get("format") != FORMAT:
        raise JournalError(
            f"{where}: the format is {record.get('format')!r}, but this version of veedor reads {FORMAT!r}. "
            "Review the recording again, or use the version that wrote it."
        )
    try:
        return _HEADER.validate_json(json.dumps(record), strict=True)
    except ValidationError as error:
        raise JournalError(f"{where}: {_first(error)}.") from None


def _event(record: dict[str, Any], where: str) -> Event:
    try:
        event = _EVENT.validate_json(json.dumps(record), strict=True)
    except ValidationError as error:
        raise JournalError(f"{where}: {_first(error)}.") from None
    for stack in event.stacks if isinstance(event, ChipState) else ():
        likely = math.fsum(chips.p for chips in stack.may_be)
        if likely > 1 + _ROUNDED:
            raise JournalError(
                f"{where}: what stack {stack.stack!r} may be has a probability of {likely:.2f} in all,"
                " which cannot be more than 1."
            )
    return event


def _unknown_kind(event: dict[str, Any]) -> str:
    """That an event names no kind, or none there is."""
    kinds = [kind.__dataclass_fields__["kind"].default for kind in get_args(Event)]
    if "kind" not in event:
        return f"the event has no 'kind': a journal has one header, and the kinds are {', '.join(kinds)}"
    close = difflib.get_close_matches(str(event["kind"]), kinds, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"the kinds are {', '.join(kinds)}"
    return f"there is no event of the kind {event['kind']!r}: {hint}"


def _form(name: str) -> str:
    """How a card or a spot is written, in words."""
    if name == "card":
        return "a card: write the rank A23456789TJQK and the suit c, d, h or s, as in 'Th', or '??'"
    return "a spot: write 'seat 3 punto' (seat and bet), 'hand banca', 'shoe', 'discard' or the like"


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in problem["loc"]) or "the event"
    if problem["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return _unknown_kind(problem["input"])
    if problem["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"{place} is not a key that a journal has here: leave it out, or correct its name"
    if problem["type"] == "string_pattern_mismatch":
        return f"{place}: {problem['input']!r} is not {_form(str(problem['loc'][-1]))}"
    return f"{place}: {problem['msg'][0].lower()}{problem['msg'][1:]}"
