"""What several cameras conclude, brought together on the felt: each change of each thing is told once.

A thing is the same one for all cameras if it is of one kind and lies at one place. What a camera concludes
of it (it came, was turned, was pushed, is gone) is a claim that waits a moment for the other cameras that see
the place, and is then told with the earliest time, the hand that is best seen, and all readings. What a
camera concludes later only adds to what is known. A camera that plainly sees otherwise, at a place that
nothing hides from it, holds a claim back for as long as it sees at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.cards import Face
from rules.events import Hand
from vision.camera import Floats
from vision.card_events import CardEvents
from vision.chip_stacks import StackReading
from vision.claims import SAME_PLACE_MM, Claim, Claims, Look, Shared, Word, apart_mm
from vision.layout import Layout
from vision.onlookers import Onlooker, agreed_hand, steepest
from vision.position import fused_place
from vision.shared_chips import SharedChips
from vision.tracking import Change, Family, Sight, Thing

AGREE_S = 0.8
"""So long a claim waits for the other cameras."""
_UNCHANGED, _AS_BEFORE, _BARE = 0.05, 0.15, 0.85
"""Shares of a place that changed, that differ, that look bare, by which a camera denies a claim."""
_LEAD_S = 0.5
_NOBODY = ""
"""Whose word it is that a thing went while no camera saw it."""
_MOST_LOOKS, _PLAIN_LOOKS, _SURE = 5, 3, 0.99


class SharedCards(CardEvents[Look]):
    """Tells the cards' events of several cameras."""

    def wants_look(self, camera: int, thing: Thing) -> bool:
        """Whether another look of a camera at this card's face would tell more."""
        story = self._stories.get(thing.number)
        if story is None or thing.sight.face is not Face.UP:
            return False
        own = sum(look.camera == camera for look in story.evidence)
        return own < _PLAIN_LOOKS or (own < _MOST_LOOKS and self._identify(story.evidence)[1] < _SURE)


class Fusion:
    """Brings the conclusions of several cameras together; see the module."""

    def __init__(
        self, onlookers: Sequence[Onlooker], layout: Layout, cards: SharedCards, chips: SharedChips
    ) -> None:
        self._onlookers = {each.name: each for each in onlookers}
        self._layout = layout
        self._cards = cards
        self._chips = chips
        self._claims = Claims()

    # what cameras say --------------------------------------------------------------------------------------

    def came(self, camera: str, thing: Thing, word: Word) -> None:
        """A thing lies where this camera saw none."""
        shared = self._claims.known_at(word.sight, camera, word.t)
        if shared is not None and not word.initial and not self._watched(shared, word.now):
            self._left_behind(shared, word)
            shared = None
        if shared is None:
            shared = self._claims.new_thing(word.sight)
            self._claims.hold(shared, camera, thing)
            self._claims.add(Change.CAME, shared, camera, word)
            return
        self._claims.hold(shared, camera, thing)
        came = self._claims.of(shared, Change.CAME)
        if came is not None and self._claims.face_of(shared) is word.sight.face:
            came.says.setdefault(camera, word)
        else:
            self._shows(shared, camera, word)

    def turned(self, camera: str, thing: Thing, word: Word) -> None:
        """A card shows its other side to this camera."""
        shared = self._claims.meant(camera, thing)
        if shared is None:
            self.came(camera, thing, word)
            return
        self._claims.hold(shared, camera, thing)
        self._shows(shared, camera, word)

    def shifted(self, camera: str, thing: Thing, word: Word) -> None:
        """A thing was pushed to another place."""
        shared = self._claims.meant(camera, thing)
        other = self._claims.known_at(word.sight, camera, word.t)
        if shared is None or (other is not None and other is not shared):
            if shared is not None:
                self._let_go(shared, camera, word)
            self.came(camera, thing, word)
            return
        self._claims.hold(shared, camera, thing)
        pushed = self._claims.of(shared, Change.SHIFTED)
        if pushed is not None:
            pushed.says[camera] = word
        elif apart_mm(shared.thing.sight, word.sight) >= SAME_PLACE_MM[word.sight.family]:
            self._claims.add(Change.SHIFTED, shared, camera, word)
        elif word.sight.family is Family.STACK:
            self._chips.touched(shared.thing, word.t, word.now, word.hand, True)

    def went(self, camera: str, thing: Thing, word: Word) -> None:
        """A thing's place is bare to this camera."""
        shared = self._claims.meant(camera, thing)
        if shared is not None:
            self._let_go(shared, camera, word)

    def touched(self, camera: str, thing: Thing, word: Word, much: bool) -> None:
        """A stack's picture changed, ``much`` of it."""
        shared = self._claims.meant(camera, thing)
        if shared is None:
            self.came(camera, thing, word)
            return
        self._claims.hold(shared, camera, thing)
        if shared.told:
            self._chips.touched(shared.thing, word.t, word.now, word.hand, much)

    def name_of(self, camera: str, thing: Thing) -> str | None:
        """What a thing that this camera sees is called in the journal; None if it was not told yet."""
        shared = self._claims.meant(camera, thing)
        if shared is None or not shared.told:
            return None
        teller = self._cards if thing.sight.family is Family.CARD else self._chips
        return teller.name_of(shared.thing)

    def wants_reading(self, camera: str, thing: Thing) -> bool:
        """Whether a reading of a thing by this camera would tell more."""
        watcher = self._onlookers[camera]
        shared = None if watcher.watcher.lost else self._claims.meant(camera, thing)
        if shared is None or not shared.told or shared.thing.sight.face is not thing.sight.face:
            return False
        if thing.sight.family is Family.CARD:
            return self._cards.wants_look(watcher.number, shared.thing)
        return self._chips.wants_look(camera, shared.thing)

    def read_face(self, camera: str, thing: Thing, look: Floats, t: float) -> None:
        """One more look (54,) of a camera at a card's face."""
        shared = self._claims.meant(camera, thing)
        if shared is not None:
            self._cards.read(shared.thing, Look(self._onlookers[camera].number, look), t)

    def read_stack(self, camera: str, thing: Thing, reading: StackReading, t: float) -> None:
        """One more reading of a stack by a camera."""
        shared = self._claims.meant(camera, thing)
        if shared is not None:
            self._chips.read_by(camera, shared.thing, reading, t)

    # what is told ------------------------------------------------------------------------------------------

    def passed(self, now: float) -> None:
        """Time went on: tell the claims that are agreed on or have waited long enough, as they happened."""
        held_back: set[int] = set()
        for claim in sorted(self._claims.open, key=lambda claim: claim.t):
            number = claim.shared.thing.number
            if number not in held_back and not self._is_denied(claim, now):
                missing = self._missing(claim, now)
                if missing and now - claim.since < AGREE_S:
                    break
                claim.denied = tuple(each for each in missing if self._denies(each, claim))
            if number in held_back or claim.denied:
                held_back.add(number)
                continue
            self._claims.open.remove(claim)
            self._release(claim, now)

    def finish(self, now: float) -> None:
        """No camera sees any more: tell what was claimed."""
        for claim in sorted(self._claims.open, key=lambda claim: claim.t):
            if not any(each.live(now) for each in claim.denied):
                self._release(claim, now)
        self._claims.open.clear()

    def _is_denied(self, claim: Claim, now: float) -> bool:
        """Whether cameras that saw otherwise still see, and have not come round."""
        claim.denied = tuple(each for each in claim.denied if each.live(now) and each.name not in claim.says)
        return bool(claim.denied)

    def _missing(self, claim: Claim, now: float) -> list[Onlooker]:
        """The cameras that see the place and have not said what they see there."""
        sight = claim.shared.thing.sight
        came = claim.change is Change.CAME
        return [
            each
            for each in self._onlookers.values()
            if each.name not in claim.says
            and each.live(now)
            and (came or each.name in claim.shared.held)
            and each.views(sight.family, sight.at_mm)
        ]

    def _denies(self, onlooker: Onlooker, claim: Claim) -> bool:
        going = claim.change is Change.WENT
        state = onlooker.state_of(claim.shared.thing.sight, claim.t - _LEAD_S, under_things=going)
        if state.hidden:
            return False
        if going:
            return state.differs < _AS_BEFORE and state.bare < _BARE
        initial = any(word.initial for word in claim.says.values())
        unchanged = state.changed < _UNCHANGED and state.differs < _UNCHANGED and not initial
        return unchanged or (claim.change is Change.CAME and state.bare > _BARE)

    def _release(self, claim: Claim, now: float) -> None:
        """Tell a change."""
        shared, thing = claim.shared, claim.shared.thing
        words = [claim.says[name] for name in self._onlookers if name in claim.says]
        before = thing.sight
        if claim.change is not Change.WENT:
            thing.sight = self._sight(claim)
        t, hand = claim.t, self._hand(claim)
        looks = [look for word in words for look in word.looks]
        cards = thing.sight.family is Family.CARD
        match claim.change:
            case Change.CAME:
                shared.told = True
                if cards:
                    self._cards.came(thing, t, hand, looks, all(word.initial for word in words))
                else:
                    self._chips.came(thing, t, now, hand)
            case Change.TURNED:
                self._cards.turned(thing, before, t, hand, looks)
            case Change.SHIFTED if cards:
                self._cards.shifted(thing, before, t, hand)
            case Change.SHIFTED:
                self._chips.shifted(thing, t, now, hand)
            case Change.WENT:
                self._claims.forget(shared)
                if cards:
                    self._cards.went(thing, t, hand)
                else:
                    self._chips.went(thing, t, now, hand)
            case _:
                raise AssertionError(claim.change)

    def _sight(self, claim: Claim) -> Sight:
        """How the thing is told: as the camera saw it that reads it best; a stack where all see it."""
        says = claim.says
        family = claim.shared.thing.sight.family
        best = max(says, key=lambda name: self._onlookers[name].clarity(family, says[name].sight.at_mm))
        sight = says[best].sight
        if family is Family.CARD or len(says) == 1:
            return sight
        at, _ = fused_place(
            [
                (word.sight.at_mm, self._onlookers[name].placer.covariance(word.sight.at_mm))
                for name, word in says.items()
            ]
        )
        radius_mm = self._onlookers[best].placer.radius_mm
        return replace(sight, at_mm=at, spot=self._layout.place(at, radius_mm).spot)

    def _hand(self, claim: Claim) -> Hand | None:
        """Whose hand did it: by those who saw the change, else by those who saw only the hand."""
        if _NOBODY in claim.says or all(word.initial for word in claim.says.values()):
            return None
        sight = claim.shared.thing.sight
        order = steepest(list(self._onlookers.values()), sight.at_mm)
        hand = agreed_hand([claim.says[each.name].hand for each in order if each.name in claim.says])
        if hand is not None:
            return hand
        others = [each for each in order if each.name not in claim.says and not each.ended]
        return agreed_hand(
            [each.watcher.hand_at(each.outline_mm(sight), claim.t - 0.7, claim.t + 0.6) for each in others]
        )

    # what a camera sees of a thing that is known -----------------------------------------------------------

    def _shows(self, shared: Shared, camera: str, word: Word) -> None:
        """A camera sees a card's side: it has been turned, or that is known and its readings count."""
        if word.sight.family is not Family.CARD:
            return
        turned = self._claims.of(shared, Change.TURNED)
        if self._claims.face_of(shared) is not word.sight.face:
            self._claims.add(Change.TURNED, shared, camera, word)
        elif turned is not None:
            turned.says.setdefault(camera, word)
        elif shared.told:
            for look in word.looks:
                self._cards.read(shared.thing, look, word.now)

    def _let_go(self, shared: Shared, camera: str, word: Word) -> None:
        """A camera sees that a thing is no more at its place."""
        shared.held.pop(camera, None)
        going = self._claims.of(shared, Change.WENT)
        came = self._claims.of(shared, Change.CAME)
        if came is not None and came.denied and not shared.held:
            self._claims.drop(shared)  # what only one camera saw for a while, and another saw not at all
        elif going is not None:
            going.says.setdefault(camera, word)
        else:
            self._claims.add(Change.WENT, shared, camera, word)

    def _watched(self, shared: Shared, now: float) -> bool:
        """Whether any camera that holds a thing sees at present."""
        return any(self._onlookers[name].live(now) for name in shared.held)

    def _left_behind(self, shared: Shared, word: Word) -> None:
        """A thing that only cameras hold that see no more, and another now lies there: it went meanwhile."""
        seen = max((self._onlookers[name].t for name in shared.held), default=word.t)
        gone = replace(word, t=min(seen, word.t), sight=shared.thing.sight, hand=None, looks=())
        shared.held.clear()
        self._claims.add(Change.WENT, shared, _NOBODY, gone)
