"""``veedor rules`` and ``veedor odds``: what is prescribed, and what a game is worth."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veedor.cli_options import AsJson, GameName, ProfileName, Variant

if TYPE_CHECKING:
    from rich.console import Console

    from datasets.odds import Odds
    from rules.catalogue import RuleRow
    from veedor.rulebook import Entry, Example


def rules(
    rule: Annotated[str | None, typer.Argument(help="A rule's id, to have it explained.")] = None,
    game: Annotated[str | None, typer.Option("--game", help="Only this game's rules.")] = None,
    profile: ProfileName = None,
    variant: Variant = None,
    as_json: AsJson = False,
) -> None:
    """List the rules with article, class and status, or explain one with an example."""
    from rich.console import Console

    from veedor import rulebook

    console = Console(highlight=False)
    if rule is not None:
        row = rulebook.rule_named(rule)
        example = rulebook.example_of(row.id)
        if as_json:
            _dump(rulebook.explained_as_json(row, example))
        else:
            _explain(row, example, console)
        return
    found = rulebook.entries(game, profile, variant)
    if as_json:
        _dump(rulebook.as_json(found))
    else:
        _list(found, console)


def _dump(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


_COLOURS = {
    "judged": "green",
    "needs setting": "yellow",
    "needs cue": "cyan",
    "permits": "dim",
    "out of reach": "dim",
}


def _list(found: list[Entry], console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule", no_wrap=True)
    for heading in ("article", "class", "codes", "status"):
        table.add_column(heading, overflow="fold")
    for entry in found:
        row, status = entry.row, entry.status.value
        needs = f": {row.needs}" if row.needs and status.startswith("needs") else ""
        told = Text(status, style=_COLOURS[status])
        told.append(needs, style="dim")
        codes = ", ".join(row.codes) or "-"
        table.add_row(row.id, Text(row.article), row.rule_class.value, codes, told)
    console.print(table)
    counts = {status: sum(entry.status.value == status for entry in found) for status in _COLOURS}
    told_counts = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    console.print(f"{len(found)} rules: {told_counts}.")


def _explain(row: RuleRow, example: Example | None, console: Console) -> None:
    from rich.text import Text

    from rules.catalogue import alert_codes

    def say(label: str, content: str, style: str = "") -> None:
        console.print(Text.assemble((f"{label:<12}", "bold"), (content, style)), soft_wrap=True)

    from veedor.rulebook import status_of

    console.print(Text(row.id, style="bold"))
    console.print(Text(row.rule), soft_wrap=True)
    console.print()
    say("game", f"{row.game}, {row.regulation}" + (f" ({', '.join(row.tables)})" if row.tables else ""))
    say("article", row.cited)
    if row.standard:
        say("", "the text is silent or refers to a missing annex: usual practice")
    say("class", f"{row.rule_class.value}: {_CLASSES[row.rule_class.value]}")
    say("status", status_of(row, None).value, _COLOURS[status_of(row, None).value])
    if row.needs:
        say("needs", row.needs)
    for code in row.codes:
        known = alert_codes()[code]
        severity = "not for cameras" if known.severity is None else _SEVERITIES[known.severity.value]
        say("alert", f"{code}: {known.meaning} ({severity})")
    say("resolution", row.resolution or "the text prescribes none")
    console.print()
    if example is None:
        say("example", "no simulated game breaks it; its rule above says what would.")
        return
    finding = example.finding
    say("example", f"{example.kind.name.replace('_', ' ')}, at a table of {example.profile}")
    say("  expected", finding.expected)
    say("  seen", finding.seen)
    say("  verdict", f"{finding.verdict.value} {finding.code}", "bold red")


_CLASSES = {
    "A": "cameras suffice",
    "B": "needs a setting of the table, or a cue that cameras cannot see",
    "C": "not for cameras: staff, papers, rulings",
}
_SEVERITIES = {"H": "money or integrity, told at once", "M": "procedure", "L": "statistics"}


def odds(
    game: GameName,
    decks: Annotated[int | None, typer.Option("--decks", help="Packs in the shoe.", min=1)] = None,
    profile: ProfileName = None,
    variant: Variant = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Simulate so many rounds, also where it is known.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the simulation.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Work out a game's probabilities and the house's edge by playing the rules themselves."""
    from rich.console import Console

    from datasets.odds import FORMAT, odds_of
    from veedor.choosing import choose_profile
    from veedor.progress import progress_bar

    table = choose_profile(game, profile, variant)
    packs = table.packs if decks is None else decks
    with progress_bar(unit="%") as bar:
        found = odds_of(
            table,
            packs,
            rounds=rounds,
            seed=seed,
            progress=lambda done: bar(f"odds of {game}", 100 * done, 100.0),
        )
    if as_json:
        _dump({"format": FORMAT, "odds": [one.as_json() for one in found]})
        return
    console = Console(highlight=False)
    for one in found:
        _show_odds(one, console)


def _show_odds(found: Odds, console: Console) -> None:
    from rich.table import Table

    packs = "1 pack" if found.packs == 1 else f"{found.packs} packs"
    if found.rounds is None:
        method = "exact: every order of the cards" if found.ways is None else f"exact, {found.ways:,} orders"
    else:
        method = f"simulated, {found.rounds:,} rounds from seed {found.seed}, 95 % intervals"
    choice = f", {found.choice}" if found.choice else ""
    table = Table(title=f"{found.game}, {found.profile}, {packs}{choice} ({method})", title_justify="left")
    for heading in ("what", "value", "exact or interval"):
        table.add_column(heading, justify="right" if heading == "value" else "left", overflow="fold")
    for label, figures in (("", found.chances), ("edge on ", found.edges)):
        for figure in figures:
            bounds = (
                "" if figure.low is None else f"{100 * figure.low:.3f} to {100 * (figure.high or 0):.3f} %"
            )
            exact = bounds if figure.exact is None else str(figure.exact)
            table.add_row(f"{label}{figure.name}", f"{100 * figure.value:.5f} %", exact)
        table.add_section()
    console.print(table)
    for note in found.notes:
        console.print(note, style="dim")
