"""Pictures and videos of gaming tables as surveillance cameras and telephones see them, with exact labels.

A scene is plain data (``scene``), a random one is drawn from a seed (``sample``), ``render`` turns it into
a picture and labels, ``training`` writes detector data sets and ``clip`` turns a simulated coup into a video.
Everything is NumPy and OpenCV; the same seed gives the same picture on one machine.
"""
