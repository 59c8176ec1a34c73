"""The two small networks of the chip reader (PyTorch, for training and export only)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.chip_colours import COLOUR_NAMES
from vision.chip_geometry import (
    LEVELS,
    LEVELS_BELOW,
    PLACE_FOOT,
    PLACE_RADIUS_PX,
    PLACE_SHAPE,
    SIDE_SHAPE,
)

COUNTS = LEVELS - LEVELS_BELOW
"""Counts 0 .. COUNTS - 1 that the side network tells apart."""
_NAMES = len(COLOUR_NAMES)


def _block(inputs: int, outputs: int, kernel: tuple[int, int], stride: tuple[int, int]) -> nn.Sequential:
    padding = (kernel[0] // 2, kernel[1] // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def _prepared(view: Tensor) -> Tensor:
    """uint8 (b, h, w, 3) to float (b, 3, h, w), about -1..1."""
    return view.permute(0, 3, 1, 2).float() * (1 / 64) - 2


class _Along(nn.Module):  # type: ignore[misc]
    """A residual step along the levels of a stack."""

    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.mix = nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(width)
        self.out = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.out(torch.relu(self.norm(self.mix(x))))
        return x + y


class SideNet(nn.Module):  # type: ignore[misc]
    """The unrolled side to the count and each level's colour.

    Input: view uint8 (b, 128, 40, 3), geometry float (b, 4). Output: counts (b, COUNTS) logits, names
    (b, COUNTS, 11) logits from the lowest chip, lab (b, COUNTS, 3), clear (b,) logit.
    """

    def __init__(self, width: int = 96) -> None:
        super().__init__()
        self.picture = nn.Sequential(
            _block(3, 16, (5, 5), (2, 2)),
            _block(16, 24, (3, 3), (1, 2)),
            _block(24, 32, (3, 3), (2, 1)),
            _block(32, 48, (3, 3), (1, 2)),
        )
        columns = SIDE_SHAPE[1] // 8
        self.narrow = nn.Conv2d(48, width, (1, columns))
        self.geometry = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, width))
        self.place = nn.Parameter(torch.zeros(1, width, LEVELS))
        self.along = nn.Sequential(*[_Along(width, d) for d in (1, 2, 4, 8, 1)])
        self.heads = nn.Conv1d(width, 1 + _NAMES + 3, 1)
        self.clear = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, view: Tensor, geometry: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.narrow(self.picture(_prepared(view)))[..., 0].flip(2)
        x = torch.relu(x + self.geometry(geometry)[..., None] + self.place)
        x = torch.relu(self.along(x))
        heads = self.heads(x)[..., LEVELS_BELOW:].transpose(1, 2)
        clear = self.clear(torch.cat([x.mean(2), x.amax(2)], 1))[:, 0]
        return heads[..., 0], heads[..., 1 : 1 + _NAMES], heads[..., 1 + _NAMES :], clear


class PlaceNet(nn.Module):  # type: ignore[misc]
    """The surroundings of a foot to the foot's true place and the top's colour.

    Input: view uint8 (b, 68, 60, 3), geometry float (b, 4). Output: foot (b, 4): across, up in chip radii and
    the logarithms of their spreads; names (b, 11) logits, lab (b, 3) of the top chip; clear (b,) logit.
    Two maps over the view say where the foot is and where to look for the top's colour.
    """

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.picture = nn.Sequential(
            _block(3, 24, (5, 5), (2, 2)),
            _block(24, 24, (3, 3), (1, 1)),
            _block(24, width, (3, 3), (2, 2)),
        )
        self.geometry = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, width))
        self.around = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(width, width, 3, padding=d, dilation=d, bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(inplace=True),
            )
            for d in (1, 2, 3)
        )
        self.maps = nn.Conv2d(width, 4, 1)
        self.colour = nn.Linear(width, _NAMES + 3)
        self.whole = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 3))
        rows, columns = -(-PLACE_SHAPE[0] // 4), -(-PLACE_SHAPE[1] // 4)
        at = torch.stack(torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij"), -1).float()
        up = (PLACE_FOOT[0] - (at[..., 0] * 4 + 0.5)) / PLACE_RADIUS_PX
        across = (at[..., 1] * 4 + 0.5 - PLACE_FOOT[1]) / PLACE_RADIUS_PX
        self.register_buffer("grid", torch.stack([across, up], -1).reshape(-1, 2))

    def forward(self, view: Tensor, geometry: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.picture(_prepared(view)) + self.geometry(geometry)[..., None, None]
        for step in self.around:
            x = x + step(x)
        maps = self.maps(x).flatten(2).float()
        here, look = torch.softmax(maps[:, 0], 1), torch.softmax(maps[:, 1], 1)
        places = self.grid + maps[:, 2:].transpose(1, 2) * (4 / PLACE_RADIUS_PX)
        foot = (here[..., None] * places).sum(1)
        flat = x.flatten(2)
        colour = self.colour((flat * look[:, None]).sum(2))
        whole = self.whole(torch.cat([(flat * here[:, None]).sum(2), flat.amax(2)], 1))
        return torch.cat([foot, whole[:, :2]], 1), colour[:, :_NAMES], colour[:, _NAMES:], whole[:, 2]
