"""Trains the chip reader's networks and writes them as ONNX.

    python -m models.chip_reader.train --data FOLDER --net side --minutes 30

Needs PyTorch. The examples come from ``models.chip_reader.data``, which may still be writing: new ones are
taken up as they appear. The first shards of each seed are held out. Kept, scored and exported is not the
last step's network but the mean of the late ones.
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
from torch import Tensor, nn
from torch.nn import functional

from models.chip_reader.houses import HIDDEN
from models.chip_reader.net import PlaceNet, SideNet
from models.chip_reader.variation import housed, recoloured, restacked, varied
from vision.chip_geometry import REACH, ROWS_PER_CHIP

HERE = Path(__file__).parent
FOOT_SPREAD_ROWS = 1.5
"""Chips lie so far off their stack's axis that its foot is known to about this."""
_LOOK_AGAIN_S = 180.0
"""So often new shards are looked for."""
_MEAN_EVERY, _MEAN_PART = 10, 0.03
"""Every so many steps the kept network moves by this part towards the trained one."""
_WARM_STEPS = 150
_log = logging.getLogger("chip_reader.train")


def load(shards: list[Path], net: str) -> dict[str, Tensor]:
    """The examples of some shards as tensors by field name."""
    names = [net, f"{net}_geometry", "foot", "count", "names", "lab", "offset", "side_seen", "top_seen"]
    parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in names}
    for shard in shards:
        records = np.load(shard, mmap_mode="r")
        if net == "side":
            records = records[records["countable"]]
        for name in names:
            parts[name].append(np.ascontiguousarray(records[name]))
    return {name: torch.from_numpy(np.concatenate(part)) for name, part in parts.items()}


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
    counts, names, lab, clear, where, values = net(batch["side"], batch["side_geometry"], batch["palette"])
    count, truth = batch["count"].long(), batch["names"].long()
    chips = truth.shape[1]
    colours, parts = colour_loss(
        names[:, :chips].flatten(0, 1),
        lab[:, :chips].flatten(0, 1),
        truth.flatten(),
        batch["lab"].flatten(0, 1),
    )
    entry = batch["entry"]
    shown = entry != HIDDEN
    value_loss = functional.cross_entropy(values[:, :chips][shown], entry[shown])
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
        "value": value_loss.item(),
        "value_right": float((values[:, :chips][shown].argmax(1) == entry[shown]).float().mean()),
    }
    return count_loss + 0.6 * colours + value_loss + 0.3 * clear_loss + 0.1 * foot_loss, parts


def place_loss(net: nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Where the foot is (Laplace likelihood), the top's colour, and whether it is clear."""
    foot, names, lab, clear, value = net(batch["place"], batch["place_geometry"], batch["palette"])
    away = (foot[:, :2] - batch["foot"]).abs()
    spread = foot[:, 2:].clamp(-5, 2)
    stands = batch["count"] > 0
    foot_loss = (away * torch.exp(-spread) + spread)[stands].mean()
    rows = torch.arange(len(foot))
    top = (batch["count"].long() - 1).clamp(min=0)
    shown = stands & (batch["top_seen"] > 0.25)
    truth = torch.where(shown, batch["names"][rows, top].long(), HIDDEN)
    colours, parts = colour_loss(names, lab, truth, batch["lab"][rows, top])
    entry = torch.where(shown, batch["entry"][rows, top], HIDDEN)
    known = entry != HIDDEN
    value_loss = functional.cross_entropy(value[known], entry[known])
    clear_loss = _clear_loss(clear, batch)
    parts |= {
        "value": value_loss.item(),
        "value_right": float((value[known].argmax(1) == entry[known]).float().mean()),
        "foot_median": float(away.detach()[stands].median()),
        "foot": foot_loss.item(),
        "clear": clear_loss.item(),
    }
    return foot_loss + 0.6 * colours + value_loss + 0.3 * clear_loss, parts


def network(options: argparse.Namespace) -> nn.Module:
    """A new network, or the one of an earlier training."""
    net: nn.Module = SideNet() if options.net == "side" else PlaceNet()
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    return net.to(memory_format=torch.channels_last)


class Kept:
    """The mean of the late networks: less noisy than any of them."""

    def __init__(self, net: nn.Module) -> None:
        self.state = {name: value.clone() for name, value in net.state_dict().items()}

    def follow(self, net: nn.Module) -> None:
        """Move a little towards the network as it is now."""
        with torch.no_grad():
            for name, value in net.state_dict().items():
                if value.is_floating_point():
                    self.state[name].lerp_(value, _MEAN_PART)
                else:
                    self.state[name].copy_(value)


class Examples:
    """The training examples in random order, new ones too."""

    def __init__(self, folder: Path, net: str, held_out: int, seed: int) -> None:
        self.net, self.folder = net, folder
        self.rng = np.random.default_rng(seed)
        seeds: dict[str, list[Path]] = {}
        for shard in sorted(folder.glob("*.npy")):
            seeds.setdefault(shard.stem.rpartition("_")[0], []).append(shard)
        self.tests = {
            name: housed(load(shards[:held_out], net), net, np.random.default_rng(0))
            for name, shards in seeds.items()
        }
        self.seen = {shard for shards in seeds.values() for shard in shards}
        self.data = load([shard for shards in seeds.values() for shard in shards[held_out:]], net)
        self._looked = time.monotonic()
        self._order, self._at = torch.empty(0, dtype=torch.long), 0

    def __len__(self) -> int:
        return len(self.data["count"])

    def batch(self, size: int) -> dict[str, Tensor]:
        """The next examples, each changed at random."""
        if time.monotonic() - self._looked > _LOOK_AGAIN_S:
            self._looked = time.monotonic()
            new = [shard for shard in sorted(self.folder.glob("*.npy")) if shard not in self.seen]
            if new:
                more = load(new, self.net)
                self.data = {name: torch.cat([value, more[name]]) for name, value in self.data.items()}
                self.seen |= set(new)
                self._order = self._order[:0]
                _log.info("%d examples", len(self))
        if self._at + size > len(self._order):
            self._order, self._at = torch.randperm(len(self)), 0
        pick = self._order[self._at : self._at + size]
        self._at += size
        batch = varied({name: value[pick] for name, value in self.data.items()}, self.net)
        batch = recoloured(housed(batch, self.net, self.rng), self.net)
        return restacked(batch) if self.net == "side" else batch


def work(options: argparse.Namespace, examples: Examples) -> None:
    """Train for some minutes; leaves ``<net>.pt`` beside the data."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    net = network(options)
    kept = Kept(net)
    loss_of = side_loss if options.net == "side" else place_loss
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.lr, weight_decay=0.05)
    start, step, last, part = time.monotonic(), 0, 0.0, 0.0
    seen: list[float] = []
    while part < 1:
        batch = examples.batch(options.batch)
        rate = (
            options.lr * min(1.0, (step + 1) / _WARM_STEPS) * (0.01 + 0.99 * (1 + np.cos(np.pi * part)) / 2)
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16):
            loss, _ = loss_of(net, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        seen.append(loss.item())
        step += 1
        if step % _MEAN_EVERY == 0:
            kept.follow(net)
        gone = time.monotonic() - start
        part = gone / 60 / options.minutes
        if gone - last > 60:
            last = gone
            torch.save(kept.state, options.data / f"{options.net}.pt")
            _log.info(
                "%.0f s step %d (%d examples) loss %.3f", gone, step, step * options.batch, np.mean(seen)
            )
            seen.clear()
    torch.save(kept.state, options.data / f"{options.net}.pt")


def train(options: argparse.Namespace) -> None:
    """Train for a number of minutes; leaves ``<net>.pt`` beside the data and the ONNX in ``options.out``."""
    examples = Examples(options.data, options.net, options.held_out, options.seed)
    held_out = ", ".join(f"{len(test['count'])} of {seed}" for seed, test in examples.tests.items())
    _log.info("%d examples; held out: %s", len(examples), held_out)
    if options.minutes > 0:
        work(options, examples)
        options.resume = options.data / f"{options.net}.pt"
    net = network(options).eval()
    for seed, test in examples.tests.items():
        scores = evaluate(net, test, side_loss if options.net == "side" else place_loss)
        _log.info("held out of %s: %s", seed, json.dumps(scores))
    worst = export(net, options.net, options.out, next(iter(examples.tests.values())))
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
    inputs = {"view": view, "geometry": geometry, "palette": test["palette"][:16]}
    outputs = ["foot", "names", "lab", "clear", "value"]
    if name == "side":
        outputs = ["counts", "names", "lab", "clear", "where", "values"]
    axes = {k: {0: "batch"} for k in [*inputs, *outputs]}
    axes["palette"][1] = "chips"
    axes[outputs[-1]][2 if name == "side" else 1] = "chips or none"
    torch.onnx.export(
        net,
        tuple(inputs.values()),
        path,
        input_names=list(inputs),
        output_names=outputs,
        dynamic_axes=axes,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    got = session.run(outputs, {k: v.numpy() for k, v in inputs.items()})
    with torch.no_grad():
        wanted = net(*inputs.values())
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
    parser.add_argument("--threads", type=int, default=1, help="processor cores to use")
    parser.add_argument(
        "--held-out", type=int, default=2, help="shards of each seed, the first, kept for the scores"
    )
    parser.add_argument("--resume", type=Path, help="<net>.pt of an earlier training to go on from")
    parser.add_argument("--out", type=Path, default=HERE)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
