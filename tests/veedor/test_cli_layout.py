"""``veedor layout``: list, show and check."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from typer.testing import CliRunner

from datasets.layouts import path_of, shipped
from rules.errors import VeedorError
from veedor.cli import app
from vision.layout import Layout

RUN = CliRunner()


def said(*arguments: str, columns: int = 200) -> tuple[int, str]:
    result = RUN.invoke(app, ["layout", *arguments], env={"COLUMNS": str(columns)})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, " ".join(result.output.split())


def test_list() -> None:
    code, text = said("list", columns=80)
    assert code == 0
    assert all(name in text for name in shipped())
    assert "…" not in text


def test_show_says_what_lines_do() -> None:
    _, text = said("show", "banque_deux_tableaux")
    assert "seat 1 tableau_1:player a bet of seat 1 tableau_1 plays half" in text
    assert "box a:tableaux a bet plays on box a tableau_1 and on box a tableau_2" in text


def test_show_draws_the_meanings(tmp_path: Path) -> None:
    svg, png = tmp_path / "felt.svg", tmp_path / "felt.png"
    said("show", str(path_of("chemin_de_fer")), "--out", str(svg))
    assert ">garage</tspan>" in svg.read_text(encoding="utf-8")
    said("show", "chemin_de_fer", "--out", str(png))
    picture = cv2.imread(str(png))
    assert picture is not None
    assert picture.shape[1] == 2400
    with pytest.raises(VeedorError, match=r"\.svg or \.png"):
        said("show", "trijoker", "--out", str(tmp_path / "felt.pdf"))


def test_check(tmp_path: Path) -> None:
    assert said("check", "trijoker")[0] == 0
    text = path_of("punto_banco_mini").read_text(encoding="utf-8")
    bad = tmp_path / "house.svg"
    bad.write_text(text.replace('"seat 3 banca"', '"seat 3 bancca"'), encoding="utf-8")
    code, told = said("check", str(bad))
    assert code == 1
    assert (
        "'seat-3-banca' is 'seat 3 bancca', but punto_banco has no bet 'bancca': did you mean 'banca'?"
        in told
    )
    bad.write_text(text.replace(' data-game="punto_banco"', ""), encoding="utf-8")
    assert "Names were not checked" in said("check", str(bad))[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "trijokker"), "did you mean trijoker?"),
        (("show", "nothing.svg"), "nothing.svg does not exist"),
        (("check", "trijoker", "--game", "trijocker"), "did you mean trijoker?"),
    ],
)
def test_what_is_not_there(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(VeedorError) as caught:
        said(*arguments)
    assert words in str(caught.value)


def test_the_names_are_drawings() -> None:
    for name in shipped():
        assert Layout.read(path_of(name)).zones
