"""A recording's truth file: what was dealt, bet and done wrong in each of its rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rules.cards import Card
from rules.errors import VeedorError
from vision.camera import Camera

COUNTABLE_PX = 1.5
"""A chip's thickness in the picture below which its stack cannot be counted."""
HANDS = ("punto", "banca")


@dataclass(frozen=True, slots=True)
class TrueBet:
    """A bet as it lay when the first card left the shoe. ``countable``: by the camera's geometry."""

    id: str
    seat: int
    box: str
    value: int
    on_line: bool
    countable: bool

    def __str__(self) -> str:
        return f"seat {self.seat} {self.box} {self.value}{' on the line' if self.on_line else ''}"


@dataclass(frozen=True, slots=True)
class TrueRound:
    """One round, from its first card (seconds) until the next one's.

    ``hands``: the cards dealt to each of ``HANDS``, in our notation.
    """

    t_from: float
    t_to: float
    hands: dict[str, tuple[str, ...]]
    bets: tuple[TrueBet, ...]


@dataclass(frozen=True, slots=True)
class TrueError:
    """An injected error. ``seat`` and ``box``: the bet that it concerns, None for an error of cards."""

    type: str
    round: int
    seat: int | None
    box: str | None


@dataclass(frozen=True, slots=True)
class Truth:
    """What a recording shows. ``video``: its file's name."""

    video: str
    rounds: tuple[TrueRound, ...]
    errors: tuple[TrueError, ...]

    def round_of(self, t_from: float, t_to: float) -> int:
        """The round that a time from seconds to seconds belongs to, for the most part; from 0."""
        shared = [min(t_to, r.t_to) - max(t_from, r.t_from) for r in self.rounds]
        return int(np.argmax(shared))


def is_truth(document: object) -> bool:
    """Whether a JSON document looks like a recording's truth file."""
    return (
        isinstance(document, dict)
        and {"video", "camera", "events"} <= document.keys()
        and bool({"round", "rounds"} & document.keys())
    )


def read_truth(path: Path, countable_px: float = COUNTABLE_PX) -> Truth:
    """A recording's truth file: of one coup (``round``), or of several (``rounds``).

    Raises VeedorError, naming the file and what is wrong there.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise VeedorError(f"{path} cannot be read as a recording's truth file: {error}") from None
    if not is_truth(document):
        raise VeedorError(
            f"{path} is not a recording's truth file: it lacks camera, video, events, or round (or rounds)."
        )
    with _named(path):
        return _truth(document, countable_px)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise VeedorError(f"{path} is a recording's truth file with a fault: {what}.") from None


def _truth(document: dict[str, Any], countable_px: float) -> Truth:
    documents = document["rounds"] if "rounds" in document else [document["round"]]
    if not documents:
        raise ValueError("its list of rounds is empty")
    camera, thickness_mm = true_camera(document), float(document["chips"]["height_mm"])
    draws = sorted(float(e["t"]) for e in document["events"] if e["type"] == "card_drawn")
    first: list[float] = []
    dealt = 0
    for entry in documents:
        first.append(draws[dealt] if dealt < len(draws) else float("inf"))
        dealt += sum(len(entry[hand]) for hand in HANDS)
    rounds = []
    for entry, t_from, t_to in zip(documents, first, [*first[1:], float("inf")], strict=True):
        laid = _laid(document["events"], t_from)
        places = np.array([bet["pos_mm"] for bet in entry["bets"]], np.float64).reshape(-1, 2)
        thick_px = camera.chip_thickness_px(places, thickness_mm)
        bets = tuple(
            TrueBet(
                str(bet["id"]),
                int(bet["seat"]),
                str(bet["box"]),
                value,
                bool(bet["on_line"]),
                bool(px >= countable_px),
            )
            for bet, px in zip(entry["bets"], thick_px, strict=True)
            if (value := laid.get(bet["id"], 0))
        )
        hands = {hand: tuple(our_card(name) for name in entry[hand]) for hand in HANDS}
        rounds.append(TrueRound(t_from, t_to, hands, bets))
    return Truth(str(document["video"]), tuple(rounds), tuple(_errors(document, documents, first)))


def _laid(events: list[dict[str, Any]], t: float) -> dict[str, int]:
    """What each bet is worth just before a time: its chips laid, less those taken away again."""
    laid: dict[str, int] = {}
    stacks: dict[str, str] = {}
    for event in sorted(events, key=lambda e: float(e["t"])):
        if event["t"] >= t:
            break
        stack = str(event.get("stack", event.get("bet")))
        if event["type"] == "chips_placed" and event["purpose"] == "bet":
            stacks[stack] = event["bet"]
            laid[event["bet"]] = laid.get(event["bet"], 0) + sum(event["denoms"])
        elif event["type"] == "chips_removed" and stack in stacks:
            laid[stacks[stack]] -= sum(event["denoms"])
    return laid


def _errors(
    document: dict[str, Any], rounds: list[dict[str, Any]], first: list[float]
) -> Iterator[TrueError]:
    single = document.get("error")
    for error in document.get("errors") or ([single] if single else []):
        coup = error.get("coup")
        number = int(coup) - 1 if coup is not None else int(np.searchsorted(first, error["t"], "right")) - 1
        number = min(max(number, 0), len(rounds) - 1)
        boxes = [bet["box"] for bet in rounds[number]["bets"] if bet["id"] == error.get("bet")]
        seat = error.get("seat")
        yield TrueError(
            str(error["type"]), number, None if seat is None else int(seat), boxes[0] if boxes else None
        )


def true_camera(truth: dict[str, Any]) -> Camera:
    """The recording's own camera, exact."""
    camera, (width, height) = truth["camera"], truth["image_size"]
    k1, k2 = camera["dist_k1_k2"]
    return Camera(
        matrix=np.array(camera["K"], dtype=np.float64),
        rotation=np.array(camera["R"], dtype=np.float64),
        translation_mm=np.array(camera["t_mm"], dtype=np.float64),
        k1=float(k1),
        k2=float(k2),
        width_px=int(width),
        height_px=int(height),
    )


def our_card(name: str) -> str:
    """``TD`` as the truth files write it, in our notation.

    >>> our_card("TD")
    'Td'
    """
    return str(Card.parse(name[0] + name[1].lower()))
