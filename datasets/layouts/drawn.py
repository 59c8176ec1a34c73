"""Every felt by the name of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from datasets.layouts import baccarat, cards, trente
from datasets.layouts.pen import Felt

DRAWN: Mapping[str, Callable[[], Felt]] = {
    draw.__name__: draw
    for draw in (
        baccarat.punto_banco_full,
        baccarat.punto_banco_midi,
        baccarat.punto_banco_mini,
        baccarat.punto_banco_mini_half_lines,
        baccarat.punto_banco_uruguay,
        baccarat.chemin_de_fer,
        baccarat.banque_deux_tableaux,
        cards.no_discard_poker,
        cards.trijoker,
        cards.circle_poker,
        trente.trente_et_quarante,
    )
}
