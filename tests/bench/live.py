"""How soon what happens at a table is told when it is watched live, and what that costs.

    python -m tests.bench.live [SECONDS]

A camera of our own plays the demonstration over RTSP, round and round; ``veedor watch`` watches it in a
process of its own. Measured: from the moment of an event (its picture's time) to its line in the journal,
from an alert's last evidence to the alert, the process's processor time and memory. What it holds after a
longer time :mod:`tests.bench.lasting` tells.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import numpy as np
from rich.console import Console

from tests.support.demo import FOLDER, TABLE
from tests.support.rtsp import RtspCamera
from veedor.store.live import Alert, LiveFolder, LiveState

_EVERY_S = 0.05
_TICKS = os.sysconf("SC_CLK_TCK")


def spent_s(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_mib(pid: int) -> float:
    """Memory that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


class Watcher:
    """Reads a running table's folder as it is written, and notes when."""

    def __init__(self, folder: LiveFolder) -> None:
        self.folder = folder
        self.events: list[tuple[str, float]] = []
        self.alerts: dict[str, float] = {}
        self.said: list[str] = []
        self.worst_drop = self.worst_behind = 0.0
        self._lines = 0
        self._times: dict[int, float] = {}
        self._after = 0

    def look(self) -> None:
        """Note what is new."""
        state = self.folder.read()
        if state is None or not state.part or state.part_since is None:
            return
        now, began = time.time(), state.part_since.timestamp()
        journal = (self.folder.path / state.part / "journal.jsonl").read_text().splitlines()
        for line in journal[max(1, self._lines) :]:
            event = json.loads(line)
            self.events.append((event["kind"], now - began - event["t"]))
            self._times[event["seq"]] = event["t"]
        self._lines = len(journal)
        self._note(state, began)
        alerts, self._after = self.folder.alerts(state.part, self._after)
        for alert in alerts:
            self._alert(alert, now - began)

    def _note(self, state: LiveState, began: float) -> None:
        del began
        if state.t > 20:
            self.worst_drop = max(self.worst_drop, *(camera.dropped_share for camera in state.cameras))
            self.worst_behind = max(self.worst_behind, state.behind_s)

    def _alert(self, alert: Alert, now_t: float) -> None:
        key = str(alert.finding["id"])
        times = [self._times[seq] for seq in alert.finding["evidence_seq"] if seq in self._times]
        if key not in self.alerts and times:
            self.alerts[key] = now_t - max(times)
            self.said.append(
                f"{alert.finding['code']} {alert.finding['verdict']}: {now_t - max(times):.2f} s"
            )


def main(seconds: float) -> None:
    """Watch for so long and say what was measured."""
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory() as temporary, RtspCamera(FOLDER / "demo.mp4") as camera:
        state = Path(temporary)
        command = [sys.executable, "-c", "from veedor.cli import main; main()", "watch", str(TABLE)]
        begun = datetime.now().astimezone()
        with subprocess.Popen(
            [*command, "--camera", camera.url, "--state", str(state)], stdout=subprocess.DEVNULL
        ) as process:
            watcher = Watcher(LiveFolder(state, "demonstration-table"))
            memory: list[float] = []
            first_s = 0.0
            end = time.monotonic() + seconds
            while time.monotonic() < end and process.poll() is None:
                watcher.look()
                if watcher.events and not first_s:
                    first_s = spent_s(process.pid)
                    since = time.monotonic()
                memory.append(memory_mib(process.pid))
                time.sleep(_EVERY_S)
            if first_s:
                share = (spent_s(process.pid) - first_s) / (time.monotonic() - since)
                console.print(f"processor: {100 * share:.0f} % of one core, for a 1280 x 720 stream of 15/s")
            process.terminate()
            process.wait()
        console.print(f"begun {begun:%H:%M:%S}, load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")
        minute = round(60 / _EVERY_S)
        marks = memory[minute - 1 :: minute] or memory[-1:]
        console.print(f"memory by the minute, MiB: {', '.join(f'{each:.0f}' for each in marks)}")
        for name, kinds in (("cards", ("card_placed",)), ("chips", ("chip_state",)), ("all events", None)):
            late = [late for kind, late in watcher.events if kinds is None or kind in kinds]
            if late:
                middle, most = np.percentile(late, [50, 95])
                console.print(f"{name}: {len(late)}, told after {middle:.2f} s (median), {most:.2f} s (95 %)")
        late = list(watcher.alerts.values())
        if late:
            console.print("\n".join(watcher.said[:12]))
            console.print(
                f"alerts: {len(late)}, told after the last of their evidence by {np.median(late):.2f} s"
                f" (median), {max(late):.2f} s (most)"
            )
        console.print(
            f"dropped in the worst minute: {watcher.worst_drop:.0%};"
            f" behind at most {watcher.worst_behind:.1f} s"
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 180.0)
