"""What befell a camera as findings: each loss of its view, what became of it, and what follows for verdicts.

A finding says that the view was lost, not that anyone broke a rule, so its verdict is UNDETERMINED. It is
told when the loss is, and its id stays when the camera sees again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rules.catalogue import alert_codes, rule_rows
from rules.clock import clock
from rules.events import Realignment, ViewBack, ViewLost
from rules.findings import CoupSummary, Finding, Severity, Verdict

RULE = "HOUSE-CAMERA-01"
_BEFORE_S, _AFTER_S = 1.0, 1.0
_NOT_CAMERA = ("gap", "end")
_SEEN = {
    "moved": "the printed lines lie elsewhere in the picture than the calibration puts them",
    "blurred": "the printed lines have run into the cloth: the picture is out of focus",
    "covered": "something before the camera hides the felt",
    "dark": "hardly anything in the picture is brighter than black",
    "dazzled": "light into the lens has washed out the felt",
    "frozen": "the picture has stopped: it repeats to the last detail",
    "no_signal": "no picture has come",
}


def camera_findings(
    events: Iterable[ViewLost | ViewBack], coups: Sequence[CoupSummary] = ()
) -> tuple[Finding, ...]:
    """A finding for each loss of a whole camera's view, in the order recorded. ``coups``: gives each the
    number of the coup in which it began (0: of none)."""
    told = sorted(events, key=lambda event: event.seq)
    back = {event.lost: event for event in told if isinstance(event, ViewBack)}
    counts: dict[tuple[str, str], int] = {}
    found = []
    for event in told:
        if not isinstance(event, ViewLost) or event.spot is not None or event.reason in _NOT_CAMERA:
            continue
        camera = event.camera or (None if event.evidence is None else event.evidence.camera)
        if camera is None:  # of several cameras, each has its own event
            continue
        key = (camera, event.reason)
        counts[key] = counts.get(key, 0) + 1
        found.append(_finding(event, back.get(event.seq), camera, counts[key], _coup_at(event.t, coups)))
    return tuple(found)


def _finding(lost: ViewLost, back: ViewBack | None, camera: str, number: int, coup: int) -> Finding:
    code = f"CAMERA_{lost.reason.upper()}"
    seen_t = lost.t if lost.evidence is None else max(lost.t, lost.evidence.t)
    t_to = back.t if back is not None else lost.t_to
    row, why = rule_rows()[RULE], lost.reason.replace("_", " ")
    until = "and to the end" if t_to is None else f"to {clock(t_to)}"
    return Finding(
        id=".".join(re.sub(r"[^A-Za-z0-9_]+", "-", part) for part in ("camera", camera, code, str(number))),
        coup=coup,
        rule=RULE,
        code=code,
        verdict=Verdict.UNDETERMINED,
        severity=alert_codes()[code].severity or Severity.HIGH,
        t=round(seen_t, 3),
        t_from=round(max(0.0, lost.t - _BEFORE_S), 3),
        t_to=round((seen_t if t_to is None else max(t_to, seen_t)) + _AFTER_S, 3),
        spot=None,
        expected=f"{camera} shows the table as it was calibrated",
        seen=f"from {clock(lost.t)} on {_SEEN[lost.reason]}",
        article=row.cited,
        resolution=None if back is None or back.realigned is None else _realigned(back.t, back.realigned),
        reason=f"from {clock(lost.t)} {until} {camera} could not be relied on ({why}): what"
        f" {'happened meanwhile' if lost.hides else 'it alone sees'} is not judged",
        evidence_seq=(lost.seq,) if back is None else (lost.seq, back.seq),
    )


def _realigned(t: float, found: Realignment) -> str:
    return (
        f"re-aligned by itself at {clock(t)}: the felt had moved by up to {found.shift_px:.1f} px (turned"
        f" {found.turn_deg:+.2f} degrees, {100 * (found.zoom - 1):+.1f} % in size); the printed lines fit to"
        f" {found.residual_mm:.2f} mm since"
    )


def _coup_at(t: float, coups: Sequence[CoupSummary]) -> int:
    """The coup that was on at a time or had ended last before it; else the first; 0 if there is none."""
    begun = [coup.coup for coup in coups if coup.t_from <= t]
    return begun[-1] if begun else coups[0].coup if coups else 0
