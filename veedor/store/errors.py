"""Errors of the store, ready to be shown."""

from __future__ import annotations

from rules.errors import VeedorError


class StoreError(VeedorError):
    """The state directory or its database cannot be used, or a stored file is missing or broken."""
