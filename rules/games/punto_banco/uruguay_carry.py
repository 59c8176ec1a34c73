"""What a table of Uruguay's state casinos remembers from pass to pass, and whose each card is.

The bank is a player's for a run of passes; it begins by the shoe's way round, by auction (``remate``) or by
the voluntary handing on of the bank (``suite``), and ends when banca loses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.baccarat.coup import ASIDE, Coup
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.drawing_table import DrawingTable
from rules.baccarat.points import Result, card_value, points
from rules.baccarat.shoe import Shoe
from rules.chips import Board, Content, total
from rules.events import CardPlaced, Cue, Event, MarkerSeen, Owner, ShoeExit
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.reading import AT_DEALER, TableCarry, result_by_cards, shoe_seat
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area, Spot

BANKS = ("suite", "remate")
"""Cues by which a bank begins other than in turn."""
NOBODY = "nobody"
"""The value of a ``remate`` cue where nobody bids."""
_ALONE_S = 3.0
"""A card that goes while no other goes within this time is taken away alone."""
_PASS_S = 5.0
"""Nobody deals and gathers a whole pass in less time."""


@dataclass(frozen=True, slots=True)
class Run:
    """One player's bank. ``origin``: ``turn``, ``suite`` or ``remate``. ``start``: its first stake, None if
    not known. ``won``: passes it has won, None if not known: one may have gone unseen. ``withdrew``: half of
    it was taken out."""

    seat: int
    origin: str
    start: Fraction | None
    won: int | None = 0
    withdrew: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """A bank that its holder gave up: the seat, what was in play (None: not known), and when."""

    seat: int
    amount: Fraction | None
    t: float


@dataclass(slots=True)
class UruguayCarry(TableCarry):
    """Besides what every table remembers.

    ``given``: the suite that is to be taken. ``round``: seats that had the shoe in turn, in this round of the
    table. ``after_cut``: passes begun since the cut card showed. ``recent``: seats with bets, pass by pass,
    the last three. ``idle``: passes in a row that a seat sat out. ``sale``: sale chips that won and were not
    exchanged yet. ``claims``: bets that are claimed to have won. ``paddle``: it was seen at this table.
    ``tally``: passes that punto and banca won and ties of this shoe, None if one is not known. ``last``: the
    last pass was announced, and no pass has decided it yet. ``ended``: it was decided. ``opening``: the
    session before is over, and none was dealt in this one yet.
    """

    table: DrawingTable | None = None
    run: Run | None = None
    given: Given | None = None
    round: tuple[int, ...] = ()
    after_cut: int = 0
    recent: tuple[frozenset[int], ...] = ()
    idle: Mapping[int, int] = field(default_factory=dict)
    sale: frozenset[tuple[Spot, str]] = frozenset()
    claims: frozenset[Spot] = frozenset()
    paddle: bool = False
    tally: tuple[int, int, int] | None = None
    last: bool = False
    ended: bool = False
    opening: bool = False
    t_closed: float = float("-inf")
    """The close of the bets of the pass before."""

    def is_dealt(self, card: SeenCard) -> bool:
        """Also a card that lies aside, fell, or was thrown away as it came out face up."""
        area = card.dealt_to.area
        if area in (Area.DISCARD, Area.BURN):
            return card.exit_up
        return area in (Area.HAND, Area.SHOE, Area.TABLE, Area.OFF_TABLE)

    def annuls(self, _cards: list[SeenCard]) -> list[SeenCard]:
        """Cards that showed their face too early and were taken away alone before the next one came."""
        return [
            card
            for index, card in enumerate(_cards)
            if card.dealt_to.area in (Area.DISCARD, Area.BURN)
            or (index + 1 < len(_cards) and _taken_alone(card, _cards, _cards[index + 1].t))
        ]

    def assign(self, cards: list[SeenCard]) -> None:
        """Say whose the cards are; aside are those that lay in no hand, or that punto had no right to."""
        for card in cards:
            rested = [rest for rest in card.rests if rest.spot.area in (Area.HAND, Area.SHOE)]
            if rested and card.dealt_to.area not in (Area.HAND, Area.SHOE):
                card.t = rested[0].t  # it lay aside, and was used
        cards.sort(key=lambda card: (card.t, card.seq))
        TableCarry.assign(self, cards)
        for card in cards:
            if all(rest.spot.area not in (Area.HAND, Area.SHOE) for rest in card.rests):
                card.plays = ASIDE
        if (undue := undue_punto_card(cards, self.table)) is not None:
            undue.plays = ASIDE

    def after(self, coup: Coup) -> None:
        """Remember what the pass leaves."""
        told = [event for event in coup.events if isinstance(event, Cue | MarkerSeen)]
        seat = holder(self, coup)
        self.round = _round_of(self.round, seat, coup)
        self.after_cut = self.after_cut + 1 if self.shoe.cut_t is not None else 0
        players = frozenset(spot.seat for spot in coup.bets if spot.seat is not None)
        self.recent = (*self.recent[-2:], players)
        idle = {at: count + 1 for at, count in self.idle.items() if at not in players}
        self.idle = {**idle, **dict.fromkeys(players, 0)}
        self._follow_bank(coup, seat)
        self.t_closed = coup.t_close
        TableCarry.after(self, coup)
        self.seat = seat if seat is not None else self.seat
        self._count(coup)
        self.sale = _sale_winners(coup, self.result)
        first = coup.before if coup.number == 1 else ()
        for event in (*first, *told):
            if isinstance(event, MarkerSeen):
                self.paddle |= event.marker == "paddle"
            elif (
                isinstance(event, Cue) and event.spot is not None and event.cue in ("claim", "claim_decided")
            ):
                spot = frozenset({Spot.parse(event.spot)})
                self.claims = self.claims | spot if event.cue == "claim" else self.claims - spot
        self._follow_session(coup)

    def _follow_session(self, coup: Coup) -> None:
        """Whether this pass was the last one; nothing of a session that is over counts in the next."""
        announced = self.last or bool(is_told(coup.cues_before, "last_pass"))
        decided = announced and self.result not in (None, Result.TIE)
        self.ended = decided or (self.ended and not is_told(coup.cues_before, "new_shoe"))
        self.last = (announced and not decided) or bool(is_told(coup.cues, "last_pass"))
        ends = [cue for cue in is_told(coup.cues, "session_end") if cue.t > coup.t_result]
        self.opening = bool(ends)
        if ends:
            self.seat, self.result, self.run, self.given, self.tally = None, None, None, None, None
            self.round, self.recent, self.players, self.idle, self.after_cut = (), (), frozenset(), {}, 0
            self.sale, self.claims, self.last = frozenset(), frozenset(), False

    def counting(self, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """What was told in a session that is over counts for no pass of the next."""
        ends = [place for place, event in enumerate(told) if is_told([event], "session_end")]
        return told[ends[-1] :] if ends else told

    def _follow_bank(self, coup: Coup, seat: int | None) -> None:
        """The bank after this pass: how often it has won, whether it was given up."""
        run = bank_of(self, coup, seat)
        result = result_by_cards(coup)
        if run is not None and not coup.void:
            if result is None:
                run = replace(run, won=None)
            elif result is Result.BANCA:
                won = None if run.won is None else run.won + 1
                run = replace(run, won=won, withdrew=run.withdrew or withdrawn(coup, run.seat) > 0)
            elif result is Result.PUNTO:
                run = None
        self.given = None
        for event in is_told(coup.cues, "suite"):
            if event.t > coup.t_result and run is not None:
                self.given = Given(run.seat, stake_at(coup, run.seat, event.t), event.t)
        self.run = run

    def _count(self, coup: Coup) -> None:
        """Wins and ties of this shoe."""
        if any(is_told(coup.cues_before, "new_shoe")):
            self.tally = (0, 0, 0)
        if self.tally is not None and not coup.void:
            if self.result is None:
                self.tally = None
            else:
                punto, banca, ties = self.tally
                self.tally = (
                    punto + (self.result is Result.PUNTO),
                    banca + (self.result is Result.BANCA),
                    ties + (self.result is Result.TIE),
                )


def is_told(events: Sequence[Event], *cues: str) -> list[Cue]:
    """The cues of these names among events."""
    return [event for event in events if isinstance(event, Cue) and event.cue in cues]


def holder(start: TableCarry, coup: Coup) -> int | None:
    """Who holds the shoe: its place, or else the seat with the shoe's stake; None if not known."""
    seat = shoe_seat([*coup.before, *(e for e in coup.events if e.t <= coup.cards[-1].t)], start.seat)
    staked = {spot.seat for spot in coup.bets if spot.bet == "sabot"}
    if len(staked) == 1 and (seat is None or not any(_is_shoe(event) for event in coup.before)):
        return staked.pop()
    return seat


def _is_shoe(event: Event) -> bool:
    return isinstance(event, MarkerSeen) and event.marker == "shoe"


def opens(start: UruguayCarry, coup: Coup) -> bool:
    """Whether this is the first pass of a session, and what came before it in the session was told."""
    return start.opening or (coup.number == 1 and bool(is_told(coup.cues_before, "new_shoe")))


def bank_of(start: UruguayCarry, coup: Coup, seat: int | None) -> Run | None:
    """The bank as this pass begins: the one before, or a new one."""
    if seat is None or seat == AT_DEALER:
        return None
    begun = [event.cue for event in is_told(coup.cues_before, *BANKS) if event.value != NOBODY]
    run, missed = start.run, _pass_missed(start, coup)
    if run is not None and run.seat == seat and not begun:
        return replace(run, start=None, won=None) if missed else run
    stake = None if missed else stake_at(coup, seat, coup.t_close)
    known = bool(begun) or run is not None or start.result is not None or opens(start, coup)
    origin = "remate" if "remate" in begun else "suite" if begun else "turn"
    return Run(seat, origin, stake, 0 if known and not coup.began_unseen and not missed else None)


def _pass_missed(start: UruguayCarry, coup: Coup) -> bool:
    """Whether a whole pass may have gone unseen since the close of the one before."""
    return any(
        gap.t_from <= coup.t_result and gap.t_to >= start.t_closed and gap.t_to - gap.t_from >= _PASS_S
        for gap in coup.gaps.all
        if gap.spot is None or gap.spot.area is Area.HAND
    )


def stake_at(coup: Coup, seat: int, t: float) -> Fraction | None:
    """What lay on the shoe's stake of a seat at ``t``, None if not known."""
    spot = Spot(Area.BET, seat=seat, bet="sabot")
    content: Content = coup.at_close.get(spot, {})
    values = [standing.value for standing in content.values()]
    amount = Fraction(0)
    for value in values:
        if value is None:
            return None
        amount += value
    for move in coup.moves:
        if move.spot == spot and move.t <= t:
            gain, loss = total(move.added), total(move.removed)
            if gain is None or loss is None:
                return None
            amount += gain - loss
    return amount


def withdrawn(coup: Coup, seat: int) -> Fraction:
    """What the banker took out of his bank after the result, as far as it is known; what is taken up once he
    has given the bank up goes to the one who takes it, and with the session the bank ends."""
    out = Fraction(0)
    given = [cue.t for cue in is_told(coup.cues, *BANKS, "session_end") if cue.t > coup.t_result]
    until = min(given, default=float("inf"))
    for move in coup.moves:
        own = move.spot.bet == "sabot" and move.spot.seat == seat
        if own and move.owner is Owner.PLAYER and coup.t_result < move.t < until:
            gain, loss = total(move.added), total(move.removed)
            out += Fraction(0) if gain is None or loss is None else loss - gain
    return max(out, Fraction(0))


def undue_punto_card(cards: Sequence[SeenCard], table: DrawingTable | None) -> SeenCard | None:
    """Punto's third card where it had to stand and banca was not to draw either (art. 39)."""
    punto = [card for card in cards if card.plays == "punto"]
    banca = [card for card in cards if card.plays == "banca"]
    if table is None or len(punto) < 3 or len(banca) < 2 or punto[2].t_up is None:
        return None
    first = [card.card for card in (*punto[:2], *banca[:2])]
    values = [card_value(card) for card in first if card is not None]
    if len(values) < 4:
        return None
    at_punto, at_banca = points(values[:2]), points(values[2:])
    if table.is_natural(at_punto, at_banca) or at_punto in table.punto | table.punto_free:
        return None
    return None if table.banca_draws(at_banca, None) else punto[2]


def _taken_alone(card: SeenCard, cards: Sequence[SeenCard], before: float) -> bool:
    """Whether an exposed card was taken away by itself before the next one came."""
    gone = card.t_cleared
    shown = card.exit_up or any(
        turn.up and turn.hand is not None and turn.hand.owner is Owner.PLAYER for turn in card.turns
    )
    if gone is None or not shown or gone > before:
        return False
    return not any(
        other is not card and other.t_cleared is not None and abs(other.t_cleared - gone) <= _ALONE_S
        for other in cards
    )


def _round_of(before: tuple[int, ...], seat: int | None, coup: Coup) -> tuple[int, ...]:
    """The seats that had the shoe in turn in this round of the table, with this pass's."""
    if any(is_told(coup.cues_before, "new_shoe")):
        before = ()
    if seat is None or seat == AT_DEALER or (before and before[-1] == seat):
        return before
    if any(is_told(coup.cues_before, *BANKS)) and before:
        return before  # a bank taken out of turn does not move the turn
    if before and passes_start(before, seat):
        return (seat,)
    return (*before, seat)


def passes_start(turns: tuple[int, ...], seat: int) -> bool:
    """Whether going on to this seat the shoe comes by where the round began, so that a new one begins."""
    first, last = turns[0], turns[-1]
    if seat > last:
        return last < first <= seat
    return not seat < first <= last


def _sale_winners(coup: Coup, result: Result | None) -> frozenset[tuple[Spot, str]]:
    if result is not Result.PUNTO:
        return frozenset()
    return frozenset(
        (spot, bet.standing.stack.stack)
        for spot, bets in coup.bets.items()
        for bet in bets
        if spot.bet == "punto" and "sale" in bet.standing.stack.types
    )


def begin_uruguay(profile: PuntoBancoProfile, sight: Sight) -> UruguayCarry:
    """Before the first event."""
    return UruguayCarry(Board(sight), Shoe(), table=profile.drawing)


def passes_of(carry: UruguayCarry, events: Sequence[Event], ended: bool) -> list[tuple[UruguayCarry, Coup]]:
    """The passes of events in time order, each with what it began from."""
    return baccarat_coups(carry, reopened(events), ended)


def reopened(events: Sequence[Event]) -> Sequence[Event]:
    """The events without those closings of the bets after which the bank was given up before any card came:
    the suite opens the bets again (art. 32)."""
    if not is_told(events, "suite"):
        return events
    gone: set[int] = set()
    closings: list[int] = []
    for event in events:
        if isinstance(event, ShoeExit | CardPlaced):
            closings = []
        elif isinstance(event, Cue) and event.cue == "no_more_bets":
            closings.append(event.seq)
        elif isinstance(event, Cue) and event.cue == "suite":
            gone.update(closings)
    return [event for event in events if event.seq not in gone]
