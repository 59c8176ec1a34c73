"""The deal and the reveal: order, number and faces of the cards, whose hands were there, the bought card."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import inf

from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import CardCleared, CardMoved, Owner
from rules.games.no_discard_poker.hands import Hands
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import Round
from rules.games.no_discard_poker.words import ANTE, BANCA, BANK_HAND, EXCHANGE, FIVE, box, hand_of
from rules.money import readable
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import hand_spot

_TOGETHER_S = 0.05
_FACE_S = 1.5
"""A card turned so soon after it was laid was dealt face up."""


def judge_dealing(
    coup: Round, hands: Hands, profile: PokerProfile, sight: Sight, docket: Docket
) -> list[float]:
    """Everything about the cards; returns when the errors happened that annul the round."""
    _judge_pack(coup, sight, docket)
    _judge_table(coup, docket)
    if coup.began_unseen:
        return []
    errors = [*_judge_order(coup, docket), *_judge_faces(coup, profile, docket)]
    _judge_reveal(coup, docket)
    _judge_gathering(coup, hands, docket)
    if profile.exchange:
        for seat in coup.seats:
            _judge_exchange(coup, hands, seat, profile, docket)
    return errors


def _judge_pack(coup: Round, sight: Sight, docket: Docket) -> None:
    """No card is there twice (NP-DECK-01), those included that still lie there from the round before."""
    lying = [card for card in coup.left if card.t_cleared is not None and card.t_cleared > coup.t_dealt]
    cards = [*lying, *coup.cards]
    sure = [card for card in cards if card.card is not None and card.p >= sight.composition_p]
    twice = [name for name, count in Counter(card.name for card in sure).items() if count > 1]
    for name in twice:
        both = [card for card in sure if card.name == name]
        docket.breach(
            "NP-DECK-01",
            "CARD_COMPOSITION",
            Moment.at(both[-1].t_up or both[-1].t, *(seq for card in both for seq in card.seqs)),
            expected="one pack, in which each card is once",
            seen=f"{name} {len(both)} times in one round",
            spot=both[-1].dealt_to,
            subject=name,
        )
    if sure and not twice:
        docket.conform("NP-DECK-01")


def _judge_table(coup: Round, docket: Docket) -> None:
    """The cards stay on the table (NP-TOUCH-01)."""
    cards = {card.card_id: card for card in coup.cards}
    clean = True
    for event in coup.events:
        if not isinstance(event, CardMoved | CardCleared) or event.to_spot != "off table":
            continue
        if (card := cards.get(event.card_id)) is not None:
            clean = False
            docket.breach(
                "NP-TOUCH-01",
                "CARD_OFF_TABLE",
                Moment.at(event.t, event.seq),
                expected="the cards over the table, in the dealer's sight",
                seen=f"a card of {card.dealt_to} left the table at {clock(event.t)}",
                spot=card.dealt_to,
                subject=card.card_id,
            )
    if clean and coup.cards:
        docket.conform("NP-TOUCH-01")


def _judge_order(coup: Round, docket: Docket) -> list[float]:
    """One by one, clockwise, the bank last, five each (NP-DEAL-01)."""
    rule = "NP-DEAL-01"
    order = [card.dealt_to.hand or "" for card in coup.dealt]
    names = sorted({name for name in order if name != BANCA}, key=lambda name: (len(name), name))
    counts = {name: order.count(name) for name in [*names, BANCA]}
    expected = "five cards each, one at a time: " + ", ".join([*names, BANCA])
    when = Moment.span(coup.t_close, coup.t_dealt, *(card.seq for card in coup.dealt))
    short = min(counts.values()) < FIVE
    if short and not (coup.over or coup.t_reveal is not None):
        return []  # still being dealt
    if reason := _unsure(coup, counts):
        docket.undetermined(rule, "WRONG_DEAL_ORDER", when, reason, expected=expected)
        return []
    wrong = [name for name, count in counts.items() if count != FIVE]
    if wrong:
        seen = ", ".join(f"{counts[name]} on {name}" for name in wrong)
        spot = hand_spot(wrong[0])
        sure = docket.breach(rule, "WRONG_CARD_COUNT", when, expected=expected, seen=seen, spot=spot)
        return [coup.t_dealt] if sure else []
    if astray := _astray(coup, names):
        name, code, seen = astray
        sure = docket.breach(rule, code, when, expected=expected, seen=seen, spot=hand_spot(name))
        return [coup.t_dealt] if sure else []
    due = [*names, BANCA] * FIVE
    if order == due:
        docket.conform(rule)
        return []
    place = next(i for i, (seen, right) in enumerate(zip(order, due, strict=True)) if seen != right)
    sure = docket.breach(
        rule,
        "WRONG_DEAL_ORDER",
        Moment.at(coup.dealt[place].t, coup.dealt[place].seq),
        expected=f"card {place + 1} of the deal to {due[place]}",
        seen=f"card {place + 1} of the deal to {order[place]}",
        spot=coup.dealt[place].dealt_to,
    )
    return [coup.dealt[place].t] if sure else []


def _unsure(coup: Round, counts: dict[str, int]) -> str | None:
    for name in counts:
        if gap := coup.gaps.within(hand_spot(name), coup.t_close, coup.t_dealt):
            return f"hand {name} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    if coup.cut_off and min(counts.values()) < FIVE:
        return "the recording ended during the deal"
    if any(two.t - one.t < _TOGETHER_S for one, two in pairwise(coup.dealt)):
        return "two cards came to rest at the same time"
    return None


def _astray(coup: Round, names: list[str]) -> tuple[str, str, str] | None:
    """A hand without an ante that was dealt cards, or an ante without cards: hand, code, what was seen."""
    antes = {f"seat_{spot.seat}" for spot, bets in coup.bets.items() if bets and spot.bet == ANTE}
    if not antes:
        return None  # the antes are not in view
    for name in names:
        spot = box(int(name.removeprefix("seat_")), ANTE)
        if name not in antes and not coup.gaps.within(spot, coup.t_close - 2.0, coup.t_close + 1.0):
            return name, "WRONG_DEAL_ORDER", f"cards were dealt to {name}, where no ante lay"
    for name in sorted(antes - set(names)):
        return name, "WRONG_CARD_COUNT", f"no cards were dealt to {name}, where an ante lay"
    return None


def _judge_faces(coup: Round, profile: PokerProfile, docket: Docket) -> list[float]:
    """Face down all of them, but the bank's fifth (NP-DEAL-02); players show none (NP-INFO-01)."""
    bank = coup.five(BANCA)
    fifth = bank[FIVE - 1] if len(bank) >= FIVE else None
    show = inf if coup.t_reveal is None else coup.t_reveal
    errors: list[float] = []
    for card in coup.dealt:
        if card is not fifth:
            errors += _judge_hidden(card, coup, show, docket)
    if not profile.face_up:
        errors += [t for card in coup.bought if card.placed_up for t in _exposed(card, card.t, docket)]
    if fifth is not None and not _laid_open(fifth):
        if coup.over or coup.t_end > fifth.t + _FACE_S:
            sure = docket.breach(
                "NP-DEAL-02",
                "CARD_FACE_WRONG",
                Moment.at(fifth.t, *fifth.seqs),
                expected="the bank's fifth card face up",
                seen="it was dealt face down",
                spot=BANK_HAND,
                subject="fifth",
            )
            errors += [fifth.t] if sure else []
    elif fifth is not None and not errors:
        docket.conform("NP-DEAL-02")
    return errors


def _laid_open(card: SeenCard) -> bool:
    return card.placed_up or (card.t_up is not None and card.t_up <= card.t + _FACE_S)


def _judge_hidden(card: SeenCard, coup: Round, show: float, docket: Docket) -> list[float]:
    if card.placed_up:
        return _exposed(card, card.t, docket)
    turn = next((turn for turn in card.turns if turn.up and turn.t < show), None)
    if turn is None:
        return []
    owner = Owner.UNKNOWN if turn.hand is None else turn.hand.owner
    if owner is Owner.PLAYER and card.dealt_to != BANK_HAND:
        docket.breach(
            "NP-INFO-01",
            "PLAYER_CARD_EXPOSED",
            Moment.at(turn.t, turn.seq),
            expected="players' cards shown to nobody before the bank's are turned",
            seen=f"a player turned {card.name} of {card.dealt_to} at {clock(turn.t)}",
            spot=card.dealt_to,
        )
        return []
    if show == inf and turn.t > coup.t_dealt:
        return []  # the reveal itself was not seen
    if owner is Owner.UNKNOWN:
        docket.undetermined(
            "NP-DEAL-02",
            "EXPOSED_CARD",
            Moment.at(turn.t, turn.seq),
            "whose hand turned the card was not seen",
            seen=f"{card.name} shown at {clock(turn.t)}",
            spot=card.dealt_to,
            subject=card.card_id,
        )
        return []
    return _exposed(card, turn.t, docket)


def _exposed(card: SeenCard, t: float, docket: Docket) -> list[float]:
    sure = docket.breach(
        "NP-DEAL-02",
        "EXPOSED_CARD",
        Moment.at(t, *card.seqs),
        expected="every card face down but the bank's fifth; the round is annulled",
        seen=f"{card.name} of {card.dealt_to} lay face up at {clock(t)}",
        spot=card.dealt_to,
        subject=card.card_id,
    )
    return [t] if sure else []


def shown_by_player(coup: Round) -> dict[int, float]:
    """The seats whose player turned a card of his too early, and when."""
    show = inf if coup.t_reveal is None else coup.t_reveal
    seats: dict[int, float] = {}
    for card in coup.cards:
        seat = int(name.removeprefix("seat_")) if (name := card.dealt_to.hand or BANCA) != BANCA else None
        for turn in card.turns:
            mine = turn.up and turn.hand is not None and turn.hand.owner is Owner.PLAYER
            if seat is not None and mine and turn.t < show and not card.placed_up:
                seats.setdefault(seat, turn.t)
    return seats


def _judge_reveal(coup: Round, docket: Docket) -> None:
    """The bank's cards are turned when all have decided (NP-REV-01)."""
    if coup.t_reveal is None:
        return
    clean = True
    for spot, move in sorted(coup.late.items()):
        clean = False
        when = Moment.span(coup.t_reveal, move.t, move.seq)
        told = (
            f"the bank's cards turned at {clock(coup.t_reveal)}, the second bet at {spot} at {clock(move.t)}"
        )
        if move.t_from <= coup.t_reveal:
            why = f"{spot} could not be seen from {clock(move.t_from)} on"
            docket.undetermined("NP-REV-01", "REVEAL_ORDER", when, why, seen=told, spot=BANK_HAND)
        else:
            docket.breach(
                "NP-REV-01",
                "REVEAL_ORDER",
                when,
                expected="the bank's cards turned after every player's decision",
                seen=told,
                spot=BANK_HAND,
                subject=f"seat-{spot.seat}",
            )
    if clean:
        docket.conform("NP-REV-01")


def _judge_gathering(coup: Round, hands: Hands, docket: Docket) -> None:
    """The cards of who passed are gathered all together (NP-DEC-02)."""
    if coup.t_reveal is None or not coup.over:
        return
    for seat in sorted(hands.folded):
        cards = [card for card in coup.cards if card.dealt_to == hand_of(seat)]
        gone = [card for card in cards if card.t_cleared is not None and card.t_cleared <= coup.t_reveal]
        if (
            gone
            and len(gone) < len(cards)
            and not coup.gaps.within(hand_of(seat), coup.t_dealt, coup.t_reveal)
        ):
            docket.breach(
                "NP-DEC-02",
                "WRONG_CARD_COUNT",
                Moment.at(coup.t_reveal, *(card.seq for card in cards)),
                expected=f"the {len(cards)} cards of a player who passed counted and gathered",
                seen=f"{len(gone)} were gathered before the bank's cards were turned",
                spot=hand_of(seat),
            )


def _judge_exchange(coup: Round, hands: Hands, seat: int, profile: PokerProfile, docket: Docket) -> None:
    """One card bought for as much as the ante (NP-DISC-01)."""
    rule, name, spot = "NP-DISC-01", f"seat_{seat}", box(seat, EXCHANGE)
    bought = [card for card in coup.bought if card.dealt_to.hand == name]
    away = [] if seat in hands.folded and not bought else coup.put_away(name)
    until = inf if coup.t_reveal is None else coup.t_reveal
    puts = [
        m for m in coup.moves if m.spot == spot and m.added and m.t < until and m.owner is not Owner.DEALER
    ]
    laid = [bet.standing.value for bet in coup.bets.get(spot, [])]
    price_parts = [*laid, *(move.gain for move in puts)]
    if not (bought or price_parts) or (coup.t_reveal is None and not coup.over):
        return
    last = bought[-1].t if bought else puts[-1].t if puts else coup.t_dealt
    when = Moment.span(coup.t_dealt, last, *(card.seq for card in bought), *(move.seq for move in puts))
    clean = True
    antes = [bet.standing.value for bet in coup.bets.get(box(seat, ANTE), [])]
    known = [value for value in antes if value is not None]
    price = [value for value in price_parts if value is not None]
    if len(known) == len(antes) and known and len(price) == len(price_parts) and sum(price) != sum(known):
        clean = False
        text = readable(sum(known))
        at = spot if price_parts else hand_of(seat)
        seen = f"{readable(sum(price))} was laid for it"
        if price_parts or (profile.spaces is not None and EXCHANGE in profile.spaces):
            docket.breach(
                rule,
                "EXCHANGE_PRICE_WRONG",
                when,
                expected=f"{text}, as much as the ante",
                seen=seen,
                spot=at,
            )
        else:
            why = "where its price is laid is not in view"
            docket.undetermined(rule, "EXCHANGE_PRICE_WRONG", when, why, spot=at)
    if len(bought) != 1 or len(away) != 1:
        clean = False
        docket.breach(
            rule,
            "WRONG_CARD_COUNT",
            when,
            expected="one card put away, and one dealt for it",
            seen=f"{len(away)} put away, {len(bought)} dealt",
            spot=hand_of(seat),
            subject="exchange",
        )
    if clean:
        docket.conform(rule)
