"""Pixels to table events: sources, felt geometry, detector, card and chip readers, tracking, inference."""
