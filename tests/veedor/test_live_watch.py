"""A table watched live, with the networks of the project: lost, frozen, killed and begun again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rules.errors import VeedorError
from rules.events import CardPlaced, ChipState, ViewBack, ViewLost
from rules.journal import Journal, loads
from tests.support.demo import TABLE, beginning, still_with_noise
from tests.support.holding import kept_by
from tests.support.rtsp import RtspCamera
from tests.support.waiting import until
from veedor.config import Table, load_table
from veedor.live_watch import LiveWatch, Place
from veedor.store import Store, StoreError
from veedor.store.live import Alert, LiveFolder, LiveState, table_key
from veedor.watching import judge_journal, read_journal

CAMERA = "camera 1"


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return beginning(tmp_path_factory.mktemp("clip") / "beginning.mp4", 8.6)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table without play, by a camera with noise, as they have it."""
    return still_with_noise(tmp_path_factory.mktemp("clip") / "noisy.mp4", pictures=45)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "state")
    yield store
    store.close()


@contextmanager
def running(watch: LiveWatch) -> Iterator[None]:
    """The watch, on a thread of its own."""
    failed: list[VeedorError] = []

    def run() -> None:
        try:
            watch.run()
        except VeedorError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        watch.stop()
        thread.join()
    assert failed == []


def state_of(folder: LiveFolder) -> LiveState:
    return until(folder.read)


def alerts_of(folder: LiveFolder) -> dict[str, Alert]:
    state = folder.read()
    if state is None or not state.part:
        return {}
    return {str(alert.finding["code"]): alert for alert in folder.alerts(state.part)[0]}


def test_a_recording_played_at_its_pace_leaves_what_a_review_leaves(
    table: Table, clip: Path, store: Store, tmp_path: Path
) -> None:
    out, said = tmp_path / "out", list[str]()
    watch = LiveWatch(table, [Place(CAMERA, str(clip))], store, said.append, out=out, pace=2.0)
    with running(watch):
        until(lambda: (now := watch.folder.read()) and now.present, "chips on the table")
        state = state_of(watch.folder)
        assert any('"chip_state"' in line for line in state.present)
        assert state.cameras[0].marks
        done = until(lambda: watch.last, "the end of the recording")
    journal = read_journal(out / "journal.jsonl")
    assert journal == done.journal
    assert {e.spot for e in journal.events if isinstance(e, CardPlaced)} == {"hand punto", "hand banca"}
    assert {e.spot for e in journal.events if isinstance(e, ChipState)} >= {"seat 2 banca"}
    assert journal.header.recording == "beginning.mp4"
    assert (out / "findings.json").read_text() == judge_journal(journal, table).dumps()
    kept = store.review(done.number)
    assert kept is not None
    assert store.video(kept) == clip
    findings = [finding.id for finding in store.findings(done.number)]
    assert {finding.id for finding in done.judgement.findings} == set(findings)
    assert len(list((out / "findings").iterdir())) == len(findings)
    ended = state_of(watch.folder)
    assert (ended.status, ended.review) == ("ended", done.number)
    assert watch.folder.parts() == []


def test_a_camera_that_is_lost_or_frozen_is_told_and_watched_on(
    table: Table, noisy: Path, store: Store
) -> None:
    said = list[str]()
    with RtspCamera(noisy) as camera:
        watch = LiveWatch(table, [Place(CAMERA, camera.url)], store, said.append)
        with running(watch):
            until(lambda: (now := watch.folder.read()) and now.t > 2.0)
            camera.speaking.clear()
            alert = until(lambda: alerts_of(watch.folder).get("CAMERA_NO_SIGNAL"))
            assert (alert.finding["rule"], alert.finding["verdict"]) == ("HOUSE-CAMERA-01", "UNDETERMINED")
            until(lambda: state_of(watch.folder).cameras[0].state == "lost")
            until(lambda: state_of(watch.folder).cameras[0].view == "no_signal")
            camera.speaking.set()
            until(lambda: state_of(watch.folder).cameras[0].view is None, "its return")
            until(lambda: state_of(watch.folder).cameras[0].state == "live")
            camera.frozen.set()
            until(lambda: alerts_of(watch.folder).get("CAMERA_FROZEN"))
            until(lambda: state_of(watch.folder).cameras[0].view == "frozen")
            camera.frozen.clear()
            until(lambda: state_of(watch.folder).cameras[0].view is None, "its return")
    done = watch.last
    assert done is not None
    losses = [event for event in done.journal.events if isinstance(event, ViewLost) and event.spot is None]
    losses = [event for event in losses if event.reason != "gap"]  # a busy machine may have looked away
    assert [event.reason for event in losses][:2] == ["no_signal", "frozen"]
    back = {event.lost for event in done.journal.events if isinstance(event, ViewBack)}
    assert {event.seq for event in losses[:2]} <= back
    assert judge_journal(done.journal, table) == done.judgement
    codes = {finding.code for finding in done.judgement.findings}
    assert codes >= {"CAMERA_NO_SIGNAL", "CAMERA_FROZEN"}
    assert not {finding.code for finding in done.judgement.findings if finding.verdict == "BREACH"}
    assert any("is lost" in sentence for sentence in said)
    kept = [*store.state.rglob("*.json"), *store.state.rglob("*.jsonl")]
    assert not [file for file in kept if "secret" in file.read_text()]
    assert not [sentence for sentence in said if "secret" in sentence]


def test_what_a_killed_watch_saw_is_kept_when_it_is_begun_again(
    table: Table, clip: Path, store: Store, tmp_path: Path
) -> None:
    folder = LiveFolder(store.state, table_key(table.name))
    with (tmp_path / "log").open("wb") as log:
        killed = subprocess.Popen(
            [
                *(sys.executable, "-c", "from veedor.cli import main; main()"),
                *("watch", str(TABLE), "--camera", str(clip), "--state", str(store.state)),
            ],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            until(lambda: (now := folder.read()) and now.dealt, "cards on the table")
            dealt = state_of(folder)
            with pytest.raises(StoreError, match=f"watched already, by process {killed.pid}"):
                LiveWatch(table, [Place(CAMERA, str(clip))], store, lambda _sentence: None).run()
        finally:
            os.kill(killed.pid, signal.SIGKILL)
            killed.wait()
    (part,) = folder.parts()
    with (part / "journal.jsonl").open("a") as journal:
        journal.write('{"seq": 99999, "t": 9')  # as if it had been killed while it wrote
    written = loads(
        line for line in (part / "journal.jsonl").read_text().splitlines() if not line.endswith(" 9")
    )
    assert any(isinstance(event, CardPlaced) for event in written.events)
    said = list[str]()
    watch = LiveWatch(table, [Place(CAMERA, str(clip))], store, said.append, pace=2.0)
    with running(watch):
        until(lambda: state_of(folder).part not in ("", dealt.part), "the next part")
        review = until(lambda: folder.review_of(dealt.part))
    kept = store.review(review)
    assert kept is not None
    assert store.journal(kept).events == written.events
    assert (store.folder(kept) / "findings.json").read_text() == judge_journal(written, table).dumps()
    assert not [finding for finding in store.findings(review) if finding.verdict == "BREACH"]
    assert said[0] == f"An earlier watch was cut off; what it saw is kept as review {review}." or review
    assert folder.parts() == []
    assert json.loads((folder.path / "state.json").read_text())["status"] == "ended"


def test_parts_follow_one_another_between_coups(table: Table, clip: Path, store: Store) -> None:
    watch = LiveWatch(table, [Place(CAMERA, str(clip))], store, lambda _sentence: None, part_s=2.5, pace=3.0)
    with running(watch):
        until(lambda: watch.last and state_of(watch.folder).status == "ended")
    reviews = store.reviews()
    assert len(reviews) >= 2
    assert sum(isinstance(one, Journal) for one in kept_by(watch)) == 1  # the others are in the store alone
    names = [review.recording_name for review in reviews]
    assert all(name.startswith(f"{clip.name}, watched 2") for name in names)
    assert sum(store.video(review) is None for review in reviews) == len(reviews) - 1
    for review in reviews:
        journal = store.journal(review)
        assert all(-0.5 <= event.t <= 5.0 for event in journal.events)
        kept = (store.folder(review) / "findings.json").read_text()
        assert kept == judge_journal(journal, table).dumps()
