"""The one family of errors that is meant for people.

    VeedorError
    ├── JournalError      a journal line that cannot be read
    ├── ProfileError      a profile or house option that contradicts itself
    └── ... each room adds its own below VeedorError

The message of each is a sentence that says what is wrong, where, and what to do about it; it can be
shown as it is. What happens *in play* is never an error of this kind: it is a finding.
"""


class VeedorError(Exception):
    """Something a person has to put right. ``str(error)`` is ready to be shown."""


class JournalError(VeedorError):
    """A journal that cannot be read: a broken line, an unknown event, another version."""


class ProfileError(VeedorError):
    """A profile or a house option that cannot be applied."""
