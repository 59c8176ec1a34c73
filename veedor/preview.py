"""A copy of a recording that browsers can play, for recordings that they cannot.

Browsers play H.264 with 4:2:0 colours in MP4. Other codings, other containers and streams whose clock starts
late or jumps back (so that the browser's time would not be ours) are copied with our time, at most
``WIDEST_PX`` wide.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import av.error
import cv2
import numpy as np

from rules.errors import VeedorError
from vision.source import open_source, ratio

WIDEST_PX = 1280
_LATEST_START_S = 0.15
_MILLISECOND = Fraction(1, 1000)


class PreviewError(VeedorError):
    """The playable copy cannot be made."""


def is_playable(video: Path) -> bool:
    """Whether browsers play this file, on the same time as ours. Reads packets only: nothing is decoded."""
    try:
        with av.open(str(video)) as container:
            stream = container.streams.video[0]
            if not {"mov", "mp4"} & set(container.format.name.split(",")):
                return False
            if stream.codec_context.name != "h264" or stream.codec_context.pix_fmt not in (
                "yuv420p",
                "yuvj420p",
            ):
                return False
            base = ratio(stream.time_base)
            if base is None or (stream.start_time or 0) * base > _LATEST_START_S:
                return False
            last: int | None = None
            for packet in container.demux(stream):
                if packet.dts is None:
                    continue
                if last is not None and packet.dts <= last:
                    return False
                last = packet.dts
            return last is not None
    except (av.error.FFmpegError, IndexError):
        return False


def make_preview(video: Path, copy: Path, on_progress: Callable[[float], None] = lambda _t: None) -> None:
    """Write the playable copy. ``on_progress`` gets the time reached, seconds.

    Raises SourceError (a recording that cannot be read) or PreviewError (a copy that cannot be written).
    """
    try:
        with open_source(video) as source, av.open(str(copy), "w", options={"movflags": "faststart"}) as out:
            stream = out.add_stream("libx264", rate=25)
            stream.pix_fmt = "yuv420p"
            stream.options = {"preset": "veryfast", "crf": "24"}
            stream.codec_context.time_base = _MILLISECOND
            scale = min(1.0, WIDEST_PX / source.width_px)
            stream.width, stream.height = (
                2 * max(1, round(side * scale / 2)) for side in (source.width_px, source.height_px)
            )
            last = -1
            for frame in source:
                size = (stream.width, stream.height)
                image = np.asarray(cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA), np.uint8)
                picture = av.VideoFrame.from_ndarray(image, format="bgr24")
                last = max(last + 1, round(frame.t * 1000))
                picture.pts, picture.time_base = last, _MILLISECOND
                out.mux(stream.encode(picture))
                on_progress(frame.t)
            out.mux(stream.encode(None))
    except (av.error.FFmpegError, OSError) as error:
        raise PreviewError(
            f"A copy of {video} for the browser cannot be written to {copy} ({error.strerror}). "
            "Check the free space and the folder's rights."
        ) from error
