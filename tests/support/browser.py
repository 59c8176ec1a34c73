"""A browser for the tests: the system's Chromium, with a profile of its own and no network of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, sync_playwright

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str:
    """Where Chromium is. Without it a test is skipped on a desk, and fails in CI."""
    found = os.environ.get("VEEDOR_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is not None:
        return found
    message = "Chromium is not installed. On Debian: apt-get install chromium; or name it in VEEDOR_CHROMIUM."
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@contextmanager
def browser(profile: Path, width: int = 1280, height: int = 720) -> Iterator[BrowserContext]:
    """A browser window of that size, with a fresh profile in ``profile``."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=chromium(),
            args=list(FLAGS),
            viewport={"width": width, "height": height},
        )
        try:
            yield context
        finally:
            context.close()
