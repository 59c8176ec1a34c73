"""What a perfect observer of a scripted table would have written into the journal, and a poorer one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from datasets.simulator_types import (
    Action,
    DealCard,
    LiftChips,
    NewShoe,
    PlaceChips,
    ShowCutCard,
    SweepCard,
    TurnCard,
)
from rules.cards import Face
from rules.events import (
    CardCleared,
    CardPlaced,
    CardTurned,
    ChipState,
    Cue,
    CutCardSeen,
    Event,
    Hand,
    ShoeExit,
    Stack,
)
from rules.spots import SHOE, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """How well the table is seen. ``hands``: whose hand it was; ``exits``: cards leaving the shoe;
    ``denominations``: chip values; ``cues``: whether new shoes are told."""

    hands: bool = True
    exits: bool = True
    denominations: bool = True
    cues: bool = True


def observe(actions: Iterable[Action], observer: Observer | None = None) -> tuple[Event, ...]:
    """The journal's events, in time order, numbered from 1."""
    eye = observer or Observer()
    board: dict[Spot, dict[str, Stack]] = {}
    seen: list[Event] = []
    for action in sorted(actions, key=lambda action: action.t):
        hand = action.hand if eye.hands else None
        match action:
            case PlaceChips() | LiftChips():
                seen.append(_chips(action, board, hand, eye))
            case DealCard():
                if eye.exits:
                    shown = action.face is Face.UP and action.position < 3
                    seen.append(
                        ShoeExit(
                            seq=0, t=action.t_from, card_id=action.card_id, face="up" if shown else "down"
                        )
                    )
                up = action.face is Face.UP
                seen.append(
                    CardPlaced(
                        seq=0,
                        t=action.t,
                        card_id=action.card_id,
                        spot=str(action.spot),
                        face="up" if up else "down",
                        card=str(action.card) if up else None,
                        position=action.position,
                        at_mm=action.at_mm,
                        angle_deg=action.angle_deg,
                        hand=hand,
                    )
                )
            case TurnCard():
                seen.append(
                    CardTurned(
                        seq=0,
                        t=action.t,
                        card_id=action.card_id,
                        spot=str(action.spot),
                        face="up",
                        card=str(action.card),
                        hand=hand,
                    )
                )
            case SweepCard():
                seen.append(
                    CardCleared(
                        seq=0,
                        t=action.t,
                        card_id=action.card_id,
                        spot=str(action.spot),
                        to_spot="discard",
                        hand=hand,
                    )
                )
            case ShowCutCard():
                seen.append(CutCardSeen(seq=0, t=action.t, spot=str(SHOE)))
            case NewShoe():
                if eye.cues:
                    seen.append(Cue(seq=0, t=action.t, cue="new_shoe"))
    seen.sort(key=lambda event: event.t)
    return tuple(replace(event, seq=number) for number, event in enumerate(seen, start=1))


def _chips(
    action: PlaceChips | LiftChips, board: dict[Spot, dict[str, Stack]], hand: Hand | None, eye: Observer
) -> ChipState:
    """The whole content of the spot after chips were put down or lifted."""
    spot = board.setdefault(action.spot, {})
    if isinstance(action, PlaceChips):
        below = spot[action.stack].denominations if action.onto else ()
        spot[action.stack] = _stack(
            action.stack, (*(below or ()), *action.denominations), action.at_mm, action.line
        )
    elif action.left:
        line = spot[action.stack].line
        spot[action.stack] = _stack(action.stack, action.left, action.at_mm, line)
    else:
        del spot[action.stack]
    stacks = tuple(spot.values())
    if not eye.denominations:
        stacks = tuple(
            replace(stack, denominations=None, count=None, unread="seen from straight above")
            for stack in stacks
        )
    return ChipState(seq=0, t=action.t, spot=str(action.spot), stacks=stacks, hand=hand)


def _stack(name: str, chips: tuple[int | None, ...], at_mm: tuple[float, float], line: str | None) -> Stack:
    return Stack(stack=name, denominations=tuple(chips), count=len(chips), at_mm=at_mm, line=line)
