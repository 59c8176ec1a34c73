"""The trained models that come with veedor, held against what their model cards say of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from veedor.fingerprint import file_sha256, model_files

_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")

EXPECTED = (
    "card_reader/card_reader.onnx",
    "card_reader/corner_finder.onnx",
    "card_reader/corner_reader.onnx",
    "chip_reader/place.onnx",
    "chip_reader/side.onnx",
    "detector/detector.onnx",
)
"""Without these nothing can be reviewed."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model. ``detail``: its hash; ``problem``: what is wrong with it, if anything."""

    name: str
    detail: str
    problem: str | None = None
    remedy: str | None = None


def known_models() -> list[KnownModel]:
    """All models found, and those that should be there and are not."""
    folder = Path(str(files("models")))
    there = {file.relative_to(folder).as_posix(): file for file in model_files()}
    missing = [
        KnownModel(name, "missing", "missing", "Install veedor again, or train it: make train.")
        for name in EXPECTED
        if name not in there
    ]
    return [*(examined(name, file) for name, file in there.items()), *missing]


def examined(name: str, file: Path) -> KnownModel:
    """One model's file, held against the model cards beside it."""
    digest = file_sha256(file)
    detail = f"sha256 {digest}"
    cards = [
        card for card in sorted(file.parent.glob("*.md")) if file.name in card.read_text(encoding="utf-8")
    ]
    if not cards:
        return KnownModel(name, detail, "no model card", f"Put back its model card beside {file}.")
    if digest in {found for card in cards for found in _DIGEST.findall(card.read_text(encoding="utf-8"))}:
        return KnownModel(name, detail)
    return KnownModel(
        name,
        f"{detail}, which its model card does not name",
        "another model than the one described",
        f"Put back the file that belongs to {cards[0]}, or describe the new model there.",
    )
