"""The session around the passes: the last one, the tally, what is said (art. 44, 48, 63, 85, 88, 91)."""

from __future__ import annotations

from rules.baccarat.points import Result
from rules.docket import Moment
from rules.events import ChipMove, Owner
from rules.games.punto_banco.drawing import Outcome
from rules.games.punto_banco.uruguay_bank import partners
from rules.games.punto_banco.uruguay_carry import is_told
from rules.games.punto_banco.uruguay_pass import Pass, cue_at
from rules.spots import Area, Spot

_LAG_S = 0.5
_CHANGE_S = 10.0
_MIXED_WITHIN_S = 30.0


def judge_session(play: Pass, outcome: Outcome) -> None:
    """What is told around a pass."""
    _judge_last_pass(play, outcome)
    _judge_tally(play, outcome)
    _judge_mixed(play)
    _judge_close_called(play)
    _judge_changes(play)
    _judge_partner_called(play, outcome)


def _judge_last_pass(play: Pass, outcome: Outcome) -> None:
    """The last pass is won or lost: a tie is dealt again, and nothing is dealt after it is decided."""
    announced = play.start.last or bool(play.told_before("last_pass"))
    if play.start.ended and not play.told_before("new_shoe"):
        play.docket.breach(
            "PB-URU-END-01",
            "SESSION_END_WRONG",
            Moment.at(play.coup.t_close, play.coup.cards[0].seq),
            expected="no pass after the last one was decided",
            seen="another pass is dealt",
        )
        return
    if not announced or outcome.result is None:
        return
    ends = [cue for cue in is_told(play.coup.cues, "session_end") if cue.t > play.coup.t_result]
    if outcome.result is Result.TIE and ends:
        play.docket.breach(
            "PB-URU-END-01",
            "SESSION_END_WRONG",
            cue_at(ends[0]),
            expected="the last pass dealt again, for it was a tie",
            seen="the session was ended",
        )
    else:
        play.docket.conform("PB-URU-END-01")


def _judge_tally(play: Pass, outcome: Outcome) -> None:
    """The fiscal's figures for the shoe: passes of punto, of banca, and ties."""
    cues = [cue for cue in is_told(play.coup.cues, "tally") if cue.t > play.coup.t_result]
    before = (0, 0, 0) if play.told_before("new_shoe") else play.start.tally
    if not cues or before is None or outcome.result is None:
        return
    counted = [
        count + (outcome.result is result and not play.coup.void)
        for count, result in zip(before, (Result.PUNTO, Result.BANCA, Result.TIE), strict=True)
    ]
    right = "/".join(map(str, counted))
    for cue in cues:
        if cue.value == right:
            play.docket.conform("PB-URU-STAT-01")
            continue
        play.docket.breach(
            "PB-URU-STAT-01",
            "TALLY_MISMATCH",
            cue_at(cue),
            expected=f"punto/banca/ties {right}",
            seen=f"{cue.value} written down",
        )


def _judge_mixed(play: Pass) -> None:
    """After the session the used cards are turned out on the table and mixed."""
    cue = "cards_mixed"
    ends = [event for event in is_told(play.coup.cues, "session_end") if event.t > play.coup.t_result]
    if not ends or cue not in play.profile.cues:
        return
    if any(event.t >= ends[0].t - _LAG_S for event in is_told(play.coup.cues, cue)):
        play.docket.conform("PB-URU-DEALER-01")
    elif play.coup.t_end >= ends[0].t + _MIXED_WITHIN_S:
        play.docket.breach(
            "PB-URU-DEALER-01",
            "SESSION_END_WRONG",
            cue_at(ends[0]),
            expected="the used cards turned out on the table and mixed",
            seen=f"not told within {_MIXED_WITHIN_S:.0f} s (cue {cue})",
            subject=cue,
        )


def _judge_close_called(play: Pass) -> None:
    """The close of the bets is said aloud."""
    cue = "no_more_bets"
    if cue not in play.profile.cues or play.coup.began_unseen or play.coup.void:
        return
    if any(event.t <= play.t_out + _LAG_S for event in play.told(cue)):
        play.docket.conform("PB-URU-VOICE-01")
        return
    play.docket.breach(
        "PB-URU-VOICE-01",
        "ANNOUNCEMENT_MISSING",
        Moment.at(play.t_out, play.coup.cards[0].seq),
        expected="the close of the bets said aloud",
        seen=f"no such announcement (cue {cue})",
        subject=cue,
    )


def _judge_changes(play: Pass) -> None:
    """Chips that go to the float and come back as others were changed: «cambio» is said first."""
    cue = "cambio"
    if cue not in play.profile.cues:
        return
    called = [event.t for event in play.told(cue)]
    moves = [
        event
        for event in play.coup.events
        if isinstance(event, ChipMove)
        and event.value is not None
        and (event.hand is None or event.hand.owner is not Owner.PLAYER)
    ]
    for index, given in enumerate(moves):
        if Spot.parse(given.to_spot).area is not Area.FLOAT:
            continue
        back = next(
            (
                other
                for other in moves[index + 1 :]
                if other.t - given.t <= _CHANGE_S
                and Spot.parse(other.from_spot).area is Area.FLOAT
                and (other.to_spot, other.value) == (given.from_spot, given.value)
            ),
            None,
        )
        if back is None:
            continue
        if any(given.t - _CHANGE_S <= t <= back.t for t in called):
            play.docket.conform("PB-URU-CHANGE-01")
            continue
        play.docket.breach(
            "PB-URU-CHANGE-01",
            "ANNOUNCEMENT_MISSING",
            Moment.span(given.t, back.t, given.seq, back.seq),
            expected="«cambio» said before the change",
            seen=f"{given.value} changed, and nothing said (cue {cue})",
            subject=f"cambio-{given.seq}",
        )


def _judge_partner_called(play: Pass, outcome: Outcome) -> None:
    """A partner at the other cloth: its payer hands the chips across and calls the seat."""
    cue = "partner_called"
    if cue not in play.profile.cues or outcome.result is not Result.BANCA or not play.judged:
        return
    cloths = {play.own.cloth_of(seat, None) for seat in partners(play)}
    if len(cloths) < 2 or not play.told_before("partner"):
        return
    if any(event.t > play.coup.t_result - _LAG_S for event in is_told(play.coup.cues, cue)):
        play.docket.conform("PB-URU-PAY-03")
        return
    play.docket.breach(
        "PB-URU-PAY-03",
        "ANNOUNCEMENT_MISSING",
        Moment.at(play.coup.t_result, play.coup.cards[-1].seq),
        expected="the partner's seat called as the chips are handed across",
        seen=f"no such announcement (cue {cue})",
        subject=cue,
    )
