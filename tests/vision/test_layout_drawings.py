"""Drawings as Inkscape, Illustrator and people write them: read to the millimetre, or refused by name."""

from __future__ import annotations

import pytest

from rules.spots import Spot
from vision.errors import LayoutError
from vision.layout import Effect, Layout
from vision.layout_check import Words, check_layout
from vision.layout_names import meaning_of_label

INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="1000mm" height="600mm" viewBox="0 0 1000 600" version="1.1" id="svg5"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview7" inkscape:document-units="mm" inkscape:zoom="0.7"/>
  <defs id="defs2"><linearGradient id="g"><stop offset="0" style="stop-color:#000"/></linearGradient></defs>
  <g inkscape:label="boxes" inkscape:groupmode="layer" id="layer1" transform="translate(100,50)">
    <g id="g1" transform="matrix(0,1,-1,0,400,0)">
      <rect style="fill:none;stroke:#ffffff;stroke-width:3;stroke-linejoin:round" id="rect1" width="90"
        height="120" x="200" y="10" inkscape:label="seat 1 punto, half outline"/>
    </g>
    <path style="fill:none;stroke:#fff;-inkscape-stroke:none" d="m 500,300 h 120 v 90 h -120 z" id="path9"
      inkscape:label="seat 1 banca" sodipodi:nodetypes="ccccc" inkscape:transform-center-x="2.1"/>
    <path style="fill:none;stroke:#fff" d="M 500,345 H 620" id="path12"
      inkscape:label="half line of seat 1 banca"/>
    <text xml:space="preserve" style="font-size:24px;text-transform:none;line-height:1.25" x="3" y="4"
      id="text1"><tspan id="t2" x="3" y="4" inkscape:label="ordinary">PUNTO</tspan></text>
  </g>
  <g inkscape:label="guides" inkscape:groupmode="layer" id="layer2" style="display:none">
    <rect id="r7" x="10" y="10" width="200" height="100" data-spot="hand punto"/>
  </g>
</svg>"""

ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In -->
<svg id="Layer_1" data-name="Layer 1" xmlns="http://www.w3.org/2000/svg" width="1000mm" height="600mm"
  viewBox="0 0 2834.65 1700.79">
  <defs><style>.cls-1{fill:none;stroke:#fff;stroke-miterlimit:10;}</style></defs>
  <g id="Seats"><g id="Seat_1" data-name="Seat 1">
    <rect id="seat_1_punto" data-name="seat 1 punto" class="cls-1" x="283.465" y="850.394" width="283.465"
      height="226.772" transform="translate(0 0) rotate(0)"/>
    <polygon id="felt_edge" data-name="felt edge" class="cls-1"
      points="0 0 2834.65 0 2834.65 1700.79 0 1700.79"/>
    <line id="split" data-name="split line of seat 1 punto and seat 1 banca" class="cls-1" x1="283.465"
      y1="838" x2="566.93" y2="838"/>
    <rect id="seat_1_banca" data-name="seat 1 banca" class="cls-1" x="283.465" y="598" width="283.465"
      height="226.772"/>
  </g></g>
</svg>"""


def test_inkscape() -> None:
    layout = Layout.parse(INKSCAPE, "felt.svg")
    punto, banca = (layout.zone(Spot.parse(f"seat 1 {bet}")) for bet in ("punto", "banca"))
    assert punto is not None
    assert banca is not None
    # turned a quarter by the inner group, then moved by the layer
    assert punto.polygon.bounds == pytest.approx((370, 250, 490, 340))
    assert banca.polygon.bounds == pytest.approx((600, 350, 720, 440))
    assert {line.id for line in layout.lines} == {"half line of seat 1 banca", "seat 1 punto:outline"}
    _, remarks = check_layout(INKSCAPE, "felt.svg")
    assert any("'r7' (hand punto)" in remark.text and "hidden" in remark.text for remark in remarks)


def test_illustrator() -> None:
    layout = Layout.parse(ILLUSTRATOR, "felt.svg")
    punto = layout.zone(Spot.parse("seat 1 punto"))
    assert punto is not None
    assert punto.polygon.bounds == pytest.approx((100, 300, 200, 380), abs=0.01)
    assert [(line.effect, len(line.spots)) for line in layout.lines] == [(Effect.SPLITS, 2)]
    assert layout.felt.bounds == pytest.approx((0, 0, 1000, 600), abs=0.01)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((' width="1000mm" height="600mm"', ""), ("width", "Illustrator")),
        (('width="1000mm"', 'width="2834px"'), ("width", "2834px")),
        (("<defs><style>.cls-1{", "<defs><style>.cls-1{transform:scale(2);"), ("<style>", "transform")),
        (('class="cls-1" x="283.465" y="598"', 'style="width:300px" x="3" y="5"'), ("seat_1_banca", "style")),
        (("rotate(0)", 'rotate(9)" transform-origin="50 50'), ("seat_1_punto", "origin")),
        (("rotate(0)", "rotate(none)"), ("seat_1_punto", "rotate(none)")),
        (('seat 1 banca" class', 'seat 1 punto" class'), ("seat_1_banca", "second time")),
        (('viewBox="0 0 2834.65 1700.79"', 'viewBox="0 0 2834.65 2834.65"'), ("another shape",)),
    ],
)
def test_refusals_name_the_element(change: tuple[str, str], words: tuple[str, ...]) -> None:
    assert change[0] in ILLUSTRATOR
    with pytest.raises(LayoutError) as caught:
        Layout.parse(ILLUSTRATOR.replace(*change), "felt.svg")
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        ("seat 3 punto", {"data-spot": "seat 3 punto"}),
        (" seat 3  punto ", {"data-spot": "seat 3 punto"}),
        ("box a punto", {"data-spot": "box a punto"}),
        ("shoe", {"data-spot": "shoe"}),
        (
            "half line of seat 3 punto 2",
            {"data-line": "half line of seat 3 punto 2", "data-halves": "seat 3 punto"},
        ),
        ("Layer 1", {}),
        ("seat 3", {}),
        ("half line of nothing", {}),
    ],
)
def test_names_with_a_meaning(label: str, meaning: dict[str, str]) -> None:
    assert meaning_of_label(label) == meaning


WORDS = Words(
    "punto_banco",
    frozenset({"punto", "banca", "empate"}),
    frozenset({"punto", "banca"}),
    frozenset({Spot.parse("hand punto")}),
    ("punto", "banca"),
)
_BOX = '<rect id="{}" x="{}" y="{}" width="100" height="80" data-spot="{}"/>'
GOOD = (
    _BOX.format("p1", 100, 400, "seat 1 punto")
    + _BOX.format("b1", 100, 300, "seat 1 banca")
    + _BOX.format("p2", 300, 400, "seat 2 punto")
    + _BOX.format("b2", 300, 300, "seat 2 banca")
    + _BOX.format("hp", 500, 50, "hand punto")
    + _BOX.format("fl", 300, 20, "float")
)


def checked(body: str, head: str = 'width="1000mm" height="600mm" viewBox="0 0 1000 600"') -> list[str]:
    _, remarks = check_layout(f"<svg {head}>{body}</svg>", "felt.svg", WORDS)
    return [f"{remark.weight} {remark.text}" for remark in remarks]


def test_nothing_is_wrong_with_a_good_drawing() -> None:
    assert checked(GOOD) == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (GOOD.replace('id="b2"', ""), ("doubtful", "number 4 (seat 2 banca) has no id")),
        (GOOD.replace("seat 2 banca", "seat 2 banka"), ("wrong", "'b2'", "did you mean 'banca'")),
        (GOOD.replace("hand punto", "hand ponto"), ("wrong", "'hp'", "did you mean 'punto'")),
        (GOOD.replace("hand punto", "burn"), ("wrong", "no zone 'hand punto'")),
        (GOOD.replace("seat 2 banca", "seat 2 empate"), ("wrong", "seat 2 has no box for banca")),
        (GOOD.replace("seat 2", "seat 4"), ("doubtful", "no seat 2 and 3")),
        (GOOD + _BOX.format("x", 130, 420, "seat 3 punto"), ("wrong", "'p1'", "'x'", "lie over each other")),
        (GOOD + _BOX.format("x", 500, 100, "community"), ("doubtful", "'hp'", "lie over each other")),
        (GOOD + _BOX.format("x", 950, 400, "hand seat_2"), ("wrong", "'x'", "50 % of it outside")),
        (
            GOOD + _BOX.format("x", 700, 400, "hand seat_7"),
            ("wrong", "seat 7 has a place but no betting box"),
        ),
        (
            GOOD + '<path id="l" d="M700 500h90" data-line="far" data-halves="seat 1 punto"/>',
            ("wrong", "'far'", "500 mm away from seat 1 punto"),
        ),
        (
            GOOD + '<path id="l" d="M100 390h90" data-line="l" data-splits="seat 1 punto|seat 2 banca"/>',
            ("wrong", "away from seat 2 banca"),
        ),
        (GOOD.replace('y="300"', 'y="320"'), ("doubtful", "touch each other")),
        (
            GOOD.replace('x="300" y="400" width="100"', 'x="300" y="400" width="30"'),
            ("doubtful", "too small"),
        ),
        (GOOD.replace('x="300" y="20"', 'x="300" y="510"'), ("doubtful", "180 degrees")),
        (GOOD.replace("<rect", '<rect transform="spin(2)"', 1), ("wrong", "'p1'", "spin(2)")),
    ],
)
def test_what_a_house_is_told(body: str, words: tuple[str, ...]) -> None:
    said = checked(body)
    assert any(all(word in line for word in words) for line in said), said


def test_all_mistakes_are_told_at_once() -> None:
    bad = GOOD.replace("seat 1 banca", "seat 1 banka").replace('id="p2"', 'id="p2" transform="spin(2)"')
    said = checked(bad + '<rect id="q" x="1" y="1" width="9" height="9" data-spott="x"/>')
    for word in ("banka", "'p2'", "data-spott"):
        assert any(word in line for line in said)


def test_units_that_cannot_be_meant() -> None:
    said = checked(GOOD, 'width="1000cm" height="600cm" viewBox="0 0 1000 600"')
    assert any("larger than any table" in line for line in said)
    assert "millimetres" in checked(GOOD, 'viewBox="0 0 1000 600"')[0]
