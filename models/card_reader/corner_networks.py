"""The networks for corner indices (PyTorch): a finder over whole pictures and a reader of single indices."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate

from models.card_reader.network import conv
from vision.corners import CROP_PX, NO_INDEX


class _Residual(nn.Module):  # type: ignore[misc]  # torch is untyped here
    def __init__(self, width: int, spread: int = 1) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, spread, spread, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class CornerFinder(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """(n, 3, H, W) float BGR in -1..1 to (n, 7, H/4, W/4): the logit of an index, the offset of its middle
    from the cell's (cells), the card's short side and long side as vectors (100 px)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), _Residual(32))
        self.deep = nn.Sequential(
            conv(32, 64, 2), _Residual(64), _Residual(64, 2), _Residual(64, 3), _Residual(64)
        )
        self.join = conv(96, 48)
        self.head = nn.Conv2d(48, 7, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        fine = self.stem(x)
        deep = interpolate(self.deep(fine), scale_factor=2.0, mode="nearest")
        return self.head(self.join(torch.cat([fine, deep], dim=1)))


class CornerNet(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """(n, 3, 56, 36) float BGR in -1..1 to logits of the 53 classes, of rank (13) and of suit (4)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *(nn.Conv2d(3, 32, 5, 2, 2, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True)),
            *(_Residual(32), _Residual(32)),
            *(conv(32, 64, 2), _Residual(64)),
            *(conv(64, 96, 2), _Residual(96)),
        )
        places = -(-CROP_PX[0] // 8) * -(-CROP_PX[1] // 8)
        self.neck = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(96 * places, 128), nn.ReLU(inplace=True)
        )
        self.classes, self.rank, self.suit = (
            nn.Linear(128, NO_INDEX + 1),
            nn.Linear(128, 13),
            nn.Linear(128, 4),
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.neck(self.body(x))
        return self.classes(features), self.rank(features), self.suit(features)


class ExportedFinder(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """What the finder's ONNX file holds: one uint8 picture (1, H, W, 3) in, maps (7, H/4, W/4) out."""

    def __init__(self, net: CornerFinder) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: Tensor) -> Tensor:
        maps = self.net(picture.permute(0, 3, 1, 2).float() / 127.5 - 1.0)[0]
        return torch.cat([torch.sigmoid(maps[:1]), maps[1:]])


class ExportedReader(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """What the reader's ONNX file holds: uint8 indices (n, 56, 36, 3) in, probabilities (n, 53) out."""

    def __init__(self, net: CornerNet, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, crops: Tensor) -> Tensor:
        x = crops.permute(0, 3, 1, 2).float() / 127.5 - 1.0
        return torch.softmax(self.net(x)[0] / self.temperature, dim=1)
