"""What a report is made of: judged sessions, and what reviewers said of their findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum, unique

from rules.dealers.errs import Errs, who_errs
from rules.dealers.shifts import Shifts
from rules.findings import Verdict


@unique
class Answer(StrEnum):
    """What a reviewer says of a finding."""

    CONFIRMED = "confirmed"
    """It was an error."""
    REJECTED = "rejected"
    """It was none."""
    CANNOT_TELL = "cannot tell"
    """The pictures do not show it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reviewer's answer. ``whose``: whose error it was, where he says so."""

    answer: Answer
    whose: Errs | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A finding as far as it bears on a dealer. ``due``, ``outcome``: what was due to the bet concerned and
    what became of it (``pay``, ``collected``), where one bet is concerned and it is known. ``said``: the last
    answer, None while nobody has looked."""

    id: str
    coup: int
    rule: str
    code: str
    verdict: Verdict
    t: float
    amount_due: str | None = None
    amount_seen: str | None = None
    due: str | None = None
    outcome: str | None = None
    said: Said | None = None

    def whose(self, game: str) -> Errs:
        """Whose error it would be: by the reviewer who confirmed it, else by its code."""
        if self.said is not None and self.said.answer is Answer.CONFIRMED and self.said.whose is not None:
            return self.said.whose
        return who_errs(game, self.code).errs

    @property
    def is_open(self) -> bool:
        """Whether it was not seen what happened, by the judge or by the reviewer who looked."""
        if self.said is None:
            return self.verdict is Verdict.UNDETERMINED
        return self.said.answer is Answer.CANNOT_TELL

    @property
    def waits(self) -> bool:
        """Whether the judge names an error that nobody has looked at yet."""
        return self.said is None and self.verdict is Verdict.BREACH

    @property
    def confirmed(self) -> bool:
        """Whether somebody looked, and it was an error."""
        return self.said is not None and self.said.answer is Answer.CONFIRMED


@dataclass(frozen=True, slots=True)
class PlayedCoup:
    """One coup, seconds from the session's start."""

    number: int
    t_from: float
    t_to: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One judged journal. ``number``: of its review."""

    number: int
    table: str
    game: str
    shifts: Shifts
    coups: tuple[PlayedCoup, ...]
    findings: tuple[Raised, ...] = ()

    def moment(self, t: float) -> datetime | None:
        """When ``t`` was, UTC; None where it is not told, or no date that there is."""
        try:
            return None if self.shifts.start is None else self.shifts.start + timedelta(seconds=t)
        except OverflowError:
            return None

    def day(self, t: float) -> date | None:
        """Which day ``t`` was, UTC."""
        moment = self.moment(t)
        return None if moment is None else moment.date()


@dataclass(frozen=True, slots=True)
class Case:
    """A finding in a dealer's coup, and where it is to be looked at. ``counts``: it is in the rate."""

    session: int
    table: str
    game: str
    day: date | None
    raised: Raised
    whose: Errs
    counts: bool = field(default=False)
