"""One table on the admission page: the test of its file as it is now, for :mod:`dashboards.admission`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from dashboards.admission import AdmissionOut, Limits, RuleSeen, SpotSeen
from rules.errors import VeedorError
from rules.spots import Area, Spot
from veedor.admitting import FOUND_PX, NAMED_PX, TOO_CLOSE, Admission, admit, coloured
from veedor.bench import page_key
from veedor.calibrating import Image, Pace, camera_part, pace_of, picture_place, still_of
from veedor.config import Table, load_table, read_table_file
from vision.chip_stacks import COUNTABLE_PX

_LIMITS = Limits(found_px=FOUND_PX, named_px=NAMED_PX, countable_px=COUNTABLE_PX, too_close=TOO_CLOSE)
_CARDS_AT = (Area.HAND, Area.COMMUNITY)


@dataclass(slots=True, eq=False)
class TableExaminer:
    """A table file, with a picture of one of its cameras or none; :class:`dashboards.admission.Examiner`."""

    key: str
    table: str
    camera: str
    path: Path
    image: Image | None
    pace: Pace | None
    _done: tuple[int, Table, Admission] | None = field(default=None, init=False)

    @property
    def limits(self) -> Limits:
        """From where on a camera sees enough."""
        return _LIMITS

    def admission(self) -> AdmissionOut:
        """The test of the table file as it is now. Raises VeedorError for one that cannot be used (yet)."""
        table, found = self._tested()
        outlines = {
            str(zone.spot): _points(np.asarray(zone.polygon.exterior.coords)[:-1])
            for zone in table.layout.zones
        }
        profile = table.file.profile
        return AdmissionOut(
            table=found.table,
            game=table.game,
            profile=profile.name if profile.variant is None else f"{profile.name}/{profile.variant}",
            camera=self.camera,
            fps=found.fps,
            clock=list(found.clock),
            frame_mm=table.layout.frame_mm,
            edge_mm=_points(np.asarray(table.layout.felt.exterior.coords)[:-1]),
            spots=[
                SpotSeen(
                    spot=spot.spot,
                    camera=spot.camera,
                    grade=spot.grade,
                    bets=spot.bets,
                    cards=Spot.parse(spot.spot).area in _CARDS_AT,
                    seen=spot.seen,
                    card_px=spot.card_px,
                    chip_px=spot.chip_px,
                    thick_px=spot.thick_px,
                    error_mm=spot.error_mm,
                    too_close=spot.too_close,
                    light=spot.light,
                    outline_mm=outlines[spot.spot],
                )
                for spot in found.spots
            ],
            rules=[
                RuleSeen(rule=rule.rule, text=rule.text, can=rule.can, why=rule.why, sees=list(rule.sees))
                for rule in found.rules
            ],
            remarks=list(found.remarks),
            pictured=self.image is not None,
        )

    def picture(self) -> bytes:
        """The camera's picture with each spot in its grade's colour, JPEG."""
        table, found = self._tested()
        drawn = coloured(self.image, table, table.camera(self.camera), found)
        _, coded = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 90])
        return coded.tobytes()

    def _tested(self) -> tuple[Table, Admission]:
        try:
            changed = self.path.stat().st_mtime_ns
        except OSError as error:
            raise VeedorError(f"The table file {self.path} cannot be read ({error.strerror}).") from error
        if self._done is None or self._done[0] != changed:
            table = load_table(self.path)
            self._done = changed, table, admit(table, self.image, self.camera, self.pace)
        return self._done[1], self._done[2]


def _points(
    points: Sequence[Sequence[float]] | np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> list[tuple[float, float]]:
    return [(round(float(x), 1), round(float(y), 1)) for x, y, *_ in points]


def examiner_of(table: Path, picture: str | None, camera_id: str | None = None) -> TableExaminer:
    """A table's examiner; without a picture, one is taken from the camera's source, if it has one.

    Raises VeedorError for a table file or picture that cannot be used.
    """
    file = read_table_file(table)
    part = camera_part(file, table, camera_id)
    place = picture_place(part, table, picture)
    image, pace = (None, None) if place is None else (still_of(place), pace_of(place))
    return TableExaminer(page_key(file.name), file.name, part.id, table, image, pace)
