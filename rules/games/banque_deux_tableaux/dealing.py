"""Dealing: the order, who brings the cards and who holds them, what may go wrong with a card, and the end."""

from __future__ import annotations

from itertools import pairwise

from rules.baccarat.coup import Coup
from rules.baccarat.procedure import judge_discards
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CardCleared, CardMoved, Cue, Owner
from rules.games.banque_deux_tableaux.hands import DEAL, Hands, dealt_for, told
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.words import BANCA, HANDS, TABLEAUX
from rules.seen_cards import SeenCard
from rules.spots import SHOE, Area, hand_spot

_TOGETHER_S = 0.05
_SAME_PLACE_MM = 12.0
"""Two cards nearer than this lie on each other."""


def judge_dealing(coup: Coup, hands: Hands, profile: BanqueProfile, docket: Docket) -> None:
    """All that is prescribed for dealing the cards and for what may happen to them."""
    _judge_stuck(hands, docket)
    _judge_shown_by_shoe(hands, docket)
    _judge_order(coup, hands, profile, docket)
    _judge_faces(coup, hands, docket)
    _judge_lost(hands, docket)
    _judge_carrying(hands, docket)
    _judge_off_table(coup, hands, docket)
    _judge_turns_to_speak(coup, hands, docket)
    _judge_showing(coup, hands, docket)
    judge_discards(coup, "BT-TABLE-02", "the used cards in the basket", docket)


def _judge_stuck(hands: Hands, docket: Docket) -> None:
    if hands.stuck is None:
        if any(card.t_exit is not None for card in hands.dealt):
            docket.conform("BT-ERR-02")
        return
    one, two = hands.stuck
    docket.breach(
        "BT-ERR-02",
        "STUCK_CARDS",
        Moment.at(two.t_exit or two.t, one.seq, two.seq),
        expected="one card at a time out of the shoe; the coup is void",
        seen=f"two cards out of the shoe together at {clock(two.t_exit or two.t)}",
        spot=SHOE,
    )


def _judge_shown_by_shoe(hands: Hands, docket: Docket) -> None:
    """A card that came out face up is taken away (BT-ERR-01)."""
    played = {card.card_id for card, taken in hands.unusable if not taken}
    for event in hands.shown_by_shoe:
        stays = event.card_id in played
        docket.breach(
            "BT-ERR-01",
            "EXPOSED_CARD",
            Moment.at(event.t, event.seq),
            expected="every card out of the shoe face down; one that shows its face is taken away",
            seen="a card came out face up, and was played on" if stays else "a card came out face up",
            spot=SHOE,
            subject=event.card_id or "",
        )


def _judge_order(coup: Coup, hands: Hands, profile: BanqueProfile, docket: Docket) -> None:
    rule, code = "BT-DEAL-01", "WRONG_DEAL_ORDER"
    initial = hands.dealt[:DEAL]
    expected = ", ".join(profile.order)
    when = Moment.span(coup.t_close, initial[-1].t if initial else coup.t_close, *(c.seq for c in initial))
    if len(initial) < DEAL:
        if coup.over and not hands.void:
            why = "the recording ended" if coup.cut_off else "no more were seen"
            docket.undetermined(rule, code, when, f"{why} after {len(initial)} cards", expected=expected)
        return
    if coup.began_unseen:
        docket.undetermined(
            rule, code, when, "the cards lay there when the recording began", expected=expected
        )
        return
    order = [dealt_for(card) or "" for card in initial]
    if order == list(profile.order):
        docket.conform(rule)
        _judge_count(coup, hands, docket)
        return
    wrong = next(i for i, (seen, due) in enumerate(zip(order, profile.order, strict=True)) if seen != due)
    card = initial[wrong]
    seen = ", ".join(order)
    if reason := _unsure(coup, hands, initial, order):
        docket.undetermined(rule, code, when, reason, expected=expected, seen=seen, spot=card.dealt_to)
        return
    docket.breach(rule, code, when, expected=expected, seen=seen, spot=card.dealt_to)
    _judge_putting_right(coup, hands, when, docket)


def _unsure(coup: Coup, hands: Hands, initial: list[SeenCard], order: list[str]) -> str | None:
    for spot in sorted({card.dealt_to for card in initial}):
        if gap := coup.gaps.within(spot, coup.t_close, initial[-1].t):
            return f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    if any(two.t - one.t < _TOGETHER_S for one, two in pairwise(initial)):
        return "two cards came to rest at the same time"
    unseen = any(card.t_exit is None for card in coup.cards)
    if unseen and coup.over and not coup.cut_off and hands.missing is not None and not hands.lost:
        return hands.missing
    if unseen and sorted(order) != sorted([*HANDS] * 2):
        return "a card may have been dealt unseen"
    return None


def _judge_putting_right(coup: Coup, hands: Hands, when: Moment, docket: Docket) -> None:
    """An irregular deal is put right, or annulled (BT-ERR-05)."""
    rule = "BT-ERR-05"
    rulings = [cue.value for cue in told(coup, "ruling")]
    counts = [len(hands.of(name)) for name in HANDS]
    if coup.void or "annulled" in rulings or hands.moved or "rectified" in rulings:
        docket.conform(rule)
    elif coup.over and (min(counts) < 2 or (len(hands.dealt) == DEAL and counts != [2, 2, 2])):
        docket.breach(
            rule,
            "WRONG_CARD_COUNT",
            when,
            expected="two cards on each hand, or the deal annulled",
            seen=", ".join(f"{count} on {name}" for name, count in zip(HANDS, counts, strict=True)),
            spot=hand_spot(HANDS[counts.index(max(counts))]),
        )
    elif coup.over:
        why = "whether it could be put right plainly was not told (the cue ruling)"
        docket.undetermined(rule, "VOID_NOT_APPLIED", when, why)


def _judge_count(coup: Coup, hands: Hands, docket: Docket) -> None:
    """No hand has more than three cards."""
    for name in HANDS:
        cards = hands.of(name)
        if len(cards) > 3:
            docket.breach(
                "BT-ERR-05",
                "WRONG_CARD_COUNT",
                Moment.span(coup.t_close, cards[3].t, *(card.seq for card in cards)),
                expected="at most three cards on a hand",
                seen=f"{len(cards)} cards on {name}: {' '.join(card.name for card in cards)}",
                spot=hand_spot(name),
            )


def _judge_faces(coup: Coup, hands: Hands, docket: Docket) -> None:
    """The first six lie face down, a third card face up (BT-RULE-01, §08-VI); both cards of a tableau shown
    in dealing are another matter (BT-ERR-07)."""
    if coup.began_unseen or len(hands.dealt) < DEAL:
        return
    clean = True
    shown = shown_in_deal(hands)
    for name, cards in shown.items():
        times = [t for _, t in cards]
        both = len(cards) > 1 and name in TABLEAUX
        for (card, t), number in zip(cards, range(1 if both else len(cards)), strict=False):
            clean = False
            docket.breach(
                "BT-ERR-07" if both else "BT-RULE-01",
                "EXPOSED_CARD" if both else "CARD_FACE_WRONG",
                Moment.at(max(times) if both else t, *(seq for c, _ in cards for seq in c.seqs[:2])),
                expected="the cards of the deal face down until all of them lie there",
                seen=f"both cards of {name} shown" if both else f"{card.name} shown at {clock(t)}",
                spot=hand_spot(name),
                subject="" if both else f"card-{number + 1}",
            )
    for card in hands.dealt[DEAL:]:
        if not card.placed_up and (card.t_up is None or card.t_up > card.t + 1.5):
            clean = False
            docket.breach(
                "BT-RULE-01",
                "CARD_FACE_WRONG",
                Moment.at(card.t, *card.seqs),
                expected="the third card face up",
                seen=f"a third card laid face down on {dealt_for(card)}",
                spot=card.dealt_to,
                subject="third",
            )
    if clean:
        docket.conform("BT-RULE-01")


def shown_in_deal(hands: Hands) -> dict[str, list[tuple[SeenCard, float]]]:
    """By hand, the cards that showed their face before all six lay there, and when. A hand that saw its
    points may show a natural once both its cards lie there: that is no error."""
    initial = hands.dealt[:DEAL]
    shown: dict[str, list[tuple[SeenCard, float]]] = {}
    if len(initial) < DEAL:
        return shown
    for card in initial:
        t = card.t if card.placed_up else card.t_up
        if t is not None and t < initial[-1].t - _TOGETHER_S and not card.exit_up:
            shown.setdefault(dealt_for(card) or "", []).append((card, t))
    return shown


def _judge_lost(hands: Hands, docket: Docket) -> None:
    """Cards that went to the basket unseen: fallen in dealing (BT-ERR-08), or thrown there (BT-ERR-19)."""
    told_of: set[str] = set()
    for loss in hands.lost:
        if loss.hand in told_of:
            continue
        told_of.add(loss.hand)
        rule = "BT-ERR-08" if loss.in_deal else "BT-ERR-19"
        docket.breach(
            rule,
            "CARD_IN_DISCARD_EARLY",
            Moment.at(loss.card.t_cleared or loss.card.t, *loss.card.seqs),
            expected="every card seen before it goes to the basket",
            seen=f"a card of {loss.hand} went to the basket unseen"
            + {Owner.DEALER: " by the dealer's hand", Owner.PLAYER: " by a player's hand"}.get(
                loss.owner, ""
            ),
            spot=hand_spot(loss.hand),
        )


def _judge_carrying(hands: Hands, docket: Docket) -> None:
    """It is the dealer who brings the cards to the tableaux (BT-DEAL-02)."""
    rests = [
        (card, rest)
        for card in hands.dealt
        for rest in [r for r in card.rests if r.spot.area is Area.HAND][:1]
        if rest.spot.hand in TABLEAUX and rest.hand is not None
    ]
    wrong = [(card, rest) for card, rest in rests if rest.hand and rest.hand.owner is Owner.PLAYER]
    if wrong:
        card, rest = wrong[0]
        docket.breach(
            "BT-DEAL-02",
            "UNAUTHORISED_CARD_CONTACT",
            Moment.at(rest.t, rest.seq),
            expected="the cards brought to the players by the dealer, with his paddle",
            seen=f"a player's hand laid a card at {rest.spot}",
            spot=rest.spot,
            subject=card.card_id,
        )
    elif rests and all(rest.hand and rest.hand.owner is Owner.DEALER for _, rest in rests):
        docket.conform("BT-DEAL-02")


def _judge_off_table(coup: Coup, hands: Hands, docket: Docket) -> None:
    """A card leaves the table: a holder took it off (BT-DEAL-03), or it fell (BT-ERR-03)."""
    picked = told(coup, "picked_up")
    cards = {card.card_id: card for card in hands.all}
    for event in coup.events:
        if not isinstance(event, CardMoved | CardCleared) or event.to_spot != "off table":
            continue
        card = cards.get(event.card_id)
        if card is None:
            continue
        away, spot = event.t, hand_spot(card.hand or BANCA)
        taken = event.hand is not None and event.hand.owner is Owner.PLAYER
        if taken and card.hand in TABLEAUX:
            docket.breach(
                "BT-DEAL-03",
                "CARD_OFF_TABLE",
                Moment.at(away, *card.seqs),
                expected="the cards left on the table",
                seen=f"a player's hand took a card of {card.hand} off the table",
                spot=spot,
                subject=card.card_id,
            )
            continue
        back = [rest for rest in card.rests if rest.t > away and rest.spot.area is Area.HAND]
        by = next((cue.value for cue in picked if cue.t > away), None)
        if by is None and back and back[0].hand is not None and back[0].hand.owner is not Owner.UNKNOWN:
            by = back[0].hand.owner.value
        when = Moment.at(away, *card.seqs)
        if by in ("dealer", "employee"):
            docket.conform("BT-ERR-03")
        elif by is not None:
            docket.breach(
                "BT-ERR-03",
                "CARD_OFF_TABLE",
                when,
                expected="a fallen card picked up by the dealer or an employee",
                seen=f"it was picked up by a {by}",
                spot=spot,
                subject=card.card_id,
            )
        else:
            docket.undetermined(
                "BT-ERR-03",
                "CARD_OFF_TABLE",
                when,
                "who picked the card up was neither seen nor told (the cue picked_up)",
                spot=spot,
                subject=card.card_id,
            )


def _judge_turns_to_speak(coup: Coup, hands: Hands, docket: Docket) -> None:
    """Third cards come to the first tableau, then the second, then the bank (BT-DEAL-04)."""
    thirds = [card for card in hands.dealt[DEAL:] if card not in hands.moved and dealt_for(card) in HANDS]
    if coup.began_unseen or len(hands.dealt) < DEAL:
        return
    order = [HANDS.index(dealt_for(card) or BANCA) for card in thirds]
    for one, two in pairwise(range(len(thirds))):
        if order[one] > order[two] and thirds[two].t - thirds[one].t > _TOGETHER_S:
            early, late = HANDS[order[one]], HANDS[order[two]]
            docket.breach(
                "BT-DEAL-04",
                "REVEAL_ORDER",
                Moment.span(thirds[one].t - 1.0, thirds[two].t, thirds[one].seq, thirds[two].seq),
                expected="the first tableau, then the second, then the banker",
                seen=f"the third card of {early} before that of {late}",
                spot=hand_spot(early),
            )
            return
    docket.conform("BT-DEAL-04")


def _judge_showing(coup: Coup, hands: Hands, docket: Docket) -> None:
    """All cards lie open and apart before the bets are settled (BT-DEAL-05)."""
    moves = [
        move
        for move in coup.moves
        if move.owner is Owner.DEALER and move.spot.area is Area.BET and move.t > hands.dealt[0].t
    ]
    if not moves or hands.missing is not None or hands.lost or hands.void or coup.began_unseen:
        return
    t_first = min(move.t for move in moves)
    lying = [card for card in hands.all if card.t <= t_first]
    dark = [card for card in lying if card.t_up is None or card.t_up > t_first]
    for card in dark:
        gap = coup.gaps.within(card.spot, card.t, t_first)
        if gap is not None:
            continue
        docket.breach(
            "BT-DEAL-05",
            "SETTLED_BEFORE_REVEAL",
            Moment.at(t_first, *card.seqs),
            expected="all cards shown before the bets are settled",
            seen=f"a bet was settled at {clock(t_first)} while a card of {card.hand} lay face down",
            spot=hand_spot(card.hand or BANCA),
        )
        return
    for name in HANDS:
        for one, two in pairwise(hands.of(name)):
            if one.at_mm is None or two.at_mm is None or len(one.rests) + len(two.rests) > 2:
                continue
            if abs(one.at_mm[0] - two.at_mm[0]) + abs(one.at_mm[1] - two.at_mm[1]) < _SAME_PLACE_MM:
                docket.breach(
                    "BT-DEAL-05",
                    "CARDS_NOT_SPREAD",
                    Moment.at(t_first, one.seq, two.seq),
                    expected="the cards laid apart",
                    seen=f"{one.name} and {two.name} lay on each other",
                    spot=hand_spot(name),
                )
                return
    if not dark:
        docket.conform("BT-DEAL-05")


def spoken(coup: Coup, hand: str) -> list[Cue]:
    """What a tableau said: ``carta`` or ``no``, in order."""
    return [cue for cue in told(coup, "says", hand) if cue.value in ("carta", "no")]
