"""A camera's losses as findings: told at once, named, stopped verdicts, and closed when it sees again."""

from __future__ import annotations

import pytest

from rules.cameras import camera_findings
from rules.events import Event, Evidence, Realignment, ViewBack, ViewLost
from rules.findings import Severity, Verdict
from rules.judge import Judge, judge
from rules.profiles import load_profile
from rules.sight import Gaps
from rules.spots import Spot

PROFILE = load_profile("andorra_2016", "mini", {}, "punto_banco")
MOVED = ViewLost(seq=3, t=41.2, reason="moved", evidence=Evidence("camera 1", 42.4))
HERE = Realignment(view=(1, 0, 0, 0, 1, 0, 0, 0, 1), shift_px=20.3, turn_deg=0.4, zoom=1.01, residual_mm=0.62)
BACK = ViewBack(seq=4, t=44.0, lost=3, realigned=HERE)


@pytest.mark.parametrize("reason", ["moved", "blurred", "covered", "dark", "dazzled", "frozen"])
def test_each_loss_has_its_own_finding(reason: str) -> None:
    lost = ViewLost(seq=1, t=41.2, reason=reason, evidence=Evidence("camera 2", 42.4))  # type: ignore[arg-type]
    (finding,) = camera_findings([lost])
    assert (finding.code, finding.verdict, finding.severity) == (
        f"CAMERA_{reason.upper()}",
        Verdict.UNDETERMINED,
        Severity.HIGH,
    )
    assert finding.id == f"camera.camera-2.CAMERA_{reason.upper()}.1"
    assert (finding.t, finding.evidence_seq) == (42.4, (1,))
    assert finding.reason is not None
    assert "from 0:41.2 and to the end camera 2 could not be relied on" in finding.reason


def test_a_camera_that_aligned_itself_again_says_so() -> None:
    (finding,) = camera_findings([MOVED, BACK])
    assert finding.resolution == (
        "re-aligned by itself at 0:44.0: the felt had moved by up to 20.3 px (turned +0.40 degrees, +1.0 % in"
        " size); the printed lines fit to 0.62 mm since"
    )
    assert finding.reason is not None
    assert "from 0:41.2 to 0:44.0" in finding.reason
    assert camera_findings([MOVED])[0].id == finding.id


@pytest.mark.parametrize("reason", ["gap", "end"])
def test_what_is_not_the_cameras_is_no_finding_of_it(reason: str) -> None:
    assert camera_findings([ViewLost(seq=1, t=3.0, reason=reason, t_to=5.0)]) == ()  # type: ignore[arg-type]
    assert camera_findings([ViewLost(seq=1, t=3.0, reason="covered", spot="hand punto")]) == ()


def test_of_several_cameras_each_has_its_own_finding_and_the_whole_table_none() -> None:
    lost = [
        ViewLost(seq=1, t=3.0, reason="covered", camera="above", evidence=Evidence("above", 4.0)),
        ViewLost(seq=2, t=5.0, reason="dark", camera="oblique", evidence=Evidence("oblique", 6.0)),
        ViewLost(seq=3, t=5.0, reason="dark"),
    ]
    found = camera_findings(lost)
    assert [finding.id for finding in found] == [
        "camera.above.CAMERA_COVERED.1",
        "camera.oblique.CAMERA_DARK.1",
    ]
    assert all("what it alone sees is not judged" in (finding.reason or "") for finding in found)


def test_it_is_told_once_live_and_stands_in_the_judgement() -> None:
    events: list[Event] = [MOVED, BACK, ViewLost(seq=5, t=60.0, reason="moved", evidence=MOVED.evidence)]
    live = Judge(PROFILE)
    told = [[finding.id for finding in live.feed(event)] for event in events]
    assert told == [["camera.camera-1.CAMERA_MOVED.1"], [], ["camera.camera-1.CAMERA_MOVED.2"]]
    assert live.finish() == []
    assert live.judgement == judge(events, PROFILE)
    assert [finding.coup for finding in live.judgement.findings] == [0, 0]


def test_a_gap_ends_when_the_camera_sees_again() -> None:
    spot = Spot.parse("hand punto")
    open_ = Gaps.of([MOVED])
    assert open_.within(spot, 100.0, 110.0) is not None
    for gaps in (Gaps.of([MOVED, BACK]), Gaps.of([BACK], open_.all)):
        assert gaps.within(spot, 42.0, 43.0) is not None
        assert gaps.within(spot, 45.0, 50.0) is None
        assert gaps.at(spot, 44.1) is not None
