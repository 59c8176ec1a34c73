"""A simulated session as scenes in time: where every card, chip and hand is at each moment."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass, field

import numpy as np

from datasets.simulator_types import (
    Action,
    DealCard,
    LayMarker,
    LiftChips,
    PlaceChips,
    Session,
    ShowCutCard,
    SweepCard,
    TouchPlace,
    TurnCard,
)
from datasets.synth.people import random_cloth, random_skin
from datasets.synth.scene import ArmItem, CardItem, ChipItem, Pose, PropItem, PropKind
from rules.cards import Face
from rules.events import Hand, Owner

_CHIP_MM = 3.3
_APPROACH_S, _LEAVE_S = 0.45, 0.5
_CARD_GRIP = (0.0, -30.0)
"""Where the dealer's fingertips hold a card, from its middle."""
_PILE = 5
"""Cards of the discard pile that are drawn; the others lie hidden below."""


@dataclass(frozen=True, slots=True)
class _Key:
    t: float
    x: float
    y: float
    z: float
    pose: Pose


@dataclass(slots=True)
class _Track:
    """One hand's way."""

    look: ArmItem
    home: tuple[float, float]
    shoulder: tuple[float, float]
    keys: list[_Key] = field(default_factory=list)

    def at(self, t: float) -> tuple[float, float, float, Pose] | None:
        """Fingertips (x, y, z) and pose; None while the hand is away from the table."""
        times = [key.t for key in self.keys]
        i = bisect.bisect_right(times, t)
        if i == 0 or i == len(self.keys):
            return None
        a, b = self.keys[i - 1], self.keys[i]
        if (a.x, a.y) == self.home == (b.x, b.y):
            return None
        u = smooth((t - a.t) / max(b.t - a.t, 1e-6))
        span = math.hypot(b.x - a.x, b.y - a.y)
        lift = 45.0 * min(span / 300.0, 1.0) * 4 * u * (1 - u)
        pose = b.pose if u > 0.4 else a.pose
        return a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u, a.z + (b.z - a.z) * u + lift, pose


def smooth(u: float) -> float:
    """Ease in and out, 0..1."""
    u = min(1.0, max(0.0, u))
    return u * u * (3 - 2 * u)


class Motion:
    """Answers for any time what is on the table. ``back``: the variant of the cards' backs."""

    def __init__(self, session: Session, back: int = 0) -> None:
        self.session, self.back = session, back
        self._rng = np.random.default_rng([session.seed, 3])
        self._tracks: dict[str, _Track] = {}
        self._jitter: dict[str, list[tuple[float, float, float]]] = {}
        deals = [action for action in session.actions if isinstance(action, DealCard)]
        self._order = {deal.card_id: i for i, deal in enumerate(deals)}
        self._sweeps = self._grouped_sweeps()
        for action in sorted(session.actions, key=lambda a: (a.t_from, a.t)):
            self._keys_of(action)
        for track in self._tracks.values():
            _fill_homes(track)

    def _grouped_sweeps(self) -> dict[str, list[SweepCard]]:
        """Each swept card's movement: the cards that go to the discards together, in order."""
        groups: dict[float, list[SweepCard]] = {}
        for action in self.session.actions:
            if isinstance(action, SweepCard):
                groups.setdefault(action.t_to, []).append(action)
        return {
            action.card_id: sorted(group, key=lambda a: a.t) for group in groups.values() for action in group
        }

    # hands ------------------------------------------------------------------------------------------------

    def _track(self, hand: Hand, side: str, from_mm: tuple[float, float]) -> _Track:
        name = _track_name(hand, side)
        if name not in self._tracks:
            self._tracks[name] = self._new_track(name, hand, side, from_mm)
        return self._tracks[name]

    def _new_track(self, name: str, hand: Hand, side: str, from_mm: tuple[float, float]) -> _Track:
        dealer = hand.owner is not Owner.PLAYER
        rng = np.random.default_rng([self.session.seed, 5, sum(name.encode())])
        shared = np.random.default_rng([self.session.seed, 6])
        skin = random_skin(shared if dealer else rng)
        sleeve = random_cloth(shared if dealer else rng, dealer)
        bare = not dealer and rng.random() < 0.35
        x, y = self.session.geometry.float_mm
        if dealer:
            sign = -1.0 if side == "right" else 1.0
            home, shoulder = (x + sign * 250, y - 330), (x + sign * 200, y - 420)
        else:
            away = np.array(from_mm) - np.array([x, y + 150])
            away /= np.linalg.norm(away)
            home = (float(from_mm[0] + away[0] * 150), float(from_mm[1] + away[1] * 150))
            shoulder = (float(from_mm[0] + away[0] * 380), float(from_mm[1] + away[1] * 380))
        look = ArmItem(
            0, 0, 0, 0, Pose.PINCH, side == "left" if dealer else bool(rng.random() < 0.3), skin, sleeve,
            None if rng.random() < 0.4 and not dealer else (230, 232, 235),
            float(rng.uniform(160, 230)) if bare else float(rng.uniform(22, 45)),
            size=float(rng.uniform(0.9, 1.05)), roll_deg=float(rng.normal(0, 8)), rise_deg=24.0,
            watch=bool(rng.random() < 0.3), ring=bool(rng.random() < 0.2), dealer=dealer,
            seed=int(rng.integers(2**31)), name=name,
        )  # fmt: skip
        return _Track(look, home, shoulder)

    def _keys_of(self, action: Action) -> None:
        geometry = self.session.geometry
        if isinstance(action, PlaceChips | LiftChips):
            if isinstance(action, PlaceChips) and action.initial:
                return
            placing = isinstance(action, PlaceChips)
            away = action.from_mm if isinstance(action, PlaceChips) else action.to_mm
            track = self._track(action.hand, "right", away)
            z = 10.0 + _CHIP_MM * min(len(action.denominations), 12)
            if isinstance(action, PlaceChips) and action.onto:
                z += _CHIP_MM * 4
            grip = Pose.GRIP if len(action.denominations) > 1 else Pose.PINCH
            track.keys.append(_Key(action.t_from, *away, z + 25, grip if placing else Pose.FLAT))
            track.keys.append(_Key(action.t, *action.at_mm, z, grip))
            if action.hand.owner is Owner.PLAYER:
                track.keys.append(_Key(action.t_to, *away, z + 30, Pose.FLAT if placing else grip))
            else:
                back = _between(action.at_mm, track.home if placing else away, 0.8 if placing else 1.0)
                track.keys.append(_Key(action.t_to, *back, z + 40, Pose.FLAT if placing else grip))
        elif isinstance(action, DealCard):
            track = self._track(action.hand, "left", action.from_mm)
            start, goal = _plus(action.from_mm, _CARD_GRIP), _plus(action.at_mm, _CARD_GRIP)
            track.keys.append(_Key(action.t_from, *start, 34, Pose.FLAT))
            track.keys.append(_Key(action.t, *goal, 5, Pose.FLAT))
            track.keys.append(_Key(action.t_to, *_between(goal, start, 0.6), 40, Pose.FLAT))
        elif isinstance(action, TurnCard):
            track = self._track(action.hand, "right", _plus(action.at_mm, (0, 500)))
            side = 30.0 if action.hand.owner is Owner.PLAYER else -30.0
            x, y = action.at_mm
            track.keys.append(_Key(action.t_from, x + 33, y + side, 8, Pose.PINCH))
            track.keys.append(_Key(action.t, x - 33, y + side, 8, Pose.PINCH))
            track.keys.append(_Key(action.t_to, *_between((x, y + side), track.home, 0.4), 40, Pose.PINCH))
        elif isinstance(action, SweepCard):
            track = self._track(action.hand, "right", geometry.discard_mm)
            group = self._sweeps[action.card_id]
            if action is group[0]:
                track.keys.append(_Key(action.t_from, *_plus(action.at_mm, (20, -80)), 30, Pose.FLAT))
            track.keys.append(_Key(action.t, *_plus(action.at_mm, _CARD_GRIP), 6, Pose.PINCH))
            if action is group[-1]:
                goal = _plus(geometry.discard_mm, _CARD_GRIP)
                track.keys.append(_Key(action.t_to, *goal, 10, Pose.PINCH))
                track.keys.append(_Key(action.t_to + 0.35, *_between(goal, track.home, 0.7), 40, Pose.FLAT))
        elif isinstance(action, TouchPlace | LayMarker):
            track = self._track(action.hand, "right", action.from_mm)
            rests = action.t + (action.held_s if isinstance(action, TouchPlace) else 0.0)
            for t, at, z in (
                (action.t_from, action.from_mm, 40),
                (action.t, action.at_mm, 8),
                (rests, action.at_mm, 8),
                (action.t_to, action.from_mm, 40),
            ):
                track.keys.append(_Key(t, *at, z, Pose.FLAT))

    def arms(self, t: float) -> tuple[ArmItem, ...]:
        """The hands that are over the table or near it."""
        shown = []
        for track in self._tracks.values():
            place = track.at(t)
            if place is None:
                continue
            x, y, z, pose = place
            heading = math.degrees(math.atan2(track.shoulder[1] - y, track.shoulder[0] - x))
            shown.append(_posed(track.look, x, y, max(z, 6.0), heading, pose))
        return tuple(shown)

    def _hand_at(self, name: str, t: float) -> tuple[float, float, float] | None:
        place = self._tracks[name].at(t) if name in self._tracks else None
        return None if place is None else place[:3]

    # cards ------------------------------------------------------------------------------------------------

    def cards(self, t: float) -> tuple[CardItem, ...]:
        """The cards, in the order in which they were laid."""
        turned = {a.card_id: a for a in self.session.actions if isinstance(a, TurnCard) and a.t_from <= t}
        swept = {a.card_id: a for a in self.session.actions if isinstance(a, SweepCard) and a.t <= t}
        lying: list[CardItem] = []
        pile: list[CardItem] = []
        for action in self.session.actions:
            if not isinstance(action, DealCard) or action.t_from > t:
                continue
            gone = swept.get(action.card_id)
            if gone is not None and t >= gone.t_to:
                pile.append(self._discarded(action, gone))
            elif action.spot.area.value == "discard" and t >= action.t:
                pile.append(self._discarded(action, None))
            elif gone is not None:
                lying.append(self._swept(action, gone, t))
            else:
                lying.append(self._lying(action, turned.get(action.card_id), t))
        pile = [_restacked(card, 0.3 + 0.35 * i) for i, card in enumerate(sorted(pile, key=self._pile_order))]
        return tuple(pile[-_PILE:] + lying)

    def _pile_order(self, item: CardItem) -> tuple[float, int]:
        gone = self._sweeps.get(item.name)
        when = gone[0].t_to if gone else 0.0
        return when, self._order[item.name]

    def _lying(self, deal: DealCard, turn: TurnCard | None, t: float) -> CardItem:
        shown = deal.face is Face.UP
        if t < deal.t:
            u = (t - deal.t_from) / max(deal.t - deal.t_from, 1e-6)
            hand = self._hand_at(_track_name(deal.hand, "left"), t)
            s = smooth(u)
            x0, y0 = deal.from_mm
            x, y = x0 + (deal.at_mm[0] - x0) * s, y0 + (deal.at_mm[1] - y0) * s
            z = max(2.0, (hand[2] if hand else 20.0) - 6)
            turn_deg = 180 * (1 - smooth((u - 0.45) / 0.45)) if shown else 180.0
            return self._card(deal, x, y, z, deal.angle_deg * s, turn_deg, True)
        if turn is not None:
            u = smooth((t - turn.t_from) / max(turn.t - turn.t_from, 1e-6))
            height = 0.3 + math.sin(math.pi * u) * 34
            return self._card(deal, *turn.at_mm, height, deal.angle_deg, 180 * (1 - u), u < 1)
        level = 0.3 + 0.36 * (deal.position - 1)
        return self._card(deal, *deal.at_mm, level, deal.angle_deg, 0.0 if shown else 180.0, False)

    def _swept(self, deal: DealCard, sweep: SweepCard, t: float) -> CardItem:
        group = self._sweeps[deal.card_id]
        hand = self._hand_at(_track_name(sweep.hand, "right"), t)
        x, y, z = hand if hand is not None else (*sweep.at_mm, 10.0)
        index = group.index(sweep)
        last = group[-1].t
        u = smooth((t - last) / max(sweep.t_to - last, 1e-6))
        near = smooth((t - sweep.t) / 0.15)
        grip = _plus((x, y), (-_CARD_GRIP[0], -_CARD_GRIP[1]))
        at = _between(sweep.at_mm, grip, near)
        angle = deal.angle_deg + (90 - deal.angle_deg) * u
        height = max(1.0, z - 4 + math.sin(math.pi * u) * 36 - index * 0.4)
        return self._card(deal, at[0], at[1], height, angle, 180 * u, True)

    def _discarded(self, deal: DealCard, sweep: SweepCard | None) -> CardItem:
        x, y = sweep.to_mm if sweep is not None else deal.at_mm
        wobble = (self._order[deal.card_id] * 37 % 11 - 5) * 0.8
        return self._card(deal, x, y, 0.3, 90 + wobble, 180.0, False)

    def _card(
        self, deal: DealCard, x: float, y: float, z: float, angle: float, turn_deg: float, held: bool
    ) -> CardItem:
        return CardItem(deal.card, x, y, angle, z, turn_deg, back=self.back, name=deal.card_id, held=held)

    # chips ------------------------------------------------------------------------------------------------

    def chips(self, t: float) -> tuple[ChipItem, ...]:
        """The stacks, and what hands carry."""
        stacks: dict[str, tuple[tuple[int, ...], tuple[float, float]]] = {}
        carried: list[ChipItem] = []
        for action in self.session.actions:
            if isinstance(action, PlaceChips):
                if action.t <= t:
                    before = stacks[action.stack][0] if action.onto and action.stack in stacks else ()
                    at = stacks[action.stack][1] if before else action.at_mm
                    stacks[action.stack] = (before + action.denominations, at)
                elif action.t_from <= t:
                    carried += self._carried(action, action.denominations, t)
            elif isinstance(action, LiftChips) and action.t <= t:
                if action.left:
                    stacks[action.stack] = (action.left, stacks[action.stack][1])
                else:
                    stacks.pop(action.stack, None)
                if t < action.t_to:
                    carried += self._carried(action, action.denominations, t)
        standing = [
            ChipItem(chips, *at, tuple(self._offsets(name, len(chips))), name=name)
            for name, (chips, at) in stacks.items()
        ]
        return tuple(standing + carried)

    def _carried(self, action: PlaceChips | LiftChips, chips: tuple[int, ...], t: float) -> list[ChipItem]:
        hand = self._hand_at(_track_name(action.hand, "right"), t)
        if hand is None:
            return []
        x, y, z = hand
        base = max(0.0, z - 10.0 - _CHIP_MM * len(chips))
        return [
            ChipItem(
                chips, x, y, tuple(self._offsets(f"{action.stack}+", len(chips))), base, action.stack, True
            )
        ]

    def _offsets(self, name: str, count: int) -> list[tuple[float, float, float]]:
        known = self._jitter.setdefault(name, [])
        rng = np.random.default_rng([self.session.seed, 7, sum(name.encode()) + 257 * len(name), len(known)])
        while len(known) < count:
            known.append((float(rng.normal(0, 0.4)), float(rng.normal(0, 0.4)), float(rng.uniform(0, 360))))
        return known[:count]

    def props(self, t: float) -> tuple[PropItem, ...]:
        """The cut card, once it is out, and the markers that were laid."""
        shown = [a for a in self.session.actions if isinstance(a, ShowCutCard | LayMarker) and a.t <= t]
        return tuple(
            PropItem(PropKind.CUT_CARD, *a.at_mm, 20, 63, 88, 0.6, (40, 180, 240), (30, 30, 30))
            if isinstance(a, ShowCutCard)
            else _marker(a)
            for a in shown
        )


def _track_name(hand: Hand, side: str) -> str:
    """Whose hand it is; a dealer works with both, a player with one."""
    return f"dealer {side}" if hand.owner is not Owner.PLAYER else f"seat {hand.seat}"


def _marker(laid: LayMarker) -> PropItem:
    white, ink = (225, 228, 230), (40, 40, 160)
    if laid.marker == "button":
        return PropItem(PropKind.BUTTON, *laid.at_mm, 0, 50, 50, 6, white, (30, 30, 30), "DEALER")
    return PropItem(PropKind.LAMMER, *laid.at_mm, 0, 32, 32, 4, white, ink, laid.marker[:1].upper())


def _fill_homes(track: _Track) -> None:
    """Let a hand go away between movements that leave it time to."""
    keys = sorted(track.keys, key=lambda key: key.t)
    filled: list[_Key] = []
    for key in keys:
        if not filled or key.t - filled[-1].t > _APPROACH_S + _LEAVE_S + 0.1:
            if filled:
                filled.append(_Key(filled[-1].t + _LEAVE_S, *track.home, 60, filled[-1].pose))
            filled.append(_Key(key.t - _APPROACH_S, *track.home, 60, key.pose))
        filled.append(key)
    if filled:
        filled.append(_Key(filled[-1].t + _LEAVE_S, *track.home, 60, filled[-1].pose))
    track.keys = filled


def _posed(look: ArmItem, x: float, y: float, z: float, heading: float, pose: Pose) -> ArmItem:
    return ArmItem(
        x, y, z, heading, pose, look.left, look.skin, look.sleeve, look.cuff, look.sleeve_from_mm, look.size,
        look.roll_deg, look.rise_deg, look.bend_deg, look.ring, look.watch, look.dealer, look.seed, look.name,
    )  # fmt: skip


def _restacked(card: CardItem, z: float) -> CardItem:
    return CardItem(
        card.card, card.x_mm, card.y_mm, card.rot_deg, z, card.turn_deg, card.pitch_deg, card.back, card.size,
        card.name,
    )  # fmt: skip


def _between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _plus(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return a[0] + b[0], a[1] + b[1]
