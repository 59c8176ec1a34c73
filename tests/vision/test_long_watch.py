"""A watch goes on for weeks: what its watchers keep does not grow with the coups."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import Face
from rules.events import CardCleared, CardPlaced, ChipState, Event
from tests.support.felt import CARD_MM, CardAt, Felt, Reach, SideEyes, StackAt, TrueEyes, dealer, player
from tests.support.holding import entries_of
from vision import claims
from vision.camera import Camera
from vision.eyes import Look, Shoe
from vision.footprint import Footprint
from vision.several import SeveralWatcher
from vision.source import Frame
from vision.stillness import Picture
from vision.watch import TableWatcher

_COUP_S, _FPS = 5.0, 7.0
_FULL, _COUPS = 5, 9
"""After so many coups all that is kept for some seconds is full."""
_PUNTO, _BANCA, _BOX = (370.0, 163.0), (490.0, 163.0), (680.0, 440.0)


def coups(count: int, camera: Camera | None = None) -> Felt:
    """So many coups, each the same: a bet, a card up and one down, all taken away."""
    cards: list[CardAt] = []
    stacks: list[StackAt] = []
    arms: list[Reach] = []
    for t in (_COUP_S * k for k in range(count)):
        arms += [
            player(_BOX, t + 0.6, t + 0.8),
            dealer((790, 90), t + 1.2, t + 1.3, 0.3),
            dealer(_PUNTO, t + 1.8, t + 1.9, 0.3),
            dealer(_PUNTO, t + 3.7, t + 3.8, 0.3),
            dealer(_BANCA, t + 3.6, t + 3.8, 0.3),
            player(_BOX, t + 4.2, t + 4.4),
        ]
        cards += [
            CardAt("Th", _PUNTO, t + 1.8, t + 3.8),
            CardAt("4c", _BANCA, t + 1.8, t + 3.8, Face.DOWN),
        ]
        stacks.append(StackAt((100, 25), _BOX, t + 0.8, t + 4.4))
    return Felt(cards, stacks, arms) if camera is None else Felt(cards, stacks, arms, camera=camera)


def with_shoe(look: Look) -> Look:
    """What was looked at, and a shoe: whoever looks sees it each time."""
    place = Footprint.of([(250, 20), (300, 20), (300, 60), (250, 60)], (200, 320))
    return Look(look.sights, look.hands, (Shoe(place, 0.9),))


class ShoeEyes(TrueEyes):
    """True eyes that also see a shoe."""

    def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
        """What lies there, and the shoe."""
        return with_shoe(TrueEyes.look(self, image, region_px))


def told(events: list[Event]) -> list[int]:
    """How often a card came, one went, and chips changed."""
    return [sum(isinstance(event, kind) for event in events) for kind in (CardPlaced, CardCleared, ChipState)]


def test_what_one_camera_keeps_does_not_grow_with_the_coups() -> None:
    eyes = ShoeEyes(coups(_COUPS))
    watcher = TableWatcher(eyes, "test camera")
    events: list[Event] = []
    kept = []
    for number in range(_COUPS):
        for t in np.arange(number * _COUP_S, (number + 1) * _COUP_S, 1 / _FPS).tolist():
            eyes.t = t
            events += watcher.frame(Frame(t, 0, eyes.felt.picture(t)))
        kept.append(entries_of(watcher))
    assert min(told(events)) >= 2 * _COUPS - 2, told(events)
    assert kept[-1] - kept[_FULL - 1] < _COUPS - _FULL, kept


def test_what_several_cameras_keep_does_not_grow_with_the_coups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "_GONE_KEPT", 8)  # which few coups come to
    felts = [
        coups(
            _COUPS,
            Camera.looking_at(
                (450, 280), distance_mm=1500, tilt_deg=18 + 4 * k, focal_px=950, size_px=(640, 400)
            ),
        )
        for k in range(2)
    ]
    eyes = {f"camera {k}": SideEyes(felt) for k, felt in enumerate(felts)}
    watcher = SeveralWatcher(eyes, {}, CARD_MM)
    events: list[Event] = []
    kept = []
    for number in range(_COUPS):
        for t in np.arange(number * _COUP_S, (number + 1) * _COUP_S, 1 / _FPS).tolist():
            for name, own in eyes.items():
                own.t = t
                events += watcher.frame(name, Frame(t, 0, own.felt.picture(t)))
        kept.append(entries_of(watcher))
    assert min(told(events)) >= 2 * _COUPS - 2, told(events)
    assert kept[-1] - kept[_FULL - 1] < _COUPS - _FULL, kept
