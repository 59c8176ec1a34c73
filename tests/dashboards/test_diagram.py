"""The diagram of a coup's bets: which stacks, where, and what is said of each."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from dashboards.diagram import Laid, diagram, laid
from dashboards.models import CoupOut
from dashboards.places import Lies
from rules.events import ChipState, Elsewhere, Event
from tests.support import handmade

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def coup() -> CoupOut:
    return CoupOut.model_validate(handmade.judgement().coups[0].as_json())


def doubtful() -> list[Event]:
    """The journal, with the bet of seat 3 too close to call."""
    events: list[Event] = []
    for event in handmade.events():
        if isinstance(event, ChipState) and event.spot == "seat 3 banca" and event.stacks:
            other = (Elsewhere("seat 3 banca", "seat 3 banca:outline", 0.4),)
            event = replace(event, stacks=(replace(event.stacks[0], p_place=0.6, elsewhere=other),))
        events.append(event)
    return events


def drawn(found: list[Laid], *, whole: bool = True) -> Element:
    return fromstring(diagram(handmade.felt(), found, drawing="/d.svg", tones={}, whole=whole))


def texts(picture: Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def test_bets_are_told_from_what_was_put_beside_them(coup: CoupOut) -> None:
    found = laid(handmade.felt(), handmade.events(), coup)
    assert {each.stack.stack: each.bet is not None for each in found} == {
        "s1": True,
        "s2": True,
        "s3": True,
        "s4": False,
    }
    assert {each.stack.stack: each.lying.lies for each in found if each.bet} == {
        "s1": Lies.INSIDE,
        "s2": Lies.HALF_LINE,
        "s3": Lies.INSIDE,
    }


def test_each_stack_is_drawn_where_it_lay(coup: CoupOut) -> None:
    picture = drawn(laid(handmade.felt(), handmade.events(), coup))
    middles = {(c.get("cx"), c.get("cy")) for c in picture.iter(f"{SVG}circle")}
    for x, y in (*(stack.at_mm for stack in handmade.STACKS), handmade.PAYMENT_AT):
        assert (f"{x:g}", f"{y:g}") in middles
    said = texts(picture)
    assert {"575", "200 ½ line", "+550", "paid 550, 575 due", "nothing paid, 100 due"} <= set(said)


def test_a_bet_that_a_payment_hides_is_drawn_with_the_chips_it_was_seen_with(coup: CoupOut) -> None:
    events = handmade.events()
    bet = next(each for each in laid(handmade.felt(), events, coup) if each.stack.stack == "s1")
    at = next(n for n, e in enumerate(events) if isinstance(e, ChipState) and bet.stack in e.stacks)
    seen = events[at]
    assert isinstance(seen, ChipState)
    hidden = replace(bet.stack, denominations=None, count=None, unread="the stack is partly hidden")
    later = replace(seen, t=coup.t_to, stacks=(hidden,))
    (found,) = (
        each
        for each in laid(handmade.felt(), sorted([*events, later], key=lambda e: e.t), coup)
        if each.stack.stack == "s1"
    )
    assert found.stack == bet.stack


def test_one_too_close_to_call_shows_its_places_and_the_line(coup: CoupOut) -> None:
    picture = drawn(laid(handmade.felt(), doubtful(), coup))
    assert "? whole 60% / ½ 40%" in texts(picture)


def test_a_close_view_holds_every_stack(coup: CoupOut) -> None:
    found = laid(handmade.felt(), handmade.events(), coup)
    x, y, width, height = map(float, (drawn(found, whole=False).get("viewBox") or "").split())
    for each in found:
        assert x < each.stack.at_mm[0] < x + width
        assert y < each.stack.at_mm[1] < y + height
    assert (x, y) >= (0, 0)
    assert x + width <= handmade.WIDTH / handmade.SCALE


def test_a_coup_without_bets_is_the_bare_felt(coup: CoupOut) -> None:
    bare = coup.model_copy(update={"bets": []})
    assert laid(handmade.felt(), handmade.events(), bare) == []
    assert texts(drawn([], whole=False)) == []


def test_names_from_outside_are_text(coup: CoupOut) -> None:
    felt = handmade.felt()
    odd = replace(felt, lines=(replace(felt.lines[0], id="<script>"),))
    events = [
        replace(event, stacks=tuple(replace(s, line="<script>" if s.line else None) for s in event.stacks))
        if isinstance(event, ChipState)
        else event
        for event in handmade.events()
    ]
    text = diagram(odd, laid(odd, events, coup), drawing='"><script>', tones={})
    assert "<script>" not in text
    fromstring(text)
