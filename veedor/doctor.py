"""What is installed, and what to do about what is wrong.

Each check answers with its findings; nothing here changes anything (but a file that is tried in the state
directory, and removed).
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import VeedorError
from veedor.store.database import FILE_NAME

if TYPE_CHECKING:
    from veedor.config import Table

FORMAT = "veedor.doctor/1"

_LEAST_FREE_BYTES = 1 << 30
_PACKAGES = (
    "av",
    "numpy",
    "opencv-python",
    "onnxruntime",
    "pydantic",
    "sqlalchemy",
    "alembic",
    "fastapi",
    "uvicorn",
    "shapely",
    "scipy",
)
_LEAST_PYTHON = (3, 11)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``well``: as it should be; ``remedy``: what to do where it is not."""

    name: str
    well: bool
    detail: str
    remedy: str | None = None


def examine(
    *, state: Path, port: int, tables: Sequence[Path] = (), cameras: Sequence[str] = ()
) -> list[Check]:
    """All checks, in the order in which they are best read."""
    checks = [_python(), *map(_package, _PACKAGES), _libgl(), *_import_checks(), *_models()]
    checks += [_state(state), _space(state), _port(port)]
    for table in tables:
        checks += _table(table)
    checks += [_camera(camera) for camera in cameras]
    return checks


def as_json(checks: Sequence[Check]) -> str:
    """The checks as a JSON document, format ``veedor.doctor/1``."""
    document = {
        "format": FORMAT,
        "well": all(check.well for check in checks),
        "checks": [asdict(check) for check in checks],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _python() -> Check:
    version, least = platform.python_version(), ".".join(map(str, _LEAST_PYTHON))
    well = sys.version_info >= _LEAST_PYTHON
    return Check(
        "Python",
        well,
        f"{version} at {sys.executable}",
        None if well else f"veedor needs Python {least} or newer: install it and set up again.",
    )


def _package(name: str) -> Check:
    try:
        return Check(name, True, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Check(name, False, "not installed", "Install veedor again: pip install --editable .")


def _libgl() -> Check:
    if platform.system() != "Linux":
        return Check("libGL", True, "not needed on this system")
    try:
        ctypes.CDLL("libGL.so.1")
    except OSError:
        return Check(
            "libGL",
            False,
            "libGL.so.1 is missing; OpenCV needs it",
            "On Debian or Ubuntu: sudo apt-get install libgl1. On Fedora: sudo dnf install libglvnd-glx.",
        )
    return Check("libGL", True, "libGL.so.1")


def _import_checks() -> list[Check]:
    again = "Install it again: pip install --force-reinstall"
    return [
        _tried("OpenCV reads and writes pictures", _opencv, f"{again} opencv-python"),
        _tried("PyAV decodes and encodes H.264", _pyav, f"{again} av"),
        _tried("ONNX Runtime", _onnxruntime, f"{again} onnxruntime"),
    ]


def _tried(name: str, attempt: Callable[[], str], remedy: str) -> Check:
    try:
        return Check(name, True, attempt())
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        return Check(name, False, str(error).splitlines()[0] if str(error) else type(error).__name__, remedy)


def _opencv() -> str:
    import cv2
    import numpy as np

    written, jpeg = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))
    if not written or cv2.imdecode(jpeg, cv2.IMREAD_COLOR) is None:
        raise RuntimeError("JPEG pictures cannot be written and read")
    return f"OpenCV {cv2.__version__}"


def _pyav() -> str:
    import av
    import av.codec

    for mode in ("r", "w"):
        av.codec.Codec("h264" if mode == "r" else "libx264", mode)
    codec = ".".join(str(part) for part in av.library_versions["libavcodec"])
    return f"PyAV {av.__version__} with FFmpeg's libavcodec {codec}"


def _onnxruntime() -> str:
    import onnxruntime

    return f"providers: {', '.join(onnxruntime.get_available_providers())}"


def _models() -> list[Check]:
    from veedor.known_models import known_models

    return [
        Check(f"model {model.name}", model.problem is None, model.detail, model.remedy)
        for model in known_models()
    ]


def _state(state: Path) -> Check:
    name = "state directory"
    remedy = "Make it writable for this user, or give another with --state."
    existing = next(folder for folder in (state, *state.parents) if folder.exists())
    if not existing.is_dir():
        return Check(name, False, f"{existing} is not a folder", remedy)
    if not os.access(existing, os.W_OK | os.X_OK):
        return Check(name, False, f"{existing} cannot be written", remedy)
    if existing != state:
        return Check(name, True, f"{state} (not there yet; it is made when needed)")
    try:
        with tempfile.NamedTemporaryFile(dir=state, prefix=".doctor."):
            pass
    except OSError as error:
        return Check(name, False, f"{state}: {error.strerror}", remedy)
    if not (state / FILE_NAME).exists():
        return Check(name, True, f"{state} (empty)")
    return _database(state)


def _database(state: Path) -> Check:
    from veedor.store import Store

    name = "state directory"
    try:
        store = Store(state)
    except VeedorError as error:
        return Check(name, False, f"{state}", str(error))
    try:
        problem = store.problem()
        count = len(store.reviews())
    except VeedorError as error:
        return Check(name, False, f"{state}", str(error))
    finally:
        store.close()
    if problem is not None:
        return Check(name, False, f"{state / FILE_NAME}: {problem}", "Put back a copy of the database.")
    return Check(name, True, f"{state}: {count} review{'s' if count != 1 else ''}")


def _space(state: Path) -> Check:
    existing = next(folder for folder in (state, *state.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    detail = f"{free / (1 << 30):.1f} GiB free at {existing}"
    if free < _LEAST_FREE_BYTES:
        return Check("disk space", False, detail, "Free some space: 1 GiB at least.")
    return Check("disk space", True, detail)


def _port(port: int) -> Check:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            remedy = f"Stop what uses it (perhaps another veedor), or serve on --port {port + 1}."
            return Check("port", False, f"{port}: {error.strerror}", remedy)
    return Check("port", True, f"{port} is free")


def _table(file: Path) -> list[Check]:
    from veedor.config import load_table, place_of

    name = f"table {file}"
    try:
        table = load_table(file)
    except VeedorError as error:
        return [Check(name, False, "cannot be used", str(error))]
    cameras = ", ".join(f"camera {c.id} within {c.calibration.rms_px:.1f} px" for c in table.cameras)
    checks = [Check(name, True, f"{table.name}: {table.game}, {cameras}")]
    checks += _chips(table)
    checks += _enrolments(table)
    checks += [
        _camera(place_of(camera.source, file)) for camera in table.cameras if camera.source is not None
    ]
    return checks


def _chips(table: Table) -> list[Check]:
    """Nothing where no two colours are too near, or the chips are known from pictures of them."""
    from veedor import enrolled

    alike = [] if enrolled.chips_folder(table) is not None else table.chips.alike
    if not alike:
        return []
    pairs = ", ".join(f"{one} and {other}" for one, other in alike)
    return [
        Check(
            "chips",
            False,
            f"of {table.name}: almost one colour: {pairs}",
            "Their values will often stay unread. Enrol the chips (veedor enrol chips), or correct the rgb in"
            " the table file.",
        )
    ]


def _enrolments(table: Table) -> list[Check]:
    from veedor import enrolled

    checks = []
    for folder, read in (
        (enrolled.deck_folder(table), enrolled.read_deck),
        (enrolled.chips_folder(table), enrolled.read_chips),
    ):
        if folder is None:
            continue
        name = f"enrolment {folder}"
        try:
            checks.append(Check(name, True, f"{len(read(folder))} views"))
        except VeedorError as error:
            checks.append(Check(name, False, "cannot be used", str(error)))
    return checks


def _camera(place: str) -> Check:
    from vision.address import masked
    from vision.source import open_source

    name = f"camera {masked(place)}"
    try:
        with open_source(place) as source:
            frame = next(iter(source), None)
            detail = f"{source.width_px} x {source.height_px}"
    except VeedorError as error:
        return Check(name, False, "gives no pictures", str(error))
    if frame is None:
        return Check(name, False, "gives no pictures", "Check its power, network and address.")
    return Check(name, True, detail)
