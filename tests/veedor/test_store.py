"""The store: replaced, never doubled; never overwritten when it is not ours to write."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import shutil
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine

from rules.findings import Judgement
from tests.support import handmade
from veedor.store import NewReview, Overlay, Store, StoreError, state_directory, write_atomically
from veedor.store.database import FILE_NAME, migration_config
from veedor.store.overlay import dumps as dump_overlay
from veedor.store.overlay import loads as load_overlay
from veedor.store.tables import Base


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    file = tmp_path / "clip.mp4"
    file.write_bytes(b"stands for a recording")
    return file


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return tmp_path / "files"


@pytest.fixture
def new(files: Path, clip: Path) -> NewReview:
    return handmade.write_review(files, clip)


def test_a_review_comes_back_as_it_was_kept(tmp_path: Path, files: Path, new: NewReview) -> None:
    store = Store(tmp_path / "state")
    number = store.save(new, files)

    review = store.review(number)
    assert review is not None
    assert (review.table, review.recording_name, review.coups) == ("Mesa 4", "clip.mp4", 1)
    assert (review.cards, review.bets, review.breaches, review.undetermined) == (4, 3, 2, 1)
    assert review.reviewed_at == new.reviewed_at
    assert store.journal(review) == new.journal
    assert store.overlay(review) == handmade.overlay()
    findings = {finding.id: finding for finding in store.findings(number)}
    for made in new.judgement.findings:
        kept = findings[made.id]
        assert (kept.code, kept.expected, kept.seen, kept.events) == (
            made.code,
            made.expected,
            made.seen,
            made.evidence_seq,
        )
        picture = store.picture(review, made.id)
        assert picture is not None
        assert picture.read_bytes()
    assert [coup.verdict for coup in store.coups(number)] == ["BREACH"]
    assert store.video(review) == Path(new.recording.path)
    assert store.problem() is None


def test_the_same_recording_again_replaces_and_keeps_its_number(
    tmp_path: Path, files: Path, new: NewReview
) -> None:
    store = Store(tmp_path / "state")
    first = store.save(new, files)
    fewer = dataclasses.replace(
        new,
        judgement=Judgement("punto_banco", "andorra_2016", new.judgement.findings[:1], new.judgement.coups),
    )
    again = Store(tmp_path / "state")
    assert again.save(fewer, files) == first
    assert [review.id for review in again.reviews()] == [first]
    assert [finding.id for finding in again.findings(first)] == [new.judgement.findings[0].id]
    assert len(list((tmp_path / "state" / "reviews").iterdir())) == 1


def test_another_table_or_recording_is_another_review(tmp_path: Path, files: Path, new: NewReview) -> None:
    store = Store(tmp_path / "state")
    store.save(new, files)
    store.save(dataclasses.replace(new, table="Mesa 5"), files)
    other = dataclasses.replace(new.recording, sha256="0" * 64)
    store.save(dataclasses.replace(new, recording=other), files)
    assert len(store.reviews()) == 3
    assert store.find("Mesa 5", [new.recording.sha256]) is not None
    assert store.find("Mesa 6", [new.recording.sha256]) is None


def test_another_camera_makes_another_review(tmp_path: Path, files: Path, new: NewReview) -> None:
    store = Store(tmp_path / "state")
    one, two = (
        dataclasses.replace(new.recording, path=f"/videos/{name}.mp4", sha256=name * 64) for name in "ab"
    )
    alone = store.save(new, files)
    with_one = store.save(dataclasses.replace(new, others=(one,)), files)
    with_two = store.save(dataclasses.replace(new, others=(two,)), files)
    both = store.save(dataclasses.replace(new, others=(one, two)), files)
    chief = store.save(dataclasses.replace(new, recording=one, others=(new.recording,)), files)
    assert len({alone, with_one, with_two, both, chief}) == 5
    assert store.save(dataclasses.replace(new, others=(two, one)), files) == both
    review = store.find(new.table, [new.recording.sha256, one.sha256])
    assert review is not None
    assert (review.id, review.recording_name) == (with_one, "clip.mp4 + a.mp4")
    assert review.recording == new.recording


def test_reviews_of_the_first_schema_are_kept(tmp_path: Path, files: Path, new: NewReview) -> None:
    state = tmp_path / "state"
    store = Store(state)
    number = store.save(new, files)
    store.close()
    engine = create_engine(f"sqlite:///{state / FILE_NAME}")
    with engine.begin() as connection:
        command.downgrade(migration_config(connection), "0001")
    engine.dispose()
    again = Store(state)
    assert again.save(new, files) == number
    review = again.find(new.table, [new.recording.sha256])
    assert review is not None
    assert review.recording == new.recording
    assert len(again.findings(number)) == 3


def test_a_failed_save_leaves_the_earlier_review(tmp_path: Path, files: Path, new: NewReview) -> None:
    store = Store(tmp_path / "state")
    number = store.save(new, files)
    undated = dataclasses.replace(new, reviewed_at=datetime(2026, 11, 30))  # noqa: DTZ001
    with pytest.raises(Exception, match="time zone"):
        store.save(undated, files)
    with pytest.raises(StoreError, match="cannot be copied"):
        store.save(new, tmp_path / "nowhere")
    review = store.review(number)
    assert review is not None
    assert len(store.findings(number)) == 3
    assert store.journal(review) == new.journal
    assert len(list((tmp_path / "state" / "reviews").iterdir())) == 1


def test_a_video_that_is_gone_or_changed_is_not_played(
    tmp_path: Path, files: Path, new: NewReview, clip: Path
) -> None:
    store = Store(tmp_path / "state")
    review = store.review(store.save(new, files))
    assert review is not None
    clip.write_bytes(b"another recording under the same name")
    assert store.video(review) is None
    clip.unlink()
    assert store.video(review) is None


def test_folders_left_by_killed_runs_are_swept(tmp_path: Path, files: Path, new: NewReview) -> None:
    store = Store(tmp_path / "state")
    old, fresh = (tmp_path / "state" / "reviews" / name for name in ("old", "fresh"))
    old.mkdir()
    fresh.mkdir()
    os.utime(old, (0, 0))
    store.save(new, files)
    assert not old.exists()
    assert fresh.exists()


def _save(state: Path, files: Path, new: NewReview, tables: list[str]) -> None:
    store = Store(state)
    for table in tables:
        store.save(dataclasses.replace(new, table=table), files)


def test_two_processes_at_once(tmp_path: Path, files: Path, new: NewReview) -> None:
    state = tmp_path / "state"
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_save, args=(state, files, new, [f"only {who}", "both"] * 5))
        for who in ("one", "two")
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    store = Store(state)
    assert sorted(review.table for review in store.reviews()) == ["both", "only one", "only two"]
    assert len(list((state / "reviews").iterdir())) == 3


def _newer(file: Path) -> None:
    Store(file.parent).close()
    connection = sqlite3.connect(file)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()


def _foreign(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()


def _broken(file: Path) -> None:
    file.write_bytes(b"this was a database once" * 100)


def _folder(file: Path) -> None:
    file.mkdir()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_newer, "newer version of veedor.*Use that version"),
        (_foreign, "not veedor's.*--state"),
        (_broken, "cannot be (read|used).*left as it is"),
        (_folder, "cannot be opened"),
    ],
)
def test_a_database_not_for_us_is_left_as_it_is(tmp_path: Path, spoil: object, says: str) -> None:
    assert callable(spoil)
    file = tmp_path / FILE_NAME
    spoil(file)
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(StoreError, match=says):
        Store(tmp_path)
    assert (file.read_bytes() if file.is_file() else None) == before


def test_a_state_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(tmp_path / "file" / "state")


def test_migrations_make_the_tables_of_this_version(tmp_path: Path) -> None:
    Store(tmp_path).close()
    engine = create_engine(f"sqlite:///{tmp_path / FILE_NAME}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_stored_files_that_are_gone_or_broken(tmp_path: Path, files: Path, new: NewReview) -> None:
    store = Store(tmp_path / "state")
    review = store.review(store.save(new, files))
    assert review is not None
    (store.folder(review) / "overlay.json").write_text('{"format": "veedor.overlay/2"}')
    with pytest.raises(StoreError, match=r"overlay.json cannot be read .*Review the recording again"):
        store.overlay(review)
    shutil.rmtree(store.folder(review))
    with pytest.raises(StoreError, match=r"journal.jsonl cannot be read"):
        store.journal(review)
    assert store.picture(review, new.judgement.findings[0].id) is None


def test_an_overlay_survives_writing() -> None:
    overlay: Overlay = handmade.overlay()
    assert load_overlay(dump_overlay(overlay)) == overlay


def test_a_pipe_or_a_device_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    try:
        write_atomically(pipe, b"x")
        assert pipe.is_fifo()
        assert os.read(reader, 1) == b"x"
    finally:
        os.close(reader)


def test_writing_atomically_keeps_the_old_file_when_it_fails(tmp_path: Path) -> None:
    file = tmp_path / "findings.json"
    write_atomically(file, b"old")
    write_atomically(file, b"new")
    assert file.read_bytes() == b"new"
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        write_atomically(tmp_path / "folder", b"a folder cannot be replaced by a file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["findings.json", "folder"]


@pytest.mark.parametrize(
    ("given", "environment", "expected"),
    [
        (Path("/given"), {"VEEDOR_STATE": "/variable"}, Path("/given")),
        (None, {"VEEDOR_STATE": "/variable", "XDG_DATA_HOME": "/xdg"}, Path("/variable")),
        (None, {"XDG_DATA_HOME": "/xdg"}, Path("/xdg/veedor")),
        (None, {}, Path.home() / ".local/share/veedor"),
    ],
)
def test_where_the_state_lies(given: Path | None, environment: dict[str, str], expected: Path) -> None:
    assert state_directory(given, environment) == expected
