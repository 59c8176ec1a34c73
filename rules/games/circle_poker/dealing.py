"""The deal: one pack, two cards a player the right way round, shared and burned cards, nothing shown."""

from __future__ import annotations

from rules.docket import Docket, Moment
from rules.events import CardPlaced, Cue, HandContact, Owner
from rules.games.circle_poker.pots import clockwise_from
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import Hand, seat_of
from rules.games.circle_poker.story import streets_of
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area, Spot, hand_spot


def judge_dealing(hand: Hand, profile: CirclePokerProfile, sight: Sight, docket: Docket) -> None:
    """Every rule on cards, but for who wins with them."""
    if profile.holds("CP-DECK-01"):
        _pack(hand, sight, docket)
        _shuffle(hand, profile, docket)
        _direction(hand, profile, docket)
        _shown_in_deal(hand, docket)
    if profile.holds("TX-STD-01"):
        _counts(hand, profile, docket)
        _burns(hand, profile, docket)


def _pack(hand: Hand, sight: Sight, docket: Docket) -> None:
    seen: dict[str, SeenCard] = {}
    for card in [*hand.cards, *hand.board, *hand.burned]:
        if card.card is None or card.p < sight.composition_p:
            continue
        first = seen.setdefault(card.name, card)
        if first is not card:
            docket.breach(
                "CP-DECK-01",
                "CARD_COMPOSITION",
                Moment.at(card.t_up or card.t, first.seq, card.seq),
                expected="each of the 52 cards once",
                seen=f"{card.name} twice in one hand",
                spot=card.dealt_to,
                subject=card.name,
            )
            return
    docket.conform("CP-DECK-01")


def _shuffle(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    """The shuffles told, the cut, and a card shown at the pack."""
    shuffles = [cue for cue in hand.told("cards_shuffled") if cue.t <= hand.t_first]
    cuts = [cue for cue in hand.told("cards_cut") if cue.t <= hand.t_first]
    when = Moment.at(hand.t_first, hand.cards[0].seq, *(cue.seq for cue in (*shuffles, *cuts)))
    for card in hand.at_deck:
        again = any(card.t < cue.t for cue in shuffles)
        if card.t_up is not None and card.t < hand.t_first and "cards_shuffled" in profile.cues and not again:
            docket.breach(
                "CP-CUT-01",
                "EXPOSED_CARD",
                Moment.at(card.t_up, card.seq),
                expected="a new shuffle, as a card showed at the cut",
                seen=f"the deal went on after {card.name} had shown",
                spot=Spot(Area.DECK),
            )
    if not shuffles and not (hand.number == 1 and "cards_shuffled" in profile.cues):
        return
    if hand.number == 1 or shuffles:
        if len(shuffles) < profile.shuffles and "cards_shuffled" in profile.cues:
            docket.breach(
                "CP-SHUF-01",
                "SHUFFLE_INCOMPLETE",
                when,
                expected=f"at least {profile.shuffles} shuffles",
                seen=f"{len(shuffles)}",
            )
        else:
            docket.conform("CP-SHUF-01")
    _who(hand, shuffles, cuts, when, docket)


def _who(hand: Hand, shuffles: list[Cue], cuts: list[Cue], when: Moment, docket: Docket) -> None:
    if shuffles and shuffles[-1].value == "player":
        docket.breach(
            "CP-SHUF-02", "SHUFFLE_INCOMPLETE", when, expected="the dealer shuffles last", seen="a player did"
        )
        return
    due = clockwise_from(hand.button, hand.seats)[0] if hand.button is not None else None
    for cut in cuts:
        seat = None if cut.spot is None else Spot.parse(cut.spot).seat
        if seat is not None and due is not None and seat != due:
            docket.breach(
                "CP-SHUF-02",
                "CUT_WRONG_PLAYER",
                Moment.at(cut.t, cut.seq),
                expected=f"seat {due}, on the left of the marker, cuts",
                seen=f"seat {seat} cut",
                spot=Spot.parse(cut.spot or ""),
            )
        elif seat is not None and due is not None:
            docket.conform("CP-SHUF-02")


def _direction(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    """The first card of each seat, in order."""
    if hand.began_unseen or hand.button is None:
        return
    seats = list(dict.fromkeys(seat_of(card) for card in hand.cards))
    due = hand.order if profile.clockwise else [*reversed(hand.order[:-1]), hand.order[-1]]
    rounds = [seat_of(card) for card in hand.cards[: len(seats)]]
    if len(seats) < 2 or rounds == due:
        docket.conform("CP-DEAL-02")
        return
    wrong = next((card for card, seat in zip(hand.cards, due, strict=False) if seat_of(card) != seat))
    docket.breach(
        "CP-DEAL-02",
        "WRONG_DEAL_ORDER",
        Moment.at(wrong.t, wrong.seq),
        expected="one card each, seats " + ", ".join(map(str, due)),
        seen="seats " + ", ".join(map(str, rounds)),
        spot=wrong.dealt_to,
        until=hand.t_end,
    )


def _shown_in_deal(hand: Hand, docket: Docket) -> None:
    end = hand.cards[-1].t + 1.0
    shown = [
        card
        for card in hand.cards
        if (card.t_up is not None and card.t_up <= end and not _by_player(card)) or card.exit_up
    ]
    for card in shown:
        docket.breach(
            "CP-DEAL-03",
            "EXPOSED_CARD",
            Moment.at(card.t_up or card.t, card.seq),
            expected="players' cards slide to them face down",
            seen=f"{card.name} showed as it was dealt to seat {seat_of(card)}",
            spot=card.dealt_to,
            subject=card.card_id,
        )
    if not shown:
        docket.conform("CP-DEAL-03")


def _by_player(card: SeenCard) -> bool:
    return not card.placed_up and any(t.up and t.hand and t.hand.owner is Owner.PLAYER for t in card.turns)


def _counts(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    acted = bool(hand.board or hand.burned) or hand.over
    for seat in hand.seats:
        cards = hand.hand(seat)
        many, few = len(cards) > profile.hole_cards, len(cards) < profile.hole_cards and acted
        if many or (few and not hand.began_unseen):
            docket.breach(
                "TX-STD-01",
                "WRONG_CARD_COUNT",
                Moment.at(cards[-1].t, *(card.seq for card in cards)),
                expected=f"{profile.hole_cards} cards to each player",
                seen=f"seat {seat} got {len(cards)}",
                spot=hand_spot(f"seat_{seat}"),
                until=hand.t_end if few else None,
            )
    place, due = 0, sum(profile.board)
    if len(hand.board) > due:
        extra = hand.board[due]
        docket.breach(
            "TX-STD-01",
            "WRONG_CARD_COUNT",
            Moment.at(extra.t, extra.seq),
            expected=f"{due} shared cards",
            seen=f"{len(hand.board)}",
            spot=Spot(Area.COMMUNITY),
        )
    for count in profile.board:
        dealt = hand.board[place : place + count]
        if hand.over and 0 < len(dealt) < count:
            docket.breach(
                "TX-STD-01",
                "WRONG_CARD_COUNT",
                Moment.at(dealt[-1].t, dealt[-1].seq),
                expected=f"{count} shared cards in this round",
                seen=f"{len(dealt)}",
                spot=Spot(Area.COMMUNITY),
            )
        place += count
    docket.conform("TX-STD-01")


def _burns(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    """Burned cards before each street; and that none was shown. Their backs lie on one another: a hand at
    their place may have brought one that was not seen, and where none is drawn they lie anywhere."""
    if profile.burns is None:
        return
    burn = Spot(Area.BURN)
    reached = [
        event.t
        for event in hand.events
        if (isinstance(event, HandContact) and event.spot == str(burn))
        or (isinstance(event, CardPlaced) and event.spot == str(Spot(Area.TABLE)) and event.face == "down")
    ]
    before = hand.t_first
    for first in streets_of(hand, profile):
        burned = [card for card in hand.burned if before <= card.t < first.t]
        lost = hand.gaps.within(burn, before, first.t)
        if len(burned) == profile.burns:
            docket.conform("TX-STD-01")
        elif len(burned) < profile.burns and lost is None and any(before <= t < first.t for t in reached):
            docket.undetermined(
                "TX-STD-01",
                "BURN_COUNT_WRONG",
                Moment.at(first.t, first.seq, *(card.seq for card in burned)),
                "a hand was at the burned cards' place, or a card was laid elsewhere: it may be there unseen",
                expected=f"{profile.burns} card burned before this street",
                seen=f"{len(burned)}",
                spot=burn,
                subject=first.card_id,
            )
        elif lost is None or len(burned) > profile.burns:
            docket.breach(
                "TX-STD-01",
                "BURN_COUNT_WRONG",
                Moment.at(first.t, first.seq, *(card.seq for card in burned)),
                expected=f"{profile.burns} card burned before this street",
                seen=f"{len(burned)}",
                spot=burn,
                subject=first.card_id,
            )
        before = first.t
    for card in hand.burned:
        if card.t_up is not None and card.t_up < (card.t_cleared or float("inf")):
            docket.breach(
                "TX-STD-01",
                "EXPOSED_CARD",
                Moment.at(card.t_up, card.seq),
                expected="burned cards lie face down",
                seen=f"{card.name} showed",
                spot=Spot(Area.BURN),
                subject=card.card_id,
            )
