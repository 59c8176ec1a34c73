"""The command line: what it prints, how it ends, and that a failure changes nothing."""

from __future__ import annotations

import json
import re
import signal
import socket
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import yaml

from rules.journal import dumps
from tests.support import handmade
from veedor import cli
from veedor.config import load_table
from veedor.store import Store
from veedor.watching import judge_journal


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def veedor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Command]:
    """Runs one command in this process, with a state directory of its own."""
    monkeypatch.setenv("VEEDOR_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "200")
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["veedor", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return handmade.write_table(tmp_path / "table")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.jsonl"
    file.write_text(dumps(handmade.journal()))
    return file


def one_sentence(ended: Ended) -> str:
    """The complaint: on stderr alone, one line, without a traceback."""
    assert ended.code == 1
    lines = [line for line in ended.err.splitlines() if not line.endswith(" ...")]
    assert len(lines) == 1, ended.err
    assert "Traceback" not in ended.err
    return lines[0]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--version",), 0, "veedor 0."),
        (("--help",), 0, "review"),
        (("review",), 2, "Usage"),
        (("judge", "--nonsense"), 2, "Usage"),
        (("serve", "--port", "0"), 2, "Usage"),
        (("nothing",), 2, "Usage"),
    ],
)
def test_usage(veedor: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = veedor(*arguments)
    assert ended.code == code
    assert says in ended.out + ended.err


def test_judge_writes_the_judgement(veedor: Command, table: Path, journal: Path, tmp_path: Path) -> None:
    expected = judge_journal(handmade.journal(), load_table(table)).dumps()
    assert veedor("judge", journal, "--table", table) == Ended(0, expected, "")
    out = tmp_path / "findings.json"
    assert veedor("judge", journal, "--table", table, "--out", out).code == 0
    assert out.read_text() == expected


def _second_line_broken(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([lines[0], lines[1][:-10], *lines[2:]])


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_second_line_broken, r"journal\.jsonl, line 2 is not JSON .* cut off"),
        (lambda text: text.replace("veedor.journal/1", "veedor.journal/9"), r"line 1: .*'veedor\.journal/9'"),
        (lambda text: text.replace('"shoe_exit"', '"shoe_exits"'), r"line \d+: .*shoe_exit"),
        (lambda text: text.replace("punto_banco", "trijoker", 1), "journal is of trijoker.*punto_banco"),
        (lambda _text: "", r"journal\.jsonl is empty"),
        (lambda _text: "\0\udcff", "is not text"),
    ],
)
def test_a_journal_that_cannot_be_judged(
    veedor: Command, table: Path, journal: Path, tmp_path: Path, spoil: Callable[[str], str], says: str
) -> None:
    journal.write_bytes(spoil(journal.read_text()).encode(errors="surrogateescape"))
    out = tmp_path / "findings.json"
    out.write_text("earlier")
    assert re.search(says, one_sentence(veedor("judge", journal, "--table", table, "--out", out)))
    assert out.read_text() == "earlier"


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace('"Mesa 4"', '"Mesa\u2028\u0085 4"'),
    ],
    ids=["byte order mark", "Windows line ends", "line separators within a text"],
)
def test_a_journal_that_another_program_wrote_is_read_all_the_same(
    veedor: Command, table: Path, journal: Path, rewrite: Callable[[str], str]
) -> None:
    expected = veedor("judge", journal, "--table", table)
    journal.write_bytes(rewrite(journal.read_text()).encode())
    assert veedor("judge", journal, "--table", table) == expected


def test_a_journal_without_end_is_refused(veedor: Command, table: Path) -> None:
    assert "/dev/zero, line 1 is longer" in one_sentence(veedor("judge", "/dev/zero", "--table", table))


def test_nothing_is_written_over_what_is_read(
    veedor: Command, table: Path, journal: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"a photograph")
    for file, command in (
        (journal, ("judge", journal, "--table", table, "--out", journal)),
        (table, ("judge", journal, "--table", table, "--out", table)),
        (photo, ("read", photo, "--out", photo)),
        (photo, ("read", photo, "--json", photo)),
    ):
        before = file.read_bytes()
        assert "is the file that is to be read" in one_sentence(veedor(*command))
        assert file.read_bytes() == before


def test_a_simulated_journal_needs_a_name(veedor: Command) -> None:
    ended = veedor("simulate", "punto_banco", "--rounds", 1, "--seed", 1, "--out", ".")
    assert ". is no file's name" in ended.err
    assert "Traceback" not in ended.err


def test_a_full_disk_behind_the_output_is_said(
    monkeypatch: pytest.MonkeyPatch, veedor: Command, table: Path, journal: Path
) -> None:
    with Path("/dev/full").open("w") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        ended = veedor("judge", journal, "--table", table)
    assert "The output cannot be used (No space left on device)" in one_sentence(ended)


def test_a_journal_that_is_not_there(veedor: Command, table: Path, tmp_path: Path) -> None:
    complaint = one_sentence(veedor("judge", tmp_path / "none.jsonl", "--table", table))
    assert "none.jsonl cannot be read" in complaint
    assert "Check the path" in complaint


def _unknown_key(table: Path) -> None:
    table.write_text(table.read_text() + "\ncolour: green\n")


def _unknown_game(table: Path) -> None:
    table.write_text(table.read_text().replace("game: punto_banco", "game: tute"))


def _no_layout(table: Path) -> None:
    (table.parent / handmade.LAYOUT).unlink()


def _points(table: Path, change: Callable[[list[Any]], None]) -> None:
    content = yaml.safe_load(table.read_text())
    change(content["cameras"][0]["points"])
    table.write_text(yaml.safe_dump(content, sort_keys=False))


def _collinear(table: Path) -> None:
    def flatten(points: list[Any]) -> None:
        for k, point in enumerate(points):
            point["mm"], point["px"] = [100 + 90 * k, 80], [40 + 36 * k, 32]

    _points(table, flatten)


def _swapped(table: Path) -> None:
    def swap(points: list[Any]) -> None:
        points[0]["px"], points[1]["px"] = points[1]["px"], points[0]["px"]

    _points(table, swap)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_unknown_key, r"table\.yaml, line \d+: colour is not a known key"),
        (_unknown_game, r"table\.yaml, line \d+: game is \"tute\", but"),
        (_no_layout, r"layout\.svg"),
        (_collinear, r"camera main: .*line"),
        (_swapped, r"camera main: .*points\[0\]"),
        (lambda table: table.unlink(), r"table\.yaml"),
    ],
)
def test_a_table_file_that_cannot_be_used(
    veedor: Command, table: Path, tmp_path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"is not even looked at")
    spoil(table)
    ended = veedor("review", clip, "--table", table, "--out", tmp_path / "out")
    assert re.search(says, one_sentence(ended)), ended.err
    assert not (tmp_path / "out").exists()


def _recording(file: Path, times: list[float], sizes: list[tuple[int, int]], codec: str = "libx264") -> Path:
    """A recording of grainy pictures at these times and of these sizes."""
    noise = np.random.default_rng(7)
    with av.open(str(file), "w") as container:
        stream = container.add_stream(codec, rate=10)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *sizes[0], "yuv420p" if codec != "mjpeg" else "yuvj420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        if codec == "libx264":
            stream.options = {"preset": "ultrafast", "bf": "0"}
        for t, (width, height) in zip(times, sizes, strict=True):
            picture = noise.integers(40, 80, (height, width, 3), np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, "bgr24")
            frame.pts, frame.time_base = round(t * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file


_SIZE = (handmade.WIDTH, handmade.HEIGHT)


def _not_a_video(folder: Path) -> Path:
    file = folder / "clip.mp4"
    file.write_text("this is a letter")
    return file


def _empty(folder: Path) -> Path:
    file = folder / "clip.mp4"
    file.write_bytes(b"")
    return file


def _cut_off_index(folder: Path) -> Path:
    file = handmade.write_clip(folder / "clip.mp4", seconds=2)
    file.write_bytes(file.read_bytes()[:-1200])
    return file


def _cut_off(folder: Path) -> Path:
    file = _recording(folder / "clip.mkv", [k / 10 for k in range(60)], [_SIZE] * 60)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return file


def _no_frames(folder: Path) -> Path:
    file = folder / "clip.mp4"
    with av.open(str(file), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        assert isinstance(stream, av.AudioStream)
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), "fltp", "mono")
        silence.sample_rate = 8000
        container.mux(stream.encode(silence))
        container.mux(stream.encode(None))
    return file


def _size_changes(folder: Path) -> Path:
    """Two streams of the same coding joined: the second has another size."""
    parts = [
        _recording(folder / f"{width}.mjpeg", [k / 10 for k in range(3)], [(width, height)] * 3, "mjpeg")
        for width, height in (_SIZE, (320, 180))
    ]
    file = folder / "clip.mjpeg"
    file.write_bytes(b"".join(part.read_bytes() for part in parts))
    return file


def _clock_jumps(folder: Path) -> Path:
    times = [k / 10 for k in range(10)] + [3600 + k / 10 for k in range(10)]
    return _recording(folder / "clip.mkv", times, [_SIZE] * 20)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_not_a_video, "is not a video"),
        (_empty, "is empty"),
        (_cut_off_index, "is cut off"),
        (_cut_off, "is cut off: it holds"),
        (_no_frames, "no pictures"),
        (_size_changes, "changes its picture from 640 x 360 to 320 x 180 at"),
        (_clock_jumps, r"The clock of .* jumps by \+\d+\.\d s at 0\.90 s"),
        (lambda folder: folder / "none.mp4", "does not exist"),
    ],
)
def test_a_recording_that_cannot_be_reviewed(
    veedor: Command, table: Path, tmp_path: Path, make: Callable[[Path], Path], says: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "findings.json").write_text("earlier")
    clip = make(tmp_path)
    ended = veedor("review", clip, "--table", table, "--out", out)
    complaint = one_sentence(ended)
    assert re.search(says, complaint), complaint
    assert str(clip) in complaint
    assert {file.name: file.read_text() for file in out.iterdir()} == {"findings.json": "earlier"}
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []
    store = Store(tmp_path / "state")
    assert store.reviews() == []
    store.close()


def test_a_broken_state_directory_is_said_before_any_work(
    veedor: Command, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "veedor.sqlite3").write_text("no database" * 200)
    complaint = one_sentence(veedor("review", "clip.mp4", "--table", table, "--out", tmp_path / "out"))
    assert "left as it is" in complaint


def test_a_port_in_use_is_said_with_the_remedy(veedor: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for command in ("serve", "demo"):
            complaint = one_sentence(veedor(command, "--port", port))
            assert f"Port {port} on 127.0.0.1 is in use" in complaint
            assert "--port" in complaint


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "cannot be read"), (b"", "is not a picture"), (b"not a picture", "is not a picture")],
)
def test_a_photograph_that_is_none(veedor: Command, tmp_path: Path, content: bytes | None, says: str) -> None:
    photo = tmp_path / "photo.jpg"
    if content is not None:
        photo.write_bytes(content)
    assert says in one_sentence(veedor("read", photo))


@pytest.mark.parametrize(
    ("width_px", "height_px", "rows", "says"),
    [
        (4000, 1, 1, "is 4000 x 1 pixels"),
        (2, 4000, 4000, "is 2 x 4000 pixels"),
        (60_000, 60_000, 0, "is not a picture .* of up to 200 megapixels"),
    ],
)
def test_a_picture_of_no_use_by_its_size(
    veedor: Command, tmp_path: Path, width_px: int, height_px: int, rows: int, says: str
) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(_black_png(width_px, height_px, rows))
    assert re.search(says, one_sentence(veedor("read", photo)))


def _black_png(width_px: int, height_px: int, rows: int) -> bytes:
    """A black PNG that claims this size and holds so many rows."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width_px, height_px, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((width_px + 7) // 8 + 1) * rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null"])
def test_a_photograph_is_a_file(veedor: Command, place: str) -> None:
    assert f"{place} is not a file" in one_sentence(veedor("read", place))


def test_reading_a_photograph_prints_draws_and_writes(veedor: Command, tmp_path: Path) -> None:
    import cv2

    photo, drawn, written = (tmp_path / name for name in ("photo.png", "drawn.png", "read.json"))
    cv2.imwrite(str(photo), handmade.frame(13.0))
    ended = veedor("read", photo, "--out", drawn, "--json", written)
    assert ended.code == 0
    assert re.search(r"^\d+ cards?, \d+ named; \d+ stacks?\.", ended.out)
    image = cv2.imread(str(drawn))
    assert image is not None
    assert image.shape[:2] == (handmade.HEIGHT, handmade.WIDTH)
    document = json.loads(written.read_text())
    assert document["format"] == "veedor.read/1"
    assert json.loads(veedor("read", photo, "--json", "-").out) == document
    assert "ends in .jpg" in one_sentence(veedor("read", photo, "--out", tmp_path / "drawn.xyz"))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_review_that_is_stopped_changes_nothing(
    veedor: Command,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    how: signal.Signals,
) -> None:
    clip = handmade.write_clip(tmp_path / "clip.mp4", seconds=2)
    # Started in the background, a process ignores Ctrl-C; here it has to be heard.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    monkeypatch.setattr("veedor.pipeline.run", lambda *_, **__: signal.raise_signal(how))
    ended = veedor("review", clip, "--table", table, "--out", tmp_path / "out")
    assert ended.code == 130
    assert "Stopped. Nothing was changed." in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.mp4", "state", "table"]
