"""A coup from the first look at the cards to the last chip."""

from __future__ import annotations

from datasets.games.base import PlayedRound
from datasets.games.chemin_de_fer.script import Hands, Script, banca_draws, punto_draws, total, value
from datasets.games.chemin_de_fer.table import Table, box, chips
from datasets.games.scribe import DEALER, player, stack
from rules.events import CardCleared, ChipMove, Stack


def play(table: Table, script: Script) -> PlayedRound:
    """One coup as its script has it. Returns what was really played."""
    table.count += 1
    table.make_ready(script)
    table.backs = list(script.backs)
    hands = table.cards(script)
    stakes = table.bets(script)
    table.deal(script, hands)
    opponent = table.opponent(script, stakes)
    _look(table, script, opponent)
    _after_close(table, script, stakes)
    _draw(table, script, hands)
    table.say(script.shown)
    if script.early:
        _settle(table, script, hands, stakes)
    _show(table, script, hands, opponent)
    result = _result(script, hands)
    if not script.early:
        _settle(table, script, hands, stakes)
    _sweep(table, script, stakes)
    _pass_on(table, script, result)
    cards = {"punto": tuple(hands.punto), "banca": tuple(hands.banca)}
    return PlayedRound(coup=table.count, cards=cards, result={"winner": result})


def _look(table: Table, script: Script, opponent: int) -> None:
    scribe, names = table.scribe, table.names["punto"]
    if script.dealer_gives and names:
        scribe.touch("hand punto", DEALER, target=names[0], seconds=0.5)
    table.say(script.dealt)
    for name in names[:1]:
        scribe.touch("hand punto", player(opponent), target=name, seconds=2.0)
    for seat in script.also_holds:
        table.say(script.opened_late)
        scribe.touch("hand punto", player(seat), target=names[0], seconds=1.0)
    for spot, seat, seconds in script.touches:
        target = table.names[spot.removeprefix("hand ")][0] if spot.startswith("hand ") else None
        scribe.touch(spot, player(seat), target=target, seconds=seconds)


def _after_close(table: Table, script: Script, stakes: dict[int, Stack]) -> None:
    """Chips that are put down or taken back too late."""
    if script.late is not None:
        seat = script.late
        extra = table.stake(20, seat, offset=40.0)
        table.scribe.chips(box(seat), stakes[seat], extra, hand=player(seat))
        table.late = extra
        if script.late_asked:
            table.scribe.cue("removal_asked", None, box(seat))
        if script.late_removed:
            table.scribe.chips(box(seat), stakes[seat], hand=DEALER)
            table.late = None
    if script.withdrawn is not None and not script.banker_first:
        table.scribe.chips(box(script.withdrawn), hand=player(script.withdrawn))


def _natural(hands: Hands) -> bool:
    return any(two >= 8 for two in hands.twos)


def _draw(table: Table, script: Script, hands: Hands) -> None:
    """What punto says, and the third cards."""
    punto, banca = hands.twos
    natural = _natural(hands) and script.basket is None and not script.excess
    draws = script.draws.get("punto")
    if draws is None:
        draws = not natural and punto_draws(punto, table.rng.random() < 0.5)
    draws = draws and script.basket != 1
    if script.fifth_early:
        _third(table, script, script.third_to or "banca", hands)
    _speak(table, script, draws, natural)
    if script.fifth_early:
        return
    if draws:
        for _ in range(2 if script.twice == "punto" else 1):
            _third(table, script, "punto", hands)
    third = value(hands.punto[2]) if len(hands.punto) > 2 else None
    banker = script.draws.get("banca")
    if banker is None:
        bound = not natural and not script.excess
        banker = bound and banca_draws(banca, third, table.rng.random() < 0.5)
    if banker:
        for _ in range(2 if script.twice == "banca" else 1):
            _third(table, script, "banca", hands)


def _speak(table: Table, script: Script, draws: bool, natural: bool) -> None:
    """What punto says of a card."""
    if script.word is not None:
        table.scribe.cue("punto_says", script.word)
    elif not natural:
        table.tell(script, "punto_says", "card" if draws else "no")
    table.say(script.said)


def _third(table: Table, script: Script, side: str, hands: Hands) -> None:
    """A third card, face up unless the script says otherwise."""
    card = hands.more.pop(0)
    name = table.exit()
    if script.basket == 3 and side == "punto":
        table.place(name, "discard", None)
        table.forget(name)
        return
    down = script.face_down_third == side
    table.place(name, f"hand {side}", None if down else card)
    (hands.punto if side == "punto" else hands.banca).append(card)
    table.names[side].append(name)
    if not down:
        table.up.add(name)


def _show(table: Table, script: Script, hands: Hands, opponent: int) -> None:
    sides = [("punto", hands.punto, opponent), ("banca", hands.banca, table.banker)]
    if script.banker_first:
        sides.reverse()
    for index, (side, cards, by) in enumerate(sides):
        if script.banker_first and index == 1:
            if script.withdrawn is not None:
                table.scribe.chips(box(script.withdrawn), hand=player(script.withdrawn))
            table.tell(script, "punto_says", "no")
        for place, (name, card) in enumerate(zip(table.names[side], cards, strict=False)):
            if script.thrown == side and place == 1:
                table.scribe.see(
                    CardCleared(
                        seq=0, t=0, card_id=name, spot=f"hand {side}", to_spot="discard", hand=player(by)
                    )
                )
                table.forget(name)
            elif name not in table.up:
                table.scribe.turn(name, card, player(by))
                table.up.add(name)


def _result(script: Script, hands: Hands) -> str:
    """Who wins: by the cards, or as the regulation has it after what the script did."""
    if script.result is not None:
        return script.result
    punto, banca = total(hands.punto), total(hands.banca)
    if script.basket is not None:
        punto = 9
    if script.excess:
        banca = total(hands.banca[3:])
    if script.twice == "punto":
        punto = max(total([*hands.punto[:2], card]) for card in hands.punto[2:])
    if script.twice == "banca":
        banca = min(total([*hands.banca[:2], card]) for card in hands.banca[2:])
    return "tie" if punto == banca else "punto" if punto > banca else "banca"


def _settle(table: Table, script: Script, hands: Hands, stakes: dict[int, Stack]) -> None:
    """Losers taken, winners paid, the house's part into the slot."""
    if not script.settles:
        return
    result = script.settle_as or _result(script, hands)
    if result == "tie":
        return
    order = sorted(stakes, key=lambda seat: seat != script.first_settled)
    if script.last_settled is not None:
        order.sort(key=lambda seat: seat == script.last_settled)
    won = 0
    for seat in order:
        if seat != script.withdrawn:
            won += _settle_box(table, script, seat, stakes[seat], result)
    if script.abonaments:
        _settle_abonaments(table, script, result)
    if result == "punto":
        table.bank += won
        table.lay_bank()
        return
    part = won // 20 if script.deduction is None else script.deduction
    if part:
        value_text = str(part)
        table.scribe.see(
            ChipMove(seq=0, t=0, from_spot="bank", to_spot="cagnotte", value=value_text, hand=DEALER)
        )
    if script.misplaced:
        astray = stack("astray", 20, at=(1500.0, 100.0))
        table.scribe.chips("table", astray, hand=DEALER)
    if script.to_garage:
        table.garage += won - part
    else:
        table.bank += won - part
    table.lay_bank()


def _settle_box(table: Table, script: Script, seat: int, laid: Stack, result: str) -> int:
    """One box; returns what the bank won there (less than nothing: paid)."""
    amount = laid.value or 0
    half = laid.line is not None and script.full_line != seat
    plays = amount // 2 if half else amount
    spot = box(seat)
    if script.skip == seat:
        return 0
    if result == "banca":
        rest = chips_of(plays) if laid.value != 40 or table.stacks % 2 else (10, 10)  # or by making change
        left = () if plays == amount else (stack(laid.stack, *rest, line="line", at=laid.at_mm),)
        table.scribe.chips(spot, *left, hand=DEALER, wait_s=0.5)
        late = table.late.value if table.late is not None and script.late == seat else 0
        return plays + (late or 0)
    paid = plays + script.extra_pay.get(seat, 0)
    table.stacks += 1
    x, y = laid.at_mm
    payment = stack(f"p{table.stacks}", *chips(paid), at=(x + 60.0, y))
    beside = (table.late,) if table.late is not None and script.late == seat else ()
    table.scribe.chips(spot, laid, *beside, payment, hand=DEALER, wait_s=0.5)
    return -paid


def chips_of(amount: int) -> tuple[int, ...]:
    """A stake's chips."""
    return (20,) * (amount // 20) + chips(amount % 20)


def _settle_abonaments(table: Table, script: Script, result: str) -> None:
    seat = table.others()[-1]
    spot = f"seat {seat} abonament"
    if result == "punto":
        table.scribe.chips(spot, hand=DEALER, wait_s=0.5)
        return
    content = table.extra
    more = [
        stack(f"pa{table.count}{n}", *chips(laid.value or 0), at=(laid.at_mm[0], laid.at_mm[1] + 60.0))
        for n, laid in enumerate(content)
    ]
    table.scribe.chips(spot, *content, *more, hand=DEALER, wait_s=0.5)
    del script


def _sweep(table: Table, script: Script, stakes: dict[int, Stack]) -> None:
    """The cards are gathered, and the players take what is theirs."""
    table.scribe.sweep(hand=DEALER)
    for cue, word, spot in script.after:
        table.scribe.t = round(table.scribe.t + 3.0, 3)
        table.scribe.cue(cue, word, spot)
    table.scribe.t = round(table.scribe.t + 10.0, 3)
    for seat in stakes:
        table.scribe.chips(box(seat), hand=player(seat), wait_s=0.3)
    if script.abonaments:
        table.scribe.chips(f"seat {table.others()[-1]} abonament", hand=player(1), wait_s=0.3)


def _pass_on(table: Table, script: Script, result: str) -> None:
    """The bank passes on after a loss; else the banker may put half of it aside."""
    table.fresh = False
    if result == "punto" and script.passes_on:
        table.banker = table.banker % 5 + 1
        table.bank, table.garage, table.fresh = 400, 0, True
    elif script.keeps is not None:
        table.garage += table.bank - script.keeps
        table.bank = script.keeps
    elif script.short:
        table.garage += script.short
        table.bank -= script.short
    elif script.aside and result == "banca" and table.rng.random() < 0.3 and table.bank >= 400:
        kept = table.bank // 2
        table.garage += table.bank - kept
        table.bank = kept
