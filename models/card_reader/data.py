"""Textures and crops for training the card reader, in files that a training can read while more are made.

    python -m models.card_reader.data bank  --decks DECKS --out WORK
    python -m models.card_reader.data crops --work WORK --shards 40
    python -m models.card_reader.data valid --work WORK

``DECKS`` is the folder that ``datasets.decks_fetch`` filled. Whole packs are held out for validation: they
share no artwork with the packs trained on.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.decks import Deck, DrawnDeck, MixedDeck, drawn_deck, load_packaged, without_indices
from datasets.decks_drawn import style_fonts, unusual_style
from datasets.decks_fonts import IndexFont
from datasets.faces import BACKS, STILLS, FaceBank, crops, textures_of
from datasets.faces import TEXTURE_PX as SIZE

log = logging.getLogger(__name__)
HELD_OUT = ("xskat-french", "penguins")
"""Fetched packs that are never trained on."""
_DRAWN, _BARE, _MIXED, _ODD, _UNUSUAL = 150, 70, 40, 50, 138
_VALID_SEED = 900_000
SHARD = 4096
_BATCH = 128


@dataclass(frozen=True, slots=True)
class _Entry:
    deck: Deck
    weight: int
    group: str


def _training_decks(fetched: Sequence[Deck], fonts: Sequence[IndexFont]) -> Iterator[_Entry]:
    own = [d for d in fetched if d.name not in HELD_OUT]
    bare = [without_indices(d) for d in own if d.name in ("ancient-egyptians", "kenney", "standard")]
    engraved = next((d for d in bare if d.name.startswith("standard")), None)
    for i in range(max(_DRAWN, _BARE, _MIXED)):
        if i < len(own):
            yield _Entry(own[i], 4, own[i].name)
        if i < len(bare):
            yield _Entry(bare[i], 4, bare[i].name)
        if i < _DRAWN:
            yield _Entry(drawn_deck(i, fonts, indices=True), 1, "drawn")
        if i < _BARE:
            yield _Entry(drawn_deck(10_000 + i, fonts, indices=False), 1, "drawn-noidx")
        if i < _MIXED and engraved is not None:
            style = drawn_deck(20_000 + i, fonts, indices=i % 5 > 1)
            yield _Entry(MixedDeck(style, engraved, mirrored=bool(i % 2)), 1, "mixed")
        if i < _ODD and engraved is not None:
            style = drawn_deck(30_000 + i, fonts, indices=True)
            figures = engraved if i % 2 else drawn_deck(40_000 + i, fonts, indices=False)
            yield _Entry(MixedDeck(style, figures, mirrored=bool(i % 4 > 1), shift=1 + i % 3 % 2), 1, "odd")
    for i in range(_UNUSUAL):
        yield _Entry(DrawnDeck(unusual_style(50_000 + i, fonts, indices=i % 5 > 1)), 1, "unusual")


def _validation_decks(fetched: Sequence[Deck], fonts: Sequence[IndexFont]) -> Iterator[_Entry]:
    for deck in fetched:
        if deck.name in HELD_OUT:
            yield _Entry(deck, 1, deck.name)
    yield from (_Entry(without_indices(d), 1, f"{d.name}-noidx") for d in fetched if d.name == HELD_OUT[0])
    for i in range(6):
        yield _Entry(drawn_deck(_VALID_SEED + i, fonts, indices=True), 1, "drawn")
        yield _Entry(drawn_deck(_VALID_SEED + 100 + i, fonts, indices=False), 1, "drawn-noidx")
        yield _Entry(DrawnDeck(unusual_style(_VALID_SEED + 200 + i, fonts, indices=i % 2 > 0)), 1, "unusual")


def _write_bank(entries: Sequence[_Entry], out: Path) -> None:
    shape = (len(entries), 52 + BACKS, *SIZE, 4)
    part = out.with_suffix(".part")
    store = np.lib.format.open_memmap(part, mode="w+", dtype=np.uint8, shape=shape)
    about = []
    for i, entry in enumerate(entries):
        store[i], ratio = textures_of(entry.deck, seed=i)
        about.append(
            {
                "name": entry.deck.name,
                "group": entry.group,
                "ratio": ratio,
                "indices": entry.deck.indices,
                "weight": entry.weight,
                "licence": entry.deck.licence,
            }
        )
    store.flush()
    out.with_suffix(".json").write_text(json.dumps(about), encoding="utf-8")
    part.rename(out)
    log.info("%s: %d packs", out.name, len(entries))


def write_banks(decks: Path | None, work: Path, most: int = 0, each: int = 20) -> None:
    """Render every pack's textures below ``work``: ``bank_NN.npy`` for training, ``valid_bank.npy``.

    Banks that are there already are kept. ``most``: packs at most, 0: all; without ``decks``
    (fetched packs) only drawn ones.
    """
    fetched = load_packaged(decks) if decks is not None else ()
    fonts = style_fonts(decks / "fonts" if decks is not None else None)
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "valid_bank.npy").exists():
        held_out = list(_validation_decks(fetched, fonts))
        _write_bank(held_out[: most or None], work / "valid_bank.npy")
    entries = list(_training_decks(fetched, fonts))[: most or None]
    for k in range(0, len(entries), each):
        if not (path := work / f"bank_{k // each:02d}.npy").exists():
            _write_bank(entries[k : k + each], path)


@dataclass(frozen=True, slots=True)
class Banks:
    """The banks found in a folder, one after another, with how often each pack is to be drawn."""

    bank: FaceBank
    draw: tuple[int, ...]
    """Pack numbers, each as often as its weight."""
    groups: tuple[str, ...]


def read_banks(paths: Sequence[Path]) -> Banks:
    """Read banks into memory."""
    about = [
        row for path in paths for row in json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    ]
    bank = FaceBank(
        np.concatenate([np.load(path) for path in paths]),
        np.array([row["ratio"] for row in about], np.float32),
        tuple(row["name"] for row in about),
        tuple(row["indices"] for row in about),
    )
    draw = tuple(i for i, row in enumerate(about) for _ in range(row["weight"]))
    return Banks(bank, draw, tuple(row["group"] for row in about))


def write_shard(
    banks: Banks,
    number: int,
    out: Path,
    packs: Sequence[int] | None = None,
    count: int = SHARD,
    stills: float = STILLS,
) -> None:
    """Make ``count`` crops from seeds that belong to ``number``: ``out`` (npy) and labels beside it (npz)."""
    parts = [
        crops(banks.bank, number * 1000 + k, _BATCH, banks.draw if packs is None else packs, stills)
        for k in range(count // _BATCH)
    ]
    part = out.with_suffix(".part")
    with part.open("wb") as file:
        np.save(file, np.concatenate([p.faces for p in parts]))
    np.savez(
        out.with_suffix(".npz"),
        labels=np.concatenate([p.labels for p in parts]),
        card_px=np.concatenate([p.card_px for p in parts]),
        visible=np.concatenate([p.visible for p in parts]),
    )
    part.rename(out)


def write_crops(work: Path, first: int, shards: int, keep: int, stills: float, count: int = SHARD) -> None:
    """Make training shards one after another; only the newest ``keep`` stay on disk."""
    (work / "train").mkdir(parents=True, exist_ok=True)
    known: list[Path] = []
    for number in range(first, first + shards):
        paths = sorted(work.glob("bank_*.npy"))
        if len(paths) != len(known):
            banks, known = read_banks(paths), paths
        write_shard(banks, number, work / "train" / f"{number:05d}.npy", stills=stills, count=count)
        log.info("shard %d from %d packs", number, len(banks.bank.names))
        for old in sorted((work / "train").glob("*.npy"))[:-keep]:
            old.unlink()
            old.with_suffix(".npz").unlink()


def write_validation(work: Path, count: int) -> None:
    """Make ``count`` crops of each group of held-out packs."""
    (work / "valid").mkdir(parents=True, exist_ok=True)
    banks = read_banks([work / "valid_bank.npy"])
    for k, group in enumerate(sorted(set(banks.groups))):
        packs = [i for i, g in enumerate(banks.groups) if g == group]
        write_shard(banks, 10_000_000 + k, work / "valid" / f"{group}.npy", packs, count)


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Make textures and crops for training the card reader.")
    parser.add_argument("what", choices=["bank", "crops", "valid"])
    parser.add_argument("--decks", type=Path, help="folder filled by datasets.decks_fetch (for bank)")
    parser.add_argument("--work", type=Path, required=True, help="folder for banks and crops")
    parser.add_argument("--first", type=int, default=0, help="number of the first shard: sets its seeds")
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--keep", type=int, default=60, help="shards that stay on disk")
    parser.add_argument("--stills", type=float, default=STILLS, help="part of crops from photographs")
    parser.add_argument("--packs", type=int, default=0, help="packs at most (for bank); 0: all")
    parser.add_argument("--size", type=int, default=SHARD, help="crops a shard")
    parser.add_argument("--count", type=int, default=1024, help="validation crops a group")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    if args.what == "bank":
        write_banks(args.decks, args.work, args.packs)
    elif args.what == "crops":
        write_crops(args.work, args.first, args.shards, args.keep, args.stills, args.size)
    else:
        write_validation(args.work, args.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
