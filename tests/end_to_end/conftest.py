"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext

from tests.support.browser import browser


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser for the tests of one module."""
    with browser(tmp_path_factory.mktemp("profile")) as context:
        yield context
