"""Names a card from its whole rectified face: a small network for the face, one for its corners.

The first reads pips and figures as well as indices, upright or upside down; the second reads the corners
alone, which say the same on every pack. A face that cannot be made out gives low probabilities or
``unreadable``, never a confident guess. Identity is evidence summed over frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card, Rank
from vision.corners import READER as CORNER_WEIGHTS
from vision.corners import IndexReader
from vision.indices import read_indices, with_indices
from vision.weights import Weights

CLASSES: tuple[str, ...] = (*(str(card) for card in PACK), "back", "unreadable")
"""What the network tells apart, in the order of its outputs: 52 cards, a back, no readable card."""

INPUT_PX = (112, 80)
"""Height and width of the network's input."""

FACES = Weights(
    "card_reader/card_reader.onnx",
    "names a card from its whole face",
    inputs={"faces": (None, *INPUT_PX, 3)},
    outputs={"probabilities": (None, len(CLASSES)), "features": (None, None)},
)
WEIGHTS = FACES.path
_BATCH = 64
_CLEAR = 0.97
_FIGURES = np.array([*(card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING) for card in PACK), True, True])
_MISTAKEN = 0.04
"""Share of frames that may show something else than they seem to: bounds what one frame can say."""
_FRAMES_SHARE = 0.15
"""How much of each further frame's evidence is new: a camera's frames share blur, light, and how strange the
pack is. With 0.35, of 1,093 cards of unseen packs 16 were named wrongly instead of 7, 29 fewer left open."""
_LEAST_SEEN = 0.35
"""Evidence of this many whole readable frames is needed to name a card at all."""
SURELY, FEW = 0.95, 6
"""A card is one of a few where they are as likely as this together; more would tell little."""


class CardReader:
    """Reads rectified faces.

    ``path`` and ``corners`` name other ONNX files than the project's own; ``threads`` is the number of CPU
    threads. Raises ModelError, naming the file and the remedy, when the weights are missing or are not a card
    reader's.
    """

    def __init__(self, path: Path | None = None, threads: int = 1, corners: Path | None = None) -> None:
        self.path = WEIGHTS if path is None else path
        self._session = FACES.open(threads, self.path)
        self._input = self._session.get_inputs()[0].name
        self._indices = IndexReader(CORNER_WEIGHTS if corners is None else corners, threads)

    def read(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Probabilities of ``CLASSES`` for each face.

        ``faces`` (n, H, W, 3) uint8 BGR: rectified so that the card fills the picture, long side upright,
        either end up; of any size (best cut at the size that it has in the picture, not enlarged). Returns
        (n, 54) float32, rows summing to 1.
        """
        return self.seen(faces)[0]

    def seen(self, faces: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What :meth:`read` gives, and the features (n, f) float32 by which packs can be told apart that the
        network does not know (:mod:`vision.enrolling`)."""
        if faces.ndim != 4 or faces.shape[3] != 3 or faces.dtype != np.uint8:
            raise ValueError(f"faces must be (n, H, W, 3) uint8 BGR, not {faces.shape} {faces.dtype}")
        if not len(faces):
            return np.zeros((0, len(CLASSES)), np.float32), np.zeros((0, 0), np.float32)
        sized = np.stack([fit(face) for face in faces])
        read, features = self.network(sized)
        # Clear pips need no second look; a figure does, however clear.
        best = read.argmax(axis=1)
        doubtful = np.flatnonzero((read.max(axis=1) < _CLEAR) | _FIGURES[best])
        if len(doubtful):
            read[doubtful] = with_indices(read[doubtful], read_indices(sized[doubtful], self._indices.read))
        return read, features

    def network(self, sized: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The face network's probabilities (n, 54) and features (n, f) of (n, 112, 80, 3) uint8 BGR alone."""
        parts = [
            self._session.run(["probabilities", "features"], {self._input: sized[i : i + _BATCH]})
            for i in range(0, len(sized), _BATCH)
        ]
        read, features = (np.concatenate(both) for both in zip(*parts, strict=True))
        return read.astype(np.float32), features.astype(np.float32)


def fit(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A face (H, W, 3) at the network's size, averaged when it shrinks: (112, 80, 3) uint8."""
    height, width = INPUT_PX
    if face.shape[:2] == INPUT_PX:
        return face
    shrinks = face.shape[0] > height and face.shape[1] > width
    way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(face, (width, height), interpolation=way), np.uint8)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a card's frames say together: the card, or None where they do not suffice, and its probability."""

    card: Card | None
    p: float


def sum_evidence(
    readings: NDArray[np.float32],
    weights: NDArray[np.float32] | None = None,
    cameras: Sequence[int] | None = None,
) -> Identity:
    """The card that several readings of one and the same card show together.

    ``readings`` (n, 54) as from ``CardReader.read``; ``weights`` (n,) 0..1 lowers frames known to be poor
    (moving, partly covered). Each frame adds the logarithm of its probabilities, as far as it shows a
    readable face at all; what one frame can add is bounded, so that a single bad one is outvoted, and further
    frames count for less than the first, since they share its faults. ``cameras`` (n,): a number for the
    camera of each, left out if there is one; what several cameras say is added whole, for they share neither
    blur nor glare. ``p`` is the probability of the best card; with too little evidence ``card`` is None.
    """
    posterior = _posterior(readings, weights, cameras)
    if posterior is None:
        return Identity(None, 0.0)
    best = int(posterior.argmax())
    return Identity(PACK[best], float(posterior[best]))


def few(looks: Sequence[NDArray[np.floating]], cameras: Sequence[int] | None = None) -> tuple[str, ...]:
    """The few cards of which the one that looks (54,) show (as :func:`sum_evidence`) surely is one, the
    likeliest first: figures of a pack never seen look like figures, though not like which. Empty where they
    are not few."""
    posterior = _posterior(np.asarray(looks, np.float32), None, cameras) if len(looks) else None
    if posterior is None:
        return ()
    order = np.argsort(-posterior)[:FEW]
    reached = np.cumsum(posterior[order]) >= SURELY
    return tuple(str(PACK[index]) for index in order[: int(reached.argmax()) + 1]) if reached.any() else ()


def _posterior(
    readings: NDArray[np.float32],
    weights: NDArray[np.float32] | None,
    cameras: Sequence[int] | None,
) -> NDArray[np.float64] | None:
    """(52,): the probability of each card, None with too little evidence."""
    if readings.ndim != 2 or readings.shape[1] != len(CLASSES):
        raise ValueError(f"readings must be (n, {len(CLASSES)}), not {readings.shape}")
    cards = readings[:, : len(PACK)].astype(np.float64)
    readable = cards.sum(axis=1)
    share = readable if weights is None else readable * np.asarray(weights, np.float64)
    total = float(share.sum())
    if total < _LEAST_SEEN:
        return None
    p = cards / np.maximum(readable, 1e-9)[:, None]
    p = (1 - _MISTAKEN) * p + _MISTAKEN / len(PACK)
    whose = np.zeros(len(share), np.intp) if cameras is None else np.asarray(cameras)
    score = np.zeros(len(PACK))
    for camera in dict.fromkeys(whose.tolist()):
        own = whose == camera
        score += _one_camera(share[own], np.log(p[own]))
    posterior = np.exp(score - score.max())
    return np.asarray(posterior / posterior.sum())


def _one_camera(share: NDArray[np.float64], log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """(52,): what one camera's frames say together. ``share`` (n,): how far each shows a readable face."""
    total = float(share.sum())
    if total <= 0:
        return np.zeros(len(PACK))
    effective = min(total, 1.0) + _FRAMES_SHARE * max(total - 1.0, 0.0)
    return np.asarray((share[:, None] * log_p).sum(axis=0) / total * effective)
