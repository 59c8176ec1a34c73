"""The review page in a real browser: a finding is clicked and its moment plays, with the evidence over it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support import handmade
from tests.support.server import served
from veedor.store import Store

UNDERPAID = "c1-UNDERPAID-seat-7-punto-s1"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("review")
    store = Store(folder / "state")
    clip = handmade.write_clip(folder / "clip.mp4")
    store.save(handmade.write_review(folder / "files", clip), folder / "files")
    with served(store) as url:
        yield url
    store.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    foreign: list[str] = []
    page.on("request", lambda request: foreign.append(request.url) if address not in request.url else None)
    page.goto(f"{address}/reviews/1")
    page.wait_for_selector("body[data-ready=yes]")
    yield page
    page.close()
    assert complaints == []
    assert foreign == []


def now(page: Page) -> float:
    return float(page.evaluate("document.querySelector('video').currentTime"))


def wait_until_paused_after(page: Page, t: float) -> None:
    page.wait_for_function(
        "t => { const v = document.querySelector('video'); return v.paused && v.currentTime > t; }", arg=t
    )


def test_clicking_a_finding_plays_its_moment_with_the_evidence(page: Page) -> None:
    page.select_option("#speed", "4")
    page.click(f".finding[data-id='{UNDERPAID}'] .line")
    page.wait_for_function("!document.querySelector('video').paused")
    assert 10.0 <= now(page) <= 13.3
    wait_until_paused_after(page, 13.0)
    assert now(page) < 14.0
    expect(page.locator("#overlay .zone.concerned")).to_have_count(1)
    expect(page.locator("#overlay text.spot")).to_have_text("seat 7 punto")
    page.evaluate("document.querySelector('video').currentTime = 12.1")
    expect(page.locator("#overlay .mark.evidence")).to_have_count(2)
    detail = page.locator(f".finding[data-id='{UNDERPAID}'] .detail")
    expect(detail).to_be_visible()
    expect(detail.locator("blockquote")).to_have_text("el pagament serà a la par")
    expect(detail.locator(".gap")).to_contain_text("25 too little")
    expect(page.locator(".bets tr.concerned th")).to_contain_text("seat 7 punto")


def test_the_evidence_lies_over_what_it_shows(page: Page) -> None:
    page.goto(f"{page.url}#{UNDERPAID}")
    page.reload()
    page.wait_for_selector("#overlay .zone.concerned")
    places = page.evaluate(
        """() => {
          const video = document.querySelector('video').getBoundingClientRect();
          const zone = document.querySelector('#overlay .zone.concerned').getBoundingClientRect();
          const scale = Math.min(video.width / 640, video.height / 360);
          const left = video.left + (video.width - 640 * scale) / 2;
          const top = video.top + (video.height - 360 * scale) / 2;
          return [zone.left, zone.top, zone.right, zone.bottom].map(
            (value, side) => (value - (side % 2 ? top : left)) / scale);
        }"""
    )
    expected = handmade.in_picture(handmade.ZONES["seat 7 punto"])
    assert places == pytest.approx(expected, abs=2.0)


def test_keys(page: Page) -> None:
    page.keyboard.press("j")
    expect(page.locator(".finding.picked")).to_have_attribute("data-id", UNDERPAID)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".finding.picked")).to_have_attribute("data-verdict", "UNDETERMINED")
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(page.locator(".finding.picked")).to_have_attribute("data-id", UNDERPAID)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.querySelector('video').paused")
    before = now(page)
    page.keyboard.press("ArrowRight")
    assert now(page) == pytest.approx(before + 0.1, abs=0.02)
    page.keyboard.press("Shift+ArrowLeft")
    assert now(page) == pytest.approx(before - 0.9, abs=0.02)
    page.keyboard.press(" ")
    page.wait_for_function("!document.querySelector('video').paused")
    page.keyboard.press(" ")
    page.wait_for_function("document.querySelector('video').paused")
    page.keyboard.press("z")
    expect(page.locator("#overlay .zone:not(.concerned)")).to_have_count(0)
    expect(page.locator("#overlay .acts")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_how_bets_lie_is_drawn_and_can_be_put_away(page: Page) -> None:
    page.evaluate("document.querySelector('video').currentTime = 5.0")
    expect(page.locator("#overlay .base.half_line")).to_have_count(1)
    expect(page.locator("#overlay .base.inside")).to_have_count(2)
    expect(page.locator("#overlay .acts.halves.used")).to_have_count(1)
    expect(page.locator("#overlay text.lies")).to_have_text("½ line")
    expect(page.locator("figure.felt svg.diagram")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator("#overlay .base, #overlay .doubt, #overlay .used")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator("#overlay .base")).to_have_count(3)


def test_filters_leave_what_matches(page: Page) -> None:
    shown = page.locator(".finding:visible")
    expect(shown).to_have_count(3)
    page.click(".segmented [data-verdict=BREACH]")
    expect(shown).to_have_count(2)
    expect(page.locator("details.group:visible")).to_have_count(0)
    page.fill("#filter-words", "pb-and-pay")
    expect(shown).to_have_count(1)
    page.fill("#filter-words", "no such words")
    expect(page.locator("#none-left")).to_be_visible()
    page.click("#clear-filters")
    expect(shown).to_have_count(3)
    page.select_option("#filter-spot", "seat 2 punto")
    expect(shown).to_have_count(1)


def test_the_timeline_zooms_and_seeks(page: Page) -> None:
    lanes = page.locator("#lanes svg")
    labels = "[...document.querySelectorAll('#lanes text')].map(t => t.textContent)"
    assert {"Findings", "Coups", "Cards", "7 · punto", "10♦"} <= set(page.evaluate(labels))
    box = lanes.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 8)
    middle = now(page)
    assert 4.0 < middle < 12.0
    page.click("#zoom-in")
    page.click("#zoom-in")
    page.click("#zoom-in")
    page.wait_for_function(f"!({labels}).includes('0:00')")
    page.check("#filter-view")
    page.click("#zoom-fit")
    expect(page.locator(".finding:visible")).to_have_count(3)
    page.locator("#lanes [data-finding]").last.click()
    expect(page.locator(".finding.picked")).to_have_count(1)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (2560, 1080), (800, 900)])
def test_nothing_overflows_the_window(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.keyboard.press("j")
    overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0
    if width > 900:
        assert page.evaluate("document.documentElement.scrollHeight - window.innerHeight") <= 0
        video = page.locator("video").bounding_box()
        assert video is not None
        assert video["height"] > height * 0.4


def test_text_has_enough_contrast(page: Page) -> None:
    page.keyboard.press("j")
    poor = page.evaluate(
        """() => {
          const channel = c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
          const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
          const colour = text => text.match(/[\\d.]+/g).map(Number);
          const behind = e => {
            for (; e; e = e.parentElement) {
              const found = colour(getComputedStyle(e).backgroundColor);
              if (found.length < 4 || found[3] > .9) return found;
            }
            return [13, 15, 18];
          };
          const poor = [];
          for (const e of document.querySelectorAll('body *')) {
            const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            if (!own || e instanceof SVGElement || !e.checkVisibility()) continue;
            const [a, b] = [light(colour(getComputedStyle(e).color)), light(behind(e))];
            const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
            if (contrast < 4.5) poor.push([e.className, e.textContent.trim().slice(0, 30), contrast]);
          }
          return poor;
        }"""
    )
    assert poor == []


def test_the_list_leads_to_the_review(page: Page, address: str) -> None:
    page.goto(address)
    page.click("text=Mesa 4")
    expect(page).to_have_url(f"{address}/reviews/1")


def test_what_is_drawn_follows_a_camera_that_was_moved(page: Page) -> None:
    """A drawing of its own: moved by 5 and 3 pixels from second 4 on, and turned round from second 8 on."""
    drawn = page.evaluate(
        """async () => {
          const { Overlay } = await import('/static/overlay.js');
          const grid = (t, place) => ({ t, columns: 3, rows: 2,
            points: [[0, 0], [50, 0], [100, 0], [0, 60], [50, 60], [100, 60]].map(place) });
          const outline = [[10, 10], [70, 10], [110, 50]];
          const scene = { width_px: 100, height_px: 60,
            lines: [{ id: 'l', effect: 'halves', paths: [outline] }],
            zones: [{ spot: 'seat 1 punto', outline }],
            marks: [{ seq: 1, thing: 'c', shape: 'card', outline, t_from: 0, t_to: 99, label: '', base: [] }],
            shifts: [grid(4, ([x, y]) => [x + 5, y + 3]), grid(8, ([x, y]) => [100 - x, 60 - y])] };
          const root = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
          const overlay = new Overlay(root, scene);
          return [0, 4, 9, 3].map((t) => {
            overlay.at(t);
            return ['.zone', '.acts', '.mark'].map((name) => root.querySelector(name).getAttribute('points')
              .split(' ').map((point) => point.split(',').map((n) => Math.round(Number(n)))));
          });
        }"""
    )
    straight = [[10, 10], [70, 10], [110, 50]]
    shifted = [[15, 13], [75, 13], [115, 53]]
    turned = [[90, 50], [30, 50], [-10, 10]]
    assert drawn == [[straight] * 3, [shifted] * 3, [turned] * 3, [straight] * 3]
