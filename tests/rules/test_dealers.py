"""A dealer's figures: who dealt, what counts and what does not, what it cost, how fast."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from datasets.games import SIMULATORS
from rules.catalogue import alert_codes
from rules.dealers import (
    FEW,
    Answer,
    CodeCount,
    Errs,
    Figures,
    Money,
    Nobody,
    Pace,
    PlayedCoup,
    Raised,
    Said,
    Session,
    Shifts,
    Stakes,
    Told,
    Week,
    Work,
    dealers_in,
    report,
    shifts_of,
    who_errs,
)
from rules.dealers.errs import codes_named
from rules.dealers.interval import exact_interval
from rules.dealers.pace import pace_of
from rules.dealers.stakes import stakes_of
from rules.events import Cue, Event, Retraction, ViewBack, ViewLost
from rules.findings import Verdict

BREACH, UNDETERMINED = Verdict.BREACH, Verdict.UNDETERMINED
CONFIRMED, REJECTED, CANNOT_TELL = Said(Answer.CONFIRMED), Said(Answer.REJECTED), Said(Answer.CANNOT_TELL)


# who deals when


def told(t: float, value: str | None, seq: int = 1, utc: str | None = None) -> Cue:
    return Cue(seq=seq, t=t, cue="dealer", value=value, utc=utc)


@pytest.mark.parametrize(
    ("events", "t_from", "t_to", "who"),
    [
        ([], 10, 20, Nobody.NOT_TOLD),
        ([told(0, "17")], 10, 20, "17"),
        ([told(10, "17")], 10, 20, "17"),
        ([told(30, "17")], 10, 20, Nobody.NOT_TOLD),
        ([told(15, "17")], 10, 20, Nobody.SEVERAL),
        ([told(0, "17"), told(15, "23", 2)], 10, 20, Nobody.SEVERAL),
        ([told(0, "17"), told(15, "17", 2)], 10, 20, "17"),
        ([told(0, "17"), told(5, None, 2)], 10, 20, Nobody.NOT_TOLD),
        ([told(0, "17"), told(5, "", 2)], 10, 20, Nobody.NOT_TOLD),
        ([told(0, "17, 23")], 10, 20, Nobody.SEVERAL),
        ([told(0, "17"), told(0, "23", 2)], 10, 20, "23"),
        ([told(0, "17"), told(0, "23", 2), Retraction(seq=3, t=0, of=2)], 10, 20, "17"),
        ([told(0, "17"), Cue(seq=2, t=5, cue="no_more_bets", value="23")], 10, 20, "17"),
    ],
)
def test_who_dealt_is_what_was_told(
    events: list[Event], t_from: float, t_to: float, who: str | Nobody
) -> None:
    assert shifts_of(events).dealer(t_from, t_to) == who


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("17", ("17",)),
        ("  dealer \t 17 ", ("dealer 17",)),
        ("17,17", ("17",)),
        ("1\u200b7", ("17",)),
        ("\u202e17", ("17",)),
        ("Mu\u0308ller", ("Müller",)),
        ("<b>x</b>", ("<b>x</b>",)),
        (",,", ()),
    ],
)
def test_names_are_read_as_people_see_them(value: str, names: tuple[str, ...]) -> None:
    assert dealers_in(value) == names


@pytest.mark.parametrize(
    ("events", "header", "start"),
    [
        ([], None, None),
        ([], "2026-11-30T20:00:00Z", datetime(2026, 11, 30, 20, tzinfo=UTC)),
        ([told(60, "17", utc="2026-11-30T21:01:00+01:00")], None, datetime(2026, 11, 30, 20, tzinfo=UTC)),
        (
            [
                ViewLost(seq=1, t=5, reason="dark", utc="2001-01-01T00:00:05Z"),
                told(60, "17", 2, utc="2026-11-30T20:01Z"),
            ],
            None,
            datetime(2026, 11, 30, 20, tzinfo=UTC),
        ),
        ([told(0, "17", utc="yesterday")], None, None),
        ([told(1e300, "17", utc="2026-11-30T20:01Z")], None, None),
    ],
)
def test_the_time_of_day_is_the_headers_or_what_was_told(
    events: list[Event], header: str | None, start: datetime | None
) -> None:
    assert shifts_of(events, header).start == start


def test_what_hides_the_whole_table_is_known() -> None:
    events: list[Event] = [
        ViewLost(seq=1, t=10, reason="dark"),
        ViewBack(seq=2, t=30, lost=1),
        ViewLost(seq=3, t=50, t_to=60, reason="covered", spot="shoe"),
        ViewLost(seq=4, t=70, t_to=80, reason="dark", camera="oblique"),
    ]
    shifts = shifts_of(events)
    assert list(shifts.hidden) == [(10, 30)]
    assert shifts.unseen(29, 40)
    assert not shifts.unseen(30, 100)


# who errs


def test_the_data_speaks_of_codes_that_there_are_and_of_all_about_money() -> None:
    assert codes_named() <= set(alert_codes())
    paid = {code for code in alert_codes() if "PAID" in code or "COLLECT" in code}
    assert paid <= codes_named()
    for game in SIMULATORS:
        for code in ("LATE_BET", "BANK_TOUCHED", "UNAUTHORISED_CARD_CONTACT"):
            assert who_errs(game, code).errs is Errs.PLAYER
        assert who_errs(game, "CAMERA_MOVED").errs is Errs.HOUSE
        assert who_errs(game, "UNDERPAID") == who_errs("punto_banco", "UNDERPAID")


# what counts


def coup(number: int, t_from: float | None = None) -> PlayedCoup:
    begin = 60.0 * number if t_from is None else t_from
    return PlayedCoup(number, begin, begin + 40)


def raised(
    number: int = 1,
    code: str = "UNDERPAID",
    verdict: Verdict = BREACH,
    said: Said | None = None,
    due: str | None = None,
    outcome: str | None = None,
    amount_due: str | None = None,
    amount_seen: str | None = None,
) -> Raised:
    return Raised(
        id=f"{number}-{code}",
        coup=number,
        rule="PB-AND-PAY-01",
        code=code,
        verdict=verdict,
        t=1.0,
        said=said,
        due=due,
        outcome=outcome,
        amount_due=amount_due,
        amount_seen=amount_seen,
    )


def session(*findings: Raised, coups: int = 4, **more: object) -> Session:
    fields = {
        "number": 1,
        "table": "Mesa 4",
        "game": "punto_banco",
        "shifts": Shifts((Told(0.0, ("17",)),)),
        "coups": tuple(coup(number) for number in range(1, coups + 1)),
        "findings": findings,
    }
    return Session(**(fields | more))  # type: ignore[arg-type]


def figures(*findings: Raised, **more: object) -> Figures:
    return report([session(*findings, **more)]).dealers["17"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("findings", "whole", "settled", "erred", "anywhere"),
    [
        ([], 4, 4, 0, 0),
        ([raised()], 4, 3, 0, 0),
        ([raised(said=CONFIRMED)], 4, 4, 1, 1),
        ([raised(said=REJECTED)], 4, 4, 0, 0),
        ([raised(said=CANNOT_TELL)], 3, 3, 0, 0),
        ([raised(verdict=UNDETERMINED)], 3, 3, 0, 0),
        ([raised(verdict=UNDETERMINED, said=REJECTED)], 4, 4, 0, 0),
        ([raised(verdict=UNDETERMINED, said=CONFIRMED)], 4, 4, 1, 1),
        ([raised(said=CONFIRMED), raised(code="WRONG_DRAW", said=CONFIRMED)], 4, 4, 1, 1),
        ([raised(said=CONFIRMED), raised(code="OVERPAID")], 4, 3, 0, 1),
        ([raised(said=CONFIRMED), raised(code="OVERPAID", verdict=UNDETERMINED)], 3, 3, 0, 1),
        # what players do is not the dealer's, seen or not, confirmed or not
        ([raised(code="LATE_BET")], 4, 4, 0, 0),
        ([raised(code="LATE_BET", said=CONFIRMED)], 4, 4, 0, 0),
        ([raised(code="LATE_BET", verdict=UNDETERMINED)], 4, 4, 0, 0),
        ([raised(code="CAMERA_DARK", verdict=UNDETERMINED)], 4, 4, 0, 0),
        # unless a reviewer says whose it was
        ([raised(code="LATE_BET", said=Said(Answer.CONFIRMED, Errs.DEALER))], 4, 4, 1, 1),
        ([raised(said=Said(Answer.CONFIRMED, Errs.PLAYER))], 4, 4, 0, 0),
        # whose error the alert does not tell, a reviewer must
        ([raised(code="EXPOSED_CARD")], 4, 3, 0, 0),
        ([raised(code="EXPOSED_CARD", said=CONFIRMED)], 4, 4, 0, 0),
        ([raised(code="EXPOSED_CARD", said=Said(Answer.CONFIRMED, Errs.DEALER))], 4, 4, 1, 1),
    ],
)
def test_what_was_not_seen_or_not_looked_at_counts_neither_for_nor_against(
    findings: list[Raised], whole: int, settled: int, erred: int, anywhere: int
) -> None:
    own = figures(*findings)
    assert (own.coups, own.whole, own.settled, own.erred, own.erred_anywhere) == (
        4,
        whole,
        settled,
        erred,
        anywhere,
    )


def test_findings_are_counted_by_code_and_by_whose_they_are() -> None:
    own = figures(
        raised(1, said=CONFIRMED),
        raised(2, said=REJECTED),
        raised(3),
        raised(4, verdict=UNDETERMINED),
        raised(1, "EXPOSED_CARD"),
        raised(2, "LATE_BET", said=CONFIRMED),
    )
    assert own.codes == {
        "UNDERPAID": CodeCount(raised=3, not_seen=1, confirmed=1, rejected=1, waiting=1, open=1)
    }
    assert own.unsaid == {"EXPOSED_CARD": CodeCount(raised=1, waiting=1)}
    assert own.others == {"LATE_BET": CodeCount(raised=1, confirmed=1)}
    assert [case.raised.code for case in own.cases].count("LATE_BET") == 0
    assert own.waiting == 2  # coup 3, and coup 1 for its exposed card
    assert own.whole == 3


def test_cards_and_bets_are_counted_each_by_itself() -> None:
    own = figures(
        raised(1, "WRONG_DRAW", said=CONFIRMED),
        raised(1, verdict=UNDETERMINED),
        raised(2, "WRONG_WINNER"),
        raised(3, "EXPOSED_CARD", said=CANNOT_TELL),
    )
    assert own.work == {Work.DEALING: Week(4, 3, 3, 1), Work.PAYING: Week(4, 3, 2, 0)}
    assert (own.whole, own.settled, own.erred, own.erred_anywhere) == (2, 1, 0, 1)


def test_few_coups_are_said_to_be_few_and_the_interval_stays() -> None:
    few = figures(raised(said=CONFIRMED)).all
    assert few.few
    assert few.rate == pytest.approx(250)
    low, high = few.interval
    assert low < 10
    assert high > 800
    assert not figures(coups=FEW).all.few
    assert Figures().all.rate is None
    assert Figures().all.interval == (0, 1000)


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (0, 300), (1, 300), (7, 1000), (500, 1000), (999, 1000), (3, 1_000_000)]
)
def test_the_interval_is_clopper_and_pearsons(k: int, n: int) -> None:
    low, high = exact_interval(k, n)
    assert low == pytest.approx(0 if k == 0 else beta.ppf(0.025, k, n - k + 1), abs=1e-9)
    assert high == pytest.approx(1 if k == n else beta.ppf(0.975, k + 1, n - k), abs=1e-9)


# what it cost


@pytest.mark.parametrize(
    ("code", "due", "outcome", "amounts", "bank_lost", "players_lost"),
    [
        ("OVERPAID", "pay", "paid", ("10", "20"), 10, 0),
        ("UNDERPAID", "pay", "paid", ("10", "19/2"), 0, Fraction(1, 2)),
        ("NOT_PAID", "pay", "stood", ("60", "0"), 0, 60),
        ("LOSER_NOT_COLLECTED", "collect", "stood", ("55", "0"), 55, 0),
        ("LOSER_NOT_COLLECTED", "collect", "collected", ("20", "10"), 10, 0),
        ("LOSER_PAID", "collect", "paid", ("55", "52"), 107, 0),
        ("WINNER_COLLECTED", "pay", "collected", ("10", "10"), 0, 20),
        ("PUSH_PAID", "push", "paid", ("0", "33"), 33, 0),
        ("PUSH_TAKEN", "push", "collected", ("0", "35"), 0, 35),
        ("LINE_BET_MISPAID", "collect", "collected", ("25", "50"), 0, 25),
        ("LINE_BET_MISPAID", "pay", "paid", ("5", "10"), 5, 0),
        ("COMMISSION_WRONG", "pay", "paid", ("133/4", "35"), Fraction(7, 4), 0),
        ("RAKE_WRONG", None, None, ("5", "0"), 5, 0),
        ("RAKE_WRONG", None, None, ("0", "4"), 0, 4),
        ("PROGRESSIVE_MISPAID", None, None, ("500", "400"), 0, 100),
        ("PAID_WITHOUT_BET", None, None, (None, "50"), 50, 0),
        ("POT_MISAWARDED", None, None, ("0", "105"), 0, 105),
    ],
)
def test_an_error_costs_exactly_what_it_moved(
    code: str,
    due: str | None,
    outcome: str | None,
    amounts: tuple[str | None, str],
    bank_lost: Fraction | int,
    players_lost: Fraction | int,
) -> None:
    error = raised(code=code, due=due, outcome=outcome, amount_due=amounts[0], amount_seen=amounts[1])
    assert stakes_of("punto_banco", [error]) == Stakes(Fraction(bank_lost), Fraction(players_lost), known=1)


@pytest.mark.parametrize(
    "error",
    [
        raised(),
        raised(due="pay", outcome="paid", amount_due="10"),
        raised(due="pay", outcome="paid", amount_seen="10"),
        raised(due="pay", outcome="unclear", amount_due="10", amount_seen="5"),
        raised(amount_due="10", amount_seen="5"),
        raised(code="POT_MISAWARDED", amount_seen="105"),
    ],
)
def test_an_amount_that_is_not_known_is_counted_not_guessed(error: Raised) -> None:
    assert stakes_of("punto_banco", [error]) == Stakes(not_known=1)


def test_procedure_costs_nothing_and_deductions_go_to_the_bank() -> None:
    assert stakes_of("punto_banco", [raised(code="WRONG_DRAW")]) == Stakes()
    assert who_errs("chemin_de_fer", "COMMISSION_WRONG").money is Money.BANK


def test_only_confirmed_errors_of_the_dealer_cost() -> None:
    paid = raised(1, "OVERPAID", due="pay", outcome="paid", amount_due="10", amount_seen="20")
    answers = [CONFIRMED, None, REJECTED, Said(Answer.CONFIRMED, Errs.PLAYER)]
    own = figures(*(replace(paid, coup=i, said=said) for i, said in enumerate(answers, start=1)))
    assert own.stakes == Stakes(Fraction(10), known=1)


# how fast


def test_pauses_and_what_was_not_seen_are_no_dealing_time() -> None:
    coups = [coup(1, 0), coup(2, 60), coup(3, 120), coup(4, 600), coup(5, 660)]
    pace = pace_of(coups, Shifts(hidden=((165.0, 170.0),)))
    assert pace == Pace(
        cycles_s=(60, 60, 60), dealing_s=5 * 40 + 3 * 20, table_s=700, follows=4, follow_s=660
    )
    assert pace.dealt_an_hour == 60
    assert pace.at_table_an_hour == pytest.approx(3600 * 4 / 660)
    assert pace.median_s == 60
    hidden = pace_of(coups[:3], Shifts(hidden=((110.0, 115.0),)))
    assert list(hidden.cycles_s) == [60]
    assert Pace().dealt_an_hour is None
    assert pace_of(coups[:1], Shifts()).median_s is None


# periods, tables, weeks


def dated(day: str, number: int = 1, **more: object) -> Session:
    start = datetime.fromisoformat(f"{day}T20:00:00+00:00")
    return session(number=number, shifts=Shifts((Told(0.0, ("17",)),), (), start), **more)  # type: ignore[arg-type]


def test_a_period_takes_both_its_days_and_leaves_out_what_has_no_date() -> None:
    sessions = [dated("2026-11-20"), dated("2026-11-23", 2), dated("2026-11-30", 3), session(number=4)]
    found = report(sessions, since=date(2026, 11, 23), until=date(2026, 11, 30))
    assert found.dealers["17"].coups == 8
    assert found.undated == 4
    assert list(found.dealers["17"].weeks) == [date(2026, 11, 23), date(2026, 11, 30)]
    everything = report(sessions)
    assert everything.dealers["17"].coups == 16
    assert everything.undated == 0
    assert None in everything.dealers["17"].weeks
    elsewhere = dated("2026-11-23", 5, table="Mesa 5")
    assert report([*sessions, elsewhere], table="Mesa 5").dealers["17"].coups == 4


def test_a_night_goes_on_after_midnight() -> None:
    late = session(
        coups=2, shifts=Shifts((Told(0.0, ("17",)),), (), datetime(2026, 11, 29, 23, 58, 30, tzinfo=UTC))
    )
    assert list(report([late]).dealers["17"].weeks) == [date(2026, 11, 23), date(2026, 11, 30)]


# laws

NAMES = ["17", "23", "17, 23", "", "<i>é</i>"]
SAID = [None, CONFIRMED, REJECTED, CANNOT_TELL, Said(Answer.CONFIRMED, Errs.PLAYER)]


@st.composite
def sessions(draw: st.DrawFn) -> list[Session]:
    made = []
    for number in range(draw(st.integers(0, 3))):
        times = draw(st.lists(st.integers(0, 2000), max_size=8, unique=True))
        coups = tuple(PlayedCoup(i + 1, float(t), t + 30.0) for i, t in enumerate(sorted(times)))
        cues = draw(st.lists(st.tuples(st.integers(0, 2000), st.sampled_from(NAMES)), max_size=4))
        findings = tuple(
            replace(raised(draw(st.integers(1, 9)), code, verdict, said), id=str(i))
            for i, (code, verdict, said) in enumerate(
                draw(
                    st.lists(
                        st.tuples(
                            st.sampled_from(["UNDERPAID", "WRONG_DRAW", "EXPOSED_CARD", "LATE_BET"]),
                            st.sampled_from([BREACH, UNDETERMINED]),
                            st.sampled_from(SAID),
                        ),
                        max_size=6,
                    )
                )
            )
        )
        game = draw(st.sampled_from(["punto_banco", "chemin_de_fer"]))
        told_now = shifts_of([told(float(t), value, i + 1) for i, (t, value) in enumerate(sorted(cues))])
        made.append(
            Session(number=number, table="Mesa 4", game=game, shifts=told_now, coups=coups, findings=findings)
        )
    return made


@given(sessions())
def test_dealers_several_and_not_told_are_all(made: list[Session]) -> None:
    found = report(made)
    every = found.all
    assert every.coups == sum(len(one.coups) for one in made)
    alone = report([replace(one, shifts=Shifts()) for one in made]).not_told
    assert (every.whole, every.settled, every.erred) == (alone.whole, alone.settled, alone.erred)
    assert (every.codes, every.unsaid, every.others) == (alone.codes, alone.unsaid, alone.others)
    assert (every.games, every.stakes, every.work) == (alone.games, alone.stakes, alone.work)
    for own in found.dealers.values():
        assert 0 <= own.erred <= own.settled <= own.whole <= own.coups
        low, high = own.all.interval
        assert low <= (own.all.rate or 0) <= high
        assert own.at_most >= high or own.waiting == 0
        for part in own.work.values():
            assert own.settled <= part.settled <= part.whole <= part.coups == own.coups
        assert own.erred <= sum(part.erred for part in own.work.values())
        for count in own.codes.values():
            assert count.raised + count.not_seen == (
                count.confirmed + count.rejected + count.cannot_tell + count.waiting + count.open
            )


@given(sessions(), st.data())
def test_what_is_said_of_one_finding_changes_no_other_dealers_figures(
    made: list[Session], data: st.DataObject
) -> None:
    places = [(i, j) for i, one in enumerate(made) for j, _ in enumerate(one.findings)]
    if not places:
        return
    i, j = data.draw(st.sampled_from(places))
    one = made[i]
    finding = one.findings[j]
    said = replace(finding, said=data.draw(st.sampled_from(SAID)))
    after = [
        *made[:i],
        replace(one, findings=(*one.findings[:j], said, *one.findings[j + 1 :])),
        *made[i + 1 :],
    ]
    whom = next((one.shifts.dealer(c.t_from, c.t_to) for c in one.coups if c.number == finding.coup), None)
    was, now = report(made), report(after)
    for who in was.dealers:
        if who != whom:
            assert was.dealers[who] == now.dealers[who]
    if whom is not Nobody.SEVERAL:
        assert was.several == now.several
    if whom is not Nobody.NOT_TOLD:
        assert was.not_told == now.not_told
