"""Independent parts of a look on two threads: all of them, in order, and the first failure is told."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from vision.crew import all_done, parts


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_what_jobs_give_keeps_their_order(n: int) -> None:
    assert all_done(partial(divmod, k, 3) for k in range(n)) == [divmod(k, 3) for k in range(n)]


def test_two_jobs_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=10)
    assert sorted(all_done([both.wait, both.wait])) == [0, 1]


def test_a_job_that_fails_says_so() -> None:
    with pytest.raises(ZeroDivisionError):
        all_done([partial(divmod, 1, 1), partial(divmod, 1, 0)])


@pytest.mark.parametrize(("number", "sizes"), [(0, []), (3, [3]), (4, [4]), (5, [2, 3]), (15, [3, 4, 4, 4])])
def test_things_are_parted_evenly_and_keep_their_order(number: int, sizes: list[int]) -> None:
    things = list(range(number))
    some = parts(things, 4)
    assert [len(each) for each in some] == sizes
    assert [thing for each in some for thing in each] == things
