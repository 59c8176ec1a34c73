"""Scenes in time to frames and to H.264: only what moves is painted anew, on a still that is kept."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from datasets.synth.optics import Optics, expose, light_map, lit
from datasets.synth.patch import Canvas, joined
from datasets.synth.raster import Array
from datasets.synth.scene import Scene
from datasets.synth.stages import Assets, Numbers, paint_moving, paint_still
from datasets.synth.view import View
from vision.camera import Camera


class Filmer:
    """Frames of one camera. The scene's still part is painted again only when it changes."""

    def __init__(self, assets: Assets, camera: Camera, optics: Optics, seed: int) -> None:
        self.assets, self.optics = assets, replace(optics, jpeg=0)
        self.view = View(camera)
        self._rng = np.random.default_rng([seed, 11])
        self._still_key: Scene | None = None
        self._still = Canvas(self.view)
        self._work = Canvas(self.view)
        self._last: tuple[int, int, int, int] | None = None
        self._clean = np.zeros((camera.height_px, camera.width_px, 3), np.uint8)
        self._gain: Array | None = None

    def frame(self, scene: Scene) -> Array:
        """The camera's next frame (height_px, width_px, 3) uint8 BGR; each call has new sensor noise."""
        still = replace(
            scene,
            cards=tuple(card for card in scene.cards if not card.held),
            chips=tuple(chip for chip in scene.chips if not chip.held),
            arms=(),
        )
        if still != self._still_key:
            self._paint_still(still)
        self._restore()
        self._work.touched = None
        paint_moving(self._work, scene, self.assets, Numbers())
        self._renew(self._work.touched, scene)
        return expose(self._clean, self.optics, self._rng)

    def _paint_still(self, still: Scene) -> None:
        canvas = Canvas(self.view)
        paint_still(canvas, still, self.assets, Numbers())
        self._still, self._still_key = canvas, still
        for name in ("bgr", "ids", "depth"):
            np.copyto(getattr(self._work, name), getattr(canvas, name))
        self._last = None
        self._clean = lit(self.view.develop(canvas.bgr), still.light)
        if self._gain is None:
            h, w = self._clean.shape[:2]
            self._gain = light_map(still.light, h, w)

    def _restore(self) -> None:
        """Take the last frame's moving things off the working canvas and the picture."""
        if self._last is None:
            return
        x0, y0, x1, y1 = self._last
        for name in ("bgr", "ids", "depth"):
            getattr(self._work, name)[y0:y1, x0:x1] = getattr(self._still, name)[y0:y1, x0:x1]

    def _renew(self, box: tuple[int, int, int, int] | None, scene: Scene) -> None:
        changed = box if self._last is None else self._last if box is None else joined(box, self._last)
        self._last = box
        if changed is None:
            return
        raw = self._clean
        part = self.view.develop_part(self._work.bgr, changed, raw)
        if part is not None:
            x0, y0, x1, y1 = part
            raw[y0:y1, x0:x1] = lit(raw[y0:y1, x0:x1], scene.light, self._gain, (x0, y0))


def write_video(
    frames: Collection[Array], path: Path, fps: int, crf: int = 25, most_bytes: int | None = None
) -> int:
    """Encode BGR frames as H.264 (yuv420p, a key frame every two seconds, no B frames); the frames written.

    ``most_bytes`` bounds the rate so that a stream of that many frames stays below it.
    """
    count = 0
    temporary = path.with_suffix(".part.mp4")
    options = {"crf": str(crf), "preset": "medium", "bf": "0", "threads": "2"}
    if most_bytes is not None:
        rate = int(most_bytes * 8 * 0.93 * fps / max(len(frames), 1))
        options |= {"maxrate": str(rate), "bufsize": str(rate * 4)}
    try:
        with av.open(str(temporary), "w", format="mp4", options={"movflags": "faststart"}) as container:
            stream = container.add_stream("libx264", rate=fps, options=options)
            stream.pix_fmt = "yuv420p"
            stream.gop_size = fps * 2
            stream.time_base = Fraction(1, fps)
            for image in frames:
                if count == 0:
                    stream.height, stream.width = image.shape[:2]
                frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="bgr24")
                frame.pts, frame.time_base = count, Fraction(1, fps)
                container.mux(stream.encode(frame))
                count += 1
            container.mux(stream.encode(None))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return count


def write_jpeg(image: Array, path: Path, quality: int = 93) -> None:
    """Write a BGR picture."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    path.write_bytes(data.tobytes())
