"""What a simulated session consists of: the script of physical actions, and the exact truth.

Every action has three times, in seconds: ``t_from`` (the hand sets out, or the card begins to leave the
shoe),
``t`` (the moment that counts: chips released or lifted, card at rest, card turned over) and ``t_to`` (the
hand is gone again). Between ``t_from`` and ``t`` a carried thing goes from ``from_mm`` to ``at_mm``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction

from datasets.simulator_table import Point, TableGeometry
from rules.cards import Card, Face
from rules.events import Event, Hand
from rules.spots import Spot


@unique
class ErrorKind(StrEnum):
    """The dealer's and players' errors that can be injected; the value is the recordings' name for it."""

    WRONG_DRAW_PUNTO = "wrong_draw_punto"
    """Punto stands on its total but is given a third card."""
    MISSED_DRAW_PUNTO = "missed_draw_punto"
    """Punto is due a third card and gets none."""
    SIXTH_CARD = "sixth_card"
    """Banca is given a third card, the sixth of the coup, that it is not due."""
    MISSED_DRAW_BANCA = "missed_draw_banca"
    """Banca is due a third card and gets none."""
    DRAW_ON_NATURAL = "draw_on_natural"
    """A third card is dealt although a hand has 8 or 9."""
    FOURTH_CARD = "fourth_card"
    """A hand of three is given a fourth card."""
    DEAL_ORDER_WRONG = "deal_order_wrong"
    """The first four cards are dealt two and two, or banca first."""
    EXPOSED_CARD = "exposed_card"
    """One of the first four cards lies face up where they are dealt face down."""
    UNDERPAID = "underpaid"
    OVERPAID = "overpaid"
    LINE_BET_PAID_FULL = "line_bet_paid_full"
    LINE_LOSS_TAKEN_WHOLE = "line_loss_taken_whole"
    TIE_NOT_PAID = "tie_not_paid"
    WINNER_NOT_PAID = "winner_not_paid"
    LOSER_NOT_COLLECTED = "loser_not_collected"
    LOSER_PAID = "loser_paid"
    """A losing bet stays and is paid."""
    WINNER_COLLECTED = "winner_collected"
    PUSH_TAKEN = "push_taken"
    PUSH_PAID = "push_paid"
    WRONG_WINNER = "wrong_winner"
    """Every bet is settled as if the other hand had won."""
    PAID_BEFORE_COLLECT = "paid_before_collect"
    LATE_BET = "late_bet"
    """A player adds chips while the cards are dealt."""
    PAST_POSTING = "past_posting"
    """A player adds chips to a winning bet after the result, and is paid for them."""
    PINCHED_BET = "pinched_bet"
    """A player takes chips back while the cards are dealt."""
    CARDS_REMOVED_BEFORE_PAYMENT = "cards_removed_before_payment"
    CARDS_LEFT = "cards_left"
    """A card of the coup still lies there when the next one is dealt."""
    PLAYER_TOUCHES_CARD = "player_touches_card"
    """A player turns a card."""
    SEVENTH_CARD = "seventh_card"
    """A card comes out of the shoe more often than six packs hold it."""
    DEAL_AFTER_CUT_CARD = "deal_after_cut_card"
    BURN_COUNT = "burn_count"
    TIE_BET_OVER_LIMIT = "tie_bet_over_limit"
    BET_ABOVE_MAX = "bet_above_max"
    BET_BELOW_MIN = "bet_below_min"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Action:
    t_from: float
    t: float
    t_to: float
    hand: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChips(_Action):
    """Chips are put down as ``stack`` (a new one), or on top of ``stack`` if it stands already (``onto``).

    ``denominations``: the chips put down, bottom to top. ``initial``: they lie there from the start.
    """

    stack: str
    spot: Spot
    denominations: tuple[int, ...]
    at_mm: Point
    from_mm: Point
    line: str | None = None
    onto: bool = False
    initial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftChips(_Action):
    """``denominations`` of a stack are lifted; ``left`` is what then stands (bottom to top), nothing if all
    went."""

    stack: str
    spot: Spot
    denominations: tuple[int, ...]
    left: tuple[int, ...]
    at_mm: Point
    to_mm: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCard(_Action):
    """A card leaves the shoe at ``t_from`` and comes to rest at ``t``. ``face``: the side shown at rest."""

    card_id: str
    card: Card
    spot: Spot
    position: int
    face: Face
    from_mm: Point
    at_mm: Point
    angle_deg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCard(_Action):
    """A lying card is turned over, ``t``: its face looks up."""

    card_id: str
    card: Card
    spot: Spot
    at_mm: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepCard(_Action):
    """A card is picked up at ``t`` and lies face down on the discards at ``t_to``. The sweep of a coup is one
    movement: its cards have rising ``t`` and one ``t_to``."""

    card_id: str
    card: Card
    spot: Spot
    at_mm: Point
    to_mm: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCutCard(_Action):
    """The cut card comes to the shoe's mouth and is laid aside."""

    at_mm: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class NewShoe(_Action):
    """A new shoe of freshly shuffled packs is put in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchPlace(_Action):
    """A hand rests at a place from ``t`` on for ``held_s``, and takes nothing with it."""

    spot: Spot
    at_mm: Point
    from_mm: Point
    held_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LayMarker(_Action):
    """A marker is put down at a place and stays there: ``marker`` as the journal calls it."""

    marker: str
    spot: Spot
    at_mm: Point
    from_mm: Point


Action = (
    PlaceChips | LiftChips | DealCard | TurnCard | SweepCard | ShowCutCard | NewShoe | TouchPlace | LayMarker
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueBet:
    """One bet and how it ended. ``due``: ``pay``, ``collect`` or ``push`` by the cards as dealt;
    ``due_amount`` is the exact profit, or what is taken. ``actual``/``actual_amount``: what was done
    (``none``: nothing)."""

    stack: str
    spot: Spot
    denominations: tuple[int, ...]
    at_mm: Point
    line: str | None
    due: str
    due_amount: Fraction
    actual: str
    actual_amount: Fraction
    payment_stack: str | None = None
    payment: tuple[int, ...] = ()

    @property
    def value(self) -> int:
        """What lies there."""
        return sum(self.denominations)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueError:
    """One injected error: the code and rule of the finding it should give, where, and when it is complete."""

    kind: ErrorKind
    code: str
    rule: str
    spot: Spot | None
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueCoup:
    """One coup as it happened. ``deal``: (hand, card) in the order dealt."""

    number: int
    deal: tuple[tuple[str, Card], ...]
    punto_total: int
    banca_total: int
    winner: str
    bets: tuple[TrueBet, ...]
    error: TrueError | None
    t_close: float
    t_result: float
    t_end: float

    def hand(self, name: str) -> tuple[Card, ...]:
        """The cards of one hand, in order."""
        return tuple(card for hand, card in self.deal if hand == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A simulated recording: the table, the script for the renderer, the truth, and what a perfect observer
    would have recorded."""

    seed: int
    geometry: TableGeometry
    actions: tuple[Action, ...]
    coups: tuple[TrueCoup, ...]
    events: tuple[Event, ...]
    duration_s: float
