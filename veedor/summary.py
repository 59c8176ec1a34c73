"""A review's result for the terminal: coups with cards and bets, then each alert with its article."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from dashboards.amounts import readable
from dashboards.cards import face, faces
from rules.clock import clock
from rules.findings import BetRecord, CoupSummary, Finding, Judgement, Verdict

_STYLES = {Verdict.BREACH: "bold red", Verdict.UNDETERMINED: "cyan", Verdict.CONFORM: "green"}


def summary(judgement: Judgement, recording: str) -> RenderableType:
    """What a person wants to know first: coups, cards, bets, verdicts, and the alerts with their articles."""
    parts: list[RenderableType] = [_heading(judgement, recording)]
    for coup in judgement.coups:
        span = f"{clock(coup.t_from)} to {clock(coup.t_to)}"
        parts.append(Text(f"\nCoup {coup.coup}   {span}   {_hands(coup)}", style="bold"))
        parts.append(_bets(coup) if coup.bets else Text("no bet seen", style="dim"))
    breaches = [finding for finding in judgement.findings if finding.verdict is Verdict.BREACH]
    unsure = [finding for finding in judgement.findings if finding.verdict is Verdict.UNDETERMINED]
    parts += [_alert(finding) for finding in breaches]
    if not judgement.coups:
        parts.append(Text("No coup was seen, so nothing was judged.", style="yellow"))
    elif not breaches:
        parts.append(Text("No breach: every rule that could be checked was kept.", style="green"))
    if unsure:
        parts.append(_undetermined(unsure))
    if judgement.session:
        count = len(judgement.session)
        parts.append(
            Text(f"{count} rule{_s(count)} left open by this table's settings (findings.json).", style="dim")
        )
    return Group(*parts)


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _heading(judgement: Judgement, recording: str) -> Text:
    cards = sum(len(hand) for coup in judgement.coups for hand in coup.cards.values())
    bets = sum(len(coup.bets) for coup in judgement.coups)
    coups = len(judgement.coups)
    counts = {verdict: sum(coup.counts.get(verdict, 0) for coup in judgement.coups) for verdict in Verdict}
    text = Text()
    text.append(f"{recording}: ", style="bold")
    text.append(f"{coups} coup{_s(coups)}, {cards} card{_s(cards)}, {bets} bet{_s(bets)}; verdicts: ")
    for number, verdict in enumerate(Verdict):
        text.append(", " if number else "")
        text.append(f"{counts[verdict]} {verdict.value}", style=_STYLES[verdict])
    return text


def _bets(coup: CoupSummary) -> Table:
    table = Table()
    for heading in ("bet", "chips", "value", "due", "seen"):
        table.add_column(heading, justify="right" if heading == "value" else "left")
    for bet in coup.bets:
        table.add_row(
            f"{bet.spot}{' (on the line)' if bet.line else ''}",
            _chips(bet),
            "?" if bet.value is None else readable(bet.value),
            _amount(bet.due, bet.due_amount),
            _amount(bet.outcome, bet.outcome_amount),
        )
    return table


def _hands(coup: CoupSummary) -> str:
    hands = []
    for hand, cards in coup.cards.items():
        shown = " ".join(map(face, cards))
        hands.append(f"{hand} {shown or 'no card'}")
    winner = coup.result.get("winner")
    return f"{', '.join(hands)}: {winner or 'result not known'}"


def _chips(bet: BetRecord) -> str:
    if bet.denominations is not None:
        return " + ".join("?" if chip is None else str(chip) for chip in bet.denominations)
    return f"{bet.count} chips" if bet.count is not None else "not counted"


def _amount(word: str | None, amount: str | None) -> str:
    return " ".join(part for part in (word or "?", readable(amount) if amount is not None else "") if part)


def _alert(finding: Finding) -> Text:
    text = Text()
    text.append(f"\n{finding.code}", style="bold red")
    where = "" if finding.spot is None else f"{finding.spot}, "
    text.append(f"  {where}{clock(finding.t)}, coup {finding.coup}\n", style="bold")
    text.append(f"  expected  {faces(finding.expected)}\n  seen      {faces(finding.seen)}\n")
    text.append(f"  rule      {finding.rule}, {finding.article}", style="dim")
    return text


def _undetermined(findings: list[Finding]) -> Text:
    reasons: dict[str, list[Finding]] = {}
    for finding in findings:
        reasons.setdefault(finding.reason or "no reason given", []).append(finding)
    text = Text()
    text.append(f"\n{len(findings)} could not be determined", style="cyan")
    for reason, alike in reasons.items():
        where = sorted({str(finding.spot) for finding in alike if finding.spot is not None})
        text.append(
            f"\n  {len(alike)} × {faces(reason)}{': ' + ', '.join(where) if where else ''}", style="dim"
        )
    return text
