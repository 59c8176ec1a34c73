"""What identifies a file's content: its SHA-256, and where a model card says what it ought to be."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_CHUNK = 1 << 20
_SAID = re.compile(r"([\w.-]+\.onnx)|\b([0-9a-f]{64})\b")


def file_sha256(file: Path) -> str:
    """The SHA-256 of a file's bytes, as hex. Raises OSError."""
    digest = hashlib.sha256()
    with file.open("rb") as handle:
        while chunk := handle.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def model_card(file: Path) -> Path | None:
    """The model card (Markdown) beside a file of weights that names it, None where there is none."""
    for card in sorted(file.parent.glob("*.md")):
        if file.name in card.read_text(encoding="utf-8"):
            return card
    return None


def said_sha256(card: Path, name: str) -> frozenset[str]:
    """The SHA-256 that a model card gives a file: of those in it, the ones that follow the file's name."""
    said: set[str] = set()
    current = ""
    for found in _SAID.finditer(card.read_text(encoding="utf-8")):
        current = found[1] or current
        if found[2] and current == name:
            said.add(found[2])
    return frozenset(said)
