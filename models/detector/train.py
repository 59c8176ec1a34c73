"""Train the detector on synthesised pictures: ``python -m models.detector.train --data FOLDER --out RUN``.

Needs the ``train`` extra. Made for a few busy processor cores: bfloat16 arithmetic, one process per core, a
schedule in minutes of wall clock rather than epochs, data that may grow while it is learned, and a
checkpoint every few minutes.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from models.detector.data import Array, Pictures, Sample, oriented_boxes

if TYPE_CHECKING:
    import torch

log = logging.getLogger("models.detector")

ANGLE_GAIN = 3.0
"""Weight of the angle's loss: a card's box is nearly square, so that its overlap says little of its angle."""
_REPORT_STEPS = 20
_AGREE_STEPS = 8
ARCHITECTURE = Path(__file__).with_name("yolov5n_obb.yaml")


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run is spent. Times in minutes of wall clock; rates are AdamW's."""

    minutes: float = 60.0
    batch: int = 16
    size_px: int = 448
    rate: float = 1.2e-3
    backbone_rate: float = 0.4
    """Rate of layers that were loaded, as a part of ``rate``."""
    decay: float = 5e-4
    close_mosaic: float = 0.75
    """Part of the run after which pictures are no longer put together from four."""
    checkpoint_minutes: float = 5.0
    freeze: int = 5
    """Loaded layers before this one are left as they are: what they see is general, and it costs a third."""
    workers: int = 2
    """Processes that learn side by side, one thread each, and agree on the mean of their weights."""
    seed: int = 1


def build(architecture: Path | str, backbone: Path | None) -> torch.nn.Module:
    """A new model; layers found in ``backbone`` (NPZ of arrays by parameter name) are loaded."""
    import torch
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import OBBModel

    model: torch.nn.Module = OBBModel(str(architecture), ch=3, nc=6, verbose=False)
    model.args = get_cfg(overrides={"angle": ANGLE_GAIN})
    _lighten(model)
    if backbone is not None:
        with np.load(backbone) as arrays:
            state = {name: torch.from_numpy(arrays[name]).float() for name in arrays.files}
        model.load_state_dict(state, strict=False)
    return model.to(memory_format=torch.channels_last)


def _lighten(model: torch.nn.Module) -> None:
    """Give YOLOv5's heavy class branches the depthwise form of later heads: a fifth of a step's time less."""
    from torch import nn
    from ultralytics.nn.modules import Conv, DWConv

    head = model.model[-1]
    if not head.legacy:
        return
    branches = []
    for old in head.cv3:
        wide, width = old[0].conv.in_channels, old[1].conv.out_channels
        first = nn.Sequential(DWConv(wide, wide, 3), Conv(wide, width, 1))
        second = nn.Sequential(DWConv(width, width, 3), Conv(width, width, 1))
        branches.append(nn.Sequential(first, second, nn.Conv2d(width, head.nc, 1)))
    head.cv3 = nn.ModuleList(branches)
    head.bias_init()


def collate(samples: list[Sample]) -> dict[str, torch.Tensor]:
    """A batch as Ultralytics' losses take it: RGB 0..1, boxes as parts of the picture's sides."""
    import torch

    size = samples[0].image.shape[0]
    pixels = torch.from_numpy(np.stack([s.image[:, :, ::-1] for s in samples])).permute(0, 3, 1, 2)
    boxes = np.concatenate([oriented_boxes(s.kind, s.quad_px) for s in samples])
    boxes[:, :4] /= size
    index = np.concatenate([np.full(len(s.kind), i) for i, s in enumerate(samples)])
    return {
        "img": pixels.float().div_(255).contiguous(memory_format=torch.channels_last),
        "cls": torch.from_numpy(np.concatenate([s.kind for s in samples])).float().view(-1, 1),
        "bboxes": torch.from_numpy(boxes),
        "batch_idx": torch.from_numpy(index).float(),
    }


def batches(pictures: Pictures, count: int) -> Iterator[dict[str, torch.Tensor]]:
    """Batches without end, the next two prepared in the background."""
    with ThreadPoolExecutor(1) as worker:

        def make() -> dict[str, torch.Tensor]:
            return collate([pictures.sample() for _ in range(count)])

        waiting = [worker.submit(make), worker.submit(make)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(worker.submit(make))


def _as_float(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_float(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_float(item) for item in value]
    return value.float()


class Average:
    """Running mean of the weights: what is kept of a run."""

    def __init__(self, model: torch.nn.Module) -> None:
        self.state = {name: tensor.detach().clone().float() for name, tensor in model.state_dict().items()}
        self.steps = 0

    def update(self, model: torch.nn.Module) -> None:
        """Move a little towards the model's weights: less and less in the first steps."""
        self.steps += 1
        keep = min(0.998, (1 + self.steps) / (20 + self.steps))
        for name, tensor in model.state_dict().items():
            self.state[name].lerp_(tensor.detach().float(), 1 - keep)


def rate_at(done: float) -> float:
    """The rate's factor at a part 0..1 of the run: short rise, then half a cosine down to a fiftieth."""
    if done < 0.02:
        return 0.1 + 0.9 * done / 0.02
    return float(0.02 + 0.98 * (0.5 + 0.5 * np.cos(np.pi * min(1.0, (done - 0.02) / 0.98))))


def train(
    data: list[Path],
    plan: Plan,
    out: Path,
    architecture: Path | str = ARCHITECTURE,
    backbone: Path | None = None,
    start: Path | None = None,
) -> Path:
    """Train for ``plan.minutes``; the path of the last checkpoint. A line of JSON per 20 steps in
    ``out/log.jsonl``.

    ``start`` is a checkpoint to go on from. Raises DataError where ``data`` holds no labelled pictures.
    """
    import torch

    Pictures(data, plan.size_px, plan.seed)
    out.mkdir(parents=True, exist_ok=True)
    arguments = (data, plan, out, architecture, backbone, start)
    if plan.workers == 1:
        _work(0, *arguments)
    else:
        (out / "meeting").unlink(missing_ok=True)
        torch.multiprocessing.spawn(_work, arguments, nprocs=plan.workers)
    return out / "last.pt"


def _agree(model: torch.nn.Module, done: float) -> float:
    """Give all workers the mean of their weights; the mean of how far they are in the run."""
    import torch

    clock = torch.tensor([done])
    tensors = [t for t in model.state_dict().values() if t.is_floating_point()]
    flat = torch.cat([clock, *(t.detach().reshape(-1) for t in tensors)])
    torch.distributed.all_reduce(flat)
    flat /= torch.distributed.get_world_size()
    at = 1
    for tensor in tensors:
        tensor.detach().copy_(flat[at : at + tensor.numel()].view_as(tensor))
        at += tensor.numel()
    return float(flat[0])


def _work(
    rank: int,
    data: list[Path],
    plan: Plan,
    out: Path,
    architecture: Path | str,
    backbone: Path | None,
    start: Path | None,
) -> None:
    """One worker's whole run; the first one reports and saves."""
    import torch

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(plan.seed)
    if plan.workers > 1:
        meeting = (out / "meeting").resolve().as_uri()
        torch.distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=plan.workers)
    pictures = Pictures(data, plan.size_px, plan.seed * 100 + rank)
    model = build(architecture, backbone)
    if start is not None:
        model.load_state_dict(torch.load(start, map_location="cpu", weights_only=True)["state"])
    model.train()
    optimiser = _optimiser(model, plan, backbone)
    average = Average(model)
    started = kept = time.monotonic()
    agreed, sums = 0.0, np.zeros(4)
    for step, batch in enumerate(batches(pictures, plan.batch)):
        done = (time.monotonic() - started) / (60 * plan.minutes)
        if plan.workers == 1:
            agreed = done
        elif step % _AGREE_STEPS == 0:
            agreed = _agree(model, done)
        if agreed >= 1:
            break
        pictures.mosaic = 0.2 if done < plan.close_mosaic else 0.0
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * group["factor"] * rate_at(done)
        with torch.autocast("cpu", torch.bfloat16):
            raw = model(batch["img"])
        loss, parts = model.loss(batch, _as_float(raw))
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0 * plan.batch)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        average.update(model)
        sums += [float(v) for v in parts.values()]
        if (step + 1) % _REPORT_STEPS == 0:
            if rank == 0:
                seen = (step + 1) * plan.batch * plan.workers
                _report(out, seen, time.monotonic() - started, sums / _REPORT_STEPS, len(pictures.paths))
            sums[:] = 0
            pictures.rescan()
        if rank == 0 and time.monotonic() - kept > 60 * plan.checkpoint_minutes:
            kept = time.monotonic()
            save(out / "last.pt", average, architecture)
    if rank == 0:
        save(out / "last.pt", average, architecture)


def _optimiser(model: torch.nn.Module, plan: Plan, backbone: Path | None) -> torch.optim.Optimizer:
    """AdamW; loaded layers learn more slowly, the first of them not at all."""
    import torch

    named = list(model.named_parameters())
    loaded = set(np.load(backbone).files) if backbone is not None else set()
    if backbone is not None:
        _freeze(model, plan.freeze)
    groups = [
        {
            "params": [p for n, p in named if (n in loaded) == known and (p.ndim > 1) == heavy],
            "weight_decay": plan.decay if heavy else 0.0,
            "factor": plan.backbone_rate if known else 1.0,
        }
        for known in (False, True)
        for heavy in (False, True)
    ]
    return torch.optim.AdamW([g for g in groups if g["params"]], lr=plan.rate, betas=(0.9, 0.99))


def _freeze(model: torch.nn.Module, layers: int) -> None:
    """Leave the first layers as they are, their running means too."""
    for layer in model.model[:layers]:
        layer.eval().requires_grad_(False)


def save(path: Path, average: Average, architecture: Path | str) -> Path:
    """Write the mean weights and the architecture's name; whole or not at all."""
    import torch

    half = path.with_suffix(".part")
    torch.save({"state": average.state, "architecture": str(architecture), "steps": average.steps}, half)
    return half.replace(path)


def _report(out: Path, seen: int, seconds: float, losses: Array, pictures: int) -> None:
    line = {
        "seen": seen,
        "s": round(seconds, 1),
        "images_per_s": round(seen / seconds, 2),
        "pictures": pictures,
        "losses": [round(float(v), 4) for v in losses],
    }
    log.info("%s", line)
    with (out / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    usual = Plan()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="folders with images/ and labels/"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints and the log")
    parser.add_argument(
        "--backbone", type=Path, help="NPZ with weights of the backbone and neck to start from"
    )
    parser.add_argument("--start", type=Path, help="checkpoint of an earlier run to go on from")
    parser.add_argument("--architecture", default=str(ARCHITECTURE), help="model description (YAML)")
    parser.add_argument("--minutes", type=float, default=usual.minutes)
    parser.add_argument("--batch", type=int, default=usual.batch)
    parser.add_argument("--rate", type=float, default=usual.rate, help="largest learning rate (AdamW)")
    parser.add_argument(
        "--size", type=int, default=usual.size_px, help="side of the pictures learned, pixels"
    )
    parser.add_argument(
        "--workers", type=int, default=usual.workers, help="processes that learn side by side"
    )
    parser.add_argument("--freeze", type=int, default=usual.freeze, help="loaded layers left as they are")
    parser.add_argument("--seed", type=int, default=usual.seed)
    given = parser.parse_args(arguments)
    plan = Plan(
        minutes=given.minutes,
        batch=given.batch,
        rate=given.rate,
        size_px=given.size,
        freeze=given.freeze,
        workers=given.workers,
        seed=given.seed,
    )
    train(given.data, plan, given.out, given.architecture, given.backbone, given.start)


if __name__ == "__main__":
    main()
