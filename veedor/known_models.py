"""The trained models that come with veedor, held against their model cards and against what uses them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veedor.fingerprint import model_files
from vision.digest import file_sha256, model_card, said_sha256
from vision.errors import ModelError
from vision.networks import NETWORKS
from vision.weights import FOLDER, Weights

FORMAT = "veedor.models/1"
_BACK = "Put the file back as it came with veedor, or train it: make train."


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model. ``bytes``, ``sha256``: its file's, None where it is missing; ``card``: its model card;
    ``problem``: what is wrong with it, if anything, and the ``remedy``."""

    name: str
    does: str
    bytes: int | None
    sha256: str | None
    card: Path | None
    problem: str | None = None
    remedy: str | None = None

    @property
    def detail(self) -> str:
        """The hash and what is wrong, in one line."""
        hashed = "" if self.sha256 is None else f"sha256 {self.sha256}"
        return ", ".join(part for part in (hashed, self.problem) if part)


def known_models() -> list[KnownModel]:
    """All models that veedor uses, then those that lie there and that it does not."""
    used = {weights.path for weights in NETWORKS}
    spare = [file for file in model_files() if file not in used]
    return [*map(examined, NETWORKS), *(_spare(file) for file in spare)]


def examined(weights: Weights) -> KnownModel:
    """One model's file, held against its model card and against what it has to take and give."""
    file = weights.path
    if not file.is_file():
        return KnownModel(weights.name, weights.does, None, None, None, "missing", _BACK)
    card, digest = model_card(file), file_sha256(file)
    found = KnownModel(weights.name, weights.does, file.stat().st_size, digest, card)
    if card is None:
        return _wrong(found, "no model card", f"Put back its model card beside {file}.")
    if digest not in said_sha256(card, file.name):
        return _wrong(found, "another model than its model card describes", _BACK)
    try:
        weights.open(threads=1)
    except ModelError as error:
        return _wrong(found, "not the network that it has to be", str(error))
    return found


def _wrong(found: KnownModel, problem: str, remedy: str) -> KnownModel:
    return KnownModel(found.name, found.does, found.bytes, found.sha256, found.card, problem, remedy)


def _spare(file: Path) -> KnownModel:
    name = file.relative_to(FOLDER).as_posix()
    return KnownModel(name, "not used", file.stat().st_size, file_sha256(file), model_card(file))


def as_json(models: Sequence[KnownModel]) -> str:
    """The list as a JSON document, format ``veedor.models/1``."""
    document = {
        "format": FORMAT,
        "well": all(model.problem is None for model in models),
        "models": [
            {
                "name": model.name,
                "does": model.does,
                "bytes": model.bytes,
                "sha256": model.sha256,
                "model_card": None if model.card is None else str(model.card),
                "problem": model.problem,
                "remedy": model.remedy,
            }
            for model in models
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
