"""Things on the felt that are neither cards nor bets: the cut card, and buttons and lammers at their places.

The detector takes a cut card for a card's back and a button for a chip. The first is told by its look: one
plain strong colour all over, without any print. The second is told by its place: at a seat's button no bet
can lie. A back so finely printed that no camera shows its pattern looks like a cut card, unless it has a
lighter border; but there is one cut card, and there are many backs: two of one colour at once are cards.
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
_PRINT, _PRINT_PX = 0.75, (0.6, 2.0)
"""CIE L*, root of the mean square: so much a print leaves between two blurs of a thing at its size in the
picture. Of 148 rendered cut cards none leaves more than 0.3 (in noise of 4 levels 0.55, of 8 levels 1.0), of
11 backs of otherwise one colour nine leave more than 0.9."""
_ALIKE = np.array([25.0, 12.0, 12.0])
"""CIE L*, a*, b*: things of one colour differ by no more, wherever on the table they lie."""


def plain_tint(image: Image, quad_px: Floats) -> Floats | None:
    """The colour (3,), CIE L*a*b*, of a card-sized thing (4, 2) that shows one strong colour and no pattern,
    as a cut card does; None of anything else."""
    whole = np.asarray(rectify(image, np.asarray(quad_px, np.float32), _LOOK_PX), np.uint8)
    smooth = cv2.GaussianBlur(whole[6:-6, 5:-5], (0, 0), 1.0).astype(np.float32) / 255
    colours = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    middle = np.median(colours, axis=0)
    away = np.linalg.norm(colours - middle, axis=1)
    if np.percentile(away, 90) >= _PLAIN or np.hypot(middle[1], middle[2]) <= _STRONG:
        return None
    light = cv2.cvtColor(whole.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[..., 0]
    sides = (light[:3, 5:-5].max(0), light[-3:, 5:-5].max(0), light[6:-6, :3].max(1), light[6:-6, -3:].max(1))
    framed = sum(bool(np.median(side) > middle[0] + _BORDER_LIGHTER) for side in sides)
    return None if framed >= 3 or _is_printed(image, quad_px) else np.asarray(middle, np.float64)


def _is_printed(image: Image, quad_px: Floats) -> bool:
    """Whether a card-sized thing (4, 2) shows a pattern, however fine, at the size that it has."""
    quad = np.asarray(quad_px, np.float32)
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    size = max(16, round(float(sides[[0, 2]].mean()))), max(16, round(float(sides[[1, 3]].mean())))
    light = cv2.cvtColor(rectify(image, quad, size).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[..., 0]
    fine, coarse = (cv2.GaussianBlur(light, (0, 0), sigma) for sigma in _PRINT_PX)
    x, y = (max(3, round(0.12 * side)) for side in size)
    return float(np.sqrt(np.mean((fine - coarse)[y:-y, x:-x] ** 2))) > _PRINT


def are_alike(one: Floats, other: Floats) -> bool:
    """Whether two tints (3,), CIE L*a*b*, are one colour."""
    return bool((np.abs(one - other) <= _ALIKE).all())


def may_be_cut_card(spot: Spot) -> bool:
    """Whether a plain card at a spot is the cut card: in a hand it is a card with a plain back."""
    return spot.area is not Area.HAND


def is_button(spot: Spot) -> bool:
    """Whether what lies at a spot is a button or a lammer: nothing else belongs there."""
    return spot.area is Area.BET and spot.bet == "button"
