"""Pictures from a recording or a camera, with the stream's own time.

    with open_source("table3.mp4") as source:
        for frame in source:
            frame.t, frame.image

Files in the containers that recorders write, RTSP and HTTP cameras, and this machine's own are opened;
playlists and addresses inside files are not followed. Damaged pictures are left out and counted; what was
odd stands in ``source.anomalies``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import av
import av.container
import av.error
import av.video.frame
import av.video.stream
import numpy as np
from numpy.typing import NDArray

from vision.address import Address, address_of, spelled
from vision.clock import Anomaly, AnomalyKind, Clock, note
from vision.errors import SourceError

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8, blue green red."""

_STAMPLESS = ("mpjpeg", "mjpeg", "image2pipe")
"""Streams of pictures alone, one after the other."""
_OPEN_S, _READ_S = 10.0, 5.0
"""A camera that answers, or sends its next picture, no sooner than this has failed."""
_Y_FORMATS = ("yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "nv12", "nv21", "gray")


class Frame:
    """One picture. ``t``: seconds from the start; ``utc``: RFC 3339 where known; ``index``: from 0.

    The picture is converted when it is first asked for, and kept.
    """

    __slots__ = ("_image", "_source", "height_px", "index", "t", "utc", "width_px")

    def __init__(
        self, t: float, index: int, picture: Picture | av.video.frame.VideoFrame, utc: str | None = None
    ) -> None:
        self.t, self.index, self.utc = t, index, utc
        self._image: Picture | None = None
        self._source: av.video.frame.VideoFrame | None = None
        if isinstance(picture, np.ndarray):
            self._image = picture
            self.height_px, self.width_px = picture.shape[:2]
        else:
            self._source = picture
            self.width_px, self.height_px = picture.width, picture.height

    @property
    def image(self) -> Picture:
        """(H, W, 3) uint8, blue green red."""
        if self._image is None:
            assert self._source is not None
            self._image = np.asarray(self._source.to_ndarray(format="bgr24"), np.uint8)
        return self._image

    def luma(self) -> Picture:
        """(H, W) uint8: brightness as the stream codes it, without converting the colours: cheap."""
        if self._source is not None and self._source.format.name in _Y_FORMATS:
            plane = self._source.planes[0]
            rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
            return np.asarray(rows[: self.height_px, : self.width_px])
        blue, green, red = (self.image[..., i].astype(np.uint16) for i in range(3))
        return ((blue * 29 + green * 150 + red * 77) >> 8).astype(np.uint8)


class Source(Protocol):
    """Where pictures come from. Iterating gives each picture once, in order, ``t`` growing."""

    name: str
    width_px: int
    height_px: int
    duration_s: float | None
    frame_count: int | None
    anomalies: list[Anomaly]

    def __iter__(self) -> Iterator[Frame]: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


@dataclass(slots=True)
class MemorySource:
    """Pictures already in memory, as (t, (H, W, 3) uint8) pairs: for tests and stills."""

    pictures: list[tuple[float, Picture]]
    name: str = "memory"
    anomalies: list[Anomaly] = field(default_factory=list)

    @property
    def width_px(self) -> int:
        """Width of the pictures."""
        return int(self.pictures[0][1].shape[1])

    @property
    def height_px(self) -> int:
        """Height of the pictures."""
        return int(self.pictures[0][1].shape[0])

    @property
    def duration_s(self) -> float:
        """Time of the last picture."""
        return self.pictures[-1][0]

    @property
    def frame_count(self) -> int:
        """How many pictures there are."""
        return len(self.pictures)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(t, index, image) for index, (t, image) in enumerate(self.pictures))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def ratio(value: object) -> Fraction | None:
    """A PyAV rational as a Fraction; None for none. PyAV up to 18 gives Fraction or None, 19 its own type
    whose zero means none."""
    if value is None:
        return None
    top = getattr(value, "numerator", getattr(value, "num", None))
    bottom = getattr(value, "denominator", getattr(value, "den", None))
    return Fraction(int(top), int(bottom)) if top and bottom else None


class VideoSource:
    """A recording or a camera, opened by :func:`open_source`. Can be iterated once.

    ``width_px``, ``height_px``: every picture's size. ``duration_s``, ``frame_count``: as the header says,
    None where it does not. ``recorded_utc``: when the recorder says it was made, if it does: often wrong.
    """

    def __init__(
        self,
        container: av.container.InputContainer,
        stream: av.video.stream.VideoStream,
        name: str,
        *,
        live: bool,
        gap_s: float,
        start_utc: datetime | None,
        accept_cut_off: bool,
    ) -> None:
        self.name, self.live = name, live
        self._container, self._stream = container, stream
        self._start_utc, self._accept_cut_off = start_utc, accept_cut_off
        self.width_px, self.height_px = stream.codec_context.width, stream.codec_context.height
        base = ratio(stream.time_base)
        self._base = base
        stream.thread_type = "SLICE" if live else "AUTO"  # by frames, each thread would hold one back
        rate = ratio(stream.average_rate) or ratio(stream.guessed_rate)
        start = float(stream.start_time * base) if stream.start_time is not None and base else None
        self.clock = Clock(start, float(1 / rate) if rate else None, gap_s)
        self.anomalies = self.clock.anomalies
        self.duration_s = _duration(container, stream, base)
        self.frame_count = stream.frames or (
            round(self.duration_s * float(rate)) if self.duration_s and rate else None
        )
        self.recorded_utc = container.metadata.get("creation_time")
        self.corrupt = 0
        self._arrival = container.format.name in _STAMPLESS
        """Its pictures bear no time of their own: they are of when they came."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def hurry(self, on: bool) -> None:
        """Decode key pictures only (``on``), to catch up, or all again."""
        self._stream.codec_context.skip_frame = "NONKEY" if on else "DEFAULT"

    def close(self) -> None:
        """Let go of the file or camera."""
        self._container.close()

    def __iter__(self) -> Iterator[Frame]:
        """The pictures. Raises SourceError if there is none, if their size changes, or, at the end, if the
        recording is cut off (unless that was accepted)."""
        index, t = 0, 0.0
        for picture in self._pictures():
            if picture is None or picture.is_corrupt:
                self.corrupt += 1
                note(self.anomalies, Anomaly(AnomalyKind.CORRUPT, t, t + self.clock.step_s))
                continue
            raw = float(picture.pts * self._base) if picture.pts is not None and self._base else None
            if self._arrival and self.live:
                raw = time.monotonic()
            t = self.clock.tick(raw)
            if index == 0:
                self.width_px, self.height_px = picture.width, picture.height
                if self.live and self._start_utc is None:
                    self._start_utc = datetime.now(UTC)
            elif (picture.width, picture.height) != (self.width_px, self.height_px):
                raise SourceError(
                    f"The recording {self.name} changes its picture from {self.width_px} x {self.height_px}"
                    f" to {picture.width} x {picture.height} at {t:.2f} s: cut it there and review each part"
                    " with the table file that belongs to its size."
                )
            yield Frame(t, index, picture, self._utc(t))
            index += 1
        self._check_end(index, t)

    def _utc(self, t: float) -> str | None:
        if self._start_utc is None:
            return None
        moment = (self._start_utc + timedelta(seconds=t)).astimezone(UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _pictures(self) -> Iterator[av.video.frame.VideoFrame | None]:
        """Decoded pictures; None for a packet that could not be decoded."""
        packets = self._container.demux(self._stream)
        while True:
            begun = time.monotonic()
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.error.EOFError:
                return
            except av.error.FFmpegError as error:
                if self.live:
                    raise SourceError(
                        f"The camera {self.name} stopped sending pictures ({_why(error)}): check its"
                        " network and power."
                    ) from None
                yield None
                return
            if self.live and time.monotonic() - begun > 0.95 * _READ_S:
                raise SourceError(f"The camera {self.name} fell silent: check its network and power.")
            try:
                yield from packet.decode()
            except av.error.EOFError:
                return
            except av.error.FFmpegError:
                yield None

    def _check_end(self, count: int, t: float) -> None:
        if count == 0:
            raise SourceError(
                f"The recording {self.name} has no picture that can be decoded: export it again."
            )
        if self.live or self.duration_s is None:
            return
        short = self.duration_s - (t + self.clock.step_s)
        few = bool(self._stream.frames) and count + self.corrupt < 0.97 * self._stream.frames
        if short > max(1.0, 0.03 * self.duration_s) and (few or not self._stream.frames):
            note(self.anomalies, Anomaly(AnomalyKind.CUT_OFF, t, self.duration_s))
            if not self._accept_cut_off:
                raise SourceError(
                    f"The recording {self.name} is cut off: it holds {t:.1f} of {self.duration_s:.1f}"
                    " seconds. Copy or export it again."
                )


def _duration(
    container: av.container.InputContainer, stream: av.video.stream.VideoStream, base: Fraction | None
) -> float | None:
    """How long the pictures last by the header, seconds; None if it does not say."""
    if stream.duration and base:
        return float(stream.duration * base)
    if written := re.fullmatch(r"(\d+):(\d+):(\d+(?:\.\d+)?)", stream.metadata.get("DURATION", "")):
        return int(written[1]) * 3600 + int(written[2]) * 60 + float(written[3])
    if container.duration and len(container.streams) == 1:
        return container.duration / 1e6
    return None


def open_source(
    place: Path | str,
    *,
    gap_s: float = 1.0,
    start_utc: datetime | None = None,
    accept_cut_off: bool = False,
) -> VideoSource:
    """Open a recording (a path), a camera (``rtsp://``, ``rtsps://``, ``http://``, ``https://``), or one of
    this machine (``/dev/video0``).

    ``gap_s``: from how long on missing pictures are a gap. ``start_utc``: when the recording began, with its
    zone; a camera's pictures count from now. Raises SourceError, a sentence, for what gives no pictures; no
    error says a camera's user or password.
    """
    if start_utc is not None and start_utc.tzinfo is None:
        raise ValueError("start_utc must say its zone")
    address = address_of(place)
    live, name = address.live, address.name if address.live else spelled(place)
    try:
        container = av.open(
            address.url,
            format=address.format,
            options=dict(address.options),
            metadata_errors="ignore",
            timeout=(_OPEN_S, _READ_S) if live else None,
        )
    except av.error.FFmpegError as error:
        raise SourceError(_open_failure(address, error)) from None
    try:
        return VideoSource(
            container,
            _video_stream(container, name),
            name,
            live=live,
            gap_s=gap_s,
            start_utc=start_utc,
            accept_cut_off=accept_cut_off,
        )
    except SourceError:
        container.close()
        raise


def _video_stream(container: av.container.InputContainer, name: str) -> av.video.stream.VideoStream:
    streams = [s for s in container.streams.video if not _is_cover(s)]
    if not streams:
        what = "only sound" if container.streams.audio else "no video"
        raise SourceError(f"The recording {name} has no pictures, {what}: give the camera's recording.")
    stream = max(streams, key=lambda s: (s.codec_context.width or 0) * (s.codec_context.height or 0))
    if getattr(stream, "codec_context", None) is None:
        raise SourceError(f"The recording {name} is in a coding that is not known here: export it as H.264.")
    return stream


def _is_cover(stream: av.video.stream.VideoStream) -> bool:
    return bool(int(stream.disposition) & int(av.stream.Disposition.attached_pic))


def _why(error: av.error.FFmpegError) -> str:
    """In words why a camera gives nothing; an interruption is our own patience's end."""
    return "it keeps silent" if isinstance(error, av.error.ExitError) else str(error.strerror)


def _open_failure(address: Address, error: av.error.FFmpegError) -> str:
    name = address.name
    if address.live:
        return (
            f"The camera {name} does not answer ({_why(error)}): check the address, its user and password,"
            " and that it is switched on."
        )
    with Path(name).open("rb") as file:
        head = file.read(12)
    if head[4:8] == b"ftyp" or head[:4] == b"\x1aE\xdf\xa3":
        return (
            f"The recording {name} is cut off or was not finished: its index is missing. Copy or export it"
            " again."
        )
    if head[:3] == b"\xff\xd8\xff" or head[:8] == b"\x89PNG\r\n\x1a\n":
        return f"The recording {name} is a photograph, not a video: read it with 'veedor read'."
    return (
        f"The recording {name} is not a video that can be read: give a video file, such as MP4, MKV or AVI,"
        " as the recorder exports it."
    )
