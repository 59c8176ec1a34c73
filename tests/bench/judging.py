"""What judging costs: events a second, memory, a shift judged again, clean coups, for each game.

Times are the process's own, so that other work on the machine counts as little as can be, and stand beside a
baseline of the same run: ``json`` is the standard library parsing the same journal's lines.
"""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import process_time

from datasets.bench_rules import house_profile
from datasets.games import SIMULATORS
from datasets.simulator import Options, simulate
from rules.events import Event
from rules.findings import Verdict
from rules.journal import Header, event_line, loads
from rules.journal import header_line as header
from rules.judge import Judge, judge, judge_coups
from rules.profile_document import Profile
from veedor.choosing import choose_profile

Row = tuple[str, str, str]
"""What was measured, the figure, and what it stands beside."""

TARGET_EVENTS_PER_S = 20_000
SHIFT_S = 10 * 3600
TARGET_SHIFT_S = 5.0
_ROUNDS = 100
_SHOE = 60
"""Coups that a shoe lasts, about."""
_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Bench:
    """One game at one table: ``play(seed, rounds)`` gives a clean journal's events. ``first``: its game's
    first table, at which memory and a whole shift are measured too."""

    name: str
    profile: Profile
    play: Callable[[int, int], tuple[Event, ...]]
    first: bool = True


def benches() -> Iterator[Bench]:
    """Every game that can be simulated, at each table that its kinds of error name; and punto banco as it is
    scripted for pictures."""
    yield Bench(
        "punto_banco, scripted",
        house_profile(),
        lambda seed, rounds: simulate(seed, coups=rounds, options=Options(shoe_start=True)).events,
    )
    for game, simulator in SIMULATORS.items():
        tables = {(kind.profile, kind.variant) for kind in simulator.kinds.values()}
        profiles = {
            profile.title: profile
            for name, variant in sorted(tables, key=str)
            for profile in (choose_profile(game, name, variant),)
        }
        for number, profile in enumerate(profiles.values()):
            yield Bench(f"{game}, {profile.title}", profile, partial(_play, game, profile), number == 0)


def _play(game: str, profile: Profile, seed: int, rounds: int) -> tuple[Event, ...]:
    return SIMULATORS[game].play(profile, seed, rounds, {}).events


def speed(bench: Bench) -> list[Row]:
    """Events a second, whole and live, on one core; the best of three."""
    events = bench.play(1, _ROUNDS)
    lines = [event_line(event) for event in events]
    parsing = _best(lambda: [json.loads(line) for line in lines])
    reading = _best(lambda: loads([header(Header("bench", bench.profile.game)), *lines]))
    judging = _best(lambda: judge(events, bench.profile))
    few = events[:800]
    living = _best(lambda: _live(few, bench.profile), 1) * len(events) / len(few)
    per_s = len(events) / judging
    met = "" if per_s >= TARGET_EVENTS_PER_S else f", SHORT of {TARGET_EVENTS_PER_S:,}"
    return [
        (
            bench.name,
            f"{per_s:,.0f} events/s{met}",
            f"{judging / parsing:.1f} x json, {judging / reading:.1f} x reading the journal",
        ),
        ("  live, event by event", f"{len(events) / living:,.0f} events/s", f"{living / parsing:.0f} x json"),
    ]


def _best(work: Callable[[], object], repeats: int = _REPEATS) -> float:
    """The shortest time that some work took, seconds."""
    best = float("inf")
    for _ in range(repeats):
        begun = process_time()
        work()
        best = min(best, process_time() - begun)
    return best


def _live(events: tuple[Event, ...], profile: Profile) -> None:
    live = Judge(profile)
    for event in events:
        live.feed(event)
    live.finish()


def memory(bench: Bench) -> Row:
    """Peak memory of judging coup by coup, beyond the events themselves: a shoe, and ten times as long."""
    peaks = []
    for rounds in (_SHOE, 10 * _SHOE):
        events = bench.play(2, rounds)
        tracemalloc.start()
        for _ in judge_coups(events, bench.profile):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1] - 8 * len(events))
        tracemalloc.stop()
    one, ten = (peak / 2**20 for peak in peaks)
    return (
        "  memory beyond the events",
        f"{one:.1f} MiB",
        f"ten times as long: {ten:.1f} MiB, {ten / one:.2f} x",
    )


def shift(bench: Bench) -> Row:
    """Ten hours of one table, read from their lines, judged, and written as findings."""
    events = bench.play(3, _ROUNDS)
    rounds = max(_ROUNDS, round(_ROUNDS * SHIFT_S / max(1.0, events[-1].t - events[0].t)))
    events = bench.play(3, min(rounds, 5000))
    lines = [header(Header("bench", bench.profile.game)), *map(event_line, events)]
    begun = process_time()
    judge(loads(lines).events, bench.profile).dumps()
    took = process_time() - begun
    hours = (events[-1].t - events[0].t) / 3600
    met = "" if took < TARGET_SHIFT_S else f", SHORT of {TARGET_SHIFT_S:.0f} s"
    return ("  a shift judged again", f"{took:.1f} s{met}", f"{hours:.1f} hours, {len(events):,} events")


def clean(bench: Bench, coups: int) -> Row:
    """Coups by the book, as a perfect observer tells them: none gives a BREACH."""
    verdicts: Counter[Verdict] = Counter()
    played, seed = 0, 10
    first = ""
    while played < coups:
        rounds = min(_ROUNDS, coups - played)
        judgement = judge(bench.play(seed, rounds), bench.profile)
        for coup in judgement.coups:
            verdicts.update(coup.counts)
        for finding in judgement.findings:
            if finding.verdict is Verdict.BREACH and not first:
                first = f", first: seed {seed}, {finding.id}"
        played, seed = played + rounds, seed + 1
    breaches = verdicts[Verdict.BREACH]
    return (
        f"  {played:,} clean coups",
        f"{breaches} BREACH{first}",
        f"{verdicts[Verdict.CONFORM]:,} CONFORM, {verdicts[Verdict.UNDETERMINED]:,} UNDETERMINED",
    )


def rows(coups: int, progress: Callable[[str], None] = lambda _: None) -> Iterator[Row]:
    """All measurements, game by game."""
    for bench in benches():
        progress(bench.name)
        yield from speed(bench)
        if bench.first:
            yield memory(bench)
            yield shift(bench)
        yield clean(bench, coups)
