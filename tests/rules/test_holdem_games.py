"""Hold'em games that pokerkit played: judged clean as they were, and each tampering named."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from rules.findings import Verdict
from rules.games.circle_poker.profile import CirclePokerProfile, circle_poker
from rules.judge import judge
from tests.support.holdem import BIG, SMALL, Played, Step, changed, journal, played

_LIMITS = {"blinds": {"small": SMALL, "big": BIG}, "limits": {"minimum": BIG, "kind": "no_limit"}}
_RAKE = {"rake": {"option": "percentage", "rate": "1/20", "no_flop_no_drop": True}}


def _profile(*, rake: bool = False) -> CirclePokerProfile:
    return circle_poker(house=_LIMITS | (_RAKE if rake else {}))


@pytest.mark.parametrize("seed", range(6))
def test_games_of_another_engine_are_clean(seed: int) -> None:
    rake = seed % 3 == 0
    judgement = judge(journal(played(seed, 5, rake=rake)), _profile(rake=rake))
    assert judgement.findings == ()
    assert len(judgement.coups) == 5


# what is done to a hand -----------------------------------------------------------------------------------

Tamper = Callable[[Played, random.Random], Played | None]
"""Gives the tampered hand, or None where it does not apply."""


def _pays(hand: Played) -> list[int]:
    return [place for place, step in enumerate(hand.steps) if step.what == "pay"]


def _folded(hand: Played) -> list[int]:
    return [step.seat for step in hand.steps if step.what == "fold"]


def _with(hand: Played, place: int, *steps: Step) -> Played:
    return changed(hand, (*hand.steps[:place], *steps, *hand.steps[place + 1 :]))


def _short(hand: Played, _rng: random.Random) -> Played | None:
    step = hand.steps[place := _pays(hand)[-1]]
    return (
        _with(hand, place, Step("pay", step.seat, step.amount - 5, pot=step.pot)) if step.amount > 5 else None
    )


def _to_folded(hand: Played, _rng: random.Random) -> Played | None:
    if not (gone := _folded(hand)) or len(_pays(hand)) > 1:
        return None
    return _with(hand, _pays(hand)[0], Step("pay", gone[0], hand.steps[_pays(hand)[0]].amount))


def _to_loser(hand: Played, _rng: random.Random) -> Played | None:
    shown = [step.seat for step in hand.steps if step.what == "show"]
    winners = [hand.steps[place].seat for place in _pays(hand)]
    losers = [seat for seat in shown if seat not in winners]
    if not losers or len(winners) > 1:
        return None
    return _with(hand, _pays(hand)[0], Step("pay", losers[0], hand.steps[_pays(hand)[0]].amount))


def _odd_chip(hand: Played, _rng: random.Random) -> Played | None:
    two = [hand.steps[place] for place in _pays(hand)]
    if len(two) != 2 or two[0].pot != two[1].pot or two[0].amount == two[1].amount:
        return None
    first = _pays(hand)[0]
    swapped = (Step("pay", two[0].seat, two[1].amount), Step("pay", two[1].seat, two[0].amount))
    return changed(hand, (*hand.steps[:first], *swapped, *hand.steps[first + 2 :]))


def _side_pot(hand: Played, _rng: random.Random) -> Played | None:
    by_pot = {hand.steps[place].pot: place for place in _pays(hand)}
    if len(_pays(hand)) != 2 or len(by_pot) != 2:
        return None
    main, side = (hand.steps[by_pot[pot]] for pot in sorted(by_pot))
    if main.seat == side.seat:
        return None
    return _with(hand, by_pot[side.pot], Step("pay", main.seat, side.amount, pot=side.pot))


def _no_burn(hand: Played, rng: random.Random) -> Played | None:
    burns = [place for place, step in enumerate(hand.steps) if step.what == "burn"]
    return _with(hand, rng.choice(burns)) if burns else None


def _two_burned(hand: Played, rng: random.Random) -> Played | None:
    burns = [place for place, step in enumerate(hand.steps) if step.what == "burn"]
    return _with(hand, rng.choice(burns), Step("burn"), Step("burn")) if burns else None


def _out_of_turn(hand: Played, _rng: random.Random) -> Played | None:
    """The second to act before the flop puts his chips down before the first, who still has to answer."""
    acts = [place for place, step in enumerate(hand.steps) if step.what in ("put", "fold")]
    if len(hand.seats) < 4 or len(acts) < 2:
        return None
    one, two = acts[:2]
    if two != one + 1 or hand.steps[two].what != "put" or not hand.steps[two].amount:
        return None
    steps = list(hand.steps)
    steps[one], steps[two] = steps[two], steps[one]
    if hand.steps[one].what == "put" and hand.steps[one].amount != hand.steps[two].amount:
        return None  # the amounts would mean something else the other way round
    return changed(hand, steps)


def _small_raise(hand: Played, _rng: random.Random) -> Played | None:
    """The first to act raises by 3, all others fold."""
    if len(hand.seats) < 3:
        return None
    cards = [step for step in hand.steps if step.what in ("post", "deal")]
    order = [*hand.seats[2:], *hand.seats[:2]]
    posted = {step.seat: step.amount for step in cards if step.what == "post"}
    steps = [*cards, Step("put", order[0], BIG + 3), *(Step("fold", seat) for seat in order[1:])]
    steps += [Step("back", order[0], 3), Step("gather"), Step("pay", order[0], BIG + sum(posted.values()))]
    return changed(hand, steps)


def _no_blind(hand: Played, rng: random.Random) -> Played | None:
    """One blind is not posted; all others fold to the one that is."""
    if len(hand.seats) < 3:
        return None
    who = rng.choice((0, 1))
    posted = [step for step in hand.steps if step.what == "post"]
    kept = posted[1 - who]
    deal = [step for step in hand.steps if step.what == "deal"]
    order = [seat for seat in (*hand.seats[2:], *hand.seats[:2]) if seat != kept.seat]
    steps = [kept, *deal, *(Step("fold", seat) for seat in order), Step("gather")]
    return changed(hand, [*steps, Step("pay", kept.seat, kept.amount)])


def _one_card(hand: Played, _rng: random.Random) -> Played | None:
    """A player who folds got one card only."""
    gone = [step.seat for step in hand.steps if step.what == "fold"]
    if not gone:
        return None
    last = max(place for place, step in enumerate(hand.steps) if step.what == "deal" and step.seat == gone[0])
    return _with(hand, last)


def _wrong_rake(hand: Played, _rng: random.Random) -> Played | None:
    rakes = [place for place, step in enumerate(hand.steps) if step.what == "rake"]
    if not rakes or len(_pays(hand)) > 1:
        return None
    (paid,) = _pays(hand)
    steps = list(hand.steps)
    steps[rakes[0]] = Step("rake", amount=hand.steps[rakes[0]].amount + 2)
    steps[paid] = Step("pay", hand.steps[paid].seat, hand.steps[paid].amount - 2)
    return changed(hand, steps)


def _not_gathered(hand: Played, _rng: random.Random) -> Played | None:
    """The bets of a round stay before the players until the next one is over."""
    gathers = [place for place, step in enumerate(hand.steps) if step.what == "gather"]
    if len(gathers) < 2 or hand.steps[gathers[0] - 1].what != "put" or not hand.steps[gathers[0] - 1].amount:
        return None
    return _with(hand, gathers[0])


_AWARD = ("CP-RANK", "TX-STD-03", "CP-DEALER-03", "CP-WIN-01", "CP-FOLD-01")
_TAMPERED: dict[str, tuple[Tamper, Sequence[str], str]] = {
    "pot short": (_short, _AWARD, "POT_MISAWARDED"),
    "to one who folded": (_to_folded, ("CP-FOLD-01", "CP-WIN-01"), "POT_MISAWARDED"),
    "to a loser": (_to_loser, _AWARD, "POT_MISAWARDED"),
    "odd chip": (_odd_chip, ("TX-STD-03",), "POT_MISAWARDED"),
    "side pot": (_side_pot, _AWARD, "POT_MISAWARDED"),
    "no burn": (_no_burn, ("TX-STD-01",), "BURN_COUNT_WRONG"),
    "two burned": (_two_burned, ("TX-STD-01",), "BURN_COUNT_WRONG"),
    "out of turn": (_out_of_turn, ("CP-DEALER-02",), "OUT_OF_TURN"),
    "raise too small": (_small_raise, ("CP-LIM-01",), "BET_BELOW_MIN"),
    "no blind": (_no_blind, ("TX-STD-02",), "BLINDS_MISSING"),
    "one card": (_one_card, ("TX-STD-01",), "WRONG_CARD_COUNT"),
    "rake": (_wrong_rake, ("CP-RAKE-01",), "RAKE_WRONG"),
    "bets not gathered": (_not_gathered, ("CP-BET-01",), "POT_UNEQUAL"),
}


@pytest.mark.parametrize("name", _TAMPERED)
def test_each_tampering_is_named(name: str) -> None:
    tamper, rules, code = _TAMPERED[name]
    rake, rng, found = name == "rake", random.Random(name), 0
    for seed in range(400):
        if found == 2:
            break
        hands = played(1000 + seed, 3, rake=rake)
        place = next((n for n in (2, 1, 0) if (bad := tamper(hands[n], rng)) is not None), None)
        if place is None:
            continue
        bad = tamper(hands[place], rng)
        assert bad is not None
        found += 1
        findings = judge(journal([*hands[:place], bad]), _profile(rake=rake)).findings
        breaches = [(f.coup, f.rule, f.code) for f in findings if f.verdict is Verdict.BREACH]
        named = [b for b in breaches if b[0] == place + 1 and b[2] == code and b[1].startswith(tuple(rules))]
        assert named, (seed, place, breaches)
        assert all(coup == place + 1 for coup, _, _ in breaches), (seed, breaches)
    assert found == 2
