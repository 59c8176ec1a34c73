"""Several calibrated, fixed cameras over one table to one journal.

Each camera has its own watcher (:mod:`vision.watch`), whose conclusions meet in :mod:`vision.fusion`. A hand
at a spot is told by the camera that looks down at it most steeply, so that an arm over the felt is not taken
for one on it. A camera that is lost takes along only what it alone saw: spots that no other sees are told as
not seen, and stacks whose side only it saw are told unread from then on.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.events import Event, Evidence, Hand, Owner, Realignment, ViewBack, ViewLost
from rules.spots import SHOE, Area, Spot
from vision.camera_outlet import CameraTeller, outlet_of
from vision.card_reader import few
from vision.eyes import Eyes
from vision.fusion import Fusion, SharedCards
from vision.losses import Loss, Losses
from vision.onlookers import SILENT_S, Onlooker, agreed_hand, steepest, zones_of
from vision.placing import Placer
from vision.position import CameraError
from vision.quads import CARD_SIZE_MM
from vision.shared_chips import SharedChips
from vision.source import Frame
from vision.telling import Teller
from vision.tracking import Family, Sight
from vision.watch import TableWatcher


class _SharedTeller(Teller):
    """Writes the journal of several cameras: evidence names the camera whose picture it is in."""

    def __init__(self, camera: str) -> None:
        super().__init__(camera)
        self.pictures: dict[str, float] = {}

    def pass_on(self, event: Event) -> int:
        """Tell an event as it is; gives its number."""
        self._tell(event)
        return self.seq - 1

    def _evidence(self, *sights: Sight) -> Evidence:
        names = [sight.camera for sight in sights if sight.camera is not None]
        self.camera = max(names, key=names.count, default=self.camera)
        self.t_picture = self.pictures.get(self.camera, self.t_picture)
        return super()._evidence(*(sight for sight in sights if sight.camera in (None, self.camera)))


class SeveralWatcher:
    """Watches a table through several cameras. Give it every frame of each, in the order of their times on
    one clock; it gives the events that have become certain. The first camera is the chief one."""

    def __init__(
        self,
        eyes: Mapping[str, Eyes],
        errors: Mapping[str, CameraError | None],
        card_mm: tuple[float, float] = CARD_SIZE_MM,
    ) -> None:
        """``eyes``: by camera, over one layout with one set of chips; ``errors``: what each calibration
        leaves open; ``card_mm``: width and height of a card."""
        self.now = 0.0
        self._start: float | None = None
        first = next(iter(eyes.values()))
        self._layout, chips = first.layout, first.chips
        self._chief = next(iter(eyes))
        self._teller = _SharedTeller(self._chief)
        placers = {
            name: Placer(self._layout, own.camera, chips.diameter_mm / 2, chips.height_mm, errors.get(name))
            for name, own in eyes.items()
        }
        self._tellers = {name: CameraTeller(name, self) for name in eyes}
        self._onlookers = {
            name: Onlooker(
                name=name,
                number=number,
                camera=own.camera,
                placer=placers[name],
                card_mm=card_mm,
                watcher=TableWatcher(
                    own, name, errors.get(name), outlet_of(self._tellers[name], number, self)
                ),
            )
            for number, (name, own) in enumerate(eyes.items())
        }
        self._cards = SharedCards(
            self._teller,
            lambda looks: first.identify([look.read for look in looks], [look.camera for look in looks]),
            self._shoe_visit,
            lambda looks: few([look.read for look in looks], [look.camera for look in looks]),
        )
        self._chips = SharedChips(self._teller, self._layout, chips, placers, self._watching)
        self.fusion = Fusion(list(self._onlookers.values()), self._layout, self._cards, self._chips)
        self._zones = {zone.spot: zone for zone in self._layout.zones}
        self._losses = Losses(
            {
                zone.spot: [name for name, each in self._onlookers.items() if each.views_zone(zone)]
                for zone in zones_of(self._layout)
            }
        )
        self._told_lost: dict[str | Spot | None, int] = {}
        self._covered: dict[Spot, dict[str, float]] = {}

    def frame(self, camera: str, frame: Frame) -> list[Event]:
        """Take the next frame of a camera; gives what became certain. Raises ValueError for another size."""
        onlooker = self._onlookers[camera]
        if self._start is None:
            self._start = self.now = frame.t
        self.now = max(self.now, frame.t)
        self._follow_losses()  # before this picture: a camera may have been silent
        onlooker.no_signal = False
        onlooker.t = self._teller.pictures[camera] = frame.t
        onlooker.watcher.frame(frame)
        self._teller.start_utc = self._tellers[self._chief].start_utc
        self._follow_losses()
        self.fusion.passed(self.now)
        self._cards.passed(self.now)
        self._chips.passed(self.now)
        return self._teller.take()

    def no_signal(self, camera: str, t: float) -> list[Event]:
        """A camera sends nothing at present, at ``t``; gives what became certain."""
        self._onlookers[camera].no_signal = True
        if self._start is not None and t > self.now:
            self.now = t
            self._follow_losses()
            self.fusion.passed(t)
            self._cards.passed(t)
            self._chips.passed(t)
        return self._teller.take()

    @property
    def unseen(self) -> frozenset[Spot]:
        """The spots that no camera sees at present: covered, or every camera lost that sees them."""
        seen = {
            spot
            for spot, cameras in self._losses.views.items()
            for each in (self._onlookers[name] for name in cameras)
            if each.live(self.now) and spot not in each.watcher.covered
        }
        return frozenset(self._losses.views) - seen

    def ended(self, camera: str) -> list[Event]:
        """A camera gives no more pictures, while others do."""
        onlooker = self._onlookers[camera]
        onlooker.watcher.finish()
        onlooker.ended = True
        self._follow_losses()
        return self._teller.take()

    def finish(self) -> list[Event]:
        """The recordings end: conclude from what has been seen."""
        for onlooker in self._onlookers.values():
            if not onlooker.ended:
                onlooker.watcher.finish()
        self.fusion.finish(self.now)
        self._cards.finish()
        self._chips.finish()
        self._tell_covered()
        return self._teller.take()

    # what the cameras' watchers tell (vision.camera_outlet.Meeting) -----------------------------------------

    def contact(self, camera: str, t: float, t_to: float, spot: Spot, hand: Hand, target: str | None) -> None:
        """A camera saw a hand at a spot: it is told if no other looks down there more steeply."""
        order = self._by_steepness(spot)
        if not order or order[0].name != camera:
            return
        if hand.owner is Owner.UNKNOWN:
            outline = self._zones[spot].corners_mm if spot in self._zones else None
            others = [] if outline is None else [each.watcher.hand_at(outline, t, t_to) for each in order[1:]]
            hand = agreed_hand([hand, *others]) or hand
        self._teller.hand_contact(t, t_to, spot, hand, target)

    def covered(self, camera: str, t: float, spot: Spot) -> None:
        """To a camera, a spot is covered to the end."""
        self._covered.setdefault(spot, {})[camera] = t

    def pass_on(self, event: Event) -> None:
        """Tell an event that needs no other camera."""
        self._teller.pass_on(event)

    # who sees what ------------------------------------------------------------------------------------------

    def _by_steepness(self, spot: Spot) -> list[Onlooker]:
        """The cameras that see a spot at present, the steepest first."""
        zone = self._zones.get(spot)
        live = [each for each in self._onlookers.values() if each.live(self.now)]
        if zone is None:  # the shoe, where the layout does not draw it
            return [each for each in live if each.watcher.sees_shoe]
        return steepest([each for each in live if each.views_zone(zone)], zone.centre_mm)

    def _watching(self, at_mm: tuple[float, float]) -> list[str]:
        return [
            each.name
            for each in self._onlookers.values()
            if each.live(self.now) and each.views(Family.STACK, at_mm)
        ]

    def _shoe_visit(self, t_from: float, t_to: float) -> float | None:
        """When a hand was last at the shoe, by the camera that sees it best."""
        for onlooker in self._by_steepness(SHOE):
            if onlooker.watcher.sees_shoe:
                return onlooker.watcher.shoe_visit(t_from, t_to)
        return None

    def _follow_losses(self) -> None:
        """Tell which cameras are lost, and what nobody sees because of that."""
        t = self.now
        for name, onlooker in self._onlookers.items():
            loss = self._loss(onlooker)
            if loss is None:
                if name in self._losses.now:
                    was = self._losses.now[name]
                    self._losses.back(name)
                    back = self._tellers[name].back
                    t, realigned = back if back is not None and back[0] >= was.t else (onlooker.t, None)
                    self._tell_back(name, t, realigned)
            elif name not in self._losses.now:
                self._losses.lost(name, loss)
                self._tell_lost(name, loss)
        unseen = self._losses.unseen()
        everything = len(self._losses.now) == len(self._onlookers)
        if everything and None not in self._told_lost:
            self._tell_lost(None, max(self._losses.now.values(), key=lambda loss: loss.t))
        elif not everything and None in self._told_lost:
            self._tell_back(None, t)
        for spot, loss in unseen.items():
            if spot not in self._told_lost and not everything:
                self._tell_lost(spot, loss)
        for key in [key for key in self._told_lost if isinstance(key, Spot) and key not in unseen]:
            self._tell_back(key, t)

    def _loss(self, onlooker: Onlooker) -> Loss | None:
        if onlooker.ended:
            return Loss(onlooker.t, "end", onlooker.t)
        seen = max(onlooker.t, self._start or 0.0)
        if self.now - seen > SILENT_S:
            return Loss(seen, "no_signal" if onlooker.no_signal else "gap", seen)
        lost = onlooker.watcher.lost
        return None if lost is None else Loss(lost.t, lost.reason, lost.t_seen)

    def _tell_lost(self, what: str | Spot | None, loss: Loss) -> None:
        camera = what if isinstance(what, str) else None
        self._told_lost[what] = self._teller.pass_on(
            ViewLost(
                seq=0,
                t=loss.t,
                reason=loss.reason,
                spot=str(what) if isinstance(what, Spot) else None,
                camera=camera,
                evidence=None if camera is None else Evidence(camera, round(loss.t_seen, 3)),
            )
        )

    def _tell_back(self, what: str | Spot | None, t: float, realigned: Realignment | None = None) -> None:
        lost = self._told_lost.pop(what, None)
        if lost is not None:
            self._teller.pass_on(ViewBack(seq=0, t=t, lost=lost, realigned=realigned))

    def _tell_covered(self) -> None:
        """Tell the spots that are covered to the end for every camera that still sees at all."""
        for spot, by_camera in self._covered.items():
            if spot.area not in (Area.BET, Area.HAND):
                continue
            live = [each.name for each in self._by_steepness(spot)]
            if all(name in by_camera for name in live):
                self._teller.view_lost(max(by_camera.values()), "covered", None, spot)
