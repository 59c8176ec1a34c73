"""Write a checkpoint as ONNX and prove that it answers as the torch model does.

``python -m models.detector.export RUN/last.pt --out models/detector/detector.onnx`` needs the ``train``
extra. The graph takes ``images`` (batch, 3, height, width) float32, RGB 0..1, sides any multiple of 32, and
gives ``boxes`` (batch, 11, anchors): centre x, y, long side, short side (pixels), six class scores, the
angle (radians).
"""

from __future__ import annotations

import argparse
import hashlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.detector.train import build
from vision.detector import FORMAT, Kind

if TYPE_CHECKING:
    import torch

log = logging.getLogger("models.detector")

OPSET = 17


def load(checkpoint: Path) -> torch.nn.Module:
    """The model of a checkpoint written by ``train``, ready to infer, norms folded in."""
    import torch

    kept = torch.load(checkpoint, map_location="cpu", weights_only=True)
    model = build(kept["architecture"], None)
    model.load_state_dict(kept["state"])
    model.eval()
    fused: torch.nn.Module = model.fuse(verbose=False)
    return fused


def export(checkpoint: Path, out: Path) -> float:
    """Write ``out``; the largest difference from torch over pictures of three sizes (pixels, scores,
    radians)."""
    import onnxruntime
    import torch

    model = load(checkpoint)
    head = model.model[-1]
    head.export, head.dynamic, head.format = True, True, "onnx"
    example = torch.rand(1, 3, 256, 320)
    with torch.no_grad():
        model(example)
        torch.onnx.export(
            model,
            (example,),
            str(out),
            input_names=["images"],
            output_names=["boxes"],
            dynamic_axes={
                "images": {0: "batch", 2: "height", 3: "width"},
                "boxes": {0: "batch", 2: "anchors"},
            },
            opset_version=OPSET,
            dynamo=False,
        )
        _sign(out)
        session = onnxruntime.InferenceSession(str(out), providers=["CPUExecutionProvider"])
        worst = 0.0
        for shape in ((1, 3, 256, 320), (2, 3, 448, 448), (1, 3, 384, 640)):
            picture = torch.rand(*shape)
            expected = model(picture).numpy()
            worst = max(
                worst, float(np.abs(session.run(None, {"images": picture.numpy()})[0] - expected).max())
            )
    return worst


def _sign(path: Path) -> None:
    """Say in the file what it is, so that a foreign model is told from ours."""
    import onnx.helper

    graph = onnx.load(path)
    onnx.helper.set_model_props(graph, {"format": FORMAT, "classes": ",".join(k.name.lower() for k in Kind)})
    onnx.save(graph, path)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("detector.onnx"))
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    difference = export(given.checkpoint, given.out)
    digest = hashlib.sha256(given.out.read_bytes()).hexdigest()
    size = given.out.stat().st_size / 1e6
    log.info(
        "%s: %.1f MB, sha256 %s, largest difference from torch %.2g", given.out, size, digest, difference
    )


if __name__ == "__main__":
    main()
