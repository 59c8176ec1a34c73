"""How pages are written: the templates, and what they can ask of texts, cards and times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from fastapi.templating import Jinja2Templates

from dashboards import amounts
from dashboards.cards import face, faces
from rules import money
from rules.clock import clock
from veedor.store import AnswerRecord

templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
templates.env.trim_blocks = templates.env.lstrip_blocks = True

_QUOTATION = re.compile(r"«([^»]*)»")

SEVERITIES = {"H": "money or integrity", "M": "procedure", "L": "statistics"}
VERDICT_WORDS = {"BREACH": "Breach", "UNDETERMINED": "Undetermined", "CONFORM": "Conform"}


def _title(code: str) -> str:
    """``LATE_BET`` as a heading: ``Late bet``."""
    return code.replace("_", " ").capitalize()


def _quotation(article: str) -> str | None:
    """The article's own words, where it is quoted."""
    found = _QUOTATION.search(article)
    return None if found is None else found[1]


def _citation(article: str) -> str:
    """Where the article stands, without its words."""
    return re.sub(r"\s*:?\s*«[^»]*»", "", article).strip()


def _card(card: str) -> dict[str, Any]:
    shown = face(card)
    if shown == "?":
        return {"rank": "?", "suit": "", "red": False, "known": False}
    return {"rank": shown[:-1], "suit": shown[-1], "red": card[1:] in ("d", "h"), "known": True}


def _language(article: str) -> str:
    """The language of an article's words: Andorra's are Catalan, the others' Spanish."""
    return "ca" if article.startswith("Andorra") else "es"


def _sentence(text: str) -> str:
    """With a capital and a full stop, as it stands alone on the page."""
    text = text.strip()
    return text if not text else text[0].upper() + text[1:] + ("" if text[-1] in ".!?»" else ".")


def _regulation(profile: str) -> str:
    """``andorra_2016/mini`` as it is said: ``Andorra 2016, mini``."""
    name, _, variant = profile.partition("/")
    said = name.replace("_", " ").replace("mediterraneo", "mediterráneo")
    return said[:1].upper() + said[1:] + (f", {variant.replace('_', ' ')}" if variant else "")


def _winner(result: dict[str, Any]) -> str | None:
    """Which hand won; a tie has its own name; None while it is not known."""
    winner = result.get("winner")
    return winner if isinstance(winner, str) else None


def _total(result: dict[str, Any], hand: str) -> int | None:
    """A hand's total, None where it is not known."""
    totals = result.get("totals")
    total = totals.get(hand) if isinstance(totals, dict) else result.get(f"{hand}_total")
    return total if isinstance(total, int) else None


def _outcome(result: dict[str, Any]) -> str:
    """The result of a coup that no hand won."""
    if result.get("void"):
        return "Void"
    winner = _winner(result)
    return "Result not known" if winner is None else winner.capitalize()


def _counted(chips: Iterable[int | None]) -> list[tuple[int | None, int]]:
    """Equal chips that follow one another, and how many they are."""
    return [(chip, len(list(group))) for chip, group in groupby(chips)]


templates.env.filters.update(
    sentence=lambda text: faces(_sentence(text)),
    language=_language,
    regulation=_regulation,
    winner=_winner,
    total=_total,
    outcome=_outcome,
    counted=_counted,
    title_of=_title,
    quotation=_quotation,
    citation=_citation,
    card=_card,
    clock=clock,
    readable=amounts.readable,
    exact=money.readable,
)
WHOSE_WORDS = {
    "dealer": "the dealer's",
    "player": "a player's",
    "house": "another's",
    "either": "not to be told",
}


def _last_said(answers: Sequence[AnswerRecord] | None) -> str:
    """What the last reviewer said of a finding as it reads now."""
    current = [answer for answer in answers or () if answer.current]
    return current[-1].answer.value if current else ""


WORK_WORDS = {"dealing": "dealing the cards", "paying": "taking and paying bets"}

templates.env.globals.update(
    work_words=WORK_WORDS,
    whose_words=WHOSE_WORDS,
    last_said=_last_said,
    severities=SEVERITIES,
    verdict_words=VERDICT_WORDS,
    difference=amounts.difference,
)
