"""The pages: the list of reviews, one review, the API's description, and errors."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Iterable
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse, Response
from markupsafe import Markup

from dashboards import admission, amounts
from dashboards.admission import ExaminerOf, examiners_of
from dashboards.calibration import BenchOf, benches_of
from dashboards.live import live_rows
from dashboards.models import FindingOut
from dashboards.reading import bets_diagram, coups_out, findings_out, tones
from dashboards.templating import templates
from dashboards.wiring import ReviewOf, StoreOf
from rules.catalogue import alert_codes, rule_rows
from rules.dealers import who_errs
from rules.errors import VeedorError
from rules.findings import OpenQuestion
from veedor.store import Overlay, ReviewRecord, Store

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, store: StoreOf) -> Response:
    """The list of reviews."""
    context = {
        "reviews": store.reviews(),
        "state": store.state,
        "benches": benches_of(request),
        "examiners": examiners_of(request).values(),
        "tables": live_rows(store.state),
    }
    return templates.TemplateResponse(request, "reviews.html", context)


@router.get("/reviews/{review}")
def review_page(request: Request, store: StoreOf, review: ReviewOf) -> Response:
    """One review: its video, timeline, findings and coups."""
    findings = findings_out(store, review)
    overlay, session, problem = _extras(store, review)
    house_chips = overlay.chips if overlay is not None and overlay.chips else (1, 5, 25, 100, 500, 1000)
    context = {
        "review": review,
        "breaches": [finding for finding in findings if finding.verdict == "BREACH"],
        "undetermined": _by_reason(findings),
        "findings": findings,
        "coups": coups_out(store, review),
        "bet_tones": tones(findings),
        "codes": sorted({finding.code for finding in findings}),
        "spots": sorted({finding.spot for finding in findings if finding.spot is not None}),
        "video": store.video(review),
        "problem": problem,
        "chip_colours": overlay.chip_colours if overlay is not None else {},
        "rules": {name: row.rule for name, row in rule_rows().items()},
        "meanings": {name: code.meaning for name, code in alert_codes().items()},
        "session": session,
        "in_chips": lambda amount: amounts.in_chips(amount, house_chips),
        "answers": store.answers(review.id),
        "whose": lambda code: who_errs(review.game, code).errs.value,
    }
    return templates.TemplateResponse(request, "review.html", context)


@router.get("/reviews/{review}/report")
def report_page(request: Request, store: StoreOf, review: ReviewOf) -> Response:
    """One review to read or print: coups with diagrams of their bets, findings with pictures."""
    findings, coups = findings_out(store, review), coups_out(store, review)
    overlay, session, problem = _extras(store, review)
    toned = tones(findings)
    diagrams: dict[int, Markup] = {}
    address = _drawing_address(store, review)
    for coup in coups:
        if coup.bets and problem is None:
            try:
                drawn = bets_diagram(store, review, coup, toned, drawing=address, whole=True)
            except VeedorError as error:
                problem = str(error)
            else:
                diagrams[coup.coup] = Markup(drawn)  # our own SVG, its texts escaped
    context = {
        "review": review,
        "coups": coups,
        "diagrams": diagrams,
        "of_coup": {
            coup.coup: [finding for finding in findings if finding.coup == coup.coup] for coup in coups
        },
        "bet_tones": toned,
        "problem": problem,
        "session": session,
        "chip_colours": overlay.chip_colours if overlay is not None else {},
        "meanings": {name: code.meaning for name, code in alert_codes().items()},
    }
    return templates.TemplateResponse(request, "report.html", context)


@router.get("/reviews/{review}/coups/{coup}/bets.svg")
def bets(store: StoreOf, review: ReviewOf, coup: int, alone: bool = False) -> Response:
    """The diagram of a coup's bets; ``alone``: a file of its own, with the felt's drawing in it."""
    found = next((each for each in coups_out(store, review) if each.coup == coup), None)
    if found is None:
        raise HTTPException(404, f"Review {review.id} has no coup {coup}.")
    address = _drawing_address(store, review)
    drawing = store.drawing(review)
    if alone and drawing is not None:
        address = "data:image/svg+xml;base64," + base64.b64encode(drawing.read_bytes()).decode()
    toned = tones(findings_out(store, review))
    text = bets_diagram(store, review, found, toned, drawing=address, whole=alone)
    headers = {"content-disposition": f'attachment; filename="coup-{coup}-bets.svg"'} if alone else {}
    return Response(text, media_type="image/svg+xml", headers=headers)


@router.get("/reviews/{review}/drawing.svg")
def drawing(store: StoreOf, review: ReviewOf) -> FileResponse:
    """The drawing of the table's felt. It is a house's own file: nothing in it may act."""
    file = store.drawing(review)
    if file is None:
        raise HTTPException(
            404, f"Review {review.id} was made without a drawing. Review the recording again."
        )
    sealed = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
    return FileResponse(file, media_type="image/svg+xml", headers=sealed)


def _drawing_address(store: Store, review: ReviewRecord) -> str | None:
    return None if store.drawing(review) is None else f"/reviews/{review.id}/drawing.svg"


@router.get("/calibrate/{table}")
def calibration_page(request: Request, bench: BenchOf) -> Response:
    """One camera's picture with the drawing over it, to be pulled onto it."""
    return templates.TemplateResponse(request, "calibrate.html", {"bench": bench})


@router.get("/admit/{table}")
def admission_page(request: Request, examiner: ExaminerOf) -> Response:
    """What a table's cameras see, over the felt, and which rules that allows to judge."""
    found = examiner.admission()
    context = {
        "key": examiner.key,
        "can_calibrate": examiner.key in benches_of(request),
        "found": found,
        "limits": examiner.limits,
        "maps": [(measure, Markup(admission.felt_map(found, measure))) for measure in admission.MEASURES],
        "groups": admission.why_not(found),
        "says": admission.says,
    }
    return templates.TemplateResponse(request, "admit.html", context)


@router.get("/admit/{table}/picture.jpg")
def admission_picture(examiner: ExaminerOf) -> Response:
    """The camera's picture with each spot in its grade's colour."""
    return Response(examiner.picture(), media_type="image/jpeg")


def _extras(store: Store, review: ReviewRecord) -> tuple[Overlay | None, list[OpenQuestion], str | None]:
    """What a review's files add, or why they cannot: the page then still shows what the database keeps."""
    try:
        return store.overlay(review), store.open_questions(review), None
    except VeedorError as error:
        return None, [], str(error)


def _by_reason(findings: Iterable[FindingOut]) -> list[tuple[str, list[FindingOut]]]:
    """UNDETERMINED findings together with the others that have the same reason."""
    groups: dict[str, list[FindingOut]] = {}
    for finding in findings:
        if finding.verdict == "UNDETERMINED":
            groups.setdefault(finding.reason or "", []).append(finding)
    return list(groups.items())


@router.get("/reviews/{review}/video")
def video(store: StoreOf, review: ReviewOf) -> FileResponse:
    """The video; byte ranges are served, so that a browser can seek."""
    file = store.video(review)
    if file is None:
        raise HTTPException(404, f"The recording {review.recording.path} is not there any more, or changed.")
    return FileResponse(file, media_type=mimetypes.guess_type(file.name)[0] or "video/mp4")


@router.get("/reviews/{review}/pictures/{finding}")
def picture(store: StoreOf, review: ReviewOf, finding: str) -> FileResponse:
    """The evidence picture of one finding."""
    file = store.picture(review, finding)
    if file is None:
        raise HTTPException(404, f"Review {review.id} has no picture of a finding {finding!r}.")
    return FileResponse(file, media_type="image/jpeg")


@router.get("/api")
def api_page(request: Request) -> Response:
    """What the API offers, from its own description."""
    document = request.app.openapi()
    return templates.TemplateResponse(request, "api.html", {"document": document})


@router.get("/favicon.ico")
def favicon() -> FileResponse:
    """The icon, for browsers that ask by this name."""
    return FileResponse(Path(__file__).parent / "static" / "icon.svg", media_type="image/svg+xml")


def error_page(request: Request, status: int, detail: str) -> Response:
    """An error as a page: the sentence, and the way back."""
    context = {"status": status, "detail": detail}
    return templates.TemplateResponse(request, "error.html", context, status_code=status)
