"""The two small networks of the chip reader (PyTorch, for training and export only)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.chip_reader.house_net import NEVER, Along, House, Top
from vision.chip_colours import COLOUR_NAMES
from vision.chip_geometry import (
    FRONT,
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
_ASTRAY = 5
"""So many rows off its place a chip may look that lies nearer or farther than the lowest."""
_STATES = 2 * _ASTRAY + 1


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
    foot may really lie; values (b, COUNTS, k + 1) logits of the house's chips, whose ``palette`` (b, k, 6)
    is the third input (:class:`House`).

    What is seen is scored row by row (is the foot here, a border between chips, the near edge of the top?).
    A count then is a foot row, a border at each chip's thickness from there on, and a top edge at the last.
    Chips do not lie exactly on one another, and one that lies nearer looks lower: each may be some rows
    (``_ASTRAY``) off its place, the less likely the more, and the tidier the stack looks. The scores are
    added up over all these ways in which a count may look (a forward pass over the chips), so counting is
    exact and only the scores, and how tidy a stack is, are learned. Each chip's colour is read where it lies
    (a backward pass).

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
        self.along = nn.Sequential(*[Along(width, d) for d in (1, 2, 4, 8, 16, 4, 1)])
        self.far = nn.Conv1d(width, 32, 1)
        self.join = nn.Conv1d(32, width, 1)
        self.both = nn.Sequential(*[Along(width, d) for d in (1, 2, 1)])
        self.edges = nn.Conv1d(width, 6, 1)  # foot, border and top of two rows each
        self.colours = nn.Conv1d(width, _NAMES + 6, 1)
        self.house = House(width)
        shift = torch.arange(-REACH, REACH + 1)
        self.prior = nn.Parameter(-0.5 * (shift.float() / ROWS_PER_CHIP) ** 2)
        self.whole = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 2))
        self.tidy = nn.Linear(2 * width, 2)
        nn.init.zeros_(self.tidy.weight)
        nn.init.constant_(self.tidy.bias, 0.5)
        astray = torch.arange(-_ASTRAY, _ASTRAY + 1)
        level = torch.arange(COUNTS)
        rows = ROWS_BELOW + shift[:, None] + astray + ROWS_PER_CHIP * level[:, None, None]
        self.register_buffer("at", rows.clamp(0, SIDE_SHAPE[0] - 1), persistent=False)  # level, shift, state
        far = REACH + _ASTRAY
        half = torch.arange(-(far + 1) // 2, (far + 1) // 2 + 1)
        middle = (ROWS_BELOW + ROWS_PER_CHIP // 2 + ROWS_PER_CHIP * level[:, None]) // 2 + half
        self.register_buffer("middle", middle.clamp(0, _HALF_ROWS - 1), persistent=False)
        row = (shift[:, None] + astray).flatten()
        into = (row.div(2, rounding_mode="floor")[:, None] == half).float()
        self.register_buffer("into", into, persistent=False)  # shift and state to half rows
        self.register_buffer("off", (astray**2).float(), persistent=False)
        self.register_buffer("apart", ((astray[:, None] - astray) ** 2).float(), persistent=False)
        self.register_buffer("lowest", torch.where(astray == 0, 0.0, NEVER), persistent=False)

    def forward(self, view: Tensor, geometry: Tensor, palette: Tensor) -> tuple[Tensor, ...]:
        size = view.shape[0]
        bands = view[:, :, FRONT].float().reshape(size, _HALF_ROWS, 2, -1, 3).mean((2, 3)) / 255
        bands = bands.flip(1).transpose(1, 2)
        x = self.picture(_prepared(view)).flip(2)
        x = self.narrow(x.permute(0, 1, 3, 2).reshape(size, -1, _HALF_ROWS))
        x = torch.relu(x + self.geometry(geometry)[..., None] + self.place)
        x = self.along(x)
        depth = 4 * geometry[:, 2] * geometry[:, 1] * 20 / (geometry[:, 0] * 4)  # of a chip's top, half rows
        x = x + self.join(torch.relu(_lowered(self.far(torch.relu(x)), depth)))
        x = torch.relu(self.both(x))
        seen = torch.cat([x.mean(2), x.amax(2)], 1)
        whole = self.whole(seen).float()
        edges = self.edges(x).float().reshape(size, 3, 2, _HALF_ROWS).transpose(2, 3)
        scores = _taken(edges.reshape(size, 3, 2 * _HALF_ROWS), self.at)  # (b, kind, level, shift, state)
        step = self._step(self.tidy(seen).float())
        counts, where, places = self._ways(scores, step)
        half_rows = places @ self.into  # (b, level, half row)
        colours = _taken(self.colours(x).float(), self.middle)
        colours = (colours * half_rows[:, None]).sum(3).transpose(1, 2)
        counts = torch.cat([whole[:, 1:], counts], 1)
        values = _taken(self.house(x, bands, palette), self.middle)
        values = (values * half_rows[:, None]).sum(3).transpose(1, 2)
        return counts, colours[..., :_NAMES], colours[..., _NAMES:], whole[:, 0], where, values

    def _step(self, tidy: Tensor) -> Tensor:
        """Probability (b, states, states) of where a chip lies by where the one below it does."""
        pull = nn.functional.softplus(tidy)[..., None, None]
        return torch.softmax(-pull[:, 0] * self.off - pull[:, 1] * self.apart, 2)

    def _ways(self, scores: Tensor, step: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Counts (b, COUNTS - 1) logits from one chip, where the foot is (b, shifts), and for each chip from
        the lowest where it is (b, COUNTS - 1 or so, shifts * states), both as probabilities.

        ``scores`` (b, kind, level, shift, state) of foot, border and top.
        """
        foot, border, top = scores.unbind(1)
        borders, tops = border.unbind(1), top.unbind(1)
        ways = [(foot[:, 0, :, _ASTRAY] + self.prior)[..., None] + self.lowest]
        for level in range(1, COUNTS - 1):
            ways.append(borders[level] + _through(ways[-1], step))
        counts = torch.logsumexp((torch.stack(ways, 1) + top[:, 1:]).flatten(2), 2)
        rest = [tops[COUNTS - 1]]
        back = step.transpose(1, 2)
        for level in range(COUNTS - 2, 0, -1):
            on = _through(borders[level] + rest[-1], back)
            rest.append(torch.logsumexp(torch.stack([tops[level], on]), 0))
        rest.reverse()
        places = torch.stack([(w + r).flatten(1) for w, r in zip(ways, rest, strict=True)], 1)
        places = torch.softmax(places, 2)
        places = torch.cat([places, places[:, -1:]], 1)
        where = places[:, 0].reshape(-1, 2 * REACH + 1, _STATES).sum(2)
        return counts, where, places


def _taken(rows: Tensor, at: Tensor) -> Tensor:
    """Of (b, n, rows) those that ``at`` names, in its shape. Fetched row by row, which is faster."""
    taken = rows.permute(2, 0, 1).index_select(0, at.flatten()).permute(1, 2, 0)
    return taken.reshape(*rows.shape[:2], *at.shape)


def _through(way: Tensor, step: Tensor) -> Tensor:
    """Logarithms (b, shifts, states) of ways, one chip further."""
    most = way.amax(2, keepdim=True)
    return torch.log(torch.exp(way - most) @ step + 1e-12) + most


class PlaceNet(nn.Module):  # type: ignore[misc]
    """The surroundings of a foot to the foot's true place and the top's colour.

    Input: view uint8 (b, 68, 60, 3), geometry float (b, 4). Output: foot (b, 4): across, up in chip radii and
    the logarithms of their spreads; names (b, 11) logits, lab (b, 6) of the top chip, as
    in :class:`SideNet`; clear (b,) logit; value (b, k + 1) logits of the top among the house's chips, whose
    ``palette`` (b, k, 6) is the third input (:class:`Top`).
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
        self.house = Top(width)
        self.whole = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 3))
        rows, columns = -(-PLACE_SHAPE[0] // 4), -(-PLACE_SHAPE[1] // 4)
        at = torch.stack(torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij"), -1).float()
        up = (PLACE_FOOT[0] - (at[..., 0] * 4 + 0.5)) / PLACE_RADIUS_PX
        across = (at[..., 1] * 4 + 0.5 - PLACE_FOOT[1]) / PLACE_RADIUS_PX
        self.register_buffer("grid", torch.stack([across, up], -1).reshape(-1, 2))

    def forward(self, view: Tensor, geometry: Tensor, palette: Tensor) -> tuple[Tensor, ...]:
        x = self.picture(_prepared(view)) + self.geometry(geometry)[..., None, None]
        for step in self.around:
            x = x + step(x)
        maps = self.maps(x).flatten(2).float()
        here, look = torch.softmax(maps[:, 0], 1), torch.softmax(maps[:, 1], 1)
        places = self.grid + maps[:, 2:].transpose(1, 2) * (4 / PLACE_RADIUS_PX)
        foot = (here[..., None] * places).sum(1)
        flat = x.flatten(2)
        top = (flat * look[:, None]).sum(2)
        colour = self.colour(top)
        small = nn.functional.avg_pool2d(view.permute(0, 3, 1, 2).float() / 255, 4, ceil_mode=True).flatten(2)
        value = self.house(top, (small * look[:, None]).sum(2), palette)
        whole = self.whole(torch.cat([(flat * here[:, None]).sum(2), flat.amax(2)], 1))
        foot = torch.cat([foot, whole[:, :2]], 1)
        return foot, colour[:, :_NAMES], colour[:, _NAMES:], whole[:, 2], value
