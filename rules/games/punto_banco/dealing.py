"""Dealing: in which order, how many, which side up, and where the cards go in the end."""

from __future__ import annotations

from itertools import pairwise

from rules.baccarat.coup import Coup
from rules.baccarat.points import HANDS
from rules.cards import Face
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Hand, Owner
from rules.games.punto_banco.articles import Articles
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.seen_cards import SeenCard
from rules.spots import SHOE, Area, Spot, hand_spot

_INITIAL = 4
_TOGETHER_S = 0.05
_TURNED_AT_ONCE_S = 0.5


def judge_dealing(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """All that is prescribed for dealing the cards and handling them."""
    articles = profile.articles
    _judge_order(coup, profile, docket)
    if articles.two_each is not None:
        _judge_two_each(coup, articles.two_each, docket)
    if profile.initial_face is Face.DOWN and articles.face_down is not None:
        _judge_exposure(coup, articles.face_down, docket)
    if articles.no_touching is not None:
        _judge_touching(coup, articles.no_touching, docket)
    if articles.gathered is not None:
        _judge_leftovers(coup, articles.gathered, docket)
    _judge_discards(coup, articles, docket)
    _judge_shoe_exits(coup, articles.irregular, docket)


def cards_missed(coup: Coup) -> str | None:
    """Why the coup's hands are not known to be complete, or None if nothing speaks against it."""
    initial = coup.cards[:_INITIAL]
    if coup.over and not coup.cut_off:
        for hand in ("punto", "banca"):
            count = len(coup.hand(hand))
            if count < 2:
                seen = "no card" if count == 0 else "only one card"
                return f"{seen} was seen on hand {hand}"
    if len(initial) == _INITIAL and not coup.began_unseen:
        split = sum(dealt_for(card) == "punto" for card in initial)
        exits = [card.t_exit for card in coup.cards]
        if split != 2 and None in exits:
            return "a card may have been dealt unseen"
    return None


def dealt_for(card: SeenCard) -> str | None:
    """The hand that a card was dealt to: those that wait at the shoe are banca's."""
    if card.dealt_to.hand in HANDS:
        return card.dealt_to.hand
    return "banca" if card.dealt_to.area is Area.SHOE else card.hand


def _judge_order(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    rule, code = profile.articles.order, "WRONG_DEAL_ORDER"
    initial = coup.cards[:_INITIAL]
    expected = ", ".join(profile.order)
    when = Moment.span(coup.t_close, initial[-1].t, *(card.seq for card in initial))
    if len(initial) < _INITIAL:
        if coup.over:
            why = "the recording ended" if coup.cut_off else "no more were seen"
            docket.undetermined(rule, code, when, f"{why} after {_count(len(initial))}", expected=expected)
        return
    if coup.began_unseen:
        docket.undetermined(
            rule, code, when, "the cards lay there when the recording began", expected=expected
        )
        return
    order = [dealt_for(card) or "" for card in initial]
    if order == list(profile.order):
        docket.conform(rule)
        _judge_third_order(coup, rule, docket)
        return
    wrong = next(card for card, hand in zip(initial, profile.order, strict=True) if dealt_for(card) != hand)
    seen = ", ".join(order)
    reason = cards_missed(coup) or _unsure_order(coup, initial)
    if reason is not None:
        docket.undetermined(rule, code, when, reason, expected=expected, seen=seen, spot=wrong.dealt_to)
        return
    docket.breach(
        rule,
        code,
        Moment.span(coup.t_close, initial[-1].t, *when.seq),
        expected=expected,
        seen=seen,
        spot=wrong.dealt_to,
    )


def _judge_third_order(coup: Coup, rule: str, docket: Docket) -> None:
    """Banca's third card depends on punto's, so punto's comes first."""
    thirds = [card for card in coup.cards[_INITIAL:] if card.hand is not None]
    hands = [card.hand for card in thirds[:2]]
    if hands == ["banca", "punto"] and thirds[1].t - thirds[0].t > _TOGETHER_S:
        docket.breach(
            rule,
            "WRONG_DEAL_ORDER",
            Moment.span(thirds[0].t - 1.0, thirds[1].t, thirds[0].seq, thirds[1].seq),
            expected="punto's third card before banca's",
            seen="banca's third card before punto's",
            spot=thirds[0].dealt_to,
            subject="third",
        )


def _judge_two_each(coup: Coup, rule: str, docket: Docket) -> None:
    """Each hand has two cards before either has a third."""
    initial = coup.cards[:_INITIAL]
    if len(initial) < _INITIAL or coup.began_unseen:
        return
    hands = [dealt_for(card) for card in initial]
    if hands.count("punto") == 2 or cards_missed(coup) is not None:
        docket.conform(rule)
        return
    long = "punto" if hands.count("punto") > 2 else "banca"
    docket.breach(
        rule,
        "WRONG_CARD_COUNT",
        Moment.span(coup.t_close, initial[-1].t, *(card.seq for card in initial)),
        expected="two cards on each hand before either has a third",
        seen=f"{hands.count(long)} of the first four cards on hand {long}",
        spot=hand_spot(long),
    )


def _unsure_order(coup: Coup, initial: list[SeenCard]) -> str | None:
    for spot in {card.dealt_to for card in initial}:
        if gap := coup.gaps.within(spot, coup.t_close, initial[-1].t):
            return f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    if any(b.t - a.t < _TOGETHER_S for a, b in pairwise(initial)):
        return "two cards came to rest at the same time"
    return None


def _judge_exposure(coup: Coup, rule: str, docket: Docket) -> None:
    """None of the first four shows its face before all four lie there."""
    code = "EXPOSED_CARD"
    initial = coup.cards[:_INITIAL]
    if coup.began_unseen:
        when = Moment.at(initial[0].t, initial[0].seq)
        docket.undetermined(rule, code, when, "the cards lay there when the recording began")
        return
    shown = [(card, t) for card in initial if (t := _exposed_at(card, initial)) is not None]
    for number, card in enumerate(initial, start=1):
        t = next((t for other, t in shown if other is card), None)
        if t is None:
            continue
        if len(shown) == _INITIAL and number > 1:
            break  # all four: the house deals face up; said once
        gap = coup.gaps.within(card.dealt_to, card.t - 1.0, t)
        expected = "the first four cards face down until all of them lie there"
        name = "all four cards" if len(shown) == _INITIAL else f"card {number}, {card.name},"
        seen = f"{name} face up at {clock(t)}"
        when = Moment.at(t, *card.seqs)
        subject = "all" if len(shown) == _INITIAL else f"card-{number}"
        if gap is None:
            docket.breach(rule, code, when, expected=expected, seen=seen, spot=card.dealt_to, subject=subject)
        else:
            why = f"{card.dealt_to} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
            docket.undetermined(
                rule, code, when, why, expected=expected, seen=seen, spot=card.dealt_to, subject=subject
            )
    if not shown and len(initial) == _INITIAL:
        docket.conform(rule)


def _exposed_at(card: SeenCard, initial: list[SeenCard]) -> float | None:
    """When a card showed its face too early, or None."""
    if card.exit_up and card.t_exit is not None:
        return card.t_exit
    if card.placed_up:
        return card.t
    dealt = initial[-1].t if len(initial) == _INITIAL else float("inf")
    if card.t_up is not None and card.t_up < dealt - _TURNED_AT_ONCE_S:
        return card.t_up
    return None


def _judge_touching(coup: Coup, rule: str, docket: Docket) -> None:
    """No player touches a card."""
    told = False
    for number, card in enumerate(coup.cards, start=1):
        for contact in card.contacts:
            told |= contact.hand.owner is not Owner.UNKNOWN
            if contact.hand.owner is Owner.PLAYER:
                docket.breach(
                    rule,
                    "UNAUTHORISED_CARD_CONTACT",
                    Moment.at(contact.t, contact.seq),
                    expected="only the dealer's hands on the cards",
                    seen=f"{of_hand(contact.hand)} had a hand on card {number} of the coup",
                    spot=card.spot,
                    subject=f"card-{number}",
                )
                return
    if told:
        docket.conform(rule)


def of_hand(hand: Hand) -> str:
    """Whose hand it is, in words."""
    if hand.owner is Owner.DEALER:
        return "the dealer"
    return "a player" if hand.seat is None else f"the player at seat {hand.seat}"


def _judge_leftovers(coup: Coup, rule: str, docket: Docket) -> None:
    """No card of the coup before lies there any more."""
    code = "CARDS_LEFT_ON_TABLE"
    left = [card for card in coup.left if card.t_cleared is None or card.t_cleared > coup.t_first]
    if not left:
        if coup.number > 1:
            docket.conform(rule)
        return
    seqs = [card.seq for card in left]
    when = Moment.span(coup.t_close - 2.0, coup.t_first, *seqs, coup.cards[0].seq)
    expected = "no card of the coup before on the table"
    seen = f"{_count(len(left))} of the coup before still there: {', '.join(card.name for card in left)}"
    gone = [card for card in left if card.t_cleared is not None]
    if gone:
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=gone[0].spot)
    elif coup.over:
        why = f"the card on {left[0].spot} was never seen to leave"
        docket.undetermined(rule, code, when, why, expected=expected, seen=seen, spot=left[0].spot)


def _judge_discards(coup: Coup, articles: Articles, docket: Docket) -> None:
    """Used cards go into the receptacle; none leaves the table."""
    told = [card for card in coup.cards if card.cleared_to is not None and card.t_cleared is not None]
    astray = [
        card for card in told if card.cleared_to is not None and card.cleared_to.area is not Area.DISCARD
    ]
    for card in astray:
        where: Spot | None = card.cleared_to
        off = where is not None and where.area is Area.OFF_TABLE
        rule = (articles.fallen or articles.irregular) if off else articles.discards
        if rule is None:
            continue
        docket.breach(
            rule,
            "CARD_OFF_TABLE" if off else "DISCARD_MISPLACED",
            Moment.at(card.t_cleared or card.t, *card.seqs),
            expected="every card of the coup in the receptacle for used cards",
            seen=f"{card.name} went to {where}",
            spot=card.spot,
            subject=card.card_id,
        )
    if told and not astray and articles.discards is not None:
        docket.conform(articles.discards)


def _judge_shoe_exits(coup: Coup, rule: str, docket: Docket) -> None:
    """Cards leave the shoe one by one (two together: an error for the table head)."""
    exits = sorted(
        (card for card in coup.cards if card.t_exit is not None), key=lambda card: card.t_exit or 0
    )
    for first, second in pairwise(exits):
        if (second.t_exit or 0) - (first.t_exit or 0) < _TOGETHER_S:
            docket.breach(
                rule,
                "STUCK_CARDS",
                Moment.at(second.t_exit or 0, *first.seqs[:1], *second.seqs[:1]),
                expected="one card at a time out of the shoe",
                seen=f"two cards out of the shoe together at {clock(second.t_exit or 0)}",
                spot=SHOE,
            )
            return


def _count(number: int) -> str:
    return "one card" if number == 1 else f"{number} cards"
