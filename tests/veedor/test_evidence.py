"""Evidence pictures: which moments they need, and what is looked at closely."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support import handmade
from veedor.evidence import Caption, at_moments, close_view, moments, pictures
from veedor.evidence_marks import Picture, evidence_marks, lying_in
from vision.source import Frame

FINDINGS = {finding.code: finding for finding in handmade.judgement().findings}


def frames() -> list[Frame]:
    """A picture each half second; its brightness is its time."""
    return [
        Frame(k / 2, k, np.full((handmade.HEIGHT, handmade.WIDTH, 3), 5 * k, np.uint8)) for k in range(33)
    ]


def test_moments_are_before_at_and_after() -> None:
    wanted = moments([FINDINGS["UNDERPAID"]], handmade.journal())
    assert [(moment.when, moment.t) for moment in wanted] == [("before", 0.0), ("at", 12.0), ("after", 13.2)]


def test_the_picture_of_a_moment_is_the_last_one_shown_by_then() -> None:
    wanted = moments([FINDINGS["UNDERPAID"]], handmade.journal())
    shown = {moment.when: int(picture[0, 0, 0]) for moment, picture in at_moments(frames(), wanted)}
    assert shown == {"before": 0, "at": 5 * 24, "after": 5 * 26}


def test_moments_past_the_end_get_the_last_picture() -> None:
    wanted = moments([FINDINGS["NOT_PAID"]], handmade.journal())
    shown = [int(picture[0, 0, 0]) for _, picture in at_moments(frames()[:10], wanted)]
    assert shown[-1] == 5 * 9


def test_evidence_is_each_thing_once_as_it_was_seen_last() -> None:
    marks = evidence_marks(FINDINGS["UNDERPAID"], handmade.overlay())
    assert sorted(mark.thing or "" for mark in marks) == ["s1", "s4"]


def test_only_of_bets_is_it_told_how_they_lie() -> None:
    told = lying_in(handmade.journal(), handmade.overlay(), handmade.judgement().coups)
    assert {(coup, stack) for coup, _, stack in told} == {
        (1, "s1"),
        (1, "s2"),
        (1, "s3"),
    }  # "s4" is a payment
    assert lying_in(handmade.journal(), handmade.overlay(), ()) == {}


def test_the_close_view_is_of_the_spot_not_of_all_evidence() -> None:
    picture = handmade.frame(13.0)
    x0, y0, x1, y1 = (round(value) for value in handmade.in_picture(handmade.ZONES["seat 7 punto"]))
    picture[y0:y1, x0:x1] = 255
    view = close_view(FINDINGS["UNDERPAID"], picture, handmade.overlay(), marked=False)
    assert view is not None
    assert view.shape[0] == view.shape[1]
    assert (view == 255).all(axis=2).mean() > 0.3


def test_every_finding_gets_its_picture_in_one_pass() -> None:
    made: dict[str, Picture] = {}
    pictures(
        iter(frames()),
        list(FINDINGS.values()),
        handmade.judgement().coups,
        handmade.journal(),
        handmade.overlay(),
        Caption("Mesa 4", "clip.mp4"),
        lambda finding, picture: made.update({finding.code: picture}),
    )
    assert set(made) == set(FINDINGS)
    for picture in made.values():
        assert picture.shape[1:] == (1280, 3)


@pytest.mark.parametrize("code", sorted(FINDINGS))
def test_views_are_never_outside_the_panel(code: str) -> None:
    view = close_view(FINDINGS[code], handmade.frame(5.0), handmade.overlay(), marked=True)
    assert view is not None
    assert view.dtype == np.uint8
