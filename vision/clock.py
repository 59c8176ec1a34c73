"""The recording's clock: the one place where a stream's timestamps become the time ``t`` of its pictures.

``t`` is in seconds from the first picture and always grows. What is wrong with the stamps is recorded:

- the stream does not start at 0, or below it: its start is subtracted, nothing is recorded;
- MISSING stamp: the picture comes one usual step after the last;
- DUPLICATE, or BACKWARDS by less than the gap: the picture comes a millisecond after the last, and the next
  good stamp counts again; if the stamps stay stuck, pictures go on at the usual step instead;
- BACKWARDS by more (the camera's clock was set): time goes on one step after the last picture from there;
- GAP: stamps are trusted, the time without pictures has passed;
- JUMP: a gap of more than six hours is the clock being set, not time passing: time goes on one step later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum, unique

_TICK_S = 0.001
_STUCK = 5
_JUMP_S = 6 * 3600.0


@unique
class AnomalyKind(StrEnum):
    """What can be odd about a recording that can still be read."""

    MISSING = "missing"
    """Pictures without a timestamp."""
    DUPLICATE = "duplicate"
    """Pictures with the timestamp of the one before."""
    BACKWARDS = "backwards"
    """The timestamps went back."""
    GAP = "gap"
    """Time passed without pictures."""
    JUMP = "jump"
    """The timestamps jumped by hours: the clock was set."""
    CORRUPT = "corrupt"
    """Damaged pictures were left out."""
    CUT_OFF = "cut off"
    """The recording ends before its own header says."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something odd from ``t`` to ``t_to``, seconds; ``count`` pictures are concerned, ``by_s`` is the size
    of a step of the clock."""

    kind: AnomalyKind
    t: float
    t_to: float
    count: int = 1
    by_s: float = 0.0

    @property
    def view_lost(self) -> bool:
        """Whether the table could not be seen during it."""
        return self.kind in (AnomalyKind.GAP, AnomalyKind.CORRUPT, AnomalyKind.CUT_OFF)

    def __str__(self) -> str:
        match self.kind:
            case AnomalyKind.GAP:
                return f"no pictures from {self.t:.2f} s to {self.t_to:.2f} s"
            case AnomalyKind.CORRUPT:
                return f"{self.count} damaged pictures left out around {self.t:.2f} s"
            case AnomalyKind.CUT_OFF:
                return f"cut off at {self.t:.2f} s of {self.t_to:.2f} s"
            case AnomalyKind.BACKWARDS | AnomalyKind.JUMP:
                return f"the clock stepped by {self.by_s:+.2f} s at {self.t:.2f} s"
            case AnomalyKind.MISSING:
                return f"{self.count} pictures without a timestamp around {self.t:.2f} s"
            case AnomalyKind.DUPLICATE:
                return f"{self.count} pictures with a repeated timestamp around {self.t:.2f} s"


class Clock:
    """Turns raw stamps, in order, into ``t``.

    ``start_s``: the stream's own start, if it says one. ``step_s``: the usual time between pictures.
    ``gap_s``: from how long on the time without pictures is a gap (never less than three steps).
    """

    def __init__(self, start_s: float | None = None, step_s: float | None = None, gap_s: float = 1.0) -> None:
        self.anomalies: list[Anomaly] = []
        self.step_s = step_s if step_s is not None and _TICK_S <= step_s < 60 else 0.04
        self.gap_s = max(gap_s, 3 * self.step_s)
        self._start = start_s
        self._shift: float | None = None
        self._last: float | None = None
        self._raw: float | None = None
        self._stuck = 0

    def tick(self, raw_s: float | None) -> float:
        """The time of the next picture, seconds, from its raw stamp (None if it has none)."""
        if raw_s is not None and not math.isfinite(raw_s):
            raw_s = None
        last = self._last
        if last is None:
            t = self._first(raw_s)
        elif raw_s is None:
            t = last + self.step_s
            self._note(AnomalyKind.MISSING, last, t)
        else:
            t = self._next(raw_s, last)
        self._raw = raw_s if raw_s is not None else self._raw
        self._last = t
        return t

    def _first(self, raw_s: float | None) -> float:
        if raw_s is None:
            self._note(AnomalyKind.MISSING, 0.0, 0.0)
            return 0.0
        start = self._start
        near = start is not None and 0 <= raw_s - start < self.gap_s
        self._shift = -start if near and start is not None else -raw_s
        return raw_s + self._shift

    def _next(self, raw_s: float, last: float) -> float:
        if self._shift is None:  # the first stamp after pictures that had none
            self._shift = last + self.step_s - raw_s
        t = raw_s + self._shift
        ahead = t - last
        if 0 < ahead < self.gap_s:
            if ahead > _TICK_S:
                self.step_s = ahead
            self._stuck = 0
            return max(t, last + _TICK_S / 10)
        if self.gap_s <= ahead <= _JUMP_S:
            self._stuck = 0
            self._note(AnomalyKind.GAP, last, t)
            return t
        if -self.gap_s < ahead <= 0:
            kind = AnomalyKind.DUPLICATE if raw_s == self._raw else AnomalyKind.BACKWARDS
            self._stuck += 1
            if self._stuck <= _STUCK:
                self._note(kind, last, last + _TICK_S, ahead if kind is AnomalyKind.BACKWARDS else 0.0)
                return last + _TICK_S
            self._note(kind, last, last + self.step_s)
        else:
            self._note(
                AnomalyKind.BACKWARDS if ahead < 0 else AnomalyKind.JUMP, last, last + self.step_s, ahead
            )
        self._shift = last + self.step_s - raw_s
        return last + self.step_s

    def _note(self, kind: AnomalyKind, t: float, t_to: float, by_s: float = 0.0) -> None:
        note(self.anomalies, Anomaly(kind, t, t_to, 1, by_s))


def note(anomalies: list[Anomaly], new: Anomaly) -> None:
    """Append an anomaly, or lengthen the last one if the same goes on without a pause."""
    if anomalies:
        last = anomalies[-1]
        same = last.kind is new.kind and new.t - last.t_to < 0.5 and new.kind is not AnomalyKind.GAP
        if same and abs(last.by_s) < 1 and abs(new.by_s) < 1:
            anomalies[-1] = Anomaly(last.kind, last.t, new.t_to, last.count + new.count, last.by_s)
            return
    anomalies.append(new)
