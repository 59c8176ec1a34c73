"""Fetch free packs of cards by package name and turn each into a folder of pictures.

    python -m datasets.decks_fetch --out DIR [--height 560]

Each pack becomes ``DIR/NAME/Th.png`` … with ``back.png`` where it has one, and ``deck.json`` with its name,
licence and source package. Nothing of it is stored in the project. The packs whose artwork is reserved for
measuring are never taken: everything in Debian's gnome-cards-data (and so Bellot, Dondorf, Nicu, Paris and
Tigullio wherever they occur), Chris Aguilar's vectorised cards and Adrian Kennard's Goodall cards.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.decks import DeckError, Picture, rasterise
from rules.cards import PACK, Card, Rank, Suit

log = logging.getLogger(__name__)
_SVG = "{http://www.w3.org/2000/svg}"
_KDE_SUITS = {Suit.CLUBS: "club", Suit.DIAMONDS: "diamond", Suit.HEARTS: "heart", Suit.SPADES: "spade"}
_KDE_RANKS = {Rank.ACE: "1", Rank.TEN: "10", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack to be had from a package."""

    name: str
    licence: str
    package: str
    path: str
    """File or folder in the unpacked package."""
    kind: str
    """``kde`` (one SVG sheet with named cards), ``pokerth`` or ``kenney`` (a folder of pictures)."""
    index_corner: tuple[float, float] | None
    """Width and height of the corner index, as shares of the card's; None where it cannot be erased."""


_KDE = "debian:kdegames-card-data-kf5"
_GPL = "GPL-2.0-or-later"
PACKS: tuple[Pack, ...] = (
    Pack(
        "ancient-egyptians",
        _GPL,
        _KDE,
        "usr/share/carddecks/svg-ancient-egyptians/Ancient_Egyptians.svgz",
        "kde",
        (0.24, 0.34),
    ),
    Pack("jolly-royal", _GPL, _KDE, "usr/share/carddecks/svg-jolly-royal/jolly-royal.svgz", "kde", None),
    Pack("konqi-modern", _GPL, _KDE, "usr/share/carddecks/svg-konqi-modern/konqi.svgz", "kde", None),
    Pack("oxygen-air", _GPL, _KDE, "usr/share/carddecks/svg-oxygen-air/oxygen-air.svgz", "kde", None),
    Pack(
        "oxygen-white",
        _GPL,
        _KDE,
        "usr/share/carddecks/svg-oxygen-white/oxygen-white.svgz",
        "kde",
        None,
    ),
    Pack("penguins", _GPL, _KDE, "usr/share/carddecks/svg-penguins/penguins.svgz", "kde", None),
    Pack("standard", _GPL, _KDE, "usr/share/carddecks/svg-standard/standard.svgz", "kde", (0.18, 0.34)),
    Pack(
        "xskat-french", _GPL, _KDE, "usr/share/carddecks/svg-xskat-french/french.svgz", "kde", (0.165, 0.27)
    ),
    Pack(
        *("pokerth-4c", "GFDL-1.2-or-later OR LicenseRef-public-domain", "debian:pokerth-data"),
        *("usr/share/games/pokerth/gfx/cards/default4c", "pokerth", None),
    ),
    Pack(
        *("pokerth-jumbo", "GFDL-1.2-or-later OR LicenseRef-public-domain", "debian:pokerth-data"),
        *("usr/share/games/pokerth/gfx/cards/default_800x480", "pokerth", None),
    ),
    Pack("kenney", "CC0-1.0", "pypi:arcade", "arcade/resources/assets/images/cards", "kenney", (0.27, 0.31)),
)
FONT_PACKAGES: tuple[str, ...] = (
    *("fonts-lato", "fonts-roboto-slab", "fonts-ebgaramond"),
    *(
        "fonts-oldstandard",
        "fonts-linuxlibertine",
        "fonts-comfortaa",
        "fonts-cantarell",
        "fonts-sil-gentium-basic",
    ),
    *("fonts-freefont-ttf", "fonts-crosextra-caladea", "fonts-crosextra-carlito", "fonts-inconsolata"),
    *("fonts-open-sans", "fonts-bebas-neue", "fonts-lobster", "fonts-cabin", "fonts-junicode"),
)
"""Debian packages of free fonts (OFL and the like) for the indices of drawn packs."""


def _run(command: list[str], folder: Path) -> bool:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        log.warning("%s failed: %s", " ".join(command), done.stderr.strip().splitlines()[-1:])
    return done.returncode == 0


def unpack(package: str, work: Path) -> Path:
    """Download a package (``debian:NAME`` or ``pypi:NAME``) and unpack it below ``work``.

    Returns the folder; raises DeckError, naming the package, when its client cannot bring it.
    """
    registry, name = package.split(":", 1)
    folder = work / name
    if folder.is_dir():
        return folder
    folder.mkdir(parents=True)
    if registry == "debian":
        ok = _run(["apt-get", "download", name], folder)
        debs = sorted(folder.glob("*.deb"))
        if ok and debs and _run(["dpkg-deb", "-x", debs[0].name, "."], folder):
            return folder
    else:
        ok = _run([sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", ".", name], folder)
        wheels = sorted(folder.glob("*.whl"))
        if ok and wheels:
            with zipfile.ZipFile(wheels[0]) as wheel:
                wheel.extractall(folder)
            return folder
    folder.rmdir() if not any(folder.iterdir()) else None
    raise DeckError(
        f"the package {name} could not be fetched: check the package client and its network "
        f"('apt-get update' first for Debian packages), or leave its decks out"
    )


def _sheet(path: Path) -> tuple[ET.Element, tuple[float, float, float, float]]:
    root = ET.fromstring(gzip.decompress(path.read_bytes()))
    box = root.get("viewBox")
    if box is None:
        size = [float(re.sub("[a-z]+", "", root.get(k, "0"))) for k in ("width", "height")]
        values = [0.0, 0.0, *size]
    else:
        values = [float(v) for v in box.replace(",", " ").split()]
    return root, (values[0], values[1], values[2], values[3])


def _only(root: ET.Element, wanted: ET.Element) -> ET.Element:
    """The document with definitions, styles, ``wanted`` and its ancestors; everything else is left out."""
    parents = {child: parent for parent in root.iter() for child in parent}
    keep = {wanted}
    at = wanted
    while at in parents:
        at = parents[at]
        keep.add(at)
    skip = {
        f"{_SVG}{t}"
        for t in ("g", "path", "rect", "use", "text", "image", "circle", "ellipse", "polygon", "line")
    }

    def copy(node: ET.Element) -> ET.Element:
        new = ET.Element(node.tag, dict(node.attrib))
        new.text, new.tail = node.text, node.tail
        for child in node:
            if child is wanted or (child in keep and child is not wanted):
                new.append(child if child is wanted else copy(child))
            elif child.tag not in skip:
                new.append(child)
            elif child.get("id"):  # may be the target of a <use>: kept, unseen
                hidden = ET.SubElement(new, f"{_SVG}defs")
                hidden.append(child)
        return new

    return copy(root)


def _render(root: ET.Element, box: tuple[float, float, float, float], height_px: int) -> Picture:
    root.set("viewBox", " ".join(f"{v:.4f}" for v in box))
    root.set("width", f"{box[2]:.4f}")
    root.set("height", f"{box[3]:.4f}")
    return rasterise(ET.tostring(root, encoding="unicode"), height_px)


def _kde_card(
    root: ET.Element, box: tuple[float, float, float, float], name: str, height_px: int
) -> Picture | None:
    wanted = next((node for node in root.iter() if node.get("id") == name), None)
    if wanted is None:
        return None
    document = _only(root, wanted)
    # Sheets may hold cards beside the page: look for the card on a page three times as large.
    wide = (box[0] - box[2], box[1] - box[3], 3 * box[2], 3 * box[3])
    rough = _render(document, wide, 2400)
    seen = cv2.boundingRect((rough[..., 3] > 127).astype(np.uint8))
    if seen[2] < 4:
        return None
    step = wide[3] / rough.shape[0]
    at = (
        wide[0] + (seen[0] - 2) * step,
        wide[1] + (seen[1] - 2) * step,
        (seen[2] + 4) * step,
        (seen[3] + 4) * step,
    )
    fine = _render(document, at, round(height_px * (seen[3] + 4) / seen[3]))
    x, y, w, h = cv2.boundingRect((fine[..., 3] > 127).astype(np.uint8))
    return fine[y : y + h, x : x + w]


def _kde_faces(path: Path, height_px: int) -> Iterator[tuple[str, Picture]]:
    root, box = _sheet(path)
    for card in PACK:
        name = f"{_KDE_RANKS.get(card.rank, str(card.rank))}_{_KDE_SUITS[card.suit]}"
        if (picture := _kde_card(root, box, name, height_px)) is not None:
            yield str(card), picture
    if (picture := _kde_card(root, box, "back", height_px)) is not None:
        yield "back", picture


def _with_alpha(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise DeckError(f"{path} is not a picture: the package has changed its files")
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    x, y, w, h = cv2.boundingRect((picture[..., 3] > 127).astype(np.uint8))
    return np.asarray(picture[y : y + h, x : x + w], np.uint8)


def _folder_faces(pack: Pack, path: Path) -> Iterator[tuple[str, Picture]]:
    if pack.kind == "pokerth":
        suits = (Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES, Suit.CLUBS)
        ranks = [*(r for r in Rank if r is not Rank.ACE), Rank.ACE]
        for i in range(52):
            yield str(Card(ranks[i % 13], suits[i // 13])), _with_alpha(path / f"{i}.png")
        yield "back", _with_alpha(path / "flipside.png")
        return
    words = {Suit.CLUBS: "Clubs", Suit.DIAMONDS: "Diamonds", Suit.HEARTS: "Hearts", Suit.SPADES: "Spades"}
    for card in PACK:
        rank = "10" if card.rank is Rank.TEN else str(card.rank)
        yield str(card), _with_alpha(path / f"card{words[card.suit]}{rank}.png")
    yield "back", _with_alpha(path / "cardBack_blue2.png")


def fetch_pack(pack: Pack, out: Path, work: Path, height_px: int) -> int:
    """Bring one pack into ``out/NAME``; returns the number of faces. DeckError when incomplete."""
    path = unpack(pack.package, work) / pack.path
    folder = out / pack.name
    folder.mkdir(parents=True, exist_ok=True)
    faces = _kde_faces(path, height_px) if pack.kind == "kde" else _folder_faces(pack, path)
    done = 0
    for name, picture in faces:
        cv2.imwrite(str(folder / f"{name}.png"), picture)
        done += name != "back"
    if done != 52:
        raise DeckError(f"the pack {pack.name} has {done} faces of 52: its package has changed, leave it out")
    about = {
        "name": pack.name,
        "licence": pack.licence,
        "source": pack.package,
        "indices": True,
        "index_corner": pack.index_corner,
    }
    (folder / "deck.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return done


def fetch_fonts(out: Path, work: Path) -> int:
    """Copy the fonts of ``FONT_PACKAGES`` into ``out/fonts``; returns how many packages came."""
    (out / "fonts").mkdir(parents=True, exist_ok=True)
    came = 0
    for name in FONT_PACKAGES:
        try:
            folder = unpack(f"debian:{name}", work)
        except DeckError as error:
            log.warning("%s", error)
            continue
        came += 1
        for path in sorted(folder.rglob("*.[to]tf")):
            (out / "fonts" / path.name).write_bytes(path.read_bytes())
    return came


def main(argv: list[str] | None = None) -> int:
    """Entry point; returns the number of packs that could not be had."""
    parser = argparse.ArgumentParser(description="Fetch free packs of cards by package name.")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the packs (outside the repository)"
    )
    parser.add_argument("--height", type=int, default=560, help="height of the pictures in pixels")
    parser.add_argument("--no-fonts", action="store_true", help="do not fetch fonts for drawn packs")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for pack in PACKS:
            try:
                fetch_pack(pack, args.out, Path(scratch), args.height)
                log.info("%s: 52 faces from %s (%s)", pack.name, pack.package, pack.licence)
            except DeckError as error:
                failed += 1
                log.warning("%s", error)
        if not args.no_fonts:
            log.info("fonts from %d packages", fetch_fonts(args.out, Path(scratch)))
    return failed


if __name__ == "__main__":
    sys.exit(main())
