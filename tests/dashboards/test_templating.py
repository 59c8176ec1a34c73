"""What pages ask of texts: regulations and cards as people say them."""

from __future__ import annotations

import pytest

from dashboards.cards import face, faces
from dashboards.templating import templates


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ("andorra_2016/mini", "Andorra 2016, mini"),
        ("uruguay_1977", "Uruguay 1977"),
        ("mediterraneo", "Mediterráneo"),
        ("", ""),
    ],
)
def test_a_regulation_has_its_name(profile: str, said: str) -> None:
    assert templates.env.filters["regulation"](profile) == said


@pytest.mark.parametrize(
    ("card", "shown"), [("Th", "10♥"), ("9s", "9♠"), ("??", "?"), ("back", "?"), ("xx", "?")]
)
def test_cards_are_shown_as_they_lie(card: str, shown: str) -> None:
    assert face(card) == shown


def test_cards_in_a_sentence_and_words_that_look_like_one() -> None:
    assert faces("banca stands on 4 against punto's third card Ks") == (
        "banca stands on 4 against punto's third card K♠"
    )
    assert faces("As it lay, punto 9s Th ??") == "As it lay, punto 9♠ 10♥ ?"
