"""The play: marker, blinds and first bets, turns, limits, and that all in play put in the same."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.docket import Docket, Moment
from rules.events import MarkerSeen
from rules.games.circle_poker.betting import Act, Turn
from rules.games.circle_poker.pots import clockwise_from
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import Hand, PokerCarry
from rules.games.circle_poker.story import Deed, Story, blind_seats
from rules.spots import bet_spot


def judge_play(
    start: PokerCarry, hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket
) -> None:
    """Every rule on marker, bets and turns."""
    if profile.holds("CP-BUT-01"):
        _button(start, hand, docket)
        _first_bets(hand, story, profile, docket)
        _turns(hand, story, docket)
        _limits(hand, story, profile, docket)
        _equal(story, docket)
    if profile.holds("TX-STD-02"):
        _blinds(start, hand, story, profile, docket)


def _button(start: PokerCarry, hand: Hand, docket: Docket) -> None:
    if hand.button is None or start.button is None or not start.seats:
        return
    seen = [
        e for e in hand.events if isinstance(e, MarkerSeen) and e.marker == "button" and e.t <= hand.t_first
    ]
    stays = set(start.seats) & set(hand.seats)
    due = {clockwise_from(start.button, {*start.seats, *hand.seats})[0]}
    due.add(clockwise_from(start.button, hand.seats)[0])
    if stays:  # whoever has just joined may be passed over
        due.add(clockwise_from(start.button, stays)[0])
    if hand.button in due:
        docket.conform("CP-BUT-01")
        return
    docket.breach(
        "CP-BUT-01",
        "BUTTON_NOT_MOVED",
        Moment.at(hand.t_first, *(e.seq for e in seen), hand.cards[0].seq),
        expected="the marker one player on, at seat " + " or ".join(map(str, sorted(due))),
        seen=f"at seat {hand.button}, after seat {start.button}",
        spot=bet_spot(hand.button, "button"),
        since=start.began,
    )


def _first_bets(hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket) -> None:
    if profile.ante is None or hand.began_unseen:
        return
    for seat in hand.seats:
        posted = story.posted.get(seat, Fraction(0))
        if posted is None or hand.gaps.within(bet_spot(seat, "bet"), hand.t_start, hand.t_first):
            continue
        if posted >= profile.ante or seat in story.spent:
            docket.conform("CP-DEAL-01")
            continue
        docket.breach(
            "CP-DEAL-01",
            "ANTE_MISSING",
            Moment.at(hand.t_first, hand.hand(seat)[0].seq),
            expected=f"the first bet of {profile.ante} before the cards",
            seen=f"seat {seat} had put down {posted}",
            spot=bet_spot(seat, "bet"),
            due=profile.ante,
            amount=posted,
        )


def _blinds(start: PokerCarry, hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket) -> None:
    seats, ante = blind_seats(hand), profile.ante or Fraction(0)
    if hand.began_unseen or seats is None:
        return
    dues = list(zip(seats, (profile.small_blind, profile.big_blind), ("small", "big"), strict=True))
    for seat, blind, name in dues:
        posted = story.posted.get(seat, Fraction(0))
        if blind is None or posted is None or (ante and profile.small_blind is None):
            continue
        if hand.gaps.within(bet_spot(seat, "bet"), hand.t_start, hand.t_first):
            continue
        if posted >= blind + ante or (posted and seat in story.spent):
            docket.conform("TX-STD-02")
            continue
        docket.breach(
            "TX-STD-02",
            "BLINDS_MISSING",
            Moment.at(hand.t_first, hand.cards[0].seq),
            expected=f"the {name} blind of {blind} from seat {seat} before the cards",
            seen=f"{posted}",
            spot=bet_spot(seat, "bet"),
            due=blind,
            amount=posted,
        )
    if profile.big_blind is None or start.number == 0:
        return
    for seat in hand.seats:
        posted = story.posted.get(seat, Fraction(0))
        if seat in start.known or seat in seats or posted is None:
            continue
        if posted >= profile.big_blind or seat in story.spent:
            docket.conform("TX-BLIND-01")
            continue
        docket.breach(
            "TX-BLIND-01",
            "BLINDS_MISSING",
            Moment.at(hand.t_first, hand.hand(seat)[0].seq),
            expected=f"a big blind of {profile.big_blind} from seat {seat}, which has just joined",
            seen=f"it was dealt in with {posted} put down",
            spot=bet_spot(seat, "bet"),
            due=profile.big_blind,
            amount=posted,
        )


def _settled(hand: Hand, story: Story) -> Iterator[Deed]:
    """The deeds to which nothing can be added any more."""
    yield from story.deeds if hand.over or story.t_paid is not None else story.deeds[:-1]


def _turns(hand: Hand, story: Story, docket: Docket) -> None:
    if hand.button is None or story.unsure is not None or hand.began_unseen:
        return
    for deed in _settled(hand, story):
        bet = bet_spot(deed.seat, "bet")
        if deed.turn is Turn.BEFORE_OTHERS:
            waiting = deed.waiting or 0
            if hand.gaps.within(bet_spot(waiting, "bet"), hand.t_first, deed.t):
                continue
            docket.breach(
                "CP-DEALER-02",
                "OUT_OF_TURN",
                Moment.at(deed.t, deed.seq),
                expected=f"seat {waiting} acts first",
                seen=f"seat {deed.seat} acted before it",
                spot=bet,
                subject=str(deed.street),
            )
        elif deed.turn is Turn.OVER and deed.acted is not None:
            docket.breach(
                "CP-BET-02",
                "OUT_OF_TURN",
                Moment.at(deed.t, deed.seq),
                expected="a player acts in his turn, and again only if somebody raised since",
                seen=f"seat {deed.seat} put down {deed.amount} with nothing open to it",
                spot=bet,
                subject=str(deed.street),
            )
        else:
            docket.conform("CP-DEALER-02")


def _limits(hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket) -> None:
    limits = profile.limits
    if story.unsure is not None or hand.began_unseen:
        return
    for deed in _settled(hand, story):
        acted = deed.acted
        if acted is None or acted.act not in (Act.BET, Act.RAISE):
            continue
        spot, when = bet_spot(deed.seat, "bet"), Moment.at(deed.t, deed.seq)
        least = None if limits.minimum is None else max(limits.minimum, acted.least)
        if least is not None and acted.by < least and not deed.all_in:
            docket.breach(
                "CP-LIM-01",
                "BET_BELOW_MIN",
                when,
                expected=f"at least {least}",
                seen=f"a {acted.act} of {acted.by}",
                spot=spot,
                subject=str(deed.street),
                due=least,
                amount=acted.by,
            )
        elif limits.maximum is not None and acted.by > limits.maximum:
            docket.breach(
                "CP-LIM-01",
                "BET_ABOVE_MAX",
                when,
                expected=f"at most {limits.maximum}",
                seen=f"a {acted.act} of {acted.by}",
                spot=spot,
                subject=str(deed.street),
                due=limits.maximum,
                amount=acted.by,
            )
        elif limits.minimum is not None:
            docket.conform("CP-LIM-01")
        _kind(deed, profile, when, docket)
        if limits.raises is not None and deed.rivals > 2 and deed.raises > limits.raises:
            docket.breach(
                "CP-RAISE-01",
                "TOO_MANY_RAISES",
                when,
                expected=f"at most {limits.raises} raises in a round",
                seen=f"raise number {deed.raises}",
                spot=spot,
                subject=str(deed.street),
            )


def _kind(deed: Deed, profile: CirclePokerProfile, when: Moment, docket: Docket) -> None:
    """The limit that the kind of game sets for one bet or raise."""
    acted, limits = deed.acted, profile.limits
    if acted is None or limits.kind in (None, "no_limit"):
        return
    most: Fraction | None = acted.pot if limits.kind == "pot" else limits.maximum
    if limits.kind == "fixed" and limits.minimum is not None:
        big = len(profile.board) // 2 < deed.street
        most = limits.minimum * (2 if big else 1)
    if most is None or acted.by <= most:
        docket.conform("CP-LIM-02")
        return
    docket.breach(
        "CP-LIM-02",
        "BET_ABOVE_MAX",
        when,
        expected=f"at most {most} with {limits.kind} limit",
        seen=f"a {acted.act} of {acted.by}",
        spot=bet_spot(deed.seat, "bet"),
        subject=str(deed.street),
        due=most,
        amount=acted.by,
    )


def _equal(story: Story, docket: Docket) -> None:
    """At the end of a round all have put in the same, and all of it goes to the pot."""
    if story.unsure is not None:
        return
    for closed in story.closed:
        when = Moment.at(closed.t, closed.seq)
        for seat in closed.unequal:
            spot = bet_spot(seat, "bet")
            if seat in closed.unseen:
                docket.undetermined(
                    "CP-BET-03",
                    "POT_UNEQUAL",
                    when,
                    f"the chips that seat {seat} has left were not seen, so it may be all in",
                    spot=spot,
                    subject=str(closed.street),
                )
                continue
            docket.breach(
                "CP-BET-03",
                "POT_UNEQUAL",
                when,
                expected="the same from all in play who have chips left",
                seen=f"seat {seat} put in less than was bet",
                spot=spot,
                subject=str(closed.street),
            )
        if not closed.unequal:
            docket.conform("CP-BET-03")
        for seat in closed.ungathered:
            docket.breach(
                "CP-BET-01",
                "POT_UNEQUAL",
                when,
                expected="all bets brought to the pot before play goes on",
                seen=f"chips lay before seat {seat} still",
                spot=bet_spot(seat, "bet"),
                subject=str(closed.street),
            )
        if not closed.ungathered:
            docket.conform("CP-BET-01")
