"""Naturals and third cards, and the draws that announcements bring about."""

from __future__ import annotations

from collections.abc import Iterable

from rules.baccarat.coup import Coup
from rules.chips import Move
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.chemin_de_fer.deal import Deal, total_of
from rules.games.chemin_de_fer.hearing import at_all, during
from rules.games.chemin_de_fer.outcome import Draw, Freedom, Outcome, freedom_of, unread
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.games.chemin_de_fer.words import BANCA, PUNTO, SIDES
from rules.seen_cards import SeenCard
from rules.spots import hand_spot


def judge_drawing(
    coup: Coup, deal: Deal, outcome: Outcome, profile: CheminDeFerProfile, docket: Docket
) -> None:
    """What is prescribed for third cards."""
    if outcome.void is not None:
        return
    if not outcome.plays:
        if coup.over and not deal.thrown:
            _all_undetermined(coup, outcome.reason or "", docket)
        return
    if not deal.thrown:
        settled = _dealt_out(coup)
        _judge_natural(coup, deal, outcome, docket, settled)
        for side in SIDES:
            _judge_third(coup, deal, side, outcome, profile, docket, settled)
        _judge_miscalled(coup, deal, docket)
        _judge_forced(deal, docket)
        _judge_declared(deal, profile, docket)
        _judge_misspoken(coup, deal, docket)
    _judge_advice(coup, deal, docket)
    if outcome.result is None and coup.over and not coup.cut_off:
        when = Moment.at(coup.t_result, *_seqs(coup.cards))
        docket.undetermined("CF-WIN-01", "WRONG_WINNER", when, outcome.reason or "", seen=hands_text(deal))


def hands_text(deal: Deal) -> str:
    """Both hands in words."""
    return "; ".join(f"{side} {' '.join(card.name for card in deal.cards(side)) or '-'}" for side in SIDES)


def _seqs(cards: Iterable[SeenCard]) -> tuple[int, ...]:
    return tuple(seq for card in cards for seq in card.seqs)


def _all_undetermined(coup: Coup, reason: str, docket: Docket) -> None:
    when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
    docket.undetermined("CF-DRAW-01", "WRONG_DRAW", when, reason, spot=hand_spot(PUNTO))
    docket.undetermined("CF-DRAW-02", "WRONG_DRAW", when, reason, spot=hand_spot(BANCA))
    docket.undetermined("CF-WIN-01", "WRONG_WINNER", when, reason)


def _dealt_out(coup: Coup) -> bool:
    """Whether no more cards will come: they are being gathered, or the dealer settles the bets."""
    if coup.t_swept is not None or (coup.over and not coup.cut_off):
        return True
    return any(move.owner is Owner.DEALER and move.t > coup.t_result for move in coup.moves)


def _judge_natural(coup: Coup, deal: Deal, outcome: Outcome, docket: Docket, settled: bool) -> None:
    cases = {(play.natural, play.gave, play.unshown) for play in outcome.plays}
    if len(cases) > 1:
        return  # each side's own rule says what it can
    natural, gave, unshown = cases.pop()
    if gave:
        given = deal.thirds[PUNTO]
        docket.breach(
            "CF-ERR-13",
            "WRONG_DRAW",
            Moment.span(coup.t_close, given[0].t if given else coup.t_result, *_seqs(coup.cards)),
            expected="a natural shown by the banker, and no card given",
            seen=f"a card given to punto; the natural has no privilege: {hands_text(deal)}",
            spot=hand_spot(BANCA),
        )
    if unshown:
        said = deal.said
        assert said is not None
        docket.breach(
            "CF-ERR-19",
            "NATURAL_NOT_SHOWN",
            Moment.at(said.t, said.seq, *_seqs(deal.first[PUNTO])),
            expected="a natural shown by punto",
            seen=f"punto said {said.value} instead: {hands_text(deal)}",
            spot=hand_spot(PUNTO),
        )
    for side in sorted(natural or ()):
        third = deal.thirds[side][0]
        docket.breach(
            "CF-NAT-01",
            "WRONG_DRAW",
            Moment.span(coup.t_close, third.t, *_seqs(coup.cards)),
            expected="no third card after a natural",
            seen=f"a third card for {side}: {hands_text(deal)}",
            spot=hand_spot(side),
            subject="extra",
        )
    if settled and not natural and not gave:
        docket.conform("CF-NAT-01")


def _rule(deal: Deal, side: str, profile: CheminDeFerProfile, freedom: Freedom) -> str:
    """The row that says whether a side draws."""
    if side == PUNTO:
        return "CF-DRAW-01"
    if deal.basket_third:
        return "CF-ERR-10"
    if freedom.banca:
        return "CF-DRAW-03"
    if freedom.asked:
        return "CF-DRAW-06"
    two, third = total_of(deal.first[BANCA]), total_of(deal.thirds[PUNTO][:1])
    option = bool(deal.thirds[PUNTO]) and (two, third) in profile.drawing.banca_free
    return "CF-ERR-04" if freedom.options_forced and option else "CF-DRAW-02"


def _judge_third(
    coup: Coup,
    deal: Deal,
    side: str,
    outcome: Outcome,
    profile: CheminDeFerProfile,
    docket: Docket,
    settled: bool,
) -> None:
    if all(play.natural is not None for play in outcome.plays):
        return
    freedom = freedom_of(coup, deal, profile)
    rule = _rule(deal, side, profile, freedom)
    cases = {_case(play.natural, getattr(play, side), side) for play in outcome.plays}
    if Draw.CONFORM in cases:
        cases.discard(Draw.IDLE)
    thirds, spot = deal.thirds[side], hand_spot(side)
    sure = next(iter(cases)) if len(cases) == 1 else None
    when = Moment.span(coup.t_close, coup.t_result, *_seqs(coup.cards))
    if sure is Draw.IDLE:
        return
    if sure is Draw.CONFORM:
        if settled or thirds:
            docket.conform(rule)
        return
    reason = _open_reason(coup, deal, side, sure, freedom, settled)
    if reason == "":
        return
    if reason is not None:
        if coup.over or settled:
            docket.undetermined(rule, "WRONG_DRAW", when, reason, seen=hands_text(deal), spot=spot)
        return
    due = "stands" if sure is Draw.EXTRA else "draws"
    t = thirds[0].t if thirds else coup.t_result
    seen = f"{side} was given a third card, {thirds[0].name}" if thirds else f"{side} was given no third card"
    docket.breach(
        rule,
        "WRONG_DRAW",
        Moment.span(coup.t_close, t, *when.seq),
        expected=f"{side} {due} {_on(deal, side)}",
        seen=seen,
        spot=spot,
        subject="extra" if sure is Draw.EXTRA else "missing",
    )


def _open_reason(
    coup: Coup, deal: Deal, side: str, sure: Draw | None, freedom: Freedom, settled: bool
) -> str | None:
    """Why nothing certain can be said of a third card; None if it can, empty if it is too early to say."""
    free = freedom.punto if side == PUNTO else freedom.banca
    if sure is None:
        return unread(deal.counted) or "a card was not read"
    if sure is Draw.OPEN:
        return "punto was not given the third card that this depends on"
    if free is None:
        return "whether the player alone in banco plays freely was not told (free_banco, cue banco)"
    if sure is Draw.MISSING and not settled:
        return "the recording ended before the cards were gathered" if coup.cut_off else ""
    return _out_of_view(coup, side) if sure is Draw.MISSING else None


def _case(natural: frozenset[str] | None, draw: Draw, side: str) -> Draw:
    if natural is not None:
        return Draw.EXTRA if side in natural else Draw.IDLE
    return draw


def _on(deal: Deal, side: str) -> str:
    own = total_of(deal.first[side])
    text = "on this total" if own is None else f"on {own}"
    if side == PUNTO:
        return text
    third = deal.thirds[PUNTO]
    return f"{text} against {third[0].name}" if third else f"{text} when punto has stood"


def _out_of_view(coup: Coup, side: str) -> str | None:
    """Why a third card that did not come may have come unseen."""
    spot = hand_spot(side)
    gap = coup.gaps.at(spot, coup.t_swept if coup.t_swept is not None else coup.t_end)
    if gap is not None and gap.t_from > coup.cards[min(3, len(coup.cards) - 1)].t - 1.0:
        return f"{spot} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
    return None


# what was said --------------------------------------------------------------------------------------------


def _judge_miscalled(coup: Coup, deal: Deal, docket: Docket) -> None:
    """A card was called though punto had said no."""
    if deal.miscalled is None:
        return
    rule, base = "CF-ERR-06", total_of(deal.first[BANCA])
    called = during(coup, "card_called")[-1]
    when = Moment.at(called.t, called.seq, *_seqs(deal.miscalled))
    if base is None:
        why = unread(deal.first[BANCA]) or "banca's cards were not read"
        docket.undetermined(rule, "WRONG_DRAW", when, why)
        return
    due = [card.card_id for card in deal.miscalled[:1]] if base <= 5 else []
    kept = {
        side: [c.card_id for c in deal.miscalled if c.spot.hand == side and c not in deal.rejected]
        for side in SIDES
    }
    if kept[BANCA] == due and not kept[PUNTO]:
        docket.conform(rule)
        return
    expected = "the first card drawn for banca, others rejected" if due else "every card drawn rejected"
    docket.breach(
        rule,
        "WRONG_DRAW",
        when,
        expected=f"{expected}, banca having {base}",
        seen=f"{len(kept[PUNTO])} of them left with punto, {len(kept[BANCA])} with banca",
        spot=hand_spot(BANCA),
    )


def _judge_forced(deal: Deal, docket: Docket) -> None:
    """A fifth card drawn before punto said no is the banker's."""
    card = deal.forced
    if card is None:
        return
    if card.spot.hand == BANCA and card not in deal.rejected:
        docket.conform("CF-ERR-07")
        return
    docket.breach(
        "CF-ERR-07",
        "WRONG_DRAW",
        Moment.at(card.t, *card.seqs),
        expected="the fifth card, drawn before punto said no, taken by the banker",
        seen="it was rejected" if card in deal.rejected else f"it lies at {card.spot}",
        spot=hand_spot(BANCA),
    )


def _judge_declared(deal: Deal, profile: CheminDeFerProfile, docket: Docket) -> None:
    """Punto's word against what he was given. A word against the rules leaves it to the banker, unless punto
    has 0; on the total where he chooses it counts."""
    said, base = deal.said, total_of(deal.first[PUNTO])
    skip = deal.miscalled is not None or deal.forced is not None or deal.basket is not None
    if said is None or base is None or skip or base in profile.drawing.naturals:
        return
    wants, given = said.value == "card", bool(deal.thirds[PUNTO])
    chooses = base in profile.drawing.punto_free
    if base == 0 and not wants and not given:
        expected = "a card for a punto of 0, whatever he said"
    elif chooses and wants != given:
        expected = f"a card {'given' if wants else 'withheld'}: punto has {base} and chose"
    else:
        docket.conform("CF-ERR-18")
        return
    docket.breach(
        "CF-ERR-18",
        "DRAW_AGAINST_DECLARATION",
        Moment.at(said.t, said.seq, *_seqs(deal.cards(PUNTO))),
        expected=expected,
        seen=f"punto said {said.value} and was given {'a card' if given else 'none'}",
        spot=hand_spot(PUNTO),
    )


def _judge_misspoken(coup: Coup, deal: Deal, docket: Docket) -> None:
    """Another wrong word of punto's: cards drawn for it are rejected, but a player in banco bears it."""
    for cue in during(coup, "punto_misspoke")[:1]:
        banco = bool(at_all(coup, "banco", "followed_banco"))
        after = [card for side in SIDES for card in deal.thirds[side] if card.t > cue.t]
        after += [card for card in deal.rejected if card.t > cue.t and card not in after]
        kept = [card for card in after if card not in deal.rejected]
        wrong = kept if not banco else [card for card in after if card in deal.rejected]
        if banco and total_of(deal.first[PUNTO]) == 0:
            wrong = []
        if not wrong:
            docket.conform("CF-ERR-20")
            continue
        docket.breach(
            "CF-ERR-20",
            "WRONG_DRAW",
            Moment.at(cue.t, cue.seq, *_seqs(wrong)),
            expected="a player in banco bears his mistake" if banco else "the cards drawn for it rejected",
            seen=f"{wrong[0].name} was {'rejected' if banco else 'kept'}",
            spot=hand_spot(PUNTO),
        )


def _judge_advice(coup: Coup, deal: Deal, docket: Docket) -> None:
    """The dealer advises a punto of 5 to stand; nobody else advises."""
    base = total_of(deal.first[PUNTO])
    for cue in during(coup, "advice"):
        if base != 5:
            continue
        if cue.value == "stand":
            docket.conform("CF-DRAW-05")
            continue
        docket.breach(
            "CF-DRAW-05",
            "ADVICE_WRONG",
            Moment.at(cue.t, cue.seq),
            expected="a punto of 5 told to stand",
            seen=f"the dealer said {cue.value}",
            spot=hand_spot(PUNTO),
        )
    for cue in at_all(coup, "advice_by_player"):
        docket.breach(
            "CF-ERR-17",
            "ADVICE_GIVEN",
            Moment.at(cue.t, cue.seq),
            expected="no advice but the dealer's",
            seen="a player gave advice; the drawing rules apply",
        )


# who speaks first -----------------------------------------------------------------------------------------


def banker_spoke_first(deal: Deal, profile: CheminDeFerProfile) -> tuple[bool | None, float]:
    """Whether the banker showed a natural before punto had spoken, and when. None: not told."""
    total = total_of(deal.first[BANCA])
    shown = [card.t_up for card in deal.first[BANCA] if card.t_up is not None]
    if total not in profile.drawing.naturals or len(shown) < 2 or deal.excess:
        return False, 0.0
    t = max(shown)
    acts = [turn.t for card in deal.first[PUNTO] for turn in card.turns]
    acts += [card.t for card in deal.thirds[PUNTO]]
    if any(act <= t for act in acts):
        return False, t
    if deal.said is not None:
        return deal.said.t > t, t
    return (True if "punto_says" in profile.cues else None), t


def judge_banker_speech(deal: Deal, profile: CheminDeFerProfile, docket: Docket) -> None:
    """The banker speaks after punto."""
    first, t = banker_spoke_first(deal, profile)
    if first is None or not t:
        return
    if not first:
        docket.conform("CF-ERR-12")
        return
    docket.breach(
        "CF-ERR-12",
        "REVEAL_ORDER",
        Moment.at(t, *_seqs(deal.first[BANCA])),
        expected="the banker's natural shown after punto has spoken",
        seen=f"it was shown at {clock(t)}; the bets may be withdrawn",
        spot=hand_spot(BANCA),
    )


def removal_allowed(deal: Deal, move: Move, profile: CheminDeFerProfile) -> bool | None:
    """Whether a bet may be withdrawn at this moment; None: not told."""
    first, t = banker_spoke_first(deal, profile)
    return False if not t or move.t < t else first
