"""One camera's pictures as the calibrated camera would show them, or none while it cannot be relied on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.events import Event, Realignment, ViewBack, ViewLost
from rules.spots import Area, Spot
from vision.camera import Camera
from vision.layout import Layout
from vision.nudge import Nudge
from vision.reference import Fit
from vision.source import Frame
from vision.stillness import Picture
from vision.telling import Teller
from vision.viewcheck import Back, Lost, ViewCheck

_GAP_S = 1.0
"""So long without a picture is a gap in what was seen."""


class Steady:
    """Give it every frame. It tells what befalls the view, and turns back the pictures of a camera that was
    moved a little, so that nothing that was learned of the table is lost."""

    def __init__(self, camera: Camera, layout: Layout, teller: Teller) -> None:
        """``camera``: calibrated, at the frames' size."""
        self._camera, self._layout, self._teller = camera, layout, teller
        self._view = ViewCheck(camera, layout)
        self._turn = Turn(camera)
        self._lost_seq = self._silent_seq = 0
        self._sure: tuple[float, bool] | None = None
        self._out: set[Spot] = set()
        self.realigned: Realignment | None = None
        """Where the camera was moved to, if it is followed."""

    @property
    def lost(self) -> Lost | None:
        """Since when and why the view is lost at present, None if it is not."""
        return self._view.present

    @property
    def suspect(self) -> bool:
        """Whether anything is wrong with the view, however short."""
        return self._view.suspect

    def no_signal(self, t_seen: float) -> None:
        """No picture has come since ``t_seen``: it is told at once, not when the next one comes."""
        if not self._silent_seq:
            self._silent_seq = self._teller.camera_lost(t_seen, "no_signal", t_seen)

    def resumed(self, t_seen: float, t: float) -> None:
        """A picture comes at ``t``, the last one before was at ``t_seen``."""
        if self._silent_seq:
            self._teller.t_picture = t
            self._teller.camera_back(t, self._silent_seq, None)
            self._silent_seq = 0
        elif t - t_seen > _GAP_S:
            self._teller.view_lost(t_seen, "gap", t)

    def picture(self, frame: Frame) -> Picture | None:
        """The picture as the calibrated camera would show it; None while nothing may be concluded."""
        for news in self._view.update(frame.t, frame.luma()):
            if isinstance(news, Lost):
                self._lost_seq = self._teller.camera_lost(news.t, news.reason, news.t_seen)
            else:
                self._back(news)
        return None if self._view.suspect else self._turn.back(frame.image, self._view.nudge)

    def sure(self, frame: Frame) -> bool:
        """Whether something may be concluded from this very frame, the last that was given."""
        if self._sure is None or self._sure[0] != frame.t:
            self._sure = frame.t, self._view.sure(frame.t, frame.luma())
        return self._sure[1]

    def _back(self, back: Back) -> None:
        self.realigned = None if back.fit is None else self._realignment(back.fit)
        self._teller.camera_back(back.t, self._lost_seq, self.realigned)
        if back.fit is not None:
            for spot in self._out_of_view(back.fit.nudge) - self._out:
                self._out.add(spot)
                self._teller.view_lost(back.t, "moved", None, spot)

    def _realignment(self, fit: Fit) -> Realignment:
        spots = np.array([zone.centre_mm for zone in self._layout.zones])
        px = self._camera.project(spots[self._camera.in_view(spots)])
        turn_deg, zoom = fit.nudge.turn_and_zoom(self._camera, px.mean(axis=0))
        a, b, c, d, e, f, g, h, i = (round(float(value), 7) for value in fit.nudge.matrix.ravel())
        return Realignment(
            view=(a, b, c, d, e, f, g, h, i),
            shift_px=round(fit.nudge.far_px(self._camera, px), 1),
            turn_deg=round(turn_deg, 2),
            zoom=round(zoom, 4),
            residual_mm=round(fit.residual_mm, 2),
        )

    def _out_of_view(self, nudge: Nudge) -> set[Spot]:
        """The spots that were in the picture whole and are no more."""
        size = np.array([self._camera.width_px, self._camera.height_px])
        gone = set()
        for zone in self._layout.zones:
            if zone.spot.area in (Area.BET, Area.HAND) and self._camera.in_view(zone.corners_mm).all():
                px = nudge.px(self._camera, self._camera.project(zone.corners_mm))
                if not ((px >= 0) & (px <= size)).all():
                    gone.add(zone.spot)
        return gone


class Turn:
    """Turns pictures of a moved camera back."""

    def __init__(self, camera: Camera) -> None:
        """``camera``: calibrated, at the pictures' size."""
        self._camera = camera
        self._nudge = Nudge()
        self._maps: tuple[NDArray[np.int16], NDArray[np.uint16]] | None = None

    def back(self, image: Picture, nudge: Nudge) -> Picture:
        """The picture as it would be without the nudge; black where it shows nothing."""
        if nudge is not self._nudge:
            self._nudge = nudge
            straight = np.allclose(nudge.matrix, np.eye(3), atol=1e-9)
            self._maps = None if straight else nudge.maps(self._camera)
        if self._maps is None:
            return image
        return np.asarray(cv2.remap(image, self._maps[0], self._maps[1], cv2.INTER_LINEAR), np.uint8)


def steadied(
    frames: Iterable[Frame], camera: Camera, moves: Sequence[tuple[float, Nudge]]
) -> Iterator[Frame]:
    """A recording's frames as the calibrated camera would have shown them; ``moves``: after when it hung
    where, in order of time."""
    turn = Turn(camera)
    for frame in frames:
        nudge = next((nudge for t, nudge in reversed(moves) if t < frame.t), None)
        if nudge is None:
            yield frame
        else:
            yield Frame(frame.t, frame.index, turn.back(frame.image, nudge), frame.utc)


def moves_of(events: Iterable[Event], camera: str) -> list[tuple[float, Nudge]]:
    """From when on a camera hung where, as a journal of it, alone or with others, tells."""
    told = list(events)
    whose = {event.seq: event.camera for event in told if isinstance(event, ViewLost)}
    return [
        (event.t, Nudge(np.array(event.realigned.view).reshape(3, 3)))
        for event in told
        if isinstance(event, ViewBack)
        and event.realigned is not None
        and (event.evidence is None or event.evidence.camera == camera)
        and whose.get(event.lost) in (None, camera)
    ]
