"""Clips: the motion keeps to the script, frames show it, the truth is that of the session."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from datasets.simulator_types import DealCard, LiftChips, PlaceChips, Session, SweepCard
from datasets.synth.clip import Frames, Shoot
from datasets.synth.demo import demo_camera, demo_production, demo_session
from datasets.synth.house import house_drawing
from datasets.synth.layouts import random_layout
from datasets.synth.motion import Motion
from datasets.synth.movie import Filmer, write_video
from datasets.synth.truth import recording
from rules.cards import Face
from vision.layout import Layout

_SEED = 571


@pytest.fixture(scope="module")
def session() -> Session:
    return demo_session(_SEED)


@pytest.fixture(scope="module")
def motion(session: Session) -> Motion:
    return Motion(session)


def test_cards_rest_where_and_when_the_script_says(session: Session, motion: Motion) -> None:
    swept = {action.card_id: action for action in session.actions if isinstance(action, SweepCard)}
    for action in session.actions:
        if not isinstance(action, DealCard):
            continue
        before = {card.name: card for card in motion.cards(action.t - 0.05)}[action.card_id]
        after = {card.name: card for card in motion.cards(action.t + 0.01)}[action.card_id]
        assert before.held
        assert not after.held
        assert (after.x_mm, after.y_mm) == pytest.approx(action.at_mm)
        assert after.face is action.face
        assert all(card.name != action.card_id for card in motion.cards(action.t_from - 0.05))
        end = swept[action.card_id].t_to
        gone = {card.name: card for card in motion.cards(end + 0.01)}.get(action.card_id)
        assert gone is None or gone.face is Face.DOWN


def test_stacks_stand_from_release_to_lift(session: Session, motion: Motion) -> None:
    for action in session.actions:
        if isinstance(action, PlaceChips) and not action.initial:
            before = [chip for chip in motion.chips(action.t - 0.01) if chip.name == action.stack]
            after = [chip for chip in motion.chips(action.t + 0.01) if chip.name == action.stack]
            assert any(chip.held for chip in before)
            assert [chip.held for chip in after] == [False]
            assert after[0].denominations[-len(action.denominations) :] == action.denominations
        elif isinstance(action, LiftChips):
            after = [c for c in motion.chips(action.t + 0.01) if c.name == action.stack and not c.held]
            assert [chip.denominations for chip in after] == ([action.left] if action.left else [])


def test_a_hand_is_where_something_moves(session: Session, motion: Motion) -> None:
    for action in session.actions:
        if isinstance(action, PlaceChips | LiftChips) and action.t > 0:
            reach = [
                np.hypot(a.x_mm - action.at_mm[0], a.y_mm - action.at_mm[1]) for a in motion.arms(action.t)
            ]
            assert min(reach) < 5


def test_frames_are_those_of_a_fresh_rendering() -> None:
    """Painting only what changed leaves nothing behind: noise apart, the picture is the same."""
    production = demo_production(_SEED)
    quiet = replace(production, optics=replace(production.optics, noise=0.0))
    shoot = Shoot(quiet)
    going = Filmer(shoot.assets, quiet.camera, quiet.optics, 1)
    for t in (4.2, 4.6, 5.0):
        last = going.frame(shoot.scene(t))
    fresh = Filmer(shoot.assets, quiet.camera, quiet.optics, 1).frame(shoot.scene(5.0))
    difference = np.abs(last.astype(int) - fresh.astype(int))
    assert difference.max() <= 3
    assert difference.mean() < 0.05
    assert len(Frames(shoot)) == round(quiet.session.duration_s * quiet.fps)


def test_video_is_h264_with_a_frame_each(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frames = [rng.integers(0, 255, (64, 96, 3), np.uint8) for _ in range(7)]
    path = tmp_path / "clip.mp4"
    assert write_video(frames, path, fps=10, most_bytes=200_000) == 7
    assert path.stat().st_size < 200_000
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        times = [frame.time for frame in container.decode(video=0)]
    assert times == pytest.approx([k / 10 for k in range(7)])


def test_a_broken_off_video_leaves_nothing(tmp_path: Path) -> None:
    frames = [np.zeros((64, 96, 3), np.uint8), np.zeros((32, 96, 3), np.uint8), np.zeros((64, 96), np.uint8)]
    with pytest.raises(ValueError, match="ndim"):
        write_video(frames, tmp_path / "clip.mp4", fps=10)
    assert not list(tmp_path.iterdir())


def test_truth_repeats_the_session(session: Session) -> None:
    truth = recording(session, demo_camera(), demo_production(_SEED).deck, {5: "red"}, "x", 15)
    assert [len(r["deal"]) for r in truth["rounds"]] == [len(coup.deal) for coup in session.coups]
    assert truth["error"]["type"] == "sixth_card"
    assert truth["error"]["t"] == session.coups[-1].error.t if session.coups[-1].error else False
    placed = [event for event in truth["events"] if event["type"] == "card_placed"]
    assert len(placed) == sum(len(coup.deal) for coup in session.coups)
    assert len(truth["camera"]["correspondences"]) >= 12
    assert sum(bet["on_line"] for r in truth["rounds"] for bet in r["bets"]) == 1


def test_house_layout_is_read_back(session: Session) -> None:
    drawing, _ = house_drawing(session.geometry)
    layout = Layout.parse(drawing.to_svg())
    for spot, zone in session.geometry.bets.items():
        found = layout.zone(spot)
        assert found is not None
        assert found.centre_mm == pytest.approx((zone.x_mm, zone.y_mm), abs=0.1)
        assert (layout.line(session.geometry.line_id(spot)) is not None) == (
            spot.bet in session.geometry.half_lines
        )


@pytest.mark.parametrize("seed", range(4))
def test_random_layouts_are_layouts(seed: int) -> None:
    table = random_layout(np.random.default_rng(seed))
    layout = Layout.parse(table.drawing.to_svg())
    assert {str(zone.spot) for zone in layout.zones} >= {zone.spot for zone in table.bets}
