"""The pot: who wins it, what the house takes of it, and who touched it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.cards import Card, Rank, Suit
from rules.chips import Move
from rules.docket import Docket, Moment
from rules.events import HandContact, Owner
from rules.games.circle_poker.pots import Pot, Pots, shares, winners_of
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import CAGNOTTE, POT, Hand, seat_of
from rules.games.circle_poker.story import Story
from rules.poker import Category, category, rank
from rules.spots import bet_spot

_BY_KIND: dict[Category, str] = {
    Category.FOUR_OF_A_KIND: "CP-RANK-03",
    Category.FULL_HOUSE: "CP-RANK-04",
    Category.STRAIGHT: "CP-RANK-05",
    Category.STRAIGHT_FLUSH: "CP-RANK-05",
    Category.ROYAL_FLUSH: "CP-RANK-05",
    Category.FLUSH: "CP-RANK-06",
    Category.THREE_OF_A_KIND: "CP-RANK-07",
    Category.TWO_PAIR: "CP-RANK-09",
    Category.PAIR: "CP-RANK-10",
}
_KIND_SHIFT = 20
_ABOVE = 0xF
"""Where two pairs have their highest card: figures stand above all of them."""
_ASCENDING = [Rank(one) for one in "23456789TJQKA"]
_SHORT = {Category.FLUSH: Category.FULL_HOUSE, Category.FULL_HOUSE: Category.FLUSH}


@dataclass(slots=True)
class Award:
    """What is due. ``heights``: by seat, of the hands that were shown. ``due``: by seat, None where cards or
    chips are not known (``reason``). ``joined``: the same if pots that the same seats win are shared out as
    one, which moves odd chips only. ``rake``: what the house took of this hand, None if not known."""

    pots: Pots
    heights: dict[int, int] = field(default_factory=dict)
    due: dict[int, Fraction] | None = None
    joined: dict[int, Fraction] | None = None
    reason: str | None = None
    rake: Fraction | None = Fraction(0)


def height(cards: Sequence[Card], profile: CirclePokerProfile) -> int:
    """How high a hand stands. In a short pack the flush stands above the full house, and the ace may stand
    below the lowest card there is; figures stand above two pairs, where the variety has them."""
    low = len(Rank) - profile.pack // len(Suit)
    found = rank(cards, lowest=_ASCENDING[low])
    kind = category(found)
    if low and kind in _SHORT:
        return _SHORT[kind] << _KIND_SHIFT | found & (1 << _KIND_SHIFT) - 1
    if kind <= Category.TWO_PAIR and profile.figures:
        return max(found, _figures([card.rank for card in cards if card.rank in profile.figures]))
    return found


def _figures(ranks: Sequence[Rank]) -> int:
    """How high the best five figures stand: by the pair, then by the highest of the other cards."""
    heights = sorted(map(_ASCENDING.index, ranks), reverse=True)
    if len(heights) < 5:
        return 0
    pair = next((high for high in heights if heights.count(high) > 1), heights[0])
    number = int(Category.TWO_PAIR) << 4 | _ABOVE
    for one in [pair, *[high for high in heights if high != pair][:3]]:
        number = number << 4 | one + 2
    return number


def _is_figures(found: int) -> bool:
    return found >> _KIND_SHIFT - 4 == int(Category.TWO_PAIR) << 4 | _ABOVE


def award_of(hand: Hand, story: Story, profile: CirclePokerProfile) -> Award:
    """What each seat is due of the pots."""
    award = Award(story.betting.pots())
    board = hand.board[: sum(profile.board)]
    for seat in story.betting.live:
        cards = [*hand.hand(seat), *board]
        known = [card.card for card in cards if card.card is not None]
        if len(cards) == len(set(known)) == profile.hole_cards + sum(profile.board):
            award.heights[seat] = height(known, profile)
    award.rake = _taken(hand)
    if story.unsure is not None:
        award.reason = story.unsure
    elif hand.began_unseen:
        award.reason = "the hand had begun before the recording"
    elif award.rake is None:
        award.reason = "what the house took could not be read"
    else:
        _share(award, hand, profile)
    return award


def _share(award: Award, hand: Hand, profile: CirclePokerProfile) -> None:
    parts: list[tuple[Fraction, tuple[int, ...]]] = []
    left = award.rake or Fraction(0)
    for pot in award.pots.pots:
        lacking = [seat for seat in pot.eligible if seat not in award.heights]
        if len(pot.eligible) > 1 and lacking:
            award.reason = "not all cards of " + ", ".join(f"seat {seat}" for seat in lacking) + " were seen"
            return
        taken = min(left, pot.amount)
        left -= taken
        winners = winners_of(pot, award.heights)
        if len(winners) > 1 and hand.button is None:
            award.reason = "the marker was not seen, so who gets an odd chip is not known"
            return
        parts.append((pot.amount - taken, winners))
    together: dict[tuple[int, ...], Fraction] = {}
    for amount, winners in parts:
        together[winners] = together.get(winners, Fraction(0)) + amount
    award.due = _shared(award.pots, parts, profile.unit, hand.order)
    award.joined = _shared(award.pots, [(a, w) for w, a in together.items()], profile.unit, hand.order)


def _shared(
    pots: Pots, parts: Iterable[tuple[Fraction, tuple[int, ...]]], unit: Fraction, order: Sequence[int]
) -> dict[int, Fraction]:
    """What each seat gets of pots with these amounts and winners, and of what nobody called."""
    due: dict[int, Fraction] = {}
    for amount, winners in parts:
        for seat, share in shares(amount, winners, unit, order).items():
            due[seat] = due.get(seat, Fraction(0)) + share
    if pots.uncalled is not None:
        seat, back = pots.uncalled
        due[seat] = due.get(seat, Fraction(0)) + back
    return {seat: amount for seat, amount in due.items() if amount}


def _taken(hand: Hand) -> Fraction | None:
    """What came into the house's slot."""
    amounts = [amount for _, _, amount, _ in hand.slotted(CAGNOTTE)]
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Fraction(0)) if len(known) == len(amounts) else None


def judge_award(hand: Hand, story: Story, award: Award, profile: CirclePokerProfile, docket: Docket) -> None:
    """Pot and house's share."""
    if profile.holds("CP-DEALER-03"):
        _touched(hand, docket)
    if not hand.over or story.t_paid is None:
        return
    if profile.holds("CP-RAKE-01"):
        _rake(hand, award, story, profile, docket)
    _paid(hand, story, award, profile, docket)


def _touched(hand: Hand, docket: Docket) -> None:
    moved = [(m.t, m.seq, m.hand) for m in hand.moves if m.spot == POT and m.owner is Owner.PLAYER]
    for event in hand.events:
        if isinstance(event, HandContact) and event.spot == "pot" and event.hand.owner is Owner.PLAYER:
            moved.append((event.t, event.seq, event.hand))
    for t, seq, whose in sorted(moved, key=lambda one: one[:2])[:1]:
        seat = None if whose is None else whose.seat
        docket.breach(
            "CP-DEALER-03",
            "POT_TOUCHED",
            Moment.at(t, seq),
            expected="only the dealer's hand on the pot",
            seen="a player's hand" if seat is None else f"the hand of seat {seat}",
            spot=POT,
        )
    if not moved:
        docket.conform("CP-DEALER-03")


def _rake(hand: Hand, award: Award, story: Story, profile: CirclePokerProfile, docket: Docket) -> None:
    terms = profile.rake
    slots = hand.slotted(CAGNOTTE)
    for t, seq, _, owner in slots:
        if owner is Owner.PLAYER:
            docket.breach(
                "CP-DEALER-01",
                "RAKE_WRONG",
                Moment.at(t, seq),
                expected="the dealer puts the house's share into its slot",
                seen="a player's hand did",
                spot=CAGNOTTE,
            )
        elif owner is Owner.DEALER:
            docket.conform("CP-DEALER-01")
    if terms.option is None or (terms.option == "percentage" and terms.rate is None):
        return
    if award.rake is None or story.unsure is not None or hand.began_unseen:
        return
    pot = sum((pot.amount for pot in award.pots.pots), Fraction(0))
    due = Fraction(0)
    if terms.option == "percentage" and not (terms.no_flop_no_drop and not hand.board):
        due = (pot * (terms.rate or 0)) // profile.unit * profile.unit
        due = due if terms.cap is None else min(due, terms.cap)
    if award.rake == due:
        docket.conform("CP-RAKE-01")
        return
    seqs = [seq for _, seq, _, _ in slots] or [hand.cards[0].seq]
    docket.breach(
        "CP-RAKE-01",
        "RAKE_WRONG",
        Moment.at(story.t_paid or hand.t_end, *seqs),
        expected=f"{due} for the house of a pot of {pot}",
        seen=f"{award.rake}",
        spot=CAGNOTTE,
        due=due,
        amount=award.rake,
    )


def _paid(hand: Hand, story: Story, award: Award, profile: CirclePokerProfile, docket: Docket) -> None:
    got = story.paid
    when = _when(hand, story)
    rule = _rule_if_unknown(story, profile)
    if rule is None:
        return
    gone = sorted(seat for seat in got if seat in story.betting.folded or seat not in hand.seats)
    if gone and profile.holds("CP-FOLD-01") and len(story.betting.live) > 1:
        seat = gone[0]
        if not (award.pots.uncalled and award.pots.uncalled[0] == seat):
            docket.breach(
                "CP-FOLD-01",
                "POT_MISAWARDED",
                when,
                expected="the pot goes to a player still in",
                seen=f"seat {seat}, which had folded, got {got[seat]}",
                spot=bet_spot(seat, "stack"),
                amount=got[seat],
            )
            return
    if award.due is None or any(amount is None for amount in got.values()):
        only = _sole(story, award)
        if only is not None and set(got) == {only}:
            docket.conform(rule)
            return
        reason = award.reason or "what was paid out could not be read"
        docket.undetermined(rule, "POT_MISAWARDED", when, reason, spot=POT)
        return
    paid = {seat: amount for seat, amount in got.items() if amount is not None}
    if paid in (award.due, award.joined):
        docket.conform(rule)
        return
    _wrong(story, award, paid, profile, when, docket)


def _sole(story: Story, award: Award) -> int | None:
    """The seat that gets everything, whatever was not seen."""
    if len(story.betting.live) == 1:
        return story.betting.live[0]
    winners = {seat for pot in award.pots.pots for seat in _sure(pot, award.heights)}
    return winners.pop() if len(winners) == 1 and story.unsure is None else None


def _sure(pot: Pot, heights: Mapping[int, int]) -> tuple[int, ...]:
    known = all(seat in heights for seat in pot.eligible)
    return winners_of(pot, heights) if known or len(pot.eligible) == 1 else pot.eligible


def _rule_if_unknown(story: Story, profile: CirclePokerProfile) -> str | None:
    """The row that holds for this pot as a whole."""
    alone = len(story.betting.live) == 1
    ranked = [rule for rule in ("CP-WIN-01" if alone else "TX-STD-03", "CP-RANK-01") if profile.holds(rule)]
    if alone and not profile.holds("CP-WIN-01"):
        return "TX-STD-03" if profile.holds("TX-STD-03") else None
    return ranked[0] if ranked else None


def _wrong(
    story: Story,
    award: Award,
    paid: Mapping[int, Fraction],
    profile: CirclePokerProfile,
    when: Moment,
    docket: Docket,
) -> None:
    """Name the row that the payment broke."""
    due = award.due or {}
    over = [seat for seat in paid if paid[seat] > due.get(seat, 0)]
    under = [seat for seat in due if due[seat] > paid.get(seat, 0)]
    rule = _broken(story, award, over, under, profile)
    if rule is None:
        return
    seat = (over or under)[0]
    docket.breach(
        rule,
        "POT_MISAWARDED",
        when,
        expected=_said(due, award),
        seen=_said(paid, None),
        spot=bet_spot(seat, "stack"),
        due=due.get(seat, Fraction(0)),
        amount=paid.get(seat, Fraction(0)),
    )


def _broken(
    story: Story, award: Award, over: list[int], under: list[int], profile: CirclePokerProfile
) -> str | None:
    if len(story.betting.live) == 1:
        rule = "CP-WIN-01" if over else "CP-DEALER-03"
        return rule if profile.holds(rule) else "TX-STD-03"
    if not over or not under:
        return "CP-DEALER-03" if profile.holds("CP-DEALER-03") else "TX-STD-03"
    if not profile.holds("CP-RANK-01"):
        return "TX-STD-03"
    heights = award.heights
    best = max(under, key=lambda seat: heights.get(seat, -1))
    other = max(over, key=lambda seat: heights.get(seat, -1))
    if best not in heights or other not in heights:
        return "CP-RANK-01"
    kinds = category(heights[best]), category(heights[other])
    if heights[best] == heights[other]:
        return "TX-STD-03" if profile.holds("TX-STD-03") else "CP-RANK-01"
    if profile.pack < 52 and set(kinds) == set(_SHORT):
        return "CP-RANK-02"
    figures = _is_figures(heights[best]), _is_figures(heights[other])
    if any(figures):
        return "CP-RANK-08" if all(figures) else "CP-RANK-01"
    if kinds[0] == kinds[1]:
        return _BY_KIND.get(kinds[0], "CP-RANK-01")
    return "CP-RANK-01"


def _said(amounts: Mapping[int, Fraction], award: Award | None) -> str:
    parts = []
    for seat, amount in sorted(amounts.items()):
        hand = "" if award is None or seat not in award.heights else _called(award.heights[seat])
        parts.append(f"{amount} to seat {seat}{hand}")
    return ", ".join(parts) or "nothing"


def _called(found: int) -> str:
    if _is_figures(found):
        return " (figures)"
    return f" ({category(found).name.lower().replace('_', ' ')})"


def _when(hand: Hand, story: Story) -> Moment:
    t = story.t_paid or hand.t_end
    seqs = [m.seq for m in _payments(hand, t)]
    shown = [
        seq for card in hand.cards for at, seq in card.shown if card.t_up is not None and at >= card.t_up
    ]
    return replace(Moment.at(t, *seqs, *shown), t_to=hand.t_end)


def _payments(hand: Hand, t: float) -> list[Move]:
    return [m for m in hand.moves if m.t >= t - 1.0 and (m.spot == POT or m.spot.bet == "stack")]


def looked_at_others(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    """Nobody's hand is on another player's cards."""
    if not profile.holds("CP-FOLD-01"):
        return
    for card in hand.cards:
        for contact in card.contacts:
            seat = contact.hand.seat
            if contact.hand.owner is not Owner.PLAYER or seat is None or seat == seat_of(card):
                continue
            docket.breach(
                "CP-FOLD-01",
                "UNAUTHORISED_CARD_CONTACT",
                Moment.at(contact.t, contact.seq),
                expected="each player touches only his own cards",
                seen=f"seat {seat} touched a card of seat {seat_of(card)}",
                spot=card.dealt_to,
                subject=card.card_id,
            )
            return
    docket.conform("CP-FOLD-01")
