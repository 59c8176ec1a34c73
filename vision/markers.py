"""Things on the felt that are neither cards nor bets: the cut card, and buttons and lammers at their places.

The detector takes a cut card for a card's back and a button for a chip. The first is told by its look: one
plain strong colour all over, which hardly any back is. The second is told by its place: at a seat's button no
bet can lie. A back so finely printed that it looks like one colour from afar is taken for a cut card where it
lies outside the hands, unless it has a lighter border.
"""

from __future__ import annotations

import cv2
import numpy as np

from rules.spots import Area, Spot
from vision.camera import Floats
from vision.chip_geometry import Image
from vision.quads import rectify

_LOOK_PX = (32, 44)
_PLAIN, _STRONG = 9.0, 30.0
"""CIE L*a*b*: nine tenths of a plain thing are nearer than this to its middle colour, whose chroma is higher
than that. On 32 cut cards and 176 backs of synthesised pictures: 88 % of the former, 7 % of the latter."""
_BORDER_LIGHTER = 15.0
"""CIE L*: what is framed by something so much lighter has a border, as most backs and no cut card have."""


def is_plain(image: Image, quad_px: Floats) -> bool:
    """Whether a card-sized thing (4, 2) shows one strong colour, as a cut card does, and no pattern."""
    whole = np.asarray(rectify(image, np.asarray(quad_px, np.float32), _LOOK_PX), np.uint8)
    smooth = cv2.GaussianBlur(whole[6:-6, 5:-5], (0, 0), 1.0).astype(np.float32) / 255
    colours = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    middle = np.median(colours, axis=0)
    away = np.linalg.norm(colours - middle, axis=1)
    if np.percentile(away, 90) >= _PLAIN or np.hypot(middle[1], middle[2]) <= _STRONG:
        return False
    light = cv2.cvtColor(whole.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[..., 0]
    sides = (light[:3, 5:-5].max(0), light[-3:, 5:-5].max(0), light[6:-6, :3].max(1), light[6:-6, -3:].max(1))
    framed = sum(bool(np.median(side) > middle[0] + _BORDER_LIGHTER) for side in sides)
    return framed < 3


def may_be_cut_card(spot: Spot) -> bool:
    """Whether a plain card at a spot is the cut card: in a hand it is a card with a plain back."""
    return spot.area is not Area.HAND


def is_button(spot: Spot) -> bool:
    """Whether what lies at a spot is a button or a lammer: nothing else belongs there."""
    return spot.area is Area.BET and spot.bet == "button"
