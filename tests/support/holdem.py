"""Random Hold'em games as pokerkit plays them, each written down as the journal of a table that saw it.

pokerkit is another maker's engine: whose turn it is, what a bet may be, the pots and who wins them are all
its own. Only what it leaves to the house is done here: the odd units of a pot that several share go one each.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pokerkit import (
    Automation,
    BetCollection,
    BlindOrStraddlePosting,
    BoardDealing,
    CardBurning,
    CheckingOrCalling,
    ChipsPushing,
    CompletionBettingOrRaisingTo,
    Folding,
    HoleCardsShowingOrMucking,
    HoleDealing,
    NoLimitTexasHoldem,
    State,
)

from datasets.games.circle_poker.table import Table
from datasets.games.scribe import DEALER, player
from rules.cards import Face
from rules.events import CardCleared, ChipMove, Event, MarkerSeen

SMALL, BIG = 5, 10
RAKE = 20
"""The house takes one part in so many, where it takes one."""
_ALL = tuple(Automation)
_SIGNS = {"put": -1, "post": -1, "pay": 1, "back": 1}
AUTOMATIC = tuple(one for one in _ALL if one is not Automation.RUNOUT_COUNT_SELECTION)


@dataclass(frozen=True, slots=True)
class Step:
    """What was done: ``post``, ``deal``, ``fold``, ``put`` (chips, none for a check), ``back``
    (what nobody called), ``gather``, ``burn``,
    ``board``, ``show``, ``muck``, ``rake`` or ``pay`` (``pot``: of which pot)."""

    what: str
    seat: int = 0
    amount: int = 0
    cards: tuple[str, ...] = ()
    pot: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """One hand. ``seats``: clockwise, the first after the marker first; ``stacks``: by seat, before it;
    ``left``: by seat, after it; ``live``: seats whose cards were shown."""

    seats: tuple[int, ...]
    stacks: dict[int, int]
    steps: tuple[Step, ...]
    left: dict[int, int] = field(default_factory=dict)


def new_state(stacks: Sequence[int], automatic: Sequence[Automation] = AUTOMATIC) -> State:
    """A hand of no-limit Hold'em before its blinds are posted. ``automatic``: what goes on by itself."""
    automatic = tuple(automatic)
    return NoLimitTexasHoldem.create_state(automatic, True, 0, (SMALL, BIG), BIG, stacks, len(stacks))


def play_on(state: State, rng: random.Random) -> None:
    """Random acts to the hand's end."""
    while state.status:
        way = rng.random()
        if way < 0.25 and state.can_fold():
            state.fold()
        elif way < 0.75 or not state.can_complete_bet_or_raise_to():
            state.check_or_call()
        else:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            assert low is not None
            assert high is not None
            state.complete_bet_or_raise_to(rng.choice((low, min(high, low + rng.randrange(120)), high)))


def played(seed: int, hands: int, *, rake: bool = False) -> list[Played]:
    """A table's hands, one after the other: two to seven players, who buy more when they have little."""
    rng = random.Random(seed)
    random.seed(seed)  # pokerkit shuffles with the module's own generator
    seats = sorted(rng.sample(range(1, 10), rng.randint(2, 7)))
    stacks = {seat: rng.randrange(100, 500) for seat in seats}
    found = []
    for number in range(hands):
        order = tuple(seats[number % len(seats) :] + seats[: number % len(seats)])
        for seat in seats:
            stacks[seat] += 200 if stacks[seat] < 100 else 0
        state = new_state([stacks[seat] for seat in order])
        play_on(state, rng)
        steps = _steps(state, order, rake=rake)
        left = dict(stacks)
        for step in steps:
            left[step.seat] = left.get(step.seat, 0) + _SIGNS.get(step.what, 0) * step.amount
        found.append(Played(order, dict(stacks), tuple(steps), left))
        stacks = {seat: left[seat] for seat in seats}
    return found


def _steps(state: State, order: Sequence[int], *, rake: bool) -> list[Step]:  # noqa: C901 - one case an operation
    steps: list[Step] = []
    street: dict[int, int] = {}
    total = taken = kept = 0
    for deed in state.operations:
        match deed:
            case BlindOrStraddlePosting():
                steps.append(Step("post", order[deed.player_index], deed.amount))
                street[deed.player_index] = deed.amount
            case HoleDealing():
                steps.append(Step("deal", order[deed.player_index], cards=tuple(map(repr, deed.cards))))
            case Folding():
                steps.append(Step("fold", order[deed.player_index]))
            case CheckingOrCalling():
                steps.append(Step("put", order[deed.player_index], deed.amount))
                street[deed.player_index] = street.get(deed.player_index, 0) + deed.amount
            case CompletionBettingOrRaisingTo():
                more = deed.amount - street.get(deed.player_index, 0)
                steps.append(Step("put", order[deed.player_index], more))
                street[deed.player_index] = deed.amount
            case BetCollection():
                # pokerkit gives a sole winner all his last bet back, also what was called of it.
                called = sorted(street.values())[-2] if len(street) > 1 else 0
                for place, put in street.items():
                    if put > max(called, deed.bets[place]):
                        steps.append(Step("back", order[place], put - max(called, deed.bets[place])))
                    kept += max(0, min(put, called) - deed.bets[place])
                steps.append(Step("gather"))
                total, street = total + sum(deed.bets), {}
            case CardBurning():
                steps.append(Step("burn"))
            case BoardDealing():
                steps.append(Step("board", cards=tuple(map(repr, deed.cards))))
            case HoleCardsShowingOrMucking():
                what = "show" if deed.hole_cards else "muck"
                steps.append(Step(what, order[deed.player_index], cards=tuple(map(repr, deed.hole_cards))))
            case ChipsPushing():
                amounts = [amount + (kept if amount else 0) for amount in deed.amounts]
                total, kept = total + kept, 0
                if rake and not taken and any(state.board_cards):
                    taken = total // RAKE
                    steps.append(Step("rake", amount=taken))
                    amounts = _less(amounts, taken)
                steps += _shared(amounts, order, deed.pot_index)
            case _:
                pass
    return steps


def _less(amounts: Sequence[int], taken: int) -> list[int]:
    """A pot of which the house took its part first: shared again."""
    winners = [place for place, amount in enumerate(amounts) if amount]
    each, odd = divmod(sum(amounts) - taken, len(winners))
    return [
        0 if place not in winners else each + (odd if place == winners[0] else 0)
        for place in range(len(amounts))
    ]


def _shared(amounts: Sequence[int], order: Sequence[int], pot: int) -> list[Step]:
    winners = [place for place, amount in enumerate(amounts) if amount]
    each, odd = divmod(sum(amounts), max(1, len(winners)))
    return [Step("pay", order[place], each + (number < odd), pot=pot) for number, place in enumerate(winners)]


def journal(hands: Sequence[Played], seed: int = 0) -> list[Event]:
    """The hands as a perfect observer tells them."""
    table = Table(random.Random(seed))
    for hand in hands:
        _write(table, hand)
    table.scribe.t += 20.0
    return table.scribe.events


def _write(table: Table, hand: Played) -> None:
    scribe = table.scribe
    scribe.t += 10.0
    for seat, stack in hand.stacks.items():
        if table.behind.get(seat) != stack:
            table.behind[seat] = stack
            table.show_stack(seat, player(seat))
    scribe.t += 10.0
    scribe.marker(MarkerSeen(seq=0, t=0, marker="button", spot=f"seat {hand.seats[-1]} button"))
    names: dict[int, list[str]] = {seat: [] for seat in hand.seats}
    paying = False
    for step in hand.steps:
        if step.what in ("pay", "rake") and not paying:
            paying = True
            scribe.t += 5.0
        _do(table, step, names)
    scribe.t += 3.0
    if table.pot:
        table.pot = 0
        table._lay("pot", 0, 5000, DEALER)
    scribe.sweep(hand=DEALER)


def _do(table: Table, step: Step, names: dict[int, list[str]]) -> None:  # noqa: C901 - one case a step
    scribe, seat = table.scribe, step.seat
    match step.what:
        case "post" | "put":
            if step.amount:
                table.put(seat, step.amount)
        case "deal":
            names[seat].append(scribe.deal(f"hand seat_{seat}", None, Face.DOWN, hand=DEALER))
        case "fold" | "muck":
            for name in names[seat]:
                spot = f"hand seat_{seat}"
                scribe.see(
                    CardCleared(seq=0, t=0, card_id=name, spot=spot, to_spot="discard", hand=player(seat))
                )
            scribe.cards = [(name, at) for name, at in scribe.cards if name not in names[seat]]
        case "back":
            scribe.t += 2.0
            table.take_back(seat, step.amount)
        case "gather":
            scribe.t += 2.0
            table.gather()
        case "burn":
            scribe.deal("burn", None, Face.DOWN, hand=DEALER)
        case "board":
            for card in step.cards:
                scribe.deal("community", card, hand=DEALER)
        case "show":
            for name, card in zip(names[seat], step.cards, strict=True):
                scribe.turn(name, card, player(seat))
        case "rake":
            scribe.see(
                ChipMove(seq=0, t=0, from_spot="pot", to_spot="cagnotte", value=str(step.amount), hand=DEALER)
            )
            table.pot -= step.amount
            table._lay("pot", table.pot, 5000, DEALER)
            scribe.t += 5.0
        case "pay":
            table.pay({seat: step.amount})


def changed(hand: Played, steps: Sequence[Step]) -> Played:
    """The same hand with other steps."""
    return replace(hand, steps=tuple(steps))
