"""A session: coup after coup by the book, with faults where they are asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping

from datasets.games.base import Fault, PlayedRound, PlayedSession, check_faults
from datasets.games.trente_et_quarante.faults import RECIPES, Recipe
from datasets.games.trente_et_quarante.table import LAST, PLACES, Bet, Coup, Packs, Table
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.profile_document import Profile


def bets(rng: random.Random) -> list[Bet]:
    """Bets of several players, on both halves of the table."""
    made: list[Bet] = []
    for spot, (x, y) in PLACES.items():
        for number in range(rng.randint(0, 2)):
            marked = rng.random() < 0.2
            amount = 100 * rng.randint(1, 9) if marked else 20 * rng.randint(1, 30)
            made.append(Bet(spot, amount, (x + 90.0 * number, y), marked=marked, waits=not marked))
    return made or [Bet("box a noir", 100, PLACES["box a noir"])]


_CUTS = "nearest_right"
"""Who cuts the cards of a new shoe."""


def play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """So many coups; ``faults``: kinds by coup. Raises ValueError for one that cannot be made there."""
    if not isinstance(profile, TrenteProfile):
        raise ValueError(f"{profile.game} is another game than trente_et_quarante.")
    check_faults("trente_et_quarante", RECIPES, faults, rounds)
    rng = random.Random(seed)
    table, packs = Table(profile.cues), Packs(rng)
    packs.renew()
    table.new_shoe(RECIPES[faults[1]].cut_by if 1 in faults else _CUTS)
    prison: list[Bet] = []
    played, made = [], []
    for number in range(1, rounds + 1):
        recipe = RECIPES[faults[number]] if number in faults else None
        if recipe is not None and recipe.cut_by != _CUTS and number > 1:  # it needs a shoe of its own
            packs.renew()
            table.new_shoe(recipe.cut_by)
        ahead = RECIPES[faults[number + 1]] if number + 1 in faults else None
        coup = _planned(rng, packs, number, recipe, ahead, prison)
        if recipe is not None:
            made.append(Fault(kind=recipe.kind, coup=number, spot=recipe.change(coup)))
        elif table.out + len(coup.noir) + len(coup.rouge) > LAST:
            coup.red_at = LAST - table.out
        for bet in coup.bets:
            bet.waits = bet.waits and _stays(coup, bet)
        table.play(coup)
        prison = [
            Bet(b.spot, b.amount, b.at, prison=True, waits=True, name=b.name) for b in coup.bets if b.waits
        ]
        if coup.red_at is not None:
            packs.renew()
            table.new_shoe()
        played.append(_record(coup))
    return PlayedSession(
        game="trente_et_quarante",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(played),
        faults=tuple(made),
    )


def _stays(coup: Coup, bet: Bet) -> bool:
    """Whether a bet lies in prison after a coup."""
    if coup.red_at is not None or coup.word == "null":
        return bet.prison
    return coup.word == "refait" and not bet.prison


def _planned(
    rng: random.Random,
    packs: Packs,
    number: int,
    recipe: Recipe | None,
    ahead: Recipe | None,
    prison: list[Bet],
) -> Coup:
    if recipe is not None:
        wanted = recipe.wanted
    elif ahead is not None and ahead.ahead is not None:
        wanted = ahead.ahead
    else:
        wanted = _any if not prison else _no_refait
    own = (
        [Bet(b.spot, b.amount, b.at, b.gain, b.marked, b.prison, b.waits) for b in recipe.bets()]
        if recipe is not None and recipe.bets is not None
        else []
    )
    if ahead is not None and ahead.ahead is not None and recipe is None:
        own = [Bet("box a noir", 100, PLACES["box a noir"], waits=True)]
    noir, rouge = packs.rows(wanted)
    taken = {(bet.spot, bet.at) for bet in prison}
    mine = own or [bet for bet in bets(rng) if (bet.spot, bet.at) not in taken]
    return Coup(number, noir, rouge, [*prison, *mine] if not own or prison else own)


def _any(_noir: list[str], _rouge: list[str]) -> bool:
    return True


def _no_refait(noir: list[str], rouge: list[str]) -> bool:
    return Coup(0, noir, rouge, []).word != "refait"


def _record(coup: Coup) -> PlayedRound:
    colour = coup.winners[1] if coup.winners else ""
    cards = [*coup.noir, *coup.rouge][: coup.red_at]
    return PlayedRound(
        coup=coup.number,
        cards={"noir": tuple(cards[: len(coup.noir)]), "rouge": tuple(cards[len(coup.noir) :])},
        result={"row": "void" if coup.red_at is not None else coup.word, "colour": colour},
    )
