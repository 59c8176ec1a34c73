"""One module a step, in order: ``v0001_...``, ``v0002_...``."""
