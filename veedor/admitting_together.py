"""What several cameras see of one spot together: for each need, the camera that meets it suffices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veedor.admitting import SpotSight, places_of, spread_of
from veedor.config import Table
from vision.camera import Camera
from vision.layout import Zone
from vision.placing import Placer, place_stack
from vision.position import CameraError, fused_place

_ORDER = {"good": 2, "limited": 1, "blind": 0}
Calibrated = tuple[Camera, CameraError | None]
"""A camera at its picture's size, and what its calibration leaves open."""


def together(
    table: Table, zone: Zone, sights: Sequence[SpotSight], cameras: Sequence[Calibrated]
) -> SpotSight:
    """A spot as all cameras see it. ``sights``, ``cameras``: one for each camera, in the same order.

    The cards' and chips' pixels are those of the camera that has most of them there; where a bet lies is
    reckoned from all that see it.
    """
    best = max(sights, key=lambda sight: (_ORDER[sight.grade], sight.seen, sight.card_px))
    clear = [sight for sight in sights if sight.seen >= 0.5 and sight.light != "dark"]
    if len(clear) < 2:
        return best
    error, unsure = _places(table, zone, sights, cameras, clear)
    return replace(
        best,
        camera=", ".join(sight.camera for sight in clear),
        seen=max(sight.seen for sight in clear),
        card_px=max(sight.card_px for sight in clear),
        chip_px=max(sight.chip_px for sight in clear),
        thick_px=max(sight.thick_px for sight in clear),
        error_mm=error,
        too_close=unsure if best.bets else None,
        light=None if any(sight.light is None for sight in clear) else best.light,
    )


def _places(
    table: Table,
    zone: Zone,
    sights: Sequence[SpotSight],
    cameras: Sequence[Calibrated],
    clear: Sequence[SpotSight],
) -> tuple[float, float]:
    """The usual error of a stack's place, mm, and the share of places there that are too close to call."""
    radius_mm, chip_mm = table.chips.diameter_mm / 2, table.chips.height_mm
    placers = [
        Placer(table.layout, camera, radius_mm, chip_mm, error)
        for sight, (camera, error) in zip(sights, cameras, strict=True)
        if sight in clear
    ]
    found = []
    for x, y in places_of(zone)[:: 1 if clear[0].bets else 8]:
        at = (float(x), float(y))
        seen = [
            (at, placer.covariance(at, spread_of(placer.camera, at)))
            for placer in placers
            if placer.camera.in_view(np.array([at]))[0]
        ]
        if seen:
            found.append(place_stack(table.layout, *fused_place(seen), radius_mm))
    return (
        float(np.median([place.error_mm for place in found])),
        float(np.mean([not place.sure for place in found])),
    )
