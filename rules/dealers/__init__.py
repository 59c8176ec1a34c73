"""A dealer's figures, from judged coups: who dealt them, what was found, and what people said of it.

Pure, like all of ``rules``: sessions in, figures out. What nobody saw, nobody told or nobody has looked at
counts neither for nor against anyone.
"""

from rules.dealers.document import Period, as_json, period
from rules.dealers.errs import Errs, Money, Work, who_errs
from rules.dealers.figures import FEW, CodeCount, Figures, Report, Week, report
from rules.dealers.pace import PAUSE_S, Pace
from rules.dealers.sessions import Answer, Case, PlayedCoup, Raised, Said, Session
from rules.dealers.shifts import Nobody, Shifts, Told, dealers_in, shifts_of
from rules.dealers.stakes import Stakes

__all__ = [
    "FEW",
    "PAUSE_S",
    "Answer",
    "Case",
    "CodeCount",
    "Errs",
    "Figures",
    "Money",
    "Nobody",
    "Pace",
    "Period",
    "PlayedCoup",
    "Raised",
    "Report",
    "Said",
    "Session",
    "Shifts",
    "Stakes",
    "Told",
    "Week",
    "Work",
    "as_json",
    "dealers_in",
    "period",
    "report",
    "shifts_of",
    "who_errs",
]
