"""How much the bank holds, and what the banker takes out of play."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Coup
from rules.baccarat.points import Result
from rules.docket import Docket, Moment
from rules.games.chemin_de_fer.bank import awards
from rules.games.chemin_de_fer.bank_story import BankStory, bank_at_close, staked
from rules.games.chemin_de_fer.hearing import amount_of, before, seat_of, words_of
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import BANK, GARAGE
from rules.money import readable


def judge_amounts(
    coup: Coup, story: BankStory, seat: int | None, profile: CheminDeFerProfile, docket: Docket
) -> None:
    """The bank's amount at a coup's close; ``seat``: who holds it."""
    _judge_amount(coup, story, seat, profile, docket)
    if seat is not None and seat == story.seat and not before(coup, "new_shoe", "bank_passed"):
        _judge_garage(coup, story, profile, docket)


def _judge_amount(
    coup: Coup, story: BankStory, seat: int | None, profile: CheminDeFerProfile, docket: Docket
) -> None:
    bank = bank_at_close(coup)
    if bank is None:
        return
    when = Moment.at(coup.t_close, before_s=4.0)
    changed = seat is not None and story.seat is not None and seat != story.seat
    if before(coup, "bank_passed") and not before(coup, "bank_untaken") and story.end is not None:
        _judge_passed(coup, bank, story.end, changed, when, docket)
    if before(coup, "new_shoe") and seat is not None and seat == story.seat:
        if story.result is Result.BANCA and story.end is not None:
            due = "the amount that the bank had at the end of the last shoe"
            garaged = bank in _playable(story, profile)
            _at_least("CF-END-01", story.end if garaged else bank, story.end, due, when, docket)
    elif changed or awards(coup) or before(coup, "game_begins"):
        _judge_new_bank(bank, profile, when, docket)
    _judge_award(coup, bank, seat, when, docket)


def _judge_passed(
    coup: Coup, bank: Fraction, given_up: Fraction, changed: bool, when: Moment, docket: Docket
) -> None:
    """A bank given up freely is taken over, or taken back, for its amount."""
    auction = any("auction" in words_of(cue) for cue in awards(coup))
    if changed and not auction:
        _at_least("CF-BANK-04", bank, given_up, "as much as the bank that was given up", when, docket)
    elif not changed and bank == given_up:
        docket.conform("CF-BANK-05")
    elif not changed:
        docket.breach(
            "CF-BANK-05",
            "AUCTION_IRREGULAR",
            when,
            expected=f"the hand taken back for the same amount, {readable(given_up)}",
            seen=f"{readable(bank)} in the bank",
            spot=BANK,
            amount=bank,
        )


def _judge_award(coup: Coup, bank: Fraction, seat: int | None, when: Moment, docket: Docket) -> None:
    """What was offered is put down, by the banker and by his partner."""
    for cue in awards(coup)[-1:]:
        offer = amount_of(cue)
        if offer is None or seat_of(cue) != seat:
            continue
        if bank >= offer:
            docket.conform("CF-BANK-09")
            continue
        docket.breach(
            "CF-BANK-09",
            "BANK_DECREASED",
            when,
            expected=f"at least the {readable(offer)} that were offered",
            seen=f"{readable(bank)} in the bank",
            spot=BANK,
            amount=bank,
        )
    for cue in before(coup, "partner"):
        share = amount_of(cue)
        if share is None:
            continue
        if share * 2 == bank:
            docket.conform("CF-BANK-02")
            continue
        docket.breach(
            "CF-BANK-02",
            "PARTNER_SHARE_UNEQUAL",
            Moment.at(cue.t, cue.seq),
            expected=f"half of the bank of {readable(bank)} from the partner",
            seen=f"{readable(share)} from him",
            spot=BANK,
            amount=share,
        )


def _at_least(rule: str, bank: Fraction, due: Fraction, what: str, when: Moment, docket: Docket) -> None:
    if bank >= int(due):  # a fraction of a unit cannot be put down
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "BANK_AMOUNT_TOO_LOW",
        when,
        expected=f"{readable(due)} at least, {what}",
        seen=f"{readable(bank)} in the bank",
        spot=BANK,
        amount=bank,
    )


def _judge_new_bank(bank: Fraction, profile: CheminDeFerProfile, when: Moment, docket: Docket) -> None:
    """A new bank's limits."""
    least, most = profile.limits.minimum, profile.limits.bank_maximum
    if least is None:
        return
    if bank < least:
        _at_least("CF-LIM-03", bank, least, "the table's minimum", when, docket)
    elif most is not None and bank > most:
        docket.breach(
            "CF-LIM-03",
            "BET_ABOVE_MAX",
            when,
            expected=f"a bank of at most {readable(most)}, {profile.limits.bank_times} times the minimum",
            seen=f"{readable(bank)} in the bank",
            spot=BANK,
            amount=bank,
        )
    else:
        docket.conform("CF-LIM-03")


def _judge_garage(coup: Coup, story: BankStory, profile: CheminDeFerProfile, docket: Docket) -> None:
    """From his second coup on the banker may take money out of play, so much and no other amount."""
    asked, wishes = before(coup, "garage_asked"), before(coup, "garage")
    when = Moment.at(coup.t_close, before_s=4.0)
    if asked or wishes:
        docket.conform("CF-GAR-03")
    elif "garage_asked" in profile.cues:
        docket.breach(
            "CF-GAR-03",
            "ANNOUNCEMENT_MISSING",
            when,
            expected="the banker asked whether he wants a garage",
            seen="not asked (cue garage_asked)",
            spot=GARAGE,
        )
    bank = bank_at_close(coup)
    if bank is None or story.bank is None or story.won is None or story.won < 0 or story.covered is None:
        return
    part = story.covered < story.bank
    rule = "CF-GAR-02" if part else "CF-GAR-01"
    options = _options(story, profile, part)
    wish = wishes[-1].value if wishes else None
    if profile.cut_before_deal:
        cut = 2 * (staked(coup, profile.half_lines) or Fraction(0))
        options["double"] = options.get("double", set()) | {cut}
    allowed: frozenset[Fraction] = (
        frozenset(options.get(wish, ())) if wish is not None else frozenset().union(*options.values())
    )
    units = {amount for exact in allowed for amount in profile.rounding.takeable(exact)}
    if bank in allowed | units or (wish is None and bank > max(options["none"])):
        docket.conform(rule)
        return
    due = " or ".join(readable(amount) for amount in sorted(allowed, reverse=True))
    docket.breach(
        rule,
        "GARAGE_WRONG",
        when,
        expected=f"{due} in the bank" if due else f"{wish} is not a garage there is here",
        seen=f"{readable(bank)} in the bank",
        spot=GARAGE,
        amount=bank,
    )


def _playable(story: BankStory, profile: CheminDeFerProfile) -> set[Fraction]:
    """Every amount that may be in the bank after a coup, a garage made or not."""
    if story.bank is None or story.won is None or story.covered is None:
        return set()
    options = _options(story, profile, story.covered < story.bank)
    exact = {amount for amounts in options.values() for amount in amounts}
    return exact | {amount for each in exact for amount in profile.rounding.takeable(each)}


def _options(story: BankStory, profile: CheminDeFerProfile, part: bool) -> dict[str, set[Fraction]]:
    """What may be in play, by the banker's wish: all (``none``), ``half``, and where the bank was not fully
    covered twice what was (``double``), or half of that."""
    assert story.bank is not None
    assert story.won is not None
    assert story.covered is not None
    due = story.won * profile.commission
    deductions = profile.rounding.payable(due) | {due}
    whole = {story.bank + story.won - deduction for deduction in deductions}
    options = {
        "none": whole,
        "half": {amount / 2 for amount in whole},
        "excluded": {story.bank},
    }
    if part and story.won > 0 and not profile.cut_before_deal:
        double = {2 * story.covered - deduction for deduction in deductions}
        options |= {"double": double, "double half": {amount / 2 for amount in double}}
    return options
