"""The pieces of a watch by themselves: what lies there now, the album, a part's files, where cameras are."""

from __future__ import annotations

import json
import tempfile
import threading
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from rules.errors import VeedorError
from rules.events import (
    CardPlaced,
    CardRead,
    ChipState,
    Hand,
    Owner,
    Realignment,
    Stack,
    ViewBack,
    ViewLost,
)
from rules.findings import Verdict
from rules.judge import judge
from tests.support import handmade
from tests.support.running import RunningTable
from veedor.album import Album
from veedor.cli import app
from veedor.cli_watch import places_of
from veedor.config import load_table
from veedor.live_review import end_part, read_part
from veedor.live_watch import LiveWatch, Place
from veedor.present import Present
from veedor.store import Store, StoreError
from veedor.store.live import Alert, LiveFolder, running_tables, table_key
from vision.source import Frame


@pytest.fixture
def running(tmp_path: Path) -> RunningTable:
    return RunningTable(tmp_path / "state")


def test_what_lies_there_is_what_is_kept() -> None:
    present = Present()
    for event in handmade.events():
        if event.t > 13.0:
            break
        present.add(event)
    kinds = [event.kind for event in present.events]
    assert kinds.count("card_placed") == 4
    assert {e.spot for e in present.events if isinstance(e, ChipState)} == {"seat 7 punto", "seat 2 punto"}
    dealt = present.hands_dealt
    for event in handmade.events():
        present.add(event)
    assert (dealt, present.hands_dealt) == (True, False)
    present.add(CardRead(seq=90, t=20.0, card_id="c9", card="As"))
    view = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    present.add(ViewLost(seq=91, t=21.0, reason="moved", camera="main"))
    assert [lost.reason for lost in present.lost] == ["moved"]
    present.add(ViewBack(seq=92, t=22.0, lost=91, realigned=Realignment(view, 3.0, 0.1, 1.0, 0.2)))
    assert present.lost == ()
    assert [event.seq for event in present.events][-3:] == [90, 91, 92]  # a moved camera stays moved


def test_what_the_dealer_puts_down_while_cards_lie_is_a_payment_until_the_next_coup() -> None:
    present = Present()
    paid = {}
    for event in handmade.events():
        present.add(event)
        paid[event.t] = present.paid
    assert [set(paid[t]) for t in (11.0, 12.0, 14.0)] == [set(), {"s4"}, {"s4"}]
    away = deepcopy(present)
    by_player = Hand(Owner.PLAYER, 7)
    away.add(ChipState(seq=80, t=16.0, spot="seat 7 punto", stacks=(handmade.STACKS[0],), hand=by_player))
    assert away.paid == frozenset()
    more = Stack("s9", (25,), 1, (1430.0, 640.0))
    (lying,) = (e for e in present.events if isinstance(e, ChipState) and e.spot == "seat 7 punto")
    present.add(replace(lying, seq=81, t=17.0, stacks=(*lying.stacks, more), hand=Hand(Owner.DEALER)))
    assert present.paid == {"s4"}  # no card lies: that is no payment
    present.add(CardPlaced(seq=82, t=20.0, card_id="n1", spot="hand punto", face="down"))
    assert present.paid == frozenset()


def test_an_album_keeps_the_last_seconds_and_what_happened_within_its_size() -> None:
    album = Album(most_bytes=60_000)
    rng = np.random.default_rng(0)
    picture = rng.integers(0, 255, (48, 64, 3)).astype(np.uint8)
    album.mark([30.0])
    for number in range(1200):
        album.add(Frame(number * 0.1, number, picture))
    assert album.size_bytes <= 60_000
    at = album.at([119.0, 119.05, 118.0])
    assert [kept.t for kept in at] == pytest.approx([117.9, 119.0], abs=0.2)
    assert at[0].frame.image.shape == picture.shape
    roomy = Album()
    roomy.mark([30.0])
    for number in range(1200):
        roomy.add(Frame(number * 0.1, number, picture))
    (around,) = roomy.at([30.0])
    assert around.t == pytest.approx(30.0, abs=0.2)
    (rough,) = roomy.at([60.0])
    assert rough.t == pytest.approx(60.0, abs=2.2)
    assert Album().at([1.0]) == []


def test_an_alert_is_told_once_and_again_when_it_says_more(running: RunningTable) -> None:
    running.play(20.0)
    name = running.part.folder.name
    told, after = running.folder.alerts(name)
    assert {alert.finding["code"] for alert in told} == {"NOT_PAID", "UNDERPAID"}
    running.play(20.1)
    assert running.folder.alerts(name, after) == ([], after)
    drawn = running.draw()
    assert {finding.code for finding in drawn} == {"NOT_PAID", "UNDERPAID"}
    again, after = running.folder.alerts(name, after)
    assert all(alert.picture for alert in again)
    (bet,) = [event for event in running.part.events if getattr(event, "spot", "") == "seat 2 punto"][-1:]
    assert isinstance(bet, ChipState)
    payment = replace(bet.stacks[0], stack="s9", denominations=(100,), count=1, line=None)
    late = replace(bet, seq=99, t=13.5, stacks=(*bet.stacks, payment))  # it was paid after all
    running.part.tell([late])
    running.part.look(30.0, at_once=True)
    taken_back, _ = running.folder.alerts(name, after)
    assert ("NOT_PAID", False) in {(alert.finding["code"], alert.standing) for alert in taken_back}
    assert running.part.count(Verdict.BREACH) == 0
    running.close()


def test_a_coup_is_judged_when_the_table_stands_still_after_it(running: RunningTable) -> None:
    running.play(15.0)
    assert running.part.findings == []  # it may be paid yet
    running.play(17.5)
    assert running.part.findings == []
    running.part.t = 25.0
    running.part.look(25.0, at_once=True)
    assert {finding.code for finding in running.part.findings} == {"NOT_PAID", "UNDERPAID"}
    assert {finding.coup for finding in running.part.findings} == {1}
    running.play(20.0)  # another coup begins: nothing of that is taken back
    alerts, _ = running.folder.alerts(running.part.folder.name)
    assert all(alert.standing for alert in alerts)
    running.close()


def test_a_part_becomes_a_review_and_its_page_a_sentence(running: RunningTable, tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    running.play(20.0)
    running.draw()
    running.close()
    out = tmp_path / "out"
    folder = running.part.folder
    journal = read_part(folder)
    assert journal.events == tuple(running.part.events)
    assert journal.header.duration_s == 20.0
    done = end_part(folder, running.table, store, out=out, duration_s=21.5)
    assert not folder.exists()
    assert done.judgement == judge(journal.events, running.table.profile)
    assert done.journal.header.duration_s == 21.5
    drawn = {finding.id for finding in done.judgement.findings if finding.coup == 1}
    assert {file.stem for file in (out / "findings").iterdir()} == drawn
    assert (out / "findings.json").read_text() == done.judgement.dumps()
    kept = store.review(done.number)
    assert kept is not None
    assert kept.recording_name.startswith("live ")
    assert store.video(kept) is None
    assert all(store.picture(kept, finding) for finding in drawn)
    store.close()


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ({"sizes": {}}, "cannot be read"),
        ({"sizes": {"main": [0, 0]}}, "cannot be read"),
        ({"recording": "/" + "x" * 5000}, "cannot be read"),
        ({"sizes": {"gone": [640, 360]}}, "no camera 'gone'"),
    ],
)
def test_what_a_part_says_of_itself_may_be_nonsense(
    running: RunningTable, tmp_path: Path, spoilt: dict[str, object], words: str
) -> None:
    store = Store(tmp_path / "state")
    running.play(20.0)
    running.close()
    file = running.part.folder / "part.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | spoilt))
    with pytest.raises(VeedorError, match=words):
        end_part(running.part.folder, running.table, store)
    assert (running.part.folder.is_dir(), store.reviews()) == (True, [])
    store.close()


def test_a_part_is_not_judged_by_another_tables_rules(running: RunningTable, tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    running.play(20.0)
    running.close()
    for other in (replace(running.table, name="Mesa 5"), replace(running.table, game="trijoker")):
        with pytest.raises(StoreError, match="is of table 'Mesa 4' with the game punto_banco, not of"):
            end_part(running.part.folder, other, store)
    store.close()


def test_a_part_waits_while_there_is_no_room_for_its_review(
    running: RunningTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "state")
    running.play(20.0)
    running.close()
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path / "full"))
        with pytest.raises(StoreError, match=r"cannot become a review \(No such file or directory"):
            end_part(running.part.folder, running.table, store)
    assert end_part(running.part.folder, running.table, store).journal.events
    store.close()


def test_what_a_watch_left_stops_no_other(tmp_path: Path) -> None:
    """Killed before a word was written, a link, half a file, a journal of another table: each is said."""
    table = load_table(handmade.write_table(tmp_path / "table"))
    clip = handmade.write_clip(tmp_path / "clip.mp4", seconds=2)
    store = Store(tmp_path / "state")
    said: list[str] = []
    watch = LiveWatch(table, [Place("main", str(clip))], store, said.append, pace=4.0)
    parts = [watch.folder.path / f"part-20261130T10000{number}" for number in range(4)]
    for part in (parts[0], parts[1], parts[2]):
        part.mkdir(parents=True)
    (parts[1] / "journal.jsonl").write_text("nonsense\n")
    (parts[2] / "journal.jsonl").write_text(
        '{"format": "veedor.journal/1", "table": "t", "game": "trijoker"}\n'
        '{"kind": "cut_card", "seq": 1, "t": 1.0, "spot": "shoe"}\n'
    )
    parts[3].symlink_to(tmp_path)
    watch.run()
    assert not parts[0].exists()
    assert parts[1].with_name(f"broken-{parts[1].name}").is_dir()
    assert (parts[2].is_dir(), parts[3].is_symlink()) == (True, True)
    assert len([sentence for sentence in said if sentence.startswith("An earlier watch")]) == 2
    assert watch.last is not None
    store.close()


def test_one_process_watches_a_table(running: RunningTable, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="watched already, by process"):
        LiveFolder(tmp_path / "state", running.folder.key).lock()
    (running.folder.path / "lock").write_bytes(b"\xff\xfe" * 1000)
    with pytest.raises(StoreError, match="watched already, by process"):
        LiveFolder(tmp_path / "state", running.folder.key).lock()
    running.close()
    LiveFolder(tmp_path / "state", running.folder.key).lock().close()


def test_a_folder_that_cannot_be_is_said_before_the_watch(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    options = ["--out", str(tmp_path / "file")]
    file, clip = handmade.write_table(tmp_path / "table"), handmade.write_clip(tmp_path / "c.mp4", seconds=1)
    given = ["watch", str(file), "--camera", f"main={clip}", "--state", str(tmp_path / "state"), *options]
    answer = CliRunner().invoke(app, given)
    assert isinstance(answer.exception, VeedorError)
    assert "cannot be made" in str(answer.exception)
    assert not (tmp_path / "state" / "live").exists()


def test_a_state_says_when_its_watch_is_gone(running: RunningTable, tmp_path: Path) -> None:
    running.write(age_s=3)
    (state,) = running_tables(tmp_path / "state")
    now = datetime.now(UTC)
    assert state.gone_since(now) is None
    assert state.gone_since(now + timedelta(seconds=10)) == state.at
    running.write(status="ended")
    (state,) = running_tables(tmp_path / "state")
    assert state.gone_since(now + timedelta(hours=1)) is None
    running.folder.put("state.json", b"{}")
    with pytest.raises(StoreError, match="another version"):
        running.folder.read()
    assert list(running_tables(tmp_path / "state")) == []
    assert running.folder.alerts("part-nowhere") == ([], 0)
    running.close()


def test_half_a_line_of_alerts_is_not_read(running: RunningTable) -> None:
    running.play(20.0)
    file = running.part.folder / "alerts.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-10])
    found, after = running.folder.alerts(running.part.folder.name)
    assert len(found) == whole.count(b"\n") - 1
    file.write_bytes(whole)
    assert len(running.folder.alerts(running.part.folder.name, after)[0]) == 1
    assert all(isinstance(alert, Alert) for alert in found)
    running.close()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Mesa 4", "mesa-4"),
        ("../../etc", "etc"),
        ("Große Táble!", "gro-e-t-ble-cf4a56"),
        ("桌", "table-40ba45"),
    ],
)
def test_a_tables_folder_has_a_plain_name(name: str, key: str) -> None:
    assert table_key(name) == key


def test_where_cameras_are_watched(tmp_path: Path) -> None:
    table = load_table(handmade.write_table(tmp_path / "table"))
    assert [(p.camera, p.place) for p in places_of(table, ["main=rtsp://10.0.0.7/a?x=1"])] == [
        ("main", "rtsp://10.0.0.7/a?x=1")
    ]
    assert places_of(table, ["rtsp://10.0.0.7/a"])[0].camera == "main"  # it has but one
    clip = handmade.write_clip(tmp_path / "clip.mp4", seconds=1)
    assert places_of(table, [str(clip)])[0].place == str(clip)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((), "does not say where"),
        (("side=rtsp://10.0.0.7/a",), "no camera 'side'"),
        (("main=rtsp://10.0.0.7/a", "main=rtsp://10.0.0.8/a"), "given twice"),
        (("main=ftp://me:secret@10.0.0.7/a",), r"ftp://\*\*\*@10\.0\.0\.7/a has the scheme"),
        (("main=/no/such/clip.mp4",), "does not exist"),
        (("main=/dev/video97",), "no camera /dev/video97 at this machine"),
    ],
)
def test_where_no_camera_can_be_watched(tmp_path: Path, given: tuple[str, ...], words: str) -> None:
    table = load_table(handmade.write_table(tmp_path / "table"))
    with pytest.raises(VeedorError, match=words) as refused:
        places_of(table, given)
    assert "secret" not in str(refused.value)


def test_cards_lie_where_they_were_told(running: RunningTable) -> None:
    running.play(5.0)
    placed = [event for event in running.part.present.events if isinstance(event, CardPlaced)]
    assert [event.card for event in placed] == ["Td", "2d"]
    running.close()


def test_a_watch_whose_helper_fails_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody may think that a table is watched which is not."""

    def fails(_self: Album, _frame: Frame) -> None:
        raise RuntimeError("no memory for pictures")

    told: list[object] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    monkeypatch.setattr(Album, "add", fails)
    table = load_table(handmade.write_table(tmp_path / "table"))
    clip = handmade.write_clip(tmp_path / "clip.mp4", seconds=4)
    store = Store(tmp_path / "state")
    watch = LiveWatch(table, [Place("main", str(clip))], store, lambda _sentence: None)
    with pytest.raises(VeedorError, match="What takes in camera main failed"):
        watch.run()
    (state,) = running_tables(store.state)
    assert (state.status, len(told)) == ("failed", 1)
    store.close()
