"""What nobody sees while one or more of several cameras are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.spots import Spot
from vision.telling import Reason


@dataclass(frozen=True, slots=True)
class Loss:
    """A camera that sees nothing since ``t``, seconds; ``t_seen``: of the picture that showed it."""

    t: float
    reason: Reason
    t_seen: float


@dataclass(slots=True, eq=False)
class Losses:
    """Follows which cameras are lost. ``views``: the cameras that see each spot when they see at all."""

    views: Mapping[Spot, Sequence[str]]
    now: dict[str, Loss] = field(default_factory=dict)

    def lost(self, camera: str, loss: Loss) -> None:
        """A camera is lost."""
        self.now[camera] = loss

    def back(self, camera: str) -> None:
        """A camera sees again."""
        self.now.pop(camera, None)

    def unseen(self) -> dict[Spot, Loss]:
        """The spots that no camera sees at present: since when, and why the last one was lost that saw
        them. Spots that no camera ever sees are no loss."""
        found = {}
        for spot, cameras in self.views.items():
            if cameras and all(camera in self.now for camera in cameras):
                found[spot] = max((self.now[camera] for camera in cameras), key=lambda loss: loss.t)
        return found
