"""Holding what is seen of chips against a house's own (PyTorch, for training and export only)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

NEVER = -30.0


class Along(nn.Module):  # type: ignore[misc]
    """A residual step along the height of a stack."""

    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.mix = nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(width)
        self.out = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.out(torch.relu(self.norm(self.mix(x))))
        return x + y


class House(nn.Module):  # type: ignore[misc]
    """Which of a house's chips each half row of a side shows.

    Input: features (b, width, rows), colours (b, 3, rows) seen at the half rows from the lowest, BGR 0..1,
    and the house's ``palette`` (b, k, 6): each chip's colour, BGR 0..1, and how far it may be from that, the
    first of these below nought where there is none. Output: scores (b, k + 1, rows), the last that it is none
    of them.

    Every chip of the house is held against every half row by the same steps, whatever its place in the
    palette; between the steps each half row takes up what it most likely shows, and its neighbours with it:
    in a picture a thin chip takes on its neighbours' colours, and only who knows those can tell its own.
    """

    def __init__(self, width: int, inner: int = 32) -> None:
        super().__init__()
        self.entry = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, inner))
        self.none = nn.Parameter(torch.zeros(inner))
        self.seen = nn.Conv1d(width, inner, 1)
        self.away = nn.Conv1d(6, inner, 1, bias=False)
        self.steps = nn.ModuleList(nn.ModuleList([Along(inner, d), Along(inner, 1)]) for d in (1, 2, 4))
        self.scores = nn.ModuleList(nn.Conv1d(inner, 1, 1) for _ in range(4))
        self.shares = nn.ModuleList(nn.Conv1d(2 * inner, inner, 1) for _ in range(3))

    def forward(self, x: Tensor, colours: Tensor, palette: Tensor) -> Tensor:
        size, many, rows = palette.shape[0], palette.shape[1] + 1, x.shape[2]
        entry = self.entry(palette)
        none = self.none.expand(size, 1, -1).to(entry.dtype)
        away = colours[:, None] - palette[..., :3, None]  # (b, k, 3, rows)
        away = torch.cat([away, away.abs()], 2)
        away = self.away(away.flatten(0, 1)).reshape(size, many - 1, -1, rows)
        away = torch.cat([away, torch.zeros_like(away[:, :1])], 1)
        z = torch.relu(self.seen(x)[:, None] + torch.cat([entry, none], 1)[..., None] + away)
        absent = torch.where(palette[..., 3] < 0, NEVER, 0.0)
        absent = torch.cat([absent, torch.zeros_like(absent[:, :1])], 1)[..., None]
        for (wide, near), score, share in zip(self.steps, self.scores, self.shares, strict=False):
            z = near(wide(z.flatten(0, 1)))
            p = score(z).float().reshape(size, many, rows) + absent
            p = torch.softmax(p, 1)[:, :, None].to(z.dtype)
            z = z.reshape(size, many, -1, rows)
            shown = (p * z).sum(1)
            shared = share(torch.cat([shown, shown.mean(2, keepdim=True).expand_as(shown)], 1))
            z = torch.relu(z + shared[:, None])
        last = self.scores[-1](z.flatten(0, 1)).float().reshape(size, many, rows)
        scores: Tensor = last + absent
        return scores


class Top(nn.Module):  # type: ignore[misc]
    """Which of a house's chips a top is: features (b, width) and its colour (b, 3), BGR 0..1, against the
    house's ``palette`` (b, k, 6) as in :class:`House`. Output: scores (b, k + 1), the last for none."""

    def __init__(self, width: int, inner: int = 48) -> None:
        super().__init__()
        self.entry = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, inner))
        self.none = nn.Parameter(torch.zeros(inner))
        self.seen = nn.Linear(width, inner)
        self.away = nn.Linear(6, inner, bias=False)
        self.steps = nn.ModuleList(nn.Linear(inner, inner) for _ in range(2))
        self.scores = nn.ModuleList(nn.Linear(inner, 1) for _ in range(3))
        self.shares = nn.ModuleList(nn.Linear(inner, inner) for _ in range(2))

    def forward(self, seen: Tensor, colour: Tensor, palette: Tensor) -> Tensor:
        entry = self.entry(palette)
        none = self.none.expand(seen.shape[0], 1, -1).to(entry.dtype)
        away = colour[:, None] - palette[..., :3]
        away = self.away(torch.cat([away, away.abs()], 2))
        away = torch.cat([away, torch.zeros_like(away[:, :1])], 1)
        z = torch.relu(self.seen(seen)[:, None] + torch.cat([entry, none], 1) + away)
        absent = torch.where(palette[..., 3] < 0, NEVER, 0.0)
        absent = torch.cat([absent, torch.zeros_like(absent[:, :1])], 1)
        for step, score, share in zip(self.steps, self.scores, self.shares, strict=False):
            p = torch.softmax(score(z)[..., 0].float() + absent, 1)[..., None].to(z.dtype)
            z = z + torch.relu(step(z) + share((p * z).sum(1))[:, None])
        scores: Tensor = self.scores[-1](z)[..., 0].float() + absent
        return scores
