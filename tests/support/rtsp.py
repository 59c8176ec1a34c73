"""A camera that speaks RTSP: plays an H.264 clip round and round, in real time, over the connection itself.

It can fall silent, hang up, and come back, as cameras do. Only what FFmpeg asks of a camera is there:
OPTIONS, DESCRIBE, SETUP (interleaved), PLAY (RFC 2326), and H.264 in RTP (RFC 6184).
"""

from __future__ import annotations

import base64
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import av

_CLOCK = 90_000
_MOST = 1400


class RtspCamera:
    """``clip``: an MP4 with H.264. Use it as a context; ``url`` is where it is."""

    def __init__(self, clip: Path) -> None:
        self.pictures = _pictures(clip)
        times = sorted(t for t, _ in self.pictures)
        self._step = times[1] - times[0]
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.speaking = threading.Event()
        """Clear it, and the camera sends nothing while it stays connected."""
        self.speaking.set()
        self.answering = threading.Event()
        """Clear it, and the camera hangs up on whoever calls."""
        self.answering.set()
        self.frozen = threading.Event()
        """Set it, and the camera sends one picture over and over."""
        self.calls = 0
        self._done = threading.Event()
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._answer, daemon=True)]

    @property
    def url(self) -> str:
        """Its address, with a user and a password."""
        return f"rtsp://anna:secret@127.0.0.1:{self.port}/live"

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self.speaking.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        for thread in self._threads:
            thread.join()

    def hang_up(self) -> None:
        """Break off every connection."""
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open.clear()

    def _answer(self) -> None:
        while not self._done.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.calls += 1
            if not self.answering.is_set():
                connection.close()
                continue
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection.makefile("rb") as lines:
            while request := _request(lines.readline):
                method, headers = request
                body, more = "", ""
                if method == "DESCRIBE":
                    body = self._description()
                    more = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
                elif method == "OPTIONS":
                    more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
                elif method == "SETUP":
                    more = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n"
                else:
                    more = "Session: 1\r\n"
                answer = f"RTSP/1.0 200 OK\r\nCSeq: {headers['cseq']}\r\n{more}\r\n{body}"
                connection.sendall(answer.encode())
                if method == "PLAY":
                    self._play(connection)
                    return

    def _description(self) -> str:
        units = self.pictures[0][1]
        sets = ",".join(base64.b64encode(unit).decode() for unit in units if unit[0] & 31 in (7, 8))
        return (
            "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
            f"a=rtpmap:96 H264/{_CLOCK}\r\na=fmtp:96 packetization-mode=1;sprop-parameter-sets={sets}\r\n"
            "a=control:track0\r\n"
        )

    def _play(self, connection: socket.socket) -> None:
        begun, sent, number = time.monotonic(), 0, 0
        while not self._done.is_set():
            round_s = sent * self._step
            for t, units in self.pictures:
                self._done.wait(max(0.0, begun + sent * self._step - time.monotonic()))
                stamp = round(_CLOCK * (round_s + t)) & 0xFFFFFFFF
                self.speaking.wait()
                if self._done.is_set():
                    return
                shown = self.pictures[0][1] if self.frozen.is_set() else units
                for payload, last in _payloads(shown):
                    head = struct.pack("!BBHII", 0x80, 96 | (0x80 if last else 0), number & 0xFFFF, stamp, 1)
                    packet = head + payload
                    connection.sendall(struct.pack("!cBH", b"$", 0, len(packet)) + packet)
                    number += 1
                sent += 1


def _request(readline: object) -> tuple[str, dict[str, str]] | None:
    assert callable(readline)
    line = readline().decode()
    if not line.strip():
        return None
    headers = {}
    while head := readline().decode().strip():
        name, _, value = head.partition(":")
        headers[name.lower()] = value.strip()
    return line.split()[0], headers


def _pictures(clip: Path) -> list[tuple[float, list[bytes]]]:
    """Each picture's time in seconds and its NAL units."""
    found = []
    with av.open(str(clip)) as container:
        stream = container.streams.video[0]
        plain = av.BitStreamFilterContext("h264_mp4toannexb", stream)
        for packet in container.demux(stream):
            if packet.dts is None:
                continue
            for each in plain.filter(packet):
                assert each.pts is not None
                assert each.time_base is not None
                units = [unit for unit in re.split(rb"\x00\x00\x00?\x01", bytes(each)) if unit]
                found.append((float(each.pts * each.time_base), units))
    return found


def _payloads(units: list[bytes]) -> Iterator[tuple[bytes, bool]]:
    """RTP payloads of one picture, each with whether it is the last."""
    for number, unit in enumerate(units, start=1):
        final = number == len(units)
        if len(unit) <= _MOST:
            yield unit, final
            continue
        parts = [unit[at : at + _MOST] for at in range(1, len(unit), _MOST)]
        for count, part in enumerate(parts, start=1):
            mark = (0x80 if count == 1 else 0) | (0x40 if count == len(parts) else 0)
            yield bytes([(unit[0] & 0xE0) | 28, mark | (unit[0] & 31)]) + part, final and count == len(parts)
