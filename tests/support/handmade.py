"""A small review made by hand: one coup of mini punto banco with a breach and an undetermined bet.

The picture is a plain drawing seen straight from above at ``SCALE`` pixels per millimetre, so that every
shape's place in it is known.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from rules.events import (
    CardCleared,
    CardPlaced,
    ChipState,
    Cue,
    Event,
    Evidence,
    Hand,
    HandContact,
    Owner,
    ShoeExit,
    Stack,
    ViewLost,
)
from rules.findings import BetRecord, CoupSummary, Finding, Judgement, OpenQuestion, Severity, Verdict
from rules.journal import Header, Journal
from rules.journal import dumps as dump_journal
from rules.spots import Spot
from veedor.store import Felt, Line, Mark, NewReview, Overlay, Recording, Zone
from veedor.store.felt import FeltLine, FeltZone
from veedor.store.felt import dumps as dump_felt
from veedor.store.overlay import dumps as dump_overlay

SCALE = 0.4
WIDTH, HEIGHT = 640, 360
DURATION_S = 16.0
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1600mm" height="900mm" viewBox="0 0 1600 900">'
    '<rect width="1600" height="900" fill="#145a3c"/></svg>'
)

ZONES: dict[str, tuple[float, float, float, float]] = {
    "hand punto": (560, 90, 820, 220),
    "hand banca": (860, 90, 1120, 220),
    "discard": (60, 40, 220, 160),
    **{
        f"seat {seat} {bet}": (60 + 220 * (seat - 1), top, 240 + 220 * (seat - 1), top + 110)
        for seat in range(1, 8)
        for bet, top in (("banca", 420.0), ("punto", 580.0))
    },
}
"""x0, y0, x1, y1 in millimetres."""

CARDS = (
    ("c1", "Td", "hand punto", 640.0, 3.4),
    ("c2", "2d", "hand banca", 940.0, 4.8),
    ("c3", "8c", "hand punto", 730.0, 6.2),
    ("c4", "Ts", "hand banca", 1030.0, 7.6),
)
"""Name, identity, spot, x of its centre in millimetres (y is 155), time at rest."""

Box = tuple[float, float, float, float]


def corners(box: Box) -> tuple[tuple[float, float], ...]:
    """A box's corners, clockwise."""
    x0, y0, x1, y1 = box
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def in_picture(box_mm: Box) -> Box:
    """Millimetres on the felt to pixels."""
    x0, y0, x1, y1 = (round(value * SCALE, 1) for value in box_mm)
    return x0, y0, x1, y1


def card_box(x_mm: float) -> Box:
    """Where a card centred at ``x_mm`` lies, pixels."""
    return in_picture((x_mm - 31.5, 111.0, x_mm + 31.5, 199.0))


def chip_box(at_mm: tuple[float, float]) -> Box:
    """Where a stack lies, pixels."""
    x, y = at_mm
    return in_picture((x - 20, y - 20, x + 20, y + 20))


BANK = "Andorra, Decret del 23-11-2016, §07-V: «li correspon el cobrament i pagament de les apostes»"
HALF_LINE = "seat2-punto:left"
PAYMENT_AT = (1460.0, 660.0)
STACKS = (
    Stack("s1", (500, 25, 25, 25), 4, (1420.0, 625.0), p=0.93),
    Stack("s2", (100, 100), 2, (278.0, 640.0), line=HALF_LINE),
    Stack("s3", None, None, (590.0, 475.0), unread="seen from straight above", p=0.6),
)


def events() -> tuple[Event, ...]:
    """The journal's events."""
    made: list[Event] = []

    def seen(t: float, box: Box) -> Evidence:
        return Evidence("main", t, box)

    def seq() -> int:
        return len(made) + 1

    for stack, spot, t in zip(
        STACKS, ("seat 7 punto", "seat 2 punto", "seat 3 banca"), (0.0, 1.6, 2.0), strict=True
    ):
        seat = int(spot.split()[1])
        if t:
            made.append(
                HandContact(
                    seq=seq(), t=t - 0.6, t_to=t + 0.3, spot=spot, hand=Hand(Owner.PLAYER, seat), p=0.8
                )
            )
        box = seen(t, chip_box(stack.at_mm))
        made.append(ChipState(seq=seq(), t=t, spot=spot, stacks=(stack,), evidence=box, p=stack.p))
    made.append(Cue(seq=seq(), t=3.0, cue="no_more_bets"))
    for number, (name, card, spot, x_mm, t) in enumerate(CARDS):
        made.append(ShoeExit(seq=seq(), t=t - 0.7, card_id=name, face="down"))
        made.append(
            CardPlaced(
                seq=seq(),
                t=t,
                card_id=name,
                spot=spot,
                face="up",
                card=card,
                position=number // 2 + 1,
                at_mm=(x_mm, 155.0),
                angle_deg=0.0,
                evidence=seen(t, card_box(x_mm)),
                p=0.98,
            )
        )
    made.append(HandContact(seq=seq(), t=9.0, t_to=10.2, spot="seat 3 banca", hand=Hand(Owner.DEALER), p=0.9))
    made.append(ChipState(seq=seq(), t=10.0, spot="seat 3 banca", stacks=(), hand=Hand(Owner.DEALER)))
    payment = Stack("s4", (500, 25, 25), 3, PAYMENT_AT)
    made.append(HandContact(seq=seq(), t=11.0, t_to=12.2, spot="seat 7 punto", hand=Hand(Owner.DEALER)))
    made.append(
        ChipState(
            seq=seq(),
            t=12.0,
            spot="seat 7 punto",
            stacks=(STACKS[0], payment),
            hand=Hand(Owner.DEALER),
            evidence=seen(12.0, chip_box(PAYMENT_AT)),
        )
    )
    made.append(ViewLost(seq=seq(), t=12.6, t_to=13.2, spot="hand banca", reason="covered"))
    for name, _card, spot, _x_mm, _t in CARDS:
        made.append(CardCleared(seq=seq(), t=14.0, card_id=name, spot=spot, to_spot="discard"))
    return tuple(made)


def journal() -> Journal:
    """The journal of the coup."""
    header = Header(
        table="Mesa 4",
        game="punto_banco",
        cameras=("main",),
        recording="clip.mp4",
        duration_s=DURATION_S,
    )
    return Journal(header, events())


def overlay() -> Overlay:
    """Zones and marks in the picture."""
    marks = []
    for event in events():
        if isinstance(event, CardPlaced) and event.evidence is not None and event.evidence.box is not None:
            marks.append(Mark(event.seq, "card", corners(event.evidence.box), event.card_id))
        elif isinstance(event, ChipState):
            for stack in event.stacks:
                box = corners(chip_box(stack.at_mm))
                marks.append(Mark(event.seq, "chips", box, stack.stack, box, box))
    zones = tuple(
        Zone(spot, corners(in_picture(box)), half_line=spot.startswith("seat")) for spot, box in ZONES.items()
    )
    lines = (Line(HALF_LINE, "halves", ("seat 2 punto",), (_left_of(in_picture(ZONES["seat 2 punto"])),)),)
    return Overlay("main", WIDTH, HEIGHT, zones, lines, tuple(marks), chips=(1, 5, 25, 100, 500, 1000))


def felt() -> Felt:
    """The felt in millimetres."""
    zones = tuple(FeltZone(spot, corners(box), spot.startswith("seat")) for spot, box in ZONES.items())
    lines = (FeltLine(HALF_LINE, "halves", ("seat 2 punto",), (_left_of(ZONES["seat 2 punto"]),)),)
    frame = (0.0, 0.0, WIDTH / SCALE, HEIGHT / SCALE)
    return Felt(frame, corners(frame), zones, lines, 39.5, {"25": "#1f7a3d", "500": "#6a2c91"})


def _left_of(box: Box) -> tuple[tuple[float, float], ...]:
    x0, y0, _, y1 = box
    return ((x0, y0), (x0, y1))


def _bet(stack: Stack, spot: str, **more: str | None) -> BetRecord:
    return BetRecord(
        stack=stack.stack,
        spot=Spot.parse(spot),
        denominations=stack.denominations,
        count=stack.count,
        value=None if stack.value is None else str(stack.value),
        line=stack.line,
        unread=stack.unread,
        **more,
    )


def judgement() -> Judgement:
    """What the rules would say of it."""
    numbered = events()
    paid = next(e.seq for e in numbered if isinstance(e, ChipState) and len(e.stacks) == 2)
    blind = next(e.seq for e in numbered if isinstance(e, ChipState) and e.spot == "seat 3 banca")
    unpaid = next(e.seq for e in numbered if isinstance(e, ChipState) and e.spot == "seat 2 punto")
    article = "Andorra, Decret del 23-11-2016, §07-V: «el pagament serà a la par»"
    findings = (
        Finding(
            id="c1-UNDERPAID-seat-7-punto-s1",
            coup=1,
            rule="PB-AND-PAY-02",
            code="UNDERPAID",
            verdict=Verdict.BREACH,
            severity=Severity.HIGH,
            t=12.0,
            t_from=11.0,
            t_to=12.2,
            spot=Spot.parse("seat 7 punto"),
            expected="575 is paid to the bet of 575 on punto (1 to 1)",
            seen="550 was paid: 25 too little",
            article=article,
            resolution="the missing 25 is paid",
            amount_due="575",
            amount_seen="550",
            evidence_seq=(1, paid),
        ),
        Finding(
            id="c1-NOT_PAID-seat-2-punto-s2",
            coup=1,
            rule="PB-AND-BANK-01",
            code="NOT_PAID",
            verdict=Verdict.BREACH,
            severity=Severity.HIGH,
            t=14.0,
            t_from=12.2,
            t_to=14.0,
            spot=Spot.parse("seat 2 punto"),
            expected="100 is paid to the half of 200 that plays on the line",
            seen="no chips were paid before the cards were cleared",
            article=BANK,
            amount_due="100",
            amount_seen="0",
            evidence_seq=(unpaid,),
        ),
        Finding(
            id="c1-UNDERPAID-seat-3-banca-s3",
            coup=1,
            rule="PB-AND-BANK-01",
            code="LOSER_NOT_COLLECTED",
            verdict=Verdict.UNDETERMINED,
            severity=Severity.HIGH,
            t=10.0,
            t_from=9.0,
            t_to=10.2,
            spot=Spot.parse("seat 3 banca"),
            expected="the whole losing bet is collected",
            seen="the box is bare after the dealer's hand",
            article=BANK,
            reason="the stack was seen from straight above: how many chips it had is not known",
            evidence_seq=(blind,),
        ),
    )
    bets = (
        _bet(
            STACKS[0],
            "seat 7 punto",
            due="pay",
            due_amount="575",
            outcome="paid",
            outcome_amount="550",
        ),
        _bet(STACKS[1], "seat 2 punto", due="pay", due_amount="100", outcome="none", outcome_amount="0"),
        _bet(STACKS[2], "seat 3 banca", due="collect", outcome="collected"),
    )
    coup = CoupSummary(
        coup=1,
        t_from=2.7,
        t_to=14.0,
        cards={"punto": ("Td", "8c"), "banca": ("2d", "Ts")},
        bets=bets,
        result={"winner": "punto", "punto_total": 8, "banca_total": 2, "natural": True},
        verdict=Verdict.BREACH,
        counts={Verdict.CONFORM: 11, Verdict.BREACH: 2, Verdict.UNDETERMINED: 1},
    )
    question = OpenQuestion(
        rule="PB-AND-LIM-03",
        code="BET_ABOVE_MAX",
        reason="the table file gives no maximum",
        article="Andorra, Decret del 23-11-2016, §07-V",
    )
    return Judgement("punto_banco", "andorra_2016", findings, (coup,), (question,))


LAYOUT = "layout.svg"


def write_table(folder: Path, *, name: str = "Mesa 4") -> Path:
    """The table's file and drawing; returns the table file."""
    folder.mkdir(parents=True, exist_ok=True)
    shapes = [
        f'<rect id="z{number}" x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" data-spot="{spot}"'
        + (' data-half-line="outline"/>' if spot.startswith("seat") else "/>")
        for number, (spot, (x0, y0, x1, y1)) in enumerate(ZONES.items())
    ]
    felt = '<rect id="felt" x="0" y="0" width="1600" height="900" data-felt="felt"/>'
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1600mm" height="900mm" viewBox="0 0 1600 900">'
    (folder / LAYOUT).write_text("\n".join((svg, felt, *shapes, "</svg>")), encoding="utf-8")
    places = [(100, 80), (1500, 80), (1500, 820), (100, 820), (800, 80), (800, 820), (500, 450)]
    table = {
        "format": "veedor.table/1",
        "name": name,
        "game": "punto_banco",
        "profile": {
            "name": "andorra_2016",
            "variant": "mini",
            "house": {"half_lines": ["punto", "banca"], "dealing": {"initial_cards": "up"}},
        },
        "layout": LAYOUT,
        "cameras": [
            {
                "id": "main",
                "image_size": [WIDTH, HEIGHT],
                "lens": {"focal_px": 1200.0},
                "points": [{"mm": [x, y], "px": [x * SCALE, y * SCALE]} for x, y in places],
            }
        ],
        "chips": {
            "set": [
                {"value": value, "colour": colour}
                for value, colour in (
                    (1, "white"),
                    (5, "red"),
                    (25, "green"),
                    (100, "black"),
                    (500, "purple"),
                    (1000, "yellow"),
                )
            ]
        },
    }
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(table, sort_keys=False), encoding="utf-8")
    return file


def frame(t: float) -> NDArray[np.uint8]:
    """The picture at ``t``: BGR, (HEIGHT, WIDTH, 3)."""
    picture = np.full((HEIGHT, WIDTH, 3), (60, 74, 16), np.uint8)
    for box in ZONES.values():
        _rectangle(picture, in_picture(box), (200, 226, 233), 2)
    for _name, _card, _spot, x_mm, at in CARDS:
        if at <= t < 14.0:
            _rectangle(picture, card_box(x_mm), (240, 240, 240), -1)
    for stack, appears, gone in zip(STACKS, (0.0, 1.6, 2.0), (99.0, 99.0, 10.0), strict=True):
        if appears <= t < gone:
            _disc(picture, stack.at_mm, (40, 40, 200))
    if t >= 12.0:
        _disc(picture, PAYMENT_AT, (60, 140, 40))
    return picture


def _rectangle(picture: NDArray[np.uint8], box: Box, colour: tuple[int, int, int], thickness: int) -> None:
    x0, y0, x1, y1 = (round(value) for value in box)
    cv2.rectangle(picture, (x0, y0), (x1, y1), colour, thickness)


def _disc(picture: NDArray[np.uint8], at_mm: tuple[float, float], colour: tuple[int, int, int]) -> None:
    x, y = (round(value * SCALE) for value in at_mm)
    cv2.circle(picture, (x, y), round(20 * SCALE), colour, -1)


def write_clip(file: Path, *, codec: str = "libx264", fps: int = 10, seconds: float = DURATION_S) -> Path:
    """The coup as a recording."""
    with av.open(str(file), "w") as container:
        stream = container.add_stream(codec, rate=fps)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        if codec == "libx264":
            stream.options = {"preset": "ultrafast"}
        for number in range(round(seconds * fps)):
            picture = av.VideoFrame.from_ndarray(frame(number / fps), format="bgr24")
            picture.pts = number
            picture.time_base = Fraction(1, fps)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return file


def write_review(folder: Path, clip: Path, *, preview: str | None = None) -> NewReview:
    """The review's files in ``folder``, and what the store is told of it."""
    (folder / "findings").mkdir(parents=True)
    (folder / "journal.jsonl").write_text(dump_journal(journal()), encoding="utf-8")
    (folder / "findings.json").write_text(judgement().dumps(), encoding="utf-8")
    (folder / "overlay.json").write_text(dump_overlay(overlay()), encoding="utf-8")
    (folder / "felt.json").write_text(dump_felt(felt()), encoding="utf-8")
    (folder / "drawing.svg").write_text(DRAWING, encoding="utf-8")
    pictures = {}
    for finding in judgement().findings:
        name = f"{finding.id}.jpg"
        done, jpeg = cv2.imencode(".jpg", frame(finding.t))
        assert done
        (folder / "findings" / name).write_bytes(jpeg.tobytes())
        pictures[finding.id] = name
    content = clip.read_bytes()
    return NewReview(
        table="Mesa 4",
        recording=Recording(
            path=str(clip),
            sha256=hashlib.sha256(content).hexdigest(),
            size_bytes=len(content),
            duration_s=DURATION_S,
            width_px=WIDTH,
            height_px=HEIGHT,
        ),
        journal=journal(),
        judgement=judgement(),
        pictures=pictures,
        preview=preview,
        made_by="test",
        reviewed_at=datetime(2026, 11, 30, 4, 0, tzinfo=UTC),
    )
