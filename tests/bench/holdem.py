"""Hold'em beside other makers: whole hands replayed, and hands of cards ranked, in the same run.

The hands are random games that pokerkit played; replaying one means taking its acts and cards in order, from
the blinds to who gets what of which pot.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from time import process_time

from phevaluator import evaluate_cards
from pokerkit import Automation, StandardHighHand

from rules.cards import PACK, Card
from rules.games.circle_poker.betting import Betting
from rules.games.circle_poker.pots import shares, winners_of
from rules.games.circle_poker.profile import circle_poker
from rules.judge import judge
from rules.poker import rank
from tests.support.holdem import AUTOMATIC, BIG, SMALL, Played, journal, new_state, played

Row = tuple[str, str, str]

_TABLES, _HANDS = 25, 8
_RANKED = 20_000
_CARDS = (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
_GIVEN = [one for one in AUTOMATIC if one not in _CARDS]


def replay(hand: Played) -> dict[int, Fraction]:
    """What each seat has after a hand, by our own betting, pots and order of hands."""
    behind = {seat: Fraction(hand.stacks[seat]) for seat in hand.seats}
    betting = Betting(list(hand.seats), Fraction(BIG))
    hole: dict[int, list[Card]] = {seat: [] for seat in hand.seats}
    board: list[Card] = []
    for step in hand.steps:
        match step.what:
            case "post" | "put" if step.amount:
                behind[step.seat] -= step.amount
                spent = not behind[step.seat]
                if step.what == "put":
                    betting.puts(step.seat, Fraction(step.amount), all_in=spent)
                else:
                    betting.post(step.seat, Fraction(step.amount))
                    betting.all_in |= {step.seat} if spent else set()
            case "fold" | "muck":
                betting.folds(step.seat)
            case "deal":
                hole[step.seat] += [Card.parse(card) for card in step.cards]
            case "board":
                betting.next_street()
                board += [Card.parse(card) for card in step.cards]
            case _:
                pass
    live, pots = betting.live, betting.pots()
    heights = {seat: rank([*hole[seat], *board]) for seat in live if len(live) > 1}
    for pot in pots.pots:
        for seat, share in shares(pot.amount, winners_of(pot, heights), Fraction(1), hand.seats).items():
            behind[seat] += share
    if pots.uncalled is not None:
        behind[pots.uncalled[0]] += pots.uncalled[1]
    return behind


def replay_in_pokerkit(hand: Played) -> list[int]:
    """The same in pokerkit: its own state takes the acts."""
    state = new_state([hand.stacks[seat] for seat in hand.seats], _GIVEN)
    for step in hand.steps:
        if step.what == "fold":
            state.fold()
        elif step.what == "deal":
            state.deal_hole("".join(step.cards))
        elif step.what == "burn":
            state.burn_card("??")
        elif step.what == "board":
            state.deal_board("".join(step.cards))
        elif step.what == "put":
            street = max(state.bets)
            mine = state.bets[hand.seats.index(step.seat)]
            if mine + step.amount > street:
                state.complete_bet_or_raise_to(mine + step.amount)
            else:
                state.check_or_call()
    return list(state.stacks)


def _odd(one: list[int], other: list[int]) -> bool:
    """Whether two ends of a hand differ by odd units only: pokerkit joins pots that the same players win."""
    return all(abs(a - b) <= 3 for a, b in zip(one, other, strict=True))


def rows() -> Iterator[Row]:
    """All measurements."""
    hands = [hand for seed in range(_TABLES) for hand in played(seed, _HANDS)]
    for hand in hands:
        left = [hand.left[seat] for seat in hand.seats]
        assert [replay(hand)[seat] for seat in hand.seats] == left or _odd(replay_in_pokerkit(hand), left)
    ours = _seconds(lambda: [replay(hand) for hand in hands])
    theirs = _seconds(lambda: [replay_in_pokerkit(hand) for hand in hands])
    yield (
        f"replaying {len(hands)} Hold'em hands",
        f"{len(hands) / ours:,.0f} hands/s",
        f"{theirs / ours:.0f} x as fast as pokerkit ({len(hands) / theirs:,.0f} hands/s)",
    )
    profile = circle_poker(house={"blinds": {"small": SMALL, "big": BIG}})
    told = journal(played(0, 2 * _HANDS))
    judging = _seconds(lambda: judge(told, profile))
    yield (
        "  judging their journals, as a table tells them",
        f"{2 * _HANDS / judging:,.0f} hands/s, {len(told) / judging:,.0f} events/s",
        f"{theirs / len(hands) * 2 * _HANDS / judging:.1f} x as fast as pokerkit replays them",
    )
    yield _ranking()


def _ranking() -> Row:
    rng = random.Random(1)
    cards = [rng.sample(PACK, 7) for _ in range(_RANKED)]
    names = [[str(card) for card in hand] for hand in cards]
    few = names[: _RANKED // 50]
    ours = _seconds(lambda: [rank(hand) for hand in cards])
    phe = _seconds(lambda: [evaluate_cards(*hand) for hand in names])
    kit = _seconds(lambda: [StandardHighHand.from_game("".join(h[:2]), "".join(h[2:])) for h in few]) * 50
    return (
        "ranking seven cards",
        f"{1e6 * ours / _RANKED:.1f} µs",
        f"phevaluator {1e6 * phe / _RANKED:.1f} µs, pokerkit {1e6 * kit / _RANKED:.0f} µs",
    )


def _seconds(work: Callable[[], object]) -> float:
    """The process's own time, the better of two."""
    best = float("inf")
    for _ in range(2):
        begun = process_time()
        work()
        best = min(best, process_time() - begun)
    return best
