"""In a real browser: who dealt is told, an error confirmed, and the dealer's report read and printed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support import handmade
from tests.support.server import served
from veedor.store import Store

UNDERPAID, NOT_PAID, UNSEEN = (finding.id for finding in handmade.judgement().findings)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("dealers")
    store = Store(folder / "state")
    clip = handmade.write_clip(folder / "clip.mp4")
    store.save(handmade.write_review(folder / "files", clip), folder / "files")
    with served(store) as url:
        yield url
    store.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert complaints == []


def say(page: Page, finding: str, answer: str) -> None:
    entry = page.locator(f".finding[data-id='{finding}']")
    entry.evaluate("entry => { const group = entry.closest('details'); if (group) group.open = true; }")
    entry.locator(".line").click()
    entry.locator(f".answer button[value='{answer}']").click()


def test_from_a_finding_to_the_dealers_report(page: Page, address: str) -> None:
    page.goto(f"{address}/reviews/1")
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator("#dealer-now")).to_have_text("not told")
    page.click("#dealer-button")
    page.fill("#dealer-form input[name=dealer]", "D-17 <b>")
    page.fill("#dealer-form input[name=moment]", "2026-11-30T21:00:00")
    page.click("#dealer-form button[type=submit]")
    expect(page.locator("#dealer-told li")).to_contain_text("2026-11-30 21:00:00): D-17 <b>")
    page.click("#dealing-close")
    expect(page.locator("#dealer-now")).to_have_text("D-17 <b>")

    say(page, UNDERPAID, "confirmed")  # without a name nobody says anything
    picked = page.locator(".finding.picked")
    expect(picked.locator(".refused")).to_contain_text("Write your name or number first")
    picked.locator("input[name=by]").fill("jk 104")  # letters here are no keys of the page
    expect(picked).to_have_attribute("data-id", UNDERPAID)
    picked.locator("input[name=note]").fill("both cameras")
    picked.locator("input[name=note]").press("Enter")  # nor does the enter key say anything
    expect(picked.locator(".given li")).to_have_count(0)
    picked.locator(".answer button[value=confirmed]").click()
    expect(picked.locator(".given li")).to_contain_text("Confirmed (the dealer's), jk 104")
    expect(picked.locator(".said")).to_have_text("confirmed")
    for finding in (NOT_PAID, UNSEEN):
        say(page, finding, "rejected")
        expect(page.locator(".finding.picked .said")).to_have_text("rejected")

    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator(f".finding[data-id='{UNDERPAID}'] .said")).to_have_text("confirmed")

    page.goto(f"{address}/dealers")
    expect(page.locator(".dealers .who")).to_have_text("D-17 <b>")
    expect(page.locator(".dealers svg.interval")).to_have_count(1)
    page.click(".dealers a.who")
    expect(page.locator(".figure.wide .big")).to_have_text("Too few coups to say anything")
    expect(page.locator(".figures")).to_contain_text("25 players lost")
    expect(page.locator(".terms dt").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".bar a.quiet")).to_be_hidden()
    assert len(page.pdf(prefer_css_page_size=True)) > 10_000
    page.emulate_media(media="screen")
    page.click(".cases a")
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator(".finding.picked")).to_have_attribute("data-id", UNDERPAID)
