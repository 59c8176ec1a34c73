"""What the poker games share: which of two hands is the higher, and of what kind a hand is."""

from rules.poker.ranking import Category, category, rank

__all__ = ["Category", "category", "rank"]
