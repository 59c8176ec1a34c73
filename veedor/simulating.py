"""Simulated journals with their truth: rounds by the book, or with errors of the kinds asked for."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets.games import SIMULATORS
from datasets.games.base import FaultKind, PlayedSession, Simulator
from rules.errors import VeedorError
from rules.journal import Header, event_line, header_line
from rules.profile_document import Profile
from veedor.choosing import choose_profile, did_you_mean, profile_document, regulation_of
from veedor.store import write_together

TRUTH = "veedor.truth/1"
_TRIES = 60
"""So many ways to spread the errors over the rounds are tried."""

Progress = Callable[[str, float, float | None], None]


def simulator_of(game: str) -> Simulator:
    """A game's simulator. Raises VeedorError, naming the nearest game."""
    if game not in SIMULATORS:
        raise did_you_mean("simulator of the game", game, SIMULATORS)
    return SIMULATORS[game]


def kinds_of(simulator: Simulator, names: Sequence[str]) -> list[FaultKind]:
    """Kinds of error by name. Raises VeedorError, naming the nearest."""
    for name in names:
        if name not in simulator.kinds:
            raise did_you_mean(f"error of {simulator.game}", name, simulator.kinds)
    return [simulator.kinds[name] for name in names]


def simulate(
    game: str,
    rounds: int,
    seed: int,
    errors: Sequence[str] = (),
    profile: str | None = None,
    variant: str | None = None,
) -> PlayedSession:
    """Play rounds of a game, each error once, at rounds that the seed chooses. The same arguments give the
    same session.

    Raises VeedorError for a game, profile, variant or error that there is not, and for errors that cannot be
    made together there.
    """
    simulator = simulator_of(game)
    kinds = kinds_of(simulator, errors)
    table = _table(game, kinds, profile, variant)
    needed = sum(kind.rounds for kind in kinds)
    if rounds < needed:
        raise VeedorError(
            f"So many errors do not fit into {rounds} round{'' if rounds == 1 else 's'}:"
            f" give --rounds {needed}."
        )
    why = ""
    for attempt in range(_TRIES):
        rng = random.Random(f"{seed}/{attempt}")
        try:
            return simulator.play(table, seed + attempt * 1_000_003, rounds, _spread(kinds, rounds, rng))
        except ValueError as error:
            why = str(error)
    raise VeedorError(f"These errors cannot be made at this table: {why}.")


def all_at_one_table(game: str, profile: str | None, variant: str | None) -> tuple[list[str], list[str]]:
    """All kinds of error that one table can have together, and those that need another table: its house would
    have to be set otherwise. Of two that exclude each other, that stays whose table more have in common."""
    simulator = simulator_of(game)
    table = choose_profile(game, profile, variant)
    document = profile_document(game, profile)
    regulation = regulation_of(game, document)
    kinds = [
        kind
        for kind in simulator.kinds.values()
        if kind.profile in (table.name, regulation) and kind.variant in (None, table.variant)
    ]
    alike = Counter(str(kind.house) for kind in kinds)
    one = _OneTable(document, kinds)
    for kind in sorted(kinds, key=lambda kind: -alike[str(kind.house)]):
        if one.against(kind) is None:
            one.add(kind)
    together = [kind.name for kind in kinds if kind in one.kinds]
    return together, [kind.name for kind in kinds if kind not in one.kinds]


class _OneTable:
    """Errors that are made at one table: each needs its house's settings, and for the rest the profile's. A
    number that the profile leaves open (a limit) may be set for one of them: the others do not mind."""

    def __init__(self, document: Mapping[str, Any], every: Sequence[FaultKind]) -> None:
        self.kinds: list[FaultKind] = []
        self._own = dict(_settings(document))
        settings = [setting for kind in every for setting in _settings(kind.house)]
        self._keys = sorted({key for key, _ in settings})
        self._numbers = {
            key for key, value in settings if isinstance(value, int) and not isinstance(value, bool)
        }
        self._fixed: dict[str, tuple[object, FaultKind]] = {}
        self._lists: dict[str, tuple[object, FaultKind]] = {}

    def _needs(self, kind: FaultKind) -> Iterator[tuple[str, object]]:
        house = dict(_settings(kind.house))
        for key in self._keys:
            value = house.get(key, self._own.get(key))
            if value is not None or key not in self._numbers:
                yield key, value

    def against(self, kind: FaultKind) -> tuple[str, FaultKind] | None:
        """A setting in which a kind of error differs from those there are, and from which of them."""
        for key, value in self._needs(kind):
            if key in self._fixed and self._fixed[key][0] != value:
                return key, self._fixed[key][1]
        for key, value in _lists(kind.house):
            if key in self._lists and self._lists[key][0] != value:
                return key, self._lists[key][1]
        return None

    def add(self, kind: FaultKind) -> None:
        """This error is made there too."""
        self.kinds.append(kind)
        for key, value in self._needs(kind):
            self._fixed.setdefault(key, (value, kind))
        for key, value in _lists(kind.house):
            self._lists.setdefault(key, (value, kind))


def _settings(entries: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, object]]:
    """The single values of a document by dotted key."""
    for key, value in entries.items():
        if isinstance(value, Mapping):
            yield from _settings(value, f"{under}{key}.")
        elif not isinstance(value, list):
            yield f"{under}{key}", value


def _lists(entries: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, object]]:
    """Its lists by dotted key, but for the cues, which are put together."""
    for key, value in entries.items():
        if isinstance(value, Mapping):
            yield from _lists(value, f"{under}{key}.")
        elif isinstance(value, list) and key != "cues":
            yield f"{under}{key}", value


def _spread(kinds: Sequence[FaultKind], rounds: int, rng: random.Random) -> dict[int, str]:
    """A round of its own for each kind, with the rounds before it that it takes."""
    spare = rounds - sum(kind.rounds for kind in kinds)
    order = rng.sample(list(kinds), len(kinds))
    gaps = sorted(rng.randint(0, spare) for _ in order)
    at, used = {}, 0
    for kind, gap in zip(order, gaps, strict=True):
        used += kind.rounds
        at[used + gap] = kind.name
    return at


def _table(game: str, kinds: Sequence[FaultKind], profile: str | None, variant: str | None) -> Profile:
    """The table, with the entries that the errors need to be judged."""
    asked = profile or (kinds[0].profile if kinds else None)
    regulation = regulation_of(game, profile_document(game, asked))
    house: dict[str, Any] = {}
    one = _OneTable(profile_document(game, asked), kinds)
    for kind in kinds:
        if kind.profile not in (asked, regulation):
            raise VeedorError(
                f"The error {kind.name} is one of {kind.profile}, not of {asked}:"
                f" give --profile {kind.profile}."
            )
        if variant is not None and kind.variant not in (None, variant):
            raise VeedorError(
                f"The error {kind.name} is one of a {kind.variant} table: give --variant {kind.variant}."
            )
        if (conflict := one.against(kind)) is not None:
            key, other = conflict
            raise VeedorError(
                f"The errors {other.name} and {kind.name} need tables that differ in {key}:"
                " simulate them apart."
            )
        one.add(kind)
        house = _merged(house, kind.house)
    wanted = next((kind.variant for kind in kinds if kind.variant is not None), None)
    return choose_profile(game, asked, variant or wanted, house)


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of both; lists are put together."""
    merged = dict(one)
    for key, value in other.items():
        match merged.get(key), value:
            case dict() as below, dict():
                merged[key] = _merged(below, value)
            case list() as known, list():
                merged[key] = [*known, *(entry for entry in value if entry not in known)]
            case _:
                merged[key] = value
    return merged


def truth_of(session: PlayedSession) -> dict[str, Any]:
    """The truth as it is written beside the journal: cards and result of each round, its errors, and the
    entries that a house's profile needs for them to be judged (``house``)."""
    house: dict[str, Any] = {}
    for fault in session.faults:
        house = _merged(house, fault.kind.house)
    return {
        "format": TRUTH,
        "game": session.game,
        "profile": session.profile.title,
        "house": house,
        "seed": session.seed,
        "rounds": [
            {
                "coup": played.coup,
                "cards": {hand: list(cards) for hand, cards in played.cards.items()},
                "result": dict(played.result),
            }
            for played in session.rounds
        ],
        "errors": [
            {
                "coup": fault.coup,
                "error": fault.kind.name,
                "rule": fault.kind.rule,
                "code": fault.kind.code,
                "spot": fault.spot,
                "lawful": sorted(fault.kind.lawful),
            }
            for fault in session.faults
        ],
    }


def write(session: PlayedSession, out: Path, progress: Progress = lambda *_: None) -> Path:
    """Write the journal to ``out`` and its truth beside it; returns the truth's file.

    Raises VeedorError if they cannot be written."""
    header = Header(table=f"simulated {session.game}", game=session.game, duration_s=_end(session))
    lines = [header_line(header)]
    for number, event in enumerate(session.events, start=1):
        lines.append(event_line(event))
        if number % 500 == 0 or number == len(session.events):
            progress("writing", number, len(session.events))
    if not out.name:
        raise VeedorError(f"{out} is no file's name. Give --out a name such as night.jsonl.")
    truth = out.with_name(f"{out.name.removesuffix('.jsonl')}.truth.json")
    text = json.dumps(truth_of(session), indent=1, ensure_ascii=False, default=str) + "\n"
    write_together({out: ("\n".join(lines) + "\n").encode(), truth: text.encode()})
    return truth


def _end(session: PlayedSession) -> float:
    return session.events[-1].t if session.events else 0.0
