"""What reviewers say of findings and who dealt: added, never changed, kept when reviewed again."""

from __future__ import annotations

import dataclasses
import sqlite3
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from rules.dealers import Answer, Errs, Figures, report
from rules.events import Cue
from rules.findings import Judgement
from rules.journal import dumps as dump_journal
from rules.journal import loads as load_journal
from tests.support import handmade
from veedor.store import NewReview, ReviewRecord, Store, StoreError, live_dealers
from veedor.store.answers import made
from veedor.store.dealing import bet_of

UNDERPAID, NOT_PAID, UNSEEN = (finding.id for finding in handmade.judgement().findings)
START = datetime(2026, 11, 30, 20, tzinfo=UTC)


@pytest.fixture
def new(tmp_path: Path) -> NewReview:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"stands for a recording")
    return handmade.write_review(tmp_path / "files", clip)


@pytest.fixture
def store(tmp_path: Path, new: NewReview) -> Store:
    store = Store(tmp_path / "state")
    store.save(new, tmp_path / "files")
    return store


def first(store: Store) -> ReviewRecord:
    review = store.review(1)
    assert review is not None
    return review


def of(store: Store, dealer: str) -> Figures:
    return report(store.sessions()).dealers[dealer]


def test_an_answer_is_kept_with_who_and_when(store: Store) -> None:
    store.answer(first(store), UNDERPAID, made(Answer.CANNOT_TELL, " 104 "))
    store.answer(
        first(store), UNDERPAID, made(Answer.CONFIRMED, "104", "seen on\nthe side camera", Errs.DEALER)
    )
    before, now = store.answers(1)[UNDERPAID]
    assert (before.answer, before.by, before.note) == (Answer.CANNOT_TELL, "104", "")
    assert (now.answer, now.whose, now.note) == (Answer.CONFIRMED, Errs.DEALER, "seen on\nthe side camera")
    assert (datetime.now(UTC) - now.at).total_seconds() < 60
    assert now.current


@pytest.mark.parametrize(
    ("by", "note", "says"),
    [
        ("", "", "needs the name"),
        ("\u200b", "", "needs the name"),
        ("x" * 101, "", "at most"),
        ("x", "y" * 4001, "at most"),
    ],
)
def test_an_answer_says_who_gives_it_and_not_too_much(store: Store, by: str, note: str, says: str) -> None:
    with pytest.raises(StoreError, match=says):
        store.answer(first(store), UNDERPAID, made(Answer.REJECTED, by, note))
    assert store.answers(1) == {}


def test_there_is_no_answer_to_a_finding_that_there_is_not(store: Store) -> None:
    with pytest.raises(StoreError, match="no finding 'c9'"):
        store.answer(first(store), "c9", made(Answer.REJECTED, "104"))


@pytest.mark.parametrize("deed", ["UPDATE answers SET answer = 'rejected'", "DELETE FROM answers"])
def test_the_database_itself_refuses_to_change_an_answer(store: Store, deed: str) -> None:
    store.answer(first(store), UNDERPAID, made(Answer.CONFIRMED, "104"))
    with (
        sqlite3.connect(store.database_file) as connection,
        pytest.raises(sqlite3.DatabaseError, match="only ever added"),
    ):
        connection.execute(deed)
    assert store.answers(1)[UNDERPAID][0].answer is Answer.CONFIRMED


def test_an_answer_outlives_a_new_review_and_counts_only_for_what_it_was_about(
    store: Store, new: NewReview, tmp_path: Path
) -> None:
    store.tell_dealer(first(store), "17", 0.0)
    store.answer(first(store), UNDERPAID, made(Answer.CONFIRMED, "104"))
    store.answer(first(store), NOT_PAID, made(Answer.CONFIRMED, "104"))
    underpaid, not_paid, unseen = new.judgement.findings
    otherwise = dataclasses.replace(not_paid, seen="chips worth 90 were paid", amount_seen="90")
    judgement = Judgement("punto_banco", "andorra_2016", (underpaid, otherwise, unseen), new.judgement.coups)
    assert store.save(dataclasses.replace(new, judgement=judgement), tmp_path / "files") == 1
    given = store.answers(1)
    assert [each.current for each in given[UNDERPAID]] == [True]
    assert [each.current for each in given[NOT_PAID]] == [False]
    own = of(store, "17")
    assert own.codes["UNDERPAID"].confirmed == 1
    assert (own.codes["NOT_PAID"].confirmed, own.codes["NOT_PAID"].waiting) == (0, 1)


def test_who_dealt_is_one_more_entry_of_the_journal_and_stays(
    store: Store, new: NewReview, tmp_path: Path
) -> None:
    before = store.journal(first(store))
    assert report(store.sessions()).not_told.coups == 1
    cue = store.tell_dealer(first(store), " dealer  17", 1.5, START)
    assert store.journal(first(store)).events == (*before.events, cue)
    assert cue == Cue(
        seq=before.events[-1].seq + 1, t=1.5, cue="dealer", value="dealer 17", utc="2026-11-30T20:00:00.000Z"
    )
    own = of(store, "dealer 17")
    assert own.coups == 1
    assert [str(week) for week in own.weeks] == ["2026-11-30"]
    store.save(new, tmp_path / "files")  # reviewed again, by a journal that knows nothing of it
    assert store.journal(first(store)).events[-1] == cue
    assert of(store, "dealer 17").coups == 1
    store.tell_dealer(first(store), "", 1.5)
    assert report(store.sessions()).not_told.coups == 1


@pytest.mark.parametrize(
    ("value", "t", "utc", "says"),
    [
        ("x" * 201, 0.0, None, "at most 200"),
        ("\u200b", 0.0, None, "no sign that can be seen"),
        ("17", -1.0, None, "no moment"),
        ("17", float("nan"), None, "no moment"),
        ("17", 0.0, datetime(2026, 11, 30), "its zone"),  # noqa: DTZ001
    ],
)
def test_who_dealt_is_refused_where_it_says_nothing(
    store: Store, value: str, t: float, utc: datetime | None, says: str
) -> None:
    before = store.journal(first(store))
    with pytest.raises(StoreError, match=says):
        store.tell_dealer(first(store), value, t, utc)
    assert store.journal(first(store)) == before


def test_a_review_made_before_is_read_from_its_journal(store: Store) -> None:
    store.tell_dealer(first(store), "17", 0.0)
    with sqlite3.connect(store.database_file) as connection:
        connection.execute("UPDATE reviews SET shifts = NULL")
    assert of(store, "17").coups == 1
    (store.folder(first(store)) / "journal.jsonl").unlink()
    assert report(store.sessions()).not_told.coups == 1


def test_what_an_error_cost_is_known_by_its_bet(store: Store) -> None:
    store.tell_dealer(first(store), "17", 0.0)
    for finding in (UNDERPAID, NOT_PAID):
        store.answer(first(store), finding, made(Answer.CONFIRMED, "104"))
    stakes = of(store, "17").stakes
    assert (stakes.known, stakes.not_known) == (1, 1)
    assert stakes.bank_lost == Fraction(0)
    assert stakes.players_lost == Fraction(25)  # the other bet's outcome reads "none": which way is not known


def test_a_bet_is_found_by_its_spot_and_stack_or_not_at_all(store: Store) -> None:
    raised = next(
        finding for session in store.sessions() for finding in session.findings if finding.id == UNDERPAID
    )
    raised = dataclasses.replace(raised, id="coup-1.PB-AND-PAY-02.UNDERPAID.seat-7-punto.s-2")
    bet = {
        "spot": "seat 7 punto",
        "stack": "s 2",
        "due": "pay",
        "due_amount": "575",
        "outcome": "paid",
        "outcome_amount": "550",
    }
    other = bet | {"stack": "s3", "due": "collect"}
    assert bet_of(raised, "seat 7 punto", [bet]).due == "pay"
    assert bet_of(raised, "seat 7 punto", [bet, other]).due == "pay"
    assert bet_of(raised, "seat 7 punto", [other, other]).due is None
    assert bet_of(raised, None, [bet]).due is None
    assert bet_of(raised, "seat 7 punto", [bet | {"due_amount": "1"}]).due is None


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([(-100, "17")], [(0.0, "17")]),
        ([(-100, "17"), (-50, "")], []),
        ([(-100, "17"), (-50, "23"), (5, "41"), (9, "")], [(0.0, "23"), (5.0, "41"), (9.0, None)]),
        ([(60, "17")], []),
    ],
)
def test_who_deals_at_a_running_table_goes_into_its_journal(
    tmp_path: Path, entries: list[tuple[int, str]], expected: list[tuple[float, str | None]]
) -> None:
    for seconds, value in entries:
        live_dealers.tell(tmp_path, value, START + timedelta(seconds=seconds))
    with (tmp_path / live_dealers.FILE).open("ab") as handle:
        handle.write(b'{"at": "now", "dealer": 5}\n[]\n\xff\nnull\n')
    journal = handmade.journal()
    assert live_dealers.with_dealers(tmp_path, journal) == journal  # nobody knows when it began
    began = dataclasses.replace(
        journal, header=dataclasses.replace(journal.header, start_utc="2026-11-30T20:00:00Z")
    )
    with_them = live_dealers.with_dealers(tmp_path, began)
    added = with_them.events[len(journal.events) :]
    assert [(event.t, event.value) for event in added if isinstance(event, Cue)] == expected
    assert load_journal(dump_journal(with_them).split("\n")) == with_them
    assert live_dealers.with_dealers(tmp_path / "none", began) == began
