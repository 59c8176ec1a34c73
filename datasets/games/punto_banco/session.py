"""A session: coups by the book, one after the other, and a fault where one is asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping

from datasets.games.base import Fault, PlayedRound, PlayedSession, check_faults
from datasets.games.punto_banco.cards import HANDS, deal, new_shoe, total
from datasets.games.punto_banco.faults import BY_NAME
from datasets.games.punto_banco.making import Making
from datasets.games.punto_banco.plan import House, Plan, highest_punto, make_bets, settle
from datasets.games.punto_banco.table import Table
from datasets.games.scribe import DEALER, player
from rules.events import Hand
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profile_document import Profile

_ATTEMPTS = 30_000
_SEATS = 9
"""Players at a large table for which the profile names no number."""


def play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """Coups by the book with faults, by coup. Raises ValueError for a fault that cannot be made there."""
    if not isinstance(profile, PuntoBancoProfile):
        raise ValueError(f"{profile.title} is not a profile of punto banco")
    check_faults("punto_banco", BY_NAME, faults, rounds)
    return _Session(_house(profile), profile, seed, dict(faults)).play(rounds)


def _house(profile: PuntoBancoProfile) -> House:
    limits = profile.limits
    sides = profile.dealer_sides
    seats = profile.seats or _SEATS
    return House(
        regulation=profile.regulation,
        variant=profile.variant,
        seats=seats,
        packs=profile.packs,
        minimum=5 if limits.minimum is None else int(limits.minimum),
        maximum=500 if limits.maximum is None else int(limits.maximum),
        cues=profile.cues,
        sides=None if sides is None else dict(sides),
        burns=profile.burns,
        below=profile.cut_card_below,
        half_lines=profile.half_lines,
    )


class _Session:
    def __init__(self, house: House, profile: Profile, seed: int, faults: dict[int, str]) -> None:
        self.house, self.profile, self.seed, self.names = house, profile, seed, faults
        self.rng = random.Random(seed)
        self.table = Table(house, self.rng)
        self.rounds: list[PlayedRound] = []
        self.faults: list[Fault] = []
        self.winner: str | None = None
        self.by_players = house.large and (bool(faults) or self.rng.random() < 0.85)

    def play(self, rounds: int) -> PlayedSession:
        for number in range(1, rounds + 1):
            self._coup(number)
        return PlayedSession(
            game="punto_banco",
            profile=self.profile,
            seed=self.seed,
            events=tuple(self.table.scribe.events),
            rounds=tuple(self.rounds),
            faults=tuple(self.faults),
        )

    def _coup(self, number: int) -> None:
        table, making = self.table, BY_NAME.get(self.names.get(number, ""))
        following = BY_NAME.get(self.names.get(number + 1, ""))
        self._shoe(number, making)
        holder = self._turn(number, making)
        plan, spot = self._plan(making, following, holder)
        if making is not None and making.cut_card:
            table.show_cut_card()
        table.scribe.t = round(table.scribe.t + self.rng.uniform(1.0, 4.0), 3)
        table.run(plan)
        if making is not None:
            self.faults.append(Fault(kind=making.kind, coup=number, spot=spot))
        dealt = plan.deal
        self.winner = None if plan.void else dealt.winner
        self.rounds.append(
            PlayedRound(
                coup=number,
                cards={hand: tuple(str(card) for card in dealt.hand(hand)) for hand in HANDS},
                result={"winner": "tie" if dealt.winner == "empate" else dealt.winner, "void": plan.void}
                | {f"{hand}_total": total(dealt.hand(hand)) for hand in HANDS},
            )
        )

    def _shoe(self, number: int, making: Making | None) -> None:
        """A new shoe where one is due; a session with a fault of the cut card begins within a shoe."""
        table = self.table
        within = any(BY_NAME[name].within for name in self.names.values())
        if number == 1 and within:
            table.shoe = new_shoe(self.rng, self.house.packs)
        elif number == 1 or table.cut_out or (making is not None and making.shoe):
            wrong = {} if making is None else making.shoe
            table.open_shoe(
                burn_error=int(wrong.get("burn_error", 0)),
                astray=bool(wrong.get("astray", False)),
                unburned=bool(wrong.get("unburned", False)),
                left_out=str(wrong["left_out"]) if "left_out" in wrong else None,
            )

    def _turn(self, number: int, making: Making | None) -> int | None:
        """Where the shoe stands for this coup."""
        table, seats = self.table, self.house.seats
        if not self.by_players:
            return None
        to, hand = table.seat, DEALER
        wrong = None if making is None else making.turn
        if wrong is not None:
            to, hand = self._wrong_turn(wrong)
        elif number == 1:
            to = self._declining(1)
        elif self.winner == "punto":
            to = self._declining(table.seat % seats + 1)
        elif self.rng.random() < 0.1:
            to = self._declining(table.seat)
        if to != table.seat or number == 1:
            table.carry_shoe(to, hand)
        return to

    def _wrong_turn(self, wrong: str) -> tuple[int, Hand]:
        table, seats = self.table, self.house.seats
        following = table.seat % seats + 1
        match wrong:
            case "kept":
                return table.seat, DEALER
            case "carried":
                table.scribe.cue("shoe_declined", spot=f"seat {table.seat} shoe")
                return following, player(table.seat)
            case "passed":
                return following, DEALER
            case _:  # everybody between is passed over
                table.scribe.cue("shoe_declined", spot=f"seat {table.seat} shoe")
                return (table.seat - 2) % seats + 1, DEALER

    def _declining(self, seat: int) -> int:
        """The seat that deals when some decline (the holder of a voluntary change is the first)."""
        first = seat == self.table.seat and self.winner != "punto" and self.winner is not None
        while first or self.rng.random() < 0.2:
            first = False
            self.table.scribe.cue("shoe_declined", spot=f"seat {seat} shoe")
            seat = seat % self.house.seats + 1
        return seat

    def _plan(
        self, making: Making | None, following: Making | None, holder: int | None
    ) -> tuple[Plan, str | None]:
        """A plan by the book that gives the occasion for the fault, and leads up to the next coup's."""
        table = self.table
        for _ in range(_ATTEMPTS):
            plan = self._lawful(holder)
            if following is not None and not following.previous(plan):
                self.rng.shuffle(table.shoe)
                continue
            if making is None:
                if following is not None:
                    following.prepare(plan)
                return plan, None
            if making.needs(plan, self.house):
                spot = making.change(plan, self.house, self.rng, table)
                return plan, spot
            self.rng.shuffle(table.shoe)
        raise ValueError("no coup was found that gives the occasion for the fault")

    def _lawful(self, holder: int | None) -> Plan:
        bets = make_bets(self.rng, self.house)
        dealt = deal(self.table.shoe[:6])
        settle(bets, dealt.winner)
        if self.house.regulation == "mediterraneo":
            for bet in bets:
                if bet.does == "paid" and bet.bet == "banca" and self.rng.random() < 0.4:
                    bet.par_first = bet.value - bet.due
        shower = highest_punto(bets) if self.by_players else None
        plan = Plan(dealt, bets, holder, shower)
        plan.said = {cue: value for cue, value in _said(plan).items() if cue in self.house.cues}
        if "tip" not in self.house.cues and self.rng.random() < 0.05:
            plan.tip = "tips"
        plan.void = not self.names and self.rng.random() < 0.02
        return plan


def _said(plan: Plan) -> dict[str, str | None]:
    """What the dealer says in a coup by the book (``""``: the announcement has no content)."""
    said: dict[str, str | None] = {"game_announced": "", "no_more_bets": "", "cards_called": ""}
    for hand in HANDS:
        drew = len(plan.deal.hand(hand)) > 2
        said[f"{hand}_announced"] = "carta" if drew else str(plan.deal.first_two(hand))
    said["winner_announced"] = plan.deal.winner
    return said
