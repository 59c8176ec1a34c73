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
from models.chip_reader.variation import HIDDEN, recoloured, restacked, varied
from vision.chip_geometry import REACH, ROWS_PER_CHIP

HERE = Path(__file__).parent
FOOT_SPREAD_ROWS = 1.5
"""Chips lie so far off their stack's axis that its foot is known to about this."""
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
    names = [net, f"{net}_geometry", "foot", "count", "names", "lab", "offset", "side_seen", "top_seen"]
    train, test = (
        {n: torch.from_numpy(np.concatenate([np.array(r[n]) for r in part])) for n in names} for part in parts
    )
    return train, test


def colour_loss(
    names: Tensor, lab: Tensor, truth: Tensor, truth_lab: Tensor
) -> tuple[Tensor, dict[str, float]]:
    """Loss of chips' colours: names (n, 11) logits, lab (n, 6) with the logarithms of its spreads.

    ``truth``: the name's place, ``UNNAMED`` (only the colour counts) or ``HIDDEN`` (nothing does).
    """
    named, shown = truth >= 0, truth != HIDDEN
    name_loss = functional.cross_entropy(names[named], truth[named])
    away = (lab[shown, :3] - truth_lab[shown]).abs()
    spread = lab[shown, 3:].clamp(-4, 2)
    lab_loss = (away * torch.exp(-spread) + spread).mean()
    parts = {
        "name": name_loss.item(),
        "name_right": float((names[named].argmax(1) == truth[named]).float().mean()),
        "lab": float(away.detach().mean()),
    }
    return 0.7 * name_loss + 0.25 * lab_loss, parts


def _clear_loss(clear: Tensor, batch: dict[str, Tensor]) -> Tensor:
    seen = ((batch["side_seen"] > 0.75) & (batch["top_seen"] > 0.5)).float()
    return functional.binary_cross_entropy_with_logits(clear, seen)


def side_loss(net: nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Count, colours of the chips, whether it is clear, and (a little) where the foot is."""
    counts, names, lab, clear, where = net(batch["side"], batch["side_geometry"])
    count, truth = batch["count"].long(), batch["names"].long()
    chips = truth.shape[1]
    colours, parts = colour_loss(
        names[:, :chips].flatten(0, 1),
        lab[:, :chips].flatten(0, 1),
        truth.flatten(),
        batch["lab"].flatten(0, 1),
    )
    count_loss = functional.cross_entropy(counts, count)
    clear_loss = _clear_loss(clear, batch)
    stands = (count > 0) & (batch["offset"].abs() < REACH / ROWS_PER_CHIP)
    away = torch.arange(-REACH, REACH + 1) - ROWS_PER_CHIP * batch["offset"][stands, None]
    wanted = torch.softmax(-0.5 * (away / FOOT_SPREAD_ROWS) ** 2, 1)
    foot_loss = -(wanted * torch.log(where[stands] + 1e-6)).sum(1).mean()
    right = counts.argmax(1) == count
    parts |= {
        "count": count_loss.item(),
        "count_right": float(right.float().mean()),
        "clear": clear_loss.item(),
    }
    return count_loss + colours + 0.3 * clear_loss + 0.1 * foot_loss, parts


def place_loss(net: nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Where the foot is (Laplace likelihood), the top's colour, and whether it is clear."""
    foot, names, lab, clear = net(batch["place"], batch["place_geometry"])
    away = (foot[:, :2] - batch["foot"]).abs()
    spread = foot[:, 2:].clamp(-5, 2)
    stands = batch["count"] > 0
    foot_loss = (away * torch.exp(-spread) + spread)[stands].mean()
    rows = torch.arange(len(foot))
    top = (batch["count"].long() - 1).clamp(min=0)
    shown = stands & (batch["top_seen"] > 0.25)
    truth = torch.where(shown, batch["names"][rows, top].long(), HIDDEN)
    colours, parts = colour_loss(names, lab, truth, batch["lab"][rows, top])
    clear_loss = _clear_loss(clear, batch)
    parts |= {
        "foot_median": float(away.detach()[stands].median()),
        "foot": foot_loss.item(),
        "clear": clear_loss.item(),
    }
    return foot_loss + colours + 0.3 * clear_loss, parts


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
    outputs = ["foot", "names", "lab", "clear"]
    if name == "side":
        outputs = ["counts", "names", "lab", "clear", "where"]
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
