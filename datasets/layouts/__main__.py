"""``python -m datasets.layouts``: draw the felts anew."""

from __future__ import annotations

from datasets.layouts import path_of
from datasets.layouts.drawn import DRAWN


def main() -> None:
    """Write every drawing."""
    for name, draw in DRAWN.items():
        path_of(name).write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
