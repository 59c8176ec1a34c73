"""What a game gives to have its rule cases judged: one function for each kind of case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.errors import VeedorError

Case = Mapping[str, Any]
"""One case as its file has it."""

Both = tuple[object, object]
"""What our rules say, and what is expected."""


class RuleCasesError(VeedorError):
    """A file of rule cases that cannot be read or judged."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case. ``expected`` and ``got``: what its maker says and what our rules say, in the same words.

    ``article``: where the two differ, what the regulation says, if it decides against the case's maker.
    """

    id: str
    kind: str
    source: str
    expected: str
    got: str
    article: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.expected == self.got


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCases:
    """How the cases of one game are judged.

    ``game``: its name here. ``kinds``: by the case's ``kind``, what answers it; raises KeyError, ValueError
    or TypeError for a case that is none of that kind. ``without_kind``: the kind of cases that name none.
    ``articles``: by case id, what the regulation says where it decides against the case's maker.
    """

    game: str
    kinds: Mapping[str, Callable[[Case], Both]]
    without_kind: str | None = None
    articles: Mapping[str, str] = field(default_factory=dict)
