"""What a tableau says, and how the cards are put right when it errs (§09-VIII)."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.points import card_value, points
from rules.docket import Docket, Moment
from rules.games.banque_deux_tableaux.dealing import spoken
from rules.games.banque_deux_tableaux.drawing import Circumstances, hands_text
from rules.games.banque_deux_tableaux.hands import DEAL, Hands, dealt_for
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.words import BANCA, HANDS, TABLEAUX
from rules.seen_cards import SeenCard
from rules.spots import hand_spot


def judge_words(
    coup: Coup, hands: Hands, profile: BanqueProfile, case: Circumstances, docket: Docket
) -> None:
    """Each tableau's words against its points and its cards. Without words nothing is said here: the cards
    alone are judged by BT-DRAW-01."""
    if not coup.over or set(hands.void) == {0, 1} or hands.missing is not None:
        return
    banca = _first(hands.of(BANCA))
    for tableau, name in enumerate(TABLEAUX):
        first, words = _first(hands.of(name)), [cue.value for cue in spoken(coup, name)]
        if first is None or banca is None or not words or tableau in hands.void or name in hands.totals:
            continue
        _Tableau(coup, hands, profile, case, docket, tableau, first).judge(words, banca)


def _first(cards: list[SeenCard]) -> int | None:
    values = [card_value(card.card) for card in cards[:2] if card.card is not None]
    return points(values) if len(values) == 2 else None


class _Tableau:
    """One tableau's words. ``first``: its two-card total."""

    def __init__(
        self,
        coup: Coup,
        hands: Hands,
        profile: BanqueProfile,
        case: Circumstances,
        docket: Docket,
        tableau: int,
        first: int,
    ) -> None:
        self.coup, self.hands, self.case, self.docket = coup, hands, case, docket
        self.table, self.first = profile.drawing, first
        self.name, self.next = HANDS[tableau], HANDS[tableau + 1]
        self.second = tableau == 1
        self.cards = hands.of(self.name)

    @property
    def drew(self) -> bool:
        """Whether it has a third card in the end."""
        return len(self.cards) > 2

    def judge(self, words: list[str | None], banca: int) -> None:
        """All that its words mean."""
        last = words[-1]
        if self.first in self.table.naturals:
            self._natural(last)
        elif banca in self.table.naturals and not self.drew:
            return  # the coup ended before the word counted
        elif len(set(words)) > 1 and self.first in self.table.punto_free:
            self._contrary(words[0])
        elif last == "no" and self.first in self.table.punto and not self.case.banco:
            self._said_no_and_must_draw()
        elif last == "carta" and not self._may_draw() and not self.case.banco:
            self._asked_and_must_stand()
        else:
            self._given_as_said(last == "carta")

    def _may_draw(self) -> bool:
        return self.first in self.table.punto or self.first in self.table.punto_free

    def _natural(self, last: str | None) -> None:
        """Who says no with eight or nine may no longer show it (BT-ERR-16)."""
        if last == "no":
            self._breach(
                "BT-ERR-16", "NATURAL_NOT_SHOWN", f"{self.name} shows its {self.first}", "it said no"
            )

    def _contrary(self, first_word: str | None) -> None:
        """With five the first of two contrary words counts (BT-ERR-15)."""
        rule = "BT-ERR-17" if self.second else "BT-ERR-15"
        if self.drew == (first_word == "carta"):
            self.docket.conform(rule)
            return
        seen = "it has a third card" if self.drew else "it has no third card"
        self._breach(rule, "DRAW_AGAINST_DECLARATION", f"its first word, {first_word}, counts on 5", seen)

    def _said_no_and_must_draw(self) -> None:
        """Its card is the one that the next hand was given (BT-ERR-13)."""
        rule = "BT-ERR-17" if self.second else "BT-ERR-13"
        if self.drew:
            self.docket.conform(rule)
        elif len(self.hands.of(self.next)) > 2:
            expected = f"the third card of {self.next} given back to {self.name}, which has {self.first}"
            self._breach(rule, "WRONG_DRAW", expected, "it was left where it lay")

    def _asked_and_must_stand(self) -> None:
        """The card that it was given goes on to the next hand that asked (BT-ERR-14)."""
        rule = "BT-ERR-17" if self.second else "BT-ERR-14"
        if self.drew:
            self._breach(
                rule,
                "WRONG_DRAW",
                f"the third card of {self.name}, which has {self.first}, given on",
                "it was left where it lay",
            )
            return
        passed = [card for card in self.hands.moved if dealt_for(card) == self.name]
        if not passed:
            return  # it was given none
        if self.second:
            self.docket.conform(rule)
            return
        words = [cue.value for cue in spoken(self.coup, self.next)]
        due = self.next if not words or words[-1] == "carta" else BANCA
        if passed[0].hand == due or not words:
            self.docket.conform(rule)
        else:
            self._breach(rule, "WRONG_DRAW", f"the card given to {due}", f"it went to {passed[0].hand}")

    def _given_as_said(self, asked: bool) -> None:
        """It is given a card if it asked for one, and none if it did not (BT-ERR-06)."""
        unasked = self.drew and not asked
        if unasked and len(self.hands.of(BANCA)) > 2:
            self.docket.conform("BT-ERR-11")  # the banker kept his right to a card
        if self.drew == asked:
            self.docket.conform("BT-ERR-06")
            return
        seen = "a card was given to it" if self.drew else "it was given none"
        expected = "the card that it asked for" if asked else "no card, for it said no"
        self._breach("BT-ERR-06", "DRAW_AGAINST_DECLARATION", expected, seen)

    def _breach(self, rule: str, code: str, expected: str, seen: str) -> None:
        thirds = self.hands.dealt[DEAL:]
        seqs = (*(cue.seq for cue in spoken(self.coup, self.name)), *(card.seq for card in thirds))
        self.docket.breach(
            rule,
            code,
            Moment.span(self.coup.t_close, self.coup.t_result, *seqs),
            expected=expected,
            seen=f"{seen}: {hands_text(self.hands)}",
            spot=hand_spot(self.name),
        )
