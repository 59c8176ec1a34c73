"""The networks that veedor uses."""

from __future__ import annotations

from vision.card_reader import FACES
from vision.chips import SIDE
from vision.corners import CORNER_FINDER, CORNER_READER
from vision.detector import DETECTOR
from vision.standing import PLACE
from vision.weights import Weights

NETWORKS: tuple[Weights, ...] = (DETECTOR, FACES, CORNER_READER, CORNER_FINDER, PLACE, SIDE)
"""Without these nothing can be reviewed."""
