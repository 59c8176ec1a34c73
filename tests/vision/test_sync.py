"""By how much two recordings are shifted: found from the arms over a scripted table, or called unclear."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.felt import Felt, Reach, dealer, player
from tests.vision.test_several import ABOVE, OBLIQUE
from vision.camera import Camera
from vision.source import Frame
from vision.sync import find_shift, motion_of


def busy(seconds: float) -> Felt:
    """Arms that come and go at no regular times."""
    rng = np.random.default_rng(8)
    arms: list[Reach] = []
    t = 0.8
    while t < seconds:
        to = (float(rng.uniform(150, 750)), float(rng.uniform(150, 450)))
        arms.append((dealer if rng.random() < 0.6 else player)(to, t, t + float(rng.uniform(0.1, 0.6))))
        t += float(rng.uniform(0.7, 3.0))
    return Felt(arms=arms)


def filmed(felt: Felt, camera: Camera, begins: float, ends: float, fps: float) -> Iterator[Frame]:
    """A camera's pictures on its own clock, which is 0 when it begins."""
    own = Felt(arms=felt.arms, camera=camera)
    for k in range(round((ends - begins) * fps)):
        yield Frame(k / fps, k, own.picture(begins + k / fps))


@pytest.mark.parametrize("late_s", [0.0, 3.37, -2.6])
def test_a_shift_is_found_to_within_a_picture(late_s: float) -> None:
    felt = busy(24)
    starts = max(0.0, -late_s), max(0.0, late_s)
    above = motion_of(filmed(felt, ABOVE, starts[0], 22, 10), ABOVE, felt.layout)
    oblique = motion_of(filmed(felt, OBLIQUE, starts[1], 24, 8), OBLIQUE, felt.layout)
    found = find_shift(above, oblique)
    assert found is not None
    assert found.by_s == pytest.approx(late_s, abs=0.12)


def test_other_play_and_a_still_table_give_no_shift() -> None:
    felt = busy(20)
    above = motion_of(filmed(felt, ABOVE, 0, 20, 8), ABOVE, felt.layout)
    still = motion_of(filmed(Felt(), OBLIQUE, 0, 20, 8), OBLIQUE, felt.layout)
    other = Felt(arms=[player((200, 430), 3.0, 3.2), player((700, 430), 11.0, 15.0)])
    unlike = motion_of(filmed(other, OBLIQUE, 0, 20, 8), OBLIQUE, felt.layout)
    short = motion_of(filmed(felt, OBLIQUE, 0, 5, 8), OBLIQUE, felt.layout)
    assert [find_shift(above, each) for each in (still, unlike, short)] == [None, None, None]
