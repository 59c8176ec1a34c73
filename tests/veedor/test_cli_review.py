"""What ``veedor review`` says of things that are no recordings."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from rules.errors import VeedorError
from tests.support import handmade
from veedor import cli_review
from veedor.cli_review import INCOMPLETE, review
from veedor.review import Reviewed
from veedor.shortfall import Shortfall


def test_a_camera_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(VeedorError, match=r"rtsp://\*\*\*@10\.0\.0\.1/cam is an address") as refused:
        review(tmp_path / "table.yaml", tmp_path / "out", "rtsp://me:secret@10.0.0.1/cam")
    assert "secret" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_a_review_of_recordings_that_do_not_show_all_says_so_and_ends_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        (tmp_path / f"{name}.mp4").write_bytes(b"stands for a recording")
    short: list[str] = []

    def cameras(*_given: object, on_shortfall: Shortfall, **_options: object) -> Reviewed:
        for sentence in short:
            on_shortfall(sentence)
        return Reviewed(4, handmade.journal(), handmade.judgement(), 0)

    monkeypatch.setattr(cli_review, "run_cameras", cameras)
    given = [f"{name}={tmp_path / name}.mp4" for name in "ab"]
    review(tmp_path / "table.yaml", tmp_path / "out", camera=given, state=tmp_path / "state")
    assert capsys.readouterr().err == ""
    short.append("The recording b.mp4 of camera b ends 12.0 s before the last one does.")
    with pytest.raises(typer.Exit) as end:
        review(tmp_path / "table.yaml", tmp_path / "out", camera=given, state=tmp_path / "state")
    assert end.value.exit_code == INCOMPLETE == 3
    ended = capsys.readouterr()
    assert ended.err.strip() == short[0]
    assert "kept as review 4" in ended.out.replace("\n", " ")
