"""The running system: configuration, one table's pipeline, what is kept, and the command line."""

import os

# OpenCV reads this when it is loaded: a picture of a few kilobytes may else ask for gigabytes.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(200_000_000))
