"""A small recording's truth file and drawing, in the form of the measured recordings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from vision.camera import Camera

CAMERA = Camera.looking_at(
    (500, 250), distance_mm=1500, tilt_deg=30, azimuth_deg=10, focal_px=1200, size_px=(1280, 720), k1=-0.05
)
SEATS = 3


def felt_svg(seats: int = SEATS, half_lines: bool = True) -> str:
    """The drawing: boxes in columns, card places towards the dealer."""
    half = ' data-half-line="outline"' if half_lines else ""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="1000mm" height="600mm" viewBox="0 -50 1000 600">',
        '<!-- a table --><rect id="felt" x="0" y="-50" width="1000" height="600" fill="#123"/>',
    ]
    for seat in range(1, seats + 1):
        x = 40 + (seat - 1) * 920 / seats
        for row, bet in enumerate(("empate", "banca", "punto")):
            lined = half if bet != "empate" else ""
            parts.append(
                f'<rect id="seat{seat}-{bet}" x="{x}" y="{240 + 95 * row}" width="80" height="80"'
                f' fill="none" stroke="#fff"{lined}/>'
            )
        parts.append(f'<text id="seat{seat}-number" x="{x}" y="540">{seat}</text>')
    for number, hand in enumerate(("punto", "banca")):
        parts.append(f'<rect id="cards-{hand}" x="{250 + number * 260}" y="60" width="240" height="120"/>')
    parts.append('<rect id="discard" x="40" y="0" width="120" height="100"/>')
    parts.append('<rect id="shoe" x="800" y="0" width="180" height="100"/></svg>')
    return "".join(parts)


def truth(**changes: Any) -> dict[str, Any]:
    """The truth file's content; ``changes`` replace its keys."""
    places = [(x, y) for y in (0.0, 180.0, 330.0, 500.0) for x in (60.0, 350.0, 640.0, 930.0)]
    pixels = np.round(CAMERA.project(np.array(places)), 2).tolist()
    points = [
        {"point": f"mark:{i}", "mm": list(mm), "px": px}
        for i, (mm, px) in enumerate(zip(places, pixels, strict=True))
    ]
    return {
        "name": "clip_7",
        "video": "clip_7.mp4",
        "fps": 10,
        "image_size": [1280, 720],
        "camera": {
            "name": {"tilt": 30},
            "K": CAMERA.matrix.tolist(),
            "R": CAMERA.rotation.tolist(),
            "t_mm": CAMERA.translation_mm.tolist(),
            "correspondences": points,
        },
        "layout": "felt.svg",
        "chips": {
            "diameter_mm": 40.0,
            "height_mm": 3.5,
            "set": [
                {"value": 5, "colour": "red"},
                {"value": 25, "colour": "green"},
                {"value": 100, "colour": "#101018"},
            ],
        },
        "deck": {"name": "secret-deck", "indices": False, "card_mm": [58, 89]},
        "deal_style": "face up",
        "round": {"cards": [{"card": "TD", "card_id": "c0"}], "bets": [{"value": 12345}]},
        "error": {"type": "underpaid", "seat": 2},
        "events": [{"t": 1.5, "type": "chips_placed", "denoms": [54321]}],
    } | changes


def write_recording(folder: Path, svg: str | None = None, **changes: Any) -> Path:
    """Write the truth file and its drawing; returns the truth file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "felt.svg").write_text(svg or felt_svg(), encoding="utf-8")
    path = folder / "clip_7.json"
    path.write_text(json.dumps(truth(**changes)), encoding="utf-8")
    return path
