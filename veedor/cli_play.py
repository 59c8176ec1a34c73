"""``veedor simulate`` and ``veedor correct``: journals made up, and journals put right."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veedor.cli_options import AsJson, GameName, ProfileName, State, Variant

if TYPE_CHECKING:
    from rules.events import Event
    from rules.findings import Finding
    from rules.profile_document import Profile
    from veedor.correcting import Changes


def simulate(
    game: GameName,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds to play.", min=1)],
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same journal.")],
    out: Annotated[
        Path, typer.Option("--out", help="The journal's file (.jsonl); its truth comes beside it.")
    ],
    errors: Annotated[
        list[str] | None,
        typer.Option(
            "--errors", help="Make this kind of error, once (a,b,c or given again; 'all': each one)."
        ),
    ] = None,
    profile: ProfileName = None,
    variant: Variant = None,
) -> None:
    """Write a journal of simulated rounds, and the truth about them."""
    from veedor import simulating
    from veedor.progress import progress_bar
    from veedor.simulating_all import simulate_all

    with progress_bar(unit="events") as bar:
        bar(f"playing {rounds} rounds", 0, None)
        kinds = [name for given in errors or () for name in given.split(",")]
        together = simulate_all(game, rounds, seed, profile, variant) if kinds == ["all"] else None
        if together is not None:
            session = together.session
        else:
            session = simulating.simulate(game, rounds, seed, kinds, profile, variant)
        truth = simulating.write(session, out, bar)
    faults = len(session.faults)
    typer.echo(
        f"{len(session.rounds)} rounds, {len(session.events)} events,"
        f" {faults} error{'' if faults == 1 else 's'}: {out}\nTheir truth: {truth}"
    )
    if together is not None and together.apart:
        typer.echo(f"Left out, for they need another table than the rest: {', '.join(together.apart)}.")
    if together is not None and together.hidden:
        typer.echo(f"Not to be found there, for other errors hide them: {', '.join(together.hidden)}.")


def correct(
    journal: Annotated[Path | None, typer.Argument(help="A journal (journal.jsonl).")] = None,
    card: Annotated[str | None, typer.Option("--card", help="A card of the journal, as in c3.")] = None,
    stack: Annotated[str | None, typer.Option("--stack", help="A stack of the journal, as in s2.")] = None,
    what: Annotated[
        str | None,
        typer.Option("--is", help="What it was: a card (7h), or chips from bottom to top (5,5,25)."),
    ] = None,
    spot: Annotated[str | None, typer.Option("--spot", help="Where the stack stood: 'seat 3 punto'.")] = None,
    t: Annotated[
        float | None, typer.Option("--t", help="When the stack stood there, or from when on, seconds.")
    ] = None,
    line: Annotated[
        str | None, typer.Option("--line", help="The layout line that the stack lies on.")
    ] = None,
    retract: Annotated[
        int | None, typer.Option("--retract", help="The number (seq) of an entry that did not happen.")
    ] = None,
    dealer: Annotated[
        str | None,
        typer.Option("--dealer", help="Who deals from --t on (0): 17; of several 17,23; '' nobody."),
    ] = None,
    utc: Annotated[
        str | None, typer.Option("--utc", help="With --dealer: which moment that was, 2026-11-30T20:00:00Z.")
    ] = None,
    review: Annotated[
        int | None, typer.Option("--review", help="With --dealer: a review that is kept, not a journal.")
    ] = None,
    state: State = None,
    table: Annotated[Path | None, typer.Option("--table", help="The table's file, to judge by.")] = None,
    profile: ProfileName = None,
    variant: Variant = None,
    as_json: AsJson = False,
) -> None:
    """Put a journal right by one more entry, and say which findings change by it."""
    from veedor import cli_dealers, correcting
    from veedor.watching import read_journal

    if sum(given is not None for given in (card, stack, retract, dealer)) != 1:
        raise typer.BadParameter("say one thing: --card, --stack, --retract or --dealer.")
    if retract is None and dealer is None and what is None:
        raise typer.BadParameter("say with --is what it was.")
    if (journal is None) == (review is None) or (review is not None and dealer is None):
        raise typer.BadParameter("give a journal's file; or, with --dealer, the number of a --review.")
    if review is not None and dealer is not None:
        cli_dealers.tell(review, dealer, t or 0.0, utc, state)
        return
    assert journal is not None
    read = read_journal(journal)
    entry: Event
    if dealer is not None:
        entry = cli_dealers.told(read.events, dealer, t or 0.0, utc)
    elif card is not None:
        entry = correcting.card_is(read.events, card, what or "")
    elif stack is not None:
        entry = correcting.stack_is(read.events, stack, what or "", spot=spot, t=t, line=line)
    else:
        entry = correcting.took_back(read.events, retract or 0)
    judged_by = _profile(read.header.game, table, profile, variant)
    found = _changes(read.events, entry, judged_by)
    correcting.append(journal, entry)
    if as_json:
        document = {"format": correcting.FORMAT, "seq": entry.seq, "profile": judged_by.title}
        sys.stdout.write(json.dumps(document | found.as_json(), indent=2, ensure_ascii=False) + "\n")
    else:
        typer.echo(f"Entry {entry.seq} written to {journal}. Judged by {judged_by.title}:")
        _show(found)


def _profile(game: str, table: Path | None, profile: str | None, variant: str | None) -> Profile:
    if table is None:
        from veedor.choosing import choose_profile

        return choose_profile(game, profile, variant)
    from rules.errors import JournalError
    from veedor.config import load_table

    loaded = load_table(table)
    if loaded.game != game:
        raise JournalError(f"The journal is of {game}, but the table {loaded.name} plays {loaded.game}.")
    return loaded.profile


def _changes(events: Sequence[Event], entry: Event, profile: Profile) -> Changes:
    from rules.judge import judge
    from veedor.correcting import changes

    return changes(judge(events, profile), judge([*events, entry], profile))


def _differences(before: Finding, after: Finding) -> list[str]:
    """What a finding says otherwise than before, a line for each; what it says still is left out."""
    told = [
        ("", "verdict"),
        ("", "seen"),
        ("expected ", "expected"),
        ("reason: ", "reason"),
        ("to do: ", "resolution"),
        ("seconds ", "t"),
    ]
    return [
        f"{when}: {name}{getattr(finding, part) or 'none'}"
        for name, part in told
        if getattr(before, part) != getattr(after, part)
        for when, finding in (("was", before), ("now", after))
    ]


def _show(found: Changes) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)

    def say(mark: str, finding: Finding, style: str, *more: str) -> None:
        console.print(Text(f"{mark} {finding.verdict.value} {finding.id}", style=style), soft_wrap=True)
        for line in more:
            console.print(Text(f"    {line}"), soft_wrap=True)

    for finding in found.gone:
        say("gone   ", finding, "green", f"was: {finding.seen}")
    for finding in found.new:
        say("new    ", finding, "bold red", f"expected {finding.expected}", f"seen {finding.seen}")
    for before, after in found.changed:
        say("changed", after, "yellow", *_differences(before, after))
    if not (found.gone or found.new or found.changed):
        console.print("No finding changes.")
