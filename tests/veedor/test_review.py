"""A review: complete, or as if it had never been begun."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from rules.errors import VeedorError
from rules.findings import Judgement
from rules.journal import Journal, loads
from tests.support import handmade
from veedor import review as reviewing
from veedor.config import Table, load_table
from veedor.feeds import Feed
from veedor.preview import is_playable
from veedor.review import Progress, Reviewed, review
from veedor.store import Store, StoreError
from veedor.watching import judge_journal


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return handmade.write_clip(tmp_path_factory.mktemp("clip") / "clip.mp4")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return load_table(handmade.write_table(tmp_path / "table"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "state")


def watched(_table: Table, _video: Path, on_progress: Progress) -> Journal:
    """Stands for the pipeline: the journal that it should make of the clip."""
    on_progress("watching the table", 1.0, handmade.DURATION_S)
    return handmade.journal()


def made(clip: Path, table: Table, out: Path, store: Store, **other: Callable[..., object]) -> Reviewed:
    steps: dict[str, Callable[..., object]] = {"watch": watched, "judge": judge_journal, **other}
    return review(clip, table, out, store, **steps)  # type: ignore[arg-type]


def content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_review_leaves_journal_findings_and_a_picture_each(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    out = tmp_path / "out"
    done = made(clip, table, out, store)
    findings = done.judgement.findings
    assert {finding.code for finding in findings} >= {"UNDERPAID", "NOT_PAID"}
    assert set(content(out)) == {
        "journal.jsonl",
        "findings.json",
        *(f"findings/{finding.id}.jpg" for finding in findings),
    }
    assert loads((out / "journal.jsonl").read_text().splitlines()) == handmade.journal()
    assert (out / "findings.json").read_text() == done.judgement.dumps()
    kept = store.review(done.number)
    assert kept is not None
    assert (kept.table, kept.recording_name, kept.preview) == ("Mesa 4", "clip.mp4", None)
    assert kept.recording.duration_s == handmade.DURATION_S
    assert store.video(kept) == clip
    assert all(store.picture(kept, finding.id) for finding in findings)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_judging_the_journal_again_gives_the_same_bytes(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    out = tmp_path / "out"
    made(clip, table, out, store)
    journal = loads((out / "journal.jsonl").read_text().splitlines())
    assert judge_journal(journal, table).dumps().encode() == (out / "findings.json").read_bytes()


def test_the_overlay_puts_the_felt_where_the_picture_has_it(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    kept = store.review(made(clip, table, tmp_path / "out", store).number)
    assert kept is not None
    overlay = store.overlay(kept)
    zones = {zone.spot: np.array(zone.outline) for zone in overlay.zones}
    for spot, box in handmade.ZONES.items():
        x0, y0, x1, y1 = handmade.in_picture(box)
        assert zones[spot].min(axis=0) == pytest.approx((x0, y0), abs=0.5)
        assert zones[spot].max(axis=0) == pytest.approx((x1, y1), abs=0.5)
    card = next(mark for mark in overlay.marks if mark.shape == "card")
    x0, y0, x1, y1 = handmade.card_box(handmade.CARDS[0][3])
    assert np.array(card.outline)[0] == pytest.approx((x0, y0), abs=0.5)
    assert np.array(card.outline)[2] == pytest.approx((x1, y1), abs=0.5)
    assert overlay.chip_colours["25"].startswith("#")


def test_pictures_show_the_moment_and_the_words(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    out = tmp_path / "out"
    done = made(clip, table, out, store)
    underpaid = next(finding for finding in done.judgement.findings if finding.code == "UNDERPAID")
    picture = cv2.imread(str(out / "findings" / f"{underpaid.id}.jpg"))
    assert picture is not None
    assert picture.shape[1] == 1280
    assert picture.shape[0] > 720 + 200
    x, y = (round(value * handmade.SCALE * 2) for value in handmade.PAYMENT_AT)
    payment = picture[y - 6 : y + 6, x - 6 : x + 6].reshape(-1, 3).mean(axis=0)
    assert payment[1] > payment[0] + 30  # the green payment lies there, lit
    corner = picture[10:40, 10:40].mean()
    assert corner < 0.8 * handmade.frame(12.0)[5:20, 5:20].mean()  # the rest is darker
    panel = picture[725:, :600]
    assert (panel.max(axis=2) > 200).mean() > 0.01  # words


def test_a_second_run_replaces_and_doubles_nothing(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    out = tmp_path / "out"
    first = made(clip, table, out, store)
    before = content(out)
    second = made(clip, table, out, store)
    assert second.number == first.number
    assert content(out) == before
    assert len(store.reviews()) == 1


def test_another_second_recording_makes_another_review(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    name = table.cameras[0].id
    others = [handmade.write_clip(tmp_path / f"{second}.mp4", seconds=second) for second in (1, 2)]
    numbers = {
        review(
            clip,
            table,
            tmp_path / f"out {other.stem}",
            store,
            watch=watched,
            judge=lambda _journal, _table: Judgement("punto_banco", "andorra_2016", (), ()),
            feeds=(Feed(name, clip), Feed("second", other)),
        ).number
        for other in others
    }
    assert len(numbers) == 2
    assert {kept.recording_name for kept in store.reviews()} == {
        f"{clip.name} + {other.name}" for other in others
    }


def test_pictures_of_an_earlier_result_go_and_other_files_stay(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    out = tmp_path / "out"
    made(clip, table, out, store)
    (out / "notes.txt").write_text("mine")
    made(clip, table, out, store, judge=lambda _journal, _table: Judgement("punto_banco", "p", (), ()))
    assert set(content(out)) == {"journal.jsonl", "findings.json", "notes.txt"}


def _stopped(*_: object) -> Journal:
    raise KeyboardInterrupt


def _broken(*_: object) -> Journal:
    raise VeedorError("the table cannot be watched")


def _bug(*_: object) -> Journal:
    raise RuntimeError("a mistake of ours")


@pytest.mark.parametrize("watch", [_stopped, _broken, _bug])
def test_a_run_that_ends_early_leaves_the_earlier_result(
    clip: Path, table: Table, tmp_path: Path, store: Store, watch: Callable[..., Journal]
) -> None:
    out = tmp_path / "out"
    number = made(clip, table, out, store).number
    before, files = content(tmp_path), sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises((KeyboardInterrupt, VeedorError, RuntimeError)):
        made(clip, table, out, store, watch=watch)
    assert content(out) == {name[4:]: data for name, data in before.items() if name.startswith("out/")}
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    assert [kept.id for kept in store.reviews()] == [number]


def test_a_first_run_that_fails_leaves_nothing(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    with pytest.raises(VeedorError):
        made(clip, table, tmp_path / "new" / "deep" / "out", store, watch=_broken)
    assert not (tmp_path / "new").exists()
    assert store.reviews() == []


def test_what_killed_runs_left_is_swept(clip: Path, table: Table, tmp_path: Path, store: Store) -> None:
    old, fresh, other = (tmp_path / name for name in (".out.a.partial", ".out.b.partial", ".in.a.partial"))
    for folder in (old, fresh, other):
        folder.mkdir()
    for folder in (old, other):
        os.utime(folder, (0, 0))
    made(clip, table, tmp_path / "out", store)
    assert (old.exists(), fresh.exists(), other.exists()) == (False, True, True)


def test_out_that_is_a_file_is_refused_and_kept(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(StoreError, match="is a file, not a folder"):
        made(clip, table, tmp_path / "out", store)
    assert (tmp_path / "out").read_text() == "a file"


def test_a_place_that_cannot_be_written_changes_neither_out_nor_store(
    clip: Path, table: Table, tmp_path: Path, store: Store
) -> None:
    out = tmp_path / "out"
    made(clip, table, out, store)
    (out / "findings.json").unlink()
    (out / "findings.json").mkdir()  # nothing can be renamed over a folder
    (out / "findings.json" / "inside").write_text("x")
    before = content(out)
    with pytest.raises(StoreError, match="cannot be written"):
        made(clip, table, out, store, judge=lambda _j, _t: Judgement("punto_banco", "p", (), ()))
    assert content(out) == before
    assert len(store.findings(store.reviews()[0].id)) > 0


def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    full = Path("/dev/full")  # every write to it fails as on a full disk; Linux has it
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if full.exists():
        with pytest.raises(StoreError, match=r"No space left on device.*earlier result is untouched"):
            reviewing._write(full, b"x" * 100_000)
    assert "free space" in reviewing._cannot(tmp_path, error)


def test_a_recording_browsers_cannot_play_gets_a_copy(table: Table, tmp_path: Path, store: Store) -> None:
    clip = handmade.write_clip(tmp_path / "clip.avi", codec="mpeg4")
    kept = store.review(made(clip, table, tmp_path / "out", store).number)
    assert kept is not None
    assert kept.preview == "preview.mp4"
    video = store.video(kept)
    assert video is not None
    assert is_playable(video)
    assert not is_playable(clip)
    assert not (tmp_path / "out" / "preview.mp4").exists()


def test_a_recording_of_another_shape_than_the_camera_is_refused(
    table: Table, tmp_path: Path, store: Store
) -> None:
    file = tmp_path / "square.mp4"
    with av.open(str(file), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        assert isinstance(stream, av.VideoStream)
        stream.width = stream.height = 320
        stream.pix_fmt = "yuv420p"
        container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((320, 320, 3), np.uint8), "rgb24")))
        container.mux(stream.encode(None))
    with pytest.raises(VeedorError, match=r"320 x 320.*another shape"):
        made(file, table, tmp_path / "out", store)
    assert not (tmp_path / "out").exists()
