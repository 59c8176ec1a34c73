"""Whose error an alert is, and which way its money went (``rules/data/who_errs.yaml``)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@unique
class Errs(StrEnum):
    """Who may have erred."""

    DEALER = "dealer"
    PLAYER = "player"
    EITHER = "either"
    """The alert does not tell; a reviewer may."""
    HOUSE = "house"
    """Another person's, the table's settings, cards or cameras."""


@unique
class Money(StrEnum):
    """What the amounts of an alert are."""

    BET = "bet"
    """Due to a bet, and what became of it."""
    PLAYER = "player"
    """Paid to a player."""
    BANK = "bank"
    """Given to the bank or to the house."""
    GIFT = "gift"
    """Given for nothing, all of it."""
    POT = "pot"
    """Given to another player than was due."""


@unique
class Work(StrEnum):
    """A part of the dealer's work."""

    DEALING = "dealing"
    """The cards: drawing, order, turning, gathering."""
    PAYING = "paying"
    """The bets: taking and paying."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Who answers for an alert. ``money``: None where it is about procedure."""

    errs: Errs
    money: Money | None = None
    work: Work = Work.DEALING


_NOBODY_AT_THE_TABLE = Answers(Errs.HOUSE)


def who_errs(game: str, code: str) -> Answers:
    """Who answers for an alert code in a game.

    >>> who_errs("punto_banco", "WRONG_DRAW").errs, who_errs("chemin_de_fer", "WRONG_DRAW").errs
    (<Errs.DEALER: 'dealer'>, <Errs.EITHER: 'either'>)
    """
    codes, games = _read()
    return games.get(game, {}).get(code) or codes.get(code, _NOBODY_AT_THE_TABLE)


def codes_named() -> frozenset[str]:
    """All codes that the data says something of."""
    codes, games = _read()
    return frozenset(codes).union(*games.values())


@cache
def _read() -> tuple[dict[str, Answers], dict[str, dict[str, Answers]]]:
    text = files("rules").joinpath("data", "who_errs.yaml").read_text(encoding="utf-8")
    document = yaml.safe_load(text)
    return _answers(document["codes"]), {game: _answers(own) for game, own in document["games"].items()}


def _answers(records: dict[str, Any]) -> dict[str, Answers]:
    return {code: _answer(record) for code, record in records.items()}


def _answer(record: dict[str, str]) -> Answers:
    money = Money(record["money"]) if "money" in record else None
    work = Work.DEALING if money is None else Work.PAYING
    return Answers(Errs(record["errs"]), money, Work(record.get("work", work)))
