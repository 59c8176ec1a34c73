"""The bank: whose turn it is, and how it is passed, offered and bid for."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.points import Result
from rules.docket import Docket, Moment
from rules.events import Cue
from rules.games.chemin_de_fer.bank_story import BankStory, banker_of, on_the_right
from rules.games.chemin_de_fer.hearing import amount_of, before, seat_of, seats_in, words_of
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.money import readable
from rules.spots import Area, Spot


def judge_bank(coup: Coup, story: BankStory, profile: CheminDeFerProfile, docket: Docket) -> None:
    """What is prescribed for the bank before a coup."""
    seat = banker_of(coup, story)
    if seat is not None:
        _judge_turn(coup, story, seat, profile, docket)
        _judge_not_dealt(coup, seat, docket)
        _judge_newcomer(coup, story, seat, docket)
    _judge_refusals(coup, story, profile, docket)
    _judge_offers(coup, docket)
    _judge_bids(coup, story, docket)


def seat_shoe(seat: int) -> Spot:
    """Where the shoe stands when a seat has the bank."""
    return Spot(Area.BET, seat=seat, bet="shoe")


def awards(coup: Coup) -> list[Cue]:
    return before(coup, "bank_awarded")


def bought(cue: Cue) -> bool:
    return bool(words_of(cue) & {"bought", "auction"})


def _judge_turn(coup: Coup, story: BankStory, seat: int, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Whose turn it is: the banker's while he wins, then from his right on."""
    when = Moment.at(coup.t_first, coup.cards[0].seq)
    given = awards(coup)
    if before(coup, "game_begins"):
        _judge_way(coup, "CF-BANK-01", 0, seat, frozenset(range(1, seat)), profile, docket)
        return
    if story.seat is None:
        return
    if seat == story.seat:
        if story.result is not Result.PUNTO or given:
            docket.conform("CF-BANK-03")
            return
        docket.breach(
            "CF-BANK-03",
            "SHOE_NOT_PASSED",
            when,
            expected="the bank with the seat on the right after a coup that it lost",
            seen=f"seat {seat} dealt again",
            spot=seat_shoe(seat),
        )
        return
    if story.result is Result.PUNTO:
        docket.conform("CF-BANK-03")
    if any(bought(cue) for cue in given):
        return
    rule, start = _turn_from(coup, story)
    _judge_way(coup, rule, start, seat, story.players, profile, docket)


def _turn_from(coup: Coup, story: BankStory) -> tuple[str, int]:
    """Which row says from where the bank goes on, and the seat on whose right that is."""
    assert story.seat is not None
    if before(coup, "bank_untaken"):
        passers = seats_in(before(coup, "bank_passed"))
        return "CF-BANK-12", passers[-1] if passers else story.passer or story.seat
    if story.buyer is not None and story.buyer == story.seat:
        if before(coup, "bank_passed"):
            stood = story.stood and story.last_seated is not None
            return "CF-BANK-08", story.last_seated if stood and story.last_seated else story.seat
        if story.result is Result.PUNTO and story.passer is not None:
            return "CF-BANK-13", story.passer
    return "CF-BANK-01", story.seat


def _judge_way(
    coup: Coup,
    rule: str,
    start: int,
    seat: int,
    players: frozenset[int],
    profile: CheminDeFerProfile,
    docket: Docket,
) -> None:
    """The bank goes to the next seat on the right of ``start`` that did not decline."""
    declined = set(seats_in(before(coup, "bank_refused", "seat_left", "seat_changed")))
    order = on_the_right(start, [*players, seat])
    ahead = order[: order.index(seat)] if seat in order else []
    skipped = [other for other in ahead if other not in declined]
    if not skipped:
        docket.conform(rule)
        return
    when = Moment.at(coup.t_first, coup.cards[0].seq)
    expected, seen = f"the bank with seat {skipped[0]}", f"seat {seat} dealt"
    if "bank_refused" in profile.cues:
        docket.breach(rule, "SHOE_WRONG_SEAT", when, expected=expected, seen=seen, spot=seat_shoe(seat))
        return
    why = f"whether seat {skipped[0]} declined was not told (cue bank_refused)"
    docket.undetermined(
        rule, "SHOE_WRONG_SEAT", when, why, expected=expected, seen=seen, spot=seat_shoe(seat)
    )


def _judge_not_dealt(coup: Coup, seat: int, docket: Docket) -> None:
    """Whoever was given the bank deals a coup."""
    for cue in awards(coup):
        if seat_of(cue) is None:
            continue
        if seat_of(cue) == seat:
            docket.conform("CF-BANK-14")
            continue
        docket.breach(
            "CF-BANK-14",
            "SHOE_NOT_DEALT",
            Moment.at(cue.t, cue.seq, coup.cards[0].seq),
            expected="one coup at least dealt by whoever takes the bank",
            seen=f"seat {seat_of(cue)} had the bank, seat {seat} dealt",
            spot=seat_shoe(seat_of(cue) or seat),
        )


def _judge_newcomer(coup: Coup, story: BankStory, seat: int, docket: Docket) -> None:
    """Whoever changed seat in this shoe lets the hand pass once."""
    new = set(story.newcomers) | set(seats_in(before(coup, "seat_changed")))
    if seat == story.seat or seat not in new or before(coup, "new_shoe"):
        return
    docket.breach(
        "CF-SEAT-02",
        "SHOE_WRONG_SEAT",
        Moment.at(coup.t_first, coup.cards[0].seq),
        expected="a player who changed seat lets the hand pass once",
        seen=f"seat {seat} took it at once",
        spot=seat_shoe(seat),
    )


def _judge_refusals(coup: Coup, story: BankStory, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Whoever declines twice running leaves."""
    counts = dict(story.refusals)
    left = set(seats_in(before(coup, "seat_left")))
    for cue in before(coup, "bank_refused"):
        seat = seat_of(cue)
        if seat is None:
            continue
        counts[seat] = counts.get(seat, 0) + 1
        if counts[seat] < 2:
            continue
        when = Moment.at(cue.t, cue.seq)
        expected, seen = "the seat given up after two refusals running", f"seat {seat} declined again"
        if seat in left:
            docket.conform("CF-SEAT-05")
        elif "seat_left" in profile.cues:
            docket.breach(
                "CF-SEAT-05",
                "SEAT_REFUSED_TWICE",
                when,
                expected=expected,
                seen=seen,
                spot=seat_shoe(seat),
            )
        else:
            why = "whether he gave up his seat was not told (cue seat_left)"
            docket.undetermined(
                "CF-SEAT-05",
                "SEAT_REFUSED_TWICE",
                when,
                why,
                expected=expected,
                seen=seen,
                spot=seat_shoe(seat),
            )


# passing, offers and bids ---------------------------------------------------------------------------------


_OFFERS = ("seated", "standing", "passer")


def _irregular(rule: str, cue: Cue, expected: str, seen: str, docket: Docket) -> None:
    docket.breach(
        rule,
        "AUCTION_IRREGULAR",
        Moment.at(cue.t, cue.seq),
        expected=expected,
        seen=seen,
        spot=None if cue.spot is None else Spot.parse(cue.spot),
    )


def _judge_offers(coup: Coup, docket: Docket) -> None:
    """A passed bank is offered to the seated, then to the standing, last to whoever passed it."""
    rank = -1
    for cue in before(coup, "bank_offered"):
        if cue.value not in _OFFERS:
            continue
        place = _OFFERS.index(cue.value)
        if place not in (rank, rank + 1):
            expected = "offered to the seated, then the standing, then whoever passed it"
            _irregular("CF-BANK-05", cue, expected, f"offered to the {cue.value} out of turn", docket)
            return
        rank = place
    if rank >= 0:
        docket.conform("CF-BANK-05")


def _passers(coup: Coup, story: BankStory) -> list[int]:
    """The seats that have just given up the bank freely."""
    cues = before(coup, "bank_passed")
    seats = [story.seat if seat_of(cue) is None else seat_of(cue) for cue in cues]
    return [seat for seat in seats if seat is not None]


def _judge_bids(coup: Coup, story: BankStory, docket: Docket) -> None:
    bids = before(coup, "bank_bid")
    given = [cue for cue in awards(coup) if bought(cue)]
    passers = _passers(coup, story)
    for cue in bids:
        if seat_of(cue) in passers:
            expected = "no bid from whoever has just passed the hand"
            _irregular("CF-BANK-11", cue, expected, f"seat {seat_of(cue)} bid for it", docket)
        elif passers:
            docket.conform("CF-BANK-11")
    for cue in before(coup, "partner"):
        if given and seat_of(cue) in (passers or [story.passer or 0]):
            expected = "no partnership of the buyer with whoever passed the hand"
            _irregular("CF-BANK-06", cue, expected, f"seat {seat_of(cue)} is his partner", docket)
    if not given or not bids:
        return
    award = given[-1]
    if "partnership" in words_of(award):
        alone = [cue for cue in bids if "partnership" not in words_of(cue) and seat_of(cue) not in passers]
        if alone:
            expected = "the hand to a buyer alone before partners"
            _irregular("CF-BANK-06", award, expected, "partners had it", docket)
            return
    if "auction" in words_of(award):
        _judge_best_bid(bids, award, docket)


def _judge_best_bid(bids: list[Cue], award: Cue, docket: Docket) -> None:
    """The highest bid has it; at equal bids a seated one."""
    amounts = [(cue, amount) for cue in bids if (amount := amount_of(cue)) is not None]
    own = [(cue, amount) for cue, amount in amounts if cue.spot == award.spot]
    if not own:
        return
    cue, mine = max(own, key=lambda pair: pair[1])
    best = max(amount for _, amount in amounts)
    seated = [other for other, amount in amounts if amount == best and "standing" not in words_of(other)]
    if mine < best or ("standing" in words_of(cue) and seated):
        expected = f"the bank to the best bid, {readable(best)}"
        expected += " from a seated player" if mine == best else ""
        _irregular("CF-BANK-07", award, expected, f"it went for {readable(mine)}", docket)
    else:
        docket.conform("CF-BANK-07")
