"""Parts of the demonstration recording, copied without coding them anew."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

FOLDER = Path(__file__).parents[2] / "datasets" / "demo"
TABLE = FOLDER / "table.yaml"


def beginning(path: Path, until_s: float) -> Path:
    """The first seconds of the recording."""
    with av.open(str(FOLDER / "demo.mp4")) as whole, av.open(str(path), "w") as cut:
        video = whole.streams.video[0]
        copied = cut.add_stream_from_template(video)
        for packet in whole.demux(video):
            if packet.dts is None or packet.time_base is None or packet.dts * packet.time_base > until_s:
                continue
            packet.stream = copied
            cut.mux(packet)
    return path


def still_with_noise(path: Path, pictures: int) -> Path:
    """The recording's first picture for so many pictures, 15 a second, each with noise of its own."""
    with av.open(str(FOLDER / "demo.mp4")) as whole:
        first = next(whole.decode(video=0)).to_ndarray(format="bgr24")
    noise = np.random.default_rng(5).normal(0, 4, (*first.shape[:2], 1)).astype(np.float32)
    options = {"g": "15", "bf": "0", "preset": "ultrafast", "crf": "16"}
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=15, options=options)
        stream.height, stream.width = first.shape[:2]
        stream.pix_fmt = "yuv420p"
        for number in range(pictures):
            grain = np.roll(noise, (37 * number, 61 * number), axis=(0, 1))
            seen = (first + grain).clip(0, 255).astype(np.uint8)
            picture = av.VideoFrame.from_ndarray(seen, format="bgr24")
            picture.pts, picture.time_base = number, Fraction(1, 15)
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))
    return path
