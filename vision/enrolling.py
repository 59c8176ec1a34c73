"""A house's own cards: learned from a few views of each, without training.

The card reader's network knows cards, not packs. Of a pack that was enrolled it need not guess: each view is
varied as cameras vary it (smaller, blurred, lighter, partly covered, cut a little off), the last feature map
of the network is taken, and in the few directions in which the pack's own faces differ a new face is held
against each of them (linear discriminants with a shared, shrunken covariance). What they say is added to what
the general reader says, as log likelihoods.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.card_reader import CLASSES, INPUT_PX, CardReader

Faces = NDArray[np.uint8]
FACES = CLASSES.index("back") + 1
"""The classes that can be enrolled: 52 cards and the back."""
MOST_VIEWS = 6
"""Views of one face that are kept: more add little."""
_VARIED = 24
"""Pictures made of each face's views, in all, each way up."""
_SHRINK = 0.5
"""How far the covariance is drawn towards that of a ball: few views tell little of it."""
_FEW, _MANY = 0.08, 0.1
"""Weight of what the views say beside the general reader, with one view of a face and with three; from packs
that were never trained on, where each other weight named fewer cards or more of them wrongly."""
_USUAL = 0.9
"""Within the usual distance this share of the varied views lies from their own face. Beyond it views say
less and less: a face that is cut badly is far from all of them."""
_FLOOR = 0.01
"""What the general reader rules out is no less likely than this, once there are views to say otherwise."""


@dataclass(frozen=True, slots=True)
class Views:
    """Faces seen and named: ``faces`` (n, 112, 80, 3) uint8 BGR, either end up; ``names`` (n,) int into
    ``CLASSES``, cards or back."""

    faces: Faces
    names: NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.faces.shape[1:] != (*INPUT_PX, 3) or self.faces.dtype != np.uint8:
            raise ValueError(
                f"views must be (n, {INPUT_PX[0]}, {INPUT_PX[1]}, 3) uint8, not {self.faces.shape}"
            )
        if self.names.shape != (len(self.faces),) or not len(self.names):
            raise ValueError("views need as many names as faces, and one at least")
        if self.names.min() < 0 or self.names.max() >= FACES:
            raise ValueError("views are of the 52 cards and the back")

    def of(self, name: int) -> Faces:
        """The views of one class, as many as are kept."""
        return np.asarray(self.faces[self.names == name][:MOST_VIEWS], np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """What the views of one pack say, for one network's features.

    ``names`` (c,): class of each prototype, a face having two, one for each way up. ``mean`` (f,) and
    ``basis`` (f, d): the directions in which the faces differ. ``centres`` (c, d), ``precision`` (d, d).
    ``usual``: squared distance of a face from its own prototype, hardly ever exceeded by varied views;
    ``weight``: of the distances beside the general reader.
    """

    names: NDArray[np.int64]
    mean: NDArray[np.float32]
    basis: NDArray[np.float32]
    centres: NDArray[np.float32]
    precision: NDArray[np.float32]
    usual: float
    weight: float

    def distances(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Distance (n, 53) of features (n, f) from each card and the back, less that of the nearest; nought
        too for what was not enrolled. Squared while it is usual, growing slowly from there on."""
        seen = (_scaled(features) - self.mean) @ self.basis
        out = np.full((len(seen), FACES), np.inf)
        for name, centre in zip(self.names, self.centres, strict=True):
            away = seen - centre
            out[:, name] = np.minimum(out[:, name], np.einsum("ij,jk,ik->i", away, self.precision, away))
        known = np.isfinite(out)
        out = self.usual * np.log1p(np.where(known, out, 0.0) / self.usual)
        nearest = np.where(known, out, np.inf).min(axis=1, keepdims=True)
        return np.where(known, out - nearest, 0.0)


def learn(views: Views, reader: CardReader, seed: int = 0) -> Prototypes:
    """Learn a pack from its views; the same views give the same prototypes. Takes some seconds."""
    rng = np.random.default_rng(seed)
    pictures: list[Faces] = []
    names: list[int] = []
    enrolled = np.unique(views.names)
    for name in enrolled:
        own = views.of(int(name))
        for k in range(_VARIED):
            face = own[k % len(own)]
            shown = face if k < len(own) else varied(face, rng)
            pictures += [shown, np.ascontiguousarray(shown[::-1, ::-1])]
            names += [int(name), int(name) + len(CLASSES)]
    features = _scaled(reader.network(np.stack(pictures))[1])
    labels = np.array(names)
    mean = features.mean(axis=0)
    kinds = np.unique(labels)
    middles = np.stack([features[labels == kind].mean(axis=0) for kind in kinds]) - mean
    basis = np.linalg.svd(middles, full_matrices=False)[2][: max(1, len(kinds) - 1)].T
    centres = middles @ basis
    within = (features - mean) @ basis - centres[np.searchsorted(kinds, labels)]
    spread = within.T @ within / len(within)
    ball = float(np.trace(spread)) / len(spread) * np.eye(len(spread))
    precision = np.linalg.inv((1 - _SHRINK) * spread + _SHRINK * ball + 1e-9 * np.eye(len(spread)))
    own = np.einsum("ij,jk,ik->i", within, precision, within)
    each = float(np.mean([min(3, int((views.names == name).sum())) for name in enrolled]))
    return Prototypes(
        names=np.asarray(kinds % len(CLASSES), np.int64),
        mean=mean.astype(np.float32),
        basis=basis.astype(np.float32),
        centres=centres.astype(np.float32),
        precision=precision.astype(np.float32),
        usual=max(float(np.quantile(own, _USUAL)), 1e-6),
        weight=_FEW + (_MANY - _FEW) * (each - 1) / 2,
    )


class EnrolledReader:
    """Reads the cards of an enrolled pack, as :class:`vision.card_reader.CardReader` reads any."""

    def __init__(self, reader: CardReader, prototypes: Prototypes) -> None:
        self._reader = reader
        self._prototypes = prototypes

    def read(self, faces: Faces) -> NDArray[np.float32]:
        """Probabilities (n, 54) of ``CLASSES`` for each face (n, H, W, 3) uint8 BGR."""
        read, features = self._reader.seen(faces)
        return read if not len(read) else joined(read, features, self._prototypes)


def joined(
    read: NDArray[np.float32], features: NDArray[np.float32], prototypes: Prototypes
) -> NDArray[np.float32]:
    """The general reader's probabilities (n, 54) and what the enrolled views say of the same faces' features
    (n, f), together: (n, 54), rows summing to 1. How readable a face is stays as the general reader says."""
    floor = np.full(FACES, 1e-6)
    floor[prototypes.names] = _FLOOR
    score = np.log(read[:, :FACES].astype(np.float64) + floor)
    score -= prototypes.weight / 2 * prototypes.distances(features)
    named = np.exp(score - score.max(axis=1, keepdims=True))
    named *= (1 - read[:, FACES:]) / named.sum(axis=1, keepdims=True)
    return np.concatenate([named, read[:, FACES:]], axis=1).astype(np.float32)


def varied(face: Faces, rng: np.random.Generator) -> Faces:
    """A face (112, 80, 3) as another picture might show it."""
    height, width = INPUT_PX
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.normal(0, 1.6, (4, 2)) + rng.normal(0, 1.5, 2)
    matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    picture = cv2.warpPerspective(face, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    shrunk = float(np.exp(rng.uniform(np.log(0.35), 0)))
    small = (max(16, round(width * shrunk)), max(22, round(height * shrunk)))
    picture = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
    picture = cv2.resize(picture, (width, height)).astype(np.float32)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.6)))
    tint = 1 + rng.normal(0, 0.06, 3)
    lit = picture * tint * float(np.exp(rng.normal(0, 0.25))) + float(rng.normal(0, 10))
    if rng.random() < 0.35:
        _cover(lit, rng)
    lit = lit + rng.normal(0, float(rng.uniform(0, 8)), lit.shape)
    return np.clip(lit, 0, 255).astype(np.uint8)


def _cover(picture: NDArray[np.floating], rng: np.random.Generator) -> None:
    """Hide one side of a picture under some colour."""
    axis, last = int(rng.integers(2)), bool(rng.integers(2))
    deep = max(1, round(picture.shape[axis] * float(rng.uniform(0.05, 0.4))))
    part = slice(-deep, None) if last else slice(0, deep)
    picture[(part, slice(None)) if axis == 0 else (slice(None), part)] = rng.integers(0, 256, 3)


def _scaled(features: NDArray[np.float32]) -> NDArray[np.float64]:
    """Features (n, f) of one length: how bright and sharp a picture is counts for little."""
    roots = np.sqrt(np.maximum(features.astype(np.float64), 0))
    return np.asarray(roots / np.maximum(np.linalg.norm(roots, axis=1, keepdims=True), 1e-6))


def distinct(read: NDArray[np.float32], most_alike: int = 1) -> NDArray[np.int64]:
    """The likeliest naming (n,) of faces that lie beside one another, each card at most so many times.

    ``read`` (n, 54) as read; a face may also be the back or unreadable, any number of times.
    """
    logs = np.log(read.astype(np.float64) + 1e-3)
    cards = np.repeat(np.arange(FACES - 1), most_alike)
    other = FACES - 1 + logs[:, FACES - 1 :].argmax(axis=1)
    free = np.where(np.eye(len(read), dtype=np.bool_), logs[:, FACES - 1 :].max(axis=1)[:, None], -1e6)
    rows, columns = linear_sum_assignment(-np.concatenate([logs[:, cards], free], axis=1))
    out = np.zeros(len(read), np.int64)
    out[rows] = np.where(columns < len(cards), cards[np.minimum(columns, len(cards) - 1)], other[rows])
    return out
