"""Trained weights (ONNX), a model card for each, and how each is trained, exported and scored."""
