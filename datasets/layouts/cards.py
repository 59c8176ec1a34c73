"""The felts of the games in which players hold cards: no-discard poker, Trijoker, circle poker.

Seat 1 is on the dealer's left: cards are dealt to it first.
"""

from __future__ import annotations

import itertools
import math

from datasets.layouts.baccarat import table
from datasets.layouts.pen import BLUE, GREEN, WINE, Felt, Point, Ring, disc, rounded, tilted


def _towards_dealer(ring: Ring, angle: float, inset: float, aside: float = 0.0) -> tuple[Point, float]:
    """A point before a seat, ``aside`` mm to the player's right, and the turn of what faces him."""
    turn = ring.outward(angle, inset) - 90
    x, y = ring.at(angle, inset)
    a = math.radians(turn)
    return (x + aside * math.cos(a), y + aside * math.sin(a)), turn


def _hand(felt: Felt, ring: Ring, seat: int, angle: float, inset: float, size: tuple[float, float]) -> None:
    """Where a player's cards lie, and his number at their outer edge."""
    at, turn = _towards_dealer(ring, angle, inset)
    felt.zone(f"hand seat_{seat}", tilted(at, *size, turn), ink=felt.inks.accent + "aa", width=2, dash="9 6")
    a, out = math.radians(turn), size[1] / 2 + 23
    felt.number(str(seat), (at[0] - out * math.sin(a), at[1] + out * math.cos(a)), 16, turn)


def no_discard_poker() -> Felt:
    """Seven boxes, each with ante and, in front, the second bet; at their sides the other bets."""
    ring = Ring((1000, 60), 980, 850)
    felt = Felt("No-discard poker", "no_discard_poker", (0, -50, 2000, 1010), GREEN)
    table(felt, ring, 0)
    marks = ring.spread(7, 13, 167, 240)
    for seat, (first, last) in enumerate(itertools.pairwise(marks), 1):
        middle = (first + last) / 2
        _hand(felt, ring, seat, middle, 126, (230, 104))
        at, turn = _towards_dealer(ring, middle, 232)
        felt.zone(f"seat {seat} ante", tilted(at, 104, 84, turn))
        felt.words("ANTE", at, 24, turn, bold=True)
        at, turn = _towards_dealer(ring, middle, 338)
        felt.zone(f"seat {seat} second", tilted(at, 104, 84, turn))
        felt.words("DOBLE", at, 22, turn, bold=True)
        at, turn = _towards_dealer(ring, middle, 262, -88)
        felt.zone(f"seat {seat} insurance", disc(at, 27), ink=felt.inks.accent, width=3)
        felt.words("ASSEG.", at, 11, turn, ink=felt.inks.accent)
        at, turn = _towards_dealer(ring, middle, 262, 88)
        felt.zone(f"seat {seat} progressive", disc(at, 27), ink="#e06a5a", width=3)
        felt.words("PROGR.", at, 11, turn, ink="#f0a090")
        at, turn = _towards_dealer(ring, middle, 344, 82)
        felt.zone(f"seat {seat} exchange", disc(at, 23), width=2, dash="5 5")
        felt.words("CARTA", at, 11, turn)
    felt.place("hand banca", 770, 128, 460, 122, "")
    felt.cards(792, 144, 5, 25)
    felt.words("BANCA JUGA AMB AS I REI O MILLOR", (1000, 274), 20)
    felt.words("PÒQUER  SENSE  DESCART", (1000, 330), 38, ink=felt.inks.accent, spacing=0.2)
    felt.flourish((1000, 372), 420)
    _dealer_side(felt, 1000)
    return felt


def _dealer_side(felt: Felt, cx: float, *, deck: bool = True) -> None:
    felt.place("float", cx - 230, 34, 460, 62, "")
    felt.rule("".join(f"M{cx - 173 + 58 * k:g} 40v50" for k in range(7)), 1.5)
    if deck:
        felt.place("deck", cx + 300, 36, 100, 130, "BARALLA")
    felt.place("discard", cx - 440, 36, 120, 130, "DESCARTS")
    felt.slot("tips", cx + 430, 40, "PROPINES", 80)


def trijoker() -> Felt:
    """Seven places with three boxes each; of the two community boxes the first is on the dealer's left."""
    ring = Ring((1000, 60), 980, 830)
    felt = Felt("Trijoker", "trijoker", (0, -50, 2000, 990), WINE)
    table(felt, ring, 0)
    marks = ring.spread(7, 13, 167, 240)
    for seat, (first, last) in enumerate(itertools.pairwise(marks), 1):
        middle = (first + last) / 2
        _hand(felt, ring, seat, middle, 126, (240, 104))
        for k, aside in enumerate((-80, 0, 80), 1):
            at, turn = _towards_dealer(ring, middle, 238 if k != 2 else 282, aside)
            felt.zone(f"seat {seat} bet_{k}", disc(at, 35))
            felt.words(str(k), at, 34, turn, bold=True)
    for k, x in ((1, 1020.0), (2, 800.0)):
        felt.place(f"hand community_{k}", x, 150, 180, 130, "")
        felt.cards(x + 58, 171, 1)
        felt.words(("PRIMERA", "SEGONA")[k - 1], (x + 90, 302), 20)
    felt.words("TRIJOKER", (1000, 378), 66, ink=felt.inks.accent, spacing=0.3)
    felt.flourish((1000, 436), 460)
    felt.words("PARELLA DE J O MILLOR", (1000, 474), 22, spacing=0.15)
    _dealer_side(felt, 1000)
    return felt


def circle_poker() -> Felt:
    """The oval: ten seats, the pot, the board, places for the button, burn, rake and tips."""
    ring = Ring((1320, 600), 1290, 580)
    felt = Felt("Circle poker and Texas hold'em", "circle_poker", (0, -20, 2640, 1240), BLUE)
    table(felt, ring, 0, oval=True)
    felt.rule(ring.arc(242, -62, 205), 3)
    marks = ring.spread(10, -58, 238, 180)
    for seat, (first, last) in enumerate(itertools.pairwise(marks), 1):
        middle = (first + last) / 2
        _hand(felt, ring, seat, middle, 126, (150, 100))
        felt.zone(f"seat {seat} bet", ring.cell(first, last, 222, 330, 10))
        at, turn = _towards_dealer(ring, middle, 126, 118)
        felt.zone(f"seat {seat} button", disc(at, 27), ink=felt.inks.accent, width=2, dash="5 5")
        felt.words("D", at, 22, turn, ink=felt.inks.accent, opacity=0.6)
    felt.place("community", 1085, 470, 470, 126, "")
    felt.cards(1104, 489, 5, 29.5)
    felt.zone("pot", rounded(1150, 640, 340, 120, 60))
    felt.words("POT", (1320, 700), 34, bold=True)
    felt.place("burn", 960, 475, 92, 116, "CREMADES")
    felt.place("deck", 1590, 475, 92, 116, "BARALLA")
    felt.place("float", 1170, 62, 300, 66, "")
    felt.rule("".join(f"M{1220 + 50 * k:g} 68v54" for k in range(5)), 1.5)
    felt.place("discard", 1090, 190, 110, 130, "DESCARTS")
    felt.slot("cagnotte", 1240, 200, "CASA")
    felt.slot("tips", 1370, 200, "PROPINES")
    felt.words("CERCLE  DE  PÒQUER", (1320, 405), 46, ink=felt.inks.accent, spacing=0.22)
    return felt
