"""The pipeline on the beginning of the demonstration recording, with the networks of the project."""

from __future__ import annotations

import json
from pathlib import Path

import av
import pytest

from rules.events import CardPlaced, ChipState, Event
from rules.journal import dumps, loads
from veedor.config import Table, load_table
from veedor.pipeline import run, run_timed
from veedor.yaml_file import TableError
from vision.errors import SourceError

DEMO = Path(__file__).parents[2] / "datasets" / "demo"


def truth(until_s: float) -> tuple[list[tuple[float, str, str, int]], set[str]]:
    """What the truth file says of the beginning: cards (time, spot, face, position) and spots with bets."""
    events = [e for e in json.loads((DEMO / "demo.json").read_text())["events"] if e["t"] < until_s]
    cards = [
        (e["t"], f"hand {e['hand']}", e["face"], e["hand_pos"]) for e in events if e["type"] == "card_placed"
    ]
    return cards, {f"seat {e['seat']} {e['box']}" for e in events if e["type"] == "chips_placed"}


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(DEMO / "table.yaml")


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first seconds of the recording: one bet lies there, one is placed, the first card is dealt."""
    path = tmp_path_factory.mktemp("recording") / "beginning.mp4"
    with av.open(str(DEMO / "demo.mp4")) as whole, av.open(str(path), "w") as cut:
        video = whole.streams.video[0]
        copied = cut.add_stream_from_template(video)
        for packet in whole.demux(video):
            if packet.dts is None or packet.time_base is None or packet.dts * packet.time_base > 5.5:
                continue
            packet.stream = copied
            cut.mux(packet)
    return path


def test_a_recording_becomes_a_journal_the_same_each_time(table: Table, beginning: Path) -> None:
    sunk: list[Event] = []
    told: list[tuple[str, float, float | None]] = []
    done = run_timed(table, beginning, lambda what, t, of: told.append((what, t, of)), sink=sunk.append)
    journal = done.journal
    assert tuple(sunk) == journal.events
    assert loads(dumps(journal).splitlines()) == journal
    assert journal.header.recording == "beginning.mp4"
    assert journal.header.duration_s == pytest.approx(5.5, abs=0.3)
    cards, bets = truth(until_s=4.4)
    placed = [event for event in journal.events if isinstance(event, CardPlaced)][: len(cards)]
    assert [(event.spot, event.face, event.position) for event in placed] == [card[1:] for card in cards]
    assert [event.t for event in placed] == pytest.approx([card[0] for card in cards], abs=0.4)
    chips = [event for event in journal.events if isinstance(event, ChipState)]
    assert {event.spot for event in chips} == bets
    assert done.timing.frames == pytest.approx(83, abs=3)
    assert 0 < done.timing.looks < 30
    assert [what for what, _, _ in told] == ["watching"] * len(told)
    assert told[-1][1] == told[-1][2] == pytest.approx(5.5, abs=0.3)
    again = run(table, beginning)
    assert dumps(again) == dumps(journal)


def test_what_is_no_recording_is_refused(table: Table, tmp_path: Path) -> None:
    broken = tmp_path / "notes.mp4"
    broken.write_text("not a video")
    with pytest.raises(SourceError, match=r"notes\.mp4"):
        run(table, broken)


def test_an_unknown_camera_is_refused(table: Table, beginning: Path) -> None:
    with pytest.raises(TableError, match="camera 9"):
        run(table, beginning, camera_id="camera 9")
