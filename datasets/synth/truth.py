"""The truth of a simulated recording, written in the form of the measuring recordings' ``NAME.json``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from datasets.decks import Deck
from datasets.simulator_table import Point, Zone
from datasets.simulator_types import (
    Action,
    DealCard,
    LiftChips,
    PlaceChips,
    Session,
    SweepCard,
    TrueBet,
    TrueCoup,
    TurnCard,
)
from datasets.synth.labels import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from rules.cards import Card, Face
from rules.events import Owner
from rules.spots import Area, Spot
from vision.camera import Camera

_Json = dict[str, Any]


def recording(
    session: Session, camera: Camera, deck: Deck, chip_names: Mapping[int, str], name: str, fps: int
) -> _Json:
    """The whole file, ready for JSON."""
    rounds = [_round(coup) for coup in session.coups]
    errors = [_error(coup) for coup in session.coups if coup.error is not None]
    down = any(
        a.face is Face.DOWN for a in session.actions if isinstance(a, DealCard) and a.spot.area is Area.HAND
    )
    single = {"round": rounds[0]} if len(rounds) == 1 else {}
    return {
        "name": name,
        "video": f"{name}.mp4",
        "fps": fps,
        "frames": round(session.duration_s * fps),
        "duration_s": session.duration_s,
        "image_size": [camera.width_px, camera.height_px],
        "motion_hz": fps,
        "seed": session.seed,
        "camera": _camera(session, camera),
        "layout": "layout.svg",
        "chips": {
            "diameter_mm": CHIP_RADIUS_MM * 2,
            "height_mm": CHIP_HEIGHT_MM,
            "set": [{"value": value, "colour": colour} for value, colour in sorted(chip_names.items())],
        },
        "deck": {"name": deck.name, "indices": deck.indices, "licence": deck.licence, "card_mm": [63, 88]},
        "deal_style": "face down" if down else "face up",
        **single,
        "rounds": rounds,
        "error": errors[0] if errors else None,
        "errors": errors,
        "events": sorted(_events(session), key=lambda event: event["t"]),
    }


def _camera(session: Session, camera: Camera) -> _Json:
    points = []
    for spot, zone in session.geometry.bets.items():
        if spot.bet in ("punto", "banca"):
            corners = np.array([(x, y, 0.0) for x, y in zone.corners()])
            for i, (mm, px) in enumerate(zip(corners, camera.project(corners), strict=True)):
                if 0 <= px[0] <= camera.width_px and 0 <= px[1] <= camera.height_px:
                    points.append(
                        {
                            "point": f"{_zone_id(spot)}:{i}",
                            "mm": [round(float(v), 2) for v in mm[:2]],
                            "px": [round(float(v), 2) for v in px],
                        }
                    )
    return {
        "K": camera.matrix.tolist(),
        "dist_k1_k2": [camera.k1, camera.k2],
        "R": camera.rotation.tolist(),
        "t_mm": camera.translation_mm.tolist(),
        "centre_layout_mm": camera.centre_mm.tolist(),
        "note": "x_cam = R [x_mm, y_mm, z_mm] + t_mm in the layout frame (x right, y to the players, z up: "
        "left-handed, so det R = -1)",
        "correspondences": points,
    }


def _zone_id(spot: Spot) -> str:
    if spot.area is Area.BET:
        return f"seat{spot.seat}-{spot.bet}"
    return f"cards-{spot.hand}" if spot.area is Area.HAND else str(spot)


def _card(card: Card) -> str:
    return f"{card.rank}{str(card.suit).upper()}"


def _amount(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


def _round(coup: TrueCoup) -> _Json:
    return {
        "coup": coup.number,
        "t_close": coup.t_close,
        "t_result": coup.t_result,
        "t_end": coup.t_end,
        "deal": [{"hand": hand, "card": _card(card)} for hand, card in coup.deal],
        "punto": [_card(card) for card in coup.hand("punto")],
        "banca": [_card(card) for card in coup.hand("banca")],
        "punto_total": coup.punto_total,
        "banca_total": coup.banca_total,
        "winner": {"tie": "empate"}.get(coup.winner, coup.winner),
        "bets": [_bet(bet) for bet in coup.bets],
        "error": _error(coup) if coup.error is not None else None,
    }


def _bet(bet: TrueBet) -> _Json:
    out = {
        "id": bet.stack,
        "seat": bet.spot.seat,
        "box": bet.spot.bet,
        "denoms": list(bet.denominations),
        "value": bet.value,
        "on_line": bet.line is not None,
        "pos_mm": [round(v, 1) for v in bet.at_mm],
        "due": bet.due,
        "due_amount": _amount(bet.due_amount),
        "actual": bet.actual,
        "actual_amount": _amount(bet.actual_amount),
    }
    if bet.payment:
        out["payment_denoms"] = list(bet.payment)
    return out


def _error(coup: TrueCoup) -> _Json:
    error = coup.error
    assert error is not None
    seat = error.spot.seat if error.spot is not None else None
    bet = next((b.stack for b in coup.bets if b.spot == error.spot), None)
    return {
        "type": str(error.kind), "coup": coup.number, "seat": seat, "bet": bet, "t": error.t,
        "code": error.code, "rule": error.rule,
    }  # fmt: skip


def _events(session: Session) -> list[_Json]:
    events: list[_Json] = []
    hands: dict[str, DealCard] = {}
    numbers = iter(range(10_000))
    for action in session.actions:
        if isinstance(action, DealCard):
            hands[action.card_id] = action
            events += _deal_events(action, next(numbers))
        elif isinstance(action, TurnCard):
            base = _card_base(hands[action.card_id])
            events.append({"t": action.t, "type": "card_turned", **base})
            events.append({"t": action.t, "type": "card_face_visible", **base})
        elif isinstance(action, SweepCard):
            base = _card_base(hands[action.card_id])
            events.append({"t": action.t, "type": "card_moved", **base, "pos_mm": _mm(action.at_mm)})
            events.append(
                {
                    "t": action.t_to,
                    "type": "card_removed",
                    **base,
                    "face": "down",
                    "pos_mm": _mm(action.to_mm),
                    "zone": "discard",
                }
            )
        elif isinstance(action, PlaceChips | LiftChips):
            events.append(_chip_event(session, action))
    for coup in session.coups:
        events.append({"t": round(coup.t_close - 0.2, 2), "type": "no_more_bets", "coup": coup.number})
        events.append(
            {
                "t": coup.t_result, "type": "result", "coup": coup.number,
                "winner": {"tie": "empate"}.get(coup.winner, coup.winner),
                "punto_total": coup.punto_total, "banca_total": coup.banca_total,
            }
        )  # fmt: skip
        events.append({"t": coup.t_end, "type": "round_end", "coup": coup.number})
    return events


def _card_base(deal: DealCard) -> _Json:
    return {
        "card": _card(deal.card),
        "card_id": deal.card_id,
        "hand": deal.spot.hand,
        "hand_pos": deal.position,
    }


def _deal_events(deal: DealCard, number: int) -> list[_Json]:
    base = _card_base(deal) | {"draw_index": number}
    drawn = {"t": deal.t_from, "type": "card_drawn", **base, "pos_mm": _mm(deal.from_mm), "zone": "shoe"}
    placed = {
        "t": deal.t, "type": "card_placed", **base, "face": str(deal.face), "pos_mm": _mm(deal.at_mm),
        "rot_deg": round(deal.angle_deg, 1), "zone": _zone_id(deal.spot),
    }  # fmt: skip
    seen = {"t": deal.t, "type": "card_face_visible", **_card_base(deal)}
    return [drawn, placed, seen] if deal.face is Face.UP else [drawn, placed]


def _chip_event(session: Session, action: PlaceChips | LiftChips) -> _Json:
    dealer = action.hand.owner is not Owner.PLAYER
    placed = isinstance(action, PlaceChips)
    if placed:
        purpose = "payment" if dealer else "late_bet" if _within_a_coup(session, action.t) else "bet"
    else:
        purpose = "collect" if dealer else "pinch" if _within_a_coup(session, action.t) else "take"
    zone: Zone = session.geometry.bets[action.spot]
    line = action.line if isinstance(action, PlaceChips) else None
    return {
        "t": action.t, "type": "chips_placed" if placed else "chips_removed",
        "by": "dealer" if dealer else "player", "seat": action.spot.seat, "bet": action.stack,
        "box": action.spot.bet, "initial": bool(isinstance(action, PlaceChips) and action.initial),
        "stack": action.stack, "denoms": list(action.denominations), "count": len(action.denominations),
        "value": sum(action.denominations), "pos_mm": _mm(action.at_mm), "zone": _zone_id(zone.spot),
        "on_line": line is not None, "purpose": purpose,
    }  # fmt: skip


def _within_a_coup(session: Session, t: float) -> bool:
    return any(coup.t_close < t < coup.t_end for coup in session.coups)


def _mm(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


__all__ = ["Action", "recording"]
