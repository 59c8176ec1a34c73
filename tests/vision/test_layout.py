"""The layout drawing: every shape, every transform, and what is said when it is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.spots import DISCARD, OFF_TABLE, TABLE, Spot, bet_spot, hand_spot
from vision.errors import LayoutError
from vision.layout import Effect, Layout, Place

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="1000mm" height="600mm" viewBox="0 -100 1000 600">'
PUNTO = 'data-spot="seat 1 punto"'


def drawing(*body: str, head: str = HEAD) -> str:
    return head + "".join(body) + "</svg>"


def only_zone(*body: str, head: str = HEAD) -> Layout:
    layout = Layout.parse(drawing(*body, head=head))
    assert [zone.spot for zone in layout.zones] == [bet_spot(1, "punto")]
    return layout


SAMPLE = drawing(
    '<rect x="100" y="300" width="100" height="80" data-spot="seat 1 punto" data-half-line="outline"/>',
    '<rect x="100" y="200" width="100" height="80" data-spot="seat 1 banca" data-half-line="outline"/>',
    '<rect x="100" y="120" width="100" height="60" data-spot="seat 1 empate"/>',
    '<rect x="400" y="0" width="200" height="100" data-spot="hand punto"/>',
    '<rect x="700" y="0" width="80" height="80" data-spot="discard"/>',
)


@pytest.mark.parametrize(
    ("shape", "bounds", "area"),
    [
        (f'<rect x="10" y="20" width="30" height="40" {PUNTO}/>', (10, 20, 40, 60), 1200),
        (
            f'<rect x="10" y="20" width="1cm" height="40" {PUNTO}/>',
            (10, 20, 10 + 960 / 25.4, 60),
            40 * 960 / 25.4,
        ),
        (
            f'<rect x="0" y="0" width="100" height="60" rx="10" {PUNTO}/>',
            (0, 0, 100, 60),
            6000 - (4 - math.pi) * 100,
        ),
        (
            f'<rect x="0" y="0" width="100" height="60" rx="900" ry="900" {PUNTO}/>',
            (0, 0, 100, 60),
            math.pi * 50 * 30,
        ),
        (f'<circle cx="100" cy="50" r="30" {PUNTO}/>', (70, 20, 130, 80), math.pi * 900),
        (f'<ellipse cx="100" cy="50" rx="30" ry="10" {PUNTO}/>', (70, 40, 130, 60), math.pi * 300),
        (f'<polygon points="0,0 10,0 10,10" {PUNTO}/>', (0, 0, 10, 10), 50),
        (f'<polygon points="0,0 10,0 10,10 0,0" {PUNTO}/>', (0, 0, 10, 10), 50),
        (f'<polyline points="0 0,10 0 10 10" {PUNTO}/>', (0, 0, 10, 10), 50),
        (f'<path d="M0 0h10v10z" {PUNTO}/>', (0, 0, 10, 10), 50),
        (f'<path d="m0,0 10,0 0,10z" {PUNTO}/>', (0, 0, 10, 10), 50),
        (f'<path d="M10-5L20-5 20 5H10V-5Z" {PUNTO}/>', (10, -5, 20, 5), 100),
        (f'<path d="M0 50A50 50 0 0 1 100 50Z" {PUNTO}/>', (0, 0, 100, 50), math.pi * 1250),
        (f'<path d="M0 50a50 50 0 01100 0z" {PUNTO}/>', (0, 0, 100, 50), math.pi * 1250),
        (f'<path d="M0 0A50 50 0 1 1 0 .01Z" {PUNTO}/>', (0, -50, 100, 50), math.pi * 2500),
        (f'<path d="M0 0Q50 100 100 0Z" {PUNTO}/>', (0, 0, 100, 50), 100 * 50 * 2 / 3),
        (f'<path d="M0 0Q25 50 50 0T100 0L100-30L0-30Z" {PUNTO}/>', (0, -30, 100, 25), 3000),
        (f'<path d="M0 0C0 60 100 60 100 0Z" {PUNTO}/>', (0, 0, 100, 45), 3600),
        (f'<path d="M0 0c0 60 100 60 100 0s100-60 100 0v-99H0z" {PUNTO}/>', (0, -99, 200, 45), 19800),
        (f'<path d="M0 0H90V90H0ZM30 30H60V60H30Z" {PUNTO}/>', (0, 0, 90, 90), 8100 - 900),
    ],
)
def test_shapes(shape: str, bounds: tuple[float, ...], area: float) -> None:
    zone = only_zone(shape).zones[0]
    assert zone.polygon.bounds == pytest.approx(bounds, abs=0.12)
    assert zone.polygon.area == pytest.approx(area, rel=0.005)


@pytest.mark.parametrize(
    ("transform", "point"),
    [
        ("translate(10 20)", (13, 24)),
        ("translate(10)", (13, 4)),
        ("scale(2)", (6, 8)),
        ("scale(2,-1)", (6, -4)),
        ("rotate(90)", (-4, 3)),
        ("rotate(90, 3 4)", (3, 4)),
        ("rotate(180 10 10)", (17, 16)),
        ("skewX(45)", (7, 4)),
        ("skewY(45)", (3, 7)),
        ("matrix(1 2 3 4 5 6)", (3 + 12 + 5, 6 + 16 + 6)),
        ("translate(10,0) rotate(90) scale(2)", (10 - 8, 6)),
        ("", (3, 4)),
    ],
)
def test_transforms(transform: str, point: tuple[float, float]) -> None:
    shape = f'<polygon points="3,4 103,4 103,90" {PUNTO}/>'
    whole = only_zone(f'<g transform="{transform}">{shape}</g>').zones[0]
    assert whole.corners_mm[0] == pytest.approx(point)
    nested = only_zone(f'<g transform="translate(7 8)"><g>{shape[:-2]} transform="{transform}"/></g></g>')
    assert nested.zones[0].corners_mm[0] == pytest.approx([point[0] + 7, point[1] + 8])


@pytest.mark.parametrize(
    ("head", "scale"),
    [
        ('<svg width="1000mm" height="600mm" viewBox="0 0 1000 600">', 1.0),
        ('<svg width="100cm" height="60cm" viewBox="0,0,2000,1200">', 0.5),
        ('<svg width="1000mm" height="600mm">', 25.4 / 96),
        ('<svg width="40in" height="20in" viewBox="0 0 40 20">', 25.4),
    ],
)
def test_units(head: str, scale: float) -> None:
    zone = only_zone(f'<rect x="2" y="4" width="10" height="12" {PUNTO}/>', head=head).zones[0]
    assert zone.polygon.bounds == pytest.approx(np.array([2, 4, 12, 16]) * scale)


def test_spots_and_places() -> None:
    layout = Layout.parse(SAMPLE)
    assert layout.seats == (1,)
    assert layout.dealer_edge_mm == -100
    assert layout.spot_at((150, 340)) == bet_spot(1, "punto")
    assert layout.spot_at((410, 5)) == hand_spot("punto")
    assert layout.spot_at((750, 40)) == DISCARD
    assert layout.spot_at((900, 400)) == TABLE
    assert layout.spot_at((-50, 400)) == OFF_TABLE


@pytest.mark.parametrize(
    ("at", "spot", "line"),
    [
        ((150, 340), "seat 1 punto", None),
        ((115, 340), "seat 1 punto", "seat 1 punto:outline"),
        ((119.8, 340), "seat 1 punto", None),
        ((85, 340), "seat 1 punto", "seat 1 punto:outline"),
        ((80.2, 340), "table", None),
        ((150, 288), "seat 1 banca", "seat 1 banca:outline"),
        ((150, 292), "seat 1 punto", "seat 1 punto:outline"),
        ((90, 150), "seat 1 empate", None),
        ((150, 188), "seat 1 empate", None),
        ((150, 195), "seat 1 banca", "seat 1 banca:outline"),
        ((395, 50), "table", None),
        ((750, 40), "discard", None),
    ],
)
def test_where_a_stack_stands(at: tuple[float, float], spot: str, line: str | None) -> None:
    assert Layout.parse(SAMPLE).place(at, 19.75) == Place(Spot.parse(spot), line)


def test_a_line_is_crossed_whatever_the_spot() -> None:
    layout = Layout.parse(SAMPLE)
    assert layout.line_under((150, 185), 19.75) == "seat 1 banca:outline"
    assert layout.line_under((150, 185), 19.75, bet_spot(1, "empate")) is None


def test_drawn_lines() -> None:
    layout = Layout.parse(
        SAMPLE.replace(
            "</svg>",
            '<line x1="110" y1="150" x2="190" y2="150" data-line="tie half" data-halves="seat 1 empate"/>'
            '<path d="M100 290H200" data-line="both" data-splits="seat 1 punto|seat 1 banca"/></svg>',
        )
    )
    assert layout.place((150, 150), 19.75).line == "tie half"
    both = layout.line("both")
    assert both is not None
    assert (both.effect, both.spots) == (Effect.SPLITS, (bet_spot(1, "punto"), bet_spot(1, "banca")))
    assert layout.line_under((150, 291), 5) == "both"
    assert layout.line("none") is None


def test_the_felts_edge() -> None:
    layout = Layout.parse(
        SAMPLE.replace("</svg>", '<ellipse cx="500" cy="200" rx="500" ry="250" data-felt=""/></svg>')
    )
    assert layout.dealer_edge_mm == pytest.approx(-50, abs=0.1)
    assert list(layout.on_felt([[500, 200], [5, -40]])) == [True, False]
    assert layout.frame_mm == (0, -100, 1000, 500)


@settings(max_examples=30, deadline=None)
@given(
    st.floats(50, 900),
    st.floats(-50, 400),
    st.floats(20, 150),
    st.floats(20, 150),
    st.floats(-180, 180),
    st.sampled_from(["punto", "banca", "empate"]),
    st.integers(1, 12),
)
def test_a_zone_is_where_it_was_drawn(
    x: float, y: float, width: float, height: float, turn: float, bet: str, seat: int
) -> None:
    layout = Layout.parse(
        drawing(
            f'<rect x="{-width / 2}" y="{-height / 2}" width="{width}" height="{height}"'
            f' transform="translate({x} {y}) rotate({turn})" data-spot="seat {seat} {bet}"/>'
        )
    )
    zone = layout.zone(bet_spot(seat, bet))
    assert zone is not None
    assert zone.centre_mm == pytest.approx((x, y), abs=1e-6)
    assert zone.polygon.area == pytest.approx(width * height)
    assert layout.spot_at((x, y)) == zone.spot
    side = zone.corners_mm[1] - zone.corners_mm[0]
    assert math.hypot(*side) == pytest.approx(width)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", ("not an SVG", "line 1")),
        ("<html></html>", ("<html>",)),
        ("<svg><rect></svg>", ("line 1",)),
        ('<!DOCTYPE x [<!ENTITY a "b">]><svg>&a;</svg>', ("entities",)),
        ('<svg viewBox="0 0 10 10"/>', ("width", "millimetres")),
        ('<svg width="100%" height="100%"/>', ("width", "100%")),
        ('<svg width="3mm" height="3mm"/>', ("3 by 3 mm",)),
        ('<svg width="1000mm" height="600mm" viewBox="0 0 a b"/>', ("viewBox",)),
        ('<svg width="1000mm" height="600mm" viewBox="0 0 1000 1000"/>', ("shape",)),
        (drawing('<rect id="a" width="10" height="10"/>'), ("no zones", "data-spot")),
        (drawing('<rect id="a" width="10" height="10" data-spot="seat punto"/>'), ("'a'", "seat punto")),
        (drawing('<rect width="10" height="10" data-spott="seat 1 punto"/>'), ("data-spott", "data-spot")),
        (
            drawing(f'<polygon id="b" points="0,0 10,10 10,0 0,10" {PUNTO}/>'),
            ("'b'", "crosses itself", "(5, 5)"),
        ),
        (drawing(f'<polygon points="0,0 10,10" {PUNTO}/>'), ("encloses nothing",)),
        (drawing(f'<rect width="0" height="10" {PUNTO}/>'), ("encloses nothing",)),
        (drawing(f'<line x2="3" {PUNTO}/>'), ("single line",)),
        (drawing(f'<path d="" {PUNTO}/>'), ("empty",)),
        (drawing(f'<path d="M0 0L" {PUNTO}/>'), ("number 1", "no number")),
        (drawing(f'<path d="L0 0" {PUNTO}/>'), ("begin with M",)),
        (drawing(f'<path d="M0 0 X" {PUNTO}/>'), ("'X'",)),
        (drawing(f'<path d="M0 0H9V9H0ZM30 30H60V60H30Z" {PUNTO}/>'), ("several pieces",)),
        (drawing(f'<path d="{"M0 0H9V9H0Z" * 51}" {PUNTO}/>'), ("has 51 outlines",)),
        (drawing(f'<rect width="10%" height="10" {PUNTO}/>'), ("width", "10%")),
        (drawing(f'<g {PUNTO}><rect width="10" height="10"/></g>'), ("ungroup",)),
        (drawing(f'<defs><rect width="10" height="10" {PUNTO}/></defs>'), ("defs",)),
        (drawing(f'<rect transform="spin(3)" width="10" height="10" {PUNTO}/>'), ("spin",)),
        (drawing(f'<rect transform="oops" width="10" height="10" {PUNTO}/>'), ("oops",)),
        (drawing(f'<rect style="transform:scale(2)" width="10" height="10" {PUNTO}/>'), ("style",)),
        (drawing(f'<rect transform="{"scale(1) " * 50_000}?" width="10" height="10" {PUNTO}/>'), ("scale",)),
        (drawing(f'<path d="M0 0 A1e308 1e308 0 1 1 5 5 L9 0Z" {PUNTO}/>'), ("too large",)),
        (drawing(f'<path d="M0 0 A1e9 1e9 0 0 1 1e-3 0 Z" {PUNTO}/>'), ("encloses nothing",)),
        (drawing(f'<rect x="1e300" width="10" height="10" {PUNTO}/>'), ("kilometres",)),
        (
            drawing(f'<rect width="10" height="10" {PUNTO}/>').replace("<svg ", '<svg data-dealers="9" ', 1),
            ("data-dealers='9'", "write 1, or 2"),
        ),
        (drawing(f'<rect width="10" height="10" {PUNTO}/>' * 3001), ("3000 shapes", "number 3001")),
        (
            drawing(
                f'<rect id="a" width="9" height="9" {PUNTO}/>'
                f'<rect id="b" x="20" width="9" height="9" {PUNTO}/>'
            ),
            ("'b'", "'a'", "second time"),
        ),
        (
            drawing(
                f'<rect id="a" width="9" height="9" {PUNTO}/>'
                '<rect id="b" width="9" height="9" data-spot="seat 1 banca"/>'
            ),
            ("'a'", "'b'", "over each other"),
        ),
        (drawing(f'<rect width="9" height="9" {PUNTO} data-half-line="left"/>'), ("left", "outline")),
        (
            drawing(
                f'<rect width="9" height="9" {PUNTO}/><rect width="9" height="9" data-half-line="outline"/>'
            ),
            ("data-spot",),
        ),
        (
            drawing(f'<rect width="9" height="9" {PUNTO}/><line x2="9" data-halves="seat 1 punto"/>'),
            ("data-line",),
        ),
        (drawing(f'<rect width="9" height="9" {PUNTO}/><line x2="9" data-line="a"/>'), ("data-halves",)),
        (
            drawing(
                f'<rect width="9" height="9" {PUNTO}/><line x2="9" data-line="a" data-halves="seat 2 punto"/>'
            ),
            ("seat 2 punto",),
        ),
        (
            drawing(
                f'<rect width="9" height="9" {PUNTO}/><line x2="9" data-line="a" data-splits="seat 1 punto"/>'
            ),
            ("two spots",),
        ),
        (drawing('<rect width="9" height="9" data-spot="table"/>'), ("data-felt",)),
        (drawing("<g>" * 200, "</g>" * 200), ("levels",)),
    ],
)
def test_what_is_wrong_is_said(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout.parse(text, "felt.svg")
    message = str(caught.value)
    assert message.startswith("The layout felt.svg")
    assert message.endswith(".")
    for word in words:
        assert word in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="does not exist"):
        Layout.read(tmp_path / "none.svg")
    with pytest.raises(LayoutError, match="/dev/zero is not a file"):
        Layout.read(Path("/dev/zero"))
    with pytest.raises(LayoutError, match="folder"):
        Layout.read(tmp_path)
    (tmp_path / "binary.svg").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(LayoutError, match="UTF-8"):
        Layout.read(tmp_path / "binary.svg")
    (tmp_path / "good.svg").write_text(SAMPLE)
    assert len(Layout.read(tmp_path / "good.svg").zones) == 5


def test_a_path_of_more_points_than_can_be_is_refused_soon() -> None:
    path = f'<path d="M0 0{" L1 1" * 600_000}z" {PUNTO}/>'  # read once from end to end, not once a number
    with pytest.raises(LayoutError, match="more than 20000 points"):
        Layout.parse(drawing(path))
