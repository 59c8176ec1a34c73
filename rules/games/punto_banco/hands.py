"""Whose hands are on the cards of a large table: who shows punto's, who turns banca's, and where they lie.

Where the cameras tell nothing of hands, nothing is judged here; the session's questions say so.
"""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.punto_banco.articles import Articles
from rules.games.punto_banco.bets import standing_bets
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.reading import AT_DEALER
from rules.money import readable
from rules.seen_cards import Contact, SeenCard
from rules.spots import Area, Spot, hand_spot
from rules.written import number_in

_BEFORE_S = 0.3
"""Two turns nearer than this may have been the other way round."""
_SWEPT_S = 1.5
"""A card that moves so soon before the cards are gathered is being gathered."""


def judge_hands(coup: Coup, seat: int | None, profile: PuntoBancoProfile, docket: Docket) -> None:
    """``seat``: where the shoe stands (``AT_DEALER``; None: not told)."""
    articles = profile.articles
    if coup.began_unseen:
        return
    shown_at = _shown_at(coup)
    _judge_punto_player(coup, seat, shown_at, articles, docket)
    if articles.punto_touch is not None and seat is not None:
        _judge_touch(coup, "punto", shown_at | {seat}, articles.punto_touch, docket)
    if articles.banca_player is not None and seat is not None:
        _judge_touch(coup, "banca", {seat}, articles.banca_player, docket)
    if articles.banca_waits is not None:
        _judge_waiting(coup, seat, articles.banca_waits, docket)
    for hand, rule in (("punto", articles.punto_place), ("banca", articles.banca_place)):
        if rule is not None:
            _judge_place(coup, hand, rule, docket)


def _first_two(coup: Coup, hand: str) -> list[SeenCard]:
    return [card for card in coup.cards[:4] if card.hand == hand]


def _shown_at(coup: Coup) -> frozenset[int | None]:
    """The seats where punto's first cards lay, or whose players turned them."""
    seats: set[int | None] = set()
    for card in _first_two(coup, "punto"):
        seats |= {seat for rest in card.rests if (seat := _seat_of(rest.spot)) is not None}
        seats |= {
            turn.hand.seat
            for turn in card.turns
            if turn.up and turn.hand is not None and turn.hand.owner is Owner.PLAYER
        }
    return frozenset(seats)


def _seat_of(spot: Spot) -> int | None:
    """The seat of ``hand seat_3``."""
    if spot.hand is None or not spot.hand.startswith("seat_"):
        return None
    return number_in(spot.hand.removeprefix("seat_"))


def _dealer_turned(coup: Coup) -> bool:
    return any(
        turn.up and turn.hand is not None and turn.hand.owner is Owner.DEALER
        for card in _first_two(coup, "punto")
        for turn in card.turns
    )


def punto_bets(coup: Coup) -> dict[int, Fraction | None]:
    """What each seated player has on punto, None where it was not read."""
    standing = standing_bets(coup)
    bets: dict[int, Fraction | None] = {}
    for spot, stacks in coup.bets.items():
        if spot.bet != "punto" or spot.seat is None or spot in standing:
            continue
        values = [bet.standing.value for bet in stacks]
        known = [value for value in values if value is not None]
        bets[spot.seat] = sum(known, Fraction(0)) if len(known) == len(values) else None
    return bets


def _judge_punto_player(
    coup: Coup, seat: int | None, shown_at: frozenset[int | None], articles: Articles, docket: Docket
) -> None:
    """Punto's cards go to the seated player with the highest punto bet; without one the dealer turns them."""
    if articles.punto_player is None or not (shown_at or _dealer_turned(coup)):
        return
    bets = punto_bets(coup)
    cards = _first_two(coup, "punto")
    when = Moment.span(coup.t_close, max(_turned(card) for card in cards), *_seqs(cards))
    code, spot = "PUNTO_HAND_WRONG_PLAYER", hand_spot("punto")
    if not bets:
        rule = articles.punto_nobody
        if rule is None:
            return
        if not shown_at:
            docket.conform(rule)
            return
        expected = "the dealer turns punto's cards, for no seated player has bet on punto"
        docket.breach(rule, code, when, expected=expected, seen=_showed(shown_at), spot=spot, joint=True)
        return
    rule = articles.punto_player
    known = [value for value in bets.values() if value is not None]
    highest = max(known, default=Fraction(0))
    unread = [at for at, value in bets.items() if value is None]
    top = sorted(at for at, value in bets.items() if value == highest and known)
    expected = f"punto's cards to the highest punto bet: {readable(highest)} at seat {_or(top)}"
    if not shown_at:
        if seat is not None and seat != AT_DEALER:
            seen = "the dealer turned them"
            docket.breach(rule, code, when, expected=expected, seen=seen, spot=spot, joint=True)
        return
    lower = {at for at in shown_at if at is not None and bets.get(at, Fraction(0)) is not None} - set(top)
    if lower:
        seen = _showed(frozenset(lower))
        docket.breach(rule, code, when, expected=expected, seen=seen, spot=spot, joint=True)
    elif unread or None in shown_at:
        why = (
            f"the punto bet at seat {_or(unread)} was not read"
            if unread
            else "which player it was was not seen"
        )
        docket.undetermined(rule, code, when, why, seen=_showed(shown_at), spot=spot)
    else:
        docket.conform(rule)


def _turned(card: SeenCard) -> float:
    return card.t if card.t_up is None else max(card.t, card.t_up)


def _or(seats: list[int]) -> str:
    return " or ".join(str(seat) for seat in seats) or "none"


def _showed(seats: frozenset[int | None]) -> str:
    names = ", ".join(
        "a player" if seat is None else f"the player at seat {seat}" for seat in sorted(seats, key=str)
    )
    return f"{names} had them"


def _judge_touch(
    coup: Coup, hand: str, allowed: frozenset[int | None] | set[int | None], rule: str, docket: Docket
) -> None:
    """No other player has a hand on the cards."""
    told = False
    for card in (card for card in coup.cards if card.hand == hand):
        for contact in card.contacts:
            told |= contact.hand.owner is not Owner.UNKNOWN
            if _is_other(contact, allowed):
                docket.breach(
                    rule,
                    "UNAUTHORISED_CARD_CONTACT",
                    Moment.at(contact.t, contact.seq),
                    expected=_entitled(hand, allowed),
                    seen=f"the player at seat {contact.hand.seat} had a hand on {card.name}",
                    spot=hand_spot(hand),
                )
                return
    if told:
        docket.conform(rule)


def _is_other(contact: Contact, allowed: frozenset[int | None] | set[int | None]) -> bool:
    hand = contact.hand
    return hand.owner is Owner.PLAYER and hand.seat is not None and hand.seat not in allowed


def _entitled(hand: str, allowed: frozenset[int | None] | set[int | None]) -> str:
    seats = sorted(seat for seat in allowed if seat)
    return f"on {hand}'s cards only the hands of the dealer" + "".join(
        f" and of seat {seat}" for seat in seats
    )


def _judge_waiting(coup: Coup, seat: int | None, rule: str, docket: Docket) -> None:
    """Banca's first cards wait at the shoe until punto's have been shown."""
    punto, banca = _first_two(coup, "punto"), _first_two(coup, "banca")
    if len(punto) < 2 or len(banca) < 2 or any(card.t_up is None for card in punto):
        return
    shown = max(card.t_up or 0.0 for card in punto)
    by_players = seat is not None and seat != AT_DEALER
    for card in banca:
        early = card.t_up is not None and card.t_up < shown - _BEFORE_S
        away = by_players and [
            rest for rest in card.rests if rest.spot.area is not Area.SHOE and rest.t < shown - _BEFORE_S
        ]
        if not early and not away:
            continue
        t = card.t_up if early and card.t_up is not None else card.t
        seen = (
            f"{card.name} of banca face up at {clock(t)}" if early else f"a card of banca lay at {card.spot}"
        )
        docket.breach(
            rule,
            "REVEAL_ORDER",
            Moment.span(t, shown, *_seqs([*punto, card])),
            expected=f"banca's cards at the shoe until punto's were shown (at {clock(shown)})",
            seen=seen,
            spot=hand_spot("banca"),
        )
        return
    docket.conform(rule)


def _judge_place(coup: Coup, hand: str, rule: str, docket: Docket) -> None:
    """Shown cards lie in their hand's place: punto's at the dealer's right, banca's at his left."""
    cards = [card for card in _first_two(coup, hand) if card.t_up is not None]
    if coup.t_swept is None or not cards:
        return
    place, swept = hand_spot(hand), coup.t_swept - _SWEPT_S
    wrong = [card for card in cards if card.spot != place and card.rests[-1].t < swept]
    if not wrong:
        docket.conform(rule)
        return
    side = "right" if hand == "punto" else "left"
    docket.breach(
        rule,
        "HAND_POSITION_WRONG",
        Moment.span(_turned(wrong[0]), coup.t_swept, *_seqs(wrong)),
        expected=f"{hand}'s cards at the dealer's {side} once they were shown",
        seen=f"{' '.join(card.name for card in wrong)} lay at {wrong[0].spot}",
        spot=hand_spot(hand),
    )


def _seqs(cards: list[SeenCard]) -> tuple[int, ...]:
    return tuple(seq for card in cards for seq in card.seqs)
