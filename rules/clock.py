"""Moments of a recording as people read them."""

from __future__ import annotations

_LAST_S = 1e9
"""Later moments, which no recording has but a journal written by hand may, are shown as this one."""


def clock(t: float) -> str:
    """A moment ``t``, seconds from the recording's start, as ``m:ss.t`` (``h:mm:ss.t`` from an hour).

    >>> clock(72.34), clock(3671.0), clock(59.96), clock(-0.2)
    ('1:12.3', '1:01:11.0', '1:00.0', '0:00.0')
    """
    seconds, tenth = divmod(round(min(max(0.0, t), _LAST_S) * 10), 10)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}.{tenth}" if hours else f"{minute}:{second:02}.{tenth}"
