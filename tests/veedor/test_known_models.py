"""``veedor models``: what is listed, and that nothing but the described weights is ever loaded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from veedor import known_models
from veedor.cli_models import models
from vision import weights as weights_module
from vision.card_reader import FACES, CardReader
from vision.chips import SIDE
from vision.corners import CORNER_FINDER
from vision.detector import DETECTOR, Detector
from vision.digest import file_sha256, model_card, said_sha256
from vision.errors import ModelError
from vision.networks import NETWORKS
from vision.weights import Weights


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the models' folder, in place of it."""
    folder = tmp_path / "models"
    for weights in NETWORKS:
        (folder / weights.name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(weights.path, folder / weights.name)
        shutil.copy(model_card(weights.path) or "", folder / Path(weights.name).parent)
    monkeypatch.setattr(weights_module, "FOLDER", folder)
    monkeypatch.setattr(known_models, "FOLDER", folder)
    monkeypatch.setattr(known_models, "model_files", lambda: sorted(folder.rglob("*.onnx")))
    return folder


def test_the_weights_that_come_along_are_right() -> None:
    found = known_models.known_models()
    assert {model.name for model in found} >= {weights.name for weights in NETWORKS}
    assert [model.problem for model in found] == [None] * len(found)
    assert sum(model.bytes or 0 for model in found) <= 20_000_000
    assert all(model.card is not None and model.does for model in found)


def test_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    models()
    told = capsys.readouterr().out
    for weights in NETWORKS:
        assert weights.name in told
        assert file_sha256(weights.path) in told
    with pytest.raises(typer.Exit) as end:
        models(as_json=True)
    assert end.value.exit_code == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "veedor.models/1"
    assert document["well"] is True


def _other_bytes(file: Path) -> None:
    with file.open("ab") as handle:
        handle.write(b"\0")


def _exchanged(file: Path) -> None:
    shutil.copy(CORNER_FINDER.path, file)
    card = model_card(file)
    assert card is not None
    text = card.read_text(encoding="utf-8")
    for digest in said_sha256(card, file.name):
        text = text.replace(digest, file_sha256(file))
    card.write_text(text, encoding="utf-8")


def _no_card(file: Path) -> None:
    for card in file.parent.glob("*.md"):
        card.unlink()


@pytest.mark.parametrize(
    ("spoil", "problem", "words"),
    [
        (_other_bytes, "another model than its model card describes", "are not those that .*README.md"),
        (_exchanged, "not the network that it has to be", "is a model, but not veedor's"),
        (_no_card, "no model card", "have no model card beside them"),
        (Path.unlink, "missing", "are missing: put the file back"),
    ],
    ids=["bytes", "exchanged", "no card", "missing"],
)
@pytest.mark.parametrize("weights", [DETECTOR, FACES, SIDE], ids=lambda weights: Path(weights.name).stem)
def test_what_is_wrong_is_refused_and_listed(
    room: Path,
    weights: Weights,
    spoil: Callable[[Path], None],
    problem: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoil(room / weights.name)
    with pytest.raises(ModelError, match=words) as refused:
        weights.open(1)
    assert weights.name in str(refused.value)
    (listed,) = [model for model in known_models.known_models() if model.name == weights.name]
    assert listed.problem == problem
    assert listed.remedy
    with pytest.raises(typer.Exit) as end:
        models()
    assert end.value.exit_code == 1
    assert problem in capsys.readouterr().out


def test_readers_refuse_too(room: Path) -> None:
    _other_bytes(room / DETECTOR.name)
    _other_bytes(room / FACES.name)
    with pytest.raises(ModelError, match="are not those"):
        Detector(room / DETECTOR.name)
    with pytest.raises(ModelError, match="are not those"):
        CardReader(room / FACES.name)


def test_weights_that_are_not_used_are_listed_too(room: Path) -> None:
    shutil.copy(DETECTOR.path, room / "spare.onnx")
    assert [model.does for model in known_models.known_models() if model.name == "spare.onnx"] == ["not used"]


def test_other_weights_may_be_tried_without_a_card(tmp_path: Path) -> None:
    copy = tmp_path / "mine.onnx"
    shutil.copy(FACES.path, copy)
    FACES.open(1, copy)
    with pytest.raises(
        ModelError, match=r"its input 'faces' is \(n, 112, 80, 3\), expected \(n, 96, 80, 3\)"
    ):
        replace(FACES, inputs={"faces": (None, 96, 80, 3)}).open(1, copy)
    with pytest.raises(ModelError, match="it has no output 'suits'"):
        replace(FACES, outputs={"suits": (None, 4)}).open(1, copy)


def test_a_card_gives_each_file_its_own_hash(tmp_path: Path) -> None:
    card = tmp_path / "README.md"
    one, other = "1" * 64, "2" * 64
    card.write_text(f"`a.onnx` `{one}`, and `b.onnx`, 3 MB: `{other}`")
    assert (said_sha256(card, "a.onnx"), said_sha256(card, "b.onnx")) == (
        frozenset({one}),
        frozenset({other}),
    )
    assert said_sha256(card, "c.onnx") == frozenset()
