"""Train the corner finder and the corner reader on scenes made by ``models.card_reader.corner_data``.

    python -m models.card_reader.corner_train finder --work WORK --minutes 20
    python -m models.card_reader.corner_train reader --work WORK --minutes 15

Goes on from the weights in ``WORK`` where there are some; writes them there, with a report, and the ONNX file
``WORK/corner_finder.onnx`` or ``WORK/corner_reader.onnx`` unless ``--out`` names another.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, l1_loss

from datasets.faces_corners import index_corners
from datasets.faces_indices import index_crops
from models.card_reader.corner_data import usable
from models.card_reader.corner_networks import CornerFinder, CornerNet, ExportedFinder, ExportedReader
from models.card_reader.corner_scenes import Scenes, read_scenes
from models.card_reader.data import read_banks
from models.card_reader.train import best_temperature, softmax
from rules.cards import PACK
from vision.corners import NO_INDEX, STRIDE, VECTOR_PX

log = logging.getLogger(__name__)
Floats = NDArray[np.float32]
_QUARTER, _FOOT = np.array([1, -1] * 3, np.float32), np.array([0, 1, 0, 0, 0, 0], np.float32)


def maps_of(frame: Floats, label: NDArray[np.int64], side: int) -> tuple[Floats, Floats, Floats]:
    """What the finder is to say: heat (h, w) with -1 where nobody is to say anything, the six numbers
    (6, h, w), and where those are asked for (h, w)."""
    cells = side // STRIDE
    heat, numbers, asked = np.zeros((cells, cells)), np.zeros((6, cells, cells)), np.zeros((cells, cells))
    ys, xs = np.mgrid[:cells, :cells] + 0.5
    nearest = np.full((cells, cells), np.inf)
    for one, name in zip(frame, label, strict=True):
        dx, dy = one[0] / STRIDE - xs, one[1] / STRIDE - ys
        far = dx**2 + dy**2
        spread = float(np.linalg.norm(one[4:6])) / STRIDE * 0.02 + 0.5
        if name < 0:
            heat[(far < (3 * spread) ** 2) & (heat == 0)] = -1
            continue
        heat = np.maximum(heat, np.exp(-far / (2 * spread**2)))
        mine = (far < 2.5) & (far < nearest)
        nearest = np.where(mine, far, nearest)
        asked[mine] = 1
        numbers[0][mine], numbers[1][mine] = dx[mine], dy[mine]
        numbers[2:, mine] = one[2:, None] / VECTOR_PX
        cx, cy = (min(max(int(v / STRIDE), 0), cells - 1) for v in one[:2])
        heat[cy, cx] = 1
    return heat.astype(np.float32), numbers.astype(np.float32), asked.astype(np.float32)


def finder_batch(
    scenes: Scenes, rng: np.random.Generator, size: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pictures (n, 3, h, w) in -1..1 turned by quarters and with other colours, and what to say of them."""
    pictures, heats, numbers, asked = [], [], [], []
    for i in rng.integers(0, len(scenes.images), size):
        image, side = scenes.images[i], scenes.images.shape[1]
        mine = scenes.scene == i
        frame, turns = scenes.frame[mine].copy(), int(rng.integers(4))
        for _ in range(turns):  # a quarter to the left: (x, y) to (y, side - x), vectors (a, b) to (b, -a)
            frame = frame[:, [1, 0, 3, 2, 5, 4]] * _QUARTER + side * _FOOT
        picture = np.rot90(image, turns).astype(np.float32)
        gain = rng.uniform(0.85, 1.15, 3) * rng.uniform(0.8, 1.1)
        picture = np.clip(picture * gain.astype(np.float32), 0, 255)
        if rng.random() < 0.08:
            picture = (
                255 - picture if rng.random() < 0.1 else picture.mean(axis=2, keepdims=True) + 0 * picture
            )
        maps = maps_of(frame, scenes.label[mine], side)
        pictures.append(picture.transpose(2, 0, 1) / 127.5 - 1)
        heats.append(maps[0])
        numbers.append(maps[1])
        asked.append(maps[2])
    return (
        torch.from_numpy(np.stack(pictures).astype(np.float32)),
        *(torch.from_numpy(np.stack(m)) for m in (heats, numbers, asked)),
    )


def finder_loss(maps: Tensor, heat: Tensor, numbers: Tensor, asked: Tensor) -> Tensor:
    """Focal loss of the heat (as in CornerNet) and the distance of the numbers."""
    p = torch.sigmoid(maps[:, 0].float()).clamp(1e-5, 1 - 1e-5)
    hit = heat == 1
    n = hit.sum().clamp(min=1)
    miss = (~hit & (heat >= 0)).float()
    focal = (
        -(torch.log(p) * (1 - p) ** 2 * hit).sum()
        - (torch.log(1 - p) * p**2 * (1 - heat.clamp(min=0)) ** 4 * miss).sum()
    )
    weight = asked[:, None].expand_as(numbers)
    near = l1_loss(maps[:, 1:].float() * weight, numbers * weight, reduction="sum") / weight.sum().clamp(
        min=1
    )
    return focal / n + 4.0 * near


def coloured(crops: NDArray[np.uint8], rng: np.random.Generator) -> Tensor:
    """Crops in -1..1 (n, 3, h, w) with changed brightness, colour, contrast and small covers."""
    n = len(crops)
    x = crops.astype(np.float32).transpose(0, 3, 1, 2) / 127.5 - 1
    gain = 1 + 0.3 * (rng.random((n, 1, 1, 1)) - 0.5) + 0.2 * (rng.random((n, 3, 1, 1)) - 0.5)
    x = (x + 1) * gain.astype(np.float32) - 1 + (0.3 * (rng.random((n, 1, 1, 1)) - 0.5)).astype(np.float32)
    x = np.clip(x, -1, 1)
    for i in np.flatnonzero(rng.random(n) < 0.12):
        y0, x0 = int(rng.integers(0, 48)), int(rng.integers(0, 30))
        x[i, :, y0 : y0 + int(rng.integers(3, 14)), x0 : x0 + int(rng.integers(3, 10))] = rng.uniform(-1, 1)
    return torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))


def reader_loss(outputs: tuple[Tensor, Tensor, Tensor], labels: Tensor) -> Tensor:
    """Cross entropy over the 53 classes, and over rank and suit where there is an index."""
    classes, rank, suit = (o.float() for o in outputs)
    cards = labels < NO_INDEX
    each = labels[cards]
    return (
        cross_entropy(classes, labels, label_smoothing=0.02)
        + 0.3 * cross_entropy(rank[cards], each % 13)
        + 0.3 * cross_entropy(suit[cards], each // 13)
    )


def fit(
    net: nn.Module, minutes: float, rate: float, step: Callable[[nn.Module], Tensor], keep_at: Path
) -> nn.Module:
    """Train for ``minutes`` of wall time with the loss that ``step`` gives; returns averaged weights, also
    kept at ``keep_at`` on the way."""
    net = net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    start, told, steps, running = time.monotonic(), 0.0, 0, 0.0
    while (share := (time.monotonic() - start) / (minutes * 60)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = min(1.0, (steps + 1) / 100) * rate * (0.02 + 0.49 * (1 + np.cos(np.pi * share)))
        net.train()
        loss = step(net)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        steps += 1
        value = float(loss.detach())
        running = value if steps == 1 else 0.98 * running + 0.02 * value
        keep = min(0.998, (steps + 1) / (steps + 10))
        with torch.no_grad():
            for to, of in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                if to.dtype.is_floating_point:
                    to.lerp_(of, 1 - keep)
                else:
                    to.copy_(of)
        if share - told > 0.04:
            told = share
            torch.save(mean.state_dict(), keep_at)
            log.info("%.0f %%, %d steps, loss %.3f", 100 * share, steps, running)
    return mean.eval()


def train_finder(work: Path, out: Path, minutes: float, rate: float, seed: int, batch: int = 6) -> None:
    """Train and export the finder."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    scenes = read_scenes(sorted((work / "scenes").glob("*.npz")))

    def step(net: nn.Module) -> Tensor:
        pictures, heat, numbers, asked = finder_batch(scenes, rng, batch)
        with torch.autocast("cpu", torch.bfloat16):
            maps = net(pictures.contiguous(memory_format=torch.channels_last))
        return finder_loss(maps, heat, numbers, asked)

    net = CornerFinder()
    if (work / "corner_finder.pt").exists():
        net.load_state_dict(torch.load(work / "corner_finder.pt", weights_only=True))
    net = fit(net, minutes, rate, step, work / "corner_finder.pt")
    torch.save(net.state_dict(), work / "corner_finder.pt")
    picture = torch.zeros(1, 64, 96, 3, dtype=torch.uint8)
    torch.onnx.export(
        *(ExportedFinder(net).eval().to(memory_format=torch.contiguous_format), (picture,)),
        str(out),
        input_names=["picture"],
        output_names=["maps"],
        dynamic_axes={"picture": {1: "h", 2: "w"}, "maps": {1: "h4", 2: "w4"}},
        opset_version=17,
        dynamo=False,
    )


def train_reader(work: Path, out: Path, minutes: float, rate: float, seed: int, batch: int = 64) -> None:
    """Train on crops made while training, and export the reader."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    banks = read_banks(sorted(work.glob("bank_*.npy")))
    corners, packs = index_corners(banks.bank), usable(banks)

    def step(net: nn.Module) -> Tensor:
        crops, labels = index_crops(banks.bank.textures, corners, packs, rng, batch)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = net(coloured(crops, rng).contiguous(memory_format=torch.channels_last))
        return reader_loss(outputs, torch.from_numpy(labels))

    net = CornerNet()
    if (work / "corner_reader.pt").exists():
        net.load_state_dict(torch.load(work / "corner_reader.pt", weights_only=True))
    net = fit(net, minutes, rate, step, work / "corner_reader.pt")
    torch.save(net.state_dict(), work / "corner_reader.pt")
    held = read_banks([work / "valid_bank.npy"])
    crops, labels = index_crops(
        held.bank.textures, index_corners(held.bank), usable(held), np.random.default_rng(1), 3000
    )
    with torch.no_grad():
        x = torch.from_numpy(crops.transpose(0, 3, 1, 2).astype(np.float32) / 127.5 - 1)
        logits = net(x)[0].numpy()
    temperature = best_temperature(logits, labels)
    p = softmax(logits, temperature)
    said, cards = p.argmax(axis=1), labels < NO_INDEX
    sure = p.max(axis=1) > 0.9
    scores = {
        "temperature": temperature,
        "indices_right": float((said == labels)[cards].mean()),
        "rank_right": float((said % 13 == labels % 13)[cards & (said < NO_INDEX)].mean()),
        "nothing_right": float((said == labels)[~cards].mean()),
        "sure": float(sure[cards].mean()),
        "right_when_sure": float((said == labels)[sure & (said < NO_INDEX)].mean()),
    }
    log.info("%s", json.dumps(scores))
    (work / "corner_report.json").write_text(json.dumps(scores), encoding="utf-8")
    assert len(PACK) == NO_INDEX
    torch.onnx.export(
        *(ExportedReader(net, temperature).eval(), (torch.from_numpy(crops[:5]),)),
        str(out),
        input_names=["crops"],
        output_names=["probabilities"],
        dynamic_axes={"crops": {0: "n"}, "probabilities": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Train the networks for corner indices.")
    parser.add_argument("what", choices=["finder", "reader"])
    parser.add_argument("--work", type=Path, required=True, help="folder with scenes/ and scenes_valid/")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument(
        "--out", type=Path, help="the ONNX file; WORK/corner_finder.onnx or the like if not given"
    )
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train_one = train_finder if args.what == "finder" else train_reader
    out = args.out or args.work / f"corner_{args.what}.onnx"
    train_one(args.work, out, args.minutes, args.rate, args.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
