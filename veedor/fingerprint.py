"""What a review was made by: one short hash of the code, the models and the files given.

Two reviews of one recording with the same fingerprint are the same review, so it need not be made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

_ROOMS = ("rules", "vision", "veedor", "models")
_SUFFIXES = frozenset({".py", ".yaml", ".onnx", ".json"})
_CHUNK = 1 << 20


def file_sha256(file: Path) -> str:
    """The SHA-256 of a file's bytes, as hex. Raises OSError."""
    digest = hashlib.sha256()
    with file.open("rb") as handle:
        while chunk := handle.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


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
