"""The rules as data: each row of the regulation with its id, wording, article, alert codes and class.

The rows stand in ``rules/data/rules/<game>/<regulation>.yaml``, where they can be read beside the text; this
module gives them types. Nothing here judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from rules.findings import Severity

_FILES = (
    "punto_banco/andorra_2016",
    "punto_banco/mediterraneo",
    "punto_banco/uruguay_1977",
    "chemin_de_fer/andorra_2016",
    "banque_deux_tableaux/andorra_2016",
    "trente_et_quarante/spain_1979",
    "trijoker/andorra_2016",
    "no_discard_poker/andorra_2016",
    "circle_poker/andorra_2016",
    "circle_poker/mediterraneo",
    "house/house",
)
"""Game and regulation of each file of rows, in the order in which rules are listed."""


@unique
class RuleClass(StrEnum):
    """What it takes to judge a rule."""

    A = "A"
    """Cameras suffice."""
    B = "B"
    """Needs a setting of the table, or a cue that cameras cannot see."""
    C = "C"
    """Not for cameras: staff, papers, rulings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """One row. ``game``, ``regulation``: whose row it is (``house``: any game's).

    ``article``: where it stands; ``quote``: words that find it there (null where no text has it).
    ``standard``: the text is silent or refers to a missing annex, and the row is usual practice. ``tables``:
    the variants it is for, empty where there are none. ``resolution``: what the text prescribes on a breach,
    None where it prescribes nothing. ``needs``: for class B, what has to be set or told first.
    """

    id: str
    game: str
    regulation: str
    rule: str
    article: str
    quote: str | None
    codes: tuple[str, ...]
    rule_class: RuleClass
    tables: tuple[str, ...]
    standard: bool = False
    resolution: str | None = None
    needs: str | None = None

    @property
    def cited(self) -> str:
        """The article as findings cite it, with its locating quotation and whether it is usual practice."""
        text = self.article if self.quote is None else f"{self.article}: «{self.quote}»"
        return f"{text} (the table itself is usual practice)" if self.standard and self.quote else text


@unique
class Sight(StrEnum):
    """What of the table has to be seen for a rule."""

    FACES = "faces"
    """Cards are named, where hands lie."""
    CARDS = "cards"
    """Cards are found there, face up or down."""
    AMOUNTS = "amounts"
    """Chips are counted in the betting boxes."""
    CHIPS = "chips"
    """Chips are found there."""
    LINES = "lines"
    """On which side of a line a bet lies, where the felt has lines that act."""
    BANK = "bank"
    """Chips of the bank, the garage and the pot are counted."""
    HANDS = "hands"
    """Whose hand is at it."""
    SHOE = "shoe"
    """Where the shoe (or the pack) stands."""
    MARKERS = "markers"
    """Where the button and other markers lie."""


@dataclass(frozen=True, slots=True)
class AlertCode:
    """One alert code: ``severity`` is None where it is not for cameras; ``meaning`` is for people; ``sees``:
    what of the table has to be seen for it."""

    code: str
    severity: Severity | None
    meaning: str
    sees: frozenset[Sight] = frozenset()


@cache
def rule_rows() -> dict[str, RuleRow]:
    """All rows by id, in the order of the regulation.

    >>> rule_rows()["PB-AND-PAY-01"].article
    'Andorra 2016, §07-V (L31)'
    """
    rows: dict[str, RuleRow] = {}
    for name in _FILES:
        game, _, regulation = name.partition("/")
        for record in _data(f"rules/{name}.yaml"):
            row = RuleRow(
                id=record["id"],
                game=game,
                regulation=regulation,
                rule=record["rule"],
                article=record["article"],
                quote=record["quote"],
                codes=tuple(record["codes"]),
                rule_class=RuleClass(record["class"]),
                tables=tuple(record.get("tables", ())),
                standard=record.get("standard", False),
                resolution=record.get("resolution"),
                needs=record.get("needs"),
            )
            rows[row.id] = row
    return rows


@cache
def alert_codes() -> dict[str, AlertCode]:
    """All alert codes by name.

    >>> alert_codes()["UNDERPAID"].meaning
    'a winning bet was paid less than its due'
    """
    return {
        code: AlertCode(
            code,
            None if record["severity"] == "-" else Severity(record["severity"]),
            record["meaning"],
            frozenset(map(Sight, record.get("sees", ()))),
        )
        for code, record in _data("alert_codes.yaml").items()
    }


def _data(name: str) -> Any:
    return yaml.safe_load(files("rules").joinpath("data", *name.split("/")).read_text(encoding="utf-8"))
