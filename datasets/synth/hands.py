"""Hands and forearms as chains of capsules: a skeleton with bending fingers, sleeves, cuffs, a watch."""

from __future__ import annotations

import numpy as np

from datasets.synth.limbs import Limb, Surface
from datasets.synth.raster import Array
from datasets.synth.scene import ArmItem, Pose, PropItem

_FINGERS = (
    (94.0, 28.0, 72.0, 9.4),
    (98.0, 9.0, 80.0, 9.6),
    (94.0, -10.0, 74.0, 9.2),
    (85.0, -27.0, 58.0, 8.2),
)
"""Per finger from the index: knuckle along and across the palm, length, radius; mm."""
_CURLS: dict[Pose, tuple[tuple[float, float, float], ...]] = {
    Pose.PINCH: ((42, 42, 22), (46, 46, 24), (55, 55, 30), (60, 60, 30)),
    Pose.FLAT: ((8, 10, 6), (8, 10, 6), (8, 10, 6), (10, 12, 6)),
    Pose.SPREAD: ((10, 14, 8), (8, 12, 8), (10, 14, 8), (12, 18, 8)),
    Pose.FIST: ((70, 95, 50), (74, 98, 50), (76, 98, 50), (78, 95, 50)),
    Pose.POINT: ((14, 10, 6), (70, 92, 50), (74, 95, 50), (76, 95, 50)),
    Pose.GRIP: ((34, 50, 26), (36, 52, 28), (40, 54, 28), (46, 54, 28)),
}
_SPREAD = {Pose.SPREAD: (14.0, 3.0, -8.0, -20.0), Pose.FLAT: (3.0, 0.0, -2.0, -6.0)}
_THUMB: dict[Pose, tuple[tuple[float, float, float], ...]] = {
    Pose.PINCH: ((0.72, 0.45, -0.55), (0.85, -0.05, -0.52), (0.9, -0.25, -0.35)),
    Pose.FLAT: ((0.62, 0.75, -0.2), (0.82, 0.55, -0.15), (0.93, 0.35, -0.1)),
    Pose.SPREAD: ((0.5, 0.85, -0.15), (0.62, 0.77, -0.15), (0.75, 0.65, -0.1)),
    Pose.FIST: ((0.7, 0.4, -0.6), (0.75, -0.35, -0.55), (0.45, -0.85, -0.3)),
    Pose.POINT: ((0.72, 0.35, -0.6), (0.75, -0.35, -0.55), (0.6, -0.75, -0.3)),
    Pose.GRIP: ((0.6, 0.55, -0.6), (0.8, 0.15, -0.58), (0.85, -0.1, -0.5)),
}
"""Directions of the thumb's three bones: forward, to the thumb's side, to the hand's back."""
_PITCH = {
    Pose.PINCH: 22.0,
    Pose.FLAT: 6.0,
    Pose.SPREAD: 10.0,
    Pose.FIST: 12.0,
    Pose.POINT: 16.0,
    Pose.GRIP: 26.0,
}
SKIN, SLEEVE, CUFF, METAL, RING = range(5)
HAND, ARM = 0, 1
"""The marks of the two parts that are told apart in the labels."""


def arm_limbs(arm: ArmItem) -> tuple[list[Limb], list[Surface]]:
    """The capsules of an arm in the layout frame, and their surfaces; marks: 0 hand, 1 forearm and sleeve."""
    rng = np.random.default_rng(arm.seed)
    heading = np.deg2rad(arm.heading_deg)
    back = np.array([np.cos(heading), np.sin(heading), 0.0])
    turn = np.deg2rad(arm.heading_deg + arm.bend_deg)
    pitch = np.deg2rad(_PITCH[arm.pose] + rng.normal(0, 5))
    forward = -np.array([np.cos(turn), np.sin(turn), 0.0]) * np.cos(pitch) - np.array([0, 0, np.sin(pitch)])
    side = np.array([-np.sin(turn), np.cos(turn), 0.0]) * (-1.0 if arm.left else 1.0)
    up = np.array([0, 0, 1.0]) - forward * float(forward[2])
    up /= np.linalg.norm(up)
    roll = np.deg2rad(arm.roll_deg)
    side, up = side * np.cos(roll) + up * np.sin(roll), up * np.cos(roll) - side * np.sin(roll)
    frame = np.stack([forward, side, up], axis=1) * arm.size
    bones = _hand_bones(arm, rng)
    tips = np.array([bone[1] for bone in bones if bone[4]])
    fingertips = (
        tips[[0, 1, -1]]
        if arm.pose in (Pose.PINCH, Pose.GRIP)
        else tips[:1]
        if arm.pose is Pose.POINT
        else tips[:3]
    )
    origin = np.array([arm.x_mm, arm.y_mm, arm.z_mm]) - frame @ fingertips.mean(axis=0)
    lowest = min(float((frame @ bone[1])[2] - bone[3] * arm.size) for bone in bones) + origin[2]
    origin[2] += max(0.0, 1.0 - lowest)
    limbs = [
        _limb(
            origin + frame @ a,
            origin + frame @ b,
            ra * arm.size,
            rb * arm.size,
            SKIN,
            HAND,
            up if tip else None,
        )
        for a, b, ra, rb, tip in bones
    ]
    if arm.ring:
        a, b = next((bone[0], bone[1]) for bone in bones if bone[2] == _FINGERS[2][3])
        at = a + (b - a) * 0.55
        step = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6) * 1.6
        r = (_FINGERS[2][3] + 0.7) * arm.size
        limbs.append(_limb(origin + frame @ (at - step), origin + frame @ (at + step), r, r, RING, HAND))
    limbs += _forearm(arm, origin, back, frame, rng)
    return limbs, _surfaces(arm)


def _surfaces(arm: ArmItem) -> list[Surface]:
    cuff = arm.cuff if arm.cuff is not None else arm.sleeve
    return [
        Surface(arm.skin, melt_mm=7.0, gloss=0.12, warm=0.6),
        Surface(arm.sleeve, melt_mm=12, folds=0.5, gloss=0.03),
        Surface(cuff, melt_mm=6, folds=0.2, gloss=0.04),
        Surface((150, 160, 170) if arm.seed % 2 else (40, 40, 44), melt_mm=1, gloss=0.9),
        Surface((70, 180, 220), melt_mm=1, gloss=0.9),
    ]


def _limb(
    a: Array, b: Array, ra: float, rb: float, surface: int, mark: int, nail: Array | None = None
) -> Limb:
    start, end = (float(a[0]), float(a[1]), float(a[2])), (float(b[0]), float(b[1]), float(b[2]))
    direction = None if nail is None else (float(nail[0]), float(nail[1]), float(nail[2]))
    return Limb(start, end, ra, rb, surface, mark, direction)


def _hand_bones(arm: ArmItem, rng: np.random.Generator) -> list[tuple[Array, Array, float, float, bool]]:
    """Bones in the hand's frame (forward, thumb's side, back), mm: ends, radii, whether it ends a finger."""
    bones: list[tuple[Array, Array, float, float, bool]] = []
    spread = _SPREAD.get(arm.pose, (-1.0, -0.5, 0.5, 1.0))
    spread_gain = rng.uniform(0.6, 1.5)
    for (along, across, length, radius), curls, fan in zip(_FINGERS, _CURLS[arm.pose], spread, strict=True):
        knuckle = np.array([along, across, 0.0])
        ball = knuckle + np.array([4.0, 0, 0])
        bones.append((np.array([2.0, across * 0.6, 0.0]), ball, 16.0, radius + 4.0, False))
        bones.append(
            (
                np.array([30.0, across * 0.8, -7.0]),
                knuckle + np.array([-14, 0, -6]),
                13.0,
                radius + 2.5,
                False,
            )
        )
        at, angle = knuckle, 0.0
        yaw = np.deg2rad(fan * spread_gain + rng.normal(0, 2))
        for part, (share, curl) in enumerate(zip((0.46, 0.29, 0.25), curls, strict=True)):
            angle += np.deg2rad(curl * rng.uniform(0.85, 1.15) + rng.normal(0, 3))
            flat = np.cos(angle)
            step = np.array([flat * np.cos(yaw), flat * np.sin(yaw), -np.sin(angle)]) * length * share
            r0, r1 = radius * (1.0, 0.93, 0.86)[part], radius * (0.93, 0.86, 0.74)[part]
            bones.append((at, at + step, r0, r1, part == 2))
            at = at + step
    # The web between thumb and index, and the ball of the thumb.
    bones.append((np.array([20.0, 16.0, -8.0]), np.array([74.0, 28.0, -9.0]), 15.0, 11.0, False))
    at = np.array([22.0, 24.0, -6.0])
    bones.append((np.array([6.0, 8.0, -2.0]), at, 14.0, 15.0, False))
    for part, (direction, length) in enumerate(zip(_THUMB[arm.pose], (42.0, 33.0, 27.0), strict=True)):
        unit = np.array(direction) + rng.normal(0, 0.06, 3)
        step = unit / np.linalg.norm(unit) * length
        bones.append((at, at + step, (14.0, 10.5, 9.6)[part], (10.5, 9.6, 7.8)[part], part == 2))
        at = at + step
    return bones


def _forearm(arm: ArmItem, wrist: Array, back: Array, frame: Array, rng: np.random.Generator) -> list[Limb]:
    rise = np.deg2rad(arm.rise_deg)
    along = back * np.cos(rise) + np.array([0, 0, np.sin(rise)])
    across = np.cross(along, [0, 0, 1.0])
    across /= max(float(np.linalg.norm(across)), 1e-6)
    s = arm.size
    elbow = wrist + along * 250 * s
    shoulder = elbow + (back * 0.88 + np.array([0, 0, 0.48])) * 440 * s + across * rng.normal(0, 60)
    limbs = []
    for offset in (-9.0, 9.0):
        a, b = wrist + across * offset * s, elbow + across * offset * 1.5 * s
        limbs.append(_limb(a, b, 19 * s, 33 * s, SKIN, ARM))
    limbs.append(_limb(wrist + frame[:, 0] * 8, wrist + along * 30 * s, 17 * s, 20 * s, SKIN, HAND))
    begin = wrist + along * arm.sleeve_from_mm * s
    loose = float(rng.uniform(5, 13))
    if arm.sleeve_from_mm < 240:
        share = arm.sleeve_from_mm / 250
        for offset in (-9.0, 9.0):
            a = begin + across * offset * (1 + 0.5 * share) * s
            b = elbow + across * offset * 1.5 * s
            limbs.append(_limb(a, b, (20 + 13 * share) * s + loose, 36 * s + loose, SLEEVE, ARM))
            if arm.cuff is not None:
                # A shirt's cuff looks out of the sleeve and is a little narrower.
                r = (20 + 13 * share) * s + loose - 1.5
                limbs.append(_limb(a - along * rng.uniform(10, 24), a + along * 10, r, r, CUFF, ARM))
    limbs.append(_limb(elbow, shoulder, 40 * s + loose, 58 * s + loose, SLEEVE, ARM))
    if arm.watch and arm.sleeve_from_mm > 45:
        at = wrist + along * 26 * s
        for offset in (-8.0, 8.0):
            c = at + across * offset * s
            limbs.append(_limb(c - along * 7, c + along * 7, 22.5 * s, 22.5 * s, METAL, ARM))
        top = at + np.array([0, 0, 17.0]) * s
        limbs.append(_limb(top, top + along * 3, 15 * s, 15 * s, METAL, ARM))
    return limbs


def body_limbs(prop: PropItem) -> tuple[list[Limb], list[Surface]]:
    """A seated or standing person: torso, shoulders, head; ``rot_deg`` is where the person looks."""
    a = np.deg2rad(prop.rot_deg)
    across, front = np.array([-np.sin(a), np.cos(a), 0.0]), np.array([np.cos(a), np.sin(a), 0.0])
    base = np.array([prop.x_mm, prop.y_mm, -250.0])
    top = base + np.array([0, 0, 250 + prop.height_mm])

    def limb(p: Array, q: Array, r0: float, r1: float, surface: int) -> Limb:
        return Limb(
            (float(p[0]), float(p[1]), float(p[2])), (float(q[0]), float(q[1]), float(q[2])), r0, r1, surface
        )

    half, up = prop.width_mm / 2, np.array([0, 0, 1.0])
    parts = [
        limb(base + across * s * half * 0.45, top + across * s * half * 0.45, half * 0.55, half * 0.5, 0)
        for s in (-1.0, 0.0, 1.0)
    ]
    parts.append(limb(top - across * half * 0.8, top + across * half * 0.8, 75, 75, 0))
    neck = top + np.array([0, 0, 110.0])
    parts.append(limb(top, neck, 55, 50, 1))
    parts.append(limb(neck + up * 40, neck + front * 20 + up * 105, 72, 80, 1))
    parts.append(limb(neck - front * 14 + up * 80, neck + up * 140, 88, 82, 2))
    hair = (20 + prop.seed % 60, 25 + prop.seed % 50, 30 + prop.seed % 70)
    surfaces = [
        Surface(prop.colour, melt_mm=40, folds=0.12, gloss=0.02),
        Surface(prop.second, melt_mm=20, gloss=0.1, warm=0.6),
        Surface(hair, melt_mm=10, folds=0.25, gloss=0.08),
    ]
    return parts, surfaces
