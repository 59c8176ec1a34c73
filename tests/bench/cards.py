"""How well cards are read after tracking: thousands of cards on rendered tables, through the whole product.

``python -m tests.bench.cards FOLDER SCENES [SEED [PACKS]]`` renders what is missing in FOLDER (a second of
an empty table, then about ten cards on it for two seconds, H.264; one card in five lies face down) and prints
right, wrong, unread, missed and invented by the card's short side in the picture and by pack. The packs are
drawn from seeds that no network was trained on, or are those of PACKS, a folder of fetched ones
(``datasets.decks_fetch``), that were not trained on. The seed decides camera, cloth, cards, light and noise.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from datasets.decks import Deck, PackagedDeck, drawn_deck, load_packaged, without_indices
from datasets.decks_fetch import PACKS
from datasets.simulator_table import TableGeometry
from datasets.synth.clip import Production, Shoot
from datasets.synth.movie import Filmer, write_video
from datasets.synth.raster import Array
from datasets.synth.scene import CARD_HEIGHT_MM, CARD_WIDTH_MM, CardItem, Scene
from datasets.synth.truth import recording
from models.card_reader.data import HELD_OUT
from rules.cards import PACK, Face
from rules.events import CardPlaced, CardRead, CardTurned
from tests.bench.errors import CLEAN, production_of
from veedor.config import load_table
from veedor.importing import import_recording
from veedor.pipeline import run
from vision.camera import Camera

BACK = "back"
_UNSEEN = 700_000
_CARDS, _FPS, _EMPTY_S, _LAST_S = 10, 10, 0.9, 2.9
_DOWN = 0.2
_APART_MM, _AWAY_MM, _SAME_MM = 100.0, 150.0, 25.0
_SIDES_PX = (24, 32, 40, 1000)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that lies there: its name (``back``: it lies face down), its middle, and its short side in the
    picture."""

    card: str
    at_mm: tuple[float, float]
    short_px: float


@dataclass(frozen=True, slots=True)
class Read:
    """How a card came out (``right``, ``wrong``, ``unread``, ``missed``, ``wrong side``, ``invented``)."""

    how: str
    card: str
    seen: str | None
    short_px: float
    pack: str


class Laying(Collection[Array]):
    """The frames of a clip: an empty table, then cards on it."""

    def __init__(self, shoot: Shoot, cards: tuple[CardItem, ...]) -> None:
        self._shoot, self._cards = shoot, cards

    def __len__(self) -> int:
        return round(_LAST_S * _FPS)

    def __contains__(self, image: object) -> bool:
        return any(image is frame for frame in self)

    def __iter__(self) -> Iterator[Array]:
        production = self._shoot.production
        filmer = Filmer(self._shoot.assets, production.camera, production.optics, production.seed)
        empty = replace(self._shoot.scene(0.0), cards=(), chips=(), arms=())
        full: Scene = replace(empty, cards=self._cards)
        for number in range(len(self)):
            yield filmer.frame(full if number / _FPS >= _EMPTY_S else empty)


def pack_of(rng: np.random.Generator, packs: tuple[PackagedDeck, ...]) -> Deck:
    """A pack that no network was trained on, a third of them without indices where they can be erased."""
    bare = bool(rng.random() < 0.33)
    if packs:
        deck = packs[int(rng.integers(len(packs)))]
        return without_indices(deck) if bare and deck.index_corner is not None else deck
    return drawn_deck(_UNSEEN + int(rng.integers(100_000)), indices=not bare)


def lay(rng: np.random.Generator, geometry: TableGeometry) -> tuple[CardItem, ...]:
    """Cards about the middle of the table, apart from each other, from shoe, discards and float."""
    back = int(rng.integers(60))
    aside = np.array([geometry.shoe_mm, geometry.discard_mm, geometry.float_mm])
    laid: list[CardItem] = []
    for _ in range(400):
        at = np.array([rng.uniform(380, 1220), rng.uniform(90, 560)])
        near = any(math.hypot(at[0] - c.x_mm, at[1] - c.y_mm) < _APART_MM for c in laid)
        if near or np.hypot(*(aside - at).T).min() < _AWAY_MM:
            continue
        turn = float(rng.choice([0, 180, 90, 270], p=[0.4, 0.3, 0.2, 0.1]) + rng.normal(0, 4))
        card = PACK[int(rng.integers(52))]
        down = 180.0 if rng.random() < _DOWN else 0.0
        x, y = (float(v) for v in at)
        laid.append(CardItem(card, x, y, turn, turn_deg=down, back=back, name=f"laid {len(laid)}"))
        if len(laid) == _CARDS:
            break
    return tuple(laid)


def short_side_px(camera: Camera, item: CardItem) -> float:
    """The shorter of a lying card's two middle lines in the picture, pixels."""
    turn = math.radians(item.rot_deg)
    lines = []
    for length, angle in ((CARD_WIDTH_MM, turn), (CARD_HEIGHT_MM, turn + math.pi / 2)):
        step = length / 2 * np.array([math.cos(angle), math.sin(angle), 0.0])
        middle = np.array([item.x_mm, item.y_mm, 0.0])
        ends = camera.project(np.stack([middle - step, middle + step]))
        lines.append(float(np.hypot(*(ends[1] - ends[0]))))
    return min(lines)


def scene_of(place: Path, seed: int, packs: tuple[PackagedDeck, ...]) -> None:
    """Render one clip with its truth file and the list of its cards, unless it is there."""
    if (place / "laid.json").exists():
        return
    rng = np.random.default_rng([seed, 31])
    production: Production = replace(production_of(CLEAN, 90_000 + seed), deck=pack_of(rng, packs), fps=_FPS)
    shoot = Shoot(production)
    cards = lay(rng, production.session.geometry)
    place.mkdir(parents=True, exist_ok=True)
    (place / "layout.svg").write_text(production.drawing.to_svg(), encoding="utf-8")
    truth = recording(
        production.session, production.camera, production.deck, production.chip_names, "clip", _FPS
    )
    (place / "clip.json").write_text(json.dumps(truth), encoding="utf-8")
    write_video(Laying(shoot, cards), place / "clip.mp4", _FPS, crf=int(rng.integers(22, 30)))
    laid = [
        [str(c.card) if c.face is Face.UP else BACK, c.x_mm, c.y_mm, short_side_px(production.camera, c)]
        for c in cards
    ]
    about = {"pack": production.deck.name, "indices": production.deck.indices, "cards": laid}
    (place / "laid.json").write_text(json.dumps(about), encoding="utf-8")


def read_scene(place: Path) -> list[Read]:
    """Review a clip and say of each card how it came out."""
    about = json.loads((place / "laid.json").read_text(encoding="utf-8"))
    pack = "drawn" if about["pack"].startswith("drawn") else about["pack"]
    pack += "" if about["indices"] else ", no indices"
    laid = [Laid(card, (x, y), short) for card, x, y, short in about["cards"]]
    journal = run(load_table(import_recording(place / "clip.json", place)), place / "clip.mp4")
    found: dict[str, tuple[tuple[float, float], Face, str | None]] = {}
    for event in journal.events:
        if isinstance(event, CardPlaced) and event.at_mm is not None:
            found[event.card_id] = event.at_mm, Face(event.face), event.card
        elif isinstance(event, CardRead) and event.card_id in found:
            found[event.card_id] = *found[event.card_id][:2], event.card
        elif isinstance(event, CardTurned) and event.card_id in found:
            found[event.card_id] = found[event.card_id][0], Face(event.face), event.card
    rows = []
    for card in laid:
        near = [key for key, (at, _, _) in found.items() if math.dist(at, card.at_mm) < _SAME_MM]
        if not near:
            rows.append(Read("missed", card.card, None, card.short_px, pack))
            continue
        _, face, name = found.pop(near[0])
        how = "right" if name == card.card else "unread" if name is None else "wrong"
        if card.card == BACK:
            how = "right"
        if (face is Face.DOWN) != (card.card == BACK):
            how = "wrong side"
        rows.append(Read(how, card.card, name, card.short_px, pack))
    rows += [Read("invented", "", name, 0.0, pack) for _, _, name in found.values()]
    return rows


def show(rows: list[Read], console: Console) -> None:
    """The tables."""
    ways = ("right", "wrong", "unread", "missed", "wrong side", "invented")
    groups: dict[str, list[Read]] = {"all": rows}
    for low, high in zip((0, *_SIDES_PX), _SIDES_PX, strict=False):
        name = f"{low} to {high} px" if high < 1000 else f"from {low} px"
        groups[name] = [row for row in rows if low <= row.short_px < high and row.how != "invented"]
    groups["face down"] = [row for row in rows if row.card == BACK]
    for pack in sorted({row.pack for row in rows}):
        groups[pack] = [row for row in rows if row.pack == pack]
    table = Table("cards", "n", *ways)
    for name, group in groups.items():
        count = Counter(row.how for row in group)
        table.add_row(name, str(len(group)), *(str(count[way]) for way in ways))
    console.print(table)


def main(arguments: list[str]) -> None:
    """Render, review and print."""
    folder, scenes = Path(arguments[0]), int(arguments[1])
    first = int(arguments[2]) if len(arguments) > 2 else 1
    cv2.setNumThreads(1)
    packs = load_packaged(Path(arguments[3])) if len(arguments) > 3 else ()
    trained = {pack.name for pack in PACKS} - set(HELD_OUT)
    unseen = tuple(deck for deck in packs if deck.name not in trained)
    console = Console(highlight=False, width=130)
    rows: list[Read] = []
    for seed in range(first, first + scenes):
        place = folder / f"cards-{seed}"
        scene_of(place, seed, unseen)
        fresh = read_scene(place)
        rows += fresh
        for row in fresh:
            if row.how != "right":
                console.print(
                    f"{place.name} {row.pack}: {row.card} {row.how} {row.seen or ''} {row.short_px:.0f} px"
                )
    show(rows, console)


if __name__ == "__main__":
    main(sys.argv[1:])
