"""What ``veedor review`` says of things that are no recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.errors import VeedorError
from veedor.cli_review import review


def test_a_camera_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(VeedorError, match=r"rtsp://\*\*\*@10\.0\.0\.1/cam is an address") as refused:
        review(tmp_path / "table.yaml", tmp_path / "out", "rtsp://me:secret@10.0.0.1/cam")
    assert "secret" not in str(refused.value)
    assert not (tmp_path / "out").exists()
