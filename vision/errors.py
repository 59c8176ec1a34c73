"""What can be wrong with what vision is given. Each message is a sentence that can be shown as it is.

rules.errors.VeedorError
├── LayoutError        the table's drawing
├── CalibrationError   the calibration points of a camera
├── SourceError        a recording or a camera that gives no pictures
├── ModelError         a trained model that is missing or is another
└── ChipError          a chip set whose values cannot be told apart
"""

from rules.errors import VeedorError


class LayoutError(VeedorError):
    """A layout drawing that does not say what it has to."""


class CalibrationError(VeedorError):
    """Calibration points from which no camera can be found."""


class SourceError(VeedorError):
    """A recording or a camera that cannot be read."""


class ModelError(VeedorError):
    """A trained model (ONNX) that is missing, cannot be opened or is another kind of model."""


class ChipError(VeedorError):
    """A house's chips described so that they cannot be read."""
