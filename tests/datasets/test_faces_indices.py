"""Single indices for the corner reader: the same for a seed, and like those cut out of whole faces."""

from __future__ import annotations

import numpy as np

from datasets.decks import drawn_deck
from datasets.faces import TEXTURE_PX, textures_of
from datasets.faces_indices import frame_at, index_crops
from vision.corners import CROP_PX, NO_INDEX
from vision.indices import corner_frames


def test_a_seed_gives_the_same_crops() -> None:
    textures, _ = textures_of(drawn_deck(3, (), indices=True))
    one, two = (index_crops(textures[None], [2], [0], np.random.default_rng(4), 40) for _ in range(2))
    assert np.array_equal(one[0], two[0])
    assert np.array_equal(one[1], two[1])
    crops, labels = one
    assert crops.shape == (40, *CROP_PX, 3)
    assert crops.dtype == np.uint8
    assert 0 < (labels == NO_INDEX).sum() < 25


def test_a_pack_without_indices_shows_none() -> None:
    textures, _ = textures_of(drawn_deck(3, (), indices=False))
    _, labels = index_crops(textures[None], [0], [0], np.random.default_rng(4), 12)
    assert (labels == NO_INDEX).all()


def test_training_cuts_where_the_reader_cuts() -> None:
    frames = corner_frames(*TEXTURE_PX)
    for corner in range(4):
        assert np.allclose(frame_at(corner), frames[corner], atol=1e-3)
