"""The drawings that come with the product: as their script draws them, and nothing is wrong with any."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from datasets.layouts import path_of, shipped
from datasets.layouts.drawn import DRAWN
from rules.games import GAMES
from rules.spots import Area, Spot
from tests.bench.placing import view_of
from veedor.config import load_table
from veedor.layouts import words_of
from vision.layout import Effect, Layout
from vision.layout_check import check_layout


def test_every_game_has_a_drawing() -> None:
    games = {Layout.read(path_of(name)).game for name in shipped()}
    assert set(GAMES) <= games
    assert set(shipped()) == set(DRAWN)


@pytest.mark.parametrize("name", shipped())
def test_a_drawing_is_as_it_was_drawn_and_right(name: str) -> None:
    text = path_of(name).read_text(encoding="utf-8")
    assert text == DRAWN[name]().svg()
    layout, remarks = check_layout(text, name)
    assert layout is not None
    assert layout.game is not None
    _, named = check_layout(text, name, words_of(layout.game))
    assert [remark.text for remark in remarks + named] == []


@pytest.mark.parametrize(
    ("name", "seats", "bets", "areas"),
    [
        ("punto_banco_full", 14, {"punto", "banca", "empate"}, {"shoe", "discard", "float", "tips"}),
        ("punto_banco_midi", 9, {"punto", "banca", "empate"}, {"shoe", "discard", "float", "tips"}),
        ("punto_banco_mini", 7, {"punto", "banca", "empate"}, {"shoe", "discard", "float", "tips"}),
        ("punto_banco_uruguay", 12, {"punto", "banca", "sabot", "shoe"}, {"capital", "discard"}),
        ("chemin_de_fer", 9, {"punto", "abonament", "shoe"}, {"bank", "garage", "cagnotte", "discard"}),
        (
            "banque_deux_tableaux",
            10,
            {"tableau_1", "tableau_2", "beside_banker", "beside_dealer"},
            {"bank", "cagnotte", "discard", "tips"},
        ),
        (
            "no_discard_poker",
            7,
            {"ante", "second", "insurance", "progressive", "exchange"},
            {"deck", "discard"},
        ),
        ("circle_poker", 10, {"bet", "button"}, {"pot", "community", "deck", "burn", "cagnotte", "tips"}),
        ("trente_et_quarante", 0, {"rouge", "noir", "couleur", "inverse"}, {"discard", "float"}),
    ],
)
def test_what_a_table_has(name: str, seats: int, bets: set[str], areas: set[str]) -> None:
    layout = Layout.read(path_of(name))
    assert layout.seats == tuple(range(1, seats + 1))
    assert {zone.spot.bet for zone in layout.zones if zone.spot.area is Area.BET} == bets
    assert areas <= {str(zone.spot) for zone in layout.zones}


def test_places_of_the_texts() -> None:
    cemin = Layout.read(path_of("chemin_de_fer"))
    bank, garage, slot = (cemin.zone(Spot.parse(s)) for s in ("bank", "garage", "cagnotte"))
    assert bank is not None
    assert garage is not None
    assert slot is not None
    # the dealer looks towards growing y, so that his right is the smaller x
    assert slot.centre_mm[0] < garage.centre_mm[0] < bank.centre_mm[0]
    two = Layout.read(path_of("banque_deux_tableaux"))
    first, second = (two.zone(Spot.parse(f"seat {n} tableau_{k}")) for n, k in ((1, 1), (6, 2)))
    assert first is not None
    assert second is not None
    assert first.centre_mm[0] > second.centre_mm[0]  # the banker's right


def test_lines_of_the_texts() -> None:
    uruguay = Layout.read(path_of("punto_banco_uruguay"))
    assert {(e.effect, e.spots[0].bet) for e in uruguay.lines} == {(Effect.HALVES, "punto")}
    assert sorted({z.spot.box for z in uruguay.zones if z.spot.box}) == list("abcdefghij")
    two = Layout.read(path_of("banque_deux_tableaux"))
    kinds = {e.id.rpartition(":")[2]: e.effect for e in two.lines}
    assert kinds == {
        "player": Effect.HALVES,
        "other_tableau": Effect.SPLITS,
        "tableaux": Effect.SPLITS,
    }


@pytest.mark.parametrize(
    ("game", "profile", "variant", "drawing"),
    [
        ("punto_banco", "andorra_2016", "full", "punto_banco_full"),
        ("punto_banco", "andorra_2016", "midi", "punto_banco_midi"),
        ("punto_banco", "andorra_2016", "mini", "punto_banco_mini"),
        ("punto_banco", "mini_half_lines", None, "punto_banco_mini_half_lines"),
        ("punto_banco", "uruguay_1977", None, "punto_banco_uruguay"),
        ("chemin_de_fer", "andorra_2016", None, "chemin_de_fer"),
        ("banque_deux_tableaux", "andorra_2016", None, "banque_deux_tableaux"),
        ("no_discard_poker", "andorra_2016", None, "no_discard_poker"),
    ],
)
def test_a_table_of_each_profile_can_have_its_drawing(
    tmp_path: Path, game: str, profile: str, variant: str | None, drawing: str
) -> None:
    layout = Layout.read(path_of(drawing))
    camera = view_of(layout, 20.0, 0.0, 1920)
    corners = np.concatenate([zone.corners_mm[:1] for zone in layout.zones])[::3]
    table = {
        "format": "veedor.table/1",
        "name": "one",
        "game": game,
        "profile": {"name": profile} | ({"variant": variant} if variant else {}),
        "layout": str(path_of(drawing)),
        "cameras": [
            {
                "id": "above",
                "image_size": [1920, 1080],
                "points": [
                    {"mm": mm, "px": px}
                    for mm, px in zip(corners.tolist(), camera.project(corners).tolist(), strict=True)
                ],
            }
        ],
        "chips": {"set": [{"value": 5, "colour": "red"}]},
    }
    file = tmp_path / "table.yaml"
    file.write_text(yaml.safe_dump(table), encoding="utf-8")
    assert load_table(file).layout.game == game
