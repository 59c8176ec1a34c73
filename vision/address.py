"""Where pictures come from: a file, a camera's network address, or a camera at this machine.

Addresses are never said as they were given: :func:`masked` takes out what opens the camera.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vision.errors import SourceError

Kind = Literal["file", "stream", "device"]
"""``stream``: over the network; ``device``: a camera at this machine (V4L)."""

_CONTAINERS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,h264,hevc,av1,obu,ivf,flv,asf,mxf,ogg,"
    "dhav,wtv,nut,mjpeg,m4v"
)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)://")
_ONE_SLASH = re.compile(r"(?i)^(rtsps?|https?):/(?=[^/])")
_SECRETS = re.compile(
    r"(?i)([a-z_-]*(?:user|usr|pas|pwd|psw|login|token|auth|key|secret|session)[a-z_-]*|(?<![a-z])[up])=[^&;#\s/]*"
)
_HOST_PORT = re.compile(r"^([^:]*\.[^:]*|localhost)?:\d*$|\]$|\]:\d*$|:(80|88|443|554|8080|8554)?$")
"""A port, not the beginning of a password: users have no dot in their names."""
_RTSP = {
    "protocol_whitelist": "rtsp,rtsps,rtp,udp,tcp,tls,srtp",
    "rtsp_transport": "tcp",
}
_HTTP = {
    "protocol_whitelist": "http,https,tcp,tls,crypto",
    "format_whitelist": f"{_CONTAINERS},mpjpeg,hls",
}
_QUICKLY = {"analyzeduration": "500000", "fpsprobesize": "0"}
"""A live picture is wanted now: a long look at how the stream is made is for files."""
_DEVICES = re.compile(r"/dev/(video|v4l)")


@dataclass(frozen=True, slots=True)
class Address:
    """A place, ready to be opened. ``name``: as it may be said; the rest is for FFmpeg."""

    kind: Kind
    name: str
    url: str
    format: str | None
    options: dict[str, str]

    @property
    def live(self) -> bool:
        """Whether its pictures are of this moment."""
        return self.kind != "file"


def spelled(place: Path | str) -> str:
    """A place as it was written: a path takes the second slash out of ``rtsp://``.

    >>> spelled(Path("rtsp://10.0.0.1/cam"))
    'rtsp://10.0.0.1/cam'
    """
    text = str(place)
    return _ONE_SLASH.sub(lambda found: f"{found[1]}://", text) if isinstance(place, Path) else text


def is_live(place: Path | str) -> bool:
    """Whether a place is a camera: an address, or a device of this machine."""
    text = spelled(place)
    return _SCHEME.match(text) is not None or _DEVICES.match(text) is not None


def masked(address: Path | str) -> str:
    """An address without its user and password, wherever cameras have them.

    >>> masked("rtsp://anna:p@ss@10.0.0.1/live?password=x&channel=2")
    'rtsp://***@10.0.0.1/live?password=***&channel=2'
    """
    text = spelled(address)
    scheme = _SCHEME.match(text)
    if scheme is None:
        return text
    authority, slash, rest = text[scheme.end() :].partition("/")
    if "@" in authority:
        authority = f"***@{authority.rpartition('@')[2]}"
    elif "@" in rest and ":" in authority and not _HOST_PORT.search(authority):
        # a password with a slash in it, which nobody wrote as %2F
        authority, slash, rest = f"***@{rest.rpartition('@')[2]}", "", ""
    return scheme[0] + authority + slash + _SECRETS.sub(lambda found: f"{found[1]}=***", rest)


def address_of(place: Path | str) -> Address:
    """What a place is. Raises SourceError for one that cannot give pictures."""
    text = spelled(place)
    name = masked(text)
    scheme = _SCHEME.match(text)
    if scheme is not None:
        match scheme[1].lower():
            case "rtsp" | "rtsps":
                return Address("stream", name, text, None, _RTSP | _QUICKLY)
            case "http" | "https":
                return Address("stream", name, text, None, _HTTP | _QUICKLY)
        raise SourceError(
            f"The source {name} has the scheme {scheme[1]}://, which is not read: give a file's path, a"
            " camera's rtsp:// or http:// address, or its device, such as /dev/video0."
        )
    path = Path(text)
    if _DEVICES.match(text):
        if not path.exists():
            raise SourceError(f"There is no camera {text} at this machine: check that it is plugged in.")
        if not stat.S_ISCHR(path.stat().st_mode):
            raise SourceError(f"{text} is no camera of this machine: give one such as /dev/video0.")
        return Address("device", text, text, "v4l2", {})
    return Address(
        "file",
        text,
        _checked_file(path),
        None,
        {"protocol_whitelist": "file", "format_whitelist": _CONTAINERS},
    )


def _checked_file(path: Path) -> str:
    """The file's address for FFmpeg, once it is a readable file with something in it."""
    if not path.exists():
        raise SourceError(f"The recording {path} does not exist: check the path.")
    if path.is_dir():
        raise SourceError(f"The recording {path} is a folder: give one video file in it.")
    if not path.is_file():
        raise SourceError(
            f"The recording {path} is not a file: give a video file or a camera's rtsp:// address."
        )
    if not os.access(path, os.R_OK):
        raise SourceError(f"The recording {path} may not be read: ask for the right to read it.")
    if path.stat().st_size == 0:
        raise SourceError(f"The recording {path} is empty: copy or export it again.")
    return f"file:{path.resolve()}"
