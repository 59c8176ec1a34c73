"""What a person names on the command line: a game, a profile, a kind of table; and the nearest right name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rules.catalogue import rule_rows
from rules.errors import ProfileError, VeedorError
from rules.games import game_named
from rules.profile_document import Profile, resolve, shipped_names
from rules.profiles import read_profile
from veedor.yaml_file import read_yaml


def did_you_mean(what: str, name: str, known: Iterable[str]) -> VeedorError:
    """The error for a name that there is not: says the nearest right one, or all."""
    names = list(known)
    close = difflib.get_close_matches(name, names, 1, 0.5) or difflib.get_close_matches(
        name.upper(), names, 1, 0.5
    )
    if close:
        return VeedorError(f"There is no {what} {name!r}: did you mean {close[0]!r}?")
    return VeedorError(f"There is no {what} {name!r}: there are {', '.join(names) or 'none'}.")


def regulations(game: str) -> tuple[str, ...]:
    """The regulations that have rows for a game, in the order of the catalogue."""
    return tuple(dict.fromkeys(row.regulation for row in rule_rows().values() if row.game == game))


def profile_names(game: str) -> tuple[str, ...]:
    """The profiles of a game that come with veedor: the regulations' first, in the catalogue's order."""
    names = shipped_names(game)
    first = [name for name in regulations(game) if name in names]
    return (*first, *(name for name in names if name not in first))


def profile_document(game: str, profile: str | None) -> dict[str, Any]:
    """A profile's whole document: by its name (default: the first), or by the path of a house's own file.

    Raises VeedorError for a profile that there is not.
    """
    game_named(game)
    names = profile_names(game)
    if profile is None and not names:
        raise VeedorError(f"There is no profile of {game} yet.")
    name = names[0] if profile is None else profile
    if name in names:
        return resolve({"profile": name, "extends": name, "game": game}, game)
    path = Path(name)
    if not _there(path):
        raise did_you_mean(f"profile of {game}", name, names)
    document, _ = read_yaml(path, "profile")
    if not isinstance(document, dict):
        raise VeedorError(f"The profile {path} holds no keys: begin it with 'extends: {names[0]}'.")
    return resolve({"profile": path.stem, "game": game} | document, game)


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no file can have
        return False


def variants(document: dict[str, Any]) -> Sequence[str]:
    """The kinds of table a document knows, none if it does not tell them apart."""
    known = document.get("variants")
    return tuple(map(str, known)) if isinstance(known, dict | list) else ()


def choose_profile(
    game: str,
    profile: str | None = None,
    variant: str | None = None,
    house: dict[str, Any] | None = None,
) -> Profile:
    """A table's profile. Where a kind of table must be said and is not, it is the last one of the document.

    ``house``: entries on top. Raises VeedorError, naming the nearest right name.
    """
    document = profile_document(game, profile)
    known = variants(document)
    if variant is not None and variant not in known:
        raise did_you_mean(f"variant of {document['profile']}", variant, known)
    if known and (variant is not None or document.get("variant") is None):
        document["variant"] = variant or known[-1]
    name = str(document["profile"])
    try:
        return read_profile(_laid_over(document, house or {}), f"profile {name}")
    except ProfileError as error:
        raise VeedorError(str(error)) from None


def _laid_over(document: dict[str, Any], house: dict[str, Any]) -> dict[str, Any]:
    """A house's entries over a whole document, part by part."""
    merged = dict(document)
    for key, value in house.items():
        below = merged.get(key)
        merged[key] = (
            _laid_over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return merged


def regulation_of(game: str, document: dict[str, Any]) -> str | None:
    """The regulation whose rows a profile's tables are judged by; None if that cannot be told."""
    known = regulations(game)
    for name in (document.get("regulation"), document.get("profile")):
        if name in known:
            return str(name)
    return known[0] if len(known) == 1 else None
