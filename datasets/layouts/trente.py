"""The felt of trente et quarante: on each half a shield with rouge, noir, couleur and inverse."""

from __future__ import annotations

from datasets.layouts.pen import GREEN, Felt, rounded

RED, BLACK = "#a3262f", "#141414"


def trente_et_quarante() -> Felt:
    """Two halves alike (boxes a and b), the rows in the middle: noir above rouge, as they are dealt."""
    felt = Felt("Trente et quarante", "trente_et_quarante", (0, 0, 2900, 1300), GREEN)
    felt.edge(rounded(30, 30, 2840, 1240, 190))
    for inset, width in ((48, 3.0), (56, 1.5)):
        felt.rule(rounded(inset, inset, 2900 - 2 * inset, 1300 - 2 * inset, 180), width)
    for letter, left in (("a", 130.0), ("b", 1870.0)):
        _half(felt, letter, left)
    for hand, y, word in (("noir", 400.0, "NOIR"), ("rouge", 590.0, "ROUGE")):
        felt.place(f"hand {hand}", 1110, y, 680, 130, "")
        felt.cards(1126, y + 21, 9, 10)
        felt.words(word, (1450, y - 22), 26, bold=True, spacing=0.3)
    felt.place("float", 1170, 80, 560, 90, "")
    felt.rule("".join(f"M{1232 + 62 * k:g} 88v74" for k in range(8)), 1.5)
    felt.place("shoe", 1000, 90, 120, 160, "SABOT")
    felt.slot("discard", 1780, 196, "CARTAS USADAS", 130)
    felt.slot("tips", 1790, 96, "PROPINAS", 110)
    felt.words("TRENTE  ET  QUARANTE", (1450, 850), 44, ink=felt.inks.accent, spacing=0.2)
    felt.flourish((1450, 905), 560)
    felt.words("ROJO · NEGRO · COLOR · INVERSA", (1450, 955), 24)
    felt.words("PAGAN A LA PAR", (1450, 995), 24)
    felt.words("CRUPIER", (1450, 215), 18, ink=felt.inks.accent, opacity=0.8)
    return felt


def _half(felt: Felt, letter: str, left: float) -> None:
    """One shield: rouge and noir side by side, the point of couleur towards the players, inverse below it."""
    x, cx = left, left + 450
    line = felt.inks.line
    felt.zone(f"box {letter} rouge", f"M{x:g} 330h435v330h-435Z", ink=line)
    felt.zone(f"box {letter} noir", f"M{cx + 15:g} 330h435v330h-435Z", ink=line)
    felt.zone(
        f"box {letter} couleur",
        f"M{x:g} 675h900v60L{cx:g} 960L{x:g} 735Z",
        ink=felt.inks.accent,
    )
    felt.zone(
        f"box {letter} inverse",
        f"M{x:g} 760L{cx:g} 985L{x + 900:g} 760V830Q{x + 860:g} 1060 {cx:g} 1165Q{x + 40:g} 1060 {x:g} 830Z",
        ink=felt.inks.accent,
    )
    _diamond(felt, x + 217, 455, RED)
    _diamond(felt, cx + 232, 455, BLACK)
    felt.words("ROUGE", (x + 217, 575), 46, bold=True, spacing=0.2)
    felt.words("NOIR", (cx + 232, 575), 46, bold=True, spacing=0.2)
    felt.words("COULEUR", (cx, 765), 46, ink=felt.inks.accent, bold=True, spacing=0.2)
    felt.words("INVERSE", (cx, 1065), 46, ink=felt.inks.accent, bold=True, spacing=0.2)


def _diamond(felt: Felt, x: float, y: float, colour: str) -> None:
    felt.add(
        f'<path d="M{x:g} {y - 85:g}l62 85-62 85-62-85Z" fill="{colour}" stroke="{felt.inks.line}"'
        ' stroke-width="3"/>'
        f'<path d="M{x:g} {y - 66:g}l48 66-48 66-48-66Z" fill="none" stroke="{felt.inks.line}"'
        ' stroke-width="1.2" opacity="0.7"/>'
    )
