"""The card reader's network: a small residual CNN with a head that keeps the places of pips (PyTorch).

PyTorch is needed here only (the ``train`` extra); the running system uses the exported ONNX file.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.card_reader import CLASSES, INPUT_PX

WIDTHS = (16, 32, 64, 128)


def conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class _Residual(nn.Module):  # type: ignore[misc]  # torch is untyped here
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class CardNet(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """Logits of the 54 classes, and of rank (13) and suit (4), which steady the training.

    Takes (n, 3, 112, 80) float BGR in -1..1. The last feature map keeps its 7 by 5 places up to the head:
    where pips are tells the rank, which an average over places would blur.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.body = nn.Sequential(
            *(conv(3, a, 2), conv(a, b, 2), _Residual(b)),
            *(conv(b, c, 2), _Residual(c), _Residual(c)),
            *(conv(c, d, 2), _Residual(d)),
            *(nn.Conv2d(d, 64, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)),
        )
        places = (INPUT_PX[0] // 16) * (INPUT_PX[1] // 16)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(64 * places, 192), nn.ReLU(inplace=True)
        )
        self.classes = nn.Linear(192, len(CLASSES))
        self.rank, self.suit = nn.Linear(192, 13), nn.Linear(192, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.head(self.body(x))
        return self.classes(features), self.rank(features), self.suit(features)


def normalise(faces: Tensor) -> Tensor:
    """(n, 112, 80, 3) uint8 BGR to the network's (n, 3, 112, 80) float in -1..1."""
    return faces.permute(0, 3, 1, 2).float() / 127.5 - 1.0


class Exported(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """What the ONNX file holds: uint8 faces in, calibrated probabilities out, and the last feature map.

    The features (n, 2240) are what a house's own cards are told apart by once they are enrolled.
    """

    def __init__(self, net: CardNet, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, faces: Tensor) -> tuple[Tensor, Tensor]:
        features = self.net.body(normalise(faces))
        logits = self.net.classes(self.net.head(features))
        return torch.softmax(logits / self.temperature, dim=1), features.flatten(1)
