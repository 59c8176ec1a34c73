"""Layout drawings by file or by the name of one that comes with the product, and the names a game has."""

from __future__ import annotations

import difflib
from pathlib import Path

from datasets.layouts import path_of, shipped
from rules.games import GAMES
from rules.profile_document import Profile, resolve, shipped_names
from rules.spots import Spot, hand_spot
from vision.errors import LayoutError
from vision.layout import Layout, takes_bets
from vision.layout_check import Words


def find(file_or_name: str) -> Path:
    """The drawing's file. Raises LayoutError if there is neither such a file nor a shipped one."""
    path = Path(file_or_name)
    if path.exists() or path.suffix:
        return path
    if file_or_name in shipped():
        return path_of(file_or_name)
    close = difflib.get_close_matches(file_or_name, shipped(), 1, 0.5)
    hint = f"did you mean {close[0]}?" if close else f"the names are {', '.join(shipped())}."
    raise LayoutError(
        f"There is no file {file_or_name}, and no drawing of that name comes with veedor: {hint}"
    )


def words_of(game: str) -> Words:
    """The names that a game has: those of its profiles, and of the drawings that come with it.

    Raises LayoutError for a game that nothing is known of.
    """
    profiles = _profiles(game)
    drawn = [Layout.read(path_of(name)) for name in shipped()]
    spots = {zone.spot for layout in drawn if layout.game == game for zone in layout.zones}
    if not profiles and not spots:
        games = sorted({*GAMES, *(layout.game for layout in drawn if layout.game)})
        close = difflib.get_close_matches(game, games, 1)
        hint = f"did you mean {close[0]}?" if close else f"the games are {', '.join(games)}."
        raise LayoutError(f"There is no game {game!r}: {hint}")
    hands = {spot.hand for spot in spots if spot.hand} | {hand for p in profiles for hand in p.hands}
    return Words(
        game,
        frozenset({b for p in profiles for b in p.bets} | {s.bet or "" for s in spots if takes_bets(s)}),
        frozenset(hands),
        _needs(profiles),
        profiles[0].bets[:2] if game == "punto_banco" and profiles else (),
    )


def _needs(profiles: list[Profile]) -> frozenset[Spot]:
    common = [frozenset(hand_spot(hand) for hand in profile.hands) for profile in profiles]
    return frozenset.intersection(*common) if common else frozenset()


def _profiles(game: str) -> list[Profile]:
    """Each of a game's shipped profiles, in its first variant."""
    if game not in GAMES:
        return []
    found: list[Profile] = []
    for name in shipped_names(game):
        document = dict(resolve({"profile": name, "extends": name, "game": game}, game))
        if document.get("variant") is None and document.get("variants"):
            document["variant"] = next(iter(document["variants"]))
        found.append(GAMES[game].read_profile(document))
    return found
