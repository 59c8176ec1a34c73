"""``make train``: its plan, and how trained weights come into use."""

from __future__ import annotations

import importlib.util
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from models.adopt import adopt
from models.train import FULL, SMALL, Budget, scaled, steps
from vision import weights as weights_module
from vision.card_reader import FACES
from vision.detector import DETECTOR
from vision.digest import file_sha256, model_card, said_sha256
from vision.errors import ModelError
from vision.networks import NETWORKS
from vision.standing import PLACE

WHEN = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.mark.parametrize("budget", [FULL, SMALL, scaled(SMALL, 0.01)], ids=["full", "small", "least"])
def test_every_network_is_trained_and_tried(budget: Budget, tmp_path: Path) -> None:
    plan = list(steps(budget, tmp_path, tmp_path / "weights"))
    said = " ".join(" ".join(step) for step in plan)
    for network in NETWORKS:
        room, file = network.name.split("/")
        assert network.name in said or (room == "chip_reader" and f"--net {Path(file).stem}" in said)
    assert plan[-1][0] == "models.trial"
    assert all(importlib.util.find_spec(step[0]) is not None for step in plan)
    assert ("datasets.decks_fetch" in said) == budget.fetched
    assert all(argument for step in plan for argument in step)


def test_a_small_training_downloads_nothing_and_takes_minutes(tmp_path: Path) -> None:
    plan = list(steps(SMALL, tmp_path, tmp_path / "weights"))
    assert not any("--decks" in step for step in plan)
    minutes = sum(float(step[step.index("--minutes") + 1]) for step in plan if "--minutes" in step)
    assert minutes < 15


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the models' folder, in place of it."""
    folder = tmp_path / "models"
    for network in NETWORKS:
        (folder / network.name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(network.path, folder / network.name)
        shutil.copy(model_card(network.path) or "", folder / Path(network.name).parent)
    monkeypatch.setattr(weights_module, "FOLDER", folder)
    return folder


def _trained(folder: Path, *names: str) -> Path:
    """Weights as a training leaves them: the same networks, other bytes."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        content = (weights_module.FOLDER / name).read_bytes()
        (folder / name).write_bytes(content + b"\x22\x01x")  # another domain: the same network
    return folder


def test_trained_weights_come_into_use_with_their_cards(room: Path, tmp_path: Path) -> None:
    trained = _trained(tmp_path / "trained", DETECTOR.name, PLACE.name)
    before = file_sha256(FACES.path)
    assert adopt(trained, WHEN) == [DETECTOR.path, PLACE.path]
    for network in (DETECTOR, PLACE):
        card = model_card(room / network.name)
        assert card is not None
        assert file_sha256(network.path) in said_sha256(card, Path(network.name).name)
        assert "on 2026-05-04: what this page says it scores" in card.read_text(encoding="utf-8")
        network.open(1)
    assert file_sha256(FACES.path) == before
    card = model_card(DETECTOR.path)
    assert card is not None
    text = card.read_text(encoding="utf-8")
    adopt(trained, WHEN)
    assert card.read_text(encoding="utf-8") == text


@pytest.mark.usefixtures("room")
def test_what_is_no_network_is_not_adopted(tmp_path: Path) -> None:
    trained = _trained(tmp_path / "trained", DETECTOR.name)
    (trained / "card_reader").mkdir()
    shutil.copy(PLACE.path, trained / FACES.name)
    before = file_sha256(DETECTOR.path)
    with pytest.raises(ModelError, match="not veedor's card reader"):
        adopt(trained, WHEN)
    assert file_sha256(DETECTOR.path) == before
    with pytest.raises(ModelError, match="no trained weights"):
        adopt(tmp_path / "nowhere", WHEN)
