"""What settings and cameras leave open at a table of Uruguay's state casinos: said once a session."""

from __future__ import annotations

from collections.abc import Iterable

from rules.events import ChipMove, Cue, Event, MarkerSeen
from rules.games.punto_banco.profile import PuntoBancoProfile

_BY_CUE: dict[str, tuple[str, ...]] = {
    "PB-URU-BANK-01": ("partner",),
    "PB-URU-BANK-02": ("excess_played",),
    "PB-URU-COM-05": ("suite",),
    "PB-URU-SUITE-01": ("suite",),
    "PB-URU-SUITE-02": ("suite_offered",),
    "PB-URU-REM-01": ("bid",),
    "PB-URU-REM-03": ("remate",),
    "PB-URU-REM-04": ("remate", "bid"),
    "PB-URU-REM-05": ("bid",),
    "PB-URU-REM-06": ("bid",),
    "PB-URU-COM-07": ("suite", "remate"),
    "PB-URU-DRAW-09": ("option_on_five",),
    "PB-URU-HAND-02": ("hand_claimed",),
    "PB-URU-HAND-03": ("punto_wish",),
    "PB-URU-HAND-04": ("pooled_bet",),
    "PB-URU-HAND-07": ("hand_ceded",),
    "PB-URU-HAND-08": ("advice",),
    "PB-URU-CLAIM-01": ("claim",),
    "PB-URU-BET-08": ("side_switched",),
    "PB-URU-FLOOR-01": ("picked_up",),
    "PB-URU-VOID-01": ("coup_void",),
    "PB-URU-VOID-02": ("ruling", "coup_void"),
    "PB-URU-ERR-04": ("no_more_bets",),
    "PB-URU-ERR-05": ("no_more_bets",),
    "PB-URU-PREP-04": ("cards_cut",),
    "PB-URU-CUT-04": ("cards_cut",),
    "PB-URU-END-01": ("last_pass",),
    "PB-URU-STAT-01": ("tally",),
    "PB-URU-LIM-04": ("bet_annulled",),
}
"""Rows that any of these cues makes judgeable, once it is told or the profile lists it."""

_BY_LISTING: dict[str, tuple[str, ...]] = {
    "PB-URU-SHOE-01": ("suite", "remate"),
    "PB-URU-SHOE-02": ("free_seat",),
    "PB-URU-BET-07": ("ceded_seat_bet",),
    "PB-URU-CHANGE-01": ("cambio",),
    "PB-URU-PAY-03": ("partner_called",),
    "PB-URU-PREP-02": ("lluvia", "ensalada", "baraje"),
    "PB-URU-PREP-03": ("calado",),
    "PB-URU-DEALER-01": ("cards_mixed",),
    "PB-URU-VOICE-01": ("no_more_bets", "winner_announced"),
}
"""Rows that are judged by what was not told: the profile must list these cues."""


def configured(profile: PuntoBancoProfile, told: frozenset[str]) -> frozenset[str]:
    """Class B rows that can be judged; ``told``: the cues in the journal."""
    own, limits, listed = profile.uruguay, profile.limits, profile.cues
    if own is None:
        return frozenset()
    most = limits.maximum is not None
    by_setting = {
        "PB-URU-LIM-01": limits.minimum is not None and most,
        "PB-URU-REM-02": own.shoe_minimum is not None,
        "PB-URU-MIN-01": own.seats is not None,
        "PB-URU-MIN-02": own.seats is not None,
        **dict.fromkeys(_BY_MAXIMUM, most),
    }
    known = {row for row, is_known in by_setting.items() if is_known}
    known |= {row for row, cues in _BY_CUE.items() if (told | listed) & set(cues)}
    known |= {row for row, cues in _BY_LISTING.items() if set(cues) <= listed}
    return frozenset(known)


_BY_MAXIMUM = (
    "PB-URU-LIM-02",
    "PB-URU-LIM-03",
    "PB-URU-COM-03",
    "PB-URU-COM-04",
    "PB-URU-COM-06",
    "PB-URU-BANK-03",
    "PB-URU-SUITE-04",
)


def unseen(profile: PuntoBancoProfile, events: Iterable[Event], hands: bool) -> dict[str, str]:
    """Class A rows of which the cameras told nothing, and what was missing; ``hands``: hands on cards were
    told of."""
    if profile.uruguay is None:
        return {}
    shoe = angle = paddle = chips = relief = False
    for event in events:
        if isinstance(event, MarkerSeen):
            shoe |= event.marker == "shoe"
            angle |= event.angle_deg is not None
            paddle |= event.marker == "paddle"
        elif isinstance(event, ChipMove):
            chips = True
        elif isinstance(event, Cue):
            relief |= event.cue == "dealer"
    on_cards = "whose hands were on the cards was not seen"
    moved = "between which places chips were moved was not seen"
    reasons = {
        "PB-URU-HAND-01": None if hands else on_cards,
        "PB-URU-HAND-05": None if hands else on_cards,
        "PB-URU-HAND-06": None if hands else on_cards,
        "PB-URU-SHOE-03": None if shoe else "where the shoe stands was not seen",
        "PB-URU-SHOE-04": None if angle else "which way the shoe points was not seen",
        "PB-URU-COL-01": None if paddle else "the paddle was not seen",
        "PB-URU-CHIP-01": None if chips else moved,
        "PB-URU-CHIP-02": None if chips else moved,
        "PB-URU-DEALER-02": None if relief or "dealer" in profile.cues else "who the payers are was not told",
    }
    return {row: why for row, why in reasons.items() if why is not None}
