"""The games: for each, its own modules, which read like the regulation."""
