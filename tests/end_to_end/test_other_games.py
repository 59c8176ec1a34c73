"""A coup of another game than punto banco, from pixels to the alert: two rows of trente et quarante."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.games import SIMULATORS
from datasets.staged.film import film, framed, production_of
from rules.findings import Verdict
from rules.judge import judge
from tests.bench.games import Case, compared, hands_of, staged, write_table
from veedor.config import load_table
from veedor.pipeline import run
from veedor.told import with_cues

SEED = 14


def test_a_row_that_stops_too_early_is_seen_and_told(tmp_path: Path) -> None:
    case = Case("trente_et_quarante", "spain_1979", "red row too short")
    acted = staged(case, SEED)
    rows = [zone for zone in acted.layout.zones if zone.spot.hand in ("noir", "rouge")]
    shoe = np.array([acted.session.geometry.shoe_mm])
    points = np.concatenate([*(zone.corners_mm for zone in rows), shoe])
    camera = framed(points, tilt_deg=35.0, size_px=(960, 540))
    table_file = write_table(case, acted, camera, SEED, tmp_path)
    cv2.setNumThreads(1)
    film(production_of(acted, camera, SEED, fps=5), tmp_path / "clip.mp4")

    table = load_table(table_file)
    journal = with_cues(run(table, tmp_path / "clip.mp4"), acted.cues)
    cards = compared(hands_of(acted.events), hands_of(journal.events))
    assert (cards.wrong, cards.missed, cards.extra) == (0, 0, 0)
    fault = SIMULATORS[case.game].kinds[case.kind]
    findings = judge(journal.events, table.profile).findings
    alerts = {(f.rule, f.code) for f in findings if f.verdict is Verdict.BREACH}
    assert alerts == {(fault.rule, fault.code)}
