"""What recordings do not show of the time that a review covers: sentences for people.

A review with any of them is done and kept, but incomplete: what was not seen could not be judged, and
``veedor review`` says so and ends with its own exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vision.clock import Anomaly, AnomalyKind

Shortfall = Callable[[str], None]
"""Told, in a sentence, what a recording does not show."""

LONGEST_S = 1.0
"""Recordings of one play need not begin and end together more exactly than this."""


def nothing(_sentence: str) -> None:
    """For those who do not want to know."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one camera's recording showed. ``first_t``, ``last_t``: of its pictures, on the review's clock."""

    camera: str
    name: str
    first_t: float
    last_t: float
    anomalies: tuple[Anomaly, ...]


def damage(name: str, anomalies: Iterable[Anomaly]) -> list[str]:
    """What is said of a recording of which pictures could not be decoded."""
    spoilt = [odd for odd in anomalies if odd.kind is AnomalyKind.CORRUPT]
    if not spoilt:
        return []
    count = sum(odd.count for odd in spoilt)
    what = "1 picture was left out" if count == 1 else f"{count} pictures were left out"
    return [
        f"The recording {name} is damaged: {what} between {spoilt[0].t:.1f} s and {spoilt[-1].t_to:.1f} s of"
        " it, and what they showed was not judged. Copy or export it again, and review it again."
    ]


def shortfalls(shown: Iterable[Shown]) -> list[str]:
    """What is said of recordings of one play that do not show all of it."""
    every = list(shown)
    begin = min((each.first_t for each in every), default=0.0)
    end = max((each.last_t for each in every), default=0.0)
    said: list[str] = []
    for each in every:
        whose = f"The recording {each.name} of camera {each.camera}"
        cut_off = next((odd for odd in each.anomalies if odd.kind is AnomalyKind.CUT_OFF), None)
        late_s, early_s = each.first_t - begin, end - each.last_t
        if cut_off is not None:
            said.append(
                f"{whose} is cut off: it holds {cut_off.t:.1f} of {cut_off.t_to:.1f} seconds. From then on"
                " only what the other cameras show was judged. Copy or export it again, and review it again."
            )
        elif early_s > LONGEST_S:
            said.append(
                f"{whose} ends {early_s:.1f} s before the last one does: from then on only what the other"
                " cameras show was judged. If there is more of it, join the parts, and review them again."
            )
        if late_s > LONGEST_S:
            said.append(
                f"{whose} begins {late_s:.1f} s after the first one does: until then only what the other"
                " cameras show was judged."
            )
        said += damage(each.name, each.anomalies)
    return said
