"""`make bench`: what judging and a review cost, beside a baseline of the same run.

Each figure is a ratio or a count, so that it means the same on another machine; the machine is named. The
review runs in a process of its own so that its peak memory is its own.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench import holdem, judging

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "datasets" / "demo"
COUPS = int(os.environ.get("BENCH_COUPS", "1000"))
"""Clean coups of each game; `make bench COUPS=1000000` takes hours."""


def review_figures(table_file: Path, video: Path) -> dict[str, float]:
    """Review a recording and decode it alone; seconds of recording per second, and peak memory, MiB."""
    from veedor.config import load_table
    from veedor.pipeline import run_timed
    from vision.source import open_source

    begun = time.perf_counter()
    frames = 0
    with open_source(video) as source:
        for frame in source:
            frames += frame.image.shape[0] > 0
    decode_s = time.perf_counter() - begun
    begun = time.perf_counter()
    timing = run_timed(load_table(table_file), video).timing
    review_s = time.perf_counter() - begun
    return {
        "recording_s": timing.recording_s,
        "frames": frames,
        "decode_x": timing.recording_s / decode_s,
        "review_x": timing.recording_s / review_s,
        "decode_share": timing.decode_s / timing.total_s,
        "detect_share": timing.detect_s / timing.total_s,
        "read_share": timing.read_s / timing.total_s,
        "infer_share": timing.infer_s / timing.total_s,
        "looks": timing.looks,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def in_own_process(*arguments: str) -> dict[str, Any]:
    """Run one measurement in a fresh process and read its JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(json.loads(done.stdout))


def main(arguments: list[str]) -> None:
    """Measure, and print one table: ``rules`` or ``review`` alone, else both."""
    if arguments[:1] == ["figures"]:
        sys.stdout.write(json.dumps(review_figures(Path(arguments[1]), Path(arguments[2]))))
        return
    console = Console()
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    table = Table("what", "figure", "beside")
    with console.status("measuring") as status:
        if "rules" not in arguments:
            for row in review_rows():
                table.add_row(*row)
            table.add_section()
        if "review" not in arguments:
            for row in judging.rows(COUPS, lambda what: status.update(f"measuring {what}")):
                table.add_row(*row)
            status.update("measuring hold'em beside others")
            for row in holdem.rows():
                table.add_row(*row)
    console.print(table)


def review_rows() -> list[judging.Row]:
    """Reviewing the demonstration clip, beside decoding it alone."""
    video = next(DEMO.glob("*.mp4"))
    figures = in_own_process("figures", str(DEMO / "table.yaml"), str(video))
    shares = ", ".join(
        f"{share} {100 * figures[f'{share}_share']:.0f} %" for share in ("decode", "detect", "read", "infer")
    )
    return [
        (
            f"review of {video.name}, {figures['recording_s']:.0f} s at 720p",
            f"{figures['review_x']:.1f} x real time",
            f"decoding alone {figures['decode_x']:.1f} x",
        ),
        ("  of which", shares, ""),
        ("  peak memory", f"{figures['peak_mib']:.0f} MiB", f"{figures['looks']:.0f} detector runs"),
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
