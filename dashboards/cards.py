"""Cards as they stand on the table: ``Th`` is 10♥."""

from __future__ import annotations

import re

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_CARDS = re.compile(r"\b[A2-9TJQK][cdhs]\b(?: (?:[A2-9TJQK][cdhs]\b|\?\?))*")


def face(card: str) -> str:
    """One card for people; one that was not read is ``?``.

    >>> face("Th"), face("9s"), face("??"), face("back")
    ('10♥', '9♠', '?', '?')
    """
    if card in ("??", "back") or card[1:] not in SUITS:
        return "?"
    return ("10" if card[0] == "T" else card[0]) + SUITS[card[1:]]


def faces(text: str) -> str:
    """The same of all cards in a sentence; the word As stays.

    >>> faces("punto 9s Th"), faces("As it lay there")
    ('punto 9♠ 10♥', 'As it lay there')
    """

    def shown(found: re.Match[str]) -> str:
        cards = found[0].split(" ")
        if cards == ["As"] and found.end() < len(text) and text[found.end()] == " ":
            return found[0]
        return " ".join(map(face, cards))

    return _CARDS.sub(shown, text)
