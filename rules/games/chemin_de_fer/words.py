"""The game's own words: its sides, its bets, and the places of the bank's money."""

from __future__ import annotations

from rules.spots import Area, Spot

PUNTO, BANCA = "punto", "banca"
SIDES = (PUNTO, BANCA)
"""The hands: of the one opponent, and of the banker."""

ABONAMENT = "abonament"
"""The bet for the bank, once it is covered; the bet against it is ``punto``."""

BANK = Spot(Area.BANK)
GARAGE = Spot(Area.GARAGE)
CAGNOTTE = Spot(Area.CAGNOTTE)
