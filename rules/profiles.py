"""Profiles by name: what a regulation, or a house that extends one, prescribes at a table, as data."""

from __future__ import annotations

from typing import Any

from rules.errors import ProfileError
from rules.games import game_named
from rules.profile_document import Document, Profile, resolve


def load_profile(
    name: str, variant: str | None = None, house: Document | None = None, game: str = "punto_banco"
) -> Profile:
    """One of the product's profiles, with a house's own entries on top.

    ``variant``: one of the profile's variants (needed unless it fixes one). ``house``: the same keys as in
    the profile's file, only those that differ. Raises ProfileError, a sentence naming the key and the remedy.

    >>> load_profile("andorra_2016", "mini").title
    'andorra_2016/mini'
    """
    document: dict[str, Any] = {"profile": name, "extends": name, "game": game}
    if variant is not None:
        document["variant"] = variant
    return read_profile(document | dict(house or {}))


def read_profile(document: Document, name: str = "the profile") -> Profile:
    """A profile from its document (a parsed YAML file), which names its ``game``.

    Raises ProfileError; ``name`` is said in it.
    """
    try:
        game = game_named(document.get("game"))
        profile: Profile = game.read_profile(resolve(document, game.name))
        return profile
    except ProfileError as error:
        raise ProfileError(f"In {name}, {error}") from None
    except (TypeError, AttributeError, KeyError, IndexError, OverflowError) as error:
        # The document is anybody's: an entry may have a form that no game expects.
        raise ProfileError(
            f"In {name}, an entry has another form than in the regulation's document ({error}):"
            " write it as it stands there."
        ) from error
