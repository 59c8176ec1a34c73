"""Train the card reader on crops made by ``models.card_reader.data``, and export it.

    python -m models.card_reader.train --work WORK --minutes 40 [--resume WORK/reader.pt]

Runs on a CPU in bfloat16 while ``data crops`` still adds shards. The learning rate falls with the time, so a
run ends when it was asked to. Writes ``WORK/reader.pt``, ``card_reader.onnx`` and a report of scores.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy, interpolate

from models.card_reader.export import write_onnx
from models.card_reader.network import CardNet, normalise

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Progress:
    """How far a training has come, over all its runs."""

    images: int = 0
    minutes: float = 0.0


def augment(faces: Tensor, generator: torch.Generator) -> Tensor:
    """Cheap changes that make one crop serve several times: (n, 3, h, w) in -1..1 to the same."""
    n, _, h, w = faces.shape

    def draw(*shape: int) -> Tensor:
        return torch.rand(shape, generator=generator)

    turned = torch.where(draw(n, 1, 1, 1) < 0.5, faces.flip((2, 3)), faces)
    dy, dx = (int(v) for v in torch.randint(-3, 4, (2,), generator=generator))
    moved = torch.roll(turned, (dy, dx), (2, 3))
    gain = 1 + 0.25 * (draw(n, 1, 1, 1) - 0.5) + 0.16 * (draw(n, 3, 1, 1) - 0.5)
    out = (moved + 1) * gain - 1 + 0.2 * (draw(n, 1, 1, 1) - 0.5)
    rows, columns = torch.arange(h).view(1, 1, h, 1) / h, torch.arange(w).view(1, 1, 1, w) / w
    y, x, a, b = draw(n, 1, 1, 1), draw(n, 1, 1, 1), 0.22 * draw(n, 1, 1, 1), 0.22 * draw(n, 1, 1, 1)
    hidden = ((rows - y).abs() < a) & ((columns - x).abs() < b) & (draw(n, 1, 1, 1) < 0.25)
    return torch.where(hidden, 2 * draw(n, 3, 1, 1) - 1, out).clamp(-1, 1)


def lay_sideways(
    faces: Tensor, labels: Tensor, share: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Turn some faces (n, 3, h, w) by a quarter: cut so, a card is unreadable and must not be named."""
    n, _, h, w = faces.shape
    some = torch.rand(n, generator=generator) < share
    if not bool(some.any()):
        return faces, labels
    turned = interpolate(faces[some].transpose(2, 3).flip(3), (h, w), mode="bilinear", align_corners=False)
    faces, labels = faces.clone(), labels.clone()
    cards = some & (labels < 52)
    faces[some] = turned
    labels[cards] = 53
    return faces, labels


def strange_figures(faces: Tensor, labels: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Give some court cards (of (n, 3, h, w)) a figure in other colours, or something else in its place.

    Packs draw their courts in any way: an unknown figure must not make a card unreadable, and an index or a
    suit sign beside it counts for more.
    """
    n, _, h, w = faces.shape
    dice = torch.rand(n, generator=generator)
    courts = torch.nonzero((labels < 52) & (labels % 13 >= 10) & (dice < share)).flatten().tolist()
    if not courts:
        return faces
    out = faces.clone()
    for i in courts:
        edge_x, edge_y = torch.rand(2, generator=generator).tolist()
        x0, y0 = round(w * (0.24 + 0.12 * edge_x)), round(h * (0.06 + 0.16 * edge_y))
        part = out[i, :, y0 : h - y0, x0 : w - x0]
        order = torch.randperm(3, generator=generator)
        if float(dice[i]) < 0.35 * share:
            other = faces[int(torch.randint(n, (1,), generator=generator)), :, y0 : h - y0, x0 : w - x0]
            mixed = other[order].flip(2)
            part.copy_(mixed if float(dice[i]) < 0.2 * share else (mixed + part) / 2)
        else:
            part.copy_(part[order] * (1 if edge_x < 0.8 else -1))
    return out


def loss_of(outputs: tuple[Tensor, Tensor, Tensor], labels: Tensor, smoothing: float) -> Tensor:
    """Cross entropy over the 54 classes, and over rank and suit where the label is a card."""
    classes, rank, suit = (o.float() for o in outputs)
    whole = cross_entropy(classes, labels, label_smoothing=smoothing)
    cards = labels < 52
    if not bool(cards.any()):
        return whole
    each = labels[cards]
    return (
        whole
        + 0.3 * cross_entropy(rank[cards], each % 13, label_smoothing=smoothing)
        + 0.3 * cross_entropy(suit[cards], each // 13, label_smoothing=smoothing)
    )


class Shards:
    """The shards in a folder, memory-mapped; sees new ones when asked to."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng = folder, np.random.default_rng(seed)
        self.open: dict[str, tuple[NDArray[np.uint8], NDArray[np.int64]]] = {}

    def refresh(self) -> int:
        """Look for new and vanished shards; returns how many there are."""
        names = {path.stem for path in self.folder.glob("*.npy")}
        for name in names - self.open.keys():
            faces = np.load(self.folder / f"{name}.npy", mmap_mode="r")
            self.open[name] = faces, np.load(self.folder / f"{name}.npz")["labels"]
        for name in self.open.keys() - names:
            del self.open[name]
        return len(self.open)

    def batch(self, size: int) -> tuple[Tensor, Tensor]:
        """Crops from four random shards, newer ones more often."""
        names = sorted(self.open)
        weights = np.linspace(1, 2, len(names))
        faces, labels = [], []
        for _ in range(4):
            shard, truth = self.open[names[int(self.rng.choice(len(names), p=weights / weights.sum()))]]
            pick = np.sort(self.rng.choice(len(truth), size // 4, replace=False))
            faces.append(shard[pick])
            labels.append(truth[pick])
        return torch.from_numpy(np.concatenate(faces)), torch.from_numpy(np.concatenate(labels))


@dataclass(frozen=True, slots=True)
class Valid:
    """Validation crops of one group of held-out packs."""

    faces: NDArray[np.uint8]
    labels: NDArray[np.int64]
    card_px: NDArray[np.float32]
    visible: NDArray[np.float32]


def read_validation(folder: Path) -> dict[str, Valid]:
    """Every group that ``data valid`` made."""
    groups = {}
    for path in sorted(folder.glob("*.npy")):
        about = np.load(path.with_suffix(".npz"))
        groups[path.stem] = Valid(np.load(path), about["labels"], about["card_px"], about["visible"])
    return groups


def logits_of(net: CardNet, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 54) logits of crops."""
    net.eval()
    parts = []
    for i in range(0, len(faces), 128):
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            batch = normalise(torch.from_numpy(faces[i : i + 128])).to(memory_format=torch.channels_last)
            parts.append(net(batch)[0].float().numpy())
    return np.concatenate(parts)


def softmax(logits: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Probabilities (n, 54)."""
    scaled = logits / temperature
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True), np.float32)


def calibration_error(p: NDArray[np.float32], labels: NDArray[np.int64], bins: int = 15) -> float:
    """Expected calibration error of the best class's probability."""
    best, right = p.max(axis=1), p.argmax(axis=1) == labels
    bucket = np.minimum((best * bins).astype(int), bins - 1)
    return float(
        sum(
            (bucket == b).mean() * abs(right[bucket == b].mean() - best[bucket == b].mean())
            for b in range(bins)
            if (bucket == b).any()
        )
    )


def best_temperature(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The temperature with the least negative log likelihood."""
    choices = np.exp(np.linspace(np.log(0.4), np.log(2.5), 60))
    scores = [
        -np.log(softmax(logits, float(t))[np.arange(len(labels)), labels] + 1e-9).mean() for t in choices
    ]
    return float(choices[int(np.argmin(scores))])


def report(net: CardNet, groups: dict[str, Valid]) -> dict[str, float]:
    """Scores on held-out packs: accuracy of cards by group and by size, calibration, false confidence."""
    logits = {name: logits_of(net, g.faces) for name, g in groups.items()}
    every = np.concatenate(list(logits.values()))
    labels = np.concatenate([g.labels for g in groups.values()])
    temperature = best_temperature(every, labels)
    p = softmax(every, temperature)
    px, visible = (np.concatenate([getattr(g, k) for g in groups.values()]) for k in ("card_px", "visible"))
    right = p.argmax(axis=1) == labels
    clear = (labels < 52) & (visible > 0.85)
    scores = {"temperature": temperature, "ece": calibration_error(p, labels), "all": float(right.mean())}
    for name, g in groups.items():
        cards = (g.labels < 52) & (g.visible > 0.85)
        scores[name] = float((logits[name].argmax(axis=1) == g.labels)[cards].mean())
    for low, high in ((33, 45), (45, 60), (60, 84), (84, 200)):
        scores[f"{low}-{high}px"] = float(right[clear & (px >= low) & (px < high)].mean())
    sure = p.max(axis=1) > 0.9
    scores["sure"] = float(sure[clear].mean())
    scores["right_when_sure"] = float(right[sure & (p.argmax(axis=1) < 52)].mean())
    other = labels >= 52
    scores["back_and_unreadable"] = float(right[other].mean())
    return scores


def train(work: Path, minutes: float, rate: float, batch: int, seed: int, resume: Path | None) -> None:
    """Train for ``minutes`` of wall time and export the averaged weights."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    net = CardNet().to(memory_format=torch.channels_last)
    progress = Progress()
    if resume is not None:
        saved = torch.load(resume, weights_only=True)
        net.load_state_dict(saved["net"])
        progress = Progress(**saved["progress"])
    mean = copy.deepcopy(net)
    decay: list[Tensor] = []
    plain: list[Tensor] = []
    for p in net.parameters():
        (decay if p.ndim > 1 else plain).append(p)
    groups = [{"params": decay, "weight_decay": 0.03}, {"params": plain, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
    shards, valid = Shards(work / "train", seed), read_validation(work / "valid")
    start, last_look, last_report, steps = time.monotonic(), -1e9, time.monotonic(), 0
    before, running = progress.minutes, 0.0
    while (now := time.monotonic()) - start < minutes * 60:
        if now - last_look > 45:
            count, last_look = shards.refresh(), now
            log.info(
                "%.1f min, %d images, %d shards, loss %.3f",
                (now - start) / 60,
                progress.images,
                count,
                running,
            )
        share = (now - start) / (minutes * 60)
        warm = min(1.0, (steps + 1) / 200)
        for group in optimiser.param_groups:
            group["lr"] = warm * rate * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * share)))
        net.train()
        faces, labels = shards.batch(batch)
        figures = strange_figures(normalise(faces), labels, 0.35, generator)
        laid, labels = lay_sideways(figures, labels, 0.05, generator)
        inputs = augment(laid, generator).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = net(inputs)
        loss = loss_of(outputs, labels, smoothing=0.02)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        steps += 1
        progress.images += len(labels)
        running = float(loss) if steps == 1 else 0.98 * running + 0.02 * float(loss)
        keep = min(0.998, (steps + 1) / (steps + 10))
        with torch.no_grad():
            for to, of in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                if to.dtype.is_floating_point:
                    to.lerp_(of, 1 - keep)
                else:
                    to.copy_(of)
        if now - last_report > 420:
            last_report = now
            progress.minutes = before + (now - start) / 60
            _save(work, mean, progress, report(mean, valid))
    progress.minutes = before + minutes
    scores = report(mean, valid)
    _save(work, mean, progress, scores)
    difference, digest = write_onnx(mean, scores["temperature"], work / "card_reader.onnx")
    log.info("card_reader.onnx differs by %.2g from torch, sha256 %s", difference, digest)


def _save(work: Path, net: CardNet, progress: Progress, scores: dict[str, float]) -> None:
    torch.save({"net": net.state_dict(), "progress": asdict(progress)}, work / "reader.part")
    (work / "reader.part").rename(work / "reader.pt")
    text = json.dumps({**asdict(progress), **{k: round(v, 4) for k, v in scores.items()}}, indent=1)
    (work / "report.json").write_text(text, encoding="utf-8")
    log.info("%s", text.replace("\n", ""))


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Train the card reader.")
    parser.add_argument("--work", type=Path, required=True, help="folder with train/ and valid/ crops")
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="weights of an earlier run")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(args.threads)
    train(args.work, args.minutes, args.rate, args.batch, args.seed, args.resume)
    return 0


if __name__ == "__main__":
    sys.exit(main())
