"""What a look concluded of one thing becomes what happened: the moment, the hand that did it, the event."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rules.cards import Face
from rules.events import Hand, Owner
from vision.camera import Floats
from vision.eyes import Eyes
from vision.footprint import Footprint
from vision.hands import ArmFinder
from vision.noticing import Noticer
from vision.outlet import CardTelling, ChipTelling
from vision.stillness import Picture, Stillness
from vision.tracking import Change, Family, Seen, Sight

SETTLE_S = 0.32
"""A recording is first looked at when it has run for so long."""
_TURNED = 0.2
"""So much of a place differs once an unknown thing there was turned over, at least: fine backs and faces with
few pips are both mostly white."""
_MUCH = 0.25
"""A smaller change of a stack's picture under the dealer's hand is the shadow of a payment."""
_REACH_MM = 15.0
"""An arm so near to a place may have been at it."""


class Concluding:
    """Tells of one camera's conclusions. ``start``: when its recording begins."""

    def __init__(
        self,
        eyes: Eyes,
        still: Stillness,
        finder: ArmFinder,
        noticer: Noticer,
        cards: CardTelling,
        chips: ChipTelling,
        px_per_mm: float,
    ) -> None:
        """``px_per_mm``: of the small picture."""
        self.start = 0.0
        self._eyes = eyes
        self._still = still
        self._finder = finder
        self._noticer = noticer
        self._cards = cards
        self._chips = chips
        self._reach_px = max(1, round(_REACH_MM * px_per_mm))
        self._settled_t: dict[int, float] = {}

    def told(self, seen: Seen, t: float, image: Picture, former: Picture, initial: bool) -> None:
        """Tell what a look at ``t`` concluded of one thing. ``former``: the settled picture until then;
        ``initial``: the look is at what lay there when the recording began."""
        number, place = seen.thing.number, (seen.sight or seen.before).footprint
        since = self._settled_t.get(number, self.start)
        self._settled_t[number] = t
        if seen.change is Change.WENT:
            del self._settled_t[number]
        if initial:
            when, hand = self.start, None
        else:
            when = self._when(seen, former, t)
            hand = self.who(place, when - 0.7, when + 0.6)
            if seen.change is Change.CAME:
                seen, when, hand = self._overlooked(seen, place, when, hand)
                # Made out late, but it has lain there since before the first look.
                initial = when < self.start + SETTLE_S
        if seen.thing.sight.family is Family.CARD:
            self._told_card(seen, image, when, hand, initial)
            return
        match seen.change:
            case Change.CAME:
                self._chips.came(seen.thing, when, t, hand)
            case Change.TOUCHED:
                who = self.who(place, since, t)
                players = who is not None and who.owner is Owner.PLAYER
                much = players or place.share(self._still.foreground) > _MUCH
                self._chips.touched(seen.thing, when, t, who, much)
            case Change.SHIFTED:
                self._chips.shifted(seen.thing, when, t, hand)
            case Change.WENT:
                self._chips.went(seen.thing, when, t, hand)

    def who(self, place: Footprint, t_from: float, t_to: float) -> Hand | None:
        """Whose hand was last at a place between two times."""
        return self._finder.last_at(place.grown(self._reach_px).whole(), t_from, t_to)

    def _told_card(self, seen: Seen, image: Picture, when: float, hand: Hand | None, initial: bool) -> None:
        thing = seen.thing
        looks = self._looks(image, thing.sight) if thing.sight.face is Face.UP else []
        match seen.change:
            case Change.CAME:
                self._cards.came(thing, when, hand, looks, initial)
            case Change.TURNED:
                self._cards.turned(thing, seen.before, when, hand, looks)
            case Change.SHIFTED:
                self._cards.shifted(thing, seen.before, when, hand)
            case Change.WENT:
                self._cards.went(thing, when, hand)

    def _looks(self, image: Picture, sight: Sight) -> list[Floats]:
        """What a card's face reads as: in the look that found it, else in another one."""
        return self._eyes.faces(image, [sight]) if sight.look is None else [sight.look]

    def _overlooked(
        self, seen: Seen, place: Footprint, when: float, hand: Hand | None
    ) -> tuple[Seen, float, Hand | None]:
        """A thing that is recognised only now, but has been lying there as something unknown.

        If its place just changed and shows a face, that unknown thing was the card's back: it is told as a
        card that lay face down and has been turned.
        """
        lain = self._noticer.overlooked(place)
        if lain is None or lain >= when:
            return seen, when, hand
        thing, shown = seen.thing, seen.thing.sight
        if shown.face is not Face.UP or place.share(self._still.foreground) <= _TURNED:
            return seen, lain, self.who(place, lain - 0.7, lain + 0.6)
        thing.sight = replace(shown, face=Face.DOWN)
        self._cards.came(thing, lain, self.who(place, lain - 0.7, lain + 0.6), [], False)
        turned = Seen(Change.TURNED, thing, thing.sight, shown)
        thing.sight = shown
        return turned, when, hand

    def _when(self, seen: Seen, former: Picture, t: float) -> float:
        """The moment of a change in the picture; see Stillness.moments."""
        place = (seen.before if seen.change is Change.WENT else seen.sight or seen.before).footprint
        mask = place.whole()
        moments = self._still.moments(mask, former)
        if moments.first_new is None:
            return float(np.median(self._still.changed_at[mask])) if mask.any() else t
        if seen.change is Change.WENT and moments.last_old is not None:
            return (moments.last_old + moments.first_new) / 2
        return moments.first_new
