"""What a review was made by: one short hash of the code, the models and the files given.

Two reviews of one recording with the same fingerprint are the same review, so it need not be made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from vision.digest import file_sha256

__all__ = ["file_sha256", "fingerprint", "model_files"]

_ROOMS = ("rules", "vision", "veedor", "models")
_SUFFIXES = frozenset({".py", ".yaml", ".onnx", ".json"})


def model_files() -> list[Path]:
    """The trained models that come with veedor, by name."""
    return sorted(Path(str(files("models"))).rglob("*.onnx"))


def fingerprint(given: Iterable[Path]) -> str:
    """Hash of the running code, its data and models, and of the files ``given`` (the table's own)."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        folder = Path(str(files(room)))
        for file in sorted(folder.rglob("*")):
            if file.suffix in _SUFFIXES and file.is_file():
                digest.update(f"{room}/{file.relative_to(folder)} {file_sha256(file)}\n".encode())
    for file in sorted(given):
        digest.update(f"{file.name} {file_sha256(file)}\n".encode())
    return digest.hexdigest()
