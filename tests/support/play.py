"""Writes a table's journal by hand: each call is one observation, and time goes on by itself."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.games.scribe import DEALER, Scribe, player
from rules.cards import Face
from rules.events import Stack
from rules.findings import Finding, Judgement, Verdict
from rules.games.punto_banco.profile import punto_banco
from rules.judge import judge
from rules.profile_document import Profile
from rules.sight import Sight

__all__ = ["ANDORRA", "DEALER", "HALF_LINES", "Play", "named", "player", "stack", "uncounted"]

ANDORRA = punto_banco("mini")
HALF_LINES = punto_banco("mini", {"extends": "mini_half_lines", "profile": "mini_half_lines"})


def stack(name: str, *chips: int | None, line: bool = False, at: tuple[float, float] = (0.0, 0.0)) -> Stack:
    """A stack with these chips, bottom to top; ``line``: its base lies on the box's outline."""
    return Stack(
        stack=name, denominations=chips, count=len(chips), at_mm=at, line="outline" if line else None
    )


def uncounted(name: str, *, line: bool = False, at: tuple[float, float] = (0.0, 0.0)) -> Stack:
    """A stack seen from straight above: neither chips nor count are known."""
    return Stack(
        stack=name,
        denominations=None,
        count=None,
        at_mm=at,
        line="outline" if line else None,
        unread="seen from straight above",
    )


@dataclass
class Play(Scribe):
    """A punto banco table's journal in the making."""

    def deal_to(self, hand: str, card: str | None, face: Face = Face.UP, *, p: float = 1.0) -> str:
        """A card comes to rest on a hand; returns its name."""
        return self.deal(f"hand {hand}", card, face, p=p)

    def hands(self, punto: str, banca: str) -> list[str]:
        """Deal two hands, face down in turn, turn them, and give the third cards: ``"2s Kd 2s"``."""
        p, b = punto.split(), banca.split()
        first = [("punto", p[0]), ("banca", b[0]), ("punto", p[1]), ("banca", b[1])]
        names = [self.deal_to(hand, card, Face.DOWN) for hand, card in first]
        for name, (_, card) in zip(names, first, strict=True):
            self.turn(name, None if card == "??" else card)
        for hand, cards in (("punto", p), ("banca", b)):
            for card in cards[2:]:
                names.append(self.deal_to(hand, None if card == "??" else card))
        return names

    def judged(self, profile: Profile = HALF_LINES, sight: Sight | None = None) -> Judgement:
        """The journal judged."""
        return judge(self.events, profile, sight)

    def breaches(self, profile: Profile = HALF_LINES) -> list[tuple[str, str, str]]:
        """Code, rule and spot of every BREACH."""
        return [named(f) for f in self.judged(profile).findings if f.verdict is Verdict.BREACH]

    def open(self, profile: Profile = HALF_LINES) -> list[tuple[str, str, str]]:
        """Code, rule and spot of everything UNDETERMINED."""
        return [named(f) for f in self.judged(profile).findings if f.verdict is Verdict.UNDETERMINED]


def named(finding: Finding) -> tuple[str, str, str]:
    """Code, rule and spot of a finding."""
    return finding.code, finding.rule, str(finding.spot) if finding.spot else "table"
