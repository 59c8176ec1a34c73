"""What has to be told: rests, absences, clocks, changes of limits and seats, and how the game ends."""

from __future__ import annotations

from fractions import Fraction

from rules.docket import Docket, Moment
from rules.events import Cue
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import Hand, PokerCarry, seat_in, told_amount
from rules.games.circle_poker.story import Story
from rules.spots import bet_spot
from rules.written import number_in

_LATE_S = 5.0
"""What a clock that people run may differ from its minutes."""


def judge_told(
    start: PokerCarry, hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket
) -> None:
    """Every rule that lives on cues."""
    if profile.holds("CP-MIN-01"):
        _players(hand, profile, docket)
        _rests(start, hand, profile, docket)
        _limits_changed(start, hand, docket)
        _over(start, hand, profile, docket)
    if profile.holds("TX-AWAY-01"):
        _away(start, hand, profile, docket)
        _clock(hand, story, profile, docket)
        _seats(start, hand, profile, docket)
        _last_hands(start, hand, profile, docket)


def _breach(docket: Docket, rule: str, code: str, cue: Cue, expected: str, seen: str) -> None:
    seat = seat_in(cue.spot)
    spot = None if seat is None else bet_spot(seat, "stack")
    docket.breach(rule, code, Moment.at(cue.t, cue.seq), expected=expected, seen=seen, spot=spot)


def _verdict(docket: Docket, rule: str, code: str, cue: Cue, kept: bool, expected: str, seen: str) -> None:
    if kept:
        docket.conform(rule)
    else:
        _breach(docket, rule, code, cue, expected, seen)


def _players(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    for cue in hand.told("players"):
        told = told_amount(cue)
        if told is not None:
            kept = told >= profile.players
            _verdict(
                docket, "CP-MIN-01", "TOO_FEW_PLAYERS", cue, kept, f"at least {profile.players}", f"{told}"
            )


def _rests(start: PokerCarry, hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    for seat in sorted(start.resting - set(hand.seats)):
        idle = start.idle.get(seat, 0)
        if idle != profile.rest_hands:
            continue  # said once, in the first hand that is too many
        docket.breach(
            "CP-SEAT-02",
            "SEAT_IDLE_LIMIT",
            Moment.at(hand.t_first, hand.cards[0].seq),
            expected=f"a rest of at most {profile.rest_hands} hands",
            seen=f"seat {seat} is not dealt in for the {idle + 1}th time",
            spot=bet_spot(seat, "stack"),
        )
    for seat in sorted(start.resting & set(hand.seats)):
        if start.idle.get(seat, 0) <= profile.rest_hands:
            docket.conform("CP-SEAT-02")


def _limits_changed(start: PokerCarry, hand: Hand, docket: Docket) -> None:
    for cue in hand.told("limit_changed"):
        before = start.limits_told or any(told.t <= cue.t for told in hand.told("limit_announced"))
        _verdict(
            docket,
            "CP-LIM-03",
            "CONFIG_INVALID",
            cue,
            before,
            "a change of limits announced before",
            "it was not announced",
        )


def _over(start: PokerCarry, hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    for cue in hand.told("session_end"):
        had = dict(start.had)
        if hand.button is not None:
            had[hand.button] = had.get(hand.button, 0) + 1
        first = start.first_seats or tuple(hand.seats)
        stayed = [seat for seat in first if seat not in start.gone]
        short = [seat for seat in stayed if had.get(seat, 0) < 2]
        unseen = start.unmarked or hand.button is None
        if short and not profile.published_duration and (unseen or not set(short) & set(hand.seats)):
            why = "the marker was not seen in every hand" if unseen else "who left the table was not told"
            docket.undetermined("CP-DUR-01", "SESSION_END_WRONG", Moment.at(cue.t, cue.seq), why)
            continue
        _verdict(
            docket,
            "CP-DUR-01",
            "SESSION_END_WRONG",
            cue,
            profile.published_duration or not short,
            "the hand twice for everyone who began",
            "too seldom: " + ", ".join(f"seat {seat}" for seat in short),
        )


def _away(start: PokerCarry, hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    clocks = profile.clocks
    begun = hand.told("away_started")
    away, been = set(start.away), set(start.been_away)
    for cue in sorted([*begun, *hand.told("away_ended")], key=lambda cue: (cue.t, cue.seq)):
        seat = seat_in(cue.spot)
        if seat is None:
            continue
        if cue.cue == "away_ended":
            away.discard(seat)
            continue
        played = start.known.get(seat, 0) + (seat in hand.seats and hand.over and cue.t > hand.t_first)
        chips = hand.value_at(bet_spot(seat, "stack"), cue.t)
        _verdict(
            docket,
            "TX-AWAY-02",
            "AWAY_NOT_ALLOWED",
            cue,
            played >= 1 and chips != 0,
            "one hand played, and chips on the table",
            "no hand played" if played < 1 else "no chips there",
        )
        others = away - {seat}
        if clocks.away_players is not None and len(others) >= clocks.away_players:
            seen = f"{len(others)} were away already"
            _breach(
                docket,
                "TX-AWAY-01",
                "AWAY_TIME_EXCEEDED",
                cue,
                f"at most {clocks.away_players} at a time",
                seen,
            )
        elif seat in been:
            _breach(docket, "TX-AWAY-01", "AWAY_TIME_EXCEEDED", cue, "once a day", "a second time")
        away.add(seat)
        been.add(seat)
    if clocks.away is None:
        return
    allowed = 60.0 * (clocks.away + (clocks.courtesy or 0))
    since = {seat: away.t for seat, away in start.away.items()}
    since |= {seat: cue.t for cue in begun if (seat := seat_in(cue.spot)) is not None}
    for seat, t in sorted(since.items()):
        back = next(
            (cue for cue in hand.told("away_ended") if seat_in(cue.spot) == seat and cue.t >= t), None
        )
        until = hand.t_end if back is None else back.t
        if back is not None and until - t <= allowed:
            docket.conform("TX-AWAY-01")
        elif until - t > allowed and hand.t_start - t <= allowed:
            docket.breach(
                "TX-AWAY-01",
                "AWAY_TIME_EXCEEDED",
                Moment.at(t + allowed, *(() if back is None else (back.seq,)), hand.cards[0].seq),
                expected=f"back within {clocks.away} minutes and {clocks.courtesy or 0} of courtesy",
                seen=f"seat {seat} is away for longer",
                spot=bet_spot(seat, "stack"),
            )


def _clock(hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket) -> None:
    clocks = profile.clocks
    if clocks.decision is None or clocks.decision_above is None:
        return
    called = hand.told("clock_called")
    for index, cue in enumerate(called):
        pot = told_amount(cue)
        if pot is None:
            pot = None if story.unsure else _pot_at(story, cue.t)
        seat = seat_in(cue.spot)
        until = called[index + 1].t if index + 1 < len(called) else float("inf")
        if seat is not None:  # the clock stops when its player acts
            until = min([until, *(deed.t for deed in story.deeds if deed.seat == seat and deed.t > cue.t)])
        warning = next((other for other in hand.told("clock_warning") if cue.t < other.t <= until), None)
        if pot is None or warning is None:
            continue
        small = clocks.small_pot is None or pot <= clocks.small_pot
        minutes = clocks.decision if small else clocks.decision_above
        took = warning.t - cue.t
        _verdict(
            docket,
            "TX-CLOCK-01",
            "CLOCK_WRONG",
            warning,
            took >= 60 * minutes - _LATE_S,
            f"{minutes} minutes with a pot of {pot}",
            f"{took:.0f} seconds",
        )
        if seat is not None and clocks.last is not None:
            _dead(story, seat, warning, warning.t + 60.0 * clocks.last + _LATE_S, docket)


def _pot_at(story: Story, t: float) -> Fraction:
    """All that was put in up to then."""
    put = sum((deed.amount or Fraction(0) for deed in story.deeds if deed.t <= t), Fraction(0))
    return put + sum((amount or Fraction(0) for amount in story.posted.values()), Fraction(0))


def _dead(story: Story, seat: int, warning: Cue, end: float, docket: Docket) -> None:
    """Who has not acted by then is out: nothing he does later counts."""
    acted = next((deed for deed in story.deeds if deed.seat == seat and deed.t > warning.t), None)
    if acted is not None and acted.t <= end:
        docket.conform("TX-CLOCK-02")
    elif acted is not None and acted.acted is not None:
        docket.breach(
            "TX-CLOCK-02",
            "CLOCK_WRONG",
            Moment.at(acted.t, warning.seq, acted.seq),
            expected="the hand is dead when the last minute is over",
            seen=f"seat {seat} bet {acted.t - warning.t:.0f} seconds after it began",
            spot=bet_spot(seat, "bet"),
        )
    elif acted is not None:
        docket.conform("TX-CLOCK-02")


def _seats(start: PokerCarry, hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    for cue in hand.told("table_change"):
        parts = map(number_in, (cue.value or "").split("/"))
        numbers = [number for number in parts if number is not None]
        if len(numbers) == 2:
            kept = abs(numbers[0] - numbers[1]) <= 1
            seen = f"{numbers[0]} and {numbers[1]}"
            _verdict(docket, "TX-BAL-01", "TABLES_UNBALANCED", cue, kept, "a difference of one at most", seen)
    drawn = {seat: cue for cue in hand.told("seat_card") if (seat := seat_in(cue.spot)) is not None}
    for cue in hand.told("table_changer"):
        seat = seat_in(cue.spot)
        if seat in drawn and len(drawn) > 1:
            best = max(_high(other.value) for other in drawn.values())
            kept = _high(drawn[seat].value) == best
            _verdict(
                docket, "TX-SEAT-05", "SEATING", cue, kept, "the highest card moves", f"seat {seat} moved"
            )
    for cue in hand.told("seat_changed"):
        new = seat_in(cue.spot)
        old = number_in(cue.value)
        if new is None or old is None:
            continue
        low, high = sorted((old, new))
        between = [seat for seat in start.seats if low < seat < high]
        around = [seat for seat in start.seats if (seat < low or seat > high) and seat not in (old, new)]
        _verdict(
            docket,
            "TX-SEAT-03",
            "SEATING",
            cue,
            not between or not around,
            "the players sit in the same order as before",
            f"from seat {old} to seat {new}, past others",
        )
    for cue in hand.told("came_from_table"):
        _came(hand, cue, told_amount(cue), "TX-STACK-01", None, docket)
    for cue in hand.told("player_returned"):
        seat = seat_in(cue.spot)
        if seat is not None and seat in start.gone:
            t, had = start.gone[seat]
            wait = profile.clocks.back
            if wait is not None and cue.t - t < 60 * wait:
                seen = f"after {(cue.t - t) / 60:.0f}"
                _breach(docket, "TX-STACK-02", "STACK_REDUCED", cue, f"back after {wait} minutes", seen)
            else:
                _came(hand, cue, had, "TX-STACK-02", profile.buy_in.minimum, docket)


def _came(
    hand: Hand, cue: Cue, had: Fraction | None, rule: str, least: Fraction | None, docket: Docket
) -> None:
    seat = seat_in(cue.spot)
    chips = None if seat is None else hand.value_at(bet_spot(seat, "stack"), hand.t_first)
    put = None if seat is None else hand.value_at(bet_spot(seat, "bet"), hand.t_first)
    if had is None or chips is None:
        return
    due = had if least is None else max(had, least)
    has = chips + (put or 0)
    _verdict(docket, rule, "STACK_REDUCED", cue, has >= due, f"at least {due}", f"{has}")


def _high(card: str | None) -> int:
    return "23456789TJQKA".find((card or " ")[0])


def _last_hands(start: PokerCarry, hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    if start.last_hands is None or profile.last_hands is None:
        return
    if start.last_hands < profile.last_hands:
        docket.conform("TX-END-01")
    elif start.last_hands == profile.last_hands:
        docket.breach(
            "TX-END-01",
            "SESSION_END_WRONG",
            Moment.at(hand.t_first, hand.cards[0].seq),
            expected=f"{profile.last_hands} more hands after the last ones were announced",
            seen=f"hand {start.last_hands + 1} after it",
        )
