"""The table events: what was *seen* on the felt, never what it means.

The vocabulary is the rule catalogue's section 1.3. Every event has the moment it happened (``t``, seconds
from the start of the recording; ``utc`` where known) and the order it was recorded (``seq``). Events are
only ever appended: a late cue or a correction is recorded with an earlier ``t``, and judging orders by
``(t, seq)``. Spots are written in the text form of :mod:`rules.spots`, cards as ``Th``.

Everything here is a frozen dataclass that pydantic can read and write, so that the journal's JSON Schema is
generated from these types (:mod:`rules.journal`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

Probability = Annotated[float, Field(ge=0.0, le=1.0)]
"""How sure the observer is, 0 to 1."""


ChipValue = Annotated[int, Field(ge=1, le=10**12)]
"""What one chip is worth, in the table's unit."""

CardName = Annotated[str, Field(pattern=r"^([A23456789TJQK][cdhs]|\?\?|back)$")]
"""A card as it is written: ``Th``; ``??``: its face cannot be read; ``back``: it lies face down."""

SpotName = Annotated[
    str,
    Field(
        pattern=r"^(seat [1-9][0-9]? [a-z][a-z0-9_]*|box [a-z] [a-z][a-z0-9_]*|hand [a-z][a-z0-9_]*"
        r"|shoe|discard|float|capital|burn|community|bank|garage|cagnotte|pot|tips|deck|table|off table)$"
    ),
]
"""A spot's text form (:mod:`rules.spots`)."""

_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)


@unique
class Owner(StrEnum):
    """Whose hand it was, as far as the side it came from tells."""

    DEALER = "dealer"
    PLAYER = "player"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table: the dealer's, a player's (``seat`` where the side tells which), or unknown.

    ``side``: where several dealers work at a table, which of them, by the side from which he works (the
    dealers' own left or right)."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    owner: Owner
    seat: int | None = None
    side: Literal["left", "right"] | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where in the pictures it was seen.

    ``box``: x0, y0, x1, y1 in pixels of that camera's picture; ``t``: the picture's time, seconds.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    camera: str
    t: float
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another place where a stack may stand. ``line``: null if on none; ``p``: how likely."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    spot: SpotName
    line: str | None = None
    p: Probability = 0.0


@dataclass(frozen=True, slots=True)
class MayBe:
    """Chips that a stack may be, in no order. ``p``: how likely."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    denominations: Annotated[tuple[ChipValue, ...], Field(min_length=1, max_length=1000)]
    p: Probability

    @property
    def value(self) -> int:
        """What they are worth."""
        return sum(self.denominations)


@dataclass(frozen=True, slots=True)
class Stack:
    """One stack of chips at a spot.

    ``stack``: its name in this journal, the same for as long as it stands. ``denominations``: values
    bottom to top, null where one could not be read; null as a whole if not even the count is known.
    ``count``: chips in it; null where the camera cannot tell. ``at_mm``: centre of the base on the felt.
    ``line``: the id of the layout line the base lies on, null if on none. ``unread``: why count or
    denominations are null, in words. ``p``: how sure the reading is. ``types``: kinds of chip in it that are
    not the table's playing chips, e.g. ``sale`` (to be exchanged before or after play). ``p_place``: how sure
    its spot and line are; where that is too close to call, ``elsewhere`` has the other places there may be.
    ``error_mm``: usual distance of ``at_mm`` from the true centre, where it is known. ``may_be``: of a stack
    that was not read to the last chip, the chips that it may be, the likeliest first, where they are few;
    what is missing of their ``p`` to 1 is how likely it is none of them (nothing is concluded from ways that
    miss more than a tenth). Empty: nothing is said of that.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    stack: str
    denominations: tuple[ChipValue | None, ...] | None
    count: int | None
    at_mm: tuple[float, float]
    line: str | None = None
    unread: str | None = None
    p: Probability = 1.0
    types: tuple[str, ...] = ()
    p_place: Probability = 1.0
    elsewhere: tuple[Elsewhere, ...] = ()
    error_mm: Annotated[float, Field(ge=0.0)] | None = None
    may_be: tuple[MayBe, ...] = ()

    @property
    def value(self) -> int | None:
        """The stack's value, or None if any chip of it is not known."""
        if self.denominations is None:
            return None
        known = [chip for chip in self.denominations if chip is not None]
        return sum(known) if len(known) == len(self.denominations) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """What all events have. ``t``, ``utc``: when it happened. ``seq``: the order recorded, from 1."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    seq: int
    t: float
    utc: str | None = None
    p: Probability = 1.0
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeExit(_Event):
    """A card left the shoe. ``card_id`` names the physical card within this journal (``c1``, ``c2``, ...)."""

    kind: Literal["shoe_exit"] = "shoe_exit"
    card_id: str | None = None
    face: Literal["up", "down"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlaced(_Event):
    """A card came to rest. ``card``: its identity where it was read (else null); ``position``: 1 to 3
    within its hand, in the order placed; ``at_mm``: centre; ``angle_deg``: clockwise on the drawing, 0 = top
    of the card to the dealer. ``back``: the colour of its back as the house calls it, where that was seen."""

    kind: Literal["card_placed"] = "card_placed"
    card_id: str
    spot: SpotName
    face: Literal["up", "down"]
    card: CardName | None = None
    position: int | None = None
    at_mm: tuple[float, float] | None = None
    angle_deg: float | None = None
    hand: Hand | None = None
    back: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead(_Event):
    """A lying card's identity was read, or read anew: the latest recorded reading counts. ``source``:
    ``camera``, or ``operator`` for a reviewer's correction, which outranks every camera reading. ``may_be``:
    of a card that was not named surely, the few it surely is one of (a figure of hearts, say)."""

    kind: Literal["card_read"] = "card_read"
    card_id: str
    card: CardName | None
    source: Literal["camera", "operator"] = "camera"
    may_be: tuple[CardName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTurned(_Event):
    """A card changed its visible side; ``hand``: who did it, where seen."""

    kind: Literal["card_turned"] = "card_turned"
    card_id: str
    spot: SpotName
    face: Literal["up", "down"]
    card: CardName | None = None
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMoved(_Event):
    """A card came to rest at another place than before."""

    kind: Literal["card_moved"] = "card_moved"
    card_id: str
    from_spot: SpotName
    to_spot: SpotName
    at_mm: tuple[float, float] | None = None
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCleared(_Event):
    """A card left its spot towards the discard (or, ``to_spot``, somewhere else, where it was seen)."""

    kind: Literal["card_cleared"] = "card_cleared"
    card_id: str
    spot: SpotName
    to_spot: SpotName | None = None
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipState(_Event):
    """The whole content of one spot after it changed, as seen once it was still and uncovered again.

    ``stacks`` empty: the spot is bare. ``hand``: whose hand was last there, where seen. ``t`` is when the
    change was complete in the picture (chips released or lifted), not when it was recorded."""

    kind: Literal["chip_state"] = "chip_state"
    spot: SpotName
    stacks: tuple[Stack, ...]
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipMove(_Event):
    """Chips were seen to go from one spot to another."""

    kind: Literal["chip_move"] = "chip_move"
    from_spot: SpotName
    to_spot: SpotName
    value: str | None = None
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsRead(_Event):
    """A reviewer says what a stack was at ``t`` (this bet was two chips): it outranks every camera reading of
    that stack until its spot is next seen changed. ``line``: null leaves the line as it was read, an empty
    text says that its base lies on none."""

    kind: Literal["chips_read"] = "chips_read"
    stack: str
    spot: SpotName
    denominations: tuple[ChipValue, ...]
    line: str | None = None
    source: Literal["operator"] = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandContact(_Event):
    """A hand touched or covered a spot from ``t`` to ``t_to``; ``target``: a card or stack name, if one."""

    kind: Literal["hand_contact"] = "hand_contact"
    spot: SpotName
    hand: Hand
    t_to: float | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardSeen(_Event):
    """The cut card was seen: at the shoe's mouth, on the felt, or inserted."""

    kind: Literal["cut_card"] = "cut_card"
    spot: SpotName


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerSeen(_Event):
    """A thing with a meaning was seen at a place: ``marker`` is ``shoe``, ``paddle``, ``button``,
    ``insurance``, ``lammer``, ``prison`` or ``clock``. ``hand``: who put it there, where seen. A shoe that a
    player holds stands at ``seat 3 shoe``, the dealer's at ``shoe``. ``angle_deg``: of a shoe, by how much
    its mouth points away from the place of the dealer on its side of the table."""

    kind: Literal["marker"] = "marker"
    marker: Literal["shoe", "paddle", "button", "insurance", "lammer", "prison", "clock"]
    spot: SpotName
    at_mm: tuple[float, float] | None = None
    hand: Hand | None = None
    angle_deg: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue(_Event):
    """What cameras cannot see: ``cue`` names it (``no_more_bets``, ``coup_void``, ``dealer``, ``new_shoe``,
    ``ruling``, ``draw_asked``, ...), ``value`` is its content, ``source`` who said so."""

    kind: Literal["cue"] = "cue"
    cue: str
    value: str | None = None
    spot: SpotName | None = None
    source: Literal["operator", "audio", "system"] = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewLost(_Event):
    """From ``t`` to ``t_to`` a spot, or the whole camera (``spot`` null; ``evidence`` names it), could not be
    seen; ``t_to`` null: until a ``view_back`` says otherwise, else to the end. ``reason``: ``covered``,
    ``dark``, ``dazzled``, ``frozen``, ``moved``, ``gap``, ``blurred``, ``no_signal`` (a camera watched live
    sends nothing) or ``end``. ``camera``: only this one of several was lost; what nobody sees because of that
    is told spot by spot."""

    kind: Literal["view_lost"] = "view_lost"
    reason: Literal["covered", "dark", "dazzled", "frozen", "moved", "gap", "blurred", "no_signal", "end"]
    t_to: float | None = None
    spot: SpotName | None = None
    camera: str | None = None

    @property
    def hides(self) -> bool:
        """Whether anything on the table was out of everybody's sight."""
        return self.camera is None


@dataclass(frozen=True, slots=True)
class Realignment:
    """How far a camera stands from where it was calibrated, found from the printed lines.

    ``view``: homography (row by row) of view directions, X/Z and Y/Z in the camera's axes, from the picture
    as calibrated to the picture now. ``shift_px``: how far the felt moved in the picture, at most, and
    ``turn_deg``, ``zoom``: of its middle. ``residual_mm``: how well the lines fit since, root mean square.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    view: tuple[float, float, float, float, float, float, float, float, float]
    shift_px: float
    turn_deg: float
    zoom: float
    residual_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewBack(_Event):
    """A camera that lost its view sees the table again; ``lost``: the number of that ``view_lost``.

    ``realigned``: the camera stays where it was moved to, and all places are reckoned from there."""

    kind: Literal["view_back"] = "view_back"
    lost: int
    realigned: Realignment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction(_Event):
    """A reviewer says that the event with number ``of`` did not happen (or not so: the right one follows)."""

    kind: Literal["retraction"] = "retraction"
    of: int
    source: Literal["operator", "system"] = "operator"


Event = (
    ShoeExit
    | CardPlaced
    | CardRead
    | CardTurned
    | CardMoved
    | CardCleared
    | ChipState
    | ChipMove
    | ChipsRead
    | HandContact
    | CutCardSeen
    | MarkerSeen
    | Cue
    | ViewLost
    | ViewBack
    | Retraction
)
"""Any table event; ``kind`` tells which."""


def in_time_order(events: list[Event] | tuple[Event, ...]) -> list[Event]:
    """The events as they happened: retracted ones left out, ordered by ``(t, seq)``."""
    gone = {event.of for event in events if isinstance(event, Retraction)}
    kept = [event for event in events if event.seq not in gone and not isinstance(event, Retraction)]
    return sorted(kept, key=lambda event: (event.t, event.seq))
