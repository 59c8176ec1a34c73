"""The felts of the baccarat family: punto banco in its sizes, chemin de fer, banque à deux tableaux."""

from __future__ import annotations

import itertools

from datasets.layouts.pen import BLUE, GREEN, TEAL, WINE, Felt, Inks, Ring, disc, rounded

RIM = 46.0


def table(felt: Felt, ring: Ring, dealer_y: float, *, oval: bool = False) -> None:
    """The felt's edge and a double rule inside it; flat at the dealer's side unless oval."""
    for inset, width in ((0.0, 0.0), (16.0, 3.0), (24.0, 1.5)):
        a, b = ring.across - inset, ring.down - inset
        cx, cy = ring.centre
        if oval:
            bow = f"A{a:.1f} {b:.1f} 0 1 1"
            path = f"M{cx - a:.1f} {cy:.1f}{bow} {cx + a:.1f} {cy:.1f}{bow} {cx - a:.1f} {cy:.1f}Z"
        else:
            y = dealer_y + inset
            half = a * (1 - ((y - cy) / b) ** 2) ** 0.5
            large = 1 if y < cy else 0
            bow = f"A{a:.1f} {b:.1f} 0 {large} 1"
            path = f"M{cx - half:.1f} {y:.1f}H{cx + half:.1f}{bow} {cx - half:.1f} {y:.1f}Z"
        if width:
            felt.rule(path, width)
        else:
            felt.edge(path)


def _bands(
    felt: Felt,
    ring: Ring,
    marks: list[float],
    bets: tuple[tuple[str, str, float, float], ...],
    *,
    half: tuple[str, ...] = (),
    gap: float = 7.0,
    numbers: float = 62.0,
    seats: tuple[int, ...] | None = None,
) -> None:
    """One cell a seat in each band: bet, printed word, outer and inner inset; the seat's number outside."""
    for k, (first, last) in enumerate(itertools.pairwise(marks)):
        seat, middle = (seats[k] if seats else k + 1), (first + last) / 2
        for row, (bet, word, outer, inner) in enumerate(bets):
            ink = felt.inks.accent if row == 2 else felt.inks.line
            felt.zone(
                f"seat {seat} {bet}", ring.cell(first, last, outer, inner, gap), ink=ink, half=bet in half
            )
            at = (outer + inner) / 2
            size = min(
                0.34 * (inner - outer), 1.2 * abs(last - first) * ring.speed(middle, at) / len(word) * 0.8
            )
            felt.words(word, ring.at(middle, at), size, ring.outward(middle, at) - 90, ink=ink, bold=row < 2)
        turn = ring.outward(middle, numbers) - 90
        felt.number(str(seat), ring.at(middle, numbers), 23, turn)


PUNTO_BANCO = (
    ("punto", "PUNTO", 100.0, 215.0),
    ("banca", "BANCA", 231.0, 341.0),
    ("empate", "EMPATE", 357.0, 427.0),
)


def _punto_banco_small(name: str, seats: int, ring: Ring, inks: Inks, *, half: tuple[str, ...] = ()) -> Felt:
    cx = ring.centre[0]
    felt = Felt(name, "punto_banco", (0, -50, 2 * cx, ring.centre[1] + ring.down + 100), inks)
    table(felt, ring, 0)
    marks = ring.spread(seats, 163, 17, 260)
    _bands(felt, ring, marks, PUNTO_BANCO, half=half)
    felt.arched(
        "EMPATE PAGA 8 A 1  ·  BANCA PAGA 19 A 20",
        ring.arc(145, 35, 478),
        24,
        spacing=0.12,
    )
    if half:
        felt.arched("APUESTA SOBRE LA LÍNEA JUEGA LA MITAD", ring.arc(140, 40, 513), 15, spacing=0.12)
    for hand, x in (("punto", cx - 270), ("banca", cx + 20)):
        felt.place(f"hand {hand}", x, 120, 250, 122, "")
        felt.cards(x + 15, 136, 3, 15)
        felt.words(hand.upper(), (x + 125, 262), 24, bold=True)
    felt.place("float", cx - 240, 34, 480, 66, "")
    felt.rule("".join(f"M{cx - 180 + 60 * k:g} 40v54" for k in range(7)), 1.5)
    felt.place("discard", cx - 0.62 * ring.across, 36, 150, 112, "CARTAS USADAS")
    felt.place("shoe", cx + 0.62 * ring.across - 130, 36, 130, 112, "SABOT")
    felt.slot("tips", cx - 390, 40, "PROPINAS")
    felt.flourish((cx, 300), 300)
    return felt


def punto_banco_midi() -> Felt:
    """Nine seats, one dealer."""
    return _punto_banco_small("Punto banco, midi table", 9, Ring((1140, 60), 1120, 900), BLUE)


def punto_banco_mini() -> Felt:
    """Seven seats, one dealer."""
    return _punto_banco_small("Punto banco, mini table", 7, Ring((960, 60), 940, 800), GREEN)


def punto_banco_mini_half_lines() -> Felt:
    """Seven seats of a house whose punto and banca boxes have half lines."""
    name = "Punto banco, mini table, half lines on punto and banca"
    return _punto_banco_small(name, 7, Ring((960, 60), 940, 800), TEAL, half=("punto", "banca"))


def _big(felt: Felt, ring: Ring) -> None:
    """What a big table has in its middle: two dealers, both hands, shoe, basket, slots."""
    cx = ring.centre[0]
    felt.zone("discard", disc((cx, 415), 62), ink=felt.inks.accent, width=3)
    felt.rule(disc((cx, 415), 50), 1.5)
    felt.words("CESTA", (cx, 415), 19, ink=felt.inks.accent)
    for hand, x in (("punto", cx - 310), ("banca", cx + 50)):
        felt.place(f"hand {hand}", x, 190, 260, 126, "")
        felt.cards(x + 18, 208, 3, 17)
        felt.words(hand.upper(), (x + 130, 342), 28, bold=True)
    felt.place("float", cx - 290, 40, 580, 90, "")
    felt.rule("".join(f"M{cx - 232 + 58 * k:g} 48v74" for k in range(9)), 1.5)
    felt.place("shoe", cx + 420, 60, 130, 150, "SABOT")
    felt.slot("tips", cx - 560, 60, "PROPINAS")
    for side in (-1, 1):
        felt.words("CRUPIER", (cx + side * 380, 48), 17, ink=felt.inks.accent, opacity=0.8)


def punto_banco_full() -> Felt:
    """Fourteen seats, two dealers, a basket in the middle."""
    ring = Ring((1740, 640), 1700, 790)
    felt = Felt("Punto banco, big table", "punto_banco", (0, -50, 3480, 1530), GREEN, 2)
    table(felt, ring, 0)
    _bands(felt, ring, ring.spread(14, 201, -21, 260), PUNTO_BANCO, gap=8)
    _big(felt, ring)
    felt.words("PUNTO  BANCO", (1740, 560), 64, ink=felt.inks.accent, spacing=0.25)
    felt.words("EMPATE PAGA 8 A 1  ·  BANCA PAGA 19 A 20", (1740, 640), 26, spacing=0.15)
    felt.flourish((1740, 700), 700)
    return felt


def punto_banco_uruguay() -> Felt:
    """Twelve seats, lettered boxes for standing bettors; bets on punto's outer line play half."""
    ring = Ring((1740, 640), 1700, 790)
    felt = Felt("Punto y banca, Uruguay", "punto_banco", (0, -50, 3480, 1530), WINE, 2)
    table(felt, ring, 0)
    marks = ring.spread(12, 201, -21, 260)
    bands = (
        ("punto", "PUNTO", 112.0, 222.0),
        ("banca", "BANCA", 238.0, 342.0),
        ("sabot", "SABOT", 358.0, 420.0),
    )
    _bands(felt, ring, marks, bands, gap=9, numbers=66)
    for seat, (first, last) in enumerate(itertools.pairwise(marks), 1):
        felt.zone(f"seat {seat} shoe", ring.cell(first, last, 22, 98, 9), ink=felt.inks.accent, width=2)
        a0, a1 = ring.narrowed(first, last, 112, 9)
        felt.line(f"seat {seat} punto:half", ring.arc(a0, a1, 112), halves=f"seat {seat} punto")
    _big(felt, ring)
    _letters(felt, ring)
    felt.place("capital", 2420, 60, 210, 120, "CAPITAL DE MESA")
    felt.words("PUNTO  Y  BANCA", (1740, 545), 58, ink=felt.inks.accent, spacing=0.25)
    felt.words("APUESTAS DE PIE", (1740, 737), 22, spacing=0.15)
    felt.words("LA LÍNEA DE PUNTO JUEGA LA MITAD", (1740, 880), 24, spacing=0.15)
    felt.flourish((1740, 600), 640)
    return felt


def _letters(felt: Felt, ring: Ring) -> None:
    """Five boxes for each side on each of the two cloths, for those who stand."""
    cx = ring.centre[0]
    for cloth, left in ((0, cx - 910.0), (1, cx + 190.0)):
        for row, (bet, y) in enumerate((("punto", 745.0), ("banca", 645.0))):
            for k in range(5):
                letter = "abcdefghij"[5 * cloth + k]
                x = left + 150 * k
                path = f"M{x:g} {y:g}h120v78h-120Z"
                felt.zone(f"box {letter} {bet}", path, ink=felt.inks.accent if row else felt.inks.line)
                felt.words(letter.upper(), (x + 60, y + 30), 32, bold=True)
                felt.words(bet.upper(), (x + 60, y + 62), 14)


def chemin_de_fer() -> Felt:
    """The oval table: nine numbered departments, the bank on the dealer's left, the garage on his right."""
    ring = Ring((1360, 660), 1320, 640)
    felt = Felt("Chemin de fer", "chemin_de_fer", (0, -20, 2720, 1360), GREEN)
    table(felt, ring, 0, oval=True)
    marks = ring.spread(9, 228, -48, 240)
    for seat, (first, last) in enumerate(itertools.pairwise(marks), 1):
        middle = (first + last) / 2
        felt.zone(f"seat {seat} shoe", ring.cell(first, last, 40, 178, 6), width=2.5)
        felt.zone(f"seat {seat} punto", ring.cell(first, last, 196, 350, 6))
        a0, a1 = ring.narrowed(first, last, 196, 6)
        felt.line(f"seat {seat} punto:half", ring.arc(a0, a1, 196), halves=f"seat {seat} punto")
        turn = ring.outward(middle, 110) - 90
        felt.number(str(seat), ring.at(middle, 110), 34, turn)
        felt.words("PUNTO", ring.at(middle, 273), 30, ring.outward(middle, 273) - 90, opacity=0.9)
        felt.zone(
            f"seat {seat} abonament", ring.cell(first, last, 364, 426, 14), ink=felt.inks.accent, width=3
        )
        turn = ring.outward(middle, 395) - 90
        felt.words("ABONAMENT", ring.at(middle, 395), 14, turn, ink=felt.inks.accent)
    cx = 1360
    felt.place("bank", cx + 80, 64, 260, 130, "BANCA")
    felt.place("garage", cx - 340, 64, 180, 130, "GARATGE")
    felt.slot("cagnotte", cx - 490, 130, "CAGNOTTE", 110)
    felt.slot("tips", cx + 370, 130, "PROPINES", 110)
    felt.zone("discard", disc((cx, 640), 84), ink=felt.inks.accent, width=3)
    felt.rule(disc((cx, 640), 70), 1.5)
    felt.words("CISTELLA", (cx, 640), 20, ink=felt.inks.accent)
    for hand, word, x in (("punto", "PUNT", cx - 430), ("banca", "BANCA", cx + 170)):
        felt.place(f"hand {hand}", x, 560, 260, 126, "")
        felt.cards(x + 18, 579, 3, 17)
        felt.words(word, (x + 130, 716), 26, bold=True)
    felt.words("CHEMIN  DE  FER", (cx, 395), 56, ink=felt.inks.accent, spacing=0.22)
    felt.flourish((cx, 455), 620)
    felt.words("LES APOSTES SOBRE LA LÍNIA JUGUEN LA MEITAT", (cx, 800), 22, spacing=0.14)
    felt.words("CRUPIER", (cx, 60), 17, ink=felt.inks.accent, opacity=0.8)
    return felt


def banque_deux_tableaux() -> Felt:
    """The banker opposite the dealer; the first tableau on his right (large x), the second on his left.

    Three lines: a player's zone (half), the area for the other tableau (half on each), and between the two
    betting zones (an odd unit plays on the first).
    """
    ring = Ring((1640, 700), 1600, 680)
    felt = Felt("Banque à deux tableaux", "banque_deux_tableaux", (0, -20, 3280, 1440), BLUE)
    table(felt, ring, 0, oval=True)
    sides = (
        (1, "tableau_1", "tableau_2", ring.spread(5, 66, -58, 260)),
        (6, "tableau_2", "tableau_1", ring.spread(5, 114, 238, 260)),
    )
    for start, own, other, marks in sides:
        for k, (first, last) in enumerate(itertools.pairwise(marks)):
            seat, middle = start + k, (first + last) / 2
            felt.rule(ring.cell(first, last, 40, 172, 6), 2.5)
            felt.zone(f"seat {seat} {own}", ring.cell(first, last, 172, 330, 6))
            felt.zone(f"seat {seat} {other}", ring.cell(first, last, 330, 425, 6), ink=felt.inks.accent)
            a0, a1 = ring.narrowed(first, last, 172, 6)
            felt.line(f"seat {seat} {own}:player", ring.arc(a0, a1, 172), halves=f"seat {seat} {own}")
            b0, b1 = ring.narrowed(first, last, 330, 6)
            felt.line(
                f"seat {seat} {own}:other_tableau",
                ring.arc(b0, b1, 330),
                splits=f"seat {seat} {own}|seat {seat} {other}",
                ink="#9fe0c0",
            )
            felt.number(str(k + 1), ring.at(middle, 106), 33, ring.outward(middle, 106) - 90)
            face = ring.outward(middle, 250) - 90
            felt.words(f"{own[-1]}R DRAP" if own[-1] == "1" else "2N DRAP", ring.at(middle, 250), 28, face)
            word = "AL 2N DRAP" if own[-1] == "1" else "AL 1R DRAP"
            felt.words(word, ring.at(middle, 378), 16, face, ink=felt.inks.accent)
    _banque_middle(felt)
    return felt


def _banque_middle(felt: Felt) -> None:
    cx = 1640
    for letter, bet, x, word in (("a", "tableau_2", cx - 190, "2N DRAP"), ("a", "tableau_1", cx, "1R DRAP")):
        felt.zone(f"box {letter} {bet}", f"M{x:g} 800h190v190h-190Z")
        felt.words(word, (x + 95, 895), 24)
    felt.line("box a:tableaux", f"M{cx:g} 800v190", splits="box a tableau_1|box a tableau_2", ink="#ff9db4")
    for hand, x, word in (("tableau_2", cx - 610, "2N DRAP"), ("tableau_1", cx + 350, "1R DRAP")):
        felt.place(f"hand {hand}", x, 520, 260, 126, "")
        felt.cards(x + 18, 539, 3, 17)
        felt.words(word, (x + 130, 674), 24, bold=True)
    felt.place("hand banca", cx - 130, 1050, 260, 126, "")
    felt.cards(cx - 112, 1069, 3, 17)
    felt.words("BANQUER", (cx, 1200), 26, bold=True)
    felt.place("bank", cx + 200, 72, 250, 130, "BANCA")
    felt.place("garage", cx - 390, 72, 180, 130, "GARATGE")
    felt.slot("cagnotte", cx - 530, 140, "DEDUCCIONS", 110)
    felt.slot("tips", cx + 480, 140, "PROPINES", 110)
    for letter, side in (("a", -1), ("b", 1)):
        for who, half, y in (("dealer", 122, 84), ("banker", 236, 1064)):
            x = cx + side * half - 55
            felt.zone(
                f"box {letter} beside_{who}",
                rounded(x, y, 110, 98, 8),
                ink=felt.inks.line + "88",
                width=2,
                dash="10 8",
            )
            felt.words("NO S'HI JUGA", (x + 55, y + 49), 11, opacity=0.7)
    felt.zone("discard", disc((cx, 640), 76), ink=felt.inks.accent, width=3)
    felt.rule(disc((cx, 640), 63), 1.5)
    felt.words("CISTELLA", (cx, 640), 19, ink=felt.inks.accent)
    felt.words("BANQUE À DEUX TABLEAUX", (cx, 400), 52, ink=felt.inks.accent, spacing=0.16)
    felt.flourish((cx, 455), 640)
    felt.words("CRUPIER", (cx, 60), 17, ink=felt.inks.accent, opacity=0.8)
