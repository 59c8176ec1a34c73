"""A simulated journal as what hands do in time, on a drawn felt: the script of a film, with its truth.

The order of what happens is the journal's, its pace that of hands. Idle time is left out, and so is what
players do once the cards are away. What no hand does, such as a view that is lost, cannot be acted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasets.simulator_table import TableGeometry
from datasets.simulator_types import (
    DealCard,
    LayMarker,
    Session,
    ShowCutCard,
    SweepCard,
    TouchPlace,
    TurnCard,
)
from datasets.staged.chips import ChipsOnFelt
from datasets.staged.places import At, Places
from datasets.staged.timeline import DEALER, Timeline
from rules.cards import PACK, Card, Face
from rules.events import (
    CardCleared,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    CutCardSeen,
    Event,
    Hand,
    HandContact,
    MarkerSeen,
    Owner,
    ShoeExit,
)
from rules.spots import DISCARD, SHOE, Area, Spot
from vision.layout import Layout

_TAIL_S = 1.6
_CROSSWISE = frozenset({"punto_banco", "chemin_de_fer", "banque_deux_tableaux"})
"""Games in which a third card is laid crosswise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A coup on the felt. ``session``: the script; ``events``: what a perfect observer tells of it, with the
    film's times and places; ``cues``: those of them that no camera sees. ``shoe``: where the shoe stands, and
    towards where it points; None: the pack is in the dealer's hand."""

    session: Session
    layout: Layout
    events: tuple[Event, ...]
    cues: tuple[Cue, ...]
    shoe_spot: Spot | None


def stage(events: Sequence[Event], game: str, layout: Layout, chips: Sequence[int], seed: int) -> Staged:
    """Act a journal of one coup. ``chips``: the house's denominations; what is told in others is changed.

    Raises ValueError for what cannot be acted, or that the drawing has no place for.
    """
    return _Acting(events, game, layout, chips, seed).staged()


class _Acting(Timeline):
    def __init__(
        self, events: Sequence[Event], game: str, layout: Layout, chips: Sequence[int], seed: int
    ) -> None:
        super().__init__(random.Random(f"{game} {seed}"))
        self.seed, self.game, self.layout = seed, game, layout
        self.places = Places(layout, self.rng)
        self.told = _without_the_end(events)
        self.many = Counter(event.spot for event in self.told if isinstance(event, CardPlaced))
        self.lying: dict[str, DealCard] = {}
        self.identity = _identities(self.told, self.rng)
        self.laid: Counter[str] = Counter()
        self.cues: list[Cue] = []
        self.exits: set[str] = set()
        self.shoe_spot = self._shoe_spot()
        self.shoe_mm = self._shoe_mouth()
        self.float_mm = self.places.float_mm
        self.chips = ChipsOnFelt(self, layout, self.places, chips)
        self.discard_mm = self.places.centre_or_free(DISCARD, (110.0, 120.0), 0.3)

    def staged(self) -> Staged:
        start = self._initial()
        at = 0
        while at < len(self.told):
            event = self.told[at]
            if isinstance(event, CardCleared):
                swept = [event]
                while at + len(swept) < len(self.told) and _same_sweep(event, self.told[at + len(swept)]):
                    swept.append(self.told[at + len(swept)])  # type: ignore[arg-type]
                self._sweep(swept)
                at += len(swept)
                continue
            self._act(event, initial=at < start)
            at += 1
        actions = tuple(sorted(self.actions, key=lambda action: (action.t, action.t_from)))
        events = sorted(self.seen, key=lambda event: event.t)
        return Staged(
            session=Session(
                seed=self.seed,
                geometry=TableGeometry({}, {}, self.shoe_mm, self.discard_mm, self.float_mm, frozenset()),
                actions=actions,
                coups=(),
                events=(),
                duration_s=round(self.t + _TAIL_S, 2),
            ),
            layout=self.layout,
            events=tuple(replace(event, seq=n) for n, event in enumerate(events, 1)),
            cues=tuple(self.cues),
            shoe_spot=self.shoe_spot,
        )

    def _initial(self) -> int:
        """How many events are before the film begins: what the bank has, and half of the bets."""
        before = 0
        for event in self.told:
            if not isinstance(event, ChipState | Cue | MarkerSeen | CutCardSeen):
                break
            before += 1
        bets = [n for n, event in enumerate(self.told[:before]) if isinstance(event, ChipState)]
        return bets[(len(bets) - 1) // 2] + 1 if bets else 0

    def _shoe_spot(self) -> Spot | None:
        seats = [e.spot for e in self.told if isinstance(e, MarkerSeen) and e.marker == "shoe"]
        if seats:
            return Spot.parse(seats[0])
        return SHOE if any(isinstance(e, ShoeExit) for e in self.told) else None

    def _shoe_mouth(self) -> At:
        if self.shoe_spot is None:
            return self.places.centre_or_free(Spot(Area.DECK), (100.0, 130.0), 0.75)
        zone = self.layout.zone(self.shoe_spot)
        if zone is None:
            return self.places.centre_or_free(SHOE, (130.0, 150.0), 0.75)
        return zone.centre_mm

    def _act(self, event: Event, *, initial: bool) -> None:
        match event:
            case Cue():
                self._tell(event, self.t if initial else self.wait(0.1, 0.2))
            case ChipState():
                self.chips.told(event, initial=initial)
            case ShoeExit():
                self.exits.add(event.card_id or "")
            case CardPlaced():
                self._deal(event)
            case CardTurned():
                self._turn(event)
            case HandContact():
                self._touch(event)
            case ChipMove():
                self._move(event)
            case MarkerSeen():
                self._mark(event, initial=initial)
            case CutCardSeen():
                self._cut_card(event, initial=initial)
            case CardRead():
                pass
            case _:
                raise ValueError(f"{event.kind} cannot be acted")

    def _tell(self, event: Event, t: float) -> None:
        timed = replace(event, t=t)
        self.seen.append(timed)
        if isinstance(timed, Cue):
            self.cues.append(timed)

    # cards ------------------------------------------------------------------------------------------------

    def _deal(self, event: CardPlaced) -> None:
        spot = Spot.parse(event.spot)
        self.laid[event.spot] += 1
        place = self.places.card(
            spot,
            self.laid[event.spot],
            self.many[event.spot],
            third_across=self.game in _CROSSWISE and self.many[event.spot] <= 3,
        )
        start, t = self.wait(0.55, 0.8), self.wait(0.5, 0.9)
        deal = DealCard(
            t_from=start,
            t=t,
            t_to=round(t + 0.4, 2),
            hand=event.hand or DEALER,
            card_id=event.card_id,
            card=self.identity[event.card_id],
            spot=spot,
            position=self.laid[event.spot],
            face=Face(event.face),
            from_mm=self.shoe_mm,
            at_mm=place.at_mm,
            angle_deg=place.angle_deg,
        )
        self.lying[event.card_id] = deal
        self.actions.append(deal)
        if event.card_id in self.exits:
            self.seen.append(ShoeExit(seq=0, t=start, card_id=event.card_id, face=event.face))
        card = str(deal.card) if event.face == "up" else None
        self.seen.append(
            replace(event, t=t, card=card, at_mm=place.at_mm, position=deal.position, hand=deal.hand)
        )

    def _turn(self, event: CardTurned) -> None:
        deal = self.lying[event.card_id]
        count = self.many[str(deal.spot)]
        fanned = self.places.overlaps(deal.spot, count)
        t = self.wait(0.3, 0.4) if fanned and self.laid[f"turned {deal.spot}"] else self.wait(0.85, 0.95)
        self.laid[f"turned {deal.spot}"] += 1
        hand = event.hand or DEALER
        self.actions.append(
            TurnCard(
                t_from=round(t - (0.3 if fanned else 0.4), 2),
                t=t,
                t_to=round(t + 0.3, 2),
                hand=hand,
                card_id=event.card_id,
                card=deal.card,
                spot=deal.spot,
                at_mm=deal.at_mm,
            )
        )
        self.seen.append(replace(event, t=t, card=str(deal.card), hand=hand))

    def _sweep(self, cleared: Sequence[CardCleared]) -> None:
        self.wait(1.0, 1.4)
        gone = [(event, self.lying.pop(event.card_id)) for event in reversed(cleared)]
        ups = [self.wait(0.1, 0.25) for _ in gone]
        down = self.wait(0.7, 0.9)
        for (event, deal), up in zip(gone, ups, strict=True):
            x, y = self.discard_mm
            hand = event.hand or DEALER
            self.actions.append(
                SweepCard(
                    t_from=round(ups[0] - 0.6, 2),
                    t=up,
                    t_to=down,
                    hand=hand,
                    card_id=event.card_id,
                    card=deal.card,
                    spot=deal.spot,
                    at_mm=deal.at_mm,
                    to_mm=(x + self.rng.uniform(-4, 4), y + self.rng.uniform(-4, 4)),
                )
            )
            self.seen.append(replace(event, t=up, hand=hand))
            self.laid[str(deal.spot)] -= 1

    # hands and markers ------------------------------------------------------------------------------------

    def _touch(self, event: HandContact) -> None:
        held_s = max((event.t_to or event.t) - event.t, 0.4)
        spot = Spot.parse(event.spot)
        at = self.lying[event.target].at_mm if event.target in self.lying else self._centre(spot)
        self._rest(spot, at, event.hand, held_s)
        self.seen.append(replace(event, t=round(self.t - held_s, 2), t_to=self.t))

    def _rest(self, spot: Spot, at: At, hand: Hand, held_s: float) -> None:
        t = self.wait(0.9, 1.1)
        self.t = round(t + held_s, 2)
        dealer = hand.owner is not Owner.PLAYER
        home = self.float_mm if dealer else self.places.from_outside(at)
        self.actions.append(
            TouchPlace(
                t_from=round(t - 0.6, 2),
                t=t,
                t_to=round(self.t + 0.5, 2),
                hand=hand,
                spot=spot,
                at_mm=at,
                from_mm=home,
                held_s=held_s,
            )
        )

    def _move(self, event: ChipMove) -> None:
        """Chips that go out of sight: a hand that is at one place and then at the other."""
        for name in (event.from_spot, event.to_spot):
            spot = Spot.parse(name)
            if self.layout.zone(spot) is not None:
                self._rest(spot, self._centre(spot), event.hand or DEALER, 0.3)
        self.seen.append(replace(event, t=self.t))

    def _mark(self, event: MarkerSeen, *, initial: bool) -> None:
        spot = Spot.parse(event.spot)
        if event.marker == "shoe":
            self.seen.append(replace(event, t=self.t, at_mm=self.shoe_mm))
            return
        if spot.bet == "button":
            at = self._centre(spot)
        else:
            at = self.places.chips(spot, None, self.chips.near(spot, event.at_mm or (0.0, 0.0)))
            self.places.taken[f"marker {len(self.actions)}"] = at
        hand = event.hand or DEALER
        t = 0.0 if initial else self.wait(1.2, 1.6)
        self.actions.append(
            LayMarker(
                t_from=t if initial else round(t - 0.7, 2),
                t=t,
                t_to=t if initial else round(t + 0.5, 2),
                hand=hand,
                marker=event.marker,
                spot=spot,
                at_mm=at,
                from_mm=self.float_mm,
            )
        )
        self.seen.append(replace(event, t=t, at_mm=at))

    def _cut_card(self, event: CutCardSeen, *, initial: bool) -> None:
        if initial or not self.lying:
            self.seen.append(replace(event, t=self.t))
            return  # it is put into the pack before the film begins
        t = self.wait(0.8, 1.2)
        at = (self.shoe_mm[0] - 70.0, self.shoe_mm[1] + 95.0)
        self.actions.append(ShowCutCard(t_from=t, t=t, t_to=t, hand=DEALER, at_mm=at))
        self.seen.append(replace(event, t=t))

    def _centre(self, spot: Spot) -> At:
        zone = self.layout.zone(spot)
        if zone is None:
            return self.places.centre_or_free(spot, (60.0, 60.0), 0.5)
        return zone.centre_mm


def _without_the_end(events: Sequence[Event]) -> list[Event]:
    """The events, without what players do once the last card is away."""
    last = max(
        (n for n, event in enumerate(events) if isinstance(event, CardCleared)), default=len(events) - 1
    )
    return list(events[: last + 1])


def _identities(events: Sequence[Event], rng: random.Random) -> dict[str, Card]:
    """Which card each one is; of one that is never shown, any that is not seen elsewhere."""
    named: dict[str, Card] = {}
    for event in events:
        if isinstance(event, CardPlaced | CardTurned | CardRead) and event.card and event.card[0] != "?":
            named.setdefault(event.card_id, Card.parse(event.card))
    left = [card for card in PACK if card not in named.values()]
    rng.shuffle(left)
    placed = [event.card_id for event in events if isinstance(event, CardPlaced)]
    return {name: named[name] if name in named else left.pop() for name in placed}


def _same_sweep(first: CardCleared, event: Event) -> bool:
    if not isinstance(event, CardCleared) or event.to_spot != first.to_spot:
        return False
    return event.hand == first.hand
