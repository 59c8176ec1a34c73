"""A reviewer's correction: one more entry at the end of a journal, and what it changes in the judgement."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.cards import Card
from rules.corrections import looks
from rules.errors import VeedorError
from rules.events import CardPlaced, CardRead, ChipsRead, ChipState, Event, Retraction
from rules.findings import Finding, Judgement
from veedor.choosing import did_you_mean
from veedor.store.appending import append

__all__ = ["Changes", "append", "card_is", "changes", "stack_is", "took_back"]

FORMAT = "veedor.correction/1"
_CHIPS = re.compile(r" *[0-9]{1,12} *(, *[0-9]{1,12} *){0,199}")
"""Up to 200 values."""


def card_is(events: Sequence[Event], card_id: str, card: str) -> CardRead:
    """This card of the journal is that one (``7h``). Raises VeedorError, naming the nearest card."""
    placed = {event.card_id: event for event in reversed(events) if isinstance(event, CardPlaced)}
    if card_id not in placed:
        raise did_you_mean("card", card_id, placed)
    if card != "??":
        try:
            card = str(Card.parse(card[:1].upper() + card[1:].lower()))
        except ValueError as error:
            raise VeedorError(f"{error}. A face that nobody can read is '??'.") from None
    return CardRead(seq=_next(events), t=placed[card_id].t, card_id=card_id, card=card, source="operator")


def stack_is(
    events: Sequence[Event],
    stack: str,
    chips: str,
    *,
    spot: str | None = None,
    t: float | None = None,
    line: str | None = None,
) -> ChipsRead:
    """This stack was these chips (``5,5``, bottom to top). ``spot``, ``t``: where and when, if the journal
    shows it at several spots or changed. Raises VeedorError, naming what has to be said."""
    shown: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, ChipState):
            for standing in event.stacks:
                spots = shown.setdefault(standing.stack, [])
                if event.spot not in spots:
                    spots.append(event.spot)
    if stack not in shown:
        raise did_you_mean("stack", stack, shown)
    where = shown[stack]
    if spot is None and len(where) > 1:
        raise VeedorError(f"The stack {stack} stood at {', '.join(where)}: say with --spot which is meant.")
    place = where[0] if spot is None else spot
    if place not in where:
        raise did_you_mean(f"spot of the stack {stack}", place, where)
    if t is not None and not math.isfinite(t):
        raise VeedorError(f"--t is {t}, but must be a moment of the recording, in seconds.")
    if t is None:
        t = _moment(events, stack, place)
    return ChipsRead(seq=_next(events), t=t, stack=stack, spot=place, denominations=_chips(chips), line=line)


def _moment(events: Sequence[Event], stack: str, spot: str) -> float:
    """When the stack was put there. Raises VeedorError if it was seen changed: then it must be said."""
    readings = looks(events, spot, stack)
    if not readings:
        raise VeedorError(
            f"Every sight of the stack {stack} at {spot} was taken back: there is nothing to put right."
        )
    if len(readings) > 1:
        seen = "; ".join(f"at {look.t:g} s {_text(look.stack.denominations)}" for look in readings)
        raise VeedorError(
            f"The stack {stack} at {spot} was read anew each time it changed ({seen}): say with --t which is"
            " meant."
        )
    return readings[0].t


def _text(chips: tuple[int | None, ...] | None) -> str:
    return "not read" if chips is None else ",".join("?" if chip is None else str(chip) for chip in chips)


def _chips(text: str) -> tuple[int, ...]:
    chips = tuple(int(part) for part in text.split(",")) if _CHIPS.fullmatch(text) else ()
    if not chips or min(chips) <= 0:
        raise VeedorError(
            f"{text!r} is not a stack: write its chips' values from bottom to top, as in 5,5,25."
        )
    return chips


def took_back(events: Sequence[Event], seq: int) -> Retraction:
    """The event of this number did not happen. Raises VeedorError if there is none, or none to take back."""
    event = next((event for event in events if event.seq == seq), None)
    if event is None:
        last = events[-1].seq if events else 0
        raise VeedorError(f"The journal has no entry {seq}: its last is {last}.")
    if isinstance(event, Retraction):
        raise VeedorError(
            f"Entry {seq} takes entry {event.of} back, and that cannot be undone: add what was seen as a new"
            " entry."
        )
    if any(isinstance(other, Retraction) and other.of == seq for other in events):
        raise VeedorError(f"Entry {seq} was taken back before.")
    return Retraction(seq=_next(events), t=event.t, of=seq)


def _next(events: Sequence[Event]) -> int:
    return events[-1].seq + 1 if events else 1


@dataclass(frozen=True, slots=True)
class Changes:
    """What a correction changes: findings that are gone, that are new, and that say something else now."""

    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]
    changed: tuple[tuple[Finding, Finding], ...]

    def as_json(self) -> dict[str, Any]:
        """The changes as they stand in the correction's JSON."""
        return {
            "gone": [finding.as_json() for finding in self.gone],
            "new": [finding.as_json() for finding in self.new],
            "changed": [
                {"before": before.as_json(), "after": after.as_json()} for before, after in self.changed
            ],
        }


def changes(before: Judgement, after: Judgement) -> Changes:
    """Compare two judgements, finding by finding; what it rests on alone is no change."""
    old = {finding.id: finding for finding in before.findings}
    new = {finding.id: finding for finding in after.findings}
    both = [(old[name], new[name]) for name in new if name in old]
    return Changes(
        gone=tuple(finding for name, finding in old.items() if name not in new),
        new=tuple(finding for name, finding in new.items() if name not in old),
        changed=tuple(
            (one, other)
            for one, other in both
            if replace(one, evidence_seq=()) != replace(other, evidence_seq=())
        ),
    )
