"""Naturals, third cards, totals and the winner, for each value that an unread card may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from rules.baccarat.coup import Coup
from rules.baccarat.points import Result, result_of
from rules.games.chemin_de_fer.deal import Deal
from rules.games.chemin_de_fer.hearing import at_all
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import BANCA, BANK, PUNTO, SIDES
from rules.seen_cards import SeenCard

_MOST_UNREAD = 3
"""More unread cards than this are not played through: hardly anything could be concluded."""


class Draw(Enum):
    """How a side's third card stands to the rules."""

    CONFORM = auto()
    EXTRA = auto()
    MISSING = auto()
    OPEN = auto()
    """The rules do not say, because punto went wrong before."""
    IDLE = auto()
    """Another rule speaks of it."""


@dataclass(frozen=True, slots=True)
class Freedom:
    """Who plays freely in a coup. None: depends on what was not told. ``options_forced``: banca draws where
    it had the choice. ``asked``: the banker asked for the rules."""

    punto: bool | None
    banca: bool | None
    options_forced: bool = False
    asked: bool = False


def freedom_of(coup: Coup, deal: Deal, profile: CheminDeFerProfile) -> Freedom:
    """Who plays freely: by the table's mode, a banco alone where that was authorised, and until an error
    binds them."""
    free: bool | None = profile.free
    if not free:
        if at_all(coup, "banco", "followed_banco"):
            free = profile.free_banco
        elif _covers_alone(coup) and profile.free_banco is not False and "banco" not in profile.cues:
            free = None
    dealer, banker = deal.exposed_by("dealer"), deal.exposed_by("banker")
    if dealer or any(case.by == "dealer" for case in deal.exposed) or at_all(coup, "advice_by_player"):
        return Freedom(False, False, options_forced=len(dealer) == 2)
    asked = bool(at_all(coup, "rules_asked"))
    return Freedom(free, False if asked or len(banker) == 2 else free, asked=asked)


def _covers_alone(coup: Coup) -> bool:
    """Whether one player's stake covers the whole bank and nobody else bet."""
    bets = [bets for spot, bets in coup.bets.items() if spot.bet == PUNTO and bets]
    bank = coup.at_close.get(BANK)
    if len(bets) != 1 or not bank:
        return False
    staked = [bet.standing.value for bet in bets[0]]
    held = [standing.value for standing in bank.values()]
    if None in staked or None in held:
        return False
    return sum(value or 0 for value in staked) >= sum(value or 0 for value in held)


@dataclass(frozen=True, slots=True)
class Play:
    """What the rules say of a finished deal, for certain values of all cards.

    ``natural``: sides that were given a third card although a natural had ended the coup, None without one.
    ``gave``: the banker gave punto a card although he had a natural. ``unshown``: punto let his natural go.
    """

    natural: frozenset[str] | None
    punto: Draw
    banca: Draw
    result: Result
    gave: bool = False
    unshown: bool = False


def play_of(deal: Deal, values: dict[str, int], profile: CheminDeFerProfile, freedom: Freedom) -> Play:
    """The drawing rules for one combination of values."""
    table = profile.drawing
    punto, banca = deal.two(PUNTO, values), deal.two(BANCA, values)
    p_natural, b_natural = punto in table.naturals, banca in table.naturals
    unshown = p_natural and deal.said is not None and deal.basket is None
    result = _result(deal, values, punto, banca, unshown and b_natural)
    given = frozenset(side for side in SIDES if deal.thirds[side])
    if p_natural and not unshown:
        return Play(given, Draw.IDLE, Draw.IDLE, result)
    if b_natural:
        gave = PUNTO in given or deal.basket_third
        extra = given - {PUNTO} if gave or unshown else given
        return Play(extra, Draw.IDLE, Draw.IDLE, result, gave=gave and not unshown, unshown=unshown)
    if deal.miscalled is not None or deal.forced is not None:
        return Play(None, Draw.IDLE, Draw.IDLE, result, unshown=unshown)
    drew = PUNTO in given or deal.basket_third
    punto_draw = Draw.CONFORM
    if unshown:
        punto_draw = Draw.IDLE
    elif punto not in table.punto_free and not freedom.punto:
        due = table.punto_draws(punto)
        mistaken = deal.said is not None and (deal.said.value == "card") is not due
        punto_draw = Draw.IDLE if mistaken else _compare(due, drew)  # a wrong word leaves it to the banker
    third = deal.third(PUNTO, values)
    banca_draw = _banca(deal, banca, third, BANCA in given, profile, freedom)
    if banca_draw is not Draw.CONFORM and punto_draw is Draw.EXTRA and third is not None:
        # Punto should have stood, and banca may have gone by that.
        stood = _banca(deal, banca, None, BANCA in given, profile, freedom)
        banca_draw = Draw.CONFORM if stood is Draw.CONFORM else banca_draw
    elif banca_draw is not Draw.CONFORM and punto_draw is Draw.MISSING:
        banca_draw = Draw.OPEN
    return Play(None, punto_draw, banca_draw, result, unshown=unshown)


def _banca(
    deal: Deal, total: int, third: int | None, drew: bool, profile: CheminDeFerProfile, freedom: Freedom
) -> Draw:
    table = profile.drawing
    if deal.excess:
        return Draw.CONFORM  # he counts 0, and may draw
    if deal.basket_third:
        return Draw.EXTRA if total == 7 and drew else Draw.CONFORM
    if freedom.banca:
        return Draw.MISSING if total == 0 and not drew else Draw.CONFORM
    if (total, third) in table.banca_free:
        return _compare(True, drew) if freedom.options_forced else Draw.CONFORM
    return _compare(table.banca_draws(total, third), drew)


def _compare(due: bool, drawn: bool) -> Draw:
    if due == drawn:
        return Draw.CONFORM
    return Draw.EXTRA if drawn else Draw.MISSING


def _result(deal: Deal, values: dict[str, int], punto: int, banca: int, shown_eight: bool) -> Result:
    if BANCA in deal.thrown:
        return Result.PUNTO
    if PUNTO in deal.thrown:
        return Result.BANCA
    if shown_eight and punto == 9 and banca == 8 and not deal.thirds[PUNTO]:
        return Result.BANCA
    return result_of(deal.total(PUNTO, values), deal.total(BANCA, values))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a coup came out. ``results``: every result it may have; empty if it is void (``void`` says by which
    rule). ``reason``: why the result is not known."""

    plays: tuple[Play, ...]
    results: frozenset[Result]
    totals: dict[str, int | None]
    reason: str | None = None
    void: str | None = None

    @property
    def result(self) -> Result | None:
        """The result, None if it is void or more than one is possible."""
        return next(iter(self.results)) if len(self.results) == 1 else None

    @property
    def natural(self) -> bool | None:
        """Whether a natural ended it; None if not known."""
        cases = {play.natural is not None for play in self.plays}
        return cases.pop() if len(cases) == 1 else None


def outcome_of(coup: Coup, deal: Deal, profile: CheminDeFerProfile) -> Outcome:
    """The coup's outcome by its cards, and what the drawing rules say of them."""
    void = "CF-ERR-02" if deal.stuck is not None else "CF-ERR-05" if coup.void else None
    unknown: dict[str, int | None] = dict.fromkeys(SIDES)
    reason = _unknowable(coup, deal)
    if reason is not None:
        thrown = frozenset({Result.PUNTO if BANCA in deal.thrown else Result.BANCA})
        results = thrown if deal.thrown else frozenset(Result)
        return Outcome((), frozenset() if void else results, unknown, reason, void)
    freedom = freedom_of(coup, deal, profile)
    combinations = list(deal.values())
    plays = tuple(play_of(deal, values, profile, freedom) for values in combinations)
    for side in SIDES:
        totals = {deal.total(side, values) for values in combinations}
        unknown[side] = totals.pop() if len(totals) == 1 else None
    results = frozenset(play.result for play in plays)
    why = None if len(results) == 1 else unread(deal.counted)
    return Outcome(plays, frozenset() if void else results, unknown, why, void)


def unread(cards: Sequence[SeenCard]) -> str | None:
    """Why one of the cards is not known."""
    for card in cards:
        if card.card is None:
            return f"a card on {card.spot} is not known: {card.unread}"
    return None


def _unknowable(coup: Coup, deal: Deal) -> str | None:
    """Why nothing can be said of the cards, or None."""
    if not deal.complete:
        if coup.cut_off or not coup.over:
            return "the recording ended before the hands were dealt"
        side = next(side for side in SIDES if len(deal.first[side]) < 2)
        seen = "no card" if not deal.first[side] else "only one card"
        return f"{seen} was seen on hand {side}"
    if coup.began_unseen:
        return None
    unknown = [card for card in deal.counted if card.card is None]
    return unread(unknown) if len(unknown) > _MOST_UNREAD else None
