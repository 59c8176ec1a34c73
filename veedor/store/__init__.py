"""What is kept: reviews, findings and their evidence, in one state directory."""

from veedor.store.errors import StoreError
from veedor.store.felt import Felt
from veedor.store.files import keep_apart, state_directory, write_atomically, write_together
from veedor.store.overlay import Line, Mark, Overlay, Shift, Zone
from veedor.store.records import AnswerRecord, CoupRecord, FindingRecord, NewReview, Recording, ReviewRecord
from veedor.store.reviews import Store

__all__ = [
    "AnswerRecord",
    "CoupRecord",
    "Felt",
    "FindingRecord",
    "Line",
    "Mark",
    "NewReview",
    "Overlay",
    "Recording",
    "ReviewRecord",
    "Shift",
    "Store",
    "StoreError",
    "Zone",
    "keep_apart",
    "state_directory",
    "write_atomically",
    "write_together",
]
