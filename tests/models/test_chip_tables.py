"""Stacks on whole tables, as the chip reader is trained on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.chip_reader.data import VIEW, table, views_of
from models.chip_reader.scenes import UNNAMED
from models.chip_reader.seen_stack import SeenStack
from models.chip_reader.tables import table_stacks
from vision.camera import Floats
from vision.chip_colours import COLOUR_NAMES


@pytest.fixture(scope="module")
def stacks() -> list[SeenStack]:
    return [stack for number in range(2) for stack in table_stacks(np.random.default_rng(number), 5, number)]


def test_a_seed_gives_the_same_views() -> None:
    one, two = (table(5, 1) for _ in range(2))
    assert one.dtype == VIEW
    assert len(one) > 10
    assert all((one[name] == two[name]).all() for name in ("side", "place", "count", "names", "lab"))


def test_stacks_are_apart_in_the_picture_and_mostly_seen(stacks: list[SeenStack]) -> None:
    standing = [stack for stack in stacks if stack.names]
    assert len(standing) >= 10
    for stack in stacks:
        (foot,) = stack.camera.project(np.append(stack.foot_mm, 0.0)[None])
        height, width = stack.images[0].shape[:2]
        assert 0 < foot[0] < width
        assert 0 < foot[1] < height
        assert len(stack.images) == 2
        assert len(stack.names) == len(stack.bodies)
        assert all(name == UNNAMED or 0 <= name < len(COLOUR_NAMES) for name in stack.names)
    assert np.median([stack.side_seen for stack in standing]) > 0.8
    assert np.median([stack.top_seen for stack in standing]) > 0.8
    feet: dict[int, list[Floats]] = {id(stack.camera): [] for stack in standing}
    for stack in standing:
        feet[id(stack.camera)].append(stack.foot_mm)
    for each in feet.values():
        off = np.linalg.norm(np.array(each)[:, None] - np.array(each)[None], axis=2)
        assert off[off > 0].min(initial=99) > stack.diameter_mm


def test_views_say_where_the_foot_is(stacks: list[SeenStack]) -> None:
    """Without an error of the place the foot is in the middle; the farther, the farther."""
    rng = np.random.default_rng(0)
    for stack in stacks[:8]:
        views = views_of(rng, replace(stack, images=stack.images[:1] * 40))
        assert (views["count"] == len(stack.names)).all()
        assert np.abs(np.median(views["foot"], axis=0)).max() < 0.4
        assert views["foot"].std() > 0.05


def test_a_bare_place_is_no_stack() -> None:
    bare = [
        stack
        for number in range(3)
        for stack in table_stacks(np.random.default_rng(50 + number), 6, number)
        if not stack.names
    ]
    assert bare
    assert all((views_of(np.random.default_rng(0), stack)["count"] == 0).all() for stack in bare)
