"""A scene as plain data: what lies on a table, where, and under which light. Millimetres in the layout frame.

Angles are clockwise on the drawing, in degrees; colours are (blue, green, red). Heights are above the felt.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum, unique

from datasets.synth.raster import Colour
from rules.cards import Card, Face

CARD_WIDTH_MM, CARD_HEIGHT_MM = 63.0, 88.0


@dataclass(frozen=True, slots=True)
class CardItem:
    """One card. ``turn_deg`` rolls it about its long axis (0 = the face looks up, 180 = the back)."""

    card: Card | None
    x_mm: float
    y_mm: float
    rot_deg: float = 0.0
    z_mm: float = 0.3
    turn_deg: float = 0.0
    pitch_deg: float = 0.0
    """Lift of the card's top edge about its short axis."""
    back: int = 0
    size: float = 1.0
    """Size as a part of 63 x 88 mm."""
    name: str = ""
    held: bool = False
    """In the air or in a hand: drawn after what stands on the table."""

    @property
    def face(self) -> Face:
        """The side that looks up."""
        return Face.UP if abs((self.turn_deg + 180) % 360 - 180) < 90 else Face.DOWN


@dataclass(frozen=True, slots=True)
class ChipDesign:
    """What one denomination's chips look like."""

    base: Colour
    spot: Colour
    second: Colour
    inlay: Colour
    ink: Colour
    text: str
    style: str
    """Edge: solid, spots, double, stripes, dice, quarter."""
    spots: int
    width: float
    """Part of the rim that the spots take, 0..1."""
    inlay_radius: float
    """Part of the radius, 0..1."""
    ring: int
    """Decoration between rim and inlay: 0 none, 1 line, 2 dots, 3 dashes, 4 suits."""
    wear: float
    font: str
    seam: float = 0.55
    """How bright the border to the chip below is, as a part of the side; 1 = none is seen."""


@dataclass(frozen=True, slots=True)
class ChipItem:
    """A stack. ``denominations`` and ``offsets`` (dx, dy mm, turn degrees) run from the bottom to the top."""

    denominations: tuple[int, ...]
    x_mm: float
    y_mm: float
    offsets: tuple[tuple[float, float, float], ...]
    z_mm: float = 0.0
    name: str = ""
    held: bool = False


@unique
class Pose(StrEnum):
    """How the fingers are held."""

    PINCH = "pinch"
    FLAT = "flat"
    FIST = "fist"
    POINT = "point"
    SPREAD = "spread"
    GRIP = "grip"


@dataclass(frozen=True, slots=True)
class ArmItem:
    """A hand with its forearm: the fingertips' middle is at (x, y, z), the elbow towards ``heading_deg``."""

    x_mm: float
    y_mm: float
    z_mm: float
    heading_deg: float
    """Direction on the drawing from the fingers back to the elbow (0 = +x, 90 = +y, to the players)."""
    pose: Pose
    left: bool
    skin: Colour
    sleeve: Colour
    cuff: Colour | None
    sleeve_from_mm: float
    """Where the sleeve begins, behind the wrist; large = a bare forearm."""
    size: float = 1.0
    roll_deg: float = 0.0
    rise_deg: float = 20.0
    """How steeply the forearm rises from the wrist to the elbow."""
    bend_deg: float = 0.0
    """Turn of the hand against the forearm, on the drawing."""
    ring: bool = False
    watch: bool = False
    dealer: bool = True
    seed: int = 0
    name: str = ""


@unique
class PropKind(StrEnum):
    """Things with a simple shape."""

    BUTTON = "button"
    CUT_CARD = "cut card"
    PADDLE = "paddle"
    LAMMER = "lammer"
    GLASS = "glass"
    PHONE = "phone"
    PAPER = "paper"
    DISCARD_TRAY = "discard tray"
    COIN = "coin"
    SHEET = "sheet"
    """A rectangle of paper or card that is no playing card: a ticket, a photograph, a name card."""
    BOX = "box"
    """A packet, a book, a remote control."""
    PRINT = "print"
    """Anything printed, flat or thick: a newspaper, a letter, a book, a packet of cards."""
    PACKET = "packet"
    """A box of about a card's size that lies or stands: a pack's tuck box, matches, cigarettes."""
    PACK = "pack"
    """The cards of a squared pack under its topmost one."""
    BODY = "body"


@dataclass(frozen=True, slots=True)
class PropItem:
    """A prop: ``width_mm`` by ``depth_mm`` on the felt, ``height_mm`` high."""

    kind: PropKind
    x_mm: float
    y_mm: float
    rot_deg: float
    width_mm: float
    depth_mm: float
    height_mm: float
    colour: Colour
    second: Colour
    text: str = ""
    seed: int = 0
    back: int = 0
    """The back printed on a packet of cards."""


@dataclass(frozen=True, slots=True)
class ShoeItem:
    """The shoe: its mouth at (x, y) shows the top card's back; the body runs towards ``rot_deg``."""

    x_mm: float
    y_mm: float
    rot_deg: float
    length_mm: float
    width_mm: float
    height_mm: float
    front_mm: float
    """Height of the front's lower edge, where the slope with the card starts."""
    colour: Colour
    back: int = 0


@dataclass(frozen=True, slots=True)
class FloatItem:
    """The chip tray: rows of chips lying on their edges along y. One entry of ``rows`` per tube."""

    x_mm: float
    y_mm: float
    pitch_mm: float
    depth_mm: float
    rows: tuple[tuple[int, int], ...]
    """(denomination, number of chips) of each tube, from small x."""
    colour: Colour
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Light:
    """One key light, a fill, and what the room does to the picture."""

    azimuth_deg: float = 0.0
    elevation_deg: float = 70.0
    softness: float = 0.3
    """Blur of cast shadows per height, 0..1."""
    shadow: float = 0.45
    """Darkness of shadows, 0..1."""
    gradient: float = 0.15
    gradient_deg: float = 0.0
    vignette: float = 0.2
    spots: tuple[tuple[float, float, float, float], ...] = ()
    """Glare: x and y as parts of the picture, radius as a part of its width, strength 0..1."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is not printed on the felt. Cards are in the order in which they were laid."""

    cards: tuple[CardItem, ...] = ()
    chips: tuple[ChipItem, ...] = ()
    arms: tuple[ArmItem, ...] = ()
    props: tuple[PropItem, ...] = ()
    shoe: ShoeItem | None = None
    float_tray: FloatItem | None = None
    light: Light = field(default_factory=Light)
