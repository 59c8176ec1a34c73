"""The calibration page in a real browser: corners are dragged onto the picture, and the drawing follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.recording import write_recording
from tests.support.server import served
from veedor.bench import bench_of
from veedor.calibrating import outlines
from veedor.config import Table, load_table, read_table_file
from veedor.corners import corners_of
from veedor.importing import import_recording
from veedor.store import Store
from veedor.table_file import dump
from vision.camera import Camera


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table with a picture of its felt, and what its camera truly is."""
    path = import_recording(write_recording(tmp_path / "clip"), tmp_path / "table")
    table = load_table(path)
    camera = table.camera().camera
    image = np.full((camera.height_px, camera.width_px, 3), (60, 90, 30), np.uint8)
    for chain in outlines(table.layout):
        cv2.polylines(image, [np.round(camera.project(chain)).astype(np.int32)], False, (230, 230, 230), 1)
    cv2.imwrite(str(path.parent / "still.png"), image)
    file = read_table_file(path)
    bare = file.cameras[0].model_copy(update={"points": ()})
    dump(file.model_copy(update={"cameras": (bare, *file.cameras[1:])}), path)
    return table


@pytest.fixture
def page(context: BrowserContext, table: Table, tmp_path: Path) -> Iterator[Page]:
    store = Store(tmp_path / "state")
    bench = bench_of(table.path, str(table.path.parent / "still.png"))
    complaints: list[str] = []
    with served(store, [bench]) as address:
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        page.click("text=Calibrate")
        page.wait_for_selector("body[data-ready=yes]")
        yield page
        page.close()
    store.close()
    assert complaints == []


def on_screen(page: Page, px: tuple[float, float]) -> tuple[float, float]:
    """Where a pixel of the picture lies in the window."""
    x, y = page.evaluate(
        """([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(
             document.querySelector('#board').getScreenCTM()); return [at.x, at.y]; }""",
        list(px),
    )
    return float(x), float(y)


def drag(page: Page, corner: str, px: tuple[float, float]) -> None:
    box = page.locator(f".handle[data-corner='{corner}'] .grip").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    x, y = on_screen(page, px)
    page.mouse.move(x - 20, y + 9)
    page.mouse.move(x, y)
    expect(page.locator("#loupe")).to_be_visible()
    with page.expect_response("**/fit"):
        page.mouse.up()
    expect(page.locator("body")).to_have_attribute("data-busy", "no")


def far_apart(table: Table, camera: Camera, count: int) -> list[tuple[str, tuple[float, float]]]:
    """Corners spread over the picture, and their pixels."""
    inside = [c for c in corners_of(table.layout) if camera.in_view([c.mm], 20)[0]]
    chosen = [inside[0]]
    while len(chosen) < count:
        chosen.append(max(inside, key=lambda c: min(np.hypot(*np.subtract(c.mm, d.mm)) for d in chosen)))
    px = camera.project([c.mm for c in chosen])
    return [(c.name, (float(x), float(y))) for c, (x, y) in zip(chosen, px, strict=True)]


def test_four_corners_are_dragged_and_the_camera_is_found(page: Page, table: Table) -> None:
    camera = table.camera().camera
    targets = far_apart(table, camera, 8)
    expect(page.locator("#score")).to_have_text("0 of 4 points")
    expect(page.locator("#save")).to_be_disabled()
    for name, px in targets[:4]:
        drag(page, name, px)
    expect(page.locator("#score")).to_contain_text("mm")
    expect(page.locator("#points tr")).to_have_count(4)
    expect(page.locator(".handle.placed text")).to_have_count(4)
    expect(page.locator("#board .lines.solved")).to_have_count(1)
    for name, px in targets[4:]:
        drag(page, name, px)
    shown = page.evaluate(
        "corner => { const [, x, y] = document.querySelector(`[data-corner='${corner}']`)"
        ".getAttribute('transform').match(/translate\\(([-\\d.]+) ([-\\d.]+)/); return [+x, +y]; }",
        next(
            c.name
            for c in corners_of(table.layout)
            if c.name not in dict(targets) and camera.in_view([c.mm], 20)[0]
        ),
    )
    assert np.isfinite(shown).all()

    # one corner is set badly, put right with the keys, and all is saved
    name, px = targets[2]
    drag(page, name, (px[0] + 30, px[1]))
    expect(page.locator("#says")).to_contain_text(name)
    expect(page.locator("#score")).to_have_class("bad")
    for _ in range(6):
        with page.expect_response("**/fit"):
            page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#score")).to_have_class("fine")
    page.click("#save")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"\d+ points written"))
    after = load_table(table.path).camera().camera
    places = np.array([zone.centre_mm for zone in table.layout.zones])
    off = np.hypot(*(after.felt_point(camera.project(places)) - places).T)
    assert np.median(off) < 3.0


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (800, 900)])
def test_nothing_overflows_the_window(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    if width > 900:
        assert page.evaluate("document.documentElement.scrollHeight - window.innerHeight") <= 0
