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
    REACH,
    ROWS_BELOW,
    ROWS_PER_CHIP,
    SIDE_SHAPE,
)

COUNTS = LEVELS - LEVELS_BELOW
"""Counts 0 .. COUNTS - 1 that the side network tells apart."""
_NAMES = len(COLOUR_NAMES)
_HALF_ROWS = SIDE_SHAPE[0] // 2


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
    """A residual step along the height of a stack."""

    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.mix = nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(width)
        self.out = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.out(torch.relu(self.norm(self.mix(x))))
        return x + y


def _lowered(x: Tensor, by: Tensor) -> Tensor:
    """Features (b, channels, rows) moved down by a number of rows (b,), nought where they come from above."""
    at = torch.arange(x.shape[2], device=x.device)[None] + by[:, None]
    low = at.floor()
    part = (at - low)[:, None].to(x.dtype)
    inside = (at <= x.shape[2] - 1)[:, None].to(x.dtype)
    index = low.long().clamp(max=x.shape[2] - 1)[:, None].expand(-1, x.shape[1], -1)
    above = (index + 1).clamp(max=x.shape[2] - 1)
    return (torch.gather(x, 2, index) * (1 - part) + torch.gather(x, 2, above) * part) * inside


class SideNet(nn.Module):  # type: ignore[misc]
    """The unrolled side to the count and each chip's colour.

    Input: view uint8 (b, 128, 40, 3), geometry float (b, 4). Output: counts (b, COUNTS) logits, names
    (b, COUNTS, 11) logits from the lowest chip, lab (b, COUNTS, 6) colours and the logarithms of their
    spreads, clear (b,) logit, where (b, 2 REACH + 1) probability of each row, from REACH below, on which the
    foot may really lie.

    What is seen is scored row by row (is the foot here, a border between chips, the near edge of the top?).
    A count then is a foot row, borders at each chip's thickness from there on, and a top edge at the last:
    the scores of these rows are added up, over all rows where the foot may be. So counting is exact and the
    foot need not be known better than to ``REACH`` rows; only the scores are learned.

    The near edge of the top is often hard to see, its far edge seldom; both are a chip's seen depth apart, so
    what is seen at the far edge is brought to the row where the near one must be.
    """

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.picture = nn.Sequential(
            _block(3, 16, (5, 5), (2, 2)),
            _block(16, 32, (3, 3), (1, 2)),
            _block(32, 32, (3, 3), (1, 2)),
        )
        self.narrow = nn.Conv1d(32 * (SIDE_SHAPE[1] // 8), width, 1)
        self.geometry = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, width))
        self.place = nn.Parameter(torch.zeros(1, width, _HALF_ROWS))
        self.along = nn.Sequential(*[_Along(width, d) for d in (1, 2, 4, 8, 16, 4, 1)])
        self.far = nn.Conv1d(width, 32, 1)
        self.join = nn.Conv1d(32, width, 1)
        self.both = nn.Sequential(*[_Along(width, d) for d in (1, 2, 1)])
        self.edges = nn.Conv1d(width, 6, 1)  # foot, border and top of two rows each
        self.colours = nn.Conv1d(width, _NAMES + 6, 1)
        shift = torch.arange(-REACH, REACH + 1)
        self.prior = nn.Parameter(-0.5 * (shift.float() / ROWS_PER_CHIP) ** 2)
        self.whole = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 2))
        level = torch.arange(COUNTS)[None]
        rows = ROWS_BELOW + shift[:, None] + ROWS_PER_CHIP * level
        self.register_buffer("at", rows.clamp(max=SIDE_SHAPE[0] - 1), persistent=False)
        half = torch.arange(-REACH // 2, REACH // 2 + 1)[:, None]
        middle = (ROWS_BELOW + ROWS_PER_CHIP // 2 + ROWS_PER_CHIP * level) // 2 + half
        self.register_buffer("middle", middle.clamp(max=_HALF_ROWS - 1), persistent=False)

    def forward(self, view: Tensor, geometry: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        size = view.shape[0]
        x = self.picture(_prepared(view)).flip(2)
        x = self.narrow(x.permute(0, 1, 3, 2).reshape(size, -1, _HALF_ROWS))
        x = torch.relu(x + self.geometry(geometry)[..., None] + self.place)
        x = self.along(x)
        depth = 4 * geometry[:, 2] * geometry[:, 1] * 20 / (geometry[:, 0] * 4)  # of a chip's top, half rows
        x = x + self.join(torch.relu(_lowered(self.far(torch.relu(x)), depth)))
        x = torch.relu(self.both(x))
        whole = self.whole(torch.cat([x.mean(2), x.amax(2)], 1)).float()
        edges = self.edges(x).float().reshape(size, 3, 2, _HALF_ROWS).transpose(2, 3)
        scores = edges.reshape(size, 3, 2 * _HALF_ROWS)[:, :, self.at]  # (b, kind, shift, level)
        foot = scores[:, 0, :, :1] + self.prior[:, None]
        borders = torch.cumsum(scores[:, 1, :, 1:-1], 2)
        borders = torch.cat([torch.zeros_like(borders[..., :1]), borders], 2)
        joint = foot + borders + scores[:, 2, :, 1:]  # (b, shift, count - 1)
        counts = torch.cat([whole[:, 1:], torch.logsumexp(joint, 1)], 1)
        where = torch.softmax(torch.logsumexp(joint, 2), 1)
        pairs = torch.cat([where, torch.zeros_like(where[:, :1])], 1).reshape(size, 1, -1, 1, 2).sum(4)
        colours = (self.colours(x).float()[:, :, self.middle] * pairs).sum(2).transpose(1, 2)
        return counts, colours[..., :_NAMES], colours[..., _NAMES:], whole[:, 0], where


class PlaceNet(nn.Module):  # type: ignore[misc]
    """The surroundings of a foot to the foot's true place and the top's colour.

    Input: view uint8 (b, 68, 60, 3), geometry float (b, 4). Output: foot (b, 4): across, up in chip radii and
    the logarithms of their spreads; names (b, 11) logits, lab (b, 6) of the top chip, as
    in :class:`SideNet`; clear (b,) logit.
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
        self.colour = nn.Linear(width, _NAMES + 6)
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
