"""One hand's course as its cards tell it: who plays, when all were dealt, when common cards were turned."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from rules.baccarat.coup import Coup
from rules.events import Owner
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.words import (
    COMMUNITY,
    LEFT,
    OWN_CARDS,
    PLAYERS,
    RIGHT,
    THIRD,
    hand_of,
    is_bet,
    seat_of,
)
from rules.seen_cards import SeenCard, Turn
from rules.spots import Area


@dataclass(frozen=True, slots=True)
class Round:
    """``players``: seats in turn that take part, by their bets (by their cards where no bet is in view);
    ``dealt``: the cards in the order laid down; ``by_hand``: hand by hand, as they were dealt.

    ``t_dealt``: the last card of the deal lay there. ``t_left``, ``t_right``: the common cards were turned in
    their time, infinite if they were not (yet). ``t_settled_from``: the bets are paid and taken from then on.
    """

    players: list[int]
    bets_seen: bool
    dealt: list[SeenCard]
    by_hand: dict[str, list[SeenCard]]
    t_dealt: float
    t_left: float
    t_right: float
    t_settled_from: float

    def of(self, seat: int) -> list[SeenCard]:
        """A player's cards."""
        return self.by_hand.get(hand_of(seat), [])

    @property
    def common(self) -> list[SeenCard]:
        """The common cards, left and right."""
        return [card for name in COMMUNITY for card in self.by_hand.get(name, [])]

    @property
    def seats(self) -> list[int]:
        """Every seat that has cards or bets, in turn."""
        return [seat for hand in self.by_hand if (seat := seat_of(hand)) is not None]

    @property
    def expected(self) -> int:
        """Cards of a whole deal."""
        return OWN_CARDS * len(self.players) + len(COMMUNITY)

    def deal(self, order: tuple[str, ...]) -> list[str]:
        """The hands in the order in which they are to be dealt to."""
        players = [hand_of(seat) for seat in self.players]
        return [hand for step in order for hand in (players if step == PLAYERS else [step])]


def dealt_for(card: SeenCard) -> str | None:
    """The hand that a card was first laid at."""
    for rest in card.rests:
        if rest.spot.area is Area.HAND:
            return rest.spot.hand
    return card.hand


def round_of(coup: Coup, profile: TrijokerProfile) -> Round:
    """A hand's course."""
    dealt = sorted(coup.cards, key=lambda card: (card.t, card.seq))
    by_hand: dict[str, list[SeenCard]] = {}
    for card in dealt:
        if (name := dealt_for(card)) is not None:
            by_hand.setdefault(name, []).append(card)
    betting = {
        spot.seat for spot, bets in coup.bets.items() if is_bet(spot) and bets and spot.seat is not None
    }
    holding = {seat for name in by_hand if (seat := seat_of(name)) is not None}
    players = profile.in_turn(betting or holding)
    whole = OWN_CARDS * len(players) + len(COMMUNITY)
    t_dealt = dealt[min(whole, len(dealt)) - 1].t
    t_left = _turned(by_hand.get(LEFT, []), t_dealt)
    t_right = _turned(by_hand.get(RIGHT, []), t_dealt)
    ordered = {hand_of(seat): by_hand.get(hand_of(seat), []) for seat in profile.in_turn(betting | holding)}
    ordered |= {name: by_hand[name] for name in COMMUNITY if name in by_hand}
    return Round(
        players=players,
        bets_seen=bool(betting),
        dealt=dealt,
        by_hand=ordered,
        t_dealt=t_dealt,
        t_left=t_left,
        t_right=t_right,
        t_settled_from=_settled_from(coup, dealt, by_hand, t_dealt, t_left, t_right),
    )


def face_up(card: SeenCard) -> list[Turn]:
    """Each time that a card came to show its face; one that left the pack so shows it as it is laid down."""
    hand = card.rests[0].hand if card.rests else None
    shown = [Turn(card.t, card.seq, True, hand)] if card.placed_up or card.exit_up else []
    return shown + [turn for turn in card.turns if turn.up]


def _turned(cards: list[SeenCard], t_dealt: float) -> float:
    """When a common card was turned after the deal."""
    return min((turn.t for card in cards for turn in face_up(card) if turn.t > t_dealt), default=inf)


def _settled_from(
    coup: Coup,
    dealt: list[SeenCard],
    by_hand: dict[str, list[SeenCard]],
    t_dealt: float,
    t_left: float,
    t_right: float,
) -> float:
    """From when on chips are paid and taken: the last common card is turned. Where that was shown before its
    time, or nobody saw it turned, it is when the dealer turns players' cards and then settles bets."""
    if t_right < inf:
        return t_right if t_left == inf else max(t_left, t_right)
    if not coup.over and not any(card.t_up is not None for card in by_hand.get(RIGHT, [])):
        return inf
    after = t_left if t_left < inf else t_dealt
    swept = inf if coup.t_swept is None else coup.t_swept
    shown = [
        turn.t
        for card in dealt
        if seat_of(card.hand) is not None
        for turn in card.turns
        if turn.up and after < turn.t < swept and (turn.hand is None or turn.hand.owner is not Owner.PLAYER)
    ]
    by_dealer = [move for move in coup.moves if move.t > after and move.owner is Owner.DEALER]
    paid = [move.t for move in by_dealer if move.added]
    if not paid and not any(move.t > min(shown, default=inf) for move in by_dealer):
        return inf  # bets may have been given back as well
    return min([*shown, *paid, *(move.t for move in by_dealer if move.spot.bet == THIRD)])
