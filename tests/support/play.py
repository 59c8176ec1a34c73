"""Writes a table's journal by hand: each call is one observation, and time goes on by itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rules.cards import Face
from rules.events import (
    CardCleared,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    Cue,
    CutCardSeen,
    Event,
    Hand,
    Owner,
    ShoeExit,
    Stack,
    ViewLost,
)
from rules.findings import Finding, Judgement, Verdict
from rules.judge import judge
from rules.profiles import Profile, load_profile
from rules.sight import Sight

DEALER = Hand(Owner.DEALER)
ANDORRA = load_profile("andorra_2016", "mini")
HALF_LINES = load_profile("mini_half_lines")


def player(seat: int) -> Hand:
    """A player's hand."""
    return Hand(Owner.PLAYER, seat)


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
class Play:
    """One table's journal in the making. ``t`` goes on by ``pace_s`` with each observation."""

    pace_s: float = 1.0
    t: float = 0.0
    events: list[Event] = field(default_factory=list)
    cards: list[tuple[str, str]] = field(default_factory=list)
    _count: int = 0

    def see(self, event: Event, *, wait_s: float | None = None) -> Event:
        """Record an event at the next moment."""
        self.t = round(self.t + (self.pace_s if wait_s is None else wait_s), 3)
        timed = replace(event, seq=len(self.events) + 1, t=self.t)
        self.events.append(timed)
        return timed

    def chips(self, spot: str, *stacks: Stack, hand: Hand | None = None, wait_s: float | None = None) -> None:
        """The whole content of a spot."""
        self.see(ChipState(seq=0, t=0, spot=spot, stacks=stacks, hand=hand), wait_s=wait_s)

    def exit(self) -> None:
        """A card leaves the shoe, without a name."""
        self.see(ShoeExit(seq=0, t=0))

    def deal(
        self, hand: str, card: str | None, face: Face = Face.UP, *, p: float = 1.0, to: str | None = None
    ) -> str:
        """A card comes to rest on a hand; returns its name."""
        self._count += 1
        name = f"c{self._count}"
        spot = to or f"hand {hand}"
        read = card if face is Face.UP else None
        self.see(CardPlaced(seq=0, t=0, card_id=name, spot=spot, face=face.value, card=read, p=p))
        self.cards.append((name, spot))
        return name

    def turn(self, name: str, card: str | None, hand: Hand | None = None, p: float = 1.0) -> None:
        """A card is turned face up."""
        spot = dict(self.cards)[name]
        self.see(CardTurned(seq=0, t=0, card_id=name, spot=spot, face="up", card=card, hand=hand, p=p))

    def read(self, name: str, card: str | None, *, p: float = 1.0, operator: bool = False) -> None:
        """A lying card is read anew."""
        self.see(
            CardRead(seq=0, t=0, card_id=name, card=card, p=p, source="operator" if operator else "camera")
        )

    def hands(self, punto: str, banca: str) -> list[str]:
        """Deal two hands, face down in turn, turn them, and give the third cards: ``"2s Kd 2s"``."""
        p, b = punto.split(), banca.split()
        first = [("punto", p[0]), ("banca", b[0]), ("punto", p[1]), ("banca", b[1])]
        names = [self.deal(hand, card, Face.DOWN) for hand, card in first]
        for name, (_, card) in zip(names, first, strict=True):
            self.turn(name, None if card == "??" else card)
        for hand, cards in (("punto", p), ("banca", b)):
            for card in cards[2:]:
                names.append(self.deal(hand, None if card == "??" else card))
        return names

    def sweep(self, *, leave: int = 0) -> None:
        """The cards are gathered."""
        for name, spot in self.cards[leave:]:
            self.see(CardCleared(seq=0, t=0, card_id=name, spot=spot, to_spot="discard"), wait_s=0.2)
        self.cards = self.cards[:leave]

    def lose_view(self, spot: str | None, seconds: float | None) -> None:
        """A spot cannot be seen from now on, for so long (None: until the end)."""
        t_to = None if seconds is None else self.t + self.pace_s + seconds
        self.see(ViewLost(seq=0, t=0, reason="covered", t_to=t_to, spot=spot))

    def cue(self, cue: str) -> None:
        """Something is told."""
        self.see(Cue(seq=0, t=0, cue=cue))

    def cut_card(self) -> None:
        """The cut card shows."""
        self.see(CutCardSeen(seq=0, t=0, spot="shoe"))

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
