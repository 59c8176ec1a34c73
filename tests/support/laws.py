"""What every game's simulated sessions are tried with: chaos among the events, lost views, judging live."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from datasets.games.base import PlayedSession
from rules.catalogue import RuleClass, rule_rows
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    Event,
    MarkerSeen,
    MayBe,
    Stack,
    ViewLost,
)
from rules.findings import Finding, Judgement, Verdict
from rules.judge import Judge, judge


def in_disorder(session: PlayedSession, rng: random.Random) -> list[Event]:
    """A session's events, some lost, some doubled, out of order and some at another time."""
    kept: list[Event] = [event for event in session.events for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    rng.shuffle(kept)
    span = max(event.t for event in session.events)
    return [
        replace(event, seq=number, t=rng.uniform(0, span) if rng.random() < 0.2 else event.t)
        for number, event in enumerate(kept, start=1)
    ]


def judgeable(game: str) -> set[str]:
    """The rules of a game that cameras or cues can judge."""
    return {row.id for row in rule_rows().values() if row.game == game and row.rule_class is not RuleClass.C}


def named_exactly(session: PlayedSession, *, elsewhere: bool = False) -> None:
    """A session's one fault gives its finding, once, and beside it only what may lawfully follow, in its coup
    (``elsewhere``: or in another)."""
    (fault,) = session.faults
    kind = fault.kind
    found = [
        (f.coup, f.rule, f.code, None if f.spot is None else str(f.spot))
        for f in breaches(judge(session.events, session.profile))
    ]
    mine = [f for f in found if f[:3] == (fault.coup, kind.rule, kind.code) and fault.spot in (None, f[3])]
    assert len(mine) == 1, (session.seed, found)
    others = [f for f in found if f not in mine]
    assert {code for _, _, code, _ in others} <= kind.lawful, (session.seed, found)
    assert elsewhere or {coup for coup, *_ in others} <= {fault.coup}, (session.seed, found)


def judged_live(session: PlayedSession) -> Judgement:
    """The judgement on a session that is told event by event."""
    live = Judge(session.profile)
    for event in session.events:
        live.feed(event)
    live.finish()
    return live.judgement


def with_view_lost(
    events: Sequence[Event], t_from: float, t_to: float | None, spot: str | None
) -> list[Event]:
    """A journal in which the table (or one spot) could not be seen from ``t_from`` to ``t_to``: what happened
    there meanwhile is not told, and what lies otherwise than before is told when the view is back (``t_to``;
    None: never), by nobody's hand. What people say is heard all the same."""
    back = math.inf if t_to is None else t_to
    lost = [e for e in events if t_from <= e.t <= back and not isinstance(e, Cue) and _at(e, spot)]
    gone = {event.seq for event in lost}
    told: list[Event] = [event for event in events if event.seq not in gone]
    told.append(ViewLost(seq=0, t=t_from, reason="dark", t_to=t_to, spot=spot))
    before = [event for event in told if event.t < t_from]
    if t_to is not None:
        told += [replace(event, t=t_to, seq=0) for event in _seen_after(before, lost)]
    told.sort(key=lambda event: event.t)
    return [replace(event, seq=number) for number, event in enumerate(told, start=1)]


def _at(event: Event, spot: str | None) -> bool:
    if spot is None:
        return True
    if isinstance(event, CardMoved | ChipMove):
        return spot in (event.from_spot, event.to_spot)
    return getattr(event, "spot", None) == spot


def _seen_after(before: Iterable[Event], lost: Sequence[Event]) -> Iterator[Event]:
    """What lies otherwise than before, as it is found when the view is back."""
    known = {event.card_id for event in before if isinstance(event, CardPlaced)}
    chips = {event.spot: event for event in lost if isinstance(event, ChipState)}
    yield from (replace(event, hand=None) for event in chips.values())
    markers = {event.marker: event for event in lost if isinstance(event, MarkerSeen)}
    yield from (replace(event, hand=None) for name, event in markers.items() if name in ("button", "shoe"))
    cards: dict[str, list[Event]] = {}
    for event in lost:
        if isinstance(event, CardPlaced | CardTurned | CardMoved | CardCleared | CardRead):
            cards.setdefault(event.card_id, []).append(event)
    for name, changes in cards.items():
        yield from _card_after(name in known, changes)


def _card_after(known: bool, changes: Sequence[Event]) -> Iterator[Event]:
    """A card as it is found: laid down, turned, elsewhere, or gone."""
    last = changes[-1]
    if isinstance(last, CardCleared):
        if known:
            yield replace(last, to_spot=None, hand=None)
        return
    placed = next((event for event in changes if isinstance(event, CardPlaced)), None)
    if placed is None:
        for event in changes:
            yield replace(event, hand=None) if isinstance(event, CardTurned | CardMoved) else event
        return
    for event in changes:
        match event:
            case CardTurned():
                placed = replace(placed, face=event.face, card=event.card or placed.card)
            case CardMoved():
                placed = replace(placed, spot=event.to_spot)
            case CardRead():
                placed = replace(placed, card=event.card)
    yield replace(placed, hand=None)


def half_seen(session: PlayedSession, rng: random.Random, *, chips: bool = False) -> list[Event]:
    """A session's events: some cards never read, perhaps no hand told, and (``chips``) boxes uncounted."""
    unread = {e.card_id for e in session.events if isinstance(e, CardPlaced) and rng.random() < 0.3}
    uncounted = {e.spot for e in session.events if isinstance(e, ChipState) and chips and rng.random() < 0.1}
    blind = rng.random() < 0.5
    seen: list[Event] = []
    for event in session.events:
        if isinstance(event, CardPlaced | CardTurned) and event.card_id in unread and event.spot != "deck":
            event = replace(event, card=None)
        if blind and isinstance(event, CardPlaced | CardTurned):
            event = replace(event, hand=None)
        if isinstance(event, ChipState) and event.spot in uncounted:
            bare = (replace(lying, denominations=None, count=None) for lying in event.stacks)
            event = replace(event, stacks=tuple(bare))
        seen.append(event)
    return seen


def half_counted(events: Sequence[Event], rng: random.Random, *, share: float, others: int) -> list[Event]:
    """A journal in which a share of the stacks was not read to the last chip: each time one is told of with
    these chips, it may be them or any of ``others`` likely misreadings of them."""
    names = sorted({s.stack for e in events if isinstance(e, ChipState) for s in e.stacks})
    doubted = {name for name in names if rng.random() < share}
    values = sorted({v for e in events if isinstance(e, ChipState) for s in e.stacks for v in _read(s)})
    may_be: dict[tuple[str, tuple[int, ...]], tuple[MayBe, ...]] = {}

    def seen(stack: Stack) -> Stack:
        chips = _read(stack)
        if stack.stack not in doubted or not chips:
            return stack
        if (stack.stack, chips) not in may_be:
            misread = [_misread(chips, values, rng) for _ in range(others)]
            different = list({tuple(sorted(one)): one for one in (*misread, chips)}.values())
            rng.shuffle(different)
            shares = [rng.random() for _ in different]
            may_be[stack.stack, chips] = tuple(
                MayBe(one, p / sum(shares)) for one, p in zip(different, shares, strict=True)
            )
        unread = may_be[stack.stack, chips]
        return replace(stack, denominations=None, count=None, p=0.0, unread="not sure", may_be=unread)

    return [replace(e, stacks=tuple(map(seen, e.stacks))) if isinstance(e, ChipState) else e for e in events]


def without_doubt(events: Sequence[Event]) -> list[Event]:
    """The same journal with nothing said of what unread stacks may be."""
    return [
        replace(e, stacks=tuple(replace(s, may_be=()) for s in e.stacks)) if isinstance(e, ChipState) else e
        for e in events
    ]


def _read(stack: Stack) -> tuple[int, ...]:
    """A stack's chips if all were read, else none."""
    return tuple(chip for chip in stack.denominations or () if chip is not None) if stack.value else ()


def _misread(chips: tuple[int, ...], values: Sequence[int], rng: random.Random) -> tuple[int, ...]:
    """A chip more, a chip less, or one taken for another."""
    at = rng.randrange(len(chips))
    if rng.random() < 0.3:
        return (*chips, chips[at])
    if rng.random() < 0.4 and len(chips) > 1:
        return chips[:at] + chips[at + 1 :]
    return (*chips[:at], rng.choice(values), *chips[at + 1 :])


def told(judgement: Judgement) -> tuple[object, ...]:
    """All that a judgement says, but for the numbers of the events that show it."""
    findings = [replace(finding, evidence_seq=()) for finding in judgement.findings]
    return findings, judgement.coups, judgement.session


def judged_in_disorder(session: PlayedSession, rng: random.Random) -> tuple[list[Event], Judgement]:
    """A session in disorder and the judgement on it: the same live and whole, by events that there are."""
    events = in_disorder(session, rng)
    whole = judge(events, session.profile)
    assert told(judged_live(replace(session, events=tuple(events)))) == told(whole)
    known = {event.seq for event in events}
    assert all(set(finding.evidence_seq) <= known for finding in whole.findings)
    return events, whole


def breaches(judgement: Judgement) -> list[Finding]:
    """What was found wrong."""
    return [finding for finding in judgement.findings if finding.verdict is Verdict.BREACH]
