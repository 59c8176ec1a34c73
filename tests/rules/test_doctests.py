"""The examples in the docstrings of the ground floor are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rules

MODULES = [module.name for module in pkgutil.walk_packages(rules.__path__, "rules.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    examples = [
        test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples
    ]
    assert len(examples) >= 7
