"""A watched camera, measured: nudged, covered, dark, stopped, dazzled, out of focus, and in play as it is.

Every picture is rendered by :mod:`datasets.synth` through the camera as it hangs at that moment, with new
noise, while a session is played and people lean in. `python -m tests.bench.watched [TRIALS]` prints the
counts of docs/cameras.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from datasets.synth.clip import Shoot
from datasets.synth.demo import demo_camera, demo_production
from datasets.synth.movie import Filmer
from datasets.synth.people import random_arm
from datasets.synth.scene import ArmItem, Scene
from vision.camera import Camera, Floats
from vision.layout import Layout
from vision.printed import Luma
from vision.viewcheck import Lost, ViewCheck

SEED = 586
STEP_S = 0.4
BEFORE_S, AFTER_S = 4.0, 10.0
_FELT_MM = (1700.0, 700.0)
NUDGES = {
    "turned 0.3 degrees": (0.3, 0.0, 0.0),
    "turned 1 degree": (1.0, 0.0, 0.0),
    "zoomed 1 %": (0.0, 0.01, 0.0),
    "zoomed 3 %": (0.0, 0.03, 0.0),
    "shifted 6 px": (0.0, 0.0, 6.0),
    "shifted 20 px": (0.0, 0.0, 20.0),
    "all three": (1.0, 0.03, 20.0),
    "turned 3 degrees, shifted 60 px": (3.0, 0.0, 60.0),
    "turned 15 degrees, shifted 250 px": (15.0, 0.0, 250.0),
}
"""Degrees about the view's axis, part of the focal length, pixels that the middle moves; ways at random."""
Harm = Callable[[Luma, int, np.random.Generator], Luma]


@cache
def shoot() -> Shoot:
    """The demonstration's session, before any camera."""
    return Shoot(demo_production(SEED))


@cache
def layout() -> Layout:
    """Its felt."""
    return Layout.parse(shoot().production.drawing.to_svg(), "bench")


def views() -> dict[str, Camera]:
    """From the players' side, and nearly from above."""
    oblique = demo_camera()
    above = Camera.looking_at(
        (850, 285), distance_mm=2300, tilt_deg=9, azimuth_deg=4, focal_px=1750, size_px=(1280, 720), k1=-0.08
    )
    return {"54 degrees": oblique, "from above": above}


def nudged(camera: Camera, kind: str, rng: np.random.Generator) -> Camera:
    """The camera after a nudge: turned about its view's axis, zoomed, and swung so that the middle shifts."""
    turn, zoom, shift = NUDGES[kind]
    ways = rng.choice([-1.0, 1.0], 2)
    heading, focal = rng.uniform(0, 2 * np.pi), float(camera.matrix[0, 0])
    pan = np.array([np.cos(heading), np.sin(heading)]) * shift / focal
    turns = np.array([-pan[1], pan[0], np.deg2rad(turn) * ways[0]])
    rotation = cv2.Rodrigues(turns)[0]
    matrix = camera.matrix.copy()
    matrix[:2, :2] *= 1 + zoom * ways[1]
    return replace(
        camera,
        matrix=matrix,
        rotation=rotation @ camera.rotation,
        translation_mm=rotation @ camera.translation_mm,
    )


def busy(scene: Scene, seed: int, t: float) -> Scene:
    """The scene with people who reach far over the felt, others every two seconds."""
    rng = np.random.default_rng((seed, int(t / 2)))
    arms: list[ArmItem] = []
    for _ in range(int(rng.integers(1, 5))):
        arm = random_arm(rng, _FELT_MM)
        sway = 25 * np.sin(2 * t + arm.seed)
        arms.append(replace(arm, x_mm=arm.x_mm + sway, y_mm=min(arm.y_mm, 420.0) - 0.5 * sway, rise_deg=12.0))
    return replace(scene, arms=(*scene.arms, *arms))


def pictures(
    camera: Camera, times: NDArray[np.float64], seed: int, *, play: bool, crowd: bool
) -> Iterator[Luma]:
    """The brightness of what a camera sees at each time; the light flickers."""
    production = shoot().production
    filmer = Filmer(shoot().assets, camera, production.optics, seed)
    for t in times:
        scene = shoot().scene(float(t) if play else 0.0)
        if not play:
            scene = replace(scene, arms=())
        image = filmer.frame(busy(scene, seed, float(t)) if crowd else scene)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
        grey *= 1 + 0.02 * np.sin(37 * t) + 0.04 * np.sin(0.5 * t)
        yield np.asarray(grey.clip(16, 235), np.uint8)


def _cloth(_: Luma, number: int, rng: np.random.Generator) -> Luma:
    cloth = 70 + 25 * np.sin(np.linspace(0, 3, 1280))[None] + rng.normal(0, 3, (720, 1280)) + number % 3
    return np.asarray(cloth.clip(16, 235), np.uint8)


def _cap(_: Luma, __: int, rng: np.random.Generator) -> Luma:
    return np.asarray((19 + rng.normal(0, 2, (720, 1280))).clip(16, 235), np.uint8)


def _light(picture: Luma, _: int, rng: np.random.Generator) -> Luma:
    y, x = np.mgrid[0:720, 0:1280]
    glare = 170 * np.exp(-(((x - 600) / 900) ** 2 + ((y - 300) / 600) ** 2))
    veiled = picture.astype(np.float32) * 0.4 + 70 + glare + rng.normal(0, 1.5, picture.shape)
    return np.asarray(veiled.clip(16, 235), np.uint8)


def _defocused(picture: Luma, _: int, rng: np.random.Generator) -> Luma:
    soft = cv2.GaussianBlur(picture, (0, 0), 6.0).astype(np.float32) + rng.normal(0, 1.5, picture.shape)
    return np.asarray(soft.clip(16, 235), np.uint8)


HARMS: dict[str, Harm] = {"covered": _cloth, "dark": _cap, "dazzled": _light, "blurred": _defocused}


@dataclass(slots=True)
class Tally:
    """Trials of one kind: noticed, named, followed, stopped; seconds and millimetres."""

    n: int = 0
    noticed: int = 0
    named: int = 0
    followed: int = 0
    stopped: int = 0
    after_s: list[float] = field(default_factory=list)
    off_mm: list[float] = field(default_factory=list)


def left_mm(camera: Camera, now: Camera, check: ViewCheck) -> Floats:
    """How far off the followed camera puts each spot that both show, mm."""
    spots = np.array([zone.centre_mm for zone in layout().zones])
    spots = spots[camera.in_view(spots, 5) & now.in_view(spots, 5)]
    known = check.nudge.px(camera, camera.project(spots))
    return np.asarray(np.hypot(*(known - now.project(spots)).T) / now.px_per_mm(spots))


def nudge_trials(trials: int, progress: Callable[[str], None]) -> dict[str, Tally]:
    """Each nudge from each side, ``trials`` times."""
    found = {kind: Tally() for kind in NUDGES}
    for view, camera in views().items():
        times = np.arange(0, BEFORE_S, STEP_S)
        before = list(pictures(camera, times, 1, play=True, crowd=False))
        for kind, tally in found.items():
            for trial in range(trials):
                progress(f"{kind}, {view}, {trial + 1}")
                moved = nudged(camera, kind, np.random.default_rng((SEED, trial, len(kind))))
                after = BEFORE_S + np.arange(0, AFTER_S, STEP_S)
                shown = pictures(moved, after, 2 + trial, play=True, crowd=trial % 2 == 1)
                tally.n += 1
                check = ViewCheck(camera, layout())
                for t, picture in zip(times, before, strict=True):
                    check.update(float(t), picture)
                lost: Lost | None = None
                for t, picture in zip(after.tolist(), shown, strict=True):
                    for news in check.update(t, picture):
                        if isinstance(news, Lost):
                            lost = lost or news
                    if lost is not None and check.nudge.far_px(camera, camera.project([(850.0, 285.0)])) > 0:
                        break  # it is followed: the rest of the trial costs time only
                if lost is not None and lost.reason == "moved":
                    tally.noticed += 1
                    tally.after_s.append(lost.t_seen - BEFORE_S)
                if lost is not None and check.present is None:
                    tally.followed += 1
                    tally.off_mm += left_mm(camera, moved, check).tolist()
                elif lost is not None:
                    tally.stopped += 1
    return found


def harm_trials(trials: int, progress: Callable[[str], None]) -> dict[str, Tally]:
    """Each other harm from each side, in play with people leaning in."""
    found = {kind: Tally() for kind in (*HARMS, "frozen")}
    for view, camera in views().items():
        for trial in range(trials):
            step = STEP_S / 2
            times = np.arange(0, BEFORE_S + AFTER_S, step)
            progress(f"harms, {view}, {trial + 1}")
            well = list(pictures(camera, times, 50 + trial, play=True, crowd=True))
            start = round(BEFORE_S / step)
            for kind, tally in found.items():
                rng = np.random.default_rng((SEED, trial))
                check, lost = ViewCheck(camera, layout()), None
                for k, t in enumerate(times):
                    harm = HARMS.get(kind)
                    picture = well[k]
                    if k >= start:
                        picture = well[start] if harm is None else harm(picture, k, rng)
                    for news in check.update(float(t), picture):
                        if isinstance(news, Lost):
                            lost = lost or news
                tally.n += 1
                tally.noticed += lost is not None
                tally.named += lost is not None and lost.reason == kind
                if lost is not None:
                    tally.after_s.append(lost.t_seen - BEFORE_S)
    return found


def false_alarms(seconds: float, progress: Callable[[str], None]) -> list[tuple[str, float, int, int]]:
    """Quiet and busy play: seconds, alarms, and checks at which something seemed wrong for a moment."""
    found = []
    for view, camera in views().items():
        for name, play, crowd in (("quiet", False, False), ("played", True, False), ("busy", True, True)):
            progress(f"{name}, {view}")
            check, alarms, doubts = ViewCheck(camera, layout()), 0, 0
            times = np.arange(0, seconds, STEP_S)
            for t, picture in zip(times, pictures(camera, times, 9, play=play, crowd=crowd), strict=True):
                alarms += sum(isinstance(news, Lost) for news in check.update(float(t), picture))
                doubts += check.suspect
            found.append((f"{name}, {view}", seconds, alarms, doubts))
    return found


def main(trials: int = 4) -> None:
    """Measure, and print the tables."""
    console = Console(width=120)
    with console.status("rendering") as status:
        nudges = nudge_trials(trials, status.update)
        harms = harm_trials(max(1, trials // 2), status.update)
        calm = false_alarms(15.0 * trials, status.update)
    table = Table("nudge", "n", "noticed", "after s", "followed", "stopped", "mm off: median", "95 %", "most")
    for kind, tally in nudges.items():
        off = np.array(tally.off_mm or [np.nan])
        table.add_row(
            kind,
            str(tally.n),
            str(tally.noticed),
            f"{max(tally.after_s, default=np.nan):.1f}",
            str(tally.followed),
            str(tally.stopped),
            *(f"{value:.2f}" for value in (np.median(off), np.quantile(off, 0.95), off.max())),
        )
    console.print(table)
    table = Table("harm", "n", "noticed", "named", "after s at most")
    for kind, tally in harms.items():
        table.add_row(
            kind,
            str(tally.n),
            str(tally.noticed),
            str(tally.named),
            f"{max(tally.after_s, default=np.nan):.1f}",
        )
    console.print(table)
    table = Table("play", "seconds", "false alarms", "doubts for a moment")
    for name, seconds, alarms, doubts in calm:
        table.add_row(name, f"{seconds:.0f}", str(alarms), str(doubts))
    console.print(table)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
