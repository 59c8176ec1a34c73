"""Who plays against the bank: banco, with the table, followed banco, the highest stake; who goes first."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Coup
from rules.baccarat.points import Result
from rules.docket import Docket, Moment
from rules.events import Cue, HandContact, Owner
from rules.games.chemin_de_fer.bank_story import BankStory, bank_at_close, on_the_right, playing
from rules.games.chemin_de_fer.deal import Deal
from rules.games.chemin_de_fer.hearing import at_all, before, during, seat_of, seats_in, words_of
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.reading import lies_with
from rules.games.chemin_de_fer.words import PUNTO
from rules.spots import Spot, hand_spot


def judge_claims(
    coup: Coup,
    deal: Deal,
    story: BankStory,
    banker: int | None,
    profile: CheminDeFerProfile,
    docket: Docket,
) -> None:
    """Priority among players, and who holds punto's cards."""
    _judge_priority(coup, banker, docket)
    _judge_late_banco(coup, docket)
    _judge_refused(coup, story, docket)
    holders = _holders(coup, deal, banker)
    if holders and banker is not None:
        _judge_holder(coup, story, banker, holders, profile, docket)
        _judge_followed(coup, deal, banker, docket)


def _rank(cue: Cue, banker: int) -> tuple[bool, bool, int]:
    """The order of priority: one alone before partners, seated before standing, from the banker's right."""
    words, seat = words_of(cue), seat_of(cue)
    place = 99 if seat is None else (seat - banker) % 100
    return "partnership" in words, seat is None or "standing" in words, place


def _judge_priority(coup: Coup, banker: int | None, docket: Docket) -> None:
    """Of several who claim the same thing the first in the order of priority has it."""
    if banker is None:
        return
    for rule, asked, given in (
        ("CF-PRIO-02", before(coup, "banco_asked"), before(coup, "banco")),
        ("CF-PRIO-01", before(coup, "claim"), before(coup, "claim_granted")),
    ):
        if len(asked) < 2 or not given:
            continue
        best = min(asked, key=lambda cue: _rank(cue, banker))
        if best.spot == given[-1].spot:
            docket.conform(rule)
            continue
        docket.breach(
            rule,
            "PRIORITY_IGNORED",
            Moment.at(given[-1].t, given[-1].seq, *(cue.seq for cue in asked)),
            expected=f"{best.spot} first in the order of priority",
            seen=f"{given[-1].spot} had it",
            spot=None if given[-1].spot is None else Spot.parse(given[-1].spot),
        )


def _judge_late_banco(coup: Coup, docket: Docket) -> None:
    """A banco called after the deal counts for nothing."""
    granted = seats_in(during(coup, "banco_granted"))
    for cue in during(coup, "banco"):
        if seat_of(cue) not in granted:
            docket.conform("CF-PRIO-07")
            continue
        docket.breach(
            "CF-PRIO-07",
            "PRIORITY_IGNORED",
            Moment.at(cue.t, cue.seq),
            expected="no banco after the cards are dealt, except a followed one",
            seen=f"seat {seat_of(cue)} called it, and was given it",
            spot=None if cue.spot is None else Spot.parse(cue.spot),
        )


def _judge_refused(coup: Coup, story: BankStory, docket: Docket) -> None:
    """Followed banco is the right of who made banco and lost (again after a tie), or who bet alone."""
    refused = seats_in(at_all(coup, "banco_refused"))
    for cue in at_all(coup, "followed_banco"):
        seat = seat_of(cue)
        if seat is None or seat not in refused:
            continue
        lost = story.result is Result.BANCA and story.banco == seat
        right = lost or story.result is Result.TIE or (story.sole == seat and story.banco is None)
        if not right:
            docket.conform("CF-PRIO-11")
            continue
        docket.breach(
            "CF-PRIO-11",
            "PRIORITY_IGNORED",
            Moment.at(cue.t, cue.seq),
            expected="followed banco granted: he has the right to it",
            seen=f"it was refused to seat {seat}",
            spot=None if cue.spot is None else Spot.parse(cue.spot),
        )


def _holders(coup: Coup, deal: Deal, banker: int | None) -> list[tuple[float, int]]:
    """Seats other than the banker's whose hands were on punto's cards, and when first; in time order."""
    touches = [
        (contact.t, contact.hand.seat)
        for card in deal.cards(PUNTO)
        for contact in card.contacts
        if contact.hand.owner is Owner.PLAYER
    ]
    touches += [
        (event.t, event.hand.seat)
        for event in coup.events
        if isinstance(event, HandContact)
        and event.hand.owner is Owner.PLAYER
        and event.spot == str(hand_spot(PUNTO))
        and event.t >= coup.t_first
    ]
    touches += [(card.t, lies_with(card)) for card in deal.cards(PUNTO)]
    first: dict[int, float] = {}
    for t, seat in sorted((t, seat) for t, seat in touches if seat is not None and seat != banker):
        first.setdefault(seat, t)
    return [(t, seat) for seat, t in first.items()]


def _wrong(rule: str, coup: Coup, due: int | None, held: int, why: str, docket: Docket) -> None:
    docket.breach(
        rule,
        "PUNTO_HAND_WRONG_PLAYER",
        Moment.at(coup.t_result, *(card.seq for card in coup.cards)),
        expected=f"punto's cards with {'another player' if due is None else f'seat {due}'}: {why}",
        seen=f"seat {held} held them",
        spot=hand_spot(PUNTO),
    )


def _judge_holder(
    coup: Coup,
    story: BankStory,
    banker: int,
    holders: list[tuple[float, int]],
    profile: CheminDeFerProfile,
    docket: Docket,
) -> None:
    """Who takes punto's cards by what was called and staked."""
    held = holders[0][1]
    if at_all(coup, "followed_banco", "cards_reclaimed"):
        return  # judged by what was called
    claimed = seats_in(at_all(coup, "cards_claimed"))
    bancos = seats_in(before(coup, "banco"))
    table, complete = before(coup, "with_the_table"), before(coup, "last_complement")
    if claimed:
        _judge_claimed(coup, story, banker, claimed[-1], held, docket)
    elif bancos:
        if held == bancos[-1]:
            docket.conform("CF-PRIO-02")
        else:
            docket.breach(
                "CF-PRIO-02",
                "PRIORITY_IGNORED",
                Moment.at(coup.t_result, *(card.seq for card in coup.cards)),
                expected=f"punto's cards with seat {bancos[-1]}, who made banco",
                seen=f"seat {held} held them",
                spot=hand_spot(PUNTO),
            )
    elif table:
        due = seat_of((complete or table)[-1])
        why = "he completed the bank" if complete else "he plays with the table"
        if held == due:
            docket.conform("CF-PRIO-04")
        else:
            _wrong("CF-PRIO-04", coup, due, held, why, docket)
    else:
        _judge_highest(coup, banker, held, profile, docket)


def _judge_claimed(
    coup: Coup, story: BankStory, banker: int, claimed: int, held: int, docket: Docket
) -> None:
    """Who made banco before the pass may claim the cards, where the new bank is higher, for one coup."""
    bank = bank_at_close(coup)
    changed = story.seat is not None and banker != story.seat
    if bank is None or story.bank is None:
        return
    right = changed and bank > story.bank and story.banco == claimed
    if right and held != claimed:
        _wrong("CF-BANK-10", coup, claimed, held, "he made banco before the pass", docket)
    elif not right and held == claimed:
        _wrong("CF-BANK-10", coup, None, held, "his claim was good for one coup after the pass only", docket)
    else:
        docket.conform("CF-BANK-10")


def _judge_highest(coup: Coup, banker: int, held: int, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Without a banco the seated player with the highest stake has the cards."""
    stakes: dict[int, Fraction] = {}
    for spot, bets in coup.bets.items():
        if spot.bet != PUNTO or spot.seat is None or not bets:
            continue
        value = playing(bets, profile.half_lines)
        if value is None:
            return
        stakes[spot.seat] = value
    if not stakes or held not in stakes:
        return
    best = max(stakes.values())
    due = next((seat for seat in on_the_right(banker, stakes) if stakes[seat] == best), held)
    if held == due:
        docket.conform("CF-PRIO-05")
        return
    if {"banco", "with_the_table"} <= profile.cues:
        _wrong("CF-PRIO-05", coup, due, held, "the highest stake", docket)
        return
    docket.undetermined(
        "CF-PRIO-05",
        "PUNTO_HAND_WRONG_PLAYER",
        Moment.at(coup.t_result, *(card.seq for card in coup.cards)),
        "whether anybody called banco was not told (cues banco, with_the_table)",
        expected=f"punto's cards with seat {due}: the highest stake",
        seen=f"seat {held} held them",
        spot=hand_spot(PUNTO),
    )


def _judge_followed(coup: Coup, deal: Deal, banker: int, docket: Docket) -> None:
    """Followed banco, and the cards that another has."""
    holders = _holders(coup, deal, banker)
    for cue in before(coup, "followed_banco")[-1:]:
        due = seat_of(cue)
        if due is not None:
            _judge_called_in_time(coup, deal, due, holders, docket)
    for cue in during(coup, "followed_banco")[-1:]:
        due = seat_of(cue)
        lifted = [(t, seat) for t, seat in holders if seat != due and t <= cue.t]
        taken = [seat for t, seat in holders if seat == due and t > cue.t]
        if due is None or not lifted:
            continue
        if taken:
            why = "he had seen them before followed banco was called"
            _wrong("CF-PRIO-09", coup, lifted[0][1], due, why, docket)
        else:
            docket.conform("CF-PRIO-09")


def _judge_called_in_time(
    coup: Coup, deal: Deal, due: int, holders: list[tuple[float, int]], docket: Docket
) -> None:
    t_held, held = holders[0]
    if held == due:
        docket.conform("CF-PRIO-08")
        return
    gave = [
        contact.t
        for card in deal.cards(PUNTO)
        for contact in card.contacts
        if contact.hand.owner is Owner.DEALER and contact.t < t_held
    ]
    given_back = any(seat == due for _, seat in holders)
    claims = [cue.t for cue in during(coup, "cards_reclaimed")]
    if not gave:
        if given_back:
            docket.conform("CF-PRIO-10")
        else:
            _wrong("CF-PRIO-10", coup, due, held, "he called followed banco in time", docket)
    elif any(t < t_held for t in claims):
        if given_back:
            docket.conform("CF-PRIO-08")
        else:
            _wrong("CF-PRIO-08", coup, due, held, "they were claimed back before they were lifted", docket)
    elif claims and given_back:
        _wrong("CF-PRIO-08", coup, held, due, "they had been lifted, and may not be claimed back", docket)
    else:
        docket.conform("CF-PRIO-08")
