"""The story of each card: from the shoe to its hand, read, turned, moved, cleared."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np

from rules.cards import Face
from rules.events import Hand
from rules.spots import Area, Spot
from vision.camera import Floats
from vision.markers import are_alike, may_be_cut_card
from vision.telling import Teller
from vision.tracking import Sight, Thing

SURE = 0.9
"""A card is named once its probability is so high."""
_DOUBT = 0.5
"""A card that was named loses its name when later looks leave it less sure than this."""
_LIMBO_S = 2.0
"""A card that was lifted and comes back within this time, and not by way of the shoe, is the same card."""
_DEALT_WITHIN_S = 4.0
"""A card comes to rest at most so long after it left the shoe."""
_PLAIN_LOOKS = 3
"""Looks at a face after which it is no longer read, if it is sure."""
_FANNED = 0.2
"""Of two backs on one another by such a part, more may lie between them: how many there are is not seen."""
_MOST_LOOKS = 5
"""More looks at a card that lies still see the same again, and would only be surer of the same mistake."""

_BACKS = 64
"""So many backs of one colour are remembered, the newest: more say the same of the pack again."""

L = TypeVar("L")
"""What one look at a face said: (54,) probabilities, or those with the camera that looked."""
Identify = Callable[[Sequence[L]], tuple[str | None, float]]
"""From looks at one face to the card's name (None if that cannot be said) and its probability."""


@dataclass(slots=True, eq=False)
class CardStory(Generic[L]):
    """What is known of one card. ``evidence``: what each look at its face said."""

    card_id: str
    spot: Spot
    evidence: list[L] = field(default_factory=list)
    named: str | None = None
    may_be: tuple[str, ...] = ()
    position: int | None = None


@dataclass(slots=True, eq=False)
class _Lifted(Generic[L]):
    story: CardStory[L]
    sight: Sight
    t: float
    hand: Hand | None


class CardEvents(Generic[L]):
    """Tells the cards' events. ``identify``: how looks become a name; ``shoe_visit``: when a hand was last at
    the shoe between two times; ``could_be``: the few names of which looks leave one."""

    def __init__(
        self,
        teller: Teller,
        identify: Identify[L],
        shoe_visit: Callable[[float, float], float | None],
        could_be: Callable[[Sequence[L]], tuple[str, ...]] = lambda _looks: (),
    ) -> None:
        self._teller = teller
        self._identify = identify
        self._shoe_visit = shoe_visit
        self._could_be = could_be
        self._stories: dict[int, CardStory[L]] = {}
        self._lifted: list[_Lifted[L]] = []
        self._dealt: dict[Spot, int] = {}
        self._last_exit = -np.inf
        self._count = 0
        self._plain: dict[int, Floats] = {}
        self._plain_backs: deque[Floats] = deque(maxlen=_BACKS)
        self._backs: dict[int, Sight] = {}
        self._fans: dict[Spot, tuple[int, float]] = {}

    def came(self, thing: Thing, t: float, hand: Hand | None, looks: list[L], initial: bool) -> None:
        """A card lies where none was, or (``initial``) lay there when the recording began.

        ``looks``: readings of its face. What lay beside the hands from the start is in no play: old
        cards, the next card in the shoe's mouth.
        """
        sight = thing.sight
        if initial and sight.spot.area in (Area.TABLE, Area.BET):
            return
        if sight.spot.area not in (Area.HAND, Area.TABLE, Area.BET, Area.COMMUNITY):
            return
        if self._is_one_of_a_colour(thing) and may_be_cut_card(sight.spot):
            self._teller.cut_card(t, sight.spot, sight)
            return
        visit = self._shoe_visit(max(self._last_exit + 0.05, t - _DEALT_WITHIN_S), t + 0.2)
        if (back := self._brought_back(sight, t, visit)) is not None:
            self._stories[thing.number] = back.story
            self._returned(back, thing, t, hand, looks)
            return
        self._count += 1
        story = CardStory(f"c{self._count}", sight.spot, list(looks))
        self._stories[thing.number] = story
        if visit is not None:
            self._last_exit = visit
            self._teller.shoe_exit(min(visit, t), story.card_id)
        story.position = self._next_position(sight.spot)
        name, p = self._name(story, sight)
        fan = self._fans.get(sight.spot)
        if fan is not None and sight.face is Face.UP:
            # It lay hidden among the backs, and was turned with them.
            hidden = replace(sight, face=Face.DOWN)
            self._teller.card_placed(
                fan[1], story.card_id, hidden, sight.spot, card=None, p=p, position=story.position, hand=None
            )
            self._teller.card_turned(t, story.card_id, sight, sight.spot, name, p, hand)
            return
        self._teller.card_placed(
            t, story.card_id, sight, sight.spot, card=name, p=p, position=story.position, hand=hand
        )
        self._fanned(thing, t)

    def turned(self, thing: Thing, before: Sight, t: float, hand: Hand | None, looks: list[L]) -> None:
        """A card shows its other side."""
        self._plain.pop(thing.number, None)
        story = self._stories.get(thing.number)
        if story is None:
            return
        if thing.sight.face is Face.UP:
            story.evidence = list(looks)
        name, p = self._name(story, thing.sight)
        if before.spot != thing.sight.spot:
            self._moved(story, before.spot, thing, t, hand)
        self._teller.card_turned(t, story.card_id, thing.sight, story.spot, name, p, hand)

    def shifted(self, thing: Thing, before: Sight, t: float, hand: Hand | None) -> None:
        """A card was pushed to another place."""
        story = self._stories.get(thing.number)
        if story is not None:
            self._moved(story, before.spot, thing, t, hand)

    def went(self, thing: Thing, t: float, hand: Hand | None) -> None:
        """A card's place is bare. It is told when it has not come back at once."""
        self._plain.pop(thing.number, None)
        self._backs.pop(thing.number, None)
        story = self._stories.pop(thing.number, None)
        if story is not None:
            self._lifted.append(_Lifted(story, thing.sight, t, hand))

    def name_of(self, thing: Thing) -> str | None:
        """The card's name in the journal, None if nothing was told of it."""
        story = self._stories.get(thing.number)
        return None if story is None else story.card_id

    def wants_reading(self, thing: Thing) -> bool:
        """Whether another look at this card's face would tell more."""
        story = self._stories.get(thing.number)
        if story is None or thing.sight.face is not Face.UP or len(story.evidence) >= _MOST_LOOKS:
            return False
        return len(story.evidence) < _PLAIN_LOOKS or self._identify(story.evidence)[1] < 0.99

    def read(self, thing: Thing, look: L, t: float) -> None:
        """One more reading of a lying card's face."""
        story = self._stories.get(thing.number)
        if story is None or thing.sight.face is not Face.UP:
            return
        story.evidence.append(look)
        name, p = self._identify(story.evidence)
        better = name is not None and p >= SURE
        doubtful = story.named is not None and len(story.evidence) >= _PLAIN_LOOKS and p < _DOUBT
        if name != story.named and better:
            story.named = name
            self._teller.card_read(t, story.card_id, thing.sight, name, p)
        elif doubtful:
            story.named = None
            self._tell_few(story, t, thing.sight, p, anyway=True)
        elif story.named is None and len(story.evidence) >= _PLAIN_LOOKS:
            self._tell_few(story, t, thing.sight, p)

    def _tell_few(
        self, story: CardStory[L], t: float, sight: Sight, p: float, *, anyway: bool = False
    ) -> None:
        """Tell the few that a card which cannot be named may be, if they are others than before."""
        few = self._could_be(story.evidence)
        if anyway or (few and set(few) != set(story.may_be)):
            self._teller.card_read(t, story.card_id, sight, None, p, few)
        story.may_be = few or story.may_be

    def passed(self, t: float) -> None:
        """Time went on: tell of the cards that were lifted and did not come back."""
        for lifted in [lifted for lifted in self._lifted if t - lifted.t > _LIMBO_S]:
            self._cleared(lifted)

    def finish(self) -> None:
        """The recording ends."""
        for lifted in list(self._lifted):
            self._cleared(lifted)

    def _fanned(self, thing: Thing, t: float) -> None:
        """Backs that lie on one another in a hand hide how many they are: say so, until none lies there."""
        sight = thing.sight
        if sight.face is Face.UP or sight.spot.area is not Area.HAND:
            return
        self._backs[thing.number] = sight
        whole = sight.footprint.whole()
        others = [
            back for number, back in self._backs.items() if number in self._stories and number != thing.number
        ]
        on_it = any(
            back.spot == sight.spot and back.camera == sight.camera and back.footprint.share(whole) > _FANNED
            for back in others
        )
        if on_it and sight.spot not in self._fans:
            self._fans[sight.spot] = (self._teller.view_lost(t, "covered", None, sight.spot), t)

    def _is_one_of_a_colour(self, thing: Thing) -> bool:
        """Whether a thing of one colour lies alone. There is one cut card: where two of a colour lie at once,
        the pack's backs look like that from here, from then on."""
        tint = thing.sight.tint
        if tint is None:
            return False
        if any(are_alike(tint, lying) for lying in self._plain.values()):
            self._plain_backs.append(tint)
        self._plain[thing.number] = tint
        return not any(are_alike(tint, back) for back in self._plain_backs)

    def _cleared(self, lifted: _Lifted[L]) -> None:
        self._lifted.remove(lifted)
        story = lifted.story
        self._teller.card_cleared(lifted.t, story.card_id, lifted.sight, story.spot, None, lifted.hand)
        spot = story.spot
        others = [s.spot for s in self._stories.values()] + [left.story.spot for left in self._lifted]
        if spot not in others:
            self._dealt.pop(spot, None)
            if (fan := self._fans.pop(spot, None)) is not None:
                self._teller.camera_back(lifted.t, fan[0], None)

    def _brought_back(self, sight: Sight, t: float, visit: float | None) -> _Lifted[L] | None:
        able = [
            lifted
            for lifted in self._lifted
            if lifted.t - 0.3 <= t <= lifted.t + _LIMBO_S and (visit is None or visit < lifted.t)
        ]
        return min(
            able,
            key=lambda lifted: float(
                np.hypot(lifted.sight.at_mm[0] - sight.at_mm[0], lifted.sight.at_mm[1] - sight.at_mm[1])
            ),
            default=None,
        )

    def _returned(self, back: _Lifted[L], thing: Thing, t: float, hand: Hand | None, looks: list[L]) -> None:
        self._lifted.remove(back)
        if back.sight.face is thing.sight.face:
            self._moved(back.story, back.sight.spot, thing, t, hand)
        else:
            self.turned(thing, back.sight, t, hand, looks)

    def _moved(self, story: CardStory[L], from_spot: Spot, thing: Thing, t: float, hand: Hand | None) -> None:
        story.spot = thing.sight.spot
        self._teller.card_moved(t, story.card_id, from_spot, thing.sight, hand)

    def _next_position(self, spot: Spot) -> int | None:
        if spot.area is not Area.HAND:
            return None
        self._dealt[spot] = self._dealt.get(spot, 0) + 1
        return self._dealt[spot]

    def _name(self, story: CardStory[L], sight: Sight) -> tuple[str | None, float]:
        """The name to tell now, and how sure the sight as a whole is."""
        if sight.face is not Face.UP or not story.evidence:
            return story.named if sight.face is Face.UP else None, sight.score
        name, p = self._identify(story.evidence)
        if name is None or p < SURE:
            return None, sight.score
        story.named = name
        return name, p
