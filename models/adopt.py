"""Put newly trained weights in use: into ``models/``, with their hashes in the model cards.

python -m models.adopt out/train/weights
"""

from __future__ import annotations

import argparse
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path

from vision.digest import file_sha256, model_card, said_sha256
from vision.errors import ModelError
from vision.networks import NETWORKS

log = logging.getLogger(__name__)


def adopt(trained: Path, when: datetime) -> list[Path]:
    """Take every network found below ``trained`` into use; gives their files in ``models/``.

    A model card then names the new hash, and says that its scores are those of the weights before. Raises
    ModelError, with nothing changed, where a file is not the network that it has to be or there is none.
    """
    found = [network for network in NETWORKS if (trained / network.name).is_file()]
    if not found:
        raise ModelError(f"There are no trained weights in {trained}: give the folder that training wrote.")
    for network in found:
        network.open(1, trained / network.name)
    for network in found:
        new, own = trained / network.name, network.path
        card = model_card(own)
        if card is None:
            raise ModelError(f"The weights {own} have no model card beside them: write it first.")
        digest, text = file_sha256(new), card.read_text(encoding="utf-8")
        if digest in said_sha256(card, own.name):
            continue
        for former in said_sha256(card, own.name):
            text = text.replace(former, digest)
        note = (
            f"\n`{own.name}` was trained again by `make train` on {when:%Y-%m-%d}: what this page says it"
            " scores, and on what it was trained, is of the weights before.\n"
        )
        own.write_bytes(new.read_bytes())
        card.write_text(text.rstrip("\n") + "\n" + note, encoding="utf-8")
        log.info("%s is in use, sha256 %s", own, digest)
    return [network.path for network in found]


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Put trained weights in use.")
    parser.add_argument("trained", type=Path, help="folder with detector/, card_reader/ and chip_reader/")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        adopt(args.trained, datetime.now(UTC))
    except ModelError as error:
        log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
