"""Packets of cards, squared packs, cards edge to edge: drawn by their seed, labelled only where cards are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from datasets.decks import drawn_deck
from datasets.synth.arrange import Kit
from datasets.synth.cameras import photo_camera
from datasets.synth.raster import Array
from datasets.synth.render import Picture, render
from datasets.synth.sample import photo_scene, random_surface
from datasets.synth.scene import CARD_WIDTH_MM, Light, PropItem, PropKind, Scene
from datasets.synth.spreads import packet, spread, squared_pack
from vision.camera import Camera

_LIGHT = Light(vignette=0.0, gradient=0.0)


def _kit() -> Kit:
    return random_surface(np.random.default_rng(1), drawn_deck(2))


def _seen(scene: Scene, kit: Kit, tilt_deg: float = 35.0) -> Picture:
    camera = Camera.looking_at(
        (0.0, 0.0), distance_mm=500, tilt_deg=tilt_deg, azimuth_deg=20, focal_px=900, size_px=(320, 320)
    )
    return render(scene, kit.assets, camera)


def _box(size_mm: tuple[float, float, float], seed: int, text: str = "POKER") -> PropItem:
    colours = (40, 30, 180), (240, 240, 240)
    return PropItem(PropKind.PACKET, 0.0, 0.0, 15.0, *size_mm, *colours, text, seed)


@pytest.mark.parametrize("size_mm", [(65.0, 90.0, 17.0), (65.0, 17.0, 90.0), (90.0, 17.0, 65.0)])
@pytest.mark.parametrize("seed", range(4))
def test_a_packet_covers_the_ground_and_is_no_card(size_mm: tuple[float, float, float], seed: int) -> None:
    kit = _kit()
    empty = _seen(Scene(light=_LIGHT), kit)
    picture = _seen(Scene(props=(_box(size_mm, seed),), light=_LIGHT), kit)
    changed = np.abs(picture.image.astype(int) - empty.image).max(axis=2) > 12
    assert changed.mean() > 0.04
    assert not picture.labels.cards
    assert not picture.labels.things


def test_a_packet_looks_the_same_every_time_and_other_ones_otherwise() -> None:
    kit = _kit()

    def image(seed: int) -> Array:
        return _seen(Scene(props=(_box((65.0, 90.0, 17.0), seed),), light=_LIGHT), kit, 5.0).image

    assert np.array_equal(image(3), image(3))
    assert not np.array_equal(image(3), image(4))


def test_packets_stand_lie_and_have_cards_drawn_from_them() -> None:
    kit = _kit()
    drawn = [packet(np.random.default_rng(seed), kit, 0.0, 0.0) for seed in range(60)]
    kinds = Counter(box.height_mm > min(box.width_mm, box.depth_mm) for box, _ in drawn)
    assert min(kinds[True], kinds[False]) > 10
    assert any(cards for _, cards in drawn)
    assert all(0 < card.z_mm < box.height_mm for box, cards in drawn for card in cards)


def test_a_squared_pack_shows_one_card() -> None:
    kit = _kit()
    pack, top = squared_pack(np.random.default_rng(2), kit, 0.0, 0.0, up=True)
    picture = _seen(Scene(cards=(top,), props=(pack,), light=_LIGHT), kit)
    assert [card.name for card in picture.labels.cards] == [top.name]
    assert picture.labels.cards[0].visible > 0.95
    assert top.z_mm > pack.height_mm


def test_cards_lie_edge_to_edge() -> None:
    kit = _kit()
    spreads = [spread(np.random.default_rng(seed), kit, 0, 0, 1.0)[0] for seed in range(200)]
    touching = 0
    for cards in spreads:
        places = np.array([(card.x_mm, card.y_mm) for card in cards])
        gaps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        touching += len(gaps) > 0 and bool((np.abs(gaps - CARD_WIDTH_MM) < 2).all())
    assert touching > 5


def test_photographs_show_packets_close_by_too() -> None:
    kit = _kit()
    scenes = [photo_scene(np.random.default_rng(seed), kit) for seed in range(40)]
    packets = [s for s in scenes if any(prop.kind is PropKind.PACKET for prop in s.props)]
    assert len(packets) > 5
    for number, scene in enumerate(packets):
        camera = photo_camera(np.random.default_rng(number), scene, 160)
        assert (camera.width_px, camera.height_px) == (160, 160)
