"""What is said of recordings that do not show all of a review's time."""

from __future__ import annotations

import pytest

from veedor.shortfall import Shown, damage, shortfalls
from vision.clock import Anomaly, AnomalyKind

WHOLE = Shown("above", "A.mp4", 0.0, 60.0, ())
CUT_OFF = Anomaly(AnomalyKind.CUT_OFF, 20.0, 60.0)
CORRUPT = Anomaly(AnomalyKind.CORRUPT, 12.0, 12.5, count=6)
GAP = Anomaly(AnomalyKind.GAP, 5.0, 8.0)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Shown("oblique", "B.mp4", 0.4, 59.3, ()), []),
        (Shown("oblique", "B.mp4", 0.0, 60.0, (GAP,)), []),  # told in the journal, as of one camera
        (Shown("oblique", "B.mp4", 0.0, 48.0, ()), ["B.mp4 of camera oblique ends 12.0 s before"]),
        (Shown("oblique", "B.mp4", 0.0, 75.0, ()), ["A.mp4 of camera above ends 15.0 s before"]),
        (Shown("oblique", "B.mp4", 3.0, 60.0, ()), ["B.mp4 of camera oblique begins 3.0 s after"]),
        (Shown("oblique", "B.mp4", 0.0, 20.0, (CUT_OFF,)), ["cut off: it holds 20.0 of 60.0 seconds"]),
        (Shown("oblique", "B.mp4", 0.0, 60.0, (CORRUPT,)), ["B.mp4 is damaged: 6 pictures were left out"]),
        (
            Shown("oblique", "B.mp4", 2.0, 20.0, (CORRUPT, CUT_OFF)),
            ["is cut off", "begins 2.0 s after", "is damaged"],
        ),
    ],
)
def test_what_two_recordings_do_not_show(other: Shown, said: list[str]) -> None:
    found = shortfalls([WHOLE, other])
    assert len(found) == len(said)
    for sentence, part in zip(found, said, strict=True):
        assert part in sentence
        assert sentence.endswith(".")


def test_damage_of_one_recording_is_said_once() -> None:
    later = Anomaly(AnomalyKind.CORRUPT, 30.0, 30.1)
    (sentence,) = damage("A.mp4", [CORRUPT, GAP, later])
    assert "7 pictures were left out between 12.0 s and 30.1 s" in sentence
    assert damage("A.mp4", [GAP]) == []
