"""Punto banco: one module for each thing that the regulation speaks of.

``coup`` reads the journal into coups; ``dealing``, ``drawing``, ``bets``, ``settlement`` and ``shoe``
judge them; ``judging`` puts a coup's verdicts together.
"""
