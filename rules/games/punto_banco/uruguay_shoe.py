"""The shoe: its way round the table, how it stands, how it was made up, and its cut card
(art. 27 to 36 and 73 to 79, 96)."""

from __future__ import annotations

from rules.clock import clock
from rules.docket import Moment
from rules.events import CardPlaced, CardTurned, Cue, CutCardSeen, MarkerSeen
from rules.games.punto_banco.reading import lost_view
from rules.games.punto_banco.uruguay_carry import BANKS, NOBODY, is_told, passes_start
from rules.games.punto_banco.uruguay_pass import Pass, cue_at, seat_of
from rules.spots import SHOE, bet_spot
from rules.written import number_in

_SHUFFLES = 3
_CLOTH_FIRST = "2"
_LOST_S = 5.0
"""A pass that seems to end so shortly before a view is lost may be going on."""


def judge_shoe_place(play: Pass) -> None:
    """Where the shoe stands in this pass."""
    _judge_way(play)
    _judge_nobody(play)
    _judge_free_seats(play)
    for event in (*play.coup.before, *play.coup.events):
        if not isinstance(event, MarkerSeen) or event.marker != "shoe" or event.angle_deg is None:
            continue
        if event.t > play.coup.t_result:
            continue  # the next pass's
        away = abs((event.angle_deg + 180) % 360 - 180)
        if away <= play.own.shoe_faces_within_deg:
            play.docket.conform("PB-URU-SHOE-04")
            continue
        play.docket.breach(
            "PB-URU-SHOE-04",
            "SHOE_ORIENTATION",
            Moment.at(event.t, event.seq),
            expected="the shoe's mouth to the payer of its cloth",
            seen=f"it points {away:.0f} degrees away from him",
            spot=SHOE,
        )
        return


def _judge_way(play: Pass) -> None:
    """In turn to the right: never back to a seat it passed, and to nobody twice in a round."""
    seat, start = play.seat, play.start
    turns = start.round
    freed = is_told(play.coup.cues_before, *BANKS, "new_shoe")
    if not seat or not turns or freed:
        return
    when = Moment.at(play.coup.t_close, play.coup.cards[0].seq, before_s=4.0)
    spot = bet_spot(seat, "shoe")
    if turns[-1] == seat:
        lost = start.run is None and start.result is not None
        others = len(frozenset().union(*start.recent) - {seat}) > 0
        if lost and others and set(BANKS) <= play.profile.cues:
            play.docket.breach(
                "PB-URU-SHOE-01",
                "SHOE_WRONG_SEAT",
                when,
                expected="the shoe at another seat: nobody goes out with it twice in one round",
                seen=f"seat {seat} lost the bank and deals again",
                spot=spot,
                since=start.t_closed,
            )
        return
    last = turns[-1]
    behind, ahead = (last - seat) % _ring(play), (seat - last) % _ring(play)
    if behind < ahead:
        play.docket.breach(
            "PB-URU-SHOE-03",
            "SHOE_WRONG_SEAT",
            when,
            expected=f"the shoe on to the right of seat {last}",
            seen=f"it went back to seat {seat}",
            spot=spot,
            since=start.t_closed,
        )
        return
    play.docket.conform("PB-URU-SHOE-03")
    if seat in turns and not passes_start(turns, seat) and set(BANKS) <= play.profile.cues:
        play.docket.breach(
            "PB-URU-SHOE-01",
            "SHOE_WRONG_SEAT",
            when,
            expected="nobody goes out with the shoe twice in one round",
            seen=f"seat {seat} had it in this round before",
            spot=spot,
            since=start.t_closed,
        )
    elif set(BANKS) <= play.profile.cues:
        play.docket.conform("PB-URU-SHOE-01")


def _ring(play: Pass) -> int:
    """How many places the shoe goes round."""
    highest = max((seat for cloth in play.own.cloths for seat in cloth.seats), default=0)
    return max(play.own.seats or highest, play.seat or 0, *play.start.round, 1)


def _judge_nobody(play: Pass) -> None:
    """Nobody took the bank: the table head deals, with the shoe at the dealer's."""
    told = [cue for cue in is_told(play.coup.cues_before, "remate") if cue.value == NOBODY]
    if not told:
        return
    if not play.seat:
        play.docket.conform("PB-URU-REM-03")
        return
    play.docket.breach(
        "PB-URU-REM-03",
        "SHOE_WRONG_SEAT",
        cue_at(told[-1]),
        expected="the table head takes the shoe",
        seen=f"it stands at seat {play.seat}",
        spot=bet_spot(play.seat, "shoe"),
    )


def _judge_free_seats(play: Pass) -> None:
    """Seats where nobody plays are called out as the shoe passes them."""
    seat, turns, cue = play.seat, play.start.round, "free_seat"
    if not seat or not turns or turns[-1] == seat or cue not in play.profile.cues:
        return
    if is_told(play.coup.cues_before, *BANKS, "new_shoe") or len(play.start.recent) < 3:
        return
    ring = _ring(play)
    ahead = (seat - turns[-1]) % ring
    between = {(turns[-1] + step - 1) % ring + 1 for step in range(1, ahead)}
    playing = frozenset().union(*play.start.recent)
    called = {seat_of(event) for event in is_told(play.coup.cues_before, cue)}
    missing = sorted(between - playing - called)
    if not missing:
        play.docket.conform("PB-URU-SHOE-02")
        return
    play.docket.breach(
        "PB-URU-SHOE-02",
        "ANNOUNCEMENT_MISSING",
        Moment.at(play.coup.t_close, play.coup.cards[0].seq, before_s=4.0),
        expected=f"the free seat {missing[0]} called out as the shoe passes it",
        seen="no such announcement (cue free_seat)",
        subject=f"seat-{missing[0]}",
        since=play.start.t_closed,
    )


def judge_cut_card(play: Pass) -> None:
    """At least twelve cards lie behind it, and one more pass begins after it shows (art. 76, 77)."""
    shoe, docket = play.start.shoe, play.docket
    if shoe.cut_t is None or play.start.after_cut < 1:
        docket.conform("PB-URU-CUT-02")
    else:
        docket.breach(
            "PB-URU-CUT-02",
            "DEAL_AFTER_CUT_CARD",
            Moment.span(shoe.cut_t, play.coup.cards[0].t, shoe.cut_seq, play.coup.cards[0].seq),
            expected="one more pass after the cut card showed, and no other",
            seen=f"it showed at {clock(shoe.cut_t)}, and this is pass {play.start.after_cut + 1} after it",
            spot=SHOE,
        )
    seen = [event for event in play.coup.events if isinstance(event, CutCardSeen)]
    if not seen or shoe.cut_t is not None or shoe.coups is None or lost_view(play.coup, play.start.lost):
        return
    cards = [*play.coup.cards, *play.coup.aside]
    out = shoe.cards + sum((card.t_exit or card.t) <= seen[0].t for card in cards)
    left = play.profile.packs * 52 - out
    if left >= play.profile.cut_card_below:
        docket.conform("PB-URU-CUT-01")
        return
    docket.breach(
        "PB-URU-CUT-01",
        "CUT_CARD_MISPLACED",
        Moment.at(seen[0].t, seen[0].seq),
        expected=f"at least {play.profile.cut_card_below} cards behind the cut card",
        seen=f"{left} cards: it showed after {out}",
        spot=SHOE,
    )


def judge_preparation(play: Pass) -> None:
    """Before the first pass of a new shoe."""
    told = [event for event in play.coup.before if isinstance(event, Cue)]
    new = is_told(told, "new_shoe")
    if not new:
        return
    when = cue_at(new[-1], before_s=30.0)
    cues = play.profile.cues
    _judge_shuffles(play, when)
    if "calado" in cues:
        _told_or_missing(play, "PB-URU-PREP-03", "calado", when)
    _judge_cut(play)


def _judge_shuffles(play: Pass, when: Moment) -> None:
    told = play.told_before("lluvia", "ensalada", "baraje")
    due = [cue for cue in ("lluvia", "ensalada") if cue in play.profile.cues]
    for cue in due:
        _told_or_missing(play, "PB-URU-PREP-02", cue, when)
    if "baraje" not in play.profile.cues:
        return
    shuffles = [event.value for event in told if event.cue == "baraje"]
    payers = [str(number) for number in range(1, len(play.own.cloths) + 1)]
    short = [payer for payer in payers if shuffles.count(payer) < _SHUFFLES]
    first = shuffles[0] if shuffles else None
    if not short and first == _CLOTH_FIRST:
        play.docket.conform("PB-URU-PREP-02")
        return
    seen = (
        f"{shuffles.count(short[0])} by the payer of cloth {short[0]}"
        if short
        else f"the payer of cloth {first} began"
    )
    play.docket.breach(
        "PB-URU-PREP-02",
        "SHUFFLE_INCOMPLETE",
        when,
        expected=f"{_SHUFFLES} shuffles by each payer, that of cloth {_CLOTH_FIRST} first",
        seen=seen,
        subject="baraje",
    )


def _told_or_missing(play: Pass, rule: str, cue: str, when: Moment) -> None:
    if play.told_before(cue):
        play.docket.conform(rule)
    else:
        play.docket.breach(
            rule,
            "SHUFFLE_INCOMPLETE",
            when,
            expected=f"the cards through the {cue} before the shoe is filled",
            seen=f"not told (cue {cue})",
            subject=cue,
        )


def _judge_cut(play: Pass) -> None:
    """Sixty cards or more are cut, by the player at the left of who will deal."""
    for cue in play.told_before("cards_cut"):
        if (number := number_in(cue.value)) is not None:
            if number >= play.own.least_cut:
                play.docket.conform("PB-URU-PREP-04")
            else:
                play.docket.breach(
                    "PB-URU-PREP-04",
                    "CUT_TOO_SHALLOW",
                    cue_at(cue),
                    expected=f"at least {play.own.least_cut} cards cut",
                    seen=f"{cue.value} cards cut",
                )
        seat, dealer = seat_of(cue), play.seat
        if seat is None or not dealer or seat == dealer:
            continue
        declined = {seat_of(other) for other in play.told_before("cut_declined")}
        ring = _ring(play)
        playing = frozenset(spot.seat for spot in play.coup.bets if spot.seat is not None)
        left = [(dealer - step - 1) % ring + 1 for step in range(1, ring)]
        due = next((other for other in left if other in playing and other not in declined), None)
        # One who sits nearer may only sit this pass out.
        if due is None or seat not in left or left.index(seat) <= left.index(due):
            play.docket.conform("PB-URU-CUT-04")
            continue
        play.docket.breach(
            "PB-URU-CUT-04",
            "CUT_WRONG_PLAYER",
            cue_at(cue),
            expected=f"the pack cut by seat {due}, at the left of who deals first",
            seen=f"seat {seat} cut it",
            since=cue.t,
            until=play.coup.t_end + _LOST_S,
        )


def judge_packs(play: Pass) -> None:
    """Each pack shows the ace of hearts first, and no card lies face up while they are shuffled."""
    faces = [e for e in play.coup.before if isinstance(e, CardPlaced | CardTurned) and e.face == "up"]
    shuffled = [cue.t for cue in play.told_before("baraje", "ensalada", "lluvia")]
    begun = min(shuffled, default=float("inf"))
    for event in faces:
        if event.t > begun:
            play.docket.breach(
                "PB-URU-PREP-02",
                "EXPOSED_CARD",
                Moment.at(event.t, event.seq),
                expected="no card face up in the pack while it is shuffled",
                seen=f"{event.card or 'a card'} face up at {clock(event.t)}",
                subject=event.card_id,
            )
        elif event.card in (None, "??", "back"):
            continue
        elif event.card == "Ah":
            play.docket.conform("PB-URU-DECK-04")
        else:
            play.docket.breach(
                "PB-URU-DECK-04",
                "CARD_COMPOSITION",
                Moment.at(event.t, event.seq),
                expected="the ace of hearts as a new pack's first card",
                seen=f"{event.card} lies on top of it",
                subject=event.card_id,
            )
