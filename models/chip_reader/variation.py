"""Changes to a batch of examples after which its labels are still exact: more stacks from the same views."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.chip_reader.houses import HIDDEN, houses, lights_of
from vision.chip_colours import bgr_of_lab
from vision.chip_geometry import REACH, ROWS_BELOW, ROWS_PER_CHIP, SIDE_SHAPE


def housed(batch: dict[str, Tensor], net: str, rng: np.random.Generator) -> dict[str, Tensor]:
    """A batch with a house for each example: ``palette`` (b, CHIPS, 6), and ``entry`` (b, chips), which of
    its chips each chip is. Of a side's it may be known how it looks in the picture's light."""
    names, count, bgr = batch["names"].numpy(), batch["count"].numpy(), bgr_of_lab(batch["lab"].numpy())
    lights = None
    if net == "side":
        lights = lights_of(batch["side"].numpy(), batch["offset"].numpy(), bgr, count)
    palette, entry = houses(rng, names, bgr, count, lights)
    return {**batch, "palette": torch.from_numpy(palette), "entry": torch.from_numpy(entry)}


def varied(batch: dict[str, Tensor], net: str) -> dict[str, Tensor]:
    """Half of the examples mirrored left to right, each in another light, colour, contrast and noise."""
    size = len(batch["count"])
    flip = torch.rand(size) < 0.5
    view = torch.where(flip[:, None, None, None], batch[net].flip(2), batch[net]).float()

    def some(low: float, high: float, *shape: int) -> Tensor:
        return low + (high - low) * torch.rand(size, *shape)

    grey = view.mean(3, keepdim=True)
    view = grey + (view - grey) * some(0.75, 1.25, 1, 1, 1)
    view = view * some(0.75, 1.25, 1, 1, 1) * some(0.94, 1.06, 1, 1, 3) + some(-16, 16, 1, 1, 1)
    view = view + some(0, 6, 1, 1, 1) * torch.randn_like(view)
    if net == "side":  # half a pixel or so beside the middle
        view = torch.roll(view, int(torch.randint(-1, 2, ())), 2)
    foot = batch["foot"].clone()
    foot[flip, 0] *= -1
    return {**batch, net: view.clamp(0, 255).to(torch.uint8), "foot": foot}


def restacked(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """Other stacks from the same views: bands of the unrolled side taken out, doubled or exchanged.

    A chip is ``ROWS_PER_CHIP`` rows of the side view wherever the foot is, so a stack with rows of one chip
    less is exactly the view of a stack that is one chip lower. The lowest chip stays. Then the whole view is
    shifted by some rows, as if the foot had been taken to be elsewhere.
    """
    size, chips = batch["names"].shape
    offset = torch.nan_to_num(batch["offset"])  # not known: not far
    start = ROWS_BELOW + (ROWS_PER_CHIP * offset).round().long().clamp(1 - ROWS_BELOW, ROWS_BELOW)
    row, level = torch.arange(SIDE_SHAPE[0]).repeat(size, 1), torch.arange(chips).repeat(size, 1)
    rows, levels, count = row, level, batch["count"].long()
    kept = torch.rand(size) < 0.35
    for _ in range(3):
        change = _Change.random(count, kept, chips)
        taken = change.sources(row, ROWS_PER_CHIP, start).clamp(0, SIDE_SHAPE[0] - 1)
        rows = torch.gather(rows, 1, taken)
        taken = change.sources(level, 1, torch.zeros_like(start)).clamp(0, chips - 1)
        levels = torch.gather(levels, 1, taken)
        count = count - change.less.long() + change.more.long()
    shift = torch.randint(-5, 6, (size,))
    shift = shift.clamp(
        (-REACH + 1) - (ROWS_PER_CHIP * offset).long(), (REACH - 1) - (ROWS_PER_CHIP * offset).long()
    )
    rows = torch.gather(rows, 1, (row - shift[:, None]).clamp(0, SIDE_SHAPE[0] - 1))
    names = torch.where(level < count[:, None], torch.gather(batch["names"].long(), 1, levels), HIDDEN)
    entry = torch.where(level < count[:, None], torch.gather(batch["entry"], 1, levels), HIDDEN)
    lab = torch.gather(batch["lab"], 1, levels[..., None].expand(-1, -1, 3))
    view = batch["side"][torch.arange(size)[:, None], SIDE_SHAPE[0] - 1 - rows.flip(1)]
    offset = batch["offset"] + shift / ROWS_PER_CHIP
    return {
        **batch,
        "side": view,
        "count": count,
        "names": names,
        "entry": entry,
        "lab": lab,
        "offset": offset,
    }


@dataclass(frozen=True, slots=True)
class _Change:
    """One change to each stack of a batch, (b,) each: a chip less or more at a level, or two exchanged."""

    less: Tensor
    more: Tensor
    swap: Tensor
    at: Tensor
    one: Tensor
    two: Tensor

    @classmethod
    def random(cls, count: Tensor, kept: Tensor, chips: int) -> _Change:
        """``kept``: which stacks stay as they are; ``chips``: the most there may be."""
        size = len(count)
        act = torch.where(kept, 1.0, torch.rand(size))
        one, two = (1 + (torch.rand(size) * (count - 2).clamp(min=1)).long() for _ in range(2))
        return cls(
            less=(act < 0.33) & (count >= 2),
            more=(act >= 0.33) & (act < 0.58) & (count >= 2) & (count < chips - 3),
            swap=(act >= 0.58) & (act < 0.75) & (count >= 4),
            at=1 + (torch.rand(size) * (count - 1).clamp(min=0)).long().clamp(max=chips - 2),
            one=one,
            two=two,
        )

    def sources(self, here: Tensor, step: int, start: Tensor) -> Tensor:
        """Where each row (or level) ``here`` (b, n) is taken from; ``step`` of them are a chip."""
        at, one, two = ((start + step * k)[:, None] for k in (self.at, self.one, self.two))
        out = torch.where(self.less[:, None] & (here >= at), here + step, here)
        out = torch.where(self.more[:, None] & (here >= at + step), here - step, out)
        in_one = self.swap[:, None] & (here >= one) & (here < one + step)
        in_two = self.swap[:, None] & (here >= two) & (here < two + step)
        return torch.where(in_one, here - one + two, torch.where(in_two, here - two + one, out))


def recoloured(batch: dict[str, Tensor], net: str) -> dict[str, Tensor]:
    """Many of the examples with their colour channels exchanged, and their house's: no names of colours then,
    but all else holds."""
    size = len(batch["count"])
    orders = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    order = orders[torch.where(torch.rand(size) < 0.4, torch.randint(1, 6, (size,)), 0)]
    changed = (order != orders[0]).any(1)
    view = torch.gather(batch[net], 3, order[:, None, None, :].expand_as(batch[net]))
    names = torch.where(changed[:, None], HIDDEN, batch["names"].long())
    out = {**batch, net: view, "names": names}
    if "palette" in batch:
        both = torch.cat([order, order + 3], 1)[:, None].expand_as(batch["palette"])
        out["palette"] = torch.gather(batch["palette"], 2, both)
    return out
