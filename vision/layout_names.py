"""Meanings by name: what an object of a drawing is if a person named it so, without any attribute.

Programs that cannot add attributes can name objects (Inkscape's label, Illustrator's layer names):

    seat 3 punto                                  a spot's zone
    seat 3 punto, half outline                    ... whose sides halve bets
    half line of seat 3 punto                     a line that halves bets there
    split line of seat 3 punto and seat 3 banca   a line that splits a bet between two spots
    felt edge                                     the felt's edge
"""

from __future__ import annotations

import re

from rules.spots import Spot

_HALF_ZONE = re.compile(r"(.+?)\s*,\s*half outline")
_HALF = re.compile(r"half line of (.+?)(?: \d+)?")
_SPLIT = re.compile(r"split line of (.+?) and (.+?)(?: \d+)?")


def meaning_of_label(label: str) -> dict[str, str]:
    """The attributes that a name stands for; empty for an ordinary name.

    >>> meaning_of_label("half line of seat 3 punto")
    {'data-line': 'half line of seat 3 punto', 'data-halves': 'seat 3 punto'}
    """
    text = " ".join(label.split())
    if text == "felt edge":
        return {"data-felt": "edge"}
    if (found := _HALF_ZONE.fullmatch(text)) and _is_spot(found[1]):
        return {"data-spot": found[1], "data-half-line": "outline"}
    if (found := _SPLIT.fullmatch(text)) and _is_spot(found[1]) and _is_spot(found[2]):
        return {"data-line": text, "data-splits": f"{found[1]}|{found[2]}"}
    if (found := _HALF.fullmatch(text)) and _is_spot(found[1]):
        return {"data-line": text, "data-halves": found[1]}
    return {"data-spot": text} if _is_spot(text) else {}


def _is_spot(text: str) -> bool:
    try:
        Spot.parse(text)
    except ValueError:
        return False
    return True
