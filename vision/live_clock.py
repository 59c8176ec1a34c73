"""When a picture was taken, by the watch's own clock, from its stamp and when it came.

Stamps run evenly but from a beginning of their own, and their clock may drift; arrivals are on our clock but
late, now more, now less. The picture that was least late tells how the two clocks stand to each other.
"""

from __future__ import annotations

import math

_ADJUST_S = 20.0
_DRIFT = 0.0005
"""A camera's clock is not wrong by more than this part of the time that goes by."""
_WRONG_S = 5.0
"""Never less late than this for so long, pictures do not come late: the stamps run too slowly."""
_LEAST_STEP_S = 0.001


class LiveClock:
    """Of one connection to a camera. Times in seconds; what it gives always grows."""

    def __init__(self, not_before: float = -math.inf) -> None:
        """``not_before``: the last picture of the connection before, on the watch's clock."""
        self._shift: float | None = None
        self._last = not_before
        self._least = math.inf
        self._since = -math.inf
        self.late_s = 0.0
        """How much later than the least late ones the last picture came."""

    def tick(self, stamp: float, arrived: float) -> float:
        """The time of a picture that bears ``stamp`` and came at ``arrived``."""
        if self._shift is None:
            self._shift, self._since = arrived - stamp, arrived
        self.late_s = arrived - (stamp + self._shift)
        if self.late_s < 0:  # the ones before were all later
            self._shift += self.late_s
            self.late_s = 0.0
        self._least = min(self._least, self.late_s)
        if arrived - self._since >= _ADJUST_S:
            hopeless = self._least > _WRONG_S
            self._shift += self._least if hopeless else min(self._least, _DRIFT * (arrived - self._since))
            self._least, self._since = math.inf, arrived
        self._last = max(self._last + _LEAST_STEP_S, stamp + self._shift)
        return self._last
