"""The chip reader: training scenes, networks, training, weights."""
