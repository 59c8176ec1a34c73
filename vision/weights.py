"""Trained weights: what a file of them has to be, and opening one only if it is that.

Each reader says what its network takes and gives (:class:`Weights`). A file with a model card beside it has
to have the SHA-256 that the card gives; those that come with veedor have to have a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as ort

from vision.digest import file_sha256, model_card, said_sha256
from vision.errors import ModelError

FOLDER = Path(__file__).parents[1] / "models"
"""Where the weights that come with veedor lie, each kind in a folder with its model card."""
Shape = tuple[int | None, ...]
"""Sizes of an input's or output's axes; None: any."""
_UNREADABLE = (ort.Fail, ort.InvalidGraph, ort.InvalidProtobuf, ort.NotImplemented, ort.RuntimeException)
_REMEDY = "put the file back as it came with veedor, or train it with 'make train'"
_checked: dict[Path, tuple[int, int]] = {}


@dataclass(frozen=True, slots=True)
class Weights:
    """One network. ``name``: its file below ``models/``; ``does``: what it is for, in a few words;
    ``inputs``, ``outputs``: shapes by name, of those that are used; ``format``: what its file says it is."""

    name: str
    does: str
    inputs: Mapping[str, Shape]
    outputs: Mapping[str, Shape]
    format: str | None = None

    @property
    def path(self) -> Path:
        """The file that comes with veedor."""
        return FOLDER / self.name

    def open(self, threads: int, path: Path | None = None) -> onnxruntime.InferenceSession:
        """The network on the processor; ``path``: another file than veedor's own.

        Raises ModelError, naming the file, what is wrong with it and the remedy, where there is none, where
        it is another than its model card describes, or where it is no network of this kind.
        """
        file = self.path if path is None else path
        if not file.is_file():
            raise ModelError(f"The weights {file} are missing: {_REMEDY}.")
        self._check_card(file)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # a thread that waits for the other by spinning takes a third more time of the processor
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_cpu_mem_arena = False  # it keeps each batch size it ever saw
        try:
            session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except _UNREADABLE as error:
            reason = str(error).strip().splitlines()[0]
            raise ModelError(f"{file} is not a readable ONNX model ({reason}): {_REMEDY}.") from error
        self._check_shape(session, file)
        return session

    def _check_card(self, file: Path) -> None:
        status = file.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if _checked.get(file) == stamp:
            return
        card = model_card(file)
        if card is None and file == self.path:
            raise ModelError(f"The weights {file} have no model card beside them: {_REMEDY}.")
        if card is not None and (digest := file_sha256(file)) not in said_sha256(card, file.name):
            raise ModelError(
                f"The weights {file} are not those that {card} describes (their SHA-256 begins with"
                f" {digest[:12]}): {_REMEDY}, which also says so in the model card."
            )
        _checked[file] = stamp

    def _check_shape(self, session: onnxruntime.InferenceSession, file: Path) -> None:
        said = session.get_modelmeta().custom_metadata_map.get("format")
        if self.format is not None and said != self.format:
            raise ModelError(f"{file} is a model, but not {self._called} ({self.format}): {_REMEDY}.")
        for what, wanted, nodes in (
            ("input", self.inputs, session.get_inputs()),
            ("output", self.outputs, session.get_outputs()),
        ):
            given = {node.name: tuple(node.shape) for node in nodes}
            for name, shape in wanted.items():
                if _fits(given.get(name), shape):
                    continue
                wrong = f"it has no {what} {name!r}"
                if name in given:
                    wrong = f"its {what} {name!r} is {_text(given[name])}, expected {_text(shape)}"
                raise ModelError(f"{file} is a model, but not {self._called}: {wrong}; {_REMEDY}.")

    @property
    def _called(self) -> str:
        return f"veedor's {Path(self.name).stem.replace('_', ' ')}"


def _fits(given: tuple[object, ...] | None, wanted: Shape) -> bool:
    if given is None or len(given) != len(wanted):
        return False
    return all(
        size is None or not isinstance(there, int) or there == size
        for there, size in zip(given, wanted, strict=True)
    )


def _text(shape: Iterable[object]) -> str:
    return "(" + ", ".join(str(size) if isinstance(size, int) else "n" for size in shape) + ")"
