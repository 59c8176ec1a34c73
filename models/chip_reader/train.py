"""Trains the chip reader's networks and writes them as ONNX.

    python -m models.chip_reader.train --data FOLDER --net side --minutes 30

Needs PyTorch. The examples come from ``models.chip_reader.data``; the last shard of each seed is held out.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, distributed, multiprocessing, nn
from torch.nn import functional

from models.chip_reader.net import PlaceNet, SideNet
from vision.chip_geometry import ROWS_BELOW, ROWS_PER_CHIP, SIDE_SHAPE

HERE = Path(__file__).parent
_log = logging.getLogger("chip_reader.train")


def load(folder: Path, net: str, held_out: int) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Training and held-out examples as tensors by field name."""
    shards = sorted(folder.glob("*.npy"))
    parts: tuple[list[NDArray[np.void]], list[NDArray[np.void]]] = ([], [])
    for i, shard in enumerate(shards):
        records = np.load(shard, mmap_mode="r")
        if net == "side":
            records = records[records["countable"]]
        parts[1 if i >= len(shards) - held_out else 0].append(records)
    names = [net, f"{net}_geometry", "foot", "count", "names", "lab", "side_seen", "top_seen"]
    train, test = (
        {n: torch.from_numpy(np.concatenate([np.array(r[n]) for r in part])) for n in names} for part in parts
    )
    return train, test


def side_loss(net: nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Count, colours of the chips, and whether it is clear."""
    counts, names, lab, clear = net(batch["side"], batch["side_geometry"])
    truth = batch["names"].long()
    there = truth >= 0
    names, lab = names[:, : truth.shape[1]], lab[:, : truth.shape[1]]
    count_loss = functional.cross_entropy(counts, batch["count"].long())
    name_loss = functional.cross_entropy(names[there], truth[there])
    lab_loss = functional.smooth_l1_loss(lab[there], batch["lab"][there])
    seen = ((batch["side_seen"] > 0.75) & (batch["top_seen"] > 0.5)).float()
    clear_loss = functional.binary_cross_entropy_with_logits(clear, seen)
    right = counts.argmax(1) == batch["count"]
    parts = {
        "count": count_loss.item(),
        "count_right": float(right.float().mean()),
        "name": name_loss.item(),
        "name_right": float((names[there].argmax(1) == truth[there]).float().mean()),
        "lab": lab_loss.item(),
        "clear": clear_loss.item(),
    }
    return count_loss + name_loss + 0.5 * lab_loss + 0.3 * clear_loss, parts


def place_loss(net: nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Where the foot is (Laplace likelihood), the top's colour, and whether it is clear."""
    foot, names, lab, clear = net(batch["place"], batch["place_geometry"])
    away = (foot[:, :2] - batch["foot"]).abs()
    spread = foot[:, 2:].clamp(-5, 2)
    stands = batch["count"] > 0
    foot_loss = (away * torch.exp(-spread) + spread)[stands].mean()
    rows = torch.arange(len(foot))
    top = (batch["count"].long() - 1).clamp(min=0)
    truth, truth_lab = batch["names"][rows, top].long(), batch["lab"][rows, top]
    there = stands & (batch["top_seen"] > 0.25) & (truth >= 0)
    name_loss = functional.cross_entropy(names[there], truth[there])
    lab_loss = functional.smooth_l1_loss(lab[there], truth_lab[there])
    seen = ((batch["side_seen"] > 0.75) & (batch["top_seen"] > 0.5)).float()
    clear_loss = functional.binary_cross_entropy_with_logits(clear, seen)
    parts = {
        "foot_median": float(away.detach()[stands].median()),
        "foot": foot_loss.item(),
        "name": name_loss.item(),
        "name_right": float((names[there].argmax(1) == truth[there]).float().mean()),
        "lab": lab_loss.item(),
        "clear": clear_loss.item(),
    }
    return foot_loss + name_loss + 0.5 * lab_loss + 0.3 * clear_loss, parts


def varied(batch: dict[str, Tensor], net: str) -> dict[str, Tensor]:
    """Half of the examples mirrored left to right, each a little brighter or darker, warmer or cooler."""
    size = len(batch["count"])
    flip = torch.rand(size) < 0.5
    view = torch.where(flip[:, None, None, None], batch[net].flip(2), batch[net]).float()
    view = view * (0.9 + 0.2 * torch.rand(size, 1, 1, 1)) * (0.97 + 0.06 * torch.rand(size, 1, 1, 3))
    view = view + 16 * (torch.rand(size, 1, 1, 1) - 0.5) + 2 * torch.randn_like(view)
    foot = batch["foot"].clone()
    foot[flip, 0] *= -1
    return {**batch, net: view.clamp(0, 255), "foot": foot}


def restacked(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """Other stacks from the same views: bands of the unrolled side taken out, doubled or exchanged.

    A chip is ``ROWS_PER_CHIP`` rows of the side view wherever the foot is, so a stack with rows of one chip
    less is exactly the view of a stack that is one chip lower.
    """
    out = {k: v.clone() for k, v in batch.items() if k in ("count", "names", "lab")}
    rows = torch.arange(SIDE_SHAPE[0]).repeat(len(batch["count"]), 1)  # counted from the bottom
    for i in range(len(rows)):
        count = int(batch["count"][i])
        if count < 2 or np.random.random() < 0.35:
            continue
        levels = list(range(count))
        inner = levels[1:-1]
        if len(inner) > 1 and np.random.random() < 0.3:
            np.random.shuffle(inner)
        levels = [levels[0], *inner, levels[-1]]
        for _ in range(np.random.randint(0, 4)):
            at = int(np.random.randint(1, max(2, len(levels))))  # the lowest chip stays on the felt
            if np.random.random() < 0.6 and 1 <= at < len(levels):
                del levels[at]
            elif len(levels) < out["names"].shape[1] - 2:
                levels.insert(at, levels[min(at, len(levels) - 1)])
        start, chip = ROWS_BELOW, ROWS_PER_CHIP
        bands = [torch.arange(start + chip * k, start + chip * (k + 1)) for k in levels]
        above = torch.arange(start + chip * count, SIDE_SHAPE[0])
        new = torch.cat([torch.arange(start), *bands, above])[: SIDE_SHAPE[0]]
        rows[i] = torch.cat([new, new[-1:].repeat(SIDE_SHAPE[0] - len(new))])
        pick = torch.tensor(levels)
        out["count"][i] = len(levels)
        out["names"][i] = -1
        out["names"][i, : len(levels)] = batch["names"][i][pick]
        out["lab"][i, : len(levels)] = batch["lab"][i][pick]
    source = SIDE_SHAPE[0] - 1 - rows.flip(1)
    view = batch["side"][torch.arange(len(rows))[:, None], source]
    return {**batch, **out, "side": view}


def recoloured(batch: dict[str, Tensor], net: str) -> dict[str, Tensor]:
    """A third of the examples with their colour channels exchanged: no names then, but all else holds."""
    size = len(batch["count"])
    orders = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    chosen = orders[torch.where(torch.rand(size) < 0.35, torch.randint(1, 6, (size,)), 0)]
    changed = (chosen != orders[0]).any(1)
    view = torch.gather(batch[net], 3, chosen[:, None, None, :].expand_as(batch[net]))
    names = torch.where(changed[:, None], torch.full_like(batch["names"], -1), batch["names"])
    return {**batch, net: view, "names": names}


def network(options: argparse.Namespace) -> nn.Module:
    """A new network, or the one of the last training."""
    net: nn.Module = SideNet() if options.net == "side" else PlaceNet()
    if options.resume:
        net.load_state_dict(torch.load(options.data / f"{options.net}.pt"))
    return net.to(memory_format=torch.channels_last)


def work(rank: int, options: argparse.Namespace, data: dict[str, Tensor]) -> None:
    """One of the processes that train together, each on its own examples; the first leaves ``<net>.pt``."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    together = options.workers > 1
    if together:
        meeting = options.data / f"{options.net}_meeting"
        distributed.init_process_group(
            "gloo", init_method=f"file://{meeting}", rank=rank, world_size=options.workers
        )
    torch.manual_seed(options.seed)
    net = network(options)
    torch.manual_seed(options.seed * 1000 + rank + 1)
    np.random.seed(options.seed * 1000 + rank + 1)
    loss_of = side_loss if options.net == "side" else place_loss
    weights = [p for p in net.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=options.lr, weight_decay=0.05)
    start, step, last = time.monotonic(), 0, 0.0
    total, part, at = len(data["count"]), 0.0, len(data["count"])
    order = torch.empty(0, dtype=torch.long)
    seen: list[float] = []
    while part < 1:
        if at + options.batch > total:
            order, at = torch.randperm(total), 0
        pick = order[at : at + options.batch]
        at += options.batch
        batch = recoloured({k: v[pick] for k, v in data.items()}, options.net)
        if options.net == "side":
            batch = restacked(batch)
        batch = varied(batch, options.net)
        rate = options.lr * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * (1 + np.cos(np.pi * part)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16):
            loss, _ = loss_of(net, batch)
        optimiser.zero_grad()
        loss.backward()
        part = (time.monotonic() - start) / 60 / options.minutes
        if together:
            part = _averaged(weights, part)
        nn.utils.clip_grad_norm_(weights, 5.0)
        optimiser.step()
        seen.append(loss.item())
        step += 1
        if rank == 0 and time.monotonic() - start - last > 60:
            last = time.monotonic() - start
            shown = step * options.batch * options.workers
            _log.info("%.0f s step %d (%d examples) loss %.3f", last, step, shown, np.mean(seen))
            seen.clear()
    if together:
        for value in net.buffers():  # each process has seen other examples: their running means are averaged
            if value.is_floating_point():
                distributed.all_reduce(value)
                value /= options.workers
        distributed.destroy_process_group()
    if rank == 0:
        torch.save(net.state_dict(), options.data / f"{options.net}.pt")


def _averaged(weights: list[nn.Parameter], part: float) -> float:
    """Average the gradients, and a number, over the processes."""
    flat = torch.cat([w.grad.reshape(-1) for w in weights] + [torch.tensor([part])])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    at = 0
    for w in weights:
        w.grad.copy_(flat[at : at + w.numel()].view_as(w))
        at += w.numel()
    return float(flat[-1])


def train(options: argparse.Namespace) -> None:
    """Train for a number of minutes; leaves ``<net>.pt`` beside the data and the ONNX in ``options.out``."""
    data, test = load(options.data, options.net, options.held_out)
    _log.info("%d examples, %d held out", len(data["count"]), len(test["count"]))
    if options.minutes > 0:
        if options.workers > 1:
            (options.data / f"{options.net}_meeting").unlink(missing_ok=True)
            for value in data.values():
                value.share_memory_()
            multiprocessing.spawn(work, (options, data), nprocs=options.workers)
        else:
            work(0, options, data)
    options.resume = True
    net = network(options).eval()
    scores = evaluate(net, test, side_loss if options.net == "side" else place_loss)
    _log.info("held out: %s", json.dumps(scores))
    worst = export(net, options.net, options.out, test)
    _log.info("exported, largest difference to PyTorch %.2g", worst)


def evaluate(net: nn.Module, test: dict[str, Tensor], loss_of: object) -> dict[str, float]:
    """Mean of each score over the held-out examples."""
    assert callable(loss_of)
    rows: list[dict[str, float]] = []
    with torch.no_grad():
        for at in range(0, len(test["count"]) - 255, 256):
            rows.append(loss_of(net, {k: v[at : at + 256] for k, v in test.items()})[1])
    return {k: round(float(np.mean([r[k] for r in rows])), 4) for k in rows[0]} if rows else {}


def export(net: nn.Module, name: str, folder: Path, test: dict[str, Tensor]) -> float:
    """Write ``folder/<name>.onnx``; gives the largest difference to the network on some examples."""
    import onnxruntime

    path = folder / f"{name}.onnx"
    view, geometry = test[name][:16], test[f"{name}_geometry"][:16]
    outputs = ["counts", "names", "lab", "clear"] if name == "side" else ["foot", "names", "lab", "clear"]
    torch.onnx.export(
        net,
        (view, geometry),
        path,
        input_names=["view", "geometry"],
        output_names=outputs,
        dynamic_axes={k: {0: "batch"} for k in ["view", "geometry", *outputs]},
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    got = session.run(outputs, {"view": view.numpy(), "geometry": geometry.numpy()})
    with torch.no_grad():
        wanted = net(view, geometry)
    return max(float(np.abs(g - w.numpy()).max()) for g, w in zip(got, wanted, strict=True))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--net", choices=["side", "place"], required=True)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--held-out", type=int, default=2)
    parser.add_argument("--resume", action="store_true", help="go on from the last training")
    parser.add_argument("--out", type=Path, default=HERE)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
