"""What is wrong with a layout drawing, all at once: what refuses it, and what a house should look at."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique

import shapely

from rules.spots import Area, Spot
from vision.layout import Effect, Layout, Line, Zone, takes_bets
from vision.layout_reader import read_layout

CHIP_MM = 39.5
"""Diameter of a chip, where the house's own is not known."""
_WIDEST_MM = 6000.0
_OVERLAP = 0.05
_EXAMPLES = 4


@unique
class Weight(StrEnum):
    """How bad a remark is."""

    WRONG = "wrong"
    """The drawing is refused, or bets would be taken for others."""
    DOUBTFUL = "doubtful"
    """It works, but a person should look."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing about a drawing, as a sentence."""

    weight: Weight
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """The names that a game has. ``needs``: spots without which it cannot be judged; ``first_bets``: bets of
    which each seat needs a box."""

    game: str
    bets: frozenset[str]
    hands: frozenset[str]
    needs: frozenset[Spot] = frozenset()
    first_bets: tuple[str, ...] = ()


def check_layout(
    text: str, name: str, words: Words | None = None, chip_mm: float = CHIP_MM
) -> tuple[Layout | None, list[Remark]]:
    """Look a drawing's text over. ``name``: what messages call it; ``words``: its game's names, None: not
    known. The layout as far as it can be read (None: not at all). Never raises."""
    layout, problems = read_layout(text, name)
    remarks = [Remark(Weight.WRONG, problem) for problem in problems]
    if layout is None:
        return None, remarks
    found = [
        *_size(layout),
        *_inside(layout),
        *_lines(layout, chip_mm),
        *_seats(layout, words),
        *(_names(layout, words) if words is not None else ()),
        *_room(layout, chip_mm),
        *_crossings(layout),
        *_facing(layout),
        *_idents(layout),
    ]
    said = [Remark(remark.weight, f"The layout {name}: {remark.text}") for remark in found]
    return layout, remarks + sorted(said, key=lambda remark: remark.weight is not Weight.WRONG)


def _wrong(text: str) -> Remark:
    return Remark(Weight.WRONG, text)


def _doubtful(text: str) -> Remark:
    return Remark(Weight.DOUBTFUL, text)


def _size(layout: Layout) -> Iterable[Remark]:
    x0, y0, x1, y1 = layout.frame_mm
    if max(x1 - x0, y1 - y0) > _WIDEST_MM:
        yield _doubtful(
            f"the sheet is {x1 - x0:.0f} x {y1 - y0:.0f} mm, larger than any table; are its units"
            " millimetres? Correct width, height and viewBox of the <svg> element."
        )


def _inside(layout: Layout) -> Iterable[Remark]:
    felt = layout.felt.buffer(1.0)
    for zone in layout.zones:
        if not felt.covers(zone.polygon):
            beyond = zone.polygon.difference(layout.felt).area / zone.polygon.area
            part = "lies outside" if beyond > 0.99 else f"lies with {100 * beyond:.0f} % of it outside"
            yield _wrong(f"{zone.element} ({zone.spot}) {part} the felt's edge: move it onto the felt.")


def _lines(layout: Layout, chip_mm: float) -> Iterable[Remark]:
    for line in layout.lines:
        for spot in line.spots:
            zone = layout.zone(spot)
            away = 0.0 if zone is None else line.path.distance(zone.polygon)
            if away >= chip_mm / 2:
                yield _wrong(
                    f"the line {line.id!r} lies {away:.0f} mm away from {spot}, so that no bet there can lie"
                    f" on it: draw it at the zone, or correct the spot that it names."
                )
    joined = {frozenset(line.spots) for line in layout.lines if line.effect is Effect.SPLITS}
    touching = [
        f"{one.spot} and {other.spot}"
        for one, other in _pairs(layout, 0.5)
        if frozenset((one.spot, other.spot)) not in joined
    ]
    if touching:
        yield _doubtful(
            f"{_some(touching)} touch each other without a line that says what a bet on their border plays:"
            " the middle of its base decides. Leave a gap, or draw a line with data-splits."
        )


def _pairs(layout: Layout, within_mm: float) -> Iterable[tuple[Zone, Zone]]:
    """Betting boxes nearer to each other than a distance."""
    boxes = [zone for zone in layout.zones if takes_bets(zone.spot)]
    tree = shapely.STRtree([zone.polygon for zone in boxes])
    for i, zone in enumerate(boxes):
        for j in sorted(tree.query(zone.polygon, "dwithin", within_mm)):
            if j > i:
                yield zone, boxes[int(j)]


def _seats(layout: Layout, words: Words | None) -> Iterable[Remark]:
    bets = {
        seat: {zone.spot.bet for zone in layout.zones if zone.spot.seat == seat and takes_bets(zone.spot)}
        for seat in layout.seats
    }
    named = {_seat_of_hand(zone.spot) for zone in layout.zones} - {None}
    for seat in sorted({*layout.seats, *(seat for seat in named if seat is not None)}):
        if not bets.get(seat):
            yield _wrong(
                f"seat {seat} has a place but no betting box: draw one with data-spot, or take the seat away."
            )
    numbers = [seat for seat in layout.seats if bets[seat]]
    if missing := [n for n in range(1, max(numbers, default=0)) if n not in numbers]:
        yield _doubtful(
            f"there {_is(missing)} no seat {_some(missing)}, though there is a seat {max(numbers)}: number"
            " the seats without gaps, unless the table has none there."
        )
    needed = set(words.first_bets) if words is not None else set()
    usual = {bet for bet, n in Counter(b for own in bets.values() for b in own).items() if 2 * n > len(bets)}
    for seat in numbers:
        for bet in sorted((usual | needed) - bets[seat], key=str):
            yield (_wrong if bet in needed else _doubtful)(
                f"seat {seat} has no box for {bet}, which the other seats have or the game needs: draw it"
                f' with data-spot="seat {seat} {bet}".'
            )


def _is(things: list[int]) -> str:
    return "is" if len(things) == 1 else "are"


def _seat_of_hand(spot: Spot) -> int | None:
    head, _, number = (spot.hand or "").partition("_")
    return int(number) if head == "seat" and number.isdigit() else None


def _names(layout: Layout, words: Words) -> Iterable[Remark]:
    for zone in layout.zones:
        spot = zone.spot
        if takes_bets(spot) and spot.bet not in words.bets:
            yield _wrong(
                f"{zone.element} is {str(spot)!r}, but {words.game} has no bet {spot.bet!r}"
                f"{_nearest(spot.bet or '', words.bets)}."
            )
        if spot.area is Area.HAND and spot.hand not in words.hands and _seat_of_hand(spot) is None:
            yield _wrong(
                f"{zone.element} is {str(spot)!r}, but {words.game} has no hand {spot.hand!r}"
                f"{_nearest(spot.hand or '', words.hands)}."
            )
    drawn = {zone.spot for zone in layout.zones}
    for spot in sorted(words.needs - drawn):
        yield _wrong(
            f'there is no zone {str(spot)!r}, which {words.game} needs: draw it with data-spot="{spot}".'
        )


def _nearest(name: str, known: frozenset[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), 1, 0.6)
    names = ", ".join(sorted(known))
    return f": did you mean {close[0]!r}? It has {names}" if close else f", only {names}"


def _room(layout: Layout, chip_mm: float) -> Iterable[Remark]:
    tight = [
        str(zone.spot)
        for zone in layout.zones
        if takes_bets(zone.spot) and zone.polygon.buffer(-chip_mm / 2).is_empty
    ]
    if tight:
        yield _doubtful(
            f"{_some(tight)} {'is' if len(tight) == 1 else 'are'} too small for a chip of {chip_mm:g} mm to"
            " lie wholly inside: draw larger boxes, or check the units."
        )


def _crossings(layout: Layout) -> Iterable[Remark]:
    """Zones that lie over each other in part (boxes of bets are refused; one inside another is meant)."""
    tree = shapely.STRtree([zone.polygon for zone in layout.zones])
    for i, zone in enumerate(layout.zones):
        for j in sorted(tree.query(zone.polygon)):
            other = layout.zones[int(j)]
            if j <= i or (takes_bets(zone.spot) and takes_bets(other.spot)):
                continue
            shared = zone.polygon.intersection(other.polygon).area
            share = shared / min(zone.polygon.area, other.polygon.area)
            if _OVERLAP < share < 1 - _OVERLAP:
                yield _doubtful(
                    f"{zone.element} ({zone.spot}) and {other.element} ({other.spot}) lie over each other:"
                    " what lies on both counts for the smaller one. Move them apart."
                )


def _facing(layout: Layout) -> Iterable[Remark]:
    """Whether the dealer's things are at the dealer's side, the smallest y."""
    own = [
        z.centre_mm[1] for z in layout.zones if z.spot.area in (Area.FLOAT, Area.BANK, Area.DECK, Area.SHOE)
    ]
    bets = [z.centre_mm[1] for z in layout.zones if takes_bets(z.spot)]
    if own and bets and sum(own) / len(own) > sum(bets) / len(bets):
        yield _doubtful(
            "the dealer's chips and cards lie below the bets, but the dealer stands at the smallest y: turn"
            " the drawing by 180 degrees."
        )


def _idents(layout: Layout) -> Iterable[Remark]:
    nameless = [f"{zone.element} ({zone.spot})" for zone in layout.zones if not zone.has_id]
    if nameless:
        yield _doubtful(
            f"{_some(nameless)} {'has' if len(nameless) == 1 else 'have'} no id, so that messages can only"
            " count elements: give each an id."
        )
    hidden = [f"{zone.element} ({zone.spot})" for zone in layout.zones if zone.hidden]
    if hidden:
        yield _doubtful(
            f"{_some(hidden)} {'is' if len(hidden) == 1 else 'are'} hidden, but counts as a zone."
        )


def _some(things: Iterable[object]) -> str:
    names = [str(thing) for thing in things]
    if len(names) > _EXAMPLES:
        return f"{', '.join(names[: _EXAMPLES - 1])} and {len(names) - _EXAMPLES + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def effect_in_words(line: Line) -> str:
    """What a line does to a bet whose base lies on it."""
    if line.effect is Effect.HALVES:
        return f"a bet of {line.spots[0]} plays half"
    return f"a bet plays on {line.spots[0]} and on {line.spots[1]}"
