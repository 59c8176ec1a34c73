"""The three hands of a coup: what lies in them, what was lost from them, and what that makes of the coup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from rules.baccarat.coup import Coup
from rules.baccarat.points import card_value, points
from rules.events import Cue, Owner, ShoeExit
from rules.games.banque_deux_tableaux.lines import Side
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.words import BANCA, HANDS, TABLEAUX
from rules.seen_cards import SeenCard
from rules.spots import Area

DEAL = 6
"""Cards of a deal."""
STUCK_S = 0.05
"""Cards that leave the shoe nearer together than this came out as one."""
MOST_UNREAD = 3
"""More unread cards than this are not played through."""

Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """A card that went to the basket before anyone saw it. ``in_deal``: it fell there in dealing; ``owner``:
    whose hand it was."""

    card: SeenCard
    hand: str
    in_deal: bool
    owner: Owner


@dataclass(slots=True)
class Hands:
    """``dealt``: the cards that count, in the order laid down; ``by_name``: hand by hand, as they lie in the
    end. ``shown_by_shoe``: exits of cards that came out face up in the deal; ``unusable``: those of them that
    were laid on a hand, and whether each was taken away. ``void``: by tableau, the row that makes the coup
    void there. ``totals``: points that a hand has whatever its cards are (None: not known)."""

    dealt: list[SeenCard]
    by_name: dict[str, list[SeenCard]]
    shown_by_shoe: list[ShoeExit] = field(default_factory=list)
    unusable: list[tuple[SeenCard, bool]] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    stuck: tuple[SeenCard, SeenCard] | None = None
    void: dict[int, str] = field(default_factory=dict)
    totals: dict[str, int | None] = field(default_factory=dict)

    def of(self, name: str) -> list[SeenCard]:
        """A hand's cards."""
        return self.by_name[name]

    @property
    def all(self) -> list[SeenCard]:
        """The cards of all hands."""
        return [card for name in HANDS for card in self.by_name[name]]

    @property
    def moved(self) -> list[SeenCard]:
        """Cards that lie with another hand than they were dealt to."""
        return [card for card in self.all if dealt_for(card) != card.hand]

    @property
    def missing(self) -> str | None:
        """Why the hands cannot be judged: fewer than two cards were seen of one."""
        for name in HANDS:
            if len(self.by_name[name]) < 2 and name not in self.totals:
                seen = "no card" if not self.by_name[name] else "only one card"
                return f"{seen} was seen on hand {name}"
        return None


def dealt_for(card: SeenCard) -> str | None:
    """The hand that a card was first laid at."""
    for rest in card.rests:
        if rest.spot.area is Area.HAND:
            return rest.spot.hand
    return card.hand


def told(coup: Coup, cue: str, hand: str | None = None) -> list[Cue]:
    """The cues of this name from the close on, of one hand if ``hand`` is given."""
    return [
        event
        for event in coup.events
        if isinstance(event, Cue) and event.cue == cue and (hand is None or event.spot == f"hand {hand}")
    ]


def told_before(coup: Coup, *cues: str) -> list[Cue]:
    """The cues of these names that were told for this coup before it was dealt out."""
    last = coup.cards[-1].t
    return [
        event
        for event in (*coup.before, *(other for other in coup.events if other.t <= last))
        if isinstance(event, Cue) and event.cue in cues
    ]


def read_hands(coup: Coup) -> Hands:
    """The hands as the cards make them."""
    unusable = []
    deal: list[SeenCard] = []
    for card in coup.cards:
        if card.exit_up and len(deal) < DEAL:
            unusable.append((card, card.t_cleared is not None and card.t_cleared < coup.t_result))
        else:
            deal.append(card)
    away = {card.card_id for card, taken in unusable if taken}
    dealt = [card for card in coup.cards if card.card_id not in away]
    by_name = {name: [card for card in dealt if card.hand == name] for name in HANDS}
    hands = Hands(dealt, by_name, unusable=unusable)
    dealt_out = deal[DEAL - 1].t if len(deal) >= DEAL else float("inf")
    hands.shown_by_shoe = [
        event
        for event in coup.events
        if isinstance(event, ShoeExit) and event.face == "up" and event.t < dealt_out
    ]
    hands.stuck = _stuck(dealt, dealt_out)
    if hands.stuck is not None:
        hands.void = dict.fromkeys(range(2), "BT-ERR-02")
    hands.lost = [loss for card in dealt if (loss := _lost(coup, card, dealt_out)) is not None]
    for loss in hands.lost:
        if not loss.in_deal:
            hands.totals[loss.hand] = 0 if loss.owner is Owner.PLAYER else _testimony(coup, loss.hand)
        elif loss.hand == BANCA:
            hands.void = dict.fromkeys(range(2), "BT-ERR-08")
        else:
            hands.void.setdefault(TABLEAUX.index(loss.hand), "BT-ERR-08")
    if coup.void or any(cue.value == "annulled" for cue in told(coup, "ruling")):
        hands.void = {tableau: hands.void.get(tableau, "BT-ERR-05") for tableau in range(2)}
    return hands


def _stuck(cards: Sequence[SeenCard], dealt_out: float) -> tuple[SeenCard, SeenCard] | None:
    exits = sorted(
        (card for card in cards if card.t_exit is not None and card.t_exit < dealt_out),
        key=lambda card: card.t_exit or 0.0,
    )
    for one, two in pairwise(exits):
        if (two.t_exit or 0.0) - (one.t_exit or 0.0) < STUCK_S:
            return one, two
    return None


def _lost(coup: Coup, card: SeenCard, dealt_out: float) -> Lost | None:
    """A card that left for the basket unseen while the coup went on."""
    gone = card.t_cleared
    if gone is None or card.t_up is not None or card.hand is None:
        return None
    if card.cleared_to is not None and card.cleared_to.area is not Area.DISCARD:
        return None
    others = [other for other in coup.cards if other is not card]
    if not any(other.t > gone or (other.t_up or 0.0) > gone for other in others):
        return None
    hands = [contact.hand.owner for contact in card.contacts if contact.t == gone]
    return Lost(card, card.hand, gone < dealt_out, hands[0] if hands else Owner.UNKNOWN)


def _testimony(coup: Coup, hand: str) -> int | None:
    """The points that those say who saw a hand's lost cards."""
    words = [cue.value for cue in told(coup, "testimony", hand)]
    return int(words[-1]) if words and words[-1] and words[-1] in "0123456789" else None


# points ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Points:
    """One hand for certain values of its cards. ``first``: its two-card total; ``third``: the third card's
    value, None without one; ``natural``: eight or nine in two cards, which it keeps."""

    total: int
    first: int
    third: int | None
    natural: bool


Reading = tuple[Points, Points, Points]
"""The first tableau, the second and the bank."""


def readings(hands: Hands, profile: BanqueProfile) -> Iterator[Reading]:
    """The hands' points for each value that unread cards may have. A hand of more than three cards counts
    with three, or with all."""
    cards = hands.all
    sizes = [len(hands.of(name)) for name in HANDS]
    for values in product(*(range(10) if card.card is None else (card_value(card.card),) for card in cards)):
        at, parts = 0, []
        for name, size in zip(HANDS, sizes, strict=True):
            parts.append(_points(name, values[at : at + size], hands, profile))
            at += size
        yield from product(*parts)


def _points(name: str, values: Values, hands: Hands, profile: BanqueProfile) -> list[Points]:
    if name in hands.totals:
        fixed = hands.totals[name]
        return [Points(total, total, None, False) for total in (range(10) if fixed is None else (fixed,))]
    first = points(values[:2])
    third = values[2] if len(values) > 2 else None
    totals = {points(values[:3]), points(values)}
    natural = third is None and first in profile.drawing.naturals
    return [Points(total, first, third, natural) for total in sorted(totals)]


def side_of(tableau: Points, banca: Points) -> Side:
    """Who wins: the higher total, and an eight or nine in two cards over one in three (BT-WIN-01)."""
    one, two = ((hand.natural, hand.total) for hand in (tableau, banca))
    if one == two:
        return Side.TIE
    return Side.TABLEAU if one > two else Side.BANCA
