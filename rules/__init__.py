"""The ground floor: cards, chips, money, spots, table events, games, profiles and findings.

Pure: no input or output, no clock, no randomness. Nothing of ours is imported from here upwards.
"""
