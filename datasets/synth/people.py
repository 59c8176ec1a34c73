"""Random arms and bodies: skins, sleeves, poses, and where dealers and players reach from."""

from __future__ import annotations

import numpy as np

from datasets.synth.raster import Colour, hsv
from datasets.synth.scene import ArmItem, Pose, PropItem, PropKind

_SKINS: tuple[Colour, ...] = (
    (176, 196, 232), (150, 178, 222), (130, 160, 210), (110, 140, 198), (92, 122, 180), (74, 100, 156),
    (56, 78, 128), (42, 58, 98), (34, 44, 74),
)  # fmt: skip


def random_skin(rng: np.random.Generator) -> Colour:
    """A skin tone, from pale to dark."""
    tone = np.array(_SKINS[int(rng.integers(len(_SKINS)))]) * rng.uniform(0.9, 1.1) + rng.normal(0, 5, 3)
    b, g, r = np.clip(tone, 10, 245).astype(int)
    return int(b), int(g), int(r)


def random_cloth(rng: np.random.Generator, dealer: bool) -> Colour:
    """A sleeve's colour: dealers mostly white or black, players anything."""
    if dealer and rng.random() < 0.75:
        return hsv(
            0.6, rng.uniform(0, 0.1), float(rng.choice([rng.uniform(0.8, 0.97), rng.uniform(0.05, 0.2)]))
        )
    return hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.05, 0.95))


def random_arm(rng: np.random.Generator, felt_mm: tuple[float, float]) -> ArmItem:
    """An arm over a felt of that width and depth, from the dealer's or a player's side; (0, 0): anywhere."""
    width, depth = felt_mm
    dealer = bool(rng.random() < 0.55)
    if width == 0:
        x, y = rng.normal(0, 70, 2)
        heading = float(rng.uniform(0, 360))
    elif dealer:
        # Often working at the cards and the float, now and then reaching to the bets.
        far = rng.uniform(-0.03, 0.3) if rng.random() < 0.6 else rng.uniform(0.25, 0.78)
        x, y = rng.uniform(0.12, 0.88) * width, depth * far
        heading = -90 + float(np.clip((width / 2 - x) / width * -60, -45, 45)) + float(rng.normal(0, 22))
    else:
        x, y = rng.uniform(0.03, 0.97) * width, depth * rng.uniform(0.4, 1.0)
        heading = 90 - float((x / width - 0.5) * 130) + float(rng.normal(0, 25))
    bare = rng.random() < (0.1 if dealer else 0.4)
    sleeve = random_cloth(rng, dealer)
    white = hsv(0.6, 0.03, rng.uniform(0.8, 0.97))
    cuff = None if rng.random() < 0.35 else white if rng.random() < 0.6 else random_cloth(rng, False)
    pose = list(Pose)[int(rng.choice(6, p=[0.3, 0.18, 0.1, 0.12, 0.1, 0.2]))]
    return ArmItem(
        x_mm=float(x),
        y_mm=float(y),
        z_mm=float(rng.choice([8.0, rng.uniform(8, 40), rng.uniform(20, 140)])),
        heading_deg=heading,
        pose=pose,
        left=bool(rng.random() < 0.5),
        skin=random_skin(rng),
        sleeve=sleeve,
        cuff=cuff,
        sleeve_from_mm=float(rng.uniform(150, 260)) if bare else float(rng.uniform(18, 60)),
        size=float(rng.uniform(0.84, 1.1)),
        roll_deg=float(rng.choice([rng.normal(0, 10), rng.normal(0, 35)])),
        rise_deg=float(rng.uniform(4, 38)),
        bend_deg=float(rng.normal(0, 14)),
        ring=bool(rng.random() < 0.2),
        watch=bool(rng.random() < 0.25),
        dealer=dealer,
        seed=int(rng.integers(2**31)),
    )


def random_body(rng: np.random.Generator, felt_mm: tuple[float, float], dealer: bool) -> PropItem:
    """A person at the table's edge."""
    width, depth = felt_mm
    if dealer:
        x, y, turn = width / 2 + rng.normal(0, width * 0.12), -200 - rng.uniform(0, 100), 90.0
    else:
        angle = np.deg2rad(rng.uniform(10, 170))
        x = width / 2 + np.cos(angle) * (width / 2 + rng.uniform(230, 330))
        y = depth * 0.25 + np.sin(angle) * (depth * 0.75 + rng.uniform(230, 330))
        turn = float(np.rad2deg(np.arctan2(depth * 0.3 - y, width / 2 - x)))
    return PropItem(
        PropKind.BODY, float(x), float(y), turn, float(rng.uniform(330, 470)), 200.0,
        float(rng.uniform(260, 480) if dealer else rng.uniform(150, 330)),
        random_cloth(rng, dealer), random_skin(rng), seed=int(rng.integers(9999)),
    )  # fmt: skip
