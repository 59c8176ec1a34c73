"""What the games of the baccarat family share: points, the drawing table, coups read from a journal, the
shoe, betting boxes, and what is due to a bet.

Nothing here knows a regulation: rules are named by the games, which hand in the ids (``terms``).
"""
