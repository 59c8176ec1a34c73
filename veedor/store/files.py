"""Where the state lies, and writing files so that nobody ever sees half of one."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from veedor.store.errors import StoreError

STATE_VARIABLE = "VEEDOR_STATE"


def state_directory(given: Path | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The state directory: the one given, else ``$VEEDOR_STATE``, else ``veedor`` in the user's data folder
    (``$XDG_DATA_HOME``, by default ``~/.local/share``)."""
    if given is not None:
        return given.expanduser().absolute()
    if named := environment.get(STATE_VARIABLE):
        return Path(named).expanduser().absolute()
    data = environment.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "veedor"


def make_directory(folder: Path, what: str) -> None:
    """Make ``folder`` (and those above it) unless it is there; ``what`` names it in the error."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{what} {folder} cannot be made ({error.strerror}). Give another place, or make it writable."
        ) from error


def keep_apart(out: Path | None, read: Path) -> None:
    """That a command does not write over the file that it reads. Raises StoreError."""
    if out is not None and out.exists() and read.exists() and out.samefile(read):
        raise StoreError(f"{out} is the file that is to be read. Give the output another name.")


def write_atomically(file: Path, content: bytes) -> None:
    """Write ``content`` beside ``file`` and rename it over: readers see the old file or the new one.

    Raises StoreError, with the old file untouched, if it cannot be written.
    """
    write_together({file: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files so: none of them is put in place unless each could be written.

    Raises StoreError, naming the file, with the old ones untouched.
    """
    beside: dict[Path, Path] = {}
    file = Path()
    try:
        for file, content in contents.items():
            if file.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not file.exists() or file.is_file():
                _write_beside(file, content, beside)
        for file, content in contents.items():
            if file in beside:
                beside[file].replace(file)
            else:  # a device or a pipe: there is nothing to keep, and nothing to replace
                file.write_bytes(content)
    except OSError as error:
        raise StoreError(
            f"{file} cannot be written ({error.strerror}). Check the folder, its rights and the free space; "
            "what was there before is untouched."
        ) from error
    finally:
        for temporary in beside.values():
            temporary.unlink(missing_ok=True)


def _write_beside(file: Path, content: bytes, beside: dict[Path, Path]) -> None:
    """Write what is to become ``file`` into a file next to it, which ``beside`` then names."""
    with tempfile.NamedTemporaryFile(
        dir=file.parent, prefix=f".{file.name}.", suffix=".partial", delete=False
    ) as handle:
        beside[file] = Path(handle.name)
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())
    beside[file].chmod(0o644)
