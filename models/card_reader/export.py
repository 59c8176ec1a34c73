"""Export the card reader to ONNX and check the file against the network it came from.

python -m models.card_reader.export --weights WORK/reader.pt --temperature 1.0 --out card_reader.onnx
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from models.card_reader.network import CardNet, Exported
from vision.card_reader import INPUT_PX

log = logging.getLogger(__name__)


def write_onnx(net: CardNet, temperature: float, path: Path) -> tuple[float, str]:
    """Write ``net`` with its calibration; returns the largest difference to torch and the SHA-256.

    The file takes (n, 112, 80, 3) uint8 BGR, n free, and gives (n, 54) float32 probabilities and (n, 2240)
    float32 features.
    """
    model = Exported(net, temperature).eval().to(memory_format=torch.contiguous_format)
    rng = np.random.default_rng(0)
    faces = rng.integers(0, 256, (7, *INPUT_PX, 3)).astype(np.uint8)
    torch.onnx.export(
        model,
        (torch.from_numpy(faces),),
        str(path),
        input_names=["faces"],
        output_names=["probabilities", "features"],
        dynamic_axes={"faces": {0: "n"}, "probabilities": {0: "n"}, "features": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        expected = [part.numpy() for part in model(torch.from_numpy(faces))]
    got = session.run(["probabilities", "features"], {"faces": faces})
    difference = max(float(np.abs(np.asarray(g) - e).max()) for g, e in zip(got, expected, strict=True))
    if difference > 1e-4:
        raise ValueError(f"{path} differs from the trained network by {difference:.2g}: do not use it")
    return difference, hashlib.sha256(path.read_bytes()).hexdigest()


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Export the card reader to ONNX.")
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--report", type=Path, help="the training's report.json: its temperature is taken")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    net = CardNet()
    net.load_state_dict(torch.load(args.weights, weights_only=True)["net"])
    temperature = args.temperature
    if args.report is not None:
        temperature = float(json.loads(args.report.read_text(encoding="utf-8"))["temperature"])
    difference, digest = write_onnx(net, temperature, args.out)
    log.info("%s: differs by %.2g from torch, sha256 %s", args.out, difference, digest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
