"""Puts what was seen into table events: numbers them, gives them their time, picture and box."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np

from rules.cards import Face
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    CutCardSeen,
    Event,
    Evidence,
    Hand,
    HandContact,
    MarkerSeen,
    Realignment,
    ShoeExit,
    Stack,
    ViewBack,
    ViewLost,
)
from rules.spots import Spot
from vision.tracking import Sight

Reason = Literal["covered", "dark", "dazzled", "frozen", "moved", "gap", "blurred", "no_signal", "end"]
"""Why a view was lost."""


def rounded(value: float) -> float:
    """A probability with three decimals: more would not be true."""
    return min(1.0, max(0.0, round(float(value), 3)))


@dataclass(slots=True)
class Teller:
    """Writes the events of one camera's table. ``seq``: the number of the next event; ``start_utc``: the time
    of ``t`` = 0 where known."""

    camera: str
    seq: int = 1
    start_utc: datetime | None = None
    t_picture: float = 0.0
    """The time of the picture that is being looked at: what evidence refers to."""
    _told: list[Event] = field(default_factory=list)

    def take(self) -> list[Event]:
        """The events told since the last call."""
        told, self._told = self._told, []
        return told

    def shoe_exit(self, t: float, card_id: str) -> None:
        """A card left the shoe, under a hand: which side was up is not seen there."""
        self._tell(ShoeExit(seq=0, t=t, card_id=card_id))

    def card_placed(
        self,
        t: float,
        card_id: str,
        sight: Sight,
        spot: Spot,
        *,
        card: str | None,
        p: float,
        position: int | None,
        hand: Hand | None,
    ) -> None:
        """A card came to rest."""
        assert sight.face is not None
        self._tell(
            CardPlaced(
                seq=0,
                t=t,
                p=rounded(p),
                evidence=self._evidence(sight),
                card_id=card_id,
                spot=str(spot),
                face=_side(sight.face),
                card=card,
                position=position,
                at_mm=_place(sight),
                angle_deg=round(sight.angle_deg, 1),
                hand=hand,
            )
        )

    def card_read(
        self,
        t: float,
        card_id: str,
        sight: Sight,
        card: str | None,
        p: float,
        may_be: tuple[str, ...] = (),
    ) -> None:
        """A lying card's identity was read or read anew."""
        self._tell(
            CardRead(
                seq=0,
                t=t,
                p=rounded(p),
                evidence=self._evidence(sight),
                card_id=card_id,
                card=card,
                may_be=may_be,
            )
        )

    def card_turned(
        self, t: float, card_id: str, sight: Sight, spot: Spot, card: str | None, p: float, hand: Hand | None
    ) -> None:
        """A card changed its visible side."""
        assert sight.face is not None
        self._tell(
            CardTurned(
                seq=0,
                t=t,
                p=rounded(p),
                evidence=self._evidence(sight),
                card_id=card_id,
                spot=str(spot),
                face=_side(sight.face),
                card=card,
                hand=hand,
            )
        )

    def card_moved(self, t: float, card_id: str, from_spot: Spot, to: Sight, hand: Hand | None) -> None:
        """A card came to rest at another place than before."""
        self._tell(
            CardMoved(
                seq=0,
                t=t,
                p=rounded(to.score),
                evidence=self._evidence(to),
                card_id=card_id,
                from_spot=str(from_spot),
                to_spot=str(to.spot),
                at_mm=_place(to),
                hand=hand,
            )
        )

    def card_cleared(
        self, t: float, card_id: str, sight: Sight, spot: Spot, to_spot: Spot | None, hand: Hand | None
    ) -> None:
        """A card left its spot."""
        self._tell(
            CardCleared(
                seq=0,
                t=t,
                evidence=self._evidence(sight),
                card_id=card_id,
                spot=str(spot),
                to_spot=None if to_spot is None else str(to_spot),
                hand=hand,
            )
        )

    def chip_state(
        self, t: float, spot: Spot, stacks: tuple[Stack, ...], sights: list[Sight], hand: Hand | None
    ) -> None:
        """The whole content of a spot after it changed. ``sights``: what the evidence box encloses."""
        self._tell(
            ChipState(
                seq=0,
                t=t,
                p=min((stack.p for stack in stacks), default=1.0),
                evidence=self._evidence(*sights),
                spot=str(spot),
                stacks=stacks,
                hand=hand,
            )
        )

    def cut_card(self, t: float, spot: Spot, sight: Sight) -> None:
        """The cut card was seen."""
        self._tell(
            CutCardSeen(seq=0, t=t, p=rounded(sight.score), evidence=self._evidence(sight), spot=str(spot))
        )

    def button(self, t: float, spot: Spot, sight: Sight, hand: Hand | None) -> None:
        """A button or a lammer lies at a seat's place for it."""
        self._tell(
            MarkerSeen(
                seq=0,
                t=t,
                p=rounded(sight.score),
                evidence=self._evidence(sight),
                marker="button",
                spot=str(spot),
                at_mm=_place(sight),
                hand=hand,
            )
        )

    def shoe(self, t: float, spot: Spot, p: float) -> None:
        """The shoe stands at a player's place."""
        self._tell(MarkerSeen(seq=0, t=t, p=rounded(p), marker="shoe", spot=str(spot)))

    def hand_contact(self, t: float, t_to: float, spot: Spot, hand: Hand, target: str | None = None) -> None:
        """A hand was at a spot; ``target``: the card or stack that it had its fingers on, if one."""
        self._tell(HandContact(seq=0, t=t, spot=str(spot), hand=hand, t_to=round(t_to, 3), target=target))

    def view_lost(self, t: float, reason: Reason, t_to: float | None = None, spot: Spot | None = None) -> int:
        """A spot or the whole camera could not be seen for a while; gives the event's number."""
        self._tell(
            ViewLost(
                seq=0,
                t=t,
                reason=reason,
                t_to=None if t_to is None else round(t_to, 3),
                spot=None if spot is None else str(spot),
            )
        )
        return self.seq - 1

    def camera_lost(self, t: float, reason: Reason, t_seen: float) -> int:
        """The camera is lost since ``t``, as the picture at ``t_seen`` shows; gives the event's number."""
        evidence = Evidence(self.camera, round(t_seen, 3))
        self._tell(ViewLost(seq=0, t=t, reason=reason, evidence=evidence))
        return self.seq - 1

    def camera_back(self, t: float, lost: int, realigned: Realignment | None) -> None:
        """The camera that was lost by event ``lost`` sees again, from another place if ``realigned``."""
        evidence = Evidence(self.camera, round(self.t_picture, 3))
        self._tell(ViewBack(seq=0, t=t, lost=lost, realigned=realigned, evidence=evidence))

    def _tell(self, event: Event) -> None:
        """Tell an event as the next one."""
        when, utc = round(event.t, 3), None
        if self.start_utc is not None:
            moment = (self.start_utc + timedelta(seconds=when)).astimezone(UTC)
            utc = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._told.append(replace(event, seq=self.seq, t=when, utc=utc))
        self.seq += 1

    def _evidence(self, *sights: Sight) -> Evidence:
        if not sights:
            return Evidence(self.camera, round(self.t_picture, 3))
        corners = np.concatenate([sight.quad_px for sight in sights])
        low, high = corners.min(axis=0), corners.max(axis=0)
        box = (
            round(float(low[0]), 1),
            round(float(low[1]), 1),
            round(float(high[0]), 1),
            round(float(high[1]), 1),
        )
        return Evidence(self.camera, round(self.t_picture, 3), box)


def _side(face: Face) -> Literal["up", "down"]:
    return "up" if face is Face.UP else "down"


def _place(sight: Sight) -> tuple[float, float]:
    return round(sight.at_mm[0], 1), round(sight.at_mm[1], 1)
