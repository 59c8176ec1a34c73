"""Random cameras and the windows of their pictures that training looks at."""

from __future__ import annotations

import numpy as np

from datasets.synth.raster import Array
from datasets.synth.scene import CARD_HEIGHT_MM, CardItem, ChipItem, PropItem, PropKind, Scene
from vision.camera import Camera

_SIZES = ((1280, 720), (1280, 720), (1920, 1080), (1600, 900), (1024, 768))


def window(camera: Camera, x0: float, y0: float, size_px: int, side_px: float) -> Camera:
    """The camera of a square window of a picture: its corner, its side, and the pixels it is resampled to."""
    scale = size_px / side_px
    crop = np.array([[scale, 0, -x0 * scale], [0, scale, -y0 * scale], [0, 0, 1.0]])
    return Camera(
        crop @ camera.matrix, camera.rotation, camera.translation_mm, camera.k1, camera.k2, size_px, size_px
    )


def table_camera(rng: np.random.Generator, felt_mm: tuple[float, float]) -> Camera:
    """A ceiling camera that sees all or much of a table: straight down to 65 degrees, from any side."""
    width, depth = felt_mm
    size = _SIZES[int(rng.integers(len(_SIZES)))]
    tilt = float(
        rng.choice([abs(rng.normal(0, 6)), rng.uniform(0, 45), rng.uniform(30, 65)], p=[0.3, 0.35, 0.35])
    )
    tilt = min(tilt, 65.0)
    azimuth = float(
        rng.choice([rng.normal(0, 30), rng.normal(180, 25), rng.uniform(0, 360)], p=[0.5, 0.15, 0.35])
    )
    distance = float(rng.uniform(1500, 3800))
    fill = float(rng.uniform(0.7, 1.5))
    focal = size[0] * distance / (width * 1.15) * fill
    wide = size[0] / 2 / focal
    k1 = float(rng.uniform(-0.3, 0.08)) * min(1.0, 0.4 / max(wide, 0.05)) if rng.random() < 0.7 else 0.0
    k1 = max(k1, -0.12 / (wide * wide * 1.6))
    k2 = float(rng.uniform(-0.02, 0.05)) if k1 and rng.random() < 0.5 else 0.0
    target = (width * rng.uniform(0.35, 0.65), depth * rng.uniform(0.3, 0.65))
    return Camera.looking_at(
        (float(target[0]), float(target[1])), distance_mm=distance, tilt_deg=tilt, azimuth_deg=azimuth,
        roll_deg=float(rng.normal(0, 3)), focal_px=focal, size_px=size, k1=k1, k2=max(k2, 0.0),
    )  # fmt: skip


def interest(rng: np.random.Generator, scene: Scene) -> tuple[float, float]:
    """Somewhere on the felt worth looking at."""
    places = [(c.x_mm, c.y_mm) for c in scene.cards] + [(c.x_mm, c.y_mm) for c in scene.chips]
    places += [(a.x_mm, a.y_mm) for a in scene.arms] * 2
    if scene.shoe is not None:
        places.append((scene.shoe.x_mm, scene.shoe.y_mm))
    if not places:
        return 0.0, 0.0
    x, y = places[int(rng.integers(len(places)))]
    return float(x), float(y)


def table_window(
    rng: np.random.Generator, scene: Scene, felt_mm: tuple[float, float], size_px: int
) -> Camera:
    """A window of a table camera's picture in which cards are about 20 to 150 px high."""
    camera = table_camera(rng, felt_mm)
    x, y = interest(rng, scene)
    centre = camera.project(np.array([[x, y, 0.0]]))[0]
    local = camera.project(np.array([[x, y, 0.0], [x + 30, y, 0.0], [x, y + 30, 0.0]]))
    scale = float(np.sqrt(np.linalg.norm(local[1] - local[0]) * np.linalg.norm(local[2] - local[0]))) / 30
    wanted = (
        float(np.exp(rng.uniform(np.log(22), np.log(110))))
        if rng.random() < 0.85
        else float(rng.uniform(110, 260))
    )
    side = size_px * CARD_HEIGHT_MM * scale / wanted
    side = min(side, 1.25 * camera.width_px)
    jitter = rng.uniform(-0.34, 0.34, 2) * side
    # The more of the table a window holds, the nearer it is to the table's middle.
    table = camera.project(np.array([[felt_mm[0] / 2, felt_mm[1] / 2, 0.0]]))[0]
    share = min(0.85, side / max(scale * felt_mm[0], 1.0) * 0.8)
    centre = centre + (table - centre) * share
    corner = centre + jitter * (1 - 0.6 * share) - side / 2
    return _checked(window(camera, float(corner[0]), float(corner[1]), size_px, side))


def _checked(camera: Camera) -> Camera:
    """The camera without its lens where the window reaches past what the lens can show."""
    k = camera.matrix
    corners = np.array(
        [[0, 0], [camera.width_px, 0], [0, camera.height_px], [camera.width_px, camera.height_px]], float
    )
    radius = float(np.linalg.norm((corners - k[:2, 2]) / k[[0, 1], [0, 1]], axis=1).max()) * 1.15
    if camera.k1 < 0 and radius > 0.8 * (2 / 3) * np.sqrt(-1 / (3 * camera.k1)):
        return Camera(k, camera.rotation, camera.translation_mm, 0.0, 0.0, camera.width_px, camera.height_px)
    return camera


def photo_camera(rng: np.random.Generator, scene: Scene, size_px: int) -> Camera:
    """A telephone held over cards and chips, from above to nearly along the table, often close to one."""
    lying = [card for card in scene.cards if not card.held]
    standing = [chip for chip in scene.chips if not chip.held]
    if lying and rng.random() < 0.28:
        return _close_card(
            rng, lying[-1] if rng.random() < 0.6 else lying[int(rng.integers(len(lying)))], size_px
        )
    if standing and rng.random() < 0.38:
        tallest = max(standing, key=lambda chip: len(chip.denominations))
        return _close_pile(rng, tallest, size_px)
    packets = [prop for prop in scene.props if prop.kind is PropKind.PACKET]
    if packets and rng.random() < 0.15:
        return _close_packet(rng, packets[int(rng.integers(len(packets)))], size_px)
    places: Array = np.array(
        [(c.x_mm, c.y_mm) for c in scene.cards]
        + [(c.x_mm, c.y_mm) for c in scene.chips]
        + [(p.x_mm, p.y_mm) for p in packets]
    )
    flat = float(
        rng.choice([rng.uniform(0, 25), rng.uniform(10, 60), rng.uniform(50, 78)], p=[0.5, 0.3, 0.2])
    )
    if len(scene.chips) > len(scene.cards):
        flat = float(rng.choice([rng.uniform(15, 60), rng.uniform(60, 84)], p=[0.4, 0.6]))
    middle = places.mean(axis=0) if len(places) else np.zeros(2)
    spread = float(np.linalg.norm(places - middle, axis=1).max()) if len(places) else 0.0
    distance = float(rng.uniform(280, 700))
    reach = (spread + 60) * float(rng.choice([rng.uniform(0.45, 1.0), rng.uniform(1.0, 2.5)]))
    if flat > 60:
        reach = (spread + 60) * float(rng.uniform(0.5, 1.3))
    focal = size_px / 2 * distance / reach
    focal = float(np.clip(focal, 0.5 * size_px, 330 / CARD_HEIGHT_MM * distance * 1.6))
    k1 = float(rng.uniform(-0.06, 0.06)) if rng.random() < 0.4 else 0.0
    aim = middle + rng.normal(0, 0.25, 2) * reach
    return _checked(
        Camera.looking_at(
            (float(aim[0]), float(aim[1])), distance_mm=distance, tilt_deg=flat,
            azimuth_deg=float(rng.uniform(0, 360)),
            roll_deg=float(rng.normal(0, 8)), focal_px=focal, size_px=(size_px, size_px), k1=k1,
        )
    )  # fmt: skip


def _close_card(rng: np.random.Generator, card: CardItem, size_px: int) -> Camera:
    """One card filling half to all of the picture, upright or not."""
    upright = rng.random() < 0.55
    azimuth = -card.rot_deg + float(rng.normal(0, 9)) if upright else float(rng.uniform(0, 360))
    distance = float(rng.uniform(220, 600))
    fill = float(rng.uniform(0.45, 1.02))
    focal = size_px * fill / CARD_HEIGHT_MM * distance
    aim = np.array([card.x_mm, card.y_mm]) + rng.normal(0, 9, 2)
    tilt = float(rng.choice([abs(rng.normal(0, 10)), rng.uniform(10, 50)], p=[0.65, 0.35]))
    return Camera.looking_at(
        (float(aim[0]), float(aim[1])), distance_mm=distance, tilt_deg=tilt, azimuth_deg=azimuth,
        roll_deg=float(rng.normal(0, 5)), focal_px=focal, size_px=(size_px, size_px),
    )  # fmt: skip


def _close_packet(rng: np.random.Generator, packet: PropItem, size_px: int) -> Camera:
    """One packet filling half to all of the picture, looked at from above or at what stands."""
    longest = max(packet.width_mm, packet.depth_mm, packet.height_mm)
    stands = packet.height_mm > min(packet.width_mm, packet.depth_mm)
    tilt = float(rng.uniform(45, 80) if stands else abs(rng.normal(0, 25)))
    distance = float(rng.uniform(260, 600)) + packet.height_mm
    # Mostly its large sides are turned to the camera.
    azimuth = float(-packet.rot_deg + 180 * rng.integers(2) + rng.normal(0, 30))
    focal = size_px * float(rng.uniform(0.4, 0.9)) / longest * distance
    aim = np.array([packet.x_mm, packet.y_mm]) + rng.normal(0, 15, 2)
    return Camera.looking_at(
        (float(aim[0]), float(aim[1])), distance_mm=distance, tilt_deg=min(tilt, 82.0), azimuth_deg=azimuth,
        roll_deg=float(rng.normal(0, 5)), focal_px=focal, size_px=(size_px, size_px),
    )  # fmt: skip


def _close_pile(rng: np.random.Generator, pile: ChipItem, size_px: int) -> Camera:
    """One pile filling much of the picture, mostly from the side."""
    tilt = float(rng.choice([rng.uniform(58, 85), rng.uniform(20, 60)], p=[0.75, 0.25]))
    height = 3.3 * len(pile.denominations)
    azimuth = float(rng.uniform(0, 360))
    a, t = np.deg2rad(azimuth), np.deg2rad(tilt)
    away = np.array([np.sin(a), np.cos(a)])
    # The view's middle goes through the pile's: it meets the felt behind it.
    aim = np.array([pile.x_mm, pile.y_mm]) - away * height / 2 * np.tan(t) + rng.normal(0, 12, 2)
    long_mm = max(40 * np.cos(t) + height * np.sin(t), 40.0)
    distance = float(rng.uniform(250, 600)) + height / 2 / np.cos(t)
    focal = size_px * float(rng.uniform(0.3, 0.9)) / long_mm * distance
    return Camera.looking_at(
        (float(aim[0]), float(aim[1])), distance_mm=distance, tilt_deg=tilt, azimuth_deg=azimuth,
        roll_deg=float(rng.normal(0, 5)), focal_px=focal, size_px=(size_px, size_px),
    )  # fmt: skip
