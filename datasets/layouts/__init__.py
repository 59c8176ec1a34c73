"""The drawings of every game's felt that come with the product: ``datasets/layouts/*.svg``.

They are drawn by ``python -m datasets.layouts``; a house may draw its own in any program (docs/layout.md).
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def shipped() -> tuple[str, ...]:
    """The names of the drawings that come with the product, in order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.svg")))


def path_of(name: str) -> Path:
    """The file of a shipped drawing; it need not exist."""
    return FOLDER / f"{name}.svg"
