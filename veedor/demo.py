"""The demonstration: the carried recording, reviewed once and then shown."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from rules.errors import VeedorError
from rules.findings import Judgement
from veedor.enrolled import files_of
from veedor.fingerprint import file_sha256, fingerprint
from veedor.store import Store

TABLE = "table.yaml"


class DemoError(VeedorError):
    """The carried recording is not there."""


def demo_files() -> tuple[Path, Path]:
    """The carried recording and its table file. Raises DemoError if they are missing."""
    folder = Path(str(files("datasets"))) / "demo"
    videos = sorted(folder.glob("*.mp4"))
    if not videos or not (folder / TABLE).is_file():
        raise DemoError(
            f"The recording that comes with veedor is missing from {folder}. Install veedor again, or review "
            "one of your own with veedor review."
        )
    return videos[0], folder / TABLE


def demo_review(store: Store, out: Path) -> tuple[int, Judgement, Path]:
    """The demonstration's review: its number, its judgement and the recording.

    Made only if this code, these models and these files have not made it already. Raises VeedorError.
    """
    from veedor.cli_review import run_review
    from veedor.config import load_table
    from veedor.watching import judge_journal

    video, table_file = demo_files()
    table = load_table(table_file)
    kept = store.find(table.name, [file_sha256(video)])
    if kept is not None and kept.made_by == fingerprint(files_of(table)):
        try:
            return kept.id, judge_journal(store.journal(kept), table), video
        except VeedorError:
            pass  # its files are gone or broken: make it anew
    done = run_review(video, table_file, out, store)
    return done.number, done.judgement, video
