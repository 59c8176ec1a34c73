"""A hand's verdicts put together, and its summary."""

from __future__ import annotations

from rules.docket import Docket
from rules.findings import BetRecord, CoupSummary, Finding
from rules.games.circle_poker.award import Award, award_of, judge_award, looked_at_others
from rules.games.circle_poker.dealing import judge_dealing
from rules.games.circle_poker.playing import judge_play
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import Hand, PokerCarry
from rules.games.circle_poker.stacks import judge_stacks
from rules.games.circle_poker.story import Story, story_of
from rules.games.circle_poker.told import judge_told
from rules.money import amount_text
from rules.poker import category
from rules.sight import Sight
from rules.spots import bet_spot


def judge_hand(
    start: PokerCarry, hand: Hand, profile: CirclePokerProfile, sight: Sight
) -> tuple[list[Finding], CoupSummary]:
    """All verdicts on one hand; ``start``: what it began from."""
    docket = Docket(hand.number, hand.gaps, hand.t_start, joint=True)
    story = story_of(hand, profile)
    award = award_of(hand, story, profile)
    judge_dealing(hand, profile, sight, docket)
    judge_play(start, hand, story, profile, docket)
    judge_stacks(start, hand, story, profile, docket)
    judge_told(start, hand, story, profile, docket)
    looked_at_others(hand, profile, docket)
    judge_award(hand, story, award, profile, docket)
    findings = sorted(docket.findings, key=lambda finding: (finding.t, finding.id))
    return findings, _summary(hand, story, award, docket)


def _summary(hand: Hand, story: Story, award: Award, docket: Docket) -> CoupSummary:
    names = {f"seat_{seat}": tuple(card.name for card in hand.hand(seat)) for seat in hand.seats}
    names["board"] = tuple(card.name for card in hand.board)
    due = award.due or {}
    return CoupSummary(
        coup=hand.number,
        t_from=round(max(0.0, hand.t_start), 3),
        t_to=round(hand.t_end, 3),
        cards=names,
        bets=tuple(_record(story, award, seat) for seat in hand.seats),
        result={
            "winner": sorted(due) if award.due is not None else None,
            "pots": [
                {"amount": amount_text(pot.amount), "eligible": list(pot.eligible)} for pot in award.pots.pots
            ]
            if story.unsure is None
            else None,
            "due": None if award.due is None else {str(s): amount_text(a) for s, a in sorted(due.items())},
            "paid": {str(s): amount_text(a) for s, a in sorted(story.paid.items())},
            "rake": amount_text(award.rake),
            "hands": {str(s): category(h).name.lower() for s, h in sorted(award.heights.items())},
            "void": False,
            "reason": award.reason,
        },
        verdict=docket.verdict,
        counts=docket.counts,
    )


def _record(story: Story, award: Award, seat: int) -> BetRecord:
    """What a seat put into the pot, and what it got out of it."""
    put = None if story.unsure else story.betting.put_in.get(seat, 0) + story.betting.antes.get(seat, 0)
    due = None if award.due is None else award.due.get(seat)
    paid = story.paid.get(seat)
    return BetRecord(
        stack=f"seat_{seat}",
        spot=bet_spot(seat, "bet"),
        denominations=None,
        count=None,
        value=amount_text(put),
        line=None,
        due=None if award.due is None else "pay" if due else "collect",
        due_amount=amount_text(due),
        outcome=None if story.t_paid is None else "paid" if seat in story.paid else "collected",
        outcome_amount=amount_text(paid),
        unread=story.unsure,
    )
