"""The live page in a real browser: what happens shows without a reload, and so does what is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser import browser
from tests.support.running import RunningTable
from tests.support.server import served
from veedor.store import Store


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    with browser(tmp_path_factory.mktemp("profile"), 1440, 900) as context:
        yield context


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    table = RunningTable(tmp_path / "state")
    table.play(2.5)
    table.write()
    yield table
    table.close()


@pytest.fixture
def address(table: RunningTable, tmp_path: Path) -> Iterator[str]:
    assert table.folder.changed_ns()
    store = Store(tmp_path / "state")
    with served(store) as url:
        yield url
    store.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}/live/mesa-4")
    page.wait_for_selector("body[data-ready=yes][data-pictured=yes]")
    yield page
    page.close()
    assert complaints == []


def test_what_happens_shows_as_it_happens(page: Page, table: RunningTable) -> None:
    expect(page.locator("#mood-word")).to_have_text("Live")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#alerts .alert")).to_have_count(0)
    expect(page.locator("#overlay .zone")).not_to_have_count(0)
    expect(page.locator("#overlay .mark")).to_have_count(3)
    expect(page.locator("#now .lying tbody tr")).to_have_count(3)
    expect(page.locator("#now .lying")).to_contain_text("on the half line of punto")
    expect(page.locator("#health")).to_contain_text("25.0")
    table.play(8.0)
    table.write()
    expect(page.locator("#now .hand .card")).to_have_count(4)
    expect(page.locator("#now .section").first).to_have_text("Coup going on")
    expect(page.locator("#overlay text").filter(has_text="10♦")).to_have_count(1)
    table.play(20.0)
    table.write()
    unpaid = page.locator("#alerts .alert.breach", has_text="Not paid")
    expect(unpaid).to_contain_text("seat 2 punto")
    expect(unpaid.locator(".expected .amount b")).to_have_text("100")
    expect(unpaid.locator(".seen .amount b")).to_have_text("0")
    expect(unpaid).to_contain_text("PB-AND-BANK-01")
    expect(unpaid.locator("q")).not_to_be_empty()
    expect(unpaid).to_contain_text("is being drawn")
    assert table.draw()
    expect(unpaid.locator("img")).to_be_visible()
    assert unpaid.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 128
    expect(page.locator("#breaches")).not_to_have_text("0")
    page.click("[data-verdict=UNDETERMINED]")
    expect(unpaid).to_be_hidden()


def test_the_picture_goes_on(page: Page, table: RunningTable) -> None:
    def brightness() -> int:
        return int(
            page.evaluate(
                """() => {
                  const canvas = document.createElement('canvas');
                  canvas.width = canvas.height = 1;
                  const context = canvas.getContext('2d');
                  context.drawImage(document.getElementById('picture'), 0, 0, 1, 1);
                  return context.getImageData(0, 0, 1, 1).data[0];
                }"""
            )
        )

    assert brightness() == pytest.approx(60, abs=4)
    assert table.folder.is_looked_at  # or the watch would write no pictures
    table.show(200)
    page.wait_for_function(
        """() => {
          const canvas = document.createElement('canvas');
          const context = canvas.getContext('2d');
          context.drawImage(document.getElementById('picture'), 0, 0, 1, 1);
          return context.getImageData(0, 0, 1, 1).data[0] > 150;
        }"""
    )
    page.click("#choose button:last-child")
    expect(page.locator("#choose [aria-pressed=true]")).to_have_text("side")


def test_a_camera_that_is_lost_is_said_with_since_when(page: Page, table: RunningTable) -> None:
    since = datetime.now(UTC) - timedelta(minutes=7)
    lost = replace(table.camera, state="lost", since=since, says="The camera sends no pictures.", fps=0.0)
    table.write(camera=lost)
    clock = page.evaluate("at => new Date(at).toLocaleTimeString('sv')", since.isoformat())
    expect(page.locator("#banner")).to_have_text(
        f"Camera main has been lost since {clock}: The camera sends no pictures."
    )
    expect(page.locator("#screen")).to_have_class("screen stale")
    expect(page.locator("#mood-word")).to_have_text("Trouble")  # the other one still sees
    table.write(camera=replace(table.camera, view="dark", view_since=since))
    expect(page.locator("#banner")).to_contain_text(f"since {clock}: does not see the table (dark)")
    table.write()
    expect(page.locator("#banner")).to_be_hidden()


def test_a_watch_that_is_gone_or_over_is_said(page: Page, table: RunningTable, address: str) -> None:
    table.write(age_s=65)
    expect(page.locator("#mood-word")).to_have_text("Watch gone")
    expect(page.locator("#banner")).to_contain_text("nothing is seen and nothing is judged")
    home = page.context.new_page()
    home.goto(address)
    expect(home.locator("#running tbody tr")).to_contain_text("The watch is gone")
    table.write()
    expect(home.locator("#running tbody tr")).to_contain_text("The table is seen and judged")
    expect(page.locator("#mood-word")).to_have_text("Live")
    table.write(status="ended", review=1)
    expect(page.locator("#mood-word")).to_have_text("Ended")
    expect(page.locator("#review")).to_have_attribute("href", "/reviews/1")
    home.click("text=Mesa 4")
    expect(home).to_have_url(f"{address}/live/mesa-4")
    home.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (800, 900)])
def test_nothing_overflows_the_window(page: Page, table: RunningTable, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    table.play(20.0)
    table.write()
    expect(page.locator("#alerts .alert").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    if width > 900:
        assert page.evaluate("document.documentElement.scrollHeight - window.innerHeight") <= 0


def test_a_server_that_does_not_answer_is_said(
    context: BrowserContext, table: RunningTable, tmp_path: Path
) -> None:
    table.write()
    store = Store(tmp_path / "state")
    page = context.new_page()
    with served(store) as url:
        page.goto(f"{url}/live/mesa-4")
        page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator("#mood-word")).to_have_text("No answer", timeout=15_000)
    expect(page.locator("#banner")).to_contain_text("veedor serve has not answered since")
    page.close()
    store.close()


def test_a_page_that_is_one_too_many_says_so_and_is_told_once_another_is_closed(
    context: BrowserContext, table: RunningTable, tmp_path: Path
) -> None:
    table.write()
    store = Store(tmp_path / "state")
    first, second = context.new_page(), context.new_page()
    with served(store, most_streams=1) as url:
        first.goto(f"{url}/live/mesa-4")
        first.wait_for_selector("body[data-ready=yes]")
        second.goto(f"{url}/live/mesa-4")
        expect(second.locator("#mood-word")).to_have_text("Refused")
        expect(second.locator("#banner")).to_contain_text("close a live page that nobody looks at")
        first.close()
        expect(second.locator("#mood-word")).to_have_text("Live", timeout=15_000)
        expect(second.locator("#banner")).to_be_hidden()
        second.close()
    store.close()
